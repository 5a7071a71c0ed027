"""A lab with one corpus to transcribe."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.annotator.desk import Lab


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    lab = Lab(tmp_path)
    yield lab
    lab.close()
