"""Normalization of spoken English: tokens without punctuation, with contractions expanded and hesitations and repetitions
removed.

A wizard types what a person said: "uh", broken-off words, repeated words, "o'clock", "a.m." in five spellings, numbers as
words. Later stages only see plain lower-case words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import msgspec

from domain.english.text.numbers import NUMBER_WORDS


class Token(msgspec.Struct, frozen=True):
    """A word: its normalized `text` and its position in the request."""

    text: str
    start: int
    end: int


_OPEN = {
    "i'd": "i would", "i'm": "iam", "i'll": "i will", "i've": "i have", "let's": "let us", "can't": "can not",
    "won't": "will not", "what's": "what is", "that's": "that is", "there's": "there is", "it's": "it is",
    "where's": "where is", "who's": "who is", "how's": "how is", "when's": "when is", "which's": "which is",
    "he's": "he is", "she's": "she is", "here's": "here is", "o'clock": "oclock", "o'hare": "ohare",
    "whereabouts": "where", "dont": "do not", "doesnt": "does not", "didnt": "did not", "isnt": "is not",
    "arent": "are not", "wasnt": "was not", "werent": "were not", "cant": "can not", "wont": "will not",
    "couldnt": "could not", "wouldnt": "would not", "shouldnt": "should not", "havent": "have not",
    "hasnt": "has not", "whats": "what is", "thats": "that is", "theres": "there is", "wheres": "where is",
    "whos": "who is", "hows": "how is", "im": "iam", "ive": "i have", "youre": "you are", "theyre": "they are",
    "weve": "we have", "lets": "let us", "gonna": "going to", "wanna": "want to", "gimme": "give me",
    "gotta": "have to", "dunno": "do not know", "cuz": "because", "coz": "because", "lemme": "let me",
}  # fmt: skip
_HESITATIONS = frozenset(
    [
        "uh",
        "um",
        "er",
        "erm",
        "ah",
        "eh",
        "hmm",
        "hm",
        "mm",
        "mhm",
        "uhm",
        "oops",
        "okay",
        "ok",
        "well",
        "wow",
        "whoa",
        "huh",
        "gosh",
        "geez",
        "jeez",
        "ooh",
        "aha",
        "phew",
        "yikes",
        "gee",
    ]
)
_DAYS = frozenset(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "tomorrow"))
_PARTS = frozenset(("morning", "afternoon", "evening", "night"))
_LETTERS = frozenset("bcdefghjklmnopqrstuvwxyz")  # neither "a" nor "i", which people repeat in hesitation
_SPELT = re.compile(r"\b[a-z]\.(?: ?[a-z]\.)+")


@lru_cache(maxsize=4096)  # one request is divided into words some thirty times on its way
def read_words(text: str) -> tuple[Token, ...]:
    """Return the tokens of a request; positions refer to `text`.

    >>> [t.text for t in read_words("Uh, what's the 9:30am meeting?")]
    ['what', 'is', 'the', '9:30', 'am', 'meeting']
    """
    tokens: list[Token] = []
    for raw, start, end in _raw(text):
        for piece in _pieces(raw):
            tokens.append(Token(piece, start, end))
    plain = _joined([t for t in tokens if t.text not in _HESITATIONS])
    return tuple(_reordered(_without_repetitions(plain)))


def words_of(tokens: Iterable[Token]) -> str:
    """Return the words of the tokens, separated by blanks.

    >>> words_of(read_words("Uh, what's the 9:30am meeting?"))
    'what is the 9:30 am meeting'
    """
    return " ".join(token.text for token in tokens)


def reworded(text: str, plain: str) -> str:
    """Return the words put in place of a text, as a question where it is one; the text itself where they are its own or none.

    >>> reworded("Where's the desk?", "which desk")
    'which desk?'
    """
    plain = " ".join(plain.split())
    if not plain or plain == words_of(read_words(text)):
        return text
    return plain + ("?" if text.rstrip().endswith("?") else "")


def put_by_rules(text: str, rules: Iterable[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]]) -> str:
    """Return a text with each rule applied to its words; as it was where none applies."""
    plain = words_of(read_words(text))
    for pattern, put in rules:
        plain = pattern.sub(put, plain)
    return reworded(text, plain)


def _reordered(tokens: list[Token]) -> list[Token]:
    """Reorder "late friday evening" as "friday late evening", so that the parts of a time are adjacent."""
    for at in range(len(tokens) - 2):
        if tokens[at].text not in {"early", "late", "mid"}:
            continue
        day = at + 2 if tokens[at + 1].text == "on" else at + 1
        parts = [t.text.rstrip("s") for t in tokens[day : day + 2]]
        if len(parts) == 2 and parts[0] in _DAYS and parts[1] in _PARTS:
            tokens[at : day + 1] = [*tokens[at + 1 : day + 1], tokens[at]]
    return tokens


def _raw(text: str) -> list[tuple[str, int, int]]:
    lowered = text.lower().replace("’", "'").replace("`", "'")
    lowered = re.sub(r"\b(\d{4})-(\d\d)-(\d\d)\b", r"\2/\3/\1", lowered)
    lowered = re.sub(r"(?<=[a-z0-9])\+(?=[\s?.,;!]|$)", " plus", lowered)
    lowered = re.sub(r"(?<=[a-z])- ", "  ", lowered).replace("-", " ")
    lowered = re.sub(r"\b([ap])\. ?m\b\.?", lambda m: (m.group(1) + "m").ljust(len(m.group())), lowered)
    lowered = _SPELT.sub(lambda m: re.sub(r"[. ]", "", m.group()).ljust(len(m.group())), lowered)
    lowered = re.sub(r"(?<=\d),(?=\d{3}\b)", "_", lowered)
    found = []
    for match in re.finditer(r"\$|[a-z0-9/&_']+(?::\d\d)?(?:\.\d+)?[a-z]*", lowered):
        raw = match.group().strip("'/").replace("_", "")
        if raw:
            found.append((raw, match.start(), match.end()))
    return found


def _pieces(raw: str) -> list[str]:
    if raw in _OPEN:
        return _OPEN[raw].split()
    if raw.endswith("n't") and len(raw) > 3:
        return [raw[:-3], "not"]
    for ending, word in (("'ll", "will"), ("'re", "are"), ("'ve", "have"), ("'d", "would")):
        if raw.endswith(ending):
            return [raw[: -len(ending)], word]
    if raw.endswith("'s"):
        return [raw[:-2]]
    raw = raw.replace("'", "")
    clock = re.fullmatch(r"(\d{1,4}(?::\d\d)?)([ap])m?", raw)
    if clock and (raw.endswith("m")):
        return [clock.group(1), clock.group(2) + "m"]
    if raw in {"a/m", "p/m"}:
        return [raw[0] + "m"]
    return [raw] if raw else []


def _joined(tokens: list[Token]) -> list[Token]:
    """Join "a m" and "p m", "i am" and "o clock" into one word each."""
    done: list[Token] = []
    skip = False
    for now, after in zip(tokens, [*tokens[1:], None], strict=False):
        if skip:
            skip = False
        elif after is not None and after.text == "m" and now.text in {"a", "p"}:
            done.append(Token(now.text + "m", now.start, after.end))
            skip = True
        elif after is not None and (now.text, after.text) == ("i", "am"):
            done.append(Token("iam", now.start, after.end))
            skip = True
        elif after is not None and (now.text, after.text) == ("o", "clock"):
            done.append(Token("oclock", now.start, after.end))
            skip = True
        else:
            done.append(now)
    return done


def _without_repetitions(tokens: Sequence[Token]) -> list[Token]:
    """Remove immediate repetitions of up to four words; numbers may be repeated."""
    done: list[Token] = []
    for token in tokens:
        done.append(token)
        for size in (4, 3, 2, 1):
            tail = [t.text for t in done[-2 * size :]]
            if len(tail) == 2 * size and tail[:size] == tail[size:] and not any(w.isdigit() for w in tail):
                if size == 1 and (tail[0] in NUMBER_WORDS or tail[0] in _LETTERS):
                    continue
                del done[-size:]
                break
    return done
