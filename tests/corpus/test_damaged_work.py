"""Damaged later work keeps nobody anywhere else: what can go goes, and the same call finishes it when the work is mended."""

from pathlib import Path

import pytest

from session.work import work_path
from tests.corpus import leaving_world as world
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
