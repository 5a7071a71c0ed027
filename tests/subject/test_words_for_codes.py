"""A participant reads words and no identifiers: on the terminal what the preview had, with the whole table in the log."""

from collections.abc import AsyncIterator

import pytest

from session import commands as c
from session import events as e
from session.rules.decide import answer_text
from session.values.answers import digest, rows_of
from session.values.column_display import ColumnReading
from session.values.vocabulary import Language
from tests.desk.regions import painted
from tests.subject.stage import Stage, settle
from tests.together.pipe import SESSION, Bench, both
from tests.together.pipe import at as moment

TABLE = rows_of(["flight_id", "airline_code", "from_airport"], [[101107, "UA", "BOS"], [101108, "DL", "BOS"]])
READING = (
    ColumnReading(hidden=True),
    ColumnReading("airline", codes={"UA": "United", "DL": "Delta"}),
    ColumnReading("from", codes={"BOS": "Boston"}),
)


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    made = Bench()
    yield made
    await made.close()


async def test_a_hidden_identifier_is_in_no_preview_and_on_no_screen_but_in_the_log(bench: Bench) -> None:
    bench.database.run = lambda sql: TABLE  # type: ignore[method-assign]
    bench.database.readings = READING
    subject, wizard = await both(bench, expand_codes=True)
    await wizard.give(c.StartScenario(id="c1", scenario="trip", bindings={"A": "Boston"}))
    await subject.give(c.Report(id="s1", event=e.UtteranceTyped(at=moment(), take="T1", text="give me two")))
    await wizard.give(c.SubmitQuery(id="c3", at=moment(), take="T1", language=Language.ENGLISH, text="give me two"))
    text = answer_text(wizard.state, "c3")
    assert text == "airline  from\n-------  ------\nUnited   Boston\nDelta    Boston"
    await wizard.give(c.SendAnswer(id="c4", attempt="c3", sha256=digest(text)))
    assert subject.state.replies["c4"].text == text
    assert b"101107" not in b"".join(frame.encode() if isinstance(frame, str) else frame for frame in subject.wire)
    facts = [fact.event for fact in bench.store.read(SESSION)]
    (returned,) = [fact for fact in facts if isinstance(fact, e.QueryReturned)]
    assert (returned.table, returned.reading) == (TABLE, READING)
    (sent,) = [fact for fact in facts if isinstance(fact, e.AnswerSent)]
    stage = Stage()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        stage.desk.scenario()
        stage.desk.utterance("T1")
        stage.desk.tell(e.Transcribed(at=moment(), take="T1", text="give me two"))
        stage.desk.tell(sent)
        await settle(pilot)
        screen = painted(stage.app)
        assert [line in screen for line in text.split("\n")] == [True] * 4
        assert not [code for code in ("101107", "UA", "BOS") if code in screen]
