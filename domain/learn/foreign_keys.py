"""Guesses from foreign keys: "of department 4", "the department of Ann", "loans of damaged copies"; and from self-references:
"the guardian of Ann", "who is supervised by Bob", "sequels"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from domain.english.model.domain import Attribute, Flag, JoinStep, Kind
from domain.english.sql.join_planner import table_of
from domain.learn.names_in_words import in_words
from domain.learn.roles import role_of
from domain.learn.schema_wording import (
    NAMES,
    PLACES,
    absence_phrases,
    agent_verbs,
    both,
    done_by,
    presence_phrases,
    singular,
    without_key_ending,
)
from domain.learn.survey import ColumnFacts, Survey, TableFacts


class FlagWords(NamedTuple):
    """The words for a flag in requests, and its paraphrase."""

    words: tuple[str, ...]
    say: str


class References:
    """Builds the attributes and flags of foreign keys from a survey and the kinds of its tables."""

    def __init__(self, facts: Survey, kinds: Mapping[str, Kind]) -> None:
        self._facts = facts
        self._kinds = kinds

    def attributes(self, table: TableFacts, column: ColumnFacts) -> Iterator[tuple[str, Attribute]]:
        """Yield the attributes of a referring column, by the number and by the names of what it refers to. A composite key is
        covered once, by its last column."""
        bare = without_key_ending(column.name)
        full = f"{table.name}.{column.name}"
        if column.holds == "number":
            # A separate attribute: a number that identifies needs a cue, a name does not.
            words = both(in_words(bare))
            yield (
                f"{table.name}_{bare}_number",
                Attribute(table.name, cues=tuple(words), accepts={"code": full}, say=f"{in_words(bare)} {{}}"),
            )
        for step in self._facts.joins:
            if step.pairs[-1][0] == full:
                other = table_of(step.right)
                if other == table.name:
                    yield f"{table.name}_{bare}", self._self_reference(table, step, bare)
                else:
                    yield f"{table.name}_{other if step.also else bare}", self._foreign_reference(table, step, bare)

    def _foreign_reference(self, table: TableFacts, step: JoinStep, bare: str) -> Attribute:
        other = self._facts.table(table_of(step.right))
        words = in_words(other.name if step.also else bare)
        asking, before = agent_verbs(words)
        if words.endswith(" by"):  # such as run by
            asking, before = done_by(words), [*before, words]
        ends = [(table_of(s.left), table_of(s.right)) for s in self._facts.joins]
        alike = ends.count((table.name, other.name)) > 1
        role = role_of(words) if alike else None
        places = role.before if role else PLACES
        apart = words.removesuffix(f" {singular(in_words(other.name))}")
        if alike and apart != words:  # the "away" of an away club tells the two references apart
            places = (apart, *(role.before if role else ()))
        asking, before = ([*role.asking], []) if role and role.asking else (asking, before)
        return Attribute(
            table.name, (*both(words), *(f"who {verb}" for verb in asking)), (*both(words), *asking, *before, *places),
            accepts=self._accepts(other, step), trailing=role.verbs if role else (),
            select=self._select(other, step), default=0 if alike else 2, say=f"{words} {{}}",
            only_named=not alike and self._left_open(other.name, table.name),
        )  # fmt: skip

    def _left_open(self, target: str, but: str) -> bool:
        """Return whether another table refers to `target` in several parts: what has none of its own there is not meant."""
        ends = [(table_of(s.left), table_of(s.right)) for s in self._facts.joins]
        return any(ends.count(end) > 1 for end in ends if end[1] == target and end[0] != but)

    def _self_reference(self, table: TableFacts, step: JoinStep, bare: str) -> Attribute:
        """Return the attribute of a self-reference, which always needs a cue ("the sequel of Emma"), since a bare name is the
        row's own."""
        words = in_words(bare)
        asking, before = agent_verbs(words)
        noun = words.removesuffix(" of")
        verbs = tuple(form for verb in asking for form in ((verb, verb[:-1]) if words not in verb else (verb,)))
        of = [f"{phrase} {link}" for phrase in both(noun) for link in ("of", "to")] if noun != words else both(words)
        return Attribute(
            table.name, (*of, *verbs), (*of, *before), accepts=self._accepts(table, step),
            select=self._select(table, step), trailing=verbs,
            say=f"{words} {{}}",
        )  # fmt: skip

    def _accepts(self, other: TableFacts, step: JoinStep) -> dict[str, str]:
        return {kind: f"{step}; {end}" for kind, end in names_of(other, self._kinds)}

    def _select(self, other: TableFacts, step: JoinStep) -> tuple[str, ...]:
        if person := self._kinds.get(f"{other.name}_person"):
            return tuple(f"{step}; {column}" for column in person.names[0].split())
        shown = next((end for kind, end in names_of(other, self._kinds) if self._kinds[kind].own), "")
        return (f"{step}; {shown}",) if shown else tuple(left for left, _ in step.pairs)

    def nouns(self, table: TableFacts, column: ColumnFacts) -> list[str]:
        """Return the nouns for a row with a self-reference: "sequels" for `sequel_of`."""
        words = in_words(column.name)
        noun = words.removesuffix(" of")
        others = {in_words(other.name) for other in self._facts.tables}
        own = any(
            s.left == f"{table.name}.{column.name}" and table_of(s.right) == table.name for s in self._facts.joins
        )
        return both(noun) if own and noun != words and noun not in others else []

    def flags(self, table: TableFacts, column: ColumnFacts) -> Iterator[tuple[str, Flag]]:
        """Yield the flags of an optional reference: "with a guardian", "sequels"."""
        if not column.missing:
            return
        bare = without_key_ending(column.name)
        words = in_words(bare)
        noun = words.removesuffix(" of")
        called = (*self.nouns(table, column), f"{words} another", f"{words} something")
        present = presence_phrases(noun) if noun == words else called
        absent = absence_phrases(noun) if noun == words else ()
        some, none = FlagWords(present, f"with {words}"), FlagWords(absent, f"without {words}")
        yield from null_flags(table, column, f"{table.name}_{bare}", some, none)


def null_flags(
    table: TableFacts, column: ColumnFacts, name: str, known: FlagWords, wanting: FlagWords
) -> Iterator[tuple[str, Flag]]:
    """Yield the flags of a column that may be null, one for each case that has words."""
    for end, said, test in (("known", known, "is not null"), ("wanting", wanting, "is null")):
        if said.words:
            yield f"{name}_{end}", Flag(said.words, table.name, (f"{table.name}.{column.name} {test}",), said.say)


def names_of(table: TableFacts, kinds: Mapping[str, Kind]) -> list[tuple[str, str]]:
    """Return the kinds that name the rows of a table, with their columns, names first."""
    person = f"{table.name}_person"
    found = [(person, kinds[person].column)] if person in kinds else []
    columns = [c for c in table.columns if kind_name(table.name, c.name) in kinds]
    columns.sort(key=lambda c: c.name.lower() not in NAMES and "name" not in c.name.lower())
    return found + [(kind_name(table.name, c.name), f"{table.name}.{c.name}") for c in columns]


def kind_name(table: str, column: str) -> str:
    return f"{table}_{column}"
