"""`curtain report` and `curtain stats`: the same figures, drawn and printed."""

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.directory import Refused, refuse_existing
from corpus.faults import FormatFault
from corpus.figures import Figures, figures_of, gather
from corpus.jobs import MANY, chosen
from corpus.progress import counting
from corpus.reading import Corpus
from corpus.report_page import length, render
from corpus.tables import aligned, values
from corpus.turns import STAGES, Course

PAGE = "report.html"


def report_command(
    directory: str, target: str, out: TextIO, err: TextIO, jobs: int | None = None, cluster: str = ""
) -> int:
    """Write the report on a corpus as one HTML page to `target` (by default `DIRECTORY.report.html`, beside the corpus).

    Its path goes to `out`; 2 where the corpus cannot be read or the page exists already. `jobs` and `cluster` as for
    `corpus.verify.verify_command`.
    """
    page = Path(target) if target else Path(f"{directory.rstrip('/')}.{PAGE}")

    def draw(figures: Figures, found: list[Course]) -> None:
        with page.open("x", encoding="utf-8") as file:
            file.write(render(figures, found, Path(directory).resolve().name))
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
    """The figures for a terminal."""
    parts = ["A REHEARSAL: no data.\n"] if figures.rehearsal else []
    parts += [
        aligned(("collected", "speakers", "scenarios", "utterances"), map(values, figures.collected)),
        aligned(("classes", "A", "D", "X", "total", "share %", "A %", "D %", "X %"),
                [(*values(row), *row.percentages) for row in figures.classes]),
        aligned(("speakers", "all", "M", "F", "other", "scenarios", "utterances"), map(values, figures.people)),
        aligned(("ages", "known", "youngest", "oldest", "mean", "median"), map(values, figures.ages)),
        "".join(f"common scenario, {share}\n" for share in figures.common),
        f"requests answered: {figures.tries.text()}\n",
        aligned(("seconds", "turns", "10 %", "median", "90 %", "most"), _delays(figures)),
        aligned(("scenario", "subjects", "solved", "given up", "unfinished", "min to solve", "utterances", "requests"),
                [(each.scenario, each.subjects, each.solved, each.given_up, each.unfinished, each.solve_min, each.utterances,
                  each.requests) for each in figures.difficulty]),
        _sound(figures),
        "".join(f"{item.part}: {item.question} {item.answer}\n" for item in figures.checklist),
    ]  # fmt: skip
    return "\n".join(part for part in parts if part)


def _delays(figures: Figures) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for each in figures.delays:
        if each.group != "all" and each.stage not in ("wizard", "reply"):
            continue
        name = STAGES[each.stage][2] if each.group == "all" else f"  {each.group} {each.name}: {each.stage}"
        found = (each.spread.low, each.spread.median, each.spread.high, each.spread.largest)
        rows.append((name, each.spread.count, *(f"{value:.2f}" for value in found)))
    return rows


def _sound(figures: Figures) -> str:
    sound = figures.sound
    peak = f"; peak level {sound.peak_db.median:.1f} dB (median)" if sound.peak_db else ""
    lasting = f"; an utterance lasts {sound.seconds.median:.2f} s (median)" if sound.seconds else ""
    return f"{length(sound.hours)} of speech{lasting}{peak}; {sound.troubled} utterances with trouble in the sound\n"


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
        corpus = Corpus(Path(directory))
        total = len(corpus.logs)
        with counting(err, "subject-scenarios", total) as tell:
            found = gather(corpus, chosen(jobs, cluster, total >= MANY), tell)
        use(figures_of(corpus, found), found)
    except (FormatFault, Refused, OSError) as error:
        err.write(f"{error}\n")
        return 2
    return 0
