"""Makes the two databases."""

import random
from pathlib import Path

from tests.domain.strangers import lending, maintenance
from tests.sqlite_files import fill

SOURCES = {"lending": lending, "maintenance": maintenance}


def build(name: str, path: Path, seed: int = 1989) -> str:
    """Make the database `name` at `path`, which must not exist; gives its URL."""
    source = SOURCES[name]
    return fill(path, source.SCHEMA, source.rows(random.Random(seed)))
