"""Guesses from a table's own columns: attributes, quantities with units, dates, flags and superlatives."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from domain.english.model.domain import AmountUnit, Attribute, Flag, Literal, Superlative
from domain.learn.code_tables import CodedColumns
from domain.learn.column_wording import (
    columns_alike,
    dated_said,
    described_things,
    not_payments_said,
    nothing_in,
    payments_said,
    residence_verbs,
    tells_making,
)
from domain.learn.foreign_keys import FlagWords, kind_name, null_flags
from domain.learn.names_in_words import collected_things, in_words
from domain.learn.row_dates import EVENT_SUPERLATIVES, dates_alone, main_date
from domain.learn.schema_wording import (
    NAMES,
    PLACES,
    absence_phrases,
    agent_verbs,
    bare_participle,
    bare_verbs,
    both,
    death_words,
    direction,
    done_forms,
    inverted_forms,
    is_birth_date,
    is_keylike,
    is_participle,
    measures,
    not_required,
    presence_phrases,
    required,
    singular,
    undone_forms,
    unit_of,
    value_cues,
    without_unit,
)
from domain.learn.short_names import counted_units, short_names, sorted_things
from domain.learn.survey import ColumnFacts, Survey, TableFacts

_MONEY = frozenset([
    "price", "cost", "fare", "fee", "salary", "amount", "budget", "revenue", "wage", "income", "total", "charge", "pay",
    "fine", "fines", "owed", "debt", "balance", "value", "worth", "tax", "rent", "deposit", "prize", "bonus", "eur", "euro",
    "euros", "usd",
    "gbp", "dollars", "commission",
    "donation", "profit", "turnover",
])  # fmt: skip
_PRICES = frozenset(["price", "cost", "fare", "fee", "rate"])
_YEARLY = frozenset([
    "year", "built", "founded", "established", "published", "released", "acquired", "born", "died", "opened", "closed", "made",
    "created", "since", "joined", "started", "begun", "began", "birth", "death", "planted", "painted", "written", "recorded",
    "composed", "discovered", "launched", "commissioned", "retired", "bought", "purchased", "start", "end", "from", "to",
])  # fmt: skip
"""Words in a column's name that indicate years."""
_SOME_YEARS, _RECENT = (
    3,
    1850,
)  # so many whole numbers, none of which is lower, are years whatever their column is called
_ON_DAYS = ("on", "in", "for")
_SEXES = {
    "F": ("female", "females", "woman", "women", "girl", "girls"), "M": ("male", "males", "man", "men", "boy", "boys")
}  # fmt: skip
_OPPOSITES = {
    "active": "inactive",
    "available": "unavailable",
    "complete": "incomplete",
    "valid": "invalid",
    "passed": "failed",
    "visible": "hidden",
}
_TRUE = ("y", "yes", "true", "1")
_FALSE = ("n", "no", "false", "0")


class Columns:
    """Builds the attributes and flags of columns; `units` and `superlatives` collect those of all columns."""

    def __init__(self, facts: Survey, coded: CodedColumns) -> None:
        self._facts = facts
        self._coded = coded
        self.units: dict[str, AmountUnit] = {}
        self.superlatives: dict[str, Superlative] = {}

    def attribute(self, table: TableFacts, column: ColumnFacts) -> Attribute:
        full, words, own = f"{table.name}.{column.name}", without_unit(column.name), singular(in_words(table.name))
        words = words.removesuffix(" code") if self._coded.of(table, column) else words
        said = [*both(words), *both(f"{own} {words}")]
        said += ["name", "names"] if words == f"{own} name" else []
        said += [*self._short(table, column), *sorted_things(table, column), *short_names(self._facts, table, column)]
        said += [*self._alike(table, column, words), *counted_units(table, column)]
        said += inverted_forms(words) if _PRICES & {*words.split()} else []
        said += ["how much is", "how much are", "how much"] if self._is_only_price(table, column) else []
        said += ["length", "duration"] if self._is_length(table, column) else []
        said += [
            form.replace(" per ", f" {each} ") for form in said for each in ("a", "each", "every") if " per " in form
        ]
        ordered = column.holds in {"number", "date", "clock"} and not self._identifies(table, column)
        verbs = (
            [verb for verb in value_cues(column.name) if verb not in self._words_of_others(table, column)]
            if ordered
            else []
        )
        verbs += [bare_participle(column.name), *bare_verbs(column.name)] if column.holds in {"date", "clock"} else []
        alone = [c.name for c in table.columns if c.holds == "date"] == [column.name]
        verbs += _ON_DAYS if alone and self._is_row_date(table, column) else ()
        asking, before = agent_verbs(words) if column.holds == "text" else ([], [])
        cues: Sequence[str] = (
            *both(words),
            *asking,
            *before,
            *(residence_verbs(column.name) if column.holds == "text" else ()),
            *(verbs if ordered or column.holds == "number" else self._direction(table, column) or PLACES),
        )
        if column.missing:
            # "with a role" says that there is one; "with role lead" says which
            cues = (*cues, *self._presence_phrases(words))
        if table.key == (column.name,):
            named = in_words(table.name)
            cues = (*cues, *both(named), *both(named.rpartition(" ")[2]))
        cues = (*cues, *described_things(column.name)) if column.holds == "text" else cues
        name_like = column.name.lower() in NAMES
        return Attribute(
            table.name, (*said, *(f"who {verb}" for verb in asking)), tuple(cues),
            accepts=self._accepts(table, column), select=(full,),
            default=self._default(table, column, name_like), say=f"{words} {{}}",
            trailing=(*both(words), *verbs) if ordered else described_things(column.name), only_named=column.holds == "date",
            minimum=full if ordered else "", maximum=full if ordered else "",
        )  # fmt: skip

    def _alike(self, table: TableFacts, column: ColumnFacts, words: str) -> list[str]:
        """Everyday words for the same thing, where no other column of the table and no table is called so."""
        others = {form for c in table.columns if c != column for form in both(without_unit(c.name))}
        others |= {form for t in self._facts.tables for form in both(in_words(t.name))}
        alone = [c.name for c in table.columns if c.holds == "date"] == [column.name]
        alone = alone or main_date(self._facts, table) == column.name
        dates = ["date", "dates", "day"] if alone and not is_birth_date(column.name) else []
        years = [c.name for c in table.columns if "year" in in_words(c.name).split()] == [column.name]
        dates += ["year", "years"] if years and words != "year" else []
        return [form for form in (*columns_alike(words), *dates) if form not in others]

    def _is_length(self, table: TableFacts, column: ColumnFacts) -> bool:
        """Return whether a column of numbers is named only by its unit of time: the milliseconds of a track are its
        length."""
        words = in_words(column.name)
        return column.holds == "number" and words in {"milliseconds", "seconds", "minutes", "hours"} and not any(
            {"length", "duration"} & {*in_words(c.name).split()} for c in table.columns
        )  # fmt: skip

    def _words_of_others(self, table: TableFacts, column: ColumnFacts) -> set[str]:
        """Return the words that belong to another column with a simpler name: a film is "long" by its length, not by its
        rental duration."""
        compound = " " in without_unit(column.name)
        others = [c for c in table.columns if c != column and " " not in without_unit(c.name)]
        said = [words for c in others for words in (value_cues(c.name), *measures(c.name))] if compound else []
        return {*itertools.chain(*said)}

    def _is_only_price(self, table: TableFacts, column: ColumnFacts) -> bool:
        """Return whether a column is the entity's only price, which "how much is" asks for."""
        prices = [c.name for c in table.columns if c.holds == "number" and _PRICES & {*in_words(c.name).split()}]
        return prices == [column.name]

    def age(self, table: TableFacts, column: ColumnFacts) -> Attribute | None:
        """Return the attribute for the age in years, from a date of birth: "how old is", "over sixty"; None for other dates,
        and where a column holds the age."""
        if (
            column.holds != "date"
            or not is_birth_date(column.name)
            or any(c.name.lower() == "age" for c in table.columns)
        ):
            return None
        full = f"{table.name}.{column.name}"
        return Attribute(
            table.name, ("age", "ages", "how old"), ("aged", "age", "over", "under"),
            ("years old", "year old", "years of age"), {"years": full}, years_since=full, default=1, say="aged {}",
        )  # fmt: skip

    def _identifies(self, table: TableFacts, column: ColumnFacts) -> bool:
        """Return whether a number only identifies rows, so that superlatives do not apply."""
        return is_keylike(column.name) or table.key == (column.name,)

    def _direction(self, table: TableFacts, column: ColumnFacts) -> tuple[str, ...]:
        """Return the prepositions of a column when another column has the opposite direction: origin, destination."""
        ways = [direction(in_words(c.name)) for c in table.columns if c.holds in {"text", "code"}]
        own = direction(in_words(column.name))
        return own if any(way and way != own for way in ways) else ()

    def _short(self, table: TableFacts, column: ColumnFacts) -> list[str]:
        """Return the short form of a compound name that no other column shares: "price" for the unit price."""
        last = in_words(column.name).rpartition(" ")[2]
        alike = [c for c in table.columns if in_words(c.name).rpartition(" ")[2] == last]
        tellable = column.holds == "number" and (last in _MONEY or any(measures(last)))
        return list(both(last)) if tellable and len(alike) == 1 and last != in_words(column.name) else []

    def _is_row_date(self, table: TableFacts, column: ColumnFacts) -> bool:
        """Return whether a date belongs to the row itself: it is called date, is named after the table, as `loaned_on` of
        loans, or is part of the key."""
        said = bare_participle(column.name)
        own = singular(collected_things(table.name) or in_words(table.name))
        stems = {own, own.rpartition(" ")[2], own.removesuffix("ing"), own.removesuffix("ing") + "e"}
        return (
            said in {"date", "day", *stems, *(f"{stem}ed" for stem in stems), *(f"{stem}d" for stem in stems)}
            or column.name in table.key
        )

    def _default(self, table: TableFacts, column: ColumnFacts, name_like: bool) -> int:
        """Return the rank as a default attribute: names, amounts of money, event dates and textual codes need no cue."""
        if column.holds == "date":
            return 1 if self._is_row_date(table, column) or main_date(self._facts, table) == column.name else 0
        if column.holds == "clock":
            return 1 if [c.name for c in table.columns if c.holds == "clock"] == [column.name] else 0
        if sex_words(column) or self._coded.of(table, column):
            return 1 if sex_words(column) else 2
        if column.holds == "text" and self._direction(table, column):
            return 0
        if column.holds == "text":
            return 1 if name_like else 2
        if [c.name for c in table.columns if holds_years(c)] == [column.name] and dates_alone(table, column.name):
            return 1
        unit = unit_of(column.name)
        alone = unit and [unit_of(c.name) for c in table.columns].count(unit) == 1
        return 3 if alone or _MONEY & set(in_words(column.name).split()) else 0

    def _accepts(self, table: TableFacts, column: ColumnFacts) -> dict[str, str]:
        full = f"{table.name}.{column.name}"
        match column.holds:
            case "text" | "code":
                shown = find_source_table(self._facts, table, column) or table
                return {kind_name(shown.name, column.name): full}
            case "clock":
                return {"clock": full}
            case "date":
                return {"date": full, "month": full, "year": full} | ({"clock": full} if column.timed else {})
            case "number" if self._identifies(table, column):
                return {"code": full}
            case "number":
                money = _MONEY & set(in_words(column.name).split())
                measured = unit_of(column.name)
                if measured:
                    self.units[measured[0]] = AmountUnit(measured[1])
                units = {measured[0]: full} if measured else {}
                years = {"year": full} if holds_years(column) else {}
                return {"number": full} | ({"money": full} if money else {}) | units | years
            case _:
                return {}

    def boolean_flags(self, table: TableFacts, column: ColumnFacts) -> Iterator[tuple[str, Flag]]:
        """Yield the flags of a boolean column, with "unpaid" for what is not paid."""
        words = in_words(column.name).removeprefix("is ").removeprefix("has ")
        name = kind_name(table.name, column.name)
        done = words.rpartition(" ")[2]
        done = done if is_participle(done) and done != words and not required(words) else ""
        true = next((v for v in column.sample if str(v).lower() in _TRUE), 1)
        yield (
            name,
            Flag(
                (words, *required(words), *done_forms(words), *(payments_said(words, done) if done else [])),
                table.name,
                (_equals(table, column, true),),
            ),
        )
        false = next((v for v in column.sample if str(v).lower() in _FALSE), None)
        if false is not None and required(words):
            yield (
                f"{name}_not",
                Flag(tuple(not_required(words)), table.name, (_equals(table, column, false),), f"no {words}"),
            )
        if false is not None and done:
            denied = tuple(not_payments_said(words, done))
            yield f"{name}_not", Flag(denied, table.name, (_equals(table, column, false),), f"not {words}")
        if false is not None and is_participle(words):
            yield (
                f"{name}_not",
                Flag(
                    (f"un{words}", *undone_forms(words)), table.name, (_equals(table, column, false),), f"not {words}"
                ),
            )
        if false is not None and words in _OPPOSITES:
            yield (
                f"{name}_not",
                Flag((_OPPOSITES[words],), table.name, (_equals(table, column, false),), f"not {words}"),
            )

    def completion_flags(self, table: TableFacts, column: ColumnFacts) -> Iterator[tuple[str, Flag]]:
        """Yield the flags of an optional date: loans that are returned, and those that are not."""
        words = bare_participle(column.name)
        if column.holds != "date" or not column.missing:
            return
        if ended := death_words(words):
            yield from null_flags(
                table, column, kind_name(table.name, column.name), *(FlagWords(w, w[0]) for w in ended)
            )
            return
        alone = [c.name for c in table.columns if c.holds == "date"] == [column.name]
        if alone and (tells_making(words) or words in {"date", "day"}):
            dated = FlagWords(dated_said(True), "dated"), FlagWords(dated_said(False), "undated")
            yield from null_flags(table, column, kind_name(table.name, column.name), *dated)
        if not is_participle(words) or tells_making(words):
            return
        done, undone = (
            FlagWords((words, f"been {words}", *bare_verbs(column.name)), words),
            FlagWords((f"un{words}",), f"not {words}"),
        )
        yield from null_flags(table, column, kind_name(table.name, column.name), done, undone)

    def presence_flags(self, table: TableFacts, column: ColumnFacts) -> Iterator[tuple[str, Flag]]:
        """Yield the flags of an optional amount or text: "without a phone"; none for identifiers."""
        if column.missing and column.holds in {"number", "text", "code"} and not is_keylike(column.name):
            words = without_unit(column.name)
            some, none = (
                FlagWords(self._presence_phrases(words), f"with {words}"),
                FlagWords(absence_phrases(words), f"without {words}"),
            )
            yield from null_flags(table, column, kind_name(table.name, column.name), some, none)
        elif column.holds == "text" and (nothing := nothing_in(column.sample)) is not None:
            words = without_unit(column.name)
            wanting = (*absence_phrases(words), f"without any {words}", f"not have any {words}", f"no {words}")
            test = _equals(table, column, nothing)
            yield f"{kind_name(table.name, column.name)}_none", Flag(wanting, table.name, (test,), f"without {words}")

    def zero_flags(self, table: TableFacts, column: ColumnFacts) -> Iterator[tuple[str, Flag]]:
        """Yield the flags for a quantity of zero that has a word: out of stock, free."""
        full, words = f"{table.name}.{column.name}", {*in_words(column.name).split()}
        if column.holds != "number" or not any(value == 0 for value in column.sample):
            return
        name = kind_name(table.name, column.name)
        if "stock" in words:
            yield f"{name}_none", Flag(("out of stock", "sold out"), table.name, (f"{full} = 0",), "out of stock")
            yield f"{name}_some", Flag(("in stock",), table.name, (f"{full} > 0",), "in stock")
        elif _PRICES & words:
            yield (
                f"{name}_none",
                Flag(
                    ("free", "free of charge", "cost nothing", "costs nothing", "costing nothing"),
                    table.name,
                    (f"{full} = 0",),
                    "free",
                ),
            )

    def _presence_phrases(self, words: str) -> tuple[str, ...]:
        return (*presence_phrases(words), *(f"{verb} {words}" for verb in ("with", "have", "has", "had", "having")))

    def add_superlatives(self, table: TableFacts, column: ColumnFacts) -> None:
        """Add the superlatives of a quantity to `superlatives`."""
        dated = main_date(self._facts, table) == column.name
        most, least = EVENT_SUPERLATIVES if dated else measures(column.name)
        if column.holds not in {"number", "date"} or not most or is_keylike(column.name):
            return
        if {*most, *least} <= self._words_of_others(table, column):
            return
        for pick, words in (("max", most), ("min", least)):
            name = words[0].replace(" ", "_")
            if name in self.superlatives and self.superlatives[name].words != tuple(words):
                name = f"{name}_by_{kind_name(table.name, column.name)}"
            columns = dict(self.superlatives[name].column) if name in self.superlatives else {}
            columns.setdefault(table.name, f"{table.name}.{column.name}")
            self.superlatives[name] = Superlative(tuple(words), pick, columns)


def find_source_table(facts: Survey, table: TableFacts, column: ColumnFacts) -> TableFacts | None:
    """Return the table whose column a view shows under the same name and with the same values, so that both share one kind;
    else None."""
    for other in facts.tables if table.view else ():
        for same in other.columns if not other.view else ():
            if same.name == column.name and {*column.sample} <= {*same.sample}:
                return other
    return None


def holds_years(column: ColumnFacts) -> bool:
    """Return whether a column holds years, judged by its values and its name."""
    words = {*in_words(column.name).split()}
    figures = column.whole and all(isinstance(value, int) and 1000 <= value < 2100 for value in column.sample)
    recent = column.distinct >= _SOME_YEARS and all(
        value >= _RECENT for value in column.sample if isinstance(value, int)
    )
    return figures and (bool(_YEARLY & words) or (recent and not (_MONEY & words or is_keylike(column.name))))


def sex_words(column: ColumnFacts) -> dict[str, Literal]:
    """Return words for the letters of a column of sexes."""
    if in_words(column.name) not in {"sex", "gender"} or not {str(v) for v in column.sample} <= {"F", "M", "f", "m"}:
        return {}
    letters = {str(v).upper(): str(v) for v in column.sample}
    return {word: letters[key] for key, words in _SEXES.items() if key in letters for word in words}


def _equals(table: TableFacts, column: ColumnFacts, value: Any) -> str:
    return f"{table.name}.{column.name} = " + (f"'{value}'" if isinstance(value, str) else str(int(value)))
