"""The counts with which the field describes a corpus: the tables of the 1993 paper, for any corpus.

Collected data by site (MADCOW 1993, table 1), annotated data by site and class (tables 2 and 4), speakers by sex, scenarios and
utterances of a set (table 3). Shares are of exact counts and are rounded only when printed; a class D1 counts as D.
"""

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from corpus.analysis.turns import Course
from corpus.dataset.reader import Corpus
from corpus.formats.manifest import Provenance
from corpus.formats.spkrinfo import SpeakerInfo

Row = TypeVar("Row")
TOTAL = "total"
CLASSES = ("A", "D", "X")
_UNSTATED = 1_000  # a decade that nobody lives to see


class ScenarioCounts(msgspec.Struct, frozen=True):
    """One subject-scenario as the tables see it: `classes` has one entry an utterance, empty if not yet classified."""

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


class AgeBandRow(msgspec.Struct, frozen=True):
    """Speakers of one decade of age at all sites, and what they gave; `age` reads `20 to 29`, or `not stated`."""

    age: str
    speakers: int
    scenarios: int
    utterances: int


class ShareRow(msgspec.Struct, frozen=True):
    """Shares that sites report of their speakers beside their number: women in per cent of those whose sex is known, None if
    none is; subject-scenarios of the speaker with most, and of each on average."""

    site: str
    women: float | None
    most_scenarios: int
    mean_scenarios: float


class EffortRow(msgspec.Struct, frozen=True):
    """Work of one transcriber: utterances, how many of them were checked, the minutes that everybody gave to these."""

    transcriber: str
    utterances: int
    checked: int
    minutes: float

    @property
    def minutes_each(self) -> float:
        """Minutes an utterance, of all passes and people."""
        return self.minutes / self.utterances


class SpeakerRow(msgspec.Struct, frozen=True):
    """One speaker, and what this one gave."""

    speaker: str
    site: str
    sex: str
    age: int | None
    scenarios: int
    utterances: int
    minutes: float


def units_of(corpus: Corpus, found: Iterable[Course]) -> list[ScenarioCounts]:
    """The courses as the tables see them; of a speaker whom the corpus does not list, sex and age are not stated."""
    speakers = corpus.speakers()
    units: list[ScenarioCounts] = []
    for course in found:
        header = course.header
        info = speakers.get(header["Speaker"], SpeakerInfo(header["Speaker"]))
        classes = tuple(turn.evaluation for turn in course.turns)
        common = header["Common"] == "yes"
        units.append(
            ScenarioCounts(header["Site"], info.speaker, info.sex, info.age, header["Scenario"], classes, common)
        )
    return units


def collected(units: Iterable[ScenarioCounts]) -> list[CollectedRow]:
    """Table 1: what each site collected, and the total."""
    return _by_site(
        units,
        lambda site, own: CollectedRow(site, len(_speakers(own)), len(own), sum(len(unit.classes) for unit in own)),
    )


def by_class(units: Iterable[ScenarioCounts]) -> list[ClassRow]:
    """Tables 2 and 4: classified utterances by site and class, and the total."""
    every = list(units)
    whole = sum(kind in (*CLASSES, "D1") for unit in every for kind in unit.classes) or 1

    def row(site: str, own: Sequence[ScenarioCounts]) -> ClassRow:
        kinds = [kind for unit in own for kind in unit.classes]
        a, d, x = kinds.count("A"), kinds.count("D") + kinds.count("D1"), kinds.count("X")
        return ClassRow(site, a, d, x, a + d + x, 100 * (a + d + x) / whole)

    return _by_site(every, row)


def people(units: Iterable[ScenarioCounts]) -> list[PeopleRow]:
    """Table 3: speakers by sex, scenarios and utterances of each site, and the total."""

    def row(site: str, own: Sequence[ScenarioCounts]) -> PeopleRow:
        sexes = [unit.sex for unit in _speakers(own)]
        male, female = sexes.count("m"), sexes.count("f")
        utterances = sum(len(unit.classes) for unit in own)
        return PeopleRow(site, len(sexes), male, female, len(sexes) - male - female, len(own), utterances)

    return _by_site(units, row)


def person_shares(units: Iterable[ScenarioCounts]) -> list[ShareRow]:
    """The share of women, and scenarios a speaker, of each site (MADCOW 1993, sections 2.2 and 2.4)."""

    def row(site: str, own: Sequence[ScenarioCounts]) -> ShareRow:
        sexes = Counter(unit.sex for unit in _speakers(own) if unit.sex in ("m", "f"))
        scenarios = Counter(unit.speaker for unit in own).values()
        women = 100 * sexes["f"] / sexes.total() if sexes else None
        return ShareRow(site, women, max(scenarios, default=0), statistics.fmean(scenarios) if scenarios else 0.0)

    return _by_site(units, row)


def speakers(units: Iterable[ScenarioCounts], seconds: Mapping[str, float]) -> list[SpeakerRow]:
    """Each speaker's part; `seconds` of speech by speaker."""
    own: dict[str, list[ScenarioCounts]] = {}
    for unit in units:
        own.setdefault(unit.speaker, []).append(unit)
    return [
        SpeakerRow(speaker, found[0].site, found[0].sex, found[0].age, len(found),
                   sum(len(unit.classes) for unit in found), seconds.get(speaker, 0.0) / 60)
        for speaker, found in sorted(own.items())
    ]  # fmt: skip


def ages(units: Iterable[ScenarioCounts]) -> list[AgeRow]:
    """Youngest, oldest, mean and median age of each site's speakers; sites that know none are left out."""

    def row(site: str, own: Sequence[ScenarioCounts]) -> AgeRow:
        known = [unit.age for unit in _speakers(own) if unit.age is not None]
        if not known:
            return AgeRow(site, 0, 0, 0, 0.0, 0.0)
        return AgeRow(
            site, len(known), min(known), max(known), statistics.fmean(known), float(statistics.median(known))
        )

    return [found for found in _by_site(units, row) if found.known]


def age_bands(units: Iterable[ScenarioCounts]) -> list[AgeBandRow]:
    """Speakers, scenarios and utterances by decade of age, who did not give theirs last; none if nobody did."""
    bands: dict[int, list[ScenarioCounts]] = {}
    for unit in units:
        bands.setdefault(_UNSTATED if unit.age is None else unit.age // 10, []).append(unit)
    return [
        AgeBandRow("not stated" if band == _UNSTATED else f"{10 * band} to {10 * band + 9}", len(_speakers(own)), len(own),
                   sum(len(unit.classes) for unit in own))
        for band, own in sorted(bands.items())
        if bands.keys() != {_UNSTATED}
    ]  # fmt: skip


def _by_site(units: Iterable[ScenarioCounts], row: Callable[[str, Sequence[ScenarioCounts]], Row]) -> list[Row]:
    sites: dict[str, list[ScenarioCounts]] = {}
    every = list(units)
    for unit in every:
        sites.setdefault(unit.site, []).append(unit)
    return [*(row(site, own) for site, own in sorted(sites.items())), row(TOTAL, every)]


def _speakers(units: Sequence[ScenarioCounts]) -> list[ScenarioCounts]:
    """One unit a speaker."""
    return list({unit.speaker: unit for unit in units}.values())


def values(row: msgspec.Struct) -> tuple[object, ...]:
    """The fields of a row in their order."""
    return tuple(getattr(row, name) for name in row.__struct_fields__)


def aligned(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table for a terminal: the first column to the left, all others to the right, two blanks between."""
    cells = [header, *rows]
    widths = [max(len(row[place]) for row in cells) for place in range(len(header))]
    lines = (
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def efforts(found: Iterable[Provenance]) -> list[EffortRow]:
    """The effort of finished transcriptions by who made them, all together last; none if nothing is finished."""
    groups: dict[str, list[Provenance]] = {}
    every = list(found)
    for work in every:
        groups.setdefault(work.transcriber, []).append(work)
    own = sorted(groups.items()) + ([(TOTAL, every)] if len(groups) > 1 else [])
    return [
        EffortRow(name, len(done), sum(bool(work.checker) for work in done), sum(work.seconds for work in done) / 60)
        for name, done in own
    ]
