"""The pages of a release: changes, classes, states, bugs, a README, and descriptions for citation."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from corpus.analysis.paper_tables import CLASSES, TOTAL, aligned
from corpus.centre.centre_settings import SETTINGS
from corpus.centre.centre_state import CentreState
from corpus.centre.ledger import Centre
from corpus.centre.release_listing import ReleasedItem, ReleaseListing
from corpus.centre.release_tables import FreshItem
from corpus.dataset import ndx
from corpus.dataset.reader import speech_name
from corpus.description.corpus_metadata import CorpusMetadata, of_parts
from corpus.description.description_files import descriptions
from corpus.formats import cat, layout, metadata_file
from corpus.formats.errors import FormatFault, counted
from corpus.formats.manifest import FileEntry, SessionEntry
from corpus.formats.safe_lines import escaped
from corpus.io.staging import Refused
from session.study.metadata import Metadata

STATES = ("initial", "prelim", "final")
"""Not annotated yet; annotated, before adjudication; adjudicated."""
Read = Callable[[str], bytes]
DOCUMENTS = "documents"
"""The folder of what is handed out with every release: by what answers are judged."""


def changed_documents(earlier: list[ReleaseListing], documents: Mapping[str, bytes]) -> list[str]:
    """The lines of `changes.txt` on documents: each release has all of them, so they are compared with the last one's."""
    last = earlier[-1] if earlier else None
    before = {
        path: sha256 for path, sha256 in (last.beside if last else {}).items() if path.startswith(f"{DOCUMENTS}/")
    }
    now = {path: hashlib.sha256(data).hexdigest() for path, data in documents.items()}
    return [
        f"gone\t{path}\t\t\t"
        if path not in now
        else f"corrected\t{path}\t{before[path]}\t{now[path]}\t{last.release}"
        if last and path in before
        else f"new\t{path}\t\t{now[path]}\t"
        for path in sorted(before.keys() | now.keys())
        if before.get(path) != now.get(path)
    ]


def changes_page(
    name: str,
    fresh: Iterable[FreshItem],
    earlier: list[ReleaseListing],
    gone: Iterable[str],
    documents: Mapping[str, bytes],
) -> Iterator[bytes]:
    """The new and the corrected items and documents, file by file, with the release that has the form before; line by line."""
    since = earlier[-1].release if earlier else "nothing"
    yield f";; changes of release {name} since {since}: new, or corrected and where it stood before\n".encode()
    for item in fresh:
        kind = "new" if item.before is None else "corrected"
        yield f"{kind}\t{item.path}\t{item.was or ''}\t{item.sha256}\t{item.before or ''}\n".encode()
    for line in (*(f"gone\t{path}\t\t\t" for path in gone), *changed_documents(earlier, documents)):
        yield f"{line}\n".encode()


def classification_page(whole: Mapping[str, ReleasedItem], read: Read, sessions: Mapping[str, SessionEntry]) -> bytes:
    """Classes of all that is released, by site, as a table (MADCOW 1993, table 2); D1 counts as D."""
    sites = {entry.speaker: entry.site for entry in sessions.values()}
    counts: dict[str, Counter[str]] = {}
    for path in whole:
        name = speech_name(path) if path.endswith((".cat", ".sro")) else None
        if name is None:
            continue
        if name.type == "sro":
            found = "all"
        else:
            try:
                found = cat.parse(read(path), path).evaluation.replace("D1", "D")
            except FormatFault:
                continue
        for site in (sites.get(name.stem.speaker, "?"), TOTAL):
            counts.setdefault(site, Counter())[found] += 1
    rows = [
        [
            site,
            *(f"{own[kind]} {100 * own[kind] / (sum(own[k] for k in CLASSES) or 1):.1f} %" for kind in CLASSES),
            str(sum(own[kind] for kind in CLASSES)),
            str(own["all"]),
        ]
        for site, own in sorted(counts.items(), key=lambda row: (row[0] == TOTAL, row[0]))
    ]
    return aligned(("site", *CLASSES, "classified", "utterances"), rows).encode()


def state_lists(whole: Mapping[str, ReleasedItem], data: Iterable[str], centre_state: CentreState) -> dict[str, bytes]:
    """Lists of the utterances in each state; `data` are all that are data, by their places."""
    states: dict[str, list[str]] = {state: [] for state in STATES}
    for place in data:
        annotated = whole.get(f"{place}.cat")
        state = "initial" if annotated is None else "final" if annotated.release in centre_state.final else "prelim"
        states[state].append(place)
    return {f"doc/{state}.ndx": ndx.render(state, places) for state, places in states.items()}


def bug_reports(centre: Centre, centre_state: CentreState) -> dict[str, bytes]:
    """Every bug with what became of it, and a list of those that are open; but for those of people who have left or are in the
    test pool, of whom nothing goes out."""
    pages = dict[str, bytes]()
    told = {number: bug for number, bug in centre_state.bugs.items() if centre_state.may_tell(bug)}
    for number, bug in sorted(told.items()):
        lines = [f"bug {number}: {escaped(bug.item)}", f"reported by {escaped(bug.reporter)}: {escaped(bug.text)}"]
        lines += [f"{judged.state}: {escaped(judged.reason)}" for judged in centre_state.bug_states.get(number, ())]
        pages[f"bug_rpts/{number:04}.txt"] = "\n".join((*lines, "")).encode()
    opened = [
        f"{bug.bug}\t{escaped(bug.item)}\t{escaped(bug.text)}" for bug in centre_state.open_bugs if bug.bug in told
    ]
    pages["bug_rpts/open.txt"] = "\n".join((f";; {len(opened)} open", *opened, "")).encode()
    return pages


def readme_page(
    name: str,
    centre: str,
    sessions: Mapping[str, SessionEntry],
    earlier: list[ReleaseListing],
    pages: Iterable[str],
    drafts: int,
) -> bytes:
    """A page on what a release is and what lies where, for anyone who opens it in twenty years."""
    sites = Counter(entry.site for entry in sessions.values())
    rehearsal = any(entry.rehearsal for entry in sessions.values())
    lines = [
        f"Release {name} of {centre}",
        *(["REHEARSAL: scripted people spoke here; do not take it for data."] if rehearsal else []),
        "",
        f"{len(sessions)} sessions are released so far: "
        + (", ".join(f"{site} {number}" for site, number in sorted(sites.items())) or "none"),
        f"This release holds what is new or corrected since {earlier[-1].release if earlier else 'the beginning'}.",
        "The text is here; waveforms come by volume. Nothing of a release is ever changed: a correction is a new release of",
        "the item, and changes.txt names the release that has the form before. Only who withdraws is taken out everywhere.",
        *(
            [f"Of {counted(drafts, 'utterance')} the transcription is a draft, typed in the session: doc/drafts.ndx."]
            if drafts
            else []
        ),
        "",
        "release.json lists every file with its SHA-256 and says who transcribed it. Beside the items:",
        *(f"  {page}" for page in pages),
    ]
    return "\n".join((*lines, "")).encode()


def description_pages(
    centre: Centre,
    sessions: Iterable[SessionEntry],
    files: Mapping[str, FileEntry],
    read: Read,
) -> dict[str, bytes]:
    """The descriptions of these sessions and files, by path; raises `Refused` if title, description, creators, licence or
    contact is not stated."""
    paths = [path for path in sorted(files) if path.startswith(f"{layout.METADATA}/")]
    stated = [metadata_file.parse(read(path), path) for path in paths]
    own = centre.settings.metadata
    found = of_parts(stated, sessions, files, whole=None if own == Metadata() else own)
    if lacking := _lacking(found):
        raise Refused(
            f"nothing is released without {', '.join(lacking)}: write it under [metadata] of {centre.folder / SETTINGS}, or "
            "have the sites state it in study.toml and deliver again"
        )
    return descriptions(found, files, read)


def _lacking(found: CorpusMetadata) -> list[str]:
    said = {
        "title": found.title,
        "description": found.description,
        "creators": found.creators,
        "licence": found.licence,
        "contact": found.contacts,
    }
    return [key for key, value in said.items() if not value]
