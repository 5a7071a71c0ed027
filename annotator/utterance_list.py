"""The utterances of a corpus in the order in which they were spoken, read from its logs on demand.

Whoever opens the desk begins with one utterance; where it is among fourteen thousand others can be said a moment later.
"""

from collections.abc import Iterator, Mapping

import msgspec

from annotator.rules import UNFINISHED
from corpus.dataset.reader import Corpus
from corpus.formats import layout
from corpus.formats.errors import FormatFault, message_of
from session.annotation.transcript import Transcript, TranscriptState
from session.values.names import StemName


class ListedUtterance(msgspec.Struct, frozen=True):
    """One utterance on the list; `stem` is its name with x for the microphone, `log` the path of its log. `made` says who
    finished the transcription that the corpus came with, where that is on record."""

    stem: str
    take: str
    log: str
    state: TranscriptState
    transcript: Transcript
    made: str = ""

    @property
    def unfinished(self) -> bool:
        """Return whether the utterance is unfinished, here and in the corpus."""
        return self.state in UNFINISHED and not (self.made and self.state is TranscriptState.UNTOUCHED)


_UNTOUCHED = Transcript()


class UtteranceList:
    """Over a corpus and the transcriptions that were `begun`, by take; `faults` says of which logs nothing can be read, and what
    a person has said who has `withdrawn` is not listed."""

    def __init__(self, corpus: Corpus, begun: Mapping[str, Transcript]) -> None:
        self._corpus, self.begun = corpus, begun
        self._known: dict[str, ListedUtterance] = {}
        self._order: list[str] = []
        self._logs = iter(corpus.logs)
        self.complete = False
        self.faults: list[str] = []
        self.withdrawn = set[str]()

    def stream(self) -> Iterator[ListedUtterance]:
        """Return all utterances; no log is read before one of its own is asked for."""
        at = 0
        while at < len(self._order) or self._more():
            for stem in self._order[at:]:
                yield self._known[stem]
                at += 1

    def all(self) -> dict[str, ListedUtterance]:
        """Return all utterances by name."""
        while self._more():
            pass
        return self._known

    def get(self, stem: str) -> ListedUtterance | None:
        """The utterance of this name; None if there is none."""
        while stem not in self._known and self._more():
            pass
        return self._known.get(stem)

    def renew(self, begun: Mapping[str, Transcript]) -> None:
        """Others have gone on with some of the utterances meanwhile."""
        self.begun = begun
        for item in list(self._known.values()):
            known = begun.get(item.take, item.transcript)
            if known is not item.transcript and known.events >= item.transcript.events and not known.erased:
                self.put(msgspec.structs.replace(item, state=known.state, transcript=known))

    def _made(self, stem: StemName) -> str:
        entry = self._corpus.manifest.files.get(str(layout.path_of(layout.file_name(stem, "sro"))))
        work = entry.work if entry is not None else None
        if work is None:
            return ""
        return f"made by {work.transcriber}" + (f", checked by {work.checker}" if work.checker else "")

    def put(self, item: ListedUtterance) -> None:
        """An utterance has come further."""
        self._known[item.stem] = item

    def _more(self) -> bool:
        """Read one more log; False when all are read."""
        log = next(self._logs, None)
        if log is None:
            self.complete = True
            return False
        try:
            takes = self._corpus.takes(log)
        except (FormatFault, OSError) as error:
            self.faults.append(message_of(error))
            return True
        for stem, take in takes:
            known = self.begun.get(take, _UNTOUCHED)
            if known.erased:
                self.withdrawn.add(str(stem))
            else:
                self._order.append(str(stem))
                self._known[self._order[-1]] = ListedUtterance(
                    self._order[-1], take, log, known.state, known, self._made(stem)
                )
        return True
