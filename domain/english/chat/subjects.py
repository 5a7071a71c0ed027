"""The subject of a clause about the speaker's life, and its verb: "my mother in law would …", "she says …"."""

from __future__ import annotations

from domain.english.chat.word_roles import SpokenWords
from domain.english.text.everyday_life import PEOPLE, word_set

_PRONOUNS = frozenset(["i", "iam", "we", "he", "she", "they"])
_OWNERS = frozenset(["my", "our", "his", "her", "their"])
_DESCRIBING = word_set(
    """
    late dear old little big younger older youngest oldest whole two three four five twin poor best new good own entire
    eldest favorite favourite elderly future former first great
    """
)
TITLES = word_set(
    """
    mister mr mrs ms miss doctor dr professor sir madam captain father
    """
)
_VERBS = word_set(
    """
    is are was were has have had will would can could must may might does did do said says say told tells asked asks
    wants want wanted needs need needed likes like liked loves love loved hates hate hated lives live lived works work
    worked got gets get gotta keeps keep kept thinks think thought went goes go came comes come just always never only
    still also really used promised swore turned plays play sings married retired moved passed died visit visits visited
    study studied teach teaches feel feels felt know knows knew hope hopes miss misses missed lost found broke forgot
    remember saved booked expect expects collect collects run runs owe owes travel travels grew hail prefer prefers
    ought guess swear mean
    """
)
_IDENTIFYING = {
    (verb, what) for verb in ("is", "was", "will") for what in ("my", "our", "his", "her", "a", "the", "for", "be")
}
BEING = frozenset(["is", "are", "was", "were", "iam"])


def subject_end(said: SpokenWords, at: int) -> int:
    """Return where the subject that begins at this place ends, or 0 when none does."""
    words = said.words
    if at >= len(words):
        return 0
    if words[at] in _PRONOUNS:
        return at + 1
    if words[at] == "there":
        return at + 1 if words[at + 1 : at + 3] in (("is", "a"), ("is", "an"), ("is", "this"), ("was", "a")) else 0
    if words[at] in {"it", "this", "today"}:
        return at + 1 if words[at + 1 : at + 3] in _IDENTIFYING else 0
    if words[at] in TITLES:
        return at + 2 if at + 2 < len(words) and not said.names(at + 1, at + 2) else 0
    end = _people(said, at)
    if not end:
        return 0
    if words[end : end + 2] in (("in", "law"), ("and", "i"), ("and", "me"), ("or", "i")):
        return end + 2
    if words[end : end + 1] == ("and",) and (also := _people(said, end + 1)):
        return also
    return end


def _people(said: SpokenWords, at: int) -> int:
    """Return where a noun phrase for somebody of the speaker's ends: "my late husband", "the kids", "my chess club"."""
    words = said.words
    if words[at : at + 2] in (("me", "and"), ("myself", "and")):
        return _people(said, at + 2)
    owned = words[at] in _OWNERS if at < len(words) else False
    if not owned and words[at : at + 1] != ("the",):
        return 0
    place = at + 1
    while place < len(words) and words[place] in _DESCRIBING:
        place += 1
    if place < len(words) and words[place] in PEOPLE and not said.things[place]:
        return place + 1
    if owned and words[place - 1] == "one":
        return place
    if words[at] == "the" and words[at + 1 : at + 3] in (("little", "one"), ("little", "ones"), ("young", "ones")):
        return at + 3
    # somebody or something else of hers: "our club", "my chess team"
    last = place
    while owned and last < min(place + 3, len(words)) and words[last] not in _VERBS and not said.names(last, last + 1):
        last += 1
    return last if owned and last > place and last < len(words) and words[last] in _VERBS else 0


def verb_follows(said: SpokenWords, at: int) -> bool:
    """Return whether the word after a subject can be its verb."""
    word = said.words[at] if at < len(said.words) else ""
    return word in _VERBS or word.endswith(("ed", "ing")) or bool(word.endswith("s") and not said.names(at, at + 1))
