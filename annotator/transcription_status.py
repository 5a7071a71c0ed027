"""Texts of the transcription desk in lines that fit, as pure functions that tests can read."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from string import ascii_lowercase
from typing import assert_never, cast

from annotator.effort import Effort
from annotator.rules import an_author
from annotator.transcription import Opened, Transcribing
from annotator.utterance_list import ListedUtterance
from corpus.formats.sro import Problem
from desk.line_view import cut
from session.annotation.events import (
    IdentifyingMarked,
    IdentifyingUnmarked,
    NameKept,
    Pass,
    TranscriptionBegun,
    TranscriptionChecked,
    TranscriptionFact,
    TranscriptionReopened,
    TranscriptionRevised,
    TranscriptionSubmitted,
)
from session.annotation.transcript import TranscriptState
from session.events import Recorded, SpeakerWithdrawn
from session.events.link import Redacted
from session.values.clock import SECOND
from session.values.sanitize import inert

SIGNS = {
    TranscriptState.UNTOUCHED: "·",
    TranscriptState.BEGUN: "…",
    TranscriptState.SUBMITTED: "+",
    TranscriptState.CHECKED: "√",
    TranscriptState.REOPENED: "!",
}
"""A sign beside each state's word, for the list."""

KEY_REPEATED = "Ctrl+S was repeated at once, as by a held key: check this utterance, then press it again"
WITHOUT_STRETCH = "Set the stretch first: F7 its begin, F8 its end, while you listen; select its words"
WORDS_BARED = "The words are not masked any more; see that their sound is not either"
BEGINNING = "F3 plays it. Type what you hear. Ctrl+S submits it and continues; F1 lists all keys"
HESITATIONS = ("uh", "um", "er", "ah", "mm", "hm")
NOISES = (
    "cough", "grunt", "laughter", "lip_smack", "loud_breath", "sneeze", "throat_clear", "tongue_click",
    "door_slam", "phone_ring", "paper_rustle", "beep", "chair_squeak", "cross_talk", "microphone_mvt", "misc_noise", "tap",
)  # fmt: skip
"""What is heard beside the words, in the order in which letters are given out."""

PASSES = {Pass.WORDS: "words first", Pass.EVENTS: "now noises and marks", Pass.CHECK: "checking"}


def letters(names: Sequence[str]) -> dict[str, str]:
    """Each name by a letter: the first of its own that is still to be had, otherwise the first of the alphabet.

    >>> letters(["uh", "um", "mm"])
    {'u': 'uh', 'm': 'um', 'a': 'mm'}
    """
    found: dict[str, str] = {}
    for name in names:
        found[next(letter for letter in name + ascii_lowercase if letter.isalpha() and letter not in found)] = name
    return found


def headline(desk: Transcribing, opened: Opened, shown: Callable[[], Sequence[ListedUtterance]]) -> str:
    """Return which utterance, the how-manieth of how many as soon as they are listed, and how far it is."""
    if not desk.listed:
        return f"{opened.item.stem}  {far(opened.item)}"
    stems = [item.stem for item in shown()]
    place = f"{stems.index(opened.item.stem) + 1} of {len(stems)}" if opened.item.stem in stems else f"of {len(stems)}"
    return f"{opened.item.stem}  {place}  {far(opened.item)}"


def far(item: ListedUtterance) -> str:
    """The state with who brought it about."""
    transcript, version = item.transcript, item.transcript.version
    match transcript.state:
        case TranscriptState.SUBMITTED if version:
            return f"+ submitted by {version.submitted.by}"
        case TranscriptState.CHECKED if version and version.checked:
            return f"√ made by {version.submitted.by}, checked by {version.checked.by}"
        case TranscriptState.UNTOUCHED if item.made:
            return f"· {item.made}, as the corpus came"
        case TranscriptState.REOPENED:
            return f"! reopened by {transcript.reopened}: {transcript.reason}"
        case state:
            return f"{SIGNS[state]} {state}"


def working(desk: Transcribing, opened: Opened) -> str:
    """Return the person, the pass, and the working time of the utterance so far."""
    checking = opened.item.state is TranscriptState.SUBMITTED
    if checking and an_author(opened.item.transcript, desk.person):
        return f"{desk.person}: waits for a second person"
    minutes, seconds = divmod((opened.item.transcript.worked + desk.attention.worked) // SECOND, 60)
    return f"{desk.person}: {PASSES[Pass.CHECK if checking else desk.during]}  {minutes}:{seconds:02d}"


def deed(recorded: Recorded, rate: int) -> tuple[str, str | None]:
    """Describe a fact about an utterance (time, person, deed) and give the text that it left, if it left another one."""
    at = datetime.fromtimestamp(recorded.at.wall // SECOND, UTC)
    did, text = _did(cast(TranscriptionFact, recorded.event), rate)
    return f"{at:%Y-%m-%d %H:%M} UTC  {recorded.by}  {did}", text


def _did(fact: TranscriptionFact, rate: int) -> tuple[str, str | None]:
    match fact:
        case TranscriptionBegun(text=text):
            return f"opened it: {text or '(nothing)'}", text
        case TranscriptionRevised(text=text, during=during):
            return f"wrote ({PASSES[during]}): {text}", text
        case IdentifyingMarked(first=first, last=last):
            return f"masked {first / rate:.2f}–{last / rate:.2f} s", None
        case IdentifyingUnmarked():
            return "took a mask away", None
        case TranscriptionSubmitted():
            return "submitted it", None
        case TranscriptionChecked():
            return "checked it", None
        case TranscriptionReopened(reason=reason):
            return f"reopened it: {reason}", None
        case NameKept() | SpeakerWithdrawn() | Redacted():
            return "erased it", None
        case _:
            assert_never(fact)


def hearing(listening: str, masks: int) -> str:
    """Return what is played, and how much of it no other person will hear.

    >>> hearing("silent", 1)
    'silent; 1 stretch will be masked'
    """
    return listening + (f"; {masks} stretch{'es' * (masks > 1)} will be masked" if masks else "")


def passed_over(stems: Sequence[str]) -> str:
    """Return which utterances could not be opened.

    >>> passed_over(["8k8011sx"])
    '8k8011sx cannot be opened (curtain verify says why)'
    """
    return f"{', '.join(stems)} cannot be opened (curtain verify says why)" if stems else ""


def elsewhere(utterances: int, near: int = 0) -> str:
    """Say how many utterances have words that are masked elsewhere, how many have words that are nearly such, and how to see
    them.

    >>> elsewhere(2, 1)
    '; 2 others have words masked elsewhere: Ctrl+F, N; another one has words nearly like them: Ctrl+F, M'
    """

    def note(count: int, words: str) -> str:
        others = f"{count} others have" if count > 1 else "another one has"
        return f"; {others} words {words}" if count else ""

    return note(utterances, "masked elsewhere: Ctrl+F, N") + note(near, "nearly like them: Ctrl+F, M")


def problem_lines(problems: Sequence[Problem], width: int, height: int) -> list[str]:
    """The first problems, one per line, and how many more there are."""
    lines = [
        cut(
            inert(f"{'  ' if problem.advice else '!!'} {problem.column:>3}  {problem.message}; {problem.remedy}"), width
        )
        for problem in problems
    ]
    if len(lines) <= height:
        return lines or ["√ keeps the conventions"]
    return [*lines[: height - 1], cut(f"   and {len(lines) - height + 1} more; F10 goes from one to the next", width)]


def list_line(item: ListedUtterance, text: str) -> str:
    """An utterance on the list, with its text.

    >>> from session.annotation.transcript import Transcript
    >>> list_line(ListedUtterance("8k8011sx", "T", "", TranscriptState.UNTOUCHED, Transcript()), "")
    '· 8k8011sx  untouched'
    """
    state = item.made if item.made and item.state is TranscriptState.UNTOUCHED else item.state
    return f"{SIGNS[item.state]} {item.stem}  {state}" + (f"  {text}" if text else "")


def around(desk: Transcribing, stem: str, width: int, height: int) -> str:
    """The utterances before and after one, for the course of the dialogue; the one in hand has an arrow."""
    lines = [
        cut(inert(f"{'▶' if item.stem == stem else ' '} {list_line(item, desk.words(item))}"), width)
        for item in (near(desk.items(), stem, height) if desk.listed else ())
    ]
    return "\n".join(lines)


def near(items: Sequence[ListedUtterance], stem: str, most: int) -> Sequence[ListedUtterance]:
    """At most so many utterances, the one of this name in the midst of them, or the first ones where it is not among them."""
    at = next((n for n, item in enumerate(items) if item.stem == stem), 0)
    first = max(0, min(at - most // 2, len(items) - most))
    return items[first : first + max(0, most)]


def farewell(effort: Effort) -> list[str]:
    """Return the text that is printed when the desk closes."""
    return effort.lines()
