"""Clauses about the speaker that lead up to a request: "my boys are crazy about airplanes so which of them …".

Such a clause leaves the request when it names nothing of the domain that the request itself does not name. A clause that states
a wish with an unknown word stays, since the answer would ignore it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from domain.english.text.tokens import read_words, words_of

KIN = (
    r"(?:kids?|children|child|family|wife|husband|partner|spouse|sons?|daughters?|mother|mother in law|father|father in law|mom|mum"
    r"|dad|parents|in laws|grandparents|grandmother|grandfather|grandma|grandpa|granny|grandchild|grandchildren|grandkids|grandson"
    r"|granddaughter|nephews?|nieces?|cousins?|uncle|aunt|auntie|brother|sister|brother in law|sister in law|siblings?|twins|baby"
    r"|babies|boys?|girls?|little ones?|friends?|boyfriend|girlfriend|fiance|fiancee|buddy|buddies|pals?|mates?|roommates?"
    r"|neighbou?rs?|colleagues?|coworkers?|team|boss|clients?|customers?|professor|teacher|doctor|lawyer|dog|cat|folks|old man"
    r"|old lady|better half)"
)
_WHO = (
    r"(?:i|iam|we|he|she|they|you know|it is|it was|there is|there are|(?:my|our|his|her|the|a) (?:[a-z]+ ){0,2}?"
    rf"{KIN}|me and (?:my|the) [a-z]+|my [a-z]+)"
)
_OPENS = (
    r"(?:(?:hello|hi|hey|there|so|ok|oh|yes|no|yeah|right|look|listen|you see|see|please|thanks|now|and|but|uh|um|well|actually|like"
    r"|since|as|because|if|when|while|after all|you know|basically|anyway) )*"
)
_ASKS = (
    r"(?:what|which|who|how|when|where|is|are|do|does|did|can|could|would|will|have you|any|anything|show|list|give|find|tell|name"
    r"|count|read|get me|let me|let us|please|just|only|their|those|the ones|humou?r me|i (?:need|want|would|have to|must|am|was"
    r"|wonder)|iam (?:looking|after|wondering|hoping|trying)|we (?:need|want|would|have to|must|are (?:looking|after)))\b"
)
_QUESTION = (
    r"(?:what (?:is|are|was|were|do|does|did|would|will|can|could|kind|kinds|sort|sorts|type|time|day|days|flights?|else)"
    r"|which (?:one|ones|of|is|are|[a-z]+s (?:from|to|have|has|are|go|fly|do|leave|still|would|will|can))\b"
    r"|how (?:much|many|long|far|often|about|big)|when (?:is|are|do|does|would|will)|where (?:is|are|do|does)"
    r"|is (?:there|one|any|it|that)|are (?:there|any|those|they)|do (?:you|we|i|they|any|those|the)|does (?:it|any|that|one)"
    r"|can (?:i|we|you)|could (?:i|we|you)|would (?:you|there|it)|have you|show me|give me|tell me|find me|list|read me"
    r"|please (?:tell|show|give|list|find|let)|let us (?:try|say|go|take|see))\b"
)
_THEREFORE = r"(?:and so|so then|so|which is why|that is why|therefore|hence|and that is why|thus)"
_SO = re.compile(rf"^(?P<told>{_OPENS}{_WHO} .{{3,120}}?) {_THEREFORE} (?:please )?(?={_ASKS})")
_AND = re.compile(
    rf"^(?P<told>{_OPENS}{_WHO} .{{3,60}}?) (?:and|but) "
    r"(?=(?:(?:i|we) (?:need|want|would (?:like|love|prefer|want)|have to|must)|iam looking|we are looking|(?:can|could) (?:you|i|we)"
    r"|what|which|is there|are there|do you|show me|give me)\b)"
)
_THEN = re.compile(rf"^(?P<told>{_OPENS}{_WHO} .{{3,80}}?) (?={_QUESTION})")
_WISH = re.compile(
    r"\b(?:want|wants|need|needs|prefer|prefers|must|would like|would love|looking for|insist|insists|only|hate|hates)\b"
)
_GOVERNS = re.compile(
    r"\b(?:know|wondering|wonder|curious|tell|find|see|ask|asking|interested|sure|about|remember|looking|after|and|or|say|care|mind"
    r"|if|whether|matter|that|which|of|for|to|with|at|in|from|on|guess|idea|hear|heard|check|understand|me|us|you|say|said|like)$"
)
_LOOKING = re.compile(
    r"^(?:humou?r me|bear with me|indulge me|let me know|tell me this)(?: (?:and|please|with|on this))* (?=[a-z])"
)
_FIRST = re.compile(
    r"^(?:just|only) (?:the |those )?(?:two|2|three|3|one)(?: of (?:them|those))?(?: then| so| well| and| right)+ (?=[a-z])"
)
_SUBJECT = re.compile(
    rf"\b(?P<verb>do|does|did|can|could|will|would|may|must|should|are|is|were) (?:my|our|the|his|her) (?:[a-z]+ )?{KIN}"
    r"(?: and (?:i|me))?(?= [a-z])"
)
_PLURAL = {"does": "do", "is": "are", "was": "were"}
_WE = re.compile(
    rf"\b(?:(?:me and )?(?:my|the) {KIN} and (?:i|me)|me and (?:my|the) {KIN}|(?:my|the) {KIN} and myself)\b"
)
Named = Callable[[str], dict[str, frozenset[str]]]
_NAMING = frozenset(["value", "flag", "superlative", "swap"])


def without_leading_clause(text: str, named: Named) -> str:
    """Return the request without a clause about the speaker before it; as it was where the clause says something of its own."""
    plain = before = words_of(read_words(text))
    plain = _WE.sub("we", plain)
    plain = _SUBJECT.sub(lambda found: _plural(found, named), plain)
    plain = _FIRST.sub("", plain)
    for pattern in (_SO, _AND, _THEN):
        found = pattern.match(plain)
        if found and _idle(found["told"], plain[found.end() :], named, pattern is _THEN):
            plain = plain[found.end() :]
    plain = _LOOKING.sub("", plain)
    if plain == before or not plain:
        return text
    return plain + ("?" if text.rstrip().endswith("?") else "")


def _plural(found: re.Match[str], named: Named) -> str:
    """Return "do we" for "does my wife", but "is the boss" where the domain has a word for the boss."""
    *_, noun = found.group().split()
    return found.group() if named(noun) else f"{_PLURAL.get(found['verb'], found['verb'])} we"


def _idle(told: str, asked: str, named: Named, unlinked: bool) -> bool:
    """Return whether a clause tells nothing that the request would have to obey."""
    if unlinked and _GOVERNS.search(told):
        return False
    said = {*asked.split()}
    names = [words for words, senses in named(told).items() if senses & _NAMING]
    if any(not {*words.split()} <= said for words in names):
        return False
    return bool(names) or not _WISH.search(told)
