"""Judgement on single turns of a drill: what was right, and every slip that could break the curtain."""

from collections.abc import Callable

import msgspec

from rehearsal.training.drill import DrillLine, reference_of
from rehearsal.training.feedback import curve, drill_lines, turn_lines
from rehearsal.training.turn_judging import judged, replies_to
from session import events as e
from session.collection.drills import DrillTurnPlayed, PlayedDrill
from session.state.fold import fold
from session.state.stage_times import stages_of
from session.values.answers import Table
from session.values.vocabulary import Scope
from tests.corpus.sessions import whole_session

Change = Callable[[e.Fact], e.Fact]


def turn_of(take: str, line: DrillLine, change: Change = lambda event: event, repeat: bool = False) -> list[str]:
    """The feedback on a turn of the whole session, with its facts changed."""
    facts = []
    for fact in whole_session("bbn-20261121-1", "8k1").facts:
        facts.append(msgspec.structs.replace(fact, event=change(fact.event)))
        if repeat and isinstance(fact.event, e.CannedSent) and fact.event.take == take:
            again = msgspec.structs.replace(fact.event, reply="again")
            facts.append(msgspec.structs.replace(fact, event=again))
    state = fold(facts)
    first = next(iter(replies_to(state, state.takes[take])), None)
    return turn_lines(line, state.takes[take], first, judged(line, state, stages_of(facts), take))


def filled(words: str) -> Change:
    def change(event: e.Fact) -> e.Fact:
        text = f"No information is available on {words}."
        return msgspec.structs.replace(event, text=text, blanks=(words,)) if isinstance(event, e.CannedSent) else event

    return change


def german(event: e.Fact) -> e.Fact:
    if not isinstance(event, e.SessionOpened):
        return event
    return msgspec.structs.replace(event, protocol=msgspec.structs.replace(event.protocol, language="de-CH"))


def test_rows_message_scope_and_words_are_held_against_what_is_right() -> None:
    one = DrillLine(speech="", said="show me all flights from boston to denver please", scope=Scope.IN,
                    reference=reference_of(Table(("fare",), ((1,),))))  # fmt: skip
    lines = turn_of("8k1A1", one)
    assert lines[0] == "× Transcription: 1 of 9 words wrong"
    assert lines[3:6] == ["× Answer: not the rows that were wanted", "    wanted 1", "    sent   no rows"]
    assert lines[6] == "× Scope: not marked; in is right"
    two = DrillLine(speech="", said="what hotels are there", canned="none", scope=Scope.OUT)
    lines = turn_of("8k1A2", two)
    assert [line[0] for line in lines] == ["√", "√", "√", " ", "√"]
    assert lines[1] == "√ Canned message: none"


def test_every_slip_is_told() -> None:
    nothing = DrillLine(speech="")

    def told(take: str, change: Change = lambda event: event, repeat: bool = False) -> list[str]:
        return [line[8:] for line in turn_of(take, nothing, change, repeat) if line.startswith("! Slip")]

    assert told("8k1A2") == []
    assert told("8k1A2", filled("that, sorry")) == ["speaks as a person: sorry"]
    assert told("8k1A2", filled("Miami, Maine and Seoul")) == []
    assert told("8k1A2", filled("das weiß ich nicht")) == []
    assert told("8k1A2", lambda event: german(filled("das weiß ich nicht")(event))) == ["speaks as a person: ich"]
    assert told("8k1A2", repeat=True) == ["replied 2 times"]
    assert told("8k1A4") == ["a note in the transcription that the participant sees"]
    assert told("8k1B2") == ["no sign of life within the limit for a reply"]


def test_the_end_of_a_drill_and_the_curve_say_how_many_queries_an_hour_the_wizard_had_time_for() -> None:
    turns = tuple(DrillTurnPlayed(words=4, seconds={"transcribed": 9.0, "sent": sent}) for sent in (18.0, 30.0))
    drill = PlayedDrill("d1", "Ada", "the play", turns=(*turns, DrillTurnPlayed(words=2)), whole=True)
    assert "  queries an hour    150   from the end of speaking to the key that sends" in drill_lines(drill, None, [])
    head, first = curve([drill]).splitlines()
    assert head.index("an hour") == first.index("150")
    nothing = PlayedDrill("d2", "Ada", "the play", turns=(DrillTurnPlayed(words=2),))
    assert not [line for line in drill_lines(nothing, None, []) if "an hour" in line.partition("drill")[0]]
