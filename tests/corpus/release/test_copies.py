"""Whatever is made of a study, and of what came of it, is found again when somebody withdraws."""

import io
import shutil
from pathlib import Path
from typing import Any

import pytest

from corpus.commands import withdraw as withdrawing
from corpus.commands.export import export_command
from corpus.commands.holdout import Drawing, holdout_command
from corpus.commands.merge import merge_command
from corpus.commands.report import report_command
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.export.study_source import reading
from corpus.io.staging import partial_of, staged
from corpus.release import copies as places
from corpus.release import copies_of_speaker
from corpus.report import html
from session.annotation.store import Work, work_path
from session.collection.study_lock import exclusive_lock
from session.study.folder import load
from tests.corpus.commands.withdrawals import SAID, found, needles, said, told, withdraw
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.studies import fill, made_study


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A study, its corpus, a part of that, a merger of the part with another site's corpus, a package of that, and a report."""
    study = made_study(tmp_path / "study")
    fill(study, told("8k9", SAID))
    fill(study, told("8k8", "show me the fares to Omaha"))
    assert export_command(str(study), str(tmp_path / "whole"), "sphere", False, (), io.StringIO(), io.StringIO()) == 0
    part(tmp_path)
    other = corpus_of(tmp_path / "other", session_of("sri", "9k3"))
    sources = [str(tmp_path / "part"), str(other)]
    (tmp_path / "part/doc/holdout.json").unlink()
    forget(tmp_path / "part", "doc/holdout.json")
    assert merge_command(sources, str(tmp_path / "all"), io.StringIO(), io.StringIO()) == 0
    assert package(tmp_path / "all", tmp_path / "stm") == 0
    assert report_command(str(tmp_path / "all"), "", io.StringIO(), io.StringIO()) == 0
    return tmp_path


def part(folder: Path) -> None:
    """A hold-out part with the one who will withdraw."""
    for seed in "123456":
        assigned = str(folder / f"holdout-{seed}.json")
        call, out = Drawing(seed, assigned, str(folder / "part")), io.StringIO()
        if holdout_command(str(folder / "whole"), call, out, out) == 0 and "8k9" in Corpus(folder / "part").speakers():
            return
        if (folder / "part").exists():
            (folder / "part").rename(folder / f"part-{seed}")
    raise AssertionError("no seed releases 8k9")


def forget(root: Path, path: str) -> None:
    import msgspec

    from corpus.formats import manifest

    listed = manifest.parse((root / "manifest.json").read_bytes(), "")
    files = {name: entry for name, entry in listed.files.items() if name != path}
    (root / "manifest.json").write_bytes(manifest.render(msgspec.structs.replace(listed, files=files)))


def package(source: Path, target: Path) -> int:
    return export_command(str(source), str(target), "stm", False, (), io.StringIO(), io.StringIO())


def test_one_place_leads_to_the_next(lab: Path) -> None:
    known = places.everywhere(lab / "study")
    assert {Path(each).name for each in known.corpora} >= {"whole", "part", "all"}
    assert [Path(each).name for each in known.packages] == ["stm"]
    assert [Path(each).name for each in known.pages] == ["all.report.html"]
    assert {Path(each).name for each in places.everywhere(lab / "other").corpora} == {"all"}


def test_who_withdraws_is_told_of_every_copy_and_leaves_them_on_request(lab: Path) -> None:
    wanted = needles(told("8k9", SAID), SAID)
    status, _, err = withdraw(lab / "study", "8k9")
    assert status == 1
    for name in ("whole", "part", "all", "stm", "all.report.html"):
        assert f"{lab / name} still" in err
    assert said(found(lab, wanted)) != []
    status, _, err = withdraw(lab / "study", "8k9", copies=True)
    assert (status, f"{lab / 'stm'}, which held 8k9, was deleted" in err) == (0, True)
    assert said(found(lab, wanted)) == []
    assert places.everywhere(lab / "study").packages == ()
    assert set(Corpus(lab / "all").speakers()) == {"9k3"} | {*Corpus(lab / "part").speakers()}
    assert withdraw(lab / "study", "8k9")[0] == 0


def test_a_corpus_leads_to_its_copies_too(lab: Path) -> None:
    status, _, err = withdraw(lab / "whole", "8k9")
    assert (status, f"{lab / 'all'} still holds takes of 8k9" in err) == (1, True)
    assert withdraw(lab / "whole", "8k9", copies=True)[0] == 0
    assert said(found(lab / "all", needles(told("8k9", SAID), SAID))) == []


def test_a_copy_that_is_not_there_is_told_and_stands_in_the_removal_list(lab: Path) -> None:
    (lab / "all").rename(lab / "elsewhere")
    status, _, err = withdraw(lab / "study", "8k9", copies=True)
    assert (status, f"not looked at: {lab / 'all'}" in err) == (0, True)
    assert removals.held_in(lab / "study").removals[0].copies == ("all",)
    assert str(lab) not in (lab / "study/removals.json").read_text("utf-8")


def test_what_was_interrupted_between_its_end_and_its_note_is_known_and_what_stopped_half_way_goes(lab: Path) -> None:
    memory = places.memory_of(lab / "all")
    made = places.held_in(lab / "all")
    places.note(lab / "all", lambda _: places.with_unfinished(places.Written(), [partial_of(lab / "stm")]))
    assert "stm" not in memory.read_text("utf-8").replace(".stm.partial", "")
    assert places.held_in(lab / "all").packages == made.packages
    half = partial_of(lab / "kaldi")
    (half / "files").mkdir(parents=True)
    (half / "files/text").write_text(SAID, "utf-8")
    places.note(lab / "all", lambda before: places.with_unfinished(before, [half]))
    _, _, err = withdraw(lab / "study", "8k9", copies=True)
    assert (half.exists(), f"{half}, left by an export that was interrupted" in err) == (False, True)


def test_a_hand_edited_note_deletes_nothing_else(lab: Path) -> None:
    dear = lab / "dear"
    dear.mkdir()
    (dear / "letter.txt").write_text("dear", "utf-8")
    assert copies_of_speaker.left_over([dear, lab / "whole", lab / "study"]) == []


def test_what_somebody_put_where_a_package_was_is_told_and_never_deleted(lab: Path) -> None:
    shutil.rmtree(lab / "stm")
    (lab / "stm").mkdir()
    (lab / "stm/letter.txt").write_text("dear", "utf-8")
    _, _, err = withdraw(lab / "study", "8k9", copies=True)
    assert f"not looked at: {lab / 'stm'}" in err
    assert (lab / "stm/letter.txt").read_text("utf-8") == "dear"


def test_a_report_that_draws_few_of_its_sessions_is_found_by_each_and_by_no_longer_name(
    lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "MOST_TIMELINES", 1)
    page = lab / "few.html"
    assert report_command(str(lab / "whole"), str(page), io.StringIO(), io.StringIO()) == 0
    written = places.Written(pages=(str(page),))
    for entry in Corpus(lab / "whole").manifest.sessions:
        assert copies_of_speaker.holders_of(written, [entry.session]).pages == (page,)
        assert copies_of_speaker.holders_of(written, [entry.session[:-1]]).pages == ()
    assert copies_of_speaker.holders_of(written, []).pages == ()


def test_a_refused_call_and_a_folder_that_is_no_corpus_leave_no_note(tmp_path: Path) -> None:
    assert package(tmp_path / "nowhere", tmp_path / "stm") == 2
    assert merge_command([str(tmp_path / "nowhere")], str(tmp_path / "all"), io.StringIO(), io.StringIO()) == 2
    assert list(tmp_path.iterdir()) == []


def test_what_is_transcribed_beside_a_part_goes_with_the_person(lab: Path) -> None:
    (lab / "far").mkdir()
    (lab / "part").rename(lab / "far/part")
    places.note(lab / "whole", lambda before: places.with_made(before, [lab / "far/part"]))
    Work(work_path(lab / "far/part")).close()
    withdraw(lab / "study", "8k9", copies=True)
    work = Work(work_path(lab / "far/part"))
    erased = [transcript for _, transcript in work.folded() if transcript.erased]
    work.close()
    assert len(erased) == 7


def test_nobody_withdraws_while_somebody_writes_a_copy_or_exports_the_study(lab: Path) -> None:
    half = partial_of(lab / "kaldi")
    places.note(lab / "all", lambda before: places.with_unfinished(before, [half]))
    with staged(lab / "kaldi") as staging:
        staging.write("text", SAID.encode())
        for target in ("study", "all"):
            status, _, err = withdraw(lab / target, "8k9", copies=True)
            assert (status, f"{half} is being written by another process" in err) == (2, True)
    with reading(load(lab / "study")):
        status, _, err = withdraw(lab / "study", "8k9", copies=True)
    assert (status, "or it is exported" in err) == (2, True)
    assert (lab / "stm").exists()
    with exclusive_lock(lab / "study"):
        err = io.StringIO()
        assert export_command(str(lab / "study"), str(lab / "more"), "sphere", False, (), io.StringIO(), err) == 2
    assert "somebody is withdrawing" in err.getvalue()


def test_what_was_deleted_half_way_is_deleted_by_the_next_call(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    half = partial_of(lab / "kaldi")
    (half / "files").mkdir(parents=True)
    (half / "done.jsonl").write_text(SAID, "utf-8")
    between = lab / ".trn.corpus"
    shutil.copytree(lab / "part", between)
    places.note(lab / "all", lambda before: places.with_unfinished(before, [half, between]))
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", lambda folder: None)
        copies_of_speaker.take_away(lab / "all", [lab / "stm"])
    assert (partial_of(lab / "stm") / "files/SHA256SUMS").exists()
    shutil.rmtree(half / "files")
    assert withdraw(lab / "study", "8k9", copies=True)[0] == 0
    assert [place.exists() for place in (half, between, lab / "stm")] == [False, False, False]


def test_what_tells_a_corpus_between_goes_last(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    last = list[list[str]]()
    monkeypatch.setattr(shutil, "rmtree", lambda path: last.append([each.name for each in path.iterdir()]))
    copies_of_speaker.delete([lab / "whole"])
    assert "manifest.json" in last[-1]
    assert "README.txt" not in last[-1]


def test_what_somebody_has_put_in_the_way_of_a_deletion_stays(lab: Path) -> None:
    mine = partial_of(lab / "stm") / "letter.txt"
    mine.parent.mkdir()
    mine.write_text("dear", "utf-8")
    status, _, err = withdraw(lab / "study", "8k9", copies=True)
    assert (status, f"{mine.parent} is in the way of deleting {lab / 'stm'}" in err) == (2, True)
    assert (mine.read_text("utf-8"), (lab / "stm").exists()) == ("dear", True)
    shutil.rmtree(mine.parent)
    assert withdraw(lab / "study", "8k9", copies=True)[0] == 0
    assert not (lab / "stm").exists()


def test_half_a_report_that_was_being_written_goes_too(lab: Path) -> None:
    half = lab / ".all.report.html.99999.part"
    half.write_text(SAID, "utf-8")
    assert withdraw(lab / "study", "8k9", copies=True)[0] == 0
    assert not half.exists()


@pytest.mark.parametrize("copies", [True, False])
def test_what_somebody_packs_while_somebody_else_leaves_the_corpus_is_found(
    lab: Path, monkeypatch: pytest.MonkeyPatch, copies: bool
) -> None:
    leave = withdrawing.leave

    def meanwhile(root: Path, *arguments: Any, **more: Any) -> Any:
        if root == lab / "all":
            assert package(root, lab / "late") == 0
        return leave(root, *arguments, **more)

    monkeypatch.setattr(withdrawing, "leave", meanwhile)
    status, _, err = withdraw(lab / "all", "8k9", copies=copies)
    assert (status, (lab / "late").exists()) == ((0, False) if copies else (1, True))
    assert f"{lab / 'late'}{', which held 8k9, was deleted' if copies else ' still holds 8k9'}" in err


def test_a_copy_that_cannot_be_read_is_told_and_keeps_the_person_in_no_other(lab: Path) -> None:
    whole = (lab / "all/manifest.json").read_bytes()
    (lab / "all/manifest.json").write_bytes(whole[:-9])
    status, _, err = withdraw(lab / "study", "8k9", copies=True)
    assert (status, f"{lab / 'all'} cannot be read and may hold takes of 8k9 (manifest.json: " in err) == (1, True)
    wanted = needles(told("8k9", SAID), SAID)
    assert {path.partition("/")[0] for path, _ in said(found(lab, wanted))} == {"all"}
    (lab / "all/manifest.json").write_bytes(whole)
    assert withdraw(lab / "study", "8k9", copies=True)[0] == 0
    assert said(found(lab, wanted)) == []
