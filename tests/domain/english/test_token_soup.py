"""Statements out of a bag of words: whatever is typed ends in rows or in a `QueryFailure`, never in anything else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine

from domain.database.load_rows import load
from domain.database.table_shape import shape
from domain.sandbox.database_schema import Column, Schema, TableSchema
from domain.sandbox.sandbox import Sandbox
from domain.sandbox.statement_guard import Limits
from domain.sandbox.syntax_tree_guard import approved
from session.values.answers import QueryFailure
from tests import THOROUGH

_WORDS = r"""select from where with recursive as ( ) , . ; * = < || + 'a' 'it''s' "t" `t` [t] 1 2.5 0x1f x'00' -- /* */
union all except intersect group by order having limit offset join left natural using on in between like and or not
null case when then else end cast exists distinct values over partition t code amount count( max( zeroblob( hex(
sqlite_master pg_sleep( :: $$ $1 ? :x % \ é 東 insert into delete update set pragma attach explain table lateral
interval date array[ ] { } @ # ! ~ filter within returning for share fetch first rows only window"""
WORDS = [*_WORDS.split(), "\n"]

SCHEMA = Schema((TableSchema("t", (Column("code"), Column("amount"))),))

soup = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)
statements = st.one_of(
    soup, soup.map(lambda text: f"SELECT {text}"), soup.map(lambda text: f"SELECT code FROM t {text}")
)


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    path: Path = tmp_path_factory.mktemp("soup") / "t.sqlite"
    engine = create_engine(f"sqlite:///{path}")
    load(engine, [shape("t", "code amount:i", "code")], {"t": [("a", 1), ("b", 2)]})
    engine.dispose()
    opened = Sandbox(f"sqlite:///{path}", Limits(seconds=2))
    yield opened
    opened.close()


def ends(work: object) -> None:
    """Nothing but a clear failure may come out."""
    try:
        work()  # type: ignore[operator]
    except QueryFailure as failure:
        if "\n" in failure.message:
            raise AssertionError(failure.message) from failure


@given(statements)
@settings(max_examples=200 if THOROUGH else 60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_sqlite_answers_or_says_why_not(sandbox: Sandbox, sql: str) -> None:
    ends(lambda: sandbox.run(sql))


@given(statements)
@settings(max_examples=200 if THOROUGH else 60)
def test_the_fence_before_a_server_passes_or_says_why_not(sql: str) -> None:
    ends(lambda: approved(sql, SCHEMA, "public", Limits()))
