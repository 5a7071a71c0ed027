"""`curtain release`: releases new and corrected items under the day's date, text at once, sound by volume.

The id is the date; of two releases on a day the second is called `20261123b`. Nobody is in it who is held out, nor in a pilot.
The same call again finds nothing to release and says so. Files are made read-only: a correction is a new release of the item.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.centre import facts as f
from corpus.centre.centre_state import CentreState
from corpus.centre.corpus_tables import corpus_in
from corpus.centre.ledger import FAULTS, RELEASES, Centre
from corpus.centre.pending_withdrawals import refuse_pending_withdrawals
from corpus.centre.recovery import entered
from corpus.centre.release_copies import MANY_COPIES, READ_ONLY, copied
from corpus.centre.release_listing import LISTING as LISTING_FILE
from corpus.centre.release_listing import ReleaseListing, folder_of, read_rows, rendered
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
from corpus.centre.release_tables import ReleasedEntries, ReleasedItems, ReleaseTables
from corpus.centre.states import states_with_work
from corpus.dataset import ndx
from corpus.dataset.reader import Corpus, speech_name
from corpus.dataset.subset import CorpusPart, TextSummary, WantedFile, taken
from corpus.formats import layout, lexicon, spkrinfo
from corpus.formats.errors import FormatFault, counted, status_of
from corpus.formats.lexicon import CorpusLexicon
from corpus.formats.manifest import FORMAT, FileEntry, Manifest, SessionEntry
from corpus.formats.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.io.parallel import Jobs, chosen
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
    refuse_pending_withdrawals(centre, CentreState(centre))
    with scratch_tables() as tables:
        items = ReleaseTables(tables)
        sessions, speakers = _offer(centre, states_with_work(centre, tables, err), items)
        centre_state = CentreState(centre)
        earlier = _add_releases(centre, centre_state, items)
        gone = items.compare()
        pages = {f"{DOCUMENTS}/{path}": data for path, data in documents(centre).items()}
        others = changed_documents(earlier, pages) if earlier else []
        if not (items.count() or gone or others or _is_untold(centre)):
            return None
        name, by = _name(centre, centre_state), jobs(items.count("path LIKE '%.log'") >= MANY_COPIES)
        with entered(centre.place(RELEASES, name), READ_ONLY) as staging:
            summary = _put(staging, items, by)
            _count(centre, items, by, summary)
            staging.write_parts("changes.txt", changes_page(name, items.fresh(), earlier, gone, pages))
            since = earlier[-1].release if earlier else ""
            own = tuple(sessions[key] for key in sorted(sessions))
            corrected = items.count("before IS NOT NULL")
            fact = f.ReleaseMade(
                release=name,
                listing="",
                sessions=tuple(sorted(sessions)),
                items=items.count(),
                new=items.count() - corrected,
                corrected=corrected,
                annotated=items.count("path LIKE '%.cat'"),
                to=centre_state.recipients,
            )
            _add_pages(
                centre, centre_state, staging, earlier, sessions, speakers, items.settle(name), name, pages, summary
            )
            beside = {path: entry.sha256 for path, entry in staging.files.items()}
            listing = ReleaseListing(name, own, {}, {}, beside, gone, since)
            staging.write_parts(LISTING_FILE, rendered(listing, items.entries(), items.replaces()))
            fact = msgspec.structs.replace(fact, listing=staging.files[LISTING_FILE].sha256)
            centre.record(fact)
    for key, what in _HANDED_OUT.items():
        if not getattr(centre.settings, key):
            err.write(f"{name} goes out without {what}: centre.toml names no {key}\n")
    beside_items = f", {counted(len(others), 'document')} changed" if others else ""
    lost = f", {len(gone)} gone" if gone else ""
    told = f"{counted(fact.new, 'new item')}, {fact.corrected} corrected{lost}{beside_items}"
    err.write(f"{name}: {told}; to {', '.join(fact.to) or 'nobody'}\n")
    return fact


def _add_releases(centre: Centre, centre_state: CentreState, items: ReleaseTables) -> list[ReleaseListing]:
    """Add what was released to the items; return the listings of all releases without these, in their order."""
    found = list[ReleaseListing]()
    for made in centre_state.releases:
        keep = partial(items.add_release, made.release)
        found.append(read_rows(folder_of(centre, made.release), keep))
        items.drop(found[-1].gone)
    return found


def corrected_since(centre: Centre, centre_state: CentreState) -> Counter[str]:
    """Count by delivery the items of released sessions that no release has as they are now."""
    units = {
        (held.session.speaker, number): name
        for name, held in centre_state.sessions.items()
        if name in centre_state.released
        for number in held.session.scenarios
    }
    waiting = Counter[str]()
    with scratch_tables() as tables:
        items = ReleaseTables(tables)
        states = centre_state.states()
        _offer(centre, ((states[state], corpus_in(root, tables)) for state, root in centre_state.roots()), items)
        _add_releases(centre, centre_state, items)
        items.compare()
        for root, fresh in items.by_root():
            names = (speech_name(path) for path, _ in fresh)
            waiting[root.name.partition(".")[0]] += sum(n is not None and n.scenario in units for n in names)
    return waiting


def _is_untold(centre: Centre) -> bool:
    """Return whether a release became final that none has told of: the call that was to do so may have been killed."""
    last = next(
        (found.fact for found in reversed(centre.happened) if isinstance(found.fact, f.ReleaseMade | f.ReleaseFinal)),
        None,
    )
    return isinstance(last, f.ReleaseFinal)


def _put(staging: Staging, items: ReleaseTables, jobs: Jobs) -> TextSummary:
    """Write what is new; return what its logs and transcriptions tell, each read once. The machines of a cluster read the
    centre's folder, and need not write to it."""
    summary = TextSummary()
    for root, fresh in items.by_root():
        if jobs.cluster:
            asked = (WantedFile(path, entry) for path, entry in fresh)
            for item, data in taken(Corpus(root, _BARE), asked, jobs, summary):
                staging.copy(item.path, data)
        else:
            summary.join(copied(root, staging.root, fresh, jobs))
    return summary


def _count(centre: Centre, items: ReleaseTables, jobs: Jobs, summary: TextSummary) -> None:
    """Add to the summary what earlier releases tell that stands; raises `Refused` if one is not as it went out."""
    for release, rows in groupby(items.unchanged(), itemgetter(0)):
        root = folder_of(centre, release)
        wanted = (WantedFile(path, entry, held=True) for _, path, entry in rows)
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


def _offer(
    centre: Centre, corpora: Iterable[tuple[set[str], Corpus]], items: ReleaseTables
) -> tuple[dict[str, SessionEntry], list[SpeakerInfo]]:
    """Offer the text of the sessions that may go out; return these and their speakers. Raises `Refused` where one of them is held
    out, which cannot be. Of a corpus nothing else is kept."""
    sessions, speakers, centre_state = dict[str, SessionEntry](), dict[str, SpeakerInfo](), CentreState(centre)
    wanted = {held.session.session for held in centre_state.in_set(RELEASE)}
    for held, corpus in corpora:
        here = wanted & held
        entries = {e.session: e for e in corpus.manifest.sessions if e.session in here and not e.pilot}
        if any(centre_state.sets.get(entry.speaker) == POOL for entry in entries.values()):
            raise Refused(
                f"{corpus.root} would release a speaker who is held out; the ledger and the folder do not agree"
            )
        sessions.update(entries)
        at_home = {centre_state.sessions[session].session.speaker for session in held}
        speakers.update(_speakers(at_home, corpus, speakers))
        items.offer(corpus.root, _items_of(corpus, entries.values()))
    wanted_now = {entry.speaker for entry in sessions.values()}
    return sessions, [info for info in speakers.values() if info.speaker in wanted_now]


def _items_of(corpus: Corpus, entries: Collection[SessionEntry]) -> Iterator[tuple[str, FileEntry]]:
    """The text of some sessions, and what tells of the whole beside them."""
    places = {f"{entry.speaker}/{base36(number, 1)}" for entry in entries for number in entry.scenarios}
    part = CorpusPart(corpus, {entry.speaker for entry in entries}, pilots=False)
    for path, entry in corpus.manifest.files.items():
        if _is_text_in(path, places) or (entries and path.startswith(_OF_THE_WHOLE) and part.holds(path)):
            yield path, entry


def _is_text_in(path: str, places: set[str]) -> bool:
    top, _, rest = path.partition("/")
    if top not in layout.SPEECH or path.endswith(".wav"):
        return False
    return rest.rpartition("/")[0] in places and speech_name(path) is not None


def _add_pages(
    centre: Centre,
    centre_state: CentreState,
    staging: Staging,
    earlier: list[ReleaseListing],
    sessions: Mapping[str, SessionEntry],
    speakers: Iterable[SpeakerInfo],
    whole: ReleasedItems,
    name: str,
    documents: Mapping[str, bytes],
    summary: TextSummary,
) -> None:
    """Everything beside the items: lexicon, speakers, the classes, states, bugs, documents."""

    def read(path: str) -> bytes:
        made = whole[path].release
        return read_plain(staging.root if made == name else centre.folder / RELEASES / made, path)

    pages = {f"doc/lexicon.doc.{name}": lexicon.render(_lexicon(summary, centre, earlier, centre_state))}
    pages[layout.SPEAKER_TABLE] = spkrinfo.render(SpeakerTable(tuple(speakers)))
    pages["classes.txt"] = classification_page(whole, read, sessions)
    pages |= state_lists(whole, summary.data, centre_state)
    drafts = whole.drafts()
    pages[layout.DRAFT_LIST] = ndx.render("drafts", drafts)
    pages |= bug_reports(centre, centre_state)
    pages |= description_pages(centre, sessions.values(), ReleasedEntries(whole), read) if sessions else {}
    pages |= documents
    own = sorted({*pages, "changes.txt"})
    pages["README.txt"] = readme_page(name, centre.settings.name, sessions, earlier, own, len(drafts))
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
    at_home: Collection[str], corpus: Corpus, known: Mapping[str, SpeakerInfo]
) -> Iterator[tuple[str, SpeakerInfo]]:
    """What a folder tells of the speakers who are at home in it, with what is known of them."""
    for info in corpus.speakers().values():
        if info.speaker in at_home:
            yield info.speaker, spkrinfo.completed(known.get(info.speaker), info)
