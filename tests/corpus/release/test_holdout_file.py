"""Who was handed over is never drawn afterwards, wherever that was noted; a file of assignments that is none is said to be so."""

import io
import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.dataset.reader import Corpus
from corpus.formats.errors import FormatFault
from corpus.io.staging import Refused, partial_of
from corpus.release import exports_log, holdout_file
from corpus.release.draw import assign, site_shares
from corpus.release.holdout_file import HandedOver, Holdout, joined
from corpus.release.utterance_status import POOL, RELEASE, Volume
from session.values.names import base36
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.studies import fill, made_study

SPEAKERS = [f"8k{number}" for number in range(1, 6)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    scripts = [session_of("bbn", name, number=number) for number, name in enumerate(SPEAKERS, start=1)]
    return corpus_of(tmp_path_factory.mktemp("assignments") / "corpus", *scripts)


@pytest.fixture
def corpus(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "site/corpus")


def draw(root: Path, *kept: Path, **more: Any) -> tuple[int, dict[str, str], str]:
    out, err = io.StringIO(), io.StringIO()
    status = holdout_command(str(root), HoldoutOptions(kept=tuple(map(str, kept)), **more), out, err)
    return status, dict(line.split("\t") for line in out.getvalue().splitlines()), err.getvalue()


def package(source: Path, target: Path, *sessions: str, whole: bool = False) -> tuple[int, str]:
    err = io.StringIO()
    status = export_command(
        ExportRequest(str(source), str(target), form="csv", sessions=sessions, whole=whole), io.StringIO(), err
    )
    return status, err.getvalue()


@given(st.integers(0, 20), st.integers(1, 20), st.text("ab1", max_size=2))
def test_nobody_who_was_handed_over_is_drawn_and_the_others_make_up_for_it(gone: int, new: int, seed: str) -> None:
    volumes = [Volume("bbn", base36(number, 3), 10) for number in range(1, gone + new + 1)]
    left = tuple(volume.speaker for volume in volumes[:gone])
    after = assign(volumes, Holdout(seed, handed=(HandedOver("/package", left),)))
    assert {*after.sets} == {volume.speaker for volume in volumes[gone:]}
    assert dict.fromkeys(left, RELEASE).items() <= after.every.items()
    (share,) = site_shares(volumes, after.every)
    wanted = min(new, (gone + new) / 5)
    assert abs(share.pool / 10 - wanted) <= 0.5
    assert assign(volumes, after) == after


def test_who_was_handed_over_is_left_out_of_the_draw_until_somebody_says_that_it_never_left(
    corpus: Path, tmp_path: Path
) -> None:
    status, output = package(corpus, tmp_path / "gone")
    assert (status, f"--not-handed-over {tmp_path / 'gone'}" in output) == (0, True)
    shutil.rmtree(tmp_path / "gone")
    status, sets, output = draw(corpus)
    assert (status, sets) == (0, dict.fromkeys(SPEAKERS, RELEASE))
    assert f"not drawn, as handed over before: 5 speakers, 8k1 the first, in {tmp_path / 'gone'}" in output
    assert "held out, bbn: 0 of 35 utterances" in output
    assert "bbn           35        35               0       0" in output
    status, _, output = draw(corpus, tmp_path / "nothing")
    assert (status, f"those are: {tmp_path / 'gone'}" in output) == (2, True)
    status, sets, output = draw(corpus, tmp_path / "gone")
    assert (status, sorted(sets.values()), "handed over" in output) == (0, [POOL, *[RELEASE] * 4], False)
    assert draw(corpus)[1] == sets
    status, output = package(corpus, tmp_path / "gone")
    assert (status, "1 of 5 speakers is held out" in output, (tmp_path / "gone").exists()) == (2, True, False)


def test_a_part_that_was_written_releases_for_good_who_was_handed_over(corpus: Path, tmp_path: Path) -> None:
    package(corpus, tmp_path / "gone")
    assert draw(corpus, release=str(tmp_path / "release"))[0] == 0
    sets = holdout_file.parse(Corpus(tmp_path / "release").read(holdout_file.IN_CORPUS), "").sets
    assert sets == dict.fromkeys(SPEAKERS, RELEASE)
    assert draw(corpus, tmp_path / "gone")[1] == sets


@pytest.mark.parametrize("from_study", [False, True])
def test_a_package_is_known_wherever_a_corpus_of_the_same_family_is_held_out(tmp_path: Path, from_study: bool) -> None:
    for folder in ("one", "two", "cmu", "packed"):
        (tmp_path / folder).mkdir()
    study, one, two = made_study(tmp_path / "study"), tmp_path / "one/corpus", tmp_path / "two/corpus"
    fill(study, session_of("bbn", "8k8"))
    for target in (one, two):
        assert export_command(ExportRequest(str(study), str(target)), io.StringIO(), io.StringIO()) == 0
    cmu = corpus_of(tmp_path / "cmu/corpus", session_of("cmu", "9a1"))
    assert merge_command(MergeOptions([str(two), str(cmu)], str(tmp_path / "all")), io.StringIO(), io.StringIO()) == 0
    assert package(study if from_study else one, tmp_path / "packed/csv")[0] == 0
    (tmp_path / "packed/csv").rename(tmp_path / "posted")
    for root in (two, tmp_path / "all"):
        _, _, output = draw(root)
        assert f"not drawn, as handed over before: 1 speaker, 8k8 the first, in {tmp_path / 'packed/csv'}" in output


def test_a_package_of_a_study_is_known_to_its_first_corpus_that_is_written_later(tmp_path: Path) -> None:
    study = made_study(tmp_path / "study")
    fill(study, session_of("bbn", "8k8"))
    assert package(study, tmp_path / "csv")[0] == 0
    assert export_command(ExportRequest(str(study), str(tmp_path / "corpus")), io.StringIO(), io.StringIO()) == 0
    shutil.rmtree(study)
    assert "1 speaker, 8k8 the first" in draw(tmp_path / "corpus")[2]


def test_what_stays_in_the_lab_or_came_to_nothing_or_is_the_pool_was_not_handed_over(
    corpus: Path, tmp_path: Path
) -> None:
    assert package(corpus, tmp_path / "own", whole=True)[0] == 0
    damaged = next(corpus.rglob("*.lsn"))
    text = damaged.read_bytes()
    damaged.write_bytes(b"something else\n")
    assert package(corpus, tmp_path / "refused")[0] == 2
    damaged.write_bytes(text)
    assert not holdout_file.beside(corpus).exists()
    status, sets, _ = draw(corpus, pool=str(tmp_path / "pool"))
    assert (status, POOL in sets.values()) == (0, True)
    assert package(tmp_path / "pool", tmp_path / "tests")[0] == 0
    known = holdout_file.known(corpus)
    assert known is not None
    assert known.handed == ()


def test_a_package_that_was_interrupted_counts_while_it_can_be_gone_on_with(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("corpus.packages.csv.datapackage", interrupted)
        assert package(corpus, tmp_path / "csv")[0] == 130
    assert partial_of(tmp_path / "csv").is_dir()
    assert draw(corpus)[1] == dict.fromkeys(SPEAKERS, RELEASE)
    assert package(corpus, tmp_path / "csv")[0] == 0
    known = holdout_file.known(corpus)
    assert known is not None
    assert [handover.package for handover in known.handed] == [str(tmp_path / "csv")]


def test_a_test_speaker_who_turns_out_to_have_been_handed_over_stops_everything_with_both_remedies(
    corpus: Path, tmp_path: Path
) -> None:
    sets = draw(corpus)[1]
    held = next(speaker for speaker, kept in sets.items() if kept == POOL)
    place, gone = holdout_file.beside(corpus), tmp_path / "gone"
    found = holdout_file.parse(place.read_bytes(), "")
    handed = (HandedOver(str(gone), (held,)),)
    place.write_bytes(holdout_file.render(msgspec.structs.replace(found, handed=handed)))
    for status, output in (package(corpus, tmp_path / "csv"), draw(corpus)[::2]):
        assert (status, f"{held} is in the test pool by {place} and was handed over in {gone}" in output) == (2, True)
        assert f"--not-handed-over {gone}" in output
        assert f"write release for {held} in {place}" in output
    assert draw(corpus, gone)[:2] == (0, sets)
    assert draw(corpus)[:2] == (0, sets)


def test_one_file_that_says_that_a_package_was_kept_speaks_for_all() -> None:
    handed = HandedOver("/p", ("8k1",))
    kept = msgspec.structs.replace(handed, kept=True)
    one, other = Holdout("", handed=(handed,)), Holdout("7", {"8k1": POOL}, handed=(kept,))
    for order in ((one, other), (other, one)):
        found = joined({Path(str(place)): assignments for place, assignments in enumerate(order)})
        assert found == Holdout("7", {"8k1": POOL}, handed=(kept,))
    with pytest.raises(Refused, match="no longer a test speaker"):
        joined({Path("a"): one, Path("b"): Holdout("7", {"8k1": POOL})})


def test_what_a_file_from_elsewhere_says_reaches_the_terminal_as_plain_text(corpus: Path) -> None:
    place, red = holdout_file.beside(corpus), "\x1b[31mred"
    handed = (HandedOver(f"/{red}", ("8k1",)), HandedOver("/other", ("8k2",)))
    for found in (Holdout(red, handed=handed), Holdout(red, {"8k1": POOL}, handed=handed)):
        place.write_bytes(holdout_file.render(found))
        for output in (draw(corpus, seed="4")[2], draw(corpus)[2], draw(corpus, Path("/nothing"))[2]):
            assert "\x1b" not in output
            assert "[31mred" in output


def test_a_note_of_what_lies_at_the_root_of_all_folders_leads_nowhere(corpus: Path) -> None:
    exports_log.record([Path("/"), corpus], exports_log.CORPUS, Path("/"), {}, io.StringIO())
    assert draw(corpus)[0] == 0


def directory(place: Path) -> None:
    place.mkdir()


def pipe(place: Path) -> None:
    os.mkfifo(place)


def link(place: Path) -> None:
    place.symlink_to(place.with_name("elsewhere.json"))


def twice(place: Path) -> None:
    place.write_text('{"seed":"1","sets":{"8k1":"pool","8k1":"release"},"format":"curtain-holdout-1"}', "utf-8")


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (directory, "not a plain file"),
        (pipe, "not a plain file"),
        (link, "a symbolic link"),
        (twice, "'8k1' occurs twice"),
    ],
)
def test_what_is_no_file_of_assignments_stops_every_command_that_needs_it_with_one_error(
    corpus: Path, tmp_path: Path, make: object, what: str
) -> None:
    place = holdout_file.beside(corpus)
    assert callable(make)
    make(place)
    before = sorted(tmp_path.rglob("*"))
    output = [
        draw(corpus)[::2],
        draw(corpus, assignments=str(place))[::2],
        package(corpus, tmp_path / "csv"),
    ]
    for status, said in output:
        assert (status, said.count("\n"), f"{place}: {what}" in said) == (2, 1, True)
    assert [path for path in sorted(tmp_path.rglob("*")) if "exports.log" not in path.name] == before


def test_a_file_that_cannot_be_read_is_told_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "holdout.json"
    place.write_bytes(holdout_file.render(Holdout("1")))

    def refused(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(place))

    monkeypatch.setattr(Path, "read_bytes", refused)
    with pytest.raises(FormatFault, match="Permission denied; make it readable"):
        holdout_file.read(place)
