"""What was told of a speaker wrongly is put right by one more fact: all that is made later tells it, nothing else changes."""

import io
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from corpus.commands.correct import Correction, correct_command
from corpus.commands.export import ExportRequest, export_command
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.commands.package import Package, package_command
from corpus.commands.report import ReportOptions, report_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.formats import layout, spkrinfo
from corpus.formats.spkrinfo import SpeakerInfo
from corpus.packages.formats import ExportFormat
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from curtain import main
from session import events as e
from session.collection.study_lock import shared_lock
from session.state.fold import fold
from session.store.event_store import Store
from session.study.folder import load
from session.values.clock import ManualClock
from tests import ROOT
from tests.corpus.corpora import second_visit, session_of
from tests.corpus.searching import holding, of_text
from tests.corpus.sessions import Script
from tests.corpus.studies import fill, made_study

WHY = "the form had said otherwise, by the Schenectady desk"
PERSON = "Wilhelmina of the other desk"
DIALECT = "that of upper Zembla"


def first_visit() -> Script:
    return session_of("bbn", "8k8")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    made = made_study(tmp_path / "study")
    fill(made, first_visit())
    return made


def correct(study: Path, *values: str, speaker: str = "8k8", **more: Any) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    asked = Correction(speaker, values, **({"person": PERSON, "why": WHY} | more))
    return correct_command(str(study), asked, ManualClock(), out, err), out.getvalue(), err.getvalue()


def exported(study: Path, target: Path, *sessions: str) -> Path:
    assert export_command(ExportRequest(str(study), str(target), sessions=sessions), io.StringIO(), io.StringIO()) == 0
    return target


def table(corpus: Path) -> SpeakerInfo:
    return Corpus(corpus).speakers()["8k8"]


def stored(study: Path) -> Store:
    return Store(load(study).store_url)


def test_every_export_from_then_on_tells_what_is_so_and_the_old_facts_stay(study: Path, tmp_path: Path) -> None:
    before = exported(study, tmp_path / "before")
    status, out, err = correct(study, "sex=m", "age=32")
    assert (
        status,
        "1 of 1 visit corrected" in err,
        f"{before} was made before and describes 8k8 differently" in err,
    ) == (
        1,
        True,
        True,
    )
    assert "sex=f age=31 -> sex=m age=32" in out
    after = exported(study, tmp_path / "after")
    wrong, right = table(before), table(after)
    assert (wrong.sex, wrong.age, right) == (
        "f",
        31,
        SpeakerInfo("8k8", "m", 32, "New England", "advertisement", "certificate", "bbn"),
    )
    assert (verify(after).count(Severity.ERROR), "; 1M/0F" in (after / layout.README).read_text("utf-8")) == (0, True)
    store = stored(study)
    (name,) = [info.stream for info in store.streams()]
    recorded = store.read(name)
    assert isinstance(recorded[0].event, e.SessionOpened)
    assert (recorded[0].event.speaker.sex, fold(recorded).opened.speaker.sex, store.verify(name)) == ("f", "m", [])  # type: ignore[union-attr]
    fact = recorded[-1].event
    assert isinstance(fact, e.SpeakerCorrected)
    assert (fact.was.age, fact.now.age, fact.who, fact.why, recorded[-1].by) == (31, 32, PERSON, WHY, "experimenter")
    store.close()


def test_who_why_and_what_it_was_leave_the_lab_in_nothing(study: Path, tmp_path: Path) -> None:
    correct(study, f"dialect={DIALECT}")
    correct(study, "dialect=New England")
    corpus = exported(study, tmp_path / "corpus")
    assert holding([corpus], [*of_text(WHY), *of_text(PERSON), *of_text(DIALECT)]) == set()
    logs = [(corpus / path).read_text("utf-8") for path in Corpus(corpus).logs]
    assert sum(text.count("[Speaker_corrected:]") for text in logs) == 2
    assert any("experimenter hidden\n[Of:] dialect\n" in text for text in logs)


def test_a_wrong_sex_blocks_a_merge_until_it_is_corrected(study: Path, tmp_path: Path) -> None:
    later = second_visit("8k8", "m", 2)
    fill(study, later)
    one, two = (exported(study, tmp_path / name.session, name.session) for name in (first_visit(), later))
    err = io.StringIO()
    assert merge_command(MergeOptions([str(one), str(two)], str(tmp_path / "all")), io.StringIO(), err) == 2
    assert "curtain correct STUDY SPEAKER KEY=VALUE" in err.getvalue()
    status, _, message = correct(study, "sex=m", sessions=(first_visit().session,))
    assert (
        status,
        "1 of 1 visit corrected" in message,
        f"{one} was made before" in message,
        f"{two} was made" in message,
    ) == (
        1,
        True,
        True,
        False,
    )
    anew = exported(study, tmp_path / "anew", first_visit().session)
    assert merge_command(MergeOptions([str(anew), str(two)], str(tmp_path / "all")), io.StringIO(), err) == 0, (
        err.getvalue()
    )
    assert table(tmp_path / "all").sex == "m"


def test_a_merger_keeps_what_an_earlier_visit_told_whatever_the_order(study: Path, tmp_path: Path) -> None:
    later = second_visit("8k8", "f", 2)
    fill(study, later)
    assert correct(study, "sex=", "age=", "dialect=Southern", sessions=(later.session,))[0] == 0
    parts = [str(exported(study, tmp_path / visit.session, visit.session)) for visit in (first_visit(), later)]
    for name, order in (("all", parts), ("turned", parts[::-1])):
        status = merge_command(MergeOptions(order, str(tmp_path / name)), io.StringIO(), io.StringIO())
        found = table(tmp_path / name)
        assert (status, found.sex, found.age, found.dialect) == (0, "f", 31, "Southern")
    assert table(exported(study, tmp_path / "whole")) == table(tmp_path / "all")


def test_who_is_held_out_stays_so(study: Path, tmp_path: Path) -> None:
    for number, speaker in enumerate(("8k9", "8ka", "8kb", "8kc"), start=2):
        fill(study, session_of("bbn", speaker, "m", number))
    whole = exported(study, tmp_path / "whole")
    assert holdout_command(str(whole), HoldoutOptions(), io.StringIO(), io.StringIO()) == 0
    sets = (tmp_path / "holdout.json").read_bytes()
    for speaker in ("8k8", "8k9", "8ka", "8kb", "8kc"):
        assert correct(study, "sex=x", "age=80", speaker=speaker)[0] == 1
    again = exported(study, tmp_path / "again")
    assert holdout_command(str(again), HoldoutOptions(), io.StringIO(), io.StringIO()) == 0
    assert (tmp_path / "holdout.json").read_bytes() == sets


def test_packages_of_before_are_named_and_those_of_after_tell_it(study: Path, tmp_path: Path) -> None:
    whole = exported(study, tmp_path / "whole")

    def kaldi(source: Path, target: Path) -> str:
        assert package_command(str(source), str(target), Package(ExportFormat.KALDI), io.StringIO(), io.StringIO()) == 0
        return (target / "spk2gender").read_text("utf-8")

    assert kaldi(whole, tmp_path / "kaldi") == "8k8 f\n"
    _, _, err = correct(study, "sex=m")
    assert f"{tmp_path / 'kaldi'} was made before and describes 8k8 differently" in err
    assert kaldi(study, tmp_path / "new") == "8k8 m\n"
    status, _, err = correct(study, "sex=m")
    assert (status, "0 of 1 visit corrected" in err, str(tmp_path / "new") in err) == (1, True, False)


def test_who_was_killed_before_the_copies_were_named_gets_them_from_the_same_call(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, kaldi, page = exported(study, tmp_path / "whole"), tmp_path / "kaldi", tmp_path / "whole.report.html"
    assert package_command(str(whole), str(kaldi), Package(ExportFormat.KALDI), io.StringIO(), io.StringIO()) == 0
    assert report_command(ReportOptions(str(whole)), io.StringIO(), io.StringIO()) == 0
    append = Store.append

    def dying(*given: Any) -> None:
        append(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "append", dying)
    with pytest.raises(KeyboardInterrupt):
        correct(study, "sex=m")
    monkeypatch.undo()
    for _ in range(2):
        status, _, err = correct(study, "sex=m")
        assert (status, f"{kaldi} was made before" in err, f"{page} was made before" in err) == (1, True, True)


def test_what_is_told_is_shown_without_anything_being_changed(study: Path) -> None:
    session = first_visit().session
    status, out, _ = correct(study, person="", why="")
    assert (status, out) == (
        0,
        f"{session}  sex=f age=31 dialect=New England recruitment=advertisement compensation=certificate\n",
    )
    correct(study, "dialect=")
    done = CliRunner().invoke(main, ["correct", str(study), "8k8"])
    assert (done.exit_code, "dialect=New England -> dialect= " in done.stdout) == (0, True)
    assert f"{PERSON}: " in done.stdout


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"values": ("sex=m",), "person": ""}, "--person NAME"),
        ({"values": ("sex=m",), "why": " \n "}, "--why TEXT"),
        ({"values": ("sex=woman",)}, "write f, m or x"),
        ({"values": ("height=2",)}, "KEY one of sex"),
        ({"values": ("sex=m",), "speaker": "8kz"}, "describes speaker 8kz"),
        ({"values": ("sex=m",), "speaker": "nobody"}, "is not a speaker's id"),
        ({"values": ("sex=m",), "sessions": ("bbn-20261121-9",)}, "is not a session of speaker 8k8"),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_obeyed_changes_nothing(study: Path, call: dict[str, object], message: str) -> None:
    store = stored(study)
    before = [info.head for info in store.streams()]
    values = call.pop("values")
    status, _, err = correct(study, *values, **call)  # type: ignore[arg-type, misc]
    assert (status, message in err) == (2, True), err
    assert [info.head for info in store.streams()] == before
    store.close()


def test_nobody_corrects_what_a_hub_has_in_hand_or_who_has_left(study: Path) -> None:
    with shared_lock(study):
        status, _, err = correct(study, "sex=m")
    assert (status, "close the hub or wait, then try again" in err) == (2, True)
    correct(study, "sex=m")
    assert withdraw_command(str(study), WithdrawOptions("8k8"), ManualClock(), io.StringIO(), io.StringIO()) == 0
    assert holding([study], [*of_text(WHY), *of_text(PERSON)]) == set()
    status, _, err = correct(study, "sex=f")
    assert (status, "the speaker has withdrawn" in err) == (2, True)


def test_a_kill_between_two_visits_is_finished_by_the_same_call(study: Path) -> None:
    fill(study, second_visit("8k8", "f", 2))
    program = (
        "import os, signal, sys\n"
        "from session.store.event_store import Store\n"
        "from tests.corpus.commands.test_correct import correct\n"
        "from pathlib import Path\n"
        "append, done = Store.append, []\n"
        "def dying(*given):\n"
        "    done.append(append(*given)); os.kill(os.getpid(), signal.SIGKILL)\n"
        "Store.append = dying\n"
        "correct(Path(sys.argv[1]), 'sex=m')\n"
    )
    dead = subprocess.run([sys.executable, "-c", program, study], cwd=ROOT, check=False)
    assert dead.returncode == -signal.SIGKILL
    status, out, err = correct(study, "sex=m")
    assert (status, "1 of 2 visits corrected" in err, out.count("sex=f -> sex=m")) == (0, True, 2)
    store = stored(study)
    assert [store.verify(info.stream) for info in store.streams()] == [[], []]
    store.close()


def test_a_table_that_is_told_twice_keeps_what_was_said_first() -> None:
    first, later = SpeakerInfo("8k8", "f", 31, "Southern"), SpeakerInfo("8k8", age=32)
    assert spkrinfo.completed(None, first) == first
    assert spkrinfo.completed(first, later) == SpeakerInfo("8k8", "f", 32, "Southern")
