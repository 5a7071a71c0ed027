"""Debian's Firefox, driven over WebDriver BiDi: playwright drives builds of its own only, and Debian has no geckodriver.

It hears what a sound server's default source hears. Without a device to play to, Firefox runs no `AudioContext` at all.
"""

import asyncio
import contextlib
import json
import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

BROWSER = shutil.which("firefox-esr") or ""
WAIT_S = 60.0
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "media.navigator.permission.disabled": True,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}


def why_not() -> str:
    """Why Firefox cannot be driven here; empty where it can."""
    if not BROWSER:
        return "no firefox-esr is installed"
    return "" if os.environ.get("CURTAIN_PULSE") else "CURTAIN_PULSE is not set: no PulseAudio server with null sinks"


class Firefox:
    """One tab of a Firefox."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._asked = 0
        self._tab = ""

    async def begin(self) -> None:
        """Take the tab that is open."""
        await self._call("session.new", capabilities={})
        self._tab = (await self._call("browsingContext.getTree"))["contexts"][0]["context"]

    async def go(self, address: str) -> None:
        """Load a page."""
        await self._call("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    async def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page; promises are waited for."""
        given = {"expression": expression, "target": {"context": self._tab}, "awaitPromise": True}
        found = await self._call("script.evaluate", **given)
        assert found["type"] == "success", found
        return found["result"].get("value")

    async def until(self, expression: str) -> None:
        """Wait until an expression holds in the page, which looks once a frame."""
        looking = (
            f"new Promise(done => {{ const look = () => ({expression}) ? done() : setTimeout(look, 20); look(); }})"
        )
        try:
            async with asyncio.timeout(WAIT_S):
                await self.evaluate(looking)
        except TimeoutError:
            raise AssertionError(f"waited in vain for {expression}") from None

    async def click(self, element: str) -> None:
        """Click what the expression names, as a mouse does: some things a page may do only after a touch."""
        await self.until(f"{element}?.checkVisibility()")
        box = f"const {{ x, y, width, height }} = {element}.getBoundingClientRect()"
        middle = f"(() => {{ {box}; return [x + width / 2, y + height / 2].map(Math.round).join(); }})()"
        await self.evaluate(f"{element}.scrollIntoView({{ block: 'center' }})")
        x, y = map(int, (await self.evaluate(middle)).split(","))
        buttons = [{"type": f"pointer{way}", "button": 0} for way in ("Down", "Up")]
        source = {"type": "pointer", "id": "mouse", "actions": [{"type": "pointerMove", "x": x, "y": y}, *buttons]}
        await self._call("input.performActions", context=self._tab, actions=[source])

    async def _call(self, method: str, **params: Any) -> dict[str, Any]:
        self._asked += 1
        await self._socket.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        while (told := json.loads(await self._socket.recv())).get("id") != self._asked:
            pass
        assert told["type"] == "success", told
        return dict(told["result"])


@asynccontextmanager
async def firefox(profile: Path, *, deaf: bool = False) -> AsyncIterator[Firefox]:
    """A Firefox with a profile of its own in `profile`, until the block ends; `deaf` leaves it without any device but a
    microphone that it makes up."""
    environment = {"PULSE_SERVER": f"unix:{profile}/none"} if deaf else {}
    chosen = {**PREFERENCES, "media.navigator.streams.fake": deaf}
    profile.mkdir(parents=True)
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in chosen.items()]
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")
    call = (
        BROWSER,
        "--headless",
        "--no-remote",
        "--profile",
        str(profile),
        "--remote-debugging-port",
        "0",
        "about:blank",
    )
    process = await asyncio.create_subprocess_exec(
        *call,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "HOME": str(profile), **environment},
    )
    assert process.stderr is not None
    reading = None
    try:
        async with asyncio.timeout(WAIT_S):
            while not (found := re.search(rb"BiDi listening on (ws://\S+)", line := await process.stderr.readline())):
                assert line, "Firefox has ended"
        reading = asyncio.create_task(process.stderr.read())  # a pipe that is full would hold it up
        async with connect(f"{found[1].decode()}/session", max_size=None) as socket:
            tab = Firefox(socket)
            await tab.begin()
            yield tab
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        if reading is not None:
            await reading
