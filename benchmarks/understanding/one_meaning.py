"""Comparison of a paraphrase with its statement: each literal and condition of one is found in the other.

Nothing is taken from the meaning of which both are made. The statement is taken apart by its own grammar: its literals must be
spoken in the paraphrase, as a name, a number, a time or a day, or by the flag or the part of the day whose test they are. The
paraphrase is taken apart by its words: its numbers, times, days and names must be literals of the statement. What denies,
offers alternatives, counts or picks the most must do so in both.

    python -m benchmarks.understanding.one_meaning --questions FILE --database URL --domain DIR [--show]
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

import sqlglot
from sqlglot import exp

from benchmarks.english import divided, request_options, requests
from benchmarks.figures import figure
from benchmarks.understanding.condition_roles import (
    Roles,
    misplaced_ranks,
    opposite_pick,
    ranked,
    says_there_is_one,
    tests_rank,
    unlike_picked,
)
from domain.english.engine import Engine
from domain.english.model.domain import DomainModel
from domain.english.model.value_index import phrase
from domain.english.reading import Reading
from domain.english.text.numbers import ordinal_words
from domain.english.text.times import MONTHS, WEEKDAYS

_LITERAL = re.compile(r"'([^']*)'|(?<![\w.])(\d+(?:\.\d+)?)(?![\w.])")
_CLOCK = re.compile(r"\b(\d{1,2})(?::(\d\d))? ([ap])\.m\.")
_DAY = re.compile(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}}), (\d{{4}})\b", re.IGNORECASE)
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)$")
_TIME = re.compile(r"\d\d:\d\d$")
_MONTH = re.compile(rf"\b({'|'.join(MONTHS)}) (\d{{4}})\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w:.])\$?(\d+(?:\.\d+)?)(?![\w:]|\.\d)")
_NAME = re.compile(r"(?:(?<=\s)|^)[A-Z][\w.'&/-]*")
_DENYING = re.compile(r"\b(not|no|none|without)\b")
_REMARK = re.compile(r"\([^()]*: (?:the database has|another)[^()]*\)")
"""Remarks of a flag that tell what is not looked up."""
_ORDINALS = {ordinal_words(place): str(place) for place in range(2, 32)}


def _month(figures: str) -> str:
    """The name of the month with these two figures, between blanks; what no words hold for none."""
    number = int(figures) if figures.isdigit() else 0
    return f" {MONTHS[number - 1]} " if 1 <= number <= len(MONTHS) else "\0"


class DomainNames:
    """The names that values of one domain have, and the literals of its own tests."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.names: dict[str, set[str]] = {}
        for words, found in engine.names.items():
            for named in found:
                self.names.setdefault(_plain(named.value), set()).add(" ".join(words))
        model, rules = engine.model, engine.conventions.rules
        self.remarks = _remarks(model)
        self.roles = Roles(model, self.names, rules)
        self.tests: dict[str, set[str]] = {}
        flags = {flag.say or name.replace("_", " "): flag.where for name, flag in model.flag.items()}
        self._own([*flags], [*flags.values()])
        self.denying = {words.lower() for words, where in flags.items() if re.search(r"!=|\bnot\b", " ".join(where))}
        self.denying |= {words.lower() for words in flags if _DENYING.search(words)}
        self.denying |= {f"not {words.lower()}" for words in flags}  # "at most none" may say it
        self.overnight = any(attribute.overnight for attribute in model.attribute.values())
        self.around = engine.conventions.around
        self._own([""] * len(model.entity), [entity.where for entity in model.entity.values()])
        attributes = model.attribute.values()
        for part in ("where", "overnight"):
            self._own([""] * len(attributes), [_texts(getattr(attribute, part)) for attribute in attributes])
        self._own([""] * len(attributes), [tuple(attribute.accepts.values()) for attribute in attributes])
        self._own(
            [""] * len(attributes), [(*attribute.select, *attribute.with_flag.values()) for attribute in attributes]
        )
        periods = model.period
        self._own([name.replace("_", " ") for name in periods], [(f"{p.begin} {p.end}",) for p in periods.values()])
        for key, fragments in rules.items():
            self._own([key.partition(" ")[2].replace("_", " ") if key.startswith("period") else ""], [fragments])

    def _own(self, said: Sequence[str], tests: Sequence[Sequence[str]]) -> None:
        for words, texts in zip(said, tests, strict=True):
            for text in texts:
                for quoted, number in _LITERAL.findall(text):
                    self.tests.setdefault(_plain(quoted or number), set()).add(words.lower())

    def differences(self, reading: Reading) -> list[str]:
        """Return what only one of statement and paraphrase says."""
        said = _REMARK.sub(" ", self.remarks.sub(" ", reading.paraphrase))
        tree: exp.Expression = sqlglot.parse_one(reading.sql, read=self.engine.dialect_name)  # type: ignore[assignment]
        literals = [*_literals(tree)]
        unlike = [*_unlike(said, tree)]
        if any(words in said.lower() for words in self.denying) or (self.overnight and "arriving" in said):
            unlike = [
                what for what in unlike if not what.endswith("denies")
            ]  # what a flag tests, and days over midnight
        return [*self._unspoken(said, literals), *self._unasked(said, literals), *unlike, *self._turned(said, tree)]

    def _turned(self, said: str, tree: exp.Expression) -> Iterator[str]:
        """Conditions on the same literal that differ in what they test, in which direction or from which end."""
        places = {number for words, number in _ORDINALS.items() if re.search(rf"\b{words}\b", said.lower())}
        yield from misplaced_ranks(places, tree)
        yield from unlike_picked(said, tree)
        yield from self.roles.untested(said, tree)
        yield from self.roles.opposite_bounds(_CLOCK.sub(_hours, said), tree)
        yield from opposite_pick(self.engine.model, said, tree)
        yield from self.roles.mistaken(_CLOCK.sub(_hours, said), tree)

    def _unspoken(self, said: str, literals: Sequence[str]) -> Iterator[str]:
        low = said.lower()
        words = f" {' '.join(phrase(said))} "
        heard = {*_numbers(said)}
        heard |= {near for number in heard for near in self._near(said, number)}
        for literal in literals:
            owners = self.tests.get(literal)
            by_test = owners is not None and any(owner in low for owner in owners)
            named = any(
                f" {name} " in words for name in (literal, " ".join(phrase(literal)), *self.names.get(literal, ()))
            )
            dated = any(day <= heard for day in _days(literal)) or bool({*self._aged(literal)} & heard)
            dated = dated or self._night_before(low, literal) or (len(literal) == 2 and _month(literal) in words)
            if not (by_test or named or dated or literal in heard or self._measured(words, literal)):
                yield f"{literal!r} is in the SQL alone"

    def _night_before(self, said: str, literal: str) -> bool:
        """Return whether a weekday is the one before an arrival that is spoken: what goes past midnight began on it."""
        if not (self.overnight and literal in WEEKDAYS):
            return False
        following = WEEKDAYS[(WEEKDAYS.index(literal) + 1) % len(WEEKDAYS)]
        return f"arriving on {following}" in said

    def _aged(self, literal: str) -> Iterator[str]:
        """The ages at which somebody is who was born that many whole years ago, or turns them tomorrow."""
        today = self.engine.today.day
        if (found := _ISO.match(literal)) is not None and [*map(int, found.groups())][1:] == [today.month, today.day]:
            yield from (str(today.year - int(found[1]) - more) for more in (0, 1))

    def _measured(self, words: str, literal: str) -> bool:
        """Return whether a number may be an amount in a unit that is spoken: 60 for an hour."""
        units = {unit for about in self.engine.model.unit.values() for unit in about.words}
        return literal.replace(".", "").isdigit() and any(f" {unit} " in words for unit in units)

    def _near(self, said: str, number: str) -> Iterator[str]:
        """The bounds for which "around" stands, the day before one of arrival, and what "between" and midnight come to."""
        if re.search(r"\b(around|about)\b", said) and number.isdigit():
            minutes = int(number) // 100 * 60 + int(number) % 100
            times = ((minutes - self.around) % 1440, minutes + self.around)
            yield from (str(time // 60 * 100 + time % 60) for time in times)
            yield from (_plain(round(float(number) * part, 6)) for part in (0.9, 1.1))
        if self.overnight and "arriving" in said and number.isdigit():
            yield str(int(number) - 1)
        if number == "0":
            yield from ("2400", "2401", "1")

    def _unasked(self, said: str, literals: Sequence[str]) -> Iterator[str]:
        known = {*literals, *(number for literal in literals for day in _days(literal) for number in day)}
        known |= {years for literal in literals for years in self._aged(literal)}
        for number in _numbers(said):
            if not known & {number, *self._near(said, number)} and not any(
                number in re.findall(r"\d+", literal) for literal in literals
            ):
                yield f"{number} is in the paraphrase alone"
        names = {
            word for literal in literals for name in (literal, *self.names.get(literal, ())) for word in phrase(name)
        }
        low = said.lower()
        names |= {word for tests in self.tests.values() for words in tests if words in low for word in phrase(words)}
        patterns = [a.say for a in self.engine.model.attribute.values()]
        patterns += [entity.many for entity in self.engine.model.entity.values()]
        names |= {word for pattern in patterns for word in phrase(pattern)}
        for name in _NAME.findall(said):
            if not {*phrase(name)} <= {*names, *MONTHS, *WEEKDAYS}:
                yield f"{name} is in the paraphrase alone"
        for day in WEEKDAYS:
            if re.search(rf"\b{day}\b", said.lower()) and day not in known:
                yield f"{day} is in the paraphrase alone"


def _remarks(model: DomainModel) -> re.Pattern[str]:
    """Return what attributes without a column say of a value: it is told, and nothing is looked up."""
    told = [about.say for about in model.attribute.values() if about.accepts and {*about.accepts.values()} == {"-"}]
    return re.compile("|".join(".+?".join(map(re.escape, say.split("{}"))) for say in told if "{}" in say) or r"(?!)")


def _hours(clock: re.Match[str]) -> str:
    """Return a time as it is held: 1700 for 5 p.m."""
    return str(int(clock[1]) % 12 * 100 + int(clock[2] or 0) + 1200 * (clock[3] == "p"))


def _texts(value: object) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(map(str, value))  # type: ignore[call-overload]


def _plain(value: object) -> str:
    text = str(value).strip().lower()
    return text.removesuffix(".0") if re.fullmatch(r"\d+\.0", text) else text


def _literals(tree: exp.Expression) -> Iterator[str]:
    """The literals with which columns are compared, texts of times as numbers."""
    for literal in tree.find_all(exp.Literal):
        inside = literal.find_ancestor(exp.Where, exp.Having) and not literal.find_ancestor(
            exp.Substring, exp.Anonymous
        )
        found = literal.find_ancestor(exp.StrPosition) or not isinstance(_beside(literal), exp.StrPosition)
        placed = literal.find_ancestor(exp.Offset) or says_there_is_one(literal.parent)
        if inside and found and not placed:
            text = _plain(literal.name).strip("%")
            yield str(int(text.replace(":", ""))) if _TIME.match(text) else text


def _beside(literal: exp.Expression) -> exp.Expression | None:
    """Return what a literal is compared with."""
    parent = literal.parent
    return parent.this if parent is not None else None


def _days(literal: str) -> Iterator[frozenset[str]]:
    """The ways to speak a day in a bound: itself or the one before, as the month or year that begins or ended there."""
    if (found := _ISO.match(literal)) is not None:
        day = date(*map(int, found.groups()))
        for one in (day, day - timedelta(1)):
            yield frozenset(map(str, (one.year, one.month, one.day)))
            if day.day == 1:
                yield frozenset(map(str, (one.year, one.month)))
            if (day.month, day.day) == (1, 1):
                yield frozenset([str(one.year)])


def _numbers(said: str) -> Iterator[str]:
    """The numbers that a paraphrase speaks, times as they are held."""
    yield from map(_hours, _CLOCK.finditer(said))
    rest = _CLOCK.sub(" ", said)
    for month, day, year in _DAY.findall(rest):
        yield from (str(MONTHS.index(month.lower()) + 1), str(int(day)), year)
    rest = _DAY.sub(" ", rest)
    for month, year in _MONTH.findall(rest):
        yield from (str(MONTHS.index(month.lower()) + 1), year)
    yield from (_plain(number) for number in _NUMBER.findall(_MONTH.sub(" ", rest)))


def _unlike(said: str, tree: exp.Expression) -> Iterator[str]:
    """Return what one does with conditions and the other does not."""
    counted = any(not says_there_is_one(one.parent) for one in tree.find_all(exp.Count))
    picked = tree.find(exp.Min, exp.Max) is not None and " with the " not in said
    picked = picked or any(map(ranked, tree.find_all(exp.Select)))
    denied = any(not tests_rank(one) for one in tree.find_all(exp.Not, exp.NEQ))
    pairs = (
        ("denies", bool(_DENYING.search(said.lower())), denied),
        (
            "counts",
            bool(
                re.search(
                    r"\b(number|whether each|share of|most|fewest|more than|at least|fewer than|at most|with \d+)\b",
                    said,
                )
            ),
            counted,
        ),
        ("picks", bool(re.search(r", only the |highest|lowest|\b(?:than|before|after) all ", said)), picked),
    )
    for what, spoken, asked in pairs:
        if spoken != asked and not (what == "counts" and spoken):
            yield f"{'the paraphrase' if spoken else 'the SQL'} alone {what}"


def checked(engine: Engine, questions: Sequence[str]) -> Iterator[tuple[str, Reading, list[str]]]:
    """Each reading of the requests in which the two differ, and in what."""
    voice = DomainNames(engine)
    for question in questions:
        for reading in engine.ask(question).readings:
            if found := voice.differences(reading):
                yield question, reading, found


def main(argv: list[str] | None = None) -> int:
    """Print how many readings say one thing and do another, and with `--show` which; 1 where there is one."""
    options = request_options(__doc__)
    options.add_argument("--show", action="store_true", help="list the readings of requests that may be read")
    args = options.parse_args(argv)
    rows: list[dict[str, Any]] = divided(requests(args.questions))["development"][: args.limit]
    found = [
        *checked(Engine(args.domain, args.database, principles=args.principles), [row["question"] for row in rows])
    ]
    for question, reading, differences in found if args.show else ():
        print(
            f"{question}\n    {reading.paraphrase}\n    {'; '.join(differences)}\n    {' '.join(reading.sql.split())}"
        )
    print(figure(f"of {len(rows)} requests, readings that say one thing and do another", len(found), "", "none", 0))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
