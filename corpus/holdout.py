"""Sets speech aside for tests before anything is handed over: about a fifth of each site's utterances, by whole speaker.

MADCOW held out about 20 % of what each site sent, on arrival, and selected its tests from that pool (MADCOW 1992, section
3.1; 1993, section 2.2). Here the seed orders a site's new speakers, and each goes where the share comes nearer to its aim. An
assignment once made is kept in a file and never changes, however much arrives later, because a speaker who has
been handed over can never be test data.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.directory import Refused, replace, staged, stopped
from corpus.faults import FormatFault
from corpus.lines import text_of
from corpus.progress import counting
from corpus.reading import Corpus
from corpus.rebuilding import copy_part
from corpus.removals import REMOVALS
from session.names import check_speaker

FORMAT = "curtain-holdout-1"
SHARE = Fraction(1, 5)
ASSIGNMENTS = "holdout.json"
IN_CORPUS = "doc/holdout.json"
POOL, RELEASE = "pool", "release"


class Holdout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is held out, for good: `sets` gives `pool` or `release` by speaker. `seed` is that of the first assignment; `of`
    names the set that a corpus is, where the file lies in one."""

    seed: str
    sets: dict[str, str] = {}
    of: str = ""
    format: str = FORMAT


class Volume(msgspec.Struct, frozen=True, order=True):
    """What one speaker contributes: utterances that count as data (pilots do not)."""

    site: str
    speaker: str
    utterances: int


class SiteShare(msgspec.Struct, frozen=True):
    """How near a site came: speakers and utterances held out, of all."""

    site: str
    pool_speakers: int
    speakers: int
    pool: int
    total: int

    @property
    def share(self) -> Fraction:
        """The exact share of utterances, 0 while there are none."""
        return Fraction(self.pool, self.total) if self.total else Fraction(0)

    def __str__(self) -> str:
        off = float(100 * (self.share - SHARE))
        return (
            f"{self.site}: {self.pool} of {self.total} utterances, {float(100 * self.share):.1f} % "
            f"({off:+.1f} points from {float(100 * SHARE):.0f} %); {self.pool_speakers} of {self.speakers} speakers"
        )


def assign(volumes: Iterable[Volume], before: Holdout) -> Holdout:
    """`before` with every new speaker assigned; who was assigned stays, whatever came since."""
    sets = dict(before.sets)
    by_site: dict[str, list[Volume]] = {}
    for volume in volumes:
        by_site.setdefault(volume.site, []).append(volume)
    for site, own in sorted(by_site.items()):
        total = sum(volume.utterances for volume in own)
        pool = sum(volume.utterances for volume in own if sets.get(volume.speaker) == POOL)
        new = [volume for volume in own if volume.speaker not in sets]
        for volume in sorted(new, key=lambda volume: _rank(before.seed, site, volume.speaker)):
            nearer = abs(pool + volume.utterances - SHARE * total) < abs(pool - SHARE * total)
            sets[volume.speaker] = POOL if nearer and volume.utterances else RELEASE
            pool += volume.utterances if nearer else 0
    return Holdout(before.seed, dict(sorted(sets.items())))


def _rank(seed: str, site: str, speaker: str) -> bytes:
    return hashlib.sha256(f"{seed}/{site}/{speaker}".encode()).digest()


def site_shares(volumes: Iterable[Volume], sets: Mapping[str, str]) -> tuple[SiteShare, ...]:
    """How near each site came to its share."""
    sums: dict[str, list[int]] = {}
    for volume in volumes:
        held = sets.get(volume.speaker) == POOL
        figures = (int(held), 1, held * volume.utterances, volume.utterances)
        sums[volume.site] = [a + b for a, b in zip(sums.get(volume.site, [0] * 4), figures, strict=True)]
    return tuple(SiteShare(site, *figures) for site, figures in sorted(sums.items()))


def volumes_of(corpus: Corpus, progress: Callable[[int], None] = lambda _: None) -> tuple[Volume, ...]:
    """The speakers of a corpus by site; a speaker with pilots only counts with 0 utterances. `progress` is told how many
    subject-scenarios have been read."""
    sums: dict[tuple[str, str], int] = {(entry.site, entry.speaker): 0 for entry in corpus.manifest.sessions}
    for count, scenario in enumerate(corpus.scenarios(), start=1):
        progress(count)
        log = scenario.log
        key = (log.get("Site"), log.get("Speaker"))
        sums[key] = sums.get(key, 0) + len(scenario.utterances) * (log.get("Pilot") == "no")
    return tuple(Volume(site, speaker, count) for (site, speaker), count in sorted(sums.items()))


def parse(data: bytes | str, path: str) -> Holdout:
    """The assignments in a file; raises `FormatFault`."""
    try:
        found = msgspec.json.decode(text_of(data, path), type=Holdout)
        for speaker in found.sets:
            check_speaker(speaker)
    except (msgspec.DecodeError, ValueError) as error:
        raise FormatFault(path, 0, str(error), "restore the file; assignments must never be drawn anew") from None
    if found.format != FORMAT or not {*found.sets.values(), found.of} <= {POOL, RELEASE, ""}:
        raise FormatFault(path, 0, "no assignments of this format", f"restore the file; it has the format {FORMAT}")
    return found


def render(holdout: Holdout) -> bytes:
    """The bytes of the assignments."""
    return msgspec.json.format(msgspec.json.encode(holdout), indent=1) + b"\n"


def holdout_command(
    directory: str, seed: str, assignments: str, release: str, pool: str, out: TextIO, err: TextIO
) -> int:
    """Assign the new speakers of a corpus; with `release` and `pool`, write that part as a corpus of its own.

    The assignments lie in `assignments`, by default in `holdout.json` beside the corpus, where they outlive each export.
    `seed` serves for the first assignment alone (empty: the one in the file, or 1). The sets go to `out`, one line a
    speaker, the shares to `err`; 2 when a file is at fault.
    """
    try:
        corpus = Corpus(Path(directory))
        if IN_CORPUS in corpus.manifest.files:
            raise Refused(f"{directory} is one part of a corpus already; hold out from the whole corpus")
        path = Path(assignments) if assignments else beside(corpus.root)
        before = parse(path.read_bytes(), str(path)) if path.exists() else Holdout(seed or "1")
        if seed and seed != before.seed:
            raise Refused(
                f"{path} was begun with seed {before.seed}; leave --seed out, assignments are never drawn anew"
            )
        with counting(err, "subject-scenarios", len(corpus.logs)) as tell:
            volumes = volumes_of(corpus, tell)
        after = assign(volumes, before)
        if after != before or not path.exists():
            replace(path, render(after))
        for target, which in ((release, RELEASE), (pool, POOL)):
            if target:
                _part(corpus, Path(target), msgspec.structs.replace(after, of=which), err)
    except (FormatFault, Refused, OSError, KeyboardInterrupt) as error:
        err.write(stopped(error, *(Path(target) for target in (release, pool) if target)))
        return 2
    here = {volume.speaker for volume in volumes}
    out.write("".join(f"{speaker}\t{kept}\n" for speaker, kept in after.sets.items() if speaker in here))
    for share in site_shares(volumes, after.sets):
        err.write(f"held out, {share}\n")
    return 0


def beside(corpus: Path) -> Path:
    """Where the assignments of a corpus are kept when nobody names another place.

    >>> beside(Path("/data/export-2")).as_posix()
    '/data/holdout.json'
    """
    return corpus.resolve().parent / ASSIGNMENTS


def carried(sources: Iterable[Path], target: Path) -> dict[Path, bytes]:
    """What is to be written so that the assignments beside `sources` hold beside `target` too; empty where they do already.

    Raises `Refused` where one speaker is held out by one of the files and released by another.
    """
    here = beside(target)
    places = [here, *(place for place in dict.fromkeys(map(beside, sources)) if place != here)]
    known = [parse(place.read_bytes(), str(place)) for place in places if place.is_file()]
    found = joined(known)
    return {} if found is None or (here.is_file() and found == known[0]) else {here: render(found)}


def joined(lists: Sequence[Holdout]) -> Holdout | None:
    """The assignments of several sites' corpora as those of one; None where none has any.

    Raises `Refused` when some are of the pool and some released, or one speaker is in both.
    """
    if not lists:
        return None
    sets: dict[str, str] = {}
    for each in lists:
        if each.of != lists[0].of:
            raise Refused("the test pool of one site and what another releases are never merged")
        for speaker, kept in each.sets.items():
            if sets.setdefault(speaker, kept) != kept:
                raise Refused(f"speaker {speaker} is in the test pool by one file and released by another")
    return Holdout(lists[0].seed, dict(sorted(sets.items())), lists[0].of)


def _part(corpus: Corpus, target: Path, assigned: Holdout, err: TextIO) -> None:
    speakers = {speaker for speaker, kept in assigned.sets.items() if kept == assigned.of}
    if not any(entry.speaker in speakers for entry in corpus.manifest.sessions):
        raise Refused(f"{target} would have no speaker: nobody of this corpus is in that set")
    extra = {path: corpus.read(path) for path in (REMOVALS,) if path in corpus.manifest.files}
    extra[IN_CORPUS] = render(assigned)
    with staged(target) as staging, counting(err, "files") as tell:
        staging.tell(tell)
        copy_part([(corpus, speakers)], staging, extra)
