"""Short turns of somebody in a hurry, put into a plain wording: "third", "whoever flies", "Burbank was better, show that again".

Nothing here knows a domain.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from domain.english.text.tokens import put_by_rules

_LEAD = r"(?P<lead>(?:(?:and|but|so|or|ok|then|now|well|oh|please|just|also|hm|no) )*)"
_ORDINAL = r"(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"
_VERBS = r"(?:leaves|departs|arrives|lands|gets in|gets there|goes|takes off|starts|ends|costs|takes|gets back)"
_MOST = r"(?:first|last|earliest|latest|soonest|quickest|fastest|the least|the most|the least time|the most time)"
_FINE = r"(?:is|are|was|were|would be|will be|looks?|looked|sounds?|sounded|seems?|seemed)"
_LIKED = r"(?:better|best|fine|good|great|ok|okay|nice|nicer|perfect|all right|right|the best|preferable)"
_RULES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (
        re.compile(
            rf"^{_LEAD}(?P<what>.+?) (?:too|as well) (?:along with|with|beside|next to) (?:those|them|these|that)$"
        ),
        r"and \g<what> too",
    ),
    (re.compile(r"^is (?:any|one) of (?P<them>them|those|these) (?=an? )"), r"are any of \g<them> "),
    (re.compile(rf"^{_LEAD}the (?:very )?first (?:one )?of the day$"), r"\g<lead>the earliest"),
    (re.compile(rf"^{_LEAD}the (?:very )?last (?:one )?of the day$"), r"\g<lead>the latest"),
    (re.compile(r"\bonly (?:for|with) (?:him|her|them|me|us)$"), "only"),
    (
        re.compile(
            r"\b(?P<best>best|cheapest|lowest|price|good|nice|ok|lovely|perfect|right) for us"
            r"(?=$| (?:please|then|and|but|to|on|in|at|that)\b)"
        ),
        r"\g<best>",
    ),
    (re.compile(rf"^{_LEAD}(?P<nth>{_ORDINAL})(?: please)?$"), r"\g<lead>the \g<nth> one"),
    (
        re.compile(rf"^{_LEAD}the one (?:that|which) (?P<verb>{_VERBS}) (?P<most>{_MOST})$"),
        r"\g<lead>which of those \g<verb> \g<most>",
    ),
    # what was liked better is wanted again
    (
        re.compile(
            rf"^{_LEAD}(?P<what>(?!(?:that|it|this|those|these|they)\b)[a-z0-9 ]+?) {_FINE} {_LIKED} (?:so |then |and )*"
            r"(?:(?:let us |we can |please )?(?:show|go|list|give|take|put|have|bring|see)(?: me| us)? (?:back )?(?:to )?"
            r"(?:that|those|it|them|there|back)(?: (?:one|ones|list))?)(?: (?:again|then|please|back))*$"
        ),
        r"back to \g<what>",
    ),
    (
        re.compile(
            rf"^{_LEAD}(?P<what>(?:the )?(?!.*\b(?:give|show|mind|list|see)\b)[a-z0-9 ]+? ones?)"
            r" (?:again|once more|one more time)(?: please)?$"
        ),
        r"back to \g<what>",
    ),
    (
        re.compile(
            rf"^{_LEAD}(?:his|hers|mine|theirs|ours|that one|the second one) (?:can|could|may|might|will) be (?P<any>any .+)$"
        ),
        r"\g<lead>\g<any>",
    ),
    (
        re.compile(
            rf"^{_LEAD}(?P<what>(?!(?:is|are|was|were|do|does|did|has|have|will|can) ).+?) "
            r"or (?:otherwise|not|another|any other|others|other ones|someone else|somebody else|whoever)$"
        ),
        r"\g<lead>not just \g<what>",
    ),
    (re.compile(rf"^{_LEAD}(?:still .+? )?(?:but |and )(?:maybe )?(?P<not>not (?:only|just) .+)$"), r"\g<not>"),
    (re.compile(rf"^{_LEAD}with or without (?P<what>[a-z]+(?: [a-z]+)?)$"), r"\g<lead>never mind the \g<what>"),
    (
        re.compile(
            rf"^{_LEAD}(?P<what>[a-z0-9 ]+?) if (?:(?:it|that|i|we|he|she|you) )?(?:must(?: be)?|need be|necessary|have to"
            rf"|has to(?: be)?"
            r"|absolutely must)$"
        ),
        r"make it \g<what>",
    ),
    # "saturday, I keep saying friday", "continental, I misread my note"
    (
        re.compile(
            rf"^{_LEAD}(?P<what>(?!forget|never|what|which|did|have|ignore"
            r"|drop|sorry|no|oh|wait|i)[a-z0-9]+(?: [a-z0-9]+){0,2})"
            r" i (?:keep saying|kept saying|always say|misread|misheard|misspoke|mixed|got"
            r"|wrote|looked at|said|was reading|was looking at|had|must have said)(?: .*)?$"
        ),
        r"no i mean \g<what>",
    ),
    (re.compile(rf"^{_LEAD}(?P<what>.+?) comes? to (?:what|how much)$"), r"\g<lead>how much is \g<what>"),
    (re.compile(r"\bwould cost (?:me |us |him |her )?(?=the (?:least|most)\b)"), "costs "),
    (
        re.compile(
            r"\b(?:one |ones |something |anything )?where (?P<what>breakfast|lunch|dinner|supper|a meal|food|a snack"
            r"|[a-z]+) (?:comes|is served"
            r"|is included|is given|is part of it|gets served)$"
        ),
        r"with \g<what>",
    ),
    (
        re.compile(
            rf"^{_LEAD}(?P<in>in|out) (?=(?:before|after|by|around|no later than|no earlier than|at about|between|past) "
            r"(?:\d|[a-z]+ (?:am|pm|oclock)|noon|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
        ),
        lambda found: found["lead"] + ("get in " if found["in"] == "in" else "leaving "),
    ),
    (
        re.compile(
            rf"^{_LEAD}(?P<ask>(?:what is|what was|how much is|and) the )(?P<what>[a-z]+)(?P<rest>.*?) i mean (?:the )?"
            r"(?P<most>lowest|cheapest|highest)(?: one)?(?: (?:they|you) have| there is)?$"
        ),
        r"\g<lead>\g<ask>\g<most> \g<what>\g<rest>",
    ),
    (
        re.compile(
            rf"^{_LEAD}(?:let us|let me|can i|could i|may i)(?: please)? (?:see|have|hear|look at|add) (?P<what>.+?) (?:too"
            rf"|as well)"
            r"(?: (?:along with|with|next to|beside) (?:those|them|these|that))?$"
        ),
        r"and \g<what> too",
    ),
)


def plain_turn(text: str) -> str:
    """Return the turn in a plain wording; as it was where none of the rules applies.

    >>> plain_turn("third")
    'the third one'
    >>> plain_turn("burbank was better show that again")
    'back to burbank'
    """
    return put_by_rules(text, _RULES)
