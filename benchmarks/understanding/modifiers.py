"""Test that words added to a request are understood or marked, never silently ignored and never inverted.

Each modifier is added to requests for development that are answered right. The answer must then be another one, or none, or
say that words of it are unused. A modifier that excludes ("except on delta") must not end up as a condition that
includes, and the other way round.

Half of the modifiers, by a hash of their words, are set aside: only their sums are printed. `--show` lists what happened with
the others.

    python -m benchmarks.understanding.modifiers --questions FILE --database URL --domain DIR [--each N] [--show]
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import sqlglot
from sqlalchemy.engine import make_url
from sqlglot import exp

from benchmarks.english import Runner, divided, judge, request_options, requests
from benchmarks.figures import figure
from domain.english.engine import Engine
from domain.english.reading import Reading

EXCLUDED, INCLUDED = "excluded", "included"
_NEGATING = (exp.Not, exp.NEQ)
_ASKED = re.compile(r"\b(?:(?:any|all|the|some|a) )*(flights?|fares?|airlines|airports)\b")


class Modifier(msgspec.Struct, frozen=True):
    """Words added at the end, or before what is asked for; `values` are those that the SQL may hold only so. What the database
    does not hold (`unsayable`) can change no answer but into none."""

    words: str
    values: tuple[str, ...] = ()
    polarity: str = ""
    ahead: bool = False
    unsayable: bool = False


MODIFIERS = (
    *(
        Modifier(words, values, EXCLUDED)
        for words, values in (
            ("unless it is on delta", ("DL",)),
            ("except on sundays", ("SUNDAY",)),
            ("except sunday", ("SUNDAY",)),
            ("but not on united", ("UA",)),
            ("other than american airlines", ("AA",)),
            ("anything but continental", ("CO",)),
            ("apart from the ones on twa", ("TW",)),
            ("as long as it is not northwest", ("NW",)),
            ("not those of delta", ("DL",)),
            ("that do not serve breakfast", ("BREAKFAST",)),
            ("without dinner", ("DINNER",)),
            ("i do not want to fly eastern", ("EA",)),
            ("avoiding tuesday", ("TUESDAY",)),
            ("on any day but friday", ("FRIDAY",)),
            ("if it is not on saturday", ("SATURDAY",)),
            ("never on us air", ("US",)),
            ("nothing on a 767", ("767",)),
            ("instead of delta", ("DL",)),
            ("by any carrier except lufthansa", ("LH",)),
            ("that are not first class", ("FIRST",)),
        )
    ),
    *(
        Modifier(words, values, INCLUDED)
        for words, values in (
            ("only on delta", ("DL",)),
            ("preferably on united", ("UA",)),
            ("provided that it is on american airlines", ("AA",)),
            ("make sure they are on northwest", ("NW",)),
            ("if possible with breakfast", ("BREAKFAST",)),
            ("and it has to be on a sunday", ("SUNDAY",)),
        )
    ),
    *(
        Modifier(words)
        for words in (
            "early in july",
            "late next month",
            "and back",
            "and then back again",
            "both ways",
            "for under three hours",
            "in less than four hours",
            "taking at least two hours",
            "on a small plane",
            "every other day",
            "cheaper than last year",
            "longer than the one on delta",
            "sorted by price",
            "grouped by airline",
            "with the shortest layover",
            "within two days of easter",
            "on both tuesdays",
            "on the first or last day of the month",
            "in the second week of june",
            "in the winter",
            "during the summer",
            "this spring",
            "last year",
            "in nineteen eighty",
            "for the third time",
        )
    ),
    *(
        Modifier(words, unsayable=True)
        for words in (
            "over the easter weekend",
            "near the sea",
            "close to the beach",
            "by the lake",
            "that are not full",
            "with seats left",
            "with room for five",
            "for two people",
            "for me and my wife",
            "with a window seat",
            "with free drinks",
            "with a smoking section",
            "that allow pets",
            "for students",
            "with a senior discount",
            "twice a week",
            "on alternate mondays",
            "once a month",
            "that were cancelled",
            "that leave on time",
            "that are usually late",
            "run by a family",
            "before my meeting",
            "right after the game",
            "an hour before sunset",
            "as late as the law allows",
            "as cheap as the train",
            "faster than driving",
            "with more legroom",
            "in alphabetical order",
            "in french",
            "with a vegetarian meal",
            "and the name of the pilot",
            "and the weather there",
            "and a hotel",
            "and the phone number of the airline",
            "and tell me the gate",
            "avoiding storms",
            "where i can sleep",
            "that i took yesterday",
            "which john recommended",
            "since the accident",
            "until further notice",
            "at a third of the price",
            "at twice the price",
            "for half the fare",
            "in a convoy",
            "with the same pilot",
            "with different crews",
        )
    ),
    *(
        Modifier(words, ahead=True, unsayable=True)
        for words in (
            "two of the",
            "the three best",
            "half of the",
            "all but one of the",
            "the other",
            "how reliable are the",
            "who pilots the",
            "compare the",
            "cancel the",
            "the second",
        )
    ),
)  # fmt: skip


def set_aside(modifier: Modifier) -> bool:
    """Return whether this modifier is measured and not read."""
    return hashlib.sha256(f"modifier {modifier.words}".encode()).digest()[0] % 2 == 0


class AdditionOutcome(msgspec.Struct, frozen=True):
    """Effect of an addition: "no answer", "said" (marked), "changed", "silent" (neither), "misread" (changed by what no
    database holds) or "inverted"."""

    modifier: Modifier
    request: str
    what: str
    shown: str = ""


def judged(
    engine: Engine, modifier: Modifier, question: str, before: Reading, asked: re.Pattern[str] = _ASKED
) -> AdditionOutcome:
    """Add the modifier to one request and compare."""
    request = f"{question} {modifier.words}"
    if modifier.ahead:
        request = asked.sub(f"{modifier.words} \\1", question, count=1)
    answered = engine.ask(request)
    if not answered.readings:
        return AdditionOutcome(modifier, request, "no answer")
    now = answered.readings[0]
    marked = set(now.unused) - set(before.unused)
    what = "said" if marked else "misread" if modifier.unsayable else "changed"
    if any(polarity(now.sql, value) == _OTHER.get(modifier.polarity) for value in modifier.values):
        what = "inverted" if not any(polarity(before.sql, value) for value in modifier.values) else what
    elif now.sql == before.sql and not marked:
        what = "said" if now.paraphrase != before.paraphrase else "silent"
    return AdditionOutcome(modifier, request, what, f"{now.paraphrase} [{now.confidence:.2f}]")


_OTHER = {EXCLUDED: INCLUDED, INCLUDED: EXCLUDED}


def polarity(sql: str, value: str) -> str:
    """Return whether a statement includes or excludes what has this value; empty if it does not name it."""
    for literal in sqlglot.parse_one(sql, read="sqlite").find_all(exp.Literal):
        if literal.name.upper() == value:
            above, denials = literal.parent, 0
            while above is not None:
                denials += isinstance(above, _NEGATING)
                above = above.parent
            return EXCLUDED if denials % 2 else INCLUDED
    return ""


def drawn(question: str, modifiers: Sequence[Modifier], each: int) -> list[Modifier]:
    """`each` of the modifiers for one request, by a hash of both."""
    said = set(question.lower().split())
    fitting = [m for m in modifiers if not said.issuperset(m.words.split()[-1:]) or m.ahead]
    fitting = [m for m in fitting if not m.ahead or _ASKED.search(question)]
    return sorted(fitting, key=lambda m: hashlib.sha256(f"{question}|{m.words}".encode()).digest())[:each]


def outcomes(
    engine: Engine,
    rows: Sequence[dict[str, Any]],
    runner: Runner,
    each: int,
    modifiers: Sequence[Modifier] = MODIFIERS,
) -> Iterator[AdditionOutcome]:
    """Return all additions to those of the requests that are answered right and without a rest."""
    for row in rows:
        found = engine.ask(row["question"]).readings
        if not found or found[0].unused or judge(runner, row["sql"], found[0].sql) != "right":
            continue
        for modifier in drawn(row["question"], modifiers, each):
            yield judged(engine, modifier, row["question"].rstrip(" ?."), found[0])


def report(found: Sequence[AdditionOutcome], show: bool) -> None:
    """Sums for the read and the unread half; `show` lists the read one's faults by modifier."""
    for name, aside in (("read", False), ("set aside", True)):
        half = [outcome for outcome in found if set_aside(outcome.modifier) == aside]
        counts, total = Counter(outcome.what for outcome in half), max(1, len(half))
        print(f"{name}: {len({o.modifier for o in half})} modifiers, {len(half)} additions")
        for what in ("no answer", "changed", "said"):
            print("  " + figure(what, 100 * counts[what] / total, "%"))
        print("  " + figure("unchanged in silence", 100 * counts["silent"] / total, "%", "under 2 %"))
        print("  " + figure("changed by what no database holds", 100 * counts["misread"] / total, "%", "under 2 %"))
        print("  " + figure("inverted", counts["inverted"], "times", "none", 0))
        print("  " + figure("answered at 0.9 or surer", 100 * sum(_sure(o) for o in half) / total, "%"))
    if show:
        _listed([outcome for outcome in found if not set_aside(outcome.modifier)])


def _sure(outcome: AdditionOutcome) -> bool:
    return outcome.shown[-5:-1] >= "0.90" if outcome.shown else False


def _listed(found: Sequence[AdditionOutcome]) -> None:
    by: dict[str, list[AdditionOutcome]] = {}
    for outcome in found:
        by.setdefault(outcome.modifier.words, []).append(outcome)
    for words, group in by.items():
        print(f"{words}: " + ", ".join(f"{n} {what}" for what, n in Counter(o.what for o in group).most_common()))
        for what, most in (("silent", 2), ("inverted", 2), ("misread", 2), ("changed", 2)):
            for outcome in [o for o in group if o.what == what][:most]:
                print(f"    {what}: {outcome.request}\n        {outcome.shown}")


def main(argv: list[str] | None = None) -> int:
    """Print what became of the additions; 1 where a goal is missed."""
    options = request_options(__doc__)
    options.add_argument("--each", type=int, default=3, help="additions to each request")
    options.add_argument("--cache", type=Path, help="keep reference answers here")
    options.add_argument("--show", action="store_true", help="list what became of the modifiers that may be read")
    args = options.parse_args(argv)
    rows = divided(requests(args.questions))["development"][: args.limit]
    runner = Runner(str(make_url(args.database).database), args.cache)
    found = list(outcomes(Engine(args.domain, args.database, principles=args.principles), rows, runner, args.each))
    runner.close()
    report(found, args.show)
    silent = sum(outcome.what == "silent" for outcome in found)
    inverted = any(outcome.what == "inverted" for outcome in found)
    return int(inverted or silent > 0.02 * len(found))


if __name__ == "__main__":
    sys.exit(main())
