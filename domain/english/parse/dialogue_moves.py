"""What a request does in its dialogue, told by the words that say so: widen, refer, go back, start afresh, correct.

These words leave the request; what remains is parsed like any other. "Any airline is fine" leaves nothing, "what kind of
plane is the second one" leaves the question about the second row shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from domain.english.text.numbers import ordinal, under_hundred
from domain.english.text.tokens import Token

ANYWHERE = "anywhere"
_AFRESH = re.compile(
    r"^(?:(?:now|and|so|alright|right|let us|on to) )*"
    r"(?:(?:a )?(?:new|next|different|another) (?:question|request|topic|subject|search|query|one)|start(?:ing)? (?:over|afresh|again)"
    r"|moving on|something else|something different|forget (?:all |about )?(?:that|all that|it|everything|those)"
    r"|never mind(?: (?:that|all that|those|it))?|scratch (?:all )?that)\b(?: (?:now|then|and|please|here is|completely))*"
)
_NOW = re.compile(r"^(?:so )?now\b")
_CORRECTING = re.compile(
    r"^(?:(?:no|nope|sorry|oops|wait|excuse me|correction|actually|rather|i (?:mean|meant|said)|make (?:that|it)|or rather"
    r"|not that|my mistake|on second thought|let us make (?:that|it)|let us say|change (?:that|it) to) )+"
)
_BACK = re.compile(
    r"^(?:(?:now|then|so|please|can we|could we|could you|let us|i want to|i would like to|iam) )*"
    r"(?:(?:go|going|get|come|take me) )?back to (?=(?:the|my|those|that|these|all|what|our|when) |[a-z]+s\b)"
)
_EARLIER = re.compile(r"^(?:(?:go|going) back|the previous (?:one|ones|list|question)|the earlier (?:one|ones|list))(?: (?:please|again))*$")
_FINE = (
    r"(?: (?:is|are|will|would|do|does|be|also|just|all|also|goes|go))*"
    r"(?: (?:fine|ok|okay|good|great|alright|right|do|works|work|possible|acceptable|goes|suits me|too|please|then))+"
)
_ANY = r"(?:any|whatever|whichever|all|every)(?: (?:other|of the|kind of|sort of|possible))?"
_LEAD = r"^(?:(?:or|and|but|then|just|on|in|at|from|to|with|by|for|of|actually|maybe|that|make it|let us say|try|show me|with) )*"
_NOUN = r"(?P<noun>[a-z]+(?: [a-z]+)?)"
_END = r"(?=$| (?:and|but|or|then|please|though|as long as)\b)"
_WIDENING = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_LEAD}{_ANY} {_NOUN}{_FINE}{_END}",
        rf"{_LEAD}(?P<any>any|whatever|whichever|all|every)(?: other| of the)? {_NOUN}$",
        rf"{_LEAD}{_NOUN} (?:does|do|did) not (?:really )?matter{_END}",
        rf"\bit (?:does|did) not (?:really )?matter (?:on |in |at |from |to )?(?:which|what|the|about the|who the) {_NOUN}{_END}",
        rf"\b(?:i|we) (?:do|would) not (?:really )?(?:care|mind|worry)(?: about| on| in| at)?(?: which| what| the| about)* {_NOUN}{_END}",
        rf"\b(?:regardless of|irrespective of|no matter|not counting|leaving aside)(?: which| what| the)* {_NOUN}{_END}",
        rf"\b(?:forget|forget about|never mind|ignore|drop|remove|skip|lose|without|leave out|leave off|take out|take off|take away)"
        rf" (?:about )?(?:the|that|any|my) {_NOUN}(?: (?:restriction|limit|condition|constraint|part|requirement))?{_END}",
        rf"^(?:(?:or|and|but|also|then|with) )*{_NOUN} (?:is|are) (?:also )?(?:fine|ok|okay|alright|all right|acceptable|possible)(?: too| with me| as well)?$",
        rf"{_LEAD}(?P<noun>anytime|anywhere|any time|anyone|anybody|any where)(?: else)?(?:{_FINE})?$",
        rf"\b(?:i have )?no preference (?:on|for|about|as to|regarding)(?: which| the| what)* {_NOUN}{_END}",
    )
)
_ANNULLING = re.compile(
    r"^(?:(?:or|and|but|actually|it|they|that|this|the flight|the flights) )*"
    r"(?:(?:does|do|need) not (?:have|need)? ?(?:to )?be|not (?:just|only|necessarily)|need not be|not necessarily) (?P<rest>.+)$"
)
_OTHER = re.compile(
    r"^(?:(?:how about|what about|and|or|with|on|by|in|at|from|to|try|show me|is there|are there|do you have|what if i take) )*"
    r"(?:another|other|any other|a different|some other|different|one of the other) (?P<noun>[a-z]+)(?: (?:please|then|instead))*$"
)
_LISTED = r"(?:(?:on|in|of|from) (?:the|that|this|your) (?:list|screen|table|display)|listed|shown|of (?:those|these|them)|you (?:listed|showed|gave)(?: me)?|above|there)"
_ORDINAL = r"(?P<nth>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|last|top|bottom|1st|2nd|3rd|4th|5th)"
_COUNTED = r"(?: (?P<many>two|three|four|five|six|2|3|4|5))"
_RANKED = (
    re.compile(rf"\b(?:the |that |this )?{_ORDINAL} one\b(?: {_LISTED})?"),
    re.compile(rf"\b(?:the ){_ORDINAL}{_COUNTED}?(?: (?:[a-z]+))? {_LISTED}"),
    re.compile(rf"\bthe (?P<nth>first|last|top){_COUNTED}$"),
    re.compile(r"^(?:(?:what about|how about|and|the|only|just|show me|tell me about|i (?:will|would) (?:take|like)) )*"
               rf"(?:the )?{_ORDINAL}(?: please)?$"),
    re.compile(r"\b(?:the )?(?P<nth>second|third|fourth|fifth|sixth|seventh|eighth) (?P<thing>[a-z]+)(?= |$)"),
    re.compile(r"^(?:(?:what about|how about|and|only|just|show me|tell me about|i (?:will|would) take) )*"
               r"(?:number|option|line|row|item|choice) (?P<number>[a-z0-9]+)(?: please)?$"),
)  # fmt: skip
_PLACES = {"top": 1, "last": -1, "bottom": -1}


class Move(msgspec.Struct, frozen=True):
    """What a request does: `left` are the words that remain to be read; `widened` names what is not to be restricted any more,
    `annulled` says it in the words of the restriction, `other` what must be another than before; `rows` are places in the list
    shown, from 1, or from -1 at its end."""

    left: tuple[Token, ...]
    afresh: bool = False
    anew: bool = False
    back: bool = False
    corrects: bool = False
    widened: tuple[str, ...] = ()
    annulled: tuple[Token, ...] = ()
    other: str = ""
    rows: tuple[int, ...] = ()

    @property
    def leans(self) -> bool:
        """Return whether the request can only be understood after another."""
        return bool(self.back or self.widened or self.annulled or self.other or self.rows)


def read_move(tokens: Sequence[Token], nouns: Mapping[str, object], things: frozenset[str]) -> Move:
    """What the words say of the dialogue. `nouns` are the words of what can be restricted, `things` those of what can be asked
    for."""
    move = Move(tuple(tokens))
    if found := _AFRESH.match(_text(move.left)):
        return Move(_without(move.left, found.span()), afresh=True)
    if (found := _CORRECTING.match(_text(move.left))) and not _denied(move.left, found):
        move = msgspec.structs.replace(move, left=_without(move.left, found.span()), corrects=True)
    if _NOW.match(_text(move.left)):
        move = msgspec.structs.replace(move, anew=True)
    if found := _BACK.match(_text(move.left)) or _EARLIER.match(_text(move.left)):
        return msgspec.structs.replace(move, left=_without(move.left, found.span()), back=True)
    if (found := _OTHER.match(_text(move.left))) and (noun := _known(found.group("noun"), nouns)):
        return msgspec.structs.replace(move, left=(), other=noun)
    move = _widened(move, nouns)
    if not move.widened and (found := _ANNULLING.match(_text(move.left))):
        return msgspec.structs.replace(move, left=(), annulled=_within(move.left, found.span("rest")))
    return _ranked(move, things)


def _widened(move: Move, nouns: Mapping[str, object]) -> Move:
    for pattern in _WIDENING:
        text = _text(move.left)
        for found in pattern.finditer(text):
            noun = _known(found.group("noun"), nouns)
            if noun:
                left = _without(move.left, found.span())
                joined = left[1:] if left and left[0].text in {"and", "but", "or"} else left
                return msgspec.structs.replace(move, left=joined, widened=(noun,))
    return move


def _ranked(move: Move, things: frozenset[str]) -> Move:
    text = _text(move.left)
    for pattern in _RANKED:
        found = pattern.search(text)
        rows = () if found is None else _rows(found, things)
        if found is not None and rows:
            return msgspec.structs.replace(move, left=_without(move.left, found.span()), rows=rows)
    return move


def _rows(found: re.Match[str], things: frozenset[str]) -> tuple[int, ...]:
    """The places in the list that were said."""
    said = found.groupdict()
    if said.get("thing") and said["thing"] not in things:
        return ()
    if number := said.get("number"):
        read = under_hundred([number], 0)
        return (read[0],) if read else ()
    nth = said["nth"] or ""
    many = under_hundred([said.get("many") or "one"], 0)
    first = _PLACES.get(nth) or (read[0] if (read := ordinal([nth], 0)) else 0)
    if not first or many is None:
        return ()
    return tuple(range(first, first + many[0])) if first > 0 else tuple(range(-many[0], 0))


def _known(noun: str, nouns: Mapping[str, object]) -> str:
    """The noun under which a restriction is known, of one or two words; a word after it belongs to the rest."""
    first = noun.partition(" ")[0]
    for word in (noun, first) if noun in nouns or " " not in noun else (noun,):
        for form in (word, word.removesuffix("s"), word + "s"):
            if form in nouns:
                return form
    return ""


def _denied(tokens: Sequence[Token], found: re.Match[str]) -> bool:
    """Return whether "no" denies a thing: "no stops" corrects nothing, "no the afternoon" and "no i mean …" do."""
    after = _text(tokens)[found.end() :].split()[:1]
    return found.group().split() == ["no"] and not ({*after} & _DETERMINERS)


_DETERMINERS = frozenset(["the", "on", "in", "at", "from", "to", "by", "for", "that", "those", "these", "with", "only", "just", "leaving",
                          "arriving", "after", "before", "i", "show", "not", "department", "monday", "tuesday", "wednesday",
                          "thursday", "friday", "saturday", "sunday"])  # fmt: skip


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _places(tokens: Sequence[Token], span: tuple[int, int]) -> tuple[int, int]:
    at, first, last = 0, len(tokens), 0
    for place, token in enumerate(tokens):
        end = at + len(token.text)
        if at < span[1] and end > span[0]:
            first, last = min(first, place), place + 1
        at = end + 1
    return first, last


def _without(tokens: Sequence[Token], span: tuple[int, int]) -> tuple[Token, ...]:
    first, last = _places(tokens, span)
    return (*tokens[:first], *tokens[max(first, last) :]) if last else tuple(tokens)


def _within(tokens: Sequence[Token], span: tuple[int, int]) -> tuple[Token, ...]:
    first, last = _places(tokens, span)
    return tuple(tokens[first:last])
