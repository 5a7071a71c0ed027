"""Copies that contain a withdrawn person, by the record of exports, to be made again or deleted.

Nothing is searched. A copy is looked for where it was written to; what is not there any more may be deleted, moved or handed
over, and the removal list names it for anyone who has it.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import REMOVALS, Removal
from corpus.formats.errors import FormatFault, message_of
from corpus.formats.manifest import is_in
from corpus.io.staging import Refused, discard, drop_halves, in_use, is_partial, partial_of
from corpus.release.exports_log import REPORT, Export, exports_around, family

_NAMED = 5


class Copies(msgspec.Struct, frozen=True):
    """`remedies` say of each copy that holds the person, or may, what is to be done; `gone` are not where they were written."""

    remedies: tuple[str, ...] = ()
    gone: tuple[Path, ...] = ()

    def __str__(self) -> str:
        lines = [*self.remedies]
        if self.gone:
            places = [str(path) for path in self.gone[:_NAMED]]
            more = f" and {len(self.gone) - _NAMED} more" if len(self.gone) > _NAMED else ""
            lines.append(
                f"not where they were written, and not looked at: {', '.join(places)}{more}; whoever has one drops what "
                f"{REMOVALS} names"
            )
        return "".join(f"{line}\n" for line in lines)


def copies_of(source: Path, removal: Removal) -> Copies:
    """Return the copies that hold what a removal names, but for `source` itself; raises `FormatFault`, OSError."""
    exports = [made for made in exports_around(source) if Path(made.where).resolve() != source.resolve()]
    places = dict.fromkeys(path for path in family([source]) if path.resolve() != source.resolve())
    remedies, gone = list[str](), list[Path]()
    for path in places:
        if path.exists():
            remedies += _in_source(path, removal)
    for made in exports:
        if made.heads and not made.heads.keys() & {*removal.sessions}:
            continue
        place = Path(made.where)
        if not place.exists():
            gone.append(place)
        elif made.corpus is None and not (removal.scope and made.what == REPORT):
            details = f", {made.what}, written {made.when or 'earlier'}, holds {removal.speaker}" + (
                "" if made.heads else " or may"
            )
            remedies.append(f"{place}{details}: delete it, and make it again where it is needed")
    originals = source.resolve().with_name(f"{source.resolve().name}.originals")
    if is_in(source) and originals.is_dir():
        remedies.append(f"{originals}, kept by an earlier release of Curtain, holds sound without masks: delete it")
    return Copies(tuple(dict.fromkeys(remedies)), tuple(gone))


def refuse_unfinished(source: Path) -> None:
    """Raises `Refused` if something is being made of a study or a corpus, or of what was made of it."""
    for place in _left_over(exports_around(source)):
        if in_use(place):
            raise Refused(f"{place} is being written by another process; wait for it, then withdraw")


def clear_unfinished(source: Path) -> list[Path]:
    """Delete what interrupted exports have left where something was to be written."""
    exports = exports_around(source)
    found = _left_over(exports)
    for place in found:
        discard(place)
    for made in exports:
        drop_halves(Path(made.where))
    return found


def _in_source(root: Path, removal: Removal) -> list[str]:
    """Return what is to be done about a study or a corpus of the family."""
    if not is_in(root):
        if (root / "study.toml").is_file() and not {*removal.sessions} <= removals.held_in(root).sessions:
            return [f"{root}, the study, still holds {removal.speaker}: curtain withdraw {root} {removal.speaker}"]
        return []
    try:
        corpus = Corpus(root)
    except (FormatFault, OSError) as error:
        return [
            f"{root} cannot be read and may hold {removal.speaker} ({message_of(error)}): mend it and call this again, "
            "or delete it"
        ]
    ids = {entry.speaker for name, entry in corpus.sessions.items() if name in removal.sessions}
    if removal.scope:
        ids &= {corpus.speaker_of(path) for path in corpus.manifest.files if path.endswith(".wav")}
    option = "--sound-only " if removal.scope else ""
    return [f"{root} still holds {who}: curtain withdraw {option}{root} {who}" for who in sorted(ids)]


def _left_over(exports: Sequence[Export]) -> list[Path]:
    """The folders in the making that an interrupted call has left for one of these exports."""
    found = list[Path]()
    for place in map(Path, (made.where for made in exports)):
        between = place.with_name(f".{place.name}.corpus")
        halves = [
            partial for partial in map(partial_of, (place, between)) if partial.is_dir() and not partial.is_symlink()
        ]
        found += [half for half in halves if is_partial(half)]
        found += [between] if is_in(between) and not between.is_symlink() else []
    return found
