"""The examples in the docstrings of formats are true, and whatever is both read and written shows one."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from tests import ROOT


def _shows_or_ought_to(path: Path) -> bool:
    text = path.read_text("utf-8")
    return ">>> " in text or ("\ndef parse(" in text and "\ndef render(" in text)


FOUND = [path for folder in ("formats", "packages", "description") for path in (ROOT / "corpus" / folder).rglob("*.py")]
NAMES = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sorted(FOUND) if _shows_or_ought_to(path)]


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_true_and_there_where_something_is_read_and_written(name: str) -> None:
    result = doctest.testmod(import_module(name))
    assert result.failed == 0
    assert result.attempted > 0, "show in the docstring of `parse` how it reads what `render` writes"
