"""Polite wording around a request: "I was wondering whether there is …", "could you tell me who …", "… if you don't mind".

It is removed before parsing, so that a domain need not list every polite phrase. The rest begins with the question itself; a
leading "and" or "but" is kept, since it marks a follow-up.
"""

from __future__ import annotations

import re

from domain.english.text.tokens import read_words, words_of

_JOINS = r"(?P<join>(?:(?:and|but|so|or|also) )*)"
_TAKES_TURN = (
    r"(?:(?:hello|hi|hey|right|yeah|yes|yep|sure|great|thanks|thank you|cheers|please|listen|look|oh|ah|good|fine|cool|lovely"
    r"|perfect|alright|all right|excuse me|there|then|now|good (?:morning|afternoon|evening|day)|very much|a lot"
    r"|sorry to bother you|bear with me|let me (?:see|think)|i (?:have|have got|had) (?:a|another|one more|one)"
    r"(?: (?:quick|other|last|further|more))?(?: (?:question|one|thing))?(?: for you)?(?: which is)?"
    r"|(?:my|the|a|one|another|just a|just one)(?: (?:quick|other|last|more|further|next|little))? (?:question|thing)"
    r"(?: for you)?(?: is)?|just|last (?:one|question|thing)|quick (?:one|question)|one more) )*"
)
_PERSON = r"(?:i|we)"
_SOFTLY = r"(?:(?:just|also|really|only|still|kind of|sort of|actually|please|possibly|maybe|perhaps|quickly|first|happen to) )*"
_TO_ME = r"(?: (?:me|us|for me|for us|up|out))?"
_ASKS = r"(?=(?:who|what|which|when|where|how|why|whose|whom|is|are|does|do)\b)"
_OPEN = r"(?:(?:if|whether)(?: or not)? |about " + _ASKS + "|" + _ASKS + ")"
"""Continuations of an indirect question's introduction: "if there is one", "who that is"."""
_CAN_YOU = (
    r"(?:can|could|would|will|might|may|if) (?:you|i|we) (?:(?:could|can|might|would) )?"
    + _SOFTLY
    + r"(?:(?:be able to) )?"
)
_TELLS = (
    r"(?:tell|show|check|see|look|look up|find out|work out|figure out|remind|say|ask|know|hear|have a look"
    r"|give me an idea|let)"
)
_FINDS = r"(?:tell|show|check|find|look|give|get|list|see|have)"
_INDIRECT = (
    rf"(?:iam|{_PERSON} (?:was|were|am|are|have been|had been|would be|wonder)) ?{_SOFTLY}"
    rf"(?:(?:wondering|curious|interested|asking|hoping|trying|keen)(?: to (?:know|see|find out|hear|figure out|work out))?"
    rf"(?: (?:{_CAN_YOU}{_TELLS}{_TO_ME}(?: know)?|you (?:can|could|might) {_TELLS}{_TO_ME}))? )?{_OPEN}",
    rf"iam {_SOFTLY}(?:curious|wondering) (?:about )?",
    rf"(?:do|would|did|might|does) (?:you|anyone|anybody|they) {_SOFTLY}(?:know|have any idea|remember|recall)"
    rf"(?: offhand)? {_OPEN}",
    rf"you (?:would not|do not|might not) {_SOFTLY}(?:know|remember|have any idea)(?: offhand)? {_OPEN}",
    rf"{_CAN_YOU}{_TELLS}{_TO_ME}(?: know)?(?: please)? {_OPEN}",
    rf"{_PERSON} (?:would|want|need|wanted|needed) {_SOFTLY}(?:(?:like|love|want|need) )?(?:to )?{_TELLS}(?: you)? {_OPEN}",
    rf"what {_PERSON} (?:{_SOFTLY}(?:want|need|wanted|needed)|would like|would love|am after)"
    r" (?:to (?:know|see|find out) )?(?:is|was) ",
    rf"(?:is there )?any (?:chance|way|possibility) (?:that )?(?:{_CAN_YOU}{_TELLS}{_TO_ME}(?: know)? {_OPEN}|of )",
    rf"(?:is there )?any (?:chance|way|possibility)(?: that)? "
    rf"(?:you (?:can|could) {_FINDS} (?:me|us)|i (?:can|could) (?:get|have|see)) ",
    rf"(?:have you (?:got )?)?any (?:idea|clue) {_OPEN}",
    rf"(?:tell|remind) me (?:please )?(?:(?:if|whether) |{_ASKS})",
    rf"(?:may|can|could|let) (?:i|me) {_SOFTLY}ask(?: you)?(?: (?:this|something))? {_OPEN}",
    rf"(?:do |would )?(?:you )?mind (?:telling|showing|checking|saying|finding out)(?: (?:me|us|for me))? {_OPEN}",
    r"(?:i|we) do not suppose (?:you know (?:if |whether |" + _ASKS + "))?(?=[a-z])",
    rf"it (?:would|might) be (?:nice|good|great|useful|helpful|handy|interesting) "
    rf"(?:to (?:know|see|hear)|if you (?:could|can) {_TELLS}{_TO_ME}) {_OPEN}",
    rf"{_PERSON} (?:forgot|forget|can not remember|cannot remember|do not know|am not sure|have no idea) {_ASKS}",
    rf"iam not sure {_ASKS}",
)
_LEAD = re.compile(rf"^{_JOINS}{_TAKES_TURN}(?:(?:{'|'.join(_INDIRECT)}))+")
_INDIRECT_ORDER = re.compile(
    r"^(?P<ask>what|where|when|how much|how long|how far) (?P<who>they|he|she|it|that|those|these|we|you) "
    r"(?!(?:is|are|was|were|would|will|can|could|do|does|did|has|have|had)\b)(?=[a-z])",
    re.IGNORECASE,
)
"""The word order of an indirect question: "what they earn"."""
_TAIL = re.compile(
    r"(?: (?:if (?:you|that|it|i) (?:do not mind|can|could|would|please|may|is (?:ok|okay|all right|alright|possible|not too much"
    r"(?: trouble)?))|if (?:at all )?possible|(?:can|could|would|will) you(?: please)?|do you (?:know|think|happen to know)"
    r"|would you (?:know|happen to know|say)|by any chance|please|for me|thanks|thank you|cheers|you know|i think|i wonder"
    r"|or something(?: like that)?|or whatever|and (?:all that|so on|such)|exactly|i was wondering|actually|really|though|anyway"
    r"|anyhow|after all|in fact|for a start|if anything|to be honest|to be exact))+$"
)


def without_politeness(text: str) -> str:
    """Return the request without polite wording; unchanged when nothing else would remain.

    >>> without_politeness("And could you tell me who wrote that, if you don't mind?")
    'and who wrote that?'
    """
    tokens = read_words(text)
    found = _LEAD.match(words_of(tokens))
    led = len(found.group().split()) if found else 0
    if found and led < len(tokens):
        rest = _INDIRECT_ORDER.sub(r"\g<ask> do \g<who> ", text[tokens[led].start :], count=1)
        text = f"{found['join']}{rest}"
        tokens = read_words(text)
    ends = _TAIL.search(words_of(tokens))
    if ends is None:
        return text
    at = len(tokens) - len(ends.group().split())
    asks = "?" if text.rstrip().endswith("?") else ""
    return f"{text[: tokens[at].start].rstrip(' ,;.')}{asks}"
