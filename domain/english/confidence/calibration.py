"""The logistic model that turns clues into a probability; its few weights are in `confidence.toml`, with their origin.

The default file was fitted by `python -m benchmarks.understanding.confidence --fit`; a domain may have its own beside its
`domain.toml`, fitted to its own requests.
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
    """Shares of cases in which the next reading is right when the first is wrong, by how the two differ; `withheld`: in which the
    first of those withheld is right where none is taken."""

    form: float = 0
    half: float = 0
    attribute: float = 0
    end: float = 0
    whole: float = 0
    alone: float = 0
    scope: float = 0.3
    withheld: float = 0.2


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights: what each clue adds to the log odds that a reading is wrong, starting from `base`."""

    fitted: str
    base: float
    weight: Clues
    share: Shares

    def right(self, clues: Clues) -> float:
        """Return how often a reading with these clues is right."""
        odds = self.base + sum(getattr(self.weight, name) * getattr(clues, name) for name in _NAMES)
        return 1 / (1 + math.exp(odds))

    def against(self, clues: Clues) -> list[str]:
        """Return the clues against a reading, the strongest first, without those that nearly all readings have."""
        told = {name: getattr(self.weight, name) * getattr(clues, name) for name in _NAMES if name != "length"}
        return sorted((name for name, odds in told.items() if odds > _TELLING), key=lambda name: -told[name])


def load_calibration(domain_folder: Path) -> Calibration:
    """Return the calibration of a domain, or the default one; DomainError names what is wrong with the file."""
    own = domain_folder / FILE
    file = own if own.is_file() else Path(__file__).with_name(FILE)
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Calibration)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise DomainError(
            f"{file}: {error}; `python -m benchmarks.understanding.confidence --fit FILE` writes one"
        ) from error


def calibrate(
    calibration: Calibration,
    model: DomainModel,
    parsed: Parsed,
    words: Sequence[str],
    readings: Sequence[Reading],
    before: int = 0,
) -> tuple[Reading, ...]:
    """Return the readings, in order, with calibrated confidence after `before` earlier requests; later readings share what
    the first leaves."""
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


def calibrate_withheld(calibration: Calibration, readings: Sequence[Reading], taken: bool) -> tuple[Reading, ...]:
    """Return withheld readings with their confidence, each less than the one before; beside some that are `taken` it is least."""
    shares = (_LEAST if taken else calibration.share.withheld * 0.5**rank for rank in range(len(readings)))
    return tuple(
        msgspec.structs.replace(reading, confidence=_shown(share), if_empty=_shown(share))
        for reading, share in zip(readings, shares, strict=True)
    )


def _shown(share: float) -> float:
    return round(min(_MOST, max(_LEAST, share)), 2)
