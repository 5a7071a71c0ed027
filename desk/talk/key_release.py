"""Hearing a key go up, in a terminal that says so.

Push-and-hold (the protocol of CMU and MIT, MADCOW 1992, section 2) needs to know when a key is let go. Terminals that speak
the Kitty keyboard protocol can tell, but Textual neither asks them to nor survives being told. The parser here splits
the event type off a key's sequence, the driver asks the terminal for event types and for what it agreed to. A
terminal that does not agree changes nothing: keys are pressed once to start and once to stop.

This leans on private parts of Textual, hence the version pin and a test that feeds bytes through a pseudo-terminal.
"""

import codecs
import os
import re
import sys
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar

from textual import constants, events
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.driver import Driver
from textual.keys import Keys
from textual.message import Message

REPORT_EVENT_TYPES = 0b10
ASK_FOR_RELEASES = f"\x1b[={REPORT_EVENT_TYPES};2u\x1b[?u"

_KEY = re.compile(
    r"\x1b\[(?P<code>\d*)(?::[\d:]*)?"  # the key, and what it would be with Shift or on another keyboard
    r"(?:;(?P<mods>\d*)(?::(?P<event>\d+))?(?P<text>;[\d:]*)?)?(?P<end>[u~A-HPQRS])"
)
# Textual takes some of these for what a Mac's option key gives: Alt+B for a word back, Alt+1 for an inverted exclamation mark.
_ALT = re.compile(r"\x1b[0-9a-z]")  # capitals begin the sequences of other keys
_FLAGS = re.compile(r"\x1b\[\?(?P<flags>\d+)u")
_REPEATED, _RELEASED = "2", "3"


class KeyReleased(Message):
    """A key went up. Not a `Key` event, which would set off bindings.

    `forwarded` once it is on its way from the widget in focus up to the app, the way that its key went down.
    """

    def __init__(self, key: str, *, forwarded: bool = False) -> None:
        super().__init__()
        self.key = key
        self.forwarded = forwarded


class ReleasesAgreed(Message):
    """The terminal's answer: it will report releases, or it will not. No answer at all means not."""

    key: ClassVar[str] = ""  # the parser passes on whatever carries a key

    def __init__(self, agreed: bool) -> None:
        super().__init__()
        self.agreed = agreed


class KeyRepeated(events.Key):
    """A `Key` that the terminal says is a repeat of one held down; every handler of keys gets it as a key."""


KeyRepeated.handler_name = events.Key.handler_name


class _Pastes:
    """Keeps escapes that stand inside a pasted text from being read as keys.

    Textual's parser types them out, and what follows with them: a pasted text could press buttons.
    """

    def __init__(self) -> None:
        self._inside = False
        self._before = ""  # the last characters passed on: the start of a paste may be cut by a read
        self._kept = ""  # what may be the beginning of a paste's end

    def quietened(self, data: str) -> str:
        """`data` with every escape inside a paste made visible; up to five characters wait for the next read."""
        rest, passed = self._kept + data, []
        self._kept = ""
        while rest:
            part, rest = self._pasted(rest) if self._inside else self._typed(rest)
            passed.append(part)
        return "".join(passed)

    def _typed(self, data: str) -> tuple[str, str]:
        seen = self._before + data
        at = seen.find(BRACKETED_PASTE_START)
        if at < 0:
            self._before = seen[-len(BRACKETED_PASTE_START) + 1 :]
            return data, ""
        self._inside, self._before = True, ""
        end = at + len(BRACKETED_PASTE_START) - (len(seen) - len(data))
        return data[:end], data[end:]

    def _pasted(self, data: str) -> tuple[str, str]:
        at = data.find(BRACKETED_PASTE_END)
        if at >= 0:
            self._inside = False
            end = at + len(BRACKETED_PASTE_END)
            return data[:at].replace("\x1b", "␛") + BRACKETED_PASTE_END, data[end:]
        cut = next((n for n in range(5, 0, -1) if data.endswith(BRACKETED_PASTE_END[:n])), 0)
        self._kept = data[len(data) - cut :]
        return data[: len(data) - cut].replace("\x1b", "␛"), ""


class HoldParser(XTermParser):
    """Textual's parser, with event types understood, pastes inert and no byte sequence able to stop it."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._pastes = _Pastes()

    def feed(self, data: str) -> Iterable[Message]:
        quiet = self._pastes.quietened(data)
        return () if data and not quiet else super().feed(quiet)  # an empty feed means the end

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        try:
            keys = self._with_event_type(sequence, alt)
        except (ValueError, OverflowError):  # a code point beyond Unicode: no key, and no reason to stop
            keys = [events.Key(Keys.Ignore, sequence)]
        return keys

    def _with_event_type(self, sequence: str, alt: bool) -> list[Any]:
        if agreed := _FLAGS.fullmatch(sequence):
            return [ReleasesAgreed(bool(int(agreed["flags"]) & REPORT_EVENT_TYPES))]
        if _ALT.fullmatch(sequence):
            return list(super()._sequence_to_key_events(sequence[1], alt=True))
        match = _KEY.fullmatch(sequence)
        if match is None or match["mods"] is None:
            return [_writable(key) for key in super()._sequence_to_key_events(sequence, alt)]
        plain_sequence = f"\x1b[{match['code']};{match['mods'] or 1}{match['text'] or ''}{match['end']}"
        keys = [_writable(key) for key in super()._sequence_to_key_events(plain_sequence, alt)]
        if match["event"] == _RELEASED:
            return [KeyReleased(key.key) for key in keys[:1]]
        if match["event"] == _REPEATED:
            return [KeyRepeated(key.key, key.character) for key in keys]
        return keys

    def parse_mouse_code(self, code: str) -> Message | None:
        try:
            return super().parse_mouse_code(code)
        except ValueError:
            return None


def _writable(key: events.Key) -> events.Key:
    """`key`, unless it is half a surrogate pair, which could never be written to the terminal again."""
    broken = key.character is not None and any("\ud800" <= sign <= "\udfff" for sign in key.character)
    return events.Key(Keys.Ignore, "") if broken else key


def _lenient_decoder(encoding: str) -> Callable[[], codecs.IncrementalDecoder]:
    """Textual reads keys as strict UTF-8 and dies at the first other byte; a terminal set to Latin-1 sends such."""
    return lambda: codecs.getincrementaldecoder(encoding)("replace")


def hold_driver() -> type[Driver] | None:
    """The driver class to give to `App(driver_class=...)`; None if Textual's own choice must stand (Windows, the browser)."""
    if sys.platform == "win32" or constants.DRIVER is not None:
        return None
    from textual.drivers import linux_driver

    class HoldDriver(linux_driver.LinuxDriver):
        """Asks for releases once the terminal is in application mode."""

        run_input_thread = _with_globals(
            linux_driver.LinuxDriver.run_input_thread, XTermParser=HoldParser, getincrementaldecoder=_lenient_decoder
        )

        def _get_terminal_size(self) -> tuple[int, int]:
            """Of the terminal that is drawn on: standard output may lead elsewhere."""
            try:
                width, height = os.get_terminal_size(self._file.fileno() if self._file else -1)
            except (OSError, ValueError):
                width, height = super()._get_terminal_size()
            return width, height

        def start_application_mode(self) -> None:
            super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual leaves it so
            if not constants.DISABLE_KITTY_KEY and self._writer_thread is not None:
                self.write(ASK_FOR_RELEASES)
                self.flush()

    return HoldDriver


def _with_globals(function: Callable[..., None], **replaced: object) -> Callable[..., None]:
    """A copy of `function` that finds other things under some of its module's names.

    The input thread takes its parser from a global of its module. A copy leaves other apps of this process alone.
    """
    if not isinstance(function, FunctionType):
        raise TypeError(f"{function!r} is not a plain function")
    missing = set(replaced) - set(function.__globals__)
    if missing:
        raise RuntimeError(
            f"this version of Textual has no {', '.join(sorted(missing))} to replace: install textual 8.2"
        )
    return FunctionType(function.__code__, {**function.__globals__, **replaced}, function.__name__)


if TYPE_CHECKING:
    from textual.app import App

    _Base = App[Any]
else:
    _Base = object


class HearsReleases(_Base):
    """Mixed into an App that runs on the hold driver: knows what the terminal agreed to, hands on every key that goes up.

    `releases_agreed` is None until the terminal has answered. A release takes the same way through the widgets as its
    key did, lest it overtake the press when both come in one read; then the listeners are called.
    """

    releases_agreed: bool | None = None

    def listen_to_keys(self, listener: Callable[["KeyReleased | ReleasesAgreed"], None]) -> None:
        """Call `listener` for each key that goes up and when the terminal has answered."""
        self._listeners().append(listener)

    def forget_listener(self, listener: Callable[["KeyReleased | ReleasesAgreed"], None]) -> None:
        """Undo `listen_to_keys`."""
        if listener in self._listeners():
            self._listeners().remove(listener)

    def _listeners(self) -> list[Callable[["KeyReleased | ReleasesAgreed"], None]]:
        if "_key_listeners" not in self.__dict__:
            self._key_listeners: list[Callable[[KeyReleased | ReleasesAgreed], None]] = []
        return self._key_listeners

    def on_key_released(self, message: KeyReleased) -> None:
        if message.forwarded:
            self._tell(message)
        else:
            (self.focused or self.screen).post_message(KeyReleased(message.key, forwarded=True))

    def on_releases_agreed(self, message: ReleasesAgreed) -> None:
        self.releases_agreed = message.agreed
        self._tell(message)

    def _tell(self, message: "KeyReleased | ReleasesAgreed") -> None:
        for listener in tuple(self._listeners()):
            listener(message)
