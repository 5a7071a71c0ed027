"""Initial data, `.log`, `.wav`, `.sro` and the table of speakers alone, work with every command as a whole corpus does."""

import io
from pathlib import Path

import pytest

from corpus.commands.rename import RenameOptions, rename_command
from corpus.commands.report import ReportOptions, report_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from evaluation.commands.score import ScoreOptions, score_command
from session.values.clock import SystemClock
from tests.corpus.centre.world import answered, initial
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.packages.packed import WRITABLE, pack


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("initial")
    whole = corpus_of(folder / "whole", session_of("bbn", "8k1", "f", 1, 0.1), session_of("cmu", "9a1", "m", 2, 0.1))
    return initial(whole, folder / "data")


@pytest.mark.parametrize("form", WRITABLE)
def test_every_format_is_written_of_initial_data(data: Path, tmp_path: Path, form: str) -> None:
    made = pack(data, tmp_path / "made", form)
    assert sum(path.is_file() for path in made.rglob("*")) > 2
    if form == "bagit":
        assert verify(made / "data").count(Severity.ERROR) == 0
        assert Corpus(made / "data").sessions == Corpus(data).sessions


def test_commands_that_change_or_tell_take_initial_data(data: Path, tmp_path: Path) -> None:
    out, err, clock = io.StringIO(), io.StringIO(), SystemClock("test")
    assert report_command(ReportOptions(str(data), str(tmp_path / "page.html")), out, err) == 0
    renamed = RenameOptions(str(data), str(tmp_path / "renamed"), ("8k1=8k7",))
    assert rename_command(renamed, clock, out, err) == 0, err.getvalue()
    assert {*Corpus(tmp_path / "renamed").speakers()} == {"8k7", "9a1"}
    assert withdraw_command(str(tmp_path / "renamed"), WithdrawOptions("9a1"), clock, out, err) == 1
    assert f"{data} still holds 9a1" in err.getvalue()
    assert {*Corpus(tmp_path / "renamed").speakers()} == {"8k7"}


def test_references_beside_initial_data_are_scored(data: Path, tmp_path: Path) -> None:
    """A release with its annotations and no manifest, as a site takes it home."""
    for path, text in answered("8k1").items():
        (data / path).write_bytes(text)
    (tmp_path / "sys.cas").write_text("8k1011sx ((101) (102))\n")
    out, err = io.StringIO(), io.StringIO()
    options = ScoreOptions(references=str(data), hypotheses=(str(tmp_path / "sys.cas"),))
    status = score_command(options, out, err)
    assert (status, err.getvalue(), "A+D    1      1      0" in out.getvalue()) == (0, "", True), out.getvalue()
