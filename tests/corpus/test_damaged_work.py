"""Damaged later work keeps nobody anywhere else: what can go goes, and the same call finishes it when the work is mended."""

import io
from pathlib import Path

import pytest

from annotator.transcription import Transcribing
from corpus.commands.rename import rename_command
from corpus.commands.withdraw import Call, withdraw_command
from corpus.dataset.reader import Corpus
from session.annotation.store import Work, work_path
from session.values.clock import ManualClock
from tests.corpus import leaving_world as world
from tests.corpus.leaving_world import LEAVES, STAYS, speaking
from tests.corpus.namesakes import exported
from tests.corpus.searching import holding, of_sound, of_text


@pytest.mark.parametrize("name", ["a study", "a corpus"])
def test_all_but_the_damaged_file_loses_the_person_and_that_file_when_it_is_mended(tmp_path: Path, name: str) -> None:
    lab, way = world.build(tmp_path / "lab"), world.WAYS[name]
    work, needles = work_path(lab / "whole"), {*of_sound(world.leaving()), *of_text(world.SAID)}
    before = work.read_bytes()
    work.write_bytes(b"no database" + before[11:])

    def left() -> set[str]:
        places = [each for each in lab.iterdir() if each.name not in way.stays and each.is_dir()]
        return {path for path, _ in holding(places, needles)}

    assert "kaldi/text" in left()
    status, told = world.withdraw(lab, way)
    assert (status, f"{work} is damaged (" in told, left()) == (2, True, set())
    work.write_bytes(before)
    status, told = world.withdraw(lab, way)
    assert (status, left(), holding([lab / "whole", lab / world.FAR], of_text(world.NAME))) == (0, set(), set()), told
    assert [needle for needle in needles if needle in work.read_bytes()] == []
    assert world.chains(lab) == []


@pytest.mark.parametrize("begun", ["study-ours", "corpora/ours"])
def test_damaged_work_beside_a_copy_that_she_has_left_loses_her_when_it_is_mended(tmp_path: Path, begun: str) -> None:
    ours = exported(tmp_path, "ours", speaking(LEAVES, "the zeppelin"), speaking(STAYS, "to omaha"))
    copy, ids = tmp_path / "far/copy", [f"{LEAVES}=9kz", f"{STAYS}=9ky"]
    copy.parent.mkdir()
    assert rename_command(str(ours), str(copy), ids, "", ManualClock(), io.StringIO(), io.StringIO()) == 0
    work = Work(work_path(copy))
    desk = Transcribing(Corpus(copy), work, "anna", ManualClock())
    for who, text in (("9kz", "quoth the raven"), ("9ky", "the walrus flies")):
        desk.open(f"{who}011sx")
        desk.submit(text)
    desk.finish()
    work.close()
    whole = work_path(copy).read_bytes()
    work_path(copy).write_bytes(b"no database" + whole[11:])

    def leaves() -> tuple[int, str]:
        err = io.StringIO()
        return withdraw_command(
            str(tmp_path / begun), Call(LEAVES, copies=True), ManualClock(), io.StringIO(), err
        ), err.getvalue()

    for _ in range(2):
        status, told = leaves()
        assert (status, f"{work_path(copy)} is damaged (" in told) == (2, True)
    work_path(copy).write_bytes(whole)
    status, told = leaves()
    kept = work_path(copy).read_bytes()
    assert (status, b"raven" in kept, b"walrus" in kept) == (0, False, True), told
