"""Names with figures in the words that say them: "Polytunnel 1" as polytunnel one, "Fair 2023" as fair twenty twenty three."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_ONES = (
    "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_LEAST, _WORD = 2, 3


def spoken_names(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield a name in which figures are said in words; nothing for one of figures, or of figures and letters, alone."""
    figures = [at for at, word in enumerate(words) if word.isdigit()]
    if len(words) < _LEAST or len(figures) != 1 or not any(len(word) >= _WORD and word.isalpha() for word in words):
        return
    at = figures[0]
    for said in _said(words[at]):
        yield (*words[:at], *said, *words[at + 1 :])


def _said(figures: str) -> Iterator[tuple[str, ...]]:
    number = int(figures)
    if not 0 < number < 10_000 or figures[0] == "0":
        return
    first, last = divmod(number, 100)
    if number < 100:
        yield _under_hundred(number)
    elif number < 1000:
        tail = _under_hundred(last)
        yield (_ONES[first], "hundred", *tail)
        if tail:
            yield (_ONES[first], "hundred", "and", *tail)
    elif last >= 10:
        yield (*_under_hundred(first), *_under_hundred(last))
    if number // 1000 == _LEAST and number % 1000 < 100:
        tail = _under_hundred(number % 1000)
        yield ("two", "thousand", *tail)
        if tail:
            yield ("two", "thousand", "and", *tail)


def _under_hundred(number: int) -> tuple[str, ...]:
    tens, ones = divmod(number, 10)
    parts = (_ONES[number],) if number < len(_ONES) else (_TENS[tens], _ONES[ones])
    return tuple(part for part in parts if part)
