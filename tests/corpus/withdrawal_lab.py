"""A lab from which a speaker withdraws in each way the command offers, and a process that is killed during the withdrawal,
before any chosen change of a file or a database.
"""

import io
import os
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from annotator.transcription import Transcribing
from corpus.commands.export import ExportRequest, export_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.export.backup import write_copy
from corpus.export.madcow import export
from corpus.export.source import Collected
from corpus.io.staging import partial_of
from corpus.release.exports_log import record
from corpus.withdrawal import rebuild
from session import events as e
from session.annotation.store import Work, work_path
from session.store import database
from session.store.event_store import Store
from session.study.folder import load
from session.values.clock import ManualClock
from tests.corpus.corpora import session_of
from tests.corpus.sessions import MemorySource, Script
from tests.corpus.studies import fill, made_study

LEAVES, STAYS = "8k9", "8k8"
SAID = "the zeppelin of Schenectady"
NAME = "Philippa Smith"
LATER = "Gloversville"
"""A second name that the transcribers mark."""
FAR = "far/all"
"""A merged corpus in another folder, made before the names were marked, in which a speaker of another site says them."""


class WithdrawalCase(NamedTuple):
    """A withdrawal: the argument of the command, whether only the audio goes, the folders that keep the speaker, and whether the
    system cannot swap two folders in one step."""

    target: str
    sound: bool = False
    stays: tuple[str, ...] = ()
    in_two_steps: bool = False


LAB = ("study", "second", "spool")
COPIES = ("whole", "kaldi", "far")
CASES = {
    "a study": WithdrawalCase("study", stays=COPIES),
    "a corpus": WithdrawalCase("whole", stays=(*LAB, "kaldi", "far")),
    "a corpus, in two steps": WithdrawalCase("whole", stays=(*LAB, "kaldi", "far"), in_two_steps=True),
    "the sound of a study": WithdrawalCase("study", True, (*LAB, *COPIES)),
    "the sound of a corpus": WithdrawalCase("whole", True, (*LAB, "kaldi", "far")),
}


def speaking(speaker: str, text: str, site: str = "bbn") -> Script:
    """Return a session whose transcriptions, queries and notes all have this text."""
    script = session_of(site, speaker, number=1 if speaker == LEAVES else 2, stretch=0.3)
    for at, fact in enumerate(script.facts):
        if isinstance(fact.event, e.Transcribed | e.NoteWritten | e.QuerySubmitted):
            script.facts[at] = msgspec.structs.replace(fact, event=msgspec.structs.replace(fact.event, text=text))
    return script


def leaving() -> Script:
    """Return the session of the speaker who withdraws."""
    return speaking(LEAVES, f"{SAID} for {NAME} of {LATER}")


def build(lab: Path) -> Path:
    """Build the lab: a study with a second copy, a spool, a transcribed corpus, packages, a merged corpus, a partial export."""
    lab.mkdir(exist_ok=True)
    study = made_study(lab / "study")
    settings = study / "study.toml"
    settings.write_text('second_copy = "../second"\n' + settings.read_text("utf-8"), "utf-8")
    hers = leaving()
    fill(study, hers)
    fill(study, speaking(STAYS, f"give this to {NAME} of {LATER} please"))
    (lab / "second").mkdir()
    write_copy(MemorySource(hers), Collected(hers.session, hers.facts, "f6" * 32), lab / "second" / hers.session)
    (lab / "second" / f"{hers.session}.old").mkdir()
    (lab / "second" / f"{hers.session}.old/facts.json").write_text(SAID, "utf-8")
    (lab / "spool" / hers.session).mkdir(parents=True)
    (lab / "spool" / hers.session / "8k9A1.s.pcm").write_bytes(hers.takes["8k9A1"]["s"])
    for name, source, form in (("whole", study, "sphere"), ("kaldi", lab / "whole", "kaldi")):
        assert export_command(ExportRequest(str(source), str(lab / name), form=form), io.StringIO(), io.StringIO()) == 0
    (lab / "sri").mkdir()
    (lab / FAR).parent.mkdir()
    export(MemorySource(speaking("9k3", f"that is for {NAME}", "sri")), lab / "sri/theirs")
    assert (
        merge_command(
            MergeOptions([str(lab / "whole"), str(lab / "sri/theirs")], str(lab / FAR)), io.StringIO(), io.StringIO()
        )
        == 0
    )
    work = Work(work_path(lab / "whole"))
    desk = Transcribing(Corpus(lab / "whole"), work, "anna", ManualClock())
    desk.open(f"{LEAVES}011sx")
    desk.mark(100, 900)
    desk.submit(f"{SAID.lower()} for {{{{ {NAME.lower()} }}}}")
    desk.open(f"{LEAVES}012sx")
    desk.mark(100, 900)
    desk.submit(f"{SAID.lower()} of {{{{ {LATER.lower()} }}}}")
    work.close()
    half = partial_of(lab / "trn") / "files"
    half.mkdir(parents=True)
    (half / "text").write_text(SAID, "utf-8")
    record([lab / "whole"], "trn", lab / "trn", {}, io.StringIO())
    return lab


def withdraw(lab: Path, case: WithdrawalCase) -> tuple[int, str]:
    """Run the withdrawal; return its exit status and its messages."""
    err = io.StringIO()
    call = WithdrawOptions(LEAVES, (lab / "spool",), (lab / "wizard.log",), sound=case.sound)
    return withdraw_command(str(lab / case.target), call, ManualClock(), io.StringIO(), err), err.getvalue()


def export_over(source: Path, target: Path) -> None:
    """Export a study or a corpus anew, over an earlier export."""
    err = io.StringIO()
    status = export_command(ExportRequest(str(source), str(target)), io.StringIO(), err)
    assert status == 0, err.getvalue()


class Moments:
    """Counts the changes and records their names; kills the process before number `deadly` (0: never)."""

    def __init__(self, deadly: int) -> None:
        self.names: list[str] = []
        self._deadly = deadly
        self._writing = False

    def reached(self, name: str) -> None:
        self.names.append(name)
        if len(self.names) == self._deadly:
            os.kill(os.getpid(), signal.SIGKILL)
            signal.pause()

    def statement(self, sql: str) -> None:
        """Count the begin and the end of a transaction that writes, since all of it is stored or nothing."""
        if (sql.startswith("COMMIT") and self._writing) or sql.startswith(
            ("BEGIN IMMEDIATE", "VACUUM", "PRAGMA wal_checkpoint")
        ):
            self.reached(sql)
        if sql.startswith(("BEGIN", "COMMIT", "ROLLBACK")):
            self._writing = sql.startswith("BEGIN IMMEDIATE")

    def before(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **named: Any) -> Any:
            self.reached(f"{name} {arguments[0]}")
            return function(*arguments, **named)

        return wrapped


def live(lab: Path, case: WithdrawalCase, deadly: int, listed: Path) -> None:
    """Withdraw in this process, which is killed before change number `deadly`; otherwise list the changes in a file."""
    tempfile.tempdir = str(lab)
    moments = Moments(deadly)
    if case.in_two_steps:
        rebuild.ctypes.CDLL = lambda _: object()  # type: ignore[attr-defined]
    for name in ("unlink", "rmdir", "rename", "replace", "mkdir", "fsync", "link", "chmod"):
        setattr(os, name, moments.before(getattr(os, name), name))
    careful = database._careful

    def watched(connection: Any, other: object) -> None:
        careful(connection, other)
        connection.set_trace_callback(moments.statement)

    database._careful = watched  # type: ignore[assignment]
    status, output = withdraw(lab, case)
    listed.write_text("\n".join((f"{status} {output!r}", *moments.names)), "utf-8")


def chains(lab: Path) -> list[str]:
    """Return the faults of the hash chains of the study and of the transcription work."""
    found = list[str]()
    opened = Store(load(lab / "study").store_url)
    for info in opened.streams():
        found += opened.verify(info.stream)
    opened.close()
    work = Work(work_path(lab / "whole"))
    found += work.verify()
    work.close()
    return found


def others(lab: Path) -> list[object]:
    """Return what must survive: the other speaker's stored bytes, the consents of the one who withdraws, the transcripts and
    the marked names."""
    opened = Store(load(lab / "study").store_url)
    kept: list[object] = [(fact.envelope, fact.payload) for fact in opened.raw("bbn-20261121-2")]
    kept += [fact.event for fact in opened.read("bbn-20261121-1") if isinstance(fact.event, e.ConsentConfirmed)]
    opened.close()
    work = Work(work_path(lab / "whole"))
    kept += [(transcript.utterance, transcript.text, transcript.state) for transcript in work.transcripts()]
    kept += sorted(work.names())
    work.close()
    return kept
