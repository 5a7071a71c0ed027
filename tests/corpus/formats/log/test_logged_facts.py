"""Facts read back from a log: written again, they are the same log."""

import re

import pytest

from corpus.formats.errors import FormatFault
from corpus.formats.log import file
from corpus.formats.log.log_values import Log, Record
from corpus.formats.log.logged_facts import facts_of
from corpus.formats.log.projection import logs_of
from corpus.formats.log.record_facts import FACTS
from corpus.formats.log.timeline import Moment
from corpus.formats.log.wording import record_of
from session import events as e
from session.state.fold import fold
from session.values.clock import Stamp
from tests.corpus.sessions import SECRET, Script, protocol, whole_session
from tests.session.golden_store import every_fact

IN_CONTEXT = {
    "Session_opened", "Scenario_started", "Scenario_invalidated", "Step_begun", "Reply_planned", "Utterance_accepted",
}  # fmt: skip
NOTHING_TO_SEE = {"Speaker_withdrawn", "Speaker_corrected"}
AT = Stamp("hub", 0, 1_000)


def written(logs: list[Log]) -> list[str]:
    """The logs as text, without how far the clocks of desks can be trusted, which a time line alone does not tell."""
    return [re.sub(" ±[0-9.?]+", "", file.render(log).decode()) for log in logs]


def test_the_logs_of_facts_that_were_read_off_logs_are_the_same() -> None:
    script = whole_session()
    logs = [one.log for one in logs_of(script.facts)]
    found = facts_of(logs, protocol(), ["1.log", "2.log"])
    both = sorted((*found.facts, *found.links), key=lambda record: record.at.wall)
    assert written([one.log for one in logs_of(both)]) == written(logs)
    state, was = fold(found.facts), fold(script.facts)
    assert [(take.take, take.text, take.replies) for take in state.takes.values()] == [
        (take.take, take.text, take.replies) for take in was.takes.values() if was.runs[take.run or 0].number
    ]
    assert {name: reply.text for name, reply in state.replies.items()} == {
        name: reply.text for name, reply in was.replies.items()
    }
    assert SECRET in {attempt.text for attempt in state.attempts.values()}


@pytest.mark.parametrize("fact", every_fact(), ids=lambda fact: type(fact).__name__)
def test_every_record_is_read_back_as_the_fact_it_was_written_of(fact: e.Fact) -> None:
    def record(one: e.Fact) -> Record | None:
        recorded = e.Recorded("bbn-1", 1, AT, "hub", "", one)
        return record_of(recorded, protocol().profile, lambda at: Moment(at.wall // 1000), {}, ())

    was = record(fact)
    if was is None or was.key in IN_CONTEXT | NOTHING_TO_SEE:
        return
    again = FACTS[was.key](was, str(getattr(fact, "take", "")), getattr(fact, "at", AT))
    back = record(again)
    assert type(again) is type(fact)
    assert back is not None
    assert (back.key, back.attributes, back.hidden) == (was.key, was.attributes, was.hidden)


def test_a_record_that_is_no_fact_is_refused_with_its_place() -> None:
    script = Script()
    script.open()
    script.start("hub", 1)
    script.speak("T1", 1, "hello")
    (log,) = [one.log for one in logs_of(script.facts)]
    text = re.sub(r"\[Samples:\] s \d+ ", "[Samples:] s many ", file.render(log).decode())
    place = text.split("\n").index("[Number:] 01")
    with pytest.raises(FormatFault, match=r"x\.log:\d+: \[Recording_end:\] invalid literal") as refused:
        facts_of([file.parse(text, "x.log")], protocol(), ["x.log"])
    assert refused.value.line > place
