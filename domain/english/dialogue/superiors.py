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
from domain.english.text.tokens import read_words, words_of

_VERB = (
    r"(?:supervis(?:e|es|ing|ed)|manag(?:e|es|ing|ed)|overs(?:ee|ees|eeing|aw)|direct(?:s|ing|ed)?|look(?:s|ing|ed)? after|boss(?:es|ing)? around"
    r"|(?:is|are|am|be|being) (?:in charge of|responsible for|the boss of)|(?:has|have) charge of)"
)
_HAVE = r"(?:have|has|had|having|with|got|has got|have got|there (?:is|are)|is there|are there)"
_SOMEBODY = (
    r"(?:(?:at least |as many as )?(?:one|1|any|some|a)(?: other| single| more)? (?:person|employee|people|employees|staff|staff member|worker|workers|others)"
    r"|anyone|anybody|someone|somebody|(?:other )?(?:people|employees|staff|workers)|others|one or more(?: people| employees| persons)?)"
    r"(?: else)?(?: at all)?"
)
_NOBODY = (
    r"(?:nobody|no one|noone|not (?:a single|one|a) (?:person|soul|employee)|no(?: other| more)? (?:people|employees?|staff|person|workers?|others)|none)"
    r"(?: else)?(?: at all)?"
)
_UNDER = (
    r"(?:(?:who|that) )?(?:(?:is|are|be) )?(?:actually |directly )*(?:under(?:neath)?|beneath|below|reporting to|reports? to|answering to|answers? to|working for"
    r"|works? for|working under|works? under|to supervise|to manage|to look after)"
)
_THEM = r"(?:them|him|her|they|it|themselves|himself|herself|these people|those people)"
_REPORTS = r"(?:subordinates?|direct reports?|reports|underlings?|people under them|staff of (?:their|his|her) own)"
_ENDS = (
    r"(?=$| (?:and|but|or|at all|earns?|earning|makes?|making|lives?|living|born|hired|older|younger|then|too|either|please|there|here"
    r"|though|right now|now)\b)"
)
_ANYONE, _NOT_ANYONE = "supervise anyone", "not supervise anyone"
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"\b(?:do|does|did|is|are|has|have)(?: not|nt) (?:{_HAVE} )?{_SOMEBODY} {_UNDER}(?: {_THEM})?\b"), _NOT_ANYONE),
    (re.compile(rf"\b(?:do|does|did|is|are|am)(?: not|nt) {_VERB} {_SOMEBODY}{_ENDS}"), _NOT_ANYONE),
    (re.compile(rf"\bnot {_VERB} {_SOMEBODY}{_ENDS}"), _NOT_ANYONE),
    (re.compile(rf"\b{_VERB} {_NOBODY}{_ENDS}"), _NOT_ANYONE),
    (re.compile(rf"\b(?:that |who |whom )?{_HAVE} {_NOBODY} {_UNDER} {_THEM}\b"), f"who do {_NOT_ANYONE}"),
    (re.compile(rf"\b(?:whom|who|that|where) {_NOBODY} {_UNDER}(?: {_THEM})?{_ENDS}"), f"who do {_NOT_ANYONE}"),
    (re.compile(rf"\b(?:that |who )?(?:{_HAVE} no|without|without any|do not have|does not have|do not have any) {_REPORTS}{_ENDS}"), f"who do {_NOT_ANYONE}"),
    (re.compile(rf"\b{_VERB} {_SOMEBODY}{_ENDS}"), _ANYONE),
    (re.compile(rf"\b(?:that |who )?{_HAVE} (?:actually )?{_SOMEBODY} {_UNDER} {_THEM}\b"), f"who {_ANYONE}"),
    (re.compile(rf"\b(?:that |who )?{_HAVE} (?:any )?{_REPORTS}{_ENDS}"), f"who {_ANYONE}"),
)  # fmt: skip
_GENERAL: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"\b(?:his or her|her or his|his her)\b"), "their"),
    (re.compile(r"\b(?:him or her|her or him)\b"), "them"),
    (re.compile(r"\b(?:he or she|she or he)\b"), "they"),
    (re.compile(r"\boutearn(?:s|ed|ing)?\b"), "earn more than"),
    (re.compile(r"\b(?P<own>their|his|her) (?:very )?own (?=[a-z])"), r"\g<own> "),
    (
        re.compile(
            r"\bto whom (?P<do>do|does|did|must|should) (?P<whom>.+?) (?P<verb>report|reports|answer|answers)(?: to)?(?: directly)?\b"
        ),
        r"who \g<do> \g<whom> report to",
    ),
    (
        re.compile(
            r"\bwhom? (?P<do>do|does|did|must|should) (?P<whom>.+?) (?:have to )?(?:answer|report|turn)(?: directly)? to\b"
        ),
        r"who \g<do> \g<whom> report to",
    ),
    (re.compile(r"\bunder whom (?P<do>do|does|did) (?P<whom>.+?) work$"), r"who \g<do> \g<whom> report to"),
    (re.compile(r"\b(?:by whom|who) (?P<be>is|are|was|were) (?P<whom>.+?) (?:supervised|managed|bossed)(?: by)?$"),
     r"who \g<be> the supervisor of \g<whom>"),
    (re.compile(r"\bwhom (?=do|does|did)"), "who "),
    (re.compile(r"\b(?:mr|mrs|ms|miss|mister|missus|madam) (?=[a-z])"), ""),
    (re.compile(r"\bthe year (?=(?:19|20|18|nineteen|eighteen|twenty)[a-z0-9]* ?)"), ""),
    (re.compile(r"\b(?:on )?(?:what|which) (?:exact )?(?:day|date) (?=was|were|did)"), "when "),
    (
        re.compile(
            r"\bwhat is (?P<whom>he|she|it|they|that|the [a-z]+|employee [0-9]+) (?P<verb>get|make|earn|do|cost|serve|draw|live|drive)\b"
        ),
        r"what does \g<whom> \g<verb>",
    ),
    (
        re.compile(
            r"\b(?:gets?|getting|earns?|makes?|draws?|receives?|takes home|is on|are on|is paid|are paid|pulls in) the (?P<most>lowest|highest|smallest"
            r"|biggest|best|least|most|worst|largest|greatest) (?P<pay>pay|salary|wages?|income|paycheck|money)\b"
        ),
        r"has the \g<most> \g<pay>",
    ),
    (re.compile(r"(?<=[a-z]) i mean (?:the )?(?:people|those|the ones|ones|somebody|someone|everyone|persons) (?=who|with|that)"), " "),
    (
        re.compile(
            r"^(?:(?:now|ok|and|please|let us|can you|could you|can we|we can|i want to|you can) )*(?:raise|lower|set|move|put|drop|increase|reduce|bring|shift|push)"
            r" (?:the|that|this) (?:bar|limit|threshold|figure|number|amount|cutoff|cut off|ceiling|mark|bound)(?: up| down)?(?: a bit)? (?:to|at) (?=[a-z0-9$])"
        ),
        "make it ",
    ),
    (
        re.compile(
            r"^(?:(?:now|ok|and|but|please|then|can you|could you|let us) )*(?:leave out|leave off|exclude|drop|remove|take out|cut out|get rid of|not counting|without|discount"
            r"|omit) (?:the ones|those|all those|any|all|the people|everyone|everybody|anyone|anybody)(?: (?:who|that|which))? (?:have|has|with|having|got|hold|holds)"
            r"(?: (?:a|an|any))? (?=[a-z])"
        ),
        "only those without ",
    ),
    (
        re.compile(
            r"^(?:(?:now|ok|and|but|please|then|can you|could you|let us) )*(?:leave out|leave off|exclude|drop|remove|take out|cut out|get rid of|not counting|discount"
            r"|omit) (?:the ones|those|all those|any|all|the people|everyone|everybody|anyone|anybody) (?:who|that|which) (?P<be>are|is|live|work|were|was) "
        ),
        lambda m: "only those who do not " + m["be"] + " " if m["be"] in {"live", "work"} else f"only those who {m['be']} not ",
    ),
    (
        re.compile(
            r"^(?:(?:now|ok|and|but|please|then) )*(?:minus|less|excluding|barring|bar|save for|save|not counting|leaving out|leaving aside) (?=(?:the|all|any|those) [a-z])"
        ),
        "except ",
    ),
    (re.compile(r"^(?:(?:actually|well|no|ok|and|but) )*(?:iam|i am|we are) (?:only|just|really only) (?:interested in|after|looking for|concerned with) "), "only "),
    (
        re.compile(
            r"^(?P<lead>(?:(?:and|but|so|then) )*)who (?:is it that |is the one who |is the one that |is it who )?(?:gets|earns|makes|draws|has) "
            r"(?:so (?:little|much|few)|that (?:much|little|salary|pay|amount)|as (?:little|much) as that)$"
        ),
        r"\g<lead>who gets that",
    ),
    (
        re.compile(
            r"^(?:(?:and|but|so|what about|how about|what is it|same|the same) )+(?:of|for|among|with) (?:everyone|everybody|people|employees|those|the ones|anyone|all those|all people)"
            r" (?=who|with|without|that)"
        ),
        "and those ",
    ),
    (re.compile(r"\b(?:those|them|these) (?:per|by|for each|in each) (?=[a-z]+$)"), "how many of them in each "),
    (re.compile(r"\b(?P<one>[a-z]+) by (?P=one)\b"), r"per \g<one>"),
    (re.compile(r"\b(?:distinct|separate|unique) (?=[a-z]+s\b)"), "different "),
    (re.compile(r"^(?:looking )?(?:in|across|over|for|throughout) the company (?:at large|as a whole|overall|generally) "), ""),
    (re.compile(r"\b(?:in|across|over|for|throughout) the company (?:at large|as a whole|overall|generally)\b"), "in the whole company"),
)  # fmt: skip
_TOTAL_PAY = re.compile(
    r"^(?:(?:and|so|ok|now) )*(?:what|how much|how much money) (?:do|does|did|would|will) (?:(?:we|they|the company|the firm|you) (?:pay|spend on|pay out to|pay to)"
    r" (?P<whom>.+?)|(?P<who>.+?) (?:earn|make|get|cost us|cost|take home)) (?:altogether|in total|in all|put together|combined|all together|together|all told)$"
)
_ASKED_ALONE = frozenset(
    "who is was are the and what which tell me show give name names of please so then now does do have has his her their a an"
    " that would be employee person does whose s is i want need to know about could you can us let find out also but or"
    " ok well his yes".split()
)
_TEAM = frozenset(["subordinates", "reports", "underlings", "people", "staff", "team", "crew"])


class Superiors:
    """Rewords requests about superiors and subordinates. `items` tags a text."""

    def __init__(self, model: DomainModel, items: Callable[[str], Sequence[Item]]) -> None:
        self._items = items
        self._flags = {words for flag in model.flag.values() for words in flag.words}
        self._pays = any("pay" in attribute.words for attribute in model.attribute.values())
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
        plain = before = words_of(read_words(text))
        for pattern, put in _GENERAL:
            plain = pattern.sub(put, plain)
        if self._pays:
            plain = _TOTAL_PAY.sub(lambda m: f"total pay of {m['whom'] or m['who']}", plain)
        if _ANYONE in self._flags:
            for pattern, put in _RULES:
                plain = pattern.sub(put, plain)
            plain = re.sub(r"(?<!\bdo )(?<!\bdoes )\bnot supervise anyone", "do not supervise anyone", plain)
            plain = re.sub(r"\b(?:who |that |does |do )+(?=(?:do not )?supervise anyone)", "who ", plain)
        return text if plain == before else _marked(plain, text)

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
                return _marked(made, text)
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


def _marked(plain: str, text: str) -> str:
    return " ".join(plain.split()) + ("?" if text.rstrip().endswith("?") else "")
