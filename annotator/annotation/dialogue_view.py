"""A dialogue from its log, turn by turn, as annotators and raters see it: the words and the subject's screen.

What went on behind the curtain is left out: neither an annotator nor a rater is to be told what the wizard made of it.
"""

from collections.abc import Sequence

import msgspec

from corpus.dataset.reader import Corpus, SubjectScenario
from corpus.formats import sro
from corpus.formats.errors import FormatFault
from corpus.formats.log.log_values import RecordBlock

_REPLY_KINDS = {
    "answer": "Answer",
    "diagnostic": "Diagnostic",
    "directive": "Directive",
    "failure": "Not understood",
}


class TurnView(msgspec.Struct, frozen=True):
    """One utterance with what was returned; `shown` are the lines that the subject saw, `responses` their classes; `wave` is the
    path of its primary waveform, empty for typed input."""

    stem: str
    number: int
    take: str
    said: str
    responses: tuple[str, ...]
    shown: tuple[str, ...]
    seconds: float | None
    wave: str = ""

    @property
    def pointer(self) -> str:
        """Its name in context pointers, such as Q2."""
        return f"Q{self.number}"


class DialogueView(msgspec.Struct, frozen=True):
    """One subject-scenario: its task, the date it was asked under, and its turns; `take` is its first one."""

    stem: str
    log: str
    header: dict[str, str]
    turns: tuple[TurnView, ...]
    outcome: str = ""
    solution: str = ""

    @property
    def take(self) -> str:
        """The take of its first turn."""
        return self.turns[0].take if self.turns else ""


def dialogue_of(corpus: Corpus, log: str) -> DialogueView:
    """The dialogue of the log at this path; raises FormatFault for one that cannot be read, OSError."""
    scenario = corpus.scenario(log)
    ended = next(scenario.log.records("Scenario_ended"), None)
    declared = list(scenario.log.records("Solution_declared"))
    turns = tuple(
        TurnView(
            str(one.stem),
            one.block.number,
            one.block.take,
            _said(corpus, scenario, number),
            _responses(one.block),
            _shown(one.block),
            _seconds(one.block),
            next(iter(one.waves.values()), ""),
        )
        for number, one in enumerate(scenario.utterances)
    )
    return DialogueView(
        str(scenario.stem),
        log,
        dict(scenario.log.header),
        turns,
        ended.get("Outcome") if ended else "",
        declared[-1].get("Solution") if declared else "",
    )


def lines_of_turn(turn: TurnView, here: bool = False) -> list[str]:
    """A turn as it is shown to annotators and raters."""
    took = f"  ({turn.seconds:.1f} s)" if turn.seconds is not None else ""
    return [f"{'▶' if here else ' '} {turn.pointer}  {turn.said}", *(f"      {line}" for line in turn.shown), took][
        : None if took else -1
    ]


def _said(corpus: Corpus, scenario: SubjectScenario, number: int) -> str:
    utterance = scenario.utterances[number]
    path = utterance.files.get("sro", "")
    if path:
        try:
            return " ".join(sro.render(sro.parse(corpus.read(path), path)).decode().split())
        except FormatFault:
            return utterance.block.typed
    return utterance.block.typed


def _shown(block: RecordBlock) -> tuple[str, ...]:
    lines: list[str] = []
    for record in block.all("Answer_returned"):
        kind = _REPLY_KINDS.get(record.get("Response"), record.get("Response"))
        text: Sequence[str] = record.get("Result").split("\n")
        lines += [f"[{kind}]", *text]
    return tuple(lines) or ("(nothing was returned)",)


def _responses(block: RecordBlock) -> tuple[str, ...]:
    """The classes of what was returned, in the words of raters; fillers and greetings are no responses."""
    said = (record.get("Response") for record in block.all("Answer_returned"))
    return tuple("not understood" if one == "failure" else one for one in said if one not in ("filler", "greeting"))


def _seconds(block: RecordBlock) -> float | None:
    begin = block.first("Recording_end") or block.first("Utterance_typed")
    shown = block.first("Answer_shown") or block.first("Answer_returned")
    if begin is None or shown is None:
        return None
    return max(0.0, (shown.moment.at - begin.moment.at) / 1e6)
