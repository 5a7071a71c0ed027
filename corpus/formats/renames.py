"""`renames.json`: the former and present ids of renamed speakers, for holders of an earlier corpus.

When ATIS-2 was released again its speakers had other ids, and the release's notes told which. Here the notes are for programs:
they lead from the names in earlier copies, and in the study's own chain of events, to those of today. Sessions keep their names,
so a rename says by them whom it means: another person may rightly bear the old id, at the site for whose sake it was given up.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import text_of
from session.values.names import SessionName, check_speaker

FORMAT = "curtain-renames-1"
RENAMES = "renames.json"


class Rename(msgspec.Struct, frozen=True, forbid_unknown_fields=True, order=True):
    """The person of these sessions was `old` in copies made before the date `renamed`, and is `new`."""

    site: str
    old: str
    new: str
    renamed: str
    sessions: tuple[str, ...]


class Renames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Renames, by site and old id; one person may have several old ids."""

    renames: tuple[Rename, ...] = ()
    format: str = FORMAT

    def __bool__(self) -> bool:
        return bool(self.renames)


def parse(data: bytes | str, path: str) -> Renames:
    """The list in a file; raises `FormatFault`.

    >>> parse(render(Renames((Rename("bbn", "8k1", "8k2", "2026-11-23", ()),))), "renames.json").renames[0].new
    '8k2'
    """
    remedy = "restore the list from where the corpus was renamed"
    try:
        found = msgspec.json.decode(text_of(data, path), type=Renames)
        for rename in found.renames:
            check_speaker(rename.old)
            check_speaker(rename.new)
            for session in rename.sessions:
                SessionName.parse(session)
    except (msgspec.DecodeError, ValueError) as error:
        raise FormatFault(path, 0, str(error), remedy) from None
    if found.format != FORMAT:
        raise FormatFault(path, 0, f"format {found.format!r}", f"this version of Curtain reads {FORMAT}")
    return found


def render(renames: Renames) -> bytes:
    """The bytes of the list."""
    return msgspec.json.format(msgspec.json.encode(renames), indent=1) + b"\n"


def held_in(folder: Path) -> Renames:
    """The list of a corpus, empty if there is none; raises `FormatFault`."""
    path = folder / RENAMES
    return parse(path.read_bytes(), str(path)) if path.is_file() else Renames()


def joined(lists: Iterable[Renames]) -> Renames:
    """One list out of several."""
    return Renames(tuple(sorted({rename for renames in lists for rename in renames.renames})))


def followed(before: Renames, fresh: Iterable[Rename]) -> Renames:
    """`before` and the `fresh` renames: anyone who had other ids earlier leads to the new one now, and who gets an old one
    back has not been that."""
    found = list(before.renames)
    for rename in fresh:
        own = {*rename.sessions}
        found = [msgspec.structs.replace(old, new=rename.new) if own & {*old.sessions} else old for old in found]
        found.append(rename)
    return Renames(tuple(sorted(rename for rename in found if rename.old != rename.new)))
