"""Rows as sentences, from the templates in a domain's `spoken.toml`.

    [[sentence]]
    one = "loan"
    many = "loans"
    say = "{title} is due at {due_time}[ and was lent by {clerk_name}]."

    [column.shelf_number]
    form = "pairs"

The first sentence of which every column outside brackets is in the result says each of its rows; what is in brackets is left
out where a column of it is missing or unknown. Rows that no sentence fits are said column by column.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from domain.spoken.spoken_answer_values import SpokenColumn, said
from domain.spoken.spoken_numbers import counted, number
from session.values.answers import Table
from session.values.column_display import ColumnReading, Reading, told

FILE = "spoken.toml"
NONE_FOUND = "Nothing was found."
MOST_COLUMNS = 6
_PLACE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_PART = re.compile(r"\[([^\[\]]*)\]")


class SpokenFormError(ValueError):
    """A `spoken.toml` that cannot be used; the message names the file, the key and the remedy."""


class SentenceTemplate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A template for one row, and the noun for rows: `one` in the singular, `many` in the plural."""

    say: str
    one: str = "answer"
    many: str = "answers"

    @property
    def needed(self) -> frozenset[str]:
        """Return the columns that the template requires."""
        return frozenset(_PLACE.findall(_PART.sub("", self.say)))


class SpokenForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `spoken.toml`; without one, rows are said column by column."""

    sentence: tuple[SentenceTemplate, ...] = ()
    column: dict[str, SpokenColumn] = {}
    none: str = NONE_FOUND

    def say(self, table: Table, reading: Reading, most: int) -> str:
        """Say the number of rows, then at most `most` of them as sentences, then how many are left; with `most` 0 only the
        number. Rows with the same wording are said and counted once."""
        if not table.rows:
            return self.none
        said = list(dict.fromkeys(self._sentences(table, reading)))
        single = len(said) == 1 and not table.more
        kept = said[:most]
        if not self._fitting(table.columns) and len(table.columns) == 1 and kept:
            kept = [_listed(kept)]
        more = _more(len(said) - most, table.more) if most else ""
        count = "" if single and most else self._count(table.columns, len(said), table.more)
        return " ".join(filter(None, (count, *map(_sentence, kept), more)))

    def _count(self, columns: Sequence[str], count: int, more: bool) -> str:
        fitting = self._fitting(columns) or SentenceTemplate("")
        verb = "was" if count == 1 and not more else "were"
        return _sentence(f"{'more than ' if more else ''}{counted(count, fitting.one, fitting.many)} {verb} found")

    def _sentences(self, table: Table, reading: Reading) -> Iterator[str]:
        """Yield a sentence for each row."""
        names = [name.lower() for name in table.columns]
        readings = (*reading[: len(names)], *(ColumnReading(),) * (len(names) - len(reading)))
        headings = [shown.heading or name.replace("_", " ") for name, shown in zip(names, readings, strict=True)]
        fitting = self._fitting(names)
        told_of = told(readings)
        for row in table.rows:
            words = [
                (value is not None, said(value, self.column.get(name, SpokenColumn()), shown))
                for name, value, shown in zip(names, row, readings, strict=True)
            ]
            if fitting is not None:
                yield _filled(fitting.say, dict(zip(names, words, strict=True)))
            elif len(told_of) == 1:
                yield words[told_of[0]][1]
            else:
                pairs = [f"{headings[at]} {words[at][1]}" for at in told_of]
                yield ", ".join(pairs[:MOST_COLUMNS])

    def _fitting(self, columns: Sequence[str]) -> SentenceTemplate | None:
        there = {name.lower() for name in columns}
        return next((sentence for sentence in self.sentence if sentence.needed <= there), None)


def _filled(template: str, row: dict[str, tuple[bool, str]]) -> str:
    """Return the template filled with a row's words; a part in brackets is included when all its columns are known."""

    def part(found: re.Match[str]) -> str:
        names = _PLACE.findall(found[1])
        return found[1] if all(name in row and row[name][0] for name in names) else ""

    return _PLACE.sub(lambda found: row[found[1]][1], _PART.sub(part, template))


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _more(left: int, beyond: bool) -> str:
    if beyond:
        return "And many more."
    return f"And {number(left)} more." if left > 0 else ""


def _sentence(text: str) -> str:
    """Return the text with an initial capital and a final full stop."""
    text = " ".join(text.split())
    ended = text.removesuffix(".") if text.endswith("..") else text  # "a.m." already ends with a full stop
    ended = ended if ended.endswith((".", "!", "?")) else f"{ended}."
    return f"{ended[:1].upper()}{ended[1:]}"


def load_spoken_form(folder: Path) -> SpokenForm:
    """Read `spoken.toml` of a domain folder, an empty form where there is none; raises SpokenFormError."""
    file = folder / FILE
    try:
        form = msgspec.toml.decode(file.read_bytes(), type=SpokenForm)
    except FileNotFoundError:
        return SpokenForm()
    except OSError as error:
        raise SpokenFormError(f"{file}: {error.strerror}") from None
    except msgspec.MsgspecError as error:
        raise SpokenFormError(f"{file}: {error}") from None
    except UnicodeDecodeError as error:
        raise SpokenFormError(f"{file}: not UTF-8 at byte {error.start}") from None
    for place, sentence in enumerate(form.sentence, start=1):
        if wrong := _objection(sentence):
            raise SpokenFormError(f"{file}: [[sentence]] {place}: say = {sentence.say!r}: {wrong}")
    for name, column in form.column.items():
        if column.written and "{}" not in column.written:
            raise SpokenFormError(f"{file}: [column.{name}] written = {column.written!r}: it has no {{}} for the value")
    return form


def _objection(sentence: SentenceTemplate) -> str:
    left = _PLACE.sub("", _PART.sub(lambda found: found[1], sentence.say))
    if strange := [bracket for bracket in "[]{}" if bracket in left]:
        return f"{strange[0]!r} stands alone: a column is {{name}}, and [ … ] a part that may be left out, none within another"
    if not sentence.needed:
        return "it names no column outside brackets, so it would fit every result"
    if capitals := sorted(name for name in _PLACE.findall(sentence.say) if name != name.lower()):
        return f"{{{capitals[0]}}}: columns are written in small letters"
    return ""
