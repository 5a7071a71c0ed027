"""Pictures of the participant's terminal at other sizes and in other languages than its main states (`make_pictures.py`)."""

from pathlib import Path
from typing import Any

import msgspec
from textual.pilot import Pilot

from docs.picturing import picture
from docs.story import SAID, product_answer
from session import events as e
from session.study.screen_words import shipped
from session.values.clock import Stamp
from session.values.vocabulary import Outcome, RecordingControl, Sealed
from tests.subject.stage import Stage

AT = Stamp("desk", 0, 0)
SMALL, LARGE = (80, 24), (120, 40)
FIRST = "You want to go from Boston to Denver in the afternoon. Find out which flights there are."
SECOND = (
    "You arrive in Denver and want to go into town. Find out what kinds of transport there are from the airport, and which "
    "of them is the cheapest. Write down its name and its price."
)
GERMAN = "Sie kommen in Denver an und möchten in die Stadt. Finden Sie heraus, womit man vom Flughafen am günstigsten hinkommt."


def _two_tasks(title: str, text: str) -> Stage:
    """The second task, with the answer of the first above."""
    stage = Stage(recording=RecordingControl.PRESS)
    stage.desk.tell(
        e.ScenarioStarted(number=1, scenario="", title="An afternoon flight", text=FIRST, kind=""),
        e.TalkPressed(at=AT, take="t1"),
        e.RecordingStopped(at=AT, take="t1", sealed=(Sealed("s", 5, ""),)),
        e.Transcribed(at=AT, take="t1", text=SAID),
        e.AnswerSent(reply="r1", take="t1", text=product_answer(SAID).text(76)),
        e.ScenarioEnded(outcome=Outcome.DECLARED),
        e.ScenarioStarted(number=2, scenario="", title=title, text=text, kind=""),
    )
    return stage


async def small(path: Path) -> None:
    stage = _two_tasks("Into town", SECOND)

    async def act(pilot: Pilot[Any]) -> None:
        await pilot.press("pageup")

    await picture(stage.app, path, act, SMALL)


async def german(path: Path) -> None:
    stage = _two_tasks("In die Stadt", GERMAN)
    opened = stage.desk.terminal.state.opened
    assert opened is not None
    protocol = msgspec.structs.replace(opened.protocol, language="de", words=dict(shipped("de")))
    state = stage.desk.terminal.state
    stage.desk.terminal.state = msgspec.structs.replace(
        state, opened=msgspec.structs.replace(opened, protocol=protocol)
    )
    await picture(stage.app, path, size=LARGE)


PICTURES = {"subject-small": small, "subject-german": german}
