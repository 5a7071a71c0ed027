"""`curtain release`: releases new and corrected items under the day's date, text at once, sound by volume.

The id is the date; of two releases on a day the second is called `20261123b`. Nobody is in it who is held out, nor in a pilot.
The same call again finds nothing to release and says so. Files are made read-only: a correction is a new release of the item.
"""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.centre import facts as f
from corpus.centre.centre_state import CentreState
from corpus.centre.corpus_tables import corpus_in
from corpus.centre.ledger import FAULTS, RELEASES, Centre
from corpus.centre.pending_withdrawals import refuse_pending_withdrawals
from corpus.centre.recovery import entered
from corpus.centre.release_copies import READ_ONLY, copied
from corpus.centre.release_listing import LISTING as LISTING_FILE
from corpus.centre.release_listing import ReleasedItem, ReleaseListing, folder_of, items, listings, render
from corpus.centre.release_pages import (
    DOCUMENTS,
    bug_reports,
    changed_documents,
    changes_page,
    classification_page,
    description_pages,
    readme_page,
    state_lists,
)
from corpus.centre.states import take_in_work
from corpus.dataset.reader import Corpus, speech_name
from corpus.dataset.subset import CorpusPart, TextSummary, WantedFile, taken
from corpus.formats import layout, lexicon, spkrinfo
from corpus.formats.errors import FormatFault, counted, status_of
from corpus.formats.lexicon import CorpusLexicon
from corpus.formats.manifest import FORMAT, FileEntry, Manifest, SessionEntry
from corpus.formats.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.io.parallel import MANY, Jobs, chosen
from corpus.io.safe_open import read_plain
from corpus.io.staging import Refused, Staging, stopped
from corpus.release.utterance_status import POOL, RELEASE
from corpus.verify.rules.scratch_tables import scratch_tables
from session.values.clock import Clock
from session.values.names import base36

_OF_THE_WHOLE = (f"{layout.PROTOCOLS}/", f"{layout.METADATA}/")
_HANDED_OUT = {"domain": "Principles", "database": "schema and database"}
_BARE = Manifest(FORMAT, False, (), {})
"""For a corpus of which only files are read whose entries are known."""
Documents = Callable[[Centre], Mapping[str, bytes]]


class ReleasableItem(msgspec.Struct, frozen=True):
    """An item that may be released: the corpus in which it lies, and its entry."""

    root: Path
    entry: FileEntry


class ReleaseOptions(msgspec.Struct, frozen=True):
    """Options of `release_command`; `final` names a release whose annotations are final from now on. `jobs` processes read
    (None: as many as suit what is new), or the Dask cluster at the address `cluster`."""

    centre: str
    final: str = ""
    jobs: int | None = None
    cluster: str = ""


def release_command(
    options: ReleaseOptions, clock: Clock, out: TextIO, err: TextIO, documents: Documents = lambda _: {}
) -> int:
    """Release what waits; the id of the release goes to `out`. 2 when nothing could be done."""
    try:
        with Centre(Path(options.centre), clock) as centre:
            if options.final:
                _finish(centre, options.final)
            jobs = partial(chosen, options.jobs, options.cluster)
            made = release(centre, err, documents, jobs)
            last = CentreState(centre).releases
    except (*FAULTS, KeyboardInterrupt) as error:
        err.write(stopped(error))
        return status_of(error)
    if made is None:
        err.write(f"nothing is new since {last[-1].release}\n" if last else "nothing waits to be released\n")
    out.write(f"{made.release if made else last[-1].release if last else ''}\n")
    return 0


def _finish(centre: Centre, name: str) -> None:
    centre_state = CentreState(centre)
    if name not in {made.release for made in centre_state.releases}:
        raise Refused(f"there is no release {name}")
    if name not in centre_state.final:
        centre.record(f.ReleaseFinal(release=name))


def release(
    centre: Centre,
    err: TextIO,
    documents: Documents = lambda _: {},
    jobs: Callable[[bool], Jobs] = lambda _: Jobs(),
) -> f.ReleaseMade | None:
    """Make a release of what waits, None if nothing does: new or corrected items, documents that say something else, or a
    release that has become final."""
    take_in_work(centre, err)
    centre_state = CentreState(centre)
    refuse_pending_withdrawals(centre, centre_state)
    earlier = listings(centre, centre_state)
    known = items(earlier)
    sessions, found, speakers = _releasable(centre_state)
    new = _unknown(found, known)
    gone = tuple(sorted(path for path in known if path not in found and not path.startswith(f"{layout.PROTOCOLS}/")))
    pages = {f"{DOCUMENTS}/{path}": data for path, data in documents(centre).items()}
    others = changed_documents(earlier, pages) if earlier else []
    if not (new or gone or others or _is_untold(centre)):
        return None
    name, by = _name(centre, centre_state), jobs(sum(path.endswith(".log") for path in new) >= MANY)
    with entered(centre.place(RELEASES, name), READ_ONLY) as staging:
        kept = {path: item for path, item in known.items() if path not in gone}
        summary = _put(staging, new, by)
        _count(centre, {path: item for path, item in kept.items() if path not in new}, by, summary)
        files = dict(staging.files)
        _add_pages(centre, centre_state, staging, earlier, sessions, speakers, kept, name, pages, summary)
        beside = {path: entry.sha256 for path, entry in staging.files.items() if path not in files}
        replaces = {path: known[path].release for path in files if path in known}
        since = earlier[-1].release if earlier else ""
        listing = render(
            ReleaseListing(name, tuple(sessions[key] for key in sorted(sessions)), files, replaces, beside, gone, since)
        )
        staging.write(LISTING_FILE, listing)
        fact = f.ReleaseMade(
            release=name,
            listing=hashlib.sha256(listing).hexdigest(),
            sessions=tuple(sorted(sessions)),
            items=len(files),
            new=len(files) - len(replaces),
            corrected=len(replaces),
            annotated=sum(path.endswith(".cat") for path in files),
            to=centre_state.recipients,
        )
        centre.record(fact)
    for key, what in _HANDED_OUT.items():
        if not getattr(centre.settings, key):
            err.write(f"{name} goes out without {what}: centre.toml names no {key}\n")
    beside_items = f", {counted(len(others), 'document')} changed" if others else ""
    told = f"{counted(fact.new, 'new item')}, {fact.corrected} corrected{beside_items}"
    err.write(f"{name}: {told}; to {', '.join(fact.to) or 'nobody'}\n")
    return fact


def _unknown(found: Mapping[str, ReleasableItem], known: Mapping[str, ReleasedItem]) -> dict[str, ReleasableItem]:
    """The items that no release has as they are now."""
    return {
        path: held
        for path, held in found.items()
        if path not in known or (known[path].entry.sha256 != held.entry.sha256 and not layout.is_protocol(path))
    }


def corrected_since(centre: Centre, centre_state: CentreState) -> Counter[str]:
    """Count by delivery the items of released sessions that no release has as they are now."""
    units = {
        (held.session.speaker, number): name
        for name, held in centre_state.sessions.items()
        if name in centre_state.released
        for number in held.session.scenarios
    }
    new = _unknown(_releasable(centre_state)[1], items(listings(centre, centre_state)))
    names = ((held, speech_name(path)) for path, held in new.items())
    return Counter(
        held.root.name.partition(".")[0] for held, name in names if name is not None and name.scenario in units
    )


def _is_untold(centre: Centre) -> bool:
    """Return whether a release became final that none has told of: the call that was to do so may have been killed."""
    last = next(
        (found.fact for found in reversed(centre.happened) if isinstance(found.fact, f.ReleaseMade | f.ReleaseFinal)),
        None,
    )
    return isinstance(last, f.ReleaseFinal)


def _put(staging: Staging, new: Mapping[str, ReleasableItem], jobs: Jobs) -> TextSummary:
    """Write what is new; return what its logs and transcriptions tell, each read once. The machines of a cluster read the
    centre's folder, and need not write to it."""
    summary, roots = TextSummary(), dict[Path, dict[str, FileEntry]]()
    for path, held in sorted(new.items()):
        roots.setdefault(held.root, {})[path] = held.entry
    for root, wanted in roots.items():
        if jobs.cluster:
            asked = (WantedFile(path, entry) for path, entry in wanted.items())
            for item, data in taken(Corpus(root, _BARE), asked, jobs, summary):
                staging.put(item.path, data, item.entry)
        else:
            summary.join(copied(root, staging.root, wanted, jobs))
            staging.files |= wanted
    return summary


def _count(centre: Centre, kept: Mapping[str, ReleasedItem], jobs: Jobs, summary: TextSummary) -> None:
    """Add to the summary what earlier releases tell that stands; raises `Refused` if one is not as it went out."""
    by_release = dict[str, list[WantedFile]]()
    for path, item in kept.items():
        if path.endswith((".log", ".sro")):
            by_release.setdefault(item.release, []).append(WantedFile(path, item.entry, held=True))
    for release, wanted in sorted(by_release.items()):
        root = folder_of(centre, release)
        try:
            for _ in taken(Corpus(root, _BARE), wanted, jobs, summary):
                pass
        except FormatFault as fault:
            raise Refused(f"{root / fault.path} is not as it was released; restore it from a copy") from None


def _name(centre: Centre, centre_state: CentreState) -> str:
    """The date, with a letter for a second release on the same day; raises `Refused` for a clock that goes backwards."""
    taken = {made.release for made in centre_state.releases}
    day = centre.today
    if late := [name for name in taken if name[:8] > day]:
        raise Refused(f"today is {day}, and {max(late)} was released already: correct this machine's clock")
    return centre.name_of_today(taken.__contains__, "releases")


def _releasable(
    centre_state: CentreState,
) -> tuple[dict[str, SessionEntry], dict[str, ReleasableItem], list[SpeakerInfo]]:
    """The sessions that may go out, their text and their speakers; raises `Refused` where one of them is held out, which cannot
    be. Of a corpus nothing else is kept."""
    sessions, found, speakers = dict[str, SessionEntry](), dict[str, ReleasableItem](), dict[str, SpeakerInfo]()
    with scratch_tables() as tables:
        _gather(centre_state, tables, sessions, found, speakers)
    wanted_now = {entry.speaker for entry in sessions.values()}
    return sessions, found, [info for info in speakers.values() if info.speaker in wanted_now]


def _gather(
    centre_state: CentreState,
    tables: sqlite3.Connection,
    sessions: dict[str, SessionEntry],
    found: dict[str, ReleasableItem],
    speakers: dict[str, SpeakerInfo],
) -> None:
    wanted = {held.session.session for held in centre_state.in_set(RELEASE)}
    for state, root in centre_state.roots():
        corpus = corpus_in(root, tables)
        here = wanted & centre_state.states()[state]
        entries = {e.session: e for e in corpus.manifest.sessions if e.session in here and not e.pilot}
        if any(centre_state.sets.get(entry.speaker) == POOL for entry in entries.values()):
            raise Refused(f"{root} would release a speaker who is held out; the ledger and the folder do not agree")
        sessions.update(entries)
        places = {
            f"{mode}/{entry.speaker}/{base36(number, 1)}"
            for entry in entries.values()
            for number in entry.scenarios
            for mode in layout.SPEECH
        }
        part = CorpusPart(corpus, {entry.speaker for entry in entries.values()}, pilots=False)
        speakers.update(_speakers(centre_state, state, corpus, speakers))
        for path, entry in corpus.manifest.files.items():
            if _is_text_in(path, places) or (entries and path.startswith(_OF_THE_WHOLE) and part.holds(path)):
                found.setdefault(path, ReleasableItem(root, entry))


def _is_text_in(path: str, places: set[str]) -> bool:
    return not path.endswith(".wav") and path.rpartition("/")[0] in places and speech_name(path) is not None


def _add_pages(
    centre: Centre,
    centre_state: CentreState,
    staging: Staging,
    earlier: list[ReleaseListing],
    sessions: Mapping[str, SessionEntry],
    speakers: Iterable[SpeakerInfo],
    known: Mapping[str, ReleasedItem],
    name: str,
    documents: Mapping[str, bytes],
    summary: TextSummary,
) -> None:
    """Everything beside the items: lexicon, speakers, what changed, the classes, states, bugs, documents."""
    now = {path: ReleasedItem(entry, name) for path, entry in staging.files.items()}
    lost = sorted(items(earlier).keys() - known.keys())
    changed = changes_page(name, now, known, earlier, lost, documents)
    whole = {**known, **now}

    def read(path: str) -> bytes:
        made = whole[path].release
        return read_plain(staging.root if made == name else centre.folder / RELEASES / made, path)

    pages = {f"doc/lexicon.doc.{name}": lexicon.render(_lexicon(summary, centre, earlier, centre_state))}
    pages[layout.SPEAKER_TABLE] = spkrinfo.render(SpeakerTable(tuple(speakers)))
    pages["changes.txt"] = changed
    pages["classes.txt"] = classification_page(whole, read, sessions)
    pages |= state_lists(whole, summary.data, centre_state)
    pages |= bug_reports(centre, centre_state)
    entries = {path: item.entry for path, item in whole.items()}
    pages |= description_pages(centre, sessions.values(), entries, read) if sessions else {}
    pages |= documents
    pages["README.txt"] = readme_page(name, centre.settings.name, sessions, earlier, sorted(pages))
    for path, data in pages.items():
        staging.write(path, data)


def _lexicon(
    summary: TextSummary, centre: Centre, earlier: list[ReleaseListing], centre_state: CentreState
) -> CorpusLexicon:
    """Every word of all that is released, and those of the lexicon before; but for words that only a person said who left."""
    counts = Counter(summary.words)
    if earlier and not centre_state.left:
        last = earlier[-1].release
        path = f"doc/lexicon.doc.{last}"
        before = lexicon.parse((centre.folder / RELEASES / last / path).read_bytes(), path)
        for word, _ in before.counts:
            counts[word] = max(1, counts[word])
    return lexicon.of_counts(counts)


def _speakers(
    centre_state: CentreState, state: str, corpus: Corpus, known: Mapping[str, SpeakerInfo]
) -> Iterator[tuple[str, SpeakerInfo]]:
    """What a folder tells of the speakers who are at home in it, with what is known of them."""
    here = {held.session.speaker for held in centre_state.sessions.values() if held.state == state}
    for info in corpus.speakers().values():
        if info.speaker in here:
            yield info.speaker, spkrinfo.completed(known.get(info.speaker), info)
