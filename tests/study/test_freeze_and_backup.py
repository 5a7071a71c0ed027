"""A protocol that stays as it was frozen, and a copy of the study that can be trusted."""

import io
from pathlib import Path
from typing import Any

import pytest

from domain.database.build import open_database
from rehearsal.checkup import study as checked
from session import events as e
from session.collection.erase_speaker import erase
from session.collection.freeze import freezes_of
from session.collection.unconfirmed_sound import unconfirmed_bytes
from session.store.event_store import Store
from session.study.folder import load
from session.values.clock import SystemClock
from study.backup_command import backup_command
from study.freeze_command import freeze_command
from tests.study.worlds import World

CLOCK = SystemClock("study")


def froze(world: World, expected: int = 0, reason: str = "", *, show: bool = False) -> str:
    out, err = io.StringIO(), io.StringIO()
    folder = str(world.study.folder)
    assert freeze_command(folder, reason=reason, show=show, clock=CLOCK, out=out, err=err) == expected
    return out.getvalue() + err.getvalue()


def opened(world: World, **more: Any) -> e.SessionOpened:
    return world.plan(freezes=freezes_of(world.store), **more).opened


def test_a_frozen_study_refuses_edits_until_they_are_an_amendment_that_every_log_states(tmp_path: Path) -> None:
    world = World(tmp_path / "study")
    assert froze(world, show=True).startswith("not frozen")
    froze(world)
    assert opened(world).frozen.startswith("frozen 20")
    assert "nothing was changed" in froze(world, 2, "again")
    path = world.study.folder / "instructions.txt"
    path.write_text(path.read_text() + "Be quick.\n")
    world.study = load(world.study.folder)
    with pytest.raises(ValueError, match=r"frozen, and instructions\.txt has been changed since"):
        opened(world)
    assert opened(world, pilot=True).frozen == ""
    assert "instructions.txt" in froze(world, 1, show=True)
    assert "say why with --reason" in froze(world, 2)
    froze(world, reason="subjects took too long")
    told = opened(world).frozen
    assert told.endswith(": subjects took too long")
    assert "amendment 1 of" in told
    path = world.study.folder / "study.toml"
    path.write_text(path.read_text().replace("pilot = false", "pilot = true"))
    assert "marks all sessions as pilots" in froze(world, 2, "x")


def copied(study: Path, target: Path, expected: int = 0, *, restore: bool = False) -> str:
    out, err = io.StringIO(), io.StringIO()
    assert backup_command(str(study), str(target), restore=restore, clock=CLOCK, out=out, err=err) == expected, (
        err.getvalue()
    )
    return out.getvalue() + err.getvalue()


def test_a_copy_is_made_while_a_store_is_open_brought_up_to_date_and_restored(tmp_path: Path) -> None:
    world = World(tmp_path / "study")
    folder, target = world.study.folder, tmp_path / "copy"
    first, second = world.come("001"), world.come("002")
    unconfirmed_bytes(folder / "recordings", ())  # its marks are no recordings
    assert [one.found for one in checked(folder) if one.what == "backup"] == ["nothing was collected yet"]
    take = folder / "recordings" / "lab-20261121-1" / "T.s.pcm"
    take.parent.mkdir(parents=True)
    take.write_bytes(b"sound")
    assert [one.found for one in checked(folder) if one.what == "backup"] == ["there is no copy of this study"]
    copied(folder, target)
    world.come("003")
    assert copied(folder, target).startswith(f"{target}: 1 files copied")
    assert [one.level.name for one in checked(folder) if one.what == "backup"] == ["FINE"]

    back = tmp_path / "back"
    copied(back, target, restore=True)
    store = Store(load(back).store_url)
    assert [info.stream for info in store.streams()] == [info.stream for info in world.store.streams()]
    assert all(store.verify(info.stream) == [] for info in store.streams())
    store.close()
    assert (back / "recordings" / "lab-20261121-1" / "T.s.pcm").read_bytes() == b"sound"
    assert "exists already" in copied(back, target, 2, restore=True)

    erase(world.study, world.store, first.speaker.id, [], CLOCK)
    copied(folder, target)
    assert not (target / "recordings" / "lab-20261121-1" / "T.s.pcm").exists()
    assert second.speaker.id == "002"

    (target / "study.toml").write_text("spoiled")
    assert "differs from the copied file" in copied(tmp_path / "again", target, 2, restore=True)
    assert not (tmp_path / "again").exists()
    assert "would be in the study" in copied(folder, folder / "copy", 2)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("x")
    assert "not empty" in copied(folder, tmp_path / "other", 2)


def test_a_restored_study_opens_its_domain_s_database_as_it_was_built(tmp_path: Path) -> None:
    study = World(tmp_path / "study").study
    built = open_database(study.domain_folder, study.database_folder)
    copied(study.folder, tmp_path / "copy")
    copied(tmp_path / "back", tmp_path / "copy", restore=True)
    back = load(tmp_path / "back")
    (file,) = back.database_folder.glob("*.sqlite")
    before = file.stat().st_mtime_ns
    assert open_database(back.domain_folder, back.database_folder).version == built.version
    assert file.stat().st_mtime_ns == before, "it is not built again"
