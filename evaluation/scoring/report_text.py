"""The report of a test as text for a terminal or a paper."""

from collections.abc import Iterator, Sequence

from evaluation.scoring.outcomes import Home
from evaluation.scoring.score_figures import Matrix, ScoreReport, ScoreRow, SystemReport


def percent(value: float | None) -> str:
    """One decimal, or a dash for what is undefined."""
    return "-" if value is None else f"{value:.1f}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as they must be, the first to the left and the others to the right."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    for row in [header, *rows]:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield "  " + "  ".join(cells).rstrip()


HEADER = ("", "n", "right", "wrong", "none", "undecided", "% right", "±", "95 %", "% weighted error", "95 %", "score")
FEW_SPEAKERS = 8
"""Below so many the interval is warned of: over 20 requests a speaker it held the true rate 81 % of the time with four speakers,
89 % with eight, 93 % with twenty (1,500 simulated tests, rates drawn from a beta distribution of 6 and 4)."""


def cells(row: ScoreRow) -> list[str]:
    """A row of a tally table, in the order of HEADER."""
    counts = (row.total, row.right, row.wrong, row.none, row.undecided)
    right = (percent(row.right_share), percent(row.right_half_width), span(row.right_interval))
    error = (percent(row.weighted_error), span(row.weighted_interval), percent(row.score))
    return [row.group, *map(str, counts), *right, *error]


def span(interval: tuple[float, float] | None) -> str:
    """An interval, or a dash."""
    return "-" if interval is None else f"{interval[0]:.1f} to {interval[1]:.1f}"


def render(report: ScoreReport) -> str:
    """The whole report."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: ScoreReport) -> Iterator[str]:
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
    yield from matrices(report)
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
    yield "Limits of these figures"
    for limit in report.limits:
        yield f"  - {limit}"


def _system(system: SystemReport) -> Iterator[str]:
    yield f"System {system.name}"
    yield from table(("class", *HEADER[1:]), [cells(row) for row in system.classes])
    for breakdown in system.breakdowns:
        yield from table((breakdown.name, *HEADER[1:]), [cells(row) for row in breakdown.lines])
    for remark in remarks(system):
        yield f"  {remark}"
    if system.before:
        yield "  before adjudication"
        yield from table(("class", *HEADER[1:]), [cells(row) for row in system.before])
        for name, first, second in system.adjudicated:
            yield f"    {name}: {first} → {second}"
    if system.lucky:
        yield f"  right by luck (wrong on a perturbed database): {', '.join(system.lucky)}"
    if system.failures:
        yield "  not right, and why"
    for row in system.failures:
        yield f"    {row.utterance}: {row.verdict}{': ' + row.why if row.why else ''}"


def remarks(system: SystemReport) -> Iterator[str]:
    """Yield what is to be said of a system's figures, a sentence each."""
    undecided = system.classes[-1].undecided
    if undecided:
        yield (
            f"{undecided} undecided within the work limit, counted as wrong; "
            f"were they right, the weighted error would be {system.undecided_cost:.1f} points lower"
        )
    yield f"weighted error, speakers resampled: {_interval(system)}"
    if system.independent_difference is not None:
        difference = percent(system.independent_difference)
        yield f"two such error rates, if independent, differ beyond chance from {difference} points"
    if system.chance is not None:
        yield f"{system.chance:.1f} % of its answers would pass for another request of the test"


def _interval(system: SystemReport) -> str:
    if system.speaker_interval is None:
        return (
            "no interval out of a single speaker" if system.speakers < 2 else "no interval, as all of them fare alike"
        )
    few = system.speakers < FEW_SPEAKERS
    warning = f"; out of {system.speakers} speakers it is too narrow to be trusted" if few else ""
    return f"95 % between {system.speaker_interval[0]:.1f} and {system.speaker_interval[1]:.1f}{warning}"


def advantage(home: Home) -> str:
    """A system's advantage on its own site in words."""
    if home.advantage is None:
        return f"{home.system} at home ({home.site}): nothing to compare with; it takes another system and another site"
    return f"{home.system} at home ({home.site}): {home.advantage:+.1f} points of weighted error beyond the others"


CAPTION = "% right (95 %) / % wrong / % weighted error, systems by collecting sites (* own site, ! outlier)"


def matrix_caption(matrix: Matrix) -> str:
    """Return the caption of a matrix."""
    return CAPTION if matrix.group == "A+D" else f"{CAPTION}, class {matrix.group}"


def matrix_cells(report: ScoreReport, matrix: Matrix) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a matrix; * is the system's own site, ! a site unlike the others."""
    header = ["", *(site + ("!" if site in report.outliers else "") for site in matrix.sites), "all"]
    rows = []
    for row in matrix.rows:
        marks = ["*" if cell.group == row.home else "" for cell in row.cells]
        rows.append([row.system, *(_cell(cell) + mark for cell, mark in zip(row.cells, marks, strict=True))])
    return header, rows


def _cell(cell: ScoreRow) -> str:
    if not cell.total:
        return "-"
    shares = percent(cell.wrong_share), percent(cell.weighted_error)
    return f"{percent(cell.right_share)} ({span(cell.right_interval)})/{'/'.join(shares)}"


def matrices(report: ScoreReport) -> Iterator[str]:
    """Systems by collecting sites, for all requests and for those of class A and of class D apart."""
    for matrix in report.matrices:
        yield matrix_caption(matrix)
        yield from table(*matrix_cells(report, matrix))
    for home in report.homes:
        yield f"  {advantage(home)}"
