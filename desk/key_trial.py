"""Trial of a desk's keys in a terminal: they are read off the desk's own bindings, and each is asked for.

A terminal may keep a key for itself: its menu opens, its window fills the screen, and the desk hears nothing. That is found here,
by the driver and the parser that the desk has, before somebody sits in front of it.
"""

import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar

import msgspec
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.widgets import Static

from desk.keys.key_labels import key_name
from desk.talk.key_release import HearsReleases, hold_driver

PATIENCE_S = 8.0
"""A key that has not come by then does not come."""
NOTHING, STOP = "n", "q"
_FIRST = (
    "space",
    "enter",
    "escape",
    "up",
    "down",
    "left",
    "right",
    "pageup",
    "pagedown",
    "home",
    "end",
    "tab",
    "shift+tab",
)


class NeededKey(msgspec.Struct, frozen=True):
    """A key as the bindings name it, and what it does on the desk."""

    key: str
    does: str


class KeyAnswer(msgspec.Struct, frozen=True):
    """A key that was asked for and the one that came: itself, another one, or (empty) none."""

    needed: NeededKey
    came: str

    @property
    def arrived(self) -> bool:
        """Return whether the terminal lets it through."""
        return self.came == self.needed.key


def needed_keys(app: str) -> list[NeededKey]:
    """Return the keys of the desk whose app the module `app` holds, those of its own before those of what all desks share.

    Letters, digits and signs are left out: a terminal that kept these could not be typed at.
    """
    found: dict[str, str] = {}
    modules = sorted(_modules(app), key=lambda module: module.__name__.startswith("desk."))
    for binding in (binding for module in modules for binding in _bindings(module)):
        for key in map(str.strip, binding.key.split(",")):
            if not binding.system and _is_asked_for(key, binding):
                found.setdefault(key, binding.description)
    return [NeededKey(key, found[key]) for key in sorted(found, key=_order)]


def _is_asked_for(key: str, binding: Binding) -> bool:
    """Return whether it is more than a letter or a sign, and no other spelling of the key that the desk shows for the action."""
    name = key_name(key)
    return not (len(name) == 1 and name.isascii()) and (not binding.key_display or name in binding.key_display)


def _modules(app: str) -> list[ModuleType]:
    """The module, and all of the same package or of `desk` whose classes and functions it uses, these again, and so on."""
    homes = (app.partition(".")[0], "desk")
    modules = [import_module(app)]
    for module in modules:  # which grows
        for value in list(vars(module).values()):
            name = getattr(value, "__module__", None)
            if not isinstance(name, str) or name.partition(".")[0] not in homes:
                continue
            if (used := sys.modules[name]) not in modules:
                modules.append(used)
    return modules


def _bindings(module: ModuleType) -> Iterator[Binding]:
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield from Binding.make_bindings(value.__dict__.get("BINDINGS", ()))


def _order(key: str) -> tuple[int, int, str]:
    """Return the sort key of a key: those of every turn first, function keys by number, combinations by their letters."""
    if key in _FIRST:
        return 0, _FIRST.index(key), key
    return (1, int(key[1:]), key) if key[0] == "f" and key[1:].isdigit() else (2, 0, key)


def _is(needed: NeededKey, event: events.Key) -> bool:
    return needed.key in (event.key, *event.aliases) or (needed.key == "space" and event.character == " ")


class KeyTrial(HearsReleases, App[list[KeyAnswer]]):
    """Asks for one key after the other; gives what came of those that were asked for.

    `n` says that nothing happened, as eight seconds without a key do; `q` ends the trial.
    """

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[Any]] = []
    CSS = "Screen { padding: 1 2; } #asked { margin: 1 0; text-style: bold; }"

    def __init__(self, needed: Sequence[NeededKey], patience_s: float = PATIENCE_S) -> None:
        super().__init__(driver_class=hold_driver())
        self._needed = tuple(needed)
        self._patience_s = patience_s
        self._answers: list[KeyAnswer] = []

    def compose(self) -> ComposeResult:
        yield Static("Press each key when asked. If something else happens, your terminal uses that key itself.")
        yield Static(id="asked")
        yield Static(f"{NOTHING}  nothing happened (or wait {self._patience_s:.0f} seconds)      {STOP}  stop here")
        yield Static(id="kept")

    def on_mount(self) -> None:
        self._ask()

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            self._come(event)
        else:
            await super().on_event(event)

    def _come(self, event: events.Key) -> None:
        """A key, before any binding sees it."""
        if len(self._answers) == len(self._needed):
            return
        asked = self._needed[len(self._answers)]
        if event.key == STOP:
            self.exit(self._answers)
        elif _is(asked, event):
            self._answer(asked.key)
        elif self._answers and not self._answers[-1].came and _is(before := self._answers[-1].needed, event):
            self._answers[-1] = KeyAnswer(before, before.key)  # it was looked for longer than the patience lasts
            self._say_kept()
        else:
            self._answer("" if event.key == NOTHING else event.key)

    def _answer(self, came: str) -> None:
        self._answers.append(KeyAnswer(self._needed[len(self._answers)], came))
        self._say_kept()
        self._ask()

    def _say_kept(self) -> None:
        kept = [key_name(answer.needed.key) for answer in self._answers if not answer.arrived]
        self.query_one("#kept", Static).update(f"\nDid not arrive: {', '.join(kept)}" if kept else "")

    def _ask(self) -> None:
        place = len(self._answers)
        if place == len(self._needed):
            self.exit(self._answers)
            return
        needed = self._needed[place]
        label = f"{place + 1} of {len(self._needed)}:  press  {key_name(needed.key)}   ({needed.does})"
        self.query_one("#asked", Static).update(label)
        self.set_timer(self._patience_s, lambda: self._answer("") if len(self._answers) == place else None)
