"""The people of the demonstration corpus and what each says: parts of the rehearsal's play, with other cities."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import structs

from rehearsal.demonstration.voices import SyntheticVoice
from rehearsal.script import Ask, Canned, Script, ScriptedAct, ScriptedTurn, shipped_script
from session.study.settings import Setting, Speaker

SITES = {"north": 7, "south": 7, "west": 6}
"""The sites, and how many speakers each has."""
CITIES = ("Boston", "Denver", "Atlanta", "Dallas", "Philadelphia", "Pittsburgh", "Baltimore", "Oakland")
_WRITTEN = CITIES[:3]
"""The cities of the script."""
_UNITS, _PROBLEM_LINES = 2, 1
_SQL_AT_ONCE = 0.25


class AnnotatedLine(Setting, frozen=True):
    """Annotation of a line of the play: the `sentence` that it means, where that is another; whether it needs the
    `context` of the line before; why it is `excluded`."""

    speech: str
    sentence: str = ""
    context: bool = False
    excluded: str = ""


class _Lines(Setting, frozen=True):
    line: tuple[AnnotatedLine, ...]


class DemonstrationSpeaker(msgspec.Struct, frozen=True):
    """A speaker with a voice, what is said and in which order, and the cities that stand for those of the script."""

    site: str
    speaker: Speaker
    voice: SyntheticVoice
    acts: tuple[ScriptedAct, ...]
    cities: Mapping[str, str]


def annotated_lines() -> dict[str, AnnotatedLine]:
    """Return the annotations of lines, by the name of their speech."""
    data = (Path(__file__).parent / "annotations.toml").read_bytes()
    return {line.speech: line for line in msgspec.toml.decode(data, type=_Lines).line}


def speakers(seed: int, ids: Mapping[str, Sequence[str]]) -> list[DemonstrationSpeaker]:
    """Return all speakers, site after site; `ids` are those that each site gives out, in order."""
    script = shipped_script()
    return [
        _person(random.Random(f"{seed} {site} {place}"), site, ids[site][place], script)
        for site, count in SITES.items()
        for place in range(count)
    ]


def _person(draw: random.Random, site: str, speaker: str, script: Script) -> DemonstrationSpeaker:
    sex = draw.choice("fm")
    cities = dict(zip(_WRITTEN, draw.sample(CITIES, 3), strict=True))
    told = Speaker(speaker, sex, draw.randrange(19, 68), "synthetic", "made up", "none")
    acts = [act for act in script.scenario if act.kind != "practice"]
    return DemonstrationSpeaker(
        site, told, SyntheticVoice.drawn(draw, sex), tuple(_act(draw, act, cities) for act in acts), cities
    )


def _act(draw: random.Random, act: ScriptedAct, cities: Mapping[str, str]) -> ScriptedAct:
    """A part of an act; a line that needs the one before comes with it."""
    units = [*_units(act.turn)]
    wanted = _UNITS if act.kind == "common" else _PROBLEM_LINES
    chosen = sorted(draw.sample(range(len(units)), wanted))
    lines = annotated_lines()
    turns = tuple(in_cities(_asked(draw, turn, lines), cities) for place in chosen for turn in units[place])
    bindings = {name: cities.get(value, value) for name, value in act.bindings.items()}
    declared = replaced(act.ends.declare, cities)
    return structs.replace(act, turn=turns, bindings=bindings, ends=structs.replace(act.ends, declare=declared))


def _asked(draw: random.Random, turn: ScriptedTurn, lines: Mapping[str, AnnotatedLine]) -> ScriptedTurn:
    """A line of which the wizard asks the English tool, after rewordings that fail; of one in four she writes SQL at once."""
    if turn.canned is not None or not turn.ask or draw.random() < _SQL_AT_ONCE:
        return turn
    line = lines.get(turn.speech, AnnotatedLine(speech=turn.speech))
    failing = tuple(ask for ask in turn.ask if ask.fails)
    rest = tuple(ask for ask in turn.ask if not ask.fails)
    return structs.replace(turn, ask=(*failing, Ask(english=line.sentence or turn.said), *rest))


def _units(turns: Sequence[ScriptedTurn]) -> Iterator[tuple[ScriptedTurn, ...]]:
    """The lines, those that need the one before joined to it; what is taken back at once is left out."""
    lines = annotated_lines()
    held: tuple[ScriptedTurn, ...] = ()
    for turn in turns:
        if turn.discard:
            continue
        needs = turn.speech in lines and lines[turn.speech].context
        if held and not needs:
            yield held
            held = ()
        held = (*held, turn)
    yield held


def in_cities(turn: ScriptedTurn, cities: Mapping[str, str]) -> ScriptedTurn:
    """A line with the cities of a speaker, in its words as in its SQL."""
    asks = tuple(
        Ask(sql=replaced(ask.sql, cities), english=replaced(ask.english, cities), fails=ask.fails) for ask in turn.ask
    )
    canned = turn.canned and Canned(
        message=turn.canned.message, blanks=tuple(replaced(blank, cities) for blank in turn.canned.blanks)
    )
    return structs.replace(turn, said=replaced(turn.said, cities), ask=asks, canned=canned)


def replaced(text: str, cities: Mapping[str, str]) -> str:
    """A text with other cities, written as they are there.

    >>> replaced("from BOSTON to denver", {"Boston": "Denver", "Denver": "Dallas"})
    'from DENVER to dallas'
    """
    forms: tuple[Callable[[str], str], ...] = (str, str.upper, str.lower)
    for place, name in enumerate(cities):
        for mark, form in enumerate(forms):
            text = text.replace(form(name), f"\0{place}{mark}")
    for place, name in enumerate(cities.values()):
        for mark, form in enumerate(forms):
            text = text.replace(f"\0{place}{mark}", form(name))
    return text
