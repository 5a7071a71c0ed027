"""Wordings of requests about people, their pay and their number in plainer words: "outearn their boss" as "earn more than their
boss", "the women outnumber the men" as "with more women than men".

The rules that name an attribute apply only where the domain has a word for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from domain.english.model.domain import DomainModel

_RULES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r" (?:himself|herself|themselves|personally)\b"), ""),
    (
        re.compile(
            r"^.*\b(?:know|tell me|tell us|wonder|wondering|see|check|find out|curious|sure|curious to know"
            r"|interested to know) (?:if|whether) "
            r"(?=(?:does|do|is|are|did|was|were|has|have) )"
        ),
        "",
    ),
    (
        re.compile(
            r"^.*\b(?:know|tell me|tell us|wonder|wondering|see|check|find out|curious|sure|curious to know"
            r"|interested to know) (?:if|whether) "
            r"(?P<who>[a-z0-9' ]{2,40}?) (?P<be>is|are|was|were|has|have) (?P<rest>.+)$"
        ),
        r"\g<be> \g<who> \g<rest>",
    ),
    (
        re.compile(
            r"^(?:(?:so|and|then|well) )*(?:(?:i take it|i assume|i suppose|i guess|i gather|i presume) (?:that )?)?"
            r"(?P<who>[a-z0-9' ]{2,40}?) (?P<be>is|are|was|were|has|have) (?P<rest>.+?)"
            r" (?:is that|am i|would that be) (?:right|correct|true|so)$"
        ),
        r"\g<be> \g<who> \g<rest>",
    ),
    (re.compile(r"\b(?:his or her|her or his|his her)\b"), "their"),
    (re.compile(r"\b(?:him or her|her or him)\b"), "them"),
    (re.compile(r"\b(?:he or she|she or he)\b"), "they"),
    (re.compile(r"\boutearn(?:s|ed|ing)?\b"), "earn more than"),
    (re.compile(r"\b(?P<own>their|his|her) (?:very )?own (?=[a-z])"), r"\g<own> "),
    (
        re.compile(
            r"\bto whom (?P<do>do|does|did|must|should) (?P<whom>.+?) (?P<verb>report|reports|answer"
            r"|answers)(?: to)?(?: directly)?\b"
        ),
        r"who \g<do> \g<whom> report to",
    ),
    (
        re.compile(
            r"\bwhom? (?P<do>do|does|did|must|should) (?P<whom>.+?) (?:have to )?(?:answer|report"
            r"|turn)(?: directly)? to\b"
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
            r"\bwhat is (?P<whom>he|she|it|they|that|the [a-z]+|employee [0-9]+) (?P<verb>get|make|earn|do|cost"
            r"|serve|draw|live|drive)\b"
        ),
        r"what does \g<whom> \g<verb>",
    ),
    (
        re.compile(
            r"\b(?:gets?|getting|earns?|makes?|draws?|receives?|takes home|is on|are on|is paid|are paid"
            r"|pulls in) the (?P<most>lowest|highest|smallest"
            r"|biggest|best|least|most|worst|largest|greatest) (?P<pay>pay|salary|wages?|income|paycheck|money)\b"
        ),
        r"has the \g<most> \g<pay>",
    ),
    (re.compile(r"(?<=[a-z]) i mean (?:the )?(?:people|those|the ones|ones|somebody|someone|everyone"
        r"|persons) (?=who|with|that)"), " "),
    (
        re.compile(
            r"^(?:(?:now|ok|and|please|let us|can you|could you|can we|we can|i want to|you can) )*(?:raise"
            r"|lower|set|move|put|drop|increase|reduce|bring|shift|push)"
            r" (?:the|that|this) (?:bar|limit|threshold|figure|number|amount|cutoff|cut off|ceiling|mark"
            r"|bound)(?: up| down)?(?: a bit)? (?:to|at) (?=[a-z0-9$])"
        ),
        "make it ",
    ),
    (
        re.compile(
            r"^(?:(?:now|ok|and|but|please|then|can you|could you|let us) )*(?:leave out|leave off|exclude|drop"
            r"|remove|take out|cut out|get rid of|not counting|without|discount"
            r"|omit) (?:the ones|those|all those|any|all|the people|everyone|everybody|anyone|anybody)(?: (?:who"
            r"|that|which))? (?:have|has|with|having|got|hold|holds)"
            r"(?: (?:a|an|any))? (?=[a-z])"
        ),
        "only those without ",
    ),
    (
        re.compile(
            r"^(?:(?:now|ok|and|but|please|then|can you|could you|let us) )*(?:leave out|leave off|exclude|drop"
            r"|remove|take out|cut out|get rid of|not counting|discount"
            r"|omit) (?:the ones|those|all those|any|all|the people|everyone|everybody|anyone|anybody) (?:who"
            r"|that|which) (?P<be>are|is|live|work|were|was) "
        ),
        lambda m: "only those who do not " + m["be"] + " " if m["be"] in {"live", "work"} else f"only those who {m['be']} not ",
    ),
    (
        re.compile(
            r"^(?:(?:now|ok|and|but|please|then) )*(?:minus|less|excluding|barring|bar|save for|save"
            r"|not counting|leaving out|leaving aside) (?=(?:the|all|any|those) [a-z])"
        ),
        "except ",
    ),
    (re.compile(r"^(?:(?:actually|well|no|ok|and|but) )*(?:iam|i am|we are) (?:only|just"
        r"|really only) (?:interested in|after|looking for|concerned with) "), "only "),
    (
        re.compile(
            r"^(?P<lead>(?:(?:and|but|so|then) )*)who (?:is it that |is the one who |is the one that "
            r"|is it who )?(?:gets|earns|makes|draws|has) "
            r"(?:so (?:little|much|few)|that (?:much|little|salary|pay|amount)|as (?:little|much) as that)$"
        ),
        r"\g<lead>who gets that",
    ),
    (
        re.compile(
            r"^(?:(?:and|but|so|what about|how about|what is it|same|the same) )+(?:of|for|among"
            r"|with) (?:everyone|everybody|people|employees|those|the ones|anyone|all those|all people)"
            r" (?=who|with|without|that)"
        ),
        "and those ",
    ),
    (re.compile(r"\b(?:those|them|these) (?:per|by|for each|in each) (?=[a-z]+$)"), "how many of them in each "),
    (re.compile(r"\b(?P<one>[a-z]+) by (?P=one)\b"), r"per \g<one>"),
    (re.compile(r"\b(?:distinct|separate|unique) (?=[a-z]+s\b)"), "different "),
    (re.compile(r"^(?:looking )?(?:in|across|over|for|throughout) the company (?:at large|as a whole|overall"
        r"|generally) "), ""),
    (re.compile(r"\b(?:in|across|over|for|throughout) the company (?:at large|as a whole|overall"
        r"|generally)\b"), "in the whole company"),
    # subordinates
    (
        re.compile(
            r"\bhow many (?:other )?(?:subordinates|direct reports|reports|underlings) (?P<do>do|does"
            r"|did) (?P<whom>.+?) have(?: (?:under|working for|reporting to) (?:him|her|them))?$"
        ),
        r"how many people \g<do> \g<whom> supervise",
    ),
    (
        re.compile(
            r"\bhow many (?:other )?(?:people|employees|staff|men and women) (?P<do>do|does"
            r"|did) (?P<whom>.+?) have (?:directly )?(?:under|below|beneath|working for|reporting to) (?:him|her|them)$"
        ),
        r"how many people \g<do> \g<whom> supervise",
    ),
    (
        re.compile(
            r"\bwho is (?:directly |right |immediately |one (?:step|level|rung) )?above (?=(?:him|her|them"
            r"|that (?:man|woman|lady|gentleman|person|guy)|this (?:man|woman|lady|gentleman|person))\b)"
        ),
        "who is the boss of ",
    ),
    # pay
    (
        re.compile(r"\b(?P<be>is|are|was|were) (?P<whom>.{2,40}?) (?:paid )?(?:(?P<more>better|more)|worse"
            r"|less) (?:well )?(?:paid|off) than\b"),
        lambda m: f"{'do' if m['be'] in {'are', 'were'} else 'does'} {m['whom']} earn {'more' if m['more'] else 'less'} than",
    ),
    (
        re.compile(r"\b(?P<be>is|are|was|were) (?P<whom>.{2,40}?) paid (?:(?P<more>better|more)|worse|less) than\b"),
        lambda m: f"{'do' if m['be'] in {'are', 'were'} else 'does'} {m['whom']} earn {'more' if m['more'] else 'less'} than",
    ),
    (re.compile(r"\b(?:better|higher|more highly) paid than\b"), "earning more than"),
    (re.compile(r"\b(?:worse|lower|less well) paid than\b"), "earning less than"),
    (re.compile(r"\bthan (?P<who>he|she|they) (?:is|are|does|do|was|were|did|earns|earn|makes|make|gets"
        r"|get)\b"), r"than \g<who>"),
    (re.compile(r"\b(?:total|whole|entire|overall|combined) (?:payroll|wage bill|salary bill"
        r"|pay bill)\b"), "total pay"),
    (re.compile(r"\bat the (?:bottom|lower end|low end|foot) of the (?:salary|pay|wage|income) (?:scale"
        r"|range|ladder|list|table|pile)\b"), "lowest paid"),
    (re.compile(r"\bat the (?:very )?(?:top|upper end|high end|head) of the (?:salary|pay|wage"
        r"|income) (?:scale|range|ladder|list|table|pile)\b"), "highest paid"),
    # numbers
    (re.compile(r"\b(?:the )?(?:greatest|largest|highest|biggest) number of (?=[a-z])"), "the most "),
    (re.compile(r"\b(?:the )?(?:smallest|lowest|least) number of (?=[a-z])"), "the fewest "),
    (
        re.compile(r"\b(?:where |in which |whose |that have |with )?(?:the )?(?P<a>[a-z]+) outnumber (?:the "
            r"|its |their )?(?P<b>[a-z]+)\b"),
        r"with more \g<a> than \g<b>",
    ),
    (re.compile(r"\b(?P<a>[a-z]+) are outnumbered by (?:the )?(?P<b>[a-z]+)\b"), r"with more \g<b> than \g<a>"),
    (
        re.compile(r"\b(?:hired|joined|started|came|taken on|recruited|employed) (?:on )?(?:the )?(?:very "
            r"|exact )?same (?:day|date) as\b"),
        "with the same hire date as",
    ),
    (re.compile(r"\bborn (?:on )?(?:the )?(?:very |exact )?same (?:day|date) as\b"), "with the same birth date as"),
    # taking out
    (
        re.compile(r"^(?:(?:now|ok|and|but|please|then|can you|could you|let us) )*(?:leave|keep|take|count"
            r"|cut) (?P<what>(?:the |all |any )?[a-z]+(?: [a-z]+)?) out(?: of (?:it|this|that|them|the list))?$"),
        r"except \g<what>",
    ),
    (
        re.compile(r"^(?:(?:now|ok|and|but|please|then) )*(?:not counting|leaving out|leaving aside"
            r"|excluding|not including|disregarding|ignoring|apart from|aside from|other than|except for"
                r"|minus) (?=[a-z])"),
        "except ",
    ),
)  # fmt: skip
_TOTAL_PAY = re.compile(
    r"^(?:(?:and|so|ok|now) )*(?:what|how much|how much money) (?:do|does|did|would|will) (?:(?:we|they"
    r"|the company|the firm|you) (?:pay|spend on|pay out to|pay to)"
    r" (?P<whom>.+?)|(?P<who>.+?) (?:earn|make|get|cost us|cost|take home)) (?:altogether|in total|in all"
    r"|put together|combined|all together|together|all told)$"
)
_JOB = re.compile(
    r"\bwhat (?:do|does|did) (?P<whom>[a-z0-9' ]{2,30}?) do(?: (?:for us|here|for the company|for a living"
    r"|exactly|at the company|all day|for work))*$"
)
_MEN_OR_WOMEN = re.compile(
    r"\b(?:for )?(?:the )?(?:men|women|males|females) (?:versus|vs|against|compared to|compared with"
    r"|as opposed to|or) (?:the )?(?:men|women|males|females)$"
    r"|\bfor (?:the )?(?:men and women|women and men) (?:separately|apart|each)$"
)
_SPENT = re.compile(
    r"^(?:(?:and|so|ok|now|hm) )*(?:what|how much) (?:do|does|did) (?:we|the company"
    r"|the firm) spend on (?P<whom>.+?) (?:salaries|wages|pay)(?: (?:right now|now|altogether|in total|at present))*$"
)
_SIZE = re.compile(r"\b(?:the )?(?P<most>biggest|largest|smallest|tiniest) (?P<what>[a-z]+)\b(?! of\b)")


class PersonWordings:
    """Applies the rules in one domain."""

    def __init__(self, model: DomainModel) -> None:
        words = {word for attribute in model.attribute.values() for word in attribute.words}
        self._pays, self._sexes, self._jobs = "pay" in words, "sex" in words, "job title" in words
        main = model.domain.entity
        self._many = model.entity[main].many
        sized = {model.attribute[name].of for name, a in model.attribute.items() if a.maximum or a.minimum}
        sized |= {entity for s in model.superlative.values() for entity in s.column}
        apart = [e for name, e in model.entity.items() if name != main and name not in sized]
        people = "who" in model.entity[main].words
        self._groups = {word for e in apart for word in e.words} if people else set[str]()

    def put(self, plain: str) -> str:
        """Return the request in plainer words."""
        for pattern, put in _RULES:
            plain = pattern.sub(put, plain)
        if self._pays:
            plain = _TOTAL_PAY.sub(lambda m: f"total pay of {m['whom'] or m['who']}", plain)
            plain = _SPENT.sub(_spent, plain)
        if self._jobs:
            plain = _JOB.sub(_job, plain)
        if self._sexes:
            plain = _MEN_OR_WOMEN.sub("by sex", plain)
        return _SIZE.sub(self._sized, plain)

    def _sized(self, found: re.Match[str]) -> str:
        """Return "department with the most employees" for "the biggest department"."""
        if found["what"] not in self._groups or not self._many:
            return found.group()
        most = "fewest" if found["most"] in {"smallest", "tiniest"} else "most"
        return f"{found['what']} with the {most} {self._many}"


def _job(found: re.Match[str]) -> str:
    whom = found["whom"].removeprefix("the ") if found["whom"] in {"they", "those", "these"} else found["whom"]
    if whom in {"they", "those", "these", "those people", "these people"}:
        return "what are their job titles"
    if whom in {"it", "that", "this", "we", "you", "i"}:
        return found.group()
    return f"what is the job title of {whom}"


def _spent(found: re.Match[str]) -> str:
    whom = found["whom"]
    return "what is the total of their pay" if whom in {"their", "those", "these"} else f"total pay of {whom}"
