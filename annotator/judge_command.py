"""`curtain judge`: the judging desk for the dialogues of a corpus, and reports on the judgements."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from annotator.annotation.annotation_list import judging_order
from annotator.app import JudgingApp
from annotator.judging import judged_report, work_list
from annotator.judging.browsing import Browsing
from annotator.judging.combined import (
    CombinedDialogue,
    Judgements,
    Method,
    agreements,
    combined,
    error_cost,
    judgements,
    reliability,
    scores,
)
from annotator.judging.rating import Rating, adopt_rubric, assign
from annotator.judging.rubric import SHIPPED, Rubric, RubricFault, document, load_rubric
from annotator.opening import on_a_terminal, opened_work, playing
from annotator.rules import NotNow
from annotator.user_names import bare, named
from corpus.dataset.reader import Corpus
from corpus.formats.errors import FormatFault, message_of
from desk.theme import theme_for
from evaluation.agreement.coefficients import table_of
from session.annotation.judged import RATERS
from session.annotation.judgement_facts import RatersAssigned
from session.annotation.store import Work, work_path
from session.gc_pauses import settle
from session.store.event_store import UNREADABLE
from session.values.clock import Clock, SystemClock, stamp
from session.values.names import ulid
from session.values.sanitize import inert

WEIGHT = 2.0
"""Customary cost of a wrong answer (MADCOW 1992)."""


class JudgeOptions(msgspec.Struct, frozen=True):
    """Options of `judge_command`, as `curtain judge --help` has them."""

    directory: str
    person: str = ""
    work: str = ""
    rubric: str = ""
    raters: str = ""
    each: int = 3
    seed: int = 1
    adjudicate: bool = False
    browse: bool = False
    show: str = ""
    combine: str = Method.MAJORITY.value
    only: str = ""
    search: str = ""
    loudspeaker: str | None = None
    theme: str = "dark"


def judge_command(given: JudgeOptions, out: TextIO, err: TextIO) -> int:
    """Assign raters, print what was asked for, and else open the desk; 2 where something is at fault."""
    work: Work | None = None
    try:
        corpus = Corpus(Path(given.directory))
        rubric = load_rubric(Path(given.rubric) if given.rubric else SHIPPED)
        work = opened_work(given.work or work_path(corpus.root))
        clock = SystemClock(f"judging-{ulid(0)[-8:]}")
        if given.raters:
            _assign(given, corpus, work, clock, out)
        if given.show:
            lines = _shown(given, corpus, work, rubric)
            out.write("".join(f"{inert(line, newlines='space')}\n" for line in lines))
        if not (given.raters or given.show):
            _desk(given, corpus, work, clock, rubric)
    except (FormatFault, RubricFault, NotNow, *UNREADABLE, OSError, ValueError) as error:
        err.write(f"{message_of(error)}\n")
        return 2
    finally:
        if work is not None:
            work.close()
    return 0


def _assign(given: JudgeOptions, corpus: Corpus, work: Work, clock: Clock, out: TextIO) -> None:
    raters = tuple(named(name) for name in given.raters.split(","))
    if len({bare(name) for name in raters}) < len(raters):
        raise ValueError(f"--raters {given.raters}: two of these names are one person's")
    before = work.read(RATERS)
    known = {
        dialogue for fact in before if isinstance(fact.event, RatersAssigned) for dialogue, _ in fact.event.dialogues
    }
    new = [dialogue for dialogue in judging_order(corpus, work) if dialogue not in known]
    pairs = tuple(assign(new, raters, given.each, given.seed))
    if pairs:
        fact = RatersAssigned(raters=raters, each=given.each, seed=given.seed, dialogues=pairs)
        work.append(RATERS, len(before), [fact], stamp(clock), given.person or "the desk")
    out.write("".join(f"{dialogue}\t{rater}\n" for dialogue, rater in pairs))


def _shown(given: JudgeOptions, corpus: Corpus, work: Work, rubric: Rubric) -> Iterable[str]:
    if given.show == "instructions":
        return document(rubric).splitlines()
    found = judgements(corpus, work)
    method = Method(given.combine)
    dialogues = combined(found, method)
    turns = [turn for one in dialogues for turn in one.turns]
    if given.show == "agreement":
        return table_of(agreements(found, given.seed))
    if given.show == "scores":
        trusted = [
            f"{rater}: right {100 * share:.0f} % of the time, by the model"
            for rater, share in reliability(found).items()
        ]
        cost = _cost(dialogues, rubric, given.seed)
        return [*scores(dialogues), *(trusted if method is Method.MODEL else ()), cost, *_effort(found)]
    if given.show == "worklist":
        return work_list.as_csv(_items(given, corpus, dialogues, rubric)).split("\n")[:-1]
    verdicts = judged_report.comparator_verdicts(corpus)
    rows = judged_report.rows_of(corpus, dialogues, rubric, verdicts)
    if given.show == "json":
        return [msgspec.json.encode(one).decode() for one in rows]
    return judged_report.report(
        rows,
        judged_report.conflicts(verdicts, turns, rubric),
        judged_report.cross_table(verdicts, turns),
        _cost(dialogues, rubric, given.seed),
    )


def _cost(dialogues: Iterable[CombinedDialogue], rubric: Rubric, seed: int) -> str:
    cost = error_cost(dialogues, rubric, seed)
    if not cost.errors:
        return f"no wrong answer was judged, so its cost is unknown (customary weight {WEIGHT:g})"
    return (
        f"a wrong answer costs {cost.weight} turns, no answer costing 1 (customary weight {WEIGHT:g}); "
        f"{cost.noticed} of {cost.errors} were noticed before the next request"
    )


def _effort(found: Judgements) -> list[str]:
    """The minutes that each rater took for a dialogue."""
    sums: dict[str, list[float]] = {}
    for said in found.by_dialogue.values():
        for rater, one in said.items():
            sums.setdefault(rater, []).append(one.worked / 60e9)
    return [
        f"{rater}: {len(took)} dialogues, {sum(took) / len(took):.1f} minutes each"
        for rater, took in sorted(sums.items())
    ]


def _items(
    given: JudgeOptions, corpus: Corpus, dialogues: Sequence[CombinedDialogue], rubric: Rubric
) -> Iterator[work_list.WorkItem]:
    if given.only not in ("", *work_list.KINDS):
        raise ValueError(f"--only {given.only!r} is not a kind of failure: {', '.join(work_list.KINDS)}")
    return work_list.work_list(corpus, dialogues, rubric, given.only, given.search)


def _browsing(given: JudgeOptions, corpus: Corpus, work: Work, clock: Clock, rubric: Rubric) -> Browsing:
    found = judgements(corpus, work)
    items = list(_items(given, corpus, combined(found, Method(given.combine)), rubric))
    if not items:
        raise ValueError("no turn has failed in that way")
    return Browsing(corpus, work, given.person or "developer", clock, rubric, items, found)


def _desk(given: JudgeOptions, corpus: Corpus, work: Work, clock: Clock, rubric: Rubric) -> None:
    desk: Rating
    if given.browse:
        desk = _browsing(given, corpus, work, clock, rubric)
    elif not given.person:
        raise ValueError("name the rater: --person NAME")
    else:
        adopt_rubric(work, rubric, clock, given.person)
        desk = Rating(corpus, work, given.person, clock, rubric, ruling=given.adjudicate)
    first = desk.first()
    on_a_terminal()
    with playing(given.loudspeaker, work_path(corpus.root)) as (player, notice):
        settle()
        JudgingApp(desk, player, first, notice=notice, theme=theme_for(os.environ, given.theme)).run()
