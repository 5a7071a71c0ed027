"""Codes for the reasons to exclude an utterance, and the classes that tags imply.

The reasons are those of 1989 (Boisen et al., sections 3.3 and 5) and 1992 (Boisen & Bates, section 2.4.2); the tags are those of
the specification of `.cat`. Which tag a reason is written with, and which class a tag leads to, is ours and is told to
annotators where they choose.
"""

from typing import NamedTuple


class Reason(NamedTuple):
    """A reason to exclude: its tag in the `.cat`, what it means, and the details that may be chosen."""

    tag: str
    says: str
    details: tuple[str, ...] = ()


DEPENDS = "depends on X"
"""The reason of what is X through its context alone."""
REASONS = {
    "vague": Reason(
        "hopelessly-vague", "overly vague: Tell me about John Smith", ("too many readings", "no entity named")
    ),
    "ambiguous": Reason("testably-ambiguous", "ambiguous, by the rules of 1989, which know no alternatives"),
    "missing value": Reason("unanswerable", "asks for one value that is missing: no answer could be right or wrong"),
    "no data": Reason("unanswerable", "the database has nothing of the kind"),
    "presupposition": Reason("presupposition-failure", "it presupposes something false", ("necessary", "contingent")),
    "sorting": Reason("disallowed", "asks for an order: relations have none, and sort keys and sub-sorts would differ"),
    "meta": Reason("disallowed", "asks about the system itself: List the ethnic groups you know about"),
    "outside": Reason("unanswerable", "is outside", ("domain", "application")),
    "arithmetic": Reason("arithmetic", "needs arithmetic beyond the principles"),
    "inference": Reason("unanswerable", "needs more than understanding of language: complex inference"),
    "responding": Reason("responding", "replies to a question of the system, and is understood through that alone"),
    "truncated": Reason("trunc-utt", "was cut off"),
    "ill-formed": Reason("ill-formed", "cannot be made sense of"),
    "wizard's error": Reason("wizard-error", "rests on an error of the wizard"),
    DEPENDS: Reason("unanswerable", "its context is excluded, and so is it"),
    "not covered": Reason("unanswerable", "the principles do not cover it", ("phenomenon", "no agreed answer")),
}
"""By its code."""

EXCLUDING = {reason.tag for reason in REASONS.values()} - {"testably-ambiguous"} | {"book", "cancelled", "bad-db"}
"""Tags that lead to X."""


def leads_to(tag: str) -> str:
    """The class that a tag leads to, in words.

    >>> leads_to("trunc-utt"), leads_to("yes/no")
    ('leads to X', 'leads to two readings: TRUE or FALSE, or rows')
    """
    if tag in EXCLUDING:
        return "leads to X"
    if tag == "yes/no":
        return "leads to two readings: TRUE or FALSE, or rows"
    if tag == "testably-ambiguous":
        return "leads to a reading for each meaning; to X by the rules of 1989"
    return "leaves the class open"
