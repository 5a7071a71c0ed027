"""A learnt domain with the lines that somebody wrote into it afterwards: TOML that adds to its lists and sets its keys.

`delete`, at the top, lists what is deleted first: `"attribute.NAME"`, or a key of it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from domain.english.model.domain import DomainModel
from domain.learn.write_toml import write_domain


def write_edited(learnt: Path, edits: Path, folder: Path) -> None:
    """Put the domain of `learnt` with these edits into `folder`."""
    domain, lines = tomllib.loads((learnt / "domain.toml").read_text()), tomllib.loads(edits.read_text())
    for path in lines.pop("delete", []):
        delete(domain, path)
    merged = added(domain, lines)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "domain.toml").write_text(write_domain(msgspec.convert(merged, DomainModel)))


def delete(domain: dict[str, Any], path: str) -> None:
    """Take a table of `domain`, or a key of one, out of it."""
    *outer, last = path.replace('"', "").split(".")  # dots in names are encoded
    for name in outer:
        domain = domain[name]
    del domain[last]


def added(learnt: Any, edits: Any) -> Any:
    """`edits` put into what was learnt: tables key by key, lists at their end."""
    match learnt, edits:
        case dict(), dict():
            return {**learnt, **{key: added(learnt[key], v) if key in learnt else v for key, v in edits.items()}}
        case list(), list():
            return [*learnt, *(edit for edit in edits if edit not in learnt)]
        case _:
            return edits
