"""Puts the corpora of several sites together without renaming anything.

Sites draw their speakers' ids from blocks that do not overlap (`study.toml`), so names cannot collide; where they do, the
blocks were not kept, and merging says so instead of inventing names. Pooling treats all sites alike (MADCOW 1992, section 2).
"""

import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.commands.sources import current
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import REMOVALS, Removals
from corpus.dataset.subset import CorpusPart, copy_part
from corpus.formats import layout, renames
from corpus.formats.errors import FormatFault, counted, status_of
from corpus.formats.manifest import SessionEntry
from corpus.formats.renames import RENAMES
from corpus.io.parallel import MANY, Jobs, chosen
from corpus.io.progress import counting
from corpus.io.staging import Refused, refuse_existing, refuse_nowhere, replace, staged, stopped
from corpus.release import holdout_file, speaker_identity
from corpus.release.exports_log import CORPUS, heads_of, record, removed_around
from corpus.release.speaker_identity import APART
from corpus.withdrawal.unfinished import refuse_corpus
from session.study.settings import Protocol
from session.values.names import SpeakerBlock


class MergeResult(msgspec.Struct, frozen=True):
    """Result of a merger; `overlaps` are blocks of speaker ids of two sites that share ids, a collision to come; `doubts` what
    speaks for two people of one id, a sentence each."""

    sites: tuple[str, ...]
    speakers: int
    sessions: int
    files: int
    overlaps: tuple[str, ...]
    doubts: tuple[str, ...]


def merge(
    roots: Sequence[Path],
    target: Path,
    progress: Callable[[int], None] = lambda _: None,
    jobs: Jobs | None = None,
    begin: Callable[[], None] = lambda: None,
) -> MergeResult:
    """Write the corpora at `roots` as one to `target`, which must not exist.

    Raises `Refused` for a speaker of two sites, two people of one id, a session that is in two corpora, or a person who has
    withdrawn, from one of them or from a study or a corpus of their family. `progress` is told the number of files written so
    far; `jobs` read the files. `begin` is called when nothing is refused any more, before anything is written.
    """
    refuse_existing(target)
    corpora = [Corpus(root) for root in roots]
    _no_collisions(corpora)
    doubts = speaker_identity.doubts(corpora)
    listed = removals.joined(removals.held_in(corpus.root) for corpus in corpora)
    known = removed_around(roots)
    assigned = _sets(corpora)
    speakers = {entry.speaker for corpus in corpora for entry in corpus.manifest.sessions}
    for corpus in corpora:
        refuse_corpus(corpus, known)
        _refuse_namesakes(corpus, listed)
    carried = holdout_file.carried(roots, target)
    begin()
    with staged(target) as staging:
        staging.tell(progress)
        extra = {REMOVALS: removals.render(listed)} if listed else {}
        if renamed := renames.joined(renames.held_in(corpus.root) for corpus in corpora):
            extra[RENAMES] = renames.render(renamed)
        if assigned is not None:
            extra[holdout_file.IN_CORPUS] = holdout_file.render(assigned)
        made = copy_part([CorpusPart(corpus, speakers) for corpus in corpora], staging, extra, jobs)
    for path, data in carried.items():
        replace(path, data)
    sites = tuple(sorted({entry.site for entry in made.sessions}))
    return MergeResult(sites, len(speakers), len(made.sessions), len(made.files), _overlaps(corpora), doubts)


def _sets(corpora: Sequence[Corpus]) -> holdout_file.Holdout | None:
    """The assignments to sets; raises `Refused` if some corpora are parts and others whole."""
    parts = [corpus for corpus in corpora if holdout_file.IN_CORPUS in corpus.manifest.files]
    if parts and len(parts) < len(corpora):
        whole = next(corpus.root for corpus in corpora if corpus not in parts)
        raise Refused(
            f"{parts[0].root} is one part of a corpus, {whole} a whole one; merge whole corpora, then hold out"
        )
    return holdout_file.joined(
        {part.root: holdout_file.parse(part.read(holdout_file.IN_CORPUS), str(part.root)) for part in parts}
    )


def _no_collisions(corpora: Sequence[Corpus]) -> None:
    sessions: dict[str, tuple[SessionEntry, Path]] = {}
    homes: dict[str, tuple[str, Path]] = {}
    scenarios: dict[tuple[str, int], tuple[str, Path]] = {}
    for corpus in corpora:
        for entry in corpus.manifest.sessions:
            if (earlier := sessions.get(entry.session)) is not None:
                _refuse_twice(*earlier, entry, corpus.root)
            sessions[entry.session] = entry, corpus.root
            site, where = homes.setdefault(entry.speaker, (entry.site, corpus.root))
            if site != entry.site:
                raise Refused(
                    f"speaker {entry.speaker} is of site {site} in {where} and of site {entry.site} in {corpus.root}: "
                    f"the sites' blocks of speaker ids overlap; {APART}"
                )
            for number in entry.scenarios:
                session, where = scenarios.setdefault((entry.speaker, number), (entry.session, corpus.root))
                if session != entry.session:
                    raise Refused(
                        f"scenario {number} of speaker {entry.speaker} is in session {session} of {where} and in session "
                        f"{entry.session} of {corpus.root}: their files have the same names; {APART}"
                    )


def _refuse_namesakes(corpus: Corpus, listed: Removals) -> None:
    """Raises `Refused` if somebody has the id of a person of another site who has withdrawn: the list would tell all who hold
    the merger to drop the wrong one."""
    for entry in corpus.manifest.sessions:
        for gone in listed.removals:
            if gone.speaker == entry.speaker and gone.site and gone.site != entry.site:
                raise Refused(
                    f"speaker {gone.speaker} of site {gone.site} has withdrawn, and {corpus.root} has another person of that id, "
                    f"of site {entry.site}: the sites' blocks of speaker ids overlap; {APART}"
                )


def _refuse_twice(one: SessionEntry, where: Path, other: SessionEntry, there: Path) -> None:
    if one.origin and other.origin and one.origin != other.origin:
        raise Refused(
            f"{where} and {there} have sessions of two studies under the one name {one.session}, and a session is never renamed: "
            f"keep these two apart, or leave {one.session} out by exporting all others of one study, each named (curtain export "
            "STUDY DIR --session NAME ...); for what they collect from now on give one of the studies numbers of its own in "
            "study.toml, such as first_session = 101, and a block of speaker ids of its own"
        )
    raise Refused(f"session {one.session} is in {where} and in {there}; merge each session once")


def blocks_of(corpus: Corpus) -> list[tuple[str, SpeakerBlock]]:
    """Site and block of speaker ids of every study whose `study.toml` is among the protocols' files."""
    found: list[tuple[str, SpeakerBlock]] = []
    for path in corpus.manifest.files:
        if not layout.is_protocol(path):
            continue
        try:
            protocol = msgspec.json.decode(corpus.read(path), type=Protocol)
        except (msgspec.DecodeError, ValueError) as error:
            raise FormatFault(path, 0, str(error), "export the corpus again") from None
        for held in layout.protocol_files("study.toml", protocol.files.get("study.toml", "-")):
            if held in corpus.manifest.files:
                found += [(protocol.site, block) for block in _blocks(corpus.read(held))]
    return found


def _blocks(study: bytes) -> list[SpeakerBlock]:
    try:
        return [SpeakerBlock(load["first"], load["last"]) for load in tomllib.loads(study.decode()).get("speakers", [])]
    except (ValueError, KeyError, TypeError):
        return []


def _overlaps(corpora: Sequence[Corpus]) -> tuple[str, ...]:
    blocks = sorted({pair for corpus in corpora for pair in blocks_of(corpus)}, key=lambda p: (p[1].first, p[0]))
    return tuple(
        f"{one} has the ids {a.first} to {a.last}, {other} {b.first} to {b.last}"
        for (one, a), (other, b) in combinations(blocks, 2)
        if one != other and b.first <= a.last
    )


class MergeOptions(msgspec.Struct, frozen=True):
    """Options of `merge_command`; `jobs` and `cluster` as in `corpus.verify.verify.VerifyOptions`."""

    directories: Sequence[str]
    target: str
    jobs: int | None = None
    cluster: str = ""


def merge_command(options: MergeOptions, out: TextIO, err: TextIO) -> int:
    """Merge corpora into a new one, whose path goes to `out`. 1 when blocks of speaker ids overlap or an id may be that of two
    people, 2 when nothing was written."""
    target = Path(options.target)
    try:
        refuse_existing(target)
        refuse_nowhere(target)
        corpora = [current(Path(directory)) for directory in options.directories]
        by = chosen(options.jobs, options.cluster, sum(len(corpus.logs) for corpus in corpora) >= MANY)
        roots, total = [corpus.root for corpus in corpora], sum(len(corpus.manifest.files) for corpus in corpora)
        heads = {name: head for corpus in corpora for name, head in heads_of(corpus.manifest.sessions).items()}
        begin = partial(record, roots, CORPUS, target, heads, err)
        with counting(err, "files", total) as tell:
            done = merge(roots, target, tell, by, begin)
    except (FormatFault, Refused, OSError, KeyboardInterrupt) as error:
        err.write(stopped(error, target))
        return status_of(error)
    err.write(
        f"{', '.join(done.sites)}: {counted(done.sessions, 'session')} of {counted(done.speakers, 'speaker')}, "
        f"{done.files} files\n"
    )
    for overlap in done.overlaps:
        err.write(
            f"blocks of speaker ids overlap: {overlap}; give one of the sites another block before it collects on\n"
        )
    err.write("".join(f"{doubt}\n" for doubt in done.doubts))
    out.write(f"{target}\n")
    return 1 if done.overlaps or done.doubts else 0
