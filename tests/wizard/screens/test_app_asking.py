"""The wizard asks: by menu, alone, by hand in SQL, through an outside engine; and asks the subject back."""

import msgspec
import pytest

from session import commands as c
from session import events as e
from session.protocol.side_messages import MenuRequest, MenuResponse
from session.study.settings import CannedMessage
from session.values.answers import OtherReading, rows_of
from session.values.clock import Stamp
from session.values.vocabulary import EDITED, PROPOSED, Language, ResponseClass
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed, focus, write
from wizard.core.console_actions import ACTIONS, ready
from wizard.widgets.query import QueryPane

QUESTION = "Where will you be leaving from?"
SPECIFIC = CannedMessage(
    id="be-specific",
    text="Please be more specific about ___.",
    reason="underspecified",
    response=ResponseClass.DIRECTIVE,
)
PHRASES = ("flights from boston", "flights from san jose", "fares")


def menu(typed: str) -> MenuResponse:
    """A menu of three requests, offered word by word."""
    text = typed.lower()
    begun = text.rpartition(" ")[0] + " " if " " in text else ""
    after = dict.fromkeys(
        phrase[len(begun) :].split(" ")[0] for phrase in PHRASES if phrase.startswith(text) and phrase != text
    )
    return MenuResponse(typed, tuple(after), text.strip() in PHRASES)


def asked(desk: HandPlayed) -> c.SubmitQuery:
    last = desk.up.given[-1]
    assert isinstance(last, c.SubmitQuery)
    return last


def heard(desk: HandPlayed) -> None:
    desk.begin_turn("flights to boston")


async def test_f8_goes_from_english_to_the_menu_to_sql() -> None:
    desk = HandPlayed(menu=menu)
    async with desk.app.run_test(size=(80, 24)) as pilot:
        heard(desk)
        await pilot.press("ctrl+r")
        seen = []
        for _ in range(3):
            await pilot.press("f8")
            await pilot.pause()
            seen.append((focus(desk), "Tab: flights" in painted(desk.app)))
        assert seen == [("menu", True), ("sql", False), ("english", False)]


async def test_by_menu_only_what_is_offered_and_whole_is_asked() -> None:
    desk = HandPlayed(menu=menu)
    async with desk.app.run_test(size=(80, 24)) as pilot:
        heard(desk)
        await pilot.press("ctrl+r", "f8")
        await pilot.pause()
        assert "Tab: flights fares" in painted(desk.app)
        await pilot.press("tab")
        await pilot.pause()
        assert "[flights] fares" in painted(desk.app)
        await pilot.press("enter")
        await pilot.pause()
        assert desk.up.of(c.SubmitQuery) == []
        assert "The request is not complete yet" in painted(desk.app)
        await pilot.press("space")
        await pilot.press("tab", "space")
        await write(pilot, "sa")
        assert "Tab: san" in painted(desk.app)
        await pilot.press("tab", "space", "tab", "enter")
        assert (asked(desk).language, asked(desk).text) == (Language.MENU, "flights from san jose")


async def test_the_menu_comes_as_soon_as_the_hub_has_it_ready_and_only_the_latest_is_asked_for_once() -> None:
    desk = HandPlayed(menu=menu)
    desk.silent = True
    async with desk.app.run_test(size=(80, 24)) as pilot:
        heard(desk)
        desk.console.hub_info.receive(MenuResponse("", ("flights", "fares")))
        await pilot.press("ctrl+r", "f8")
        before = len(desk.up.asked)
        await write(pilot, "fl")
        assert [request.typed for request in desk.up.asked[before:] if isinstance(request, MenuRequest)] == ["f", "fl"]
        await pilot.press("enter")
        await pilot.pause()
        assert "The menu has not answered yet" in painted(desk.app)
        assert desk.up.of(c.SubmitQuery) == []
        desk.console.receive(menu("fl"))
        await pilot.pause()
        assert "Tab: flights" in painted(desk.app)
        desk.console.receive(MenuResponse("other", ("nothing",)))
        await pilot.pause()
        assert "Tab: flights" in painted(desk.app)


async def test_where_the_domain_has_no_menu_it_is_said() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        heard(desk)
        await pilot.press("ctrl+r", "f8")
        await pilot.pause()
        assert focus(desk) == "sql"
        assert "English and SQL only" in painted(desk.app)


async def test_the_readings_are_listed_in_order_and_a_digit_asks_by_another() -> None:
    desk = HandPlayed()
    others = (
        OtherReading("fares to Boston", "SELECT 2", 0.6, rows=12),
        OtherReading("whether any fly", "SELECT 3", 0.3),
    )
    async with desk.app.run_test(size=(120, 40)) as pilot:
        heard(desk)
        desk.attempted(text="flights to boston", language=Language.ENGLISH)
        desk.tell(
            e.QueryReturned(
                attempt="a1", sql="SELECT 1", table=rows_of(["n"], [[1]]), took=1, database_version="1",
                paraphrase="flights to Boston", confidence=0.9, unused=("umm",), others=others,
            )
        )  # fmt: skip
        await pilot.pause()
        assert "◐ PARTIAL · not used: umm · √ 1 row · reading 1 of 3 [0.90] Alt+K · flights to" in painted(desk.app)
        await pilot.press("alt+k")
        await pilot.pause()
        text = painted(desk.app)
        places = [
            text.index(f"{n}   {words}")
            for n, words in ((1, "√ 1 row · flights to"), (2, "12 rows · fares to"), (3, "whether"))
        ]
        assert places == sorted(places)
        assert "[0.60]" in text
        assert "Not used: umm." in text
        await pilot.press("2")
        await pilot.pause()
        given = asked(desk)
        assert (given.text, given.language, given.choice) == ("flights to boston", Language.ENGLISH, 1)


async def test_a_partial_reading_is_marked_and_goes_out_only_when_its_marks_were_named() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        heard(desk)
        desk.attempted(text="flights to boston", language=Language.PROPOSAL, origin=PROPOSED)
        desk.tell(
            e.QueryReturned(
                attempt="a1", sql="SELECT 1", table=rows_of(["n"], [[1]]), took=1, database_version="1", proposer="m-1",
                paraphrase="nonstop flights", confidence=0.3, unused=("boston",), unasked=("nonstop",),
                others=(OtherReading("flights to Boston", "SELECT 2", 0.9),),
            )
        )  # fmt: skip
        await pilot.pause()
        assert "◐ PARTIAL · not used: boston · not asked for: nonstop · √ 1 row" in painted(desk.app)
        assert desk.app.screen.query_one("#attempt").has_class("-partial")
        assert "F5 lists what this reading ignores or adds" in painted(desk.app)
        await pilot.press("f5", "f5", "enter")
        await pilot.pause()
        assert desk.up.of(c.SendAnswer) == [], "Enter by habit sends nothing"
        await pilot.press("f5")
        await pilot.pause()
        assert "A partial reading: not used: boston; not asked for: nonstop." in painted(desk.app)
        await pilot.press("y")
        await pilot.pause()
        assert len(desk.up.of(c.SendAnswer)) == 1
        await pilot.press("alt+k", "2")
        await pilot.pause()
        assert (asked(desk).language, asked(desk).choice, asked(desk).origin) == (Language.ENGLISH, 0, "wizard")


async def test_a_single_reading_says_how_sure_it_is_unless_it_is_and_a_doubtful_one_is_marked() -> None:
    for sure, shown, hidden in ((0.97, "√ 1 row · flights", "["), (0.9, "√ 1 row · [0.90] · flights", "DOUBTFUL"),
                                (0.5, "◐ DOUBTFUL · √ 1 row · [0.50]", "PARTIAL")):  # fmt: skip
        desk = HandPlayed()
        async with desk.app.run_test(size=(120, 40)) as pilot:
            heard(desk)
            desk.attempted(text="flights to boston", language=Language.ENGLISH)
            desk.tell(
                e.QueryReturned(
                    attempt="a1", sql="SELECT 1", table=rows_of(["n"], [[1]]), took=1, database_version="1",
                    paraphrase="flights to Boston", confidence=sure,
                )
            )  # fmt: skip
            await pilot.pause()
            line = next(line for line in painted(desk.app).splitlines() if "1 row" in line)
            assert shown in line
            assert hidden not in line
            assert desk.app.screen.query_one("#attempt").has_class("-partial") == (sure < 0.6)


async def test_one_key_makes_sql_of_the_english_to_edit_by_hand() -> None:
    desk = HandPlayed(menu=menu)
    async with desk.app.run_test(size=(80, 24)) as pilot:
        heard(desk)
        await pilot.press("ctrl+g")
        await pilot.pause()
        assert "There is no statement yet" in painted(desk.app)
        desk.attempted(language=Language.ENGLISH, text="flights to boston")
        desk.returned()
        await pilot.press("ctrl+g")
        await pilot.pause()
        assert focus(desk) == "sql"
        assert desk.app.desk.query_one(QueryPane).editor.text == "SELECT number, city FROM toy"


async def test_one_key_reads_the_request_alone_and_again_in_context() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        heard(desk)
        desk.attempted(language=Language.ENGLISH, text="which serve dinner", origin="transcription")
        desk.returned(paraphrase="flights with dinner (from before: from Boston)")
        await pilot.pause()
        assert "from before: from Boston" in painted(desk.app)
        await pilot.press("ctrl+n")
        await pilot.pause()
        assert (asked(desk).text, asked(desk).in_context) == ("which serve dinner", False)
        assert asked(desk).origin == "transcription"
        assert "Read alone" in painted(desk.app)
        await pilot.press("ctrl+n")
        assert asked(desk).in_context is True
        desk.spoken("t2")
        assert desk.console.in_context is True


async def test_the_question_goes_into_the_blank_of_the_canned_message() -> None:
    desk = HandPlayed(messages=(SPECIFIC,))
    async with desk.app.run_test(size=(80, 24)) as pilot:
        heard(desk)
        desk.attempted(language=Language.ENGLISH, text="flights to boston")
        desk.failed("Not understood.", question=QUESTION)
        await pilot.pause()
        assert f"Alt+Q asks back: {QUESTION}" in painted(desk.app)
        await pilot.press("alt+q")
        await pilot.pause()
        assert desk.up.of(c.SendCanned) == []
        await pilot.press("enter")
        await pilot.pause()
        sent = desk.up.given[-1]
        assert isinstance(sent, c.SendCanned)
        assert (sent.message, sent.blanks) == ("be-specific", ("where will you be leaving from",))


@pytest.mark.parametrize("free_text", [False, True])
async def test_a_question_in_english_is_not_put_before_who_reads_german(free_text: bool) -> None:
    german = msgspec.structs.replace(SPECIFIC, text="Bitte machen Sie genauere Angaben zu ___.")
    desk = HandPlayed(messages=(german,), free_text=free_text)
    opened = desk.console.state.opened
    assert opened is not None
    desk.tell(msgspec.structs.replace(opened, protocol=msgspec.structs.replace(opened.protocol, language="de")))
    async with desk.app.run_test(size=(80, 24)) as pilot:
        heard(desk)
        desk.attempted(language=Language.ENGLISH, text="flights to boston")
        desk.failed("Not understood.", question=QUESTION)
        await pilot.pause()
        assert f"Alt+Q asks back: {QUESTION}" in painted(desk.app), "the wizard knows what is missing"
        given = len(desk.up.given)
        await pilot.press("alt+q", "enter")
        await pilot.pause()
        assert len(desk.up.given) == given, "it is for the wizard to say, in German"
        await write(pilot, "Abflug")
        await pilot.press("enter")
        await pilot.pause()
        sent = desk.up.given[-1]
        assert (sent.text if isinstance(sent, c.SendText) else sent.blanks[0]) == "Abflug"  # type: ignore[union-attr]


async def test_the_question_goes_as_it_stands_where_own_words_are_allowed() -> None:
    desk = HandPlayed(free_text=True)
    async with desk.app.run_test(size=(80, 24)) as pilot:
        heard(desk)
        desk.attempted(language=Language.ENGLISH, text="flights to boston")
        desk.returned(question=QUESTION)
        await pilot.pause()
        await pilot.press("alt+q")
        await pilot.pause()
        assert desk.up.of(c.SendText) == []
        await pilot.press("enter")
        await pilot.pause()
        (sent,) = desk.up.of(c.SendText)
        assert isinstance(sent, c.SendText)
        assert sent.text == QUESTION


async def test_without_a_question_there_is_nothing_to_ask_back() -> None:
    desk = HandPlayed(messages=(SPECIFIC,))
    async with desk.app.run_test(size=(80, 24)) as pilot:
        heard(desk)
        desk.attempted(language=Language.ENGLISH, text="x")
        desk.returned()
        await pilot.press("alt+q", "enter")
        assert [
            command for command in desk.up.given if not isinstance(command, c.Report | c.SubmitQuery | c.Transcribe)
        ] == []


async def test_a_proposal_is_marked_and_waits_for_the_wizard() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        heard(desk)
        await pilot.press("alt+g")
        await pilot.pause()
        assert (asked(desk).language, asked(desk).origin) == (Language.PROPOSAL, PROPOSED)
        assert asked(desk).text == "flights to boston"
        desk.attempted(language=Language.PROPOSAL, text="flights to boston", origin=PROPOSED)
        desk.returned(proposer="m-1")
        await pilot.pause()
        assert "PROPOSED by m-1" in painted(desk.app)
        assert desk.up.of(c.SendAnswer) == []
        await pilot.press("ctrl+g", "space", "enter")
        assert (asked(desk).language, asked(desk).origin) == (Language.SQL, EDITED)


async def test_a_proposal_is_asked_for_the_words_that_stand_in_the_line() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        heard(desk)
        await pilot.press("ctrl+r", "end", "space", *"monday", "alt+g")
        await pilot.pause()
        assert (asked(desk).language, asked(desk).text) == (Language.PROPOSAL, "flights to boston monday")


async def test_without_consent_to_be_written_down_there_is_no_line_to_transcribe_in() -> None:
    desk = HandPlayed()
    scopes = {"record": True, "transcribe": False}
    desk.tell(e.ConsentGiven(at=Stamp("s", 0, 0), version="1", sha256="", scopes=scopes))
    async with desk.app.run_test(size=(100, 32)) as pilot:
        desk.begin_turn()
        await pilot.pause()
        assert not desk.app.screen.query_one("#said").display
        assert focus(desk) in ("menu", "sql"), "English is what was said"
        await pilot.press("f8", "f8")
        assert focus(desk) in ("menu", "sql")
        assert "note" not in [action.name for action in ACTIONS if ready(desk.console, action, sound=False)]
        assert focus(desk) == "sql", "this study has no menu"
        await write(pilot, "rows 2")
        await pilot.press("enter")
        await pilot.pause()
    assert desk.up.of(c.Transcribe) == []
    assert [command.language for command in desk.up.of(c.SubmitQuery)] == [Language.SQL]


@pytest.mark.parametrize("order", [("t1", "t2"), ("t2", "t1")])
async def test_two_waiting_utterances_are_asked_and_answered_in_either_order(order: tuple[str, str]) -> None:
    desk = HandPlayed(english=True)
    async with desk.app.run_test(size=(100, 32)) as pilot:
        desk.scenario()
        desk.spoken("t1")
        desk.spoken("t2")
        await pilot.pause()
        for number, take in enumerate(order):
            if desk.console.take is None or desk.console.take.take != take:
                await pilot.press("alt+down")
            await write(pilot, f"words {take}")
            await pilot.press("enter")
            desk.transcribed(f"words {take}", take)
            await pilot.pause()
            asked = desk.up.of(c.SubmitQuery)[-1]
            assert isinstance(asked, c.SubmitQuery)
            assert (asked.take, asked.text) == (take, f"words {take}")
            desk.attempted(asked.id, take, asked.text, Language.ENGLISH)
            desk.returned(number + 1, asked.id)
            await pilot.pause()
            await pilot.press("f5")
            await pilot.pause()
            sent = desk.up.of(c.SendAnswer)[-1]
            assert isinstance(sent, c.SendAnswer)
            assert sent.attempt == asked.id
            desk.answered(take, f"answer {take}", f"r-{take}")
            await pilot.pause()
        assert desk.console.waiting == []
