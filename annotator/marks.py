"""Every mark of the conventions by one key: pure changes of a line of text and of the cursor in it.

A change is about the words that are selected, or the one at the cursor. Word marks are toggled, so that the same key takes
back what it did; what is not a word by the conventions is left alone.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from corpus.formats import sro
from corpus.formats.sro import Transcription, Word


class SelectedLine(NamedTuple):
    """A line of text with a selection from `start` up to `end`, in characters; both are the cursor where nothing is selected."""

    text: str
    start: int
    end: int


Change = Callable[[Word], Word]

UNCERTAIN = ("((", "))")
IDENTIFYING = ("{{", "}}")


def deleted(line: SelectedLine) -> SelectedLine:
    """<word>, <<word>>, word: verbally deleted, edit phrase, neither."""
    return _words(line, lambda word: _with(word, deleted=(word.deleted + 1) % 3))


def mispronounced(line: SelectedLine) -> SelectedLine:
    """*word*"""
    return _words(line, lambda word: _with(word, mispronounced=not word.mispronounced))


def stressed(line: SelectedLine) -> SelectedLine:
    """!word"""
    return _words(line, lambda word: _with(word, stressed=not word.stressed))


def fragment(line: SelectedLine) -> SelectedLine:
    """wor-; the missing part goes with the hyphen."""
    return _words(line, lambda word: _with(word, fragment=not word.fragment, missing=""))


def lengthened(line: SelectedLine) -> SelectedLine:
    """wo:rd, a colon behind the letter before the cursor; taken away where the cursor is beside one."""
    if (behind := line.end + line.text[line.end :].startswith(":")) > 0 and line.text[behind - 1] == ":":
        return SelectedLine(line.text[: behind - 1] + line.text[behind:], behind - 1, behind - 1)
    changed = SelectedLine(line.text[: line.end] + ":" + line.text[line.end :], line.end + 1, line.end + 1)
    tokens = _tokens(changed.text)
    first, last = _touched(changed, tokens)
    return changed if first == last and _word(tokens[first][0]) is not None else line


def around(line: SelectedLine, begins: str, ends: str) -> SelectedLine:
    """Tokens around the selected words; where these lie between such tokens already, both are taken away."""
    tokens = _tokens(line.text)
    first, last = _touched(line, tokens)
    if first > last:
        return inserted(SelectedLine(line.text, line.end, line.end), f"{begins} {ends}")
    texts = [text for text, _ in tokens]
    if (pair := _pair(texts, first, last, begins, ends)) is not None:
        opened, closed = pair
        kept = [text for n, text in enumerate(texts) if n not in pair]
        return _behind(kept, max(0, min(last - (last > opened) - (last >= closed), len(kept) - 1)))
    return _behind([*texts[:first], begins, *texts[first : last + 1], ends, *texts[last + 1 :]], last + 1)


def inserted(line: SelectedLine, token: str) -> SelectedLine:
    """A token of its own behind the word at the cursor, or before the first one when the cursor is at the start."""
    before, after = line.text[: line.end], line.text[line.end :]
    if before and not before[-1].isspace() and after and not after[0].isspace():
        rest, *others = re.split(r"(?=\s)", after, maxsplit=1)
        before, after = before + rest, "".join(others)
    head = " ".join(before.split())
    text = " ".join(filter(None, (head, token, " ".join(after.split()))))
    at = len(head) + bool(head) + len(token)
    return SelectedLine(text, at, at)


def cut_off(line: SelectedLine) -> SelectedLine:
    """~ at the start when the cursor is there, otherwise at the end; taken away where it already exists."""
    texts = line.text.split()
    at_start = bool(texts) and not line.text[: line.end].strip()
    if at_start:
        texts = texts[1:] if texts[0] == "~" else ["~", *texts]
    else:
        texts = texts[:-1] if texts and texts[-1] == "~" else [*texts, "~"]
    text = " ".join(texts)
    at = 0 if at_start else len(text)
    return SelectedLine(text, at, at)


def silence(line: SelectedLine) -> SelectedLine:
    """~~ alone: nothing was spoken."""
    return SelectedLine("~~", 2, 2)


def noise(line: SelectedLine, name: str, where: str = "alone") -> SelectedLine:
    """A noise alone, over the word `before` or `after` the cursor, or `over` the selected words."""
    match where:
        case "over":
            return around(line, f"[{name}/]", f"[/{name}]")
        case "before":
            return inserted(line, f"[<{name}]")
        case "after":
            return inserted(line, f"[{name}>]")
        case _:
            return inserted(line, f"[{name}]")


# --- within -------------------------------------------------------------------------------------------------------------

_Token = tuple[str, int]


def _tokens(text: str) -> list[_Token]:
    return [(match[0], match.start()) for match in re.finditer(r"\S+", text)]


def _touched(line: SelectedLine, tokens: list[_Token]) -> tuple[int, int]:
    """First and last token that the selection is on; last before first where there is none."""
    start, end = sorted((line.start, line.end))
    there = [n for n, (text, at) in enumerate(tokens) if at < end and at + len(text) > start]
    if start == end or not there:
        there = [n for n, (text, at) in enumerate(tokens) if at <= end <= at + len(text)][-1:]
    return (there[0], there[-1]) if there else (0, -1)


def _pair(texts: list[str], first: int, last: int, begins: str, ends: str) -> tuple[int, int] | None:
    """The places of the two tokens between which `first` to `last` lie (or which they are)."""
    opened = next((n for n in range(first, -1, -1) if texts[n] == begins or (texts[n] == ends and n < first)), -1)
    if opened < 0 or texts[opened] != begins:
        return None
    closed = next((n for n in range(opened + 1, len(texts)) if texts[n] == ends), -1)
    return (opened, closed) if closed >= last else None


def _behind(texts: list[str], last: int) -> SelectedLine:
    """The cursor behind a token, nothing selected, so that what is typed next replaces nothing."""
    at = len(" ".join(texts[: last + 1]))
    return SelectedLine(" ".join(texts), at, at)


def _words(line: SelectedLine, change: Change) -> SelectedLine:
    tokens = _tokens(line.text)
    first, last = _touched(line, tokens)
    if first > last:
        return line
    texts = [_changed(text, change) if first <= n <= last else text for n, (text, _) in enumerate(tokens)]
    return _behind(texts, last)


def _changed(text: str, change: Change) -> str:
    word = _word(text)
    return text if word is None else sro.render(Transcription((change(word),))).decode().strip()


def _word(text: str) -> Word | None:
    """The word that a token is; None for any other mark and for what is neither."""
    try:
        (token,) = sro.parse(text, "").tokens
    except ValueError:
        return None
    return token if isinstance(token, Word) else None


def _with(word: Word, **changes: object) -> Word:
    changed: Word = msgspec.structs.replace(word, **changes)
    return changed
