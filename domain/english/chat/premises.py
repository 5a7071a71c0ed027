"""Premises: what is said before "so", of which the request after it is the conclusion.

"Our choir is singing in Norton so which rooms …": the conclusion says what is wanted, so the premise restricts nothing
unless it holds a value that the conclusion lacks.
"""

from __future__ import annotations

import msgspec

from domain.english.chat.request_starts import begins_request
from domain.english.chat.word_roles import SpokenWords
from domain.english.text.everyday_life import word_set

_NO_CONCLUSION = word_set(
    """
    that i we he she they my early late soon much many far long little few high low big cheap expensive good bad on forth
    called far kind
    """
)
"""Words after "so" that make it a degree, or a purpose."""
_CONCLUDING = word_set(
    """
    after before by around between from to in on at with without no not nothing something anything any only just the what which
    who     how when where is are do does did can could would will show list give tell find make try leave drop please scratch let
    if it
    """
)
_VERBAL = word_set(
    """
    is are was were iam have has had do does did get gets got go goes live lives work works want wants need needs like likes love
    loves hate hates tell tells say says told said lost left won win wins miss misses teach teaches sleep sleeps fly flies drive
    promised know knows think thinks heard can could will would must may might take takes run runs own owns play plays sing sings
    """
)
_WANTING = word_set(
    "want wants need needs prefer prefers must require requires refuse refuses insist insists allergic afford"
)
_REFERRING = word_set(
    "those them these it they one ones there same that she he her him his its their any none both other theirs"
)
_CLOCK, _DAY = frozenset({"clock", "maybe clock"}), frozenset({"weekday", "date", "month", "year"})
_NUMBERS = frozenset({"number", "digits", "ordinal", "money"})
_ELLIPTIC = frozenset(["any", "one", "some", "none"])
_EXISTING = frozenset(["is", "are", "was", "were", "what", "which", "be"])
_LEADING = frozenset(["to", "from", "in", "at", "on", "into", "of", "near"])
_DENYING = frozenset(["not", "no", "never", "hate", "hates", "without", "instead", "but", "except", "or", "either"])
_MOST_KEPT = 2


class Concluded(msgspec.Struct, frozen=True):
    """The conclusion of a premise, with what it takes over from there, and the words that should be marked."""

    words: tuple[str, ...]
    marked: tuple[str, ...]


def conclusion(said: SpokenWords) -> Concluded | None:
    """Return the request that a premise leads to; None when there is no premise, or when it may restrict the answer."""
    words = said.words
    for at in range(2, len(words) - 1):
        if words[at] != "so" or not _concludes(said, at + 1):
            continue
        if not _is_clause(said, at - (words[at - 1] == "and")) or any(said.things[:at]) or words[-1] in _ELLIPTIC:
            return None
        wants = _WANTING & {*words[:at]} and said.strange(0, at)
        marked = [w for w in said.content(0, at) if w not in _WANTING] if wants else said.strange(0, at)
        kept = [span for span in _values(said, at) if not _is_settled(said, span, at)]
        wished = any(begins_request(said, place) for place in range(at))
        if kept and (wished or len(kept) > _MOST_KEPT or (_DENYING | _WANTING) & {*words[:at]}):
            return None
        if kept and "there" not in words[at:] and _is_full(said, at):
            marked += [word for span in kept for word in words[span[0] : span[1]]]
            kept = []
        marked = [word for word in marked if not any(word in words[span[0] : span[1]] for span in kept)]
        return Concluded(_with_values(said, at + 1, kept), tuple(marked))
    return None


def _is_full(said: SpokenWords, start: int) -> bool:
    """Return whether a conclusion has so many values of its own that it lacks none."""
    own = [span for span in _values(said, len(said.words)) if span[0] > start]
    return sum(not said.kinds[first] & (_CLOCK | _DAY | _NUMBERS) for first, _ in own) >= _MOST_KEPT


def _values(said: SpokenWords, end: int) -> list[tuple[int, int]]:
    """Return the places of the values before this one, but of no words of everyday life: "church lunch", "for us"."""
    found: list[tuple[int, int]] = []
    for at in range(end):
        if said.valued(at) and found and found[-1][1] == at and said.kinds[at] == said.kinds[at - 1]:
            found[-1] = (found[-1][0], at + 1)
        elif said.valued(at):
            found.append((at, at + 1))
    return [span for span in found if said.strange(*span, even_known=True)]


def _with_values(said: SpokenWords, start: int, kept: list[tuple[int, int]]) -> tuple[str, ...]:
    """Return the conclusion with the values that it lacks, the last of them for its "there"."""
    request = list(said.words[start:])
    there = next((n for n in range(1, len(request)) if request[n] == "there" and request[n - 1] not in _EXISTING), 0)
    *others, last = kept or [(0, 0)]
    if kept and there:
        led = [] if request[there - 1] in _LEADING else ["to"]
        request[there : there + 1] = [*led, *said.words[last[0] : last[1]]]
        kept = others
    leads = {said.words[first - 1] for first, _ in kept if first}
    for first, end in kept:
        led = [*said.words[first - 1 : first]] if first and said.words[first - 1] in _LEADING else []
        led = ["to"] if led == ["in"] and "from" in leads else led  # a journey
        request += [*led, *said.words[first:end]]
    return tuple(request)


def _concludes(said: SpokenWords, at: int) -> bool:
    """Return whether a request can be the conclusion that begins here."""
    word = said.words[at]
    wished = word in {"i", "we"} and begins_request(said, at)
    if not wished and (word in _NO_CONCLUSION or not (word in _CONCLUDING or begins_request(said, at))):
        return False
    return said.names(at, len(said.words)) or bool(_REFERRING & {*said.words[at:]})


def _is_clause(said: SpokenWords, end: int) -> bool:
    """Return whether there is a verb before this place, and no request."""
    words = said.words[:end]
    asked = any(
        begins_request(said, at) for at in range(end) if words[at] not in {"i", "we", "iam", "any", "something"}
    )
    return not asked and any(word in _VERBAL or word.endswith(("ing", "ed")) for word in words)


def _is_settled(said: SpokenWords, span: tuple[int, int], end: int) -> bool:
    """Return whether the conclusion says a value of the premise again, or says what is instead of it."""
    start, stop = span
    later = {said.words[at] for at in range(end, len(said.words)) if said.valued(at)}
    if {*said.words[start:stop]} <= later:
        return True
    group = next((group for group in (_CLOCK, _DAY) if said.kinds[start] & group), frozenset())
    return any(kinds & group for kinds in said.kinds[end:])
