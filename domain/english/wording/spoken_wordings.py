"""Word orders of speech, put into those of writing: a topic before its question, a question word at the end, a choice of two.

"The second one, at what hour does it depart", "gets in when", "between those two, which arrives sooner", "whichever lands first".
Nothing here knows a domain.
"""

from __future__ import annotations

import re

from domain.english.text.tokens import read_words, reworded, words_of
from domain.english.wording.choices import choose

_LEAD = r"(?P<lead>(?:(?:and|but|so|or|ok|then|now|well|oh|please|just|also|hm) )*)"
_NTH = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|last|other|later|latest|earlier|earliest|cheaper|cheapest|shorter|shortest"
    r"|longer|longest|one before|next|faster|fastest|bigger|biggest|smaller|smallest|dearest|quickest)"
)
_TOPIC = (
    rf"(?P<topic>(?:the {_NTH}(?: (?:one|two|[a-z]+))?(?: (?:of|among|from) (?:those|these|them|the [a-z]+ (?:ones|[a-z]+s)))?"
    r"|the (?!(?:one|ones|only|other|same|first|last|way)\b)[a-z]+(?: [a-z]+)? one"
    r"|the one (?:in|on|from|at|with|to|by)(?: (?!(?:what|when|how|where|which|who)\b)[a-z]+){1,2}"
    r"|number (?:one|two|three|four|five|[1-9])|that (?!is\b|was\b|one\b|does\b)[a-z]+)"
    r")(?: (?:you|that you|which you) (?:showed|gave|had|listed|read|found|mentioned)(?: me)?"
    r"(?: (?:(?P<begun>at first|first|at the start|at the beginning)|before|earlier|just now|there))?)?"
)
_QUESTION = (
    r"(?P<question>(?:at |on |for |in |with |to |from )?(?:what|when|how|where|which|who|does|do|is|are|can|could|would|will"
    r"|has|did)"
    r"\b.*)"
)
_IT = re.compile(r"\b(?:it|that one|(?:(?<=on )|(?<=for )|(?<=of )|(?<=is ))that(?: [a-z]+$)?|(?<=does )that|that$)\b")
_THEY = re.compile(r"\b(?:they|he|she)\b")
_DOING = re.compile(
    r"\b(?P<ask>what|where|how much|when) is (?P<who>he|she|it|they) (?=(?:do|get|make|earn|cost|charge|work|live|start)\b)"
)
_TAKING = (
    r"(?:take |(?:i (?:will|would|might|think i will|guess i will|want to|would like to)|let me|let us|we will) (?:(?:probably"
    r"|maybe|just"
    r"|perhaps|then|rather) )*(?:take|go with|go for|pick|choose|have|book|say) )"
)
_FRONTED = re.compile(rf"^{_LEAD}(?:{_TAKING})?{_TOPIC}(?: (?:then|now|please|though))? {_QUESTION}$")
_COSTS = (
    r"(?:what (?:does|would|will|do|might) (?:that|it|one|they|those) (?:come to|cost(?: me| us)?|run(?: to| me)?|set (?:me"
    r"|us) back"
    r"|go for|amount to|work out at)|how much (?:is|would|does|will) (?:that|it|one)(?: be| cost| run| come to)?|what is that"
    r"|what would that be)"
)
_PRICED = re.compile(rf"^{_LEAD}(?P<topic>(?:a|an) (?!day\b|week\b)[a-z]+(?: [a-z]+){{0,8}}?) {_COSTS}$")
_WANT_FOR = re.compile(
    r"\bwhat (?:do|does|would|will) (?:they|you|one|people|it) (?:want|ask|charge|get|take|expect)(?: (?:me|you|us"
    r"|people))? for (?=[a-z])"
)
_WHEN_LAST = re.compile(
    rf"^{_LEAD}(?:it |that |that one )?(?P<verb>gets in|gets there|arrives|lands|leaves|departs|takes off|gets back|goes"
    rf"|starts|ends"
    r"|opens|closes|touches down|comes in|getting in|landing|leaving|starting|ending) "
    r"(?P<ask>when|what time|at what time|what day|which day|on which day|on what day|on what days|what days|which days)$"
)
_BASE = {
    "gets in": "get in", "gets there": "get there", "arrives": "arrive", "lands": "land", "leaves": "leave", "departs": "depart",
    "takes off": "take off", "gets back": "get back", "goes": "go", "starts": "start", "ends": "end", "opens": "open",
    "closes": "close", "touches down": "touch down", "comes in": "come in", "getting in": "get in",
    "landing": "land", "leaving": "leave",  "starting": "start", "ending": "end",
}  # fmt: skip
_WHERE_LAST = re.compile(
    rf"^{_LEAD}(?:it |that |they |all )?(?P<verb>stopping|stops|stop|connecting|connects|changing|landing on the way) "
    r"(?:where|in what city|in which city|in what place|where exactly|where on the way)$"
)
_ITS_WHEN = re.compile(
    rf"^{_LEAD}(?P<what>(?:its|their|the) (?![a-z]+ ones?\b)[a-z]+(?: [a-z]+)?) (?:when|what|how much|what time)"
    r" (?:would|is|will|was|are) (?:that|it|they|those)(?: be)?$"
)
_HOW_MANY_LAST = re.compile(
    rf"^{_LEAD}(?P<what>(?!(?:of|which|what|how|those|these|them|and|is|are|do|does)\b).+?) "
    r"how many (?:are there|is that|are those|would that be|have you got|do you have|have they got|are they)$"
)
_LESS = {
    "sooner": "the soonest", "earlier": "the earliest", "later": "the latest", "faster": "the fastest", "quicker": "the quickest",
    "less": "the least", "more": "the most", "longer": "the longest", "shorter": "the shortest", "cheaper": "the cheapest",
    "the cheaper": "the cheapest", "the less expensive": "the least expensive", "less expensive": "the least expensive",
    "the more expensive": "the most expensive", "more expensive": "the most expensive", "the dearer": "the dearest",
    "dearer": "the dearest", "the earlier": "the earliest", "the later": "the latest", "the shorter": "the shortest",
    "the longer": "the longest", "the faster": "the fastest", "the quicker": "the quickest", "the bigger": "the biggest",
    "bigger": "the biggest", "larger": "the largest", "smaller": "the smallest", "the smaller": "the smallest",
    "the larger": "the largest", "first": "first", "last": "last", "less time": "the least time", "more time": "the most time",
}  # fmt: skip
_CHOICE = re.compile(
    rf"^{_LEAD}(?:between|of|out of|among|from|take) (?:these|those|them|the)(?: (?:two|2|pair|couple|both))? "
    r"(?P<ask>which|what)(?: one)? (?P<verb>is|would be|[a-z]+s(?: in| there| off| up| back| down| out)?|takes) "
    rf"(?P<more>{'|'.join(sorted(_LESS, key=len, reverse=True))})(?: (?:one|in the air|in the day|of the two))*$"
)
_OF_TWO = re.compile(
    rf"^{_LEAD}(?P<ask>which)(?: one)? (?:of|out of) (?:the|those|these)(?: (?:two|2|pair))? "
    r"(?P<verb>takes|costs|needs|uses) (?P<more>less|more|less time|more time)(?: in the air| in total| altogether)?$"
)
_ALL_DO = re.compile(
    rf"^{_LEAD}(?:do|are|can|will|have|did) (?:they|those|these)(?: all)? (?P<what>.+?) (?:i mean|or rather|or|and)(?: if not)? "
    r"(?:which|what)(?: ones| one| of (?:them|those|these))?(?: (?:do|are|can|will|have|did))?$"
)
_ANY_OF = re.compile(r"\b(?P<on>on|with|in|from|for|at|by) (?:at least )?one of (?P<them>those|these|them)\b")
_ONE_AMONG = re.compile(
    rf"^{_LEAD}(?:is|are|was|were) there (?:one|any|some|a few|anything) (?:among|of|out of|amongst|from) (?P<them>them|those"
    rf"|these) "
    r"(?=(?:with|without|that|which|on|in|from|at|after|before)\b)"
)
_WHICHEVER = re.compile(
    r"\bwhichever(?: one)?(?: of (?:them|those|these))? (?P<verb>leaves|departs|arrives|lands|gets in|gets there|goes|takes off"
    r"|is|costs|takes|comes) (?P<most>first|last|earliest|latest|soonest|quickest|fastest|cheapest|least|the least|the most"
    r"|most)\b"
)
_COME_WITH = re.compile(
    rf"^{_LEAD}(?:does|do|will|would|is|are) (?P<what>(?:a |any )?[a-z]+) (?:come|comes|be had|included|served|be included"
    rf"|be served)"
    r"(?: with| in| on)(?: the price of)? (?P<them>any of (?:these|those|them)|these|those|them|it|that|that one)$"
)
_OLD = re.compile(r" (?:and )?not (?:just )?any old [a-z]+(?: [a-z]+)?$")
_SAID_SO = re.compile(
    r"^(?:(?:no|oh|sorry|wait|ah|well|uh|hang on|hold on) )*(?:did i say|have i said|i said|i think i said|i asked for"
    r"|i told you) "
    r"(?P<old>[a-z0-9 ]{2,30}?) (?:(?:i am|iam|but|so|sorry|no|my mistake|very|really|terribly|though|excuse me|before"
    r"|earlier) )*"
    r"(?:i (?:need|want|meant|mean|really want|really need|should have said|wanted|meant to say)|it is|it should be|make it"
    r"|make that"
    r"|what i meant was|he needs|she needs|we need|i do mean) (?P<new>[a-z0-9 ]+)$"
)
_TWICE_SAID = re.compile(
    r"^(?P<said>[a-z0-9]+(?: [a-z0-9]+){0,2}) (?:i (?:meant|mean|said|want|wanted|should have said)|make that|that is) (?P=said)$"
)
_RATHER_THE = re.compile(
    rf"^{_LEAD}(?:the|that|this) [a-z]+ ones? (?:i mean|or rather|that is|i meant|rather) (?P<new>the .+)$"
)
_EXPLAINED = re.compile(
    r" i mean (?:he|she|they|iam|i am|we are|we|it|there) (?:(?:is|are|am|do|does|will|would|have|has|can|could) )?(?:not )?"
    r"(?:coming back|going back|returning|staying(?: there)?|in a (?:hurry|rush)|alone|on (?:his|her|my|our) own|kidding|joking"
    r"|not picky|desperate|flexible|rich|made of money|that old|that young|getting any younger)$"
)
_TAKE_AWAY = re.compile(
    rf"^{_LEAD}(?:iam |i am |we are |he is |she is |i |we )(?:(?:really|just|do|am|are) )*"
    r"(?:not (?:too |so |very |that )?(?:fond of|keen on|into|a fan of|big on|like|want|fancy|care for|need)|hate|dislike"
    r"|can not stand) "
    r"(?P<what>(?:those |the |any )?[a-z]+(?: [a-z]+)?) (?:so )?(?:can|could|would|will|please)? ?(?:you )?(?:please )?"
    r"(?:take|leave|get|throw|cut|drop|lose|keep|filter|weed)(?: (?:those|them|these|that))?(?: (?:away|out|off|rid of))?"
    r"(?: (?:those|them|these|that))?$"
)
_THERE_BY = re.compile(
    rf"^{_LEAD}(?:be )?there (?=(?:by|before|around|about|no later than|between|at \d|after|for \d)\b)"
)
_THAT_DAY = re.compile(r"\b(?:any ?time|whenever)(?: on)? (?:that|the same|that same) day\b")
_HOUR = re.compile(r"\b(?P<at>at |by |around )?(?:what|which) hour\b")
_ALL_AGAIN = re.compile(
    rf"^{_LEAD}(?:(?:show me|give me|let me (?:see|have)|can i (?:see|have)|could i (?:see|have)|list|read me|i want"
    rf"|i would like) )?"
    r"(?P<which>(?:all )?(?:the|those|my) (?:first|original|initial|whole|full|complete|entire|long|earlier|previous)"
    r"(?: (?:list|lot|ones?|set|results|choices|options|batch|bunch|[a-z]+s))?) again(?: please)?$"
)
_SHOW_AGAIN = re.compile(
    rf"^{_LEAD}(?:show|give|read|list|tell|let)(?: me| us)?(?: see| have)? again (?P<which>(?:all |only |just )?(?:the|those"
    rf"|my|all) .+)$"
)
_ALL_OF_THEM_AGAIN = re.compile(
    rf"^{_LEAD}(?:(?:show me|give me|let me (?:see|have)|can i (?:see|have)|list|read me) )?"
    r"(?:all (?:the |of the |of those |those )?(?:choices|options|possibilities|results|lot|ones)|all of (?:them|those)"
    r"|everything"
    r"|the lot|them all|the whole lot|the whole thing) (?:again|once more|one more time|as before)(?: please)?$"
)


def reorder_speech(text: str) -> str:
    """Return the request in the word order of writing; as it was where none of the rules applies.

    >>> reorder_speech("and the second one at what hour does it depart")
    'and at what time does the second one depart'
    >>> reorder_speech("gets in when")
    'when does it get in'
    """
    plain = words_of(read_words(text))
    plain = _HOUR.sub(lambda found: f"{found['at'] or ''}what time", plain)
    plain = _THAT_DAY.sub("any time", _OLD.sub("", plain))
    for change in (_corrected, choose, _fronted, _asked_last, _chosen, _returned):
        plain = change(plain)
    return reworded(text, plain)


def _corrected(plain: str) -> str:
    """Return "i said norton but i need sutton" as a correction."""
    if found := _SAID_SO.match(plain):
        return f"not {found['old']} i mean {found['new']}"
    if found := _RATHER_THE.match(plain):
        return f"{found['lead']}{found['new']}"
    plain = _EXPLAINED.sub("", plain)
    if found := _TWICE_SAID.match(plain):
        return f"no i mean {found['said']}"
    return plain


def _fronted(plain: str) -> str:
    """Return the question with its topic in the place of the pronoun."""
    if found := _PRICED.match(plain):
        return f"{found['lead']}how much is {found['topic']}"
    plain = _WANT_FOR.sub("how much is ", plain)
    plain = _DOING.sub(r"\g<ask> does \g<who> ", plain)
    found = _FRONTED.match(plain)
    its = next((way for way in (_IT, _THEY) if found and way.search(found["question"])), None)
    if found is None or its is None:
        return plain
    topic = found["topic"] + (" in the first list" if found["begun"] else "")
    if noun := re.search(r"\b(?:is|for|on|of|about|with|at) that (?P<noun>[a-z]+)$", found["question"]):
        topic = re.sub(r"\bone\b", noun["noun"], topic, count=1)
    return found["lead"] + its.sub(topic, found["question"], count=1)


def _asked_last(plain: str) -> str:
    """Return the question with the question word first."""
    if found := _WHEN_LAST.match(plain):
        return f"{found['lead']}{found['ask']} does it {_BASE[found['verb']]}"
    if found := _WHERE_LAST.match(plain):
        return f"{found['lead']}where do they stop"
    if found := _ITS_WHEN.match(plain):
        return f"{found['lead']}what is {found['what']}"
    if found := _HOW_MANY_LAST.match(plain):
        return f"{found['lead']}how many are there {found['what']}"
    return plain


def _chosen(plain: str) -> str:
    """Return a choice of two, or of any, as the most of those."""
    for pattern in (_CHOICE, _OF_TWO):
        if found := pattern.match(plain):
            return f"{found['lead']}which of those {found['verb']} {_LESS[found['more']]}"
    if found := _TAKE_AWAY.match(plain):
        return f"{found['lead']}no {re.sub('^(?:those|the|any) ', '', found['what'])}"
    if found := _ALL_DO.match(plain):
        return f"{found['lead']}which of them {found['what']}"
    plain = _ANY_OF.sub(r"\g<on> any of \g<them>", plain)
    plain = _ONE_AMONG.sub(r"\g<lead>any of \g<them> ", plain)
    plain = _WHICHEVER.sub(r"the one that \g<verb> \g<most>", plain)
    if found := _COME_WITH.match(plain):
        them = found["them"]
        return f"{found['lead']}{'does' if them in {'it', 'that', 'that one'} else 'do'} {them} have {found['what']}"
    return _THERE_BY.sub(r"\g<lead>get there ", plain)


def _returned(plain: str) -> str:
    """Return "the first list again" as going back to it."""
    if _ALL_OF_THEM_AGAIN.match(plain):
        return "back to the whole list"
    if found := _SHOW_AGAIN.match(plain):
        return f"back to {found['which']}"
    found = _ALL_AGAIN.match(plain)
    return f"back to {found['which'].replace('first', 'original')}" if found else plain
