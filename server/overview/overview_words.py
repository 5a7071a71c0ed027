"""The words of the experimenter's page, apart from those of participants' screens: these may name what is behind the curtain."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from session.study.screen_words import ENGLISH_TAG, primary
from session.values.clock import SECOND

SHIPPED = Path(__file__).with_name("words")


@cache
def page_words(language: str) -> Mapping[str, str]:
    """Every string by key, such as `stage.ended`, in a language that ships, otherwise in English.

    >>> page_words("de-AT")["waits.nobody"]
    'niemand'
    """
    path = SHIPPED / f"{primary(language)}.toml"
    if not path.is_file():
        path = SHIPPED / f"{ENGLISH_TAG}.toml"
    tables = msgspec.toml.decode(path.read_bytes(), type=dict[str, dict[str, str]])
    return {f"{table}.{key}": text for table, strings in tables.items() for key, text in strings.items()}


def clock_time(nanoseconds: int) -> str:
    """Minutes and seconds, rounded down.

    >>> clock_time(63_900_000_000)
    '1:03'
    """
    minutes, seconds = divmod(max(0, nanoseconds) // SECOND, 60)
    return f"{minutes}:{seconds:02d}"
