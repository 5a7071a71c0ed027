"""Hypotheses out of a file."""

from pathlib import Path

import pytest

from operators.recognition.recogniser import EngineTroubleError, MissingEngineError
from operators.recognition.recorded_hypotheses import ReplayRecogniser
from session.values.hypotheses import Hypothesis


def test_a_trn_gives_the_words_of_each_utterance_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "hyp.trn"
    path.write_text("SHOW ME FLIGHTS (8k1-8k1011sx)\n(8k1-8k1021sx)\n", encoding="utf-8")
    engine = ReplayRecogniser(path)
    assert engine.begin(16_000, "8k1011sx").finish() == (Hypothesis("show me flights"),)
    assert engine.begin(16_000, "8k1021sx").finish() == (Hypothesis(""),)
    with pytest.raises(EngineTroubleError, match="has no utterance 8k1031sx"):
        engine.begin(16_000, "8k1031sx").finish()


def test_without_names_the_lines_come_in_their_order_and_then_no_more(tmp_path: Path) -> None:
    path = tmp_path / "hyp.jsonl"
    path.write_text(
        '{"utterance": "b", "hypotheses": [{"text": "two", "confidence": 0.5}, {"text": "to"}]}\n\n'
        '{"utterance": "a", "hypotheses": []}\n',
        encoding="utf-8",
    )
    engine = ReplayRecogniser(path)
    assert engine.begin(16_000).finish() == (Hypothesis("two", 0.5), Hypothesis("to"))
    assert engine.begin(16_000).finish() == ()
    with pytest.raises(EngineTroubleError, match="no further utterance"):
        engine.begin(16_000).finish()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("WORDS WITHOUT AN ID\n", "x:1: no id at the end of the line"),
        ("A (1)\nB (1)\n", "x:2: 1 is there twice"),
        ('{"utterance": "a", "hypotheses": []}\n{"utterance": "a", "hypotheses": []}\n', "x:2: a is there twice"),
        ('{"utterance": "a"}\n', "x:1: .*hypotheses.*recognition.md"),
        ('{"utterance": "a", "hypotheses": [{"text": "' + "x" * 3000 + '"}]}\n', "x:1: a hypothesis of 3,000"),
    ],
)
def test_a_file_at_fault_is_named_with_its_line(tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "x").write_text(text, encoding="utf-8")
    with pytest.raises(MissingEngineError, match=line):
        ReplayRecogniser(tmp_path / "x")


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(MissingEngineError, match="cannot be read: No such file"):
        ReplayRecogniser(tmp_path / "nothing")
