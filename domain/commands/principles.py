"""`curtain principles`: a set of principles as a document for annotators and sites, with what the program does by each."""

from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from domain.principles import Principle, PrinciplesError, PrincipleSet, load, load_all


def principles_command(domain: str, name: str, out: TextIO, err: TextIO) -> int:
    """Print a set as Markdown, or the names of the sets where none is given; 0, or 2 for a folder or name at fault."""
    try:
        if not name:
            for known in load_all(Path(domain)).values():
                print(f"{known.name}  {known.version}  {known.title}", file=out)
            return 0
        for line in document(load(Path(domain), name)):
            print(line, file=out)
    except (PrinciplesError, OSError) as error:
        print(f"error: {error}", file=err)
        return 2
    return 0


def document(chosen: PrincipleSet) -> Iterator[str]:
    """Yield the lines of the printed document."""
    yield f"# Principles of interpretation: {chosen.title}"
    yield ""
    yield f"Set `{chosen.name}`, version {chosen.version}, {chosen.dated}. SHA-256 {chosen.digest}."
    yield ""
    truth = "the Boolean and the matching rows" if chosen.yes_no == "both" else "the Boolean alone"
    yield f"- A yes/no request is answered by {truth}."
    yield f"- Answers that must be calculated are {'allowed' if chosen.arithmetic else 'not allowed'}."
    yield f"- A request with more than {chosen.readings} readings is not evaluated."
    if chosen.identifiers:
        yield ""
        yield "| rows of | are identified by |"
        yield "| --- | --- |"
        yield from (f"| `{table}` | {', '.join(columns)} |" for table, columns in chosen.identifiers.items())
    for principle in chosen.principle:
        yield ""
        yield from _entry(principle)


def _entry(principle: Principle) -> Iterator[str]:
    yield f"## {principle.id} {principle.title}"
    yield ""
    yield principle.text
    yield from (f"- {example}" for example in principle.examples)
    yield ""
    yield f"Source: {principle.source}, {principle.dated}."
    if not principle.executed:
        yield "For annotators; the program does not decide by it."
    for key, found in principle.rules.items():
        fragments = (found,) if isinstance(found, str) else found
        yield f"- {key}: " + " or ".join(f"`{fragment}`" for fragment in fragments)
    yield from (f"- {setting} = {value}" for setting, value in principle.sets.items())
    yield from (f"- not executed: `{fragment}`" for fragment in filter(None, (principle.sql, *principle.also)))
