"""Annotations in and out: folders of `.cat` and `.win` as in the 1990s, CSV and JSON.

What comes in, from a program or an older project, is a proposal with the name of its source. A person has to take it over; the
source is never counted as an annotator.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

import msgspec

from annotator.annotation.annotation_rules import GRADES, annotation_of
from annotator.annotation.standing import UtteranceAnnotations
from corpus.formats import cat, win
from corpus.formats.cat import CLASSES, TAGS
from corpus.formats.errors import FormatFault
from corpus.io.safe_open import read_plain
from session.annotation.annotated import PROPOSAL, StreamName
from session.annotation.annotation_facts import Annotation, AnnotationProposed, Interpretation
from session.annotation.store import Work
from session.values import spreadsheet
from session.values.clock import Stamp

COLUMNS = (
    "utterance", "state", "class", "category_1989", "tags", "site_tags", "context", "reason", "detail", "sentences",
    "principles", "version", "annotators", "note", "reading_tags", "reading_context",
)  # fmt: skip
PART = " | "
"""Between the readings of one utterance in a cell."""


class AnnotationRow(msgspec.Struct, frozen=True):
    """An annotation as JSON has it."""

    utterance: str
    annotation: Annotation
    state: str = ""
    principles: str = ""
    annotators: tuple[str, ...] = ()


def rows(found: Iterable[UtteranceAnnotations]) -> Iterator[AnnotationRow]:
    """Return the annotations in force, otherwise each annotator's finished ones, one entry per utterance and annotation.

    Of what two people annotate independently nothing is told before both have finished: each could read the other's.
    """
    for one in found:
        if one.final is not None:
            made = tuple(held.by for held in one.held.values())
            final = msgspec.structs.replace(one.final, evaluation=one.evaluation)
            yield AnnotationRow(one.utterance, final, str(one.waits), one.principles, made)
            continue
        if not one.independent_done:
            continue
        for held in one.held.values():
            if held.done:
                yield AnnotationRow(one.utterance, held.annotation, str(one.waits), held.principles, (held.by,))


def as_json(found: Iterable[UtteranceAnnotations]) -> str:
    """Return all entries as JSON, one per line."""
    return "".join(msgspec.json.encode(row).decode() + "\n" for row in rows(found))


def as_csv(found: Iterable[UtteranceAnnotations]) -> str:
    """Return all entries as CSV; several sentences are separated by " | "."""
    cells: list[tuple[str, ...]] = []
    for row in rows(found):
        one = row.annotation
        cells.append(
            (
                row.utterance, row.state, one.evaluation, one.grade, " ".join(one.tags), " ".join(one.site_tags),
                " ".join(one.context), one.reason, one.detail, PART.join(reading.sentence for reading in one.readings),
                " ".join(one.cited), row.principles, " ".join(row.annotators), one.note,
                PART.join(" ".join(reading.tags) for reading in one.readings).strip(" |"),
                PART.join(" ".join(reading.context) for reading in one.readings).strip(" |"),
            )
        )  # fmt: skip
    return spreadsheet.table(COLUMNS, cells)


def given_in(source: Path) -> list[AnnotationRow]:
    """The annotations of a folder of `.cat` and `.win`, a CSV or a JSON file of one entry a line; raises FormatFault, OSError."""
    if source.is_dir():
        return list(_of_folder(source))
    text = read_plain(source.parent, source.name).decode("utf-8-sig", "replace")
    return list(_of_csv(text, str(source)) if source.suffix == ".csv" else _of_json(text, str(source)))


def _of_folder(source: Path) -> Iterator[AnnotationRow]:
    for path in sorted(source.rglob("*.cat")):
        own: list[str] = []
        category = cat.parse(path.read_bytes(), str(path), own)
        beside = path.with_suffix(".win")
        lines = win.parse(beside.read_bytes(), str(beside)).sentences if beside.exists() else ()
        made = annotation_of(category, lines)
        tags = tuple(dict.fromkeys((*made.site_tags, *own)))
        yield AnnotationRow(path.stem, msgspec.structs.replace(made, site_tags=tags))


def _of_json(text: str, path: str) -> Iterator[AnnotationRow]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield _sound(msgspec.json.decode(line, type=AnnotationRow), path, number)
            except msgspec.MsgspecError as error:
                raise FormatFault(
                    path, number, str(error), "write the format of --show json, one entry per line"
                ) from error


def _of_csv(text: str, path: str) -> Iterator[AnnotationRow]:
    reader = csv.DictReader(io.StringIO(text))
    if missing := {"utterance", "class"} - {*(reader.fieldnames or ())}:
        raise FormatFault(path, 1, f"no column {', '.join(sorted(missing))}", "write the format of --show csv")
    for number, cells in enumerate(reader, start=2):
        row = {name: spreadsheet.plain(text) for name, text in cells.items() if isinstance(text, str)}
        tags = tuple((row.get("tags") or "").split())
        said, own, context = (
            (row.get(name) or "").split("|") for name in ("sentences", "reading_tags", "reading_context")
        )
        readings = tuple(
            Interpretation(" ".join(sentence.split()), tuple(each.split()), tuple(pointers.split()))
            for sentence, each, pointers in zip_longest(said, own, context, fillvalue="")
        )
        if len(readings) == 1 and readings[0].sentence and "yes/no" in tags:
            sentence = readings[0].sentence
            readings = Interpretation(sentence, ("yes/no",)), Interpretation(sentence, ("wh-question",))
            tags = tuple(tag for tag in tags if tag not in ("yes/no", "wh-question"))
        found = Annotation(
            row["class"], row.get("category_1989") or "", tags, tuple((row.get("site_tags") or "").split()),
            tuple((row.get("context") or "").split()), readings, row.get("reason") or "", row.get("detail") or "",
            tuple((row.get("principles") or "").split()), row.get("note") or "",
        )  # fmt: skip
        yield _sound(AnnotationRow(row["utterance"], found), path, number)


def _sound(row: AnnotationRow, path: str, number: int) -> AnnotationRow:
    one = row.annotation
    if one.evaluation not in ("", *CLASSES):
        raise FormatFault(path, number, f"class {one.evaluation!r}", f"write one of {' '.join(CLASSES)}, or none")
    if one.grade not in ("", *GRADES):
        raise FormatFault(path, number, f"category {one.grade!r} of 1989", f"write one of {' '.join(GRADES)}, or none")
    if not one.readings:
        raise FormatFault(path, number, "no reading", "leave readings out, or give at least one")
    return msgspec.structs.replace(row, annotation=_own_tags_apart(one))


def _own_tags_apart(one: Annotation) -> Annotation:
    """Return it with every tag that the specification does not have among the site's own: a `.cat` has no other place for it."""
    tags = (*one.tags, *(tag for reading in one.readings for tag in reading.tags))
    own = dict.fromkeys("-".join(tag.split()) for tag in (*one.site_tags, *(tag for tag in tags if tag not in TAGS)))
    readings = tuple(
        msgspec.structs.replace(reading, tags=tuple(tag for tag in reading.tags if tag in TAGS))
        for reading in one.readings
    )
    known = tuple(tag for tag in one.tags if tag in TAGS)
    return msgspec.structs.replace(one, tags=known, site_tags=tuple(filter(None, own)), readings=readings)


def propose(
    work: Work, given: Iterable[AnnotationRow], source: str, takes: Mapping[str, str], at: Stamp, by: str
) -> tuple[int, int]:
    """Record what a source proposes for utterances, whose takes are given by name; how many were recorded, how many are of no
    utterance here. The same proposal again is not recorded."""
    lengths = work.lengths()
    recorded = strange = 0
    for row in given:
        take = takes.get(row.utterance)
        if take is None:
            strange += 1
            continue
        stream = str(StreamName(PROPOSAL, row.utterance, _key(source), take))
        fact = AnnotationProposed(utterance=row.utterance, source=source, annotation=row.annotation)
        before = lengths.get(stream, 0)
        last: object = work.read(stream)[-1].event if before else None
        if last == fact:
            continue
        work.append(stream, before, [fact], at, by)
        recorded += 1
    return recorded, strange


def _key(source: str) -> str:
    return "".join(char if char.isalnum() else "-" for char in source.casefold())
