"""`exports.log`: the record of exports: place, time, format, and the state of the sessions.

A corpus, a part of it, a package and a report are copies of what somebody said. Whoever withdraws is to be found in each, so
whatever makes one appends a line before it begins: in the study, or beside the corpus in `NAME.exports.log`, and beside the
new corpus too. The record is of this machine, is only appended to, and never is in a corpus. A line is an object in JSON:

    {"when": "2026-11-22T19:20:11Z", "what": "corpus", "where": "/data/export", "sources": ["/data/study"], "heads": {…}}
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.dataset.removals import Removal, Removals, held_in, joined
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import SessionEntry, is_in

LOG = "exports.log"
CORPUS = "corpus"
RENAMED = "renamed corpus"
REPORT = "report"
ENCRYPTED = "encrypted set"


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that was made: `what` is `CORPUS`, `RENAMED`, `REPORT`, `ENCRYPTED` or the format of a package; `heads` gives
    the head of each session's chain; `work` says how many finished transcriptions and kept names each file of later work held.
    All paths are absolute. A line with a `removal` says instead that the person left the corpus at `where`, which may move."""

    when: str
    what: str
    where: str
    sources: tuple[str, ...]
    heads: dict[str, str] = {}
    work: dict[str, int] = {}
    removal: Removal | None = None

    @property
    def corpus(self) -> Path | None:
        """The corpus that it is, or that is in it as in a bag; None if there is none now."""
        return next((root for root in (Path(self.where), Path(self.where) / "data") if is_in(root)), None)


def log_of(source: Path) -> Path:
    """Return where the exports of a study or a corpus are recorded.

    >>> log_of(Path("/data/export-2")).as_posix()
    '/data/export-2.exports.log'
    """
    here = source.resolve()
    within = (here / "study.toml").is_file() or not here.name
    return here / LOG if within else here.with_name(f"{here.name}.{LOG}")


def heads_of(sessions: Iterable[SessionEntry]) -> dict[str, str]:
    """Return the heads of the chains of sessions, by their names."""
    return {entry.session: entry.chain_head for entry in sessions}


def record(
    sources: Sequence[Path],
    what: str,
    target: Path,
    heads: Mapping[str, str],
    err: TextIO,
    work: Mapping[str, int] | None = None,
) -> None:
    """Record that `target` is going to be made of these sources; where that cannot be written it is said on `err`."""
    made = Export(
        f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
        what,
        str(target.resolve()),
        tuple(str(source.resolve()) for source in sources),
        dict(heads),
        dict(work or {}),
    )
    own = (
        [log_of(target)] if what in (CORPUS, RENAMED) else []
    )  # how it was made itself, without the work that went into it
    for place in dict.fromkeys([*map(log_of, sources), *own]):
        try:
            _append(place, msgspec.structs.replace(made, work={}) if place in own else made)
        except OSError as error:
            err.write(
                f"{place} cannot be written ({error.strerror}): a later withdrawal does not find {target}; note it yourself\n"
            )


def record_removal(corpus: Path, removal: Removal) -> None:
    """Record beside a corpus that a person leaves it, for anyone who merges its sources once the corpus itself has moved."""
    log, gone = log_of(corpus), msgspec.structs.replace(removal, utterances=(), files=(), copies=())
    if not gone.scope and all(line.removal != gone for line in _lines(log)):
        _append(log, Export(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}", CORPUS, str(corpus.resolve()), (), removal=gone))


def removed_around(roots: Sequence[Path]) -> Removals:
    """Return who has left these studies and corpora or any of their family, by their lists and their logs; raises
    `FormatFault`."""
    places = family(roots)
    logged = [line.removal for place in places for line in _lines(log_of(place)) if line.removal is not None]
    return joined([*(held_in(place) for place in places if place.is_dir()), *(Removals((gone,)) for gone in logged)])


def _append(log: Path, line: Export) -> None:
    with log.open("ab") as file:
        # The end of the line comes first, so that one that was cut off spoils no other.
        file.write(b"\n" + msgspec.json.encode(line))
        file.flush()
        os.fsync(file.fileno())


def recorded(source: Path) -> list[Export]:
    """Return what was made of a study or a corpus, or how it was made itself, the last of each place; raises `FormatFault`."""
    path = log_of(source)
    found = {made.where: made for made in _of_earlier_release(source, path.with_suffix(".json"))}
    found |= {line.where: line for line in _lines(path) if line.removal is None}
    return [*found.values()]


def _lines(path: Path) -> Iterator[Export]:
    lines = path.read_bytes().split(b"\n") if path.is_file() else []
    for number, line in enumerate(lines, start=1):
        if not line.endswith(b"}"):
            continue  # whoever was writing it was killed, before anything was made
        try:
            yield msgspec.json.decode(line, type=Export)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise FormatFault(str(path), number, str(error), "take the line out, or restore the file") from None


class _EarlierRecord(msgspec.Struct):
    """`exports.json`, which releases before the log wrote; it says of no copy who is in it."""

    corpora: tuple[str, ...] = ()
    work: dict[str, int] = {}
    packages: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    encrypted: dict[str, tuple[str, ...]] = {}
    sources: tuple[str, ...] = ()


def _of_earlier_release(source: Path, path: Path) -> Iterator[Export]:
    if not path.is_file():
        return
    try:
        held = msgspec.json.decode(path.read_bytes(), type=_EarlierRecord)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FormatFault(
            str(path), 0, str(error), "correct it, or name the work of earlier exports with --work"
        ) from None
    here = str(source.resolve())
    yield Export("", CORPUS, here, held.sources, work=held.work)
    for what, places in ((CORPUS, held.corpora), ("package", held.packages), (REPORT, held.pages)):
        yield from (Export("", what, place, (here,)) for place in places)
    for place, sessions in held.encrypted.items():
        yield Export("", ENCRYPTED, place, (here,), dict.fromkeys(sessions, ""))


def family(roots: Sequence[Path], joins: Callable[[Path, Path], bool] = lambda one, other: True) -> list[Path]:
    """Return these studies and corpora, and all corpora and studies that are there and were made of them or that they were made
    of, and so on, as far as `joins` says so of two of which one was made of the other; raises `FormatFault`."""
    found = dict.fromkeys(roots)
    seen, ahead = {root.resolve() for root in roots}, [*found]
    while ahead:
        here = ahead.pop(0)
        for made in recorded(here):
            if made.what != CORPUS and made.corpus is None:
                continue  # no corpus, or a renamed one that is not there to say whose ids it has
            near = [*map(Path, made.sources)] if Path(made.where) == here.resolve() else []
            if str(here.resolve()) in made.sources:
                near = [made.corpus or Path(made.where)]
            for path in near:
                if path.resolve() not in seen and joins(here, path):
                    seen.add(path.resolve())
                    found[path] = None
                    ahead.append(path)
    return [*found]


def exports_around(source: Path) -> list[Export]:
    """Return what was made of a study or a corpus and of its whole family, the last of each place; raises `FormatFault`."""
    return [*{made.where: made for root in family([source]) for made in recorded(root)}.values()]
