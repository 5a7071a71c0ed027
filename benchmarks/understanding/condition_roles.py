"""Comparison of the conditions of a statement with its paraphrase: what is tested, in which direction, and which end is picked.

As in `one_meaning`, which finds literals that only one of the two has, nothing is taken from the meaning of which both are made:
here a literal that both have must be spoken for the column that it tests ("to Denver", not "from Denver"), as a bound on the same
side ("before", "after"), and the most or the least of the rows must be picked by both.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from sqlglot import exp

from domain.english.model.domain import DomainModel, Superlative

_AT_LEAST = (
    "after",
    "later than",
    "more than",
    "over",
    "above",
    "at least",
    "from",
    "since",
    "older than",
    "longer than",
)
_AT_MOST = (
    *("before", "earlier than", "less than", "fewer than", "under", "below", "at most", "by", "until"),
    *("younger than", "shorter than"),
)
_BOUND = re.compile(rf"\b(not? )?({'|'.join((*_AT_LEAST, *_AT_MOST))}) \$?(\d+(?:\.\d+)?)(?![\w.:]*\d)")
_BETWEEN = re.compile(r"\bbetween \$?(\d+(?:\.\d+)?) and \$?(\d+(?:\.\d+)?)(?![\w.:]*\d)")
_PICKED = re.compile(r", only the (.+)")
_LITERAL = re.compile(r"'([^']*)'|(?<![\w.])(\d+(?:\.\d+)?)(?![\w.])")
_TEST = re.compile(r"([<>])=? ?(\d+)\b")
_TESTED = re.compile(r"([a-z]\w*\.\w+) ?(?:[<>!]|=(?! ?[a-z]\w*\.)|in\b|is\b|not\b|like\b)", re.IGNORECASE)
_ONE = exp.Literal.number(1)


def says_there_is_one(comparison: exp.Expr | None) -> bool:
    """Return whether a comparison of a count only says that there is one: a paraphrase says "with flights"."""
    return (
        isinstance(comparison, exp.GTE)
        and isinstance(comparison.this, exp.Count)
        and comparison.expression == _ONE
        and comparison.find_ancestor(exp.Having) is not None
    )


def ranked(select: exp.Expression | None) -> bool:
    """Return whether a selection takes the first of its rows in an order."""
    return isinstance(select, exp.Select) and bool(select.args.get("order") and select.args.get("limit"))


def tests_rank(test: exp.Expression) -> bool:
    """Return whether a test leaves out of a rank the rows without a value, which no order can place."""
    inside = isinstance(test, exp.Not) and isinstance(test.this, exp.Is) and isinstance(test.this.expression, exp.Null)
    return inside and any(ranked(one) for one in _selects_around(test))


def _selects_around(node: exp.Expression) -> Iterator[exp.Expression]:
    while (found := node.find_ancestor(exp.Select)) is not None:
        yield found
        node = found


def misplaced_ranks(ordinals: Collection[str], tree: exp.Expression) -> Iterator[str]:
    """What a rank leaves out at its top, when the paraphrase does not say so by an ordinal."""
    for offset in tree.find_all(exp.Offset):
        first = int(offset.expression.name) if offset.expression.is_int else 0
        if first and str(first + 1) not in ordinals:
            yield f"the SQL alone begins with row {first + 1}"


def opposite_pick(model: DomainModel, said: str, tree: exp.Expression) -> Iterator[str]:
    """A superlative that picks the other end of the rows than the statement does, or by another column."""
    low = said.lower()
    ends = {"min" if isinstance(one, exp.Min) else "max" for one in tree.find_all(exp.Min, exp.Max)}
    tested = {_column(one.this) for one in tree.find_all(exp.Min, exp.Max) if isinstance(one.this, exp.Column)}
    for select in filter(ranked, tree.find_all(exp.Select)):
        ends |= {"max" if order.args.get("desc") else "min" for order in select.args["order"].expressions}
    if (found := _PICKED.search(low)) is None:
        counted = re.search(r" with the (?:(most|highest)|(fewest|lowest)) ", low)
        if counted and ends and ("max" if counted[1] else "min") not in ends:
            yield f"the SQL picks the {' and '.join(sorted(ends))}, the paraphrase the other end"
        return
    after = f" {_plain(found[1])} "
    picked = [about for name, about in model.superlative.items() if _word(about.say or name) in after]
    if picked and ends and not {about.pick for about in picked} & ends:
        yield f"the SQL picks the {' and '.join(sorted(ends))}, the paraphrase the other end"
    own = {column for about in picked for column in _ranking(model, about, f" {_plain(low)} ")}
    own |= {column for column in tested if _word(column.partition(".")[2]) in f" {_plain(low)} "}
    own |= {a.minimum or a.maximum for name, a in model.attribute.items() if _word(name) in f" {_plain(low)} "}
    if tested and not tested & own:
        yield f"the SQL alone picks by {' and '.join(sorted(tested))}"


def _ranking(model: DomainModel, about: Superlative, said: str) -> Iterator[str]:
    """The columns by which a superlative ranks, given what else is said."""
    flags = {_word(model.flag[flag].say or flag): column for flag, column in about.with_flag.items()}
    related = {
        flag for flag in flags if re.search(rf" with \w+{flag}", said)
    }  # "with fares round trip" restricts no row itself
    by_flag = {flag: column for flag, column in flags.items() if flag in said and flag not in related}
    yield from by_flag.values() or about.column.values()
    for name in about.refine:
        attribute = model.attribute[name]
        if f"by {name.replace('_', ' ')}" in said or {attribute.minimum, attribute.maximum} & {*about.column.values()}:
            yield from (attribute.minimum, attribute.maximum)


def _word(name: str) -> str:
    return f" {_plain(name)} "


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w'$/-]+", text.lower().replace("_", " ")))


def unlike_picked(said: str, tree: exp.Expression) -> Iterator[str]:
    """What only the rows have to meet, or only those of which the most or the least is picked."""
    if not _PICKED.search(said):
        return
    for one in tree.find_all(exp.Min, exp.Max):
        select = one.find_ancestor(exp.Select)
        if select is not None and select.find_ancestor(exp.Where) is not None:
            within = {literal.name for literal in select.find_all(exp.Literal)}
            beyond = {_inside.name for _inside in tree.find_all(exp.Literal) if select not in _selects_around(_inside)}
            yield from (f"{name!r} is not met by the picked rows" for name in sorted(within - beyond))


class Roles:
    """The columns through which the attributes of a domain reach their values, how each is said, and the tests of its own terms
    (flags and parts of the day)."""

    def __init__(
        self, model: DomainModel, names: Mapping[str, Collection[str]], rules: Mapping[str, Iterable[str]]
    ) -> None:
        self._names = names
        self._paths: dict[tuple[str, str], set[str]] = {}
        self._leads: dict[str, set[str]] = {}
        for name, attribute in model.attribute.items():
            say = attribute.say or f"with {name.replace('_', ' ')} {{}}"
            for kind in attribute.accepts:
                self._leads.setdefault(kind, set()).add(_lead(say))
            for path in "|".join(attribute.accepts.values()).split("|"):
                steps = [re.findall(r"[a-z]\w*\.\w+", step) for step in path.split(";")]
                for step in steps if steps[-1] and "," not in path else ():  # a join may have gone the first ones
                    self._paths.setdefault((step[0], steps[-1][-1]), set()).add(say if "{}" in say else f"{say} {{}}")
        terms = {flag.say or name: " & ".join(flag.where) for name, flag in model.flag.items()}
        terms |= {name: f"x >= {about.begin} AND x <= {about.end}" for name, about in model.period.items()}
        for key, fragments in rules.items():
            if key.startswith("period "):
                terms[key.removeprefix("period ")] = " & ".join(fragments)
        self._added = " ".join(str(attribute.overnight) for attribute in model.attribute.values())
        self._terms = sorted(((_word(term), tests) for term, tests in terms.items()), key=lambda one: -len(one[0]))

    def _spoken_terms(self, said: str) -> Iterator[tuple[str, str, str]]:
        """The terms in a paraphrase, each with its tests and the word before it that denies it or makes it a bound ("not", "by");
        the longer of two that share words."""
        rest = f" {_plain(said)} "
        for term, tests in self._terms:
            if found := re.search(rf"(?: (not|by|before|after|until|since)(?: the)?)?{term}", rest):
                rest = rest.replace(term, " | ")
                yield term.strip(), tests, found[1] or ""

    def untested(self, said: str, tree: exp.Expression) -> Iterator[str]:
        """Terms of the domain that are said, which the statement does not test."""
        literals = {_number(literal) for literal in tree.find_all(exp.Literal)}
        tested = {_column(one) for where in tree.find_all(exp.Where) for one in where.find_all(exp.Column)}
        for term, tests, before in self._spoken_terms(said):
            wanted = {(quoted or number).lower() for quoted, number in _LITERAL.findall(tests)}
            missing = wanted - literals if before in {"", "not"} else wanted and not wanted & literals
            if term not in literals and (missing or {*_TESTED.findall(tests)} - tested):
                yield f"{term} is in the paraphrase alone"

    def opposite_bounds(self, said: str, tree: exp.Expression) -> Iterator[str]:
        """Bounds that are at the other side in the paraphrase, whose times are numbers (hhmm)."""
        sides: dict[str, set[str]] = {}
        for denied, cue, number in _BOUND.findall(said):
            side = "at least" if (cue in _AT_LEAST) != bool(denied) else "at most"
            sides.setdefault(number, set()).add(side)
        for low, high in _BETWEEN.findall(said):
            sides.setdefault(low, set()).add("at least")
            sides.setdefault(high, set()).add("at most")
        for _, tests, before in self._spoken_terms(said):
            for sign, number in _TEST.findall(tests) if not before else ():
                sides.setdefault(number, set()).add("at least" if sign == ">" else "at most")
        for comparison in tree.find_all(exp.GT, exp.GTE, exp.LT, exp.LTE):
            if not isinstance(comparison.expression, exp.Literal) or comparison.find_ancestor(exp.Not):
                continue
            number, side = _number(comparison.expression), "at least" if _is_lower(comparison) else "at most"
            if sides.get(number, {side}) == {"at most" if _is_lower(comparison) else "at least"}:
                yield f"{number} is {side} in the SQL, and not in the paraphrase"

    def mistaken(self, said: str, tree: exp.Expression) -> Iterator[str]:
        """Literals that the paraphrase names, but not for the column that they test."""
        low = said.lower()
        for literal in tree.find_all(exp.Literal):
            column = _compared_column(literal)
            if column is None or re.search(rf"{re.escape(column)} ?[<>=]+ ?{re.escape(literal.name)}\b", self._added):
                continue
            reached = (self._paths.get((first, column), set()) for first in _reached_by(literal))
            ways = next((found for found in reached if found), set[str]())
            if literal.is_string:
                names = {literal.name.lower(), *self._names.get(literal.name.strip().lower(), ())}
                told = not any(name in low for name in names) or any(_says(low, way, names) for way in ways)
            else:
                told = any(self._leads_to(low, _lead(way), _number(literal)) for way in ways)
            if ways and not told:
                yield f"{literal.name!r} is {' or '.join(sorted(ways))} in the SQL alone"

    def _leads_to(self, said: str, lead: str, number: str) -> bool:
        """Return whether the lead of a pattern is said, before a number that is said, and no other lead between."""
        pattern = re.compile(rf"(?<![\w.:]){re.escape(number)}(?![\w:]|\.\d)")
        if not lead or not pattern.search(said):
            return lead in said
        others = {other for leads in self._leads.values() if lead in leads for other in leads}
        before = [said[: one.start()] for one in pattern.finditer(said)]
        last = (max(others, key=lambda other: (text.rfind(f" {other} "), len(other)), default="") for text in before)
        return any(one == lead for one in last)


def _lead(say: str) -> str:
    """Return the words before the value in what is said of an attribute."""
    return say.partition("{}")[0].strip().lower()


def _is_lower(comparison: exp.Binary) -> bool:
    return isinstance(comparison, exp.GT | exp.GTE)


def _number(literal: exp.Literal) -> str:
    """Return what a literal holds, a time (07:30) or 7.0 as the number that it is."""
    text = literal.name.lower()
    return str(int(text.replace(":", "").removesuffix(".0"))) if re.fullmatch(r"\d\d:\d\d|\d+(\.0)?", text) else text


def _says(said: str, way: str, names: Collection[str]) -> bool:
    """Return whether a pattern is said of one of these names, alone or among alternatives."""
    before, _, after = way.lower().partition("{}")
    start = rf"\b{re.escape(before)}" if before else ""
    several = r"(?:(?:[\w.'&/-]+ ){1,6}or )*"
    rest = rf"(?: or [\w.'&/-]+(?: [\w.'&/-]+){{0,5}}?)*{re.escape(after)}" if after else ""
    return any(re.search(rf"{start}{several}{re.escape(name)}{rest}", said) for name in names)


def _compared_column(literal: exp.Expression) -> str | None:
    """Return the column that a literal is compared with, with its table."""
    parent = literal.parent
    if isinstance(parent, exp.EQ | exp.In | exp.GT | exp.GTE | exp.LT | exp.LTE | exp.Between):
        return _column(parent.this) if isinstance(parent.this, exp.Column) else None
    return None


def _column(column: exp.Column) -> str:
    """Return a column with the name of its table, without the number of an alias."""
    return f"{re.sub(r'_[0-9]+$', '', column.table)}.{column.name}"


def _reached_by(literal: exp.Expression) -> Iterator[str]:
    """The columns that are tested around a literal, the outermost first, the one beside it last."""
    found = []
    node = literal.parent
    while node is not None:
        if isinstance(node, exp.In) and isinstance(node.this, exp.Column) and not node.expressions:
            found.append(_column(node.this))
        node = node.parent
    yield from reversed(found)
    if (beside := _compared_column(literal)) is not None:
        yield beside
