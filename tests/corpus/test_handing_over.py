"""Before anything is handed over, somebody has decided who is held out for tests."""

import io
import shutil
from pathlib import Path

import msgspec
import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.commands.package import Package, package_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.packages.formats import ExportFormat
from corpus.packages.package_writer import contents_of
from corpus.packages.writers import write_package
from corpus.release import holdout_file
from corpus.release.holdout_file import Holdout
from corpus.release.utterance_status import POOL, RELEASE
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session import events as e
from session.values.clock import ManualClock
from tests.corpus.corpora import corpus_of, second_visit, session_of
from tests.corpus.packages.packed import WRITABLE, toy_database
from tests.corpus.sessions import Script
from tests.corpus.studies import fill, made_study


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sites, three speakers."""
    scripts = [session_of("bbn", "8k2", "f"), session_of("bbn", "8k1", "m", 2), session_of("cmu", "9a1", "f")]
    return corpus_of(tmp_path_factory.mktemp("whole") / "corpus", *scripts)


def production(corpus: Path, target: Path) -> Path:
    """Beside it, assignments can be written."""
    shutil.copytree(corpus, target)
    return target


def packed(source: Path, target: Path, whole: bool = False, pilots: bool = False) -> tuple[int, str]:
    asked, err = Package(ExportFormat.CSV, whole=whole, pilots=pilots), io.StringIO()
    return package_command(str(source), str(target), asked, io.StringIO(), err), err.getvalue()


def test_who_is_held_out_for_tests_is_in_a_package_only_when_that_is_said(corpus: Path, tmp_path: Path) -> None:
    root = production(corpus, tmp_path / "corpus")
    assigned = Holdout("1", {"8k1": POOL, "8k2": RELEASE, "9a1": RELEASE})
    holdout_file.beside(root).write_bytes(holdout_file.render(assigned))
    status, output = packed(root, tmp_path / "refused")
    assert (status, "1 of 3 speakers is held out for tests, 8k1 the first" in output, "--release" in output) == (
        2,
        True,
        True,
    )
    assert not (tmp_path / "refused").exists()
    assert packed(root, tmp_path / "whole", whole=True)[0] == 0
    parts = {"release": str(tmp_path / "release"), "pool": str(tmp_path / "pool")}
    assert holdout_command(str(root), HoldoutOptions(**parts), io.StringIO(), io.StringIO()) == 0  # type: ignore[arg-type]
    for part, split in (("release", "train"), ("pool", "test")):
        write_package(contents_of(Corpus(tmp_path / part)), tmp_path / f"{part}.hf", ExportFormat.AUDIOFOLDER)
        card = (tmp_path / f"{part}.hf/README.md").read_text("utf-8")
        assert f'- split: {split}\n    path: "{split}/**"\n' in card
        assert {path.parent.name for path in tmp_path.glob(f"{part}.hf/*/*")} == {split}, (
            "loaders go by it without the card"
        )
        status, output = packed(tmp_path / part, tmp_path / f"{part}.csv")
        assert (status, "speakers" in output) == (0, False)


def test_a_rehearsal_beside_real_sessions_lets_nobody_out_who_is_held_out(tmp_path: Path) -> None:
    scripts = [session_of("bbn", f"8k{number}", number=number) for number in (1, 2, 3)]
    opened = msgspec.structs.replace(scripts[2].opened, rehearsal=True)
    scripts[2].facts[0] = msgspec.structs.replace(scripts[2].facts[0], event=opened)
    root = corpus_of(tmp_path / "corpus", *scripts)
    place = holdout_file.beside(root)
    place.write_bytes(holdout_file.render(Holdout("1", {"8k1": POOL, "8k2": RELEASE})))
    status, output = packed(root, tmp_path / "refused")
    assert (status, "1 of 2 speakers is held out for tests, 8k1 the first" in output) == (2, True)
    place.write_bytes(holdout_file.render(Holdout("1", {"8k1": RELEASE, "8k2": RELEASE})))
    status, output = packed(root, tmp_path / "csv")
    assert (status, "in no set yet" in output) == (0, False)
    noted = holdout_file.read(place)
    assert noted is not None
    assert [handover.speakers for handover in noted.handed] == [("8k1", "8k2")]


def test_who_is_held_out_where_sites_were_merged_is_held_out_at_the_site_too(tmp_path: Path) -> None:
    sites = [tmp_path / site / "corpus" for site in ("bbn", "cmu", "all")]
    for site in sites:
        site.parent.mkdir()
    corpus_of(sites[0], *(session_of("bbn", f"8k{number}", number=number) for number in range(1, 6)))
    corpus_of(sites[1], session_of("cmu", "9a1"))
    assert (
        merge_command(MergeOptions([str(site) for site in sites[:2]], str(sites[2])), io.StringIO(), io.StringIO()) == 0
    )
    err = io.StringIO()
    assert holdout_command(str(sites[2]), HoldoutOptions(), io.StringIO(), err) == 0, err.getvalue()
    status, output = packed(sites[0], tmp_path / "package")
    assert (status, "1 of 5 speakers is held out for tests" in output) == (2, True)
    assert holdout_command(str(sites[0]), HoldoutOptions(), io.StringIO(), err) == 0
    assert holdout_file.known(sites[0]) == holdout_file.known(sites[2])


def test_a_whole_corpus_tells_whoever_opens_it_to_hold_out_first(corpus: Path) -> None:
    output = (corpus / "README.txt").read_text("utf-8")
    assert "before any of it is handed over, hold speakers out for tests (curtain holdout)" in output


def test_a_package_of_which_nobody_was_held_out_says_so_and_names_the_remedy(corpus: Path, tmp_path: Path) -> None:
    root = production(corpus, tmp_path / "corpus")
    status, output = packed(root, tmp_path / "one")
    assert (status, "3 of 3 speakers are in no set yet, 8k1 the first" in output, "curtain holdout" in output) == (
        0,
        True,
        True,
    )
    holdout_file.beside(root).write_bytes(
        holdout_file.render(Holdout("1", dict.fromkeys(("8k1", "8k2", "9a1"), RELEASE)))
    )
    assert "in no set" not in packed(root, tmp_path / "two")[1]


def test_what_a_format_has_no_place_for_is_refused(tmp_path: Path) -> None:
    for form, more in (("kaldi", {"unnumbered": True}), ("riff", {"whole": True}), ("riff", {"pilots": True})):
        err = io.StringIO()
        made = export_command(ExportRequest(str(tmp_path), str(tmp_path / "x"), form, **more), io.StringIO(), err)  # type: ignore[arg-type]
        assert (made, f"--{'all' if form == 'kaldi' else next(iter(more))}" in err.getvalue()) == (2, True)


def pilot(script: Script) -> Script:
    opened = msgspec.structs.replace(script.opened, pilot=True)
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=opened)
    return script


def everything(root: Path) -> str:
    """All names and all texts of a package."""
    files = [path for path in root.rglob("*") if path.is_file()]
    return "\n".join([f"{path}\n{path.read_bytes().decode('latin-1')}" for path in files])


@pytest.mark.parametrize("form", WRITABLE)
def test_pilots_are_in_a_package_of_any_format_only_when_that_is_said(tmp_path: Path, form: ExportFormat) -> None:
    """8k1 was in a pilot alone, 8k2 came for one again."""
    again = pilot(second_visit("8k2", "f", 2))
    scripts = [pilot(session_of("bbn", "8k1", number=3)), session_of("bbn", "8k2"), again]
    root = corpus_of(tmp_path / "corpus", *scripts)
    sizes = []
    for pilots in (False, True):
        target, err = tmp_path / f"with-{pilots}", io.StringIO()
        asked = Package(form, pilots=pilots, database=lambda _: toy_database(tmp_path))
        assert package_command(str(root), str(target), asked, io.StringIO(), err) == 0, err.getvalue()
        assert ("left out: 2 pilot sessions" in err.getvalue()) is not pilots
        output = everything(target)
        assert [stem in output for stem in ("8k1011s", "8k2013s", again.session)] == [pilots] * 3
        assert "8k2011s" in output
        assert ("1 of 1 speaker is in no set" in err.getvalue()) is not pilots
        sizes.append(int(err.getvalue().partition(f" utterances as {form}")[0].rpartition("\n")[2]))
        if form == "bagit" and not pilots:
            assert [finding for finding in verify(target / "data").findings if finding.severity is Severity.ERROR] == []
    assert sizes[1] == 3 * sizes[0]
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_a_package_of_a_study_has_its_pilots_only_when_that_is_said(tmp_path: Path) -> None:
    study = made_study(tmp_path / "study")
    for script in (pilot(session_of("bbn", "8k1", number=3)), session_of("bbn", "8k2")):
        fill(study, script)
    for pilots in (False, True):
        target, err = tmp_path / f"with-{pilots}", io.StringIO()
        asked = Package(ExportFormat.CSV, pilots=pilots)
        assert package_command(str(study), str(target), asked, io.StringIO(), err) == 0, err.getvalue()
        assert ("8k1" in everything(target), "left out: 1 pilot session;" in err.getvalue()) == (pilots, not pilots)


def test_what_was_left_by_a_kill_just_before_the_end_goes_with_the_next_call(tmp_path: Path) -> None:
    root = corpus_of(tmp_path / "corpus", session_of("bbn", "8k2"))
    between = tmp_path / ".package.corpus"
    shutil.copytree(root, between)
    assert packed(root, tmp_path / "package")[0] == 0
    assert between.exists()  # while there was no package it was somebody's who may go on
    status, output = packed(root, tmp_path / "package")
    assert (status, "exists already" in output, between.exists()) == (2, True, False)


def test_nothing_but_pilots_is_packed_only_when_that_is_said(tmp_path: Path) -> None:
    root = corpus_of(tmp_path / "corpus", pilot(session_of("bbn", "8k1")))
    status, output = packed(root, tmp_path / "package")
    assert (status, "are pilots, which are not data; --pilots packs them" in output) == (2, True)


def test_of_a_corpus_that_everybody_has_left_nothing_is_packed(tmp_path: Path) -> None:
    root = corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"))
    assert withdraw_command(str(root), WithdrawOptions("8k1"), ManualClock(), io.StringIO(), io.StringIO()) == 0
    for pilots in (False, True):
        status, output = packed(root, tmp_path / "package", pilots=pilots)
        assert (status, "holds no session, so there is nothing to pack" in output) == (2, True)


@pytest.mark.parametrize("form", ["kaldi", "audiofolder", "lhotse", "manifest", "webdataset", "shar", "trn", "stm"])
def test_lists_of_utterances_have_none_of_a_scenario_that_was_declared_invalid(
    tmp_path: Path, form: ExportFormat
) -> None:
    script = session_of("bbn", "8k1")
    script.add(e.ScenarioInvalidated(run=1, reason="the bell rang"), "experimenter")
    root, target, err = corpus_of(tmp_path / "corpus", script), tmp_path / "package", io.StringIO()
    assert package_command(str(root), str(target), Package(form), io.StringIO(), err) == 0
    assert "left out: 4 utterances of scenarios that were declared invalid" in err.getvalue()
    assert "8k1011s" not in everything(target)


def drawn(root: Path, *handed: Path) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    call = HoldoutOptions(handed=tuple(map(str, handed)))
    return holdout_command(str(root), call, out, err), out.getvalue(), err.getvalue()


@pytest.mark.parametrize("form", ["csv", "kaldi", "bagit", "sphere"])
def test_what_was_packed_elsewhere_tells_itself_who_is_in_it(corpus: Path, tmp_path: Path, form: ExportFormat) -> None:
    """The file with the assignments of the other machine was not sent along."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "here").mkdir()
    there = production(corpus, tmp_path / "elsewhere/corpus")
    made = there
    if form != "sphere":
        made, asked = tmp_path / "elsewhere/package", Package(form)
        assert package_command(str(there), str(made), asked, io.StringIO(), io.StringIO()) == 0
    root = production(corpus, tmp_path / "here/corpus")
    came = Path(shutil.move(made, tmp_path / "here/came"))
    status, out, output = drawn(root, came)
    assert (status, f"not drawn, as handed over before: 3 speakers, 8k1 the first, in {came}" in output) == (0, True)
    assert {line.split("\t")[1] for line in out.splitlines()} == {RELEASE}
    shutil.rmtree(came)
    assert drawn(root)[1] == out


def test_a_package_that_cannot_tell_has_nobody_of_here_or_has_who_is_held_out_is_refused(
    corpus: Path, tmp_path: Path
) -> None:
    root = production(corpus, tmp_path / "corpus")
    (tmp_path / "empty").mkdir()
    stranger = corpus_of(tmp_path / "stranger", session_of("sri", "7a1"))
    for place, why in ((tmp_path / "empty", "does not name its speakers"), (stranger, "has no session of")):
        status, _, output = drawn(root, place)
        assert (status, why in output, holdout_file.beside(root).exists()) == (2, True, False)
    held = holdout_file.render(Holdout("1", {"8k1": POOL, "8k2": RELEASE, "9a1": RELEASE}))
    holdout_file.beside(root).write_bytes(held)
    status, _, output = drawn(root, corpus)
    assert (status, "speaker 8k1 is in the test pool by" in output) == (2, True)
    assert holdout_file.beside(root).read_bytes() == held


def test_a_package_that_never_left_the_lab_by_what_was_said_is_not_handed_over_by_the_way(
    corpus: Path, tmp_path: Path
) -> None:
    root = production(corpus, tmp_path / "corpus")
    assert packed(root, tmp_path / "csv")[0] == 0
    kept = HoldoutOptions(kept=(str(tmp_path / "csv"),))
    assert holdout_command(str(root), kept, io.StringIO(), io.StringIO()) == 0
    status, _, output = drawn(root, tmp_path / "csv")
    assert (status, "never left the lab, by" in output) == (2, True)
