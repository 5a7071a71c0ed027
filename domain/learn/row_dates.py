"""The date of a row among several, and the year of a database: a call-out is dated by its alarm, not by its end."""

from __future__ import annotations

from collections import Counter
from datetime import date

from domain.learn.names_in_words import in_words
from domain.learn.schema_wording import is_birth_date, is_people
from domain.learn.survey import Survey, TableFacts

EVENT_SUPERLATIVES = (["latest", "most recent", "newest", "last"], ["earliest", "first", "oldest"])
_OF_THE_ROW = frozenset(
    [
        "year",
        "vintage",
        "season",
        "edition",
        "release",
        "released",
        "published",
        "publication",
        "issue",
        "model",
        "made",
        "of",
    ]
)


def main_date(facts: Survey, table: TableFacts) -> str:
    """Return the column that dates the rows of an event: the only one that is never empty, or the first of these; empty for
    tables that others refer to as to a thing or a person, such as members with the day of their birth."""
    dates = [c for c in table.columns if c.holds == "date"]
    if not dates or table.view or is_people(table.name) or any(is_birth_date(c.name) for c in dates):
        return ""
    full = [c.name for c in dates if not c.missing]
    events = any(facts.is_reference(table.name, c.name) for c in table.columns)
    return full[0] if full and events else ""


def dates_alone(table: TableFacts, column: str) -> bool:
    """Return whether a column of years tells of which year the rows are, as the vintage of a wine does: its name says no more
    than that, and there are no dates."""
    words = {*in_words(column).split()}
    return bool(words) and words <= _OF_THE_ROW and all(c.holds != "date" for c in table.columns)


def only_year(facts: Survey) -> int:
    """Return the year in which the dates of all events lie, if it is one, else 0: dates without a year are in it."""
    years: Counter[int] = Counter()
    for table in facts.tables:
        sample = [value for c in table.columns if c.name == main_date(facts, table) for value in c.sample]
        years.update(found.year for value in sample if (found := _day(value)))
    return years.popitem()[0] if len(years) == 1 else 0


def _day(value: object) -> date | None:
    try:
        return value if isinstance(value, date) else date.fromisoformat(str(value)[:10])
    except ValueError:
        return None
