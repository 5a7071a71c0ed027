"""Speech is set aside by whole speaker, near a fifth of each site, and no assignment ever flips."""

import io
import itertools
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.dataset.reader import Corpus
from corpus.formats import manifest
from corpus.formats.errors import FormatFault
from corpus.io.staging import Refused
from corpus.packages import datasheet
from corpus.packages.package_writer import contents_of
from corpus.release import draw, holdout_file
from corpus.release.draw import assign, site_shares
from corpus.release.holdout_file import Holdout
from corpus.release.utterance_status import POOL, RELEASE, Volume
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session.values.names import base36
from tests.corpus.corpora import corpus_of, session_of

speakers = st.lists(st.tuples(st.sampled_from(("att", "bbn", "cmu")), st.integers(0, 60)), min_size=1, max_size=60).map(
    lambda found: [Volume(site, base36(number, 3), count) for number, (site, count) in enumerate(found, start=1)]
)

NEW_IDS = [f"9{base36(number, 2)}" for number in range(60)]


@given(speakers, st.text("ab1", max_size=3))
def test_the_share_of_each_site_is_within_half_of_its_largest_speaker(volumes: list[Volume], seed: str) -> None:
    sets = assign(volumes, Holdout(seed)).sets
    for share in site_shares(volumes, sets):
        largest = max(volume.utterances for volume in volumes if volume.site == share.site)
        assert abs(share.pool - draw.SHARE * share.total) <= largest / 2


@given(speakers, st.data())
def test_what_was_assigned_never_flips_when_more_arrives(volumes: list[Volume], data: st.DataObject) -> None:
    order = data.draw(st.permutations(volumes))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(order)), max_size=4)))
    known = Holdout("1")
    for cut in [*cuts, len(order)]:
        after = assign(order[:cut], known)
        assert known.sets.items() <= after.sets.items()
        known = after
    assert set(known.sets) == {volume.speaker for volume in volumes}


@settings(max_examples=40)
@given(speakers, st.data())
def test_sites_that_come_together_in_any_order_draw_what_each_draws_by_itself_and_flip_nobody(
    volumes: list[Volume], data: st.DataObject
) -> None:
    sites = sorted({volume.site for volume in volumes})
    own = {site: [volume for volume in volumes if volume.site == site] for site in sites}
    early = {site: data.draw(st.integers(0, len(own[site]))) for site in sites}
    first = {Path(site): assign(own[site][: early[site]], Holdout("1")) for site in sites}
    orders = [data.draw(st.permutations(sites)) for _ in "ab"]
    mergers = [holdout_file.joined({Path(site): first[Path(site)] for site in order}) for order in orders]
    afterwards = [assign(data.draw(st.permutations(volumes)), merged or Holdout("1")) for merged in mergers]
    apart = {who: kept for site in sites for who, kept in assign(own[site], first[Path(site)]).sets.items()}
    assert afterwards[0] == afterwards[1]
    assert afterwards[0].sets == apart
    assert all(assignments.sets.items() <= apart.items() for assignments in first.values())
    ids = dict(zip((volume.speaker for volume in volumes), data.draw(st.permutations(NEW_IDS)), strict=False))
    called = [msgspec.structs.replace(volume, speaker=ids[volume.speaker]) for volume in volumes]
    elsewhere = assign(called, holdout_file.renamed(mergers[0] or Holdout("1"), ids))
    assert {
        ids[who]: kept for assignments in first.values() for who, kept in assignments.sets.items()
    }.items() <= elsewhere.sets.items()


@given(
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from(("", POOL, RELEASE))), min_size=1, max_size=9),
    st.text("ab1", max_size=2),
)
def test_a_site_comes_within_a_point_or_no_choice_of_new_speakers_is_nearer(
    arrived: list[tuple[int, str]], seed: str
) -> None:
    volumes = [Volume("mit", base36(number, 3), count) for number, (count, _) in enumerate(arrived, start=1)]
    before = Holdout(seed, {volume.speaker: kept for volume, (_, kept) in zip(volumes, arrived, strict=True) if kept})
    (share,) = site_shares(volumes, assign(volumes, before).sets)
    held = sum(volume.utterances for volume in volumes if before.sets.get(volume.speaker) == POOL)
    new = [volume.utterances for volume in volumes if volume.speaker not in before.sets]
    aim = draw.SHARE * share.total
    sums = [held + sum(some) for size in range(len(new) + 1) for some in itertools.combinations(new, size)]
    best = min(abs(total - aim) for total in sums)
    assert abs(share.pool - aim) == best or abs(share.pool - aim) <= draw.NEAR * share.total


def test_a_small_site_comes_as_near_as_whole_speakers_allow() -> None:
    """In three orders of six the speaker of 15 comes first, and taking whoever brings it nearer would end at 30 %."""
    volumes = [Volume("bbn", base36(number, 3), count) for number, count in ((1, 10), (2, 15), (3, 25))]
    for seed in "123456":
        sets = assign(volumes, Holdout(seed)).sets
        assert sets == {"001": POOL, "002": RELEASE, "003": RELEASE}


def test_what_is_withdrawn_meanwhile_flips_nobody_and_is_made_up_for() -> None:
    volumes = [Volume("bbn", base36(number, 3), 10) for number in range(1, 21)]
    before = assign(volumes, Holdout("1"))
    gone = [speaker for speaker, kept in before.sets.items() if kept == POOL]
    left = [volume for volume in volumes if volume.speaker not in gone]
    assert assign(left, before) == before
    grown = [*left, *(Volume("bbn", base36(number, 3), 10) for number in range(21, 31))]
    after = assign(grown, before)
    assert before.sets.items() <= after.sets.items()
    (share,) = site_shares(grown, after.sets)
    assert float(share.share) == pytest.approx(0.2, abs=0.01)


def test_those_held_out_are_not_chosen_for_how_much_they_said() -> None:
    """Over many seeds, who is in the pool has said as much as anybody."""
    volumes = [Volume("mit", base36(number, 3), 5 + number**2 % 41) for number in range(1, 61)]
    mean = sum(volume.utterances for volume in volumes) / len(volumes)
    held = [
        volume.utterances
        for seed in range(200)
        for volume, kept in zip(volumes, assign(volumes, Holdout(f"{seed}")).sets.values(), strict=True)
        if kept == POOL
    ]
    assert sum(held) / len(held) == pytest.approx(mean, rel=0.05)


@given(speakers, st.data())
def test_the_order_of_speakers_does_not_matter(volumes: list[Volume], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(volumes))
    assert assign(volumes, Holdout("7")) == assign(shuffled, Holdout("7"))


def test_a_speaker_who_brings_more_later_stays_where_he_is() -> None:
    first = [Volume("bbn", base36(number, 3), 10) for number in range(1, 11)]
    before = assign(first, Holdout("1"))
    held = next(speaker for speaker, kept in before.sets.items() if kept == POOL)
    grown = [msgspec.structs.replace(volume, utterances=1000) if volume.speaker == held else volume for volume in first]
    assert assign(grown, before) == before


def test_the_seed_decides_who_and_large_sites_come_near_to_a_fifth() -> None:
    volumes = [Volume("mit", base36(number, 3), 10 + number % 23) for number in range(1, 183)]
    ones, twos = (assign(volumes, Holdout(seed)).sets for seed in "12")
    assert ones != twos
    for sets in (ones, twos):
        (share,) = site_shares(volumes, sets)
        assert abs(float(share.share) - 0.2) < 0.005


@settings(max_examples=30)
@given(st.dictionaries(st.integers(1, 46655).map(lambda n: base36(n, 3)), st.sampled_from((POOL, RELEASE))))
def test_the_file_gives_back_what_was_written(sets: dict[str, str]) -> None:
    written = Holdout("s", sets)
    assert holdout_file.parse(holdout_file.render(written), "h") == written


@pytest.mark.parametrize(
    "text",
    ["{}", '{"seed":"1","sets":{"8k8":"train"},"format":"curtain-holdout-1"}', '{"seed":"1","sets":{"8K8":"pool"}}'],
)
def test_a_file_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(FormatFault, match="restore the file"):
        holdout_file.parse(text, "h")


def call(root: Path, **more: Any) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    return holdout_command(str(root), HoldoutOptions(**more), out, err), out.getvalue(), err.getvalue()


def hand_over(root: Path, package: Path) -> str:
    """As the making of a package does; what was told."""
    err = io.StringIO()
    with holdout_file.handing_over(Corpus(root), root, package, err):
        package.mkdir()
    return err.getvalue()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    scripts = [session_of("bbn", f"8k{number}", number=number) for number in range(1, 6)]
    return corpus_of(tmp_path_factory.mktemp("holdout") / "corpus", *scripts)


def test_the_command_writes_two_corpora_that_share_no_speaker(corpus: Path, tmp_path: Path) -> None:
    kept = tmp_path / "sets.json"
    release, pool = tmp_path / "release", tmp_path / "pool"
    status, out, err = call(corpus, assignments=str(kept), release=str(release), pool=str(pool))
    assert status == 0
    assert sorted(line.split("\t")[1] for line in out.splitlines()) == [POOL, *[RELEASE] * 4]
    assert "bbn: 7 of 35 utterances, 20.0 % (+0.0 points from 20 %); 1 of 5 speakers" in err
    whole, here, held = (Corpus(root) for root in (corpus, release, pool))
    assert not set(here.speakers()) & set(held.speakers())
    assert set(here.speakers()) | set(held.speakers()) == set(whole.speakers())
    for root in (release, pool):
        assert verify(root).count(Severity.ERROR) == 0
        for path in root.rglob("*.wav"):
            assert path.read_bytes() == (corpus / path.relative_to(root)).read_bytes()


def test_each_part_says_which_set_it_is_and_cannot_be_split_again(corpus: Path, tmp_path: Path) -> None:
    call(corpus, assignments=str(tmp_path / "sets.json"), release=str(tmp_path / "release"))
    assert holdout_file.parse((tmp_path / "release/doc/holdout.json").read_bytes(), "").of == RELEASE
    status, _, err = call(tmp_path / "release")
    assert (status, "hold out from the whole corpus" in err) == (2, True)


def test_the_assignments_lie_beside_the_corpus_and_outlive_it(tmp_path: Path) -> None:
    scripts = [session_of("bbn", f"8k{number}", number=number) for number in range(1, 6)]
    first = call(corpus_of(tmp_path / "one", *scripts[:3]), seed="s")
    second = call(corpus_of(tmp_path / "two", *scripts))
    assert second[1].startswith(first[1])
    assert holdout_file.parse((tmp_path / "holdout.json").read_bytes(), "").seed == "s"
    status, _, err = call(tmp_path / "two", seed="other")
    assert (status, "begun with seed s" in err) == (2, True)


def test_pilots_do_not_count_and_are_never_held_out(tmp_path: Path) -> None:
    scripts = [session_of("bbn", f"8k{number}", number=number) for number in range(1, 5)]
    opened = msgspec.structs.replace(scripts[0].opened, pilot=True)
    scripts[0].facts[0] = msgspec.structs.replace(scripts[0].facts[0], event=opened)
    status, out, err = call(corpus_of(tmp_path / "corpus", *scripts))
    assert (status, "8k1\trelease" in out, "of 21 utterances" in err) == (0, True, True)


def test_what_is_no_corpus_and_what_exists_are_refused(corpus: Path, tmp_path: Path) -> None:
    status, _, err = call(tmp_path)
    assert (status, "no manifest.json in it" in err) == (2, True)
    (tmp_path / "there").mkdir()
    status, _, err = call(corpus, assignments=str(tmp_path / "sets.json"), release=str(tmp_path / "there"))
    assert (status, "exists already" in err) == (2, True)


def test_a_damaged_file_is_not_handed_on(tmp_path: Path) -> None:
    root = corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"))
    damaged = next(root.rglob("*.sro"))
    damaged.write_bytes(b"something else\n")
    status, _, err = call(root, release=str(tmp_path / "release"))
    assert (status, "not the file that the manifest lists" in err) == (2, True)
    assert not (tmp_path / "release").exists()


def test_a_manifest_that_leads_out_of_the_corpus_is_refused(tmp_path: Path) -> None:
    root = corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"))
    found = manifest.parse((root / "manifest.json").read_bytes(), "")
    entry = next(iter(found.files.values()))
    bad = msgspec.structs.replace(found, files={**found.files, "spon/../../secret": entry})
    (root / "manifest.json").write_bytes(manifest.render(bad))
    with pytest.raises(FormatFault, match="leads out of the corpus"):
        Corpus(root)


def _datasheet(corpus: Path) -> str:
    contents = contents_of(Corpus(corpus))
    return datasheet.text(contents.corpus, contents.courses)


@pytest.mark.parametrize(("which", "message"), [("release", "set: what is released"), ("pool", "set: the test pool")])
def test_the_datasheet_says_which_set_a_package_is_of(corpus: Path, tmp_path: Path, which: str, message: str) -> None:
    assert "set: no set of its own" in _datasheet(corpus)
    parts = {name: str(tmp_path / name) for name in ("release", "pool")}
    assert call(corpus, assignments=str(tmp_path / "sets.json"), **parts)[0] == 0
    assert message in _datasheet(tmp_path / which)


def test_assignments_in_a_file_of_ones_own_hold_for_whoever_looks_beside_the_corpus(
    corpus: Path, tmp_path: Path
) -> None:
    root, kept = shutil.copytree(corpus, tmp_path / "at/corpus"), tmp_path / "sets.json"
    assert call(root, assignments=str(kept))[0] == 0
    assigned = holdout_file.parse(kept.read_bytes(), "")
    assert holdout_file.known(root) == assigned
    with pytest.raises(Refused, match="1 of 5 speakers is held out"):
        hand_over(root, tmp_path / "package")
    assert (call(root, seed="7")[0], holdout_file.known(root)) == (2, assigned)


def test_what_a_part_that_was_written_says_is_not_drawn_anew_or_flipped_by_hand(corpus: Path, tmp_path: Path) -> None:
    root = shutil.copytree(corpus, tmp_path / "corpus")
    assert call(root, seed="s", release=str(tmp_path / "release"))[0] == 0
    place = holdout_file.beside(root)
    written = place.read_bytes()
    place.unlink()
    assert (call(root)[0], place.read_bytes()) == (0, written)
    place.write_bytes(written.replace(b'"release"', b'"pool"', 1))
    status, _, err = call(root)
    named = f"is in the test pool by {place} and released by {tmp_path / 'release/doc/holdout.json'}"
    assert (status, named in err) == (2, True)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"release": "part", "pool": "./part"}, "./part would be both parts; name two directories"),
        ({"assignments": "nowhere/sets.json"}, "nowhere is not a directory; make it first"),
        ({"release": "nowhere/part"}, "nowhere is not a directory; make it first"),
        ({"pool": "."}, ". exists already; choose another directory, nothing is overwritten"),
    ],
)
def test_a_call_that_cannot_be_obeyed_leaves_nothing(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    root = shutil.copytree(corpus, tmp_path / "corpus")
    assert call(root, **more) == (2, "", f"{message}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_nothing_is_written_where_one_of_the_parts_cannot_be(tmp_path: Path) -> None:
    root = corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"))
    status, _, err = call(root, release=str(tmp_path / "release"), pool=str(tmp_path / "pool"))
    assert (status, f"{tmp_path / 'pool'} would have no speaker" in err) == (2, True)
    assert not (tmp_path / "release").exists()
    (tmp_path / "pool").mkdir()
    assert call(root, release=str(tmp_path / "release"), pool=str(tmp_path / "pool"))[0] == 2
    assert not (tmp_path / "release").exists()


def test_the_same_call_goes_on_where_one_part_was_finished_and_the_other_was_not(corpus: Path, tmp_path: Path) -> None:
    root, parts = shutil.copytree(corpus, tmp_path / "corpus"), {name: str(tmp_path / name) for name in (RELEASE, POOL)}
    assert call(root, release=parts[RELEASE])[0] == 0
    status, _, err = call(root, **parts)
    assert (status, f"{parts[RELEASE]} already exists, as it would be written" in err) == (0, True)
    assert verify(tmp_path / POOL).count(Severity.ERROR) == 0
    shutil.rmtree(tmp_path / POOL)
    other = corpus_of(tmp_path / "other", *(session_of("bbn", f"8k{number}", number=number) for number in range(1, 7)))
    assert (call(other, **parts)[0], (tmp_path / POOL).exists()) == (2, False)
    without = Corpus(tmp_path / RELEASE).manifest
    files = {path: entry for path, entry in without.files.items() if not path.endswith(".ndx")}
    (tmp_path / RELEASE / "manifest.json").write_bytes(manifest.render(msgspec.structs.replace(without, files=files)))
    assert "exists already" in call(root, release=parts[RELEASE])[2]
