"""Who has left does not come back by another way: a link, a second call, an earlier export, a merger that was moved."""

import io
import threading
from pathlib import Path
from typing import Any

import pytest

from corpus.commands.derive import DeriveOptions, derive_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.verify.verify import verify
from corpus.withdrawal import rebuild
from session.values.clock import ManualClock
from tests.corpus import withdrawal_lab as world
from tests.corpus.commands.withdrawals import exported, withdraw
from tests.corpus.studies import fill, made_study


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The export of a study with one speaker who leaves and one who stays."""
    study = made_study(tmp_path / "study")
    fill(study, world.leaving())
    fill(study, world.speaking(world.STAYS, "flights to boston"))
    assert exported(study, tmp_path / "corpus") == 0
    return tmp_path / "corpus"


def speakers(root: Path) -> list[str]:
    return sorted({entry.speaker for entry in Corpus(root).manifest.sessions})


def test_a_corpus_behind_a_link_is_the_one_that_is_built_anew(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "current").symlink_to(corpus)
    withdraw(tmp_path / "current", world.LEAVES)
    assert (tmp_path / "current").is_symlink()
    assert speakers(corpus) == [world.STAYS]


def test_a_corpus_is_built_anew_from_within(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(corpus)
    withdraw(Path(), world.LEAVES)
    assert speakers(corpus) == [world.STAYS]
    assert not list(corpus.parent.glob(".*.withdrawal"))


def test_a_call_beside_one_that_is_at_work_takes_nothing_from_it(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def call(**options: Any) -> int:
        out = io.StringIO()
        return withdraw_command(str(corpus), WithdrawOptions(world.LEAVES, **options), ManualClock(), out, out)

    begun, second = rebuild._describe, []  # type: ignore[var-annotated]

    def describe(*given: object) -> None:
        if not second:  # the second call comes here, too, when it has had its turn
            call(dry_run=True)
            second.append(threading.Thread(target=call))
            second[0].start()
        begun(*given)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(rebuild, "_describe", describe)
        call()
        patched.setattr(rebuild, "_describe", begun)
        second[0].join()
    assert speakers(corpus) == [world.STAYS]
    assert [finding for finding in verify(corpus).findings if finding.severity == "error"] == []


def test_nothing_is_made_of_a_corpus_while_it_is_half_rebuilt(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / ".corpus.withdrawal").mkdir()
    err = io.StringIO()
    assert derive_command(DeriveOptions(str(corpus), str(tmp_path / "new")), io.StringIO(), err) == 2
    assert "make the same call of curtain withdraw again" in err.getvalue()


def test_who_left_the_study_is_not_derived_from_its_earlier_export(corpus: Path, tmp_path: Path) -> None:
    withdraw(tmp_path / "study", world.LEAVES)
    err = io.StringIO()
    assert derive_command(DeriveOptions(str(corpus), str(tmp_path / "new")), io.StringIO(), err) == 2
    assert f"call curtain withdraw {corpus} {world.LEAVES}" in err.getvalue()


def test_who_left_a_merger_that_was_moved_does_not_come_back_out_of_its_sources(corpus: Path, tmp_path: Path) -> None:
    out = io.StringIO()
    assert merge_command(MergeOptions([str(corpus)], str(tmp_path / "merged")), out, out) == 0, out.getvalue()
    withdraw(tmp_path / "merged", world.LEAVES)
    (tmp_path / "merged").rename(tmp_path / "merged.old")
    assert merge_command(MergeOptions([str(corpus)], str(tmp_path / "merged")), out, out) == 2
    assert f"call curtain withdraw {corpus} {world.LEAVES}" in out.getvalue()
