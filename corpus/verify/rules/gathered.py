"""Observations of the checks of all subject-scenarios, gathered to be held together at the end.

By the file and the utterance it is in tables on disk; in memory there is what people, sessions and words are.
"""

import pickle
import sqlite3
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

import msgspec

from corpus.formats import layout
from corpus.verify.rules.context import Context, CorpusFacts, ExpectedDraft, LogSummary, Observations
from corpus.verify.rules.findings import Findings

Draft = tuple[str, bytes]
_summary = msgspec.msgpack.Decoder(LogSummary)


class CorpusObservations:
    """Observations of a whole corpus, joined in any order. `speakers`, `formats`, `words`, `unread` and `spoken` are as in
    `Observations`."""

    def __init__(self, tables: sqlite3.Connection) -> None:
        self._tables = tables
        some = Observations()
        self.speakers, self.formats, self.words = some.speakers, some.formats, some.words
        self.unread, self.spoken = some.unread, some.spoken

    def join(self, seen: Observations) -> None:
        """Add what was seen of some subject-scenarios."""
        self.speakers.update(seen.speakers)
        self.words.update(seen.words)
        self.unread.update(seen.unread)
        self.spoken.update(seen.spoken)
        for name, path in seen.formats.items():
            self.formats.setdefault(name, path)
        many = self._tables.executemany
        many("INSERT INTO take VALUES (?, ?, ?)", [(_key(take), path, line) for take, path, line in seen.takes])
        many("INSERT INTO sound VALUES (?, ?)", seen.sounds)
        many(
            "INSERT INTO log VALUES (?, ?, ?, ?)",
            [(log.path, _key(log.session), _key(log.speaker), _packed(log)) for log in seen.logs],
        )
        # An utterance in two directories is none where one of them says so.
        many(
            "INSERT INTO utterance VALUES (?, ?) ON CONFLICT DO UPDATE SET apart = apart OR excluded.apart",
            [(name, name in seen.apart) for name in seen.utterances],
        )
        many(
            "INSERT OR REPLACE INTO draft VALUES (?, ?, ?, ?)",
            [(path, _answer(path), version, digest) for path, (version, digest) in seen.drafts.items()],
        )
        many(
            "INSERT OR REPLACE INTO answered VALUES (?, ?, ?, ?, ?)",
            [(name, _key(it.version), it.rows, it.digest, it.values) for name, it in seen.answered.items()],
        )

    def takes(self) -> Iterator[tuple[str, str, int]]:
        """The takes that are in more than one place, with these places, in order."""
        found = self._tables.execute(
            "SELECT take, path, line FROM take WHERE take IN (SELECT take FROM take GROUP BY take HAVING count(*) > 1)"
            " ORDER BY take, path, line"
        )
        for take, path, line in found:
            yield _text(take), path, line

    def sounds(self) -> Iterator[tuple[bytes, str]]:
        """The digests of samples that more than one file has, with these files, in order."""
        yield from self._tables.execute(
            "SELECT digest, path FROM sound WHERE digest IN"
            " (SELECT digest FROM sound GROUP BY digest HAVING count(*) > 1) ORDER BY digest, path"
        )

    @property
    def logs(self) -> Iterator[LogSummary]:
        """The summaries of all logs by their paths."""
        return self._logs("path")

    def sessions(self) -> Iterator[list[LogSummary]]:
        """The summaries of each session's logs by their paths."""
        return (list(logs) for _, logs in groupby(self._logs("session, path"), attrgetter("session")))

    def people(self) -> Iterator[list[LogSummary]]:
        """The summaries of each speaker's logs by their paths."""
        return (list(logs) for _, logs in groupby(self._logs("speaker, path"), attrgetter("speaker")))

    def _logs(self, order: str) -> Iterator[LogSummary]:
        for (summary,) in self._tables.execute(f"SELECT summary FROM log ORDER BY {order}"):
            yield _unpacked(summary)

    @property
    def utterances(self) -> int:
        """The number of utterances."""
        count: int = self._tables.execute("SELECT count(*) FROM utterance").fetchone()[0]
        return count

    def has_utterance(self, name: str) -> bool:
        """Return whether there is an utterance of this name."""
        return self._tables.execute("SELECT 1 FROM utterance WHERE name = ?", (name,)).fetchone() is not None

    def data(self) -> Iterator[str]:
        """The names of the utterances that are data."""
        for (name,) in self._tables.execute("SELECT name FROM utterance WHERE NOT apart"):
            yield name

    def drafts(self) -> Iterator[tuple[str, Draft, ExpectedDraft | None]]:
        """Each draft answer: its path, what it is, and what it is by the log."""
        for path, version, digest, *expected in self._tables.execute(
            "SELECT path, draft.version, draft.digest, answered.version, rows, answered.digest, worth"
            " FROM draft LEFT JOIN answered USING (answer) ORDER BY path"
        ):
            right = None if expected[0] is None else ExpectedDraft(_text(expected[0]), *expected[1:])
            yield path, (version, digest), right


class CorpusContext(Context):
    """Context of the checks that need the whole corpus; `gathered` is what was seen of all of it."""

    def __init__(self, known: CorpusFacts, findings: Findings, gathered: CorpusObservations) -> None:
        super().__init__(known, findings)
        self.gathered = gathered


def _packed(log: LogSummary) -> bytes:
    try:
        return msgspec.msgpack.encode(log)
    except UnicodeEncodeError:  # an escape in a log may stand for half a character
        return pickle.dumps(log)


def _unpacked(summary: bytes) -> LogSummary:
    if summary.startswith(pickle.PROTO):
        found: LogSummary = pickle.loads(summary)  # what this process has written
        return found
    return _summary.decode(summary)


def _key(text: str) -> bytes:
    """A text of a log: it may hold what no text in UTF-8 does."""
    return text.encode("utf-8", "surrogatepass")


def _text(key: bytes) -> str:
    return key.decode("utf-8", "surrogatepass")


def _answer(path: str) -> str:
    """The utterance to which a draft answer belongs by its path; empty for what is not a draft answer."""
    name, _, kind = path.rpartition("/")[2].partition(".")
    return name if kind in (layout.DRAFT, layout.EARLY_DRAFT) and path == f"{layout.DRAFTS}/{name}.{kind}" else ""
