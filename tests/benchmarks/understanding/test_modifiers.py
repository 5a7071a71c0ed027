"""The judge of additions to requests."""

import pytest

from benchmarks.understanding.modifiers import EXCLUDED, INCLUDED, MODIFIERS, polarity, set_aside


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("a = 'DL'", INCLUDED),
        ("a <> 'DL'", EXCLUDED),
        ("NOT a IN ('AA', 'DL')", EXCLUDED),
        ("NOT (b = 1 AND NOT a = 'DL')", INCLUDED),
        ("a = 'AA'", ""),
    ],
)
def test_a_statement_includes_or_excludes_a_value(condition: str, found: str) -> None:
    assert polarity(f"SELECT x FROM t WHERE {condition}", "DL") == found


def test_about_half_of_at_least_forty_are_set_aside() -> None:
    unread = sum(map(set_aside, MODIFIERS))
    assert len({m.words for m in MODIFIERS}) == len(MODIFIERS) >= 40
    assert 0.3 < unread / len(MODIFIERS) < 0.7
