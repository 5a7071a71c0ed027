"""Everyday English for columns: other nouns for what they hold, that there is none of it, and what was done to them.

Each group covers words that names of columns have; `curtain learn` writes what fits into `domain.toml`, to be edited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from domain.learn.names_in_words import in_words
from domain.learn.schema_wording import both

_ALIKE = (
    "email|email address|e mail|e mail address|mail address",
    "phone|phone number|telephone|telephone number|number to call",
    "telephone|phone|phone number|telephone number", "mobile|mobile number|cell phone|cell number",
    "profession|occupation|job|trade|line of work|do for a living|does for a living|did for a living|do for work",
    "occupation|profession|job|trade|line of work|do for a living|does for a living|did for a living|do for work",
    "colour|color", "color|colour", "language|tongue", "nationality|citizenship", "salary|wage|pay",
    "duration|length", "runtime|running time|length", "title|name", "birthday|date of birth|birth date",
    "date of birth|birthday|birth date", "birth date|birthday|date of birth", "birth year|year of birth",
    "town|city", "city|town", "altitude|elevation|height", "elevation|altitude|height", "temperature|how warm|how cold|how hot",
    "weight|how heavy", "cost|price", "rating|grade|score", "capacity|how many people",
    "address|street address", "website|web site|web page|homepage", "surname|last name|family name", "supplier|vendor",
    "age|how old", "height|how tall|how high", "depth|how deep",
    "width|how wide", "area|how big|how large", "speed|how fast|top speed", "condition|state", "state|condition",
    "percent|percentage", "kg|kilos|kilograms|kilo|weight", "km|kilometres|kilometers|distance|length", "eur|euro|euros|money",
    "euros|money", "euro|euros|money",
)  # fmt: skip
"""What a column is called, then what else people call it."""
NO_VALUES = frozenset(["none", "nil", "n/a", "nothing", "-", "keine", "aucun"])
"""What cells hold that say there is nothing."""
_MADE = frozenset([
    "written", "built", "born", "founded", "made", "composed", "published", "painted", "recorded", "printed", "drawn",
    "established", "created", "released", "launched", "constructed", "planted", "sown", "produced", "dated",
])  # fmt: skip

_DWELLINGS = frozenset(["town", "city", "village", "address", "suburb", "residence"])


def columns_alike(words: str) -> tuple[str, ...]:
    """Other nouns for what a column of this name holds."""
    return next((tuple(rest) for first, *rest in (group.split("|") for group in _ALIKE) if first == words), ())


def tells_making(words: str) -> bool:
    """Return whether this was done to all things of the sort: where the day is wanting it is unknown, not undone."""
    return words in _MADE


def nothing_in(sample: Iterable[object]) -> str | None:
    """Return the value that stands for "none", if there is one."""
    return next((value for value in sample if isinstance(value, str) and value.lower() in NO_VALUES), None)


def dated_said(known: bool) -> tuple[str, ...]:
    """Return the wordings that say whether the day of something is known."""
    if known:
        return ("dated", "with a date", "have a date", "has a date")
    none = (
        "with no date",
        "without a date",
        "without date",
        "have no date",
        "has no date",
        "not have a date",
        "no date on",
    )
    return ("undated", *none, "not dated", "of unknown date", "date unknown")


def payments_said(words: str, done: str) -> list[str]:
    """ "Fee paid" as people say it: paid the fee, paid their fees."""
    noun = words.removesuffix(f" {done}")
    if noun == words or not re.fullmatch(r"[a-z]+( [a-z]+)?", noun):
        return []
    owners = ("", "the ", "a ", "their ", "his ", "her ", "its ")
    return [f"{verb}{done} {of}{noun}" for verb in ("", "have ", "has ") for of in owners] + [done]


def not_payments_said(words: str, done: str) -> list[str]:
    """ "Fee paid" denied."""
    return [
        f"{no} {form}"
        for form in payments_said(words, done)
        for no in ("not", "never")
        if not form.startswith(("have", "has"))
    ]


def described_things(column: str) -> tuple[str, ...]:
    """Return what a colour or similar property describes: the flowers of `flower_colour`."""
    first, _, last = in_words(column).rpartition(" ")
    told = last in {
        "colour",
        "color",
        "type",
        "kind",
        "style",
        "size",
        "shape",
        "material",
        "quality",
        "flavour",
        "flavor",
    }
    return tuple(both(first)) if told and first and " " not in first else ()


def residence_verbs(column: str) -> tuple[str, ...]:
    """Return the verbs for a place of residence, which "where" asks for."""
    return ("live", "lives", "lived", "living") if _DWELLINGS & {*in_words(column).split()} else ()
