"""Raters' judgements of whole dialogues, as released with the dialogues: by rater, under a number instead of the name.

Only what a rater has finished goes out, rulings among it, and of it only what is said of a reply that goes out too: where the
replies of a blind test are left out, so is what is known about them. Notes in free text stay in the lab.
"""

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

import msgspec

from session.annotation.judged import JUDGING_RULING, Judged, JudgingStream, fold
from session.annotation.store import Work

RULING = "ruling"


class TurnJudgement(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rater's word on one reply, in the codes of the rubric; `lost` are the turns that an error cost."""

    rater: str
    request: str
    response: str
    verdict: str = ""
    noticed: str = ""
    lost: int = 0


class ScenarioJudgement(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rater's word on the dialogue as a whole, by the rubric of this version."""

    rater: str
    rubric: str
    finished: str
    solution: str


class RatedDialogue(msgspec.Struct, frozen=True):
    """One rater's finished judgements of one dialogue."""

    rater: str
    judged: Judged

    def of_turn(self, number: int) -> Iterable[TurnJudgement]:
        """Yield the judgement of a turn, if there is one."""
        if said := self.judged.turns.get(number):
            yield TurnJudgement(self.rater, said.request, said.response, said.verdict, said.noticed, said.lost)

    def of_whole(self) -> Iterable[ScenarioJudgement]:
        """Yield the judgement of the whole, if there is one."""
        if said := self.judged.scenario:
            yield ScenarioJudgement(self.rater, self.judged.rubric, said.finished, said.solution)


def rated_in(works: Iterable[Path]) -> Mapping[str, tuple[RatedDialogue, ...]]:
    """Return what is finished in files of later work, by the take of the dialogue's first utterance; raises what `Store` raises.

    Raters are numbered by their names, the same over all dialogues."""
    found: dict[JudgingStream, Judged] = {}
    for path in works:
        with closing(Work(path)) as work:
            wanted = {name: one for name in work.lengths() if (one := JudgingStream.parse(name))}
            for name, facts in work.read_many(list(wanted)):
                judged = fold(facts)
                stream = wanted[name]
                if (judged.done or stream.kind == JUDGING_RULING) and not judged.erased:
                    found[stream] = judged
    names = sorted({judged.by for stream, judged in found.items() if stream.kind != JUDGING_RULING})
    raters = {name: f"rater {number}" for number, name in enumerate(names, start=1)}
    rated: dict[str, list[RatedDialogue]] = {}
    for stream, judged in found.items():
        who = RULING if stream.kind == JUDGING_RULING else raters[judged.by]
        rated.setdefault(stream.take, []).append(RatedDialogue(who, judged))
    return {take: tuple(sorted(ones, key=lambda one: one.rater)) for take, ones in rated.items()}
