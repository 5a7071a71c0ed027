"""ConsoleRun down: the console is painted before its hub is opened, and the hub is closed when the console was left."""

import asyncio
import io
import stat
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from session.audio.devices import DeviceError, Loudspeaker
from session.study.folder import load
from session.transport.listen_address import ListenAddress
from session.transport.websocket import Address
from session.values.clock import SystemClock
from session.values.vocabulary import Role
from tests.server.toy_study import toy_study
from wizard.app import WizardApp
from wizard.desk import WizardDesk
from wizard.launch import CannotStart, ConnectionTarget, ConsoleRun, HubRequest
from wizard.own_hub import MACHINE_ADDRESSES, SUBJECT_ADDRESS, handed_out, own_hub

NOWHERE = Address("127.0.0.1", 9, "lab-20261121-1", "a-token-of-the-wizard", tls=False)
RUN = WizardApp.run_async


class Visit:
    """One sitting without a terminal or a loudspeaker; `happened` tells the order of things."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fails: str = "") -> None:
        self.happened: list[str] = []
        self.app: WizardApp | None = None
        self.sitting = ConsoleRun("Oz", None, "dark", io.StringIO())
        self._fails = fails
        self.left, self.hears_at_once = threading.Event(), True
        visit = self

        async def run_async(app: WizardApp, **_: Any) -> None:
            visit.app = app
            await RUN(app, headless=True, size=(100, 30))
            visit.happened.append("left")
            visit.left.set()

        def deaf(_: ConsoleRun) -> Loudspeaker:
            assert visit.hears_at_once or visit.left.wait(120)
            raise DeviceError("no loudspeaker in a test")

        monkeypatch.setattr(WizardApp, "run_async", run_async)
        monkeypatch.setattr(ConsoleRun, "_opened_loudspeaker", deaf)
        monkeypatch.setattr("wizard.launch.settle", lambda: None)

    def opening(
        self, at_work: Callable[[], Any]
    ) -> Callable[[WizardDesk], AbstractAsyncContextManager[ConnectionTarget]]:
        @asynccontextmanager
        async def opening(desk: WizardDesk) -> AsyncIterator[ConnectionTarget]:
            assert self.app is not None
            self.happened.append("painted" if self.app.desk.is_mounted else "not painted")
            self.happened.append(desk.link_state.reason)
            await at_work()
            if self._fails:
                raise CannotStart(self._fails)
            self.app.call_after_refresh(self.app.exit)
            yield ConnectionTarget(NOWHERE, "curtain subject 'ws://x'", "a warning")
            self.happened.append("closed")

        return opening


async def test_the_console_is_painted_before_its_hub_is_opened_which_closes_after_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    visit = Visit(monkeypatch)
    await visit.sitting.console(visit.opening(lambda: asyncio.sleep(0)), tmp_path / "log", english=False)
    assert visit.happened == ["painted", "it is starting", "left", "closed"]
    assert visit.sitting.status == 0
    assert visit.app is not None
    assert "ws://x" in visit.app.desk.console.invitation
    assert "a warning" in visit.app.desk.notice


async def test_a_hub_that_cannot_be_opened_ends_the_console_and_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    visit = Visit(monkeypatch, fails="the database cannot be read")
    with pytest.raises(CannotStart, match="the database cannot be read"):
        await visit.sitting.console(visit.opening(lambda: asyncio.sleep(0)), tmp_path / "log", english=False)
    assert visit.happened == ["painted", "it is starting", "left"]


async def test_who_leaves_while_a_loudspeaker_is_looked_for_meets_no_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    visit = Visit(monkeypatch)
    visit.hears_at_once = False
    await visit.sitting.console(visit.opening(lambda: asyncio.sleep(0)), tmp_path / "log", english=False)
    assert visit.happened == ["painted", "it is starting", "left", "closed"]


async def test_who_leaves_before_the_hub_is_there_waits_for_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    visit = Visit(monkeypatch)

    async def leaves_and_never_ends() -> None:
        assert visit.app is not None
        visit.app.exit()
        await asyncio.Event().wait()

    async with asyncio.timeout(120):
        await visit.sitting.console(visit.opening(leaves_and_never_ends), tmp_path / "log", english=False)
    assert visit.happened == ["painted", "it is starting", "left"]
    assert visit.sitting.status == 0


def test_the_subjects_address_stands_in_a_file_that_only_its_owner_reads_while_the_session_is_open(
    tmp_path: Path,
) -> None:
    path = tmp_path / SUBJECT_ADDRESS
    path.write_text("of a console that was killed")
    path.chmod(0o644)
    with handed_out(path, NOWHERE):  # type: ignore[arg-type]
        assert path.read_text() == f"{NOWHERE}\n"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()
    with handed_out(tmp_path / "nowhere" / SUBJECT_ADDRESS, NOWHERE):  # type: ignore[arg-type]
        assert not (tmp_path / "nowhere").exists()


async def test_the_commands_of_machines_that_are_apart_stand_in_a_file_and_the_console_says_where(
    tmp_path: Path,
) -> None:
    folder = toy_study(tmp_path / "study")
    settings = folder / "study.toml"
    text = settings.read_text().replace('profile = "BBN-89"', 'profile = "BBN-92"')
    settings.write_text(f'{text}\n[machines]\nrecognition = "apart"\n')
    sitting, path = ConsoleRun("Oz", None, "dark", io.StringIO()), folder / MACHINE_ADDRESSES
    desk = WizardDesk(NOWHERE, SystemClock("wizard"), lambda: None)
    async with own_hub(sitting, load(folder), HubRequest(ListenAddress(), Role.WIZARD), desk) as target:
        assert str(path) in target.notice
        [command] = path.read_text().splitlines()
        assert command.startswith("curtain operate 'ws://")
        assert command.endswith(f"--stage recognition --study {folder}")
    assert not path.exists()
