"""Sets speech aside for tests before anything is handed over: about a fifth of each site's utterances, by whole speaker.

MADCOW held out about 20 % of what each site sent, on arrival, and selected its tests from that pool (MADCOW 1992, section
3.1; 1993, section 2.2). Here lots are drawn from a seed among a site's new speakers, until the site comes within a point of its
aim; where no lot does, for there are few, those are held out who bring it nearest. An assignment once made is kept in a file and
never changes, however much arrives later, because a speaker who has been handed over can never be test data.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import msgspec

from corpus.dataset.reader import Corpus
from corpus.dataset.removals import held_in
from corpus.formats.errors import counted
from corpus.formats.log.queries import outcome_of
from corpus.formats.manifest import Manifest
from corpus.io.parallel import Jobs
from corpus.release.holdout_file import (
    Holdout,
)
from corpus.release.lottery import drawn
from corpus.release.utterance_status import POOL, RELEASE, StandingRow, Volume, standings, volume_of

SHARE = Fraction(1, 5)
NEAR = Fraction(1, 100)


class SiteShare(msgspec.Struct, frozen=True):
    """Share of a site that is held out: speakers and utterances held out, of all."""

    site: str
    pool_speakers: int
    speakers: int
    pool: int
    total: int

    @property
    def share(self) -> Fraction:
        """The exact share of utterances, 0 while there are none."""
        return Fraction(self.pool, self.total) if self.total else Fraction(0)

    @property
    def near(self) -> bool:
        """Return whether the share is within `NEAR` of its aim."""
        return abs(self.share - SHARE) <= NEAR

    def __str__(self) -> str:
        off = float(100 * (self.share - SHARE))
        return (
            f"{self.site}: {self.pool} of {counted(self.total, 'utterance')}, {float(100 * self.share):.1f} % "
            f"({off:+.1f} points from {float(100 * SHARE):.0f} %); {self.pool_speakers} of "
            f"{counted(self.speakers, 'speaker')}"
        )


def assign(volumes: Iterable[Volume], before: Holdout) -> Holdout:
    """`before` with every new speaker assigned; who was assigned stays, whatever came since. Who was handed over is not drawn.

    A site ends within `NEAR` of `SHARE`, or as near as any choice of its new speakers brings it.
    """
    sets, every = dict(before.sets), before.every
    by_site: dict[str, list[Volume]] = {}
    for volume in volumes:
        by_site.setdefault(volume.site, []).append(volume)
    for site, own in sorted(by_site.items()):
        total = sum(volume.utterances for volume in own)
        pool = sum(volume.utterances for volume in own if every.get(volume.speaker) == POOL)
        new = [volume for volume in own if volume.speaker not in every]
        chosen = drawn(f"{before.seed}/{site}", new, SHARE * total - pool, NEAR * total)
        sets |= {volume.speaker: POOL if volume.speaker in chosen else RELEASE for volume in new}
    return msgspec.structs.replace(before, sets=dict(sorted(sets.items())))


def site_shares(volumes: Iterable[Volume], sets: Mapping[str, str]) -> tuple[SiteShare, ...]:
    """Return how near each site came to its share."""
    sums: dict[str, list[int]] = {}
    for volume in volumes:
        held = sets.get(volume.speaker) == POOL
        figures = (int(held), 1, held * volume.utterances, volume.utterances)
        sums[volume.site] = [a + b for a, b in zip(sums.get(volume.site, [0] * 4), figures, strict=True)]
    return tuple(SiteShare(site, *figures) for site, figures in sorted(sums.items()))


def volumes_of(
    corpus: Corpus, progress: Callable[[int], None] = lambda _: None, jobs: Jobs | None = None
) -> tuple[Volume, ...]:
    """The speakers of a corpus by site; a speaker with pilots only counts with 0 utterances. `progress` is told how many
    subject-scenarios have been read."""
    jobs = jobs or Jobs()
    sums = {(entry.site, entry.speaker): (0, 0) for entry in corpus.manifest.sessions}
    root, pieces, done = jobs.path_of(corpus.root), corpus.parts(jobs.part(len(corpus.logs))), 0
    with closing(jobs.over(_volumes, root, pieces, corpus.root)) as parts:
        for part in parts:
            for entry in part:
                data, invalid = sums.get((entry.site, entry.speaker), (0, 0))
                sums[entry.site, entry.speaker] = data + entry.utterances, invalid + entry.invalid
            done += len(part)
            progress(done)
    return tuple(Volume(site, speaker, *counts) for (site, speaker), counts in sorted(sums.items()))


def _volumes(root: Path, part: Manifest) -> list[Volume]:
    return [
        volume_of(log.get("Site"), log.get("Speaker"), log.get("Pilot"), outcome_of(log), len(log.utterances))
        for log in (scenario.log for scenario in Corpus(root, part).scenarios())
    ]


def standing_of(corpus: Corpus, volumes: Iterable[Volume], assigned: Holdout | None) -> list[StandingRow]:
    """Return where the utterances of a corpus, or of a part of one, stand; raises `FormatFault`."""
    sets = assigned.every if assigned else {}
    return standings(volumes, sets, held_in(corpus.root), corpus.manifest.left_out, assigned.of if assigned else "")
