"""A study folder, and a Dask cluster for the tests that want one; without the extra they are skipped."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.corpus.studies import made_study


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("dask") and importlib.util.find_spec("distributed") is None:
        pytest.skip("the extra dask is not installed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler with two workers in this process."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0") as running:
        yield running.scheduler_address


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return made_study(tmp_path / "study")
