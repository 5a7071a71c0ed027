"""The model of all descriptions of a corpus: the sites' metadata, and data from the manifest."""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

import msgspec

from corpus.dataset.reader import Corpus
from corpus.formats import layout, metadata_file
from corpus.formats.manifest import IMPORT, FileEntry, Provenance, SessionEntry
from session.study.metadata import Creator, Metadata
from session.values.names import SessionName

UNDATED = "1970-01-01"


class CorpusMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """Metadata of a corpus of one site or several: texts that sites give differently are beside each other.

    `licences` are SPDX's identifiers, `languages` tags of BCP 47; `first` and `last` are the days of the sessions. `recorded` are
    the wizards or sites that recorded, `transcribed` and `checked` those who did so, by the names in the manifest. Nobody
    here knows who recorded what was `imported`, how and when.
    """

    title: str
    description: str
    creators: tuple[Creator, ...]
    licences: tuple[str, ...]
    languages: tuple[str, ...]
    contacts: tuple[str, ...]
    funding: tuple[str, ...]
    ethics: tuple[str, ...]
    citations: tuple[str, ...]
    keywords: tuple[str, ...]
    publisher: str
    doi: str
    published: str
    first: str
    last: str
    sites: tuple[str, ...]
    speakers: int
    recorded: tuple[str, ...] = ()
    transcribed: tuple[str, ...] = ()
    checked: tuple[str, ...] = ()
    rehearsal: bool = False
    imported: bool = False

    @property
    def licence(self) -> str:
        """Return the licence as one expression of SPDX."""
        return " AND ".join(self.licences)

    @property
    def licence_page(self) -> str:
        """Return the page of the licence; an own licence has a name alone."""
        if len(self.licences) == 1 and not self.licences[0].startswith("LicenseRef-"):
            return f"https://spdx.org/licenses/{self.licences[0]}"
        return self.licence

    @property
    def page(self) -> str:
        """Return where the corpus is to be found: its DOI, otherwise its contact."""
        return f"https://doi.org/{self.doi}" if self.doi else next((c for c in self.contacts if "://" in c), "")


def stated_in(corpus: Corpus) -> dict[str, Metadata]:
    """Return what the sites of a corpus state of it, by path; raises `FormatFault`."""
    paths = sorted(path for path in corpus.manifest.files if path.startswith(f"{layout.METADATA}/"))
    return {path: metadata_file.parse(corpus.read(path), path) for path in paths}


def described(corpus: Corpus, wizards: Iterable[str] = (), whole: Metadata | None = None) -> CorpusMetadata | None:
    """The description of a corpus, None if nobody states anything; `wizards` recorded it, and what is said of the `whole`
    stands for what the sites say."""
    manifest = corpus.manifest
    stated = tuple(stated_in(corpus).values())
    if not stated and whole is None:
        return None
    return of_parts(stated, manifest.sessions, manifest.files, wizards, whole)


def of_parts(
    stated: Iterable[Metadata],
    sessions: Iterable[SessionEntry],
    files: Mapping[str, FileEntry],
    wizards: Iterable[str] = (),
    whole: Metadata | None = None,
) -> CorpusMetadata:
    """The description of these sessions and files."""
    sessions = tuple(sessions)
    parts = ([] if whole is None else [whole]) + [*stated]
    days = sorted(_days(sessions)) or [UNDATED]
    works = [work for entry in files.values() if entry.work for work in _all_work(entry.work)]
    return CorpusMetadata(
        title=" / ".join(_texts(parts, "title", whole)),
        description="\n\n".join(_texts(parts, "description", whole)),
        creators=_creators(parts),
        licences=_texts(parts, "licence", whole),
        languages=_texts(parts, "language", whole),
        contacts=_texts(parts, "contact", whole),
        funding=_texts(parts, "funding", None),
        ethics=_texts(parts, "ethics", None),
        citations=_texts(parts, "citation", whole),
        keywords=tuple(dict.fromkeys(word for part in parts for word in part.keywords)),
        publisher=" / ".join(_texts(parts, "publisher", whole)),
        doi=next((part.doi for part in parts if part.doi), "") if whole or len(parts) == 1 else "",
        published=max((part.published for part in parts if part.published), default=days[-1]),
        first=days[0],
        last=days[-1],
        sites=tuple(sorted({entry.site for entry in sessions})),
        speakers=len({entry.speaker for entry in sessions}),
        recorded=tuple(sorted({*filter(None, wizards)})),
        transcribed=tuple(
            sorted({name for work in works if (name := work.transcriber) and not name.startswith(IMPORT)})
        ),
        checked=tuple(sorted({work.checker for work in works} - {""})),
        rehearsal=any(entry.rehearsal for entry in sessions),
        imported=bool(sessions) and all(entry.imported for entry in sessions),
    )


def _texts(parts: Iterable[Metadata], key: str, whole: Metadata | None) -> tuple[str, ...]:
    """Return what the parts say, each once; of a text that is stated of the whole, that alone."""
    if whole is not None and getattr(whole, key):
        return (getattr(whole, key),)
    return tuple(dict.fromkeys(text for part in parts if (text := getattr(part, key))))


def _creators(parts: Iterable[Metadata]) -> tuple[Creator, ...]:
    found: dict[str, Creator] = {}
    for creator in (creator for part in parts for creator in part.creators):
        found.setdefault(creator.orcid or creator.name, creator)
    return tuple(found.values())


def _days(sessions: Iterable[SessionEntry]) -> Iterator[str]:
    for entry in sessions:
        with suppress(ValueError):
            yield datetime.date.fromisoformat(SessionName.parse(entry.session).date).isoformat()


def _all_work(work: Provenance) -> Iterator[Provenance]:
    yield work
    for earlier in work.before:
        yield from _all_work(earlier)
