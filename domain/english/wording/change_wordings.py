"""Turns that change, correct or take back, put into a plain wording: "what if I left after ten", "alaska is what I meant".

Nothing here knows a domain.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from domain.english.text.tokens import put_by_rules

_LEAD = (
    r"(?P<lead>(?:(?:no|nope|oh|ah|well|ok|okay|sorry|wait|actually|hm|so|and|but|or|then|now|please|fine|right|maybe|perhaps|gosh"
    r"|alright|all right) )*)"
)
_WE = r"(?:i|we|he|she|they|you|one)"
_JUST = r"(?: (?:just|only|instead|rather|maybe|perhaps|really|simply|all))*"
_LEAVING = r"(?:left|leave|leaving|set off|set out|took off|take off|started|start|got going|departed|depart)"
_ARRIVING = r"(?:arrived?|arrive|landed|land|got in|get in|got there|get there|got here|get here|came in|come in)"
_GOING = (
    r"(?:went|go|going|flew|fly|flying|travell?ed|travel|waited|wait|stayed|stay|took|take|had|have|tried|try|did|do|used|use"
    r"|chose|choose|picked|pick|booked|book|made|make|wanted|want|looked (?:at|for)|look (?:at|for)|asked for|ask for|meant"
    r"|switched to|switch to|changed to|change to|moved to|move to|preferred|prefer|settled for|settle for|needed|need|skipped to"
    r"|came|come|were|was|had to (?:go|fly|leave|take|have)|could (?:go|fly|leave|take|have))"
)
_IT = r"(?:it|that|this|things)"
_UNTIL = re.compile(r"^(?:until|till|for|with|it|that) (?=(?:after|before|about|around|the|a|an|[a-z]+)\b)")
_SUPPOSED = re.compile(
    rf"^{_LEAD}(?:(?:would|will|does|do|is|could) (?:it|that|things) (?:be |look |come out |make |get )?"
    r"(?:any |much |a |at all )*(?:different|difference|better|worse|cheaper|easier|change anything|help|matter|nicer)"
    r"(?: at all)? )?(?:what |how |and |but |or )*(?:if|suppose|supposing|imagine|assuming|let us say|say|were)(?: that)?"
    rf" (?:{_WE}(?: (?:were|was) to)?(?: (?:could|might|should|would))?{_JUST}"
    rf" (?:(?P<leave>{_LEAVING})|(?P<arrive>{_ARRIVING})|{_GOING})|{_IT} (?:is|was|were|has to be|had to be))"
    rf"(?: {_IT})? (?P<rest>.+)$"
)
_WOULD_DO = re.compile(
    rf"^{_LEAD}(?:would|does|do|is|are|will|could) (?P<what>(?!(?:it|that|this|those|these|they|there|any|you|i|we|he|she|one)\b)"
    r"[a-z0-9 ]+?) (?:be )?(?:(?:any|a bit|much|at all) )*(?:better|nicer|do|work|suit|be possible|be ok|be okay|be an option"
    r"|an option|possible|look any better)(?: (?:for (?:me|us)|instead|then|at all|now))*$"
)
_LOOKS = re.compile(
    rf"^{_LEAD}how (?:does|do|would|will) (?P<what>(?!(?:it|that|they|those|i|we|you|one)\b)[a-z0-9 ]+?)"
    r" (?:look|sound|suit|be)(?: (?:instead|then|now))?$"
)
_TRY = re.compile(
    rf"^{_LEAD}(?:(?:let us|can we|could we|could you|can you|you could|i could|we could|i will|we will|shall we|might as well"
    r"|why not|why do not we) )?(?:try|take|do|go with|go for|have a look at|look at|check|see)(?: it)?(?: with| for| on)? "
    r"(?P<what>(?!(?:it|that|those|these|them|this|the (?:first|second|third|last|one)|me|out|you|i|we|so|again|away|with)\b)"
    r"[a-z0-9 ]+?)"
    r"(?: (?:instead|then|now|and see|for a change))+$"
)
_SWITCH = re.compile(
    rf"^{_LEAD}(?:(?:can|could|would|will) (?:you|we|i) |let us |i want to |i would like to |i need to )?"
    r"(?:(?:switch|change|swap|skip|shift)(?: (?:it|that|this|them|over|everything))*|(?:go|move|jump|hop) over) (?:to|onto) "
    r"(?P<what>(?!the (?:first|last|other|previous|next|whole|beginning|start)\b)[a-z0-9 ]+?)"
    r"(?: (?:instead|then|now|please))*(?: (?:but|and) (?:please )?(?:keep|keeping|leave|leaving|still|stick with|stay with)"
    r" (?P<kept>.+?)(?: (?:as (?:it|they) (?:is|was|are|were)|please|the same|alone|in place))*)?$"
)
_PUT = re.compile(
    rf"^{_LEAD}(?:put|set|schedule|book|plan|leave) (?:it|that|this|me|us) (?P<what>(?:on|for|to|at|in) (?!.*\bback\b).+)$"
)
_ALL_ELSE = re.compile(
    r"^(?:(?:the|all(?: of)?|all the) )?(?:rest|everything else|everything|others?|else)\b|^(?:it|all) "
)
_ARTICLE = re.compile(r"^(?:the|that|those|my|on the) ")
_MEANT = re.compile(
    rf"^{_LEAD}(?P<what>[a-z0-9 ]+?) (?:is|are|was|were) (?:what|the (?:one|ones|thing)|who) (?:i|we) (?:was|were|am|had|have)?"
    r" ?(?:after|meant|mean|wanted|want|looking for|really (?:meant|wanted|want)|actually (?:meant|wanted|want)|needed|need"
    r"|asking (?:for|about)|thinking of|in mind)(?: (?:all along|of course|really))*$"
)
_RIGHT = re.compile(
    rf"^{_LEAD}(?:old habits |silly me |my mistake |i was wrong )*(?P<what>[a-z0-9 ]+?) (?:was|is)"
    r" (?:right|correct|fine|the right one)(?: (?:after all|all along|in the end|the first time|before|already|in fact))+$"
    rf"|^(?:{_LEAD[9:-1]})(?:old habits |silly me |my mistake |i was wrong )+(?P<slip>[a-z0-9 ]+?)"
    r" (?:was|is) (?:right|correct)$"
)
_SLIPS = re.compile(
    rf"^{_LEAD}(?:i misspoke|slip of the tongue|old habits|silly me|i got that wrong|wrong word|i mixed them up|i was wrong"
    r"|what am i saying|my tongue slipped|that came out wrong)(?: (?:it is|i mean|i meant|that should be|should be|make it))*"
    r" (?P<what>(?!(?:and|so|but|can|what|which)\b)[a-z0-9 ]+)$"
)
_TOO_MUCH = re.compile(
    rf"^{_LEAD}[a-z0-9 ]{{1,20}}?(?: is| are| would be| was)? (?:(?:far|way|much|a bit|a little|rather|just) )*too [a-z]+"
    r"(?: for (?:me|us|him|her|my taste))?(?: (?:so|then|and|but|make it|say))* (?P<what>[a-z0-9 ]+?)"
    r" (?:i mean|i meant|then|instead|is better|would be better|rather|i think|please)+$"
)
_WHO_IT_IS = re.compile(
    rf"^(?P<said>{_LEAD}(?:scratch|forget|strike|drop|cancel|not|never mind) [a-z0-9 ]+?)"
    r" (?:is|are) (?:who|what|where|the one|the ones|which|right|better|best)\b.*$"
)
_BUSINESS = re.compile(
    r"\b(?:forget|strike|scratch|drop|never mind|ignore|skip)(?: about)? (?:all )?(?:that|the|this) (?P<what>[a-z0-9 ]{2,25}?)"
    r" (?:business|thing|bit|part|idea|nonsense|stuff|story)\b"
)
_MAYBE = re.compile(
    rf"^{_LEAD}(?P<what>(?:(?:on|in|at|with|from|to|by|for|through|via) )?[a-z0-9]+(?: [a-z0-9]+){{0,2}})"
    r" (?:maybe|perhaps|possibly|for instance|for example)$"
)
_OF_THOSE_SEEN = re.compile(
    r"^(?P<back>(?:(?:now|please|so|and|then|let us|can we|just) )*(?:back|go back|going back|return|returning) to)"
    r" (?:the|those|these|my) (?:two|three|four|five|six|seven|eight|nine|ten|\d+)"
    r" (?=(?:that|which|who|from|in|on|with|leaving|at|by|we|you)\b)"
)
_WITH_AGAIN = re.compile(
    rf"^{_LEAD}(?:with|including|include|put|bring|add|let|have) (?:them|those|these|it|him|her|that one|those ones)"
    r"(?: (?:back|again|in|back in|after all|too))+$"
)
_PLEASE_SHOW = (
    r"(?:(?:never mind (?:that|it|this) )?(?:can (?:you|i|we) |could (?:you|i|we) |i want to |i would like to )?"
    r"(?:show|give|list|read|see|have|get|bring up)(?: me| us)? )"
)
_AGAIN = r"(?: (?:again|once more|one more time|another time|back))+(?: please)?"
_WHICH_LIST = (
    r"(?:the|that|those|my) (?:very )?(?:first|whole|original|full|earlier|last) (?:list|lot|ones|set|results?)"
)
_ONCE_MORE = re.compile(
    rf"^{_LEAD}(?:{_PLEASE_SHOW}(?:again |once more )?(?P<all>all (?:of )?the [a-z0-9 ]+? ones)(?:{_AGAIN})?$"
    rf"|{_PLEASE_SHOW}(?P<ones>the [a-z0-9 ]+? ones|{_WHICH_LIST}){_AGAIN}$"
    rf"|(?:once more|again|one more time) (?P<then>(?:all )?(?:of )?the (?!same\b)[a-z0-9 ]+)$"
    r"|(?:the )?(?P<bare>(?!(?:what|which|who|how|when|where|is|are|do|does|did|show|give|list|say|read|tell|it|that|this|them"
    r"|those|these|the|not|never|once|same|home|back|and|going|come|coming|try|let)\b)"
    r"[a-z0-9]+(?: (?!is\b|are\b|me\b)[a-z0-9]+){0,3})"
    r" again(?: please)?$)"
)
_AUXILIARY = (
    r"(?:would|will|can|could|must|should|have|has|need|needs|want|wants|got|gotta|are|is|am|to|be|like|going|planning)"
)
_MOVING = (
    r"(?:be|get|come|go|fly|travel|head|return|bring|take|coming|going|flying|getting|travelling|traveling|heading|returning"
    r"|bringing|taking|what (?:comes|goes|flies|gets|is there))"
)
_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow|tonight)"
_WAY_BACK = re.compile(
    rf"^{_LEAD}(?:(?:i|we|he|she|they)(?: {_AUXILIARY})* )?(?:{_MOVING}(?: (?:me|us|them|him|her|everybody|everyone))? )?"
    r"(?:right |all the way )?(?:back|home)(?: (?:again|here|home|there))*"
    r"(?P<rest> (?!.*\bto\b)(?!the same day\b)"
    rf"(?:from|on|the|next|this|that|in the|after|before|at|by|around|{_DAY}|same|without|direct|any|leaving)\b.+)$"
)
_IN_REVERSE = re.compile(
    r"(?: so| and)*(?: (?:the|do the))? same(?: thing| again| trip| route| way)?"
    r" (?:the other way (?:a)?round|in reverse|backwards|reversed|in the other direction|the other direction)$"
)
_WHICHEVER = re.compile(
    r"\bwhichever(?: one)? (?:leaves|goes|departs|flies|is|gets going|starts|comes)"
    r" (?:the )?(?P<most>first|earliest|soonest|last|latest)\b"
)
_OR_WHAT = re.compile(
    r"(?P<ask>\b(?:what|which|how|is|are|does|do)\b.+?) (?:[a-z]+ or )+(?:what|something|anything)"
    r"(?: else| of the sort| like that)?$"
)
_BETTER_SHOW = re.compile(rf"^{_LEAD}(?:you )?(?:had )?better (?P<do>show|give|make|take|try|find|list)\b")


def _made(found: re.Match[str]) -> str:
    return f"make it {found['what']}"


def _correcting(found: re.Match[str]) -> str:
    said = found["what"] or found.groupdict().get("slip")
    return f"no i mean {said}"


def _back(found: re.Match[str]) -> str:
    ones = found["bare"] and f"the {found['bare']} ones"
    return f"back to {found['all'] or found['ones'] or found['then'] or ones}"


def _way_back(found: re.Match[str]) -> str:
    return f"coming back {_IN_REVERSE.sub('', found['rest']).removeprefix(' on').strip()}"


def _supposed(found: re.Match[str]) -> str:
    rest = _UNTIL.sub("", found["rest"])
    lead = "leaving " if found["leave"] else "getting in " if found["arrive"] else ""
    return f"make it {lead}{rest}"


def _switched(found: re.Match[str]) -> str:
    kept = found["kept"] or ""
    kept = "" if _ALL_ELSE.match(kept) else f" {_ARTICLE.sub('', kept)}"
    return f"make it {found['what']}{kept}"


_RULES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (_SUPPOSED, _supposed),
    (_WHICHEVER, lambda found: "the latest" if found["most"] in {"last", "latest"} else "the earliest"),
    (_WAY_BACK, _way_back),
    (_WOULD_DO, _made),
    (_LOOKS, _made),
    (_TRY, _made),
    (_SWITCH, _switched),
    (_PUT, r"make it \g<what>"),
    (_MEANT, _correcting),
    (_RIGHT, _correcting),
    (_SLIPS, _correcting),
    (_TOO_MUCH, r"make it \g<what>"),
    (_WHO_IT_IS, r"\g<said>"),
    (_BUSINESS, r"forget the \g<what>"),
    (_MAYBE, _made),
    (_OF_THOSE_SEEN, r"\g<back> the ones "),
    (_WITH_AGAIN, "undo that"),
    (_ONCE_MORE, _back),
    (_OR_WHAT, r"\g<ask>"),
    (_BETTER_SHOW, r"\g<do>"),
)


def plain_change(text: str) -> str:
    """Return the turn in a plain wording; as it was where none of the rules applies.

    >>> plain_change("what if i left after ten")
    'make it leaving after ten'
    >>> plain_change("switch to Oncology but keep the night shift")
    'make it oncology night shift'
    """
    return put_by_rules(text, _RULES)
