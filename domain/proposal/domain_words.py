"""The domain's words for the tables, columns and values of a statement, or their names where it has none.

Each wording comes with its keys, by which a request can refer to it. A key is a word's stem (`w:salary`), a value (`v:1700`)
or an entry of `domain.toml` (`attribute:salary`).
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from domain.english.model.domain import ColumnDisplay, DomainModel, Superlative, read_path
from domain.english.model.value_index import Named, Phrase, phrase
from session.values.column_display import ColumnReading

Literal = str | int | float
Path = tuple[tuple[str, ...], str]
"""A path from an entity's table to a column: its join equalities, each with its sides in alphabetical order, and the
column."""
_LONGEST_CODE = 3
_YEAR_S_END = re.compile(r"\d{4}-(01-01|12-31)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_WORD = re.compile(r"[a-z0-9]+")


class DomainWords:
    """The words of one domain; without `model`, only the names of tables and columns."""

    def __init__(self, model: DomainModel | None = None, names: Mapping[Phrase, Sequence[Named]] | None = None) -> None:
        self._model = model
        self._names = names or {}
        self._columns: dict[str, ColumnDisplay] = dict(model.column) if model else {}
        self._attributes: dict[Path, list[str]] = {}
        self._flags: dict[str, list[str]] = {}
        self._superlatives: dict[str, list[str]] = {}
        self._tables: dict[str, str] = {}
        for name, entity in model.entity.items() if model else ():
            self._tables.setdefault(entity.table, name)
        for name, attribute in model.attribute.items() if model else ():
            for text in (*attribute.accepts.values(), *attribute.select):
                self._attributes.setdefault(_path(text), []).append(name)
        for name, flag in model.flag.items() if model else ():
            if len(flag.where) == 1 and ";" not in flag.where[0]:
                self._flags.setdefault(_squeezed(flag.where[0]), []).append(name)
        for name, superlative in model.superlative.items() if model else ():
            for column in _columns_of(superlative):
                self._superlatives.setdefault(column, []).append(name)

    def table(self, table: str) -> tuple[str, frozenset[str]]:
        """Return the noun for a table's rows, and its keys."""
        entity = self._tables.get(table)
        if self._model is None or entity is None:
            return _spaced(table), word_keys(table)
        known = self._model.entity[entity]
        said = known.many or _spaced(table)
        return said, word_keys(table, said, *known.words) | {f"entity:{entity}"}

    def column(self, path: Path) -> tuple[str, frozenset[str]]:
        """Return the wording of the column at the end of a path, and its keys."""
        name = path[1].rpartition(".")[2]
        heading = self._columns[name].heading if name in self._columns else ""
        keys = word_keys(name, heading)
        found = self._attributes.get(path, self._attributes.get(((), path[1]), []))
        for attribute in found:
            known = self._model.attribute[attribute] if self._model else None
            keys |= word_keys(attribute, *(known.words if known else ())) | {f"attribute:{attribute}"}
        keys |= {f"superlative:{word}" for word in self._superlatives.get(path[1], ())}
        return _spaced(name), keys

    def attributes(self, path: Path) -> list[str]:
        """Return the attributes that a path may belong to, those with a wording of their own first."""
        return sorted(self._attributes.get(path, []), key=lambda name: self.pattern(name) in ("", "{}"))

    def alike(self, attributes: Iterable[str], others: Iterable[str]) -> frozenset[str]:
        """Return those of `attributes` that belong to the same entities as `others`."""
        known = self._model.attribute if self._model else {}
        things = {known[name].of for name in others if name in known}
        return frozenset(name for name in attributes if name in known and known[name].of in things)

    def introduced(self, attributes: Iterable[str], kinds: Iterable[str]) -> frozenset[str]:
        """Return those of `attributes` that accept a value of one of these kinds."""
        known = self._model.attribute if self._model else {}
        return frozenset(name for name in attributes if name in known and {*kinds} & {*known[name].accepts})

    def pattern(self, attribute: str) -> str:
        """Return the wording of a condition on an attribute, with {} for the value; empty if the domain has none."""
        return self._model.attribute[attribute].say if self._model and attribute else ""

    def flag(self, condition: str) -> tuple[str, frozenset[str]] | None:
        """Return the wording of a condition that a flag stands for, and its keys; None if there is no flag."""
        found = self._flags.get(_squeezed(condition), [])
        if not found or self._model is None:
            return None
        said = self._model.flag[found[0]].say or _spaced(found[0])
        return said, frozenset(f"flag:{name}" for name in found)

    def value(self, column: str, value: Literal) -> tuple[str, frozenset[str], bool]:
        """Return the wording of a value, the keys by which a request can refer to it, and whether it is a time."""
        known = self._columns.get(column, ColumnDisplay())
        said = ColumnReading("", known.form, known.written, known.codes).read(value, expand=True)
        named = {str(one.value) for one in self._names.get(phrase(str(value)), ())}
        year = [str(value)[:4]] if _YEAR_S_END.fullmatch(str(value)) else []
        keys = frozenset(f"v:{plain(one)}" for one in (value, *named, *year))
        if isinstance(value, str) and value.isupper() and len(value) > _LONGEST_CODE:
            said = said.title()
        return said, keys, bool(known.form == "clock" or _DAY.match(str(value)))


def word_keys(*texts: str) -> frozenset[str]:
    """Return the keys of all words in the texts."""
    return frozenset(f"w:{_stem(word)}" for text in texts for word in _WORD.findall(text.lower().replace("_", " ")))


def plain(value: object) -> str:
    """Return the normalized form of a value: lower case, 17:00 as 1700, 5.0 as 5."""
    text = " ".join(str(value).lower().split())
    if re.fullmatch(r"\d?\d:\d\d(:00)?", text):
        text = text[:5].replace(":", "").lstrip("0") or "0"
    return text.removesuffix(".0") if re.fullmatch(r"-?\d+\.0", text) else text


def step(one: str, other: str) -> str:
    """Return an equality of two columns in normal form."""
    return " = ".join(sorted((one, other)))


def _path(text: str) -> Path:
    path = read_path(text)
    return tuple(step(*pair) for one in path.steps for pair in one.pairs), path.end


def _columns_of(superlative: Superlative) -> Iterable[str]:
    return (*superlative.column.values(), *superlative.with_flag.values())


def _squeezed(condition: str) -> str:
    return condition.replace(" ", "").lower()


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _stem(word: str) -> str:
    for ending, instead in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith("ss"):
            return (word[: -len(ending)] + instead).rstrip("e")
    return word.rstrip("e") if len(word) > _LONGEST_CODE else word
