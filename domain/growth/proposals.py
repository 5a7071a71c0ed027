"""Proposals for a domain, each tested on the whole log: its evidence and its side effects.

A line is proposed when it makes a request yield the statement that the wizard sent and changes no request that already did.
Nothing is guessed: each line was added in memory and every request read again.
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
from domain.growth.logged_requests import LoggedRequest, RequestOrigin
from domain.growth.statement_shape import same_rows, shape_of
from session.values.answers import QueryFailure, Table

MOST_WORDS = 4
"""Most words of a phrase; longer ones are requests of their own."""
LONGEST_SLIP = 2
"""Most letters by which a misspelt word differs in length; its first letter must match."""


class Changed(msgspec.Struct, frozen=True):
    """A logged request whose reading a line changes, with its paraphrases before and after; empty for no reading."""

    request: LoggedRequest
    before: str
    after: str


class Proposal(msgspec.Struct, frozen=True):
    """A line, the requests that yield the sent statement only with it (its evidence), and the other requests that it
    changes."""

    line: DomainLine
    speaking: tuple[LoggedRequest, ...]
    changed: tuple[Changed, ...]


class Growth:
    """Derives proposals from a log of requests. `own` is the content of `domain.toml`; `run` executes in a sandbox, since
    statements in the log are untrusted."""

    def __init__(
        self, own: DomainModel, engine: Engine, log: Sequence[LoggedRequest], run: Callable[[str], Table]
    ) -> None:
        self._own, self._engine, self._log, self._run = own, engine, log, run
        self._tables: dict[str, Table | None] = {}
        self._before = self._read(engine)
        self._sent = [self._is_sent(*pair) for pair in zip(log, self._before, strict=True)]

    @property
    def unanswered(self) -> list[LoggedRequest]:
        """Return the requests whose reading is not the sent statement, or leaves words unused."""
        read = zip(self._log, self._before, self._sent, strict=True)
        return [request for request, reading, sent in read if not sent or (reading and reading.unused)]

    def proposals(self) -> list[Proposal]:
        """Return the proposals, those with the most evidence first. Among lines for one phrase with the same evidence, the
        one that matches the wizard's rewording or else the most specific is kept."""
        found: list[Proposal] = []
        effects: set[object] = set()
        for spoken, requests in self._wanted_phrases():
            of_phrase: list[Proposal] = []
            for line in lines_for(self._own, self._engine, spoken):
                if is_word_of(self._engine.model, line):
                    continue
                engine = self._engine.with_model(line.put_into(self._engine.model))
                out = {request for request in requests if self._yields_sent(engine, line, request)}
                if not out or any(out <= {*other.speaking} for other in of_phrase):
                    continue
                read = self._read_with(engine, line)
                effect = tuple(reading and (reading.sql, reading.unused) for reading in read)
                proposal = self._propose(line, read) if effect not in effects else None
                if proposal:
                    effects.add(effect)
                    of_phrase.append(proposal)
            found += of_phrase
        return sorted(found, key=lambda one: (-len(one.speaking), len(one.changed)))

    def _wanted_phrases(self) -> Iterator[tuple[WantedPhrase, list[LoggedRequest]]]:
        """Yield the phrases without a sense, each with the requests that fail because of it."""
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
        """Return whether lines are compatible: together they keep the evidence for each and break no request."""
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

    def _yields_sent(self, engine: Engine, line: DomainLine, request: LoggedRequest) -> bool:
        reading = _first(engine, request)
        if reading is None or {*line.phrase.split()} & {word for part in reading.unused for word in part.split()}:
            return False
        return self._is_sent(request, reading)

    def _propose(self, line: DomainLine, read: Sequence[Reading | None]) -> Proposal | None:
        """Return the proposal of a line, given the log read with it; None if it breaks a request."""
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
        """Return the log read with the line; a request that cannot contain its phrase keeps its reading."""
        return [
            _first(engine, request) if _may_hold(request, line.phrase) else before
            for request, before in zip(self._log, self._before, strict=True)
        ]

    def _read(self, engine: Engine) -> list[Reading | None]:
        return [_first(engine, request) for request in self._log]

    def _is_sent(self, request: LoggedRequest, reading: Reading | None) -> bool:
        """Return whether a reading is equivalent to what was sent: the same statement, or the same shape with the same
        rows."""
        if reading is None:
            return False
        if reading.sql in request.sent:
            return True
        if request.origin is RequestOrigin.REWORDED and reading.sql != self._reworded(request):
            return False
        found, shape = self._table(reading.sql), shape_of(reading.sql, self._engine.dialect_name)
        alike = [sql for sql in request.sent if shape_of(sql, self._engine.dialect_name) == shape]
        tables = [table for table in map(self._table, alike) if table is not None]
        return found is not None and any(same_rows(table, found, reading.minimal_columns) for table in tables)

    def _reworded(self, request: LoggedRequest) -> str:
        """Return the statement that the wizard's rewording yields now, which may differ from the one sent."""
        reading = _first(self._engine, msgspec.structs.replace(request, said=request.asked))
        return reading.sql if reading is not None else ""

    def _table(self, sql: str) -> Table | None:
        """Return the rows of a statement; None if it has none, or too many to compare."""
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
    """Return whether a phrase, possibly misspelt or split, may occur in a request or the ones before it."""
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
    """Yield the phrases of a request that may lack a sense, each with its rewording: unknown words, together and one by one,
    and reworded spans that contain one."""
    if request.settled:
        return
    items = engine.items(request.said)
    unknown = {item.words for item in items if any(sense.what == "unknown" for sense in item.senses)}
    runs = " ".join(item.words if item.words in unknown else "|" for item in items).split("|")
    words = [token.text for token in read_words(request.said)]
    found = [(run.split(), [""]) for run in runs] + [([item.words], [""]) for item in items if item.words in unknown]
    other = [token.text for token in read_words(request.asked)] if request.origin is RequestOrigin.REWORDED else []
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
    """Return the words without leading articles and fillers."""
    at = next((place for place, word in enumerate(words) if word not in _FILLERS), len(words))
    return list(words[at:])
