"""`curtain templates`: filled templates checked, and systems' templates scored against them."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.formats.errors import FormatFault, counted, message_of, place
from corpus.io.staging import Refused
from evaluation.templates import hand_out, request_frames, slot_report
from evaluation.templates.filled_templates import FilledTemplate, faults, read, render, unused_names
from evaluation.templates.slot_report import Message, TemplateRun, read_messages
from evaluation.templates.template_schema import TemplateSchema, examine, load
from session.values.sanitize import inert

SHIPPED = {"naval": "naval/schema.toml", "requests": "requests.toml"}
_NAVAL = "naval"
_SEED = 1989
_LOG = "log"
"""What stands for the logs of the key in place of a file."""
_HERE = Path(slot_report.__file__).parent


class TemplatesOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `curtain templates`.

    `schema` is `naval`, `requests` or a file; `key` and `responses` are files of templates, or folders of requests; `naval`
    as the key is the one that ships, with its texts. Each response is `FILE`, `NAME=FILE` or `NAME@PHASE=FILE`, and so is
    `modified`, what the system of that name made of the repaired texts. `NAME=log` is what the logs of the key, a corpus, say
    was asked. `messages` tells the texts, their groups, sets and traits, of which `only` names one set; `show` prints the
    templates of the key; `draw` draws sets again, `SET=NUMBER,...`; `hand_out` names a new folder with what participants get.
    """

    schema: str
    key: str
    responses: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    messages: str | None = None
    only: str | None = None
    show: bool = False
    draw: str | None = None
    hand_out: str | None = None
    as_json: bool = False


class TemplateTest(msgspec.Struct, frozen=True):
    """Everything that is scored: the schema, the key, the texts, and what systems made of both kinds of texts."""

    schema: TemplateSchema
    key: list[FilledTemplate]
    messages: dict[str, Message]
    runs: list[TemplateRun]
    modified: list[TemplateRun]

    def faults(self) -> list[FormatFault]:
        """Return all faults of key and responses."""
        found = [*faults(self.key, self.schema, _texts(self.messages, "verbatim"))]
        for runs, side in ((self.runs, "verbatim"), (self.modified, "modified")):
            for run in runs:
                found += _response_faults(run, self.key, self.schema, _texts(self.messages, side))
        return found


def templates_command(given: TemplatesOptions, out: TextIO, err: TextIO) -> int:
    """Check templates and score systems; 0 when all is as the key has it, 1 when not, 2 for faulty input, with all its faults."""
    try:
        path = _schema_path(given.schema)
        found = examine(path)[1]
        if not found:
            test = _test(given, path)
            found = test.faults()
        if found:
            err.writelines(f"error: {inert(str(fault))}\n" for fault in found)
            return 2
        if given.draw is not None:
            groups = {message.id: message.group for message in test.messages.values()}
            out.writelines(
                f"{inert(text)}\t{inert(name)}\n" for text, name in sorted(_drawn(given.draw, groups).items())
            )
            return 0
        if given.hand_out is not None:
            count = hand_out.write(Path(given.hand_out), test.schema, test.key, test.messages)
            print(f"{count} texts in {given.hand_out}", file=out)
            return 0
    except (FormatFault, Refused, OSError) as error:
        print(f"error: {inert(message_of(error))}", file=err)
        return 2
    if not test.runs:
        for template, slot, name in unused_names(test.key, test.schema, _texts(test.messages, "verbatim") or {}):
            said = place(template.path, template.lines.get(slot.name, 0))
            print(
                inert(f"note: {said}: {template.text}: the text names {name}, and {slot.name} a category only"),
                file=err,
            )
        shown = inert(render(test.key, test.schema), newlines="keep")
        print(shown if given.show else f"{counted(len(test.key), 'template')}, no fault", file=out)
        return 0
    scored = slot_report.report(test.schema, test.key, test.runs, test.modified, test.messages)
    if given.as_json:
        print(json.dumps(msgspec.to_builtins(scored), ensure_ascii=False, indent=1), file=out)
    else:
        for line in slot_report.render(scored):
            print(inert(line), file=out)
    return 1 if any(system.wrong for system in scored.systems) else 0


def _schema_path(name: str) -> Path:
    return _HERE / SHIPPED[name] if name in SHIPPED else Path(name)


def _test(given: TemplatesOptions, schema_path: Path) -> TemplateTest:
    """Read everything; raises `FormatFault`, `Refused`, OSError."""
    schema = load(schema_path)
    ships = given.key == _NAVAL and not Path(_NAVAL).exists()
    path = _HERE / _NAVAL / "key.tpl" if ships else Path(given.key)
    texts = given.messages or (str(_HERE / _NAVAL / "messages.toml") if ships else None)
    messages = read_messages(Path(texts)) if texts else {}
    key = _templates(path, schema)
    runs, modified = (_runs(each, key, path, schema) for each in (given.responses, given.modified))
    if given.only is not None:
        messages = _of_set(messages, given.only)
        key = [template for template in key if template.text in messages]
        runs, modified = ([_limited(run, messages) for run in each] for each in (runs, modified))
    names = [run.name for run in runs]
    for run in modified:
        if run.name not in names:
            raise FormatFault(
                run.name, 0, "repaired texts of no system", f"the systems are {', '.join(names) or 'none'}"
            )
    if not key:
        raise FormatFault(given.key, 0, "no template in it", "there is nothing to check or to score against")
    return TemplateTest(schema, key, messages, runs, modified)


def _drawn(wanted: str, groups: Mapping[str, str]) -> dict[str, str]:
    """Return the set of each text that is drawn; raises `Refused`."""
    parts = [part.rpartition("=") for part in wanted.split(",")]
    if not all(equals and name.strip() and size.strip().isdecimal() for name, equals, size in parts):
        raise Refused(f"--draw {wanted}: write it as development=105,first test=25,second test=25")
    names = [name.strip() for name, _, _ in parts]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise Refused(f"--draw {wanted}: the set {twice} is there twice; draw it once, with the sum of both numbers")
    try:
        return slot_report.split(groups, {name.strip(): int(size) for name, _, size in parts}, _SEED)
    except ValueError as error:
        raise Refused(f"--draw: {error}; name the texts by --messages, and draw no more than there are") from None


def _of_set(messages: Mapping[str, Message], name: str) -> dict[str, Message]:
    found = {key: message for key, message in messages.items() if message.set == name}
    if not found:
        sets = ", ".join(dict.fromkeys(message.set for message in messages.values() if message.set))
        raise Refused(f"--set {name}: no text is of that set; there are {sets or 'none: name the texts by --messages'}")
    return found


def _limited(run: TemplateRun, messages: Mapping[str, Message]) -> TemplateRun:
    kept = tuple(template for template in run.templates if template.text in messages)
    return msgspec.structs.replace(run, templates=kept)


def _texts(messages: Mapping[str, Message], side: str) -> dict[str, str] | None:
    return {name: getattr(message, side) for name, message in messages.items()} if messages else None


def _templates(path: Path, schema: TemplateSchema) -> list[FilledTemplate]:
    return request_frames.frames(path) if path.is_dir() else read(path, schema)


def _runs(given: Sequence[str], key: Sequence[FilledTemplate], root: Path, schema: TemplateSchema) -> list[TemplateRun]:
    found: list[TemplateRun] = []
    for one in given:
        label, named, file = one.partition("=")
        system, _, phase = label.partition("@") if named else (Path(one).stem, "", "")
        path = Path(file if named else one)
        if file == _LOG and not path.exists():
            path, templates = root, request_frames.among(request_frames.of_log(root), (each.text for each in key))
        else:
            templates = _templates(path, schema)
        digest = sha256(path.read_bytes() if path.is_file() else repr([each.fills for each in templates]).encode())
        run = TemplateRun(system, phase, str(path), digest.hexdigest(), tuple(templates))
        if any(other.name == run.name for other in found):
            raise FormatFault(one, 0, f"there are two systems named {run.name}", "write NAME=FILE or NAME@PHASE=FILE")
        found.append(run)
    return found


def _response_faults(
    run: TemplateRun, key: list[FilledTemplate], schema: TemplateSchema, texts: Mapping[str, str] | None
) -> list[FormatFault]:
    """Faults of a system's templates: texts that nobody asked for. That its fills keep the rules is for the score to say."""
    known = {*(texts or ()), *(template.text for template in key)}
    return [
        FormatFault(
            each.path, each.lines.get(schema.key, 0), f"{each.text} is not a text of this set", "put the id right"
        )
        for each in run.templates
        if each.text not in known
    ]
