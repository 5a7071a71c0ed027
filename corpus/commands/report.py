"""`curtain report` and `curtain stats`: the same figures, drawn and printed."""

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.analysis.paper_tables import aligned
from corpus.analysis.turns import Course
from corpus.annotation.overlay import is_behind
from corpus.commands.sources import finished_beside, opened
from corpus.dataset.reader import Corpus
from corpus.formats.errors import FormatFault, status_of
from corpus.io.parallel import MANY, chosen
from corpus.io.progress import counting
from corpus.io.staging import Refused, refuse_existing, refuse_nowhere, replace, stopped
from corpus.release.exports_log import REPORT, heads_of, record
from corpus.report.html import render
from corpus.report.statistics import BLIND, Figures, figures_of, gather
from corpus.report.tables import METHODS, sheets
from session.values.sanitize import inert

PAGE = "report.html"


def report_command(
    directory: str, target: str, out: TextIO, err: TextIO, jobs: int | None = None, cluster: str = ""
) -> int:
    """Write the report on a corpus as one HTML page to `target` (by default `DIRECTORY.report.html`, beside the corpus).

    Its path goes to `out`; 2 where the corpus cannot be read or the page exists already. `jobs` and `cluster` as for
    `corpus.verify.verify.verify_command`.
    """
    page = Path(target) if target else Path(f"{directory.rstrip('/')}.{PAGE}")

    def draw(figures: Figures, found: list[Course]) -> None:
        data = render(figures, found, Path(directory).resolve().name).encode()
        refuse_existing(page)
        record([Path(directory)], REPORT, page, heads_of(Corpus(Path(directory)).manifest.sessions), err)
        replace(page, data)
        out.write(f"{page}\n")

    return _with_figures(directory, draw, err, jobs, cluster, page)


def stats_command(
    directory: str, as_json: bool, out: TextIO, err: TextIO, jobs: int | None = None, cluster: str = ""
) -> int:
    """Print the figures of a corpus as tables, or as JSON; 2 where it cannot be read. `jobs` and `cluster` as above."""

    def show(figures: Figures, _: list[Course]) -> None:
        out.write(json_of(figures) if as_json else text_of(figures))

    return _with_figures(directory, show, err, jobs, cluster)


def json_of(figures: Figures) -> str:
    """The figures for programs, shares and percentages beside the counts they come from."""
    plain = msgspec.to_builtins(figures)
    for row, shown in zip(figures.classes, plain["classes"], strict=True):
        shown["percentages"] = row.percentages
    for share, shown in zip(figures.common, plain["common"], strict=True):
        shown |= {"share": float(share.share), "met": share.met()}
    plain["tries"] = figures.tries.as_data()
    return msgspec.json.format(msgspec.json.encode(plain), indent=1).decode() + "\n"


def text_of(figures: Figures) -> str:
    """The figures for a terminal: the tables of the page, one after the other."""
    parts = ["A REHEARSAL: no data.\n"] if figures.rehearsal else []
    parts += [f"{BLIND}\n"] if figures.blind else []
    for sheet in sheets(figures):
        table = _words(figures) if sheet.part == METHODS else aligned(sheet.header, sheet.rows)
        parts.append(f"{sheet.caption}\n\n{table}")
    parts.append("Limits of these figures\n\n" + "".join(f"* {limit}\n" for limit in figures.limits))
    return "\n".join(parts)


def _words(figures: Figures) -> str:
    """The checklist, whose answers are too long for columns."""
    items = ((item, "" if item.known else " [to be added]") for item in figures.checklist)
    return "".join(f"{item.part}: {item.question} {inert(item.answer)}{more}\n" for item, more in items)


def _with_figures(
    directory: str,
    use: Callable[[Figures, list[Course]], None],
    err: TextIO,
    jobs: int | None,
    cluster: str,
    target: Path | None = None,
) -> int:
    try:
        if target is not None:
            refuse_existing(target)
            refuse_nowhere(target)
        corpus = opened(Path(directory))
        if is_behind(corpus, finished_beside(corpus.root)):
            err.write(f"{directory} does not have all that is transcribed beside it: curtain export {directory} NEW\n")
        total = len(corpus.logs)
        with counting(err, "subject-scenarios", total) as tell:
            found = gather(corpus, chosen(jobs, cluster, total >= MANY), tell)
        use(figures_of(corpus, found), found)
    except (FormatFault, Refused, OSError, KeyboardInterrupt) as error:
        err.write(stopped(error))
        return status_of(error)
    return 0
