"""Initial data: only the files that MADCOW required of a site, `.log`, `.wav`, `.sro` and `doc/spkrinfo.log`, without a
manifest.

The manifest is derived from what is there, so that every command that reads a corpus reads initial data. It can say no more
than the logs do: nobody knows which files were lost before somebody looked. Beside releases of a centre lies `release.json`,
which has the heads of the sessions' chains, and `doc/drafts.ndx`.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import msgspec

from corpus.dataset import ndx
from corpus.formats import layout
from corpus.formats.errors import FormatFault
from corpus.formats.log import file
from corpus.formats.log.log_values import Log
from corpus.formats.manifest import FORMAT, FileEntry, Manifest, SessionEntry, entry_of
from corpus.io.safe_open import read_plain
from session.values.names import from_base36

_RELEASE = "release.json"
_NUMBERS = "the logs of one session agree on it; correct the log"


def manifest_of(root: Path, entries: Mapping[str, FileEntry] | None = None) -> Manifest:
    """Return the manifest that initial data would have; raises `FormatFault` for a log that is none, OSError. Files whose entries
    are in `entries` are not read for them."""
    files = dict[str, FileEntry]()
    sessions = dict[str, SessionEntry]()
    drafts = _drafts(root)
    for path in sorted(_paths(root)):
        here = entries.get(path) if entries is not None else None
        if here is None or _tells_of_session(path):
            data = read_plain(root, path)
            here = here or entry_of(data)
        files[path] = msgspec.structs.replace(here, draft=True) if path in drafts else here
        if _tells_of_session(path):
            entry = _entry(file.parse(data, path), path)
            sessions[entry.session] = _joined(sessions.get(entry.session), entry, path)
    known = _released(root)
    found = tuple(_known(sessions[name], known.get(name)) for name in sorted(sessions))
    return Manifest(FORMAT, any(entry.rehearsal for entry in found), found, files)


def updated(root: Path, before: Manifest, touched: Collection[str]) -> Manifest:
    """Return what `manifest_of` would, where all but the `touched` files are as they were `before`; raises as it does."""
    known = {path: entry for path, entry in before.files.items() if path not in touched}
    there = sorted(_paths(root))
    if any((_tells_of_session(path) or path == _RELEASE) and path not in known for path in (*there, *touched)):
        return manifest_of(root, known)
    files = {path: known.get(path) or entry_of(read_plain(root, path)) for path in there}
    return msgspec.structs.replace(before, files=files)


def _tells_of_session(path: str) -> bool:
    return path.endswith(".log") and path.partition("/")[0] in layout.SPEECH


class _Release(msgspec.Struct, frozen=True):
    sessions: tuple[SessionEntry, ...]


def _released(root: Path) -> dict[str, SessionEntry]:
    """The sessions of the release that was copied here last, if any was."""
    if not (root / _RELEASE).is_file():
        return {}
    try:
        found = msgspec.json.decode(read_plain(root, _RELEASE), type=_Release)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FormatFault(_RELEASE, 0, str(error), "copy it from the release once more") from None
    return {entry.session: entry for entry in found.sessions}


def _drafts(root: Path) -> set[str]:
    """The transcriptions that are drafts, by the release that was copied here last, if any was."""
    if not (root / layout.DRAFT_LIST).is_file():
        return set()
    places = ndx.parse(read_plain(root, layout.DRAFT_LIST), layout.DRAFT_LIST)
    return {f"{place}.{kind}" for place in places for kind in ("sro", "lsn")}


def _known(entry: SessionEntry, released: SessionEntry | None) -> SessionEntry:
    """The entry with what no log tells."""
    if released is None:
        return entry
    marks = {"chain_head": released.chain_head, "damage": released.damage, "origin": released.origin}
    return msgspec.structs.replace(entry, **marks)


def _paths(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders.sort()
        yield from ((Path(folder) / name).relative_to(root).as_posix() for name in names)


def _entry(log: Log, path: str) -> SessionEntry:
    try:
        scenario, pace = from_base36(log.get("Scenario_session")), float(log.get("Pace") or 1)
    except ValueError as error:
        raise FormatFault(path, 0, str(error), "correct the header of the log") from None
    speaker = log.get("Speaker")
    return SessionEntry(
        log.get("Session") or f"{log.get('Site')}-{speaker}",
        log.get("Site"),
        speaker,
        log.get("Protocol"),
        (scenario,),
        "",
        log.get("Rehearsal") == "yes",
        log.get("Pilot") == "yes",
        pace,
        log.get("Condition"),
    )


def _joined(before: SessionEntry | None, entry: SessionEntry, path: str) -> SessionEntry:
    if before is None:
        return entry
    under = {number: one.condition_of(number) for one in (before, entry) for number in one.scenarios}
    scenarios, conditions = tuple(sorted(under)), {*under.values()}
    marks: dict[str, object] = {"scenarios": scenarios, "condition": "", "scenario_conditions": ()}
    if len(conditions) == 1:
        marks["condition"] = conditions.pop()
    else:  # levels changed from scenario to scenario
        marks["scenario_conditions"] = tuple(under[number] for number in scenarios)
    joined = msgspec.structs.replace(before, **marks)
    if msgspec.structs.replace(entry, **marks) != joined:
        raise FormatFault(path, 0, f"session {entry.session} is another one in the logs before", _NUMBERS)
    return joined
