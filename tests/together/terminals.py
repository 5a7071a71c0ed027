"""Real terminals driven as hands would drive them: a tmux server of its own, a window for each program."""

import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from session.collection.open_session import session_names
from session.state.fold import SessionState, fold
from session.store.event_store import Store
from session.study.create import new
from tests import ROOT

CURTAIN = [sys.executable, "-m", "curtain"]
PATIENCE_S = 180.0


class Terminals:
    """A tmux server of its own with a window for each program; every wait is for something on a screen."""

    def __init__(self, folder: Path, columns: int = 110, rows: int = 40) -> None:
        self._size = ["-x", str(columns), "-y", str(rows)]
        self._socket = str(folder / "tmux")
        self._windows: list[str] = []
        self._env = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}

    def tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", self._socket, "-f", "/dev/null", *words],
            env=self._env, capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
        return done.stdout

    def start(self, name: str, *words: str, first: bool = False) -> None:
        verb = ["new-session", "-d", "-s", "T", *self._size] if first else ["new-window", "-d", "-t", "T"]
        self._windows.append(name)
        self.tmux(*verb, "-n", name, f"{shlex.join(words)}; cat")

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
                windows = "\n".join(f"--- {name}\n{self.screen(name)}" for name in self._windows)
                pytest.fail(f"waited in vain for {what}\n{windows}")

    def shows(self, name: str, words: str) -> None:
        self.until(f"“{words}” on the screen of {name}", lambda: words in self.screen(name))

    def close(self) -> None:
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], check=False, capture_output=True, timeout=60)


def state_of(study: Path) -> SessionState:
    store = Store(f"sqlite:///{study / 'collection.sqlite'}")
    try:
        (name,) = session_names(store)
        return fold(store.read(name))
    finally:
        store.close()


def hub_over(terminals: Terminals, study: Path, profile: str) -> dict[str, str]:
    """A hub in a terminal over a new study; each role's address."""
    new(study, profile=profile)
    steps = study / "profiles" / f"{profile}.toml"
    steps.write_text(steps.read_text("utf-8").replace('"practice", ', ""), "utf-8")
    addresses = study.with_name("addresses")
    hub, written = shlex.join([*CURTAIN, "hub", str(study)]), shlex.quote(str(addresses))
    terminals.start("hub", "sh", "-c", f"exec {hub} > {written}", first=True)
    terminals.until("addresses", lambda: addresses.exists() and "observer" in addresses.read_text())
    return dict(re.findall(r"^\s+(\w+)\s+curtain \w+ '(.*)'$", addresses.read_text(), re.MULTILINE))


def consent(terminals: Terminals) -> None:
    """From the consent text to the first wait."""
    terminals.shows("subject", "INFORMATION AND CONSENT")
    terminals.keys("subject", "F9")
    terminals.until("ticks", lambda: "[x]" in (seen := terminals.screen("subject")) and "[ ]" not in seen)
    terminals.keys("subject", "Enter")
    terminals.shows("subject", "WELCOME")
    terminals.until("the end of the instructions", lambda: _read_on(terminals))


def _read_on(terminals: Terminals) -> bool:
    """Press Enter while the instructions stand there; true when they are over."""
    seen = terminals.screen("subject")
    if "Please wait for the next task" in seen:
        return True
    if "Continue Enter" in seen:
        terminals.keys("subject", "Enter")
    return False
