"""Two real terminals, driven as hands would drive them, run a whole scenario over a real hub."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from session.making import new
from session.opening import sessions
from session.state import SessionState, fold
from session.store import Store

CURTAIN = [sys.executable, "-m", "curtain"]
PATIENCE_S = 60.0

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux on this machine"),
]


class Terminals:
    """A tmux server of its own with a window for each program; every wait is for something on a screen."""

    def __init__(self, folder: Path) -> None:
        self._socket = str(folder / "tmux")
        self._folder = folder
        self._env = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(Path(__file__).parents[2])}

    def tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", self._socket, "-f", "/dev/null", *words],
            env=self._env, capture_output=True, text=True, check=True, timeout=20,
        )  # fmt: skip
        return done.stdout

    def start(self, name: str, *words: str, first: bool = False) -> None:
        verb = ["new-session", "-d", "-s", "T", "-x", "110", "-y", "40"] if first else ["new-window", "-d", "-t", "T"]
        self.tmux(*verb, "-n", name, " ".join(f"'{word}'" for word in words) + "; cat")

    def screen(self, name: str) -> str:
        return self.tmux("capture-pane", "-p", "-J", "-t", f"T:{name}")

    def keys(self, name: str, *keys: str) -> None:
        self.tmux("send-keys", "-t", f"T:{name}", *keys)

    def text(self, name: str, text: str) -> None:
        self.tmux("send-keys", "-l", "-t", f"T:{name}", text)

    def until(self, what: str, condition: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > end:
                windows = "\n".join(f"--- {name}\n{self.screen(name)}" for name in ("hub", "wizard", "subject"))
                pytest.fail(f"waited in vain for {what}\n{windows}")

    def shows(self, name: str, words: str) -> None:
        self.until(f"“{words}” on the screen of {name}", lambda: words in self.screen(name))

    def close(self) -> None:
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], check=False, capture_output=True, timeout=20)


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Terminals]:
    terminals = Terminals(tmp_path)
    yield terminals
    terminals.close()


def state_of(study: Path) -> SessionState:
    store = Store(f"sqlite:///{study / 'collection.sqlite'}")
    try:
        (name,) = sessions(store)
        return fold(store.read(name))
    finally:
        store.close()


def test_a_whole_scenario_by_hand(terminals: Terminals, tmp_path: Path) -> None:
    study = tmp_path / "study"
    new(study, profile="PARAMAX")
    addresses = tmp_path / "addresses"
    terminals.start("hub", "sh", "-c", f'exec {" ".join(CURTAIN)} hub "{study}" > "{addresses}"', first=True)
    terminals.until("addresses", lambda: addresses.exists() and "observer" in addresses.read_text())
    address = dict(re.findall(r"^\s+(\w+)\s+curtain \w+ '(.*)'$", addresses.read_text(), re.MULTILINE))
    terminals.start("wizard", *CURTAIN, "wizard", address["wizard"], "--wizard", "Oz")
    terminals.start(
        "subject", *CURTAIN, "subject", address["subject"], "--spool", str(tmp_path / "spool"), "--code", "1989"
    )

    terminals.shows("subject", "INFORMATION AND CONSENT")
    terminals.keys("subject", "F9")
    terminals.until("all ticks", lambda: terminals.screen("subject").count("[x]") == 5)
    terminals.keys("subject", "F10")
    terminals.shows("subject", "WELCOME")
    terminals.keys("subject", "F10")
    terminals.shows("subject", "Please wait for the next task")

    terminals.keys("wizard", "M-s")
    terminals.shows("wizard", "Start a scenario")
    terminals.keys("wizard", "2")
    terminals.keys("wizard", "Enter")
    terminals.shows("subject", "You may type your request")
    terminals.text("subject", "what does the limousine cost")
    terminals.keys("subject", "Enter")
    terminals.shows("subject", "Your request is being processed")

    terminals.shows("wizard", "what does the limousine cost")
    terminals.keys("wizard", "F6")
    terminals.shows("wizard", "Digit or word")
    terminals.keys("wizard", "1")
    terminals.shows("wizard", "Fill the blank")
    terminals.text("wizard", "limousines")
    terminals.keys("wizard", "Enter")
    terminals.shows("subject", "No information is available on limousines.")
    terminals.keys("subject", "C-q")
    terminals.keys("subject", "C-c")
    terminals.keys("subject", "F6")
    terminals.shows("subject", "What is your solution?")
    terminals.text("subject", "take the bus")
    terminals.keys("subject", "Enter")
    terminals.shows("subject", "Please wait for the next task")

    terminals.until("the solution in the store", lambda: state_of(study).runs[-1].solution == "take the bus")
    state = state_of(study)
    assert [take.number for take in state.takes.values()] == [1]
    assert all(reply.shown for reply in state.replies.values())
