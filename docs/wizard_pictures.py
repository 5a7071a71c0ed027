"""Pictures of the wizard's console in its main states, for `docs/make_pictures.py`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from docs.picturing import COCKPIT, picture, pressing
from docs.story import AT, LONG, SAID, product_answer, task
from session import events as e
from session.audio.fake import FileLoudspeaker
from session.protocol.side_messages import ClosingCheck, MenuResponse
from session.study.settings import CannedMessage, Setting
from session.study.toml_reader import read
from session.values.answers import Table
from session.values.vocabulary import Language, Outcome, Role
from tests.wizard.desk import HandPlayed
from wizard.audio.monitor import Monitor
from wizard.audio.playback_state import PlaybackState

ROOT = Path(__file__).parent.parent


class MessageFile(Setting, frozen=True):
    """The shipped canned messages, as their file has them."""

    message: tuple[CannedMessage, ...]


def wizard(role: Role = Role.WIZARD, menu: Callable[[str], MenuResponse] | None = None) -> HandPlayed:
    shipped = read(ROOT / "canned_messages/messages.toml", MessageFile).message
    desk = HandPlayed(role, english=True, messages=shipped, menu=menu, expand_codes=True, listening=_hearing)
    desk.console.state.opened.protocol.canned_messages.pop("none", None)  # type: ignore[union-attr]  # opened just now
    desk.tell(e.ScreenSized(at=AT, columns=96, lines=20), task())
    return desk


def _hearing(desk: HandPlayed) -> PlaybackState:
    """The participant heard as over a loudspeaker."""
    monitor = Monitor(lambda: FileLoudspeaker())
    monitor.open()
    return PlaybackState(monitor, lambda: desk.link)


def heard(desk: HandPlayed, request: str = SAID, *, none: bool = False) -> None:
    """Spoken, transcribed, asked and answered by the database; `none`: with no row."""
    answer = product_answer(request)
    desk.spoken()
    desk.transcribed(request)
    desk.attempted(text=request, language=Language.ENGLISH)
    desk.tell(
        e.QueryReturned(
            attempt="a1",
            sql=answer.sql,
            table=Table(answer.table.columns, ()) if none else answer.table,
            took=8_000_000,
            database_version="1",
            paraphrase=answer.paraphrase,
            confidence=answer.confidence,
            others=answer.others,
            reading=answer.reading,
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
    await picture(desk.app, path, pressing("f6", "1", first=lambda: heard(desk, none=True)))


async def records(path: Path) -> None:
    desk = wizard()
    desk.tell(e.ScreenSized(at=AT, columns=72, lines=20))

    async def act(pilot: Pilot[Any]) -> None:
        heard(desk, LONG)

    await picture(desk.app, path, act)


async def readings(path: Path) -> None:
    desk = wizard()
    await picture(desk.app, path, pressing("alt+k", first=lambda: heard(desk)))


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
        "the session is readable, its chain of events is intact",
        "the session has ended",
        "the logs and the export can be written",
    )
    found = [
        *map(ClosingCheck, done),
        ClosingCheck("the copy on the second disk exports the same bytes", (absent,)),
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
