"""The report of a recognition test as text for a terminal or a paper."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from corpus.formats.errors import counted
from evaluation.recognition.word_report import RecogniserReport, WordReport
from evaluation.recognition.word_scores import ScoredUtterance, WordErrorRow
from evaluation.scoring.report_text import percent, span, table

HEADER = (
    "", "utt.", "words", "corr", "sub", "del", "ins", "error %", "95 % by utt.", "95 % by speaker", "utt. wrong %",
)  # fmt: skip
CONFUSIONS = 20
"""Pairs of each kind that the text shows; JSON and page have all."""
_MARKS = {"C": " ", "S": "S", "D": "D", "I": "I"}


def cells(line: WordErrorRow) -> list[str]:
    """Return a row of a table in the order of HEADER."""
    shares = [
        percent(100 * count / line.words) if line.words else "-"
        for count in (line.correct, line.substituted, line.deleted, line.inserted)
    ]
    return [
        line.group,
        str(line.utterances),
        str(line.words),
        *shares,
        percent(line.word_error),
        span(line.by_utterance),
        span(line.by_speaker),
        percent(line.sentence_error),
    ]


def render(report: WordReport) -> Iterator[str]:
    """Yield the lines of the whole report but for comparisons."""
    yield report.signature
    for origin in report.origins:
        yield f"{origin.role}: {origin.path} ({origin.sha256[:8]})"
    for note in report.notes:
        yield f"not scored: {note}"
    yield ""
    yield "Systems"
    yield from table(
        ("system", *HEADER[1:]), [cells(replace(system.total, group=system.name)) for system in report.systems]
    )
    for system in report.systems:
        yield ""
        yield from _system(system)


def limits(report: WordReport) -> Iterator[str]:
    """Yield the lines on what the figures do not say."""
    yield ""
    yield "Limits of these figures"
    for limit in report.limits:
        yield f"  - {limit}"


def _system(system: RecogniserReport) -> Iterator[str]:
    yield f"System {system.name}"
    for each in system.tables:
        yield from table((each.name, *HEADER[1:]), [cells(line) for line in each.lines])
    for kind, pairs in system.confusions.items():
        if pairs:
            yield f"  {kind}, most often first ({counted(len(pairs), 'kind')})"
            yield from (f"    {count:5d}  {pair_text(said, heard)}" for said, heard, count in pairs[:CONFUSIONS])
    if system.before is not None:
        yield "  before adjudication"
        yield from table(("", *HEADER[1:]), [cells(system.before)])
        for change in system.changes:
            errors = " → ".join(
                "-" if count is None else str(count) for count in (change.errors_before, change.errors_after)
            )
            yield f"    {change.utterance}: {change.before or '(not there)'} → {change.after or '(not there)'}; errors {errors}"


def pair_text(said: str, heard: str) -> str:
    """Return a pair of the confusions in one line.

    >>> pair_text("five", "nine")
    'five → nine'
    """
    return f"{said} → {heard}" if said and heard else said or heard


def aligned(scored: Iterable[ScoredUtterance], only_wrong: bool = True) -> Iterator[str]:
    """Yield utterances with both sides word under word, errors in capitals, as sclite prints them."""
    for one in scored:
        if one.counts.errors or not only_wrong:
            yield ""
            yield f"id: ({one.key})"
            counts = one.counts
            right = one.aligned.edits.count("C")
            yield f"Scores: (#C #S #D #I) {right} {counts.substituted} {counts.deleted} {counts.inserted}"
            yield from _lines(one)


def _lines(one: ScoredUtterance) -> Iterator[str]:
    columns: list[Sequence[str]] = []
    for letter, pair in zip(one.aligned.edits, one.aligned.pairs(), strict=True):
        wrong = letter != "C"
        said, heard = (word.upper() if wrong else word for word in (pair.reference, pair.hypothesis))
        width = max(len(said), len(heard), 1)
        blank = "*" if wrong else " "
        columns.append([(word or blank * width).ljust(width) for word in (said, heard)] + [_MARKS[letter].ljust(width)])
    for name, place in (("REF:  ", 0), ("HYP:  ", 1), ("Eval: ", 2)):
        yield (name + " ".join(column[place] for column in columns)).rstrip()
