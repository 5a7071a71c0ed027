"""Pictures of the wizard's console in its main states, for `docs/make_pictures.py`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from docs.picturing import COCKPIT, picture, pressing
from docs.story import AT, FLIGHTS, SAID, SQL, task
from session import events as e
from session.protocol.side_messages import ClosingCheck, MenuResponse
from session.study.settings import CannedMessage, Setting
from session.study.toml_reader import read
from session.values.answers import OtherReading, Table, rows_of
from session.values.vocabulary import Language, Outcome, Role
from tests.wizard.desk import HandPlayed

ROOT = Path(__file__).parent.parent


class MessageFile(Setting, frozen=True):
    """The shipped canned messages, as their file has them."""

    message: tuple[CannedMessage, ...]


def wizard(role: Role = Role.WIZARD, menu: Callable[[str], MenuResponse] | None = None) -> HandPlayed:
    shipped = read(ROOT / "canned_messages/messages.toml", MessageFile).message
    desk = HandPlayed(role, english=True, messages=shipped, menu=menu)
    desk.console.state.opened.protocol.canned_messages.pop("none", None)  # type: ignore[union-attr]  # opened just now
    desk.tell(e.ScreenSized(at=AT, columns=96, lines=20), task())
    return desk


def heard(desk: HandPlayed, table: Table = FLIGHTS, others: tuple[OtherReading, ...] = ()) -> None:
    """Spoken, transcribed, asked and answered by the database."""
    desk.spoken()
    desk.transcribed(SAID)
    desk.attempted(text=SAID, language=Language.ENGLISH)
    paraphrase = "flights from Boston to Denver that leave between noon and 6 pm"
    desk.tell(
        e.QueryReturned(
            attempt="a1",
            sql=SQL,
            table=table,
            took=8_000_000,
            database_version="1",
            paraphrase=paraphrase,
            confidence=0.9,
            others=others,
        )
    )


async def waiting(path: Path) -> None:
    await picture(wizard().app, path)


async def previewed(path: Path) -> None:
    desk = wizard()

    async def act(pilot: Pilot[Any]) -> None:
        heard(desk)

    await picture(desk.app, path, act, COCKPIT)


async def canned(path: Path) -> None:
    desk = wizard()
    await picture(desk.app, path, pressing("f6", "1", first=lambda: heard(desk, Table(FLIGHTS.columns, ()))))


async def records(path: Path) -> None:
    desk = wizard()
    desk.tell(e.ScreenSized(at=AT, columns=72, lines=20))
    columns = ["flight", "airline", "from airport", "to airport", "departs", "arrives", "aircraft", "meal", "note"]
    row = [
        "953",
        "United Airlines",
        "Logan International",
        "Stapleton International",
        "4:55 pm",
        "7:10 pm",
        "Boeing 727",
    ]
    rows = [[*row, meal, "does not run on the day before a holiday"] for meal in ("dinner", "snack")]

    async def act(pilot: Pilot[Any]) -> None:
        heard(desk, rows_of(columns, rows))

    await picture(desk.app, path, act)


async def readings(path: Path) -> None:
    desk = wizard()
    others = (OtherReading("whether there are any flights from Boston to Denver after noon", "SELECT 1", 0.6),)
    await picture(desk.app, path, pressing("alt+k", first=lambda: heard(desk, others=others)))


async def by_menu(path: Path) -> None:
    after = ("from", "to", "leaving before", "leaving after", "arriving before", "daily", "non stop")
    desk = wizard(menu=lambda typed: MenuResponse(typed, after, whole=True))
    await picture(desk.app, path, pressing("ctrl+r", "f8", *"flights", "space", first=lambda: heard(desk)))


async def scenarios(path: Path) -> None:
    desk = wizard()
    desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED))
    await picture(desk.app, path, pressing("alt+s"))


async def looking_on(path: Path) -> None:
    desk = wizard(Role.OBSERVER)

    async def act(pilot: Pilot[Any]) -> None:
        heard(desk)
        desk.tell(e.ExperimenterCalled(at=AT))

    await picture(desk.app, path, act)


async def actions_by_letter(path: Path) -> None:
    desk = wizard()
    await picture(desk.app, path, pressing("ctrl+o", first=lambda: heard(desk)))


async def progressing(path: Path) -> None:
    desk = wizard(Role.EXPERIMENTER)
    await picture(desk.app, path, pressing("alt+v", first=lambda: heard(desk)))


async def times(path: Path) -> None:
    desk = wizard()

    async def act(pilot: Pilot[Any]) -> None:
        heard(desk)
        desk.answered()
        await pilot.pause()
        await pilot.press("alt+r")

    await picture(desk.app, path, act)


async def closing(path: Path) -> None:
    desk = wizard()
    absent = "the second copy: there is no folder /media/second; is the disk there?"
    done = (
        "the session can be read, its chain of events is whole",
        "the session has ended",
        "the logs render, everything exports",
    )
    found = [
        *map(ClosingCheck, done),
        ClosingCheck("the same bytes come out of the copy on the second disk", (absent,)),
    ]

    async def act(pilot: Pilot[Any]) -> None:
        desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED), e.SessionEnded(reason="done"))
        desk.light(*found)

    await picture(desk.app, path, act)


PICTURES = {
    "wizard": previewed,
    "wizard-waiting": waiting,
    "wizard-canned": canned,
    "wizard-records": records,
    "wizard-readings": readings,
    "wizard-menu": by_menu,
    "wizard-scenarios": scenarios,
    "wizard-actions": actions_by_letter,
    "wizard-times": times,
    "wizard-progress": progressing,
    "wizard-observer": looking_on,
    "wizard-closing": closing,
}
