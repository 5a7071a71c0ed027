"""Requests that only lift a restriction: "any department is fine", "it does not matter which day", "any time"."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import msgspec

from domain.english.model.domain import DomainModel, read_path
from domain.english.model.meaning import Condition, Meaning

_LEAD = (
    r"^(?:(?:or|and|but|then|what about|how about|just|on|in|at|from|to|with|by|for|ok|okay|actually|well|so|what if|if"
    r"|do that|same|the same"
    r"|i guess|i will take|i would take|i can take|i could take|we can take|i can do|we can do|iam happy with"
    r"|iam fine with|iam easy on"
    r"|iam flexible on|iam open to|we are open to|i can live with|let us try|let us have|let me have|try|show me"
    r"|give me|make it|maybe"
    r"|please|no|yes|into|out of|during|of|he will take|she will take|we will take) )*"
)
_NOUN = r"(?P<noun>[a-z]+(?: (?!is\b|are\b)[a-z]+)?)"
_FINE = (
    r" (?:is|are|will|would|that is)(?: also)? (?:fine|good|great|alright|do|work|acceptable|possible|tolerable|bearable"
    r"|allowed|no problem|not a problem)(?: too)?(?: with me)?"
)
_FOR_ME = r"(?: (?:for|with|by) (?:me|us|him|her|them))?"
_FOR_ME += r"(?: (?:then|now|please|too|really|at all|any more|anymore|after all|i guess))*"
_FORGET = (
    r"(?:forget(?: about)?|never mind(?: about)?|ignore|drop|scrap|skip|lose|leave (?:off|aside)|do not (?:worry|bother) about"
    r"|(?:do not bother|we can do|i can do|i can live) with(?:out)?|no need for|do away with|get rid of|take (?:away|off)|remove"
    r"|lift|(?:iam|we are|it is|he is|she is)? ?not (?:really |that |too )?(?:bothered|fussed|fussy|picky|worried|concerned)"
    r"(?: about| with| by)?"
    r"|(?:i|we|she|he|they) (?:do|does) not (?:really |actually )?"
    r"(?:need|care about|mind about|mind|care|insist on|have to have)"
    r"|(?:it|that|they|he|she|those) (?:(?:do|does) not (?:really )?(?:have to|need to)|need not) be|not necessarily"
    r"|(?:it )?(?:does not have to be )?not (?:just|only)|(?:more|others|other ones) than (?:just|only)"
    r"|(?:it|that) (?:does|do) not (?:really )?matter(?: about| if(?: it is| they are| it has)?)?)"
)
_IDLE = (
    r"(?:(?:do|does) not (?:really |actually )?(?:matter|count)(?: (?:that|so|too) much| any more| anymore)?"
    r"|(?:is|are) not (?:that |so |really |very |too )?(?:important|needed|necessary|required|essential|relevant|an issue|a must)"
    r"|no longer (?:matters?|counts?)|(?:is|are) (?:now )?(?:(?:wide |completely |totally |still )?open|up in the air"
    r"|undecided|free|negotiable|not fixed|not set|anything)|(?:is|are) (?:irrelevant|unimportant|flexible|optional|up to you)"
    r"|can be (?:anything|any|whatever|anyone))"
)
"""Predicates that lift a restriction."""
_REST = (
    r"(?: (?:thing|part|bit|restriction|requirement|business|then|now|please|any more|anymore|after all|any longer))*$"
)
_WIDENING = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_LEAD}(?:any|whatever|whichever)(?: other)? (?P<noun>[a-z]+) (?:fine|good|great|alright|okay){_FOR_ME}$",
        rf"{_LEAD}(?:any|whatever|whichever)(?: other)? {_NOUN}{_FINE}{_FOR_ME}$",
        rf"{_LEAD}(?:any|whatever|whichever)(?: other| old| one)? {_NOUN}(?: is)?{_FOR_ME}$",
        rf"{_LEAD}(?:any|whatever|whichever)(?: other)? {_NOUN} (?:at all|whatsoever|you like|you have|will do|works"
        rf"|would do|is ok)$",
        rf"{_LEAD}(?:(?:in|across|from|for|of|over|at|on|throughout|with) )+(?:all|every|any)(?: of)?(?: the)? {_NOUN}$",
        rf"{_LEAD}(?:the )?{_NOUN} {_IDLE}$",
        rf"{_LEAD}(?:it|that) (?:does|do) not(?: really)? matter(?: on| in| at)? (?:which|what|about)"
        rf" (?:the )?{_NOUN}(?: it is)?$",
        rf"{_LEAD}i do not(?: really)? (?:care|mind)(?: about)?(?: which| what| the) {_NOUN}(?: it is)?$",
        rf"{_LEAD}(?:regardless of|no matter|{_FORGET})(?: which| what| the| that| my)? (?P<noun>[a-z]+){_REST}",
    )
)
_DROPPED = re.compile(
    rf"{_LEAD}(?:(?:{_FORGET}|regardless of|no matter|irrespective of) (?:(?:the|that|a|an|any|my) )?"
    rf"|(?=(?:whenever|wherever|whoever) ))(?P<what>.+?){_REST}"
)
_UNCARED = re.compile(
    rf"{_LEAD}(?:(?:(?:the |a )?(?P<what>.+?) {_IDLE}{_FOR_ME})|(?:it|that) (?:does|do) not (?:really )?matter (?P<also>.+))$"
)
_ALSO_FINE = re.compile(
    rf"{_LEAD}(?P<what>.+?)(?: (?:is|are|would be|that is)(?: also)? (?:fine|good|great|ok|okay|all right|alright|possible)"
    r"| works?| will do)(?P<too>(?: (?:too|also|as))?)"
    r"(?: (?:for|with|by) (?:me|us|him|her|them))?(?: i (?:guess|suppose|think))?$"
)
_OR_ELSE = re.compile(
    r"^(?:and |but )?or (?:maybe |perhaps |else |even |possibly )*(?P<what>[a-z0-9]+(?: [a-z0-9]+){0,2})$"
)
_LET_GO = re.compile(rf"{_LEAD}(?:some |a |one |an )?(?P<noun>[a-z]+){_FINE}$")
_OF_ALL = re.compile(
    r"^(?:(?:and|or|so|but|what about|how about|for|of|over|among|what is it|how many is it|how is it) )*"
    r"(?:everyone|everybody|all of them(?: together)?|all of us|overall|altogether|everyone together|all people)"
    r"(?: (?:then|please|else|in (?:the )?(?:company|whole company)))*$"
)
_ANYWHERE = re.compile(
    r"^(?:(?:and|so|but|ok|now|what about|how about|for|in|across|over|throughout|make it|make that|make this|within|of|among"
    r"|on|looking at|look at|do it for|let us do"
    r"|let us take|take|try|do the same for|the same for|same for|instead) )*(?:the )?(?:whole|entire|complete|full|all of the) "
    r"(?P<noun>company|firm|organi[sz]ation|place|outfit|business|corporation|clinic|library|lot|database|thing|staff"
    r"|workforce|payroll)"
    r"(?: (?:then|please|instead|now|this time))*$|^(?:(?:and|so|but|ok|now|make it) )*(?:company ?wide|companywide"
    r"|across the board|organi[sz]ation ?wide|firm ?wide)$"
)
_IN_ALL = re.compile(
    r"\b(?:in|across|over|for|throughout|within|of) the (?:whole|entire|complete) (?:company|firm|organi[sz]ation|outfit"
    r"|business|corporation)\b"
    r"|\bcompany ?wide\b|\banywhere in the (?:company|firm)\b"
)
"""A change of place to all there is: "whole company", "and for the entire firm"."""
_WHO = re.compile(
    r"^(?:(?:and|so|ok|but|then|now|please|just|only) )*(?:(?:give|tell|show|list|read|let|get)(?: me| us)?(?: have| see)? )?"
    r"(?:(?P<names>(?:what are )?(?:(?:all )?(?:their|the|those|all the) )?names(?: of (?:them|those|these))?)"
    r"|(?:which|what|who)(?: ones?)? (?:are|were) (?:they|those|these|them)(?: called)?|who they are|which ones(?: they are)?"
    r"|who(?: (?:exactly|then|is it|is that|would that be))?|like who|such as who|namely"
    r"|name them|list them|show them)(?: (?:please|then|all|again|exactly))*$"
)
_COMPUTED = re.compile(
    r"^(?:(?:and|so|but|then|now) )*(?:what is |what would be |what was |give me |what about |how about )?"
    r"(?:the|their|its|that) (?P<what>average|mean|total|sum)(?: (?:of|over|for) (?:that|those|these|them|it|all)(?: of them)?)?$"
)
_END = (
    "earliest|latest|soonest|cheapest|dearest|most expensive|least expensive|highest|lowest|shortest|longest|fastest|slowest"
    "|biggest|largest|smallest|oldest|youngest|newest"
)
_SORT = r"(?:sort|order|arrange|rank|sorted|ordered|arranged|ranked|put|show|list|give me|have|starting|in order|in the order)"
_ORDERED = re.compile(
    rf"(?:(?:and|now|please|can you|could you|ok|then|{_SORT}|them|those|these|it|that|with|the|by|from|in|of) )*"
    rf"(?:(?:the )?(?:{_END})(?: ones?)? first|(?:the )?(?:{_END}) to (?:the )?(?:{_END})"
    rf"|(?:{_SORT}) (?:(?:them|those|these|it|that) )?(?:by|in order of|in the order of) (?:the |their )?[a-z]+(?: [a-z]+)?)"
    r"(?: (?:please|then|if you can))*"
)
_NOUNS = {"weekday": ("day", "date"), "date": ("day", "date"), "clock": ("time",), "money": ("price",)}


def attributes_by_noun(model: DomainModel) -> dict[str, frozenset[str]]:
    """Return the attributes that each noun refers to: "day" to weekdays and dates, an entity's noun to the attributes that
    accept its names."""
    found: dict[str, set[str]] = {}
    for name, attribute in model.attribute.items():
        words = {name.replace("_", " "), *attribute.words}
        for kind in attribute.accepts:
            known = model.kind.get(kind)
            words |= {kind.replace("_", " "), *_NOUNS.get(kind, ())}
            words |= {*model.entity[known.asks].words} if known and known.asks in model.entity else set()
        for word in words:
            found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


def lifted_attributes(text: str, nouns: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the attributes whose restriction a request lifts; empty when it says anything else."""
    text = text.replace("time of day", "time").replace("day of the week", "day")
    found = next((found for pattern in _WIDENING if (found := pattern.match(text))), None)
    return attributes_of_noun(found.group("noun"), nouns) if found else frozenset()


def attributes_of_noun(noun: str, nouns: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the attributes of a noun, in the singular or plural."""
    return next((nouns[form] for form in (noun, noun.removesuffix("s"), noun + "s") if form in nouns), frozenset())


def noun_of_lifted_flag(text: str) -> str:
    """Return the noun of "shifts are fine", which can only lift a flag; empty when the request says anything else."""
    found = _LET_GO.match(text)
    return found.group("noun") if found else ""


def without_restrictions(before: Meaning, attributes: Collection[str], flags: Collection[str] = ()) -> Meaning | None:
    """Return the earlier meaning without its conditions on these attributes and without these flags; None when it has
    none."""
    kept = tuple(c for c in before.conditions if c.attribute not in attributes)
    left = tuple(f for f in before.flags if not {*f.flags} & {*flags})
    wider = msgspec.structs.replace(before, conditions=kept, flags=left)
    return wider if wider != before else None


def widen_to_all(before: Meaning, text: str) -> Meaning | None:
    """Return the number of the previous request without its restrictions: "and of everybody" after the average wage of the
    clerks."""
    if not _OF_ALL.match(text) or not (before.aggregate or before.count or before.by or before.per):
        return None
    plain = msgspec.structs.replace(before, conditions=(), flags=(), having=(), either=(), compared=())
    return plain if plain != before and not (before.rows or before.inside or before.outside) else None


def widen_place(model: DomainModel, before: Meaning, text: str, within: bool = False) -> Meaning | None:
    """Return the previous request without its last restriction to a part of the whole: "whole company" after the women in
    finance. The part is a named row of another table that is referred to, as a department is. `within` a request, it may say
    more than that: "how many birthdays in the entire company"."""
    if (
        not (_IN_ALL.search(text.lower()) if within else _ANYWHERE.match(text))
        or before.rows
        or before.inside
        or before.outside
    ):
        return None
    parts = [c for c in before.conditions if _is_part(model, before, c)]
    kept = tuple(c for c in before.conditions if c not in parts)
    return msgspec.structs.replace(before, conditions=kept) if parts else None


def _is_part(model: DomainModel, before: Meaning, condition: Condition) -> bool:
    """Return whether a condition restricts to a named row to which the rows refer by a column of their own table."""
    about = model.attribute[condition.attribute]
    entity = model.entity[about.of]
    paths = [read_path(about.accepts[v.kind]) for v in condition.values if v.kind in model.kind]
    if about.of not in before.entities or not paths or len(paths) != len(condition.values):
        return False
    first = [path.steps[0].left if path.steps else "" for path in paths]
    away = all(path.steps and path.steps[0].right.partition(".")[0] != entity.table for path in paths)
    return away and all(left.partition(".")[0] == entity.table and left not in entity.key for left in first)


def aggregate_amounts(before: Meaning, text: str) -> Meaning | None:
    """Return an aggregate of the amounts of the previous request: "and the average" after the wages of the clerks."""
    found = _COMPUTED.match(text)
    if not found or len(before.attributes) != 1 or before.count or before.per or before.by or before.extremes:
        return None
    made = {"average": "avg", "mean": "avg"}.get(found["what"], "sum")
    changed = msgspec.structs.replace(before, aggregate=made, named=False)
    return changed if changed != before else None


def list_rows(model: DomainModel, before: Meaning, text: str) -> Meaning | None:
    """Return the rows of which only a number or an attribute was given: "which ones are they", or "their names" where the
    rows contain these."""
    found = _WHO.match(text)
    if not found or len(before.entities) != 1 or before.per or before.by:
        return None
    if found["names"] and any("names" in a.words and a.of in before.entities for a in model.attribute.values()):
        return msgspec.structs.replace(before, count=False) if before.count else None
    return msgspec.structs.replace(before, count=False, aggregate="", attributes=(), distinct=False, named=False)


def only_reorders(text: str) -> bool:
    """Return whether a request only reorders the previous result: "cheapest first", "sort them by price"."""
    return _ORDERED.fullmatch(text) is not None


def dropped_words(text: str) -> str:
    """Return the words for what a request drops: "the dinner" of "never mind the dinner"; empty when it drops nothing."""
    found = _DROPPED.match(text) or _UNCARED.match(text)
    return found["what"] or found.groupdict().get("also") or "" if found else ""


def allowed_words(text: str) -> tuple[str, bool]:
    """Return the words for an alternative that a request allows, and whether it is in addition: "norton is fine too"; empty
    when it allows none."""
    found = _ALSO_FINE.match(text)
    if found is None and (other := _OR_ELSE.match(text)):
        return other["what"], True
    return (found.group("what"), bool(found.group("too")) or text.startswith("or ")) if found else ("", False)
