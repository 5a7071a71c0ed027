"""Exclamations, forms of address, comments and asides that people put around a request.

"Lovely, and will they feed us", "oh dear, that's awfully late for us, when does the other one get in", "… my roommate's picking
me up", "… to see my grandchildren". They express a mood or tell about the speaker. The request is read without them, unless
they name something of the domain that the rest of the request does not name.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from domain.english.dialogue.told_before import KIN
from domain.english.text.tokens import read_words, words_of

_EXCLAMATIONS = (
    r"lovely|marvell?ous|wonderful|splendid|sweet|brilliant|terrific|fantastic|awesome|fabulous|gorgeous|delightful|charming"
    r"|superb|smashing|grand|goodness|goodness me|goodness gracious|gracious|gracious me|my goodness|oh my goodness"
    r"|good heavens|heavens|good grief|good lord|good gracious|oh lord|lord|my word|my oh my|oh my|my my|dear me|dear dear"
    r"|oh dear|dear oh dear|oh boy|boy oh boy|boy|oh man|man oh man|man|dang|darn|darn it|damn|shoot|crap|heck|blimey|crikey"
    r"|ugh|ew|yuck|ouch|whew|yay|yippee|hooray|hurray|hurrah|bingo|bonjour|hola|guten tag|ciao|howdy|greetings|good day|gday"
    r"|hi there|hello there|hello again|hi again|hello|hi|hey there|hey|good (?:morning|afternoon|evening)(?: to you)?"
    r"|ha|haha|ha ha|aw|aww|ooh la la|ooh|tsk|okey dokey|okie dokie|alrighty|roger|roger that|gotcha|got it|got you|noted|i see"
    r"|i understand|understood|fair enough|good to know|very well|very good|jolly good|so far so good|not bad|no worries"
    r"|not to worry|of course|certainly|absolutely|indeed|cool beans|cool|neat|nifty|oh fun|how fun|fun|nice|nice one|super|great"
    r"|oh great|excellent|perfect|thanks|thank you|thank you (?:so|very) much|thanks (?:a lot|so much|a million|a bunch)"
    r"|many thanks|much obliged|bless you|bless your heart|you are (?:a (?:dear|darling|star|angel|gem)|very kind|so kind)"
    r"|how (?:lovely|nice|wonderful|kind|sweet|awful|annoying|sad|odd|strange|interesting|funny)|what a (?:pity|shame|pain|relief"
    r"|bother|nuisance)|well well|well now|oh well|ah well|hang on a (?:second|minute|moment|sec)|just a (?:second|minute|moment"
    r"|sec)|one (?:second|moment|sec)|let me (?:see|think)|now let me (?:see|think)|yeah|yep|yup|yes|yes please|right|right then"
    r"|right so|right ho|fine|fine then|all right|alright|okay|ok|well|oh|ah|hm|hmm|so|look here|listen|look|you know what"
    r"|guess what|bear with me|humou?r me|indulge me|forgive me|sorry to (?:bother|trouble) you|silly me|me again|its me again"
    r"|by the way|incidentally|anyway|anyhow|mind you|you see|you know|i tell you(?: what)?|tell you what|i say"
)
_ADDRESS = (
    r"dear|my dear|dearie|honey|hon|sweetheart|sweetie|darling|love|my love|sir|madam|maam|ma am|miss|mister|pal|buddy|mate|chum"
    r"|my friend|my good (?:man|fellow|woman)|young (?:man|lady|fellow)|old (?:chap|boy|man)|dude|bro|folks|guys|you guys|yall"
    r"|operator|friend|kind sir|doc|boss|chief|there(?! (?:is|are|was|were|must|should|would)\b)"
)
_CALLS = re.compile(rf"^(?:(?:{_EXCLAMATIONS})(?: (?:{_ADDRESS}))?(?= |$) ?)+")
_ENDS_WITH_ADDRESS = re.compile(
    r"(?: (?:my dear|dearie|honey|sweetheart|sweetie|darling|sir|madam|maam|ma am|pal|buddy|mate|dude|young (?:man|lady)"
    r"|folks|guys))$"
)
_MOOD = (
    r"(?:(?:(?:way|much|far|all|rather|just|really|quite|still|very|a bit|a little|a tad|so|pretty|kind of|sort of|awfully|terribly"
    r"|dreadfully|incredibly|extremely|ridiculously|horribly|more than|too|certainly|probably|perfectly|absolutely|good and) )*"
    r"(?:early|late|long|far|expensive|dear|pricey|steep|slow|soon|short|tight|high|low|much|many|few|plenty|a lot|quite a lot"
    r"|loads|lots|good|great|fine|nice|perfect|excellent|wonderful|lovely|super|handy|lucky|interesting|odd|strange|weird|funny"
    r"|ok|okay|all right|alright|reasonable|decent|fair|crazy|insane|ridiculous|absurd|outrageous|awful|terrible|horrible|a pity"
    r"|a shame|a relief|a bargain|a steal|a rip off|disappointing|surprising|helpful|useful|confusing|tempting|impossible"
    r"|good news|bad news|good to know|good to hear|nice to know|what i (?:thought|figured|feared|expected|was afraid of)"
    r"|not (?:bad|good|great|ideal|much|many|a lot|so bad|too bad|enough)))"
)
_COMMENT = re.compile(
    r"^(?:(?:no|nope|nah|oh|but|and|well|yes|hm|gosh|wow|goodness|sorry) )*"
    r"(?:that|this|it|they|those|these|that one|they all|those all|that time|the price|the fare)"
    r" (?:(?:is|are|was|were|looks?|seems?|sounds?|will be|would be|must be|does|do|did) )+(?:like )?"
    rf"{_MOOD}(?: (?:for (?:me|us|him|her|them|my taste|my liking|my budget|my blood|old people|[a-z]+ like (?:me|us))"
    r"|to me|to us|though|then|really|anyway|at all|i think|i guess|i must say|isnt it|is not it|are not they))*"
    r"(?= (?!(?:than|for|to|of|as|in|on|by|at|that|which|when|if|enough|from|with|and|or)\b)|$| (?:and|but) "
    r"(?=(?:what|which|who|how|when|where|is|are|do|does|can|could|would|will|show|list|give|tell|only|just|i)\b))"
)
_JOINS = r"(?: (?:and so|so|but|and|then|which is why))?"
_WHOSE = (
    r"(?:my|our|his|her|their|the|a|an|some|an old|my old|my late|my dear|my little|my best|my two|my three|both my)"
)
_PURPOSE = re.compile(
    r" (?:in order )?to (?:go )?(?:see|visit|meet|meet up with|surprise|pick up|collect|spend (?:some )?time with|stay with|be with"
    r"|check on|look after|help|help out|say goodbye to|bury|marry|catch up with|drop off|bring|watch|hug|take care of)"
    rf" (?:and (?:see|visit|meet) )?{_WHOSE}(?: [a-z]+)? {KIN}"
    rf"(?:(?: and|,) (?:{_WHOSE} )?{KIN})*(?: (?:who|up|down|over|out) (?:there|here))?(?= |$)"
)
_EVENTS = (
    r"(?:wedding|weddings|funeral|conference|convention|congress|meeting|meetings|business meeting|job interview|interview|vacation"
    r"|holiday|holidays|honeymoon|family reunion|reunion|birthday|birthday party|graduation|anniversary|business|work|pleasure|school"
    r"|college|court|surgery|checkup|check up|appointment|game|ball game|big game|concert|party|trade show|trial|tournament|retreat"
    r"|workshop|seminar|bachelor party|christening|baptism|baby shower|church|church lunch|dinner party|business trip|ski trip"
    r"|fishing trip|school trip|field trip|school project|science project|visit|presentation|lecture|talk|exam|exams|festival)"
)
_OCCASION = re.compile(
    rf" (?:for|on|because of|due to|in time for|as part of) (?:(?:a|an|the|my|our|his|her|their|some|this|[a-z]+ (?:s )?) )?{_EVENTS}"
    r"(?: (?:of|with) (?:my|our|his|her|a) [a-z]+)?(?: (?:i|we) (?:have|have got|am going to|are going to)(?: there)?)?(?= |$)"
)
_IN_TIME = re.compile(r" in time for (?:[a-z]+ ){0,2}[a-z]+(?: with (?:my|our|his|her|the|a) [a-z]+)?$")
_SO_THAT = re.compile(
    r" (?:so|so that|that way) (?:i|we|he|she|they|my [a-z]+|our [a-z]+) (?:can|could|do not|does not|will not|would not"
    r"|can not|may|might|will|would|am not|iam not|get to|know|am|are) .*$"
)
_CAUSE = r"(?:because|cause|cos|coz|cuz|seeing as|seeing that|given that|considering)"
_OWN_EVENT = re.compile(
    rf" {_CAUSE} (?:i|we|he|she|they|my [a-z]+|our [a-z]+) (?:have|has|had|have got|has got|got) "
    r"(?!(?:to|got to|no|not|never)\b).*$"
)
_TRAILING_CAUSE = re.compile(rf" {_CAUSE} .*$")
_GOVERNS = (
    r"(?:that|which|what|who|where|when|if|before|after|because|than|as|while|until|till|how|do|does|did|can|could|will|would|are|is"
    r"|may|might|should|shall|was|were|the one|ones|the ones|and|or|but|so|not|list|what else|anything|everything|something"
    r"|whatever|flights?|all|one|unless|whether|since|think|thought|say|said|mean|meant|know|wonder|suppose|guess|way|first|last"
    r"|time|day|those|them|must|to|for|with|like|actually|no)"
)
_TELLING = (
    r"(?:(?:i|we|she|he|they) (?:(?:always|never|really|just|usually|often|only|still|also|do|did|did not|do not|does not) )*"
    r"(?:have got (?!to\b)|have (?:a|an|my|the|some|two|three|small|little|no)|has (?:a|an|his|her|some)|live|lives|work|works"
    r"|get|gets|got|hate|hates|love|loves|adore|sleep|sleeps|promised|told|met|miss|misses|know|knows"
    r"|cried|cries|am|are(?: not)?|is(?: not)?|was|were|turned|turns|grew|remember|hear|heard|read|used to|feel|feels|fear|fears"
    r"|tire|tires|suffer|suffers|worry|worries)\b"
    r"|iam\b|(?:my|our) (?:[a-z]+ )?[a-z]+ (?:is|are|was|were|has|have|had|hates?|loves?|gets?|lives?|works?|said|says|sleeps?"
    r"|picks?|wants?|insists?|will|would|can|can not)\b)"
)
_TRAILING = re.compile(rf"^(?P<said>.+?\b(?!{_GOVERNS} )[a-z0-9']+) (?P<told>(?:and )?{_TELLING} .+)$")
_REPORTED = re.compile(
    r"^(?P<lead>(?:(?:no|sorry|oh|uh|wait|and|but|so|now|well|ok|actually) )*)"
    r"(?:(?:he|she|they|my [a-z]+|my [a-z]+ in law|our [a-z]+|the (?:boss|client|wife|kids|family|doctor|director|office))"
    r" (?:(?:just|now|also|really|still|actually) )*"
    r"(?:says?|said|insists?(?: on)?|tells me|told me|reckons?|thinks?|is saying|tells us)(?: that| it is)?) (?=[a-z0-9])"
)
_TITLE = (
    r"(?:mister|mr|mrs|missus|miss|ms|doctor|dr|professor|prof|captain|reverend|father|sister|senator|judge|madame)"
)
_FOR_SOMEBODY = re.compile(
    rf"^(?P<lead>(?:(?:and|now|then|ok|so|next|also|for|here is one) )*)(?:{_TITLE}(?: [a-z]+)? (?P<name>[a-z]+)"
    rf"|(?:he|she|(?:my|our) (?:[a-z]+ )?{KIN}|the (?:boss|client|director|family|manager)))"
    r" (?:(?:now|also|just|really|actually|only|still|then) )*(?P<verb>needs?|wants?|wishes|would like|has|must|should|goes|is going"
    r"|is flying|is traveling|is travelling|flies|travels|is off|has to (?:be|go|fly|get)|needs to (?:be|go|fly|get)"
    r"|wants to (?:be|go|fly|get)|would like to (?:be|go|fly|get)|will (?:fly|go|travel)|asks for|is asking for)"
    r" (?P<rest>[a-z0-9].*)$"
)
_ON_PURPOSE = re.compile(
    r"(?: (?:so to speak|if you (?:would|will|could) be so (?:good|kind)|if you please|if it is no trouble(?: at all)?"
    r"|if it is not too much (?:trouble|bother)|if (?:that|it) is (?:alright|all right|okay|ok|fine)(?: with you)?|if i may(?: ask)?"
    r"|if you have (?:a|one|any|the time)|if you have got (?:one|any)|would you|will you|if you would|if you will|whatsoever|nowadays"
    r"|these days|mind you|i must say|i dare say|bless (?:him|her|them|you)|would you believe|believe it or not|now that i think"
    r"(?: of| about) it|come to think of it|and all|and everything|and stuff|ha|haha|thank you kindly|thanks so much|much obliged"
    r"|if you get my drift|if you know what i mean|as it were|as they say|please and thank you|pretty please|for crying out loud"
    r"|for heaven s? ?sake|for pete s? ?sake|lol|right|there is a (?:dear|good girl|good boy|love)|and i will be happy|i am in a rush"
    r"|iam in a (?:rush|hurry)|if you do not mind(?: me asking)?|is what i (?:need|want|am after|would like|mean|meant))"
    r")+$"
)
_KINDLY = re.compile(
    r"^(?P<lead>(?:(?:and|but|so|now|please|then|oh|well) )*)"
    r"(?:(?:would|could|will|can) you )?(?:(?:please )?(?:be (?:so kind|so good|a dear|an angel|a love|a pal|kind enough|good enough)"
    r"|do me (?:a|the|one more) (?:favou?r|kindness)|have the goodness|help an? (?:old )?(?:lady|man|woman|guy|girl|friend) out))"
    r"(?: (?:and|as to|to))? (?=[a-z])"
)
_NAMING = frozenset(["value", "flag", "superlative", "swap"])
Named = Callable[[str], dict[str, frozenset[str]]]
"""The items of a text that name something of the domain, each with the senses that do."""


def without_asides(text: str, named: Named) -> str:
    """Return the request without what is said around it; as it was where nothing else would be left."""
    plain = before = words_of(read_words(text))
    for _ in range(2):
        plain = _without_comments(_without_calls(plain, named))
    plain = _for_somebody(_KINDLY.sub(r"\g<lead>", plain), named)
    plain = _without_clauses(plain, named)
    if plain == before or not plain:
        return text
    return plain + ("?" if text.rstrip().endswith("?") else "")


def _without_calls(plain: str, named: Named) -> str:
    """Return the request without exclamations and forms of address at its beginning and end."""
    found = _CALLS.match(plain)
    rest = plain[found.end() :] if found else plain
    if (
        found
        and rest
        and not _tells(found.group(), "", named)
        and not re.fullmatch(r"(?:[a-z]+ )?(?:is|it|that)", rest)
    ):
        plain = rest
    cut = _ON_PURPOSE.sub("", _ENDS_WITH_ADDRESS.sub("", plain))
    return cut or plain


def _without_comments(plain: str) -> str:
    """Return the request without a comment on the last answer: "that's awfully late for us"."""
    found = _COMMENT.match(plain)
    rest = plain[found.end() :].strip() if found else ""
    if not rest:
        return plain
    return re.sub(r"^(?:and so|so|then) ", "", rest)


def _for_somebody(plain: str, named: Named) -> str:
    """Return a request on behalf of somebody as one's own: "mister Brandt needs a room"."""
    if (found := _REPORTED.match(plain)) and found.end() < len(plain):
        plain = f"{found['lead']}{plain[found.end() :]}"
    found = _FOR_SOMEBODY.match(plain)
    if found is None or (found["name"] and named(found["name"])):
        return plain
    goes = re.search(r"\b(?:go|goes|going|fly|flies|flying|travels?|traveling|travelling|off|be|get)$", found["verb"])
    return f"{found['lead']}i need {'to go ' if goes else ''}{found['rest']}"


def _without_clauses(plain: str, named: Named) -> str:
    """Return the request without clauses about the speaker: reasons, purposes, company, occasions."""
    for pattern in (_OWN_EVENT, _TRAILING_CAUSE, _SO_THAT, _IN_TIME):
        found = pattern.search(plain)
        told = pattern is _OWN_EVENT or pattern is _IN_TIME
        if found and found.start() and (told or not _tells(found.group(), plain[: found.start()], named)):
            plain = plain[: found.start()]
    for pattern in (_PURPOSE, _OCCASION):
        while (found := pattern.search(plain)) and found.start() and not _tells(found.group(), "", named):
            plain = f"{plain[: found.start()]}{plain[found.end() :]}"
    found = _TRAILING.match(plain)
    if found and named(found["said"]) and not _tells(found["told"], found["said"], named):
        plain = found["said"]
    return plain


def _tells(clause: str, rest: str, named: Named) -> bool:
    """Return whether a clause names something of the domain that the rest of the request does not name."""
    said = {*rest.split()}
    return any(senses & _NAMING and not {*words.split()} <= said for words, senses in named(clause).items())
