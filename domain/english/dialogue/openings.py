"""Opening words that relate a request to earlier ones: a new topic, or a correction of the last request.

These words are removed before the request is parsed: "new question", "start over", "no i meant", "sorry i said", "no the". A
mere remark ("thanks, that helps") asks nothing and does not end the topic.
"""

from __future__ import annotations

import re

import msgspec

from domain.english.dialogue.undoing import split_change
from domain.english.text.politeness import without_politeness
from domain.english.text.rewording import normalize_wording
from domain.english.text.tokens import Token, read_words, words_of

_AFRESH = re.compile(
    r"^(?:(?:now|please|so|and|i have|i want|i would like|here is|can we|let us|to|an?|the|all right|alright|ok|okay|well|right"
    r"|great|thanks|thank you|good|do|try|talk about|on|moving on to|one more|just one more) )*"
    r"(?:(?:(?:completely )?(?:new|different|other|another|next) (?:question|request|topic|search|thing|subject|item|point"
    r"|issue|query|matter)"
    r"|something (?:else|different|completely different|new)|(?:(?:totally|completely|quite) )?unrelated|on a different note"
    r"|(?:i have (?:got )?)?(?:another|one more|one last) (?:one|question)(?: for you)|forget (?:about )?[a-z]+ing"
    r"|one (?:more|last|final) (?:file|item|thing|name|matter)|(?:on )?to the next (?:item|point|matter)|separately"
    r"|while iam (?:at it|here)|before i forget|on to the next (?:one|question|thing)|the next (?:question|thing)"
    r"|change of subject|on another note|moving on|next up"
    r"|(?:another|different|separate) matter|start (?:over|again|afresh)|starting over|start from scratch|from scratch"
    r"|change of topic"
    r"|forget (?:all )?(?:that|it|this|about that|everything))(?: (?:now|please))?(?: |$))+"
)
_LEAD = (
    "no|nope|sorry|wait|oh|actually|excuse me|correction|my mistake|my bad|hang on|hold on|whoops|rather"
    "|i changed my mind|i have changed my mind|on second thoughts?|i misspoke|i made a mistake|my fault|i was wrong"
    "|i got that wrong|i mixed (?:that|it|them) up|scratch that|strike that|cancel that|never mind that|forget that"
    "|apologies|pardon me|let me correct that|i take that back"
)
_SAID = "mean|meant|said|should have said|meant to say|wanted to say"
_CORRECTING = re.compile(
    rf"^(?:(?:(?:{_LEAD}|but) )*i (?:{_SAID})(?: that| was)? "
    rf"|(?:(?:{_LEAD}) )+(?=(?:the|on|from|to|in|at|with|by|for|before|after|not|an?|that|it|all|i (?:want|would|need)) ))"
)
_LEADING = re.compile(
    r"^(?:(?:ok|okay|alright|all right|well|right|great|perfect|good|fine|cool|nice|thanks|thank you|hm|hmm|mhm|oh|ah|so|then"
    r"|now then) )+(?=(?:how|what|which|who|where|when|show|list|give|tell|find|can|could|do|does|did|is|are|was|were|i|we|any"
    r"|and|but|just|only|drop|forget|ignore|never) )"
)
"""Words that only take the turn, before the request itself."""
_DONE = re.compile(
    r"^(?:(?:ok|okay|alright|great|thanks|thank you|perfect|good) )*(?:that is|that was) (?:it|all|everything|enough)"
    r"(?: i need(?:ed)?)?"
    r"(?: (?:for|about|on|with) (?:the |my |those |these |that )?(?:\w+ ){1,2}?)? ?"
    r"(?=(?:now )?(?:please )?(?:how|what|which|who|where|when|show|list|give|tell|find|can|could|i) )"
)
_HESITATING = re.compile(rf"^(?:(?:{_LEAD}) )*(?:{_LEAD.partition('|')[2].replace('nope|', '')}) ")
_TAKEN_BACK = re.compile(
    rf"(?: (?:sorry|excuse me|my mistake|my bad|correction|rather|(?:i )?beg your pardon|pardon(?: me)?|my fault|silly me"
    rf"|i misspoke|i (?:{_SAID})|i (?:mixed|messed) (?:it|that|them|those) up"
    r"|i got (?:it|that|them|those) wrong))+$"
)
_MAKE_IT = re.compile(
    r"^(?:(?:can|could|would|will) (?:you|we|i) |let us |please |then |and |now |i would like to |i want to |i need to )*"
    r"(?:make|change|move|switch|push|shift|bring|put|swap|turn) (?:it|that|this|them|those)(?: (?:back|forward|up|over|out))?"
    r"(?: to| into| for)? (?!around\b|round\b|back$)"
)
_INSTEAD = re.compile(
    r"^(?:(?:no|ok|okay|actually) )*forget (?:about )?(?:the )?\w+(?: \w+)? (?=(?:and )?(?:go )?back to )"
)
"""An abandoned topic before a return to an earlier one: "forget Norton, back to the ones in Sutton"."""
_COMING_BACK = re.compile(
    r"^(?:(?:and|then|but|with|i want to be|i would be|we would be|iam|we are) )*(?:returning|return|to return) (?:on )?"
    r"(?=(?:(?:the|next|this) )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|tomorrow\b|the [a-z0-9]+ of |"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)"
)
"""The day of the return trip, after a request for the outward one."""
_DENIED = re.compile(r"^\s*(?:no|nope)\s*[,.;:]\s*(?=\w)", re.IGNORECASE)
_RETURNING = re.compile(
    r"^(?:(?:now|please|so|and|then|let us|can we|could we|i want to|i would like to|let me|just) )*"
    r"(?:back|go(?:ing)? back|(?:take|bring|get|put|send|lead) (?:me|us|it|things|that) back|return(?:ing)?) to "
)
_NO_BACK = re.compile(
    r"^(?:(?:no|nope|actually|sorry|wait|hm|oh|but|never mind) )+"
    r"(?=(?:(?:now|please|so|and|then|let us|can we|could we|let me|just) )*(?:go )?(?:back|return) to )"
)


_NO_BUT = re.compile(
    r"^(?:no|nope|nah) (?=(?:then|so|and|but|in that case|just|only|show|give|tell|list|how|what|which|who|when|where"
    r"|i (?:want|need|would like"
    r"|will)|we|can|could"
    r"|any|are|is|do|does|all|make|let)\b)"
)
_RELATIVE = re.compile(
    r"^(?:and |but |only )?(?:(?:the )?(?:people|those|ones|everyone|everybody|anyone|anybody) )?"
    r"(?:who|that|which) (?:(?:also|all|still) )?(?:(?:are|were|have|had|do|did) "
    r"(?!(?:the|all|there|any|my|our|you|we|they|those|these|them|it|i)(?: |$))"
    r"|(?<=who )(?:also )?(?!(?:is|was|has|does|can|could|will|would|should|might|else|of|in|on|at|from|with|got|went|came|made"
    r"|left|took|wrote|gave|saw|ran|had|gets|not|never|the|they|we|you|am)\b|[a-z]+(?:ed|[^s]s)\b)(?=[a-z]+ ))"
)
_THOSE_WHO = re.compile(
    r"^(?:(?:and|but|only|just|now|or|what about|how about|what is it|of|for|among|with) )*"
    r"(?:(?:those|the ones|ones)|(?<= )(?:the )?(?:people|employees|everyone|everybody|anyone|anybody)) (?:who|that|which)"
    r" (?:(?:also|all|still) )?(?:(?:are|were|have|had|do|did) )?(?!.*\b(?:what|how many|how much)\b)(?=[a-z])"
)
"""The head of a clause that can be no question: "and of those who came in June"."""

_PRAISE = "good|great|fine|nice|perfect|excellent|wonderful|cool|lovely|super|interesting|funny|helpful|useful|cheap|enough|right"
_REMARK = re.compile(
    rf"(?:(?:(?:so|and|but|oh|ah|wow|well|very|really|quite|just|then|now) )*"
    rf"(?:(?:many )?thanks(?: a lot)?|thank you(?: very much)?|cheers|please|hello|hi|hey|good (?:morning|afternoon|evening)"
    rf"|bye|goodbye|all right|alright|yes|yeah|yep|sure|{_PRAISE}|i see|got it|i understand|understood|never mind|no problem"
    rf"|(?:that|this|it) (?:helps|helped|works|will do|would do|does it)(?: a lot| me)?"
    rf"|(?:that|this|it|those|these|they) (?:is|are|was|were|looks?|sounds?|will be|would be)(?: (?:all|very|really|quite|so))*"
    rf"(?: (?:{_PRAISE}|it|all|what i (?:want|wanted|need|needed)|for now|a lot|a pity|too bad))*"
    rf"|let me (?:think|see)(?: about (?:it|that))?|give me a (?:moment|second|minute)|one moment|sir|madam|ma am)(?: |$))+"
)

_OWN = re.compile(
    r"^(?:(?:and|but|well|so|because|by the way|actually) )*(?:"
    r"(?:i|we) (?:(?:just|also|still|actually|used to) )*(?:live|lived|work|worked|study|studied|grew up|come from|came from"
    r"|was born|were born) .*|my (?:\w+ )?name is .*)$"
)
_ABOUT_ONESELF = re.compile(
    r"^(?:(?:and|but|well|so) )*(?:(?:i|we) (?:have|had) (?!to\b|got to\b)|(?:iam|we are) (?:in|at|from|under|over|an?)\b)"
)
_WISHES = re.compile(
    r"\b(?:want|need|would|like|show|what|which|who|how|when|where|find|list|give|tell|can|could|please|looking|go|get)\b"
)


class Opening(msgspec.Struct, frozen=True):
    """A request without its opening words, and how these relate it to earlier requests."""

    text: str
    afresh: bool = False
    corrects: bool = False
    returns: bool = False
    mends: bool = False
    """Whether the rest may only replace an earlier value: "make it 500", "tuesday, sorry"."""
    relative: str = ""
    """The content of a relative clause that can also be read as a question: "who were hired after 1980" stands alone or
    narrows the previous result, "who live in Norton" only narrows a result of several rows."""
    named: str = ""
    """The person named earlier who replaced a pronoun in the text."""


def read_opening(text: str, goes_on: bool) -> Opening:
    """Return the opening of a request; only one that `goes_on` from others can correct or return to one."""
    afresh = False
    if (found := _DONE.match(words_of(tokens := read_words(text)))) or (found := _AFRESH.match(words_of(tokens))):
        text, afresh = _after(text, tokens, found.group()), True
    if found := _LEADING.match(words_of(tokens := read_words(text))):
        text = _after(text, tokens, found.group())
    text = normalize_wording(without_politeness(text))
    if afresh or not goes_on:
        return Opening(text, afresh)
    plain = words_of(tokens := read_words(text))
    if left := _NO_BACK.match(plain) or _NO_BUT.match(plain) or _INSTEAD.match(plain):
        text = _after(text, tokens, left.group())
    if back := _COMING_BACK.match(words_of(tokens := read_words(text))):
        text = f"coming back {_after(text, tokens, back.group())}"
    denied = _DENIED.match(text)
    text = text[denied.end() :] if denied else text
    tokens = read_words(text)
    if taken_back := _TAKEN_BACK.search(words_of(tokens)):
        text = text[: tokens[-len(taken_back.group().split())].start].rstrip(" ,;.")
        tokens = read_words(text)
    corrected = _CORRECTING.match(words_of(tokens))
    hesitates = corrected or _HESITATING.match(words_of(tokens)) or _MAKE_IT.match(words_of(tokens))
    rest = _after(text, tokens, hesitates.group()) if hesitates else text
    words = read_words(rest)
    clause = _THOSE_WHO.match(words_of(words)) or _RELATIVE.match(words_of(words))
    said = _after(rest, words, clause.group()) if clause else ""
    mends = bool(denied or hesitates or taken_back)
    return Opening(rest, afresh, bool(denied or corrected), bool(_RETURNING.match(words_of(words))), mends, said)


_PARTED = re.compile(
    r"^(?P<back>(?:(?:no|ok|okay|actually|so|and|now|well|please) )*(?:forget (?:about )?(?:the )?\w+(?: \w+)? (?:and )?)?"
    r"(?:let us )?(?:go(?:ing)? )?(?:back|return(?:ing)?) to .+?) (?:and )?"
    r"(?=(?:which|what|how|who|whose|when|where|do|does|are|is|give|show|list|tell|find|any|just|only) )"
)
_ANY = re.compile(
    r"^(?P<any>(?:any|whichever|whatever) [a-z]+(?: (?:is|are|will be|would be) (?:fine|good|okay|all right|alright))?)"
    r" (?:and |but )?(?=(?:which|what|how|who|when|where) )"
)
"""A restriction that is lifted before a question: "any line, which one leaves earliest"."""
_ONES_THEN = re.compile(
    r"^(?P<any>(?:(?:and|so|but|ok|then|now|hm|oh) )*the (?!(?:other|same|only|next|previous|very|first|second|third|fourth|fifth"
    r"|last|better|[a-z]+est|[a-z]+er|most|least|one|ones)\b)(?:[a-z0-9]+ ){1,3}?ones?) "
    r"(?=(?:what|which|how|when|where|who|does|do|did|can|could|will|would) )"
)
"""Some of those before, of which something is asked: "the late one which days"."""
_UNDONE = re.compile(
    r"^(?:(?:(?:that is|there are|those are|it is)(?: still)?"
    r" (?:too many|too much|a lot|quite a lot|many|not much|not many|a bit few)"
    r"|(?:still )?(?:too many|too few|not much|not many|hardly any|quite a lot|none|nothing)"
    r"(?: (?:is it|is there|are there|there))?"
    r"|never mind(?: (?:that|it|this|all that|about that))?|i see|is that all|that is it|oh dear|oh no|too bad|what a pity) )+"
    r"(?=(?:just|only|show|list|make|give|i|let|never|forget|drop|what|which|how|and|so|then|try|any|back|return)\b)"
)
"""A complaint about the number of results, or a dismissal, before the request itself."""


def split_request(text: str) -> tuple[str, ...]:
    """Return the request, or its two parts when it combines two: "back to the ones in Norton" and "who wrote those"."""
    tokens = read_words(text)
    plain = words_of(tokens)
    if found := _UNDONE.match(plain):
        return (_after(text, tokens, found.group()),)
    if steps := split_change(plain):
        return (steps[0], *split_request(steps[1]))
    found = _ANY.match(plain) or _PARTED.match(plain) or _ONES_THEN.match(plain)
    if not found or re.search(r"\b(?:which|that|who)$", found.groupdict().get("back") or ""):
        return (text,)
    rest = _after(text, tokens, found.group())
    first = re.sub(r"[ ,;.]+(?:and|but)?[ ,;.]*$", "", text[: len(text) - len(rest)])
    return (first, *split_request(rest))


def return_target(text: str) -> str:
    """Return what a request returns to: "Norton" of "let us go back to Norton"."""
    tokens = read_words(text)
    found = _RETURNING.match(words_of(tokens))
    return _after(text, tokens, found.group()) if found else ""


def is_remark(text: str) -> bool:
    """Return whether the text asks nothing: thanks, praise, or facts about the speaker."""
    plain = words_of(read_words(text))
    told = _OWN.match(plain) is not None and not _WISHES.search(plain)
    return not plain or told or _REMARK.fullmatch(plain) is not None


def only_states(text: str) -> bool:
    """Return whether the text states something without making clear what it asks: "I have a cold", "I'm under eighteen"."""
    plain = words_of(read_words(text))
    return _ABOUT_ONESELF.match(plain) is not None and not _WISHES.search(plain)


def _after(text: str, tokens: tuple[Token, ...], words: str) -> str:
    """Return the text after as many words as `words` has."""
    count = len(words.split())
    return text[tokens[count].start :] if count < len(tokens) else ""
