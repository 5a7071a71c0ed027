"""A page played by hand over a hub in memory: what it was sent, and what it sends."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from session.hub.connection import connection_factory
from session.protocol.messages import (
    AudioChunk,
    HubMessage,
    Rejected,
    Sound,
    SpeechChunk,
    WireError,
    decode_speech,
    encode,
)
from subject.browser.gateway import PageConnection
from subject.capture.endpointer import SpeechDetector
from subject.capture.speech_detectors import detector as installed_detector
from tests.together.pipe import SESSION, Bench, admit

CLOCK = "page-1"


def moment(seconds: float = 0.0) -> dict[str, Any]:
    """A stamp of the page's clock."""
    return {"clock": CLOCK, "mono": round(seconds * 1e9), "wall": 1_700_000_000_000_000_000 + round(seconds * 1e9)}


class PipedPage:
    """A page's end of a connection; `parts` are what it would show, `orders` everything else that it was told."""

    def __init__(
        self,
        bench: Bench,
        token: str = "t-subject",
        desk: str = "page",
        detector: Callable[[int], SpeechDetector] = installed_detector,
        session: str = SESSION,
    ) -> None:
        self.session = session
        self.bench, self.token, self.desk, self.detector = bench, token, desk, detector
        self.sounds: list[SpeechChunk] = []
        self.parts: dict[str, Any] = {}
        self.orders: list[dict[str, Any]] = []
        self.wire: list[str] = []
        self.closed = ""

    async def connect(self, **hello: Any) -> "PipedPage":
        """Say hello on a new connection."""
        self.open()
        await self.say({"m": "hello", "token": self.token, "desk": self.desk, "at": moment(), **hello})
        await self.bench.settle()
        return self

    def open(self) -> None:
        """Have a connection on which nothing was said."""
        factory = connection_factory(self.bench.hub, admit, self.bench.clock)
        self.connection = PageConnection(
            self.session, self._down, self._leave, factory, self.bench.clock, detector=self.detector
        )

    async def say(self, message: dict[str, Any]) -> None:
        await self._up(json.dumps(message))

    async def do(self, deed: str, name: str = "", seconds: float = 0.0, **fields: Any) -> None:
        """Do something at the page, and let it have its effect."""
        await self.say(
            {"m": "deed", "id": name or f"d{len(self.wire)}", "at": moment(seconds), "deed": {"type": deed, **fields}}
        )
        await self.bench.settle()

    async def report(self, name: str, event: dict[str, Any]) -> None:
        await self.say({"m": "report", "id": name, "event": event})
        await self.bench.settle()

    async def sound(self, take: str, first: int, pcm: bytes) -> None:
        frame = encode(AudioChunk(take, "s", first, pcm))
        assert isinstance(frame, bytes)
        await self._up(frame)

    async def speak(self, take: str, pcm: bytes, *, lost: bool = False) -> None:
        """One take; `lost` has its sound not arrive."""
        await self.report(f"{take}-p", {"type": "TalkPressed", "at": moment(1), "take": take})
        channel = {"letter": "s", "microphone": "built in", "rate": 16000}
        started = {"type": "RecordingStarted", "at": moment(0.8), "take": take, "channels": [channel], "pre_roll": 2}
        await self.report(f"{take}-started", started)
        if not lost:
            await self.sound(take, 0, pcm)
        await self.report(f"{take}-r", {"type": "TalkReleased", "at": moment(2), "take": take})
        sealed = {"letter": "s", "samples": len(pcm) // 2, "sha256": hashlib.sha256(pcm).hexdigest()}
        stopped = {"type": "RecordingStopped", "at": moment(2.3), "take": take, "sealed": [sealed]}
        await self.report(f"{take}-stopped", stopped)

    def orders_of(self, kind: str) -> list[dict[str, Any]]:
        """Everything of that kind that the page was told."""
        return [order for order in self.orders if order["m"] == kind]

    def acknowledged(self) -> list[str]:
        return [order["id"] for order in self.orders_of("ack")]

    async def _up(self, frame: str | bytes) -> None:
        try:
            await self.connection.receive(frame)
        except (WireError, Rejected) as error:
            self.closed = str(error)
            await self.connection.closed(str(error))

    def _down(self, message: HubMessage | Sound | str) -> None:
        frame = message if isinstance(message, str) else encode(message)
        if isinstance(frame, bytes):
            self.sounds.append(decode_speech(frame))
            return
        self.wire.append(frame)
        read = json.loads(frame)
        if read["m"] == "part":
            self.parts[read["name"]] = read["part"]
        else:
            self.orders.append(read)

    def _leave(self, why: str) -> None:
        self.closed = why
