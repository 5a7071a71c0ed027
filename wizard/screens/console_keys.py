"""The keys of the console, with the words that footer, palette, help and the documentation use for them."""

import ast

from textual.binding import Binding, BindingType

from desk.keys.actions import bound
from wizard.core.console_actions import ACTIONS

KEYS: list[BindingType] = [
    bound("f3", "replay(1.0)", "Again", "Plays the utterance once more"),
    bound("f4", "replay(0.7)", "Slower", "Plays the utterance more slowly, at the same pitch"),
    bound("f5,ctrl+s", "send", "Send", "Sends exactly what the preview shows"),
    bound("f6,ctrl+f", "canned", "Canned", "The canned messages: digit or word, blanks filled in place, Enter sends"),
    bound(
        "f7", "filler", "One moment", "Sends the first filler at once; it is not a reply and does not stop the clock"
    ),
    bound("f8", "language", "English/menu/SQL", "Changes the language of the query line"),
    bound("f9", "turn_view", "View", "Preview, all rows, the participant's screen"),
    bound(
        "ctrl+o", "more", "More", "Notes, marks, scenarios, pause, end: each with a letter; 3 to 9 stand for F3 to F9"
    ),
    bound(
        "escape", "stop", "Stop", "Stops the held-back reply, otherwise the query, otherwise the replay", first=False
    ),
    bound("ctrl+t", "to('said')", "Transcription", "Moves the cursor to the transcription", show=False),
    bound("ctrl+r", "to('query')", "Query", "Moves the cursor to the query line", show=False),
    bound(
        "ctrl+g",
        "by_hand",
        "SQL by hand",
        "Opens the generated SQL for editing",
        show=False,
    ),
    bound(
        "ctrl+n",
        "context",
        "Alone",
        "Reads the request without its context; again: with it",
        show=False,
    ),
    bound(
        "ctrl+z",
        "undo",
        "Undo",
        "Takes back the last action if possible; while you type, the typing",
        show=False,
    ),
    bound("alt+up", "utterance(-1)", "Utterance before", show=False),
    bound("alt+down", "utterance(1)", "Utterance after", show=False),
    bound("alt+left", "attempt(-1)", "Attempt before", show=False),
    bound("alt+right", "attempt(1)", "Attempt after", show=False),
    *(
        bound(f"alt+{action.letter}", f"menu_action('{action.name}')", action.does, action.more, show=False)
        for action in ACTIONS
    ),
]
FUNCTION_KEYS = {
    key.removeprefix("f"): binding
    for binding in KEYS
    if isinstance(binding, Binding)
    for key in binding.key.split(",")
    if key in ("f3", "f4", "f6", "f7", "f8", "f9")
}
"""Keys that a terminal may keep for itself, by the digit that stands for each in the list of Ctrl+O. F5 has Ctrl+S."""


def named(action: str) -> tuple[str, tuple[object, ...]]:
    """Name and parameters of a binding's action.

    >>> named("replay(0.7)"), named("send")
    (('replay', (0.7,)), ('send', ()))
    """
    name, bracket, rest = action.partition("(")
    return name, tuple(ast.literal_eval(f"({rest.removesuffix(')')},)")) if bracket else ()
