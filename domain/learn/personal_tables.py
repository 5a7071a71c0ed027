"""Tables that hold people, for which "who" asks: by their names, and by columns that only people have."""

from __future__ import annotations

from domain.learn.names_in_words import in_words
from domain.learn.schema_wording import is_animal, is_people
from domain.learn.survey import Survey, TableFacts

WHO = (
    "who", "who is", "who are", "who was", "who were", "who has", "who have", "everyone", "everybody", "anyone", "anybody",
)  # fmt: skip
"""What a table of people answers to."""
_NAME_PARTS = frozenset({"firstname", "lastname"})
_PERSONAL = frozenset({"full name", "birth date", "date of birth", "birthday"})


def person_columns(table: TableFacts) -> list[str]:
    """Return the columns that hold the parts of personal names."""
    return [c.name for c in table.columns if in_words(c.name).replace(" ", "") in _NAME_PARTS]


def people_tables(facts: Survey) -> set[str]:
    """Return the tables that hold people; if none surely does, those of names with a telephone."""
    reached = {t.name for t in facts.tables if {"name", "telephone"} <= {in_words(c.name) for c in t.columns}}
    return {t.name for t in facts.tables if _holds_people(t)} or reached


def _holds_people(table: TableFacts) -> bool:
    """Return whether a table holds people, judged by its name, or by columns for personal names or birth dates."""
    words = {in_words(c.name) for c in table.columns}
    return (
        len(person_columns(table)) == len(_NAME_PARTS)
        or is_people(table.name)
        or (bool(words & _PERSONAL) and not is_animal(table.name))
    )
