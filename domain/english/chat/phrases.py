"""Interjections, forms of address, hedges and stock phrases, which say nothing of what is asked."""

from __future__ import annotations

import re

from domain.english.chat.request_starts import begins_request
from domain.english.chat.word_roles import SpokenWords
from domain.english.text.everyday_life import ADDRESS, OPINIONS, word_set

_STOCK = """
(?:is|are|do|does|did|was|were|will|would|can|has|have) not (?:it|they|that|he|she|you|we)(?= so )|ha ha|ha|you betcha
betcha
(?:iam|we are) (?:just )?CALLING(?= (?:what|which|who|how|when|where|whether|if|for) )
(?:iam|we are) (?:just )?CALLING (?:about|you|to ask|to know|to find out)(?= (?:what|which|who|how|when|where|whether|if) )
(?<=what )(?:in the world|on earth|in heaven|in tarnation|the heck|the hell|in god s name)
(?<=how )(?:in the world|on earth|the heck)|sorry to be (?:a|such a) (?:pain|bother|nuisance|pest|bore)|when it is at home
just in case|(?:just )?to be (?:safe|on the safe side)|please hurry
hurry up|chop chop|would be (?:swell|dandy|ideal|peachy|super|lovely|grand)$
would (?:suit (?:me|us)|do nicely|hit the spot)$|so to speak|as it were|by the way|whatsoever
if you would be so (?:kind|good)(?: as to)?|be so (?:kind|good)(?: and| as to)|if you would(?: please)?$|if you will$
if it is (?:no|not too much|not any) (?:trouble|bother)|if that is (?:no|not too much) trouble
if that is (?:all right|alright|okay|ok|fine)(?: with you)?|if you please|if you like$|humor me|humour me|bear with me
listen to me|do me a favou?r(?: and)?|would you do me a favou?r and|be a (?:dear|love|darling|sweetheart|pal|doll)(?: and)?
come to think of it|now that i think (?:of|about) it|mind you|i must (?:say|admit|confess)|i have to (?:say|admit)
to be (?:honest|frank|fair|sure)|to tell you the truth|truth be told|truth to tell|if you ask me|for what it is worth
believe (?:me|it or not)|trust me|god willing|bless you|bless your heart
for (?:heaven|heavens|goodness|pete|god|christ) sakes?|i swear|i tell you|i dare say|no offen[cs]e|fingers crossed
knock on wood|touch wood|(?:lord|heaven|god|goodness) knows|as far as (?:i|you) (?:know|can tell)|if memory serves
if iam not mistaken|i might be wrong(?: but)?|if i may(?: ask)?|if i might ask|may i ask|might i ask|pray tell|do tell
on the off chance(?: that)?|as (?:i|we) (?:said|mentioned)|like i said|just (?:out of curiosity|curious|wondering|checking)
out of curiosity|for the record|for (?:my|our|the) (?:records?|files?|notes?|books)|for (?:future )?reference
for good measure|when you (?:get|have) a (?:chance|minute|moment|second)|if you have a (?:minute|moment|second)
at your convenience|take your time|no rush|no hurry|whenever you are ready|do not laugh|do not ask(?: me)?(?: why)?
silly question(?: but)?|stupid question(?: but)?|dumb question(?: but)?|this may sound (?:silly|strange|odd)(?: but)?
excuse my ignorance|forgive me(?: but)?|pardon my french|let me put it this way|how shall i put it|how should i put it
what is the word|what do you call it|i do not know|let us see|let me see now|let me think|give me a (?:second|minute|moment)
one (?:second|minute|moment)(?: please)?|hold your horses|you know what|guess what|tell you what|i will tell you what
here is the thing|the thing is(?: that)?|thing is|the point is(?: that)?|long story short|to make a long story short
in a nutshell|in short|at the end of the day|all things considered|nowadays|these days$|my bad memory
if you do not mind me asking|if you do not mind my asking|sorry to (?:bother|trouble) you(?: but| again)?
i hate to (?:bother|trouble) you(?: again)?(?: but)?|i am sorry to (?:bother|trouble) you(?: again)?(?: but)?|me again
it is me again|hope you are (?:well|doing well)
how are you(?: today| doing)?(?= (?:i|can|could|what|which|show|is|are|my|we) )|i appreciate (?:it|that|your help)
much appreciated|you are (?:a star|an angel|a lifesaver|very kind|so kind|too kind|a dear|the best)|how kind(?: of you)?
thanks (?:ever )?so much|thank you (?:ever )?so (?:very )?much|many thanks|thanks a (?:million|bunch|ton)|i beg you
i ask you|i repeat|again i ask|one more time|please and thank you|pretty please|if you get my drift|if you see what i mean
if you know what i mean|(?<!could )(?<!can )(?<!would )(?<!will )(?<!do )(?<!did )you see|you understand
you know(?= (?:so|and|but|i|we|my|our|what|which|show|is|are|humor|please) )|all told|with all due respect|in all honesty
quite frankly|needless to say|sad to say|i am afraid|iam afraid|i regret to say|a happy ending
if you have (?:got )?(?:a|one|any)$|much obliged|thank you kindly|would you believe(?: it)?|for crying out loud|incidentally
just (?:a|one) (?:second|minute|moment|sec)|let me tell you
help (?:an? )?(?:old |poor )?(?:lady|man|woman|guy|girl|friend|fellow) out(?: and| here)?|indulge me
(?:have|would you have) the goodness to|if you would be (?:kind|good) enough(?: to)?
would you be (?:so kind|so good|kind enough)(?: as)? to|(?:a )?happy (?:monday|tuesday|wednesday|thursday|friday|holidays)
please be (?:patient|kind|gentle|quick)(?: with me)?|bear with an? old (?:man|lady)|i am all ears|iam all ears
do not get me wrong|god bless|cross my heart|no kidding|no joke|for real|on second look|at long last|while we are at it
while you are at it
"""
_CALLING = "(?:inquiring|enquiring|ringing|phoning|writing|calling|asking)"
_PHRASES = re.compile(r"\b(?:" + _STOCK.strip().replace("\n", "|").replace("CALLING", _CALLING) + ")(?= |$)")
_GREETING = re.compile(
    r"^(?:hello|hi|hey|hiya|howdy|bonjour|hola|aloha|greetings|good (?:morning|afternoon|evening|day)|yes|no|yeah|ok"
    r"|thanks|thank you"
    r"|please|excuse me|oh|sorry)(?: there| again| to you)?$"
)
_CRIES = word_set(
    """
    oh ah aw hm ooh ha haha ugh yay hooray hurrah goodness gracious heavens mercy gosh golly darn dang shoot crikey
    blimey jeepers bonjour hola ciao aloha howdy greetings hiya marvelous marvellous bravo yikes oops whoops phew eek
    alas hallelujah amen bingo yippee whee ouch brr tsk pfft meh nah
    """
)
_CRY = re.compile(
    r"^(?:roger(?: that)?|alrighty(?: then)?|oke?y dokey|okie dokie|yup|guten tag|ooh la la|well well|dear dear|bless you"
    r"|oh well|just the (?:two|three) then|oh (?:my(?: (?:goodness|god|gosh|word|lord))?|dear(?: me| oh dear)?|boy|man|no"
    r"|fun|good|great|nice|lovely|wow|yes|well|sweet"
    r"|cool|perfect|wonderful|really)|my (?:goodness|oh my|word|my|gosh)|dear (?:me|oh dear)|good (?:heavens|grief|lord"
    r"|gracious|god|job"
    r"|stuff|show|to know|enough)|thank (?:goodness|god|heavens)|holy (?:cow|moly|smoke|smokes|mackerel)|no way|you do not say"
    r"|fair enough|well done|nice one|not bad|that will do(?: nicely)?|how (?:lovely|nice|wonderful|funny|odd|strange|exciting"
    r"|interesting|marvelous|delightful|awful|terrible|annoying|disappointing)|what a (?:pity|shame|bummer|relief"
    r"|surprise|mess|nuisance"
    r"|pain|treat|lot|day|list|bargain|deal|bore)|too bad|so far so good|all good|sounds (?:good|great|fine|lovely|perfect|nice"
    r"|reasonable|fair)|looks (?:good|great|fine|nice)|makes sense|i see|got it|gotcha|understood|right you are"
    r"|as i thought|good good)\b"
)
_MUCH = (
    r"(?:very|really|quite|so|just|all|awfully|terribly|absolutely|pretty|rather|too|a bit|a little|way|far|even|not"
    r"|still|simply"
    r"|certainly)"
)
_VERDICT = (
    r"(?:lovely|marvell?ous|wonderful|fabulous|fantastic|brilliant|splendid|superb|terrific|awesome|amazing|excellent"
    r"|great|good|nice"
    r"|sweet|perfect|fine|grand|interesting|funny|odd|strange|weird|terrible|awful|horrible|ridiculous|silly|crazy|a pity"
    r"|a shame"
    r"|plenty|enough|helpful|useful|better|worse|handy|reasonable|reassuring|a relief|a surprise|surprising|impressive"
    r"|disappointing"
    r"|all right|alright|okay|good news|bad news|bad|a lot|a long list|quite a list|quite a few|quite a lot|steep|pricey"
    r"|early|late"
    r"|expensive|cheap|long|short|many|fewer than i thought|more than i thought|what i thought|as i thought|what i feared"
    r"|a start|exactly"
    r" (?:it|right)|right)"
)
_JUDGED = re.compile(
    rf"^(?:that|this|it|those|these|they|which|that one|they all|the price) (?:is|are|was|were|sounds?|looks?"
    rf"|seems?|would be|will be)"
    rf" (?:{_MUCH} )*{_VERDICT}(?: (?:to (?:know|hear|see)|to (?:me|us)|for (?:me|us|him|her|them|now|today|my (?:taste"
    rf"|liking|budget|blood|age)|old people)|news|then|though|i (?:think|suppose|guess)|indeed"
    rf"|already|enough))*(?= |$)"
)
_SIMPLE = word_set(
    """
    the a an that those these this i iam we you it they there of on in at to from for with and but so or is are was were
    do does did can could will would what which who whose how when where show list give tell only just any my our she he
    her his any now then back please maybe perhaps if not no all both let make drop forget keep leave go
    """
)
_NOT_AN_ADDRESS = word_set(
    """
    is too very so more less how that i we would no as quite rather not the a an this to in
    """
)


def stock_phrase(said: SpokenWords) -> tuple[int, int] | None:
    """Return the place of a stock phrase, if it holds no word of the domain."""
    plain = " ".join(said.words)
    for found in _PHRASES.finditer(plain):
        start = plain[: found.start()].count(" ")
        end = start + found.group().count(" ") + 1
        if not any(said.valued(at) for at in range(start, end)) and end - start < len(said.words):
            return start, end
    return None


def interjection(said: SpokenWords) -> int:
    """Return how many words at the beginning only react to what went before: "lovely and", "goodness that's plenty"."""
    words, plain = said.words, " ".join(said.words)
    if found := _CRY.match(plain) or _JUDGED.match(plain):
        count = found.group().count(" ") + 1
        return count if _goes_on(said, count) else 0
    word = words[0] if words else ""
    if word in _CRIES and not said.names(0, 1):
        return 1 if len(words) > 1 else 0
    return 1 if word in OPINIONS and not said.names(0, 1) and _goes_on(said, 1) else 0


def _goes_on(said: SpokenWords, at: int) -> bool:
    """Return whether what follows is a clause or phrase of its own, not a noun that the words before describe."""
    if at >= len(said.words):
        return False
    word = said.words[at]
    return word in _SIMPLE or word in _CRIES or word in OPINIONS or begins_request(said, at)


def address(said: SpokenWords) -> tuple[int, int] | None:
    """Return the place of a form of address after a greeting or at the end."""
    words = said.words
    for at, word in enumerate(words):
        if word not in ADDRESS or said.names(at, at + 1) or len(words) == 1:
            continue
        my = at > 0 and words[at - 1] == "my"
        start = at - my
        if at + 1 == len(words) and (my or start == 0 or words[at - 1] not in _NOT_AN_ADDRESS):
            return start, at + 1
        if _GREETING.match(" ".join(words[:start])) and start:
            return start, at + 1
        if start == 0 and (begins_request(said, at + 1) or words[at + 1] in {"i", "iam", "we"}) and word != "folks":
            return start, at + 1
    return None
