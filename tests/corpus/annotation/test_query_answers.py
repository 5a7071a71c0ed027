"""A draft answer and the log's table come to the same rows, whatever the database held."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.annotation.query_answers import rows_of_log, rows_text
from corpus.formats.keyed_lines import KeyedLine, parse, render
from corpus.formats.log.result_table import table_text
from session.values.answers import Table

_TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    ['"', "[,](", "null", "e\u0301", "a\xadb", "\n", "\\", "\x7f", "-0.0"]
)
_VALUE = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | _TEXT


def _read(table: str) -> str:
    """The text as it comes back out of a log."""
    return "\n".join(parse(render(KeyedLine("Table", line)), "x.log")[0].value for line in table.split("\n"))


@given(st.integers(1, 3).flatmap(lambda width: st.lists(st.tuples(*[_VALUE] * width), max_size=4)))
def test_the_log_s_table_gives_the_draft_s_rows_but_for_quotes(
    rows: list[tuple[str | int | float | None, ...]],
) -> None:
    table = Table(tuple("abc"[: len(rows[0]) if rows else 1]), tuple(rows))
    assert rows_of_log(_read(table_text(table))).replace('"', "") == rows_text(table).replace('"', "")


@pytest.mark.parametrize("table", ['["a"]\n["\\q"]', '["a"]\n["\\n",2]', '["a"]\n[1e', '["a"]\n[{"b":1e9}]'])
def test_what_is_no_table_is_refused(table: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        rows_of_log(table)
