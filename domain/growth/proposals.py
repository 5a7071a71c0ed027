"""Proposals for a domain, each tried on the whole log: what speaks for a line, and what it would change.

A line is proposed where with it a request comes out as the statement that the wizard sent, and no request that came out so
before comes out otherwise. Nothing is guessed: each line was put into the domain in memory, and every request read again.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence

import msgspec

from domain.english.engine import Engine
from domain.english.model.domain import DomainModel
from domain.english.reading import Reading
from domain.english.text.function_words import phrases
from domain.english.text.tokens import read_words
from domain.growth.domain_line import DomainLine, WantedPhrase, is_word_of, lines_for
from domain.growth.logged_requests import LoggedRequest, Way
from domain.growth.statement_shape import same_rows, shape_of
from session.values.answers import QueryFailure, Table

MOST_WORDS = 4
"""Words of a phrase: more are a request of their own."""
LONGEST_SLIP = 2
"""Letters by which a misspelt word may be longer or shorter; its first one stays."""


class Changed(msgspec.Struct, frozen=True):
    """A request of the log that a line makes read otherwise, with its paraphrase before and after; empty for none."""

    request: LoggedRequest
    before: str
    after: str


class Proposal(msgspec.Struct, frozen=True):
    """A line, the requests that come out as they were sent with it and not without, and the others that it changes."""

    line: DomainLine
    speaking: tuple[LoggedRequest, ...]
    changed: tuple[Changed, ...]


class Growth:
    """Lessons of a log of requests for a domain; `own` is what its `domain.toml` says, `run` a sandbox's, as statements in the
    log may be anybody's."""

    def __init__(
        self, own: DomainModel, engine: Engine, log: Sequence[LoggedRequest], run: Callable[[str], Table]
    ) -> None:
        self._own, self._engine, self._log, self._run = own, engine, log, run
        self._tables: dict[str, Table | None] = {}
        self._before = self._read(engine)
        self._sent = [self._is_sent(*pair) for pair in zip(log, self._before, strict=True)]

    @property
    def unanswered(self) -> list[LoggedRequest]:
        """The requests that do not come out as they were sent."""
        read = zip(self._log, self._before, self._sent, strict=True)
        return [request for request, reading, sent in read if not sent or (reading and reading.unused)]

    def proposals(self) -> list[Proposal]:
        """Return the proposals, those first for which most requests speak; of lines for one phrase with the same requests the
        one that is beside what the wizard put there, or else says most."""
        found: list[Proposal] = []
        effects: set[object] = set()
        for spoken, requests in self._spoken():
            of_phrase: list[Proposal] = []
            for line in lines_for(self._own, self._engine, spoken):
                if is_word_of(self._engine.model, line):
                    continue
                engine = self._engine.with_model(line.put_into(self._engine.model))
                out = {request for request in requests if self._comes_out(engine, line, request)}
                if not out or any(out <= {*other.speaking} for other in of_phrase):
                    continue
                read = self._read_with(engine, line)
                effect = tuple(reading and (reading.sql, reading.unused) for reading in read)
                proposal = self._tried(line, read) if effect not in effects else None
                if proposal:
                    effects.add(effect)
                    of_phrase.append(proposal)
            found += of_phrase
        return sorted(found, key=lambda one: (-len(one.speaking), len(one.changed)))

    def _spoken(self) -> Iterator[tuple[WantedPhrase, list[LoggedRequest]]]:
        """The phrases that want a meaning, each with the requests that do not come out because of it."""
        requests: dict[str, list[LoggedRequest]] = {}
        instead: dict[str, set[str]] = {}
        for request in self.unanswered:
            for phrase, other in dict.fromkeys(_phrases(self._engine, request)):
                instead.setdefault(phrase, set()).add(other)
                if request not in requests.setdefault(phrase, []):
                    requests[phrase].append(request)
        for phrase, own in requests.items():
            sent = tuple((request.said, request.sent) for request in own)
            yield WantedPhrase(phrase, sent, frozenset(instead[phrase] - {""})), own

    def holds(self, chosen: Sequence[Proposal]) -> bool:
        """Return whether lines go together: all that speaks for one still comes out as it was sent, and nothing is broken."""
        model = self._engine.model
        for proposal in chosen:
            model = proposal.line.put_into(model)
        read = self._read(self._engine.with_model(model))
        wanted = {request for proposal in chosen for request in proposal.speaking}
        return all(
            self._is_sent(request, reading) and not (request in wanted and reading and reading.unused)
            for request, reading, sent in zip(self._log, read, self._sent, strict=True)
            if sent or request in wanted
        )

    def _comes_out(self, engine: Engine, line: DomainLine, request: LoggedRequest) -> bool:
        reading = _first(engine, request)
        if reading is None or {*line.phrase.split()} & {word for part in reading.unused for word in part.split()}:
            return False
        return self._is_sent(request, reading)

    def _tried(self, line: DomainLine, read: Sequence[Reading | None]) -> Proposal | None:
        """The proposal of a line with which the log is read so; None if it breaks a request."""
        speaking, changed = [], []
        for request, sent, before, after in zip(self._log, self._sent, self._before, read, strict=True):
            now = self._is_sent(request, after)
            if sent and not now:
                return None
            if now and after and not after.unused and not (sent and before and not before.unused):
                speaking.append(request)
            elif (before and (before.sql, before.unused)) != (after and (after.sql, after.unused)):
                changed.append(Changed(request, _said(before), _said(after)))
        return Proposal(line, tuple(speaking), tuple(changed)) if speaking else None

    def _read_with(self, engine: Engine, line: DomainLine) -> list[Reading | None]:
        """The log with a line more; a request in which nothing is like its phrase is read as before."""
        return [
            _first(engine, request) if _may_hold(request, line.phrase) else before
            for request, before in zip(self._log, self._before, strict=True)
        ]

    def _read(self, engine: Engine) -> list[Reading | None]:
        return [_first(engine, request) for request in self._log]

    def _is_sent(self, request: LoggedRequest, reading: Reading | None) -> bool:
        """Return whether a request comes out as it was sent: the same statement, or one of the same shape with the same rows."""
        if reading is None:
            return False
        if reading.sql in request.sent:
            return True
        if request.way is Way.REWORDED and reading.sql != self._reworded(request):
            return False
        found, shape = self._table(reading.sql), shape_of(reading.sql, self._engine.dialect_name)
        alike = [sql for sql in request.sent if shape_of(sql, self._engine.dialect_name) == shape]
        tables = [table for table in map(self._table, alike) if table is not None]
        return found is not None and any(same_rows(table, found, reading.minimal_columns) for table in tables)

    def _reworded(self, request: LoggedRequest) -> str:
        """The statement that the wizard's words are read as now: the program may write it otherwise than when she sent it."""
        reading = _first(self._engine, msgspec.structs.replace(request, said=request.asked))
        return reading.sql if reading is not None else ""

    def _table(self, sql: str) -> Table | None:
        """The rows of a statement; None if it has none, or more than can be compared."""
        if sql not in self._tables:
            try:
                table = self._run(sql)
            except QueryFailure:
                self._tables[sql] = None
            else:
                self._tables[sql] = table if table.rows and not table.more else None
        return self._tables[sql]


def _first(engine: Engine, request: LoggedRequest) -> Reading | None:
    return next(iter(engine.ask(request.said, request.context).readings), None)


def _may_hold(request: LoggedRequest, phrase: str) -> bool:
    """Return whether a phrase, however it is misspelt or broken into words, may stand in a request or in those before it."""
    earlier = (turn if isinstance(turn, str) else turn.text for turn in request.context)
    text = " ".join((request.said, *earlier)).lower()
    if "".join(phrase.split()) in "".join(text.split()):
        return True
    words = {(word[0], len(word)) for word in text.split()} | {(t.text[0], len(t.text)) for t in read_words(text)}
    near = range(-LONGEST_SLIP, LONGEST_SLIP + 1)
    return all(any((word[0], len(word) + off) in words for off in near) for word in phrase.split())


def _said(reading: Reading | None) -> str:
    if reading is None:
        return ""
    return reading.paraphrase + (f" (without: {', '.join(reading.unused)})" if reading.unused else "")


def _phrases(engine: Engine, request: LoggedRequest) -> Iterator[tuple[str, str]]:
    """The phrases of a request that may want a meaning: words that nobody knows, together and one by one, and what was
    reworded with such a word in it, with what is in its place."""
    if request.settled:
        return
    items = engine.items(request.said)
    unknown = {item.words for item in items if any(sense.what == "unknown" for sense in item.senses)}
    runs = " ".join(item.words if item.words in unknown else "|" for item in items).split("|")
    words = [token.text for token in read_words(request.said)]
    found = [(run.split(), [""]) for run in runs] + [([item.words], [""]) for item in items if item.words in unknown]
    other = [token.text for token in read_words(request.asked)] if request.way is Way.REWORDED else []
    matcher = difflib.SequenceMatcher(None, words, other, autojunk=False)
    for tag, first, last, begin, end in matcher.get_opcodes() if other else ():
        part, put = words[first:last], other[begin:end]
        if tag in {"replace", "delete"} and {*part} & unknown:
            found += [(part, put), (_trimmed(part), _trimmed(put))]
    for part, put in found:
        if 0 < len(part) <= MOST_WORDS and not any(word.isdigit() for word in part):
            yield " ".join(part), " ".join(put)


_FILLERS = frozenset(phrases("fillers"))


def _trimmed(words: Sequence[str]) -> list[str]:
    """The words without articles and the like before them."""
    at = next((place for place, word in enumerate(words) if word not in _FILLERS), len(words))
    return list(words[at:])
