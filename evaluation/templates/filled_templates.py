r"""Filled templates as text, and the check of what fills them.

    MESSAGE ID: DEV-GROUP1-N00001-001
    EVENT: ATTACK
    OBJECTS: USS ALDER
    OBJECTS: USS BIRCH

A line a fill; a slot of several values has several lines; an empty line ends a template; lines that begin with `;` are comments.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import lines_of
from evaluation.templates.template_schema import Slot, SlotRule, TemplateSchema

_WORD = re.compile(r"[^\W_]+")


class FilledTemplate(msgspec.Struct, frozen=True):
    """One template: its fills by slot, canonical, and the line of each slot; line 0 stands for what has none."""

    text: str
    fills: dict[str, tuple[str, ...]]
    lines: dict[str, int]
    path: str = ""

    def values(self, slot: str) -> tuple[str, ...]:
        return self.fills.get(slot, ())


def parse(data: bytes | str, path: str, schema: TemplateSchema) -> list[FilledTemplate]:
    """The templates in a file; raises `FormatFault` for a line that is none, an unknown slot, or a template of no text."""
    found: list[FilledTemplate] = []
    fills: dict[str, tuple[str, ...]] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate([*lines_of(data, path), ""], start=1):
        if line.startswith(";"):
            continue
        if line.strip():
            name, colon, value = (part.strip() for part in line.partition(":"))
            slot = schema.slots.get(name.upper())
            if not colon or slot is None:
                known = ", ".join(schema.slots)
                raise FormatFault(path, number, f"{name!r} is not a slot of {schema.name}", f"the slots are {known}")
            if value:
                fills[slot.name] = (*fills.get(slot.name, ()), schema.canonical(slot, value))
            lines.setdefault(slot.name, number)
        elif lines:
            if not fills.get(schema.key):
                raise FormatFault(path, min(lines.values()), f"a template without {schema.key}", "name its text first")
            found.append(FilledTemplate(fills[schema.key][0], fills, lines, path))
            fills, lines = {}, {}
    return found


def render(templates: list[FilledTemplate], schema: TemplateSchema) -> str:
    """Return templates as text."""
    parts = [
        "".join(f"{slot.name}: {value}\n" for slot in schema.slot for value in template.values(slot.name))
        for template in templates
    ]
    return "\n".join(parts)


def faults(
    templates: list[FilledTemplate], schema: TemplateSchema, texts: Mapping[str, str] | None = None
) -> Iterator[FormatFault]:
    """Yield what is wrong with templates, by file and line; `texts` are those that string fills come from, by id."""
    for template in templates:
        if texts is not None and template.text not in texts:
            yield _fault(template, schema.key, f"{template.text} is not a text of this set", "put the id right")
        for slot in schema.slot:
            values = template.values(slot.name)
            rules = [rule for rule in schema.rule if slot.name in rule.slots and holds(rule, template)]
            if any(rule.blank for rule in rules):
                if values:
                    yield _fault(template, slot.name, f"{slot.name} is filled", f"it stays blank {_when(rules)}")
                continue
            if not values and schema.no_data:
                yield _fault(
                    template, slot.name, f"{slot.name} is blank", f"write {schema.no_data} where nothing is known"
                )
            if len(values) > 1 and not slot.several:
                yield _fault(template, slot.name, f"{slot.name} has {len(values)} values", "it has one")
            if len(values) > 1 and schema.no_data in values:
                yield _fault(template, slot.name, f"{schema.no_data} beside another value of {slot.name}", "choose one")
            yield from _fallback_faults(template, slot, values, schema)
            text = (texts or {}).get(template.text)
            yield from _value_faults(template, slot, values, schema, rules, text)


def _fallback_faults(
    template: FilledTemplate, slot: Slot, values: tuple[str, ...], schema: TemplateSchema
) -> Iterator[FormatFault]:
    """Yield where a fallback and the category that it repeats contradict each other: a category is for where no name is known,
    and that nothing is known only where the category is not known either."""
    described = {other for table in slot.tables for entry in schema.tables[table].values() for other in entry.values}
    for other in sorted(described):
        known = [value for value in template.values(other) if value in slot.fallback]
        if values == (schema.no_data,) and known:
            remedy = f"write {' and '.join(known)} where no name is known"
            yield _fault(template, slot.name, f"{slot.name}: {schema.no_data} beside {other}: {known[0]}", remedy)
        for value in values:
            if value in slot.fallback and template.values(other) and value not in template.values(other):
                yield _fault(template, slot.name, f"{value} without {value} in {other}", "put one of the two right")


def unused_names(
    templates: Sequence[FilledTemplate], schema: TemplateSchema, texts: Mapping[str, str]
) -> Iterator[tuple[FilledTemplate, Slot, str]]:
    """Yield fallbacks that may be too little: the text names something of that category which no template of the text names.

    Which of a text's names a template means is for its author to say, so that these are places to look at, no faults.
    """
    used: dict[str, set[str]] = {}
    for template in templates:
        used.setdefault(template.text, set()).update(value for fills in template.fills.values() for value in fills)
    for template in templates:
        words = _words(texts.get(template.text, ""))
        for slot in schema.slot:
            for value in (one for one in template.values(slot.name) if one in slot.fallback):
                for name, entry in ((n, e) for table in slot.tables for n, e in schema.tables[table].items()):
                    if (
                        value in entry.values.values()
                        and name not in used[template.text]
                        and any(_words(called) in words for called in (name, *entry.aliases))
                    ):
                        yield template, slot, name


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.upper()))} "


def _value_faults(
    template: FilledTemplate,
    slot: Slot,
    values: tuple[str, ...],
    schema: TemplateSchema,
    rules: list[SlotRule],
    text: str | None,
) -> Iterator[FormatFault]:
    allowed = [value for rule in rules for name in rule.lists for value in schema.lists[name]] or [*slot.values]
    names = {name: entry for table in slot.tables for name, entry in schema.tables[table].items()}
    for value in values:
        if value == schema.no_data and value:
            continue
        if allowed and value not in allowed:
            limited = any(rule.lists for rule in rules)
            remedy = f"it is one of {', '.join(allowed)}" + (f" {_when(rules)}" if limited else "")
            yield _fault(template, slot.name, f"{slot.name}: {value}", remedy)
        elif slot.kind == "string" and text is not None and not _told(value, text, (*allowed, *names, *slot.fallback)):
            remedy = "a string is in the text as it is; else it is a name of a table, or a fallback"
            yield _fault(template, slot.name, f"{slot.name}: {value} is not in the text", remedy)
        for other, expected in names[value].values.items() if value in names else ():
            if expected not in template.values(other):
                yield _fault(template, slot.name, f"{value} without {expected} in {other}", f"{value} is {expected}")


def _told(value: str, text: str, known: tuple[str, ...]) -> bool:
    return value in known or value in " ".join(text.upper().split())


def holds(rule: SlotRule, template: FilledTemplate) -> bool:
    """Return whether a rule applies to a template."""
    return all(set(values) & set(template.values(slot)) for slot, values in rule.when.items())


def _when(rules: list[SlotRule]) -> str:
    found = [f"where {slot} is {' or '.join(values)}" for rule in rules for slot, values in rule.when.items()]
    return " and ".join(dict.fromkeys(found))


def _fault(template: FilledTemplate, slot: str, found: str, remedy: str) -> FormatFault:
    line = template.lines.get(slot) or min(template.lines.values(), default=0)
    return FormatFault(template.path, line, f"{template.text}: {found}", remedy)


def read(path: Path, schema: TemplateSchema) -> list[FilledTemplate]:
    """Read a file of templates."""
    return parse(path.read_bytes(), str(path), schema)
