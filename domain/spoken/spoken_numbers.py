"""Numbers, times, amounts and dates in words, in American English."""

import datetime
import math
from decimal import Decimal, InvalidOperation

_SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))
_IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
              "twelve": "twelfth"}  # fmt: skip
_LARGEST = 10**12
# Not from `calendar`, whose names depend on the machine's locale.
MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
]  # fmt: skip


def number(value: int | float) -> str:
    """Return a quantity in words; numbers of a thousand billion or more stay in digits.

    >>> [number(each) for each in (0, 21, 110, 1991, -4, 2.5)]
    ['zero', 'twenty-one', 'one hundred ten', 'one thousand nine hundred ninety-one', 'minus four', 'two point five']
    """
    if isinstance(value, float) and not math.isfinite(value):
        return "no number"
    if isinstance(value, float) and not round(value, 2).is_integer():
        whole, _, decimals = f"{abs(value):.2f}".rstrip("0").partition(".")
        said = f"{number(int(whole))} point {digits(decimals)}"
        return f"minus {said}" if value < 0 else said
    whole_number = round(value)
    if whole_number < 0:
        return f"minus {number(-whole_number)}"
    return _whole(whole_number) if whole_number < _LARGEST else str(whole_number)


def _whole(value: int) -> str:
    if value < 20:
        return _SMALL[value]
    if value < 100:
        tens, rest = divmod(value, 10)
        return f"{_TENS[tens - 2]}-{_SMALL[rest]}" if rest else _TENS[tens - 2]
    scale, name = next((scale, name) for scale, name in _SCALES if value >= scale)
    count, rest = divmod(value, scale)
    return f"{_whole(count)} {name} {_whole(rest)}" if rest else f"{_whole(count)} {name}"


def ordinal(value: int) -> str:
    """Return an ordinal number.

    >>> [ordinal(each) for each in (1, 12, 21, 30)]
    ['first', 'twelfth', 'twenty-first', 'thirtieth']
    """
    said = number(value)
    last = said.replace("-", " ").split()[-1]
    if last in _IRREGULAR:
        return said.removesuffix(last) + _IRREGULAR[last]
    return f"{said.removesuffix('y')}ieth" if said.endswith("y") else f"{said}th"


def digits(text: str) -> str:
    """Return letters and digits one by one, digits as words, without other characters.

    >>> digits("617-4D")
    'six one seven four D'
    """
    return " ".join(
        _SMALL[int(character)] if character.isdecimal() else character.upper()
        for character in text
        if character.isalnum()
    )


def pairs(value: int) -> str:
    """Return a number in pairs of digits, as for buses and houses.

    >>> [pairs(each) for each in (7, 35, 123, 705, 100, 1204, 1200, 2000, 12345)]
    ['seven', 'thirty-five', 'one twenty-three', 'seven oh five', 'one hundred', 'twelve oh four', 'twelve hundred', \
'two thousand', 'one two three four five']
    """
    if value < 100 or value > 9999:
        return number(value) if 0 <= value < 100 else digits(str(abs(value)))
    if value % 1000 == 0:
        return number(value)
    front, back = divmod(value, 100)
    return f"{number(front)} {_two(back) or 'hundred'}"


def _two(value: int) -> str:
    return number(value) if value >= 10 else f"oh {number(value)}" if value else ""


def clock(hhmm: int) -> str:
    """Return a time of day from an integer hhmm; empty for an invalid one.

    >>> [clock(each) for each in (0, 5, 945, 900, 1200, 1740, 2400, 1875)]
    ['midnight', 'twelve oh five a.m.', 'nine forty-five a.m.', 'nine a.m.', 'noon', 'five forty p.m.', 'midnight', '']
    """
    hours, minutes = divmod(hhmm, 100)
    if not (0 <= hours <= 24 and 0 <= minutes < 60) or hhmm > 2400:
        return ""
    if not minutes and hours % 12 == 0:
        return "noon" if hours == 12 else "midnight"
    half = "p.m." if 12 <= hours < 24 else "a.m."
    return " ".join(filter(None, (number(hours % 12 or 12), _two(minutes), half)))


def duration(minutes: int) -> str:
    """Return a duration in minutes; empty for a negative number.

    >>> [duration(each) for each in (1, 45, 60, 135)]
    ['one minute', 'forty-five minutes', 'one hour', 'two hours and fifteen minutes']
    """
    if minutes < 0:
        return ""
    hours, rest = divmod(minutes, 60)
    parts = [counted(hours, "hour", "hours")] if hours else []
    parts += [counted(rest, "minute", "minutes")] if rest or not hours else []
    return " and ".join(parts)


def dollars(amount: int | float | str) -> str:
    """Return an amount of money; empty for a text that is not a number.

    >>> [dollars(each) for each in (1, 230, 99.5, "0.07")]
    ['one dollar', 'two hundred thirty dollars', 'ninety-nine dollars and fifty cents', 'seven cents']
    """
    try:
        total = int((Decimal(str(amount)) * 100).to_integral_value())
    except (InvalidOperation, ValueError, OverflowError):
        return ""
    if total < 0:
        return f"minus {dollars(str(Decimal(-total) / 100))}"
    whole, cents = divmod(total, 100)
    parts = [counted(whole, "dollar", "dollars")] if whole or not cents else []
    parts += [counted(cents, "cent", "cents")] if cents else []
    return " and ".join(parts)


def year(value: int) -> str:
    """Return a year.

    >>> [year(each) for each in (1991, 1905, 1900, 2000, 2004, 2026)]
    ['nineteen ninety-one', 'nineteen oh five', 'nineteen hundred', 'two thousand', 'two thousand four', 'twenty twenty-six']
    """
    if not 1000 <= value <= 9999 or 2000 <= value <= 2009:
        return number(value)
    return pairs(value)


def date(text: str) -> str:
    """Return a date from the form 1991-07-04; empty for any other text.

    >>> date("1991-07-04")
    'July fourth, nineteen ninety-one'
    """
    try:
        day = datetime.date.fromisoformat(text[:10])
    except ValueError:
        return ""
    return f"{MONTHS[day.month - 1]} {ordinal(day.day)}, {year(day.year)}"


def counted(count: int, one: str, many: str) -> str:
    """Return a number with its noun: "one loan", "twelve loans"."""
    return f"{number(count)} {one if count == 1 else many}"
