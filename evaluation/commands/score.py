"""`curtain score`: systems' answers against a test's references, as text, JSON or a page."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.analysis.attempts import AttemptShares, of_logs
from corpus.dataset import ndx
from corpus.formats.cas import Answer
from corpus.formats.errors import FormatFault
from evaluation.comparator.answer_input import FileFault, read_text
from evaluation.comparator.options import ComparisonOptions, Options
from evaluation.references.lint import warn_of_rounding
from evaluation.scoring import report_html, report_text
from evaluation.scoring.answer_files import (
    Faults,
    PlacedAnswer,
    ScoredRequest,
    answer_faults,
    read_items,
    read_list,
    read_logs,
)
from evaluation.scoring.outcomes import System, score
from evaluation.scoring.score_figures import ScoredSystem, ScoreReport, build
from session.values.sanitize import inert

REFERENCES, MAXIMA, INDEX = "references.cas", "maxima.cas", "index.tsv"
"""The files of a test's key."""


class ScoreOptions(ComparisonOptions, frozen=True, kw_only=True):
    """The options of `curtain score`.

    `references` is a corpus directory or an answer list, `maximum` the list of maxima beside a list; `minimal` leaves
    the maxima of a corpus out, as before 1992. `hypotheses` are answer lists, each `FILE`, `NAME=FILE` or
    `NAME@SITE=FILE` (the system's own site). `before` is the list of references before adjudication, or a folder with
    `references.cas`, its maxima and its index where they changed too. `work` limits each
    comparison, in steps. `variants` are folders, one a perturbed database, with `references.cas`,
    `NAME.cas` and, where the test has maxima, `maxima.cas`. `page`
    names an HTML file to be written, which must not exist. `only` is a list of utterances, such as `doc/pool.ndx`, to which
    the test is limited.
    """

    references: str
    hypotheses: tuple[str, ...]
    maximum: str | None = None
    minimal: bool = False
    index: str | None = None
    only: str | None = None
    before: str | None = None
    before_maximum: str | None = None
    before_index: str | None = None
    variants: tuple[str, ...] = ()
    weight: float = 2.0
    seed: int = 1992
    as_json: bool = False
    page: str | None = None


def score_command(given: ScoreOptions, out: TextIO, err: TextIO) -> int:
    """Score systems and print every table; 0 when all is right, 1 when not, 2 for faulty input, with all its faults."""
    try:
        report = _report(given, err)
        if given.page is not None:
            _write_page(Path(given.page), report)
    except Faults as error:
        for fault in error.found:
            print(f"error: {inert(fault)}", file=err)
        return 2
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=err)
        return 2
    shown = _as_json(report) if given.as_json else inert(report_text.render(report), newlines="keep").rstrip("\n")
    print(shown, file=out)
    return 1 if any(system.failures for system in report.systems) else 0


def _report(given: ScoreOptions, err: TextIO) -> ScoreReport:
    """Read everything, compare, compute; raises Faults with all that is wrong with the input before anything is compared."""
    options, faults = given.comparison(), _option_faults(given)
    read = partial(read_items, options=options, faults=faults, minimal=given.minimal)
    items = read(Path(given.references), _path(given.maximum), _path(given.index))
    earlier = None
    if given.before:
        earlier = read(*_earlier(given))
    systems = _systems(given.hypotheses, items, options, faults)
    if given.only is not None:
        items, systems = _limited(Path(given.only), items, systems, faults, err)
        earlier = [item for item in earlier if item.name in {kept.name for kept in items}] if earlier else earlier
    variants = [_variant(Path(folder), systems, items, options, faults, err) for folder in given.variants]
    if faults:
        raise Faults(faults)
    warn_of_rounding([(item.name, item.reference) for item in items], options, err)
    runs = [
        _run(items, earlier, system, [variant[place] for variant in variants], options, err)
        for place, system in enumerate(systems)
    ]
    excluded = sum(item.category == "X" for item in items)
    return build(runs, excluded, options, given.weight, given.seed, _collected(Path(given.references)))


def _earlier(given: ScoreOptions) -> tuple[Path, Path | None, Path | None]:
    """The references before adjudication, their maxima and their index: those of a folder, such as a test's key, or a list
    alone with what is beside the new one."""
    place = Path(given.before or "")
    beside = given.before_maximum or given.maximum, given.before_index or given.index
    if not (place / REFERENCES).is_file():
        return place, _path(beside[0]), _path(beside[1])
    own = place / MAXIMA if given.maximum else None, place / INDEX
    maximum, index = (at if at is None or at.is_file() else _path(name) for at, name in zip(own, beside, strict=True))
    return place / REFERENCES, maximum, index


def _path(name: str | None) -> Path | None:
    return Path(name) if name else None


def _limited(
    listed: Path, items: Sequence[ScoredRequest], systems: Sequence[System], faults: list[str], err: TextIO
) -> tuple[list[ScoredRequest], list[System]]:
    """The requests that a list of utterances names, and each system's answers to them."""
    try:
        wanted = {place.rpartition("/")[2] for place in ndx.parse(read_text(listed), str(listed))}
    except (FormatFault, FileFault) as error:
        faults.append(str(error))
        return list(items), list(systems)
    kept = [item for item in items if item.name in wanted]
    if not kept:
        faults.append(
            f"{listed}: none of its utterances has a reference in this test; name the list of the set that it is"
        )
    print(f"limited to {listed}: {len(kept)} of {len(items)} requests", file=err)
    return kept, [_known_to(kept, system) for system in systems]


def _option_faults(given: ScoreOptions) -> list[str]:
    faults = []
    if not (given.weight >= 0 and isfinite(given.weight)):
        faults.append(f"weight {given.weight:g}: the cost of a wrong answer is a number from 0 on, such as 2 or 1.25")
    if given.page is not None and Path(given.page).exists():
        faults.append(f"{given.page} exists already; name another file, nothing is overwritten")
    return faults


def _as_json(report: ScoreReport) -> str:
    data = msgspec.to_builtins(report)
    data["collected"] = report.collected.as_data() if report.collected is not None else None
    return json.dumps(data, ensure_ascii=False, indent=1)


def _collected(references: Path) -> AttemptShares | None:
    """Return how the requests of a corpus were answered when it was collected; None without logs."""
    faults: list[str] = []
    logs = [log for _, log in read_logs(references, faults)] if references.is_dir() else []
    if faults:
        raise Faults(faults)
    return of_logs(logs) if logs else None


def _systems(given: Sequence[str], items: Sequence[ScoredRequest], options: Options, faults: list[str]) -> list[System]:
    """The systems with their answers; what is wrong with any of them is added to `faults`."""
    systems: list[System] = []
    for one in given:
        label, found, file = one.partition("=")
        path = Path(file if found else one)
        name, _, home = label.partition("@") if found else (path.stem, "", "")
        if any(system.name == name for system in systems):
            faults.append(f"{one}: there are two systems named {name}; write NAME=FILE")
        answers = read_list(path, options, faults)
        faults += answer_faults(items, answers)
        systems.append(System(name, home, answers))
    if not systems:
        faults.append("no system: name at least one file of answers")
    faults += _homeless(systems, items)
    return systems


def _homeless(systems: Sequence[System], items: Sequence[ScoredRequest]) -> list[str]:
    """A fault for each system at home where nothing was collected: its advantage there would silently be missing."""
    sites = sorted({item.site for item in items})
    known = f"the sites are {', '.join(sites)}" if sites != ["-"] else "no site is known; name sites with --index"
    return [
        f"{system.name}@{system.home}: no request is from {system.home}; {known}"
        for system in systems
        if system.home and system.home not in sites
    ]


def _maximum(item: ScoredRequest, most: Mapping[str, PlacedAnswer]) -> Answer | None:
    """The maximum of a request on a perturbed database, if it has one there and is compared with one in this test."""
    return most[item.name].answer if item.maximum is not None and item.name in most else None


class _PerturbedTest(msgspec.Struct, frozen=True):
    """The requests of the test on a perturbed database, and what a system answers there."""

    items: list[ScoredRequest]
    system: System


def _variant(
    folder: Path,
    systems: Sequence[System],
    items: Sequence[ScoredRequest],
    options: Options,
    faults: list[str],
    err: TextIO,
) -> list[_PerturbedTest]:
    """For every system the requests on a perturbed database: references and answers as both give them there."""
    least = read_list(folder / "references.cas", options, faults)
    faults += [
        f"{listed.place}: {name} is not an utterance of this test"
        for name, listed in least.items()
        if name not in {item.name for item in items}
    ]
    scored = [item for item in items if item.category != "X"]
    most = read_list(folder / MAXIMA, options, faults) if (folder / MAXIMA).exists() else {}
    if not most and any(item.maximum is not None for item in scored):
        print(f"warning: {folder}: no {MAXIMA}; answers are compared with the minimum only", file=err)
    faults += [f"{folder / 'references.cas'}: nothing for {item.name}" for item in scored if item.name not in least]
    there = [
        msgspec.structs.replace(item, reference=least[item.name].answer, maximum=_maximum(item, most))
        for item in scored
        if item.name in least
    ]
    found = []
    for system in systems:
        answers = read_list(folder / f"{system.name}.cas", options, faults)
        faults += answer_faults(items, answers)
        found.append(_PerturbedTest(there, System(system.name, system.home, answers)))
    return found


def _run(
    items: Sequence[ScoredRequest],
    earlier: Sequence[ScoredRequest] | None,
    system: System,
    variants: Sequence[_PerturbedTest],
    options: Options,
    err: TextIO,
) -> ScoredSystem:
    return ScoredSystem(
        score(items, system, options, err),
        score(earlier, _known_to(earlier, system), options, err) if earlier is not None else None,
        tuple(score(one.items, _known_to(one.items, one.system), options, err) for one in variants),
    )


def _known_to(items: Sequence[ScoredRequest], system: System) -> System:
    """The system with its answers to these requests; adjudication may have added others, which it answers too."""
    known = {item.name for item in items}
    return System(system.name, system.home, {name: one for name, one in system.answers.items() if name in known})


def _write_page(path: Path, report: ScoreReport) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(report_html.render(report))
    except FileExistsError:
        raise Faults([f"{path} exists already; name another file, nothing is overwritten"]) from None
