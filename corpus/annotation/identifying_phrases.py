"""Words that identify a person, found in any text, in any spelling.

A transcriber writes `five five five`, a wizard 555; one writes `o'brien`, the other O’BRIEN. What is not found is not masked, so
the search is generous: whatever case, apostrophe or spacing, numbers in digits, what was spelled as a word.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from corpus.formats import sro

Phrase = tuple[str, ...]

MASK = f"[{sro.MASKED}]"
TELLING = 3
"""Letters from which words are masked everywhere; a letter or two would stand in any text."""
_DIGITS = {
    "zero": "0", "oh": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9",
}  # fmt: skip
_WORDS = re.compile(r"[^\W_]+(?:['\u2018\u2019\u02bc][^\W_]+)*")
_LONG = 5  # letters from which likeness says something
_ALIKE = 0.8
_BEGIN = r"(?:(?<!\w)|(?<!\d)(?=\d))"  # where a word or a number can begin
_RUN = 3  # digits or letters from which a run of them is no chance


class Phrases:
    """Phrases to be masked wherever they stand, the longest first; false where there is none."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self.all = tuple(
            sorted({phrase for phrase in phrases if phrase}, key=lambda phrase: (-len(" ".join(phrase)), phrase))
        )

    def __bool__(self) -> bool:
        return bool(self.all)

    def without(self, text: str) -> str:
        """`text` with every occurrence masked; the same object where there is none.

        >>> Phrases([("john", "smith")]).without("I am John  Smith, really")
        'I am [masked], really'
        """
        if self._pattern is None:
            return text
        found, times = self._pattern.subn(MASK, unicodedata.normalize("NFC", text))
        return found if times else text

    def stand_in(self, text: str) -> bool:
        """Return whether one of them is in `text`."""
        return self._pattern is not None and bool(self._pattern.search(unicodedata.normalize("NFC", text)))

    def found_in(self, text: str) -> list[Phrase]:
        """Return the phrases that are in `text`, nested ones too."""
        if self._pattern is None:
            return []
        text, found, at = unicodedata.normalize("NFC", text), set[Phrase](), 0
        while (hit := self._pattern.search(text, at)) is not None:
            found |= {phrase for phrase, own in self._each.items() if own.match(text, hit.start())}
            at = hit.start() + 1
        return [phrase for phrase in self.all if phrase in found]

    def near_in(self, text: str) -> list[str]:
        """Words of `text` that are nearly one of the phrases, as somebody writes who has misheard a name or mistyped it.

        >>> Phrases([("john", "schenectady")]).near_in("to Jon Schenektady or John Schenectady")
        ['jon schenektady']
        """
        if self._pattern is None:
            return []
        words = _WORDS.findall(self._pattern.sub(" ", unicodedata.normalize("NFC", text)).lower())
        lengths = sorted(
            {length for phrase in self.all for length in (len(phrase) - 1, len(phrase), len(phrase) + 1)} - {0}
        )
        windows = (" ".join(words[at : at + n]) for n in lengths for at in range(len(words) - n + 1))
        found = list[str]()
        for window in windows:
            if self._near(window) and not any(shorter in window for shorter in found):
                found.append(window)
        return found

    def _near(self, window: str) -> bool:
        if window not in self._seen:
            letters = _letters(window)
            self._seen[window] = any(_alike(letters, matcher) for matcher in self._matchers)
        return self._seen[window]

    @cached_property
    def _matchers(self) -> list[SequenceMatcher[str]]:
        others = (_letters(" ".join(phrase)) for phrase in self.all)
        return [SequenceMatcher(None, "", other, autojunk=False) for other in others if len(other) >= _LONG]

    @cached_property
    def _seen(self) -> dict[str, bool]:
        return {}

    def marked(self, text: str) -> str:
        """`text` with the marks of a transcriber around every occurrence.

        >>> Phrases([("john", "smith")]).marked("i am john smith")
        'i am {{ john smith }}'
        """
        begins, ends = sro.Sign.IDENTIFYING_BEGINS, sro.Sign.IDENTIFYING_ENDS
        return self._pattern.sub(rf"{begins} \g<0> {ends}", text) if self._pattern else text

    def but(self, text: str) -> "Phrases":
        """Return the phrases without those in `text`."""
        found = self.found_in(text)
        return Phrases(phrase for phrase in self.all if phrase not in found) if found else self

    @cached_property
    def _each(self) -> dict[Phrase, re.Pattern[str]]:
        return {phrase: re.compile("|".join(_expressions(phrase).values()), re.IGNORECASE) for phrase in self.all}

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        """Asks for the letter first and then for the names that begin with it: were each name asked for at each letter, a corpus
        of twice as many people would take four times as long."""
        beginning: dict[str, list[str]] = {}
        for first, expression in (item for phrase in self.all for item in _expressions(phrase).items()):
            beginning.setdefault(first, []).append(expression)
        groups = (f"(?={first})(?:{'|'.join(own)})" for first, own in beginning.items())
        return re.compile(f"{_BEGIN}(?:{'|'.join(groups)})", re.IGNORECASE) if self.all else None


def phrase_of(text: str) -> Phrase:
    """Return what somebody typed, as words to be masked; raises ValueError for what would stand everywhere.

    >>> phrase_of("Philippa  O’Schenectady")
    ('philippa', "o'schenectady")
    """
    words = _WORDS.findall(unicodedata.normalize("NFC", text).lower())
    found = tuple(re.sub("[\u2018\u2019\u02bc]", "'", word) for word in words)
    if sum(map(len, found)) < TELLING:
        raise ValueError(
            f"{text!r} is not a name to be masked: it has fewer than {TELLING} letters, and may occur anywhere"
        )
    return found


def without_all(text: str, phrases: Sequence[Phrase]) -> str:
    """A text that is meant to hold every one of the phrases, without them; where one is not found, nothing is let through.

    >>> without_all("my name is jon smyth", [("john", "smith")])
    '[masked]'
    """
    wanted = Phrases(phrases)
    return MASK if text and wanted.but(text) else wanted.without(text)


def _letters(text: str) -> str:
    """Letters and digits alone, for spacing and apostrophes say nothing."""
    return "".join(filter(str.isalnum, text))


def _alike(one: str, matcher: SequenceMatcher[str]) -> bool:
    """Return whether a word, or words run together, differ by little from the matcher's: Ratcliff and Obershelp's measure, at
    least four fifths. The cheap bounds of that measure come first."""
    matcher.set_seq1(one)
    return matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


@lru_cache(maxsize=4_096)
def _expressions(phrase: Phrase) -> dict[str, str]:
    """Patterns of a phrase by that of their first letter or digit."""
    first = _first(phrase[0])
    found = {first: rf"(?<!\w){_joined(map(_word, phrase), '+')}(?!\w)"}
    if len(phrase) >= _RUN and all(len(word) == 1 for word in phrase):
        found[first] += rf"|(?<!\w){_joined(map(re.escape, phrase), '*')}(?!\w)"
    if len(phrase) >= _RUN and all(word in _DIGITS for word in phrase):
        digits = [_DIGITS[word] for word in phrase]
        found[digits[0]] = rf"(?<!\d){_joined(digits, '*')}(?!\d)"
    return found


def _first(word: str) -> str:
    """The pattern of its first letter, the same for a capital and a small one."""
    folded = word[:1].casefold()
    return _word(folded if len(folded) == 1 else word[:1])


def _joined(words: Iterable[str], times: str) -> str:
    return rf"[\W_]{times}".join(words)


def _word(word: str) -> str:
    return re.escape(word).replace("'", "['\u2018\u2019\u02bc]")
