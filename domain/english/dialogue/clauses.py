"""Clauses that narrow the previous request, read with its head: "which of them have loans in June" as "members who have loans
in June"; and questions specific enough to stand alone."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from domain.english.model.domain import DomainModel, tied
from domain.english.model.meaning import Condition, Meaning
from domain.english.parse.parser import Parsed

_OF_THEM = r"(?: (?:of )?(?:them|those|these))?"
_HAVING = re.compile(
    rf"^(?:(?:and|but|only|just) )*(?P<many>how many{_OF_THEM} )?"
    rf"(?:(?:(?:which|any|some|those|the ones|ones)(?: ones)?{_OF_THEM} )?(?:(?:who|that|which) )?(?:(?:also|all|still) )?|"
    rf"(?:do|does|did|have|has) (?:any|some|they|all){_OF_THEM} )?"
    r"(?P<verb>with|without|have|has|had|having|do not have|does not have|did not have|have not|has not|never had|have never"
    r"|has never) (?P<rest>.+)$"
)
_DIVIDED = re.compile(
    r"^(?:(?:and|so|but|now) )*"
    r"(?P<many>how many (?:of (?:them|those|these) )?(?:are there |are )?|(?:count|number) (?:of )?(?:them )?)?"
    r"(?:broken down |split |grouped |counted |break (?:it|them|that) down )?"
    r"(?P<rest>(?:by|per|for each|in each|on each|from each|for every|in every|at each|with each) .+)$"
)
_WORDS = {"avg": "average", "sum": "total", "max": "highest", "min": "lowest"}
_ASKING = frozenset(["what", "who", "how", "when", "where", "which", "why", "whose"])
_POINTING = re.compile(r"\b(?:it|that one|they|them|those|these|their|its)\b")
_GOING_ON = re.compile(r"(?:and|or|but|what about|how about|what if|same|only|just)\b")
_THEM = r"(?:they|it|that|those|these|them|one|that one)"
_PRICE = re.compile(
    rf"(?:(?:and|so|but) )*(?:how much (?:do|does|is|are|would|will|was|were|did|for) {_THEM}"
    r"(?: (?:cost|be|charge|charge for it|charge for that|come to|run|set me back|then))?"
    rf"|what (?:do|does|would|will|did) {_THEM} (?:cost|charge|run|come to|cost me|run me|set me back)"
    r"|(?:what is|what are|what was|tell me|give me) the (?:price|prices|cost|costs|charge|rate)"
    rf"(?: (?:of|for|on) {_THEM})?|(?:the )?(?:price|cost)(?: please)?)(?: (?:please|then|there))*"
)
_BACK = re.compile(
    r"\b(?:they|them|those|these|their|theirs|that one)\b|\b(?:is|are|was|were|does|do|did|with|of|on|in|from|to|for) that\b"
    r"|\b(?:use|uses|make|makes|makes|fly|flies|serve|serves|own|owns|of|for|with|on) (?:it|that)$|(?<!is )(?<!are )\bthere$"
)
"""Words that refer to an antecedent."""


def read_with_head(
    model: DomainModel, parsed: Parsed, before: Meaning, plain: str, read: Callable[[str], Parsed | None]
) -> Parsed | None:
    """Return the clause read with the head of the previous request; None when it is no such clause or is about other
    things."""
    found = _HAVING.match(plain)
    if found is None or len(before.entities) != 1 or _ASKING & {found["rest"].partition(" ")[0]}:
        return None
    if parsed.headless and not parsed.unused:
        return None
    # the tense of "had more than two" has no meaning of its own
    verb = found["verb"] if found["verb"].startswith("with") else f"who {found['verb']}"
    head = model.entity[before.entities[0]].many or before.entities[0]
    headed = read(f"{head} {verb} {found['rest']}")
    if headed is None or headed.unused or headed.refused or headed.meaning.entities != before.entities:
        return None
    meaning = headed.meaning
    if meaning.attributes or meaning.count or meaning.per or meaning.aggregate or meaning == Meaning(before.entities):
        return None
    meaning = msgspec.structs.replace(meaning, count=found["many"] is not None)
    return msgspec.structs.replace(headed, meaning=meaning, headless=True, senses=headed.senses - {"entity"})


def group_result(
    model: DomainModel, parsed: Parsed, before: Meaning, plain: str, read: Callable[[str], Parsed | None]
) -> Meaning | None:
    """Return a grouped count or aggregate of the previous result: "how many in each department", "by department" after an
    average; None when the request says anything else."""
    found = _DIVIDED.match(plain)
    if found is None or len(before.entities) != 1 or before.per or before.by or before.extremes or before.inside:
        return None
    head = model.entity[before.entities[0]].many or before.entities[0]
    if before.aggregate and before.attributes and not found["many"]:
        words = model.attribute[before.attributes[0]].words
        asked = f"{_WORDS.get(before.aggregate, 'average')} {words[0]} of {head}" if words else ""
    else:
        asked = f"how many {head}" if found["many"] or before.count else ""
    whole = read(f"{asked} {found['rest']}") if asked else None
    if whole is None or whole.unused or not (whole.meaning.per or whole.meaning.by):
        return None
    return msgspec.structs.replace(
        whole.meaning, conditions=(*before.conditions, *whole.meaning.conditions), flags=before.flags,
        either=before.either, having=before.having, compared=before.compared,
    )  # fmt: skip


def restrict_result(model: DomainModel, clause: Parsed, before: Meaning) -> tuple[Meaning, Meaning] | None:
    """Return the clause as a subset of the previous result when each condition is met by related rows of its own, as in "who
    came in June" of those who ever had the flu; None when both could be met by the same row."""

    def of_rows(c: Condition) -> bool:
        return model.attribute[c.attribute].of not in before.entities or is_multivalued(model, c)

    apart = [any(map(of_rows, meaning.conditions)) for meaning in (clause.meaning, before)]
    if not all(apart) or before.per or before.aggregate or before.extremes:
        return None
    inner = msgspec.structs.replace(before, attributes=(), count=False, named=False)
    return msgspec.structs.replace(clause.meaning, inside=inner), Meaning(before.entities, inside=inner)


def is_about_other_things(model: DomainModel, parsed: Parsed, before: Meaning, plain: str) -> bool:
    """Return whether a headless request says enough about other things than the previous result to stand alone: "list the
    women in Norton hired after 1980", after the department with the most members."""
    now = parsed.meaning
    said = [model.attribute[c.attribute].of for c in now.conditions]
    said += [model.flag[name].of for flagged in now.flags for name in flagged.flags]
    goes_on = parsed.senses & {"refer", "return"} or _POINTING.search(plain) or _GOING_ON.match(plain)
    asks = parsed.senses & {"ask", "wish", "count"}
    apart = before.entities != now.entities and not {*said} & {*before.entities}
    return bool(parsed.headless and asks and len(said) > 1 and apart and not goes_on)


def only_refers_back(parsed: Parsed, plain: str) -> bool:
    """Return whether a request says nothing but what it is about, by a referring expression: "how far is that from town"."""
    now = parsed.meaning
    says = now.conditions or now.flags or now.either or now.having or now.compared or now.extremes
    return not says and _BACK.search(plain) is not None


def ask_price(model: DomainModel, parsed: Parsed, before: Meaning, plain: str) -> Meaning | None:
    """Return the request for the price of the previous result: "how much do they charge"; None when something else is asked
    or the entity has no price."""
    now = parsed.meaning
    says = now.conditions or now.flags or now.extremes or now.per or now.having or now.compared
    if says or not _PRICE.fullmatch(plain) or len(before.entities) != 1 or before.per or before.aggregate or before.by:
        return None
    for name, attribute in model.attribute.items():
        if attribute.of == before.entities[0] and attribute.select and "money" in attribute.accepts:
            return msgspec.structs.replace(before, attributes=(name,), count=False, named=False)
    return None


def relate_to_result(model: DomainModel, now: Meaning, before: Meaning) -> tuple[Meaning, Meaning] | None:
    """Return the requested entities that belong to the previous result, when nothing else can be taken over; None when the
    domain does not relate the two."""
    heads = before.entities
    if len(heads) != 1 or heads[0] in now.entities or before.per or before.aggregate or before.by or before.rows:
        return None
    if not tied(model, (*now.entities, *heads)):
        return None
    inner = msgspec.structs.replace(before, attributes=(), count=False, named=False)
    return msgspec.structs.replace(now, inside=inner), Meaning(now.entities, inside=inner)


def is_multivalued(model: DomainModel, condition: Condition) -> bool:
    """Return whether an entity can have several values of the attribute, such as a patient's diagnoses, unlike her town."""
    keys = {column for entity in model.entity.values() if len(entity.key) == 1 for column in entity.key}
    accepts = model.attribute[condition.attribute].accepts
    steps = [step for v in condition.values for step in accepts.get(v.kind, "").split(";")[:-1]]
    return any(step.partition("=")[2].strip() not in keys for step in steps)
