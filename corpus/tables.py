"""The counts with which the field describes a corpus: the tables of the 1993 paper, for any corpus.

Collected data by site (MADCOW 1993, table 1), annotated data by site and class (tables 2 and 4), speakers by sex, scenarios and
utterances of a set (table 3). Shares are of exact counts and are rounded only when printed; a class D1 counts as D.
"""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

Row = TypeVar("Row")
TOTAL = "total"
CLASSES = ("A", "D", "X")


class Unit(msgspec.Struct, frozen=True):
    """One subject-scenario as the tables see it: `classes` has one entry an utterance, empty where not yet classified."""

    site: str
    speaker: str
    sex: str
    age: int | None
    scenario: str
    classes: tuple[str, ...]
    common: bool = False


class CollectedRow(msgspec.Struct, frozen=True):
    """Speakers, subject-scenarios and utterances of a site."""

    site: str
    speakers: int
    scenarios: int
    utterances: int


class ClassRow(msgspec.Struct, frozen=True):
    """Classified utterances of a site, with its share of all in per cent."""

    site: str
    a: int
    d: int
    x: int
    total: int
    share: float

    @property
    def percentages(self) -> tuple[float, float, float]:
        """A, D and X in per cent of the site's own; zeros for none."""
        whole = self.total or 1
        return 100 * self.a / whole, 100 * self.d / whole, 100 * self.x / whole


class PeopleRow(msgspec.Struct, frozen=True):
    """Speakers by sex, and what they gave; `other` is neither m nor f, or not stated."""

    site: str
    speakers: int
    male: int
    female: int
    other: int
    scenarios: int
    utterances: int


class AgeRow(msgspec.Struct, frozen=True):
    """Ages of the speakers who gave theirs."""

    site: str
    known: int
    youngest: int
    oldest: int
    mean: float
    median: float


class SpeakerRow(msgspec.Struct, frozen=True):
    """One speaker, and what this one gave."""

    speaker: str
    site: str
    sex: str
    age: int | None
    scenarios: int
    utterances: int
    minutes: float


def collected(units: Iterable[Unit]) -> list[CollectedRow]:
    """Table 1: what each site collected, and the total."""
    return _by_site(
        units,
        lambda site, own: CollectedRow(site, len(_speakers(own)), len(own), sum(len(unit.classes) for unit in own)),
    )


def by_class(units: Iterable[Unit]) -> list[ClassRow]:
    """Tables 2 and 4: classified utterances by site and class, and the total."""
    every = list(units)
    whole = sum(kind in (*CLASSES, "D1") for unit in every for kind in unit.classes) or 1

    def row(site: str, own: Sequence[Unit]) -> ClassRow:
        kinds = [kind for unit in own for kind in unit.classes]
        a, d, x = kinds.count("A"), kinds.count("D") + kinds.count("D1"), kinds.count("X")
        return ClassRow(site, a, d, x, a + d + x, 100 * (a + d + x) / whole)

    return _by_site(every, row)


def people(units: Iterable[Unit]) -> list[PeopleRow]:
    """Table 3: speakers by sex, scenarios and utterances of each site, and the total."""

    def row(site: str, own: Sequence[Unit]) -> PeopleRow:
        sexes = [unit.sex for unit in _speakers(own)]
        male, female = sexes.count("m"), sexes.count("f")
        utterances = sum(len(unit.classes) for unit in own)
        return PeopleRow(site, len(sexes), male, female, len(sexes) - male - female, len(own), utterances)

    return _by_site(units, row)


def speakers(units: Iterable[Unit], seconds: Mapping[str, float]) -> list[SpeakerRow]:
    """Each speaker's part; `seconds` of speech by speaker."""
    own: dict[str, list[Unit]] = {}
    for unit in units:
        own.setdefault(unit.speaker, []).append(unit)
    return [
        SpeakerRow(speaker, found[0].site, found[0].sex, found[0].age, len(found),
                   sum(len(unit.classes) for unit in found), seconds.get(speaker, 0.0) / 60)
        for speaker, found in sorted(own.items())
    ]  # fmt: skip


def ages(units: Iterable[Unit]) -> list[AgeRow]:
    """Youngest, oldest, mean and median age of each site's speakers; sites that know none are left out."""

    def row(site: str, own: Sequence[Unit]) -> AgeRow:
        known = [unit.age for unit in _speakers(own) if unit.age is not None]
        if not known:
            return AgeRow(site, 0, 0, 0, 0.0, 0.0)
        return AgeRow(site, len(known), min(known), max(known), statistics.fmean(known), statistics.median(known))

    return [found for found in _by_site(units, row) if found.known]


def _by_site(units: Iterable[Unit], row: Callable[[str, Sequence[Unit]], Row]) -> list[Row]:
    sites: dict[str, list[Unit]] = {}
    every = list(units)
    for unit in every:
        sites.setdefault(unit.site, []).append(unit)
    return [*(row(site, own) for site, own in sorted(sites.items())), row(TOTAL, every)]


def _speakers(units: Sequence[Unit]) -> list[Unit]:
    """One unit a speaker."""
    return list({unit.speaker: unit for unit in units}.values())


def values(row: msgspec.Struct) -> tuple[object, ...]:
    """The fields of a row in their order."""
    return tuple(getattr(row, name) for name in row.__struct_fields__)


def aligned(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table for a terminal: the first column to the left, all others to the right, two blanks between."""
    cells = [[_shown(value) for value in row] for row in (header, *rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(header))]
    lines = (
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _shown(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.1f}" if isinstance(value, float) else str(value)
