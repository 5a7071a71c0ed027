"""Requests specific enough to be new ones, and pronouns that make a seemingly complete request a follow-up.

Where the domain lists what to clarify (`clarify`), a question that says all of it is complete: "does Comair go from Bonn to
Kiel" needs no context. One that does not, and has "it" or "them", is about the previous result: "what does it cost on
Comair".
"""

from __future__ import annotations

import re

from domain.english.dialogue.openings import Opening
from domain.english.model.domain import DomainModel, read_path
from domain.english.model.meaning import Condition, Meaning, said_in
from domain.english.parse.parser import Parsed
from domain.english.text.tokens import read_words, words_of

_SUBJECT = re.compile(
    r"\b(?:do|does|did|will|would|is|are|was|were|can|could|has|have|had|should)(?: not)? (?:it|they|that|those|these)\b"
    r"|\b(?:with|on|of|for|about|from|by) (?:it|theirs|them|that|that one)$|\btheirs\b|\b(?:it|they) (?:has|have|had) (?:to"
    r"|got)\b"
)
_DUMMY = re.compile(
    r"\bit(?: [a-z]+){0,4} to (?:fly|get|go|travel|take|rent|reach|drive|come|stay|book|buy|have|be|make|see|work|live"
    r"|use|fetch)\b"
    r"|\bit (?:possible|true|ok|okay|worth|likely|rain|rains)\b"
)
_THERE = re.compile(r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bget )\bthere\b")
""" "there" as a place, not in "there is": "who works there"."""
_SOMEBODY = re.compile(r"\b(?:anybody|anyone|somebody|someone|any people|any employees)\b")
_BACK = frozenset(["those", "these", "same", "ones", "one", "again", "them"])
_GOING_ON = re.compile(
    r"\b(?:it|that one|they|them|those|these|their|its|one|ones|same|there|instead|too|as well|also|again)\b"
    r"|^(?:and|or|but|what about|how about|what if|only|just|then|now)\b|\b(?:that is|i mean)$"
)
_INSTEAD = re.compile(
    r"^(?:(?:ok|so|and|but|well|then|now) )*(?:(?:what|how) about\b|the (?P<said>[a-z]+(?: [a-z]+)?) (?P<noun>[a-z]+)\b)"
    r"|^what if\b|\binstead$"
)
_DEFINITE = re.compile(
    r"^(?:(?:and|so|but|ok|then|now) )*(?:what|how much)(?: is|['’]s| are| was| would)(?: be)? (?:the|their|its)"
    r" (?!(?:[a-z]+est|most|least)\b)"
)
_ONLY = re.compile(r"(?:(?:and|but|ok|so|then|now|please) )*(?:only|just) ")
_ASKS = re.compile(
    r"^(?:(?:so|ok|please|now|well) )*(?:do|does|did|is|are|was|were|can|could|will|would|has|have|what|which|who|when|where|how"
    r"|show|list|give|find|tell|i (?:need|want|would)|we (?:need|want|would)|iam looking|any|get)\b"
)


_ALL_OF_A_SORT = re.compile(
    r"(?:(?:ok|now|so|please|then) )*(?:(?:show|list|give|get|tell|read|display)(?: me| us)?"
    r" (?:(?:a list of|all|all of|the|every) )*"
    r"(?P<listed>[a-z]+(?: [a-z]+)?)|how many (?P<counted>[a-z]+(?: [a-z]+)?)"
    r" (?:are there|are there (?:in (?:all|total)|altogether|at all)|do we have|do you have|have we got|have you got)"
    r"(?: (?:in (?:all|total)|altogether|at all|in the company))?)(?: please)?"
)

_PART_OF = re.compile(
    r"\b(?:any|some|one|which|all|none|most|either|both|how many) of (?:the|their) (?!(?:day|week|month|year)s?\b)|\btheirs?\b"
)
_NO_FRAGMENT = re.compile(r"\b(?:all|every|show|list|find|give|i|we|you|there|from .+ to|to .+ from)\b")
_FEW_WORDS = 4


def _is_fragment(text: str) -> bool:
    """Return whether a request is a noun with a trait or two, which adds to what was said: "morning trains"."""
    plain = words_of(read_words(text))
    return len(plain.split()) <= _FEW_WORDS and not (_ASKS.match(plain) or _NO_FRAGMENT.search(plain))


def is_complete(model: DomainModel, meaning: Meaning) -> bool:
    """Return whether a request has every attribute that the domain would clarify; False when the domain would clarify
    none."""
    needed = _needed(model, meaning)
    return bool(needed) and needed <= {c.attribute for c in said_in(meaning)}


def understood_in_part(model: DomainModel, parsed: Parsed | None) -> Parsed | None:
    """Return the request if it is complete and its unused words are unknown to the domain: "we go skiing, from Bonn to Kiel";
    else None."""
    if parsed is None or parsed.refused or not parsed.unused or not is_complete(model, parsed.meaning):
        return None
    unknown = {n.item.words for n in parsed.nodes if n.has("unknown") and not n.values}
    return parsed if {*parsed.unused} <= unknown else None


def _needed(model: DomainModel, meaning: Meaning) -> set[str]:
    """Return the attributes that the domain clarifies for the requested entities and those they belong to."""
    concerned = {*meaning.entities}
    for name in meaning.entities:
        concerned |= {*(model.entity[name].related or ()), *model.entity[name].needs}
    return {attribute for name in concerned for attribute in model.entity[name].clarify}


def is_new_question(model: DomainModel, parsed: Parsed, opening: Opening) -> bool:
    """Return whether a headless request is a complete question that takes nothing over."""
    if opening.corrects or opening.mends or opening.returns or parsed.swap or "refer" in parsed.senses:
        return False
    plain = opening.text.lower()
    now = parsed.meaning
    if _GOING_ON.search(plain) or not (_ASKS.match(plain) or (is_complete(model, now) and not parsed.unused)):
        return False
    if now.extremes and now.conditions and now.entities != (model.domain.entity,) and not parsed.unused:
        return True  # "which Norton school is the largest": the name implies the entity
    if _SOMEBODY.search(plain) and any(_relates_to_person(model, c) for c in now.conditions) and not parsed.unused:
        return True  # "has anybody who reports to Ann Lee been hired since 1980"
    return is_complete(model, now) or ("explain" in parsed.senses and bool(parsed.meaning.conditions))


def _relates_to_person(model: DomainModel, condition: Condition) -> bool:
    """Return whether a condition relates to a named person, rather than being that person's name."""
    persons = {name for name, kind in model.kind.items() if any(" " in pair for pair in kind.names)}
    columns = {column for name in persons for pair in model.kind[name].names for column in pair.split()}
    named = [v for v in condition.values if v.kind in model.kind]
    named = [v for v in named if v.kind in persons or model.kind[v.kind].column in columns]
    return bool(named) and all(p not in _keys(model) | columns for p in _paths(model, condition))


def only_names_entity(model: DomainModel, parsed: Parsed, before: Meaning, opening: Opening) -> bool:
    """Return whether a request only names an entity: "show me the departments" after employees, "how many members are there"
    after anything."""
    plain = " ".join(opening.text.lower().strip(" ?.!").split())
    found = _ALL_OF_A_SORT.fullmatch(plain)
    if found is None or len(parsed.meaning.entities) != 1 or opening.corrects or opening.mends:
        return False
    entity = parsed.meaning.entities[0]
    if found["listed"] and _needed(model, parsed.meaning) and not re.search(r"\b(?:all|every)\b", plain):
        return False  # "tell me the price" after a route from one town to another is about that route
    named = (found["listed"] or found["counted"]) in model.entity[entity].words
    return named and (entity not in before.entities or (found["counted"] is not None and not before.extremes))


def has_result_as_subject(model: DomainModel, parsed: Parsed, text: str) -> bool:
    """Return whether the previous result is the subject of a question that also names things of its own: "what does it cost
    on Comair", "when are they on Saturday"."""
    plain = words_of(read_words(text))
    if not _SUBJECT.search(plain) or _DUMMY.search(plain):
        return False
    return bool(_needed(model, parsed.meaning)) and not is_complete(model, parsed.meaning)


def needs_context(model: DomainModel, parsed: Parsed, opening: Opening) -> bool:
    """Return whether a request needs context: it refers back, continues, or has no head."""
    meaning, text = parsed.meaning, opening.text
    divided = meaning.per or meaning.by
    said = meaning.conditions or meaning.flags or meaning.either or meaning.compared or meaning.having
    bare = not (said or divided) and "all" not in text.lower().split()
    first = text.lower().split()[:1]
    continues = "continue" in parsed.senses and (parsed.headless or first in (["and"], ["or"]))
    # "what rooms are there in Austin and what does it cost": the referent is in the same request
    refers = ("refer" in parsed.senses or bool(_THERE.search(text.lower()))) and (
        parsed.headless or bare or bool(_BACK & set(text.lower().split()))
    )
    found = _INSTEAD.search(text.lower().strip(" ?.!"))
    nouns = {"one", "ones", *(w for name in meaning.entities for w in model.entity[name].words)}
    alike = found is not None and (not found["noun"] or (found["noun"] in nouns and found["said"] not in nouns))
    alike = alike or _ONLY.match(text.lower()) is not None or _THERE.search(text.lower()) is not None
    alike = alike or _PART_OF.search(text.lower()) is not None or _is_fragment(text)
    continues = continues or (alike and bool(_needed(model, meaning)) and not is_complete(model, meaning))
    refers = refers or has_result_as_subject(model, parsed, text)
    # "what is the rate for members" asks for that of what was shown, where it names nothing else
    definite = _DEFINITE.match(text.lower()) is not None and not meaning.conditions
    refers = refers or (definite and bool(_needed(model, meaning)) and not is_complete(model, meaning))
    return opening.returns or bool(parsed.swap) or bare or refers or continues or parsed.headless


def is_about_named(model: DomainModel, parsed: Parsed, opening: Opening) -> bool:
    """Return whether a request asks something of the person who replaced a pronoun, and so is complete: "what does employee
    1011 earn", "who reports to Ann Lee"."""
    now = parsed.meaning
    if not opening.named or parsed.unused or opening.corrects or opening.mends or opening.returns:
        return False
    if parsed.senses & {"refer"}:
        return False
    asks = now.attributes or now.count or now.aggregate or now.extremes or now.entities != (model.domain.entity,)
    relates = any(read_path(p).steps or p not in _keys(model) for c in now.conditions for p in _paths(model, c))
    return bool(now.conditions) and bool(relates or (asks and not now.compared))


def _keys(model: DomainModel) -> set[str]:
    return {column for entity in model.entity.values() for column in entity.key}


def _paths(model: DomainModel, condition: Condition) -> list[str]:
    accepts = model.attribute[condition.attribute].accepts
    return [
        accepts[v.kind]
        for v in condition.values
        if v.kind in model.kind and v.kind in accepts and accepts[v.kind] != "-"
    ]


def stands_alone(model: DomainModel, parsed: Parsed, opening: Opening) -> bool:
    """Return whether a question that names its things only by a flag says enough to stand alone: "how many clerks earn less
    than the average"."""
    meaning = parsed.meaning
    if is_new_question(model, parsed, opening):
        return True
    said = (*meaning.conditions, *meaning.flags, *meaning.compared, *meaning.having)
    goes_on = opening.returns or opening.corrects or parsed.swap or parsed.senses & {"refer", "continue"}
    return bool(meaning.flags) and len(said) > 1 and bool(parsed.senses & {"count", "ask"}) and not goes_on
