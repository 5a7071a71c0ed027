"""The way from table to table."""

from pathlib import Path

import pytest
from sqlalchemy import Engine as Connected
from sqlalchemy import MetaData

from domain.english.model.domain import DomainError, Join, JoinStep, load_domain
from domain.english.sql.join_planner import JoinPlanner


@pytest.fixture
def schema(library_database: Connected) -> MetaData:
    found = MetaData()
    found.reflect(library_database)
    return found


def planner(folder: Path, schema: MetaData, *joins: Join) -> JoinPlanner:
    model = load_domain(folder)
    return JoinPlanner(
        type(model)(**{**{f: getattr(model, f) for f in model.__struct_fields__}, "join": joins}), schema
    )


def test_keys_are_followed_by_the_shortest_way(library_folder: Path, schema: MetaData) -> None:
    steps = planner(library_folder, schema).connect("author", ["book", "branch"])
    assert steps == (JoinStep("author.author_id", "book.author_id"), JoinStep("book.branch_code", "branch.branch_code"))


def test_a_declared_join_wins(library_folder: Path, schema: MetaData) -> None:
    declared = Join(("loan", "branch"), "loan.to_branch = branch.branch_code")
    steps = planner(library_folder, schema, declared).connect("loan", ["branch"])
    assert steps == (JoinStep("loan.to_branch", "branch.branch_code"),)
    assert planner(library_folder, schema, declared).connect("branch", ["loan"]) == (
        JoinStep("branch.branch_code", "loan.to_branch"),
    )


def test_two_keys_between_the_same_tables_join_nothing_by_themselves(library_folder: Path, schema: MetaData) -> None:
    with pytest.raises(DomainError, match=r"loan\.from_branch or loan\.to_branch; declare one under \[\[join\]\]"):
        planner(library_folder, schema).connect("loan", ["branch"])


def test_what_is_there_needs_no_join(library_folder: Path, schema: MetaData) -> None:
    assert planner(library_folder, schema).connect("book", ["book"]) == ()


def test_no_way_is_told_with_the_remedy(library_folder: Path) -> None:
    with pytest.raises(DomainError, match=r"\[\[join\]\]"):
        planner(library_folder, MetaData()).connect("book", ["branch"])


def test_a_join_over_a_column_that_is_not_there_is_told(library_folder: Path, schema: MetaData) -> None:
    with pytest.raises(DomainError, match=r"book\.brunch"):
        planner(library_folder, schema, Join(("book", "branch"), "book.brunch = branch.branch_code"))
