"""Every utterance that was collected is released, held for tests, rejected or queued: one of them, and each is counted."""

import io
import tempfile
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpus.commands.merge import merge
from corpus.commands.report import StatsOptions, stats_command
from corpus.dataset import ndx as index
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import Removal, Removals
from corpus.export.madcow import export
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import parse
from corpus.release.holdout_file import beside
from corpus.release.utterance_status import POOL, RELEASE, StandingRow, Volume, standings
from corpus.verify.verify import verify
from corpus.withdrawal.rebuild import rebuild, removal_from
from session import events as e
from session.state.fold import fold
from session.values.names import base36
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.release.standings import INVALID, LEAVING, PILOT, PLAIN, REFUSING, hold_out, played, rows_of
from tests.corpus.sessions import MemorySource

SITES = ("att", "bbn", "total")
REASONS = ("invalid", "left_out", "withdrawn")


def places(row: StandingRow) -> tuple[int, int, int, int]:
    return row.released, row.pool, row.rejected, row.queued


def whole(rows: list[StandingRow]) -> StandingRow:
    """The row of all sites, after each row has been seen to add up, and all of them to the last."""
    for row in rows:
        assert row.collected == sum(places(row)), row
        assert row.rejected == sum(getattr(row, reason) for reason in REASONS), row
    for name in StandingRow.__struct_fields__[1:]:
        assert sum(getattr(row, name) for row in rows[:-1]) == getattr(rows[-1], name)
    assert rows[-1].site == "total"
    return rows[-1]


people = st.lists(
    st.tuples(
        st.sampled_from(SITES),
        st.integers(0, 30),
        st.integers(0, 9),
        st.sampled_from(("", POOL, RELEASE)),
        st.booleans(),
    ),
    min_size=1,
    max_size=20,
)


@given(people, st.dictionaries(st.sampled_from(SITES), st.integers(0, 20)))
def test_every_utterance_stands_in_one_place(
    found: list[tuple[str, int, int, str, bool]], left_out: dict[str, int]
) -> None:
    """Parts of the same corpus count everybody once too, but for those who are in no set."""
    speakers = {base36(number, 3): row for number, row in enumerate(found, start=1)}
    sets = {speaker: row[3] for speaker, row in speakers.items() if row[3]}
    here = [Volume(site, who, count, bad) for who, (site, count, bad, _, gone) in speakers.items() if not gone]
    removed = Removals(
        tuple(
            Removal(who, site, "2026-11-21", (), tuple(f"{who}{number:02}1sx" for number in range(count + bad)), ())
            for who, (site, count, bad, _, gone) in speakers.items()
            if gone
        )
    )
    row = whole(standings(here, sets, removed, left_out))
    assert row.collected == sum(count + bad for _, count, bad, _, _ in found) + sum(left_out.values())
    assert row.queued == sum(volume.utterances for volume in here if volume.speaker not in sets)
    for which, held in ((RELEASE, row.released), (POOL, row.pool)):
        assert held == sum(volume.utterances for volume in here if sets.get(volume.speaker) == which)

    def part(of: str) -> StandingRow:
        own = [volume for volume in here if sets.get(volume.speaker) == of]
        rows = standings(own, sets, removed, {}, of)
        return whole(rows) if rows else StandingRow("total", 0, 0, 0, 0, 0, 0, 0, 0)

    nowhere = sum(count + bad for _, count, bad, kept, _ in found if not kept) + sum(left_out.values())
    assert part(RELEASE).collected + part(POOL).collected + nowhere == row.collected


def test_the_sound_alone_rejects_nothing_and_who_is_still_there_is_counted_once() -> None:
    taken_back = Removal("001", "bbn", "2026-11-21", (), ("001011sx",), (), scope="sound")
    begun = Removal("002", "bbn", "2026-11-21", (), ("002011sx",), ())
    here = [Volume("bbn", "001", 1), Volume("bbn", "002", 1)]
    row = whole(standings(here, {}, Removals((taken_back, begun)), {}))
    assert (row.collected, row.queued, row.withdrawn) == (2, 2, 0)
    assert standings([], {}, Removals(), {}) == []


def indexed(root: Path) -> tuple[str, ...]:
    (path,) = root.glob("doc/*.ndx")
    return index.parse(path.read_bytes(), path.name)


@settings(max_examples=3)
@example([INVALID, REFUSING, LEAVING, PILOT])
@given(st.lists(st.sampled_from((PLAIN, PILOT, INVALID, REFUSING, LEAVING)), min_size=1, max_size=3))
def test_what_two_sites_collect_is_told_of_whole_and_parted_and_merged_corpora(fates: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        roots: list[Path] = []
        collected: Counter[str] = Counter()
        for site, block in (("bbn", "8k"), ("cmu", "9a")):
            named = [(f"{block}{index}", fate) for index, fate in enumerate((PLAIN, PLAIN, PLAIN, *fates), start=1)]
            scripts = {who: played(site, who, index, fate) for index, (who, fate) in enumerate(named, start=1)}
            (place / site).mkdir()
            root = corpus_of(place / site / "corpus", *scripts.values())
            for who, fate in named:
                takes = fold(scripts[who].facts).takes.values()
                collected[fate] += sum(take.number is not None for take in takes) * (fate != PILOT)
                if fate == LEAVING:
                    rebuild(root, removal_from(Corpus(root), who, "2026-11-22"))
            roots.append(root)
        (place / "all").mkdir()
        merge(roots, place / "all/corpus")
        before = whole(rows_of(place / "all/corpus"))
        assert before.collected == collected.total() == sum(whole(rows_of(root)).collected for root in roots)
        assert (before.left_out, before.withdrawn) == (collected[REFUSING], collected[LEAVING])
        assert before.invalid == fates.count(INVALID) * 2 * 4
        assert before.queued == collected.total() - before.rejected
        parts = [place / "all" / which for which in (RELEASE, POOL)]
        output = hold_out(place / "all/corpus", *map(str, parts))
        after, released, pool = (whole(rows_of(root)) for root in (place / "all/corpus", *parts))
        assert (after.collected, after.rejected, after.queued) == (before.collected, before.rejected, 0)
        assert released.collected == released.released + released.rejected
        assert pool.collected == pool.pool + pool.rejected
        assert (released.released, pool.pool) == (after.released, after.pool)
        assert [len(indexed(root)) for root in parts] == [released.released, pool.pool]
        assert [finding for root in parts for finding in verify(root).findings if finding.rule == "sets.index"] == []
        nobody = after.left_out + after.withdrawn  # who left before there were sets is in none
        assert released.collected + pool.collected + nobody == after.collected
        assert " ".join(map(str, msgspec.structs.astuple(after))) in " ".join(output.split())


def test_who_leaves_after_the_sets_were_made_counts_in_the_part_that_held_the_person(tmp_path: Path) -> None:
    root = corpus_of(tmp_path / "corpus", *(session_of("bbn", f"8k{n}", number=n) for n in range(1, 6)))
    hold_out(root, str(tmp_path / "release"), str(tmp_path / "pool"))
    gone = next(iter(Corpus(tmp_path / "release").speakers()))
    for place in (root, tmp_path / "release"):
        rebuild(place, removal_from(Corpus(place), gone, "2026-11-22"))
        assert whole(rows_of(place)).withdrawn == 7
    assert (len(indexed(tmp_path / "release")), f"/{gone}" in str(indexed(tmp_path / "release"))) == (21, False)
    assert (tmp_path / "pool/removals.json").exists() is False
    assert [whole(rows_of(tmp_path / part)).collected for part in ("corpus", "release", "pool")] == [35, 28, 7]


def test_json_page_and_terminal_tell_it(tmp_path: Path) -> None:
    root = corpus_of(tmp_path / "corpus", played("bbn", "8k1", 1, INVALID), played("bbn", "8k2", 2, REFUSING))
    assert not beside(root).exists()
    for as_json, wanted in (
        (True, '"queued": 3'),
        (False, "total         14         0               0       3        11        4         7          0"),
    ):
        out = io.StringIO()
        assert stats_command(StatsOptions(str(root), as_json=as_json), out, io.StringIO()) == 0
        assert wanted in out.getvalue()
    assert "(and 7 that were collected and left out whole" in (root / "README.txt").read_text("utf-8")


def test_a_session_that_cannot_be_written_is_counted_and_its_site_named(tmp_path: Path) -> None:
    broken = session_of("cmu", "9a1")
    for at, fact in enumerate(broken.facts):
        if isinstance(fact.event, e.RecordingStarted):
            strange = tuple(msgspec.structs.replace(channel, letter="x") for channel in fact.event.channels)
            broken.facts[at] = msgspec.structs.replace(
                fact, event=msgspec.structs.replace(fact.event, channels=strange)
            )
    done = export(MemorySource(session_of("bbn", "8k1"), broken), tmp_path / "corpus")
    assert [name for name, _ in done.skipped] == [broken.session]
    assert parse((tmp_path / "corpus/manifest.json").read_bytes(), "").left_out == {"cmu": 7}


def test_a_manifest_that_counts_below_nothing_is_refused(tmp_path: Path) -> None:
    root = corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"))
    text = (root / "manifest.json").read_bytes().replace(b'"left_out": {}', b'"left_out": {"bbn": -1}')
    with pytest.raises(FormatFault, match="left_out"):
        parse(text, "manifest.json")
