"""From a study folder with a real store and real recordings to a verified corpus."""

import contextlib
import io
import re
import sqlite3
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from corpus.commands.export import FORMATS
from corpus.commands.sessions import SessionsOptions, sessions_command
from corpus.dataset.reader import Corpus
from corpus.export.exclusions import WITHDRAWN
from corpus.export.madcow import export
from corpus.formats import manifest
from corpus.verify.verify import VerifyOptions, verify_command
from curtain import main
from session import events as e
from session.store.event_store import Entry, Store
from session.study.folder import load
from session.values.clock import Stamp
from tests.corpus.sessions import MemorySource, Script, whole_session
from tests.corpus.studies import STUDY, fill, run


def own_protocol(script: Script, study: Path) -> Script:
    """The script's session as if it had been run under the study's protocol."""
    own = load(study)
    protocol = msgspec.structs.replace(script.protocol, files=own.files, sha256=own.sha256)
    opened = msgspec.structs.replace(script.opened, protocol=protocol)
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=opened)
    return script


def test_a_study_is_exported_and_verified(study: Path, tmp_path: Path) -> None:
    fill(study, own_protocol(whole_session(), study))
    status, output = run(study, tmp_path / "corpus")
    assert status == 0
    assert "1 session, 2 subject-scenarios, 7 utterances" in output
    assert verify_command(VerifyOptions(str(tmp_path / "corpus")), io.StringIO(), io.StringIO()) == 0
    held = {path.name.partition("_")[2]: path for path in (tmp_path / "corpus/doc/protocol/files").iterdir()}
    assert held.keys() == {"study.toml", "here.toml", "one.toml", "all.toml"}, "names tell what they are"
    assert held["study.toml"].read_text("utf-8") == STUDY
    fits = re.compile(r"[0-9A-Za-z_]{1,30}(\.[0-9A-Za-z_]{1,30})?")
    named = [path for path in (tmp_path / "corpus").rglob("*") if not fits.fullmatch(path.name) or len(path.name) > 31]
    assert named == [], "ISO 9660, level 2"


def test_only_the_named_sessions_are_exported(study: Path, tmp_path: Path) -> None:
    fill(study, whole_session())
    fill(study, whole_session("bbn-20261122-1", "8k9"))
    assert run(study, tmp_path / "corpus", sessions=("bbn-20261122-1",))[0] == 0
    assert [path.name for path in (tmp_path / "corpus/spon").iterdir()] == ["8k9"]


def rehearsed(script: Script) -> Script:
    opened = msgspec.structs.replace(script.opened, rehearsal=True)
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=opened)
    return script


def test_a_rehearsal_in_a_study_makes_no_rehearsal_of_what_real_people_said(study: Path, tmp_path: Path) -> None:
    """The experimenter's page asks for one before the first subject."""
    fill(study, rehearsed(whole_session()))
    fill(study, whole_session("bbn-20261122-1", "8k9"))
    status, output = run(study, tmp_path / "corpus")
    left_out = "left out: session bbn-20261121-1: a rehearsal, which is not data; --session exports it"
    assert (status, left_out in output) == (0, True)
    made = manifest.held_in(tmp_path / "corpus")
    assert (made.rehearsal, [entry.speaker for entry in made.sessions], made.left_out) == (False, ["8k9"], {})
    status, output = run(study, tmp_path / "csv", form="csv")
    assert (status, "left out: 1 rehearsal; --session packs one alone" in output) == (0, True)
    assert (tmp_path / "csv/scenarios.csv").read_text("utf-8").count("\nbbn,bbn-20261122-1,8k9,") == 2
    assert "8k8" not in (tmp_path / "csv/scenarios.csv").read_text("utf-8")
    assert run(study, tmp_path / "named", sessions=("bbn-20261121-1",))[0] == 0
    assert manifest.held_in(tmp_path / "named").rehearsal


def test_a_study_that_was_only_rehearsed_is_exported_and_marked(study: Path, tmp_path: Path) -> None:
    fill(study, rehearsed(whole_session()))
    assert run(study, tmp_path / "corpus")[0] == 0
    assert manifest.held_in(tmp_path / "corpus").rehearsal


def test_a_take_that_is_not_complete_is_named(study: Path, tmp_path: Path) -> None:
    script = whole_session()
    del script.takes["8k8A2"]
    fill(study, script)
    status, output = run(study, tmp_path / "corpus")
    assert status == 1
    assert "left out: spon/8k8/1/8k8021ss.wav" in output


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"form": "mp3"}, "textgrid, elan, chat, bagit, csv, dialogues, text2sql or study"),
        ({"sessions": ("bbn-20000101-1",)}, "study has no session bbn-20000101-1; `curtain sessions "),
        ({"sessions": ("bbn-20000101-1",), "form": "csv"}, "study has no session bbn-20000101-1; `curtain sessions "),
    ],
)
def test_a_call_that_leads_nowhere_is_refused(
    study: Path, tmp_path: Path, more: dict[str, object], message: str
) -> None:
    fill(study, whole_session())
    status, output = run(study, tmp_path / "corpus", **more)
    assert (status, message in output) == (2, True)
    assert not (tmp_path / "corpus").exists()


def test_a_folder_that_is_not_there_is_refused_before_the_study_notes_it(study: Path, tmp_path: Path) -> None:
    fill(study, whole_session())
    before = sorted(study.iterdir())
    assert run(study, tmp_path / "none" / "corpus") == (2, f"{tmp_path / 'none'} is not a directory; make it first\n")
    assert sorted(study.iterdir()) == before


def test_a_corpus_is_not_taken_for_a_study(study: Path, tmp_path: Path) -> None:
    fill(study, whole_session())
    run(study, tmp_path / "corpus")
    status, output = run(tmp_path / "corpus", tmp_path / "again", unnumbered=True)
    assert (status, "its sessions stay as they are" in output) == (2, True)
    status, output = run(tmp_path / "corpus", Path(), form="csv")
    assert (status, output) == (2, ". exists already; choose another directory, nothing is overwritten\n")


def test_waveforms_of_a_corpus_go_to_riff_and_come_back_to_the_byte(study: Path, tmp_path: Path) -> None:
    fill(study, whole_session())
    first, other, again, same = (tmp_path / name for name in ("corpus", "riff", "again", "same"))
    assert run(study, first)[0] == 0
    assert run(first, other, form="riff")[0] == run(other, again, form="sphere")[0] == run(other, same)[0] == 0
    kept, riffs = Corpus(first), Corpus(other)
    waves = [path for path in kept.manifest.files if path.endswith(".wav")]
    assert {riffs.read(path)[:4] for path in waves} == {Corpus(same).read(path)[:4] for path in waves} == {b"RIFF"}
    assert {path: Corpus(again).read(path) for path in waves} == {path: kept.read(path) for path in waves}
    assert verify_command(VerifyOptions(str(other)), out := io.StringIO(), io.StringIO()) == 0
    assert ": error" not in out.getvalue()


def test_an_empty_file_of_work_is_none_and_stays_as_it_is(study: Path, tmp_path: Path) -> None:
    fill(study, whole_session())
    (tmp_path / "work.sqlite").touch()
    status, output = run(study, tmp_path / "corpus", work=(str(tmp_path / "work.sqlite"),))
    assert (status, output) == (
        2, f"{tmp_path / 'work.sqlite'} is empty; --work names a work.sqlite or the folder that holds one\n"
    )  # fmt: skip
    assert (tmp_path / "work.sqlite").read_bytes() == b""


def test_what_is_no_study_and_what_exists_already_are_refused(study: Path, tmp_path: Path) -> None:
    assert run(tmp_path, tmp_path / "corpus")[0] == 2
    (tmp_path / "corpus").mkdir()
    status, output = run(study, tmp_path / "corpus")
    assert (status, "exists already" in output) == (2, True)


def test_a_microphone_that_names_cannot_tell_is_refused(study: Path, tmp_path: Path) -> None:
    script = whole_session()
    for index, fact in enumerate(script.facts):
        if hasattr(fact.event, "channels"):
            channels = tuple(msgspec.structs.replace(channel, letter="x") for channel in fact.event.channels)
            event = msgspec.structs.replace(fact.event, channels=channels)
            script.facts[index] = msgspec.structs.replace(fact, event=event)
    fill(study, script)
    status, output = run(study, tmp_path / "corpus")
    assert (status, "one of the letters a to z but x" in output) == (2, True)


def test_the_store_gives_the_same_corpus_as_the_facts_themselves(study: Path, tmp_path: Path) -> None:
    fill(study, whole_session())
    run(study, tmp_path / "one")
    export(MemorySource(whole_session()), tmp_path / "two")
    for path in (tmp_path / "two/spon").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "one" / path.relative_to(tmp_path / "two")).read_bytes()


GOOD, BAD = "bbn-20261121-1", "bbn-20261122-1"


def tampered(study: Path, *statements: str) -> None:
    """Two sessions, one of them changed behind the store's back."""
    fill(study, whole_session(GOOD))
    fill(study, whole_session(BAD, "8k9"))
    store = Store(load(study).store_url)
    compared = e.ClockCompared(clock="subject", mono=1, offset=0, uncertainty=1000)
    for name in (GOOD, BAD):
        store.append(f"{name}/links", 0, [Entry(Stamp("hub", 1, 1), "hub", "", compared)])
    store.close()
    with contextlib.closing(sqlite3.connect(study / "collection.sqlite")) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            assert database.execute(statement).rowcount == 1
        database.commit()


def place(kind: str) -> str:
    """The last event of a type in the session that is changed."""
    where = f"stream = '{BAD}' AND json_extract(CAST(envelope AS TEXT), '$.type') = '{kind}'"
    return f"stream = '{BAD}' AND seq = (SELECT max(seq) FROM events WHERE {where})"


OTHER_WORDS = (
    'UPDATE payloads SET payload = CAST(replace(CAST(payload AS TEXT), \'"text":"\', \'"text":"not \') AS BLOB) '
    f"WHERE {place('Transcribed')}"
)
AS_TEXT = f"UPDATE payloads SET payload = CAST(payload AS TEXT) || ' ' WHERE {place('Transcribed')}"
LINKS = f"UPDATE events SET envelope = x'ff' WHERE stream = '{BAD}/links'"
HURT = {
    "a transcription with another text": (OTHER_WORDS, "holds another payload"),
    "a payload of another type": (AS_TEXT, "holds another payload"),
    "damaged links": (LINKS, "no clocks could be compared"),
}
UNREADABLE = {
    "an envelope that is none": f"UPDATE events SET envelope = x'ff' WHERE {place('Transcribed')}",
    "a first envelope that is none": f"UPDATE events SET envelope = x'ff' WHERE stream = '{BAD}' AND seq = 1",
    "an envelope that is a number": f"UPDATE events SET envelope = 7 WHERE {place('Transcribed')}",
    "a payload that is a number": f"UPDATE payloads SET payload = 7 WHERE {place('Transcribed')}",
    "a payload that is not a text": f"UPDATE payloads SET payload = CAST(x'ff' AS TEXT) WHERE {place('Transcribed')}",
    "a lost payload": f"DELETE FROM payloads WHERE {place('Transcribed')}",
    "a lost opening": f"DELETE FROM payloads WHERE stream = '{BAD}' AND seq = 1",
    "a moment of no calendar": (
        "UPDATE payloads SET payload = CAST(replace(CAST(payload AS TEXT), '\"mono\":', '\"mono\":9999999999') AS BLOB) "
        f"WHERE {place('RecordingStarted')}"
    ),
}


@pytest.mark.parametrize("hurt", HURT)
def test_a_session_that_was_changed_in_the_store_goes_out_only_as_damaged(
    study: Path, tmp_path: Path, hurt: str
) -> None:
    statement, said = HURT[hurt]
    tampered(study, statement)
    status, output = run(study, tmp_path / "corpus")
    assert status == 1
    assert f"damaged: session {BAD}: " in output
    assert said in output
    out = io.StringIO()
    assert verify_command(VerifyOptions(str(tmp_path / "corpus")), out, io.StringIO()) == 1
    (line,) = [line for line in out.getvalue().splitlines() if "[manifest.damage]" in line]
    assert BAD in line
    assert said in line
    out, err = io.StringIO(), io.StringIO()
    assert sessions_command(SessionsOptions(str(study)), out, err) == 1
    assert said in err.getvalue()
    assert [line.partition(" ")[0] for line in out.getvalue().splitlines()[1:]] == [GOOD, BAD]


@pytest.mark.parametrize("hurt", UNREADABLE)
def test_a_session_that_cannot_be_read_stops_no_other(study: Path, tmp_path: Path, hurt: str) -> None:
    tampered(study, UNREADABLE[hurt])
    status, output = run(study, tmp_path / "corpus")
    assert status == 1
    assert f"left out: session {BAD}: " in output
    assert [path.name for path in (tmp_path / "corpus/spon").iterdir()] == ["8k8"]
    held = {str(path.relative_to(tmp_path / "corpus")) for path in (tmp_path / "corpus").rglob("*") if path.is_file()}
    listed = manifest.parse((tmp_path / "corpus/manifest.json").read_bytes(), "").files
    assert held - {"manifest.json"} == set(listed)
    out = io.StringIO()
    assert sessions_command(SessionsOptions(str(study)), out, io.StringIO()) == 1
    assert [line.partition(" ")[0] for line in out.getvalue().splitlines()[1:]] == [GOOD, BAD]
    assert "withdrawn" not in out.getvalue()


def test_a_withdrawal_explains_what_is_gone(study: Path, tmp_path: Path) -> None:
    tampered(study)
    store = Store(load(study).store_url)
    withdrawn = e.SpeakerWithdrawn(speaker="8k9", erased=0)
    store.withdraw([BAD, f"{BAD}/links"], "experimenter", Stamp("hub", 9, 9), withdrawn)
    store.close()
    status, output = run(study, tmp_path / "corpus")
    assert (status, f"left out: session {BAD}: {WITHDRAWN}" in output) == (0, True)
    out = io.StringIO()
    assert sessions_command(SessionsOptions(str(study)), out, io.StringIO()) == 0
    assert "withdrawn" in out.getvalue()


def test_the_protocol_goes_out_as_it_was_stored(study: Path, tmp_path: Path) -> None:
    """A release whose profiles have more fields gives the same bytes for the same events."""
    fill(study, whole_session())
    with contextlib.closing(sqlite3.connect(study / "collection.sqlite")) as database:
        database.execute("DROP TRIGGER payloads_update")
        (stored,) = database.execute("SELECT payload FROM payloads WHERE seq = 1").fetchone()
        fields = msgspec.json.decode(stored)
        del fields["protocol"]["profile"]["pre_roll_ms"]
        database.execute("UPDATE payloads SET payload = ? WHERE seq = 1", (msgspec.json.encode(fields),))
        database.commit()
    run(study, tmp_path / "corpus")
    (path,) = (tmp_path / "corpus/doc/protocol").glob("*.json")
    assert msgspec.json.decode(path.read_bytes()) == fields["protocol"]


def test_the_help_of_the_command_names_every_format() -> None:
    output = " ".join(CliRunner().invoke(main, ["export", "--help"]).output.split())
    assert [form for form in (*FORMATS, "CORPUS") if form not in output] == []


@pytest.mark.parametrize("call", [["withdraw", "{}", "8k9"], ["export", "{}", "out", "--as", "kaldi"]])
def test_a_folder_that_is_neither_a_study_nor_a_corpus_is_told_so(tmp_path: Path, call: list[str]) -> None:
    done = CliRunner().invoke(main, [argument.format(tmp_path) for argument in call])
    assert (done.exit_code, "neither a study nor a corpus" in done.output) == (2, True)
