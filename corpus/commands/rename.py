"""Gives speakers of a corpus other ids, in a new corpus beside the old one.

Two sites whose blocks of ids overlapped cannot be merged; a centre may want ids of its own. Then the id has to change
wherever it stands: names of files and directories, headers of waveforms, logs, the speaker table, the manifest, the
assignments to sets and the list of removals. No sample changes and no word. Files are written like any other corpus, so an
interrupted call continues where it was, and what was renamed is verified in the end.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.commands.merge import blocks_of
from corpus.commands.sources import current
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import REMOVALS, Removal, Removals
from corpus.dataset.subset import MADE_ANEW, TextSummary, WantedFile, shared_files, taken
from corpus.formats import layout, manifest, renames, sphere
from corpus.formats.errors import FormatFault, counted, status_of
from corpus.formats.manifest import Manifest, entry_of
from corpus.formats.renames import RENAMES, Rename, Renames
from corpus.formats.spkrinfo import SpeakerTable
from corpus.io.parallel import MANY, Jobs, chosen
from corpus.io.progress import counting
from corpus.io.staging import Refused, Staging, refuse_existing, refuse_nowhere, replace, staged, stopped
from corpus.release import holdout_file
from corpus.release.exports_log import RENAMED, heads_of, record
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session.values.clock import Clock
from session.values.names import check_speaker

_IN_HEADERS = ("speaker_id", "utterance_id")


class Renamed(msgspec.Struct, frozen=True):
    """Result of a renaming: files that bear another name, of all; free texts that still have an old id."""

    renamed: int
    files: int
    mentions: tuple[str, ...]


class Renaming(msgspec.Struct, frozen=True):
    """New ids by old ones."""

    ids: Mapping[str, str]

    def speaker(self, speaker: str) -> str:
        """The id that a speaker has now."""
        return self.ids.get(speaker, speaker)

    def path(self, path: str, owner: str) -> str:
        """Return the new path of a file of `owner`."""
        if owner not in self.ids:
            return path
        top, *folders, base = path.split("/")
        if top in layout.SPEECH:
            folders[0] = self.ids[owner]
        if top not in layout.APART and base.startswith(owner):
            base = self.ids[owner] + base.removeprefix(owner)
        return "/".join((top, *folders, base))

    def content(self, path: str, data: bytes, owner: str) -> bytes:
        """The bytes of a file of `owner` now; raises `FormatFault` for one that says it is another person's."""
        if owner not in self.ids:
            return data
        if path.endswith(".log"):
            return _log(path, data, owner, self.ids[owner])
        if path.endswith(".wav") and data.startswith(sphere.MAGIC):
            return _waveform(path, data, owner, self.ids[owner])
        return data


def _log(path: str, data: bytes, old: str, new: str) -> bytes:
    named = b"\n[Speaker:] %s\n"  # no value can make such a line
    if (before := named % old.encode()) not in data:
        raise FormatFault(path, 0, f"the log is not of speaker {old}", "run curtain verify, and restore the log")
    return data.replace(before, named % new.encode())


def _waveform(path: str, data: bytes, old: str, new: str) -> bytes:
    header = sphere.parse_header(data, path)
    if wrong := [name for name in _IN_HEADERS if not header.text(name).startswith(old)]:
        found = f"{wrong[0]} {header.text(wrong[0])!r} in the header is not of speaker {old}"
        raise FormatFault(path, 0, found, "run curtain verify, and restore the waveform")
    fields = tuple(
        (name, value.replace(old, new, 1) if name in _IN_HEADERS and isinstance(value, str) else value)
        for name, value in header.fields
    )
    return sphere.render_header(msgspec.structs.replace(header, fields=fields)) + data[header.size :]


def rename(
    root: Path,
    target: Path,
    ids: Mapping[str, str],
    day: str,
    progress: Callable[[int], None] = lambda _: None,
    jobs: Jobs | None = None,
) -> Renamed:
    """Write the corpus at `root` to `target`, which must not exist, with new ids of speakers by old ones; `day` is today's date.

    Raises `Refused` for an id that is nobody's, or that somebody bears, bore or may yet get; `FormatFault` for a file that does
    not agree with its name.
    """
    refuse_existing(target)
    corpus = Corpus(root)
    _check(corpus, target, ids)
    assigned = _assigned(root, target, ids)
    renaming = Renaming(ids)
    with staged(target) as staging:
        staging.tell(progress)
        summary, extra = TextSummary(), _extra(corpus, renaming, day)
        for wanted, data in taken(corpus, _files(corpus, renaming, staging, extra), jobs or Jobs(), summary):
            owner = corpus.speaker_of(wanted.path)
            path, made = renaming.path(wanted.path, owner), renaming.content(wanted.path, data, owner)
            staging.put(path, made, wanted.entry if made is data else entry_of(made, like=wanted.entry))
        summary.data = [renaming.path(place, place.split("/")[1]) for place in summary.data]
        for path, data in extra.items():
            staging.write(path, data)
        after = _whole(corpus, renaming, staging, summary)
        mentions = tuple(path for path in sorted(after.files) if _mentions(staging.root, path, ids))
    for place, sets in assigned.items():
        replace(place, sets)
    changed = sum(corpus.speaker_of(path) in ids for path in corpus.manifest.files)
    return Renamed(changed, len(after.files), mentions)


def _mentions(root: Path, path: str, ids: Mapping[str, str]) -> bool:
    """Return whether a file of people's own words has an old id, alone or at the head of an utterance's name."""
    if not path.endswith((".com", ".squ")) and path != layout.SITE_README:
        return False
    named = "|".join(sorted(ids)).encode()
    found = rb"(?<![0-9A-Za-z])(?:%b)(?:[0-9a-z]{5})?(?![0-9A-Za-z])" % named
    return re.search(found, (root / path).read_bytes()) is not None


def _check(corpus: Corpus, target: Path, ids: Mapping[str, str]) -> None:
    """Raises `Refused` for ids that cannot be given."""
    here, gone = corpus.speakers(), removals.held_in(corpus.root).speakers
    if target.resolve().parent == corpus.root.resolve().parent:
        raise Refused(
            f"{target} would be beside {corpus.root}, where the transcription desk's work and the assignments to sets go by the "
            "old ids; name a directory in another folder"
        )
    if missing := sorted(ids.keys() - here - gone):
        raise Refused(f"{corpus.root} has no speaker {missing[0]}; {layout.SPEAKER_TABLE} lists those it has")
    blocks, before = blocks_of(corpus), renames.held_in(corpus.root).renames
    for old, new in ids.items():
        sessions = {*corpus.sessions_of(old)}
        own = {rename.old for rename in before if sessions & {*rename.sessions}}
        if new in here or [*ids.values()].count(new) > 1:
            raise Refused(f"{new} would be the id of two speakers; choose another one for {old}")
        if new in gone or (new not in own and new in {rename.old for rename in before}):
            raise Refused(f"{new} was another person's id, which is never given again; choose another one for {old}")
        for site, block in () if new in own else blocks:
            if new in block:
                raise Refused(
                    f"{new} is in the block of {site}, {block.first} to {block.last}, and may belong to a speaker there; choose "
                    f"an id for {old} that is in no site's block"
                )


def _assigned(root: Path, target: Path, ids: Mapping[str, str]) -> dict[Path, bytes]:
    """The assignments to sets that go beside `target`; raises `Refused` if an id would flip."""
    known, here, there = holdout_file.known(root), holdout_file.beside(target), holdout_file.known(target)
    if known is None:
        return {}
    lists = {} if there is None else {here: there}
    lists[root] = holdout_file.renamed(known, ids)
    after = holdout_file.joined(lists)
    return {} if after is None or after == there else {here: holdout_file.render(after)}


def _extra(corpus: Corpus, renaming: Renaming, day: str) -> dict[str, bytes]:
    """Lists that tell of speakers, with their new ids."""
    known = [(entry.speaker, entry.site, entry.session) for entry in corpus.manifest.sessions]
    known += [(removal.speaker, removal.site, name) for removal in _listed(corpus) for name in removal.sessions]
    fresh = [
        Rename(own[0][1], old, new, day, tuple(sorted({session for _, _, session in own})))
        for old, new in renaming.ids.items()
        if (own := [known_id for known_id in known if known_id[0] == old])
    ]
    extra = {RENAMES: renames.render(renames.followed(renames.held_in(corpus.root), fresh))}
    if REMOVALS in corpus.manifest.files:
        now = tuple(_renamed(removal, renaming) for removal in _listed(corpus))
        extra[REMOVALS] = removals.render(removals.joined([Removals(now)]))
    if holdout_file.IN_CORPUS in corpus.manifest.files:
        assigned = holdout_file.parse(corpus.read(holdout_file.IN_CORPUS), holdout_file.IN_CORPUS)
        extra[holdout_file.IN_CORPUS] = holdout_file.render(holdout_file.renamed(assigned, renaming.ids))
    return extra


def _listed(corpus: Corpus) -> tuple[Removal, ...]:
    return removals.held_in(corpus.root).removals


def _renamed(removal: Removal, renaming: Renaming) -> Removal:
    """Under the new id alone, for the old one may be another person's where sites come together: anyone who holds an earlier
    copy is led to its names by the renames."""
    old, new = removal.speaker, renaming.speaker(removal.speaker)
    return msgspec.structs.replace(
        removal,
        speaker=new,
        utterances=tuple(new + name.removeprefix(old) for name in removal.utterances),
        files=tuple(renaming.path(path, old) for path in removal.files),
    )


def _files(corpus: Corpus, renaming: Renaming, staging: Staging, extra: Mapping[str, bytes]) -> Iterator[WantedFile]:
    for path, entry in corpus.manifest.files.items():
        if path not in MADE_ANEW and path not in extra:
            own = corpus.speaker_of(path) in renaming.ids
            yield WantedFile(path, entry, not own and staging.keep(path, entry))


def _whole(corpus: Corpus, renaming: Renaming, staging: Staging, summary: TextSummary) -> Manifest:
    """Return the files about the whole corpus, which are written last."""
    before = corpus.manifest

    def moved(paths: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(renaming.path(path, corpus.speaker_of(path)) for path in paths))

    sessions = tuple(
        msgspec.structs.replace(session, speaker=renaming.speaker(session.speaker)) for session in before.sessions
    )
    table = SpeakerTable(
        tuple(
            msgspec.structs.replace(speaker, speaker=renaming.speaker(speaker.speaker))
            for speaker in corpus.speakers().values()
        )
    )
    made = shared_files(
        sessions,
        table,
        staging.files,
        lambda path: (staging.root / path).read_bytes(),
        summary,
        left_out=sum(before.left_out.values()),
    )
    for path, data in made.items():
        staging.write(path, data)
    found = msgspec.structs.replace(
        before,
        sessions=sessions,
        files=dict(staging.files),
        withheld=moved(before.withheld),
        missing=moved(before.missing),
    )
    staging.write(layout.MANIFEST, manifest.render(found))
    return found


class RenameOptions(msgspec.Struct, frozen=True):
    """Options of `rename_command`: other ids of speakers, each of `pairs` OLD=NEW, and those in the list `by`, where named.

    `jobs` and `cluster` as in `corpus.verify.verify.VerifyOptions`.
    """

    directory: str
    target: str
    pairs: Sequence[str] = ()
    by: str = ""
    jobs: int | None = None
    cluster: str = ""


def rename_command(options: RenameOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Write a corpus to a new folder with other ids of speakers.

    Its path goes to `out`; 1 when the headers of the new corpus have an error, which goes to `err`; 2 when nothing was written.
    """
    place = Path(options.target)
    try:
        refuse_existing(place)
        refuse_nowhere(place)
        corpus = current(Path(options.directory))
        ids = _asked(corpus, options.pairs, options.by)
        hands = chosen(options.jobs, options.cluster, len(corpus.logs) >= MANY)
        record([corpus.root], RENAMED, place, heads_of(corpus.manifest.sessions), err)
        with counting(err, "files", len(corpus.manifest.files)) as tell:
            done = rename(corpus.root, place, ids, removals.day_of(clock), tell, hands)
        report = verify(place, headers=True, jobs=hands, err=err)
    except (FormatFault, Refused, OSError, KeyboardInterrupt) as error:
        err.write(stopped(error, place))
        return status_of(error)
    err.write(
        f"{counted(len(ids), 'speaker')} renamed, with {done.renamed} of {done.files} files; {place / RENAMES} tells who\n"
    )
    if done.mentions:
        err.write(f"an old id is in the words of {', '.join(done.mentions)}: nothing was changed there\n")
    bad = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    err.write("".join(f"{finding}\n" for finding in bad))
    out.write(f"{place}\n")
    return 1 if bad else 0


def _asked(corpus: Corpus, pairs: Sequence[str], by: str) -> dict[str, str]:
    """New ids by old ones; raises `Refused` for what is not a pair of ids."""
    listed = renames.parse(Path(by).read_bytes(), by) if by else Renames()
    known = {(entry.speaker, name) for name, entry in corpus.sessions.items()}
    known |= {(removal.speaker, name) for removal in _listed(corpus) for name in removal.sessions}
    asked = [
        (renamed.old, renamed.new)
        for renamed in listed.renames
        if any((renamed.old, name) in known for name in renamed.sessions)
    ]
    for pair in pairs:
        old, equals, new = pair.partition("=")
        if not equals:
            raise Refused(f"{pair!r} is not a pair of ids; write OLD=NEW, such as 8k9=9a1")
        asked.append((old, new))
    ids = dict(asked)
    for speaker in (*ids, *ids.values()):
        try:
            check_speaker(speaker)
        except ValueError as error:
            raise Refused(str(error)) from None
    if len(ids) < len({*asked}):
        raise Refused("one speaker is to get two ids; name each once")
    if not ids:
        raise Refused(
            f"no speaker of {corpus.root} is to be renamed; name OLD=NEW, or the renames.json of another corpus with --by"
        )
    return ids
