"""`curtain score`: systems' answers against a test's references, as text, JSON or a page."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TextIO, TypeVar

import msgspec

from corpus.analysis.attempts import Shares, of_logs
from evaluation.comparator.options import Choices, Options
from evaluation.scoring import report_html, report_text
from evaluation.scoring.answer_files import Faults, Item, read_items, read_list, read_logs
from evaluation.scoring.report import Report, Run, build
from evaluation.scoring.score import Scored, System, score
from session.values.sanitize import inert

_Read = TypeVar("_Read")


class ScoreOptions(Choices, frozen=True, kw_only=True):
    """The options of `curtain score`.

    `references` is a corpus directory or an answer list, `maximum` the list of maxima beside a list; `minimal` leaves
    the maxima of a corpus out, as before 1992. `hypotheses` are answer lists, each `FILE`, `NAME=FILE` or
    `NAME@SITE=FILE` (the system's own site). `before` is the list of references before adjudication. `work` limits each
    comparison, in steps. `variants` are folders, one a perturbed database, with `references.cas` and `NAME.cas`. `page`
    names an HTML file to be written, which must not exist.
    """

    references: str
    hypotheses: tuple[str, ...]
    maximum: str | None = None
    minimal: bool = False
    index: str | None = None
    before: str | None = None
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


def _report(given: ScoreOptions, err: TextIO) -> Report:
    if not (given.weight >= 0 and isfinite(given.weight)):
        raise Faults([f"weight {given.weight:g}: what a wrong answer costs is a number from 0 on, such as 2 or 1.25"])
    options = given.comparison()
    most = Path(given.maximum) if given.maximum else None
    table = Path(given.index) if given.index else None
    read = partial(read_items, maximum=most, index=table, options=options, minimal=given.minimal)
    least, before = Path(given.references), Path(given.before) if given.before else None
    items, systems, earlier = _read_all(given.hypotheses, options, read, least, before)
    runs = [_run(items, system, earlier, given.variants, options, err) for system in systems]
    excluded = sum(item.category == "X" for item in items)
    return build(runs, excluded, options, given.weight, given.seed, _collected(least))


def _as_json(report: Report) -> str:
    data = msgspec.to_builtins(report)
    data["collected"] = report.collected.as_data() if report.collected is not None else None
    return json.dumps(data, ensure_ascii=False, indent=1)


def _read_all(
    hypotheses: Sequence[str],
    options: Options,
    read: Callable[[Path], list[Item]],
    references: Path,
    before: Path | None,
) -> tuple[list[Item], list[System], list[Item] | None]:
    """The requests, the systems, the requests as they were; raises Faults with what is wrong in any of them."""
    faults: list[str] = []
    items = _or_faults(lambda: read(references), faults)
    systems = _or_faults(lambda: _systems(hypotheses, options), faults)
    earlier = _or_faults(lambda: read(before), faults) if before else None
    if items is None or systems is None or faults:
        raise Faults(faults)
    _homes_are_sites(systems, items)
    return items, systems, earlier


def _or_faults(read: Callable[[], _Read], faults: list[str]) -> _Read | None:
    """What `read` gives, or None with its faults added: those of references and answers are told together."""
    try:
        return read()
    except Faults as error:
        faults += error.found
        return None


def _collected(references: Path) -> Shares | None:
    """How the requests of a corpus were answered when it was collected; None without logs."""
    faults: list[str] = []
    logs = [log for _, log in read_logs(references, faults)] if references.is_dir() else []
    if faults:
        raise Faults(faults)
    return of_logs(logs) if logs else None


def _systems(hypotheses: Sequence[str], options: Options) -> list[System]:
    faults: list[str] = []
    systems: list[System] = []
    for given in hypotheses:
        label, found, file = given.partition("=")
        path = Path(file if found else given)
        name, _, home = label.partition("@") if found else (path.stem, "", "")
        if any(system.name == name for system in systems):
            faults.append(f"{given}: there are two systems named {name}; write NAME=FILE")
        systems.append(System(name, home, read_list(path, options, faults)))
    if not systems:
        faults.append("no system: name at least one file of answers")
    if faults:
        raise Faults(faults)
    return systems


def _homes_are_sites(systems: Sequence[System], items: Sequence[Item]) -> None:
    """Raise Faults for a system at home where nothing was collected: its advantage there would silently be missing."""
    sites = sorted({item.site for item in items})
    known = f"the sites are {', '.join(sites)}" if sites != ["-"] else "no site is known; name sites with --index"
    wrong = [f"{each.name}@{each.home}: no request is from {each.home}; {known}" for each in systems]
    found = [fault for fault, each in zip(wrong, systems, strict=True) if each.home and each.home not in sites]
    if found:
        raise Faults(found)


def _run(
    items: list[Item],
    system: System,
    earlier: list[Item] | None,
    variants: Sequence[str],
    options: Options,
    err: TextIO,
) -> Run:
    return Run(
        score(items, system, options, err),
        score(earlier, _known_to(earlier, system), options, err) if earlier is not None else None,
        tuple(_variant(Path(folder), system, items, options, err) for folder in variants),
    )


def _known_to(items: list[Item], system: System) -> System:
    """The system with its answers to these requests; adjudication may have added others, which it answers too."""
    known = {item.name for item in items}
    return System(system.name, system.home, {name: one for name, one in system.answers.items() if name in known})


def _variant(folder: Path, system: System, items: list[Item], options: Options, err: TextIO) -> Scored:
    """The same requests on a perturbed database: references and the system's answers as both give them there."""
    faults: list[str] = []
    least = read_list(folder / "references.cas", options, faults)
    answers = read_list(folder / f"{system.name}.cas", options, faults)
    scored = [item for item in items if item.category != "X"]
    known = {item.name for item in items}
    faults += [
        f"{listed.place}: {name} is no utterance of this test"
        for name, listed in [*least.items(), *answers.items()]
        if name not in known
    ]
    faults += [f"{folder / 'references.cas'}: nothing for {item.name}" for item in scored if item.name not in least]
    if faults:
        raise Faults(faults)
    there = [msgspec.structs.replace(item, reference=least[item.name].answer, maximum=None) for item in scored]
    return score(there, _known_to(there, System(system.name, system.home, answers)), options, err)


def _write_page(path: Path, report: Report) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(report_html.render(report))
    except FileExistsError:
        raise Faults([f"{path} exists already; name another file, nothing is overwritten"]) from None
