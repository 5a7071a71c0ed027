"""The report of a test as text for a terminal or a paper."""

from collections.abc import Iterator, Sequence

from evaluation.scoring.report import Line, Report, SystemReport
from evaluation.scoring.score import Home


def percent(value: float | None) -> str:
    """One decimal, or a dash for what is undefined."""
    return "-" if value is None else f"{value:.1f}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as they must be, the first to the left and the others to the right."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    for row in [header, *rows]:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield "  " + "  ".join(cells).rstrip()


HEADER = ("", "n", "right", "wrong", "none", "% right", "±", "% weighted error", "±", "score")


def cells(row: Line) -> list[str]:
    """A row of a tally table, in the order of HEADER."""
    shares = (row.right_share, row.right_half_width, row.weighted_error, row.weighted_half_width, row.score)
    return [row.group, *(str(n) for n in (row.total, row.right, row.wrong, row.none)), *(percent(x) for x in shares)]


def render(report: Report) -> str:
    """The whole report."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield (
        f"{report.requests} requests scored, {report.excluded} of class X left out; "
        f"{percent(report.yes_no)} % can be answered by yes or no"
    )
    yield report.signature
    if report.collected is not None:
        yield f"When they were collected: {report.collected.text()}"
    for system in report.systems:
        yield ""
        yield from _system(system)
    yield ""
    yield from matrix(report)
    if report.rivalries:
        yield ""
        yield "Between systems (p: chance alone would differ as much)"
        yield from table(
            ("", "right by the first only", "by the second only", "McNemar p", "permutation p by session"),
            [
                [
                    f"{r.first} : {r.second}",
                    str(r.only_first),
                    str(r.only_second),
                    f"{r.mcnemar:.4f}",
                    f"{r.permutation:.4f}",
                ]
                for r in report.rivalries
            ],
        )
    yield ""
    yield "What these figures do not say"
    for limit in report.limits:
        yield f"  - {limit}"


def _system(system: SystemReport) -> Iterator[str]:
    yield f"System {system.name}"
    yield from table(("class", *HEADER[1:]), [cells(row) for row in system.classes])
    if len(system.sites) > 1:
        yield from table(("site", *HEADER[1:]), [cells(row) for row in system.sites])
    yield from table(("speaker", *HEADER[1:]), [cells(row) for row in system.speakers])
    yield f"  weighted error, speakers resampled: {interval(system)}"
    yield f"  two such error rates, if independent, differ beyond chance from {percent(system.independent_difference)} points"
    if system.chance is not None:
        yield f"  {system.chance:.1f} % of its answers would pass for another request of the test"
    if system.before:
        yield "  before adjudication"
        yield from table(("class", *HEADER[1:]), [cells(row) for row in system.before])
        for name, first, second in system.adjudicated:
            yield f"    {name}: {first} → {second}"
    if system.lucky:
        yield f"  right by luck (wrong on a perturbed database): {', '.join(system.lucky)}"
    if system.failures:
        yield "  not right, and why"
    for name, verdict, why in system.failures:
        yield f"    {name}: {verdict}{': ' + why if why else ''}"


def interval(system: SystemReport) -> str:
    """The interval over speakers in words."""
    if system.speaker_interval is None:
        return "no interval out of a single speaker"
    low, high = system.speaker_interval
    return f"95 % between {low:.1f} and {high:.1f}"


def advantage(home: Home) -> str:
    """A system's advantage on its own site in words."""
    if home.advantage is None:
        return f"{home.system} at home ({home.site}): nothing to compare with; it takes another system and another site"
    return f"{home.system} at home ({home.site}): {home.advantage:+.1f} points of weighted error beyond the others"


def shares_of(line: Line) -> tuple[str, str, str]:
    """Right, wrong and weighted error in per cent, as a cell of the matrix shows them."""
    wrong = 100 * line.wrong / line.total if line.total else None
    return percent(line.right_share), percent(wrong), percent(line.weighted_error)


def matrix(report: Report) -> Iterator[str]:
    """Systems by collecting sites; * is the system's own site, ! a site unlike the others."""
    sites = [cell.site for cell in report.systems[0].matrix] if report.systems else []
    yield "% right / % wrong / % weighted error, systems by collecting sites (* own site, ! outlier)"
    header = ["", *(site + ("!" if site in report.outliers else "") for site in sites), "all"]
    rows = []
    for system in report.systems:
        row = [system.name]
        for cell in system.matrix:
            shares = (cell.right_share, cell.wrong_share, cell.weighted_error)
            row.append("/".join(percent(x) for x in shares) + ("*" if cell.home else ""))
        rows.append([*row, "/".join(shares_of(system.classes[-1]))])
    if report.everyone:
        rows.append(["all systems", *("/".join(shares_of(line)) for line in report.everyone)])
    yield from table(header, rows)
    for home in report.homes:
        yield f"  {advantage(home)}"
