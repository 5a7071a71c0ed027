"""The examples in all docstrings are true: a name that changed makes them lie, and no type checker reads them."""

import doctest
from importlib import import_module

import pytest

from tests import PACKAGES, ROOT

FOUND = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
NAMES = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in FOUND if ">>> " in path.read_text("utf-8")]


@pytest.mark.parametrize("name", NAMES)
def test_an_example_gives_what_it_says(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
