"""Principles of interpretation: what vague words of a domain's requests are taken to mean, as data.

A community that scores systems has to agree that an afternoon begins after 1200 and that a snack is a meal; the papers keep
such stipulations in a dated document that annotators and developers share, and freeze it months before a test. Here each is
an entry with number, source, date and text. What the program can follow is in its `rules` and `sets`, and from nowhere else
does the English front end take it; what is left is for annotators, and the printed document says so. A second set builds on a
first and replaces what it decides differently; it is chosen by name.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

FILES = "principles*.toml"


class PrinciplesError(ValueError):
    """A set of principles that cannot be used; names file and entry."""


class Principle(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One stipulation.

    `rules` gives SQL with blanks in braces, several where a request is ambiguous, to what it decides: a period of the day, a
    comparison of times, a flag, a superlative, what is asked for. `sets` gives values to settings of the front end;
    `concerns` names what cites the principle without being decided by SQL. `sql` and `also` are what sets had before
    rules: they are printed and never executed.
    """

    id: str
    title: str
    text: str
    source: str
    dated: date
    examples: tuple[str, ...] = ()
    rules: Mapping[str, str | tuple[str, ...]] = {}
    sets: Mapping[str, Any] = {}
    concerns: tuple[str, ...] = ()
    sql: str = ""
    also: tuple[str, ...] = ()

    @property
    def executed(self) -> bool:
        """True if the program follows it, false where only annotators can."""
        return bool(self.rules or self.sets)


class Companion(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Companions of the rows of `entity` in a maximal answer: `joins` (`LEFT JOIN` text) and `columns`.

    `table` is the table whose columns are added; it is not joined again where the statement has it already. Blanks in
    braces are aliases: `{salary}` that of the entity, and the name of `table` that of the table brought.
    """

    entity: str
    table: str
    joins: tuple[str, ...]
    columns: tuple[str, ...]


class MaximumRules(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Additions of a maximal answer: the identifying columns of each table, and what comes with what."""

    identify: Mapping[str, tuple[str, ...]] = {}
    brings: tuple[Companion, ...] = ()


class PrincipleSet(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A named, dated set. `frozen_from` is the day from which it may not change before `frozen_until`; with `frozen_sha256`,
    the digest that it had on being frozen, a set that was edited since cannot be loaded at all.

    `yes_no` tells what a literal yes/no request wants: `both` readings or the Boolean alone. `arithmetic` allows
    answers that are calculated, `readings` is the most that a request may have before it is hopelessly vague.
    """

    name: str
    title: str
    version: str
    dated: date
    base: str = ""
    frozen_from: date | None = None
    frozen_until: date | None = None
    frozen_sha256: str = ""
    yes_no: str = "both"
    arithmetic: bool = False
    readings: int = 6
    principle: tuple[Principle, ...] = ()
    identifiers: Mapping[str, tuple[str, ...]] = {}
    maximum: MaximumRules = MaximumRules()

    def __getitem__(self, number: str) -> Principle:
        """Return the principle with this id; raises KeyError."""
        for principle in self.principle:
            if principle.id == number:
                return principle
        raise KeyError(f"{self.name} has no principle {number}")

    @property
    def executed(self) -> bool:
        """True if the front end takes its conventions from this set."""
        return any(principle.executed for principle in self.principle)

    @property
    def rules(self) -> dict[str, tuple[str, ...]]:
        """The fragments of all principles, by what they decide."""
        return {
            key: (found,) if isinstance(found, str) else found
            for principle in self.principle
            for key, found in principle.rules.items()
        }

    @property
    def digest(self) -> str:
        """SHA-256 of the whole content but for `frozen_sha256` itself."""
        content = msgspec.structs.replace(self, frozen_sha256="")
        return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


def load(folder: Path, name: str) -> PrincipleSet:
    """Return the set of this name from a domain's folder, completed from its base; raises PrinciplesError."""
    sets = load_all(folder)
    if name not in sets:
        known = ", ".join(sets) or "none"
        raise PrinciplesError(f"{folder}: there is no set of principles named {name!r}; there is {known}")
    return sets[name]


def load_all(folder: Path) -> dict[str, PrincipleSet]:
    """Return every set of a domain's folder by name, each completed from its base; raises PrinciplesError."""
    sets = {one.name: one for one in map(_read, sorted(folder.glob(FILES)))}
    completed = {name: _completed(one, sets, ()) for name, one in sets.items()}
    for name, one in completed.items():
        decided = [key for principle in one.principle for key in (*principle.rules, *principle.sets)]
        if twice := sorted({key for key in decided if decided.count(key) > 1}):
            raise PrinciplesError(f"{folder}: two principles of {name} decide {', '.join(twice)}; give them one id")
    return completed


def _read(path: Path) -> PrincipleSet:
    try:
        found = msgspec.toml.decode(path.read_bytes(), type=PrincipleSet)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
        raise PrinciplesError(f"{path}: {error}") from error
    numbers = [principle.id for principle in found.principle]
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    if twice:
        raise PrinciplesError(f"{path}: {', '.join(twice)} occur twice")
    if found.frozen_sha256 not in ("", found.digest):
        raise PrinciplesError(
            f"{path}: edited since it was frozen: its digest is {found.digest}, frozen_sha256 is {found.frozen_sha256}; "
            "restore it, or give the changed set a name of its own"
        )
    if found.yes_no not in ("both", "boolean"):
        raise PrinciplesError(f'{path}: yes_no = {found.yes_no!r}; write "both" or "boolean"')
    return found


def _completed(one: PrincipleSet, sets: Mapping[str, PrincipleSet], seen: tuple[str, ...]) -> PrincipleSet:
    if not one.base:
        return one
    if one.base not in sets or one.base in seen or one.base == one.name:
        raise PrinciplesError(f"{one.name}: its base {one.base!r} is not there, or builds on it in turn")
    base = _completed(sets[one.base], sets, (*seen, one.name))
    own = {principle.id: principle for principle in one.principle}
    merged = [own.pop(principle.id, principle) for principle in base.principle]
    return msgspec.structs.replace(
        one,
        principle=(*merged, *own.values()),
        identifiers={**base.identifiers, **one.identifiers},
        maximum=MaximumRules(
            {**base.maximum.identify, **one.maximum.identify}, (*base.maximum.brings, *one.maximum.brings)
        ),
    )


def changed(before: PrincipleSet, after: PrincipleSet) -> list[str]:
    """Return the ids of principles that were added, removed or altered."""
    first = {principle.id: principle for principle in before.principle}
    second = {principle.id: principle for principle in after.principle}
    return sorted(number for number in {*first, *second} if first.get(number) != second.get(number))


def check_freeze(before: PrincipleSet, after: PrincipleSet, today: date) -> None:
    """Raise PrinciplesError when the set is frozen today and anything in it was changed, its freeze included."""
    begin, end = before.frozen_from, before.frozen_until
    frozen = begin is not None and begin <= today and (end is None or today < end)
    if frozen and before != after:
        what = ", ".join(changed(before, after)) or "its settings"
        until = f" until {end}" if end is not None else ""
        raise PrinciplesError(f"{before.name} is frozen since {begin}{until}: {what} may not change before the test")


class Citation(msgspec.Struct, frozen=True):
    """An annotation's item and the principles that it rests on, with the version it was made under."""

    item: str
    version: str
    principles: tuple[str, ...]


def impact(
    before: PrincipleSet, after: PrincipleSet, annotations: Iterable[Citation]
) -> list[tuple[str, tuple[str, ...]]]:
    """Annotations to look at again after a change: the item and the changed principles that it cites.

    Raises ValueError for an annotation without a version: nobody can tell what it was made by.
    """
    touched = set(changed(before, after))
    found = []
    for annotation in annotations:
        if not annotation.version:
            raise ValueError(f"{annotation.item} does not say by which version of the principles it was made")
        cited = tuple(number for number in annotation.principles if number in touched)
        if cited:
            found.append((annotation.item, cited))
    return found
