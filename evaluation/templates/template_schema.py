"""Slots as data: which there are, what fills them, in which order, when they stay blank (Sundheim 1989, table 1).

A schema is TOML:

    name = "naval"                            no_data = "NO DATA"
    about = "What participants are told."     split = "FORCE": the slot whose values part the templates
    [[slot]]      name = "EVENT"              kind = "list" or "string" or "id"
                  values = [...]              order = [...]: those of them that have one, from least to most
                  several = true              synonyms = { CONTACT = "DETECT" }
                  tables = ["units"]          whose names stand for whatever the text calls them
                  fallback = ["AIR", ...]     what stands there where no name is known
    [lists]       sensors = [...]
    [tables.units] "USS ALDER" = { aliases = ["ALDER"], values = { "AGENT CATEGORY" = "SURF" } }
    [[rule]]      slots = [...]               when = { EVENT = ["OTHER"] }
                  blank = true, or lists = ["sensors"]
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from corpus.formats.errors import FormatFault

KINDS = ("list", "string", "id")
_TOML_LINE = re.compile(r"at line (\d+)")
_PATH = re.compile(r"at `\$\.(\w+)(?:\[(\d+)\])?(?:\.(\w+))?")
_FIELD = re.compile(r"field `(\w+)`")


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One slot. A string fill comes from the text; a name of one of the `tables` stands for its aliases."""

    name: str
    kind: str = "string"
    values: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    several: bool = False
    synonyms: dict[str, str] = {}
    tables: tuple[str, ...] = ()
    fallback: tuple[str, ...] = ()


class FillerEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One name of a table: what else it is called, and what other slots hold where it stands."""

    aliases: tuple[str, ...] = ()
    values: dict[str, str] = {}


class SlotRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A condition on some slots when others have one of some values: they are blank, or hold what some lists have."""

    slots: tuple[str, ...]
    when: dict[str, tuple[str, ...]]
    blank: bool = False
    lists: tuple[str, ...] = ()


class TemplateSchema(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The slots of a schema in order; the first one names the text that a template is of. `about` tells participants of the
    task, and the values of the slot `split` part the templates into tables."""

    name: str
    slot: tuple[Slot, ...]
    no_data: str = ""
    about: str = ""
    split: str = ""
    lists: dict[str, tuple[str, ...]] = {}
    tables: dict[str, dict[str, FillerEntry]] = {}
    rule: tuple[SlotRule, ...] = ()

    @property
    def slots(self) -> dict[str, Slot]:
        return {slot.name: slot for slot in self.slot}

    @property
    def key(self) -> str:
        """The slot that names the text."""
        return self.slot[0].name

    def canonical(self, slot: Slot, value: str) -> str:
        """Return what a value stands for: a synonym its value, an alias its name, otherwise itself.

        >>> slot = Slot("EVENT", "list", ("DETECT",), synonyms={"CONTACT": "DETECT"})
        >>> TemplateSchema("s", (slot,)).canonical(slot, "contact")
        'DETECT'
        """
        plain = fold(value)
        for name in slot.tables:
            for canonical, entry in self.tables[name].items():
                if plain in (canonical, *entry.aliases):
                    return canonical
        return slot.synonyms.get(plain, plain)


def fold(value: str) -> str:
    """Return a name or a value as it is compared: in capitals, with single blanks.

    >>> fold("No  data")
    'NO DATA'
    """
    return " ".join(value.upper().split())


def _folded(schema: TemplateSchema) -> TemplateSchema:
    """The schema with all that templates are compared with in capitals; names of lists and tables are its own."""

    def all_of(values: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(fold, values))

    def pairs(values: Mapping[str, str]) -> dict[str, str]:
        return {fold(name): fold(value) for name, value in values.items()}

    change = msgspec.structs.replace
    slots = (
        change(
            slot,
            name=fold(slot.name),
            values=all_of(slot.values),
            order=all_of(slot.order),
            synonyms=pairs(slot.synonyms),
            fallback=all_of(slot.fallback),
        )
        for slot in schema.slot
    )
    rules = (
        change(rule, slots=all_of(rule.slots), when={fold(slot): all_of(each) for slot, each in rule.when.items()})
        for rule in schema.rule
    )
    return change(
        schema,
        slot=tuple(slots),
        no_data=fold(schema.no_data),
        split=fold(schema.split),
        lists={name: all_of(values) for name, values in schema.lists.items()},
        tables={
            name: {fold(one): FillerEntry(all_of(entry.aliases), pairs(entry.values)) for one, entry in table.items()}
            for name, table in schema.tables.items()
        },
        rule=tuple(rules),
    )


def load(path: Path) -> TemplateSchema:
    """Read a schema; raises the first `FormatFault` of `examine`."""
    schema, faults = examine(path)
    if schema is None or faults:
        raise faults[0]
    return schema


def examine(path: Path) -> tuple[TemplateSchema | None, list[FormatFault]]:
    """Read a schema and return all its faults by line: what breaks its form, otherwise names that it does not define.

    The schema is None if its form is broken. Raises OSError.
    """
    data, name = path.read_bytes(), str(path)
    try:
        lines = data.decode().splitlines()
    except UnicodeDecodeError:
        return None, [FormatFault(name, 0, "no UTF-8", "save it as UTF-8")]
    try:
        schema = _folded(msgspec.toml.decode(data, type=TemplateSchema))
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        told = str(error)
        line = int(found[1]) if (found := _TOML_LINE.search(told)) else _line_of_path(lines, told)
        return None, [FormatFault(name, line, told, "the form of a schema is in docs/how-to/score-templates.md")]
    return schema, [
        FormatFault(name, _line(lines, table, place, word), found, remedy)
        for table, place, word, found, remedy in _faults(schema)
    ]


def _line_of_path(lines: list[str], told: str) -> int:
    """Return the line of what a validation error is about, by the path that it names: `$.slot[1].kind`."""
    path = _PATH.search(told)
    word = _FIELD.search(told)
    if path is None:
        return _line(lines, "", 0, word[1]) if word else 0
    table, place, key = path[1], int(path[2] or 0), path[3] or ""
    return _line(lines, table, place, word[1] if word else key)


def _line(lines: list[str], table: str, place: int, word: str) -> int:
    """Return the line, from 1, of a word in the table of that name and number; of its header where the word is not there, 0
    if there is no such table."""
    headers = [number for number, line in enumerate(lines) if line.replace(" ", "").startswith(f"[[{table}]]")]
    if table and place >= len(headers):
        return next((number for number, line in enumerate(lines, 1) if table in line), 0)
    first = headers[place] if table else 0
    last = next((n for n in range(first + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
    within = (
        number for number in range(first, last) if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", lines[number], re.I)
    )
    return next(within, first if table else -1) + 1


_Fault = tuple[str, int, str, str, str]
"""The table and its number from 0, the word at fault, what was found, the remedy."""


def _faults(schema: TemplateSchema) -> Iterator[_Fault]:
    if not schema.slot or schema.slot[0].kind != "id":
        yield "slot", 0, "kind", "no slot of kind id first", "the first slot names the text"
    names: set[str] = set()
    for place, slot in enumerate(schema.slot):
        if slot.kind not in KINDS:
            yield "slot", place, "kind", f"slot {slot.name}: kind {slot.kind!r}", f"it is one of {', '.join(KINDS)}"
        if slot.name in names:
            yield "slot", place, "name", f"slot {slot.name} is there twice", "keep one"
        names.add(slot.name)
        for table in slot.tables:
            if table not in schema.tables:
                yield "slot", place, table, *_undefined(slot.name, table)
        allowed = _values(schema, slot)
        for word in (*slot.order, *slot.synonyms.values()):
            if allowed and word not in allowed:
                yield "slot", place, word, f"slot {slot.name}: {word!r} is none of its values", "add it, or take it out"
    for title, entries in schema.tables.items():
        for word in dict.fromkeys(word for entry in entries.values() for word in entry.values):
            if word not in names:
                yield f"tables.{title}", 0, word, *_undefined(f"the table {title}", word)
    if schema.split and schema.split not in names:
        yield "", 0, "split", *_undefined("split", schema.split)
    for place, rule in enumerate(schema.rule):
        for word, there in (
            *((one, one in schema.lists) for one in rule.lists),
            *((one, one in names) for one in (*rule.slots, *rule.when)),
        ):
            if not there:
                yield "rule", place, word, *_undefined("a rule", word)
        for name, wanted in rule.when.items():
            allowed = _values(schema, schema.slots[name]) if name in names else ()
            for word in wanted:
                if allowed and word not in allowed:
                    yield "rule", place, word, f"a rule waits for {name}: {word}", f"it is one of {', '.join(allowed)}"
        if not rule.blank and not rule.lists:
            yield "rule", place, "slots", "a rule without a consequence", "add blank = true, or lists"


def _values(schema: TemplateSchema, slot: Slot) -> tuple[str, ...]:
    """Return what may fill a slot of a closed list, by itself or by a rule; empty if anything may."""
    ruled = [
        value
        for rule in schema.rule
        if slot.name in rule.slots
        for one in rule.lists
        for value in schema.lists.get(one, ())
    ]
    found = (*slot.values, *ruled)
    return (*found, schema.no_data) if found and schema.no_data else found


def _undefined(who: str, what: str) -> tuple[str, str]:
    return f"{who} names {what!r}, which is not there", "define it, or take it out"
