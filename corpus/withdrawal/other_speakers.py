"""Who stays when somebody leaves, and what they said: wherever a name may stand that the work beside a corpus masks.

That is the corpus, those beside it, which share its work, and the studies that take finished transcriptions from there: somebody
may have spoken in a study since the corpus was made of it. What cannot be read now may have the name too.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TextIO

from corpus.annotation.apply import Rewriting, unescaped
from corpus.dataset.reader import Corpus, speech_name
from corpus.export.exclusions import has_withdrawn
from corpus.export.session_files import Options, files_of
from corpus.export.source import Collected
from corpus.formats.errors import FormatFault, told_of
from corpus.formats.log import file as logfile
from corpus.formats.log.projection import logs_of
from corpus.formats.manifest import is_in
from corpus.io.progress import followed
from corpus.withdrawal.keep_masks import Staying, Unread
from session.collection import open_session
from session.events import SessionOpened
from session.store.event_store import UNREADABLE, Store, StoreUnavailable
from session.study.folder import load
from session.study.toml_reader import StudyError
from session.values.names import StemName

_UNREADABLE = (*UNREADABLE, ValueError, LookupError, OverflowError)


class Silence:
    """A source that holds nothing: names of files and texts do not depend on what is in a recording."""

    names: tuple[str, ...] = ()

    def collected(self, name: str) -> Collected:
        raise KeyError(name)

    def head(self, name: str) -> str:
        return ""

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        return None

    def protocol_file(self, sha256: str) -> bytes | None:
        return None


def in_corpus(corpus: Corpus, gone: Collection[str], err: TextIO | None = None) -> Iterator[Staying]:
    """All of a corpus but the `gone` sessions, as it was before anything was masked; raises `FormatFault`, OSError.

    Progress goes to `err`, here and below.
    """
    for path, stem in _followed(_others(corpus, gone), err):
        yield _in_log(corpus, path, stem)


def in_corpora(
    folder: Path, gone: Collection[str], but: Path | None = None, err: TextIO | None = None
) -> Iterator[Staying | Unread]:
    """The same of the corpora in a folder. What is wrong with another corpus stops nobody from leaving."""
    for root in sorted(folder.iterdir()):
        if root == but or not is_in(root):
            continue
        try:
            corpus = Corpus(root)
            paths = _others(corpus, gone)
        except (FormatFault, OSError) as error:
            yield Unread(str(root), told_of(error))
            continue
        for path, stem in _followed(paths, err):
            try:
                yield _in_log(corpus, path, stem)
            except (FormatFault, OSError) as error:
                yield Unread(str(root), told_of(error))


def in_study(folder: Path, gone: Collection[str], err: TextIO | None = None) -> Iterator[Staying | Unread]:
    """The same of a study, which may be elsewhere now or at fault."""
    try:
        with closing(Store(load(folder).store_url)) as store:
            yield from in_store(store, gone, err)
    except (StudyError, StoreUnavailable, OSError) as error:
        yield Unread(str(folder), told_of(error))


def in_store(store: Store, gone: Collection[str], err: TextIO | None = None) -> Iterator[Staying | Unread]:
    """The same of a study whose store is open."""
    names = [name for name in open_session.session_names(store) if name not in gone]
    for name in followed(names, err, "sessions of others", len(names)):
        try:
            yield from _in_session(Collected(name, store.read(name)))
        except _UNREADABLE as error:
            yield Unread(f"session {name}", told_of(error))


def _in_session(collected: Collected) -> list[Staying]:
    if has_withdrawn(collected) or not any(isinstance(each.event, SessionOpened) for each in collected.facts):
        return []
    files = [file for file in files_of(collected, Silence(), Options()) if file.data]
    texts = {file.path: unescaped(file.data) for file in files if not file.path.endswith((".sro", ".lsn"))}
    found, logs = (tuple(texts.values()), _forms(texts)), logs_of(collected.facts)
    return [Staying(each.stem, each.log, *(((), ()) if at else found)) for at, each in enumerate(logs)]


def _others(corpus: Corpus, gone: Collection[str]) -> list[tuple[str, StemName]]:
    speakers = {entry.speaker for entry in corpus.manifest.sessions if entry.session in gone}
    names = ((path, speech_name(path)) for path in corpus.logs)
    return [(path, name.stem) for path, name in names if name is not None and name.stem.speaker not in speakers]


def _followed(others: list[tuple[str, StemName]], err: TextIO | None) -> Iterator[tuple[str, StemName]]:
    return followed(others, err, "subject-scenarios of others", len(others))


def _in_log(corpus: Corpus, path: str, stem: StemName) -> Staying:
    rewriting = Rewriting(corpus.root)
    texts = {each: unescaped(rewriting.original(each)) for each in corpus.texts(path)}
    return Staying(stem, logfile.parse(rewriting.original(path), path), tuple(texts.values()), _forms(texts))


def _forms(texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The questionnaires among some texts, by the names of their files."""
    return tuple((path.rpartition("/")[2], text) for path, text in texts.items() if path.endswith(".squ"))
