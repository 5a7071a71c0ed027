"""Application of a set of principles: `principles*.toml` defines keys, flags, superlatives, periods and settings.

`domain.toml` lists the words; stipulated definitions exist in the principles alone, so that the front end, the references
and the printed document cannot differ. A domain without its own principles states its conventions in `domain.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from domain.english.model.domain import Attribute, Conventions, DomainError, DomainModel, Entity, meaning_of
from domain.principles import PrinciplesError, PrincipleSet, load_all

_replace = msgspec.structs.replace
_COMPARED = frozenset(
    ["clock =", "clock between", "clock <", "clock <=", "clock >", "clock >=", "clock around", "share"]
)
_SETTINGS = frozenset(Conventions.__struct_fields__) - {"title", "flags", "cite", "rules", "yes_no"}


def apply_principles(model: DomainModel, folder: Path, name: str) -> tuple[DomainModel, Conventions]:
    """Return the model and the conventions under the set `name`; raise DomainError if it is missing or does not fit."""
    try:
        sets = {known: found for known, found in load_all(folder).items() if found.executed}
    except PrinciplesError as error:
        raise DomainError(str(error)) from error
    if twice := sorted(sets.keys() & model.principles.keys()):
        raise DomainError(f"{folder}: {twice[0]} stands in domain.toml and among the principles; keep the latter")
    if name in sets:
        model, conventions = _PrincipleApplication(model, sets[name]).run()
    elif not name or name in model.principles:
        conventions = model.principles.get(name, Conventions())
        flags = {flag: _replace(model.flag[flag], where=where) for flag, where in conventions.flags.items()}
        model = _replace(model, flag=model.flag | flags)
    else:
        known = ", ".join(sorted({*sets, *model.principles})) or "none"
        raise DomainError(f"no set of principles is called {name!r}; known: {known}")
    _check(model, folder, name)
    return model, conventions


def _check(model: DomainModel, folder: Path, name: str) -> None:
    lacking = {f"entity.{key}": "key" for key, entity in model.entity.items() if not entity.key}
    lacking |= {f"flag.{key}": "where" for key, flag in model.flag.items() if not flag.where}
    lacking |= {f"period.{key}": "begin and end" for key, part in model.period.items() if min(part.begin, part.end) < 0}
    for thing, what in lacking.items():
        chosen = f"the set {name!r} of principles" if name else "no set of principles"
        raise DomainError(f"{folder}: [{thing}] has no {what}, and {chosen} decides it; write one of the two")


class _PrincipleApplication:
    """Applies one set to a model, rule by rule."""

    def __init__(self, model: DomainModel, principles: PrincipleSet) -> None:
        self.model = model
        self.principles = principles
        self.compared: dict[str, tuple[str, ...]] = {}

    def run(self) -> tuple[DomainModel, Conventions]:
        self._identify()
        for key, fragments in self.principles.rules.items():
            try:
                self._apply(key, fragments)
            except DomainError:
                raise
            except (SqlglotError, ValueError, LookupError, AttributeError) as error:
                raise self._error(f"the rule for {key!r} cannot be followed: {fragments[0]!r}") from error
        about = _replace(self.model.domain, aggregates=self.principles.arithmetic)
        return _replace(self.model, domain=about), self._conventions()

    def _error(self, what: str) -> DomainError:
        return DomainError(f"principles {self.principles.name!r}: {what}")

    def _identify(self) -> None:
        """Set the keys of entities from the identifiers that the principles give for their tables."""
        found: dict[str, Entity] = {}
        for name, entity in self.model.entity.items():
            columns = self.principles.identifiers.get(entity.table)
            if columns and entity.key:
                raise self._error(f"identifies {entity.table}, and [entity.{name}] has a `key` too; keep one")
            found[name] = _replace(entity, key=tuple(f"{entity.table}.{c}" for c in columns)) if columns else entity
        self.model = _replace(self.model, entity=found)

    def _conventions(self) -> Conventions:
        cite: dict[str, str] = {}
        settings: dict[str, Any] = {}
        for principle in self.principles.principle:
            cite |= dict.fromkeys((*principle.rules, *principle.concerns), principle.id)
            settings |= principle.sets
        if unknown := sorted(settings.keys() - _SETTINGS):
            raise self._error(f"no setting is called {unknown[0]!r}; known: {', '.join(sorted(_SETTINGS))}")
        yes_no = "boolean" if self.principles.yes_no == "boolean" else "table"
        whole = settings | {"title": self.principles.title, "cite": cite, "rules": self.compared, "yes_no": yes_no}
        try:
            return msgspec.convert(whole, Conventions)
        except msgspec.ValidationError as error:
            raise self._error(f"a setting does not fit: {error}") from error

    def _apply(self, key: str, fragments: tuple[str, ...]) -> None:
        what, _, name = key.partition(" ")
        model = self.model
        if key in _COMPARED:
            self.compared[key] = fragments
        elif what == "period" and name.replace(" ", "_") in model.period:
            self.compared[key] = fragments
            self._bound(name.replace(" ", "_"), fragments[0])
        elif what == "asked" and name in model.entity and ";" not in "".join(_selected(fragments[0])):
            self._put("entity", name, key=_selected(fragments[0]))
        elif what == "asked" and name in model.attribute:
            self._put("attribute", name, select=_selected(fragments[0]))
        elif what == "explained" and name in model.kind:
            self._explain(name, fragments[0])
        elif key in model.flag:
            self._put("flag", key, where=_tests(fragments[0]))
        elif what in model.superlative and name in {"", *model.flag}:
            self._rank(what, name, fragments[0])
        else:
            raise self._error(f"decides {key!r}, of which domain.toml has nothing")

    def _put(self, part: str, name: str, **fields: Any) -> None:
        things: Mapping[str, Any] = getattr(self.model, part)
        self.model = _replace(self.model, **{part: {**things, name: _replace(things[name], **fields)}})

    def _bound(self, name: str, fragment: str) -> None:
        """Set a period's begin and end, which disambiguate times such as "8 in the evening"."""
        begin, end = (int(number.name) for number in _tree(fragment).find_all(exp.Literal, bfs=False))
        self._put("period", name, begin=begin, end=end)

    def _explain(self, kind: str, fragment: str) -> None:
        """Add the attribute that explains the codes of a kind: "what does DL mean"."""
        path = _selected(fragment)
        about = self.model.kind[kind]
        attribute = Attribute(of=about.explains or about.asks, select=path)
        self.model = _replace(self.model, attribute={**self.model.attribute, meaning_of(kind): attribute})

    def _rank(self, name: str, flag: str, fragment: str) -> None:
        equation = _tree(fragment)
        column = _column(equation.this)
        pick = "min" if equation.find(exp.Min) else "max"
        about = self.model.superlative[name]
        if flag:
            self._put("superlative", name, with_flag={**about.with_flag, flag: column})
            return
        table = column.partition(".")[0]
        columns = {entity: column if old.partition(".")[0] == table else old for entity, old in about.column.items()}
        self._put("superlative", name, pick=pick, column=columns)


def _tree(fragment: str) -> Any:
    return sqlglot.parse_one(fragment.replace("{", "blank_").replace("}", ""), read="sqlite").unnest()


def _column(tree: Any) -> str:
    return f"{tree.table}.{tree.name}"


def _selected(fragment: str) -> tuple[str, ...]:
    """Return the columns of a SELECT as paths over its joins."""
    tree = _tree(fragment)
    steps = [
        " & ".join(f"{_column(equal.this)} = {_column(equal.expression)}" for equal in join.find_all(exp.EQ))
        for join in tree.args.get("joins") or ()
    ]
    return tuple("; ".join((*steps, _column(column))) for column in tree.expressions)


def _tests(fragment: str) -> tuple[str, ...]:
    """Return conditions joined by AND as tests of `domain.toml`; IN with a SELECT becomes a path."""
    tree = _tree(fragment)
    parts = tree.flatten() if isinstance(tree, exp.And) else (tree,)
    return tuple(_test(part.unnest()) for part in parts)


def _test(tree: Any) -> str:
    query = tree.args.get("query") if isinstance(tree, exp.In) else None
    if query is not None:
        inner = query.unnest()
        step = f"{_column(tree.this)} = {_column(inner.expressions[0])}"
        return f"{step}; {_test(inner.args['where'].this.unnest())}"
    if isinstance(tree, exp.Not) and isinstance(tree.this, exp.Is):
        return f"{_column(tree.this.this)} is not null"
    if isinstance(tree, exp.GT) and isinstance(tree.this, exp.StrPosition):
        return f"{_column(tree.this.this)} contains {tree.this.args['substr'].sql(dialect='sqlite')}"
    return str(tree.sql(dialect="sqlite")).replace("<>", "!=")
