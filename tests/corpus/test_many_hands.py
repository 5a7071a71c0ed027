"""What several processes or a cluster write has the bytes that one process writes, whatever happens on the way."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.commands.rename import RenameOptions, rename_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.export.source import Collected
from corpus.io.parallel import Jobs
from corpus.io.staging import Stopped, partial_of
from corpus.packages.package_writer import contents_of
from corpus.packages.writers import write_package
from corpus.release.draw import volumes_of
from corpus.release.utterance_status import RELEASE
from curtain import main
from session.values.clock import ManualClock
from tests import ROOT
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.interruptions import bytes_of, interrupted, scripts
from tests.corpus.packages.packed import WRITABLE, toy_database
from tests.corpus.sessions import MemorySource, whole_session
from tests.corpus.studies import fill, made_study

AT_ONCE = {"export", "holdout", "merge", "receive", "release", "rename", "report", "stats", "verify"}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = made_study(tmp_path_factory.mktemp("hands") / "study")
    for day, speaker in enumerate(("8k8", "8k9", "8ka")):
        fill(folder, whole_session(f"bbn-2026112{day}-1", speaker, 0.2))
    (folder / "recordings/bbn-20261121-1/8k9A1.s.pcm").write_bytes(b"not what was sealed")
    return folder


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("sites")
    return [
        corpus_of(
            root / "bbn", session_of("bbn", "8k1"), session_of("bbn", "8k2", "m", 2), session_of("bbn", "8k3", "f", 3)
        ),
        corpus_of(root / "cmu", session_of("cmu", "9a1")),
    ]


def exported(study: Path, target: Path, form: str = "sphere", **jobs: Any) -> str:
    err = io.StringIO()
    request = ExportRequest(str(study), str(target), form, form == "sphere", whole=form != "sphere", **jobs)
    assert export_command(request, io.StringIO(), err) == 1, err.getvalue()
    return err.getvalue()


def all_of_it(study: Path, sites: list[Path], here: Path, **jobs: Any) -> list[str]:
    """Everything that makes a directory, into `here`, and what was said of it."""
    apart = here / "study"  # where no assignments of the sites lie
    apart.mkdir(parents=True)
    printed = [exported(study, apart / "corpus", **jobs), exported(study, apart / "kaldi", "kaldi", **jobs)]
    out, err = io.StringIO(), io.StringIO()
    call = HoldoutOptions("1", str(here / "sets.json"), str(here / RELEASE), str(here / "pool"))
    assert holdout_command(str(sites[0]), call, out, err, **jobs) == 0, err.getvalue()
    printed += [out.getvalue(), err.getvalue(), merged(sites, here / "merged", **jobs)]
    printed.append(renamed(sites[0], here / "new/bbn", **jobs))
    return [line.replace(str(here), "HERE") for line in printed]


def merged(sites: list[Path], target: Path, **jobs: Any) -> str:
    out, err = io.StringIO(), io.StringIO()
    call = MergeOptions([str(site) for site in sites], str(target), **jobs)
    assert merge_command(call, out, err) in (0, 1)
    return out.getvalue() + err.getvalue()


def renamed(site: Path, target: Path, **jobs: Any) -> str:
    target.parent.mkdir()
    out, err = io.StringIO(), io.StringIO()
    call = RenameOptions(str(site), str(target), ["8k2=8p2"], **jobs)
    assert rename_command(call, ManualClock(), out, err) == 0, err.getvalue()
    return out.getvalue() + err.getvalue()


def test_two_processes_export_merge_and_rename_the_same_bytes(study: Path, sites: list[Path], tmp_path: Path) -> None:
    printed = []
    for jobs in (1, 2):
        here = tmp_path / str(jobs)
        here.mkdir()
        runs = exported(study, here / "corpus", jobs=jobs), merged(sites, here / "merged", jobs=jobs)
        runs = *runs, renamed(sites[0], here / "new/bbn", jobs=jobs)  # type: ignore[assignment]
        printed.append([text.replace(str(here), "HERE").partition("finished transcription")[0] for text in runs])
    assert "samples are not held, or are not those that were recorded" in printed[0][0]
    assert printed[0] == printed[1]
    one, other = bytes_of(tmp_path / "1"), bytes_of(tmp_path / "2")
    assert len(one) > 100
    assert other == one


@pytest.mark.dask
def test_a_cluster_writes_the_same_bytes(study: Path, sites: list[Path], tmp_path: Path, cluster: str) -> None:
    alone, there = (all_of_it(study, sites, tmp_path / name, cluster=at) for name, at in (("1", ""), ("2", cluster)))
    assert there == alone
    assert bytes_of(tmp_path / "2") == bytes_of(tmp_path / "1")
    for form in WRITABLE:
        for jobs in (Jobs(), Jobs(cluster=cluster)):
            contents = contents_of(Corpus(sites[0]), jobs, database=lambda _: toy_database(tmp_path))
            write_package(contents, tmp_path / f"{form}{bool(jobs.cluster)}", form)
        assert bytes_of(tmp_path / f"{form}True") == bytes_of(tmp_path / f"{form}False")
    assert volumes_of(Corpus(sites[0]), jobs=Jobs(cluster=cluster)) == volumes_of(Corpus(sites[0]))


def test_two_processes_go_on_where_one_was_interrupted(tmp_path: Path) -> None:
    interrupted(tmp_path / "corpus")
    kept = {path.name: path.stat().st_ino for path in partial_of(tmp_path / "corpus").rglob("8k1*.wav")}
    export(MemorySource(*scripts()), tmp_path / "corpus", jobs=Jobs(2))
    export(MemorySource(*scripts()), tmp_path / "whole")
    assert bytes_of(tmp_path / "corpus") == bytes_of(tmp_path / "whole")
    assert kept
    assert {path.name: path.stat().st_ino for path in (tmp_path / "corpus").rglob("8k1*.wav")} == kept


class Deadly(MemorySource):
    """Ends whatever process asks it for the samples of the third session."""

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        return super().pcm(session, take, letter) if session != "bbn-20261122-1" else os._exit(9)


def test_when_a_process_is_lost_what_was_written_stays_for_the_next_attempt(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match="one of 2 processes was ended from outside"):
        export(Deadly(*scripts()), tmp_path / "corpus", jobs=Jobs(2))
    assert partial_of(tmp_path / "corpus").is_dir()
    export(MemorySource(*scripts()), tmp_path / "corpus")
    export(MemorySource(*scripts()), tmp_path / "whole")
    assert bytes_of(tmp_path / "corpus") == bytes_of(tmp_path / "whole")


class Stale(MemorySource):
    """In another process it sees the second session without its end, as a store on a shared disk may for a moment."""

    here = os.getpid()

    def head(self, name: str) -> str:
        return super().head(name) if os.getpid() == self.here or name != "bbn-20261121-1" else "00" * 32

    def collected(self, name: str) -> Collected:
        found = super().collected(name)
        whole = found.head == super().head(name)
        return found if whole else Collected(name, found.facts[: len(found.facts) // 2], found.head)

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "here": self.here}


def test_a_session_that_another_process_sees_otherwise_is_made_here(tmp_path: Path) -> None:
    export(Stale(*scripts()), tmp_path / "corpus", jobs=Jobs(2))
    export(MemorySource(*scripts()), tmp_path / "whole")
    assert bytes_of(tmp_path / "corpus") == bytes_of(tmp_path / "whole")


def test_processes_end_with_the_one_that_they_work_for() -> None:
    play = (
        "import signal; from pathlib import Path\n"
        "from corpus.io.parallel import Jobs; from tests.corpus.io.test_parallel import times\n"
        "if __name__ == '__main__':\n"
        "    results = Jobs(2).over(times, 1, range(90), Path())\n"
        "    print(next(results), flush=True)\n"
        "    signal.pause()\n"
    )
    # The processes have the same standard output: it ends when the last of them has.
    with subprocess.Popen([sys.executable, "-c", play], cwd=ROOT, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"0\n"
        running.send_signal(signal.SIGKILL)
        assert running.communicate(timeout=300)[0] == b""


@pytest.mark.parametrize("name", ["verify", "stats", "report"])
def test_an_interrupt_ends_what_only_reads_without_a_verdict(
    sites: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    for place in ("corpus.verify.verify.corpus_wide.after", "corpus.commands.report.figures_of"):
        monkeypatch.setattr(place, interrupt)
    page = tmp_path / "page.html"
    done = CliRunner().invoke(main, [name, str(sites[1]), *(["--out", str(page)] if name == "report" else [])])
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_the_options_are_the_same_wherever_there_is_work_to_share() -> None:
    context, printed = click.Context(main), dict[str, set[str]]()
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        shared = {
            str(param.help)
            for param in command.params
            if isinstance(param, click.Option) and param.name in ("jobs", "cluster")
        }
        if shared:
            printed[name] = shared
    assert set(printed) == AT_ONCE
    assert len({frozenset(lines) for lines in printed.values()}) == 1
