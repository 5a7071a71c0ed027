"""Permission rules for changes to a transcription, as pure functions, so that they do not depend on a screen."""

import re
import unicodedata

from annotator.user_names import same
from corpus.formats import sro
from corpus.formats.sro import Problem
from session.annotation.events import (
    IdentifyingMarked,
    IdentifyingUnmarked,
    Pass,
    TranscriptionChecked,
    TranscriptionReopened,
    TranscriptionRevised,
    TranscriptionSubmitted,
    WorkFact,
)
from session.annotation.transcript import Transcript, TranscriptState

OPEN = (TranscriptState.BEGUN, TranscriptState.REOPENED)
UNFINISHED = (TranscriptState.UNTOUCHED, *OPEN)
LONGEST = 20_000


class NotNow(Exception):
    """The request cannot be granted; the message says why and what to do."""


class ConcurrentChange(NotNow):
    """Error: another person has changed the utterance since it was opened here."""


def an_author(transcript: Transcript, person: str) -> bool:
    """Return whether the present text is this person's work, so that another person has to check it."""
    return any(same(person, author) for author in transcript.authors)


def at_work(transcript: Transcript, person: str) -> bool:
    """Return whether this person has begun it and not finished it."""
    return transcript.state in OPEN and an_author(transcript, person)


def may_edit(transcript: Transcript, person: str) -> str:
    """Empty if `person` may change the text now, otherwise why not."""
    if transcript.state is TranscriptState.CHECKED:
        return "It is checked. Reopen it first: Ctrl+R"
    if transcript.state is TranscriptState.SUBMITTED and an_author(transcript, person):
        return "It is your own work; a second person checks it now. To change it, reopen it: Ctrl+R"
    return ""


def revise(transcript: Transcript, person: str, text: str, during: Pass, worked: int) -> list[WorkFact]:
    """Another text; nothing when it is the same one. Raises NotNow."""
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    if text == transcript.text:
        return []
    _editable(transcript, person)
    if len(text) > LONGEST:
        raise NotNow(f"{len(text)} characters: an utterance has at most {LONGEST}")
    return [TranscriptionRevised(text=text, during=_pass(transcript, during), worked=worked)]


def mark(
    transcript: Transcript, person: str, span: str, first: int, last: int, length: int, worked: int
) -> list[WorkFact]:
    """Samples `first` up to `last` of `length` identify a person. Raises NotNow."""
    _editable(transcript, person)
    if not 0 <= first < last <= length:
        raise NotNow("There is no such stretch of sound: set its begin with F7 and its end with F8")
    return [IdentifyingMarked(span=span, first=first, last=last, worked=worked)]


def unmark(transcript: Transcript, person: str, span: str, worked: int) -> list[WorkFact]:
    """A stretch does not identify anybody. Raises NotNow."""
    _editable(transcript, person)
    if span not in transcript.spans:
        raise NotNow("No stretch is marked there")
    return [IdentifyingUnmarked(span=span, worked=worked)]


def submit(transcript: Transcript, person: str, worked: int, audible: bool) -> list[WorkFact]:
    """The text is right, says its maker. Raises NotNow; `audible` says whether there is sound to be masked."""
    if transcript.state not in OPEN:
        raise NotNow(may_edit(transcript, person) or "It is submitted already; as the second person you check it")
    _in_order(transcript, audible)
    return [TranscriptionSubmitted(worked=worked)]


def check(transcript: Transcript, person: str, worked: int, audible: bool) -> list[WorkFact]:
    """The text is right, says a second person. Raises NotNow."""
    if transcript.state is not TranscriptState.SUBMITTED:
        raise NotNow("There is nothing to check: it is not submitted")
    if an_author(transcript, person):
        raise NotNow("You cannot check your own work; it waits for a second person")
    _in_order(transcript, audible)
    return [TranscriptionChecked(worked=worked)]


def check_closed(transcript: Transcript) -> None:
    """Raises NotNow of what is open to be worked on."""
    if transcript.state not in (TranscriptState.SUBMITTED, TranscriptState.CHECKED):
        raise NotNow("It is open already")


def reopen(transcript: Transcript, reason: str) -> list[WorkFact]:
    """Reopen what was submitted. Raises NotNow."""
    check_closed(transcript)
    if not reason.strip():
        raise NotNow("Say why it is reopened")
    return [TranscriptionReopened(reason=" ".join(reason.split()))]


def problems(text: str) -> list[Problem]:
    """Every departure from the conventions, advice included, in order; of an empty text that it is empty."""
    if not text.strip():
        return [Problem(1, 1, "nothing in it", "write ~~ where nothing was spoken")]
    hollow = [
        Problem(
            found.start() + 1, len(found[0]), f"nothing between {found[1]} and {found[2]}",
            "select the words and press the key, or take the marks away",
        )
        for found in _HOLLOW.finditer(text)
    ]  # fmt: skip
    return sorted([*sro.check(text), *hollow], key=lambda problem: problem.column)


_HOLLOW = re.compile(r"(?<!\S)(\(\(|\{\{)\s+(\)\)|\}\})(?!\S)")
"""Marks about no word at all: of an identifying name they would mask the sound and leave the name beside them."""


def mismatch(text: str, spans: int, audible: bool = True) -> str:
    """Empty if words and sound are marked alike as identifying a person, otherwise what is lacking."""
    words = sro.check(text) == [] and sro.parse(text, "").identifying
    if not audible or words is False or words == spans:
        return ""
    return f"Marked as identifying a person: {words} of the words, {spans} of the sound; mark both, so that both are masked (F9)"


def unmarked(text: str) -> str:
    """The text without the stretches that are marked as identifying a person.

    >>> unmarked("i am {{ anna smith }} from {{ boston")
    'i am   from  '
    """
    return _MARKED.sub(" ", text)


_MARKED = re.compile(r"\{\{.*?(?:\}\}|$)")


def _editable(transcript: Transcript, person: str) -> None:
    if why := may_edit(transcript, person):
        raise NotNow(why)


def _pass(transcript: Transcript, during: Pass) -> Pass:
    return Pass.CHECK if transcript.state is TranscriptState.SUBMITTED else during


def _in_order(transcript: Transcript, audible: bool) -> None:
    wrong = [problem for problem in problems(transcript.text) if not problem.advice]
    if wrong:
        first = wrong[0]
        raise NotNow(f"Column {first.column}: {first.message}; {first.remedy}")
    if why := mismatch(transcript.text.lower(), len(transcript.spans), audible):
        raise NotNow(why)
