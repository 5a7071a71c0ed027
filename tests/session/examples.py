"""A small session to test with: one study's protocol, and the facts that open a visit."""

from session import events as e
from session.store.event_store import Entry
from session.study.settings import (
    CannedMessage,
    Equipment,
    Profile,
    Protocol,
    Questionnaire,
    QuestionnaireItem,
    Scenario,
    Speaker,
)
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import ItemKind, ResponseClass, ScenarioKind

SCENARIOS = {
    scenario.id: scenario
    for scenario in (
        Scenario(id="warm-up", title="Warming up", kind=ScenarioKind.PRACTICE, text="Find out about any flight."),
        Scenario(id="hub", title="An airline's hub", kind=ScenarioKind.PROBLEM, text="Which city is the hub?"),
        Scenario(
            id="interviews",
            title="Two interviews",
            kind=ScenarioKind.TRIP,
            text="Go from {A} to {B} and back.",
            common=True,
            placeholders={"A": "", "B": "Denver"},
        ),
    )
}
MESSAGES = {
    message.id: message
    for message in (
        CannedMessage(
            id="no-info",
            text="No information is available on ___.",
            reason="no_information",
            response=ResponseClass.DIAGNOSTIC,
            digit=1,
        ),
        CannedMessage(
            id="unable",
            text="The request cannot be answered.",
            reason="unable",
            response=ResponseClass.FAILURE,
            digit=2,
        ),
        CannedMessage(id="wait", text="One moment please.", reason="filler", response=ResponseClass.FILLER),
        CannedMessage(id="hello", text="Good day.", reason="greeting", response=ResponseClass.GREETING),
    )
}


def at(seconds: float, clock: str = "hub") -> Stamp:
    """The stamp of a clock that began at 0."""
    return Stamp(clock, round(seconds * SECOND), (1_700_000_000 + round(seconds)) * SECOND)


def protocol(profile: Profile | None = None) -> Protocol:
    return Protocol(
        site="bbn",
        sha256="00" * 32,
        files={},
        profile=profile or Profile(name="test"),
        domain="air_travel",
        database_version="1",
        today="1991-07-01",
        equipment=Equipment(),
        scenarios=SCENARIOS,
        canned_messages=MESSAGES,
        consent_version="1",
        consent_text="I agree.",
    )


def opening(profile: Profile | None = None) -> e.SessionOpened:
    return e.SessionOpened(
        site="bbn", speaker=Speaker(id="001", sex="F", age=33), protocol=protocol(profile), operator="Ida"
    )


def entries(*facts: e.Fact, start: float = 0.0) -> list[Entry]:
    """`facts` a second apart, as the hub's own."""
    return [Entry(at(start + second), "hub", "", fact) for second, fact in enumerate(facts)]


def recorded(*facts: e.Fact) -> list[e.Recorded]:
    """`facts` as a session would have them, a second apart."""
    return [e.Recorded("bbn-20261121-1", seq, at(seq), "hub", "", fact) for seq, fact in enumerate(facts, start=1)]


FORM = Questionnaire(
    id="satisfaction",
    title="Afterwards",
    item=(
        QuestionnaireItem(id="easy", text="It was easy.", choices=("no", "yes")),
        QuestionnaireItem(id="words", text="In your own words?", kind=ItemKind.TEXT, optional=True),
    ),
)
