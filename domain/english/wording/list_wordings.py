"""Lists in plainer words: what only repeats their order or says whose things they are is dropped, and tables of counts are asked
for by number.

"The five shortest films, shortest first" are the five shortest films, "the oldest film you're showing" is the oldest film, "a
breakdown of visits by ward" the number of visits by ward, "for five hundred bottles or more" "for five hundred or more bottles".
"""

from __future__ import annotations

import re

from domain.english.model.domain import DomainModel

_TENS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    "|ninety|hundred|thousand|million"
)
_NUMBER = rf"(?:[0-9]+|(?:(?:{_TENS}|a|and) )*(?:{_TENS}))"
_OURS = (
    r"showing|running|selling|offering|stocking|keeping|playing|serving|holding|putting on|looking after|responsible for|got"
    r"|offering (?:us|me|people)"
)
_NO_THING = (
    rf"or|and|to|in|a|p|am|pm|{_TENS}|[a-z]*hours?|minutes?|mins?|days?|weeks?|months?|years?|dollars?|pounds?|euros?|cents?|pence"
    r"|percent|per|k|km|kilos?|metres?|meters?|miles?|oclock|bucks?|quid|grand"
)
_OR_MORE = r"(?P<more>or (?:more|over|above|fewer|less|under))"
_AMONG = r"(?:clinic|company|firm|museum|festival|library|shop|school|programme|collection|catalogue|list|books|files)"
_RULES = (
    (re.compile(r"\b(?P<said>(?P<most>\w+est|most \w+|least \w+)\b.*?),? (?:the )?(?P=most)(?: ones?)? first$"), r"\g<said>"),
    (re.compile(rf"(?<!who)(?<!what)(?<!which) (?:that )?(?:you|we)(?: are| have)(?: ever| currently)? (?:{_OURS})"
                rf"(?: (?:in|at) (?:the|our|your) {_AMONG})?$"), ""),
    (re.compile(r"^(?P<lead>(?:please )?(?:(?:give|show|get) (?:me|us) |i (?:want|need|would like) |can i have )?)"
                r"(?:a |the )?(?:breakdown|tally|split|distribution) of (?:the |all |our )?(?P<what>.+?) by "),
     r"\g<lead>number of \g<what> by "),
    (re.compile(r"^(?P<what>(?!how|number|what|which|who)[a-z ]+?) (?:broken|split|grouped) (?:down |up )?(?:by|per) "),
     r"number of \g<what> by "),
    (re.compile(rf"\b(?P<number>{_NUMBER}) (?P<what>(?!(?:{_NO_THING})\b)[a-z]+) {_OR_MORE}\b"),
     r"\g<number> \g<more> \g<what>"),
)  # fmt: skip


def plain_list(plain: str) -> str:
    """Return the request in plainer wording; unchanged when no rule applies.

    >>> plain_list("the five shortest films, shortest first")
    'the five shortest films'
    >>> plain_list("sales for five hundred bottles or more")
    'sales for five hundred or more bottles'
    """
    for pattern, put in _RULES:
        plain = pattern.sub(put, plain)
    return plain


def anything_done(model: DomainModel) -> list[tuple[re.Pattern[str], str]]:
    """Return the rules for whether there was any such event: "did Emma win anything" asks for the prizes of Emma."""
    rules = []
    for entity in model.entity.values():
        if entity.verbs and entity.many:
            verbs = "|".join(sorted(map(re.escape, entity.verbs), key=len, reverse=True))
            did = r"^(?:did|has|have) (?P<who>(?!you\b|we\b|i\b|any|some|every)(?!.*\b(?:never|not)\b)[a-z0-9 ]+?) (?:ever )?"
            done = rf"{did}(?:{verbs}) (?:anything|something)(?: at all)?$"
            rules.append((re.compile(done), rf"which {entity.many} of \g<who>"))
    return rules
