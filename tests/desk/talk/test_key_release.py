"""Releases of keys: parsed from bytes, fed through a real pseudo-terminal, never fatal."""

import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from desk.talk.key_release import ASK_FOR_RELEASES, HoldParser, KeyReleased, KeyRepeated, ReleasesAgreed, hold_driver
from tests import ROOT


def parse(data: str) -> list[Message]:
    parser = HoldParser()
    return [*(parser.feed(data) if data else ()), *parser.feed("")]


def handled(data: str) -> list[tuple[str, object]]:
    """Messages as (class, key or agreement)."""
    return [
        (
            type(message).__name__,
            message.agreed if isinstance(message, ReleasesAgreed) else getattr(message, "key", None),
        )
        for message in parse(data)
    ]


@pytest.mark.parametrize(
    ("data", "messages"),
    [
        ("\x1b[32;1:1;32u", [("Key", "space")]),
        ("\x1b[32;1:2;32u", [("KeyRepeated", "space")]),
        ("\x1b[32;1:3u", [("KeyReleased", "space")]),
        ("\x1b[32;;32u", [("Key", "space")]),
        ("\x1b[97;2:1;65u\x1b[97;2:3u", [("Key", "A"), ("KeyReleased", "shift+a")]),
        ("\x1b[1;1:3A", [("KeyReleased", "up")]),
        ("\x1b[15;1:3~", [("KeyReleased", "f5")]),
        ("\x1b[57441;2:1u\x1b[57441;2:3u", [("Key", "left_shift"), ("KeyReleased", "left_shift")]),
        ("\x1b[97:65;1:3u", [("KeyReleased", "a")]),
        ("\x1b[?27u", [("ReleasesAgreed", True)]),
        ("\x1b[?25u", [("ReleasesAgreed", False)]),
        ("\x1b[?0u", [("ReleasesAgreed", False)]),
        ("a ", [("Key", "a"), ("Key", "space")]),
        ("\x1bb\x1bf", [("Key", "alt+b"), ("Key", "alt+f")]),
        ("\x1b1\x1b0", [("Key", "alt+1"), ("Key", "alt+0")]),
        ("\x1bOP\x1bOQ\x1b[15~\x1bOA", [("Key", "f1"), ("Key", "f2"), ("Key", "f5"), ("Key", "up")]),
        ("\x1b[200~x\x1b[32;1:3uy\x1b[201~", [("Paste", None)]),
    ],
)
def test_sequences(data: str, messages: list[tuple[str, object]]) -> None:
    assert handled(data) == messages


def test_a_repeat_is_a_key_to_every_handler_and_a_release_is_none() -> None:
    assert issubclass(KeyRepeated, events.Key)
    assert KeyRepeated.handler_name == events.Key.handler_name
    assert not issubclass(KeyReleased, events.Key)


def test_a_repeat_keeps_its_character() -> None:
    (repeat,) = parse("\x1b[97;1:2;97u")
    assert isinstance(repeat, events.Key)
    assert repeat.character == "a"


@given(
    st.lists(st.sampled_from(["\x1b", "[201", "[32;1:3u", "\r", "a", "\x1b[20", "é"]), max_size=12).map("".join),
    st.integers(1, 9),
)
def test_a_paste_is_one_paste_whatever_is_in_it_and_however_it_is_cut(text: str, size: int) -> None:
    data = f"\x1b[200~{text}\x1b[201~b"
    parser = HoldParser()
    messages = [message for at in range(0, len(data), size) for message in parser.feed(data[at : at + size])]
    paste, key = messages
    assert isinstance(paste, events.Paste)
    assert paste.text == text.replace("\x1b", "␛")
    assert isinstance(key, events.Key)
    assert key.key == "b"


FRAGMENT = st.one_of(
    st.sampled_from(
        ["\x1b", "\x1b[", "\x1b[<", "\x1b[?", ";", ":", "u", "~", "M", "m", "A", "$y", "t", "\x1b[200~", "\x1b[M"]
    ),
    st.integers(0, 10**12).map(str),
    st.text(max_size=4),
)


@given(st.lists(FRAGMENT, max_size=30).map("".join))
def test_no_sequence_stops_the_parser(data: str) -> None:
    for message in parse(data):
        character = getattr(message, "character", None)
        if character is not None:
            character.encode("utf-8")


@pytest.mark.parametrize(
    "data", ["\x1b[1114112u", "\x1b[55296u", "\x1b[99999999999999999999u", "\x1b[32;1;55296u", "\x1b[<1;--2;3M"]
)
def test_what_stops_textual_itself_is_passed_over(data: str) -> None:
    assert ("Key", "a") in handled(data + "a")


def test_other_apps_keep_their_parser() -> None:
    driver = hold_driver()
    assert driver is not None
    assert issubclass(driver, LinuxDriver)
    assert LinuxDriver.run_input_thread.__globals__["XTermParser"] is XTermParser


# The whole way: bytes into a pseudo-terminal, messages out of an app

APP = """
import os, sys
from textual.app import App
from desk.talk.key_release import HearsReleases, hold_driver
class Probe(HearsReleases, App):
    def say(self, text): os.write(3, (text + "\\n").encode())
    def on_ready(self): self.say("READY")
    def on_key(self, event): self.say(f"{type(event).__name__} {event.key}")
    def on_mount(self): self.listen_to_keys(self.heard)
    def heard(self, m): self.say(f"{type(m).__name__} {getattr(m, 'key', '')} {self.releases_agreed}")
    def on_paste(self, event): self.exit()
Probe(driver_class=hold_driver()).run()
os.write(3, b"GONE\\n")
"""


class Terminal:
    """A pseudo-terminal with an app in it; waits for what the app says, never for time to pass."""

    def __init__(self) -> None:
        self.master, slave = pty.openpty()
        self.teller_end, teller = os.pipe()
        self.lines = b""
        self.screen = b""
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"import os; os.dup2({teller}, 3)\n{APP}"],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            pass_fds=(teller,),
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"},
        )
        os.close(slave)
        os.close(teller)

    def write(self, data: bytes) -> None:
        os.write(self.master, data)

    def _wait(self, done: bytes, deadline_s: float, *, painted: bool = False) -> None:
        end = time.monotonic() + deadline_s
        while done not in (self.screen if painted else self.lines):
            ready, _, _ = select.select([self.master, self.teller_end], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError(f"no {done!r} in {self.lines!r}")
            if self.teller_end in ready:
                self.lines += os.read(self.teller_end, 4096)
            if self.master in ready:
                self.screen += os.read(self.master, 65536)

    def expect(self, *lines: str) -> None:
        """Wait for the last line, and hold that exactly `lines` were said up to it."""
        wanted = "".join(f"{line}\n" for line in lines)
        self._wait(f"{lines[-1]}\n".encode(), 120.0)
        assert self.lines.decode().startswith(wanted), self.lines
        self.lines = self.lines[len(wanted) :]

    def paints(self, sequence: str) -> None:
        """Wait for the terminal to be sent this; it comes another way than the lines, so in any order with them."""
        self._wait(sequence.encode(), 120.0, painted=True)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.teller_end)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    made = Terminal()
    yield made
    made.close()


def test_through_a_pseudo_terminal(terminal: Terminal) -> None:
    terminal.expect("READY")
    terminal.paints(ASK_FOR_RELEASES)
    terminal.write(b"\x1b[?27u")
    terminal.expect("ReleasesAgreed  True")
    terminal.write(b"\x1b[32;1:1;32u\x1b[32;1:2;32u\x1b[32;1:3u")
    terminal.expect("Key space", "KeyRepeated space", "KeyReleased space True")
    terminal.write(b"\xff\xe9\x1b[1114112u\x1b[57441;2:3u")
    terminal._wait(b"KeyReleased left_shift True\n", 120.0)
    terminal.write(b"\x1b[200~end\x1b[201~")
    terminal._wait(b"GONE\n", 120.0)
    assert terminal.process.wait(timeout=120) == 0


def test_the_size_is_that_of_the_terminal_that_is_drawn_on_wherever_standard_output_leads() -> None:
    kind = hold_driver()
    assert kind is not None
    master, slave = pty.openpty()
    try:
        termios.tcsetwinsize(slave, (33, 111))
        driver = kind.__new__(kind)
        with os.fdopen(os.dup(slave), "w") as driver._file:  # type: ignore[attr-defined]
            assert driver._get_terminal_size() == (111, 33)  # type: ignore[attr-defined]
        with Path(os.devnull).open("w", encoding="utf-8") as driver._file:  # type: ignore[attr-defined]
            assert min(driver._get_terminal_size()) > 0  # type: ignore[attr-defined]
    finally:
        os.close(master)
        os.close(slave)
