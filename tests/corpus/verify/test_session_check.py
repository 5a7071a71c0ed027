"""The green light of a session, and each thing that puts it out; the copy that an export comes out of again."""

from pathlib import Path

import msgspec
import pytest

from corpus.export.backup import FACTS, SUMS, CopySource, faults, write_copy
from corpus.export.source import Collected, SessionSource
from corpus.io.staging import Refused
from corpus.verify.session_check import (
    CONFIRMED,
    COPIED,
    ENDED,
    EXPORTED,
    KEPT_IN,
    PRACTICE_ONLY,
    READABLE,
    VERIFIED,
    checks,
)
from session import events as e
from session.values.vocabulary import Sealed
from tests.corpus.sessions import MemorySource, Script, whole_session

SESSION = "bbn-20261121-1"


def confirmed(script: Script) -> Script:
    """The script with every take confirmed, as the hub does it."""
    stopped = [fact.event for fact in script.facts if isinstance(fact.event, e.RecordingStopped)]
    known = {fact.event.take for fact in script.facts if isinstance(fact.event, e.TakeConfirmed)}
    for event in stopped:
        if event.take not in known:
            script.add(e.TakeConfirmed(take=event.take, sealed=event.sealed))
    return script


def closed(source: SessionSource, session: str, second: Path | None = None) -> list[str]:
    """What stands against it, of all checks."""
    return [problem for check in checks(source, session, second) for problem in check.problems]


@pytest.fixture
def script() -> Script:
    return confirmed(whole_session())


def test_a_session_of_which_all_is_there_gets_the_green_light(script: Script) -> None:
    assert closed(MemorySource(script), SESSION) == []


def test_with_a_second_disk_the_copy_is_made_and_exports_the_same_bytes(script: Script, tmp_path: Path) -> None:
    source = MemorySource(script)
    absent = f"the second copy: there is no folder {tmp_path / 'second'}; is the disk connected?"
    assert closed(source, SESSION, tmp_path / "second") == [absent]
    (tmp_path / "second").mkdir()
    assert closed(source, SESSION, tmp_path / "second") == []
    copy = CopySource(tmp_path / "second" / SESSION)
    assert list(copy.collected(SESSION).facts) == list(source.collected(SESSION).facts)
    assert closed(source, SESSION, tmp_path / "second") == []


def test_a_copy_that_is_damaged_incomplete_or_old_puts_it_out(script: Script, tmp_path: Path) -> None:
    source = MemorySource(script)
    folder = tmp_path / SESSION
    assert closed(source, SESSION, tmp_path) == []
    sample = next(folder.rglob("*.pcm"))
    whole = sample.read_bytes()
    sample.write_bytes(whole[:-2] + b"xx")
    (problem,) = closed(source, SESSION, tmp_path)
    assert problem == f"the second copy: {sample} differs from the copied file"
    sample.unlink()
    assert closed(source, SESSION, tmp_path) == [f"the second copy: {sample} is missing"]
    sample.write_bytes(whole)
    (folder / "more.txt").write_text("")
    assert "not listed" in closed(source, SESSION, tmp_path)[0]
    (folder / "more.txt").unlink()
    assert closed(source, SESSION, tmp_path) == []


def test_a_copy_of_something_else_is_told_and_left_alone(script: Script, tmp_path: Path) -> None:
    source = MemorySource(script)
    write_copy(source, msgspec.structs.replace(source.collected(SESSION), head="00" * 32), tmp_path / SESSION)
    before = (tmp_path / SESSION / SUMS).read_bytes()
    (problem,) = closed(source, SESSION, tmp_path)
    assert "does not contain this session as it is now" in problem
    assert (tmp_path / SESSION / SUMS).read_bytes() == before


def test_a_note_after_the_copy_was_made_makes_it_anew(script: Script, tmp_path: Path) -> None:
    assert closed(MemorySource(script), SESSION, tmp_path) == []
    script.add(e.NoteWritten(text="she came back for her umbrella"))
    assert closed(MemorySource(script), SESSION, tmp_path) == []
    assert CopySource(tmp_path / SESSION).collected(SESSION).facts[-1].event == script.facts[-1].event
    assert [path.name for path in tmp_path.iterdir()] == [SESSION]


def test_a_link_that_is_recorded_while_it_is_looked_into_turns_no_light(script: Script, tmp_path: Path) -> None:
    source = MemorySource(script)
    reads = 0
    read = source.collected

    def collected(name: str) -> Collected:
        nonlocal reads
        reads += 1
        found = read(name)
        at = found.facts[3].at
        links = [
            e.Recorded(
                f"{SESSION}/links", n, at, "hub", "", e.ClockCompared(clock="s", mono=n, offset=0, uncertainty=1)
            )
            for n in range(reads)
        ]
        return msgspec.structs.replace(found, facts=[*found.facts[:4], *links, *found.facts[4:]])

    source.collected = collected  # type: ignore[method-assign]
    for _ in range(2):
        assert closed(source, SESSION, tmp_path) == []
    script.add(e.NoteWritten(text="later"))
    assert closed(source, SESSION, tmp_path) == []


def test_while_the_session_goes_on_no_copy_is_made(script: Script, tmp_path: Path) -> None:
    script.facts = [fact for fact in script.facts if not isinstance(fact.event, e.SessionEnded)]
    assert closed(MemorySource(script), SESSION, tmp_path) == ["the session has not ended: end it (Alt+X)"]
    assert list(tmp_path.iterdir()) == []


def test_every_check_is_named_and_those_that_make_no_sense_are_left_out(script: Script, tmp_path: Path) -> None:
    named = [check.what for check in checks(MemorySource(script), SESSION, tmp_path)]
    assert named == [READABLE, ENDED, CONFIRMED, EXPORTED, VERIFIED, COPIED]
    assert [check.what for check in checks(MemorySource(script), SESSION)] == named[:-1]
    assert [check.what for check in checks(MemorySource(script), "bbn-20261121-9")] == [READABLE]


def test_what_is_not_over_not_confirmed_or_not_there_is_told() -> None:
    script = confirmed(whole_session())
    facts = script.facts
    script.facts = [fact for fact in facts if not isinstance(fact.event, e.SessionEnded)]
    assert closed(MemorySource(script), SESSION) == ["the session has not ended: end it (Alt+X)"]
    last = next(fact.event.take for fact in reversed(facts) if isinstance(fact.event, e.TakeConfirmed))
    script.facts = [fact for fact in facts if not (isinstance(fact.event, e.TakeConfirmed) and fact.event.take == last)]
    assert f"take {last} is not confirmed: leave the participant's desk running" in closed(
        MemorySource(script), SESSION
    )
    assert closed(MemorySource(script), "bbn-20261121-9") == ["there is no session bbn-20261121-9"]


def test_sound_that_is_confirmed_and_not_held_puts_it_out(script: Script) -> None:
    source = MemorySource(script)
    take = next(name for name in source.takes if source.takes[name])
    source.takes[take].clear()
    assert f"channel s of take {take[1]} differs from the confirmed one" in "\n".join(closed(source, SESSION))


def test_a_session_of_practice_alone_says_so() -> None:
    script = Script()
    script.open()
    script.start("practice", None)
    script.add(e.SessionEnded(reason=""))
    assert closed(MemorySource(script), SESSION) == [PRACTICE_ONLY]


def test_of_a_person_who_lets_nothing_be_written_down_no_transcription_is_called_for(script: Script) -> None:
    refused = e.ConsentConfirmed(at=script.desk(), version="", sha256="", scopes={"transcribe": False})
    script.add(refused, "subject")
    script.facts = [fact for fact in script.facts if not isinstance(fact.event, e.Transcribed)]
    assert closed(MemorySource(script), SESSION) == []
    assert [check.what for check in checks(MemorySource(script), SESSION)][-1] == KEPT_IN


def test_a_take_that_never_ended_puts_it_out(script: Script) -> None:
    script.add(e.TalkPressed(at=script.desk(), take="lost"), "subject")
    assert "take lost was never completed" in "\n".join(closed(MemorySource(script), SESSION))
    script.add(e.RecordingStopped(at=script.desk(), take="lost", sealed=(Sealed("s", 0, ""),)), "subject")
    assert "take lost was never completed" not in "\n".join(closed(MemorySource(script), SESSION))


def test_the_files_of_a_copy_can_be_checked_by_other_tools(script: Script, tmp_path: Path) -> None:
    source = MemorySource(script)
    write_copy(source, source.collected(SESSION), tmp_path / "copy")
    lines = (tmp_path / "copy" / SUMS).read_text().splitlines()
    assert any(line.endswith(f"  {FACTS}") for line in lines)
    assert all(len(line.split("  ")[0]) == 64 for line in lines)
    assert faults(tmp_path / "copy") == []
    with pytest.raises(Refused):
        write_copy(source, source.collected(SESSION), tmp_path / "copy")
    assert "cannot be read" in faults(tmp_path / "elsewhere")[0]


def test_who_withdraws_goes_from_the_second_disk_too_and_a_disk_that_is_away_is_told(tmp_path: Path) -> None:
    import io

    from corpus.commands.withdraw import WithdrawOptions, withdraw_command
    from session.collection.open_session import plan_session
    from session.store.event_store import Entry, Store
    from session.study.create import new
    from session.study.folder import load
    from session.values.clock import ManualClock, Stamp

    study = new(tmp_path / "study")
    settings = study.folder / "study.toml"
    settings.write_text(settings.read_text().replace('second_copy = ""', 'second_copy = "../second"'))
    store = Store(load(study.folder).store_url)
    import datetime

    planned = plan_session(study, store.usage, "toy 1", datetime.date(2026, 11, 21))
    name, opened = planned.name, planned.opened
    store.append(name, 0, [Entry(Stamp("hub", 1, 1), "hub", "", opened)])
    store.close()

    def withdraw() -> tuple[int, str]:
        err = io.StringIO()
        speaker = opened.speaker.id
        return withdraw_command(
            str(study.folder), WithdrawOptions(speaker), ManualClock(), io.StringIO(), err
        ), err.getvalue()

    status, output = withdraw()
    assert status == 1
    assert f"delete {name} on it" in output
    (tmp_path / "second" / name).mkdir(parents=True)
    (tmp_path / "second" / name / FACTS).write_text("what was said")
    assert withdraw()[0] == 0
    assert not (tmp_path / "second" / name).exists()
