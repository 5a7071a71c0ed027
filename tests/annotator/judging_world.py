"""A corpus of a few dialogues, and the people who judge them."""

import io
from pathlib import Path
from typing import Any

from annotator import judge_command
from annotator.judging.rating import Rating
from annotator.judging.rubric import load_rubric
from corpus.dataset.reader import Corpus
from session.annotation.store import Work, work_path
from tests.annotator.desk import HandClock
from tests.corpus.corpora import corpus_of, session_of

RUBRIC = load_rubric()


class Hall:
    """A corpus of six dialogues and its judgements."""

    def __init__(self, folder: Path) -> None:
        scripts = [session_of("bbn", f"8k{n}", number=n) for n in (1, 2, 3)]
        self.root = corpus_of(folder / "corpus", *scripts)
        self.work, self.clock = Work(work_path(self.root)), HandClock()

    def rater(self, name: str, ruling: bool = False) -> Rating:
        return Rating(Corpus(self.root), self.work, name, self.clock, RUBRIC, ruling=ruling)

    def run(self, **given: Any) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        status = judge_command.judge_command(judge_command.JudgeOptions(str(self.root), **given), out, err)
        return status, out.getvalue(), err.getvalue()
