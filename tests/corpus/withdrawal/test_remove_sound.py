"""A person goes on taking part and takes back the sound alone."""

import io
import shutil
from pathlib import Path

import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from corpus.withdrawal.rebuild import removal_from
from corpus.withdrawal.study_holdings import of_sound as sound_alone
from session.store.event_store import Store
from session.study.folder import load
from session.values.clock import ManualClock
from tests.corpus.corpora import session_of
from tests.corpus.searching import holding, of_sound
from tests.corpus.studies import fill, made_study

HERS, OTHERS = session_of("bbn", "8k9"), session_of("bbn", "8k8", "m", 2)


def exported(source: Path, target: Path, form: str = "sphere", unnumbered: bool = False) -> Path:
    assert (
        export_command(
            ExportRequest(str(source), str(target), form=form, unnumbered=unnumbered), io.StringIO(), io.StringIO()
        )
        == 0
    )
    return target


def silenced(target: Path, dry: bool = False) -> tuple[int, str]:
    err = io.StringIO()
    call = WithdrawOptions("8k9", dry_run=dry, sound=True)
    return withdraw_command(str(target), call, ManualClock(), io.StringIO(), err), err.getvalue()


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    study = made_study(tmp_path / "study")
    fill(study, HERS)
    fill(study, OTHERS)
    exported(study, tmp_path / "whole", unnumbered=True)
    exported(tmp_path / "whole", tmp_path / "kaldi", "kaldi")
    exported(tmp_path / "whole", tmp_path / "trn", "trn")
    return tmp_path


def test_no_later_export_of_the_study_has_her_voice_and_all_have_her_words(lab: Path) -> None:
    status, output = silenced(lab / "study")
    assert (status, "1 of them new" in output, f"{lab / 'whole'} still holds 8k9" in output) == (1, True, True)
    assert f"{lab / 'kaldi'}, kaldi, written" in output
    after = exported(lab / "study", lab / "after")
    assert holding([after], of_sound(HERS)) == set()
    assert holding([after], of_sound(OTHERS)) != set()
    assert (after / "spon/8k9/1/8k9011sx.sro").is_file()
    assert len(Corpus(after).manifest.withheld) == 8
    assert verify(after).count(Severity.ERROR) == 0
    store = Store(load(lab / "study").store_url)
    assert [store.verify(info.stream) for info in store.streams()] == [[], []]
    store.close()
    assert "0 of them new" in silenced(lab / "study")[1]


def test_the_list_names_the_waveforms_that_earlier_copies_must_drop_and_nobody_who_left(lab: Path) -> None:
    silenced(lab / "study")
    (only,) = removals.held_in(exported(lab / "study", lab / "after")).removals
    waves = {path for path in Corpus(lab / "whole").manifest.files if path.startswith("spon/8k9") and ".wav" in path}
    assert (only.scope, only.speaker, waves <= set(only.files)) == ("sound", "8k9", True)
    assert all(path.endswith(".wav") for path in only.files)
    assert removals.held_in(lab / "after").speakers == frozenset()


def test_a_corpus_loses_the_voice_alone(lab: Path) -> None:
    before = {path: path.read_bytes() for path in sorted((lab / "whole").rglob("*.*")) if path.is_file()}
    assert "whole was rebuilt without" in silenced(lab / "whole")[1]
    assert holding([lab / "whole"], of_sound(HERS)) == set()
    lost = {path for path in before if not path.exists()}
    assert {path.suffix for path in lost} == {".wav"}
    assert all("8k9" in path.name for path in lost)
    changed = {path.name for path, data in before.items() if path not in lost and path.read_bytes() != data}
    assert changed <= {"manifest.json", "README.txt", "lexicon.doc"}
    assert verify(lab / "whole").count(Severity.ERROR) == 0


def test_who_leaves_altogether_later_goes_altogether(lab: Path) -> None:
    for place in (lab / "study", lab / "whole"):
        silenced(place)
        assert withdraw_command(str(place), WithdrawOptions("8k9"), ManualClock(), io.StringIO(), io.StringIO()) == 1
    assert removals.held_in(lab / "study").speakers == {"8k9"}
    assert set(Corpus(lab / "whole").speakers()) == {"8k8"}
    assert "0 of them new" in silenced(lab / "study")[1]


def test_a_copy_that_has_the_voice_yet_is_not_merged(lab: Path) -> None:
    silenced(lab / "study")
    (lab / "whole/removals.json").write_bytes((lab / "study/removals.json").read_bytes())
    err = io.StringIO()
    assert merge_command(MergeOptions([str(lab / "whole")], str(lab / "all")), io.StringIO(), err) == 2
    assert f"call curtain withdraw --sound-only {lab / 'whole'} 8k9" in err.getvalue()


def test_nothing_is_handed_over_of_who_is_about_to_leave(lab: Path) -> None:
    """As after a kill right after the list was written, from which the same call goes on."""
    for sound, output in ((True, "taken back the sound"), (False, "withdrawn")):
        removal = removal_from(Corpus(lab / "whole"), "8k9", "2026-11-21")
        for place in (lab / "whole", lab / "study"):
            removals.add(place, sound_alone(removal) if sound else removal)
            for form in ("sphere", "csv") if place.name == "study" else ("csv",):
                err = io.StringIO()
                assert export_command(ExportRequest(str(place), str(lab / "made"), form=form), io.StringIO(), err) == 2
                assert (
                    f"speaker 8k9 has {output}, and that was not finished in {place}: call curtain withdraw"
                    in err.getvalue()
                )
            assert withdraw_command(
                str(place), WithdrawOptions("8k9", sound=sound), ManualClock(), io.StringIO(), io.StringIO()
            ) in (0, 1)
            exported(place, lab / f"{place.name}-{sound}", "csv")


def test_trying_it_out_changes_nothing(lab: Path) -> None:
    shutil.copytree(lab / "whole", lab / "copy")
    status, output = silenced(lab / "whole", dry=True)
    assert (status, "nothing was changed" in output) == (0, True)
    assert all((lab / "whole" / path.relative_to(lab / "copy")).exists() for path in (lab / "copy").rglob("*"))
