"""Rules for every text of a corpus, whatever its format: encoding, Unicode, line ends."""

import codecs
import re
import unicodedata
from collections.abc import Callable
from typing import TypeVar

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import UNSEEN, text_of
from corpus.verify.rules.context import Context

T = TypeVar("T")
_TROUBLE = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f{UNSEEN}\ufffc]")

_PLAIN = bytes((9, 10, *range(32, 127)))  # in which nothing below can be found
_UNCERTAINTY = "±".encode()  # every log is full of it, and nothing below is ever said of it


def text(context: Context, path: str) -> str | None:
    """The text of a file, checked; None, with a finding, where there is none to continue with."""
    data = context.read(path)
    if data is None:
        return None
    try:
        found = text_of(data, path)
    except FormatFault as fault:
        context.findings.add_fault("text.encoding", fault)
        return None
    if found.endswith("\n") and is_plain(data):
        return found
    if data.startswith(codecs.BOM_UTF8):
        context.findings.add("text.unicode", path, "U+FEFF (a byte order mark)", 1)
    if _TROUBLE.search(found) or not unicodedata.is_normalized("NFC", found):
        _unicode(context, path, found)
    if (place := found.find("\ufffd")) >= 0:
        context.findings.add("text.replaced", path, "U+FFFD, a stand-in", found.count("\n", 0, place) + 1)
    if "\r" in found or (found and not found.endswith("\n")):
        what = "carriage returns" if "\r" in found else "no line end at the end"
        context.findings.add("text.line-ends", path, what)
    return found


def is_plain(data: bytes) -> bool:
    """Return whether a text in UTF-8 is of visible ASCII characters, blanks, tabs, line ends and ± alone."""
    return not data.replace(_UNCERTAINTY, b"").translate(None, _PLAIN)


def unseen(found: str) -> bool:
    """Return whether a text holds what nobody sees, or what turns a line around; a no-break space is a space, and joiners
    join."""
    return _TROUBLE.search(found) is not None


def parsed(context: Context, path: str, rule: str, parse: Callable[[str, str], T]) -> T | None:
    """Parse a text file by `parse`; None, with a finding, where there is none, or where it departs from its format."""
    found = text(context, path)
    if found is None:
        return None
    try:
        return parse(found, path)
    except FormatFault as fault:
        context.findings.add_fault(rule, fault)
        return None


def _unicode(context: Context, path: str, found: str) -> None:
    for number, line in enumerate(found.split("\n"), start=1):
        if line.isascii() and line.isprintable():
            continue
        if trouble := _TROUBLE.search(line):
            name = unicodedata.name(trouble[0], "a control character")
            context.findings.add("text.unicode", path, f"U+{ord(trouble[0]):04X} ({name.lower()})", number)
        elif not unicodedata.is_normalized("NFC", line):
            context.findings.add("text.unicode", path, "decomposed characters", number, "normalise it to NFC")
