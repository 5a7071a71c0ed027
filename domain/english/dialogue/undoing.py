"""Undoing the last change, and lifting a restriction before something else is asked, in one breath.

"One step back", "put it back to before the food"; "never mind noon, any time is fine", "forget dinner, just no connections".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from domain.english.dialogue.replacing import drop_named
from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.tagger import Item
from domain.english.text.tokens import read_words, words_of

_LEAD = r"(?:(?:no|ok|so|and|well|actually|then|but|oh|please|now|let us|can we|could we|just|alright|all right|sorry|hm) )*"
_STEP = re.compile(
    rf"^{_LEAD}(?:(?:go |take (?:me |it |us )?|put (?:it |that )?|step |move )?(?:one step back|back (?:one|a|1) step|a step back"
    r"|one back|back one|back by one)|step back(?: one)?|undo(?: (?:that|it|this|the last (?:one|thing|change|bit|step)))?"
    r"|(?:put it |have it |leave it |set it |back to )?(?:as|how|like|the way) (?:it|that|they|we|things) (?:was|were|had it"
    r"|had them)"
    r"(?: before(?: that)?)?|(?:forget|drop|scratch|ignore|cancel|strike|undo) the last (?:one|thing|bit|change|restriction"
    r"|condition)"
    r"|take that (?:last )?(?:one|bit|thing|part)? ?back(?: again)?|back to (?:the )?(?:one|list|lot|answer"
    r"|ones) before(?: that)?)"
    r"(?: (?:please|then|again|now))*$"
)
_TO_BEFORE = re.compile(
    rf"^{_LEAD}(?:(?:go|undo|put it|take it|take me|take us|set it|bring it|put things|put that|switch it|bring (?:me"
    rf"|us)) )?(?:back )?to "
    r"(?:(?:what|where|how|the ones|those|the list|the way|the point|the answer|as) )*"
    r"(?:(?:we|i|it|they|you|things) (?:had|was|were|got|saw|showed(?: me)?|gave me|stood) )?before "
    r"(?:(?:the|that|we (?:said|added|put in|had)|i (?:said|asked for|added|mentioned)|you (?:added|put in)|adding|all the|my) )*"
    r"(?P<what>[a-z0-9][a-z0-9 ]*?)(?: (?:please|again|then|came in|came up|bit|thing|business))*$"
)
_FORGET = (
    r"(?:forget(?: about)?|never mind(?: about)?|ignore|drop|scrap|skip|lose|do not (?:worry|bother) about|get rid of|remove"
    r"|scratch"
    r"|leave (?:off|out)|cancel|take (?:away|off)|no need for|strike)"
)
_STARTS = (
    r"(?:any|whatever|whichever|just|only|give me|show me|list|all|it (?:has|is|should|must|can|does)|which|what|how|when"
    r"|(?:(?<=and )|(?<=but )|(?<=so )|(?<=then ))who|who else"  # not "drop the customers who …"
    r"|is there"
    r"|are there|i (?:want|need|would|will|can|do)|iam|we (?:want|need|would|can)|try|let us|do|does|have you|anything)\b"
)
_THEN = re.compile(
    rf"^(?P<first>{_LEAD}{_FORGET} (?:the |that |my )?(?!(?:that|this|it|those|them|all"
    rf"|everything)\b)(?:[a-z0-9]+ ){{0,3}}?[a-z0-9]+)"
    rf" (?:(?:and|but|so|then) )*(?P<rest>{_STARTS}.*)$"
)
_NOT_THEN = re.compile(r"\b(?:make (?:it|that)|back to|about|how|i (?:mean|meant)|it is)\b")
_ANY_THEN = re.compile(
    rf"^(?P<first>{_LEAD}(?:scratch that |strike that |forget that )?(?:on |at |with |from )?(?:any|whatever|whichever) [a-z]+"
    r"(?: (?:will do|is fine|is good|works|at all|is ok|is all right))?) "
    r"(?P<rest>(?:but (?=it |only |just |i |we |make |no |not |he |she )|as long as |so long as |provided |and |and then |then )"
    r".+|(?:any|whichever) [a-z]+(?: then| at all)?|(?:the )?(?:cheapest|lowest|earliest|latest|first|last|shortest|fastest"
    r"|highest))$"
)
_AGAIN_THEN = re.compile(
    rf"^{_LEAD}(?P<first>(?:the )?(?!.*\b(?:home|back) again\b)"
    r"(?!(?:is|are|do|does|what|which|who|how|when|where|show|give|list|once|it|that|those|same)\b)"
    r"[a-z0-9]+(?: [a-z0-9]+)*?) again (?:(?:but|and|this time|now|please|so) )*"
    r"(?P<rest>(?:only|just|the|which|what|who|whose|how|when|any|all|with|without|no|in|on|after|before|do|does|are|is|from)\b.+)$"
)
_DROPS_AND_STEPS = re.compile(
    rf"^(?P<first>{_LEAD}{_FORGET} .+?) (?:go |take )?(?:one step back|back one step|a step back)$"
)
_JOINED = re.compile(r"^(?:(?:but|and|then|as long as|so long as|provided) )+")


def split_change(plain: str) -> tuple[str, str] | None:
    """Return a request that first lifts a restriction or goes back as its two steps; None when it is of one."""
    if (found := _THEN.match(plain)) and not _NOT_THEN.search(found["rest"][:12]):
        return found["first"], found["rest"]
    if found := _ANY_THEN.match(plain):
        return found["first"], _JOINED.sub("", found["rest"])
    if (found := _AGAIN_THEN.match(plain)) and not found["first"].endswith(" one"):
        which = found["first"].removeprefix("the ")
        which = which if re.search(r"\bones?$", which) else f"{which} ones"
        return f"back to the {which}", found["rest"]
    return None


def undo_last_change(
    model: DomainModel, plain: str, earlier: Sequence[Meaning], items: Callable[[str], Sequence[Item]]
) -> Meaning | None:
    """Return the meaning before the last change, or before that which brought something named; None when nothing is undone."""
    last = earlier[-1]
    alike = [m for m in earlier[:-1] if m.entities == last.entities and m != last]
    if _STEP.match(plain):
        return alike[-1] if alike else None
    found = _TO_BEFORE.match(plain)
    if not found:
        return None
    for meaning in reversed(alike):
        if drop_named(model, meaning, items(found["what"])) is None and _lists(meaning):
            return meaning
    return drop_named(model, last, items(found["what"]))


def undoes(plain: str) -> bool:
    """Return whether a request undoes a change."""
    return bool(_STEP.match(plain) or _TO_BEFORE.match(plain))


def without_step(text: str) -> str:
    """Return a request to undo something in one wording; "forget norton, one step back" without the step, which says it again."""
    plain = words_of(read_words(text))
    if found := _DROPS_AND_STEPS.match(plain):
        return found["first"]
    if _STEP.match(plain):
        return "undo that"
    return f"undo to before {found['what']}" if (found := _TO_BEFORE.match(plain)) else text


def _lists(meaning: Meaning) -> bool:
    return not (meaning.count or meaning.attributes or meaning.aggregate or meaning.per)
