"""The devices of a page as the subject's core has them: disk, recorder, loudspeaker; each call is an order to it."""

import hashlib
from collections.abc import Callable

from session import commands as c
from session.protocol.messages import SPEECH_RATE, Sound, speech_chunks
from session.values.clock import Stamp
from subject.browser.page_messages import encode_order

Send = Callable[[str], None]


class PageKeeping:
    """The spool as the core needs it (`subject.ports.SpoolPort`), where it is in the page: orders to it."""

    def __init__(self, takes: tuple[str, ...], send: Send, acknowledged: Callable[[str], None]) -> None:
        self.takes = set(takes)
        self.troubles: list[str] = []
        self._send, self._acknowledged = send, acknowledged

    def read(self, take: str, letter: str, first: int, samples: int) -> bytes:
        """Raise KeyError: the page reads its disk itself."""
        raise KeyError(take)

    def confirm(self, take: str, letter: str, samples: int, sha256: str) -> bool:
        """Tell the page, which compares and forgets."""
        if take not in self.takes:
            return False
        self._send(encode_order("confirmed", take=take, letter=letter, samples=samples, sha256=sha256))
        return True

    def holds(self, take: str) -> bool:
        """Return whether the page has anything of a take."""
        return take in self.takes

    def add(self, *reports: c.Report) -> None:
        """Nothing: what the page reports it keeps itself, and what follows here follows again."""

    def acknowledge(self, report: str) -> None:
        """The hub has the report."""
        self._acknowledged(report)

    def pending(self) -> list[c.Report]:
        return []


class PageRecorder:
    """The recorder as the core needs it, where it is the page's: takes that begin or end elsewhere are ordered."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def open(self) -> None:
        """The page opens it."""

    def press(self, take: str, at: Stamp) -> str:
        self._send(encode_order("record", take=take))
        return take

    def release(self, take: str, at: Stamp, *, tail: bool = True) -> None:
        self._send(encode_order("stop", take=take, tail=tail))

    def discard(self, take: str) -> None:
        self._send(encode_order("stop", take=take, tail=False))


class PagePlayer:
    """The player as the core needs it (`subject.ports.PlayerPort`): the page plays, and tells by itself what was heard."""

    def __init__(self, send: Callable[[Sound | str], None]) -> None:
        self._send = send

    def play(self, reply: str, pcm: bytes) -> None:
        """Send the sound, with the hash by which the page knows that all of it came."""
        sha256 = hashlib.sha256(pcm).hexdigest()
        order = encode_order("play", reply=reply, samples=len(pcm) // 2, sha256=sha256, rate=SPEECH_RATE)
        self._send(order)
        for chunk in speech_chunks(sha256, pcm):
            self._send(chunk)

    def stop(self) -> None:
        self._send(encode_order("silence"))
