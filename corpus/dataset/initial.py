"""Initial data: only the files that MADCOW required of a site, `.log`, `.wav`, `.sro` and `doc/spkrinfo.log`, without a
manifest.

The manifest is derived from what is there, so that every command that reads a corpus reads initial data. It can say no more
than the logs do: nobody knows which files were lost before somebody looked. Beside releases of a centre lies `release.json`,
which has the heads of the sessions' chains, and `doc/drafts.ndx`.
"""

import os
from collections.abc import Collection, Iterator, Mapping, MutableMapping
from itertools import chain
from pathlib import Path
from typing import cast

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


def manifest_of(
    root: Path, entries: Mapping[str, FileEntry] | None = None, files: MutableMapping[str, FileEntry] | None = None
) -> Manifest:
    """Return the manifest that initial data would have; raises `FormatFault` for a log that is none, OSError. Files whose entries
    are in `entries` are not read for them. Its own go to `files`, if given, which may be the same."""
    files = dict[str, FileEntry]() if files is None else files
    sessions = dict[str, SessionEntry]()
    drafts = _drafts(root)
    for path in _paths(root):
        here = entries.get(path) if entries is not None else None
        if here is None or _tells_of_session(path):
            data = read_plain(root, path)
            here = here or entry_of(data)
        now = msgspec.structs.replace(here, draft=True) if path in drafts else here
        if files is not entries or now != files.get(path):
            files[path] = now
        if _tells_of_session(path):
            entry = _entry(file.parse(data, path), path)
            sessions[entry.session] = _joined(sessions.get(entry.session), entry, path)
    known = _released(root)
    found = tuple(_known(sessions[name], known.get(name)) for name in sorted(sessions))
    return Manifest(FORMAT, any(entry.rehearsal for entry in found), found, cast(dict[str, FileEntry], files))


def updated(root: Path, before: Manifest, touched: Collection[str]) -> Manifest:
    """Return what `manifest_of` would, where all but the `touched` files are as they were `before`, whose entries become the new
    ones; raises as it does."""
    files: MutableMapping[str, FileEntry] = before.files
    for path in touched:
        files.pop(path, None)
    if any(
        (_tells_of_session(path) or path == _RELEASE) and path not in files for path in chain(_paths(root), touched)
    ):
        return manifest_of(root, files, files)
    for path in _paths(root):
        if path not in files:
            files[path] = entry_of(read_plain(root, path))
    return before


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


def _paths(root: Path, below: str = "") -> Iterator[str]:
    """The paths of all files in their order, a directory at a time."""
    with os.scandir(root / below) as found:
        own = [(one.name, one.is_dir(), one.is_symlink()) for one in found]
    names = sorted(f"{name}/" if is_folder else name for name, is_folder, is_link in own if not (is_folder and is_link))
    for name in names:
        if name.endswith("/"):
            yield from _paths(root, below + name)
        else:
            yield below + name


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
