"""Common wordings normalized before parsing: "the clerks excluded" as "except the clerks".

The rules hold for any domain and preserve the meaning; text that no rule matches stays as it is.
"""

from __future__ import annotations

import re

from domain.english.text import existence
from domain.english.text.times import MONTHS, WEEKDAYS
from domain.english.text.tokens import read_words, reworded, words_of

_MONTH = rf"(?:{'|'.join(MONTHS)})"
_HEADS = r"(?:headcount|head counts?)"
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    # "what is department 32 called"
    (
        re.compile(r"\bwhat (?P<be>is|are|was|were) (?P<what>(?!(?:it|they|that|those|he|she)\b)[a-z0-9 ]+?) (?:called|named)$"),
        r"what \g<be> the name of \g<what>",
    ),
    # "clerks excluded", "the clerks aside"
    (
        re.compile(
            r"^(?P<lead>(?:(?:and|but|now|ok|with|that is) )*)(?P<what>(?:the |all |any )*[a-z0-9]+(?: [a-z0-9]+){0,2})"
            r" (?:(?:is|are|being|all) )*(?:excluded|left out|not included|not counted|aside|omitted|taken out|removed|excepted)$"
        ),
        r"\g<lead>except \g<what>",
    ),
    # "I need their addresses, the street is enough"
    (
        re.compile(
            r"(?<=[a-z]{3}) (?:just |only )?(?:the |their |a )?[a-z]+(?: [a-z]+)? (?:is|are|would be|will be|will) "
            r"(?:enough|sufficient|plenty|all i need|all we need|do fine)$"
        ),
        "",
    ),
    # the head count of a team, for each team
    (re.compile(rf"\bwhat is the {_HEADS}\b(?: (?:of|in|for|at))?"), "how many people in"),
    (re.compile(rf"\b(?:the )?{_HEADS} (?:of|in|at)\b"), "number of people in"),
    (re.compile(rf"\b(?:the )?{_HEADS} (?=(?:for|by|per|in) (?:each|every)\b|per |by )"), "number of people "),
    (re.compile(r"\b(?:himself|herself|itself|themselves|myself|yourself)\b ?"), ""),
    # "who earns the most money"
    (re.compile(r"\b(?P<most>the most|most|more|less|least|the least) money\b"), r"\g<most>"),
    (re.compile(r"\ball in all\b"), "altogether"),
    # "between march and the end of december": months and years count whole
    (re.compile(rf"\b(?:and|to|until|till) the (?:very )?end of (?=(?:{_MONTH}|nineteen|twenty|[12][0-9]{{3}})\b)"), "and "),
    # "from today on", "from the ninth of june onwards"
    (
        re.compile(
            rf"\b(?:starting )?from (?P<when>today|now|tomorrow|noon|(?:the )?[a-z]+ of {_MONTH}|{_MONTH}(?: [a-z]+)?)"
            rf" (?:onwards?|forward|on)(?= (?!(?:an?|the|{'|'.join(WEEKDAYS)})\b)|$)"
        ),
        r"since \g<when>",
    ),
)  # fmt: skip


def normalize_wording(text: str) -> str:
    """Return the normalized request; unchanged when no rule applies.

    >>> normalize_wording("And what's department 32 called?")
    'and what is the name of department 32?'
    >>> normalize_wording("clerks excluded")
    'except clerks'
    """
    plain = words_of(read_words(text))
    for pattern, put in (*existence.RULES, *_RULES):
        plain = pattern.sub(put, plain, count=1)
    return reworded(text, plain)
