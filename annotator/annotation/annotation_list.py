"""The utterances of a corpus in the order in which they were spoken, each with its state and annotators, never with their
annotations."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping

import msgspec

from corpus.dataset.reader import Corpus
from domain.principles import PrincipleSet
from session.annotation.annotated import ANNOTATION, DOUBLES, PRINCIPLES, PROPOSAL, RULING, StreamName
from session.annotation.annotation_facts import (
    AnnotationBegun,
    AnnotationChecked,
    AnnotationReopened,
    AnnotationRevised,
    AnnotationSubmitted,
    ChangeRequested,
    DoublesDrawn,
    PrinciplesAdopted,
)
from session.annotation.store import Work, take_of, transcription_streams
from session.annotation.transcript import TranscriptState

_STATES = {
    AnnotationBegun.__name__: TranscriptState.BEGUN,
    AnnotationRevised.__name__: TranscriptState.BEGUN,
    AnnotationSubmitted.__name__: TranscriptState.SUBMITTED,
    AnnotationChecked.__name__: TranscriptState.CHECKED,
    AnnotationReopened.__name__: TranscriptState.REOPENED,
}
_OPEN = (TranscriptState.BEGUN, TranscriptState.REOPENED)
_SESSION = re.compile(rb"(?m)^\[Session:\] (\S+)")
_DOMAIN = re.compile(rb"(?m)^\[Domain:\] (\S+)")


class AnnotationItem(msgspec.Struct, frozen=True):
    """An utterance on the list: its name, take and log, and how far each annotator is, by the letters of their names."""

    stem: str
    take: str
    log: str
    session: str = ""


class AnnotationList:
    """Over a corpus and its later work, for the person whose name has these letters (`annotator.user_names.bare`); where the
    corpus is of several domains, and sentences are read in one of them, over its dialogues alone."""

    def __init__(self, corpus: Corpus, work: Work, key: str, domain: Collection[str] = ()) -> None:
        self._corpus, self._work, self._key = corpus, work, key
        self._at: dict[str, int] = {}
        self._order: list[AnnotationItem] = []
        self._list(self._logs_of(domain))
        self.look_around()

    def _logs_of(self, domain: Collection[str]) -> list[str]:
        """The logs of a domain, by the names that it may have there, and those that name none; all where none is of it."""
        of = {log: header_of(self._corpus, log, _DOMAIN) if domain else "" for log in self._corpus.logs}
        there = any(name in domain for name in of.values())
        return [log for log, name in of.items() if not there or not name or name in domain]

    def _list(self, logs: Iterable[str]) -> None:
        for log in logs:
            session = session_of(self._corpus, log)
            for stem, take in self._corpus.takes(log):
                self._at[str(stem)] = len(self._order)
                self._order.append(AnnotationItem(str(stem), take, log, session))

    def look_around(self) -> None:
        """See who is at what, and who has finished; not what they say."""
        lasts = self._work.lasts()
        self.states: dict[str, dict[str, TranscriptState]] = {}
        self.proposed: dict[str, list[str]] = {}
        self.rulings: dict[str, int] = {}
        self.requested: set[str] = set()
        for stream, (count, kind) in lasts.items():
            self._note(stream, count, kind)
        self.gone = {take_of(one) for one in transcription_streams(lasts) if lasts[one][1] == "SpeakerWithdrawn"}
        doubles = [fact.event for fact in self._work.read(DOUBLES) if isinstance(fact.event, DoublesDrawn)]
        self.doubles = {session for fact in doubles for session in fact.sessions}
        self.sets = adopted(self._work)

    def around(self, stem: str, count: int, keep: Callable[[AnnotationItem], bool]) -> tuple[list[AnnotationItem], int]:
        """At most `count` of the utterances to be kept, this one about the middle, and its place, or that of the next."""
        every = self.items(keep)
        at = next((n for n, item in enumerate(every) if self._at[item.stem] >= self._at[stem]), 0)
        first = max(0, at - count // 2)
        return every[first : first + count], at - first

    def look_at(self, item: AnnotationItem) -> None:
        """See who is at one utterance now."""
        self.states.pop(item.take, None)
        self.requested.discard(item.take)
        about = f"{ANNOTATION}/{item.stem}/", f"{RULING}/{item.stem}/"
        for stream, (count, kind) in self._work.lasts(*about).items():
            self._note(stream, count, kind)

    def _note(self, stream: str, count: int, kind: str) -> None:
        name = StreamName.parse(stream)
        if name is None:
            return
        if name.kind == ANNOTATION and kind in _STATES:
            self.states.setdefault(name.take, {})[name.who] = _STATES[kind]
        elif name.kind == PROPOSAL:
            self.proposed.setdefault(name.take, []).append(stream)
        elif name.kind == RULING:
            self.rulings[name.take] = count
            self.requested |= {name.take} if kind == ChangeRequested.__name__ else set()

    def items(self, keep: Callable[[AnnotationItem], bool] = lambda _: True) -> list[AnnotationItem]:
        """The utterances in the order in which they were spoken; of people who withdrew there is nothing."""
        return [item for item in self._order if item.take not in self.gone and keep(item)]

    def of_log(self, log: str) -> list[AnnotationItem]:
        """The utterances of one log in the order in which they were spoken."""
        return self.items(lambda item: item.log == log)

    def scenarios(self) -> list[list[tuple[str, str]]]:
        """Names and takes of each log's utterances, in the order in which they were spoken."""
        found: dict[str, list[tuple[str, str]]] = {}
        for item in self.items():
            found.setdefault(item.log, []).append((item.stem, item.take))
        return list(found.values())

    def todo(self, item: AnnotationItem) -> bool:
        """Return whether this person has anything to do on it: to annotate, to go on, or to check."""
        states = self.states.get(item.take, {})
        mine = states.get(self._key)
        if self.ruled(item):
            return False
        if mine is not None:
            return mine in _OPEN
        if self.doubled(item):
            return len(states) < 2
        return not states or self.to_check(item)

    def to_check(self, item: AnnotationItem) -> bool:
        """Return whether another person's annotation waits for this person's check."""
        states = self.states.get(item.take, {})
        return (
            not self.doubled(item)
            and len(states) == 1
            and self._key not in states
            and TranscriptState.SUBMITTED in states.values()
            and item.take not in self.rulings
        )

    def ruled(self, item: AnnotationItem) -> bool:
        """Return whether a ruling is in force, with no request after it."""
        return item.take in self.rulings and item.take not in self.requested

    def doubled(self, item: AnnotationItem) -> bool:
        """Return whether two people annotate it independently."""
        return item.session in self.doubles

    def state(self, item: AnnotationItem) -> str:
        """Return how far it is, in a word, without a word of what it says."""
        states = self.states.get(item.take, {})
        if item.take in self.rulings:
            return "ruled" if self.ruled(item) else "waits for a ruling"
        if not states:
            return "proposed" if item.take in self.proposed else "untouched"
        return ", ".join(f"{who} {state}" for who, state in sorted(states.items()))

    def first(self) -> str:
        """Return where to begin: at what this person left unfinished, otherwise with something to do, otherwise at the first."""
        items = self.items()
        if not items:
            raise ValueError("the corpus has no utterance to annotate: none was spoken, or the speakers have withdrawn")
        mine = (item for item in items if self.states.get(item.take, {}).get(self._key) in _OPEN)
        for found in (mine, (item for item in items if self.todo(item)), iter(items)):
            for item in found:
                return item.stem
        return items[0].stem

    def beside(self, stem: str, step: int, keep: Callable[[AnnotationItem], bool]) -> str | None:
        """The next utterance (step 1) or the one before (−1) that is to be kept as things stand now; None if there is none."""
        at = self._at[stem] + step
        while 0 <= at < len(self._order):
            item = self._order[at]
            if item.take not in self.gone and keep(item):
                self.look_at(item)
                if keep(item):
                    return item.stem
            at += step
        return None

    def get(self, stem: str) -> AnnotationItem | None:
        """The utterance of this name; None if there is none, or its speaker has withdrawn."""
        item = self._order[self._at[stem]] if stem in self._at else None
        return None if item is None or item.take in self.gone else item

    def streams(self, item: AnnotationItem) -> list[str]:
        """The streams in which annotations and rulings of an utterance lie."""
        own = [str(StreamName(ANNOTATION, item.stem, who, item.take)) for who in self.states.get(item.take, {})]
        return own + [str(StreamName(RULING, item.stem, "", item.take))] * (item.take in self.rulings)

    def settled(self, item: AnnotationItem) -> bool:
        """Return whether everybody whose part it was has finished: from now on all may see what was said."""
        states = self.states.get(item.take, {})
        if self.ruled(item) or TranscriptState.CHECKED in states.values():
            return True
        return len(states) > 1 and not any(state in _OPEN for state in states.values())

    def begins(self, begun: str) -> str | None:
        """The first utterance whose name begins so; None if there is none."""
        found = (item.stem for item in self.items() if item.stem.startswith(begun.strip().casefold()))
        return next(found, None)

    def filters(self) -> Mapping[str, tuple[str, Callable[[AnnotationItem], bool]]]:
        """Return the filters of the list, by their letters."""
        return {
            "t": ("with something for you to do", self.todo),
            "c": ("waiting for your check", self.to_check),
            "a": ("all utterances", lambda _: True),
            "d": ("of doubly annotated sessions", self.doubled),
        }


def adopted(work: Work) -> tuple[PrincipleSet, ...]:
    """The sets of principles that were adopted, the present one last."""
    found = [fact.event for fact in work.read(PRINCIPLES)]
    return tuple(
        msgspec.json.decode(event.content, type=PrincipleSet) for event in found if isinstance(event, PrinciplesAdopted)
    )


def session_of(corpus: Corpus, log: str) -> str:
    """The session of the log at this path, read off its header."""
    return header_of(corpus, log, _SESSION)


def header_of(corpus: Corpus, log: str, wanted: re.Pattern[bytes]) -> str:
    """The entry of a log's header that a pattern finds; empty if there is none."""
    found = wanted.search(corpus.read(log))
    return found[1].decode("utf-8", "replace") if found else ""


def judging_order(corpus: Corpus, work: Work) -> dict[str, tuple[str, str]]:
    """Every dialogue's log and first take by its name, in the order of the corpus; of people who withdrew there is nothing."""
    lasts = work.lasts()
    gone = {take_of(stream) for stream, (_, kind) in lasts.items() if kind == "SpeakerWithdrawn"}
    found: dict[str, tuple[str, str]] = {}
    for log in corpus.logs:
        takes = corpus.takes(log)
        if takes and not {take for _, take in takes} & gone:
            found[log.rpartition("/")[2].partition(".")[0]] = log, takes[0][1]
    return found
