"""The terminal before it knows its session: waiting for the hub, or turned away by it."""

from desk.app import SMALLEST
from session.study.screen_words import ENGLISH
from subject.app import SubjectApp
from subject.core.terminal import Terminal
from tests.desk.regions import painted
from tests.subject.stage import Stage


async def test_a_terminal_that_is_not_let_in_does_not_say_that_it_is_connecting() -> None:
    stage, why = Stage(), [""]
    app = SubjectApp(
        Terminal(stage.desk.clock, stage.desk.up, stage.desk.keeping, lambda: None, lambda: "id"),
        stage.desk.clock,
        open_microphone=lambda: None,
        reason=lambda: why[0],
        turned_away=lambda: bool(why[0]),
    )
    async with app.run_test(size=SMALLEST) as pilot:
        await pilot.pause()
        assert ENGLISH["headline.connecting"] in painted(app)
        why[0] = "The token is not valid here."
        app.changed()
        await pilot.pause()
        shown = painted(app)
        assert ENGLISH["headline.not_let_in"] in shown
        assert why[0] in shown
        assert ENGLISH["headline.connecting"] not in shown
