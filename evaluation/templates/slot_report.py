"""The report of a template test: measures of 1989 and of today, by slot, group, trait, set and kind of text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random

import msgspec

from corpus.formats.errors import FormatFault, counted, place
from evaluation.scoring.report_text import percent, table
from evaluation.templates.filled_templates import FilledTemplate, faults
from evaluation.templates.slot_scores import ERRORS, SlotScore, SlotTally, by, score
from evaluation.templates.template_schema import TemplateSchema, fold

VERSION = "1"
PHASE = "phase"
_MOST = 5
_HEADER = ("recall (1) 1989", "recall (2) 1989", "precision 1989", *ERRORS, "recall", "precision", "F")
FEW = 100
SMALL = 4
"""Values of a closed list that are guessed rightly once in four times."""
LIMITS = (
    "Precision of 1989 is over the slots that were recalled, that of today over all fills: they are two different things.",
    "A string that shares a word with the key counts half today and nothing in 1989.",
)


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text as it was sent and repaired, its stratum, the set that it is in, and what makes it easy or hard."""

    id: str
    group: str = ""
    set: str = ""
    traits: tuple[str, ...] = ()
    verbatim: str = ""
    modified: str = ""


class _Messages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    message: tuple[Message, ...] = ()


class SlotRow(msgspec.Struct, frozen=True):
    """One row of a table: the counts and every measure in per cent."""

    group: str
    tally: SlotTally
    measures: dict[str, float | None]


class TemplateReport(msgspec.Struct, frozen=True):
    """The tables of one system, by name, each slot that is not right, and each fill that the schema does not allow."""

    name: str
    tables: dict[str, tuple[SlotRow, ...]]
    wrong: tuple[SlotScore, ...]
    illegal: tuple[str, ...] = ()


class TemplateRun(msgspec.Struct, frozen=True):
    """The record of what a system made of the texts: in which phase of the schedule, from which file, and that file's SHA-256."""

    system: str
    phase: str
    path: str
    sha256: str
    templates: tuple[FilledTemplate, ...]

    @property
    def name(self) -> str:
        return f"{self.system}@{self.phase}" if self.phase else self.system

    def record(self) -> dict[str, str | int]:
        """Return the record without the templates."""
        found: dict[str, str | int] = {name: getattr(self, name) for name in ("system", "phase", "path", "sha256")}
        return found | {"templates": len(self.templates)}


class SlotReport(msgspec.Struct, frozen=True):
    """A whole test. `progress` has the rows of a system that ran in several phases, each by phase and set."""

    signature: str
    systems: tuple[TemplateReport, ...]
    limits: tuple[str, ...]
    runs: tuple[dict[str, str | int], ...] = ()
    progress: dict[str, tuple[SlotRow, ...]] = {}


def read_messages(path: Path) -> dict[str, Message]:
    """Read the texts of a set by id; raises `FormatFault`."""
    try:
        found = msgspec.toml.decode(path.read_bytes(), type=_Messages).message
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise FormatFault(str(path), 0, str(error), "write [[message]] with id, group, set, traits, texts") from None
    found = tuple(msgspec.structs.replace(message, id=fold(message.id)) for message in found)
    ids = [message.id for message in found]
    for name in ids:
        if ids.count(name) > 1:
            raise FormatFault(str(path), 0, f"{name} is there twice", "keep one of them")
    return {message.id: message for message in found}


def split(groups: Mapping[str, str], sizes: Mapping[str, int], seed: int) -> dict[str, str]:
    """Draw sets of texts, each group in proportion to its number; `groups` tells the group of each text, `sizes` how many texts a
    set gets. What a proportion leaves over goes where most was lost (largest remainders). Raises ValueError for too many.

    >>> drawn = split({str(n): "ab"[n % 2] for n in range(8)}, {"development": 4, "test": 4}, 1)
    >>> sorted((name, "ab"[int(n) % 2]) for n, name in drawn.items())[:4]
    [('development', 'a'), ('development', 'a'), ('development', 'b'), ('development', 'b')]
    """
    if sum(sizes.values()) > len(groups):
        raise ValueError(f"{sum(sizes.values())} texts wanted of {len(groups)}")
    left: dict[str, list[str]] = {}
    for text, group in sorted(groups.items()):
        left.setdefault(group, []).append(text)
    rng = Random(seed)
    for texts in left.values():
        rng.shuffle(texts)
    found: dict[str, str] = {}
    for name, size in sizes.items():
        rest = sum(map(len, left.values()))
        exact = {group: size * len(texts) / rest for group, texts in left.items()}
        share = {group: int(value) for group, value in exact.items()}
        for group in sorted(exact, key=lambda group: (share[group] - exact[group], group))[
            : size - sum(share.values())
        ]:
            share[group] += 1
        for group, texts in left.items():
            found |= dict.fromkeys(texts[: share[group]], name)
            left[group] = texts[share[group] :]
    return found


def report(
    schema: TemplateSchema,
    key: Sequence[FilledTemplate],
    runs: Sequence[TemplateRun],
    modified: Sequence[TemplateRun],
    messages: Mapping[str, Message],
) -> SlotReport:
    """Score systems; `modified` are what they made of the repaired texts."""
    repaired = {run.name: run.templates for run in modified}
    found = [_system(schema, key, run.name, run.templates, repaired.get(run.name), messages) for run in runs]
    digest = sha256(repr([template.fills for template in key]).encode()).hexdigest()[:8]
    limits = [*LIMITS]
    for slot in schema.slot[1:]:
        if len(slot.values) in range(2, SMALL + 1):
            limits.append(
                f"{slot.name} is one of {len(slot.values)}: {percent(100 / len(slot.values))} % of guesses are right by chance."
            )
    if len(key) < FEW:
        limits.append(
            f"{len(key)} templates are few: differences between these figures are not expected to be significant."
        )
    return SlotReport(
        f"SLOTS|schema:{schema.name}|assignment:optimal|partial:1/2|key:{digest}|v:{VERSION}",
        tuple(found),
        tuple(limits),
        tuple(run.record() for run in (*runs, *modified)),
        _progress(schema, key, runs, messages),
    )


def _progress(
    schema: TemplateSchema, key: Sequence[FilledTemplate], runs: Sequence[TemplateRun], messages: Mapping[str, Message]
) -> dict[str, tuple[SlotRow, ...]]:
    """Return the rows of every system that ran more than once: by phase, and by set where that is known."""
    found: dict[str, tuple[SlotRow, ...]] = {}
    for system in dict.fromkeys(run.system for run in runs):
        own = [run for run in runs if run.system == system]
        rows: list[SlotRow] = []
        for run in own if len(own) > 1 else ():
            scores = score(key, run.templates, schema)
            phase = run.phase or "first"
            rows += _rows({phase: sum((each.tally for each in scores), SlotTally())})
            sets = by(scores, lambda each: (messages[each.text].set,)) if messages else {}
            rows += _rows({f"{phase}: {name}": tally for name, tally in sets.items() if name})
        if rows:
            found[system] = tuple(rows)
    return found


def _system(
    schema: TemplateSchema,
    key: Sequence[FilledTemplate],
    name: str,
    response: Sequence[FilledTemplate],
    modified: Sequence[FilledTemplate] | None,
    messages: Mapping[str, Message],
) -> TemplateReport:
    scores = score(key, response, schema)
    tables = {"all": _rows(by(scores, lambda _: ("all",)))}
    tables["slot"] = _rows(by(scores, lambda each: (each.slot,)))
    if schema.split:
        tables[f"by {schema.split}"] = _rows(by(scores, lambda each: (each.part,)))
    if messages:
        tables["group"] = _rows(by(scores, lambda each: (messages[each.text].group,)))
        tables["trait"] = _rows(by(scores, lambda each: messages[each.text].traits))
        tables["set (generality, progress)"] = _rows(by(scores, lambda each: (messages[each.text].set,)))
    if modified is not None:
        both = {"verbatim": scores, "modified": score(key, modified, schema)}
        tables["text (utility)"] = _rows(
            {side: sum((each.tally for each in own), SlotTally()) for side, own in both.items()}
        )
    wrong = tuple(each for each in scores if set(each.key) != set(each.response))
    illegal = [
        *_illegal(schema, response, messages, "verbatim"),
        *_illegal(schema, modified or (), messages, "modified"),
    ]
    return TemplateReport(name, tables, wrong, tuple(illegal))


def _illegal(
    schema: TemplateSchema, response: Sequence[FilledTemplate], messages: Mapping[str, Message], side: str
) -> Iterator[str]:
    """Yield the fills of a system that break a rule of the schema; they are scored like any other."""
    texts = {name: getattr(message, side) for name, message in messages.items()} or None
    for fault in faults(list(response), schema, texts):
        yield f"{place(fault.path, fault.line)}: {fault.found}"


def _rows(tallies: Mapping[str, SlotTally]) -> tuple[SlotRow, ...]:
    return tuple(SlotRow(group, tally, tally.measures()) for group, tally in tallies.items() if group)


def render(found: SlotReport) -> Iterator[str]:
    """Yield the lines of the report, with the signature at its head."""
    yield found.signature
    for run in found.runs:
        phase = f", {run['phase']}" if run["phase"] else ""
        yield f"{run['system']}{phase}: {run['path']} ({str(run['sha256'])[:8]}), {counted(int(run['templates']), 'template')}"
    for name, rows in found.progress.items():
        yield ""
        yield f"Progress of {name}"
        yield from table((PHASE, *_HEADER), [*_cells(rows)])
    for system in found.systems:
        yield ""
        yield f"System {system.name}"
        for name, rows in system.tables.items():
            yield from table((name, *_HEADER), [*_cells(rows)])
        if system.wrong:
            yield "  not as the key has it"
        for each in system.wrong:
            yield f"    {each.text} {each.slot}: {_difference(each)}{_level(each.level)}"
        if system.illegal:
            yield f"  not allowed by the schema ({len(system.illegal)}), and scored as they are"
        yield from (f"    {fill}" for fill in system.illegal)
    yield ""
    yield "Limits of these figures"
    yield from (f"  - {limit}" for limit in found.limits)
    yield from _meeting(found.systems)


def _meeting(systems: Sequence[TemplateReport]) -> Iterator[str]:
    """Yield what those who took part may begin with when they read the results and criticise the test."""
    wrong = [each for system in systems for each in system.wrong]
    yield ""
    yield "For the meeting of the participants"
    for what, names in (("slots", (each.slot for each in wrong)), ("texts", (each.text for each in wrong))):
        most = ", ".join(f"{name} ({often})" for name, often in Counter(names).most_common(_MOST))
        yield f"  - {what} that were most often wrong: {most or 'none'}"
    yield "  - which slots measured what they should, which rules were unclear, which texts were too easy:"


def _cells(rows: Iterable[SlotRow]) -> Iterator[list[str]]:
    for row in rows:
        old = [percent(row.measures[name]) for name in ("recall_1_1989", "recall_2_1989", "precision_1989")]
        counts = [str(getattr(row.tally, name)) for name in ERRORS]
        yield [row.group, *old, *counts, *(percent(row.measures[name]) for name in ("recall", "precision", "f"))]


def _level(level: int | None) -> str:
    return f" ({abs(level)} too {'high' if level > 0 else 'low'})" if level else ""


def _difference(score: SlotScore) -> str:
    """Return what the key has and the response has not, and the other way round."""
    both = len({*score.key} & {*score.response})
    wanted, got = (
        [value for value in own if value not in other]
        for own, other in ((score.key, score.response), (score.response, score.key))
    )
    return f"{_shown(wanted)} ← {_shown(got)}" + (f", beside {both} right" if both else "")


def _shown(values: Sequence[str]) -> str:
    return " + ".join(values) or "(blank)"
