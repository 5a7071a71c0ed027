"""Sets speech aside for tests before anything is handed over: about a fifth of each site's utterances, by whole speaker.

MADCOW held out about 20 % of what each site sent, on arrival, and selected its tests from that pool (MADCOW 1992, section
3.1; 1993, section 2.2). Here lots are drawn from a seed among a site's new speakers, until the site comes within a point of its
aim; where no lot does, for there are few, those are held out who bring it nearest. An assignment once made is kept in a file and
never changes, however much arrives later, because a speaker who has been handed over can never be test data.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import TextIO

import msgspec

from corpus import layout, places
from corpus.catching_up import caught_up
from corpus.directory import Refused, refuse_existing, replace, staged, stopped
from corpus.faults import FormatFault
from corpus.jobs import MANY, Jobs, chosen
from corpus.lines import text_of
from corpus.log_reading import outcome_of
from corpus.lots import drawn
from corpus.manifest import Manifest
from corpus.places import remembering
from corpus.progress import counting
from corpus.reading import Corpus
from corpus.rebuilding import copy_part
from corpus.removals import REMOVALS, held_in
from corpus.standing import CAPTION, POOL, RELEASE, StandingRow, Volume, standings, table, volume_of
from session.names import check_speaker

FORMAT = "curtain-holdout-1"
SHARE = Fraction(1, 5)
NEAR = Fraction(1, 100)
ASSIGNMENTS = "holdout.json"
IN_CORPUS = layout.HOLDOUT


class Holdout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is held out, for good: `sets` gives `pool` or `release` by speaker. `seed` is that of the first assignment; `of`
    names the set that a corpus is, where the file lies in one."""

    seed: str
    sets: dict[str, str] = {}
    of: str = ""
    format: str = FORMAT


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

    @property
    def near(self) -> bool:
        """Whether the share is within `NEAR` of its aim."""
        return abs(self.share - SHARE) <= NEAR

    def __str__(self) -> str:
        off = float(100 * (self.share - SHARE))
        return (
            f"{self.site}: {self.pool} of {self.total} utterances, {float(100 * self.share):.1f} % "
            f"({off:+.1f} points from {float(100 * SHARE):.0f} %); {self.pool_speakers} of {self.speakers} speakers"
        )


def assign(volumes: Iterable[Volume], before: Holdout) -> Holdout:
    """`before` with every new speaker assigned; who was assigned stays, whatever came since.

    A site ends within `NEAR` of `SHARE`, or as near as any choice of its new speakers brings it.
    """
    sets = dict(before.sets)
    by_site: dict[str, list[Volume]] = {}
    for volume in volumes:
        by_site.setdefault(volume.site, []).append(volume)
    for site, own in sorted(by_site.items()):
        total = sum(volume.utterances for volume in own)
        pool = sum(volume.utterances for volume in own if sets.get(volume.speaker) == POOL)
        new = [volume for volume in own if volume.speaker not in sets]
        chosen = drawn(f"{before.seed}/{site}", new, SHARE * total - pool, NEAR * total)
        sets |= {volume.speaker: POOL if volume.speaker in chosen else RELEASE for volume in new}
    return Holdout(before.seed, dict(sorted(sets.items())))


def site_shares(volumes: Iterable[Volume], sets: Mapping[str, str]) -> tuple[SiteShare, ...]:
    """How near each site came to its share."""
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
            for each in part:
                data, invalid = sums.get((each.site, each.speaker), (0, 0))
                sums[each.site, each.speaker] = data + each.utterances, invalid + each.invalid
            done += len(part)
            progress(done)
    return tuple(Volume(site, speaker, *counts) for (site, speaker), counts in sorted(sums.items()))


def _volumes(root: Path, part: Manifest) -> list[Volume]:
    return [
        volume_of(log.get("Site"), log.get("Speaker"), log.get("Pilot"), outcome_of(log), len(log.utterances))
        for log in (each.log for each in Corpus(root, part).scenarios())
    ]


def parse(data: bytes | str, path: str) -> Holdout:
    """The assignments in a file; raises `FormatFault`."""
    text = text_of(data, path)
    try:
        found = msgspec.json.decode(text, type=Holdout)
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
    directory: str,
    seed: str,
    assignments: str,
    release: str,
    pool: str,
    out: TextIO,
    err: TextIO,
    jobs: int | None = None,
    cluster: str = "",
) -> int:
    """Assign the new speakers of a corpus; with `release` and `pool`, write that part as a corpus of its own.

    The assignments lie in `holdout.json` beside the corpus, where they outlive each export, and in `assignments` too where named.
    `seed` serves for the first assignment alone (empty: the one in the file, or 1). The sets go to `out`, one line a
    speaker, the shares to `err`; 2 when a file is at fault. `jobs` and `cluster` as for `corpus.verify.verify_command`.
    """
    parts = [(Path(target), which) for target, which in ((release, RELEASE), (pool, POOL)) if target]
    try:
        corpus = caught_up(Path(directory), err)
        if IN_CORPUS in corpus.manifest.files:
            raise Refused(f"{directory} is one part of a corpus already; hold out from the whole corpus")
        lead = Path(assignments) if assignments else beside(corpus.root)
        before = known(corpus.root, lead=lead) or Holdout(seed or "1")
        if seed and seed != before.seed:
            raise Refused(
                f"{lead} was begun with seed {before.seed}; leave --seed out, assignments are never drawn anew"
            )
        by = chosen(jobs, cluster, len(corpus.logs) >= MANY)
        with counting(err, "subject-scenarios", len(corpus.logs)) as tell:
            volumes = volumes_of(corpus, tell, by)
        after = assign(volumes, before)
        _keep(after, lead, beside(corpus.root), err)
        for target, assigned in _lacking(corpus, parts, after, err):
            _part(corpus, target, assigned, by, err)
    except (FormatFault, Refused, OSError, KeyboardInterrupt) as error:
        err.write(stopped(error, *(target for target, _ in parts)))
        return 2
    here = {volume.speaker for volume in volumes}
    out.write("".join(f"{speaker}\t{kept}\n" for speaker, kept in after.sets.items() if speaker in here))
    err.write(f"{CAPTION}:\n{table(standing_of(corpus, volumes, after))}")
    for share in site_shares(volumes, after.sets):
        few = "" if share.near else "; no choice of whole speakers who are new comes nearer"
        err.write(f"held out, {share}{few}\n")
    return 0


def set_of(corpus: Corpus) -> str:
    """Which set a corpus is: `pool`, `release`, or empty for a whole one."""
    return parse(corpus.read(IN_CORPUS), IN_CORPUS).of if IN_CORPUS in corpus.manifest.files else ""


def standing_of(corpus: Corpus, volumes: Iterable[Volume], assigned: Holdout | None) -> list[StandingRow]:
    """Where the utterances of a corpus, or of a part of one, stand; raises `FormatFault`."""
    sets = assigned.sets if assigned else {}
    return standings(volumes, sets, held_in(corpus.root), corpus.manifest.left_out, assigned.of if assigned else "")


def assigned_in(corpus: Corpus) -> Holdout | None:
    """The assignments of a corpus: those in a part of one, or those that lie beside a whole one; raises `FormatFault`."""
    if IN_CORPUS in corpus.manifest.files:
        return parse(corpus.read(IN_CORPUS), IN_CORPUS)
    return known(corpus.root)


def beside(corpus: Path) -> Path:
    """Where the assignments of a corpus are kept when nobody names another place.

    >>> beside(Path("/data/export-2")).as_posix()
    '/data/holdout.json'
    """
    return corpus.resolve().parent / ASSIGNMENTS


def carried(sources: Iterable[Path], target: Path) -> dict[Path, bytes]:
    """What is to be written so that the assignments of `sources` hold beside `target` too; empty where they do already.

    Raises `Refused` as `known` does.
    """
    here = beside(target)
    found, before = known(target, *sources), known(target)
    return {} if found is None or found == before else {here: render(found)}


def known(*corpora: Path, lead: Path | None = None) -> Holdout | None:
    """The assignments in the file `lead`, beside these corpora, and beside and in all that was written of them (parts, mergers);
    the first one leads. None where there are none.

    Raises `Refused` where one speaker is held out by one of the files and released by another.
    """
    made = [Path(each) for corpus in corpora for each in places.everywhere(corpus).corpora]
    inside = (each / IN_CORPUS for each in made)
    named = dict.fromkeys([*([lead] if lead else []), *map(beside, (*corpora, *made)), *inside])
    found = {place: parse(place.read_bytes(), str(place)) for place in named if place.is_file()}
    return joined({place: msgspec.structs.replace(each, of="") for place, each in found.items()})


def handing_over(corpus: Corpus, assigned: Holdout | None) -> str:
    """What to tell of somebody who makes a package of a whole corpus; empty for a part of one, and for a rehearsal.

    Raises `Refused` where it would hold speakers whom `assigned` holds out.
    """
    if corpus.manifest.rehearsal or IN_CORPUS in corpus.manifest.files:
        return ""
    speakers = sorted({entry.speaker for entry in corpus.manifest.sessions if not entry.pilot})
    sets = assigned.sets if assigned else {}
    if held := [speaker for speaker in speakers if sets.get(speaker) == POOL]:
        raise Refused(
            f"{len(held)} of {len(speakers)} speakers are held out for tests, {held[0]} the first; hand over the other part "
            "alone (curtain holdout CORPUS --release PART, then curtain export PART), or say --whole to keep them in"
        )
    if open_ := [speaker for speaker in speakers if speaker not in sets]:
        return (
            f"{len(open_)} of {len(speakers)} speakers, {open_[0]} the first, are not assigned to a set: whoever is handed "
            "over can never be test data; before that, curtain holdout sets a fifth of each site aside\n"
        )
    return ""


def joined(lists: Mapping[Path, Holdout]) -> Holdout | None:
    """The assignments of several files as one, the first one leading; None where there are none.

    Raises `Refused` when some are of the pool and some released, or one speaker is in both.
    """
    if not lists:
        return None
    first, *_ = lists.values()
    sets: dict[str, str] = {}
    origins: dict[str, Path] = {}
    for place, each in lists.items():
        if each.of != first.of:
            raise Refused("the test pool of one site and what another releases are never merged")
        for speaker, kept in each.sets.items():
            if sets.setdefault(speaker, kept) != kept:
                pool, release = (place, origins[speaker]) if kept == POOL else (origins[speaker], place)
                raise Refused(
                    f"speaker {speaker} is in the test pool by {pool} and released by {release}; assignments never change, and "
                    "who has been handed over can never be test data: correct the file that is wrong"
                )
            origins.setdefault(speaker, place)
    return Holdout(first.seed, dict(sorted(sets.items())), first.of)


def _keep(assigned: Holdout, lead: Path, here: Path, err: TextIO) -> None:
    """Write the assignments to both places: whoever hands a corpus over looks beside it."""
    for place in dict.fromkeys((lead, here)):
        try:
            if not place.is_file() or parse(place.read_bytes(), str(place)) != assigned:
                replace(place, render(assigned))
        except OSError as error:
            if place == lead:
                raise
            err.write(
                f"{place} cannot be written ({error.strerror}): an export of packages will not know who is held out\n"
            )


def _lacking(
    corpus: Corpus, parts: Sequence[tuple[Path, str]], assigned: Holdout, err: TextIO
) -> list[tuple[Path, Holdout]]:
    """The parts that are to be written: a call that was interrupted may have finished one. Raises `Refused`."""
    lacking = list[tuple[Path, Holdout]]()
    for target, which in parts:
        own = msgspec.structs.replace(assigned, of=which)
        if not any(entry.speaker in _within(own) for entry in corpus.manifest.sessions):
            raise Refused(f"{target} would have no speaker: nobody of this corpus is in that set; no part was written")
        if (target / layout.MANIFEST).is_file() and _is_part(Corpus(target), corpus, own):
            err.write(f"{target} is there already, as it would be written\n")
        else:
            refuse_existing(target)
            lacking.append((target, own))
    return lacking


def _within(part: Holdout) -> set[str]:
    return {speaker for speaker, kept in part.sets.items() if kept == part.of}


def _is_part(found: Corpus, whole: Corpus, part: Holdout) -> bool:
    """Whether a corpus has all files of a part, as they are in the whole now, and its assignments."""
    speakers = _within(part)
    listed = found.manifest.files
    own = {path: entry for path, entry in whole.manifest.files.items() if whole.speaker_of(path) in speakers}
    same = own == {path: entry for path, entry in listed.items() if found.speaker_of(path)}
    return same and IN_CORPUS in listed and found.read(IN_CORPUS) == render(part)


def _part(corpus: Corpus, target: Path, assigned: Holdout, jobs: Jobs, err: TextIO) -> None:
    extra = {path: corpus.read(path) for path in (REMOVALS,) if path in corpus.manifest.files}
    extra[IN_CORPUS] = render(assigned)
    with remembering([corpus.root], err, [target]), staged(target) as staging, counting(err, "files") as tell:
        staging.tell(tell)
        copy_part([(corpus, _within(assigned))], staging, extra, jobs)
