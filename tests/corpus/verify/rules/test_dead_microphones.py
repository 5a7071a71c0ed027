"""One dead microphone is told once."""

from pathlib import Path

import numpy as np

from corpus.verify.rules.findings import Finding
from corpus.verify.verify import verify
from tests.corpus.verify.broken import Corpus, good_corpus


def silent(root: Path) -> list[Finding]:
    return [finding for finding in verify(root).findings if finding.rule == "wave.silent"]


def test_a_microphone_that_was_dead_a_whole_session_long_is_one_finding_and_else_each_waveform_is(
    tmp_path: Path,
) -> None:
    corpus = Corpus(good_corpus(tmp_path / "corpus").root)
    waves = sorted(path.relative_to(corpus.root).as_posix() for path in corpus.root.glob("spon/8k8/*/*s.wav"))
    *others, last = waves
    for path in others:
        corpus.samples(path, np.zeros_like)
    assert [finding.path for finding in silent(corpus.root)] == others
    corpus.samples(last, np.zeros_like)
    (found,) = silent(corpus.root)
    session = corpus.manifest().sessions[0].session
    assert found.path == "spon/8k8"
    assert found.message == f"all {len(waves)} waveforms of session {session} by microphone s are silent"
