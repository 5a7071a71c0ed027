"""Tests that need pocketsphinx are skipped where it is not installed."""

import importlib.util

import pytest


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("recogniser") and importlib.util.find_spec("pocketsphinx") is None:
        pytest.skip("the extra recogniser is not installed")
