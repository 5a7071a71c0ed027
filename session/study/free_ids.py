"""Ids that other studies in the same folder have taken, so that a new one takes something else.

Corpora of several studies are merged without renaming anything. Blocks of speaker ids that overlap, and sessions that two
studies of one site number alike on the same day, would stand in the way forever; anyone who makes a study seldom thinks of a
merger.
"""

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from session.values.names import DIGITS, SpeakerBlock

APART = 100
"""Sessions that a study may hold on one day before it comes to the numbers of the next one."""
LAST_FIRST = 9_000


class Free(msgspec.Struct, frozen=True):
    """Ids that a new study takes; `beside` are the studies for whose sake it is not what a study alone would have."""

    speakers: SpeakerBlock
    first_session: int
    beside: tuple[Path, ...] = ()


def free_beside(folder: Path, site: str) -> Free:
    """For a new study of this site at `folder`. Where no block of 36 × 36 ids is free it is that of a study alone."""
    others = {path.parent: _read(path) for path in sorted(folder.absolute().parent.glob("*/study.toml"))}
    blocks = [block for settings in others.values() for block in _blocks(settings)]
    alone = SpeakerBlock("001", "0zz")
    every = [alone, *(SpeakerBlock(f"{digit}00", f"{digit}zz") for digit in DIGITS[1:])]
    taken = [
        block for block in every if any(block.first <= other.last and other.first <= block.last for other in blocks)
    ]
    block = next((block for block in every if block not in taken), alone)
    same = [settings for settings in others.values() if settings.get("site") == site]
    numbers = [number for settings in same if isinstance(number := settings.get("first_session", 1), int)]
    first = min(LAST_FIRST, 1 + APART * (1 + (max(1, *numbers) - 1) // APART)) if numbers else 1
    changed = (block, first) != (alone, 1)
    return Free(block, first, tuple(others) if changed else ())


def _read(path: Path) -> dict[str, Any]:
    """The settings of a study; what cannot be read has taken nothing that anybody could know of."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _blocks(settings: dict[str, Any]) -> list[SpeakerBlock]:
    try:
        return [SpeakerBlock(setting["first"], setting["last"]) for setting in settings.get("speakers", [])]
    except (ValueError, KeyError, TypeError):
        return []
