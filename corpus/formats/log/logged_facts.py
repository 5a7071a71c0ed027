"""The facts of a session read back from its logs, the inverse of `corpus.formats.log.wording`.

So that a session can be seen again by anyone who has the corpus and not the study. Practice has no log, and what a log does
not tell is empty here: the answers of questionnaires, the speaker's details, statements of other readings, the columns' names
for people. Facts come in the order in which the hub knew of them, as far as a log tells it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.log.log_values import BlockKind, Log, Record, RecordBlock
from corpus.formats.log.record_facts import CERTIFIED, FACTS, returned
from session import events as e
from session.rules.visit_steps import debriefing
from session.state.fold import SessionState, evolve
from session.study.settings import Profile, Protocol, Speaker
from session.values.clock import Stamp
from session.values.names import from_base36
from session.values.vocabulary import Step

CLOCK = "log"
"""Name of the clock of all stamps: the time line of the logs."""


class LoggedSession(msgspec.Struct, frozen=True):
    """A session's facts and, apart, those of its links, as a store keeps them."""

    facts: list[e.Recorded]
    links: list[e.Recorded]


class _PlacedRecord(NamedTuple):
    """A record, and what it must be read with; places in the order of logs, blocks and records."""

    arrived: int
    log: int
    place: int
    record: Record
    block: RecordBlock


class _Reader:
    """Reads records as facts, one after the other."""

    def __init__(self, logs: Sequence[Log], protocol: Protocol, names: Sequence[str]) -> None:
        self.logs, self.protocol, self._names = logs, protocol, names
        self.state = SessionState()
        self.replies = {
            record.get("Reply"): (record, block.take)
            for log in logs
            for block in log.blocks
            for record in block.all("Answer_returned")
        }

    def fact(self, placed: _PlacedRecord) -> e.Fact | None:
        """Return the fact of a record, None for one that tells nothing to see; raises `FormatFault`."""
        record = placed.record
        try:
            match record.key:
                case "Session_opened":
                    return None if self.state.opened else self.opened()
                case "Scenario_started":
                    return self._started(self.logs[placed.log])
                case "Scenario_invalidated":
                    return e.ScenarioInvalidated(run=placed.log, reason=record.get("Reason"))
                case "Step_begun":
                    return self._step(Step(record.get("Step")))
                case "Utterance_accepted":
                    numbered = placed.block.kind is BlockKind.UTTERANCE
                    return e.UtteranceAccepted(take=placed.block.take, number=placed.block.number if numbered else None)
                case "Reply_planned":
                    return self._planned(record, placed.block.take)
                case key:
                    made = FACTS.get(key)
                    return made(record, placed.block.take, stamp_of(record)) if made else None
        except (ValueError, msgspec.MsgspecError, RecursionError) as error:
            remedy = "run `curtain verify` on the corpus"
            raise FormatFault(self._names[placed.log], record.line, f"[{record.key}:] {error}", remedy) from None

    def opened(self) -> e.SessionOpened:
        first = self.logs[0]
        certified = {"yes": (first.get("Wizard"),), "no": ()}.get(first.get("Wizard_certified"))
        return e.SessionOpened(
            site=first.get("Site"),
            speaker=Speaker(id=first.get("Speaker")),
            protocol=self.protocol,
            operator=first.get("Wizard"),
            condition=self.protocol.condition if self._own_profile(first) else first.get("Condition"),
            pilot=first.get("Pilot") == "yes",
            rehearsal=first.get("Rehearsal") == "yes",
            pace=float(first.get("Pace")),
            first_scenario=from_base36(first.get("Scenario_session")),
            frozen=first.get("Frozen"),
            certified=certified,
        )

    def _own_profile(self, log: Log) -> Profile | None:
        """The profile of the scenario's own condition, where scenarios have such."""
        return self.protocol.scenario_profiles.get(log.get("Condition"))

    def _started(self, log: Log) -> e.ScenarioStarted:
        bound = (value.partition("=") for name, value in log.header if name == "Binding")
        return e.ScenarioStarted(
            number=from_base36(log.get("Scenario_session")),
            scenario=log.get("Scenario"),
            title=log.get("Title"),
            text=log.get("Scenario_text"),
            kind=log.get("Scenario_kind"),
            common=log.get("Common") == "yes",
            bindings={name: value for name, _, value in bound},
            attended=log.get("Attended") == "yes",
            condition=log.get("Condition") if self._own_profile(log) else "",
            profile=self._own_profile(log),
            certified=CERTIFIED.get(log.get("Wizard_certified")),
        )

    def _step(self, step: Step) -> e.StepBegun:
        texts = {
            Step.DEBRIEFING: debriefing(self.protocol, self.state.people_acted),
            Step.CONFIRM_CONSENT: self.protocol.consent_text,
        }
        return e.StepBegun(step=step, text=texts.get(step, ""), form=self.protocol.questionnaires.get(step))

    def _planned(self, record: Record, take: str) -> e.ReplyPlanned:
        sent, take = self.replies.get(record.get("Reply"), (record, take))
        return e.ReplyPlanned(reply=returned(sent, take), due=stamp_of(record).mono + int(record.get("Delay")))


def facts_of(logs: Sequence[Log], protocol: Protocol, names: Sequence[str]) -> LoggedSession:
    """Return the facts of one session; `names` are the files of its logs. Raises `FormatFault` with the line of what is none."""
    reader = _Reader(logs, protocol, names)
    session = logs[0].get("Session")
    facts: list[e.Recorded] = []
    links: list[e.Recorded] = []
    for placed in sorted(_placed(logs)):
        at = Stamp(CLOCK, placed.arrived * 1000, placed.arrived * 1000)
        if not facts and placed.record.key != "Session_opened" and reader.state.opened is None:
            facts.append(e.Recorded(session, 1, at, "hub", "", reader.opened()))
            reader.state = evolve(reader.state, facts[-1])
        fact = reader.fact(placed)
        if fact is None:
            continue
        to = links if isinstance(fact, e.LinkFact) else facts
        to.append(e.Recorded(session, len(to) + 1, at, placed.record.by, "", fact))
        reader.state = evolve(reader.state, to[-1])
    return LoggedSession(facts, links)


def _placed(logs: Sequence[Log]) -> Iterator[_PlacedRecord]:
    """The records with the earliest moment at which the hub can have known of each.

    A desk's record came later than its stamp says: not before the one before it, nor a block before the block before it, nor what
    belongs to an utterance before its scenario.
    """
    for number, log in enumerate(logs):
        started = next((record.moment.at for record in log.records("Scenario_started")), 0)
        begun = place = independent = 0
        for block in log.blocks:
            alone = block.kind is BlockKind.INDEPENDENT
            arrived = begun = max(begun, independent if alone else started)
            for record in block.records:
                arrived = max(arrived, record.moment.at)
                begun = max(begun, arrived) if record is block.records[0] else begun
                place += 1
                yield _PlacedRecord(arrived, number, place, record, block)
            independent = arrived if alone else independent


def stamp_of(record: Record) -> Stamp:
    """Return a record's own moment."""
    return Stamp(CLOCK, record.moment.at * 1000, record.moment.at * 1000)
