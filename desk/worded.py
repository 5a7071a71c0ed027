"""The words that a widget shows: those of its app's session where it has one, English otherwise.

Bindings and buttons are declared in English, once for all sessions; what is painted goes through `words_near(...).of(...)`.
"""

from textual.widget import Widget

from session.study.screen_words import ENGLISH, Words


def words_near(widget: Widget) -> Words:
    """The words of the app that `widget` belongs to."""
    found = getattr(widget.app, "words", ENGLISH)
    return found if isinstance(found, Words) else ENGLISH


def title(widget: Widget, text: str) -> None:
    """Title a widget's frame, if it reads differently: a title that is set is painted again, and all around it."""
    if widget.border_title != text:
        widget.border_title = text
