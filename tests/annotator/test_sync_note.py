"""What has been looked over need not be looked over again, and whatever makes that untrue is noticed."""

import sqlite3
from contextlib import closing
from typing import TextIO

import msgspec
import pytest

from annotator import sync_note
from annotator.command import first_of
from annotator.rules import NotNow
from corpus.dataset.reader import Corpus
from corpus.formats import manifest
from session.annotation.store import work_path
from session.annotation.transcript import State
from session.values.clock import Stamp
from tests.annotator.desk import FIRST, LAST, SRO, TEXT, Lab, entry, said, screen

MIDDLE = "8k8021sx"


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Corpus]:
    """Grows by the corpus with every look over one."""
    found: list[Corpus] = []
    catch_up = sync_note.catch_up

    def noted(corpus: Corpus, now: sync_note.Now, err: TextIO | None) -> list[sync_note.Fault]:
        found.append(corpus)
        return catch_up(corpus, now, err)

    monkeypatch.setattr(sync_note, "catch_up", noted)
    return found


def left_in_order(lab: Lab) -> None:
    desk = lab.at()
    desk.submit(TEXT)
    assert desk.finish() == []


def test_a_corpus_that_was_left_in_order_is_not_looked_over_when_it_is_opened(lab: Lab, looks: list[Corpus]) -> None:
    left_in_order(lab)
    looks.clear()
    again = lab.person()
    assert first_of(again) == MIDDLE
    assert again.open(MIDDLE).text
    assert (looks, again.listed) == ([], False)
    assert [item.stem for item in again.items(State.SUBMITTED)] == [FIRST]
    assert again.listed
    assert again.finish() == []
    assert looks == []


def test_what_was_recorded_and_never_put_there_is_put_there(
    lab: Lab, looks: list[Corpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    left_in_order(lab)
    with monkeypatch.context() as killed:
        killed.setattr("annotator.transcription.Transcribing._publish", lambda _: None)
        lab.at(MIDDLE).submit("[uh] never mind")
    assert entry(lab, SRO.replace(FIRST, MIDDLE)).draft
    looks.clear()
    lab.person()
    assert len(looks) == 1
    assert not entry(lab, SRO.replace(FIRST, MIDDLE)).draft


def test_a_manifest_that_was_written_since_is_looked_over(lab: Lab, looks: list[Corpus]) -> None:
    left_in_order(lab)
    listed = manifest.held_in(lab.root)
    listed.files[SRO] = manifest.FileEntry(0, "", draft=True)
    (lab.root / "manifest.json").write_bytes(manifest.render(listed))
    looks.clear()
    lab.person()
    assert len(looks) == 1
    assert not entry(lab, SRO).draft


def test_a_manifest_without_a_seal_is_looked_over_every_time(lab: Lab, looks: list[Corpus]) -> None:
    told = msgspec.json.decode((lab.root / "manifest.json").read_bytes())
    del told["seal"], told["left_out"]
    (lab.root / "manifest.json").write_bytes(msgspec.json.encode(told))
    lab.person()
    lab.person()
    assert len(looks) == 2


def test_other_rules_for_masks_are_a_reason_to_look_again(
    lab: Lab, looks: list[Corpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    left_in_order(lab)
    looks.clear()
    monkeypatch.setattr(sync_note, "RULES", sync_note.RULES[1:])
    lab.person()
    assert len(looks) == 1
    lab.person()
    assert len(looks) == 1


def test_half_a_note_of_a_desk_that_was_killed_goes_with_the_next_whole_one(lab: Lab) -> None:
    note = sync_note.note_of(lab.root)
    half = note.with_name(f".{note.name}.1234.part")
    half.write_bytes(b"5e")
    left_in_order(lab)
    assert (note.exists(), half.exists()) == (True, False)


def test_what_is_at_fault_is_looked_over_every_time(lab: Lab, looks: list[Corpus]) -> None:
    left_in_order(lab)
    (lab.root / SRO).unlink()
    (lab.root / SRO).mkdir()
    with pytest.raises(NotNow, match="no plain file"):
        lab.at(MIDDLE).submit(TEXT)
    looks.clear()
    lab.person()
    lab.person()
    assert len(looks) == 2


async def test_work_that_cannot_be_read_any_more_is_told_by_the_desk_that_was_opened_over_it(lab: Lab) -> None:
    left_in_order(lab)
    with closing(sqlite3.connect(work_path(lab.root))) as link, link:
        link.execute("DROP TRIGGER payloads_update")
        link.execute("UPDATE payloads SET payload = x'7b7d' WHERE stream LIKE ? AND seq = 1", (f"%{FIRST}%",))
    app = lab.app(first=MIDDLE)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert f"event 1 of transcription/{FIRST}" in said(app)
        for key, why in (
            ("ctrl+s", "as TranscriptionBegun"),
            ("ctrl+f", "as TranscriptionBegun"),
            ("pageup", "cannot be opened"),
        ):
            screen(app).say("")
            await pilot.press(key)
            assert why in said(app), key
            assert app.screen is screen(app)


def test_a_glance_tells_how_far_everything_is(lab: Lab) -> None:
    lab.at().submit(TEXT)
    lab.at(LAST).submit(TEXT)
    ben = lab.at(name="ben")
    ben.revise("show me the flights")
    lab.at(LAST, "ben").check(TEXT)
    lab.at(MIDDLE).revise("[uh] never mind")
    other = lab.at("8k8031sx")
    other.submit(TEXT)
    other.reopen("a slip of the key")
    erased = lab.at("8k8041sx", "ben")
    erased.submit(TEXT)
    lab.work.withdraw("8k8", "ben", Stamp("desk", 0, 0), {erased.opened.item.take})
    glanced = lab.work.at_a_glance()
    whole = {each.take: each for _, each in lab.work.folded() if each.take}
    assert {take: (glanced[take].state, glanced[take].events) for take in whole} == {
        take: (each.state, each.events) for take, each in whole.items()
    }
    assert [each.erased for take, each in glanced.items() if take not in whole] == [True]
