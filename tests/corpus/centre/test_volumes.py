"""Volumes: images of a capacity that another program reads, whose index tells who is on them, and that nobody who has left
stays on."""

import importlib.util
import io
import shutil
from collections import Counter
from pathlib import Path

import pytest

from corpus.centre.centre_folder import centre_command
from corpus.centre.histories import history_command
from corpus.centre.ledger import Centre
from corpus.centre.releases import ReleaseOptions, release_command
from corpus.centre.volumes import VolumeOptions, packed, volume_command
from corpus.centre.waiting_waveforms import VolumeWaveform, WaitingSession, size_of, waiting_waveforms
from corpus.centre.withdrawal import centre_withdraw_command
from corpus.commands.derive import DeriveOptions, derive_command
from corpus.commands.withdraw import WithdrawOptions
from corpus.dataset.reader import speech_name
from corpus.formats.layout import FileName
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from tests.corpus.centre.world import World, initial

HAS_IMAGES = importlib.util.find_spec("pycdlib") is not None


def told(command: object, *given: object) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = command(*given, out, err)  # type: ignore[operator]
    return status, out.getvalue(), err.getvalue()


def release(world: World) -> str:
    status, out, err = told(release_command, ReleaseOptions(str(world.root)), world.clock)
    assert status == 0, err
    return out.strip()


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Two sites, one with initial data."""
    world = World(tmp_path)
    assert world.receive(world.pack(world.site("bbn", *(f"8k{n}" for n in range(1, 6))), "bbn.tar"))[0] == 0
    cmu = initial(world.site("cmu", *(f"ab{n}" for n in range(1, 6))), tmp_path / "cmu-initial")
    assert world.receive(world.pack(cmu, "cmu.tar"))[0] == 0
    return world


def waiting(*sizes: int) -> list[WaitingSession]:
    waves = (VolumeWaveform(Path("x"), f"spon/{at:03}/1/{at:03}011ss.wav", size, "") for at, size in enumerate(sizes))
    return [WaitingSession(at, size_of([wave])) for at, wave in enumerate(waves)]  # type: ignore[arg-type]


def test_volumes_are_never_overfull_and_no_session_is_split() -> None:
    some = waiting(*(10_000_000 + 37_000_000 * (n % 5) for n in range(40)))
    left, volumes = some, 0
    while chosen := packed(left, 630_000_000):
        assert sum(size for _, size in chosen) <= 630_000_000
        left, volumes = [entry for entry in left if entry not in chosen], volumes + 1
    assert volumes >= 4
    assert sum(size for _, size in left) <= 630_000_000
    assert packed(some[:2], 630_000_000) == []
    assert len(packed(some[:2], 630_000_000, every=True)) == 2


def test_each_manifest_is_gone_through_once_for_what_waits(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    release(world)
    parsed = Counter[str]()

    def counted(path: str) -> FileName | None:
        parsed[path] += 1
        return speech_name(path)

    monkeypatch.setattr("corpus.centre.waiting_waveforms.speech_name", counted)
    with world.centre() as centre, waiting_waveforms(centre) as waits:
        assert len(waits.sessions) > 3
        waves = [wave.path for wave in waits.waves(waits.sessions)]
        assert sum(size for _, size in waits.sessions) > sum(wave.bytes for wave in waits.waves(waits.sessions))
    assert {*waves} <= {*parsed}
    assert {*parsed.values()} == {1}


@pytest.mark.skipif(not HAS_IMAGES, reason="the extra volumes is not installed")
def test_an_image_has_the_waveforms_under_names_of_level_1(world: World, tmp_path: Path) -> None:
    import pycdlib

    home = shutil.copytree(world.root / "releases" / release(world), tmp_path / "home")
    status, out, err = told(volume_command, VolumeOptions(str(world.root), 400_000), world.clock)
    assert status == 0, err
    assert all(Path(line).stat().st_size <= 400_000 for line in out.split())
    status, more, _ = told(volume_command, VolumeOptions(str(world.root), 400_000, every=True), world.clock)
    assert status == 0
    images = [*out.split(), *more.split()]
    found = set[str]()
    for place in images:
        image = pycdlib.PyCdlib()
        image.open(place)
        for folder, _, names in image.walk(iso_path="/"):
            for name in names:
                data = io.BytesIO()
                image.get_file_from_iso_fp(data, iso_path=f"{folder}/{name}".replace("//", "/"))
                if name.startswith("INDEX"):
                    for line in data.getvalue().decode().splitlines()[1:]:
                        found.add(line.split("\t")[1])
                else:
                    path = f"{folder}/{name.partition(';')[0]}".lower().strip("/")
                    (home / path).write_bytes(data.getvalue())
                    assert any(
                        path in str(p) and p.read_bytes() == data.getvalue()
                        for p in world.root.rglob(path.rpartition("/")[2])
                    )
        image.close()
    assert len(found) > 30
    assert derive_command(DeriveOptions(str(home), str(tmp_path / "whole")), io.StringIO(), io.StringIO()) == 0
    assert verify(tmp_path / "whole").count(Severity.ERROR) == 0


@pytest.mark.skipif(not HAS_IMAGES, reason="the extra volumes is not installed")
@pytest.mark.parametrize("left", [0, 1, 5])
def test_an_index_that_was_altered_hides_nobody_who_is_on_the_volume(world: World, left: int) -> None:
    release(world)
    assert told(volume_command, VolumeOptions(str(world.root), every=True), world.clock)[0] == 0
    assert told(centre_command, str(world.root), world.clock)[::2] == (0, "")
    index = world.root / "volumes/vol001.ndx"
    lines = index.read_text().splitlines(keepends=True)
    who = lines[-1].split("/")[2].lower()
    index.chmod(0o644)
    index.write_text("".join(lines[:left]))
    status, _, err = told(centre_command, str(world.root), world.clock)
    assert (status, "vol001.ndx is not the index on vol001.iso" in err) == (1, True)
    assert "on volume vol001" in told(history_command, str(world.root), who, world.clock)[1]
    status, out, _ = told(centre_withdraw_command, str(world.root), WithdrawOptions(who), world.clock)
    assert (status, "volume vol001: destroy it" in out) == (1, True)
    assert told(centre_command, str(world.root), world.clock)[2] == ""
    assert f"/{who.upper()}/".encode() not in (world.root / "volumes/vol001.iso").read_bytes()


@pytest.mark.skipif(not HAS_IMAGES, reason="the extra volumes is not installed")
@pytest.mark.parametrize("step", range(4))
def test_a_withdrawal_killed_at_a_volume_is_completed_by_the_next_one(
    world: World, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(world)
    assert told(volume_command, VolumeOptions(str(world.root), every=True), world.clock)[0] == 0
    who = (world.root / "volumes/vol001.ndx").read_text().splitlines()[-1].split("/")[2].lower()
    real, left = Path.replace, [step]

    def stop(path: Path, target: Path) -> Path:
        if target.name.startswith("vol001."):
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
        return real(path, target)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", stop)
        patch.setattr(Centre, "erase", killed)
        with pytest.raises(KeyboardInterrupt):
            told(centre_withdraw_command, str(world.root), WithdrawOptions(who), world.clock)
    assert told(centre_withdraw_command, str(world.root), WithdrawOptions(who), world.clock)[0] == 1
    assert told(centre_command, str(world.root), world.clock)[2] == ""
    assert f"/{who.upper()}/".encode() not in (world.root / "volumes/vol001.iso").read_bytes()
    assert f"/{who}/" not in (world.root / "volumes/vol001.ndx").read_text()
