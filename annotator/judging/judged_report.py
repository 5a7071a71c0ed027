"""One report over dialogues: timing, judgements, questionnaires and the Comparator, by system, condition and scenario.

A declared solution that raters hold to be wrong is not a solution: its time is censored like that of a dialogue that was
given up, so that a system that misleads people does not look fast. Where Comparator and raters contradict each other, the
principles decide, and every such turn is listed.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from annotator.annotation.annotation_release import path_of
from annotator.judging.combined import CombinedDialogue, CombinedTurn
from annotator.judging.rubric import Rubric
from corpus.analysis.distribution import survival_median, wilson
from corpus.analysis.turns import Course, courses
from corpus.dataset.reader import Corpus
from corpus.formats import layout
from corpus.formats.cas import CasError, parse
from corpus.formats.errors import FormatFault
from evaluation.comparator.answer_input import explanations
from evaluation.comparator.comparison import InputFault, Verdict, compare
from evaluation.comparator.options import Options
from session.values.sanitize import one_line

GROUPS = ("system", "condition", "scenario")


class DialogueRow(msgspec.Struct, frozen=True):
    """One subject-scenario with everything that is known of it: the unit of end-to-end evaluation."""

    dialogue: str
    system: str
    condition: str
    scenario: str
    outcome: str
    time_s: float
    solved_s: float | None
    reply_s: float | None
    turns: int
    judged: int
    right: int
    errors: int
    helpful: int
    solution: str
    raters: int
    minutes: float
    compared: int
    compared_right: int
    answers: Mapping[str, str]

    @property
    def censored(self) -> bool:
        """Return whether it is only known that the time to a right solution is longer than `time_s`."""
        return self.solved_s is None


class ComparedAnswer(NamedTuple):
    """The Comparator's verdict on an answer, and why where it is wrong."""

    verdict: Verdict
    why: str = ""


class Conflict(msgspec.Struct, frozen=True):
    """A turn of which Comparator and raters say contrary things."""

    utterance: str
    comparator: str
    raters: str
    why: str = ""


def comparator_verdicts(corpus: Corpus) -> dict[str, ComparedAnswer]:
    """The Comparator's verdict on what was answered, by utterance, where the corpus has both a draft and a reference. By the
    minimal answers alone: a table made for a person shows more columns than were asked for."""
    found: dict[str, ComparedAnswer] = {}
    files = corpus.manifest.files
    for path in files:
        if not path.startswith(f"{layout.DRAFTS}/"):
            continue
        stem = path.rpartition("/")[2].partition(".")[0]
        minimal = path_of(stem, "ref")
        if minimal not in files:
            continue
        try:
            reference, answer = parse(corpus.read(minimal).decode()), parse(corpus.read(path).decode())
            compared = compare(reference, answer)
            reasons = explanations(compared, reference, answer, None, Options())
            found[stem] = ComparedAnswer(compared.verdict, "; ".join(reason.text() for reason in reasons))
        except (CasError, InputFault, FormatFault, UnicodeDecodeError):
            continue
    return found


def rows_of(
    corpus: Corpus, found: Sequence[CombinedDialogue], rubric: Rubric, verdicts: Mapping[str, ComparedAnswer]
) -> list[DialogueRow]:
    """A row for every subject-scenario of a corpus, judged or not."""
    judged = {one.dialogue: one for one in found}
    return [_row(course, judged.get(course.stem), verdicts, rubric) for course in courses(corpus)]


def _row(
    course: Course, one: CombinedDialogue | None, verdicts: Mapping[str, ComparedAnswer], rubric: Rubric
) -> DialogueRow:
    head = course.header
    turns = one.turns if one is not None else ()
    wrong = one is not None and one.solution not in ("right", "open")
    replies = [turn.stage("reply") for turn in course.turns]
    known = sorted(seconds for seconds in replies if seconds is not None)
    own = [verdicts[turn.stem] for turn in course.turns if turn.stem in verdicts]
    return DialogueRow(
        dialogue=course.stem, system=f"{head.get('Site', '')} {head.get('Profile', '')}".strip(),
        condition=head.get("Condition", ""), scenario=head.get("Scenario", ""), outcome=course.outcome,
        time_s=course.time_s, solved_s=None if wrong else course.declared_s,
        reply_s=known[len(known) // 2] if known else None, turns=len(course.turns), judged=len(turns),
        right=sum(turn.verdict == "correct" or overruled(turn, verdicts, rubric) for turn in turns),
        errors=sum(rubric.is_error(turn.verdict) and not overruled(turn, verdicts, rubric) for turn in turns),
        helpful=sum(turn.verdict == "appropriate" for turn in turns),
        solution=one.solution if one is not None else "", raters=one.raters if one is not None else 0,
        minutes=one.minutes if one is not None else 0.0, compared=len(own),
        compared_right=sum(said.verdict is Verdict.CORRECT for said in own),
        answers={item: said for form in course.forms for item, said in form.answers},
    )  # fmt: skip


def overruled(turn: CombinedTurn, verdicts: Mapping[str, ComparedAnswer], rubric: Rubric) -> bool:
    """Return whether raters call an answer wrong that is right by the principles: it counts as right (MADCOW 1993, section 4)."""
    said = verdicts.get(turn.utterance)
    correct = said is not None and said.verdict is Verdict.CORRECT
    return turn.response == "answer" and rubric.is_error(turn.verdict) and correct


def conflicts(verdicts: Mapping[str, ComparedAnswer], turns: Iterable[CombinedTurn], rubric: Rubric) -> list[Conflict]:
    """The turns over which Comparator and raters contradict each other, those first that are right by the principles: what these
    allow is not to be called wrong."""
    found = []
    for turn in turns:
        said = verdicts.get(turn.utterance)
        if turn.response != "answer" or said is None:
            continue
        if overruled(turn, verdicts, rubric) or (said.verdict is Verdict.INCORRECT and turn.verdict == "correct"):
            found.append(Conflict(turn.utterance, str(said.verdict), turn.verdict, said.why))
    return sorted(found, key=lambda one: one.comparator != Verdict.CORRECT)


def grouped(rows: Sequence[DialogueRow], by: str) -> list[str]:
    """A line for each system, condition or scenario: how many, solved rightly, time with censoring, responses, errors."""
    groups: dict[str, list[DialogueRow]] = {}
    for row in rows:
        groups.setdefault(getattr(row, by) or "(none)", []).append(row)
    header = f"{by:<28} dialogues  right  median min  reply s  turns  judged  correct  errors  helpful  comparator"
    return [header, *(_line(name, own, by) for name, own in sorted(groups.items()))]


def _line(name: str, own: Sequence[DialogueRow], by: str) -> str:
    solved = survival_median((row.time_s if row.solved_s is None else row.solved_s, row.censored) for row in own)
    replies = sorted(row.reply_s for row in own if row.reply_s is not None)
    right = sum(row.solution == "right" for row in own)
    rated = sum(row.raters > 0 for row in own)
    turns, judged = sum(row.turns for row in own), sum(row.judged for row in own)
    compared = sum(row.compared for row in own)
    hard = _difficulty(right, rated) if by == "scenario" and rated else ""
    cells = (
        f"{len(own):9}", f"{f'{right}/{rated}':>5}", f"{'–' if solved is None else f'{solved / 60:.1f}':>10}",
        f"{f'{replies[len(replies) // 2]:.1f}' if replies else '–':>7}", f"{turns:5}", f"{judged:6}",
        f"{sum(row.right for row in own):7}", f"{sum(row.errors for row in own):6}",
        f"{sum(row.helpful for row in own):7}", f"{f'{sum(row.compared_right for row in own)}/{compared}':>10}",
    )  # fmt: skip
    return f"{name[:28]:<28} " + "  ".join(cells) + hard


def _difficulty(right: int, rated: int) -> str:
    """Return how many did not solve a scenario, in per cent with its interval, and that nobody did."""
    low, high = wilson(1 - right / rated, rated)
    share = f"  unsolved {100 * (1 - right / rated):.0f} % ({100 * low:.0f} to {100 * high:.0f})"
    return share + ("" if right else ": nobody solved it")


def questionnaire_lines(rows: Sequence[DialogueRow]) -> list[str]:
    """Return how often each answer was given to each item of the questionnaires, by condition."""
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for row in rows:
        for item, said in row.answers.items():
            own = counts.setdefault((item, row.condition or "(none)"), {})
            own[said] = own.get(said, 0) + 1
    return [
        f"{one_line(item)}, {condition}: "
        + ", ".join(f"{one_line(said) or '(nothing)'} ×{count}" for said, count in sorted(own.items()))
        for (item, condition), own in sorted(counts.items())
    ]


def report(
    rows: Sequence[DialogueRow], found: Sequence[Conflict], cross: Mapping[tuple[str, str], int], cost: str
) -> list[str]:
    """The whole report in lines."""
    lines = [line for by in GROUPS for line in (*grouped(rows, by), "")]
    censored = sum(row.censored for row in rows)
    lines.append(f"{censored} of {len(rows)} times are censored: not solved, or solved wrongly as raters have it")
    lines += ["", "Comparator against raters (answers alone):"]
    lines += [f"  {said}, {rated}: {count}" for (said, rated), count in sorted(cross.items())] or ["  no turn has both"]
    lines += [
        f"  conflict at {one.utterance}: the Comparator says {one.comparator}, raters say {one.raters}; "
        + ("right by the principles, and counted as right" if one.comparator == Verdict.CORRECT else one_line(one.why))
        for one in found
    ]
    filled = [f"  {line}" for line in questionnaire_lines(rows)] or ["  nobody filled one in"]
    return [*lines, "", "Questionnaires:", *filled, "", cost]


def cross_table(verdicts: Mapping[str, ComparedAnswer], turns: Iterable[CombinedTurn]) -> dict[tuple[str, str], int]:
    """Return how often what the Comparator says meets what raters say."""
    found: dict[tuple[str, str], int] = {}
    for turn in turns:
        if turn.response == "answer" and turn.utterance in verdicts:
            key = str(verdicts[turn.utterance].verdict), turn.verdict or "open"
            found[key] = found.get(key, 0) + 1
    return found
