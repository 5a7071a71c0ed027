"""First scenarios and a first play for a learnt domain, so that sessions and a rehearsal can be held before anybody writes
some.

Each is built around a request that the domain fully understands and that returns rows. They show that a study works; people
write better ones.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from domain.english.engine import Engine
from domain.english.model.domain import Entity
from domain.learn.survey import Survey
from session.values.answers import QueryFailure, Table

MOST = 6
"""Most scenarios, not counting the practice one."""
VALUES = 3
MOST_ROWS = 20
_SAYABLE = re.compile(r"[^\W\d_][\w .'-]{1,30}")
OUT_OF_SCOPE = "the weather"


class Task(msgspec.Struct, frozen=True):
    """A request that subjects may make, the `wanted` and `note` texts of its problem, and the SQL that answers it."""

    name: str
    title: str
    said: str
    wanted: str
    note: str
    sql: str = ""


def tasks(engine: Engine, facts: Survey, run: Callable[[str], Table]) -> list[Task]:
    """Return the tasks whose requests are understood without unused words and return rows; `run` executes in a sandbox, with
    its time limit."""
    found: list[Task] = []
    for one in _candidates(engine, facts):
        if len(found) > MOST:
            break
        answered = engine.ask(one.said)
        if not answered.readings or answered.clarification:
            continue
        reading = answered.readings[0]
        known = any(one.name == other.name or reading.sql == other.sql for other in found)
        if known or reading.unused or reading.undecided:
            continue
        try:
            table = run(reading.sql)
        except QueryFailure:
            continue
        if 0 < len(table.rows) <= MOST_ROWS and any(value for row in table.rows for value in row):
            found.append(msgspec.structs.replace(one, sql=reading.sql))
    return found


def _candidates(engine: Engine, facts: Survey) -> Iterator[Task]:
    """Yield tasks of all entities in turn, so that the first few are varied."""
    entities = engine.model.entity.values()
    yield from (_counted(entity) for entity in entities)
    by_entity = [[*_found_by_value(engine, facts, name)] for name in engine.model.entity]
    for place in range(max(map(len, by_entity), default=0)):
        yield from (several[place] for several in by_entity if place < len(several))


def _counted(entity: Entity) -> Task:
    return Task(
        f"number-of-{_slug(entity.many)}",
        f"The number of {entity.many}",
        f"how many {entity.many} are there",
        f"Somebody wants to know how large the collection is. Find out the number of {entity.many}.",
        "the number",
    )


def _found_by_value(engine: Engine, facts: Survey, name: str) -> Iterator[Task]:
    entity = engine.model.entity[name]
    tables = {table.name: table for table in facts.tables}
    for attribute in engine.model.attribute.values():
        if attribute.of != name or not attribute.words or set(attribute.select) & set(entity.display[:1]):
            continue  # a subject who knows the name need not look for it
        for kind in attribute.accepts:
            table, _, column = (
                engine.model.kind[kind].column.partition(".") if kind in engine.model.kind else ("", "", "")
            )
            if table not in tables or column not in {one.name for one in tables[table].columns}:
                continue
            for value in filter(_sayable, tables[table].column(column).sample[:VALUES]):
                yield Task(
                    f"{_slug(entity.many)}-{_slug(attribute.words[0])}-{_slug(value)}",
                    f"{entity.many.capitalize()} by {attribute.words[0]}: {value}",
                    f"{entity.many} with {attribute.words[0]} {value}",
                    f"Of all {entity.many}, only those count whose {attribute.words[0]} is {value}. Find out which they are.",
                    "how many there are, and what tells them apart",
                )


def _sayable(value: object) -> bool:
    return isinstance(value, str) and _SAYABLE.fullmatch(value) is not None


def _slug(words: str) -> str:
    return re.sub("[^a-z0-9]+", "-", words.lower()).strip("-")[:24].strip("-") or "x"


def written(engine: Engine, found: Sequence[Task]) -> dict[str, str]:
    """Return the files of these tasks by their path in the domain folder: scenarios, the play, the subjects' overview."""
    if not found:
        return {}
    practice, *problems = found
    files = {"scenarios/practice.toml": _scenario(practice, "practice", "Getting used to the system")}
    for task in problems:
        files[f"scenarios/{task.name}.toml"] = _scenario(task, "problem", task.title)
    files["rehearsal/script.toml"] = _play(found)
    files["subject_overview.md"] = _overview(engine)
    return files


def _scenario(task: Task, kind: str, title: str) -> str:
    begins = "This one is for practice. Nothing that you do here counts.\n\n" if kind == "practice" else ""
    text = f"{begins}{task.wanted}\n\nNote {task.note}."
    return (
        f"id = {json.dumps('practice' if kind == 'practice' else task.name)}\ntitle = {json.dumps(title, ensure_ascii=False)}\n"
        f'kind = "{kind}"\ndifficulty = 1\nexpected_queries = 2\n'
        f"text = {_lines(text)}\n\n"
        f'[solution]\nexplanation = "What the request finds that the problem was made around."\n'
        f"sql = {_lines(task.sql)}\n"
    )


def _lines(text: str) -> str:
    """Return a multi-line TOML string."""
    text = re.sub(" +\n", "\n", text)
    inner = json.dumps(text, ensure_ascii=False)[1:-1].replace("\\n", "\n")
    return f'"""\n{inner}\n"""'


def _play(found: Sequence[Task]) -> str:
    lines = [
        "# The rehearsal's play: what a scripted subject says, and what the wizard makes of it. Put a recording of each",
        "# line beside this file, named after its `speech`, to have it heard; without one it is synthesised.",
        "",
        'wizard = "rehearsal wizard"',
        'subject = { sex = "f", age = 34, dialect = "synthetic", recruitment = "rehearsal" }',
    ]
    practice, *others = found
    lines += ["", "[[scenario]]", 'kind = "practice"', *_turn(1, practice)]
    lines += ["[scenario.ends]", 'ended = "the subject has understood the button"']
    if others:
        lines += ["", "[[scenario]]", 'kind = "problem"']
        for number, task in enumerate(others[:3], start=2):
            lines += _turn(number, task)
        lines += [
            "[[scenario.turn]]", f'speech = "line-{len(others[:3]) + 2}"', f'said = "what about {OUT_OF_SCOPE}"', 'scope = "out"',
            f'canned = {{ message = "no-information", blanks = ["{OUT_OF_SCOPE}"] }}',
            "[scenario.ends]", 'declare = "what the tables said"',
        ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _turn(number: int, task: Task) -> list[str]:
    said = json.dumps(task.said, ensure_ascii=False)
    return [
        "[[scenario.turn]]", f'speech = "line-{number}"', f"said = {said}", 'scope = "in"', f"ask = [{{ english = {said} }}]"
    ]  # fmt: skip


def _overview(engine: Engine) -> str:
    rows = [
        f"| {entity.many} | {', '.join(known)} |"
        for name, entity in engine.model.entity.items()
        if (known := [one.words[0] for one in engine.model.attribute.values() if one.of == name and one.words])
    ]
    head = ["# Your session", "", "## What the system knows about", "", "| about | it knows |", "| --- | --- |"]
    return "\n".join([*head, *rows, ""])


def write(files: dict[str, str], folder: Path) -> None:
    """Write the files into the domain folder; raises OSError."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
