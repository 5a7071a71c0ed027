"""NIST's CTM, a recogniser's words with their times: file, channel, begin and length in seconds, word, confidence.

Lines that begin with `;;` are comments. `<ALT_BEGIN>`, `<ALT>` and `<ALT_END>` in place of a word enclose alternates.
"""

import re

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import lines_of

ALTERNATES = {"<ALT_BEGIN>": "{", "<ALT>": "/", "<ALT_END>": "}"}
_NUMBER = re.compile(r"\d+(?:\.\d*)?|\.\d+")
_CHANNELS = 2
_TIMES = 4


class TimedWord(msgspec.Struct, frozen=True, gc=False):
    """One line: a word, or a mark of alternates, which has the times of the word before it where its own are not given."""

    file: str
    channel: str
    begin: float
    length: float
    text: str
    line: int

    @property
    def middle(self) -> float:
        return self.begin + self.length / 2


def parse(data: bytes | str, path: str) -> list[TimedWord]:
    """The words in a file, in its order; raises `FormatFault` for a line that is none, or words that go back in time.

    >>> [word.text for word in parse("f1 A 0.1 0.2 show 0.9", "hyp.ctm")]
    ['show']
    """
    found: list[TimedWord] = []
    for number, line in enumerate(lines_of(data, path), start=1):
        if line.strip() and not line.startswith(";;"):
            before = found[-1] if found else None
            word = _word(line.split(), before, path, number)
            same = before is not None and (before.file, before.channel) == (word.file, word.channel)
            if before is not None and same and word.begin < before.begin and not _in_alternates(found):
                remedy = "sort the words of each file and channel by time"
                raise FormatFault(path, number, f"a word at {word.begin:g} s after one at {before.begin:g} s", remedy)
            found.append(word)
    return found


def _in_alternates(words: list[TimedWord]) -> bool:
    """Return whether alternates are open, within which times begin anew."""
    for word in reversed(words):
        if word.text in ALTERNATES:
            return word.text != "<ALT_END>"
    return False


def _word(cells: list[str], before: TimedWord | None, path: str, number: int) -> TimedWord:
    remedy = "write file, channel, begin and length in seconds, word, and perhaps a confidence"
    if len(cells) <= _TIMES:
        raise FormatFault(path, number, "no word", remedy)
    text = ALTERNATES.get(cells[_TIMES].upper())
    begin, length = cells[_CHANNELS:_TIMES]
    if text is not None and "*" in (begin, length):
        begin, length = (f"{before.begin}", "0") if before else ("0", "0")
    if not (_NUMBER.fullmatch(begin) and _NUMBER.fullmatch(length)):
        raise FormatFault(path, number, f"{begin} {length}, which are no times", remedy)
    named = cells[_TIMES].upper() if text is not None else cells[_TIMES]
    return TimedWord(cells[0], cells[1], float(begin), float(length), named, number)
