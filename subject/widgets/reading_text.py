"""Texts to read, with headings and the first words of paragraphs set off; the words are unchanged."""

import re

from textual.content import Content

from desk.safe_text import ForeignText
from session.values.sanitize import inert

LEAD_WORDS = 5
_LEAD = re.compile(r"^(?!\[)([^.:!?\n]{2,40}[.:]) (?=\S)")


class ReadingText(ForeignText):
    """Consent, instructions and debriefing: lines in capitals are headings, "Your rights. …" says what a paragraph is about."""

    def __init__(self, text: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(text, id=id)
        self.update(set_off(text))


def set_off(text: str) -> Content:
    """Return the inert text with headings in bold and colour, and the beginnings of paragraphs in bold."""
    return Content("\n").join(_line(line) for line in inert(text, newlines="keep").split("\n"))


def _line(line: str) -> Content:
    content = Content(line)
    if line.isupper() and not line.startswith("["):
        return content.stylize("bold $primary")
    lead = _LEAD.match(line)
    if lead and len(lead[1].split()) <= LEAD_WORDS:
        return content.stylize("bold", 0, lead.end(1))
    return content
