"""`removals.json`: the list of items that holders of earlier exports must drop, in a fixed place.

A person who withdraws has spoken in corpora that were handed over long ago. The list names them for programs: the
pseudonym, the sessions, the names of utterances and the files. It holds no hash of a text, by which a short one could be
guessed, and nothing that was said. It only grows: each export carries all removals of its study.
"""

import datetime
from collections.abc import Iterable
from pathlib import Path

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import text_of
from corpus.io.safe_open import leads_out
from corpus.io.staging import drop_halves, replace
from session.values.clock import Clock
from session.values.names import check_speaker

FORMAT = "curtain-removals-1"
REMOVALS = "removals.json"


SOUND = "sound"


class Removal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One person who withdrew: `utterances` are the names XXXUUSMP whose first three characters are the speaker's id, with
    x for all microphones; `files` are paths in the MADCOW layout; `withdrawn` is a date. `copies` are the names of folders and
    reports that hold the person or may, written earlier and out of reach of the withdrawal: moved, deleted or handed over.
    `scope` is `SOUND` for a person who goes on taking part and took back the sound alone: then `files` are waveforms.
    """

    speaker: str
    site: str
    withdrawn: str
    sessions: tuple[str, ...]
    utterances: tuple[str, ...]
    files: tuple[str, ...]
    copies: tuple[str, ...] = ()
    scope: str = ""


class Removals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Removals, sorted by speaker, each speaker once for each scope."""

    removals: tuple[Removal, ...] = ()
    format: str = FORMAT

    def __bool__(self) -> bool:
        return bool(self.removals)

    @property
    def speakers(self) -> frozenset[str]:
        """The pseudonyms of those who withdrew altogether."""
        return frozenset(removal.speaker for removal in self.removals if not removal.scope)

    @property
    def sessions(self) -> frozenset[str]:
        """Their sessions, which keep their names whatever a speaker is called in a copy."""
        return frozenset(name for removal in self.removals if not removal.scope for name in removal.sessions)

    def whole(self, speaker: str) -> list[Removal]:
        """Return what is known of a speaker who withdrew altogether."""
        return [removal for removal in self.removals if removal.speaker == speaker and not removal.scope]


def parse(data: bytes | str, path: str) -> Removals:
    """The list in a file; raises `FormatFault`."""
    try:
        found = msgspec.json.decode(text_of(data, path), type=Removals)
    except msgspec.DecodeError as error:
        raise FormatFault(path, 0, str(error), "restore the list from an earlier export") from None
    if found.format != FORMAT:
        raise FormatFault(path, 0, f"format {found.format!r}", f"this version of Curtain reads {FORMAT}")
    _check(found, path)
    return found


def _check(found: Removals, path: str) -> None:
    """Programs delete by this list, wherever it came from; raises `FormatFault` for what could lead them out of a corpus."""
    for removal in found.removals:
        bad = [path for path in removal.files if leads_out(path)]
        bad += [name for name in (*removal.sessions, *removal.utterances) if leads_out(name) or "/" in name]
        bad += [name for name in removal.copies if "/" in name or name in ("", ".", "..")]
        bad += [removal.scope] if removal.scope not in ("", SOUND) else []
        try:
            check_speaker(removal.speaker)
        except ValueError:
            bad.append(removal.speaker)
        if bad:
            raise FormatFault(path, 0, f"{bad[0]!r} is not a name in a corpus", "do not trust this list or its source")


def render(removals: Removals) -> bytes:
    """The bytes of the list."""
    return msgspec.json.format(msgspec.json.encode(removals), indent=1) + b"\n"


def held_in(folder: Path) -> Removals:
    """The list of a study or a corpus, empty if there is none; raises `FormatFault`."""
    path = folder / REMOVALS
    return parse(path.read_bytes(), str(path)) if path.is_file() else Removals()


def day_of(clock: Clock) -> str:
    """Return the date that a removal bears."""
    return datetime.datetime.fromtimestamp(clock.wall_ns() / 1e9, datetime.UTC).date().isoformat()


def add(folder: Path, removal: Removal) -> None:
    """Put a person on the list of a study or a corpus. Only for who is alone there."""
    _check(Removals((removal,)), str(folder))
    drop_halves(folder / REMOVALS)
    replace(folder / REMOVALS, render(joined([held_in(folder), Removals((removal,))])))


def joined(lists: Iterable[Removals]) -> Removals:
    """One list out of several; what several know of a speaker is united, and the earliest date counts."""
    found: dict[tuple[str, str], Removal] = {}
    for listed in (removal for removals in lists for removal in removals.removals):
        known = found.get((listed.speaker, listed.scope))
        found[listed.speaker, listed.scope] = listed if known is None else _united(known, listed)
    return Removals(tuple(found[key] for key in sorted(found)))


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
        both(first.copies, second.copies),
        first.scope,
    )
