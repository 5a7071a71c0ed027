"""`removals.json`: what everybody who holds an earlier export must drop, in a place that does not move.

A person who withdraws has spoken in corpora that were handed over long ago. The list names them for programs: the
pseudonym, the sessions, the names of utterances and the files. It holds no hash of a text, by which a short one could be
guessed, and nothing that was said. It only grows: each export carries all removals of its study.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from corpus.faults import FormatFault
from corpus.lines import text_of

FORMAT = "curtain-removals-1"
REMOVALS = "removals.json"


class Removal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One person who withdrew: `utterances` are the names XXXUUSMP whose first three characters are the speaker's id, with
    x for all microphones; `files` are paths in the MADCOW layout; `withdrawn` is a date."""

    speaker: str
    site: str
    withdrawn: str
    sessions: tuple[str, ...]
    utterances: tuple[str, ...]
    files: tuple[str, ...]


class Removals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All removals, sorted by speaker, each speaker once."""

    removals: tuple[Removal, ...] = ()
    format: str = FORMAT

    def __bool__(self) -> bool:
        return bool(self.removals)

    @property
    def speakers(self) -> frozenset[str]:
        """The pseudonyms."""
        return frozenset(removal.speaker for removal in self.removals)


def parse(data: bytes | str, path: str) -> Removals:
    """The list in a file; raises `FormatFault`."""
    try:
        found = msgspec.json.decode(text_of(data, path), type=Removals)
    except msgspec.DecodeError as error:
        raise FormatFault(path, 0, str(error), "restore the list from an earlier export") from None
    if found.format != FORMAT:
        raise FormatFault(path, 0, f"format {found.format!r}", f"this version of Curtain reads {FORMAT}")
    return found


def render(removals: Removals) -> bytes:
    """The bytes of the list."""
    return msgspec.json.format(msgspec.json.encode(removals), indent=1) + b"\n"


def held_in(folder: Path) -> Removals:
    """The list of a study or a corpus, empty where there is none; raises `FormatFault`."""
    path = folder / REMOVALS
    return parse(path.read_bytes(), str(path)) if path.is_file() else Removals()


def joined(lists: Iterable[Removals]) -> Removals:
    """One list out of several; what several know of a speaker is united, and the earliest date counts."""
    found: dict[str, Removal] = {}
    for each in (removal for removals in lists for removal in removals.removals):
        known = found.get(each.speaker)
        found[each.speaker] = each if known is None else _united(known, each)
    return Removals(tuple(found[speaker] for speaker in sorted(found)))


def _united(first: Removal, second: Removal) -> Removal:
    def both(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted({*one, *other}))

    return Removal(
        first.speaker,
        first.site or second.site,
        min(filter(None, (first.withdrawn, second.withdrawn)), default=""),
        both(first.sessions, second.sessions),
        both(first.utterances, second.utterances),
        both(first.files, second.files),
    )
