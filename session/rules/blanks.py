"""The words that may fill a blank of a canned message where the wizard may not write to the subject.

A blank names what the reply is about: words of the request, of the scenario, or of the domain and its values, and what joins
them. A rule about words needs no judgement in the second in which a wizard decides, and leaves no room for a sentence.
"""

import re
from collections.abc import Collection, Iterable, Iterator

from session.state.fold import SessionState

LONGEST_BLANK, MOST_WORDS = 60, 8
_SENTENCE = re.compile(r"[.!?;:](\s|$)")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_COUNTED = re.compile(r"\d+(st|nd|rd|th|s|am|pm)?")
_SHORT = 2
_TRUTH = frozenset(["yes", "true", "false", "none", "unknown"])
_JOINING = """
    a an the this that these those your which any some all each both either and or not no nor without with of for from to in into
    on at by before after between about than as per other another more less most least only also same one ones it its
"""
_JOINING_WORDS = frozenset(_JOINING.split())
_ENDINGS = (
    ("ies", "y"),
    ("es", ""),
    ("s", ""),
    ("ing", ""),
    ("ing", "e"),
    ("ed", ""),
    ("ed", "e"),
    ("’s", ""),
    ("'s", ""),
)


def words(text: str) -> list[str]:
    """Return the words and numbers of a text in small letters.

    >>> words("the O'Hare flight_id 119, please")
    ['the', "o'hare", 'flight', 'id', '119', 'please']
    """
    return _WORD.findall(text.casefold().replace("_", " "))


def telling_words(text: str) -> list[str]:
    """Return the words of a text that say something by themselves, each once, in small letters.

    >>> telling_words("a fare for the flight, the fare")
    ['fare', 'flight']
    """
    return [word for word in dict.fromkeys(words(text)) if word not in _JOINING_WORDS and not _COUNTED.fullmatch(word)]


def is_phrase(blank: str) -> bool:
    """Return whether a blank is as short as a name or a phrase, and no sentence."""
    return len(blank) <= LONGEST_BLANK and len(blank.split()) <= MOST_WORDS and not _SENTENCE.search(blank)


def foreign_words(state: SessionState, take: str, blank: str, domain: Collection[str]) -> list[str]:
    """The words of a blank that are neither said in the session, nor the scenario's, the domain's, an answer's, nor joining."""
    left = [
        word
        for word in words(blank)
        if not (word in _JOINING_WORDS or _COUNTED.fullmatch(word) or _known(word, domain))
    ]
    for source in (_said(state), _in_answers(state, take)):
        known = {word for text in source for word in words(text)} if left else set()
        left = [word for word in left if not _known(word, known)]
    return left


def foreign_texts(texts: Iterable[str], state: SessionState, take: str, domain: Collection[str]) -> list[str]:
    """The words of texts that a statement shows beside what it reads, as `foreign_words` has them; names of a letter or two, and
    words for what is true, tell nothing of their own."""
    said = {word for text in texts for word in words(text) if len(word) > _SHORT and word not in _TRUTH}
    return foreign_words(state, take, " ".join(sorted(said)), domain)


def _said(state: SessionState) -> Iterator[str]:
    """Yield the words of the subject and of the task."""
    yield from (take.text for take in state.takes.values())
    yield from (run.text for run in state.runs[-1:])


def _in_answers(state: SessionState, take: str) -> Iterator[str]:
    """The values that the database gave for the utterance, and what the front end made of it."""
    for attempt in state.attempts.values():
        if attempt.take == take:
            yield "" if attempt.proposer else attempt.paraphrase  # whose literals are another's
            if attempt.table is not None and not attempt.written:
                yield from attempt.table.columns
                yield from (cell for row in attempt.table.rows for cell in row if isinstance(cell, str))


def _known(word: str, known: Collection[str]) -> bool:
    return any(form in known for form in _forms(word))


def _forms(word: str) -> Iterable[str]:
    """The word, its stem, and the simple inflections of both: `departures` where the subject said `departing`."""
    stems = {word, *(word[: -len(ending)] + instead for ending, instead in _ENDINGS if word.endswith(ending))}
    stems = {stem for stem in stems if len(stem) > 2 or stem == word}
    return stems | {stem + ending for stem in stems for ending in ("s", "es", "ing", "ed", "d") if len(stem) > 2}
