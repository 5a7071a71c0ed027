"""The committed adversarial set: recipes make the same pairs everywhere, and the verdicts are those recorded."""

import sys
from pathlib import Path

import pytest

from benchmarks.adversarial import FAMILIES, SPOILS, Recipe, make
from benchmarks.beyond import Case, cases
from benchmarks.beyond import timed as beyond
from benchmarks.comparator import NEAR, CommittedPair, committed, kept, peer, timed, whole_test
from evaluation.comparator.comparison import Verdict
from evaluation.comparator.options import Near, Options
from tests import SECONDS, THOROUGH

MOST_ROWS, OFTEN = 1000, 200
"""Rows of a pair that is tested in a second; those of one that is tested whenever somebody waits for the tests."""


def quick(recipe: Recipe) -> bool:
    """An orthogonal array has at least as many rows as values."""
    return recipe.rows <= MOST_ROWS and (recipe.family != "array" or recipe.values <= MOST_ROWS)


QUICK = [known for known in committed() if quick(known.recipe)]


def name(known: CommittedPair) -> str:
    return "-".join(
        str(part) for part in (known.recipe.family, known.recipe.rows, known.recipe.narrow, known.recipe.wide)
    )


@pytest.mark.parametrize("known", QUICK, ids=name)
def test_the_smaller_pairs_of_the_set_keep_their_verdict(known: CommittedPair) -> None:
    if known.recipe.rows > OFTEN and not THOROUGH:
        pytest.skip(SECONDS)
    pair = make(known.recipe)
    for near in Near:
        assert kept(known, near, timed(pair, Options(near=near))[2]), near


def test_the_set_holds_large_pairs_and_nothing_undecided() -> None:
    everything = committed()
    assert len(everything) >= 30
    assert max(known.recipe.rows for known in everything) == 10000
    assert {known.recipe.family for known in everything} == set(FAMILIES)
    assert Verdict.UNDECIDED not in {known.expected for known in everything}
    near = [known for known in everything if known.recipe.values in NEAR.get(known.recipe.family, ())]
    assert {known.expected for known in near} == {Verdict.CORRECT, Verdict.INCORRECT}
    assert max(known.recipe.narrow for known in near) == 20


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("spoil", SPOILS)
def test_a_pair_is_right_where_it_was_made_right(family: str, spoil: str) -> None:
    pair = make(Recipe(family, 30, 3, 4, 5, spoil, 1))
    assert make(Recipe(family, 30, 3, 4, 5, spoil, 1)) == pair
    verdict = timed(pair)[2]
    assert verdict in (Verdict.CORRECT, Verdict.INCORRECT)
    assert pair.right is None or verdict is Verdict.CORRECT


STAND_IN = """
from helper import rows_of

def result_eq(result1, result2, order_matters):
    assert order_matters is False
    return sorted(map(repr, rows_of(result1))) == sorted(map(repr, rows_of(result2)))
"""


def test_the_peer_is_called_as_its_signature_says_and_stands_beside_ours(tmp_path: Path) -> None:
    (tmp_path / "exec_eval.py").write_text(STAND_IN)
    (tmp_path / "helper.py").write_text("rows_of = list\n")
    rows = {row.name: (row.ours, row.theirs) for row in peer(tmp_path, columns=(3,))}
    assert rows["a column more than asked"] == (True, False)
    assert rows["a row that is missing"] == (False, False)
    assert rows["1 for true"] == (False, False)
    assert rows["3 columns x 200 rows"][0] in (True, False)
    assert str(tmp_path) not in sys.path


@pytest.mark.parametrize(
    ("name", "text", "why"), [("other.py", "", "no exec_eval.py"), ("exec_eval.py", "", "no result_eq")]
)
def test_without_the_peer_it_is_said_what_is_missing(tmp_path: Path, name: str, text: str, why: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ImportError, match=why):
        peer(tmp_path)


def test_the_figures_beside_the_set_can_be_taken() -> None:
    assert whole_test(5) > 0


BEYOND = [*cases(rows=100, longest=3000)]


@pytest.mark.parametrize("case", BEYOND, ids=lambda case: case.name)
def test_maxima_designs_and_long_numbers_are_decided(case: Case) -> None:
    verdict = beyond(case)[1]
    assert verdict is not Verdict.UNDECIDED
    assert case.expected in (None, verdict)
