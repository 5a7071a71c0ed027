"""The report of a test as one HTML page that needs nothing else: no script, no network, every text escaped."""

from collections.abc import Sequence
from html import escape

from evaluation.scoring.report import Line, Report, SystemReport
from evaluation.scoring.report_text import HEADER, advantage, cells, matrix_caption, matrix_cells, percent, remarks

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem;
  color: #1b1b1b; background: #fff }
.wide { overflow-x: auto; max-width: 100%; padding: 2px } table { border-collapse: collapse; margin: .8rem 0 }
caption { text-align: left; font-weight: 600; padding: .2rem 0 } table.figures td, table.figures th { white-space: nowrap }
th, td { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid #ddd; font-variant-numeric: tabular-nums }
th:first-child, td:first-child { text-align: left }
th.text, td.text { text-align: left; max-width: 45rem }
td.text:last-child { min-width: 16rem; overflow-wrap: anywhere } code { overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #161616 } th, td { border-color: #444 } }
"""


def render(report: Report) -> str:
    """The whole page."""
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>Scores</title><style>{STYLE}</style>",
        f"<h1>Scores</h1><p>{report.requests} requests scored, {report.excluded} of class X left out; "
        f"{percent(report.yes_no)} % can be answered by yes or no.<p><code>{escape(report.signature)}</code>",
        f"<p>When they were collected: {escape(report.collected.text())}." if report.collected is not None else "",
        _matrices(report),
        _rivalries(report),
        *(_system(system, report.signature) for system in report.systems),
        "<h2>What these figures do not say</h2><ul>",
        *(f"<li>{escape(limit)}" for limit in report.limits),
        "</ul></html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _table(caption: str, header: Sequence[str], rows: Sequence[Sequence[str]], text: int = -1) -> str:
    def cell(kind: str, place: int, words: str) -> str:
        return f"<{kind}{' class=text' if place >= text >= 0 else ''}>{escape(words)}"

    head = "".join(cell("th scope=col", place, words) for place, words in enumerate(header))
    body = "".join("<tr>" + "".join(cell("td", place, words) for place, words in enumerate(row)) for row in rows)
    return _framed(escape(caption), f"<tr>{head}{body}", "figures" if text < 0 else "words")


def _framed(caption: str, rows: str, kind: str) -> str:
    """A table that scrolls by itself where the window is narrow."""
    return f"<div class=wide><table class={kind}><caption>{caption}</caption>{rows}</table></div>"


def _tallies(caption: str, rows: Sequence[Line]) -> str:
    return _table(caption, HEADER, [cells(row) for row in rows])


def _matrices(report: Report) -> str:
    found = [_table(matrix_caption(matrix), *matrix_cells(report, matrix)) for matrix in report.matrices]
    return "".join(found) + "".join(f"<p>{escape(advantage(home))}" for home in report.homes)


def _rivalries(report: Report) -> str:
    if not report.rivalries:
        return ""
    header = ("systems", "right by the first only", "by the second only", "McNemar p", "permutation p by session")
    rows = [
        [f"{r.first} : {r.second}", str(r.only_first), str(r.only_second), f"{r.mcnemar:.4f}", f"{r.permutation:.4f}"]
        for r in report.rivalries
    ]
    return _table("Between systems", header, rows)


def _system(system: SystemReport, signature: str) -> str:
    parts = [f"<h2>{escape(system.name)}</h2>", _tallies("By class", system.classes)]
    if system.before:
        parts.append(_tallies("By class, before adjudication", system.before))
        parts.append(_table("Changed by adjudication", ("utterance", "before", "after"), system.adjudicated, 1))
    parts += [_tallies(f"By {breakdown.name}", breakdown.lines) for breakdown in system.breakdowns]
    parts += [f"<p>{escape(told[0].upper() + told[1:])}." for told in remarks(system)]
    if system.lucky:
        parts.append(f"<p>Right by luck: {escape(', '.join(system.lucky))}.")
    if system.failures:
        rows = [(row.utterance, row.verdict, row.why) for row in system.failures]
        parts.append(_table("Not right, and why", ("utterance", "verdict", "why"), rows, 1))
    return "\n".join([*parts, f"<p><code>{escape(signature)}</code>"])
