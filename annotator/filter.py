"""Filters of the list of utterances, and the search in it."""

from collections.abc import Callable, Sequence

from annotator.transcription import Transcribing
from annotator.utterance_list import ListedUtterance
from session.annotation.transcript import TranscriptState

FILTERS: dict[str, tuple[str, Callable[[Transcribing], list[ListedUtterance]]]] = {
    "a": ("all utterances", lambda desk: desk.items()),
    "t": ("still to be transcribed", lambda desk: [item for item in desk.items() if item.unfinished]),
    "c": ("waiting for your check", lambda desk: desk.to_check()),
    "s": ("submitted, waiting for a check", lambda desk: desk.items(TranscriptState.SUBMITTED)),
    "d": ("checked", lambda desk: desk.items(TranscriptState.CHECKED)),
    "n": ("with words that are masked elsewhere", lambda desk: desk.named()),
    "m": ("with words nearly like those, perhaps misspelt", lambda desk: desk.nearly_named()),
}
"""By the letter that takes it: what it is called, and what it lets through."""


def found(desk: Transcribing, wanted: str, behind: str, among: Sequence[ListedUtterance]) -> str | None:
    """The name of the next utterance behind `behind` that has `wanted` in its name or else in its words, in any case; at the
    end the search continues from the beginning. None if there is none but `behind` itself, or none at all.

    Names are tried first, for words have to be read from the disk.
    """
    sought = " ".join(wanted.casefold().split())
    stems = [item.stem for item in among]
    at = stems.index(behind) + 1 if behind in stems else 0
    ahead = [item for item in (*among[at:], *among[:at]) if item.stem != behind]
    for text in (lambda item: item.stem, desk.words):
        if (item := next((item for item in ahead if sought in text(item).casefold()), None)) is not None:
            return item.stem
    return None
