"""The commands of evaluation as at a shell: the status, what went to standard output, and what was narrated."""

from collections.abc import Sequence
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

from evaluation.commands.compare import CompareOptions, compare_command
from evaluation.commands.score import ScoreOptions, score_command
from evaluation.references.convert import CasOptions, cas_command
from evaluation.references.make_references import AnswersOptions, answers_command
from evaluation.scoring.lucky_answers import LuckOptions, luck_command

Ended = tuple[int, str, str]
DAY = date(1992, 1, 1)


def answers(place: Path, principles: str, today: date = DAY, **options: Any) -> Ended:
    """`curtain answers` on the corpus in a folder, beside which lie its database and its domain."""
    (database,) = place.glob("*.sqlite")
    corpus, url = str(place / "corpus"), f"sqlite:///{database}"
    options = {"domain": str(place), **options}
    given = AnswersOptions(directory=corpus, database=url, principles=principles, **options)
    out, err = StringIO(), StringIO()
    return answers_command(given, today, out, err), out.getvalue(), err.getvalue()


def compare(reference: str, answer: str, **options: Any) -> Ended:
    """`curtain compare REFERENCE ANSWER`."""
    out, err = StringIO(), StringIO()
    given = CompareOptions(reference=reference, answer=answer, **options)
    return compare_command(given, out, err), out.getvalue(), err.getvalue()


def convert(source: str, **options: Any) -> Ended:
    """`curtain cas SOURCE`."""
    out, err = StringIO(), StringIO()
    return cas_command(CasOptions(source=source, **options), None, out, err), out.getvalue(), err.getvalue()


def luck(database: Path, reference: str, hypothesis: str, **options: Any) -> Ended:
    """`curtain luck DATABASE REFERENCE HYPOTHESIS`."""
    out, err = StringIO(), StringIO()
    given = LuckOptions(database=str(database), reference=reference, hypothesis=hypothesis, **options)
    return luck_command(given, out, err), out.getvalue(), err.getvalue()


def score(references: str, hypotheses: Sequence[str], **options: Any) -> Ended:
    """`curtain score REFERENCES HYPOTHESES…`."""
    out, err = StringIO(), StringIO()
    given = ScoreOptions(references=references, hypotheses=tuple(hypotheses), **options)
    return score_command(given, out, err), out.getvalue(), err.getvalue()


def files(folder: Path, **texts: str) -> dict[str, str]:
    """Write answer lists and the like under `<name>.cas`; their paths by name."""
    for name, text in texts.items():
        (folder / f"{name}.cas").write_text(text)
    return {name: str(folder / f"{name}.cas") for name in texts}
