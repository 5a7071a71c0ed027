"""Finished transcriptions, as an export and a corpus on disk need it: text, masks, provenance.

An utterance is known by its take, so work that was done beside one export comes into the next one by itself. Words that
identify a person in one utterance are said and typed elsewhere too. Whoever transcribes an utterance decides about it; of
what nobody has transcribed, and of whatever is not an utterance, such words go wherever they stand.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

from corpus.annotation import masking
from corpus.annotation.identifying_phrases import MASK, TELLING, Phrase, Phrases, without_all
from corpus.annotation.masking import Pair
from corpus.formats import lexicon, lsn, sro
from corpus.formats.com import Comments
from corpus.formats.log import log_schema
from corpus.formats.log.log_keys import ValueKind
from corpus.formats.log.log_values import BlockKind, Log, Record, RecordBlock
from corpus.formats.manifest import Provenance
from corpus.formats.squ import AnsweredForm, SessionForms
from corpus.formats.sro import Transcription
from session.annotation.store import Work, take_of
from session.annotation.transcript import Transcript
from session.values.clock import SECOND, Stamp

_VERBATIM = frozenset({"Utterance", "Echoed"})
_RECOGNISED = {"Hypothesis": 1, "Original": 0, "Word_time": 3}
"""Attributes with a recogniser's words, behind so many numbers. It may have misheard a name in any way, so that of an utterance
with a name none of its words stays; where a name stands in a hypothesis, none of the single words whose times are told."""
_WORD_BY_WORD = frozenset({"Unused"})
"""Attributes with words of the request one by one, among which no phrase of several words can be found: in an utterance with a
name none of them stays."""
_OF_THE_REQUEST = frozenset({"Question", "Message", "Doubt", "Withheld_because"})
"""Attributes in which a program repeats single words of a request."""
_OF_THE_STUDY = frozenset(
    {
        *("Consent", "Scope_given", "Form", "Wizard", "Canned_message", "Database_version"),
        *("Microphone", "Applied", "Program", "Channel", "Offset", "Samples", "Drift"),
        *("Detector", "Origin", "Proposer", "Confidence", "Engine", "Engine_version", "Model", "Version"),
        *("Desk", "Clock", "Command"),
    }
)
"""Texts that the study, its programs and its equipment give. Whatever text is not named here is searched for names."""
_TEXTS = frozenset(
    attribute.name
    for rule in log_schema.RECORDS.values()
    for attribute in rule.attributes
    if attribute.kind in (ValueKind.TEXT, ValueKind.LINES)
)


class Finished(msgspec.Struct, frozen=True, dict=True):
    """A transcription that is not a draft any more: the `text` of `utterance`, parsed when it is needed. `stretches` identify
    a person, counted at `rate` samples a second."""

    text: str
    stretches: tuple[Pair, ...]
    rate: int
    work: Provenance
    utterance: str = ""

    @cached_property
    def transcription(self) -> Transcription:
        """The text with its marks."""
        return sro.parse(self.text, self.utterance)

    @cached_property
    def names(self) -> tuple[Phrase, ...]:
        """The words that identify a person, stretch by stretch."""
        return masking.phrases(self.transcription) if sro.Sign.IDENTIFYING_BEGINS in self.text else ()

    def texts(self) -> dict[str, bytes]:
        """`.sro` and `.lsn` as they may leave the lab."""
        public = masking.masked(self.transcription)
        return {"sro": sro.render(public), "lsn": lsn.render(lsn.derive(public))}


class AllFinished(Mapping[str, Finished]):
    """Finished transcriptions by take, and their consequences for every other text. `kept` are words that identify a person
    whose own transcriptions are erased."""

    def __init__(self, by_take: Mapping[str, Finished] | None = None, kept: Iterable[Phrase] = ()) -> None:
        self._by_take = dict(by_take or {})
        self.kept = frozenset(kept)

    def __getitem__(self, take: str) -> Finished:
        return self._by_take[take]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_take)

    def __len__(self) -> int:
        return len(self._by_take)

    @cached_property
    def identifying(self) -> bool:
        """Return whether any words are marked as identifying a person, were they but a letter."""
        return any(finished.names for finished in self.values())

    @cached_property
    def phrases(self) -> Phrases:
        """The words that identify a person anywhere; a letter or two would stand everywhere, and are masked in place alone."""
        names = (name for finished in self.values() for name in finished.names)
        return Phrases(name for name in (*names, *self.kept) if len("".join(name)) >= TELLING)

    def phrases_beside(self, take: str) -> Phrases:
        """Return the phrases of other utterances to mask in what was typed about this one: all but the words that its
        transcription has, for anyone who made that has decided to let them stand."""
        if take not in self or not self.phrases:
            return self.phrases
        return self.phrases.but(" ".join(lexicon.words(masking.masked(self[take].transcription))))

    def hides(self, take: str, typed: str) -> bool:
        """Return whether nobody has transcribed the take and what the wizard typed of it has words that identify a person:
        where in the sound they are nobody has said, so all of it is masked."""
        return take not in self and self.phrases.stand_in(typed)


def finished_of(transcript: Transcript) -> Finished | None:
    """Return the text in force of a transcription; None while nothing was submitted."""
    version = transcript.version
    if version is None:
        return None
    checked = version.checked
    work = Provenance(
        transcriber=version.submitted.by,
        transcribed=_moment(version.submitted.at),
        checker=checked.by if checked else "",
        checked=_moment(checked.at) if checked else "",
        seconds=round(transcript.worked / SECOND, 1),
    )
    stretches = tuple((stretch.first, stretch.last) for stretch in version.stretches)
    return Finished(version.text, stretches, transcript.rate, work, transcript.utterance)


class FinishedSoFar:
    """Everything that is finished in a file of later work while people continue with it, at this desk and at others."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._lengths: dict[str, int] = {}
        self._finished: dict[str, Finished] = {}
        self._found = AllFinished()
        self.transcripts: dict[str, Transcript] = {}
        """By take, every transcription that was ever begun, as it was when `now` was last asked for; what was erased is among
        them, for nobody may work on that again, whatever corpus still has it."""

    def now(self) -> AllFinished:
        """By take; only what has grown since the last time is read."""
        lengths = self._work.lengths()
        if lengths == self._lengths:
            return self._found
        grown = [stream for stream, length in lengths.items() if length != self._lengths.get(stream)]
        for stream, transcript in self._work.folded(grown):
            take = take_of(stream)
            self.transcripts[take] = transcript
            self._finished.pop(take, None)
            if (finished := finished_of(transcript)) is not None:
                self._finished[take] = finished
        self._found, self._lengths = AllFinished(self._finished, self._work.names(lengths)), lengths
        return self._found


@contextmanager
def finishing(path: Path) -> Iterator[FinishedSoFar]:
    """Return what is finished in the file of later work at `path`, as long as people continue with it there."""
    work = Work(path)
    try:
        yield FinishedSoFar(work)
    finally:
        work.close()


def finished_in(path: Path) -> AllFinished:
    """By take, everything that is finished in the file of later work at `path`; nothing if there is none."""
    if not path.is_file():
        return AllFinished()
    with finishing(path) as so_far:
        return so_far.now()


def masked_log(log: Log, finished: AllFinished) -> Log:
    """A log without the words that identify a person."""
    if not (finished.phrases or finished.identifying):
        return log
    return msgspec.structs.replace(log, blocks=tuple(_masked_block(block, finished) for block in log.blocks))


def masked_comments(found: Comments, phrases: Phrases) -> Comments:
    """Comments without the words that identify a person."""
    return Comments(tuple(phrases.without(line) for line in found.lines))


def masked_answers(found: SessionForms, phrases: Phrases) -> SessionForms:
    """A questionnaire without the words that identify a person."""
    forms = (
        AnsweredForm(form.name, tuple((item, phrases.without(said)) for item, said in form.answers))
        for form in found.forms
    )
    return SessionForms(tuple(forms))


def masked_answer(data: bytes, finished: AllFinished, take: str) -> bytes:
    """A draft answer, in CAS, without the words that identify a person: they can only stand within strings."""
    own = finished[take].names if take in finished else ()
    text = data.decode()
    return finished.phrases_beside(take).without(Phrases(own).without(text)).encode()


class _NamesOfBlock(NamedTuple):
    """The phrases to mask in a block: `own` of its transcription, `others` of other utterances, and the single `words` of those
    `asked` in its request. `misheard` says that a recogniser may have written a name in any way."""

    own: tuple[Phrase, ...]
    others: Phrases
    asked: bool
    words: Phrases
    misheard: bool


def _masked_block(block: RecordBlock, finished: AllFinished) -> RecordBlock:
    spoken = block.kind is BlockKind.UTTERANCE and block.take in finished
    own = finished[block.take].names if spoken else ()
    others = finished.phrases_beside(block.take if spoken else "")
    if not own and not others:
        return block
    typed = " ".join(record.get("Utterance") for record in block.all("Transcription_sent"))
    asked = " ".join(record.get("Sentence") for record in block.all("Sentence_sent"))
    named = (*own, *others.found_in(f"{typed} {asked}"))
    words = Phrases((word,) for word in {word for phrase in named for word in phrase} if len(word) >= TELLING)
    misheard = bool(own) or (block.kind is BlockKind.UTTERANCE and finished.hides(block.take, typed))
    names = _NamesOfBlock(own, others, bool(named), words, misheard)
    return msgspec.structs.replace(block, records=tuple(_masked_record(record, names) for record in block.records))


def _masked_record(record: Record, names: _NamesOfBlock) -> Record:
    mine, others = Phrases(names.own), names.others
    named = any(others.stand_in(text) for text in record.all("Hypothesis"))

    def public(key: str, value: str) -> str:
        if key in _RECOGNISED:
            *numbers, words = value.split(" ", _RECOGNISED[key]) if _RECOGNISED[key] else [value]
            hidden = names.misheard or (named and key == "Word_time")
            return " ".join([*numbers, MASK if hidden else others.without(words)])
        if key not in _TEXTS or key in _OF_THE_STUDY:
            return value
        if key in _WORD_BY_WORD and (names.misheard or names.asked):
            return MASK
        if key in _VERBATIM:
            return others.without(without_all(value, names.own))
        found = others.without(mine.without(value))
        return names.words.without(found) if key in _OF_THE_REQUEST else found

    return msgspec.structs.replace(
        record, attributes=tuple((key, public(key, value)) for key, value in record.attributes)
    )


def _moment(at: Stamp) -> str:
    return f"{datetime.fromtimestamp(at.wall / 1e9, UTC):%Y-%m-%dT%H:%M:%SZ}"
