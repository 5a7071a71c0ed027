"""Background clauses around a request: "I live up north so what goes to Chicago", "… because my wife hates waiting".

Such a clause is removed when it names nothing of the domain, since no answer can then depend on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from domain.english.text.tokens import Token, read_words, words_of

_TELLS = (
    r"(?:(?:hello|hi|hey|there|oh|yes|yeah|right|look|listen|you see|see|please|thanks|um|anyway|basically|actually|and|but) )*"
    r"(?:because |since |as |now )?(?:i|iam|we|my|our|he|she|they|it is|it was|this is|there is|the (?:kids|boss|family"
    r"|wife|doctor))\b"
)
_ASKS = (
    r"(?:what|which|who|how|when|where|is there|are there|is it|it is|it has to be|it would be|show|list|give|find|tell"
    r"|do|does|did"
    r"|can|could|would|will|i (?:need|want|would|have to|must|will need|was wondering|am)|iam looking|we (?:need|want"
    r"|would|have to)"
    r"|any|anything|let us|please|get|name|count|just)\b"
)
_SO = re.compile(
    rf"^(?P<told>{_TELLS}.*?) (?:and so|so|which is why|and that is why|that is why|therefore) (?={_ASKS})"
)
_BECAUSE = re.compile(
    r" (?:because|cause|cos|since|as) (?:of (?:my|our|the)|i|iam|we|my|our|he|she|they|it is|there is|that is) .*$"
)
_PLAIN = re.compile(
    r"^(?P<told>(?:(?:hello|hi|hey|so|ok|right|well|you see|see|listen|look) )*(?:iam|we are|they are|he is|she is|i have to"
    r"|we have to"
    r"|my [a-z]+ (?:is|wants|needs|has|asked|said)|there is (?:a|an|this|some)|it is (?:a|my|our|for)) .{3,60}?)"
    r" (?=(?:who|what|how many|how much|when|where|show me|give me|list|is there|are there|do we|do you|does anyone"
    r"|does anybody)\b)"
)
"""Background before a question without a connecting word: "we are planning a party who has a birthday in june"."""
_DISLIKES = re.compile(
    r"^(?:(?:no|oh|well|but|sorry|actually|hm|and) )*(?:"
    r"(?:i|we|she|he|they) (?:(?:really|just|do not|does not|did not|can not|could not|would not) )*"
    r"(?:hate|like|love|dislike|trust|want|fancy|stand|care for|afford|use|need|take|do)"
    r" (?:those|these|them|that|this|it|any of (?:those|these|them)|either of (?:those|these|them)|that one)"
    r"|(?:that|this|it|they|those|these|none of (?:those|these|them|that)) (?:(?:is|are|was|were|would be|looks?|seems?"
    r"|sounds?|like|to be"
    r"|will|would|do|does|did|can) )*(?:not )?(?:be )?(?:(?:way|much|a bit|a little|far|all|rather|just|really|quite|still) )*"
    r"(?:too (?:early|late|expensive|dear|long|slow|far|small|big|much|many|few|little|short|tight|pricey|high|steep|soon)"
    r"|work(?:s)?(?: for (?:me|us|him|her))?|no good|no use|any good|help(?: me| us)?|suit(?:s)? (?:me|us)|fit(?:s)?"
    r"|a pity|a shame|ridiculous|a lot(?: of money)?|expensive|early|late|pricey|steep|fine|good|great|okay|all right)"
    r")(?: (?:for (?:me|us|him|her)|though|then|really|anyway|at all))* (?:so |but |and )?"
    r"(?=(?:what|which|who|how|when|where|is there|are there|show|list|give|find|tell|do|does|can|could|any|anything|try|make"
    r"|something|i (?:need|want|would)|we (?:need|want|would)|let us)\b)"
)
"""A complaint about the previous result before the request itself."""


_WONDERS = re.compile(
    r"\b(?:know|wondering|curious|tell|find|see|ask|asking|interested|sure|about|remember|looking|after|and|or)\b"
)
_COMPANY = re.compile(
    r" (?:with|for|and|plus|taking|bringing) (?:(?:the|my|our|his|her|a|an|two|three|four|five|\d|some|all|whole|little"
    r"|small|old|young"
    r"|elderly|other|just) )*(?:kids?|children|child|family|families|wife|husband|partner|son|sons|daughters?|mother"
    r"|father|mom|mum|dad"
    r"|parents|grandparents|grandmother|baby|babies|boys?|girls?|friends?|boyfriend|girlfriend|colleagues?|boss|adults?"
    r"|people|dog|cat"
    r"|myself|me and my [a-z]+|us two|the two of us|team)(?= |$)"
)
"""Companions, or the person it is for."""


_SO_AT = re.compile(
    r"^(?P<told>[a-z ]{3,30}?) (?:so like|so say|so|like|say|meaning|that is) "
    r"(?=(?:around|about|after|before|by|at|between|no later|no earlier|sometime) )"
)
"""Background before a time: "after work, so around five thirty"."""


def without_preamble(text: str, tells_of: Callable[[str], bool]) -> str:
    """Return the request without background clauses that name nothing of the domain; `tells_of` says whether words name
    something."""
    tokens = read_words(text)
    plain = words_of(tokens)
    for told in (_disliked, _led_up_to, _stated):
        if found := told(plain, tells_of):
            text = _after(text, tokens, found.group())
            tokens = read_words(text)
            plain = words_of(tokens)
    if (found := _COMPANY.search(plain)) and not tells_of(found.group()):
        text = f"{plain[: found.start()]}{plain[found.end() :]}"
        tokens = read_words(text)
        plain = words_of(tokens)
    if (found := _BECAUSE.search(plain)) and found.start() and not tells_of(found.group()):
        count = len(plain[: found.start()].split())
        text = text[: tokens[count].start].rstrip(" ,;.")
    return text


def _disliked(plain: str, tells_of: Callable[[str], bool]) -> re.Match[str] | None:
    return _DISLIKES.match(plain)


def _led_up_to(plain: str, tells_of: Callable[[str], bool]) -> re.Match[str] | None:
    found = _SO_AT.match(plain) or _SO.match(plain)
    return found if found and not tells_of(found["told"]) else None


def _stated(plain: str, tells_of: Callable[[str], bool]) -> re.Match[str] | None:
    found = _PLAIN.match(plain)
    return found if found and not _WONDERS.search(found["told"]) and not tells_of(found["told"]) else None


def _after(text: str, tokens: tuple[Token, ...], words: str) -> str:
    """Return the text after as many words as `words` has."""
    count = len(words.split())
    return text[tokens[count].start :] if count < len(tokens) else text
