"""Spoken wordings rewritten as plainer equivalents before parsing.

"The later of those two" becomes the latest of those, "the last train of the day" the last train, "not too early, let's say
after ten" after ten. The rules hold for any domain.
"""

from __future__ import annotations

import re

from domain.english.text.tokens import read_words, reworded, words_of
from domain.english.wording.list_wordings import plain_list

_MOST = {
    "earlier": "earliest", "later": "latest", "sooner": "soonest", "cheaper": "cheapest", "dearer": "dearest",
    "less expensive": "least expensive", "more expensive": "most expensive", "faster": "fastest", "quicker": "quickest",
    "slower": "slowest", "shorter": "shortest", "longer": "longest", "bigger": "biggest", "larger": "largest",
    "smaller": "smallest", "higher": "highest", "lower": "lowest", "older": "oldest", "younger": "youngest",
    "newer": "newest", "closer": "closest", "nearer": "nearest", "farther": "farthest", "further": "furthest",
    "heavier": "heaviest", "lighter": "lightest", "thicker": "thickest", "thinner": "thinnest", "taller": "tallest",
}  # fmt: skip
"""Superlatives of comparatives, which select from two."""
_MORE = "|".join(sorted(_MOST, key=len, reverse=True))
_EXTREME = "first|last|earliest|latest|soonest|cheapest|fastest|quickest|shortest|longest|final"
_TWO = r"(?: (?:two|2|pair|three|3|four|4|lot|bunch|ones))?"
_OF = rf"(?:(?:of|out of|from|among) (?:the (?:two|2|pair|three|3|lot|bunch)|(?:those|these|them){_TWO}))"
_BETTER_ONE = re.compile(rf"\bthe (?P<more>{_MORE})(?:(?P<one> one| [a-z]+)? {_OF}| one)\b(?! than\b)")
_WHICH_IS_MORE = re.compile(
    rf"^(?P<ask>(?:(?:and|so|but|ok|well|now) )*(?:which|what|who)(?: one| of (?:those|these|them|the)(?: two| 2)?)?"
    rf"(?: of (?:those|these|them)(?: two| 2)?)? (?:is|was|leaves|departs|arrives|gets in|gets there|lands|costs|takes|goes"
    rf"|flies|runs|would be|will be|starts|ends|opens|closes|earns|has been here|comes) )(?:the )?(?P<more>{_MORE})$"
)
_EACH_ONE = re.compile(r"\b(?P<of>any|which|each|every|either|none|some) ones? of (?P<them>those|these|them|the)\b")
_ONE_OF = re.compile(
    r"\b(?P<be>is|are|does|do|can|could|has|have|will|would) (?:at least )?one of (?P<them>those|these|them)\b"
)
_OF_TWO = re.compile(r"\b(?P<of>which|any|all|both|either|each) (?P<them>those|these) (?:two|2|three|3|few)\b")
_THOSE_TWO = re.compile(r"\bof (?P<them>those|these) (?:two|2|three|3|few)\b")
_OF_THE_DAY = re.compile(
    rf"\b(?P<most>(?:very )?(?:{_EXTREME})(?: (?!one\b)[a-z]+){{1,2}}?) (?:of|in|for|on) (?:the|that|any|a) (?P<span>day)\b"
)
_VERY = re.compile(rf"\bvery (?={_EXTREME})")
_HEDGED = re.compile(
    r"\b(?:not (?:too|so|that|very|terribly|awfully|all that) )(?:early|late|long|soon|far|expensive|dear|much|many|big|small)"
    r" (?:(?:so|just|maybe|perhaps|like|i mean|that is|in other words|for instance|as in|say|let us|make it|and|but) )*"
    r"(?=(?:after|before|around|about|by|between|under|over|at|no|less|more|at|later|earlier|until|past|below|above)\b)"
)
_BEST = re.compile(
    r"(?P<said>.+?) (?:(?:is|are|would|will|might|sounds?|seems?|looks?)(?: be)?(?: (?:probably|really|much|just|even"
    r"|a lot|way|still))*"
    r" (?:best|better|ideal|perfect|preferable|preferred|nicer|nicest|easier|easiest|safer|what i (?:want|need|am after|prefer))"
    r"|(?:suits|suit|works?) (?:me|us|him|her) (?:best|better)|(?:is|are) (?:my|our) (?:preference|first choice"
    r"|favourite|favorite))"
    r"(?: (?:for|with) (?:me|us|him|her|my \w+|our \w+|the \w+))?(?: (?:i think|i guess|though|actually|then|really))*"
)
"""A preference, which is a request: "evening would be best"."""
_END_IN_A_SPAN = re.compile(
    r"\b(?P<which>the (?:first|last|earliest|latest)) one (?=(?:in the (?:morning|afternoon|evening|day|night)|at night"
    r"|tonight|tomorrow|out"
    r"|back|home|after|before|on (?:a |the )?[a-z]+day|that (?:leaves|gets|goes|arrives|flies|takes)|to (?:leave|arrive"
    r"|get|go|depart)"
    r"|leaving|from|into|going)\b)"
)
_LET_US_SAY = re.compile(r"\b(?:let us|we will|i will|shall we|lets|i would) say (?=[a-z0-9$])")
_SAY = re.compile(r"(?<=[a-z]) say (?=(?:after|before|around|about|by|between|under|over|at|no later|no earlier|\d)\b)")
_DENIED = re.compile(
    r"^(?:(?:no|nope|sorry|wait|oh|actually|hang on|hold on|excuse me|i mean|ok) )*"
    r"(?:not|forget(?: about)?|never mind(?: about)?|skip|drop|instead of|rather than) (?:for |on |at |the |from |to )?"
    r"(?P<old>[a-z0-9: ]{1,30}?) (?:(?:but|sorry|no|rather|so|i|and) )*"
    r"(?:make (?:it|that)|change (?:it|that) to|i mean|i meant|mean|meant|said|go for|it is|it should be|but|how about|what about"
    r"|let us try|try|let us do|let us have) (?P<new>.+)$"
)
"""A denied value and its replacement: "not five, make it 4 30"."""
_NO_ANEW = re.compile(
    r"^.+? (?:no|sorry|wait|i mean|rather|or rather|scratch that|strike that|forget that|hang on|hold on)"
    r"(?: (?:no|sorry|wait|i mean|actually|rather|just|instead))* "
    r"(?P<anew>(?:what (?:is|are|was|were|do|does|did|time|day|days|kind|sort|type|would|will)|which|how (?:many|much"
    r"|long|far|often|big"
    r"|old|about)|who|when (?:is|are|does|do|did|was|were|will|would)|where (?:is|are|does|do|did|was|were|will|would|can)"
    r"|show me|give me|tell me|list) .+)$"
)
"""A complete request after words that retract the one begun."""
_NOT_A_RESTART = re.compile(r"\b(?:with|have|has|had|are|is|there|but|and|say|says|or|of) no$")
_NONE_OF_THOSE = re.compile(
    r"^(?:(?:and|but|ok|no|please|now|just) )*(?:get rid of|drop|skip|leave out|leave off|take out|throw out|remove"
    r"|exclude|lose|not|without"
    r"|anything but|except(?: for)?|rule out|cross out|cut out) (?:those|these|them|that one|those ones"
    r"|these ones)(?: please| then| out)*$"
)
_WHICHEVER = re.compile(
    r"^(?:(?:and|but|just|ok|then|i will take|give me|show me|i want|i would like|let us take) )*"
    r"(?:whichever|whatever|whoever)(?: one| of (?:them|those|these))?(?: ones?)? "
    r"(?:is|are|leaves|costs|gets in|arrives|takes|goes) (?:the )?"
    rf"(?P<most>{_EXTREME}|least expensive|most expensive)$"
)
_DOWN_TO = re.compile(
    r"^(?:(?:can|could|would|will) (?:you|we) |please |let us |now |and |ok |then |i want to |i would like to )*"
    r"(?:cut|narrow|limit|restrict|keep|whittle|trim|reduce|confine|filter|hold|stick)(?: (?:it|that|this|them|those"
    r"|these|things|the list"
    r"|the results|the search))?(?: down)? (?:to|by|with) (?:just |only )?(?=[a-z0-9])"
)
_TOO = re.compile(
    r"^(?:(?:no|oh|hm|well|but) )*(?:(?:way|much|far|a bit|bit|a little) )?too (?:much|expensive|early|late|dear|long"
    r"|slow|pricey|steep|far"
    r"|high|soon)(?: for (?:me|us|him|her))?(?: (?:then|so|and|but))* (?=(?!to\b|for\b|of\b|is\b)[a-z0-9])"
)
_ONE_BACK = re.compile(rf"\b(?P<most>{_EXTREME})(?: one)? (?P<way>back|home)(?= (?!to\b|in\b)|$)")
_ASKING = re.compile(r"\b(?:what|which|who|how|where|when|is|are|does|do|it|that|this|those|these|they)\b")
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (_EACH_ONE, r"\g<of> of \g<them>"),
    (_ONE_OF, r"\g<be> any of \g<them>"),
    (_OF_TWO, r"\g<of> of \g<them>"),
    (_THOSE_TWO, r"of \g<them>"),
    (_OF_THE_DAY, r"\g<most>"),
    (_VERY, ""),
    (_DOWN_TO, "only "),
    (_TOO, ""),
    (_WHICHEVER, r"the \g<most>"),
    (_NONE_OF_THOSE, "the others"),
    (_ONE_BACK, r"\g<most> trip \g<way>"),
    (_END_IN_A_SPAN, r"\g<which> "),
    (_HEDGED, ""),
    (_LET_US_SAY, ""),
    (_SAY, " "),
)


def reword_plainly(text: str) -> str:
    """Return the request in plainer wording; unchanged when no rule applies.

    >>> reword_plainly("how much is the later of those two")
    'how much is the latest of those'
    >>> reword_plainly("not too early, let's say after ten")
    'after ten'
    """
    plain = plain_list(words_of(read_words(text)))
    for pattern, put in _RULES:
        plain = pattern.sub(put, plain)
    if (found := _BEST.fullmatch(plain)) and not _ASKING.search(found["said"]):
        plain = found["said"]
    plain = _BETTER_ONE.sub(_best_of_them, plain)
    if found := _WHICH_IS_MORE.match(plain):
        asked = re.sub(r"\bof the (?:two|2|pair)\b", "of those", found["ask"])
        plain = f"{asked}the {_MOST[found['more']]}"
    if (found := _NO_ANEW.match(plain)) and not _NOT_A_RESTART.search(_begun(plain, found)):
        plain = found["anew"]
    return reworded(text, plain)


def _best_of_them(found: re.Match[str]) -> str:
    named = found["one"] or ""
    most = _MOST[found["more"]]
    return f"the {most}{named} of those" if named not in {"", " one"} else f"the {most} of those"


def _begun(plain: str, found: re.Match[str]) -> str:
    """Return the retracted words up to and including the word that retracts them."""
    start = plain[: found.start("anew")].split()
    at = next((n for n, word in enumerate(start) if word in {"no", "sorry", "wait", "rather"}), len(start))
    return " ".join(start[: at + 1])


def denial_and_replacement(plain: str) -> tuple[str, str]:
    """Return the denied value and its replacement, as in "not five, make it 4 30"; empty when there is neither."""
    found = _DENIED.match(plain)
    return (found["old"], found["new"]) if found else ("", "")
