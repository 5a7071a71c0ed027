"""`curtain templates`: filled templates checked, and systems' templates scored against them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.formats.errors import FormatFault, message_of
from corpus.io.staging import Refused
from evaluation.templates import request_frames, slot_report
from evaluation.templates.filled import Filled, faults, read, render
from evaluation.templates.schema import Schema, load
from evaluation.templates.slot_report import Message, read_messages
from session.values.sanitize import inert

SHIPPED = {"naval": "naval/schema.toml", "requests": "requests.toml"}
_LOG = "log"
"""What stands for the logs of the key in place of a file."""
_HERE = Path(slot_report.__file__).parent


class TemplatesOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `curtain templates`.

    `schema` is `naval`, `requests` or a file; `key` and `responses` are files of templates, or folders of requests; each
    response is `FILE` or `NAME=FILE`, and so is `modified`, what the system of that name made of the repaired texts. `NAME=log`
    is what the logs of the key, a corpus, say was asked. `messages` tells the texts, their groups, sets and traits; `show` prints
    the templates of the key.
    """

    schema: str
    key: str
    responses: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    messages: str | None = None
    show: bool = False
    as_json: bool = False


def templates_command(given: TemplatesOptions, out: TextIO, err: TextIO) -> int:
    """Check templates and score systems; 0 when all is as the key has it, 1 when not, 2 for faulty input, with all its faults."""
    try:
        schema = load(_HERE / SHIPPED[given.schema] if given.schema in SHIPPED else Path(given.schema))
        messages = read_messages(Path(given.messages)) if given.messages else {}
        key = _templates(Path(given.key), schema)
        found = [*faults(key, schema, _texts(messages, "verbatim"))]
        systems, modified = (_named(each, key, given.key, schema) for each in (given.responses, given.modified))
        for templates, side in [
            *((own, "verbatim") for own in systems.values()),
            *((own, "modified") for own in modified.values()),
        ]:
            found += _response_faults(templates, key, schema, _texts(messages, side))
        for name in modified:
            if name not in systems:
                raise FormatFault(
                    name, 0, "repaired texts of no system", f"the systems are {', '.join(systems) or 'none'}"
                )
        if not key:
            raise FormatFault(given.key, 0, "no template in it", "there is nothing to check or to score against")
    except (FormatFault, Refused, OSError) as error:
        print(f"error: {inert(message_of(error))}", file=err)
        return 2
    if found:
        err.writelines(f"error: {inert(str(fault))}\n" for fault in found)
        return 2
    if not systems:
        print(
            inert(render(key, schema), newlines="keep") if given.show else f"{len(key)} templates, no fault", file=out
        )
        return 0
    scored = slot_report.report(schema, key, systems, modified, messages)
    if given.as_json:
        print(json.dumps(msgspec.to_builtins(scored), ensure_ascii=False, indent=1), file=out)
    else:
        for line in slot_report.render(scored):
            print(inert(line), file=out)
    return 1 if any(system.wrong for system in scored.systems) else 0


def _texts(messages: Mapping[str, Message], side: str) -> dict[str, str] | None:
    return {name: getattr(message, side) for name, message in messages.items()} if messages else None


def _templates(path: Path, schema: Schema) -> list[Filled]:
    return request_frames.frames(path) if path.is_dir() else read(path, schema)


def _named(given: Sequence[str], key: Sequence[Filled], root: str, schema: Schema) -> dict[str, list[Filled]]:
    found: dict[str, list[Filled]] = {}
    for one in given:
        label, named, file = one.partition("=")
        name = label if named else Path(one).stem
        if name in found:
            raise FormatFault(one, 0, f"there are two systems named {name}", "write NAME=FILE")
        if file == _LOG:
            found[name] = request_frames.among(request_frames.of_log(Path(root)), (each.text for each in key))
        else:
            found[name] = _templates(Path(file if named else one), schema)
    return found


def _response_faults(
    templates: list[Filled], key: list[Filled], schema: Schema, texts: Mapping[str, str] | None
) -> list[FormatFault]:
    """Faults of a system's templates: texts that nobody asked for. That its fills keep the rules is for the score to say."""
    known = {*(texts or ()), *(template.text for template in key)}
    return [
        FormatFault(each.path, each.lines.get(schema.key, 0), f"{each.text} is no text of this set", "put the id right")
        for each in templates
        if each.text not in known
    ]
