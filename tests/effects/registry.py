"""Every key of a study's files, the place where somebody meets its effect, and the way to look there.

An effect is seen by following one key from a value to another: `observe` makes whatever study, session or export make of a
value, and returns what stands at the far end, on a screen, in a log, a header, a figure or a decision that a person is told.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from session.study.design import Design, Factor
from session.study.metadata import Creator, Metadata
from session.study.pass_mark import PassMark
from session.study.settings import (
    CannedMessage,
    Equipment,
    Machines,
    MicrophoneChoice,
    Noise,
    Operators,
    Profile,
    Questionnaire,
    QuestionnaireItem,
    Scenario,
    Solution,
    Voice,
)
from session.study.study_domains import DomainSettings
from session.study.study_file import LobbySettings, ProposingEngine, StudyFile
from session.values.names import SpeakerBlock

FILES: dict[str, type[msgspec.Struct]] = {
    "study": StudyFile,
    "study.speakers": SpeakerBlock,
    "study.equipment": Equipment,
    "study.engine": ProposingEngine,
    "study.machines": Machines,
    "study.metadata": Metadata,
    "study.metadata.creators": Creator,
    "study.design": Design,
    "study.factor": Factor,
    "study.domains": DomainSettings,
    "study.training": PassMark,
    "study.lobby": LobbySettings,
    "profile": Profile,
    "profile.operators": Operators,
    "profile.microphones": MicrophoneChoice,
    "profile.voice": Voice,
    "profile.noise": Noise,
    "scenario": Scenario,
    "scenario.solution": Solution,
    "message": CannedMessage,
    "questionnaire": Questionnaire,
    "questionnaire.item": QuestionnaireItem,
}
TABLES = {name for name in FILES if "." in name}
KEYS = {
    f"{name}.{key}"
    for name, struct in FILES.items()
    for key in struct.__struct_fields__
    if f"{name}.{key}" not in TABLES
}


@dataclass(frozen=True)
class Effect:
    """Where the effect of a key is seen, two values of it, and what looks there."""

    key: str
    place: str
    values: tuple[Any, Any]
    observe: Callable[[Any], object]


class Places(dict[str, object]):
    """What stands in each of several places: a key that is said to show in all of them has to differ in all of them."""


EFFECTS: dict[str, Effect] = {}


def effect(
    key: str, place: str, first: Any, second: Any
) -> Callable[[Callable[[Any], object]], Callable[[Any], object]]:
    """Register what is decorated as the way to see `key` at `place`, where `first` and `second` have to differ."""

    def registered(observe: Callable[[Any], object]) -> Callable[[Any], object]:
        if key in EFFECTS:
            raise ValueError(f"{key} has an effect already")
        EFFECTS[key] = Effect(key, place, (first, second), observe)
        return observe

    return registered


def table() -> str:
    """The table of keys and effects, in Markdown."""
    rows = (f"| `{name}` | {EFFECTS[name].place} |" for name in sorted(EFFECTS))
    return "\n".join(("| key | effect |", "| --- | --- |", *rows)) + "\n"
