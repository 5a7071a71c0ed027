"""Requests about superiors and subordinates in the words of the domain.

"What does Ann's boss earn" asks for the salary of the employee supervising Ann; "managers with nobody under them" supervise
nobody. A domain takes part when one of its attributes leads from a row to another of the same table (the boss), and a second one
back again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from domain.english.model.domain import DomainModel, leads_back, read_path
from domain.english.parse.tagger import Item
from domain.english.persons.person_wordings import PersonWordings
from domain.english.text.everyday_life import word_set
from domain.english.text.numbers import NUMBER_WORDS
from domain.english.text.tokens import read_words, reworded, words_of

_VERB = (
    r"(?:supervis(?:e|es|ing|ed)|manag(?:e|es|ing|ed)|overs(?:ee|ees|eeing|aw)|direct(?:s|ing|ed)?|look(?:s|ing"
    r"|ed)? after|boss(?:es|ing)? around"
    r"|(?:is|are|am|be|being) (?:in charge of|responsible for|the boss of)|(?:has|have) charge of)"
)
_HAVE = r"(?:have|has|had|having|with|got|has got|have got|there (?:is|are)|is there|are there)"
_SOMEBODY = (
    r"(?:(?:at least |as many as )?(?:one|1|any|some|a)(?: other| single| more)? (?:person|employee|people"
    r"|employees|staff|staff member|worker|workers|others)"
    r"|anyone|anybody|someone|somebody|(?:other )?(?:people|employees|staff|workers)|others"
    r"|one or more(?: people| employees| persons)?)"
    r"(?: else)?(?: at all)?"
)
_NOBODY = (
    r"(?:nobody|no one|noone|not (?:a single|one|a) (?:person|soul|employee)|no(?: other| more)? (?:people"
    r"|employees?|staff|person|workers?|others)|none)"
    r"(?: else)?(?: at all)?"
)
_UNDER = (
    r"(?:(?:who|that) )?(?:(?:is|are|be) )?(?:actually |directly )*(?:under(?:neath)?|beneath|below|reporting to"
    r"|reports? to|answering to|answers? to|working for"
    r"|works? for|working under|works? under|to supervise|to manage|to look after)"
)
_THEM = r"(?:them|him|her|they|it|themselves|himself|herself|these people|those people)"
_REPORTS = r"(?:subordinates?|direct reports?|reports|underlings?|people under them|staff of (?:their|his|her) own)"
_ENDS = (
    r"(?=$| (?:and|but|or|at all|earns?|earning|makes?|making|lives?|living|born|hired|older|younger|then|too"
    r"|either|please|there|here"
    r"|though|right now|now)\b)"
)
_ANYONE, _NOT_ANYONE = "supervise anyone", "not supervise anyone"
_BOUND = (
    r"(?P<bound>(?:more than|at least|fewer than|less than|over|under|exactly|no more than|at most"
    r"|as many as|no fewer than|up to) )?"
)
_MANY = (
    rf"(?P<many>[0-9]+|{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})(?P<more> or more| or fewer| or less)?"
)
_MEN = r"(?:other )?(?:people|employees|staff|workers|men and women|persons|others|colleagues)"
_COUNTED: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(rf"\b(?P<who>who |that )?{_VERB} (?P<most>the most|most|the fewest|the least|fewest)(?: {_MEN})?\b"),
        r"\g<who>has \g<most> subordinates",
    ),
    (
        re.compile(
            rf"\b{_HAVE} (?P<most>the most|most|the fewest|the least|fewest"
            rf"|the largest number of) (?:{_MEN} {_UNDER} {_THEM}|{_REPORTS}|{_MEN} to (?:supervise|manage"
            rf"|look after))(?! of\b)"
        ),
        r"has \g<most> subordinates",
    ),
    (
        re.compile(rf"\b(?:who |that |which )?{_VERB} {_BOUND}{_MANY} {_MEN}{_ENDS}"),
        r"number supervised \g<bound>\g<many>\g<more>",
    ),
    (
        re.compile(rf"\b(?:who |that |which )?{_HAVE} {_BOUND}{_MANY} (?:{_REPORTS}|{_MEN} {_UNDER} {_THEM})"),
        r"number supervised \g<bound>\g<many>\g<more>",
    ),
)
_FEWEST = re.compile(r"\b(?:who )?(?P<has>has (?:the )?fewest subordinates)\b")
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"\b(?:do|does|did|is|are|has|have)(?: not"
        rf"|nt) (?:{_HAVE} )?{_SOMEBODY} {_UNDER}(?: {_THEM})?\b"), _NOT_ANYONE),
    (re.compile(rf"\b(?:do|does|did|is|are|am)(?: not|nt) {_VERB} {_SOMEBODY}{_ENDS}"), _NOT_ANYONE),
    (re.compile(rf"\bnot {_VERB} {_SOMEBODY}{_ENDS}"), _NOT_ANYONE),
    (re.compile(rf"\b{_VERB} {_NOBODY}{_ENDS}"), _NOT_ANYONE),
    (re.compile(rf"\b(?:that |who |whom )?{_HAVE} {_NOBODY} {_UNDER} {_THEM}\b"), f"who do {_NOT_ANYONE}"),
    (re.compile(rf"\b(?:whom|who|that|where) {_NOBODY} {_UNDER}(?: {_THEM})?{_ENDS}"), f"who do {_NOT_ANYONE}"),
    (re.compile(rf"\b(?:that |who )?(?:{_HAVE} no|without|without any|do not have|does not have"
        rf"|do not have any) {_REPORTS}{_ENDS}"), f"who do {_NOT_ANYONE}"),
    (re.compile(rf"\b{_VERB} {_SOMEBODY}{_ENDS}"), _ANYONE),
    (re.compile(rf"\b(?:that |who )?{_HAVE} (?:actually )?{_SOMEBODY} {_UNDER} {_THEM}\b"), f"who {_ANYONE}"),
    (re.compile(rf"\b(?:that |who )?{_HAVE} (?:any )?{_REPORTS}{_ENDS}"), f"who {_ANYONE}"),
)  # fmt: skip
_ASKED_ALONE = word_set(
    """
    who is was are the and what which tell me show give name names of please so then now does do have has his
    her their a an that would be employee person whose s i want need to know about could you can us let find
    out also but or ok well yes
    """
)
_TEAM = frozenset(["subordinates", "reports", "underlings", "people", "staff", "team", "crew"])


class Superiors:
    """Rewords requests about superiors and subordinates. `items` tags a text."""

    def __init__(self, model: DomainModel, items: Callable[[str], Sequence[Item]]) -> None:
        self._items = items
        self._flags = {words for flag in model.flag.values() for words in flag.words}
        self._counts = any("number supervised" in attribute.cues for attribute in model.attribute.values())
        self._wordings = PersonWordings(model)
        self._kinds = {name for name, kind in model.kind.items() if any(" " in pair for pair in kind.names)}
        back = next((a for a in model.attribute.values() if leads_back(a)), None)
        step = read_path(back.select[0]).steps[0] if back else None
        returns = (
            a
            for a in model.attribute.values()
            for path in a.accepts.values()
            if step and path != "-" and (steps := read_path(path).steps) and len(steps) == 1 and steps[0] == step.back
        )
        over = next(returns, None)
        self._nouns = {w[:-3] for w in back.words if w.endswith(" of")} if back and over else set[str]()
        one = (model.entity[back.of].one or back.of) if back else ""
        self._over = f"the {one} {over.cues[0]}" if over else ""
        self._under = f"{model.entity[back.of].many} {back.cues[0]}" if back and over and back.cues else ""

    def plainer(self, text: str) -> str:
        """Return the request with the domain's words for those who supervise somebody, or nobody."""
        plain = words_of(read_words(text))
        plain = self._wordings.put(plain)
        if self._counts:
            for pattern, put in _COUNTED:
                plain = pattern.sub(put, plain)
        if self._counts and _ANYONE in self._flags:
            plain = _FEWEST.sub(f"who {_ANYONE} and \\g<has>", plain)  # those who supervise nobody have none of them
        if _ANYONE in self._flags:
            for pattern, put in _RULES:
                plain = pattern.sub(put, plain)
            plain = re.sub(r"(?<!\bdo )(?<!\bdoes )\bnot supervise anyone", "do not supervise anyone", plain)
            plain = re.sub(r"\b(?:who |that |does |do )+(?=(?:do not )?supervise anyone)", "who ", plain)
        return reworded(text, plain)

    def named(self, text: str) -> str:
        """Return the request with "Ann's boss" as the one supervising Ann, where something is asked of the boss, and "Ann's
        people" as those supervised by Ann."""
        if not self._over:
            return text
        words = words_of(read_words(text)).split()
        for item in self._items(text):
            if not any(s.value and s.value.kind in self._kinds for s in item.all("value")):
                continue
            if made := self._superior(words, item) or self._subordinates(words, item):
                return reworded(text, made)
        return text

    def _superior(self, words: Sequence[str], item: Item) -> str:
        start, end, name = item.start, item.end, " ".join(words[item.start : item.end])
        if words[end : end + 1] and words[end] in self._nouns:
            end += 1
        elif start > 1 and words[start - 1] == "of" and words[start - 2] in self._nouns:
            start -= 2
        else:
            return ""
        start -= start > 0 and words[start - 1] in {"the", "a"}
        before, after = [*words[:start]], [*words[end:]]
        if {*before, *after} <= _ASKED_ALONE or (after[:1] and after[0] in self._nouns):
            return ""
        asked = self._attribute(after) if end == item.end + 1 else 0
        if asked:
            return " ".join([*before, *after[:asked], "of", self._over, name, *after[asked:]])
        return " ".join([*before, self._over, name, *after])

    def _attribute(self, words: Sequence[str]) -> int:
        """Return how many words at the beginning name an attribute."""
        first = next(iter(self._items(" ".join(words))), None) if words else None
        return first.end if first and first.has("asked") and not first.has("entity") else 0

    def _subordinates(self, words: Sequence[str], item: Item) -> str:
        start, end, name = item.start, item.end, " ".join(words[item.start : item.end])
        while words[end : end + 1] == ["direct"]:
            end += 1
        if words[end : end + 1] and words[end] in _TEAM:
            before = [*words[:start]]
            return " ".join([*before, self._under, name, *words[end + 1 :]])
        if start > 1 and words[start - 1] == "of" and words[start - 2] in {"subordinates", "reports", "underlings"}:
            start -= 3 if words[max(0, start - 3)] == "direct" else 2
            start -= start > 0 and words[start - 1] == "the"
            return " ".join([*words[:start], self._under, name, *words[end:]])
        return ""
