"""From Enter at the wizard to the subject's word that the answer is on the screen: three processes, loopback, a 20-row table.

The subject's desk is the real Textual app without a terminal to write to; the hub commits to the disk before it tells
anybody, and the acknowledgement is journalled on the subject's disk before it goes back. The design needs a median under 20
ms and a 99th percentile under 50 ms.

    python -m benchmarks.reply [--rounds N]
"""

import argparse
import asyncio
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.figures import percentile
from benchmarks.hubs import hub, name
from benchmarks.torture.processes import BY_ROLE
from session.gc_pauses import settle
from session.study.settings import Profile
from session.transport.websocket import Address
from session.values.clock import SystemClock
from session.values.vocabulary import Echo, Language, RecordingControl, Role
from subject.app import SubjectApp
from subject.desk import SubjectDesk
from wizard.desk import WizardDesk

PROFILE = Profile(name="bench", consent=False, echo=Echo.NEVER, recording=RecordingControl.TYPED, reply_limit_s=0)


def address(port: int, role: Role) -> Address:
    return Address("127.0.0.1", port, name(0), BY_ROLE[role], tls=False)


def subject(port: int, folder: Path, rounds: int) -> None:
    """The subject's desk: types one request after the other and reads the answers."""
    asyncio.run(_subject(port, folder, rounds))


async def _subject(port: int, folder: Path, rounds: int) -> None:
    clock = SystemClock("subject")
    desk = SubjectDesk(address(port, Role.SUBJECT), clock, folder, [], lambda: changed())
    app = SubjectApp(desk.terminal, clock, open_microphone=lambda: None, after_paint=settle)
    typed = 0

    def changed() -> None:
        nonlocal typed
        app.changed()
        state = desk.terminal.state
        if state.run is not None and len(state.takes) == typed < rounds and not state.waiting():
            typed += 1
            desk.terminal.type(f"request {typed}")

    link = asyncio.ensure_future(desk.run())
    screen = asyncio.ensure_future(app.run_async(headless=True, size=(100, 40)))
    while (
        sum(reply.shown is not None for reply in desk.terminal.state.replies.values()) < rounds or desk.kept.pending()
    ):
        await asyncio.sleep(0.05)
    app.exit()
    await screen
    link.cancel()
    await asyncio.gather(link, return_exceptions=True)
    await desk.close()


class Rounds:
    """The wizard's moves, each as soon as the last has come back; `took` are milliseconds from sending to the word of it."""

    def __init__(self, port: int) -> None:
        self.took: list[float] = []
        self._moved = asyncio.Event()
        self.desk = WizardDesk(address(port, Role.WIZARD), SystemClock("wizard"), self._moved.set)

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not condition():
                self._moved.clear()
                await self._moved.wait()

    async def play(self, rounds: int) -> None:
        console, link = self.desk.console, asyncio.ensure_future(self.desk.run())
        await self.until(lambda: console.state.screen is not None)
        console.start_scenario("try")
        for number in range(rounds):
            await self.until(lambda number=number: len(console.state.takes) > number)  # type: ignore[misc]
            asked = console.ask("rows", Language.SQL)
            await self.until(
                lambda asked=asked: asked in console.state.attempts and not console.state.attempts[asked].running  # type: ignore[misc]
            )
            console.previewed()
            began = time.perf_counter()
            console.send()
            await self.until(
                lambda number=number: (
                    len(sent := list(console.state.replies.values())) > number and sent[-1].shown is not None
                )  # type: ignore[misc]
            )
            self.took.append((time.perf_counter() - began) * 1e3)
        link.cancel()
        await asyncio.gather(link, return_exceptions=True)


async def _wizard(port: int, rounds: int) -> list[float]:
    played = Rounds(port)
    await played.play(rounds)
    return played.took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=150)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        with hub(Path(folder), 1, PROFILE) as running:
            desk = multiprocessing.get_context("spawn").Process(
                target=subject, args=(running.port, Path(folder) / "spool", rounds)
            )
            desk.start()
            took = asyncio.run(_wizard(running.port, rounds))[rounds // 10 :]
            desk.join()
        print(f"reply_p50 {percentile(took, 0.5):.1f} ms")
        print(f"reply_p99 {percentile(took, 0.99):.1f} ms")
        print(f"reply_worst {max(took):.1f} ms")
        print(f"hub_stall_p99 {percentile(running.stalls, 0.99):.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
