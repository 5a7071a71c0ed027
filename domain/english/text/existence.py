"""Wordings of existence and absence, normalized: "that nobody has borrowed" as "never borrowed", "everybody who" as "who",
"with no known author" as "with no author"."""

from __future__ import annotations

import re

_NOBODY = r"(?:nobody|no one|noone|not a single person|not anybody|not anyone)"
_DONE = r"(?P<verb>[a-z]+(?:ed|en|wn|ght|nt|ld|id|de|un|one|old|ut))"
_PEOPLE = r"(?:everyone|everybody|anyone|anybody|all (?:the )?people|all those|those people|any people)"
_WE = r"(?:(?:that|which) )?(?:(?:we|they|you|i|somebody|anyone|anybody) )?"
_NO = r"(?:have|has|had|do|does|did)? ?(?:not|never)(?: ever| yet)?"
_MADE = r"(?:written|write|painted|paint|composed|compose|directed|direct|built|build|produced|designed|design|sung|published)"

RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    # "plants nobody has ordered"
    (
        re.compile(rf"\b(?:that |which )?{_NOBODY}(?: has| have| had)?(?: ever| yet)? {_DONE}(?: yet| before| so far)?$"),
        r"never \g<verb>",
    ),
    # "routes we have not had a single sailing on"
    (
        re.compile(
            rf"\b{_WE}{_NO} (?:had|have|got|made|seen|been) (?:a single|even one|even a single|one single)"
            r" (?P<what>[a-z]+)(?: (?:on|in|at|for|from|of|with|to|by|yet|so far))*$"
        ),
        r"without \g<what>",
    ),
    (
        re.compile(rf"^(?P<lead>(?:(?:show me|list|give me|find|tell me|and|name|get me) )*){_PEOPLE} (?:who|that|which)\b"),
        r"\g<lead>who",
    ),
    (
        re.compile(r"\b(?P<no>no|without|without an?|not any|any) (?:known|recorded|listed|named|given|registered|stated)\b"),
        r"\g<no>",
    ),
    (
        re.compile(
            r" (?:with us|out of (?:everybody|everyone|them all)|at some point|to date|so far|with our company|both inclusive"
            r"|inclusive)$"
        ),
        "",
    ),
    (re.compile(r"\bthe year (?=(?:seventeen|eighteen|nineteen|twenty|two thousand|\d{4})\b)"), ""),
    # "what has Ann written" asks for works by her
    (
        re.compile(rf"^what(?P<all> else)? (?:has|have|did) (?P<who>(?!(?:he|she|they|it|you|we)\b)[a-z ]+?) (?P<verb>{_MADE})$"),
        r"what\g<all> was \g<verb> by \g<who>",
    ),
    # "what Ventaire costs", asked indirectly
    (
        re.compile(
            r"^(?:(?:i|we) (?:just |only )?(?:wanted|want|meant|would like|need|needed) to (?:ask|know|check|find out|see) )?"
            r"what (?P<what>(?!(?:it|that|they|do|does|did|is|are|the most|would|will)\b)[a-z0-9 ]+?)"
            r" (?P<verb>cost|charge|owe|earn|weigh|pay|make)s$"
        ),
        r"what does \g<what> \g<verb>",
    ),
)  # fmt: skip
