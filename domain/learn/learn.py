"""`curtain learn`: a first domain folder for a database without one.

The Learner of 1989 brought Parlance to a new database within days. This one reads schema, keys and values, writes a
`domain.toml` that already answers simple requests, and reports what it could not guess. The result is meant to be edited:
first synonyms, then the attribute that a name stands for, then superlatives and flags.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from heapq import heappop, heappush
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from domain.database.build import DatabaseError
from domain.database.connect import reach
from domain.english.engine import Engine
from domain.english.model.domain import (
    About,
    Attribute,
    DomainModel,
    Entity,
    Flag,
    Join,
    JoinStep,
    Kind,
    Literal,
    Period,
    load_domain,
)
from domain.english.model.path_names import one_word
from domain.english.model.reflection import read_tables
from domain.english.sql.join_planner import table_of
from domain.learn import first_scenarios
from domain.learn.categories import SORTS, categorized_table, table_categories
from domain.learn.code_tables import CodedColumns, coded_columns
from domain.learn.columns import Columns, find_source_table, sex_words
from domain.learn.countries import countries_called
from domain.learn.foreign_keys import References, kind_name, names_of
from domain.learn.names_in_words import collected_things, in_words
from domain.learn.outcome_words import outcomes_called
from domain.learn.personal_tables import WHO, people_tables, person_columns
from domain.learn.row_dates import only_year
from domain.learn.schema_wording import (
    FILLERS,
    NAMES,
    PERIODS,
    PLACES,
    agent_verbs,
    also_called,
    both,
    event_verbs,
    half_words,
    is_noun,
    plural,
    singular,
    whole_place,
)
from domain.learn.short_names import is_sort
from domain.learn.summary import summary_lines
from domain.learn.survey import ColumnFacts, Survey, TableFacts, survey
from domain.learn.write_toml import write_domain
from domain.sandbox.sandbox import Limits, Sandbox

_HOPS = 3
_LIMITS = Limits(seconds=5.0)


def learn_command(url: str, directory: str, out: TextIO, err: TextIO) -> int:
    """Write DIR/domain.toml from the database at `url` and report on `out` what remains to be done. Return 0 when written, 2
    when the database cannot be read or DIR already has a domain."""
    folder = Path(directory)
    if (folder / "domain.toml").exists():
        err.write(f"{folder / 'domain.toml'}: there already; choose another folder, nothing is overwritten\n")
        return 2
    try:
        facts, coded = _surveyed(url)
    except DatabaseError as error:
        err.write(f"{error}\n")
        return 2
    except SQLAlchemyError as error:
        err.write(f"{url!r}: {str(error).splitlines()[0]}\n")
        return 2
    if not facts.tables:
        err.write(f"{url!r}: no table with rows; fill the database first\n")
        return 2
    model = learn(facts, folder.resolve().name or "domain", coded)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        scenarios = _put(model, facts, url, folder)
    except OSError as error:
        err.write(f"{error.filename or folder}: {error.strerror}; choose another folder\n")
        return 2
    load_domain(folder)
    out.writelines(f"{line}\n" for line in summary_lines(facts, model, folder, scenarios))
    return 0


def _put(model: DomainModel, facts: Survey, url: str, folder: Path) -> dict[str, str]:
    """Write the domain and its first scenarios, all or nothing; return the scenarios. Raises OSError."""
    with TemporaryDirectory(prefix=".learning-", dir=folder) as name:
        draft = Path(name)
        (draft / "domain.toml").write_text(write_domain(model), encoding="utf-8")
        found = _first_scenarios(Engine(draft, url), facts, url)
        first_scenarios.write(found, draft)
        for path in sorted(draft.iterdir(), key=lambda path: path.name == "domain.toml"):
            if not (folder / path.name).exists():
                path.rename(folder / path.name)
    return found


def _first_scenarios(engine: Engine, facts: Survey, url: str) -> dict[str, str]:
    """Return the files of first scenarios; none for a kind of database that sessions do not support."""
    try:
        sandbox = Sandbox(url, _LIMITS)
    except ValueError:
        return {}
    with closing(sandbox):
        return first_scenarios.written(engine, first_scenarios.tasks(engine, facts, sandbox.run))


def _surveyed(url: str) -> tuple[Survey, CodedColumns]:
    database = reach(url)
    try:
        schema = read_tables(database)
        with database.connect() as link:
            facts = survey(schema, link)
            return facts, coded_columns(facts, schema, link)
    finally:
        database.dispose()


def learn(facts: Survey, name: str, coded: CodedColumns = CodedColumns()) -> DomainModel:
    """Return the domain that a survey suggests."""
    learner = _Learner(facts, coded)
    return learner.model(name)


class _Learner:
    def __init__(self, facts: Survey, coded: CodedColumns) -> None:
        self.facts = facts
        self.coded = coded
        self.entities: dict[str, Entity] = {}
        self.kinds: dict[str, Kind] = {}
        self.attributes: dict[str, Attribute] = {}
        self.flags: dict[str, Flag] = {}
        self.columns = Columns(facts, coded)

    def model(self, name: str) -> DomainModel:
        for table in self.facts.tables:
            if not self.facts.is_link(table) and table.name not in self.coded.tables:
                self.entities[table.name] = self._entity(table)
                self._make_kinds(table)
        for table in self.facts.tables:
            if table.name in self.entities:
                self._own_attributes(table)
        for table in self.facts.tables:
            if table.name in self.entities:
                self._far_attributes(table)
        for table_name in self.entities:
            self._relate(table_name)
        single = self._single_joins()
        single.sort(key=lambda step: -self.facts.table(table_of(step.left)).rows)  # ties go to the one declared first
        joins = tuple(Join((table_of(s.left), table_of(s.right)), str(s)) for s in single if s in self.facts.guessed)
        about = About(name, self._central(), year=only_year(self.facts))
        named = {form for t in self.facts.tables for form in both(in_words(t.name))}
        places = () if in_words(name) in named else whole_place(name)
        return DomainModel(
            about, self.entities, self.kinds, self.attributes, self.flags, superlative=self.columns.superlatives,
            period=self._periods(), unit=self.columns.units, join=joins, fillers=(*FILLERS, *places),
        )  # fmt: skip

    def _periods(self) -> dict[str, Period]:
        """Return the parts of the day, if any column holds times of day."""
        timed = any(c.holds == "clock" or c.timed for t in self.facts.tables for c in t.columns)
        return {name: Period(PERIODS[name][0], *PERIODS[name][1:]) for name in PERIODS} if timed else {}

    def _central(self) -> str:
        """Return the entity with the most attributes and joins."""
        weight = dict.fromkeys(self.entities, 0)
        for attribute in self.attributes.values():
            weight[attribute.of] += 1
        for step in self.facts.joins:
            for name in (table_of(step.left), table_of(step.right)):
                weight[name] = weight.get(name, 0) + 1
        tables = [name for name in self.entities if not self.facts.table(name).view]
        return max(tables or self.entities, key=lambda n: weight[n])

    # entities and kinds

    def _entity(self, table: TableFacts) -> Entity:
        words = in_words(table.name)
        shown = [c.name for c in table.columns if c.holds in {"text", "code", "clock"} and c.name not in table.key]
        shown.sort(key=lambda c: "name" not in c.lower() and "title" not in c.lower())
        key = tuple(f"{table.name}.{c}" for c in table.key)
        display = tuple(f"{table.name}.{c}" for c in shown[:4])
        listed = collected_things(table.name)
        words = listed if listed and not self._named(listed) else words
        last = words.rpartition(" ")[2]
        taken = [t.name for t in self.facts.tables if in_words(t.name).rpartition(" ")[2] == last and not t.view]
        short = both(last) if last != words and taken == [table.name] and not table.view else []
        called = (
            *both(words),
            *(both(in_words(table.name)) if listed else half_words(table.name)),
            *short,
            *self._alike(last),
            *(WHO if table.name in people_tables(self.facts) and not table.view else []),
        )
        one = singular(words)
        return Entity(table.name, key, called, one, plural(one), display, verbs=event_verbs(table.name))

    def _named(self, words: str) -> bool:
        """Return whether a table has this name."""
        return any(form in both(in_words(t.name)) for t in self.facts.tables for form in both(words))

    def _alike(self, noun: str) -> list[str]:
        """Return synonyms that are not names of anything else in the database."""
        named = {in_words(t.name) for t in self.facts.tables} | {
            in_words(c.name) for t in self.facts.tables for c in t.columns
        }
        taken = {form for name in named for form in both(name)}
        return [form for word in also_called(singular(noun)) for form in both(word) if form not in taken]

    def _make_kinds(self, table: TableFacts) -> None:
        parts = person_columns(table)
        if len(parts) == 2 and len(table.key) == 1 and not table.view:
            first, last = (one_word(f"{table.name}.{part}") for part in sorted(parts))
            names = (f"{first} {last}",)
            self.kinds[f"{table.name}_person"] = Kind(f"{table.name}.{table.key[0]}", names, own=False)
        for column in table.columns:
            if column.holds not in {"text", "code"} or self.facts.is_reference(table.name, column.name):
                continue
            if find_source_table(self.facts, table, column) is not None:
                continue
            words = in_words(column.name)
            patterns = (f"{words} {{}}",) if column.holds == "code" else ()
            sorts = table_categories(self.facts, table, column)
            also = (
                self._labelled(table, column)
                or sex_words(column)
                or countries_called(column.sample)
                or self._categories(table, column)
                or sorts
            )
            alone = table.name if 1 < table.rows == column.distinct and not table.view else ""
            kind = Kind(
                f"{table.name}.{column.name}", patterns=patterns, also=also,
                bare=column.holds != "code" or bool(also) or _mixed(column),
                asks=(categorized_table(self.facts, table) if sorts else "") or alone, explains=alone,
            )  # fmt: skip
            self.kinds[kind_name(table.name, column.name)] = kind

    def _labelled(self, table: TableFacts, column: ColumnFacts) -> dict[str, Literal]:
        """Return the words for the codes of a column that a table of codes explains; those of a sort of rows name the rows."""
        labels = self.coded.of(table, column)
        if is_sort(column):
            self._also_called(table, [plural(label) for label in labels if is_noun(label)])
        return {form: code for label, code in labels.items() for form in (label, plural(label))}

    def _categories(self, table: TableFacts, column: ColumnFacts) -> dict[str, Literal]:
        """Return the names of row categories: orders of the kind "repair" are repairs."""
        few = column.distinct <= SORTS and 2 * column.distinct < table.rows
        if column.holds != "text" or not few or column.name.lower() in NAMES:
            return {}
        called = {plural(v.lower()): v for v in column.sample if isinstance(v, str) and is_noun(v)}
        self._also_called(table, tuple(called))
        return {**outcomes_called(column.sample), **called}

    # attributes and flags

    def _own_attributes(self, table: TableFacts) -> None:
        person = f"{table.name}_person"
        if person in self.kinds:
            holder = f"{table.name}.{table.key[0]}"
            self.attributes[person] = Attribute(
                table.name, cues=("of", "called", "named"), accepts={person: holder}, default=1, say="{}"
            )
            names = tuple(f"{table.name}.{c}" for c in person_columns(table))
            self.attributes[f"{table.name}_full_name"] = Attribute(table.name, ("name", "names"), select=names)
        columns, references = self.columns, References(self.facts, self.kinds)
        for column in table.columns:
            if self.facts.is_reference(table.name, column.name):
                self.attributes.update(references.attributes(table, column))
                self.flags.update(references.flags(table, column))
                self._also_called(table, references.nouns(table, column))
            elif column.holds == "flag":
                self.flags.update(columns.boolean_flags(table, column))
            elif column.holds not in {"nothing"}:
                self.attributes[kind_name(table.name, column.name)] = columns.attribute(table, column)
                self.flags.update(columns.completion_flags(table, column))
                self.flags.update(columns.presence_flags(table, column))
                self.flags.update(columns.zero_flags(table, column))
                columns.add_superlatives(table, column)
                if age := columns.age(table, column):
                    self.attributes[f"{table.name}_age"] = age

    def _also_called(self, table: TableFacts, words: Sequence[str]) -> None:
        entity = self.entities[table.name]
        self.entities[table.name] = msgspec.structs.replace(entity, words=tuple(dict.fromkeys((*entity.words, *words))))

    def _far_attributes(self, table: TableFacts) -> None:
        """Add attributes for names two or three joins away: films by their actors, orders by the customer's town."""
        near = {k for a in self.attributes.values() if a.of == table.name for k in a.accepts}
        for other, way in self._paths(table.name):
            facts = self.facts.table(other)
            if len(facts.key) == 1 and facts.column(facts.key[0]).holds == "number" and other in self.entities:
                number = {"code": _path(way, f"{other}.{facts.key[0]}")}
                words = both(in_words(other))
                self.attributes[f"{table.name}_by_{other}_number"] = Attribute(
                    table.name, cues=tuple(words), accepts=number, say=f"{self.entities[other].one} {{}}"
                )
            accepts = {kind: _path(way, end) for kind, end in names_of(facts, self.kinds) if kind not in near}
            if not accepts or other not in self.entities:
                continue
            words = both(in_words(other))
            asking, before = agent_verbs(in_words(other))
            shown = next(iter(accepts.values()))
            self.attributes[f"{table.name}_by_{other}"] = Attribute(
                table.name, tuple(f"who {verb}" for verb in asking), (*words, *asking, *before, *PLACES), accepts=accepts,
                select=(shown,), default=2 + len(way),
                each=any(step not in self.facts.joins for step in way), say=f"{self.entities[other].one} {{}}",
            )  # fmt: skip

    def _relate(self, name: str) -> None:
        """Exclude attributes that only a common parent connects: the repairs of a boat from its stays."""
        near = self._referring({name})
        near |= self._referred(near)
        far = {other for other, way in self._paths(name) if self._turns_back(way)} - near
        if far & set(self.entities):
            related = tuple(other for other in self.entities if other not in {name, *far})
            self.entities[name] = msgspec.structs.replace(self.entities[name], related=related)

    def _referring(self, tables: set[str]) -> set[str]:
        """Return these tables and all that refer to them, directly or not."""
        more = {table_of(s.left) for s in self.facts.joins if table_of(s.right) in tables} - tables
        return self._referring(tables | more) if more else tables

    def _referred(self, tables: set[str]) -> set[str]:
        """Return these tables and all that they refer to, directly or not."""
        more = {table_of(s.right) for s in self.facts.joins if table_of(s.left) in tables} - tables
        return self._referred(tables | more) if more else tables

    def _single_joins(self) -> list[JoinStep]:
        """Return the joins between tables connected by exactly one reference."""
        ends = [(table_of(s.left), table_of(s.right)) for s in self.facts.joins]
        return [s for s, end in zip(self.facts.joins, ends, strict=True) if ends.count(end) == 1]

    def _paths(self, start: str) -> Iterator[tuple[str, tuple[JoinStep, ...]]]:
        """Yield every table within reach with the shortest path to it; none where two references make the path ambiguous."""
        joins = self._single_joins()
        edges = [*joins, *(s.back for s in joins if not self.facts.table(table_of(s.left)).view)]
        queue: list[tuple[int, bool, int, int, str, tuple[JoinStep, ...]]] = [(0, False, 0, 0, start, ())]
        done: set[str] = set()
        count = 0
        while queue:
            _, turned, _, _, at, way = heappop(queue)
            if at in done:
                continue
            done.add(at)
            if way:
                yield at, way
            for step in edges if len(way) < _HOPS else ():
                if table_of(step.left) == at and table_of(step.right) not in done:
                    count += 1
                    apart = turned or self._turns_back((*way, step))
                    fewer = -self.facts.table(
                        table_of(step.right)
                    ).rows  # of two ways, over the results rather than the falls
                    heappush(queue, (len(way) + 1, apart, fewer, count, table_of(step.right), (*way, step)))

    def _turns_back(self, way: Sequence[JoinStep]) -> bool:
        """Return whether a path goes to a common parent and down again: to the patients on a nurse's ward, not to her own."""
        up = [step in self.facts.joins for step in way]
        return any(here and not there for here, there in itertools.pairwise(up))


def _mixed(column: ColumnFacts) -> bool:
    """Return whether all codes mix letters and digits, which makes them unambiguous: classes 7A and 8B."""
    return all(re.search(r"[A-Za-z]\d|\d[A-Za-z]", str(value)) for value in column.sample)


def _path(way: Sequence[JoinStep], end: str) -> str:
    return "; ".join([*map(str, way), end])
