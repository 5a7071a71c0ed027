"""What a corrected delivery supersedes, and what of the work at the centre stands beside it."""

import io
import shutil
from pathlib import Path

import pytest

from corpus.centre import facts as f
from corpus.centre.centre_state import CentreState
from corpus.centre.release_listing import items, listings
from corpus.centre.releases import ReleaseOptions, release_command
from corpus.commands.derive import DeriveOptions, derive_command
from corpus.dataset.reader import Corpus
from corpus.release.utterance_status import POOL, RELEASE
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from tests.corpus.annotated import annotated
from tests.corpus.centre.world import World, answered, initial, transcribe


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    assert world.receive(world.pack(world.site("bbn", "8k1", "8k2"), "bbn.tar"))[0] == 0
    return world


def released(world: World) -> Path:
    """The folder of a new release."""
    out, err = io.StringIO(), io.StringIO()
    assert release_command(ReleaseOptions(str(world.root)), world.clock, out, err) == 0, err.getvalue()
    return world.root / "releases" / out.getvalue().strip()


def test_a_site_s_correction_stands_until_the_centre_transcribes_the_utterance_again(
    world: World, tmp_path: Path
) -> None:
    """Of three transcriptions of the centre one changed nothing, and of that and of one more the site corrects the words."""
    with world.centre() as centre:
        first = min(held.session.speaker for held in CentreState(centre).in_set(RELEASE))
    sent = world.folder / "bbn"
    same, other, kept = (f"{first}0{number}1sx" for number in (1, 2, 3))
    place = f"spon/{first}/1"
    said = (sent / f"{place}/{same}.sro").read_text().strip()
    for name, text in ((same, said), (other, "list airlines"), (kept, "list cities")):
        transcribe(world.root / "deliveries/bbn_1", name, "nora", text)
    released(world)
    corrected = initial(sent, tmp_path / "corrected")
    for name in (same, other):
        (corrected / f"{place}/{name}.sro").write_text(f"{said} please\n")
    assert world.receive(world.pack(corrected, "again.tar"))[0] == 0, world.err
    told = world.err.partition("to be made again: ")[2]
    assert [name in told for name in (same, other, kept)] == [True, True, False], world.err
    world.next_day()
    second = released(world) / place
    assert {(second / f"{name}.sro").read_text() for name in (same, other)} == {f"{said} please\n"}
    assert not (second / f"{kept}.sro").exists()  # as the first release has it
    with world.centre() as centre:
        ((_, now),) = CentreState(centre).roots()
    assert (now / f"{place}/{kept}.sro").read_text() == "list cities\n"
    transcribe(now, other, "omar", "list all airlines", clock=world.clock)
    world.next_day()
    third = released(world) / place
    assert (third / f"{other}.sro").read_text() == "list all airlines\n"
    assert not (third / f"{same}.sro").exists()


def test_a_site_s_transcriber_stays_on_record_when_the_centre_corrects(world: World, tmp_path: Path) -> None:
    cmu = world.site("cmu", "9k1", "9k2")
    for speaker in ("9k1", "9k2"):
        transcribe(cmu, f"{speaker}011sx", "anna", "show me fares")
    assert derive_command(DeriveOptions(str(cmu), str(tmp_path / "sent")), io.StringIO(), io.StringIO()) == 0
    assert world.receive(world.pack(tmp_path / "sent", "cmu.tar"))[0] == 0
    with world.centre() as centre:
        speaker = next(name for name, own in CentreState(centre).sets.items() if name in ("9k1", "9k2") and own != POOL)
    transcribe(world.root / "deliveries/cmu_1", f"{speaker}011sx", "nist", "show me the fares")
    made = released(world)
    with world.centre() as centre:
        entry = items(listings(centre, CentreState(centre)))[f"spon/{speaker}/1/{speaker}011sx.sro"].entry
    assert entry.work is not None
    assert (entry.work.transcriber, [work.transcriber for work in entry.work.before]) == ("nist", ["anna"])
    assert (made / f"spon/{speaker}/1/{speaker}011sx.sro").read_text() == "show me the fares\n"


def test_who_annotates_the_pool_at_the_centre_sends_it_with_what_sites_have_annotated(tmp_path: Path) -> None:
    world = World(tmp_path)
    assert world.receive(world.pack(world.site("bbn", *(f"8k{n}" for n in range(1, 6))), "bbn.tar"))[0] == 0
    with world.centre() as centre:
        state = CentreState(centre)
        (pool,), (given, *_) = state.held_out, sorted({held.session.speaker for held in state.in_set(RELEASE)})
    first = released(world).name
    made = annotated(tmp_path / "bbn", answered(given))
    assert world.receive(world.pack(made, "site.tar", annotations=first))[0] == 0, world.err
    shutil.copytree(world.root / "deliveries/bbn_1.2", tmp_path / "here")
    whole = annotated(tmp_path / "here", answered(pool))
    assert world.receive(world.pack(whole, "pool.tar", annotations="pool")) == (0, "ann_2\taccepted"), world.err
    with world.centre() as centre:
        *_, taken = centre.facts(f.AnnotationsReceived)
    assert {path.split("/")[1] for path in taken.files} == {pool}
    shutil.copytree(tmp_path / "here", tmp_path / "there")
    other = annotated(tmp_path / "there", answered(pool) | answered(given, "02"))
    assert world.receive(world.pack(other, "more.tar", annotations="pool"))[0] == 2
    assert f"{given}021sx.cat is of nothing in pool" in world.err
    assert world.receive(world.pack(made, "only.tar", annotations="pool"))[0] == 2
    assert "nothing in it is of pool" in world.err


def test_who_takes_releases_home_knows_which_transcriptions_are_drafts(world: World, tmp_path: Path) -> None:
    first = released(world)
    shutil.copytree(first, tmp_path / "home", copy_function=shutil.copyfile)
    delivered = Corpus(world.root / "deliveries/bbn_1").manifest.files
    with world.centre() as centre:
        given = {held.session.speaker for held in CentreState(centre).in_set(RELEASE)}
    of_draft = {
        path
        for path, entry in delivered.items()
        if entry.draft and path.endswith(".sro") and path.split("/")[1] in given
    }
    assert len(of_draft) > 1
    assert f"Of {len(of_draft)} utterances the transcription is a draft" in (first / "README.txt").read_text()
    done = min(of_draft)
    transcribe(world.root / "deliveries/bbn_1", Path(done).stem, "nora", "list airlines")
    world.next_day()
    shutil.copytree(released(world), tmp_path / "home", copy_function=shutil.copyfile, dirs_exist_ok=True)
    options = DeriveOptions(str(tmp_path / "home"), str(tmp_path / "whole"))
    assert derive_command(options, io.StringIO(), err := io.StringIO()) == 0, err.getvalue()
    files = Corpus(tmp_path / "whole").manifest.files
    assert {path for path, entry in files.items() if entry.draft and path.endswith(".sro")} == of_draft - {done}
    found = verify(tmp_path / "whole").findings
    assert {finding.rule for finding in found if finding.severity is Severity.ERROR} == {"set.waveform-missing"}
