"""Over a real hub and a real domain: an utterance refers to those before it, and one key takes that away."""

from collections.abc import AsyncIterator

import pytest

from domain.database.build import BuiltDatabase
from domain.query_backend import backends
from session import commands as c
from session import events as e
from session.values.vocabulary import Language
from tests.domain.english.conftest import SCENARIOS, personnel_database  # noqa: F401
from tests.together.pipe import SESSION, Bench, PipedDesk, at, opened


@pytest.fixture
async def bench(personnel_database: BuiltDatabase) -> AsyncIterator[Bench]:  # noqa: F811
    bench = Bench()
    backend = backends(SCENARIOS / "personnel", personnel_database.url, "1", "")()
    bench.database = backend  # type: ignore[assignment]
    yield bench
    await bench.close()
    backend.sandbox.close()


async def test_what_was_said_before_is_carried_over_and_only_that(bench: Bench) -> None:
    await bench.hub.open(SESSION, opened(echo="never"))
    subject = await PipedDesk(bench, "t-subject", "sub").connect()
    wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    said = {"T1": "list of the hispanic employees", "T2": "which of those are women", "T3": "list of the engineers"}
    for take, text in said.items():
        await subject.give(c.Report(id=f"s{take}", event=e.UtteranceTyped(at=at(), take=take, text=text)))

    async def asked(name: str, take: str, *, in_context: bool = True) -> str:
        await wizard.give(
            c.SubmitQuery(
                id=name, at=at(), take=take, language=Language.ENGLISH, text=said[take], in_context=in_context
            )
        )
        for _ in range(500):
            if wizard.state.attempts[name].running:
                await bench.settle()
        return wizard.state.attempts[name].paraphrase

    assert "(from before: " in await asked("q2", "T2")
    assert "HISPANIC" in wizard.state.attempts["q2"].sql
    assert "from before" not in await asked("q2-alone", "T2", in_context=False)
    assert "HISPANIC" not in wizard.state.attempts["q2-alone"].sql
    assert "from before" not in await asked("q1", "T1")
    assert "ENGINEER" not in wizard.state.attempts["q1"].sql
