"""A corpus in MADCOW's layout out of sessions: the same sessions give the same bytes.

Sessions are taken one at a time, so memory does not grow with the corpus. Nothing is overwritten, and the target is there
whole or not at all (`corpus.io.staging`). What became of a session is recorded when its last file is written: an export that was
interrupted makes the files of such a session again only if one of its facts has changed, or a file is not right.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.metadata import version
from itertools import islice
from pathlib import Path

import msgspec

from corpus.dataset import removals
from corpus.dataset.removals import REMOVALS, Removals
from corpus.export.exclusions import WITHDRAWN, why_left_out
from corpus.export.session_files import MISSING, WITHHELD, CorpusFile, ExportOptions, files_of
from corpus.export.source import Collected, SessionSource
from corpus.formats import layout, lexicon, metadata_file, readme, spkrinfo, sro
from corpus.formats.manifest import FORMAT, FileEntry, Manifest, SessionEntry, render
from corpus.formats.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.io.parallel import Jobs
from corpus.io.staging import Files, Parcel, Refused, Staging, staged
from session.events import SessionOpened
from session.state.fold import SessionState, fold


class Exported(msgspec.Struct, frozen=True):
    """Result of an export, in numbers; `skipped` names sessions of which nothing could be exported, with the reason, `damaged`
    those that are not as they were written, a sentence each; `hidden` are waveforms that are masked from end to end."""

    sessions: int
    scenarios: int
    utterances: int
    files: int
    bytes: int
    drafts: int
    withheld: tuple[str, ...]
    missing: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    damaged: tuple[tuple[str, str], ...] = ()
    hidden: tuple[str, ...] = ()


class _Written(msgspec.Struct):
    """Output of one session: missing files, waveforms masked from end to end, words."""

    absent: list[CorpusFile] = []
    hidden: list[str] = []
    words: Counter[str] = msgspec.field(default_factory=Counter)


class _SessionResult(msgspec.Struct):
    """Result of one session: its files, and its contribution to files about the whole corpus; `absent` names files by the
    reason, `hidden` waveforms that are masked from end to end; `words` counts what was said."""

    files: dict[str, FileEntry]
    absent: dict[str, list[str]]
    hidden: list[str]
    words: dict[str, int]
    entry: SessionEntry
    speaker: SpeakerInfo
    utterances: int


class _Exclusion(msgspec.Struct):
    """A session of which nothing is exported: why, and what it counts in `Manifest.left_out`."""

    why: str
    site: str = ""
    utterances: int = 0


class _Totals:
    """Data of sessions for the files about the whole corpus."""

    def __init__(self) -> None:
        self.sessions: list[SessionEntry] = []
        self.speakers: dict[str, SpeakerInfo] = {}
        self.absent: dict[str, list[str]] = {WITHHELD: [], MISSING: []}
        self.skipped: list[tuple[str, str]] = []
        self.utterances = 0
        self.words: Counter[str] = Counter()
        self.hidden: list[str] = []
        self.left_out: Counter[str] = Counter()

    def leave_out(self, name: str, found: _Exclusion) -> None:
        """One more session of which nothing is there."""
        self.skipped.append((name, found.why))
        if found.utterances:
            self.left_out[found.site] += found.utterances

    def add(self, made: _SessionResult) -> None:
        """One more session."""
        self.sessions.append(made.entry)
        speaker = made.speaker.speaker
        self.speakers[speaker] = spkrinfo.completed(self.speakers.get(speaker), made.speaker)
        self.utterances += made.utterances
        self.hidden += made.hidden
        self.words.update(made.words)
        for why, paths in made.absent.items():
            self.absent[why] += paths


class _Protocol(msgspec.Struct):
    """The protocol of a session: where it lies, its value in JSON, the hashes of its files by their names."""

    path: str
    value: bytes
    files: dict[str, str]


class _Work(msgspec.Struct):
    """Settings shared by every session: `how` is a hash of everything except its facts that determines its files; `done` are
    the keys that an earlier attempt recorded."""

    source: SessionSource
    options: ExportOptions
    how: bytes
    done: frozenset[str]

    def key(self, collected: Collected) -> str:
        """Under what a session is recorded when it is finished: it changes with whatever its files come from."""
        return hashlib.sha256(self.how + msgspec.json.encode(collected)).hexdigest()


_Outcome = tuple[_SessionResult, _Protocol] | _Exclusion
_Result = _SessionResult | _Exclusion


class _RemoteResult(msgspec.Struct):
    """Another process's result for a session whose chain had this `head`; empty if an earlier attempt recorded it as
    finished."""

    head: str
    key: str
    made: _Outcome | None = None
    parcel: Parcel | None = None


def export(
    source: SessionSource,
    target: Path,
    options: ExportOptions | None = None,
    removed: Removals | None = None,
    progress: Callable[[int], None] = lambda _: None,
    jobs: Jobs | None = None,
    study: Path | None = None,
) -> Exported:
    """Write the corpus of `source` to `target`, which must not exist; raises `Refused` with the remedy.

    `removed` names those who have withdrawn: the corpus carries the list to all who hold earlier ones. A session that cannot
    be written is skipped; where a session was changed after it was held, its entry in the manifest says so. `progress` is told
    the number of sessions after each. `jobs` make the files, which this process writes; `study` is the folder that a cluster's
    workers must see.
    """
    options = options or ExportOptions()
    totals = _Totals()
    which = options.pilots, options.rehearsals
    chosen = (version("curtain-woz"), options.riff, options.unnumbered, dict(options.finished), *which)
    how = hashlib.sha256(msgspec.json.encode(chosen, order="deterministic")).digest()
    with staged(target) as staging:
        if removed:
            staging.write(REMOVALS, removals.render(removed))
        work = _Work(source, options, how, staging.remembered)
        for count, (name, made) in enumerate(_sessions(work, staging, jobs or Jobs(), study or Path()), start=1):
            if isinstance(made, _SessionResult):
                totals.add(made)
            else:
                totals.leave_out(name, made)
            progress(count)
        if not totals.sessions:
            raise Refused("no session has a scenario to export" + "".join(f"; {s}: {why}" for s, why in totals.skipped))
        return _whole(staging, totals, options)


def _sessions(work: _Work, staging: Staging, jobs: Jobs, study: Path) -> Iterator[tuple[str, _Result]]:
    """Every session, its files written; or why nothing of it is exported."""
    names = work.source.names
    if jobs.alone:
        yield from ((name, _made_here(work, name, staging)) for name in names)
        return
    with closing(jobs.over(_made_elsewhere, work, names, study)) as results:
        yield from ((name, _unpacked(work, name, result, staging)) for name, result in zip(names, results, strict=True))


def _made_here(work: _Work, name: str, staging: Staging) -> _Result:
    """Make and write the files of a session, or take over those of an earlier attempt."""
    collected = work.source.collected(name)
    key = work.key(collected)
    return _recalled(staging, key) or _recorded(
        work, staging, key, _session(collected, work.source, work.options, staging)
    )


def _made_elsewhere(work: _Work, name: str) -> _RemoteResult:
    collected = work.source.collected(name)
    key = work.key(collected)
    if key in work.done:
        return _RemoteResult(collected.head, key)
    parcel = Parcel()
    return _RemoteResult(collected.head, key, _session(collected, work.source, work.options, parcel), parcel)


def _unpacked(work: _Work, name: str, result: _RemoteResult, staging: Staging) -> _Result:
    """Write what another process has made, unless that saw another session than is here now: it has grown since, or a store on
    a shared disk does not look the same from everywhere."""
    if result.head != work.source.head(name):
        return _made_here(work, name, staging)
    if result.made is None or result.parcel is None:
        return _recalled(staging, result.key) or _made_here(work, name, staging)
    staging.unpack(result.parcel)
    return _recorded(work, staging, result.key, result.made)


def _recorded(work: _Work, staging: Staging, key: str, done: _Outcome) -> _Result:
    """Record a session whose files are written, when those of its protocol are too."""
    if isinstance(done, _Exclusion):
        return done
    made, protocol = done
    before = len(staging.files)
    _write_protocol(protocol, work.source, staging)
    made.files |= islice(reversed(staging.files.items()), len(staging.files) - before)
    staging.remember(key, made)
    return made


def _recalled(staging: Staging, key: str) -> _SessionResult | None:
    """A session that an earlier attempt finished, if all its files are as they were written."""
    if not (held := staging.recall(key)):
        return None
    made = msgspec.json.decode(held, type=_SessionResult)
    if made.absent[MISSING]:  # the samples may have been found since
        return None
    kept = [path for path, entry in made.files.items() if staging.keep(path, entry)]
    if len(kept) == len(made.files):
        return made
    staging.take_back(kept)
    return None


def _session(collected: Collected, source: SessionSource, options: ExportOptions, files: Files) -> _Outcome:
    """Write the files of a session; or why nothing of it is exported."""
    state = fold(collected.facts)
    why = why_left_out(collected, state, options)
    if why or state.opened is None:
        return _exclusion(why, state)
    before = len(files.files)
    try:
        done = _written(collected, source, options, files)
    except (ValueError, LookupError, OverflowError) as error:  # of facts that no desk would have written
        return _exclusion(f"it cannot be written: {error}", state)
    opened = state.as_opened or state.opened
    protocol = opened.protocol
    made = _SessionResult(
        files=dict(islice(reversed(files.files.items()), len(files.files) - before)),
        absent={reason: [file.path for file in done.absent if file.absent == reason] for reason in (WITHHELD, MISSING)},
        hidden=done.hidden,
        words=done.words,
        entry=_entry(collected, state, opened),
        speaker=spkrinfo.info_of(opened),
        utterances=_numbered(state),
    )
    value = collected.protocol or msgspec.json.encode(protocol)
    return made, _Protocol(layout.protocol_path(protocol.site, protocol.sha256), value, protocol.files)


def _exclusion(why: str, state: SessionState) -> _Exclusion:
    """Return what is left out of a session; who has withdrawn is counted by the list of removals."""
    opened = state.opened
    if opened is None or opened.pilot or opened.rehearsal or why.startswith(WITHDRAWN):
        return _Exclusion(why)
    return _Exclusion(why, opened.site, _numbered(state))


def _numbered(state: SessionState) -> int:
    return sum(take.number is not None for take in state.takes.values())


def _written(collected: Collected, source: SessionSource, options: ExportOptions, files: Files) -> _Written:
    """Write all files of a session or none."""
    done = _Written()
    written: list[str] = []
    try:
        for file in files_of(collected, source, options):
            if file.absent:
                done.absent.append(file)
                continue
            files.write(file.path, file.data, like=file.marks)
            written.append(file.path)
            done.hidden += [file.path] if file.hidden else []
            if file.path.endswith(".sro"):
                done.words.update(lexicon.words(sro.parse(file.data, file.path)))
    except (ValueError, LookupError, OverflowError):
        files.take_back(written)
        raise
    return done


def _write_protocol(protocol: _Protocol, source: SessionSource, staging: Staging) -> None:
    """The protocol as a value, readable and comparable, and those of its files that are held."""
    if protocol.path in staging.files:
        return
    stored = msgspec.json.decode(protocol.value)
    staging.write(
        protocol.path, msgspec.json.format(msgspec.json.encode(stored, order="deterministic"), indent=1) + b"\n"
    )
    for name, sha256 in sorted(protocol.files.items()):
        held = layout.protocol_file(name, sha256)
        data = source.protocol_file(sha256)
        if data is not None and held not in staging.files:
            staging.write(held, data)


def _entry(collected: Collected, state: SessionState, opened: SessionOpened) -> SessionEntry:
    own = [run for run in state.runs if run.number is not None]
    return SessionEntry(
        session=collected.session,
        site=opened.site,
        speaker=opened.speaker.id,
        protocol=opened.protocol.sha256,
        scenarios=tuple(run.number or 0 for run in own),
        chain_head=collected.head,
        rehearsal=opened.rehearsal,
        pilot=opened.pilot,
        pace=opened.pace,
        condition=opened.condition,
        scenario_conditions=tuple(run.condition for run in own) if any(run.condition for run in own) else (),
        damage=collected.damage,
        origin=collected.origin,
    )


def _whole(staging: Staging, totals: _Totals, options: ExportOptions) -> Exported:
    speakers = SpeakerTable(tuple(sorted(totals.speakers.values(), key=lambda info: info.speaker)))
    rehearsal = any(entry.rehearsal for entry in totals.sessions)
    waveform = "RIFF" if options.riff else "NIST SPHERE"
    staging.write(layout.SPEAKER_TABLE, spkrinfo.render(speakers))
    staging.write(layout.LEXICON, lexicon.render(lexicon.of_counts(totals.words)))
    left_out = dict(sorted(totals.left_out.items()))
    about = readme.text(totals.sessions, speakers, totals.utterances, waveform, rehearsal, totals.left_out.total())
    staging.write(layout.README, about)
    for site, stated in options.metadata.items():
        staging.write(layout.metadata_path(site), metadata_file.render(stated))
    files = dict(staging.files)
    withheld, missing = (tuple(sorted(totals.absent[why])) for why in (WITHHELD, MISSING))
    manifest = Manifest(FORMAT, rehearsal, tuple(totals.sessions), files, withheld, missing, left_out)
    staging.write(layout.MANIFEST, render(manifest))
    return Exported(
        sessions=len(totals.sessions),
        scenarios=sum(len(entry.scenarios) for entry in totals.sessions),
        utterances=totals.utterances,
        files=len(staging.files),
        bytes=sum(entry.bytes for entry in staging.files.values()),
        drafts=sum(entry.draft for entry in files.values()),
        withheld=withheld,
        missing=missing,
        skipped=tuple(totals.skipped),
        damaged=tuple((entry.session, what) for entry in totals.sessions for what in entry.damage),
        hidden=tuple(sorted(totals.hidden)),
    )
