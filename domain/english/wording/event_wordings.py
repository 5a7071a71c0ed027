"""Wordings of requests about dated events in plainer words: "Ann's next lesson" as her first lesson from today on, "when was
Ann last in" as the date of her last one.

An event is an entity whose rows have a date of their own, such as appointments or loans. The rules name it, its date, its
time and its amounts by the domain's own words; a domain without such an event, or with several, has none of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from domain.english.model.domain import Attribute, DomainModel, Entity
from domain.english.model.meaning import Meaning
from domain.english.text.tokens import read_words, reworded, words_of
from domain.english.wording.list_wordings import anything_done
from domain.english.wording.rate_wordings import RateWordings

_LEAD = (
    r"(?P<lead>(?:(?:and|but|so|or|ok|then|now|well|oh|please|also|thank you|thanks|no|yes|right|fine|hello|hi|hey"
    r"|good (?:morning|afternoon|evening|day)|(?:can|could|would|will) you (?:please )?(?:tell me|check|look up"
    r"|see|say)|tell me|do you know"
    r"|(?:please )?(?:check|see|look up)(?: whether| if)?|i (?:want|need|would like|wanted) to know|i wonder"
    r"|i was wondering) )*)"
)
_WHOM = (
    r"(?P<whom>(?!(?:it|that|this|there|the|a|an|they|those|these|we|i|you|which|what|who)\b)[a-z']+(?: [a-z']+){0,2}?)"
)
_THAT = r"(?:it|that|that one|this|this one|they|those|these|them)"
_NTH = (
    r"the (?:first|second|third|fourth|fifth|sixth|last|latest|earliest|next|other|final|most recent)(?: one"
    r"| of (?:those|these|them))?"
)
_BE = r"(?:is|was|are|were|will|would)"
_HERE = r"(?:in|here|seen|in here|in to see (?:us|you)|at (?:your|our) place|round|with (?:us|you))"
_ANY = r"(?:anything|something|any|some|a|an|nothing)"
_TO_COME = (
    r"(?:coming up|still to come|in the diary|in the book|booked in|booked|planned|arranged|scheduled|lined up"
    r"|in the calendar"
    r"|on the calendar|on the books|to come|ahead|in store|upcoming|pending|fixed|set up|down)"
)
_FORGET = r"(?:forget|never mind|drop|scrap|ignore|skip|lose|leave out|take off|lift)"
_BIT = r"(?:bit|part|thing|business|stuff|limit|restriction|condition|requirement)"
_AVERAGE_FIRST = re.compile(
    rf"^{_LEAD}(?:on average|on the average|as a rule|typically|on the whole) (?P<ask>(?:how|what) .+)$"
)
_OR_NOT = re.compile(r"^(?P<ask>.*\b(?:is|are|was|were|does|do|did|has|have|will|can)\b.+) or not$")
_WHETHER = re.compile(
    rf"^{_LEAD}(?:whether |if )?(?P<when>when )?(?P<who>(?!(?:is|are|was|do|does|did|has|which|what|when|who|how"
    rf"|the|a|any|only|it)\b)"
    r"[a-z]+(?: [a-z]+){0,2}?) (?P<be>is|was) (?P<rest>last .+|due.*|down for .+|next .+|in (?:last|next)"
    r"|booked for .+)$"
)
"""An indirect question, with the verb after whom it asks about."""
_SINCE_WHEN = re.compile(
    rf"^{_LEAD}since when (?:has|have|had|did|is"
    rf"|are) {_WHOM.replace('they|', '').replace('those|these|', '')} "
    r"(?:been )?(?:here|with us|work(?:ed|ing)?(?: here| for us| with us)?|employed(?: here)?|on the (?:staff|team"
    r"|books|payroll)|start|join)$"
)
_WHO_OF = re.compile(
    rf"^{_LEAD}who (?:among|amongst|of|out of|from) (?:these|those|them|that lot|this lot|that list|this list)"
    r"(?: people| lot)? (?P<verb>(?:has|have|had|is|are|was|were|lives|works|earns|gets|does|did)\b)"
)
_KEEP = re.compile(
    rf"^{_LEAD}(?:keep (?:just |only )?(?:the ones|those|the people)|i (?:only|just) (?:care about|want|need"
    rf"|mean) (?:the ones|those))"
    r"(?: (?:that|which|who) (?:are|is))? (?=[a-z])"
)
_START_SHARP = re.compile(r"\b(?:starting|beginning) at (?P<at>[a-z0-9]+(?: [a-z0-9]+){0,2}) (?:sharp|on the dot)\b")
_SHARP = re.compile(r"(?<=[a-z0-9]) (?:sharp|on the dot|on the nose)\b")
_WITH_WHOM = re.compile(
    rf"^{_LEAD}(?:who(?:m)? {_BE} (?P<what>{_NTH}|{_THAT})(?: (?:all|both))? (?:with|for|seeing|by)"
    rf"|whose {_BE} (?P<rows>{_NTH}|{_THAT}))$"
)
_AVERAGE_WITHIN = re.compile(
    r"\b(?P<ask>how (?:long|much|many|old|big|far|high|often)) (?:on average|on the average|typically) (?P<rest>.+)$"
)
_COMPARED = re.compile(
    rf"^{_LEAD}(?:compare (?:that|it|this|those|them) (?:with|to|against)|set (?:that|it|this) (?:against|beside"
    rf"|next to)"
    r"|put (?:that|it|this) (?:against|beside|next to)|how (?:does|do) (?:that|it|this|those|they) compare (?:with"
    r"|to|against)"
    r"|and (?:by|in) comparison) (?P<what>.+?)(?: please)?$"
)


_Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


class _Said(msgspec.Struct, frozen=True):
    """How a domain speaks of its event: one, several, the day of one, a pattern of its nouns, and the word for the first."""

    one: str
    many: str
    day: str
    nouns: str
    first: str


class EventWordings:
    """Applies the rules in one domain."""

    def __init__(self, model: DomainModel) -> None:
        self._values = {said for kind in model.kind.values() for said in kind.also}
        self._values |= {words for flag in model.flag.values() for words in flag.words}
        self._rates = RateWordings(model)
        self._event, self._people = "", dict[str, Entity]()
        dated = {a.of: a for a in model.attribute.values() if a.words and a.default == 1 and _is_day(a)}
        self._rules: list[_Rule] = [
            (_OR_NOT, r"\g<ask>"),
            (_WHETHER, r"\g<when>\g<be> \g<who> \g<rest>"),
            (_SINCE_WHEN, r"\g<lead>when did \g<whom> start here"),
            (_WHO_OF, r"\g<lead>which of them \g<verb>"),
            (_KEEP, r"\g<lead>only those "),
            (_START_SHARP, r"that start at \g<at>"),
            (_SHARP, ""),
            (_AVERAGE_WITHIN, r"\g<ask> \g<rest> on average"),
            (_AVERAGE_FIRST, r"\g<lead>\g<ask> on average"),
            (_COMPARED, r"\g<lead>and what about \g<what>"),
        ]
        self._rules += [*_things_done(model), *anything_done(model)]
        if len(dated) == 1:
            [(event, date)] = dated.items()
            self._of_event(model, event, date)

    def _of_event(self, model: DomainModel, event: str, date: Attribute) -> None:
        """Add the rules for the domain's only event."""
        about = model.entity[event]
        early = any("earliest" in s.words and s.column.get(event) == date.minimum for s in model.superlative.values())
        nouns = _either(words for words in about.words if words not in about.verbs)
        first = "earliest" if early else "first"
        said = _Said(about.one or event, about.many or event, date.words[0], nouns, first)
        self._event, self._people = event, _people_of(model, event)
        self._status(model, said)
        self._rules += [*_last_and_due(said), *_next_ones(said), *_days(said)]
        for coming in ("coming up", "upcoming", "future", "forthcoming"):
            if coming not in self._values:
                ahead = rf"\b{coming} (?P<what>{nouns})\b|\b(?P<those>{nouns}) {coming}\b"
                self._rules.append((re.compile(ahead), lambda m: f"{m['what'] or m['those']} from today on"))
        if early:
            # "the first lesson tomorrow" is on no first of the month
            self._rules.append((re.compile(rf"\bfirst (?P<what>{nouns})\b"), r"earliest \g<what>"))
        self._rules += _none_and_any(said)
        self._times(model, event)

    def _status(self, model: DomainModel, said: _Said) -> None:
        """Add the rules for whether the event takes place, and with whom."""
        states = [a.words[0] for a in model.attribute.values() if a.of == self._event and a.words[:1] == ("status",)]
        if states:
            self._rules.append(
                (
                    re.compile(
                        rf"^{_LEAD}did {_WHOM} (?:turn up|show up|appear|come|make it) (?:for|to|at) (?:(?:the|his|her|their) "
                        rf"(?:one|{said.nouns})|it|that)(?P<when> .+)?$"
                    ),
                    lambda m: f"{m['lead']}status of the {said.one} of {_owner(m['whom'])}{m['when'] or ''}",
                )
            )
            self._rules.append(
                (
                    re.compile(
                        rf"^{_LEAD}(?:is|was) (?P<what>{_THAT}|{_NTH}|[a-z ]{{0,40}}?\b(?:{said.nouns})(?: (?:on|in|at"
                        rf"|of) [a-z0-9 ]+?)?) "
                        r"(?:still )?(?:on|going ahead|happening|taking place|going to happen"
                        r"|going on)(?: as planned| then)?$"
                    ),
                    lambda m: f"{m['lead']}status of {_those(m['what'])}",
                )
            )
        self._rules += [
            (
                re.compile(
                    rf"^{_LEAD}(?:has|have|is|are|did) (?:nobody|no one|anybody|anyone|somebody"
                    rf"|someone)(?: else)? (?:booked(?: in)?(?: with)?"
                    r"|seen|see|seeing|coming (?:in )?to see|down for|down to see|in to see|in with) (?P<whom>.+)$"
                ),
                rf"\g<lead>are there {said.many} of \g<whom>",
            ),
            (
                re.compile(
                    rf"^{_LEAD}(?P<ask>(?:what"
                    rf"|which) (?:{_either(w for e in self._people.values() for w in (e.one, e.many) if w)}))"
                    r" (?:did|does|was|is|has|were|had) [a-z ]+? (?:that time|then|on that occasion|at that time"
                    r"|on that day|that day"
                    rf"|(?:on|at|for|in) (?:that|this) (?:{said.nouns})|that (?:{said.nouns}))$"
                ),
                r"\g<lead>\g<ask> of that",
            ),
        ]

    def of_those(self, text: str, before: Meaning) -> str:
        """Return the request with "who is it with" as the question for those people of the event who are not named yet."""
        found = _WITH_WHOM.match(words_of(read_words(text)))
        if not found or not self._people or before.entities[0] != self._event:
            return text
        named = {c.attribute for c in before.conditions}
        left = [e for name, e in self._people.items() if name not in named]
        one_more = len({e.table for e in left}) == 1
        return f"{found['lead']}{left[0].many} of {_those(found['what'] or found['rows'])}" if one_more else text

    def _times(self, model: DomainModel, event: str) -> None:
        """Add the rules for the hour of the event, where it has one only and nothing else is called a time."""
        clocks = [a for a in model.attribute.values() if "clock" in a.accepts and a.of == event and a.words]
        called = {words for a in model.attribute.values() for words in a.words}
        if len(clocks) != 1 or called & {"time", "times", "what time"}:
            return
        hour = clocks[0].words[0]
        self._rules += [
            (
                re.compile(
                    rf"^{_LEAD}(?:(?:at|for) )?(?:(?:what|which) times?|the times?|times?|what hour|the hour)"
                    rf"(?: (?:{_BE}|does|do|should|can|shall|must) (?P<what>{_NTH}|{_THAT}|he|she|i|we)"
                    r"(?: (?:at|for|be|be here|be there|come|come in|start|begin|arrive|go|then|again|exactly))*)?$"
                ),
                lambda m: f"{m['lead']}{hour} of {_those(m['what'] or 'those')}",
            ),
            (
                re.compile(rf"^{_LEAD}(?:on )?what day and (?:at )?(?:what )?time {_BE} (?P<what>{_NTH}|{_THAT})$"),
                lambda m: f"{m['lead']}date and {hour} of {_those(m['what'])}",
            ),
        ]

    def plainer(self, text: str) -> str:
        """Return the request in plainer words; unchanged when no rule applies."""
        plain = words_of(read_words(text))
        for pattern, put in self._rules:
            plain = pattern.sub(put, plain)
        return reworded(text, self._rates.put(plain))


def _things_done(model: DomainModel) -> list[_Rule]:
    """Return the rules for things to which something was done, where the verb names the doing as well: "wines ordered by Ann" are
    wines, not orders."""
    done = {w: e.table for e in model.entity.values() for w in e.verbs if w in e.words and w.endswith("ed")}
    nouns = {
        w for e in model.entity.values() if e.table not in done.values() for w in (e.many, *e.words) if w[-1:] == "s"
    }
    if not done or not nouns:
        return []
    what = rf"(?P<what>(?:all |the |any )*(?:{_either(nouns)}))"
    said = rf"^{_LEAD}{what} (?P<done>{_either(done)})(?= (?:to|for|by|at|in|on|since)\b)"
    return [(re.compile(said), r"\g<lead>which \g<what> were \g<done>")]


def _last_and_due(said: _Said) -> list[_Rule]:
    """Return the rules for somebody's last event and those to come."""
    return [
            # "when was Ann last in", "when did Ann last come"
            (
                re.compile(
                    rf"^{_LEAD}when (?:was|is|were) {_WHOM} (?:last {_HERE}|(?:seen|here|in) last|last)"
                    rf"$|^{_LEAD.replace('lead', 'start')}when did {_WHOM.replace('whom', 'who')} last (?:come"
                    rf"|come in|see (?:us|you|anyone|a [a-z]+)|visit|turn up|show up)$"
                ),
                lambda m: f"{m['lead'] or m['start'] or ''}{said.day} of the last {said.one} of {_owner(m['whom'] or m['who'])}",
            ),
            # "when is Ann due in", "when is Ann in next"
            (
                re.compile(
                    rf"^{_LEAD}when (?:is|are) {_WHOM} (?:due(?: in| back| here)?|next (?:due|due in|in|here"
                    rf"|expected)|(?:in|due|coming) next"
                    r"|coming|coming in|coming back|expected|supposed to (?:come|come in|be in|be here))$"
                ),
                lambda m: f"{m['lead']}{said.day} of the {said.first} {said.one} of {_owner(m['whom'])} from today on",
            ),
            # "does Ann have anything coming up"
            (
                re.compile(
                    rf"^{_LEAD}(?:does|do|has|have|is|are) {_WHOM} (?:(?:have|got|get"
                    rf"|has) (?:got )?{_ANY}(?: (?:{said.nouns}))?(?: else)?"
                    rf" (?:that is )?{_TO_COME}|(?:down|booked|booked in|due|due in) for {_ANY}(?: {_TO_COME})?)"
                    r"(?P<when> (?:from|after|before|on|in|this|next|today|tomorrow|between|until) ?.*)?$"
                ),
                lambda m: f"{m['lead']}{said.many} of {_owner(m['whom'])}{m['when'] or ' from today on'}",
            ),
    ]  # fmt: skip


def _next_ones(said: _Said) -> list[_Rule]:
    """Return the rules for the next event, of somebody or of all."""
    return [
            # "Ann's next lesson when is that", "Ann's next lesson"
            (
                re.compile(rf"\bwhen (?P<be>is|was) (?P<what>(?:the |their |her |his "
                    rf"|its )?(?:[a-z]+ ){{0,3}}(?:next|last|first|latest|most recent) (?:{said.nouns}))(?= of\b|$)"),
                rf"{said.day} of \g<what>",
            ),
            (
                re.compile(
                    rf"^{_LEAD}(?P<owner>(?:her|his|their)|(?:(?!the\b|of\b|in\b|{_BE}\b)[a-z]+ ?){{1,3}}?(?:'s"
                    rf"|s')?) next (?:{said.nouns}|one)$"
                ),
                lambda m: f"{m['lead']}the {said.first} {said.one} of {_owner(m['owner'])} from today on",
            ),
            (
                re.compile(rf"\b(?:the |a )?next (?:{said.nouns})\b(?! (?:week|month|year|to)\b)"),
                f"the {said.first} of the {said.many} from today on",
            ),
    ]  # fmt: skip


def _days(said: _Said) -> list[_Rule]:
    """Return the rules for the day of events that were shown or are named."""
    return [
            # "the second one, when is it": the date
            (
                re.compile(rf"^{_LEAD}when (?:{_BE}) (?P<what>{_NTH}|{_THAT})(?: exactly| again| then)*$"),
                lambda m: f"{m['lead']}{said.day} of {_those(m['what'])}",
            ),
            (
                re.compile(rf"^{_LEAD}(?:on )?(?:what|which) (?:days?|dates?)(?: {_BE} (?P<what>{_NTH}"
                    rf"|{_THAT})(?: (?:on|for|again|exactly|then))*)?$"),
                lambda m: f"{m['lead']}{said.day} of {_those(m['what'] or 'those')}",
            ),
            (
                re.compile(
                    rf"^{_LEAD}(?P<what>(?!(?:which|what|when|who|how|his|her|their|its|and|but|so|or"
                    rf"|then)\b).+?) {_BE} (?:on )?(?:what|which) (?:date|day)$"
                ),
                rf"\g<lead>{said.day} of \g<what>",
            )
    ]  # fmt: skip


def _none_and_any(said: _Said) -> list[_Rule]:
    """Return the rules for having no event, and for any time or date."""
    return [
            # "who has not been in since May"
            (
                re.compile(
                    rf"\b(?P<have>has|have|had) (?:not|never) (?:been (?:{_HERE}|to see (?:us|you|anyone))"
                    rf"|come(?: in)?|shown up|turned up)(?: at all)?"
                    r"(?= (?:since|in|this|for|after|before|between|last)\b)"
                ),
                rf"\g<have> no {said.many}",
            ),
            (
                re.compile(
                    rf"^{_LEAD}{_FORGET} (?:about )?(?:the |that )?(?:morning|afternoon|evening|night|time|hours?"
                    rf"|noon|clock)s?(?: {_BIT})?$"
                ),
                r"\g<lead>any time of day",
            ),
            (
                re.compile(
                    rf"^{_LEAD}{_FORGET} (?:about )?(?:the |that )?(?:date|day|month|week|year|dates)(?: {_BIT})?$"
                ),
                r"\g<lead>any date",
            ),
            # "which trainers have nothing in June"
            (
                re.compile(
                    r"\b(?:has|have|had|having|with|got) (?:(?:got|absolutely) )?(?:nothing"
                    r"|not anything)(?: (?:at all|whatsoever|booked|planned|scheduled"
                    r"|on|lined up|in the diary|left))*(?= (?:in|on|this|next|for|from|after|before|between"
                    r"|tomorrow|today|until)\b|$)"
                ),
                f"without {said.many}",
            )
    ]  # fmt: skip


def _is_day(attribute: Attribute) -> bool:
    """Return whether an attribute is the date of its own row."""
    return attribute.only_named and bool(attribute.maximum) and "date" in attribute.accepts


def _people_of(model: DomainModel, event: str) -> dict[str, Entity]:
    """Return the people of an event by the attributes that name them."""
    persons = {k.column: name for name, k in model.kind.items() if any(" " in pair for pair in k.names)}
    entities = {persons[e.key[0]]: e for e in model.entity.values() if e.key and e.key[0] in persons and e.many}
    return {
        name: entities[kind]
        for name, a in model.attribute.items()
        for kind, path in a.accepts.items()
        if a.of == event and kind in entities and path.count(";") == 1
    }


def _owner(whom: str) -> str:
    """Return the owner without the mark of the genitive: a person's name, or a pronoun as an object."""
    whom = {"she": "her", "he": "him", "his": "him", "their": "them", "they": "them"}.get(whom, whom)
    return whom.removesuffix("'s").removesuffix("s'") if "'" in whom else whom


def _those(what: str) -> str:
    """Return a reference to rows: "those" for several or for none, "that" for one."""
    if what in {"he", "she", "i", "we", "it", "that", "that one", "this", "this one"}:
        return "that"
    return "those" if what in {"they", "those", "these", "them"} else what


def _either(words: Iterable[str]) -> str:
    """Return a pattern of these words, the longest first; one that never matches when there are none."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True)) or r"(?!)"
