"""Everyday English for the parts that several references of one table to another give: who sends and who receives a
letter, where a trip starts and ends.

Each entry has the words in a column's name, what stands before its value ("to Ann"), the verbs that follow it ("did Ann receive")
and those by which it is asked for ("who received").
"""

from __future__ import annotations

from typing import NamedTuple


class ReferenceRole(NamedTuple):
    """The phrases by which one of several references is said."""

    before: tuple[str, ...]
    verbs: tuple[str, ...] = ()
    asking: tuple[str, ...] = ()


def _role(before: str, verbs: str = "", asking: str = "") -> ReferenceRole:
    verbs_said = tuple(filter(None, verbs.split("|")))
    return ReferenceRole(tuple(before.split("|")), verbs_said, tuple(filter(None, asking.split("|"))) or verbs_said)


_FROM = (
    "from|out of|leaving|leaves|leave|left|departing|started|starting|start|starts|started at|starting at|start at|starts at"
    "|started from|starting from"
    "|start from|starts from"
    "|began at|begins at|beginning at|begin at|set off from|picked up at"
    "|originating in|originating at|that start at|that started at"
)
_TO = (
    "to|into|towards|bound for|arriving|arrives|arrive|reaching|ended at|ending at|end at|ends at|ended in|ending in|end in"
    "|ends in"
    "|finished at|finishing at|finish at|finishes at|dropped off at|arrived at|arriving at|arriving in|arrived in"
    "|going to|goes to|go to|went to"
)
_ROLES: tuple[tuple[frozenset[str], ReferenceRole], ...] = (
    (frozenset(["sender", "writer", "correspondent"]),
     _role("from|by|sent by|written by|of", "write|wrote|send|sent|writes|sends",
           "wrote|sent|writes|sends|has written|has sent")),
    (frozenset(["recipient", "addressee", "receiver"]),
     _role("to|sent to|addressed to|written to|received by|got by|for",
           "receive|received|get|got|receives|gets", "received|got|receives|gets|has received")),
    (frozenset(["seller", "vendor"]), _role("from|by|sold by", "sell|sold|sells")),
    (frozenset(["buyer", "purchaser"]), _role("to|by|sold to|bought by|purchased by", "buy|bought|buys|purchase|purchased")),
    (frozenset(["payer"]), _role("from|by|paid by", "pay|paid|pays")),
    (frozenset(["payee"]), _role("to|paid to", "receive|received|get|got")),
    (frozenset(["lender"]), _role("from|by|lent by", "lend|lent|lends")),
    (frozenset(["borrower"]), _role("to|by|lent to|borrowed by", "borrow|borrowed|borrows")),
    (frozenset(["giver", "donor"]), _role("from|by|given by|donated by", "give|gave|gives|donate|donated")),
    (frozenset(["winner"]), _role("won by|by", "win|won|wins")),
    (frozenset(["loser"]), _role("lost by", "lose|lost|loses")),
    (frozenset(["caller"]), _role("from|by|made by", "call|called|calls|ring|rang")),
    (frozenset(["callee"]), _role("to|made to", "answer|answered")),
    (frozenset(["from", "origin", "source", "departure", "start"]), _role(_FROM)),
    (frozenset(["to", "destination", "target", "arrival", "end"]), _role(_TO)),
)  # fmt: skip


def role_of(words: str) -> ReferenceRole | None:
    """Return the role that a column's name suggests, if any."""
    parts = {*words.split()}
    return next((role for names, role in _ROLES if parts & names), None)
