"""The folder for participants of a template test: the task in words, the texts by set, and some templates as examples.

Examples are the templates of the development set; those of the other sets are the key of the test and stay behind.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from corpus.io.staging import Refused, staged
from evaluation.templates.filled_templates import FilledTemplate, render
from evaluation.templates.slot_report import Message
from evaluation.templates.template_schema import Slot, SlotRule, TemplateSchema

_NAME = re.compile(r"\w[\w.-]*")
EXAMPLES = "development"
"""The set whose templates are handed out."""
_FORM = """\
A file of templates has one line for each fill, SLOT: VALUE; a slot with several values has several lines. An empty line ends a
template, and a text has a template for each event that it reports. Lines that begin with a semicolon are comments. The file
examples.tpl shows all this.
"""
_SCORES = """\
Recall (1) 1989 is the share of templates that are filled, recall (2) 1989 that of slots that are filled, rightly or not, and
precision 1989 the share of slots filled exactly right among those recalled. Beside them stand recall, precision and F of today,
over all fills. On few texts no difference between systems is expected to be significant. After the test all who took part meet to
read the results and to criticise the test.
"""


def write(target: Path, schema: TemplateSchema, key: Sequence[FilledTemplate], messages: Mapping[str, Message]) -> int:
    """Write a new folder and return the number of texts; raises `Refused` if it exists, or where there are no texts."""
    if not messages:
        raise Refused("there is no text to hand out; name the texts: --messages FILE")
    for message in messages.values():
        if not _NAME.fullmatch(message.id):
            raise Refused(f"{message.id} is not a name of a file; write ids of letters, digits, hyphens and dots")
    with staged(target) as staging:
        for message in messages.values():
            for side in ("verbatim", "modified"):
                if text := getattr(message, side):
                    folder = re.sub(r"[^\w-]+", "-", message.set or "texts")
                    staging.write(f"{folder}/{side}/{message.id}.txt", f"{text.strip()}\n".encode())
        shown = [template for template in key if messages[template.text].set == EXAMPLES]
        staging.write("examples.tpl", render(shown, schema).encode())
        staging.write("README.txt", "\n".join(_readme(schema, messages)).encode() + b"\n")
    return len(messages)


def _readme(schema: TemplateSchema, messages: Mapping[str, Message]) -> Iterator[str]:
    yield f"The task {schema.name}"
    yield ""
    if schema.about:
        yield f"{schema.about.strip()}\n"
    yield _FORM
    yield "Slots"
    yield ""
    for slot in schema.slot:
        yield f"{slot.name}: {'; '.join(_told(slot, schema))}."
    if schema.no_data:
        yield ""
        yield f"A slot about which nothing is known has {schema.no_data}, unless it stays blank."
    for name, entries in schema.tables.items():
        yield ""
        yield f"Names of {name}"
        yield ""
        for canonical, entry in entries.items():
            values = ", ".join(f"{slot} {value}" for slot, value in entry.values.items())
            yield f"{canonical}: also {', '.join(entry.aliases) or 'nothing else'}" + (f"; {values}" if values else "")
    yield ""
    yield "Texts"
    yield ""
    for part in dict.fromkeys(message.set for message in messages.values()):
        own = [message for message in messages.values() if message.set == part]
        groups = ", ".join(dict.fromkeys(message.group for message in own))
        yield f"{part or 'texts'}: {len(own)}, of {groups}"
    yield ""
    yield "Scores"
    yield ""
    yield _SCORES


def _told(slot: Slot, schema: TemplateSchema) -> Iterator[str]:
    if slot.kind == "id":
        yield "the id of the text"
    elif slot.values:
        yield f"one of {', '.join(slot.values)}"
    elif slot.kind == "string":
        yield "a string that is in the text"
    if slot.tables:
        yield f"by its name in the table of {' or '.join(slot.tables)} where it has one"
    if slot.fallback:
        yield f"else {', '.join(slot.fallback)}"
    if slot.order:
        yield f"the order is {' < '.join(slot.order)}"
    if slot.synonyms:
        yield ", ".join(f"{other} is {value}" for other, value in slot.synonyms.items())
    if slot.several:
        yield "several values are allowed"
    yield from (_rule(rule, schema) for rule in schema.rule if slot.name in rule.slots)


def _rule(rule: SlotRule, schema: TemplateSchema) -> str:
    when = " and ".join(f"{slot} is {' or '.join(values)}" for slot, values in rule.when.items())
    allowed = ", ".join(value for name in rule.lists for value in schema.lists[name])
    return f"blank where {when}" if rule.blank else f"where {when}, one of {allowed}"
