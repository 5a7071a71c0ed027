"""Speed of hands: the best canned message under the arrow, its blank filled, values offered; a solution judged at once."""

from pathlib import Path

import msgspec

from docs.wizard_pictures import MessageFile
from session import commands as c
from session import events as e
from session.protocol.side_messages import (
    DomainValue,
    SolutionRequest,
    SolutionResponse,
    ValuesRequest,
    ValuesResponse,
)
from session.study.settings import Scenario
from session.study.toml_reader import read
from session.values.answers import FailureKind, rows_of
from session.values.clock import Stamp
from session.values.vocabulary import Language, Outcome, ScenarioKind
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed, write

MESSAGES = read(Path("canned_messages/messages.toml"), MessageFile).message
TODAY = "1991-04-29"
BOSTON = DomainValue("Boston", "BOSTON", "city")


def desk_with_messages() -> HandPlayed:
    desk = HandPlayed(english=True, messages=MESSAGES)
    desk.console.state.opened.protocol.canned_messages.pop("none", None)  # type: ignore[union-attr]  # opened just now
    return desk


def failed(desk: HandPlayed, attempt: str, *unused: str) -> None:
    desk.attempted(attempt, text="weather", language=Language.ENGLISH)
    desk.tell(e.QueryFailed(attempt=attempt, kind=FailureKind.NOT_UNDERSTOOD, message="Not understood.", unused=unused))


async def test_the_unknown_word_stands_in_the_blank_of_the_best_message_and_no_digit_moves() -> None:
    desk = desk_with_messages()
    async with desk.app.run_test(size=(132, 40)) as pilot:
        desk.begin_turn("what is the weather in boston")
        await pilot.pause()
        await pilot.press("f6")
        canned = desk.app.desk.query_one("#canned")
        before = [line[:8] for line in painted(desk.app).split("\n") if "The system is unable" in line]
        await pilot.press("escape")
        failed(desk, "a1", "weather")
        await pilot.pause()
        assert "9◄ The word ___" in painted(desk.app), "the digits at the left say which fit"
        await pilot.press("f6")
        await pilot.pause()
        shown = painted(desk.app)
        assert [message.digit for message in canned.choosing.found] == [1, 2, 3, 4, 5, 6, 7, 8, 9, None, None, None]  # type: ignore[attr-defined]
        assert before == [line[:8] for line in shown.split("\n") if "The system is unable" in line]
        assert "◄ unknown word" in shown
        assert canned.choosing.chosen.id == "unknown-word"  # type: ignore[attr-defined]
        await pilot.press("enter")
        await pilot.pause()
        assert "The word weather▏ is not known." in painted(desk.app)
        await pilot.press("enter")
        assert (desk.up.given[-1].message, desk.up.given[-1].blanks) == ("unknown-word", ("weather",))  # type: ignore[union-attr]


async def test_tab_goes_through_what_fits_typing_replaces_a_proposal_and_named_cities_are_offered() -> None:
    desk = desk_with_messages()
    async with desk.app.run_test(size=(132, 40)) as pilot:
        desk.begin_turn("flights from boston to denver")
        desk.attempted(text="flights from boston", language=Language.ENGLISH)
        desk.tell(
            e.QueryReturned(
                attempt="a1", sql="SELECT 1 WHERE a = 'BOSTON' AND b = 'SAN FRANCISCO'", table=rows_of(["a"], []), took=1,
                database_version="1", paraphrase="flights from Boston to San Francisco",
            )
        )  # fmt: skip
        await pilot.pause()
        await pilot.press("f6", "enter")
        await pilot.pause()
        shown = painted(desk.app)
        assert "available on flights from Boston to San Francisco▏" in shown
        assert "San Francisco  (named before)" in shown
        await write(pilot, "x")
        await pilot.press("backspace", "d", "e", "n")
        assert ValuesRequest("den") in desk.up.asked
        desk.console.receive(ValuesResponse("den", (DomainValue("Denver", "DENVER", "city"),)))
        await pilot.pause()
        assert "Denver  (city)" in painted(desk.app)
        await pilot.press("tab", "enter")
        assert desk.up.given[-1].blanks == ("Denver",)  # type: ignore[union-attr]


async def test_placeholders_offer_the_domains_values_and_dates_by_arrow_and_tab() -> None:
    desk = HandPlayed()
    opened = desk.console.state.opened
    assert opened is not None
    scenario = Scenario(
        id="to", title="To", kind=ScenarioKind.TRIP, text="Go to {A} on {D}.", placeholders={"A": "", "D": ""}
    )
    opened.protocol.scenarios["to"] = scenario
    desk.tell(msgspec.structs.replace(opened, protocol=msgspec.structs.replace(opened.protocol, today="1991-04-29")))
    async with desk.app.run_test(size=(100, 30)) as pilot:
        await pilot.press("alt+s")
        at = list(opened.protocol.scenarios).index("to") + 1
        await pilot.press(str(at))
        await pilot.pause()
        await write(pilot, "bo")
        desk.console.receive(ValuesResponse("bo", (BOSTON, DomainValue("BOS", "BOS", "airport", "Logan"))))
        await pilot.pause()
        assert "BOS  (Logan, airport)" in painted(desk.app)
        await write(pilot, "g")  # no place begins so, as the hub says
        for told in (ValuesResponse("b", (BOSTON,)), ValuesResponse("bog", ())):
            desk.console.receive(told)
        await pilot.press("tab")
        await write(pilot, "tomorrow")
        await pilot.pause()
        assert "Tuesday April 30  (1991-04-30, tomorrow)" in painted(desk.app)
        await pilot.press("tab", "enter")
        await pilot.pause()
        assert "The database has no “bog”. Start anyway?" in painted(desk.app)
        assert not desk.up.given
        await pilot.press("enter")  # by habit: correct it
        await pilot.pause()
        await pilot.press("shift+tab", "backspace")
        await pilot.pause()
        await pilot.press("down", "down", "up", "tab", "enter")
        assert desk.up.given[-1].bindings == {"A": "Boston", "D": "Tuesday April 30"}  # type: ignore[union-attr]


async def test_a_declared_solution_is_judged_at_once_by_the_rows_of_the_scenarios_sql() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(132, 40)) as pilot:
        for place, (said, word) in enumerate((("US 119", "√ RIGHT"), ("flight 7", "× WRONG"), ("119", "× INCOMPLETE"))):
            desk.tell(
                e.ScenarioStarted(
                    number=place + 1, scenario="s", title="T", text="Go.", kind="trip", bindings={"A": "Ulm"}
                )
            )
            assert desk.up.asked[-1] == SolutionRequest(place, "s", {"A": "Ulm"})
            desk.console.receive(SolutionResponse(place, rows_of(["airline", "number"], [["US", 119]])))
            desk.tell(
                e.SolutionDeclared(at=Stamp("s", 0, 0), solution=said),
                e.ScenarioEnded(outcome=Outcome.DECLARED),
            )
            await pilot.pause()
            assert word in painted(desk.app)


async def test_the_word_that_stood_in_the_way_is_selected_until_somebody_types_and_what_is_typed_takes_its_place() -> (
    None
):
    desk = desk_with_messages()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.begin_turn()
        await pilot.pause()
        await write(pilot, "where is a kiosk today")
        await pilot.press("enter")
        desk.transcribed("where is a kiosk today")
        await pilot.pause()
        desk.attempted("a1", text="where is a kiosk today", language=Language.ENGLISH)
        desk.tell(
            e.QueryFailed(
                attempt="a1", kind=FailureKind.NOT_UNDERSTOOD, message="Not understood because of: osk, kiosk.",
                unused=("osk", "kiosk"),
            )
        )  # fmt: skip
        await pilot.pause()
        assert "│× Not understood because of: osk, kiosk." in painted(desk.app), "once, and no more"
        assert "not used: " not in painted(desk.app)
        query = desk.app.focused
        assert (query.id, query.selected_text) == ("english", "kiosk")  # type: ignore[union-attr]
        await write(pilot, "shop")
        assert query.text == "where is a shop today"  # type: ignore[union-attr]
        desk.attempted("a2", text="where is a shop today", language=Language.ENGLISH)
        desk.tell(e.QueryFailed(attempt="a2", kind=FailureKind.TOO_LARGE, message="Too many.", unused=("shop",)))
        await pilot.pause()
        assert query.selected_text == "", "this failed for another reason"  # type: ignore[union-attr]


async def test_a_date_is_put_into_a_reply_in_the_language_of_the_study() -> None:
    german = read(Path("canned_messages/de/messages.toml"), MessageFile).message
    desk = HandPlayed(english=True, messages=german)
    opened = desk.console.state.opened
    assert opened is not None
    desk.tell(
        msgspec.structs.replace(opened, protocol=msgspec.structs.replace(opened.protocol, language="de", today=TODAY))
    )
    async with desk.app.run_test(size=(132, 40)) as pilot:
        desk.begin_turn("was fliegt dann")
        await pilot.press("f6", "1")
        await write(pilot, "tomorrow")
        await pilot.pause()
        assert "Dienstag, 30. April  (1991-04-30, tomorrow)" in painted(desk.app)
        await pilot.press("tab", "enter")
        await pilot.pause()
        [sent] = desk.up.of(c.SendCanned)
        assert sent.blanks == ("Dienstag, 30. April",)
