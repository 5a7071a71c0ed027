"""The console from 120 columns on: what stands beside the work, and what the top says while the subject speaks."""

from textual.color import Color

from desk.theme import DARK
from docs.wizard_pictures import heard, wizard
from session import events as e
from session.protocol.messages import DeskPresence
from session.study.settings import CannedMessage
from session.values.clock import Stamp
from session.values.vocabulary import ResponseClass, Role
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed

SORRY = CannedMessage(
    id="sorry", text="The word ___ is not known.", reason="unknown_word", response=ResponseClass.DIRECTIVE, digit=9
)


async def test_task_dialogue_waiting_and_digits_stand_beside_the_work() -> None:
    desk = HandPlayed(messages=(SORRY,))
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.scenario(text="Go to Boston on a weekday.")
        desk.spoken()
        desk.transcribed("flights to boston")
        desk.answered(text="Here they are")
        desk.spoken("t2")
        desk.spoken("t3")
        await pilot.pause()
        text = painted(desk.app)
        for part in (
            "Go to Boston on a weekday.",
            "√ flights to boston",
            "← Here they are",
            "►? not transcribed",
            "Waiting",
            "9  The word ___ is not known.",
        ):
            assert part in text
        desk.attempted(take="t2")
        desk.returned(12)
        table = "number city\n------ ----\n     1 Rome"
        desk.tell(e.AnswerSent(reply="r2", take="t2", text=table, attempt="a1", response=ResponseClass.ANSWER))
        await pilot.pause()
        assert "← 12 rows" in painted(desk.app), "the first line of a table names its columns and no more"
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "Dialogue so far" not in painted(desk.app)


LONG = "The request can be taken in more than one way. Please say which."


async def test_messages_are_read_to_their_end_where_there_is_room_and_their_beginning_where_there_is_little() -> None:
    messages = tuple(
        CannedMessage(id=f"m{digit}", text=LONG, reason="", response=ResponseClass.DIRECTIVE, digit=digit)
        for digit in range(1, 9)
    )
    for height, whole in ((50, True), (24, False)):
        desk = HandPlayed(messages=messages)
        async with desk.app.run_test(size=(120, height)) as pilot:
            desk.scenario(text="Go to Boston on a weekday.")
            await pilot.pause()
            assert (painted(desk.app).count("Please say which.") == len(messages)) is whole
            assert all(f" {digit}  The request can" in painted(desk.app) for digit in range(1, 9))


def near(colour: str, wished: str | None) -> bool:
    """Whether two colours are the same but for rounding on their way through hue and lightness."""
    return all(
        abs(one - other) <= 1 for one, other in zip(*(Color.parse(c or "").rgb for c in (colour, wished)), strict=True)
    )


async def test_signs_have_colours_beside_their_shapes() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.console.receive(DeskPresence(Role.SUBJECT, False, "the connection was lost"))
        desk.app.desk.tick()
        await pilot.pause()
        colours = {
            segment.text: segment.style.color.name
            for strip in desk.app.screen._compositor.render_strips()
            for segment in strip
            if segment.text in ("√", "×") and segment.style and segment.style.color
        }
        assert near(colours["√"], DARK.success)
        assert near(colours["×"], DARK.error)


async def test_the_top_says_that_the_subject_speaks_for_how_long_and_what_is_left_of_the_limit() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.begin_turn()
        desk.clock.advance(30)
        desk.tell(e.TalkPressed(at=Stamp("s", 0, 0), take="t2"))
        desk.app.desk.tick()
        desk.clock.advance(7)
        desk.app.desk.tick()
        await pilot.pause()
        text = painted(desk.app)
        assert "● SPEAKING 0:07" in text
        assert "recording 0:07" in text
        assert "√ reply within 0:23 ████░░░░" in text


async def test_a_lost_subject_rings_once_however_long_it_is_lost() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        rung: list[None] = []
        desk.app.bell = lambda: rung.append(None)  # type: ignore[method-assign]
        desk.scenario()
        await pilot.pause()
        desk.console.receive(DeskPresence(Role.SUBJECT, False))
        for _ in range(3):
            desk.clock.advance(1)
            desk.app.desk.tick()
        await pilot.pause()
        assert "PARTICIPANT LOST 0:03" in painted(desk.app)
        assert len(rung) == 1


async def test_a_task_of_several_lines_stands_whole_beside_messages_that_share_what_is_left() -> None:
    desk = wizard()
    text = "Fly from Boston to Denver on the first Monday of May and back in the evening with as few stops as can be. "
    desk.tell(e.ScenarioStarted(number=2, scenario="t", title="T", text=f"{text * 2}Cheaply.", kind="trip"))
    async with desk.app.run_test(size=(120, 40)) as pilot:
        heard(desk)
        await pilot.pause()
        await pilot.pause()
        rail = [line.split("│")[0].strip() for line in painted(desk.app).split("\n")]
        assert rail[2] == "Task"
        assert "Cheaply." in " ".join(rail)
        assert not any("more lines" in line for line in rail)
        assert [line[0] for line in rail if line[:1].isdigit()] == list("123456789"), "each message is in sight"
        first = rail.index("F6, then a digit") + 1
        assert rail[first : first + 2] == ["1  No information is available on", "___."], "and has its share of the room"
