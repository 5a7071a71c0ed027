"""Clauses about the speaker's life before, after and within a request: "my daughter has a tournament so …".

A clause is set aside when it is a unit of its own and holds nothing that could restrict the answer: no value, no other word
of the domain, no wish for something that is not understood.
"""

from __future__ import annotations

from collections.abc import Iterator

from domain.english.chat.request_starts import JOINERS, ORDERS, begins_request
from domain.english.chat.subjects import BEING, subject_end, verb_follows
from domain.english.chat.word_roles import SpokenWords
from domain.english.text.everyday_life import OCCASIONS, PEOPLE, in_everyday_use, word_set

Span = tuple[int, int]

_LEADING_IN = word_set(
    """
    because since as now you know see so and but well while hi hello hey yes yeah no thanks morning afternoon evening
    good there oh look listen actually basically
    """
)
_INDIRECT = word_set(
    """
    know knows wonder wondering wondered ask asking asked tell see sure curious say find out about interested check if
    whether remember forgot forget of to for on with at from in by or which who that than the a an my and not need want
    like would could can is are was does do did looking after hear idea matter matters mind minds care cares be have
    thought think said says
    bothered fussed worry worried
    """
)
"""Words before a question that it completes, or that leave a clause unfinished."""
_RESTRICTING = word_set(
    """
    want wants need needs prefer prefers require requires rather must only cannot allergic avoid avoids except unless
    without insist insists refuse refuses like likes hate hates dislike dislikes stand take takes fit afford bring carry
    use not never no have
    """
)
"""Words by which a speaker may state what she wants or refuses: "i can not climb stairs", "i hate propellers"."""
_FELT = word_set(
    """
    nervous scared afraid worried anxious excited crazy nuts happy thrilled tired glad sad sorry
    """
)
_ELLIPTIC = frozenset(["any", "one", "some", "none"])
_REFERRING = word_set(
    """
    those them these it they one ones there same that he she her him his its their this any anything none all both other
    """
)
_REASONS = word_set(
    """
    because cause cos cuz coz since seeing as
    """
)
_OWNERS = frozenset(["my", "our", "his", "her"])
_MODALS = word_set(
    """
    can could may might will would do does have has am are is
    """
)
_TO_DO = word_set(
    """
    see visit meet surprise celebrate attend watch ski swim fish hike shop relax enjoy help pick give hear join bury
    marry hug play sing dance cheer babysit spend look care support speak present talk collect fetch propose study
    interview tell show explain thank impress catch finish start perform compete race camp sail surf golf paint write
    plan decide compare
    """
)
_NO_PURPOSE = word_set(
    """
    want wants like need needs have has going able possible how love prefer hope hoping plan planning try trying wish
    used got ask way ways time happy wanted where what easiest cheapest best one ones who which that
    """
)
_PLANNING = word_set(
    """
    thinking dreaming planning saving headed heading considering longing plotting
    """
)
_AFTERWARDS = word_set(
    """
    tell know plan decide pick let surprise meet sleep rest make compare show write budget pack call warn inform explain
    arrange book worry see talk visit join catch relax wait stay stop settle think miss be get have spend hug help
    """
)
_PLACED = word_set(
    """
    there here home out over down up away back trip again then
    """
)
_HANGING = word_set(
    """
    to in on at by for from with about of into is are was were be the a an my and or but that which who will would can
    have
    """
)


def leading_clause(said: SpokenWords) -> Span | None:
    """Return the clause before the request: "my roommate is picking me up so", "we are a family of four and"."""
    start, subject = _subject_before_verb(said)
    for at in range(subject + 1, len(said.words) if subject else 0):
        if begins_request(said, at) and (told := _ended(said, start, at)):
            return (0, at) if _is_premise(said, start, told, at) else None
    return None


def place_clause(said: SpokenWords) -> Span | None:
    """Return the clause before a request that only says where somebody of the speaker's is."""
    words = said.words
    start, subject = _subject_before_verb(said)
    if not subject or words[start] in {"it", "there", "this"} or not verb_follows(said, subject):
        return None
    for at in range(subject + 1, len(words)):
        if begins_request(said, at) and words[at] not in {"i", "we", "iam"} and _ended(said, start, at):
            return (0, at) if not any(said.things[start:at]) else None
    return None


def _subject_before_verb(said: SpokenWords) -> Span:
    """Return the subject with which an utterance begins, if its verb follows; it ends at 0 where it does not."""
    words = said.words
    start = next((n for n, word in enumerate(words) if word not in _LEADING_IN), len(words))
    subject = subject_end(said, start)
    if not subject or subject >= len(words) or not (words[start] == "iam" or verb_follows(said, subject)):
        return start, 0
    return start, subject


def _ended(said: SpokenWords, start: int, at: int) -> int:
    """Return where the clause before the request at this place ends, without the joining words; 0 where it is unfinished or
    the request is part of it."""
    end = at
    while end > start and said.words[end - 1] in JOINERS:
        end -= 1
    ordered = said.words[at] in ORDERS and said.words[end - 1] in {"wonder", "wondering", "curious"}
    if end - start < 2 or (said.words[end - 1] in _INDIRECT and not ordered):
        return 0
    return end if _asks(said, at) else 0


def _asks(said: SpokenWords, at: int) -> bool:
    """Return whether what begins here names something or refers to something."""
    return said.names(at, len(said.words)) or bool(_REFERRING & {*said.words[at:]})


def _is_premise(said: SpokenWords, start: int, end: int, at: int) -> bool:
    """Return whether a clause before a request says nothing that the request does not say itself."""
    concluded = "so" in said.words[end:at]
    if said.restricts(start, end) and not (concluded and _said_again(said, start, end, at)):
        return False
    felt = bool(_FELT & {*said.words[start:end]})
    if any(said.entities[start:end]) and not ((concluded or felt) and said.words[-1] not in _ELLIPTIC):
        return False
    return concluded or not (_RESTRICTING & {*said.words[start:end]} and said.strange(start, end))


def _said_again(said: SpokenWords, start: int, end: int, at: int) -> bool:
    """Return whether the request repeats every value of the clause: "a tournament in Houston so … into Houston"."""
    if any(said.things[start:end]):
        return False
    held = {said.words[place] for place in range(start, end) if said.valued(place)}
    return bool(held) and held <= {said.words[place] for place in range(at, len(said.words)) if said.valued(place)}


def intention(said: SpokenWords) -> Span | None:
    """Return the words before a value that only tell of a plan: "we have been saving up for a trip", "i am thinking of"."""
    words = said.words
    start = 0
    while start < len(words) and words[start] in _LEADING_IN:
        start += 1
    subject = subject_end(said, start)
    end = next((at for at in range(start, len(words)) if said.names(at, at + 1)), 0)
    if not subject or not end or not {*words[subject:end]} & _PLANNING or said.strange(start, end):
        return None
    if any(begins_request(said, at) for at in range(subject + 1, end)):
        return None
    while end > subject and words[end - 1] in _HANGING - {"of", "about"}:
        end -= 1
    return (0, end) if end - start > 1 else None


def later_clauses(said: SpokenWords) -> Iterator[Span]:
    """Yield the clauses after the beginning of a request that say why, what for, or what else the speaker does."""
    for at in range(1, len(said.words)):
        for found in (_reason(said, at), _result(said, at), _purpose(said, at), _occasion(said, at), _own(said, at)):
            if found:
                yield (at, found)
                break
        else:
            if end := _further(said, at):
                yield (at, end)


def _until(said: SpokenWords, at: int) -> int:
    """Return where a clause that is under way at this place ends: before the next request, or at the end."""
    for end in range(at, len(said.words)):
        if begins_request(said, end) and _asks(said, end):
            while said.words[end - 1] in JOINERS:
                end -= 1
            return end
    return len(said.words)


def _before_values(said: SpokenWords, at: int, end: int) -> int:
    """Return where a clause ends that is followed by a preposition with a value: "to see my aunt | on saturday"."""
    named = next((place for place in range(at, end) if said.names(place, place + 1)), end)
    if named == end:
        return end
    while named > at and said.words[named - 1] in _HANGING | {"around", "before", "after", "the"}:
        named -= 1
    return named


def _reason(said: SpokenWords, at: int) -> int:
    """Return where a reason ends: "because my wife hates waiting", "'cause i have class till noon"."""
    words = said.words
    if words[at] not in _REASONS or words[at - 1] in {"the", "a", "ever"} | BEING or not said.names(0, at):
        return 0
    end = _until(said, at + 1)
    if words[at] == "cause" and end == len(words) and end - at <= 3 and not said.names(at + 1, end):
        return end
    if words[at + 1 : at + 2] == ("of",):
        subject = at + 2 if words[at + 2 : at + 3] and words[at + 2] in _OWNERS | {"the", "all", "this"} else 0
    else:
        subject = subject_end(said, at + 1)
    if not subject or end <= subject:
        return 0
    own = {*words[at + 1 : at + 5]} & {"got", "have", "has", "work", "finish"}
    timed = said.timed(at, end) and said.timed(0, at) and own and not said.things[at + 2 : end].count(True) > 1
    needed = {"need", "needs", "must", "want", "wants", "prefer", "land", "arrive", "there"} & {*words[at:end]}
    return 0 if needed or (said.names(at, end) and not timed) else end


def _result(said: SpokenWords, at: int) -> int:
    """Return where a purpose with a subject ends: "so i can tell my sister", "so that my wife does not worry"."""
    words = said.words
    if words[at] != "so":
        return 0
    start = at + 1 + (words[at + 1 : at + 2] == ("that",))
    subject = subject_end(said, start)
    if not subject or subject + 1 >= len(words) or words[subject] not in _MODALS:
        return 0
    verb = subject + 1 + (words[subject + 1] == "not")
    end = _until(said, subject + 1)
    if not {*words[verb : verb + 2]} & _AFTERWARDS or (words[verb] == "see" and not {*words[verb + 1 : end]} & PEOPLE):
        return 0
    free = not said.names(at, end) and not said.strange(at, end)
    return end if free and words[end - 1] not in _HANGING else 0


def _purpose(said: SpokenWords, at: int) -> int:
    """Return where a purpose ends: "to see my grandchildren", "in order to give a talk"."""
    words = said.words
    verb = at + 1 if words[at] == "to" else at + 3 if words[at : at + 3] == ("in", "order", "to") else 0
    if not verb or words[verb : verb + 1] == () or words[verb] not in _TO_DO:
        return 0
    led = said.restricts(at - 1, at) or words[at - 1] in _PLACED
    if not led or words[at - 1] in _NO_PURPOSE or not said.names(0, at) or said.names(verb, verb + 1):
        return 0
    end = _before_values(said, verb + 1, _until(said, verb + 1))
    return end if end > verb and not _REFERRING & {*words[verb:end]} - {"her", "his", "him", "them"} else 0


def _occasion(said: SpokenWords, at: int) -> int:
    """Return where an occasion ends: "for church lunch", "for my mother's birthday", "in time for supper"."""
    words = said.words
    if words[at] != "for" or not said.names(0, len(words)):
        return 0
    start = at + 1
    while start < len(words) and words[start] in {"my", "our", "his", "her", "the", "a", "an", "this", "some"}:
        start += 1
    end = start
    while end < min(start + 4, len(words)) and _of_occasion(said, end):
        end += 1
    owned = {*words[at + 1 : start]} & _OWNERS
    if end == start or begins_request(said, start):
        return 0
    told = {*words[start:end]}
    if words[end : end + 1] and words[end] not in JOINERS | _HANGING | {
        "what",
        "which",
        "who",
        "how",
        "please",
        "there",
    }:
        return 0
    return end if told & _AT_WORK or (told & OCCASIONS) or (owned and told & PEOPLE) else 0


def _of_occasion(said: SpokenWords, at: int) -> bool:
    beside = {*said.words[max(0, at - 1) : at], *said.words[at + 1 : at + 2]} & (OCCASIONS | _AT_WORK)
    word = said.words[at]
    if said.names(at, at + 1):
        return bool(beside) and word in OCCASIONS
    return word in _AT_WORK or word in OCCASIONS or word in PEOPLE or word in {"mother", "old", "little", "big"}


_AT_WORK = word_set(
    """
    school work church report file files project homework paper essay newsletter records boss
    """
)


def _own(said: SpokenWords, at: int) -> int:
    """Return where something of the speaker's own ends: "with my bad hip", "on a pension"."""
    words = said.words
    if words[at : at + 3] in (("on", "a", "pension"), ("on", "a", "budget"), ("at", "my", "age"), ("on", "my", "own")):
        return at + 3
    if words[at] != "with" or words[at + 1 : at + 2] not in (("my",), ("our",)):
        return 0
    end = at + 2
    while end < min(at + 6, len(words)) and words[end] not in JOINERS and not said.names(end, end + 1):
        if begins_request(said, end) or not in_everyday_use(words[end]):
            break
        end += 1
    return end if end > at + 2 else 0


def _further(said: SpokenWords, at: int) -> int:
    """Return where a further statement about the speaker's life ends, which follows a whole request: "i am in a rush"."""
    words = said.words
    start = at + (words[at] == "and")
    subject = subject_end(said, start)
    if (
        not subject
        or not _closed(said, at - 1)
        or begins_request(said, at)
        or words[at] in {"it", "this", "there", "they"}
    ):
        return 0
    if words[start] != "iam" and not verb_follows(said, subject):
        return 0
    end = _until(said, subject + (words[start] != "iam"))
    if end - start < 3 or words[end - 1] in _HANGING or said.names(start, end):
        return 0
    free = not said.strange(start, end)
    plain = (
        words[start] == "iam" or words[subject] in BEING or words[subject] == "have" or words[subject].endswith("ing")
    )
    return end if free and (plain or not _RESTRICTING & {*words[start:end]}) else 0


def _closed(said: SpokenWords, at: int) -> bool:
    """Return whether a request can be over with this word: a value or a flag, not a noun that a clause could restrict."""
    return said.words[at] in {
        "please",
        "there",
        "then",
        "either",
        "too",
        "instead",
        "though",
        "thanks",
        "them",
        "it",
    } or (said.valued(at) and said.names(0, at + 1))
