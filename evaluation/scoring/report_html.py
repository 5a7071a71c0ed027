"""The report of a test as one HTML page."""

from collections.abc import Sequence
from html import escape

from corpus.report.report_page import page, table
from evaluation.scoring.report_text import HEADER, advantage, cells, matrix_caption, matrix_cells, percent, remarks
from evaluation.scoring.score_figures import ScoreReport, ScoreRow, SystemReport


def render(report: ScoreReport) -> str:
    """Return the whole page."""
    parts = [
        f"<h1>Scores</h1><p>{report.requests} requests scored, {report.excluded} of class X left out; "
        f"{percent(report.yes_no)} % can be answered by yes or no.<p><code>{escape(report.signature)}</code>",
        f"<p>When they were collected: {escape(report.collected.text())}." if report.collected is not None else "",
        _matrices(report),
        _rivalries(report),
        *(_system(system, report.signature) for system in report.systems),
        "<h2>Limits of these figures</h2><ul>",
        *(f"<li>{escape(limit)}" for limit in report.limits),
        "</ul>",
    ]
    return page("Scores", parts)


def _tallies(caption: str, rows: Sequence[ScoreRow]) -> str:
    return table(caption, HEADER, [cells(row) for row in rows])


def _matrices(report: ScoreReport) -> str:
    found = [table(matrix_caption(matrix), *matrix_cells(report, matrix)) for matrix in report.matrices]
    return "".join(found) + "".join(f"<p>{escape(advantage(home))}" for home in report.homes)


def _rivalries(report: ScoreReport) -> str:
    if not report.rivalries:
        return ""
    header = ("systems", "right by the first only", "by the second only", "McNemar p", "permutation p by session")
    rows = [
        [f"{r.first} : {r.second}", str(r.only_first), str(r.only_second), f"{r.mcnemar:.4f}", f"{r.permutation:.4f}"]
        for r in report.rivalries
    ]
    return table("Between systems", header, rows)


def _system(system: SystemReport, signature: str) -> str:
    parts = [f"<h2>{escape(system.name)}</h2>", _tallies("By class", system.classes)]
    if system.before:
        parts.append(_tallies("By class, before adjudication", system.before))
        parts.append(table("Changed by adjudication", ("utterance", "before", "after"), system.adjudicated, text=1))
    parts += [_tallies(f"By {breakdown.name}", breakdown.lines) for breakdown in system.breakdowns]
    parts += [f"<p>{escape(remark[0].upper() + remark[1:])}." for remark in remarks(system)]
    if system.lucky:
        parts.append(f"<p>Right by luck: {escape(', '.join(system.lucky))}.")
    if system.failures:
        rows = [(row.utterance, row.verdict, row.why) for row in system.failures]
        parts.append(table("Not right, and why", ("utterance", "verdict", "why"), rows, text=1))
    return "\n".join([*parts, f"<p><code>{escape(signature)}</code>"])
