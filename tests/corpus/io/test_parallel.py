import io
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.commands.report import StatsOptions, stats_command
from corpus.dataset.reader import Corpus
from corpus.io import progress
from corpus.io.parallel import AHEAD, Jobs, chosen
from corpus.io.progress import counting
from corpus.io.staging import Refused
from corpus.packages.package_writer import contents_of
from corpus.report.statistics import gather
from corpus.verify.verify import VerifyOptions, verify, verify_command
from corpus.withdrawal.rebuild import rebuild, removal_from
from tests.corpus.corpora import corpus_of, session_of

SRO = "spon/8k1/1/8k1011sx.sro"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    scripts = [session_of("bbn", "8k1"), session_of("sri", "9a1", "m", 2), session_of("mit", "9b1", "f", 3)]
    root = corpus_of(tmp_path_factory.mktemp("jobs") / "corpus", *scripts)
    (root / SRO).write_text("show  flights\n", "utf-8")
    return root


def times(factor: int, piece: int) -> int:
    return factor * piece


def test_results_come_in_the_order_of_the_pieces_from_every_kind_of_process(tmp_path: Path) -> None:
    expected = [3 * piece for piece in range(20)]
    for jobs in (Jobs(), Jobs(2)):
        assert list(jobs.over(times, 3, range(20), tmp_path)) == expected


def test_only_a_few_pieces_are_on_their_way_at_a_time(tmp_path: Path) -> None:
    taken: list[int] = []

    def pieces() -> Iterator[int]:
        for piece in range(50):
            taken.append(piece)
            yield piece

    results = Jobs(2).over(times, 1, pieces(), tmp_path)
    assert next(results) == 0
    assert len(taken) == 2 * AHEAD
    results.close()


def test_texts_that_many_subject_scenarios_have_in_common_are_held_once(tmp_path: Path) -> None:
    here = Corpus(corpus_of(tmp_path / "corpus", session_of("bbn", "8k1")))
    for found in (gather(here), contents_of(here).courses):
        texts = [text for course in found for text in course.header.values()]
        known = {text: text for text in texts}
        assert len(known) < len(texts)
        assert all(known[text] is text for text in texts)


def end(_: int, piece: int) -> int:
    os._exit(9)


def test_a_process_that_is_ended_from_outside_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"one of 2 processes was ended from outside.*; give a smaller --jobs"):
        list(Jobs(2).over(end, 1, range(5), tmp_path))


def test_a_number_and_a_cluster_contradict_one_another(corpus: Path) -> None:
    err = io.StringIO()
    assert verify_command(VerifyOptions(str(corpus), jobs=2, cluster="tcp://127.0.0.1:1"), io.StringIO(), err) == 2
    assert "give one of them" in err.getvalue()


def test_a_small_corpus_is_not_worth_another_process() -> None:
    assert chosen(None, "", large=False) == Jobs(1)
    assert chosen(3, "", large=False) == Jobs(3)
    assert chosen(None, "", large=True).processes >= 1


def test_several_processes_read_the_same_courses(corpus: Path) -> None:
    alone = gather(Corpus(corpus))
    assert len(alone) == 6
    assert gather(Corpus(corpus), Jobs(2)) == alone


def test_without_the_extra_a_cluster_is_one_clear_error(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    err = io.StringIO()
    assert (
        verify_command(VerifyOptions(str(corpus), headers=True, cluster="tcp://127.0.0.1:8786"), io.StringIO(), err)
        == 2
    )
    assert (
        err.getvalue() == "the extra dask is not installed; pip install 'curtain-woz[dask]', or leave --cluster out\n"
    )
    assert (
        stats_command(StatsOptions(str(corpus), as_json=True, cluster="tcp://127.0.0.1:8786"), io.StringIO(), err) == 2
    )


@pytest.mark.dask
def test_a_cluster_finds_and_counts_the_same(corpus: Path, cluster: str) -> None:
    assert verify(corpus, jobs=Jobs(cluster=cluster)) == verify(corpus)
    assert gather(Corpus(corpus), Jobs(cluster=cluster)) == gather(Corpus(corpus))
    alone, there = io.StringIO(), io.StringIO()
    assert stats_command(StatsOptions(str(corpus), as_json=True), alone, io.StringIO()) == 0
    assert stats_command(StatsOptions(str(corpus), as_json=True, cluster=cluster), there, io.StringIO()) == 0
    assert there.getvalue() == alone.getvalue()


def profiling(_: int, piece: int) -> list[bool]:
    from distributed import get_worker

    return [get_worker().periodic_callbacks[name].is_running() for name in ("profile", "profile-cycle")]


@pytest.mark.dask
def test_workers_do_not_profile_themselves_while_they_work_and_do_so_again_afterwards(
    cluster: str, tmp_path: Path
) -> None:
    from distributed import Client

    assert list(Jobs(cluster=cluster).over(profiling, 1, range(8), tmp_path)) == [[False, False]] * 8
    with Client(cluster, set_as_default=False) as client:
        assert [client.submit(profiling, 1, piece, pure=False).result() for piece in range(8)] == [[True, True]] * 8


@pytest.mark.dask
def test_workers_that_do_not_see_the_corpus_are_named(cluster: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=rf"the worker .* does not see {tmp_path / 'away'}; put the corpus where"):
        list(Jobs(cluster=cluster).over(times, 1, [1], tmp_path / "away"))


@pytest.mark.dask
def test_a_cluster_that_stops_in_the_middle_is_one_clear_error(tmp_path: Path) -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0") as running:
        results = Jobs(cluster=running.scheduler_address).over(times, 2, range(50), tmp_path)
        assert next(results) == 0
        running.scale(0)
        running.close()
        with pytest.raises(Refused, match=r"the Dask cluster at .* gave up"):
            list(results)


@pytest.mark.dask
def test_a_cluster_that_was_given_up_between_two_pieces_is_the_same_error(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import distributed

    class Client(distributed.Client):
        def submit(self, *given: object, **named: Any) -> object:
            if given[2] == 9:
                self.close()  # as it does when it cannot reach the scheduler again
            return super().submit(*given, **named)

    monkeypatch.setattr(distributed, "Client", Client)
    with pytest.raises(Refused, match=r"the Dask cluster at .* gave up"):
        list(Jobs(cluster=cluster).over(times, 2, range(50), tmp_path))


@pytest.mark.dask
def test_a_scheduler_that_is_not_there_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpus.io.parallel.REACH_S", 0.2)
    with pytest.raises(Refused, match=r"no Dask scheduler at tcp://127\.0\.0\.1:9"):
        list(Jobs(cluster="tcp://127.0.0.1:9").over(times, 1, [1], tmp_path))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar() -> None:
    with counting(err := Terminal(), "files", 4) as tell:
        for done in range(1, 5):
            tell(done)
    steps = [int(found) for found in re.findall(r"files  \[[#-]+\]  (\d)/4", err.getvalue())]
    assert (steps, steps[-1]) == (sorted(steps), 4)


def test_nobody_is_told_how_much_time_is_left_before_that_can_be_known() -> None:
    err, clock = io.StringIO(), iter(float(40 * step) for step in range(40))
    with counting(err, "files", 100, lambda: next(clock)) as tell:
        tell(1)
        tell(2)
    assert err.getvalue() == "1 of 100 files, 1 %\n2 of 100 files, 2 %, 130:40 left\n"


def test_short_work_says_nothing_in_a_file() -> None:
    with counting(err := io.StringIO(), "files", 2, lambda: 0.0) as tell:
        tell(1)
    assert err.getvalue() == ""


def test_a_withdrawal_tells_how_far_it_has_come(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(corpus, tmp_path / "corpus")
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0)
    err = io.StringIO()
    rebuild(tmp_path / "corpus", removal_from(Corpus(tmp_path / "corpus"), "8k1", "2026-11-22"), err)
    last = err.getvalue().splitlines()[-1]
    assert (count := re.match(r"(\d+) of (\d+) files taken over, 100 %", last))
    assert count[1] == count[2]


def test_all_that_makes_another_directory_tells_how_much_time_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = str(corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"), session_of("bbn", "8k2", "m", 2)))
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0)
    errs = [io.StringIO() for _ in range(5)]
    merged, bag, grids, kaldi = (str(tmp_path / name) for name in ("merged", "bag", "grids", "kaldi"))
    assert merge_command(MergeOptions([root], merged, jobs=1), io.StringIO(), errs[0]) == 0
    for err, form, target in zip(errs[1:], ("bagit", "textgrid", "kaldi"), (bag, grids, kaldi), strict=False):
        assert export_command(ExportRequest(root, target, form=form, whole=True, jobs=1), io.StringIO(), err) == 0
    assert holdout_command(root, HoldoutOptions(release=str(tmp_path / "part")), io.StringIO(), errs[4], 1) == 0
    for err in errs:
        output = [
            line for line in err.getvalue().splitlines() if re.match(r"\d+ (of|files)", line) and " files" in line
        ]
        assert output
        assert all(re.fullmatch(r"\d+ of \d+ files, (\d\d?|100) %(, \d+:\d\d left)?", line) for line in output), output
        assert output[-1].endswith(", 0:00 left")


def test_what_a_reader_refuses_in_another_process_is_refused_here(corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus, tmp_path / "corpus")
    (tmp_path / "corpus" / SRO).write_text("flights 7\n", "utf-8")
    err = io.StringIO()
    assert stats_command(StatsOptions(str(tmp_path / "corpus"), jobs=2), io.StringIO(), err) == 2
    assert err.getvalue().startswith(f"{SRO}:1: column 9: digits in '7'; write numbers in words")


def test_the_parts_of_a_corpus_hold_its_subject_scenarios_once(corpus: Path) -> None:
    whole = Corpus(corpus)
    parts = [Corpus(corpus, part) for part in whole.parts(4)]
    assert [len(part.logs) for part in parts] == [4, 2]
    assert tuple(log for part in parts for log in part.logs) == whole.logs
