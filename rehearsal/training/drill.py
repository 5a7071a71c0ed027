"""A drill: what a subject says in it and what a wizard should make of that, from the study's play (`rehearsal.script`).

What is right about a reply is told by a reference: the rows of the play's own statement, what an annotator found, or what was
sent when the speech was recorded.
"""

from collections.abc import Callable, Sequence
from itertools import chain

import msgspec

from corpus.formats.cas import Answer, CasError, answer_of
from domain.sandbox.sandbox import Sandbox
from rehearsal.script import Script, ScriptedAct, ScriptedTurn
from rehearsal.speaking_subject import Samples
from session.study.folder import Study
from session.study.settings import Scenario
from session.study.toml_reader import StudyError
from session.values.answers import QueryFailure, Table
from session.values.vocabulary import ScenarioKind, Scope

PLAY = "play"


class DrillReference(msgspec.Struct, frozen=True):
    """Bounds of a right answer: what it has to hold, and may hold at most. One that is not `annotated` is an answer that was good
    enough: another choice of its columns is right as well."""

    minimum: Answer
    maximum: Answer | None = None
    annotated: bool = False


class DrillLine(msgspec.Struct, frozen=True, kw_only=True):
    """One utterance: `speech` names its sound, `said` are its words (empty: nobody has transcribed it). `canned` is the message
    that fits, `scope` the judgement; what nothing tells is not scored."""

    speech: str
    said: str = ""
    discard: bool = False
    reference: DrillReference | None = None
    canned: str = ""
    scope: Scope | None = None


class DrillAct(msgspec.Struct, frozen=True):
    """One scenario and what is said in it; the subject declares `solution` at its end, or gives up."""

    scenario: Scenario
    lines: tuple[DrillLine, ...]
    solution: str = ""


class Drill(msgspec.Struct, frozen=True):
    """A drill of so many scenarios; `sound` gives the speech of a line. Without a `domain` it is one in the study's own."""

    source: str
    acts: tuple[DrillAct, ...]
    sound: Callable[[str], Samples]
    domain: str = ""

    @property
    def turns(self) -> int:
        """The number of utterances that want a reply."""
        return sum(not line.discard for act in self.acts for line in act.lines)

    def under(self, condition: str) -> "Drill":
        """Return the drill as it is held under a condition, which its source names; itself without one."""
        return msgspec.structs.replace(self, source=f"{self.source}, {condition}") if condition else self

    def first(self, turns: int) -> "Drill":
        """Return the drill of the first so many utterances that want a reply; all of them for 0."""
        left, acts = turns or self.turns, list[DrillAct]()
        for act in self.acts:
            lines = list[DrillLine]()
            for line in act.lines:
                if left:
                    lines.append(line)
                    left -= not line.discard
            if lines:
                acts.append(msgspec.structs.replace(act, lines=tuple(lines)))
        return msgspec.structs.replace(self, acts=tuple(acts))


def reference_of(table: Table | None, *, annotated: bool = False) -> DrillReference | None:
    """Return rows as a reference; None if there are none, or an answer cannot hold them."""
    if table is None:
        return None
    try:
        return DrillReference(answer_of(table, mixed_as_strings=True), annotated=annotated)
    except CasError:
        return None


def drill_of_play(
    study: Study,
    script: Script,
    sandbox: Sandbox,
    sound: Callable[[str], Samples],
    statement: Callable[[str], str] = lambda request: "",
) -> Drill:
    """Return the study's play as a drill; `statement` gives the SQL of what the play asks in English, empty if there is none.
    Raises StudyError if the study lacks a scenario of the play."""
    taken: set[str] = set()
    wanted = _Answers(sandbox, statement)
    acts = [_act(study, act, wanted, taken) for act in script.scenario]
    return Drill(PLAY, tuple(acts), sound)


def _act(study: Study, act: ScriptedAct, answers: "_Answers", taken: set[str]) -> DrillAct:
    wanted = [
        scenario
        for scenario in study.scenarios.values()
        if (scenario.common if act.kind == "common" else scenario.kind == act.kind and not scenario.common)
        and scenario.id not in taken
    ]
    if not wanted:
        raise StudyError(
            f"{study.folder / 'scenarios'}: the play needs a scenario of the kind {act.kind}, and there is none; name a session "
            "as --drill"
        )
    found = min(wanted, key=lambda scenario: (scenario.difficulty, scenario.id))
    taken.add(found.id)
    return DrillAct(bound(found, act.bindings), tuple(_line(turn, answers) for turn in act.turn), act.ends.declare)


def bound(scenario: Scenario, bindings: dict[str, str]) -> Scenario:
    """Return the scenario as its subject reads it, as one that counts: practice is numbered like the others in a drill."""
    missing = dict.fromkeys(scenario.unbound(bindings), "…")
    kind = ScenarioKind.PROBLEM if scenario.kind is ScenarioKind.PRACTICE else scenario.kind
    text = scenario.bound({**missing, **bindings})
    return msgspec.structs.replace(scenario, text=text, placeholders={}, kind=kind, solution=None)


class _Answers(msgspec.Struct, frozen=True):
    """The right answers of a drill: those stated in a turn, or the rows of its last request with rows, by its SQL or its
    English."""

    sandbox: Sandbox
    statement: Callable[[str], str]

    def of(self, turn: ScriptedTurn) -> DrillReference | None:
        """Return the answer that a turn of the play wants; None for a canned message, or where nothing gives rows."""
        asked = [ask for ask in turn.ask if not (ask.fails or ask.empty)]
        if turn.canned or not asked:
            return None
        sql = asked[-1].sql or self.statement(asked[-1].english)
        own = reference_of(rows_of(self.sandbox, [sql] if sql else []))
        if not turn.right:
            return own
        told = [reference_of(rows_of(self.sandbox, [statement]), annotated=True) for statement in turn.right]
        known = [one.minimum.alternatives for one in (*told, own) if one is not None]
        return DrillReference(Answer(tuple(chain.from_iterable(known))), annotated=True) if known else None


def _line(turn: ScriptedTurn, answers: _Answers) -> DrillLine:
    return DrillLine(
        speech=turn.speech,
        said=turn.said,
        discard=turn.discard,
        reference=answers.of(turn),
        canned=turn.canned.message if turn.canned else "",
        scope=turn.scope,
    )


def rows_of(sandbox: Sandbox, statements: Sequence[str]) -> Table | None:
    """Return the rows of the first statement; None without one, or where the database does not know what it asks for."""
    try:
        return sandbox.run(statements[0]) if statements else None
    except QueryFailure:
        return None
