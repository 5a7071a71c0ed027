"""Callers who say first whom they ring about: "my father is Oscar Abbott, does he have …" as "does Oscar Abbott have …".

The name takes the place of the first pronoun of the question; what was told before the question is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from domain.english.text.tokens import read_words, reworded, words_of

_RELATIVE = (
    r"(?:father|mother|dad|mum|mom|son|daughter|brother|sister|husband|wife|partner|grandmother|grandfather"
    r"|grandma|grandpa|granny"
    r"|gran|grandad|uncle|aunt|auntie|cousin|niece|nephew|friend|neighbor|neighbour|boss|colleague|client|student"
    r"|pupil|mate|child"
    r"|boy|girl|little boy|little girl|fiance|fiancee|boyfriend|girlfriend|flatmate|roommate|grandson"
    r"|granddaughter|stepson"
    r"|stepdaughter|in law|mother in law|father in law)"
)
_ABOUT = (
    r"(?:(?:ringing|calling|phoning|asking|enquiring|inquiring|checking|here|looking) (?:for|about|on behalf of"
    r"|after|up)|on behalf of"
    r"|it is about|this is about|about|it is for|this is for|i have got|i have|we have|with)"
)
_INTRODUCED = re.compile(
    rf"^(?P<before>(?:[a-z]+ ){{0,12}}?)(?:my {_RELATIVE}(?: name)?(?: is| called| named| whose name is)?|(?:my"
    rf"|the) name is|{_ABOUT}) "
    r"(?P<name>(?!(?:my|the|a|an|his|her|our|some)\b)[a-z]+(?: [a-z]+){1,2}?) (?P<told>(?:(?!when|what|which|who"
    r"|how|does|is|has|did|was|can|could|where)[a-z]+ ){0,6}?)"
    r"(?P<ask>(?:and )?(?:when|what|which|who|how|does|is|has|did|was|where|can you see|can you tell me)\b.*)$"
)
_PRONOUN = re.compile(
    r"\b(?:(?P<is>he|she) (?:is|has)(?= (?:due|coming|booked|down|got|been|seeing))|he|she|him|(?P<his>his|her))\b"
)


def put_name(text: str, names_person: Callable[[str], bool]) -> str:
    """Return the question with the name of the person who was introduced before it; the text itself when nobody was."""
    found = _INTRODUCED.match(words_of(read_words(text)))
    if not found or not names_person(found["name"]) or not _PRONOUN.search(found["ask"]):
        return text
    asked = _PRONOUN.sub(lambda m: m.group().replace(m.group().split()[0], found["name"], 1), found["ask"], count=1)
    return reworded(text, asked)
