"""How far each site has kept its promise about the common scenario.

The sites of MADCOW agreed to collect a tenth of their data from one scenario that all share (MADCOW 1992, section 2). The
tenth is of utterances; pilots and rehearsals are no data.
"""

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from corpus.export.source import Collected
from corpus.formats.errors import counted
from session.state.fold import fold

PROMISED = Fraction(1, 10)


class CommonShare(msgspec.Struct, frozen=True, order=True):
    """Utterances of one site: those of the common scenario and all."""

    site: str
    common: int
    total: int

    @property
    def share(self) -> Fraction:
        """The exact share, 0 while there are no utterances."""
        return Fraction(self.common, self.total) if self.total else Fraction(0)

    def met(self, promised: Fraction = PROMISED) -> bool:
        """Whether the share reaches the promise; a site without data has not kept it."""
        return self.total > 0 and self.share >= promised

    def __str__(self) -> str:
        verdict = "met" if self.met() else "not met"
        return f"{self.site}: {self.common} of {counted(self.total, 'utterance')}, {float(100 * self.share):.1f} %, {verdict}"


def shares(counted: Iterable[tuple[str, bool, int]]) -> tuple[CommonShare, ...]:
    """The shares by site out of (site, whether common, utterances) of each subject-scenario."""
    sums: dict[str, tuple[int, int]] = {}
    for site, common, utterances in counted:
        before = sums.get(site, (0, 0))
        sums[site] = (before[0] + utterances * common, before[1] + utterances)
    return tuple(CommonShare(site, *figures) for site, figures in sorted(sums.items()))


def of_sessions(sessions: Iterable[Collected]) -> tuple[CommonShare, ...]:
    """The shares of what a study has collected so far."""
    counted: list[tuple[str, bool, int]] = []
    for collected in sessions:
        state = fold(collected.facts)
        if state.opened is None or state.opened.pilot or state.opened.rehearsal:
            continue
        for index, run in enumerate(state.runs):
            utterances = sum(take.number is not None for take in state.takes_of(index))
            if run.number is not None:
                counted.append((state.opened.site, run.common, utterances))
    return shares(counted)
