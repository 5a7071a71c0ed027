"""Where people's speech was written to on this machine, from a study and from all that came of it.

A hold-out part, a merged corpus, a package and a report are copies of what somebody said. Whoever withdraws must be found in
each, so whatever writes one notes its place before it begins: for a study in `exports.json` within it, for a corpus in
`NAME.exports.json` beside it. From the notes one place leads to the next. They are of this machine, no part of the protocol,
and never in a corpus.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.formats import layout
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import is_in
from corpus.formats.safe_lines import text_of
from corpus.io.staging import drop_halves, locked, partial_of, replace

FORMAT = "curtain-exports-1"
EXPORTS = "exports.json"


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`corpora` are the folders that were written; `work` says how many finished transcriptions and kept names each file of later
    work held when it was last looked at; `unfinished` are folders in which an export may have stopped, to be gone on with;
    `packages` are folders in a format of today, `pages` are reports; `encrypted` gives the sessions that lie in each encrypted
    file, into which nobody can look; `sources` are the study or the corpora of which this was made. All paths are absolute."""

    corpora: tuple[str, ...] = ()
    work: dict[str, int] = {}
    unfinished: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    encrypted: dict[str, tuple[str, ...]] = {}
    sources: tuple[str, ...] = ()
    format: str = FORMAT


def memory_of(source: Path) -> Path:
    """Where it is noted what was written from a study or a corpus.

    >>> memory_of(Path("/data/export-2")).as_posix()
    '/data/export-2.exports.json'
    """
    if (source / "study.toml").is_file():
        return source / EXPORTS
    here = source.resolve()
    return here.with_name(f"{here.name}.{EXPORTS}") if here.name else here / EXPORTS


def held_in(source: Path) -> Written:
    """What is remembered of a study or a corpus, nothing where nothing was made of it; raises `FormatFault`."""
    path = memory_of(source)
    if not path.is_file():
        return Written()
    try:
        found = msgspec.json.decode(text_of(path.read_bytes(), str(path)), type=Written)
    except msgspec.DecodeError as error:
        raise FormatFault(
            str(path), 0, str(error), "correct it, or name the work of earlier exports with --work"
        ) from None
    if found.format != FORMAT:
        raise FormatFault(str(path), 0, f"format {found.format!r}", f"this version of Curtain reads {FORMAT}")
    return _settled(found)


def note(source: Path, change: Callable[[Written], Written]) -> None:
    """Change what is remembered; several programs may, each its own. Raises `FormatFault`, OSError."""
    path = memory_of(source)
    with locked(path.parent):
        drop_halves(path)
        before = held_in(source)
        if (after := change(before)) != before or not path.is_file():
            replace(path, msgspec.json.format(msgspec.json.encode(after), indent=1) + b"\n")


def with_unfinished(before: Written, places: Iterable[Path]) -> Written:
    """These folders are going to be used for a while."""
    return msgspec.structs.replace(before, unfinished=_more(before.unfinished, (each.absolute() for each in places)))


def with_made(
    before: Written, corpora: Iterable[Path] = (), packages: Iterable[Path] = (), pages: Iterable[Path] = ()
) -> Written:
    """These were made, and what is no longer unfinished is forgotten."""
    return msgspec.structs.replace(
        before,
        corpora=_more(before.corpora, (each.resolve() for each in corpora)),
        packages=_more(before.packages, (each.resolve() for each in packages)),
        pages=_more(before.pages, (each.resolve() for each in pages)),
        unfinished=tuple(place for place in before.unfinished if Path(place).is_dir()),
    )


@contextmanager
def remembering(
    sources: Sequence[Path],
    err: TextIO,
    corpora: Sequence[Path] = (),
    packages: Sequence[Path] = (),
    between: Sequence[Path] = (),
) -> Iterator[None]:
    """What the block makes of these corpora is found again when somebody withdraws, wherever it stops; `between` are corpora that
    exist only meanwhile. Where it cannot be noted, that is said on `err`."""
    partials = [*between, *map(partial_of, (*between, *corpora, *packages))]
    _try(sources, lambda before: with_unfinished(before, partials))
    yield
    for source in _try(sources, lambda before: with_made(before, corpora, packages)):
        err.write(_unnoted(source, *corpora, *packages))
    note_sources(corpora, sources)


def note_sources(corpora: Iterable[Path], sources: Iterable[Path]) -> None:
    """Where corpora come from. Where it cannot be noted they lead nowhere; their sources lead to them all the same."""
    origins = [source.resolve() for source in sources]
    _try(corpora, lambda before: msgspec.structs.replace(before, sources=_more(before.sources, origins)))


def studies_of(corpus: Path) -> tuple[Path, ...]:
    """The studies of which a corpus was made, by way of others too, and whatever else of that is not there any more; raises
    `FormatFault`."""
    found, seen, ahead = list[Path](), {corpus.resolve()}, [corpus]
    while ahead:
        fresh = [path for path in map(Path, held_in(ahead.pop(0)).sources) if path not in seen]
        seen |= {*fresh}
        corpora = [path for path in fresh if memory_of(path).is_file() and not (path / "study.toml").is_file()]
        found += [path for path in fresh if path not in corpora and not is_in(path)]
        ahead += corpora
    return tuple(found)


def note_page(source: Path, page: Path, err: TextIO) -> None:
    """A report on a corpus is going to be written; where that cannot be noted, it is said on `err`."""
    for failed in _try([source], lambda before: with_made(before, pages=[page])):
        err.write(_unnoted(failed, page))


def note_encrypted(source: Path, file: Path, sessions: Iterable[str], err: TextIO) -> None:
    """A corpus is going to be encrypted, with these sessions; where that cannot be noted, it is said on `err`."""
    made = {str(file.resolve()): tuple(sessions)}
    for failed in _try([source], lambda before: msgspec.structs.replace(before, encrypted=before.encrypted | made)):
        err.write(_unnoted(failed, file))


def _unnoted(source: Path, *made: Path) -> str:
    named = ", ".join(map(str, made))
    return f"{memory_of(source)} cannot be written: when somebody withdraws, nobody but you will know of {named}\n"


def _try(sources: Iterable[Path], change: Callable[[Written], Written]) -> list[Path]:
    """The corpora for which it could not be noted: they may be exported all the same."""
    failed = list[Path]()
    for source in filter(is_in, sources):
        try:
            note(source, change)
        except OSError:
            failed.append(source)
    return failed


def everywhere(source: Path) -> Written:
    """All that was made of a study or a corpus, and of that, and so on, as far as it was noted; raises `FormatFault`."""
    found, seen, ahead = held_in(source), {source.resolve()}, [source]
    while ahead:
        held = held_in(ahead.pop(0))
        found = Written(
            corpora=_more(found.corpora, held.corpora),
            work=found.work | held.work,
            unfinished=_more(found.unfinished, held.unfinished),
            packages=_more(found.packages, held.packages),
            pages=_more(found.pages, held.pages),
            encrypted=found.encrypted | held.encrypted,
        )
        bags = (f"{package}/data" for package in held.packages)  # a bag has a corpus within
        fresh = [path for path in map(Path, (*held.corpora, *bags)) if path.resolve() not in seen]
        seen |= {path.resolve() for path in fresh}
        ahead += fresh
    return found


def family(roots: Sequence[Path], joins: Callable[[Path, Path], bool] = lambda one, other: True) -> list[Path]:
    """These studies and corpora, and all that were made of them or that they were made of, and so on, as far as it was noted and
    `joins` says so of two of which one was made of the other; raises `FormatFault`."""
    found = dict.fromkeys(roots)
    seen, ahead = {root.resolve() for root in roots}, [*found]
    while ahead:
        here = ahead.pop(0)
        held = held_in(here)
        bags = (f"{package}/data" for package in held.packages)  # a bag has a corpus within
        for path in map(Path, (*held.corpora, *held.sources, *bags)):
            if path.resolve() not in seen and joins(here, path):
                seen.add(path.resolve())
                found[path] = None
                ahead.append(path)
    return [*found]


def forget(source: Path, place: Path) -> None:
    """A package or a report is going to be deleted: it goes from all notes, so that nobody looks for it elsewhere. What is left
    of it in its making is looked for instead."""
    for here in (source, *map(Path, everywhere(source).corpora)):
        held = held_in(here)
        if str(place) in (*held.packages, *held.pages, *held.encrypted):
            note(here, lambda before: with_unfinished(_without(before, str(place)), [partial_of(place)]))


def _without(before: Written, gone: str) -> Written:
    packages, pages = (tuple(each for each in known if each != gone) for known in (before.packages, before.pages))
    encrypted = {path: sessions for path, sessions in before.encrypted.items() if path != gone}
    return msgspec.structs.replace(before, packages=packages, pages=pages, encrypted=encrypted)


def _more(known: Iterable[str], places: Iterable[Path | str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*known, *map(str, places)]))


def is_between(place: Path) -> bool:
    """Whether a folder is by its name the corpus from which a package of a study is made, while it is made."""
    return place.name.startswith(".") and place.name.endswith(".corpus")


def _settled(found: Written) -> Written:
    """Who was killed between the end of the making and the note of it, or the note and the deletion, has left a target without a
    note."""
    targets = [path.with_name(path.name[1:].removesuffix(".partial")) for path in map(Path, found.unfinished)]
    return msgspec.structs.replace(
        found,
        corpora=_more(found.corpora, (path for path in targets if is_in(path) and not is_between(path))),
        packages=_more(found.packages, (path for path in targets if (path / layout.SESSIONS).is_file())),
        pages=_more(found.pages, (path for path in targets if path.is_file() and str(path) not in found.encrypted)),
    )
