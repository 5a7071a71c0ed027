"""The queue of the annotation desk: a case is read, then somebody without a part in it says what holds, and why."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from annotator.annotation import sheet_text
from annotator.annotation.annotating import Annotating
from annotator.annotation.standing import Standing
from desk.dialogs import AskText, Choice, Choose, ReadLines

if TYPE_CHECKING:
    from textual.screen import Screen

    _Base = Screen[None]
else:
    _Base = object
LISTED = 200


class RulesOnCases(_Base):
    """Part of a screen over `Annotating` that has `keep`, `_open` and `_try`."""

    _desk: Annotating
    _case: Standing | None = None

    if TYPE_CHECKING:

        def keep(self) -> bool: ...
        def _open(self, stem: str) -> bool: ...
        def _try(self, do: Callable[[], object], done: str = "") -> bool: ...

    def action_queue(self) -> None:
        self._desk.list.look_around()
        cases = {one.utterance: one for one in self._desk.queue()}
        lines = [Choice("", name, f"{name}: {one.why}") for name, one in list(cases.items())[:LISTED]]

        def take(name: str | None) -> None:
            if name and self.keep() and self._open(name):
                self._case = cases[name]
                self.app.push_screen(ReadLines(f"{name}: Enter, then choose", sheet_text.case(cases[name])), self._rule)

        self.app.push_screen(Choose(f"{len(cases)} wait for a ruling", lines), take)

    def _rule(self, _: None) -> None:
        one = self._case
        if one is None:
            return
        offered = sheet_text.rulings_on_offer(one)

        def take(name: str | None) -> None:
            if name:
                self.app.push_screen(AskText("Why is it so?", limit=1000), lambda why: put(name, why))

        def put(name: str, why: str | None) -> None:
            if why:
                self._try(lambda: self._desk.rule(one, offered[name], why), f"{one.utterance} is ruled")

        self.app.push_screen(Choose("What holds?", sheet_text.ruling_choices(one)), take)
