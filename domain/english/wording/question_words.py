"""Question words that stand for an entity or attribute: "who goes there" asks for lines in a domain where only lines go
anywhere, "where do they go" for destinations.

They are replaced by a phrase that the domain knows: one of the words of an entity or attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.text.tokens import read_words, reworded, words_of

_LEAD = r"(?P<lead>(?:(?:and|so|but|now|then|oh|ok|well|please|tell me|show me|also) )*)"
_TOPIC = r"(?P<lead>(?:(?!what|which|who|how|when|where|is |are |do |does |show|can |could |i |we )[a-z0-9']+ ){0,6}?)"
"""A topic named before the question where it goes."""
_WHO = re.compile(
    rf"^{_LEAD}who(?: all| else)? (?P<verb>has|have|had|goes|go|does|do|offers|serves|gets|gives|charges|runs|leaves|departs"
    r"|can|could|will|would|flies|fly|operates|uses|covers|provides|makes|stops|arrives|comes|sells"
    r"|is(?! (?:the|a|an|my|our|your) ))\b(?P<rest>.*)$"
)
_MOST = re.compile(r"who (?:flies|fly|operates|runs|does|makes|sails|drives) (?:the )?(?:most|fewest|least)\b")
_THE_MOST = re.compile(
    r" the (?:earliest|latest|cheapest|shortest|longest|fastest|quickest|slowest|first|last|least expensive"
    r"|most expensive|lowest|highest)"
)
_CAN = r"(?P<can>can|could|do|does|did|will|would|might|may|am|are|is)"
_SUBJECT = r"(?P<whom>.{1,40}?)"
_GO = r"(?P<go>go|fly|get|travel|head|sail|drive|going|flying|headed|heading|reach|serve|be going)"
_REST = (
    r"(?P<rest>(?: (?:from|out|non|direct|directly|without|with|on|in|at|by|for|after|before|today|tomorrow|every|each"
    r"|[a-z]*stop)\b.*)?)$"
)
_PLACE = "cities|towns|places|destinations|city|town|place|destination|locations?|terminals?|one"
_LEAVE, _FROM = r"(?:leave|depart|take off|start|originate)", r"(?:from|out of|of|in|at)"
_GOES = r"(?:go|fly|come|get)(?: out)?"
_ARRIVE = r"(?:arrive|land|touch down|come in|get in|fly in|end up)"
_JOIN = r"(?:(?:and|so|but|ok|oh|or|well|going) )*"
_STOPPING = (
    r"(?:stop|connect|go through|fly through|stop over|pass through|touch down)(?: (?:in|at|through))?(?: on the way)?"
)
_HALTING = (
    r"(?:stop|make (?:a|its|the|their) stops?|stop over|touch down on the way|stop on the way|connect)(?: on the way)?"
)
_DOES = (
    "there|then|please|go|goes|going|fly|flies|flying|do|does|serve|serves|have|has|offer|offers|cover|covers|run|runs|operate"
    "|operates|it|that|them|one|any|do it|do that|is there|that flies|who flies|instead"
)
_WHICH_HAS = re.compile(
    rf"^{_LEAD}(?:which|what)(?: ones?)?(?: (?:of|among|out of) (?:these|those|them|the (?:two|2|three"
    rf"|3)))?(?: ones?)? (?:has|have|had|gets|got"
    r"|offers|serves|sees|does) (?:the )?(?P<most>most|fewest|least) (?P<what>(?!of\b)[a-z]+)(?P<rest>.*)$"
)
_MAKE_THE = re.compile(
    r"(?:(?:can|could) (?:you|we) |please |now |and |ok |let us )*(?:make|change|switch|set"
    r"|have) the (?P<noun>[a-z]+(?: [a-z]+)?)"
    r"(?: to| into| be)? (?=[a-z0-9])"
)
_SAID_OF = ("day", "date", "time", "price", "class", "destination", "origin")
_ELSE = re.compile(
    rf"{_JOIN}(?:(?:does|do|did|is|are|has|have|can|could|would) )?(?:there )?"
    rf"(?:anyone|anybody|someone|somebody|who|no one|nobody) else(?: (?:{_DOES}))*"
)
_STOPS = "what are the stops"


class QuestionWords:
    """Question words of one domain, and the domain's words for what they ask."""

    def __init__(self, model: DomainModel) -> None:
        self._model = model
        self._words = {words for attribute in model.attribute.values() for words in attribute.words}
        known = [(w, e) for e in model.entity.values() for w in e.words if w.partition(" ")[0] in {"who", "whose"}]
        nobody = not known or any(words in {"who", "whose"} for words, _ in known)
        nouns = (w for e in model.entity.values() for w in e.words)
        self._nouns = {*nouns, *(kind.replace("_", " ") for kind in model.kind), *_SAID_OF}
        self._things = model.entity[model.domain.entity].many
        self._who = "" if nobody else known[0][1].many
        asked = (w for a in model.attribute.values() for w in a.words if w.startswith("who"))
        self._known = () if nobody else (*(words for words, _ in known), *asked)
        ends = next((swap.exchange for swap in model.swap.values()), ())
        self._far = [self._end(name, True) for name in ends]
        self._near = [self._end(name, False) for name in ends]
        self._patterns(_either(_places(model, ends)), _either(model.entity[model.domain.entity].words))

    def _end(self, end: str, far: bool) -> str:
        """Return the word for an end of a route, as a place or as the station there; empty when the domain has none."""
        paths = {path for path in self._model.attribute[end].accepts.values() if (";" in path) == far}
        found = (a.words[0] for a in self._model.attribute.values() if a.words and {*a.select[:1]} & paths)
        return next(found, "")

    def _patterns(self, places: str, things: str) -> None:
        place = rf"(?:which|what)(?: other)? (?:{places}|{_PLACE})"
        its = r"(?:do|does|did|will|would) (?P<whom>it|they|that one|that|those|these|this" + (
            rf"|(?:that|those|the) (?:{things}))" if things else ")"
        )
        self._destinations = [
            re.compile(rf"^{_TOPIC}where(?: all| else)? {_CAN} {_SUBJECT} {_GO}(?: to| into)?{_REST}"),
            re.compile(rf"^{_LEAD}{place} {_CAN} {_SUBJECT} {_GO} (?:to|into){_REST}"),
            re.compile(rf"^{_LEAD}(?:to|into) {place} {_CAN} {_SUBJECT} {_GO}{_REST}"),
        ]
        takes_off = [
            re.compile(rf"^{_LEAD}(?:{place}|where) {its} (?:{_LEAVE}(?: {_FROM})?|{_GOES} (?:from|out of))$"),
            re.compile(rf"^{_LEAD}(?:from|out of) {place} {its} (?:{_LEAVE}|{_GOES})$"),
        ]
        lands = [
            re.compile(
                rf"^{_LEAD}{place} {its} (?:{_ARRIVE}(?: (?:to|into|in|at))?|(?:go|fly|get|come) (?:to|into|in))$"
            ),
            re.compile(rf"^{_LEAD}where {its} {_ARRIVE}(?: (?:to|into|in|at))?$"),
            re.compile(rf"^{_LEAD}(?:at|into|to) {place} {its} (?:{_ARRIVE}|go|fly|get|come)$"),
        ]
        self._stations = [*((0, pattern) for pattern in takes_off), *((1, pattern) for pattern in lands)]
        self._where = re.compile(
            rf"{_JOIN}(?:where|in {place})(?: (?:exactly|at|is that|would that be|then))*"
            rf"|{_JOIN}(?:(?:through|via|by way of) {place}(?: (?:do|does) (?:it|they|that|those) (?:go|stop|fly"
            rf"|connect|run|pass))?"
            r"|via (?:where|what))"
        )
        self._through = re.compile(
            rf"{_JOIN}(?:(?:through|via|by way of) {place}(?: (?:do|does) (?:it|they|that|those) (?:go|stop|fly|connect"
            rf"|run|pass))?"
            rf"|{place} (?:do|does) (?:it|they|that|those) {_STOPPING}|via (?:where|what))"
        )
        self._stopping = re.compile(
            rf"^{_LEAD}where (?:all )?(?:do|does|did|will|would) (?P<whom>.{{1,60}}?) (?:stops?|stop over|make (?:a stop|stops))$"
        )
        self._halts = re.compile(rf"^{_LEAD}where {its} {_HALTING}$")
        self._bare = (
            re.compile(rf"{_JOIN}(?:where from|from where|from {place}|where is (?:it|that) from)"),
            re.compile(rf"{_JOIN}(?:where to|to where|to {place}|where is (?:it|that) going(?: to)?)"),
        )

    def put(self, text: str) -> str:
        """Return the request with its question words replaced by words of the domain; unchanged when the domain has none for
        them."""
        plain = words_of(read_words(text))
        if (made := _MAKE_THE.match(plain)) and made["noun"] in self._nouns:
            return f"make it {plain[made.end() :]}"
        said = self._others(plain) or self._asked_who(plain) or self._asked_where(plain)
        return reworded(text, said)

    def of_those(self, text: str, before: Meaning) -> str:
        """Return the request with the entity named when it asks about the previous result by a bare "where" or "which"."""
        return self._name_entity(self._ask_for_stops(text, before), before)

    def _name_entity(self, text: str, before: Meaning) -> str:
        """Return the question which rows have the most, with "which of those" replaced by the entity."""
        found = _WHICH_HAS.match(words_of(read_words(text)))
        many = self._model.entity[before.entities[0]].many
        if (
            not found
            or len(before.entities) > 1
            or not many
            or found["what"] in self._model.entity[before.entities[0]].words
        ):
            return text
        return f"{found['lead']}which {many} of those have the {found['most']} {found['what']}{found['rest']}"

    def _ask_for_stops(self, text: str, before: Meaning) -> str:
        """Return the question for the stops, for a bare "where" after a question whether the previous result stops."""
        flags = (f for flagged in before.flags if not flagged.negated for f in flagged.flags)
        stops = any(words.startswith("stop") for flag in flags for words in self._model.flag[flag].words)
        if _STOPS not in self._words or not stops or not self._where.fullmatch(words_of(read_words(text))):
            return text
        return f"{_STOPS} of those"

    def _others(self, plain: str) -> str:
        """Return "other" with the entity that "who" asks for, for "anyone else"; empty when "who" asks for several kinds."""
        return f"other {self._who}" if self._who and _ELSE.fullmatch(plain) else ""

    def _asked_who(self, plain: str) -> str:
        found = _WHO.match(plain)
        if not found or not self._who:
            return ""
        asked = plain[len(found["lead"]) :]
        if _MOST.match(asked):
            return f"{found['lead']}which {self._who} have{found['rest']}"
        if any(asked.startswith(f"{words} ") or asked == words for words in self._known):
            return ""
        of_what = f" {self._things}" if _THE_MOST.fullmatch(found["rest"]) else ""
        return f"{found['lead']}which {self._who} {found['verb']}{found['rest']}{of_what}"

    def _asked_where(self, plain: str) -> str:
        for word, pattern in zip(self._far, self._bare, strict=False):
            if word and pattern.fullmatch(plain):
                return f"{word} do they have"
        for end, pattern in self._stations if self._near else ():
            if self._near[end] and (found := pattern.match(plain)):
                return f"{found['lead']}{self._near[end]} do {found['whom']} have"
        for pattern in self._destinations if self._far and self._far[1] else ():
            if found := pattern.match(plain):
                return f"{found['lead']}{self._far[1]} {found['can']} {found['whom']} {found['go']}{found['rest']}"
        if _STOPS in self._words and self._through.fullmatch(plain):
            return f"{_STOPS} of those"
        if _STOPS in self._words and (found := self._halts.match(plain) or self._stopping.match(plain)):
            return f"{found['lead']}{_STOPS} of {found['whom']}"
        return ""


def _places(model: DomainModel, ends: Iterable[str]) -> list[str]:
    """Return the words for the places at the ends of routes."""
    kinds = {kind for name in ends for kind in model.attribute[name].accepts if kind in model.kind}
    tables = {model.kind[kind].column.partition(".")[0] for kind in kinds}
    return [words for entity in model.entity.values() if entity.table in tables for words in entity.words]


def _either(words: Iterable[str]) -> str:
    """Return a pattern of these words, the longest first; one that never matches when there are none."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True)) or r"(?!)"
