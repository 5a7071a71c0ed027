"""Question words that stand for something of the domain: "who goes there" asks for airlines where nobody but airlines flies,
"where do they fly" for the far ends of what runs.

The phrase is put that the domain knows: one that an entity or attribute has among its words.
"""

from __future__ import annotations

import re

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.text.tokens import read_words, words_of

_LEAD = r"(?P<lead>(?:(?:and|so|but|now|then|oh|ok|well|please|tell me|show me|also) )*)"
_TOPIC = r"(?P<lead>(?:(?!what|which|who|how|when|where|is |are |do |does |show|can |could |i |we )[a-z0-9']+ ){0,6}?)"
"""What may be named first, of which it is then asked where it goes."""
_WHO = re.compile(
    rf"^{_LEAD}who(?: all| else)? (?P<verb>has|have|had|goes|go|does|do|offers|serves|gets|gives|charges|runs|leaves|departs|can|could"
    r"|will|would|flies|fly|operates|uses|covers|provides|makes|stops|arrives|comes|sells|is)\b(?P<rest>.*)$"
)
_CAN = r"(?P<can>can|could|do|does|did|will|would|might|may|am|are|is)"
_WHOM = r"(?P<whom>.{1,40}?)"
_GO = r"(?P<go>go|fly|get|travel|head|going|flying|headed|heading|reach|serve|be going)"
_REST = r"(?P<rest>(?: (?:from|out|nonstop|non|direct|directly|without|with|on|in|at|by|for|after|before|today|tomorrow|every|each).*)?)$"
_PLACES = r"(?:cities|towns|places|airports|destinations|city|town|place|airport|destination|states?|locations?)"
_WHITHER = (
    re.compile(rf"^{_TOPIC}where(?: all| else)? {_CAN} {_WHOM} {_GO}(?: to| into)?{_REST}"),
    re.compile(rf"^{_LEAD}(?:which|what)(?: other)? {_PLACES} {_CAN} {_WHOM} {_GO} (?:to|into){_REST}"),
    re.compile(rf"^{_LEAD}(?:to|into) (?:which|what)(?: other)? {_PLACES} {_CAN} {_WHOM} {_GO}{_REST}"),
)
_AIRPORT = r"(?:which|what) (?:airport|one|city|town|place|terminal)"
_ITS = (
    r"(?:do|does|did|will|would) (?P<whom>it|they|that|those|these|that one|that flight|those flights|this|the flight)"
)
_LEAVE, _FROM = r"(?:leave|depart|take off|start|originate)", r"(?:from|out of|of|in|at)"
_GOES = r"(?:go|fly|come|get)(?: out)?"
_TAKES_OFF = (
    re.compile(rf"^{_LEAD}(?:{_AIRPORT}|where) {_ITS} (?:{_LEAVE}(?: {_FROM})?|{_GOES} (?:from|out of))$"),
    re.compile(rf"^{_LEAD}(?:from|out of) {_AIRPORT} {_ITS} (?:{_LEAVE}|{_GOES})$"),
)
_ARRIVE = r"(?:arrive|land|touch down|come in|get in|fly in|end up)"
_LANDS = (
    re.compile(rf"^{_LEAD}{_AIRPORT} {_ITS} (?:{_ARRIVE}(?: (?:to|into|in|at))?|(?:go|fly|get|come) (?:to|into|in))$"),
    re.compile(rf"^{_LEAD}where {_ITS} {_ARRIVE}(?: (?:to|into|in|at))?$"),
    re.compile(rf"^{_LEAD}(?:at|into|to) {_AIRPORT} {_ITS} (?:{_ARRIVE}|go|fly|get|come)$"),
)
_WHERE = re.compile(
    r"(?:(?:and|so|but|ok|oh) )*(?:where|in which (?:city|place|town|airport))(?: (?:exactly|at|is that|would that be|then))*"
)
_ELSE = re.compile(
    r"(?:(?:and|so|but|ok|or|well) )*(?:(?:does|do|did|is|are|has|have|can|could|would) )?(?:there )?"
    r"(?:anyone|anybody|someone|somebody|who|no one|nobody) else(?: (?:there|then|please|go|goes|going|fly|flies|flying|do|does|serve|serves"
    r"|have|has|offer|offers|cover|covers|run|runs|operate|operates|it|that|them|one|any|do it|do that|is there|that flies|who flies|instead))*"
)
_BARE_TO = re.compile(
    r"(?:(?:and|so|but|ok|going) )*(?:where to|to where|to which (?:city|airport|place)|where is (?:it|that) going(?: to)?)"
)
_BARE_FROM = re.compile(
    r"(?:(?:and|so|but|ok) )*(?:where from|from where|from which (?:city|airport|place)|where is (?:it|that) from)"
)
_STOPS = re.compile(
    rf"^{_LEAD}where {_ITS} (?:stop|make (?:a|its|the|their) stops?|stop over|touch down on the way|stop on the way|connect)(?: on the way)?$"
)


def _others(model: DomainModel, plain: str) -> str:
    """Other airlines for "anyone else", where only airlines are asked for by "who"."""
    known = [entity for entity in model.entity.values() if any(words.startswith("who") for words in entity.words)]
    if not _ELSE.fullmatch(plain) or len(known) != 1 or {"who", "whose"} & {*known[0].words} or not known[0].many:
        return ""
    return f"other {known[0].many}"


def where_then(model: DomainModel, text: str, before: Meaning) -> str:
    """The question where those stop in the place of a bare "where", after it was asked whether they do."""
    words = {words for attribute in model.attribute.values() for words in attribute.words}
    flags = [w for flagged in before.flags if not flagged.negated for n in flagged.flags for w in model.flag[n].words]
    if "what are the stops" not in words or not any(w.startswith("stop") for w in flags):
        return text
    return "what are the stops of those" if _WHERE.fullmatch(words_of(read_words(text))) else text


def with_words(model: DomainModel, text: str) -> str:
    """The request with words of the domain in the place of those by which it asks; as it was where it has none for them."""
    plain = words_of(read_words(text))
    said = _others(model, plain) or _asked_who(model, plain) or _asked_where(model, plain)
    return said + ("?" if text.rstrip().endswith("?") else "") if said else text


def _asked_who(model: DomainModel, plain: str) -> str:
    found = _WHO.match(plain)
    known = [(words, entity) for entity in model.entity.values() for words in entity.words if words.startswith("who")]
    if not found or not known or any(words in {"who", "whose"} for words, _ in known):
        return ""
    asked = plain[len(found["lead"]) :]
    if re.match(r"who (?:flies|fly|operates|runs|does|makes) (?:the )?(?:most|fewest|least)\b", asked):
        return f"{found['lead']}which {known[0][1].many} have{found['rest']}"
    phrases = [w for w, _ in known] + [w for a in model.attribute.values() for w in a.words if w.startswith("who")]
    if any(asked.startswith(f"{words} ") or asked == words for words in phrases):
        return ""
    many = known[0][1].many
    return f"{found['lead']}which {many} {found['verb']}{found['rest']}" if many else ""


def _asked_where(model: DomainModel, plain: str) -> str:
    words = {words for attribute in model.attribute.values() for words in attribute.words}
    if _BARE_TO.fullmatch(plain) and "what destinations" in words:
        return "what destinations do they have"
    if _BARE_FROM.fullmatch(plain) and "what origins" in words:
        return "what origins do they have"
    ends = [("what departure airport", pattern) for pattern in _TAKES_OFF]
    ends += [("what arrival airport", pattern) for pattern in _LANDS]
    for phrase, pattern in ends:
        if phrase in words and (found := pattern.match(plain)):
            return f"{found['lead']}{phrase} do {found['whom']} have"
    for pattern in _WHITHER if "what destinations" in words else ():
        if found := pattern.match(plain):
            return f"{found['lead']}what destinations {found['can']} {found['whom']} {found['go']}{found['rest']}"
    if "what are the stops" in words and (found := _STOPS.match(plain)):
        return f"{found['lead']}what are the stops of {found['whom']}"
    return ""
