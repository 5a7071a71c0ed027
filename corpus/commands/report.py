"""`curtain report` and `curtain stats`: the same figures, drawn and printed."""

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.analysis.paper_tables import aligned
from corpus.analysis.turns import Course
from corpus.analysis.wizard_errors import Right
from corpus.annotation.overlay import is_behind
from corpus.commands.sources import opened
from corpus.dataset.reader import Corpus
from corpus.formats.errors import FormatFault, status_of
from corpus.io.parallel import MANY, chosen
from corpus.io.progress import counting
from corpus.io.staging import Refused, refuse_existing, refuse_nowhere, replace, stopped
from corpus.release.earlier_exports import finished_around
from corpus.release.exports_log import REPORT, heads_of, record
from corpus.report.first_screen import findings, highlights
from corpus.report.html import render
from corpus.report.statistics import BLIND, Figures, figures_of, gather
from corpus.report.tables import METHODS, sheets
from session.values.sanitize import inert

PAGE = "report.html"


class ReportOptions(msgspec.Struct, frozen=True):
    """Options of `report_command`: the page goes to `target`, by default `DIRECTORY.report.html` beside the corpus.

    `jobs` and `cluster` as in `corpus.verify.verify.VerifyOptions`.
    """

    directory: str
    target: str = ""
    jobs: int | None = None
    cluster: str = ""


class StatsOptions(msgspec.Struct, frozen=True):
    """Options of `stats_command`; `jobs` and `cluster` as in `corpus.verify.verify.VerifyOptions`."""

    directory: str
    as_json: bool = False
    jobs: int | None = None
    cluster: str = ""


Compared = Callable[[Corpus], Right]
"""Holds the answers that were sent against the reference answers (`evaluation.scoring.sent_answers`)."""


def report_command(options: ReportOptions, out: TextIO, err: TextIO, compared: Compared = lambda _: {}) -> int:
    """Write the report on a corpus as one HTML page.

    Its path goes to `out`; 2 where the corpus cannot be read or the page exists already.
    """
    directory = options.directory
    page = Path(options.target) if options.target else Path(f"{directory.rstrip('/')}.{PAGE}")

    def draw(figures: Figures, found: list[Course]) -> None:
        data = render(figures, found, Path(directory).resolve().name).encode()
        refuse_existing(page)
        record([Path(directory)], REPORT, page, heads_of(Corpus(Path(directory)).manifest.sessions), err)
        replace(page, data)
        out.write(f"{page}\n")

    return _with_figures(options, draw, err, compared, page)


def stats_command(options: StatsOptions, out: TextIO, err: TextIO, compared: Compared = lambda _: {}) -> int:
    """Print the figures of a corpus as tables, or as JSON; 2 where it cannot be read."""

    def show(figures: Figures, _: list[Course]) -> None:
        out.write(json_of(figures) if options.as_json else text_of(figures))

    return _with_figures(options, show, err, compared)


def json_of(figures: Figures) -> str:
    """The figures for programs, shares and percentages beside the counts they come from."""
    plain = msgspec.to_builtins(figures)
    for row, shown in zip(figures.classes, plain["classes"], strict=True):
        shown["percentages"] = row.percentages
    for found, shown in zip(figures.recognition, plain["recognition"], strict=True):
        shown["as_is_share"] = found.as_is_share
        shown["against_wizard"]["rate"] = found.against_wizard.rate
        shown["against_transcription"]["rate"] = found.against_transcription.rate
        shown["put_in"]["rate"] = found.put_in.rate
    for share, shown in zip(figures.common, plain["common"], strict=True):
        shown |= {"share": float(share.share), "met": share.met()}
    plain["tries"] = figures.tries.as_data()
    return msgspec.json.format(msgspec.json.encode(plain), indent=1).decode() + "\n"


def text_of(figures: Figures) -> str:
    """The figures for a terminal: the tables of the page, one after the other."""
    parts = ["A REHEARSAL: no data.\n"] if figures.rehearsal else []
    parts += [f"{BLIND}\n"] if figures.blind else []
    parts += [_glance(figures)] if figures.sessions else []
    for sheet in sheets(figures):
        table = _words(figures) if sheet.part == METHODS else aligned(sheet.header, sheet.rows)
        parts.append(f"{sheet.caption}\n\n{table}")
    parts.append("Limits of these figures\n\n" + "".join(f"* {limit}\n" for limit in figures.limits))
    return "\n".join(parts)


def _glance(figures: Figures) -> str:
    six = [(found.value, f"{found.name}, {found.beside}") for found in highlights(figures)]
    width = max(len(value) for value, _ in six)
    lines = "".join(f"{value.rjust(width)}  {meaning}\n" for value, meaning in six)
    wrong = [f"* {found.sentence}\n" for found in findings(figures)] or ["* Nothing that can be seen in the logs.\n"]
    return f"At a glance\n\n{lines}\nWhat is wrong\n\n{''.join(wrong)}"


def _words(figures: Figures) -> str:
    """The checklist, whose answers are too long for columns."""
    items = ((item, "" if item.known else " [to be added]") for item in figures.checklist)
    return "".join(f"{item.part}: {item.question} {inert(item.answer)}{more}\n" for item, more in items)


def _with_figures(
    options: ReportOptions | StatsOptions,
    use: Callable[[Figures, list[Course]], None],
    err: TextIO,
    compared: Compared,
    target: Path | None = None,
) -> int:
    try:
        if target is not None:
            refuse_existing(target)
            refuse_nowhere(target)
        corpus = opened(Path(options.directory))
        if is_behind(corpus, finished_around(corpus.root)):
            lacking = "does not have all that is transcribed beside it and beside other exports of its study"
            err.write(f"{options.directory} {lacking}: curtain export {options.directory} NEW\n")
        total = len(corpus.logs)
        with counting(err, "subject-scenarios", total) as tell:
            found = gather(corpus, chosen(options.jobs, options.cluster, total >= MANY), tell)
        use(figures_of(corpus, found, compared(corpus)), found)
    except (FormatFault, Refused, OSError, KeyboardInterrupt) as error:
        err.write(stopped(error))
        return status_of(error)
    return 0
