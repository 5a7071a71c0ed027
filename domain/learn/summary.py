"""Summary of `curtain learn` for the domain's author: what it wrote, guessed and could not guess."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from domain.english.model.domain import DomainModel
from domain.english.sql.join_planner import table_of
from domain.learn.schema_wording import measures
from domain.learn.survey import ColumnFacts, Survey, TableFacts


def summary_lines(facts: Survey, model: DomainModel, folder: Path, scenarios: Collection[str]) -> Iterator[str]:
    """Yield what was written, and what needs the author's attention."""
    yield (
        f"{folder / 'domain.toml'}: {len(model.entity)} entities, {len(model.attribute)} attributes, "
        f"{len(model.kind)} kinds of names; the entity asked for when none is named: {model.domain.entity}"
    )
    count = sum(name.startswith("scenarios/") for name in scenarios)
    if count:
        yield f"{folder / 'scenarios'}: {count} to begin with, practice included, and a play for rehearsals; write better ones"
    else:
        yield "no scenarios: no simple request finds anything that a session may ask for; write some before you make a study"
    for here, there in facts.broken:
        yield f"left out: the reference of {here} to {there}, which is not there; a [[join]] can give it another"
    for step in facts.guessed:
        yield f"guessed: {step.left} refers to {step.right}; remove its [[join]] and attribute if it does not"
    pairs = [(table_of(s.left), table_of(s.right)) for s in facts.joins]
    for pair in dict.fromkeys(p for p in pairs if pairs.count(p) > 1):
        columns = " and ".join(s.left for s, p in zip(facts.joins, pairs, strict=True) if p == pair)
        yield f"not guessed: which of {columns} {pair[1]} without a cue means; see their `cues` and [[join]]"
    for name, period in model.period.items():
        yield f"guessed: {name} is from {period.begin:04d} to {period.end:04d}; [period.{name}] says when it begins and ends"
    for table in facts.tables:
        for column in table.columns:
            full = f"{table.name}.{column.name}"
            if column.holds == "long text":
                yield f"not guessed: {full} holds long text; nothing in it is looked up"
            elif column.holds == "code":
                values = ", ".join(str(v) for v in column.sample[:6])
                yield f"not guessed: {full} holds codes ({values}); say what they mean under [flag] or [kind.….also]"
            elif column.holds == "nothing":
                yield f"not guessed: {full} is empty"
            elif column.holds == "number" and not _known(facts, table, column):
                yield f"not guessed: which superlatives (largest, …) {full} has; [superlative] takes them"


def _known(facts: Survey, table: TableFacts, column: ColumnFacts) -> bool:
    """Return whether a number is settled: it identifies, refers, or has known superlatives."""
    return column.name in table.key or facts.is_reference(table.name, column.name) or bool(measures(column.name)[0])
