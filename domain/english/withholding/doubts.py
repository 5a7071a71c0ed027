"""Signs that a reading is not what was asked, any of which withholds it, and what each says in words.

Examples are a pronoun without a referent, "who" answered by no person, "how much" answered by the thing itself, the
superlative of a single row, and "all" with a limit that was to be dropped. No answer is better than one of these, so that
none is taken by itself; the wizard may look at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning, identified_table
from domain.english.parse.parser import Parsed
from domain.english.reading import Reading
from domain.english.withholding.contradictions import contradicts
from domain.english.withholding.ignored_requests import is_entangled, is_out_of_context
from domain.english.withholding.unfit_answers import answers_otherwise
from domain.english.withholding.unspoken_paths import goes_unspoken

DOUBTED = "what was understood does not answer it"
_UNUSED = "words that may change the answer were not used"
_OUT_OF_CONTEXT = "it passes over the requests before"
_SCOPED = "whether it is about the last answer is left open"
_KEPT = "something said before is kept that was to be dropped"
_BEFORE_A_PRONOUN = (
    r"(?:(?:and|but|so|then|ok|okay|well|also|now|what|when|where|who|whom|which|how|why|much|many|long|old|far|often|does|do|did"
    r"|is|are|was|were|has|have|had|will|would|can|could|may|of|at|in|on|for|with|by|to|from|the|a|about|tell|me|give|show|us"
    r"|floor|time|year|day|date|department|office|room|town|city|sort|kind) )*"
)
_PERSON = r"(?:she|he|her|him|his|hers)\b"
_WHO = re.compile(
    r"(?:(?:and|so|but|ok|okay|hi|hello|then|now|tell me|show me) )*who(?: is| are| was| were|['’]s|['’]re)?\b"
)
_MEASURED = re.compile(
    r"\b(?:how (?:much|old|long|far|big|large|high|often|late|early|tall)|when\b|what (?:time|year|date|day)"
    r"|(?:what|where) (?:do|does|did) (?:it|they|she|he|that one|this one|those|these)\b)"
)
_WHICH = re.compile(r"\b(?:which|who|whose|list|show)\b")
_WHOLE = re.compile(
    r"\b(?:out of (?:everybody|everyone|all)(?! of| there)|(?:the )?(?:whole|entire|full) \w+ again"
    r"|(?:back|return) to (?:all|everybody|everyone|(?:the|her|his|their|its|my|our|that) (?:whole|entire|full)))\b"
)
_ONLY = re.compile(
    r"(?:(?:and|but|ok|okay|now|no) )*(?:just|only) (?:the |those |people )?(?!(?:number|how|count|show|give|list|tell)\b)"
)
_HOW_MANY = re.compile(r"(?:(?:and|but|so|then|ok|okay) )*how many (?!beds|seats|hours|minutes|days|years)")
_FREEING = re.compile(r"\b(?:no matter|regardless|irrespective|never mind|not matter|not care|not mind|any [a-z]+)\b")
_WHETHER = re.compile(r"(?:(?:and|but|so|then|ok|okay) )*(?:does|do|did|is|are|was|were|has|have) ")


def withhold_doubtful(
    model: DomainModel,
    text: str,
    parsed: Parsed,
    readings: Sequence[Reading],
    before: Meaning | None,
) -> tuple[tuple[Reading, ...], tuple[Reading, ...]]:
    """Return the readings that nothing speaks against, and those that are withheld, each with its doubt. None is left when the
    likeliest is doubtful, unless its only fault is that it kept what was to be dropped."""
    plain = " ".join(text.lower().strip(" ?.!").split())
    kept, withheld = list[Reading](), list[Reading]()
    for reading in readings:
        too_much = before is not None and reading.carried and _keeps_too_much(plain, parsed, reading, before)
        (withheld if too_much else kept).append(reading)
    withheld = [msgspec.structs.replace(reading, doubt=_KEPT) for reading in withheld]
    if not kept:
        return (), tuple(withheld)
    fragment = bool(withheld) and kept[0].apart == "alone" and _is_fragment(parsed)
    doubts = (fragment and _OUT_OF_CONTEXT, *_doubts(model, plain, parsed, kept[0], before))
    if doubt := next((said for said in doubts if said), ""):
        return (), (*_doubted(kept, doubt), *withheld)
    return tuple(kept), tuple(withheld)


def _is_fragment(parsed: Parsed) -> bool:
    """Return whether a request names no entity and one condition: "all the united ones", with those in context withheld."""
    now = parsed.meaning
    return parsed.headless and len(now.conditions) + len(now.flags) + len(now.extremes) == 1


def _doubted(readings: Sequence[Reading], doubt: str) -> Iterator[Reading]:
    """Yield each reading with its doubt, but no other form of one. Where the likeliest passes over the requests before, one
    that does not comes first: it is right the oftener."""
    scoped = [r for r in readings if r.apart == "scope" and doubt == _OUT_OF_CONTEXT]
    yield from (msgspec.structs.replace(reading, doubt=_SCOPED) for reading in scoped)
    others = (r for r in readings if r not in scoped and r.apart != "form")
    yield from (msgspec.structs.replace(reading, doubt=doubt) for reading in others)


def only_unsure(reason: str, readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Return readings that nothing speaks against but that too little of the request is in them, or the `reason` why there is
    none, each with that as its doubt; not what is only another form of the same, nor what is seldom right beside it."""
    unsure = reason or "too little of it was understood"
    return tuple(
        msgspec.structs.replace(r, doubt=unsure if reason or not r.unused else _UNUSED)
        for r in readings
        if r.apart in {"", "end", "whole", "scope"} or reason
    )


def loses_first_half(first: Sequence[str], parsed: Parsed, reading: Reading) -> bool:
    """Return whether the second half of what was said, which is about what the `first` went back to, is read by itself."""
    names = parsed.meaning.conditions or parsed.meaning.flags
    return bool(first) and not reading.carried and (first[-1].startswith(("back to ", "the ")) or not names)


def _keeps_too_much(plain: str, parsed: Parsed, reading: Reading, before: Meaning) -> bool:
    return _still_limited(plain, parsed.meaning, reading.meaning, before) or is_entangled(plain, parsed, reading)


def _doubts(
    model: DomainModel, plain: str, parsed: Parsed, reading: Reading, before: Meaning | None
) -> Iterator[str | Literal[False]]:
    """Yield what each sign says where it holds."""
    meaning = reading.meaning
    yield _no_person(model, plain, parsed, meaning) and "“who” would be answered by no person"
    yield any(_chooses_nothing(model, part) for part in _parts(meaning)) and "it would choose the best of a single one"
    yield contradicts(model, plain, meaning, parsed.meaning, before) and "its conditions exclude each other"
    named = plain.replace("’", "'")
    yield any(f"{word}'s" in named for word in reading.unused) and "it leaves out whose things they are"
    yield before is None and goes_unspoken(model, parsed.nodes, meaning) and "it goes by things nobody spoke of"
    yield answers_otherwise(model, plain, meaning, parsed.meaning, before) and "another sort of answer was asked for"
    if before is None:
        return
    yield is_out_of_context(model, plain, parsed, reading, before) and _OUT_OF_CONTEXT
    yield (
        not reading.carried
        and meaning.rows is None
        and _lacks_referent(plain)
        and "nobody is known whom the pronoun means"
    )
    yield (
        not (parsed.meaning.conditions or _FREEING.search(plain))
        and _unmeasured(plain, meaning, before)
        and "what was asked of them is not answered"
    )
    yield bool(reading.carried and reading.unused) and _UNUSED
    yield _uncounted(plain, meaning) and "“how many” would be answered by rows"
    yield _only_whether(plain, parsed.meaning, meaning) and "a question for yes or no would be answered by a number"
    yield (
        not (reading.carried or meaning.rows)
        and _ignores_context(plain, meaning, before)
        and "“only” passes over what was selected before"
    )
    yield _said_of_another(model, parsed, meaning) and "a condition limits something else than was asked for"
    yield (
        parsed.headless
        and _another_of_one(model, parsed.meaning, meaning)
        and "one row would be compared with another of its kind"
    )


def _lacks_referent(plain: str) -> bool:
    """Return whether a request has a personal pronoun without a referent: "does she have any visits"."""
    return re.match(rf"{_BEFORE_A_PRONOUN}{_PERSON}", plain) is not None


def _no_person(model: DomainModel, plain: str, parsed: Parsed, meaning: Meaning) -> bool:
    """Return whether "who" would be answered by an entity that is no person and was not named: the specialty of the heart
    surgeons."""
    persons = {name for name, entity in model.entity.items() if "who" in entity.words}
    if not persons or meaning.attributes or meaning.count or meaning.aggregate or not _WHO.match(plain):
        return False
    return not {*meaning.entities} & persons and not any(
        n.has("entity") for n in parsed.nodes if "who" not in n.item.words
    )


def _unmeasured(plain: str, meaning: Meaning, before: Meaning) -> bool:
    """Return whether a question for a measure would be answered by the previous rows again."""
    asks = meaning.attributes or meaning.count or meaning.aggregate or meaning.per or meaning.by or meaning.extremes
    same = meaning.entities == before.entities or (meaning.rows and meaning.rows.entity == meaning.entities[0])
    return bool(same) and not asks and bool(_MEASURED.search(plain)) and not _WHICH.search(plain)


def _parts(meaning: Meaning) -> Iterator[Meaning]:
    while True:
        yield meaning
        if meaning.inside is None:
            return
        meaning = meaning.inside


def _chooses_nothing(model: DomainModel, meaning: Meaning) -> bool:
    """Return whether a superlative ranks something already identified: the cheapest of one book, the best of one row."""
    if meaning.rows and len(meaning.rows.keys) == 1 and meaning.rows.entity == meaning.entities[0] and meaning.pick:
        return True
    tables = {extreme.column.partition(".")[0] for extreme in meaning.extremes}
    return any(
        tables & {identified_table(model, c)} for c in meaning.conditions if len(c.values) == 1 and not c.negated
    )


def _still_limited(plain: str, now: Meaning, meaning: Meaning, before: Meaning) -> bool:
    """Return whether a request to return to everything still has the limits of the previous one."""
    if not _WHOLE.search(plain):
        return False
    limits = {*before.conditions, *before.flags} - {*now.conditions, *now.flags}
    kept = bool(limits or before.extremes) and limits <= {*meaning.conditions, *meaning.flags}
    return meaning.inside is not None or kept


def _ignores_context(plain: str, meaning: Meaning, before: Meaning) -> bool:
    """Return whether "only the novels" would be answered by all novels, although the previous result was narrower."""
    fewer = before.conditions or before.flags or before.extremes or before.rows or before.inside or before.outside
    asks = meaning.count or meaning.aggregate or meaning.attributes or meaning.per or meaning.by
    limited = meaning.inside or meaning.outside or meaning.among or meaning.compared or meaning.having
    return bool(fewer) and _ONLY.match(plain) is not None and not (asks or limited)


def _uncounted(plain: str, meaning: Meaning) -> bool:
    """Return whether "how many" would be answered by rows and not by a number."""
    counts = meaning.count or meaning.aggregate or meaning.attributes or meaning.per or meaning.by
    return _HOW_MANY.match(plain) is not None and not counts


def _only_whether(plain: str, now: Meaning, meaning: Meaning) -> bool:
    """Return whether a yes/no question would be answered by the aggregate of the previous request."""
    return _WHETHER.match(plain) is not None and bool(meaning.aggregate) and not now.aggregate


def _said_of_another(model: DomainModel, parsed: Parsed, meaning: Meaning) -> bool:
    """Return whether a condition on the requested entity would limit only the nested superlative: "men only" after the
    patients of the cheapest insurer."""
    inside, now = meaning.inside, parsed.meaning
    if inside is None or not inside.extremes or not parsed.headless:
        return False
    own = [
        c for c in now.conditions if model.attribute[c.attribute].of in meaning.entities and c not in meaning.conditions
    ]
    return any(c.values == limit.values for c in own for limit in inside.conditions)


def _another_of_one(model: DomainModel, now: Meaning, meaning: Meaning) -> bool:
    """Return whether one identified row would be related to another row of its own kind: "and doctor Castillo" after the fee
    of doctor Lee."""
    head = meaning.entities[0]
    table = model.entity[head].table
    pointed = meaning.rows is not None and meaning.rows.entity == head and len(meaning.rows.keys) == 1
    one = pointed or any(
        identified_table(model, c) == table for c in meaning.conditions if not c.negated and c not in now.conditions
    )
    far = [c for c in now.conditions if c in meaning.conditions and model.attribute[c.attribute].of != head]
    kinds = {v.kind for c in far for v in c.values if v.kind in model.kind}
    return one and any(model.kind[kind].column.startswith(f"{table}.") for kind in kinds)
