"""Questions that choose among a few by a comparative: "which of the two takes less time in the air", "who is older of the pair".

Without "than", a comparative selects from what was shown, as its superlative does.
"""

from __future__ import annotations

import re

_MOST = {
    "earlier": "the earliest", "later": "the latest", "sooner": "the soonest", "cheaper": "the cheapest", "dearer": "the dearest",
    "less expensive": "the least expensive", "more expensive": "the most expensive", "pricier": "the most expensive",
    "faster": "the fastest", "quicker": "the quickest", "slower": "the slowest", "shorter": "the shortest",
    "longer": "the longest",
    "bigger": "the biggest", "larger": "the largest", "smaller": "the smallest", "higher": "the highest", "lower": "the lowest",
    "older": "the oldest", "younger": "the youngest", "newer": "the newest", "closer": "the closest", "nearer": "the nearest",
    "better paid": "the best paid", "worse paid": "the worst paid", "more senior": "the longest serving",
    "less time": "the least time", "more time": "the most time", "less money": "the least", "more money": "the most",
    "less": "the least", "more": "the most", "fewer": "the fewest", "kinder to the wallet": "the cheapest",
    "easier on the wallet": "the cheapest", "gentler on the purse": "the cheapest", "kinder to my wallet": "the cheapest",
    "easier on my wallet": "the cheapest", "kinder to the purse": "the cheapest", "easier on the pocket": "the cheapest",
}  # fmt: skip
_MORE = "|".join(sorted(map(re.escape, _MOST), key=len, reverse=True))
_LEAD = r"(?P<lead>(?:(?:and|but|so|or|ok|then|now|well|oh|please|just|also|hm|fine|tell me|i ask|i wonder|say) )*)"
_FEW = (
    r"(?:(?:between|of|out of|among|from|taking) (?:all )?(?:of )?(?:those|these|them|the)(?: (?:two|2|three|3|pair|couple|both))"
    r"(?: (?!which|who|what)[a-z]+)?|(?:between|out of|of|among) (?:those|these|them))"
)
_WHICH = r"(?:which|who)(?: ones?)?(?: (?:of|out of|among) (?:the|those|these|them)(?: (?:two|2|three|3|pair))?)?"
_CHOOSING = re.compile(
    rf"^{_LEAD}(?:(?P<few>{_FEW}) )?(?P<ask>{_WHICH})(?: one)? (?P<verb>(?!ones\b|are\b)[a-z]+(?: [a-z]+){{0,3}}?) "
    rf"(?:the )?(?P<more>{_MORE})(?P<what>(?: (?!than\b|in\b|of\b|at\b|after\b|before\b|one\b|from\b|to\b|on\b)[a-z]+)?)"
    r"(?: (?:one|in the air|in the day|in the morning|in total|in all|altogether|overall|all told|to the company"
    r"|of the (?:two|pair)|of (?:them|those|these)(?: two)?|at the lowest(?: [a-z]+)?"
    r"|at its (?:lowest|cheapest)|by the way))*$"
)
_AROUND = re.compile(
    r"\bbeen (?:around|with us|with the (?:firm|company)|on board|employed) (?:the )?(?:longer|longest|the most)\b"
)
_EARNER = re.compile(r"\b(?P<best>best|top|biggest|highest) earner\b")

_ONE_OF = re.compile(
    r"^(?:(?:and|so|but) )?(?:is|are) (?:one|any) of (?P<them>them|these|those) (?=an? (?:one|two|three|four|five|six|seven"
    r"|eight|nine|\d+)\b)"
)
"""A number with an article is the name of a thing: "is one of them a seven fifty"."""
_NO_CHOICE = frozenset({"no", "any", "not", "much", "even"})
_OF_PEOPLE = frozenset({"is", "was", "gets", "earns", "has been here", "has been", "works", "is paid", "takes", "has"})


def choose(plain: str) -> str:
    """Return the choice among a few as a superlative of those; as it was where it is no such choice.

    >>> choose("which of the two takes less time in the air")
    'which of those takes the least time'
    >>> choose("and between those two jumbos which has the lower price")
    'and which of those has the lowest price'
    """
    plain = re.sub(r"\bwho is been\b", "who has been", _EARNER.sub(r"\g<best> paid", plain))
    plain = _ONE_OF.sub(r"are any of \g<them> on ", plain)
    plain = _AROUND.sub("been here the longest", plain)
    found = _CHOOSING.match(plain)
    if found is None or " than " in plain or found["verb"].split()[-1] in _NO_CHOICE:
        return plain
    paid = found["verb"] == "makes" and found["more"].split()[0] in {"more", "less"}
    if found["ask"].startswith("who") and not (paid or found["verb"] in _OF_PEOPLE):
        return plain  # "who makes the cheaper of the two" asks for its maker
    ask = "who of those" if found["ask"].startswith("who") else "which of those"
    return f"{found['lead']}{ask} {found['verb']} {_MOST[found['more']]}{found['what']}"
