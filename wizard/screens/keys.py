"""The keys of the console, with the words that footer, palette, help and the documentation use for them."""

from textual.binding import Binding, BindingType

from wizard.errands import ERRANDS


def _key(key: str, action: str, does: str, more: str = "", *, show: bool = True, first: bool = True) -> Binding:
    return Binding(key, action, does, tooltip=more, show=show, priority=first)


KEYS: list[BindingType] = [
    _key("f3", "replay(1.0)", "Again", "Plays the utterance once more"),
    _key("f4", "replay(0.7)", "Slower", "Plays the utterance more slowly, at the same pitch"),
    _key("f5,ctrl+s", "send", "Send", "Sends exactly what the preview shows"),
    _key("f6", "canned", "Canned", "The canned messages: digit or word, blanks filled in place, Enter sends"),
    _key("f7", "filler", "One moment", "Sends the first filler at once; it is no reply and stops no clock"),
    _key("f8", "language", "English/menu/SQL", "Changes the language of the query line"),
    _key("f9", "turn_view", "View", "Preview, all rows, the subject's screen"),
    _key("ctrl+o", "more", "More", "Notes, marks, scenarios, pause, end: each with a letter"),
    _key("escape", "stop", "Stop", "Stops the held-back reply, else the query, else the replay", first=False),
    _key("ctrl+t", "to('said')", "Transcription", "Puts the cursor where the transcription is typed", show=False),
    _key("ctrl+r", "to('query')", "Query", "Puts the cursor where the database is asked", show=False),
    _key(
        "ctrl+g",
        "by_hand",
        "SQL by hand",
        "Puts the statement that came of the request where it can be changed",
        show=False,
    ),
    _key("ctrl+n", "context", "Alone", "Reads the request without what was said before; again: with it", show=False),
    _key("alt+up", "utterance(-1)", "Utterance before", show=False),
    _key("alt+down", "utterance(1)", "Utterance after", show=False),
    _key("alt+left", "attempt(-1)", "Attempt before", show=False),
    _key("alt+right", "attempt(1)", "Attempt after", show=False),
    *(_key(f"alt+{each.letter}", f"errand('{each.name}')", each.does, each.more, show=False) for each in ERRANDS),
]
