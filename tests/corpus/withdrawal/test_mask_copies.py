"""A name that is marked beside one corpus goes with its bearer from what others say in corpora that lie elsewhere."""

import io
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from annotator.transcription import Transcribing
from corpus.annotation.submitted import finished_in
from corpus.commands.export import export_command
from corpus.commands.merge import merge_command
from corpus.commands.rename import rename_command
from corpus.commands.withdraw import Call, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from curtain import main
from session.annotation.events import NameKept
from session.annotation.store import Work, work_path
from session.store.event_store import Store
from session.values.clock import ManualClock
from tests.corpus.corpora import session_of
from tests.corpus.masked import holding, marked, naming, sound
from tests.corpus.sessions import MemorySource
from tests.corpus.studies import fill, made_study, run

OTHER = "9k3011sx"
WAVE = "spon/9k3/1/9k3011ss.wav"


def merged(lab: Path, *names: str, into: str = "far/all") -> Path:
    assert merge_command([str(lab / name) for name in names], str(lab / into), io.StringIO(), io.StringIO()) == 0
    return lab / into


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study whose corpus was merged into another folder before anybody transcribed; then her name was marked beside the first,
    which somebody of another site has said and written too."""
    lab = tmp_path_factory.mktemp("carrying") / "lab"
    study = made_study(lab / "study")
    fill(study, naming(session_of("bbn", "8k8"), ("8k8A1",)))
    (lab / "near").mkdir()
    (lab / "far").mkdir()
    (lab / "sri").mkdir()
    assert export_command(str(study), str(lab / "near/own"), "sphere", False, (), io.StringIO(), io.StringIO()) == 0
    export(MemorySource(naming(session_of("sri", "9k3", number=2), ("9k3A1",))), lab / "sri/theirs")
    merged(lab, "near/own", "sri/theirs")
    work = Work(work_path(lab / "near/own"))
    marked(Transcribing(Corpus(lab / "near/own"), work, "anna", ManualClock()))
    work.close()
    return lab


@pytest.fixture
def lab(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path / "lab")
    for memory in (tmp_path / "lab").rglob("*exports.json"):
        memory.write_text(memory.read_text("utf-8").replace(str(built), str(tmp_path / "lab")), "utf-8")
    return tmp_path / "lab"


def leaves(target: Path, speaker: str = "8k8", **more: object) -> tuple[int, str]:
    err = io.StringIO()
    call = Call(speaker, **more)  # type: ignore[arg-type]
    return withdraw_command(str(target), call, ManualClock(), io.StringIO(), err), err.getvalue()


def nowhere(lab: Path, corpus: str = "far/all") -> bool:
    """Whether the name is in nothing of a corpus, and in no package that is made of it."""
    out = io.StringIO()
    assert export_command(str(lab / corpus), str(lab / "csv"), "csv", False, (), out, io.StringIO()) == 0
    return holding(lab / corpus) + holding(lab / "csv") == [] and verify(lab / corpus).count(Severity.ERROR) == 0


def test_without_it_the_name_would_stay(lab: Path) -> None:
    assert any("9k3" in path for path in holding(lab / "far/all"))


def test_who_leaves_the_study_and_all_copies_is_named_by_nobody_elsewhere(lab: Path) -> None:
    before = sound(lab / "far/all", WAVE)
    status, told = leaves(lab / "study", copies=True)
    assert (status, f"1 utterances of others, {OTHER} the first" in told) == (0, True), told
    assert nowhere(lab)
    assert (sound(lab / "far/all", WAVE) != before).any()
    assert leaves(lab / "study", copies=True)[0] == 0


def test_who_leaves_a_merged_corpus_alone_is_named_by_nobody_there(lab: Path) -> None:
    status, told = leaves(lab / "far/all")
    assert (status, f"1 utterances of others, {OTHER} the first" in told) == (0, True), told
    assert nowhere(lab)


def test_who_leaves_the_source_first_is_named_by_nobody_when_she_leaves_the_copy_later(lab: Path) -> None:
    status, told = leaves(lab / "near/own")
    assert (status, f"{lab / 'far/all'} still holds takes of 8k8" in told) == (1, True)
    assert finished_in(work_path(lab / "near/own")).phrases.all == ()
    assert leaves(lab / "far/all")[0] == 0
    assert nowhere(lab)


def test_a_corpus_in_which_she_has_another_id_is_no_hiding_place(lab: Path) -> None:
    (lab / "renamed").mkdir()
    call = (str(lab / "far/all"), str(lab / "renamed/all"), ["8k8=9kz", "9k3=9ky"], "")
    assert rename_command(*call, ManualClock(), io.StringIO(), io.StringIO()) == 0
    assert leaves(lab / "renamed/all", "9kz")[0] == 0
    assert nowhere(lab, "renamed/all")


def transcribed(lab: Path, text: str) -> None:
    """Somebody of the other site has listened to the utterance, beside a corpus of that site."""
    work = Work(work_path(lab / "sri/theirs"))
    desk = Transcribing(Corpus(lab / "sri/theirs"), work, "ben", ManualClock())
    desk.open(OTHER)
    if "{{" in text:
        desk.mark(300, 900)
    desk.submit(text)
    desk.finish()
    work.close()


def test_what_somebody_marked_there_is_taken_over_as_theirs(lab: Path) -> None:
    transcribed(lab, "for {{ philippa o'schenectady }} to boston")
    assert leaves(lab / "study", copies=True)[0] == 0
    assert nowhere(lab)
    (done,) = finished_in(work_path(lab / "far/all")).values()
    assert (done.work.transcriber, done.stretches, done.utterance) == ("ben", ((300, 900),), OTHER)
    text = (lab / "far/all/spon/9k3/1/9k3011sx.sro").read_text("utf-8")
    assert ("boston" in text, "philippa" in text) == (True, False)


def test_what_somebody_has_let_stand_is_nobody_else_s_to_mask(lab: Path) -> None:
    transcribed(lab, "for philippa o'schenectady street")
    assert leaves(lab / "study", copies=True)[0] == 0
    assert [done.work.transcriber for done in finished_in(work_path(lab / "far/all")).values()] == ["ben"]
    assert any(path.endswith("9k3011sx.sro") for path in holding(lab / "far/all"))


def test_what_is_let_stand_in_two_corpora_of_one_folder_is_taken_over_once(lab: Path) -> None:
    transcribed(lab, "for philippa o'schenectady street")
    merged(lab, "sri/theirs", into="far/theirs")
    assert leaves(lab / "study", copies=True)[0] == 0


def test_what_is_only_begun_in_a_third_folder_stands_in_the_way_of_no_finished_work(lab: Path) -> None:
    transcribed(lab, "for {{ philippa o'schenectady }} to boston")
    (lab / "third").mkdir()
    begun_on(merged(lab, "near/own", "sri/theirs", into="third/all"), OTHER)
    assert leaves(lab / "far/all")[0] == 0
    assert [done.work.transcriber for done in finished_in(work_path(lab / "far/all")).values()] == ["ben"]


def begun_on(root: Path, utterance: str) -> None:
    """Somebody has an utterance in hand."""
    work = Work(work_path(root))
    desk = Transcribing(Corpus(root), work, "cora", ManualClock())
    desk.open(utterance)
    desk.mark(3, 9)
    work.close()


def test_who_left_the_study_and_is_in_a_copy_yet_keeps_nobody_from_leaving(lab: Path) -> None:
    fill(lab / "study", naming(session_of("bbn", "8k7", "m", 5), ("8k7A1",)))
    assert run(lab / "study", lab / "near/two")[0] == 0
    assert leaves(lab / "study", "8k7")[0] == 1
    status, told = leaves(lab / "study", copies=True, named=(("now",),))
    assert (status, "exists already" in told) == (0, False), told


def test_a_name_that_only_a_session_of_the_study_has_is_not_let_go_beside_its_corpora(lab: Path) -> None:
    for at, speaker in enumerate(("8k7", "8k9"), 5):
        fill(lab / "study", session_of("bbn", speaker, number=at))
    assert run(lab / "study", lab / "near/two")[0] == 0
    fill(lab / "study", naming(session_of("bbn", "8k7", number=7)))
    assert leaves(lab / "study", copies=True)[0] == 0
    kept = names_beside(lab / "near/two")
    status, told = leaves(lab / "study", "8k9", copies=True, named=(("nobody's", "name"),))
    assert (status, len(kept), names_beside(lab / "near/two")) == (0, 1, kept), told


def names_beside(root: Path) -> list[NameKept]:
    work = Work(work_path(root))
    try:
        return work.kept()
    finally:
        work.close()


def test_nothing_is_begun_beside_a_corpus_in_which_nobody_names_her(lab: Path) -> None:
    (lab / "other").mkdir()
    export(MemorySource(session_of("sri", "9k4", number=3)), lab / "sri/quiet")
    quiet = merged(lab, "near/own", "sri/quiet", into="other/all")
    assert leaves(lab / "study", copies=True)[0] == 0
    assert not work_path(quiet).exists()


@pytest.mark.parametrize("broken", ["all/removals.json", "work.sqlite"])
def test_a_copy_that_cannot_be_read_is_told_keeps_her_in_no_other_and_loses_the_name_when_it_is_mended(
    lab: Path, broken: str
) -> None:
    (lab / "far" / broken).write_text("{" * 2000, "utf-8")
    status, told = leaves(lab / "near/own", copies=True)
    assert (status, "cannot be read, so that nobody knows" in told) == (2, True)
    assert not holding(lab / "near/own")
    (lab / "far" / broken).unlink()
    assert (leaves(lab / "near/own", copies=True)[0], nowhere(lab)) == (0, True)
    assert (leaves(lab / "near/own")[0], names_beside(lab / "near/own")) == (0, [])


NAMED = (("philippa", "o'schenectady"),)


def unmarked(lab: Path) -> None:
    """Nobody has transcribed anything, and another of her own study names her too."""
    work_path(lab / "near/own").unlink()
    fill(lab / "study", naming(session_of("bbn", "8k9", "m", 5), ("8k9A1",)))


def next_of(lab: Path) -> Path:
    out = lab / "near/next"
    assert export_command(str(lab / "study"), str(out), "sphere", False, (), io.StringIO(), io.StringIO()) == 0
    return out


@pytest.mark.parametrize("named", [(), NAMED])
def test_a_name_that_nobody_has_marked_goes_when_it_is_named(lab: Path, named: tuple[tuple[str, ...], ...]) -> None:
    unmarked(lab)
    for _ in range(2):
        assert leaves(lab / "study", copies=True, named=named)[0] == 0
    assert (holding(next_of(lab)) + holding(lab / "far/all") == []) is bool(named)


def test_a_spelling_can_be_named_when_she_has_gone(lab: Path) -> None:
    unmarked(lab)
    assert leaves(lab / "study", copies=True)[0] == 0
    assert leaves(lab / "study", copies=True, named=NAMED)[0] == 0
    assert holding(next_of(lab)) + holding(lab / "far/all") == []


def test_a_name_is_kept_beside_a_corpus_or_nothing_is_begun(lab: Path) -> None:
    study = made_study(lab / "new")
    fill(study, naming(session_of("bbn", "8k8"), ("8k8A1",)))
    status, told = leaves(study, named=NAMED)
    assert (status, "a name is kept beside a corpus" in told, (study / "removals.json").exists()) == (2, True, False)


@pytest.mark.parametrize(
    ("call", "told"),
    [(("--named", "o'"), "fewer than 3 letters"), (("--named", "ann", "--sound-only"), "leaves altogether")],
)
def test_a_name_that_cannot_be_masked_is_refused(lab: Path, call: tuple[str, ...], told: str) -> None:
    done = CliRunner().invoke(main, ["withdraw", str(lab / "study"), "8k8", *call])
    assert (done.exit_code, told in done.stderr) == (2, True)


class Killed(BaseException):
    """Nothing catches it, as nothing catches a kill."""


@pytest.mark.parametrize(("target", "listened"), [("study", True), ("far/all", False)])
def test_a_kill_before_any_change_of_the_work_is_finished_by_the_same_call(
    lab: Path, tmp_path: Path, target: str, listened: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if listened:
        transcribed(lab, "for {{ philippa o'schenectady }} to boston")
    appended, withdrawn, changes = Store.append, Store.withdraw, list[int]()
    deadly = 0

    def before(change: Any) -> Any:
        def counted(*given: Any) -> Any:
            changes.append(1)
            if len(changes) == deadly:
                raise Killed
            return change(*given)

        return counted

    monkeypatch.setattr(Store, "append", before(appended))
    monkeypatch.setattr(Store, "withdraw", before(withdrawn))
    while True:
        deadly, place = deadly + 1, tmp_path / f"killed-{deadly}"
        changes.clear()
        shutil.copytree(lab, place)
        for memory in place.rglob("*exports.json"):
            memory.write_text(memory.read_text("utf-8").replace(str(lab), str(place)), "utf-8")
        try:
            leaves(place / target, copies=True)
        except Killed:
            deadly_again, deadly = deadly, 0
            status, told = leaves(place / target, copies=True)
            assert (status, nowhere(place)) == (0, True), (deadly_again, told)
            deadly = deadly_again
            shutil.rmtree(place)
        else:
            break
    assert deadly > 4
