"""Starts the parts of the small world as processes of their own, lets them die, starts them again, and says what was left.

The parent of a crash test: what it knows of a part it knows from exit codes and files, as somebody who finds a dead desk does.
"""

import json
import multiprocessing.process
import signal
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import wait
from pathlib import Path

from session import events as e
from session.collection.recordings import Recordings
from session.state.fold import SessionState, fold
from tests.forking import CONTEXT, begin_fork_server
from tests.together import world
from tests.together.pipe import SESSION

TOGETHER = (world.WHOLE,)
APART = (world.HUB, world.SUBJECT, world.WIZARD)
WORTH_WAITING_S = 200.0

Left = dict[str, bytes]
"""Takes that a crash interrupted, and the samples of each that had reached the disk."""


UNTOLD = 255
"""What the standard library's fork server says of a process whose end it has missed; one that failed says 1."""


class Cast:
    """One play of the world in `folder`; `deaths` gives for each part the moments at which its first, second … life ends."""

    def __init__(self, folder: Path, parts: Sequence[str], deaths: Mapping[str, Sequence[int]] | None = None) -> None:
        self.folder = folder
        self.killed = 0
        self.interrupted: Left = {}
        self._deaths = {part: list((deaths or {}).get(part, ())) for part in parts}
        self._lives = {part: self._begun(part) for part in parts}

    def _begun(self, part: str) -> multiprocessing.process.BaseProcess:
        deadly = self._deaths[part].pop(0) if self._deaths[part] else 0
        listed = self.folder / f"{part}.moments"
        begin_fork_server()
        life = CONTEXT.Process(target=world.live, args=(part, self.folder, deadly, listed))
        life.start()
        return life

    def perform(self) -> "Cast":
        """To the end of the session, whoever dies on the way."""
        try:
            while self._lives:
                ready = wait([life.sentinel for life in self._lives.values()], WORTH_WAITING_S)
                assert ready, f"nothing moves any more in {', '.join(self._lives)}"
                for part, life in [item for item in self._lives.items() if item[1].sentinel in ready]:
                    life.join()
                    self._ended(part, life.exitcode)
                if set(self._lives) == {world.HUB}:
                    (self.folder / "over").touch()
        finally:
            for life in self._lives.values():
                life.kill()
                life.join()
        return self

    def _ended(self, part: str, code: int | None) -> None:
        if code == 0:
            del self._lives[part]
            return
        assert code in (-signal.SIGKILL, UNTOLD), f"{part} ended with {code}"
        self.killed += 1
        if part in (world.WHOLE, world.SUBJECT):
            self.interrupted |= interrupted(self.folder / "spool")
        self._lives[part] = self._begun(part)

    def moments(self, part: str) -> list[str]:
        """The names of the moments of the part's last life."""
        return (self.folder / f"{part}.moments").read_text().splitlines()

    def state(self) -> SessionState:
        return fold(world.facts_of(self.folder))

    def corpus(self) -> dict[str, bytes]:
        return world.corpus_of(self.folder)

    def pcm(self, take: str) -> bytes:
        """What the hub holds of a take."""
        recordings = Recordings(self.folder / "recordings")
        try:
            return recordings.pcm(SESSION, take, "s")
        finally:
            recordings.close()


def interrupted(spool: Path) -> Left:
    """Takes that were begun and neither reported as stopped nor sealed, as a dead desk left them."""
    journal = spool / "reports.jsonl"
    lines = [json.loads(line) for line in journal.read_text().splitlines()] if journal.exists() else []
    facts = [line["report"]["event"] for line in lines if "report" in line]

    def takes(kind: type[e.Event]) -> list[str]:
        return [fact["take"] for fact in facts if fact["type"] == kind.__name__]

    left: Left = {}
    for take in takes(e.TalkPressed):
        if take not in takes(e.RecordingStopped) and not (spool / f"{take}.s.json").exists():
            part = spool / f"{take}.s.pcm.part"
            data = part.read_bytes() if part.exists() else b""
            left[take] = data[: len(data) // 2 * 2]
    return left


def substance(state: SessionState) -> object:
    """What was said, asked, answered and solved, without a stamp or an identifier."""
    takes: Callable[[int], object] = lambda run: [  # noqa: E731
        (
            take.number,
            take.discarded,
            take.transcriptions,
            [
                (attempt.sql or attempt.text, attempt.failure, attempt.table)
                for name in take.attempts
                for attempt in [state.attempts[name]]
            ],
            [
                (reply.text, reply.response, reply.shown is not None)
                for name in take.replies
                for reply in [state.replies[name]]
            ],
        )
        for take in state.takes_of(run)
        if any(sealed.samples for sealed in take.sealed)
    ]
    runs = [(run.scenario, run.outcome, run.solution, takes(place)) for place, run in enumerate(state.runs)]
    return runs, state.notes, state.screen, state.ended
