"""Sites come together: no name changes, and what would collide is refused."""

import io
from pathlib import Path

import pytest
from click.testing import CliRunner

import curtain
from corpus.commands.merge import MergeOptions, merge, merge_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.io.staging import Refused
from corpus.release import holdout_file
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from tests.corpus.corpora import SITE_STUDY, OfStudy, corpus_of, part, second_visit, session_of


def test_two_sites_become_one_corpus_without_a_renamed_or_changed_file(tmp_path: Path) -> None:
    bbn = corpus_of(tmp_path / "bbn", session_of("bbn", "8k1"), session_of("bbn", "8k2", "m", 2))
    cmu = corpus_of(tmp_path / "cmu", session_of("cmu", "9a1"))
    done = merge([bbn, cmu], tmp_path / "all")
    assert (done.sites, done.speakers, done.sessions, done.overlaps) == (("bbn", "cmu"), 3, 3, ())
    assert verify(tmp_path / "all").count(Severity.ERROR) == 0
    for root in (bbn, cmu):
        for path in root.rglob("spon/**/*.*"):
            assert (tmp_path / "all" / path.relative_to(root)).read_bytes() == path.read_bytes()
    merged = Corpus(tmp_path / "all")
    heads = {name: entry.chain_head for name, entry in merged.sessions.items()}
    assert heads == {name: entry.chain_head for root in (bbn, cmu) for name, entry in Corpus(root).sessions.items()}
    assert "3; 1M/2F" in (tmp_path / "all/README.txt").read_text("utf-8")
    assert "utterances 21" in (tmp_path / "all/README.txt").read_text("utf-8")


def test_the_order_of_sites_changes_no_file_but_the_manifest(tmp_path: Path) -> None:
    parts = [
        corpus_of(tmp_path / "bbn", session_of("bbn", "8k1")),
        corpus_of(tmp_path / "cmu", session_of("cmu", "9a1")),
    ]
    merge(parts, tmp_path / "one")
    merge(parts[::-1], tmp_path / "two")
    for path in (tmp_path / "one").rglob("*.*"):
        if path.is_file() and path.name != "manifest.json":
            assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()


def test_released_parts_merge_with_their_assignments_but_never_with_a_test_pool(tmp_path: Path) -> None:
    bbn, cmu = (
        corpus_of(tmp_path / site, session_of(site, speaker)) for site, speaker in (("bbn", "8k1"), ("cmu", "9a1"))
    )
    one, two = part(bbn, tmp_path / "one", "release"), part(cmu, tmp_path / "two", "release")
    merge([one, two], tmp_path / "all")
    sets = holdout_file.parse((tmp_path / "all/doc/holdout.json").read_bytes(), "")
    assert (sets.of, sets.sets) == ("release", {"8k1": "release", "9a1": "release"})
    assert verify(tmp_path / "all").count(Severity.ERROR) == 0
    pool = part(corpus_of(tmp_path / "sri", session_of("sri", "ab1")), tmp_path / "three", "pool")
    with pytest.raises(Refused, match="never merged"):
        merge([one, pool], tmp_path / "no")
    with pytest.raises(Refused, match="a whole one"):
        merge([one, cmu], tmp_path / "no")


def test_one_id_at_two_sites_is_refused_with_the_remedy(tmp_path: Path) -> None:
    parts = [
        corpus_of(tmp_path / "bbn", session_of("bbn", "8k1")),
        corpus_of(tmp_path / "cmu", session_of("cmu", "8k1")),
    ]
    with pytest.raises(Refused, match=r"speaker 8k1 is of site bbn .* a block of speaker ids of its own"):
        merge(parts, tmp_path / "all")
    assert not (tmp_path / "all").exists()


def test_one_id_for_two_people_of_a_site_is_refused_with_places_and_remedy(tmp_path: Path) -> None:
    one = corpus_of(tmp_path / "one", session_of("bbn", "8k1", "f"))
    alike = corpus_of(tmp_path / "alike", second_visit("8k1", "f", 0))
    with pytest.raises(
        Refused, match=r"scenario 1 of speaker 8k1 is in session bbn-20261121-1 of .*one and .*alike: .* block"
    ):
        merge([one, alike], tmp_path / "all")
    other = corpus_of(tmp_path / "other", second_visit("8k1", "m", 2))
    with pytest.raises(Refused, match=r"speaker 8k1 is f in .*one and m in .*other: two people have one id"):
        merge([one, other], tmp_path / "all")
    assert not (tmp_path / "all").exists()
    same = corpus_of(tmp_path / "same", second_visit("8k1", "f", 2))
    assert merge([one, same], tmp_path / "all").sessions == 2


def test_a_session_is_merged_once(tmp_path: Path) -> None:
    one = corpus_of(tmp_path / "one", session_of("bbn", "8k1"))
    two = corpus_of(tmp_path / "two", session_of("bbn", "8k1"))
    with pytest.raises(Refused, match="merge each session once"):
        merge([one, two], tmp_path / "all")
    with pytest.raises(Refused, match="merge each session once"):
        merge([one, one], tmp_path / "all")


def test_two_sites_are_merged_from_the_command_line(tmp_path: Path) -> None:
    roots = [
        corpus_of(tmp_path / "bbn", session_of("bbn", "8k1")),
        corpus_of(tmp_path / "cmu", session_of("cmu", "9a1")),
    ]
    call = ["merge", *map(str, roots), str(tmp_path / "all")]
    first, again = (CliRunner().invoke(curtain.main, call) for _ in range(2))
    assert (first.exit_code, first.stdout) == (0, f"{tmp_path / 'all'}\n")
    assert sorted(Corpus(tmp_path / "all").speakers()) == ["8k1", "9a1"]
    assert (again.exit_code, again.stdout) == (2, "")
    assert "exists already" in again.stderr


def test_blocks_that_overlap_are_reported_before_they_collide(tmp_path: Path) -> None:
    export(OfStudy(SITE_STUDY.format("bbn", "8k0", "8kz"), session_of("bbn", "8k1")), tmp_path / "bbn")
    export(OfStudy(SITE_STUDY.format("cmu", "8kx", "8lz"), session_of("cmu", "8l1")), tmp_path / "cmu")
    err = io.StringIO()
    assert (
        merge_command(
            MergeOptions([str(tmp_path / "bbn"), str(tmp_path / "cmu")], str(tmp_path / "all")), io.StringIO(), err
        )
        == 1
    )
    assert "bbn has the ids 8k0 to 8kz, cmu 8kx to 8lz" in err.getvalue()
    assert verify(tmp_path / "all").count(Severity.ERROR) == 0


@pytest.mark.parametrize("inner", ["inner", "spon/8k1/inner"])
def test_a_corpus_never_comes_to_lie_within_another_one(tmp_path: Path, inner: str) -> None:
    roots = [
        corpus_of(tmp_path / "bbn", session_of("bbn", "8k1")),
        corpus_of(tmp_path / "cmu", session_of("cmu", "9a1")),
    ]
    with pytest.raises(Refused, match="would be within the corpus"):
        merge(roots, roots[0] / inner)
    assert verify(roots[0]).count(Severity.ERROR) == 0


@pytest.mark.parametrize("nameless", ["", ".", "/"])
def test_a_target_without_a_name_is_refused_and_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nameless: str
) -> None:
    root = corpus_of(tmp_path / "bbn", session_of("bbn", "8k1"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    before = sorted(tmp_path.iterdir())
    err = io.StringIO()
    assert merge_command(MergeOptions([str(root)], nameless), io.StringIO(), err) == 2
    assert "exists already" in err.getvalue()
    assert (list(Path().iterdir()), sorted(tmp_path.iterdir())) == ([], before)


def test_a_call_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    err = io.StringIO()
    assert merge_command(MergeOptions([str(tmp_path)], str(tmp_path / "all")), io.StringIO(), err) == 2
    assert "no manifest.json" in err.getvalue()
