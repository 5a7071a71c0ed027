"""From clues to a probability: a logistic model whose few weights stand in `confidence.toml`, with where they are from.

The one beside this module was fitted by `python -m benchmarks.understanding.confidence --fit`; a domain may bring its own, beside
its `domain.toml`, fitted on its own requests.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from domain.english.confidence.clues import clues_of
from domain.english.model.domain import DomainError, DomainModel
from domain.english.parse.parser import Parsed
from domain.english.reading import Clues, Reading

FILE = "confidence.toml"
_LEAST, _MOST = 0.01, 0.99
_TELLING = 0.25
_NAMES = Clues.__struct_fields__


class Shares(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Shares of times that the next reading is right where the first is wrong, by what it differs in."""

    form: float = 0
    half: float = 0
    attribute: float = 0
    alone: float = 0


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights: what each clue adds to the logarithm of the odds that a reading is wrong, from `base` on."""

    fitted: str
    base: float
    weight: Clues
    share: Shares

    def right(self, clues: Clues) -> float:
        """Return how often a reading with these clues is right."""
        odds = self.base + sum(getattr(self.weight, name) * getattr(clues, name) for name in _NAMES)
        return 1 / (1 + math.exp(odds))

    def against(self, clues: Clues) -> list[str]:
        """Return the clues that speak against it, the strongest first: those that nearly all readings have are none."""
        told = {name: getattr(self.weight, name) * getattr(clues, name) for name in _NAMES if name != "length"}
        return sorted((name for name, odds in told.items() if odds > _TELLING), key=lambda name: -told[name])


def load_calibration(domain_folder: Path) -> Calibration:
    """The weights of a domain, else those that ship; DomainError names what is wrong with a file."""
    own = domain_folder / FILE
    file = own if own.is_file() else Path(__file__).with_name(FILE)
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Calibration)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise DomainError(
            f"{file}: {error}; `python -m benchmarks.understanding.confidence --fit FILE` writes one"
        ) from error


def weighed(
    calibration: Calibration,
    model: DomainModel,
    parsed: Parsed,
    words: Sequence[str],
    readings: Sequence[Reading],
    before: int = 0,
) -> tuple[Reading, ...]:
    """Return the readings, in their order, each with how often it is right after `before` other requests: what the first leaves
    is shared by the next."""
    if not readings:
        return ()
    first = readings[0]
    clues = clues_of(model, parsed, first.meaning, words, bool(first.carried), before)
    right = calibration.right(clues)
    empty = calibration.right(msgspec.structs.replace(clues, empty=1))
    done = [msgspec.structs.replace(first, confidence=_shown(right), if_empty=_shown(empty), clues=clues)]
    left = 1 - right
    for reading in readings[1:]:
        share = min(left * getattr(calibration.share, reading.apart or "form"), right)
        left -= share
        done.append(msgspec.structs.replace(reading, confidence=_shown(share), if_empty=_shown(share)))
    return tuple(done)


def _shown(share: float) -> float:
    return round(min(_MOST, max(_LEAST, share)), 2)
