"""Categories in tables of their own: films of the category "Comedy" are comedies."""

from __future__ import annotations

from domain.english.model.domain import Literal
from domain.english.sql.join_planner import table_of
from domain.learn.names_in_words import in_words
from domain.learn.schema_wording import is_noun, plural
from domain.learn.survey import ColumnFacts, Survey, TableFacts

SORTS = 20
_SORT_COLUMNS = 3


def table_categories(facts: Survey, table: TableFacts, column: ColumnFacts) -> dict[str, Literal]:
    """Return the names of categories in a table of their own: films of the category "Comedy" are comedies."""
    referred = any(table_of(step.right) == table.name for step in facts.joins)
    alone = 1 < table.rows == column.distinct <= SORTS and len(table.columns) <= _SORT_COLUMNS
    if column.holds != "text" or not (referred and alone and "name" in in_words(column.name)):
        return {}
    return {plural(v.lower()): v for v in column.sample if isinstance(v, str) and is_noun(v)}


def categorized_table(facts: Survey, table: TableFacts) -> str:
    """Return the only table that this one categorizes, directly or through a link table; else an empty string."""
    referring = {table_of(step.left) for step in facts.joins if table_of(step.right) == table.name}
    links = {name for name in referring if facts.is_link(facts.table(name))}
    beyond = {table_of(s.right) for s in facts.joins if table_of(s.left) in links} - {table.name}
    found = (referring - links) | beyond
    return found.pop() if len(found) == 1 else ""
