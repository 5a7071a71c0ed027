"""The wizard's console, driven by keys: each test is something that a wizard does."""

import pytest
import segno

from desk.editor import Editor
from session import commands as c
from session import events as e
from session.protocol.links import CommandAnswered
from session.protocol.messages import HubTrouble
from session.transport.websocket import LinkState
from session.values.answers import digest, rows_of
from session.values.clock import Stamp
from session.values.vocabulary import Language
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed, focus, write
from wizard.widgets.query import QueryPane
from wizard.widgets.views import PREVIEW, ROWS, SUBJECT, Views

At = Stamp("w", 0, 0)


async def test_a_whole_turn_takes_the_words_an_enter_and_one_key() -> None:
    desk = HandPlayed(english=True)
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn()
        await pilot.pause()
        assert focus(desk) == "said"
        await write(pilot, "flights to boston")
        await pilot.press("enter")
        await pilot.pause()
        said = desk.up.given[-1]
        assert isinstance(said, c.Transcribe)
        assert said.text == "flights to boston"
        assert focus(desk) == "english"
        assert desk.app.focused is not None
        desk.transcribed("flights to boston")
        asked = desk.up.given[-1]
        assert isinstance(asked, c.SubmitQuery)
        assert asked.origin == "transcription"
        desk.attempted(asked.id, text=asked.text, language=Language.ENGLISH)
        desk.returned(attempt=asked.id, paraphrase="all flights to Boston")
        await pilot.pause()
        assert "all flights to Boston" in painted(desk.app)
        assert "city 1" in painted(desk.app)
        assert len([command for command in desk.up.given if isinstance(command, c.Report)]) == 1
        await pilot.press("f5")
        sent = desk.up.given[-1]
        assert isinstance(sent, c.SendAnswer)
        assert sent.sha256 == digest(desk.console.preview or "")


async def test_a_second_f5_does_not_send_again_but_a_new_answer_can_go() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        desk.begin_turn("hello")
        desk.attempted()
        desk.returned()
        await pilot.pause()
        await pilot.press("f5", "f5", "f5")
        assert len(desk.up.of(c.SendAnswer)) == 1
        desk.refuse("The participant's screen has changed since the preview; look at the preview again.")
        await pilot.pause()
        assert "NOT DONE: The participant's screen has changed" in painted(desk.app)
        await pilot.press("f5")
        assert len(desk.up.of(c.SendAnswer)) == 2


async def test_what_is_not_in_sight_is_shown_before_it_can_be_sent() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn("hello")
        await pilot.press("f9")
        assert desk.app.desk.query_one(Views).front == ROWS
        desk.attempted()
        desk.returned()
        await pilot.pause()
        await pilot.press("f5")
        await pilot.pause()
        assert desk.up.of(c.SendAnswer) == []
        assert desk.app.desk.query_one(Views).front == PREVIEW
        assert "This is what the participant will see" in painted(desk.app)
        await pilot.press("f5")
        assert len(desk.up.of(c.SendAnswer)) == 1


async def test_without_rows_nothing_goes_out_and_it_is_said() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        desk.begin_turn()
        await pilot.pause()
        await pilot.press("f5")
        await pilot.pause()
        assert desk.up.given == []
        assert "There are no rows to send" in painted(desk.app)
        assert focus(desk) == "said"


async def test_an_error_of_the_database_is_shown_whole_and_the_text_stays_to_be_reworded() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn("hello")
        await pilot.press("ctrl+r")
        await write(pilot, " again")
        await pilot.press("enter")
        asked = desk.up.given[-1]
        assert isinstance(asked, c.SubmitQuery)
        assert (asked.text, asked.language) == ("hello again", Language.ENGLISH)
        desk.attempted(asked.id, text="hello again", language=Language.ENGLISH)
        await pilot.pause()
        assert "asking the database" in painted(desk.app)
        desk.failed("no such column flght_id; did you mean flight_id?", asked.id)
        await pilot.pause()
        assert "did you mean flight_id?" in painted(desk.app)
        assert desk.app.desk.query_one(QueryPane).editor.text == "hello again"
        assert focus(desk) == "english"


async def test_sql_begins_with_the_statement_that_the_english_gave() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        desk.begin_turn("hello")
        desk.attempted(language=Language.ENGLISH, text="hello")
        desk.returned()
        await pilot.pause()
        await pilot.press("f8")
        await pilot.pause()
        assert focus(desk) == "sql"
        assert desk.app.desk.query_one(QueryPane).editor.text == "SELECT number, city FROM toy"
        await pilot.press("ctrl+l")
        await write(pilot, "rows 9")
        await pilot.press("enter")
        asked = desk.up.given[-1]
        assert isinstance(asked, c.SubmitQuery)
        assert (asked.text, asked.language) == ("rows 9", Language.SQL)
        await pilot.press("ctrl+up", "ctrl+up")
        assert desk.app.desk.query_one(QueryPane).editor.text == "SELECT number, city FROM toy"
        await pilot.press("f8")
        assert desk.app.desk.query_one(QueryPane).editor.text == "hello"


async def test_tab_completes_a_name_of_the_schema() -> None:
    desk = HandPlayed(schema={"flight": ("flight_id",)})
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn()
        await pilot.press("ctrl+r")
        await write(pilot, "select fl")
        assert "Tab: flight flight_id" in painted(desk.app)
        await pilot.press("tab", "tab")
        assert desk.app.desk.query_one(QueryPane).editor.text == "select flight_id"


async def test_a_canned_message_goes_by_digit_its_blank_filled_in_place() -> None:
    desk = HandPlayed()
    message = desk.console.canned_messages[0]
    assert message.id == "none"
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn("what is this")
        await pilot.press("f6")
        await write(pilot, "available")
        await pilot.press("enter", "enter")
        await pilot.pause()
        assert desk.up.of(c.SendCanned) == []
        assert "!! Fill this blank" in painted(desk.app)
        await write(pilot, "fares")
        assert "No information is available on fares" in painted(desk.app)
        await pilot.press("enter")
        await pilot.pause()
        assert desk.up.given[-1] == c.SendCanned(id=desk.up.given[-1].id, message="none", blanks=("fares",), take="t1")
        assert focus(desk) == "english"
        assert not desk.app.desk.query_one(Views).has_class("-canned")


async def test_a_canned_message_that_is_refused_comes_back_as_it_was_filled() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn("what is this")
        await pilot.press("f6")
        await write(pilot, "available")
        await pilot.press("enter")
        await write(pilot, "walrus")
        await pilot.press("enter")
        desk.console.receive(CommandAnswered(desk.up.given[-1].id, "A blank takes words of the domain."))
        await pilot.pause()
        shown = painted(desk.app)
        assert "NOT DONE: A blank takes words of the domain." in shown
        assert "No information is available on walrus" in shown
        await pilot.press(*["backspace"] * 6)
        await write(pilot, "fares")
        await pilot.press("enter")
        await pilot.pause()
        assert [command.blanks for command in desk.up.of(c.SendCanned)] == [("walrus",), ("fares",)]


async def test_a_filler_goes_out_with_one_key() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        desk.begin_turn()
        await pilot.pause()
        await pilot.press("f7")
        await pilot.pause()
        assert [command.message for command in desk.up.of(c.SendCanned) if isinstance(command, c.SendCanned)] == [
            "wait"
        ]
        assert "Sent: One moment" in painted(desk.app)


async def test_esc_cancels_the_query_that_runs() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        desk.begin_turn()
        desk.attempted()
        await pilot.pause()
        await pilot.press("escape")
        assert desk.up.given[-1] == c.CancelQuery(id=desk.up.given[-1].id, attempt="a1")


async def test_earlier_utterances_and_attempts_are_a_key_away() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        desk.scenario()
        desk.spoken("t1")
        desk.transcribed("first", "t1")
        desk.attempted("a1", text="rows 1")
        desk.returned(1, "a1")
        desk.attempted("a2", text="rows 2")
        desk.returned(2, "a2")
        desk.spoken("t2")
        await pilot.pause()
        assert "1 more waiting" in painted(desk.app)
        await pilot.press("alt+left")
        await pilot.pause()
        assert "Attempt 1 of 2: √ 1 row" in painted(desk.app)
        await pilot.press("alt+right", "alt+down")
        await pilot.pause()
        assert "Utterance 2 of 2" in painted(desk.app)
        assert desk.app.desk.query_one("#said", Editor).text == ""
        await pilot.press("alt+u", "2")
        await pilot.pause()
        assert desk.app.desk.query_one("#said", Editor).text == "first"


async def test_links_and_troubles_are_in_sight() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        await pilot.pause()
        assert "√ hub  √ participant  × no sound" in painted(desk.app)
        desk.link = LinkState(False, "This place is taken: another desk is attached in the same role.", True)
        desk.console.lost()
        desk.console.receive(HubTrouble("The disk is full."))
        await pilot.pause()
        text = painted(desk.app)
        assert "× HUB  × PARTICIPANT" in text
        assert "This place is taken" in text
        assert "The disk is full." in text
        assert focus(desk) == "said"


async def test_foreign_text_means_nothing_wherever_it_shows() -> None:
    evil = "[red]x[/red] [@click=app.exit]y[/] \x1b[2J\u202e"
    desk = HandPlayed()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.scenario(title=evil, text=evil)
        desk.spoken()
        desk.transcribed(evil)
        desk.attempted(text=evil)
        desk.returned(rows_of([evil, "b"], [[evil, 1], [evil, 2]]), paraphrase=evil)
        desk.answered(text=evil)
        desk.tell(e.ExperimenterCalled(at=At))
        desk.console.message = evil
        desk.app.changed()
        await pilot.press("f9")
        await pilot.pause()
        text = painted(desk.app)
        assert "[red]x[/red]" in text
        assert "\x1b" not in text
        assert "\u202e" not in text
        await pilot.press("alt+u")
        await pilot.pause()
        assert "[@click=app.exit]y[/]" in painted(desk.app)
        assert "\x1b" not in painted(desk.app)


async def test_twenty_thousand_rows_and_a_transcription_of_ten_thousand_characters_are_taken_in() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.begin_turn("hello")
        desk.attempted()
        desk.returned(20_000)
        await pilot.press("f9")
        await pilot.pause()
        assert "of 20,000" in painted(desk.app)
        await pilot.press("f9", "ctrl+t", "ctrl+l")
        desk.app.desk.query_one("#said", Editor)._replace_via_keyboard("x" * 10_000, (0, 0), (0, 0))
        await pilot.pause()
        assert len(desk.app.desk.query_one("#said", Editor).text) == 5000
        assert "5,000 characters were left out" in painted(desk.app)


async def test_three_hundred_columns_and_an_emoji_are_previewed_as_they_will_be_seen() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn("hello")
        desk.attempted()
        desk.returned(rows_of([f"c{n}" for n in range(300)], [["👍"] * 300]))
        await pilot.pause()
        assert "Entry 1" in painted(desk.app)
        assert "of 301, more below" in painted(desk.app)
        assert len(desk.up.of(c.Report)) == 1


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_address_of_a_page_is_a_whole_code_at_a_key_that_a_camera_reads(size: tuple[int, int]) -> None:
    address = f"https://192.168.100.20:37813/visit/lab-20261123-1#{'f6ff1deb' * 8}"
    desk = HandPlayed(invitation=address)
    desk.console.lost()
    async with desk.app.run_test(size=size) as pilot:
        await pilot.pause()
        assert "Alt+9" in painted(desk.app)
        await pilot.press("alt+9")
        await pilot.pause()
        drawn = [line for line in painted(desk.app).splitlines() if set(line) & set("█▀▄")]
    left = min(len(line) - len(line.lstrip()) for line in drawn)
    dark = [[cell not in half for cell in line[left:]] for line in drawn for half in ("█▀", "█▄")]
    code = [[bool(module) for module in row] for row in segno.make(address, error="l", micro=False).matrix]
    side = len(code)
    assert [row[2 : 2 + side] for row in dark[2 : 2 + side]] == code


async def test_the_subject_s_screen_follows() -> None:
    desk = HandPlayed(invitation="curtain subject 'ws://x@h:1/s'")
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.scenario(text="Go to\nBoston now.")
        desk.spoken()
        desk.transcribed("when do I fly")
        desk.answered(text="at nine")
        desk.tell(e.ReplyShown(at=At, reply="r1", first=0, last=0))
        await pilot.pause()
        lines = "\n".join(desk.app.desk.query_one(Views).table(SUBJECT)._lines)
        assert "Go to Boston now." in lines
        assert "> when do I fly" in lines
        assert "at nine" in lines
        assert "shown to the participant" in lines
        assert "[ ready to talk ]" in lines
        desk.console.lost()
        await pilot.pause()
        assert "curtain subject 'ws://x@h:1/s'" in painted(desk.app)
