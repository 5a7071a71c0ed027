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

from corpus import layout
from corpus.assignments import IN_CORPUS, Holdout, alone_at, beside, handed_over, keep, known, render, with_handed
from corpus.catching_up import caught_up
from corpus.directory import Refused, refuse_existing, refuse_nowhere, staged, stopped
from corpus.faults import FormatFault, counted, status_of
from corpus.jobs import MANY, Jobs, chosen
from corpus.log_reading import outcome_of
from corpus.lots import drawn
from corpus.manifest import Manifest, is_in
from corpus.places import remembering
from corpus.progress import counting
from corpus.reading import Corpus
from corpus.rebuilding import Part, copy_part
from corpus.removals import REMOVALS, held_in
from corpus.standing import CAPTION, POOL, RELEASE, StandingRow, Volume, standings, table, volume_of
from session.inert import inert

SHARE = Fraction(1, 5)
NEAR = Fraction(1, 100)


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


class Drawing(msgspec.Struct, frozen=True):
    """What is asked of `holdout_command`: the first seed (empty: the one in the file, or 1), a second file for the assignments,
    the parts to be written, packages that never left the lab, and those that did, wherever they were made; empty where nothing
    is."""

    seed: str = ""
    assignments: str = ""
    release: str = ""
    pool: str = ""
    kept: tuple[str, ...] = ()
    handed: tuple[str, ...] = ()

    @property
    def parts(self) -> list[tuple[Path, str]]:
        """Where to write which set."""
        return [(Path(target), which) for target, which in ((self.release, RELEASE), (self.pool, POOL)) if target]


def holdout_command(
    directory: str, call: Drawing, out: TextIO, err: TextIO, jobs: int | None = None, cluster: str = ""
) -> int:
    """Assign the new speakers of a corpus, and write the parts that the `call` names as corpora of their own.

    The assignments lie in `holdout.json` beside the corpus, where they outlive each export. The sets go to `out`, one line a
    speaker, the shares to `err`; 2 when a file is at fault. `jobs` and `cluster` as for `corpus.verify.verify_command`.
    """
    try:
        corpus = caught_up(Path(directory), err)
        if IN_CORPUS in corpus.manifest.files:
            raise Refused(f"{directory} is one part of a corpus already; hold out from the whole corpus")
        here = beside(corpus.root)
        lead = Path(call.assignments) if call.assignments else here
        if not lead.absolute().parent.is_dir():
            raise Refused(f"{lead.parent} is no directory; make it first")
        if len({target.resolve() for target, _ in call.parts}) < len(call.parts):
            raise Refused(f"{call.pool} would be both parts; name two directories")
        for target, _ in call.parts:
            refuse_nowhere(target)
            if not is_in(target):
                refuse_existing(target)
        _before(corpus, lead, call)
        by = chosen(jobs, cluster, len(corpus.logs) >= MANY)
        with counting(err, "subject-scenarios", len(corpus.logs)) as tell:
            volumes = volumes_of(corpus, tell, by)
        with alone_at(here):
            after = assign(volumes, _before(corpus, lead, call))
            _keep(after, lead, here, err)
        for target, assigned in _lacking(corpus, call.parts, after, err):
            _part(corpus, target, assigned, by, err)
    except (FormatFault, Refused, OSError, KeyboardInterrupt) as error:
        err.write(stopped(error, *(target for target, _ in call.parts)))
        return status_of(error)
    _tell(corpus, volumes, after, out, err)
    return 0


def _before(corpus: Corpus, lead: Path, call: Drawing) -> Holdout:
    """The assignments as they are; raises `Refused` for what cannot be asked of them, and as `known` does."""
    kept = {str(Path(each).resolve()) for each in call.kept}
    found = known(corpus.root, lead=lead, kept=kept) or Holdout("")
    if strange := sorted(kept - {each.package for each in found.handed}):
        made = ", ".join(inert(each.package) for each in found.handed) or "none"
        raise Refused(f"{strange[0]} is no package that was made of this corpus or its family; those are: {made}")
    if call.handed:
        found = with_handed(found, [handed_over(corpus, Path(each)) for each in call.handed], lead)
    if call.seed and found.seed not in ("", call.seed):
        raise Refused(
            f"{lead} was begun with seed {inert(found.seed)}; leave --seed out, assignments are never drawn anew"
        )
    return found if found.seed else msgspec.structs.replace(found, seed=call.seed or "1")


def _tell(corpus: Corpus, volumes: Sequence[Volume], after: Holdout, out: TextIO, err: TextIO) -> None:
    here = {volume.speaker for volume in volumes}
    every, away = after.every, {speaker: package for speaker, package in after.away.items() if speaker in here}
    out.write("".join(f"{speaker}\t{kept}\n" for speaker, kept in every.items() if speaker in here))
    err.write(f"{CAPTION}:\n{table(standing_of(corpus, volumes, after))}")
    for package in sorted({inert(where) for where in away.values()}):
        gone = sorted(speaker for speaker, where in away.items() if inert(where) == package)
        err.write(
            f"not drawn, as handed over before: {counted(len(gone), 'speaker')}, {gone[0]} the first, in {package}; if that "
            f"never left the lab, --not-handed-over {package} lets them be drawn\n"
        )
    for share in site_shares(volumes, every):
        few = "" if share.near else "; no choice of whole speakers who are new comes nearer"
        err.write(f"held out, {share}{few}\n")


def standing_of(corpus: Corpus, volumes: Iterable[Volume], assigned: Holdout | None) -> list[StandingRow]:
    """Where the utterances of a corpus, or of a part of one, stand; raises `FormatFault`."""
    sets = assigned.every if assigned else {}
    return standings(volumes, sets, held_in(corpus.root), corpus.manifest.left_out, assigned.of if assigned else "")


def _keep(assigned: Holdout, lead: Path, here: Path, err: TextIO) -> None:
    """Write the assignments to both places: whoever hands a corpus over looks beside it."""
    for place in dict.fromkeys((lead, here)):
        try:
            keep(assigned, place)
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
        own = Holdout(assigned.seed, assigned.every, which)
        if not any(entry.speaker in _within(own) for entry in corpus.manifest.sessions):
            raise Refused(f"{target} would have no speaker: nobody of this corpus is in that set; no part was written")
        if is_in(target) and _is_part(Corpus(target), corpus, own):
            err.write(f"{target} is there already, as it would be written\n")
        else:
            refuse_existing(target)
            lacking.append((target, own))
    return lacking


def _within(part: Holdout) -> set[str]:
    return {speaker for speaker, kept in part.sets.items() if kept == part.of}


def _is_part(found: Corpus, whole: Corpus, part: Holdout) -> bool:
    """Whether a corpus has all files of a part, as they are in the whole now, its assignments and its index."""
    speakers = _within(part)
    listed = found.manifest.files
    own = {path: entry for path, entry in whole.manifest.files.items() if whole.speaker_of(path) in speakers}
    same = own == {path: entry for path, entry in listed.items() if found.speaker_of(path)}
    lists = {IN_CORPUS, layout.INDEXES[part.of]} <= listed.keys()
    return same and lists and found.read(IN_CORPUS) == render(part)


def _part(corpus: Corpus, target: Path, assigned: Holdout, jobs: Jobs, err: TextIO) -> None:
    extra = {path: corpus.read(path) for path in (REMOVALS,) if path in corpus.manifest.files}
    extra[IN_CORPUS] = render(assigned)
    speakers = _within(assigned)
    total = sum(corpus.speaker_of(path) in speakers for path in corpus.manifest.files)
    with remembering([corpus.root], err, [target]), staged(target) as staging, counting(err, "files", total) as tell:
        staging.tell(tell)
        copy_part([Part(corpus, speakers)], staging, extra, jobs)
