"""Shares of the common scenario: how far each site has kept its promise.

The sites of MADCOW agreed to collect a tenth of their data from one scenario that all share (MADCOW 1992, section 2). The
tenth is of utterances; pilots and rehearsals are no data.
"""

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from corpus.formats.errors import counted
from session.state.fold import SessionState

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
        """Return whether the share reaches the promise; a site without data has not kept it."""
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


def scenarios_of(state: SessionState) -> tuple[tuple[str, bool, int], ...]:
    """Return one session's part of `shares`: its numbered scenarios with their utterances; nothing of a pilot or a rehearsal."""
    if state.opened is None or state.opened.pilot or state.opened.rehearsal:
        return ()
    return tuple(
        (state.opened.site, run.common, sum(take.number is not None for take in state.takes_of(index)))
        for index, run in enumerate(state.runs)
        if run.number is not None
    )
