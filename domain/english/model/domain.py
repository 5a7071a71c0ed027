"""The domain model: the contents of `domain.toml` as validated, frozen values.

A domain consists of entities (what can be asked for), kinds (what words in a request can denote, with the column that
holds it), attributes (properties of an entity that can be requested or restricted, and the words that introduce them),
flags (phrases that are a condition by themselves), superlatives, periods of the day and named sets of conventions. The
engine knows none of them by name. `docs/reference/english.md` describes every key.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from session.values.column_display import Form

Literal = str | int | float


class DomainError(ValueError):
    """A `domain.toml` that cannot be used; the message names the file, the key and the remedy."""


class Entity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that requests ask for: its table, key columns, words and the columns to display."""

    table: str
    key: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    one: str = ""
    many: str = ""
    display: tuple[str, ...] = ()
    minimal: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    related: tuple[str, ...] | None = None
    hints: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    clarify: dict[str, str] = {}
    clarify_unless: tuple[str, ...] = ()


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of value that words denote: those of a column, found by their text, by other columns or by synonyms."""

    column: str = ""
    names: tuple[str, ...] = ()
    also: dict[str, Literal] = {}
    only: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    bare: bool = True
    own: bool = True
    qualifies: tuple[str, ...] = ()
    asks: str = ""
    explains: str = ""
    hint: str = ""
    reached: dict[str, str] = {}


class Attribute(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A property of an entity. `accepts` maps each kind of value to the join path that ends in its column."""

    of: str
    words: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    trailing: tuple[str, ...] = ()
    accepts: dict[str, str] = {}
    select: tuple[str, ...] = ()
    tally: str = ""
    years_since: str = ""
    default: int = 0
    each: bool | tuple[str, ...] = False
    repeated: str = ""
    after: tuple[str, ...] = ()
    overnight: str = ""
    with_flag: dict[str, str] = {}
    follows: str = ""
    only_named: bool = False
    stands_for: str = ""
    menu: bool = True
    say: str = ""
    where: tuple[str, ...] = ()
    minimum: str = ""
    maximum: str = ""


class Flag(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A phrase that is a condition by itself."""

    words: tuple[str, ...]
    of: str
    where: tuple[str, ...] = ()
    say: str = ""
    unless: tuple[str, ...] = ()
    group: str = ""
    leads: tuple[str, ...] = ()


class Superlative(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word for the minimum or maximum of a column, which may depend on the entity and on flags."""

    words: tuple[str, ...]
    pick: str
    column: dict[str, str] = {}
    say: str = ""
    with_flag: dict[str, str] = {}
    show: tuple[str, ...] = ()
    refine: tuple[str, ...] = ()


class Swap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A phrase that repeats the previous request with two attributes exchanged and some dropped: "and back"."""

    words: tuple[str, ...]
    exchange: tuple[str, str]
    drop: tuple[str, ...] = ()


class ColumnDisplay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The display of the columns of one name.

    `decode` and `by` name the columns of a lookup table, and `codes` overrides it; `like` names a column with the same
    codes. `hidden` marks a column that is of no use to people, or redundant beside the column it names.
    """

    heading: str = ""
    form: Form = Form.PLAIN
    written: str = ""
    decode: str = ""
    by: str = ""
    codes: dict[str, str] = {}
    like: str = ""
    hidden: bool | str = False


class AmountUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The units of a kind of amount, each with its size in the unit of the columns."""

    words: dict[str, float]


class Period(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named part of the day (hhmm); it wraps midnight if `begin` is after `end`."""

    words: tuple[str, ...]
    begin: int = -1
    end: int = -1


class Conventions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named set of principles of interpretation, as far as the engine applies them.

    `rules` are SQL fragments for parts of the day and comparisons of times.
    """

    title: str = ""
    inclusive: bool = False
    around: int = 30
    afternoon_below: int = 0
    overnight: tuple[str, ...] = ("weekday", "date")
    open_clock: str = "both"
    by: str = "at or before"
    dates: dict[str, str] = {}
    yes_no: str = "table"
    noun_question: str = "table"
    counted_most: str = "most"
    flags: dict[str, tuple[str, ...]] = {}
    cite: dict[str, str] = {}
    rules: dict[str, tuple[str, ...]] = {}


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the domain as a whole."""

    name: str
    entity: str
    today: str = ""
    principles: str = ""
    year: int = 0
    threshold: float = 0.5
    aggregates: bool = True


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A join of two tables that no foreign key defines, or that more than one does."""

    tables: tuple[str, str]
    path: str


class DomainModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All contents of `domain.toml`."""

    domain: About
    entity: dict[str, Entity]
    kind: dict[str, Kind] = {}
    attribute: dict[str, Attribute] = {}
    flag: dict[str, Flag] = {}
    superlative: dict[str, Superlative] = {}
    period: dict[str, Period] = {}
    unit: dict[str, AmountUnit] = {}
    column: dict[str, ColumnDisplay] = {}
    swap: dict[str, Swap] = {}
    join: tuple[Join, ...] = ()
    principles: dict[str, Conventions] = {}
    fillers: tuple[str, ...] = ()
    refuse: tuple[str, ...] = ()


_PATHS = 5000
"""Join paths that are kept as they were parsed; a domain's are asked for dozens of times a request."""


class JoinStep(msgspec.Struct, frozen=True):
    """One step of a join path between two tables; `also` holds further equalities for keys of several columns."""

    left: str
    right: str
    also: tuple[tuple[str, str], ...] = ()

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        return ((self.left, self.right), *self.also)

    @property
    def back(self) -> JoinStep:
        """Return the step in the opposite direction."""
        return JoinStep(self.right, self.left, tuple((right, left) for left, right in self.also))

    def __str__(self) -> str:
        return " & ".join(f"{left} = {right}" for left, right in self.pairs)


class JoinPath(msgspec.Struct, frozen=True):
    """A join path: steps, then a column or test."""

    steps: tuple[JoinStep, ...]
    end: str


def meaning_of(kind: str) -> str:
    """Return the name of the attribute that explains the codes of a kind, if the principles define one."""
    return f"{kind}_meaning"


def reached_columns(model: DomainModel, attribute: str, entity: str) -> tuple[str, tuple[JoinPath, ...]]:
    """Return the column that names the rows of an entity, and an attribute's paths to such names.

    Raise DomainError if there are none.
    """
    about = model.entity[entity]
    naming = (*about.key, *about.minimal, *about.display)
    for kind, text in model.attribute[attribute].accepts.items():
        known = model.kind.get(kind)
        if known is None or text == "-" or known.column.partition(".")[0] != about.table:
            continue
        if kind == entity or known.asks == entity or known.column in naming:
            paths = tuple(read_path(path) for path in text.split("|"))
            if all("," not in path.end for path in paths):
                return known.column, paths
    raise DomainError(f"{attribute}: it leads to no {entity}")


def leads_back(attribute: Attribute) -> bool:
    """Return whether an attribute refers to another row of its own table: the guardian of a member is a member."""
    steps = [read_path(text).steps for text in attribute.select]
    return any(s[0].left.partition(".")[0] == s[-1].right.partition(".")[0] for s in steps if s)


@lru_cache(_PATHS)
def read_path(text: str) -> JoinPath:
    """Parse a join path: "a.x = b.y; b.y = c.z & b.w = c.v; c.name"."""
    *steps, end = [part.strip() for part in text.split(";")]
    return JoinPath(tuple(read_step(step) for step in steps), end)


def read_step(text: str) -> JoinStep:
    """Parse one step, "a.x = b.x & a.y = b.y"; raise DomainError unless it joins one table to one other."""
    pairs = [[side.strip() for side in part.split("=")] for part in text.split("&")]
    if any(len(pair) != 2 for pair in pairs):
        raise DomainError(f"join path {text!r}: each part but the last is table.column = table.column")
    if any(len({side.partition(".")[0] for side in sides}) > 1 for sides in zip(*pairs, strict=True)):
        raise DomainError(f"join path {text!r}: equalities joined by & lead from one table to one other")
    (left, right), *also = pairs
    return JoinStep(left, right, tuple((here, there) for here, there in also))


def tied(model: DomainModel, entities: Sequence[str]) -> bool:
    """Return whether the domain relates these entities, by `related` or by a declared join.

    Foreign keys alone do not count: they connect nearly any two tables, by way of tables that the request does not mention.
    """
    joined = [frozenset(join.tables) for join in model.join]

    def pair(one: str, other: str) -> bool:
        here, there = model.entity[one], model.entity[other]
        if here.related is None or there.related is None or one in there.related or other in here.related:
            return True
        return here.table == there.table or frozenset((here.table, there.table)) in joined

    reached, left = [*entities[:1]], set(entities[1:])
    for name in reached:
        new = sorted(other for other in left if pair(name, other))
        reached += new
        left -= {*new}
    return not left


_COLUMN = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*")


def load_domain(folder: Path) -> DomainModel:
    """Read `domain.toml` of a domain folder; raise DomainError with the key at fault."""
    file = folder / "domain.toml"
    try:
        model = msgspec.toml.decode(file.read_bytes(), type=DomainModel)
    except FileNotFoundError:
        raise DomainError(f"{file}: no such file; `curtain learn URL DIR` writes a first one") from None
    except OSError as error:
        raise DomainError(f"{file}: {error.strerror}; name the folder of a domain") from None
    except msgspec.MsgspecError as error:
        raise DomainError(f"{file}: {error}") from None
    except UnicodeDecodeError as error:
        raise DomainError(f"{file}: not UTF-8 at byte {error.start}") from None
    _check(model, file)
    return msgspec.structs.replace(model, column={name: _worded(one, model) for name, one in model.column.items()})


def _worded(column: ColumnDisplay, model: DomainModel) -> ColumnDisplay:
    """Return the column with the codes of the column named in `like`; its own take precedence."""
    if not column.like:
        return column
    other = model.column[column.like]
    return msgspec.structs.replace(column, decode=other.decode, by=other.by, codes=other.codes | column.codes, like="")


def _check(model: DomainModel, file: Path) -> None:
    entities: dict[str, Any] = dict(model.entity)
    for kind_of, things in (("attribute", model.attribute), ("flag", model.flag)):
        for name, thing in things.items():
            if thing.of not in entities:
                known = ", ".join(sorted(entities))
                raise DomainError(f"{file}: [{kind_of}.{name}] of = {thing.of!r}: no such entity; known: {known}")
    for name, column in model.column.items():
        place = f"{file}: [column.{name}]"
        if bool(column.decode) != bool(column.by):
            raise DomainError(f"{place} `decode` and `by` go together: the words of a code, and the code itself")
        for path in (column.decode, column.by):
            if path and not _COLUMN.fullmatch(path):
                raise DomainError(f"{place} {path!r} is no table.column")
        if column.decode.partition(".")[0] != column.by.partition(".")[0]:
            raise DomainError(f"{place} `decode` and `by` are columns of one table, not of two")
        if column.like and (column.decode or column.like not in model.column or model.column[column.like].like):
            raise DomainError(
                f"{place} like = {column.like!r}: name another [column.…] with words of its own, without `decode`"
            )
        if column.written and "{}" not in column.written:
            raise DomainError(f"{place} written = {column.written!r}: it has no {{}} for the value")
    for name, unit in model.unit.items():
        if wrong := [
            word for word, factor in unit.words.items() if factor <= 0 or word != word.lower() or word.count(" ") > 1
        ]:
            raise DomainError(
                f"{file}: [unit.{name}] {wrong[0]!r}: one or two words in small letters, and a number above 0"
            )
    for chosen, conventions in model.principles.items():
        for name in conventions.flags:
            if name not in model.flag:
                raise DomainError(f"{file}: [principles.{chosen}.flags] {name}: no such flag")
    if model.domain.entity not in entities:
        raise DomainError(f"{file}: [domain] entity = {model.domain.entity!r}: no such entity")
