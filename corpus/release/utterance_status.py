"""Status of every utterance that was collected: released, held for tests, rejected or queued.

What a site collects and what becomes a release differ (MADCOW 1992, section 3), and both have to be told, or nobody can see what
went where. An utterance is in exactly one place. Its side is that of its speaker, whatever is still to be done on it: a draft is
handed over as a draft. Pilots are no data and stand nowhere.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from corpus.analysis.paper_tables import TOTAL, aligned, values
from corpus.dataset.removals import Removals
from session.values.vocabulary import Outcome

POOL, RELEASE = "pool", "release"
CAPTION = "Where utterances stand; rejected are those that are invalid, left out or withdrawn"
HEADER = (
    *("site", "collected", "released", "held for tests", "queued", "rejected"),
    *("invalid", "left out", "withdrawn"),
)
"""The columns of a `StandingRow`; the last three say why utterances are rejected."""
_UNKNOWN = "not known"


class Volume(msgspec.Struct, frozen=True, order=True):
    """Contribution of one speaker, pilots not counted: utterances that are data, and beside these the `invalid` ones, of
    scenarios that were declared invalid."""

    site: str
    speaker: str
    utterances: int
    invalid: int = 0


def volume_of(site: str, speaker: str, pilot: str, outcome: str, utterances: int) -> Volume:
    """Return what a subject-scenario contributes, `pilot` and `outcome` as the log has them."""
    count = utterances * (pilot == "no")
    return Volume(site, speaker, 0, count) if outcome == Outcome.INVALIDATED else Volume(site, speaker, count)


class StandingRow(msgspec.Struct, frozen=True):
    """Utterances of a site. `collected` is the sum of `released`, `pool` (held for tests), `queued` (of speakers who are in no
    set yet) and `rejected`; `rejected` that of `invalid` (of scenarios declared invalid), `left_out` (of sessions of which no
    corpus has anything, for the person did not agree or they cannot be written) and `withdrawn`."""

    site: str
    collected: int
    released: int
    pool: int
    queued: int
    rejected: int
    invalid: int
    left_out: int
    withdrawn: int


def standings(
    volumes: Iterable[Volume],
    sets: Mapping[str, str],
    removed: Removals,
    left_out: Mapping[str, int],
    of: str = "",
) -> list[StandingRow]:
    """Return where the utterances of each site stand, and those of all sites last.

    `sets` gives `POOL` or `RELEASE` by speaker; `removed` is the list of those who have withdrawn, which still tells how many
    utterances were theirs; `left_out` counts by site. `of` is the set that a part of a corpus is: of the people who have
    withdrawn it counts those who were in that set, so that no two parts count the same one.
    """
    every = list(volumes)
    sums: dict[str, Counter[str]] = {}
    whole = Counter[str]()

    def add(site: str, count: int, *places: str) -> None:
        for own in (sums.setdefault(site, Counter()), whole):
            own.update(dict.fromkeys(("collected", *places), count))

    for row in every:
        add(row.site, row.utterances, {POOL: "pool", RELEASE: "released"}.get(sets.get(row.speaker, ""), "queued"))
        add(row.site, row.invalid, "rejected", "invalid")
    for site, count in left_out.items():
        add(site, count, "rejected", "left_out")
    present = {row.speaker for row in every}
    for gone in removed.removals:
        if not gone.scope and gone.speaker not in present and (not of or sets.get(gone.speaker) == of):
            add(gone.site or _UNKNOWN, len(gone.utterances), "rejected", "withdrawn")
    rows = [*sorted(sums.items()), (TOTAL, whole)] if sums else []
    return [StandingRow(site, *(own[place] for place in StandingRow.__struct_fields__[1:])) for site, own in rows]


def table(rows: Iterable[StandingRow]) -> str:
    """The rows for a terminal."""
    return aligned(HEADER, [[str(value) for value in values(row)] for row in rows])
