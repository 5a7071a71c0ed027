"""A corpus from elsewhere leads nobody out of itself, and costs nobody more than its size."""

import io
import os
from pathlib import Path

import pytest

from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.formats import cas
from corpus.formats.cas import CasError
from corpus.formats.errors import LONGEST, FormatFault
from corpus.io import safe_open
from corpus.io.safe_open import read_plain
from corpus.verify.verify import verify
from session.values.clock import ManualClock
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.verify.broken import LOG, ONE, SRO, WAV


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return corpus_of(tmp_path / "corpus", session_of("bbn", "8k8"))


@pytest.fixture
def elsewhere(root: Path, tmp_path: Path) -> Path:
    """The speaker's folder moved out of the corpus, a link in its place."""
    (root / "spon/8k8").rename(tmp_path / "elsewhere")
    (root / "spon/8k8").symlink_to(tmp_path / "elsewhere")
    return tmp_path / "elsewhere"


def test_a_file_that_is_a_link_a_pipe_or_a_folder_is_not_read(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", "utf-8")
    (root / SRO).unlink()
    (root / SRO).symlink_to(tmp_path / "secret")
    with pytest.raises(FormatFault, match=f"{SRO}: a symbolic link"):
        Corpus(root).read(SRO)
    (root / LOG).unlink()
    os.mkfifo(root / LOG)
    with pytest.raises(FormatFault, match="not a plain file"):
        Corpus(root).scenario(LOG)
    with pytest.raises((FormatFault, OSError)):
        read_plain(root, ONE)
    with pytest.raises(OSError, match="No such file"):
        read_plain(root, f"{ONE}/nothing.sro")


def test_a_file_behind_a_link_is_not_read(root: Path, elsewhere: Path) -> None:
    with pytest.raises(FormatFault, match="behind a symbolic link"):
        Corpus(root).read(SRO)


def test_nobody_who_withdraws_takes_files_elsewhere_along(root: Path, elsewhere: Path) -> None:
    before = sorted(path for path in elsewhere.rglob("*"))
    err = io.StringIO()
    assert withdraw_command(str(root), WithdrawOptions("8k8"), ManualClock(), io.StringIO(), err) == 0
    assert sorted(path for path in elsewhere.rglob("*")) == before


def test_a_file_of_gigabytes_of_nothing_is_not_looked_into(root: Path) -> None:
    answer = SRO.replace(".sro", ".ref")
    (root / answer).touch()
    for path, limit in ((WAV, safe_open.LARGEST), (answer, safe_open.LARGEST_ANSWER), (SRO, safe_open.LARGEST_WORDS)):
        os.truncate(root / path, limit + 1)
        with pytest.raises(FormatFault, match=f"{limit + 1} bytes"):
            Corpus(root).read(path)
    unread = [finding for finding in verify(root).findings if finding.rule == "file.unreadable"]
    assert {finding.path for finding in unread} == {WAV, answer, SRO}
    assert all("not looked into" in finding.message for finding in unread)


def test_no_message_is_as_long_as_a_line_may_be(root: Path) -> None:
    (root / SRO).write_text("{" * 200_000, "utf-8")
    (root / SRO).with_suffix(".cat").write_text("{" * 200_000, "utf-8")
    (root / SRO).with_suffix(".ref").write_text("(" * 200_000, "utf-8")
    findings = verify(root).findings
    assert max(len(finding.message) for finding in findings) <= LONGEST + 1
    assert {"sro.form", "cat.form", "ref.form"} <= {finding.rule for finding in findings}
    assert "file.unreadable" not in {finding.rule for finding in findings}


def test_an_answer_may_be_nested_but_not_without_end() -> None:
    assert cas.parse("(((1)) OR " * 50 + "((2))" + ")" * 50)
    with pytest.raises(CasError, match="within one another"):
        cas.parse("(" * 100_000)
