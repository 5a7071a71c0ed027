"""`holdout.json`: the speakers held out for tests, released, or handed over before any draw.

The file is beside a corpus, or in a study, and a copy in each part that was written. Because it can be lost, edited or named
elsewhere, anyone who needs it reads it from everywhere it was written to, and two that contradict each other stop the work. A
test speaker who has left the lab is not a test speaker, so each package is noted here before it is made.
"""

import json
import stat
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sized
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.dataset import blind
from corpus.dataset.reader import Corpus
from corpus.formats import layout, renames
from corpus.formats.errors import FormatFault, counted, message_of
from corpus.formats.log import file
from corpus.formats.manifest import SessionEntry, is_in
from corpus.formats.safe_lines import text_of
from corpus.io.staging import Refused, locked, partial_of, replace
from corpus.release import exports_log
from corpus.release.utterance_status import POOL, RELEASE
from session.values.names import check_speaker
from session.values.sanitize import inert

FORMAT = "curtain-holdout-1"
ASSIGNMENTS = "holdout.json"
IN_CORPUS = layout.HOLDOUT


class HandedOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A package and the speakers in it; `kept` where somebody has said that it never left the lab."""

    package: str
    speakers: tuple[str, ...]
    kept: bool = False


class Holdout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Assignments to sets, for good: `sets` gives `pool` or `release` by speaker. `seed` is that of the first assignment,
    empty before it; `of` names the set that a corpus is, where the file is in one; `handed` are the packages that were made."""

    seed: str
    sets: dict[str, str] = {}
    of: str = ""
    handed: tuple[HandedOver, ...] = ()
    format: str = FORMAT

    @property
    def away(self) -> dict[str, str]:
        """Speakers in no set who have been handed over, with the package: they are never drawn."""
        left = [handover for handover in self.handed if not handover.kept]
        return {
            name: handover.package for handover in reversed(left) for name in handover.speakers if name not in self.sets
        }

    @property
    def every(self) -> dict[str, str]:
        """The set of each speaker who has one: who was handed over before any lot was drawn is as good as released."""
        return dict(sorted((dict.fromkeys(self.away, RELEASE) | self.sets).items()))


def parse(data: bytes | str, path: str) -> Holdout:
    """The assignments in a file; raises `FormatFault`."""
    text = text_of(data, path)
    try:
        found = msgspec.json.decode(text, type=Holdout)
        json.loads(text, object_pairs_hook=_once)
        for speaker in (*found.sets, *(name for handover in found.handed for name in handover.speakers)):
            check_speaker(speaker)
    except (msgspec.DecodeError, ValueError) as error:
        raise FormatFault(path, 0, str(error), "restore the file; assignments must never be drawn again") from None
    if found.format != FORMAT or not {*found.sets.values(), found.of} <= {POOL, RELEASE, ""}:
        raise FormatFault(path, 0, "no assignments of this format", f"restore the file; it has the format {FORMAT}")
    return found


def _once(pairs: list[tuple[str, object]]) -> None:
    """Raises ValueError for a key that stands twice, of which a reader would see the last alone."""
    if twice := [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]:
        raise ValueError(f"{twice[0]!r} occurs twice")


def render(holdout: Holdout) -> bytes:
    """The bytes of the assignments."""
    return msgspec.json.format(msgspec.json.encode(holdout), indent=1) + b"\n"


def sessions_in(copy: Path) -> tuple[SessionEntry, ...]:
    """Return what a corpus or a package says of its sessions; raises `FormatFault`, `msgspec.DecodeError`, OSError."""
    if is_in(copy):
        return Corpus(copy).manifest.sessions
    return msgspec.json.decode((copy / layout.SESSIONS).read_bytes(), type=tuple[SessionEntry, ...])


def handed_over(corpus: Corpus, package: Path) -> HandedOver:
    """Return the speakers of `corpus` who are in a package, or in a corpus, that somebody has handed over; what is there says
    so itself, wherever it was made. Raises `Refused` if it has nobody of this corpus, or says nothing."""
    try:
        entries = sessions_in(package)
    except (FormatFault, OSError, msgspec.DecodeError) as error:
        raise Refused(
            f"{inert(str(package))} does not name its speakers ({message_of(error)}); name a package with its {layout.SESSIONS}, "
            "or a corpus"
        ) from None
    here = ((entry, corpus.sessions.get(entry.session)) for entry in entries)
    found = {
        own.speaker for entry, own in here if own and (not (own.origin and entry.origin) or own.origin == entry.origin)
    }
    if not found:
        raise Refused(f"{inert(str(package))} has no session of {corpus.root}")
    return HandedOver(str(package.resolve()), tuple(sorted(found)))


def with_handed(found: Holdout, made: Iterable[HandedOver], place: Path) -> Holdout:
    """The assignments at `place` when these packages were handed over too.

    Raises `Refused` if one of them never left the lab by what was said before, or has somebody who is held out.
    """
    new = tuple(made)
    if said := {handover.package for handover in new} & {
        handover.package for handover in found.handed if handover.kept
    }:
        raise Refused(f"{inert(min(said))} never left the lab, by {place}; if it did, correct that file")
    after = msgspec.structs.replace(found, handed=_packages((*found.handed, *new)))
    _none_of_the_pool_left(after, dict.fromkeys(found.sets, place))
    return after


def renamed(found: Holdout, ids: Mapping[str, str]) -> Holdout:
    """Return assignments with other ids of speakers, by old ones."""
    sets = {ids.get(speaker, speaker): kept for speaker, kept in found.sets.items()}
    handed = (
        msgspec.structs.replace(handover, speakers=tuple(sorted(ids.get(name, name) for name in handover.speakers)))
        for handover in found.handed
    )
    return msgspec.structs.replace(found, sets=dict(sorted(sets.items())), handed=tuple(handed))


def read(place: Path) -> Holdout | None:
    """The assignments in the file at `place`, None if there is none; raises `FormatFault` for whatever else is there."""
    try:
        if not stat.S_ISREG(place.lstat().st_mode):
            what = "a symbolic link" if place.is_symlink() else "not a plain file"
            raise FormatFault(str(place), 0, what, "put the file with the assignments itself there")
        data = place.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise FormatFault(str(place), 0, f"{error.strerror}", "make it readable for the user who holds out") from None
    return parse(data, str(place))


def beside(source: Path) -> Path:
    """Return where the assignments of a corpus are kept when nobody names another place; those of a study are in it.

    >>> beside(Path("/data/export-2")).as_posix()
    '/data/holdout.json'
    """
    here = source.resolve()
    return (here if (here / "study.toml").is_file() else here.parent) / ASSIGNMENTS


def set_of(corpus: Corpus) -> str:
    """Return which set a corpus is: `pool`, `release`, or empty for a whole one."""
    return parse(corpus.read(IN_CORPUS), IN_CORPUS).of if IN_CORPUS in corpus.manifest.files else ""


def refuse_answers(corpus: Corpus) -> None:
    """Raise `Refused` for a test pool that holds answers, such as one that an early release wrote or that was annotated since."""
    if set_of(corpus) != POOL:
        return
    solving, answering = list[str](), set[str]()
    for path in filter(layout.is_protocol, corpus.manifest.files):
        with suppress(msgspec.DecodeError):  # which verify reports
            answering.update(blind.answering_files(data := corpus.read(path)))
            solving += [path] if blind.solutions_in(data) else []
    leaks = [path for path in corpus.manifest.files if not blind.holds(path, answering)] + solving
    leaks += [path for path in corpus.logs if any(blind.answers_in(file.parse(corpus.read(path), path)))]
    if leaks:
        raise Refused(
            f"{corpus.root} is a test pool and holds answers, {leaks[0]} the first; write it again without them: curtain holdout "
            "CORPUS --pool DIR"
        )


def assigned_in(corpus: Corpus) -> Holdout | None:
    """The assignments of a corpus: those in a part of one, or those that are beside a whole one; raises `FormatFault`."""
    if IN_CORPUS in corpus.manifest.files:
        return parse(corpus.read(IN_CORPUS), IN_CORPUS)
    return known(corpus.root)


def carried(sources: Iterable[Path], target: Path) -> dict[Path, bytes]:
    """Return what is to be written so that the assignments of `sources` hold beside `target` too; empty if they do already.

    Raises `Refused` as `known` does.
    """
    here = beside(target)
    found, before = known(target, *sources), known(target)
    return {} if found is None or found == before else {here: render(found)}


def known(*sources: Path, lead: Path | None = None, kept: Collection[str] = ()) -> Holdout | None:
    """The assignments in the file `lead`, beside these corpora and studies and all of their family (`places.family`), and in
    its parts; the first one leads. None if there are none. `kept` are packages that never left the lab, whatever the files
    say.

    Raises `Refused` if one speaker is held out by one of the files and released or handed over by another.
    """
    made = exports_log.family(sources, _same_ids)
    named = dict.fromkeys([*([lead] if lead else []), *map(beside, made), *(file / IN_CORPUS for file in made)])
    found = {place: assignments for place in named if (assignments := read(place)) is not None}
    return joined({place: _without(assignments, kept) for place, assignments in found.items()})


def _same_ids(one: Path, other: Path) -> bool:
    """Return whether nobody was given another id (`corpus.commands.rename`) between the two, of which one was made of the
    other."""
    if not (renames.held_in(one) or renames.held_in(other)):
        return True
    before, after = (Corpus(root).sessions if is_in(root) else {} for root in (one, other))
    return all(before[name].speaker == after[name].speaker for name in before.keys() & after.keys())


def _without(found: Holdout, kept: Collection[str]) -> Holdout:
    handed = (
        msgspec.structs.replace(handover, kept=handover.kept or handover.package in kept) for handover in found.handed
    )
    return msgspec.structs.replace(found, of="", handed=tuple(handed))


def joined(lists: Mapping[Path, Holdout]) -> Holdout | None:
    """The assignments of several files as one, the first one leading; None if there are none.

    Raises `Refused` when some are of the pool and some released, or one speaker is in both, or in the pool and handed over.
    """
    if not lists:
        return None
    first, *_ = lists.values()
    sets: dict[str, str] = {}
    origins: dict[str, Path] = {}
    for place, assignments in lists.items():
        if assignments.of != first.of:
            raise Refused("the test pool of one site and what another releases are never merged")
        for speaker, kept in assignments.sets.items():
            if sets.setdefault(speaker, kept) != kept:
                pool, release = (place, origins[speaker]) if kept == POOL else (origins[speaker], place)
                raise Refused(
                    f"speaker {speaker} is in the test pool by {pool} and released by {release}; assignments never change, and "
                    "a speaker who was handed over can never be test data: correct the file that is wrong"
                )
            origins.setdefault(speaker, place)
    found = Holdout(
        next((assignments.seed for assignments in lists.values() if assignments.seed), ""),
        dict(sorted(sets.items())),
        first.of,
        _packages(handover for listed in lists.values() for handover in listed.handed),
    )
    _none_of_the_pool_left(found, origins)
    return found


def _packages(every: Iterable[HandedOver]) -> tuple[HandedOver, ...]:
    """Each package once; one that somebody has kept is kept by all files."""
    found: dict[tuple[str, tuple[str, ...]], HandedOver] = {}
    for handover in every:
        if handover.kept or (handover.package, handover.speakers) not in found:
            found[handover.package, handover.speakers] = handover
    return tuple(found.values())


def _none_of_the_pool_left(found: Holdout, origins: Mapping[str, Path]) -> None:
    for handover in (handover for handover in found.handed if not handover.kept):
        if held := [speaker for speaker in handover.speakers if found.sets.get(speaker) == POOL]:
            package, where = inert(handover.package), origins[held[0]]
            raise Refused(
                f"speaker {held[0]} is in the test pool by {where} and was handed over in {package}, so is no longer a test "
                f"speaker: if {package} never left the lab, say so (curtain holdout CORPUS --not-handed-over {package}), or else "
                f"write release for {held[0]} in {where}"
            )


@contextmanager
def handing_over(corpus: Corpus, source: Path, target: Path, err: TextIO) -> Iterator[None]:
    """While the block makes the package `target` of `corpus`, and from then on, its speakers count as handed over, which is
    noted beside `source` and told on `err`. A pool or a rehearsal is noted nowhere, and nobody who was only rehearsed.

    Raises `Refused` if the package would hold speakers who are held out. What comes to nothing is forgotten.
    """
    speakers = sorted({entry.speaker for entry in corpus.manifest.sessions if not entry.rehearsal})
    if not speakers or set_of(corpus) == POOL:
        yield
        return
    made = HandedOver(str(target.resolve()), tuple(speakers))
    place = beside(source)
    with alone_at(place):
        sets = (known(source, target) or Holdout("")).sets
        if held := [speaker for speaker in speakers if sets.get(speaker) == POOL]:
            raise Refused(
                f"{_so_many(held, speakers)} held out for tests, {held[0]} the first; hand over the other part alone "
                "(curtain holdout CORPUS --release PART, then curtain export PART), or say --whole to keep them in"
            )
        before = read(place) or Holdout("")
        known_before = made in before.handed
        _note(place, before, [*before.handed, *([] if known_before else [made])], err)
    if open_ := [speaker for speaker in speakers if speaker not in sets]:
        err.write(
            f"{_so_many(open_, speakers)} in no set yet, {open_[0]} the first: a speaker who is handed over can never be test "
            f"data, so no later curtain holdout draws them; if {made.package} stays in the lab: curtain holdout CORPUS "
            f"--not-handed-over {made.package}\n"
        )
    try:
        yield
    except BaseException:
        if not (known_before or target.exists() or partial_of(target).exists()):
            with alone_at(place):
                after = read(place) or Holdout("")
                _note(place, after, [handover for handover in after.handed if handover != made], err)
        raise


def _so_many(some: Sized, every: Sized) -> str:
    return f"{len(some)} of {counted(len(every), 'speaker')} {'is' if len(some) == 1 else 'are'}"


@contextmanager
def alone_at(place: Path) -> Iterator[None]:
    """One at a time from reading the assignments at `place` to writing them, where the disk knows locks."""
    with ExitStack() as stack:
        with suppress(OSError):
            stack.enter_context(locked(place.parent))
        yield


def keep(assigned: Holdout, place: Path) -> None:
    """Write the assignments to `place` if they are not there yet, and no file that says nothing; raises OSError."""
    if assigned == Holdout(""):
        place.unlink(missing_ok=True)
    elif read(place) != assigned:
        replace(place, render(assigned))


def _note(place: Path, before: Holdout, handed: Iterable[HandedOver], err: TextIO) -> None:
    try:
        keep(msgspec.structs.replace(before, handed=tuple(handed)), place)
    except OSError as error:
        err.write(
            f"{place} cannot be written ({error.strerror}): a later curtain holdout may draw speakers who are handed over now\n"
        )
