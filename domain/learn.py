"""`curtain learn`: a first domain folder for a database that nobody has described yet.

The Learner of 1989 brought Parlance to a new database within days. This one reads schema, keys and values and writes a
`domain.toml` that already answers simple requests, and says what it could not guess. Everything in it is meant to be
edited: synonyms first, then which attribute a name stands for, then superlatives and flags.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from sqlalchemy import MetaData, create_engine
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from domain.english.joins import table_of
from domain.english.model import (
    About,
    Attribute,
    DomainModel,
    Entity,
    Flag,
    Join,
    Kind,
    Literal,
    Period,
    Step,
    Superlative,
    Unit,
    load_domain,
)
from domain.learn_survey import ColumnFacts, Survey, TableFacts, survey
from domain.learn_telling import told
from domain.learn_words import (
    FILLERS,
    PERIODS,
    agent_verbs,
    both,
    direction,
    in_words,
    is_keylike,
    measures,
    plural,
    required,
    said_with,
    singular,
    unit_of,
    without_key_ending,
    without_unit,
)
from domain.learn_writing import write_domain

_HOPS = 3
_MONEY = frozenset(["price", "cost", "fare", "fee", "salary", "amount", "budget", "revenue", "wage", "income", "total"])
_NAMES = ("name", "title", "label", "full_name", "fullname", "display_name")
_PLACES = ("in", "from", "at", "of", "by", "with", "called", "named")
_ON_DAYS = ("on", "in", "for")
_SEXES = {"F": ("female", "females", "woman", "women"), "M": ("male", "males", "man", "men")}
_TRUE = ("y", "yes", "true", "1")


def learn_command(url: str, directory: str, out: TextIO, err: TextIO) -> int:
    """Writes DIR/domain.toml from the database at `url` and tells on `out` what is left to a person. 0 when written, 2
    when the database cannot be read or DIR has a domain already."""
    folder = Path(directory)
    if (folder / "domain.toml").exists():
        err.write(f"{folder / 'domain.toml'}: there already; choose another folder, nothing is overwritten\n")
        return 2
    try:
        database = create_engine(url)
        schema = MetaData()
        schema.reflect(database)
        with database.connect() as link:
            facts = survey(schema, link)
        database.dispose()
    except (SQLAlchemyError, ArgumentError) as error:
        err.write(f"{url!r}: {str(error).splitlines()[0]}\n")
        return 2
    if not facts.tables:
        err.write(f"{url!r}: no table with rows; fill the database first\n")
        return 2
    model = learn(facts, folder.name or "domain")
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / f"domain.toml.{os.getpid()}.part"
    partial.write_text(write_domain(model), encoding="utf-8")
    partial.rename(folder / "domain.toml")
    load_domain(folder)
    out.writelines(f"{line}\n" for line in told(facts, model, folder))
    return 0


def learn(facts: Survey, name: str) -> DomainModel:
    """The domain that a survey suggests."""
    learner = _Learner(facts)
    return learner.model(name)


class _Learner:
    def __init__(self, facts: Survey) -> None:
        self.facts = facts
        self.entities: dict[str, Entity] = {}
        self.kinds: dict[str, Kind] = {}
        self.attributes: dict[str, Attribute] = {}
        self.flags: dict[str, Flag] = {}
        self.units: dict[str, Unit] = {}
        self.superlatives: dict[str, Superlative] = {}

    def model(self, name: str) -> DomainModel:
        for table in self.facts.tables:
            if not self.facts.is_link(table):
                self.entities[table.name] = self._entity(table)
                self._make_kinds(table)
        for table in self.facts.tables:
            if table.name in self.entities:
                self._own_attributes(table)
        for table in self.facts.tables:
            if table.name in self.entities:
                self._far_attributes(table)
        single = self._single_joins()
        joins = tuple(
            Join((table_of(s.left), table_of(s.right)), f"{s.left} = {s.right}")
            for s in self.facts.guessed
            if s in single
        )
        about = About(name, self._central())
        return DomainModel(
            about, self.entities, self.kinds, self.attributes, self.flags, superlative=self.superlatives,
            period=self._periods(), unit=self.units, join=joins, fillers=FILLERS,
        )  # fmt: skip

    def _periods(self) -> dict[str, Period]:
        """Parts of the day, where any time of day is held."""
        timed = any(c.holds == "clock" for t in self.facts.tables for c in t.columns)
        return {name: Period(PERIODS[name][0], *PERIODS[name][1:]) for name in PERIODS} if timed else {}

    def _central(self) -> str:
        """The entity that most is said of."""
        weight = dict.fromkeys(self.entities, 0)
        for attribute in self.attributes.values():
            weight[attribute.of] += 1
        for step in self.facts.joins:
            for name in (table_of(step.left), table_of(step.right)):
                weight[name] = weight.get(name, 0) + 1
        return max(self.entities, key=lambda n: weight[n])

    # entities and kinds

    def _entity(self, table: TableFacts) -> Entity:
        words = in_words(table.name)
        shown = [c.name for c in table.columns if c.holds in {"text", "code", "clock"} and c.name not in table.key]
        shown.sort(key=lambda c: "name" not in c.lower() and "title" not in c.lower())
        key = tuple(f"{table.name}.{c}" for c in table.key)
        display = tuple(f"{table.name}.{c}" for c in shown[:4])
        called = (*both(words), "who") if self._only_people(table) else tuple(both(words))
        return Entity(table.name, key, called, singular(words), plural(singular(words)), display)

    def _only_people(self, table: TableFacts) -> bool:
        """Whether this table, and no other, holds people: by first and last name, full name or birth date."""
        return [t.name for t in self.facts.tables if _holds_people(t)] == [table.name]

    def _make_kinds(self, table: TableFacts) -> None:
        parts = _person_columns(table)
        if len(parts) == 2 and len(table.key) == 1:
            first, last = sorted(parts)
            names = (f"{table.name}.{first} {table.name}.{last}",)
            self.kinds[f"{table.name}_person"] = Kind(f"{table.name}.{table.key[0]}", names, own=False)
        for column in table.columns:
            if column.holds not in {"text", "code"} or self.facts.is_reference(table.name, column.name):
                continue
            words = in_words(column.name)
            patterns = (f"{words} {{}}",) if column.holds == "code" else ()
            also = _sexes(column)
            alone = table.name if 1 < table.rows == column.distinct else ""
            kind = Kind(
                f"{table.name}.{column.name}", bare=column.holds != "code" or bool(also), patterns=patterns, also=also,
                asks=alone, explains=alone,
            )  # fmt: skip
            self.kinds[_kind_name(table.name, column.name)] = kind

    # what can be said and asked

    def _own_attributes(self, table: TableFacts) -> None:
        person = f"{table.name}_person"
        if person in self.kinds:
            holder = f"{table.name}.{table.key[0]}"
            self.attributes[person] = Attribute(table.name, accepts={person: holder}, default=1, say="{}")
            names = tuple(f"{table.name}.{c}" for c in _person_columns(table))
            self.attributes[f"{table.name}_full_name"] = Attribute(table.name, ("name", "names"), select=names)
        for column in table.columns:
            if self.facts.is_reference(table.name, column.name):
                self._reference(table, column)
            elif column.holds == "flag":
                self._flag(table, column)
            elif column.holds not in {"nothing"}:
                self.attributes[_kind_name(table.name, column.name)] = self._attribute(table, column)
                self._superlatives(table, column)

    def _attribute(self, table: TableFacts, column: ColumnFacts) -> Attribute:
        full = f"{table.name}.{column.name}"
        words = without_unit(column.name)
        own = singular(in_words(table.name))
        said = [*both(words), *both(f"{own} {words}")]
        said += ["name", "names"] if words == f"{own} name" else []
        said += self._short(table, column)
        ordered = column.holds in {"number", "date", "clock"} and not self._identifies(table, column)
        verbs = said_with(column.name) if ordered else []
        verbs += _ON_DAYS if column.holds == "date" and self._of_the_row(table, column) else ()
        asking, before = agent_verbs(words) if column.holds == "text" else ([], [])
        cues: Sequence[str] = (
            *both(words),
            *asking,
            *before,
            *(verbs if ordered or column.holds == "number" else _PLACES),
        )
        name_like = column.name.lower() in _NAMES
        return Attribute(
            table.name, tuple(said), tuple(cues), accepts=self._accepts(table, column), select=(full,),
            default=self._default(table, column, name_like), say=f"{words} {{}}",
            trailing=(*both(words), *verbs) if ordered else (),
            minimum=full if ordered else "", maximum=full if ordered else "",
        )  # fmt: skip

    def _identifies(self, table: TableFacts, column: ColumnFacts) -> bool:
        """Whether a number only tells which row: neither least nor greatest of it is ever meant."""
        return is_keylike(column.name) or table.key == (column.name,)

    def _short(self, table: TableFacts, column: ColumnFacts) -> list[str]:
        """The price of what has one price, the unit price."""
        last = in_words(column.name).rpartition(" ")[2]
        alike = [c for c in table.columns if in_words(c.name).rpartition(" ")[2] == last]
        tellable = column.holds == "number" and (last in _MONEY or any(measures(last)))
        return list(both(last)) if tellable and len(alike) == 1 and last != in_words(column.name) else []

    def _of_the_row(self, table: TableFacts, column: ColumnFacts) -> bool:
        """Whether a day is that of the row itself: the only date, named after the table or just a date."""
        dates = [c for c in table.columns if c.holds == "date"]
        return len(dates) == 1 and in_words(column.name).removesuffix(" date") in {
            "date",
            singular(in_words(table.name)),
        }

    def _default(self, table: TableFacts, column: ColumnFacts, name_like: bool) -> int:
        """Names need no word before them, nor do sums of money, the day of an event, and codes that are words."""
        if column.holds == "date":
            return 1 if self._of_the_row(table, column) else 0
        if column.holds == "clock":
            return 1 if [c.name for c in table.columns if c.holds == "clock"] == [column.name] else 0
        if _sexes(column):
            return 1
        if column.holds == "text":
            return 1 if name_like else 2
        unit = unit_of(column.name)
        alone = unit and [unit_of(c.name) for c in table.columns].count(unit) == 1
        return 3 if alone or _MONEY & set(in_words(column.name).split()) else 0

    def _accepts(self, table: TableFacts, column: ColumnFacts) -> dict[str, str]:
        full = f"{table.name}.{column.name}"
        match column.holds:
            case "text" | "code":
                return {_kind_name(table.name, column.name): full}
            case "clock":
                return {"clock": full}
            case "date":
                return {"date": full, "year": full}
            case "number" if self._identifies(table, column):
                return {"code": full}
            case "number":
                money = _MONEY & set(in_words(column.name).split())
                measured = unit_of(column.name)
                if measured:
                    self.units[measured[0]] = Unit(measured[1])
                units = {measured[0]: full} if measured else {}
                return {"number": full} | ({"money": full} if money else {}) | units
            case _:
                return {}

    def _reference(self, table: TableFacts, column: ColumnFacts) -> None:
        """ "of department 4", "department": by the number, and by the names of what is referred to."""
        step = next(s for s in self.facts.joins if s.left == f"{table.name}.{column.name}")
        other = self.facts.table(table_of(step.right))
        words = in_words(without_key_ending(column.name))
        accepts = {}
        for kind, end in self._names_of(other):
            accepts[kind] = f"{step.left} = {step.right}; {end}"
        shown = next((end for kind, end in self._names_of(other) if self.kinds[kind].own), "")
        asking, before = agent_verbs(words)
        alike = sum(table_of(s.left) == table.name and table_of(s.right) == other.name for s in self.facts.joins) > 1
        places = (direction(words) if alike else ()) or _PLACES
        select = (f"{step.left} = {step.right}; {shown}",) if shown else (step.left,)
        name = f"{table.name}_{without_key_ending(column.name)}"
        if column.holds == "number":
            # Apart, since a number that identifies needs its word before it, a name does not.
            self.attributes[f"{name}_number"] = Attribute(
                table.name, cues=tuple(both(words)), accepts={"code": step.left}, say=f"{words} {{}}"
            )
        self.attributes[name] = Attribute(
            table.name, tuple(both(words)), (*both(words), *asking, *before, *places), accepts=accepts, select=select,
            default=0 if alike else 2, say=f"{words} {{}}",
        )  # fmt: skip

    def _names_of(self, table: TableFacts) -> list[tuple[str, str]]:
        """Kinds by which rows of a table are named, with their columns: its names first."""
        found = [(f"{table.name}_person", self.kinds[f"{table.name}_person"].column)] if (
            f"{table.name}_person" in self.kinds) else []  # fmt: skip
        columns = [c for c in table.columns if _kind_name(table.name, c.name) in self.kinds]
        columns.sort(key=lambda c: c.name.lower() not in _NAMES and "name" not in c.name.lower())
        return found + [(_kind_name(table.name, c.name), f"{table.name}.{c.name}") for c in columns]

    def _far_attributes(self, table: TableFacts) -> None:
        """Names of things two or three joins away: films by their actors, orders by the town of the customer."""
        near = {k for a in self.attributes.values() if a.of == table.name for k in a.accepts}
        for other, way in self._ways(table.name):
            facts = self.facts.table(other)
            accepts = {kind: _path(way, end) for kind, end in self._names_of(facts) if kind not in near}
            if not accepts or other not in self.entities:
                continue
            words = both(in_words(other))
            shown = next(iter(accepts.values()))
            self.attributes[f"{table.name}_by_{other}"] = Attribute(
                table.name, (), (*words, *_PLACES), accepts=accepts, select=(shown,), default=2 + len(way),
                say=f"{self.entities[other].one} {{}}",
            )  # fmt: skip

    def _single_joins(self) -> list[Step]:
        """The joins between tables of which one refers to the other once."""
        ends = [(table_of(s.left), table_of(s.right)) for s in self.facts.joins]
        return [s for s, end in zip(self.facts.joins, ends, strict=True) if ends.count(end) == 1]

    def _ways(self, start: str) -> Iterator[tuple[str, tuple[Step, ...]]]:
        """Every table within reach, with the shortest way to it; none where two references leave open which is meant."""
        joins = self._single_joins()
        edges = [*joins, *(Step(s.right, s.left) for s in joins)]
        queue: deque[tuple[str, tuple[Step, ...]]] = deque([(start, ())])
        done = {start}
        while queue:
            at, way = queue.popleft()
            if way:
                yield at, way
            for step in edges if len(way) < _HOPS else ():
                if table_of(step.left) == at and table_of(step.right) not in done:
                    done.add(table_of(step.right))
                    queue.append((table_of(step.right), (*way, step)))

    def _flag(self, table: TableFacts, column: ColumnFacts) -> None:
        words = in_words(column.name).removeprefix("is ").removeprefix("has ")
        true = next((v for v in column.sample if str(v).lower() in _TRUE), 1)
        literal = f"'{true}'" if isinstance(true, str) else str(int(true))
        where = (f"{table.name}.{column.name} = {literal}",)
        self.flags[_kind_name(table.name, column.name)] = Flag((words, *required(words)), table.name, where)

    def _superlatives(self, table: TableFacts, column: ColumnFacts) -> None:
        most, least = measures(column.name)
        if column.holds not in {"number", "date"} or not most or is_keylike(column.name):
            return
        for pick, words in (("max", most), ("min", least)):
            name = words[0].replace(" ", "_")
            columns = dict(self.superlatives[name].column) if name in self.superlatives else {}
            columns.setdefault(table.name, f"{table.name}.{column.name}")
            self.superlatives[name] = Superlative(tuple(words), pick, columns)


def _sexes(column: ColumnFacts) -> dict[str, Literal]:
    """Words for the letters in which sex is written."""
    if in_words(column.name) not in {"sex", "gender"} or not {str(v) for v in column.sample} <= {"F", "M", "f", "m"}:
        return {}
    letters = {str(v).upper(): str(v) for v in column.sample}
    return {word: letters[key] for key, words in _SEXES.items() if key in letters for word in words}


def _person_columns(table: TableFacts) -> list[str]:
    return [c.name for c in table.columns if c.name.lower().replace("_", "") in {"firstname", "lastname"}]


def _holds_people(table: TableFacts) -> bool:
    words = {in_words(c.name) for c in table.columns}
    return len(_person_columns(table)) == 2 or bool(words & {"full name", "birth date", "date of birth", "birthday"})


def _kind_name(table: str, column: str) -> str:
    return f"{table}_{column}"


def _path(way: Sequence[Step], end: str) -> str:
    return "; ".join([*(f"{s.left} = {s.right}" for s in way), end])
