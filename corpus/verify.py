"""`curtain verify`: every finding about a corpus at once, each with its place, its rule, its severity and what to do.

Kaldi's and NIST's checking programs stop at the first fault or name no line; whoever repairs a corpus wants the whole list.
The same function runs at a site before delivery and at the centre after it, so that both see the same.
"""

import multiprocessing
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TextIO

import msgspec

from corpus import layout
from corpus.rules import scenario, whole
from corpus.rules.catalogue import RULES
from corpus.rules.context import Context, Known, Seen
from corpus.rules.findings import Finding, Findings, Severity
from corpus.rules.survey import Unit, survey

_SHARES = 8  # that each process gets of the work, one after the other
_MODES = sorted(set(layout.DIRECTORIES.values()))
_MANY = 500  # subject-scenarios from which further processes are worth their start


class Report(msgspec.Struct, frozen=True):
    """All findings in the order of their places, and what was looked at; `headers` says that no sample was."""

    directory: str
    findings: tuple[Finding, ...]
    files: int
    scenarios: int
    utterances: int
    headers: bool

    def count(self, severity: Severity) -> int:
        """How many findings are of this severity."""
        return sum(finding.severity is severity for finding in self.findings)


def verify(root: Path, headers: bool = False, processes: int = 1) -> Report:
    """Look at every file of the corpus at `root`; with `headers` waveforms are read no further than their headers.

    The findings do not depend on the number of processes.
    """
    findings = Findings(RULES)
    found = survey(root, findings)
    context = whole.before(root, headers, found, findings)
    if processes > 1:
        _in_processes(context, found.units, processes)
    else:
        for unit in found.units:
            scenario.check(context, unit)
    whole.after(context, found)
    utterances = len(context.seen.utterances)
    return Report(str(root), tuple(sorted(findings.found)), len(found.sizes), len(found.units), utterances, headers)


def _in_processes(context: Context, units: tuple[Unit, ...], processes: int) -> None:
    size = max(1, -(-len(units) // (processes * _SHARES)))
    batches = [units[first : first + size] for first in range(0, len(units), size)]
    known = [context.known.of_files(path for unit in batch for path in unit.files.values()) for batch in batches]
    spawning = multiprocessing.get_context("spawn")  # a fork would copy the locks of whatever threads are running
    with ProcessPoolExecutor(processes, spawning) as pool:
        for found, seen in pool.map(_batch, known, batches):
            context.findings.found.extend(found)
            context.seen.join(seen)


def _batch(known: Known, units: tuple[Unit, ...]) -> tuple[list[Finding], Seen]:
    context = Context(known, Findings(RULES))
    for unit in units:
        scenario.check(context, unit)
    return context.findings.found, context.seen


def verify_command(directory: str, headers: bool, strict: bool, as_json: bool, out: TextIO, err: TextIO) -> int:
    """Print the findings on `out` and the sum on `err`; 1 where there is an error (`strict`: or a warning), else 0.

    2 when `directory` is none.
    """
    root = Path(directory)
    if not root.is_dir():
        err.write(f"{directory} is no directory; name the directory of a corpus\n")
        return 2
    report = verify(root, headers, _processes(root))
    if as_json:
        out.write(msgspec.json.format(msgspec.json.encode(report), indent=1).decode() + "\n")
    else:
        for finding in report.findings:
            out.write(f"{finding}\n")
    err.write(summary(report) + "\n")
    bad = report.count(Severity.ERROR) + (report.count(Severity.WARNING) if strict else 0)
    return 1 if bad else 0


def summary(report: Report) -> str:
    """One sentence on what was looked at and what was found."""
    counts = Counter(finding.severity for finding in report.findings)
    looked = f"{report.files} files, {report.scenarios} subject-scenarios, {report.utterances} utterances"
    skipped = "; samples were not read (--headers)" if report.headers else ""
    found = f"{counts[Severity.ERROR]} errors, {counts[Severity.WARNING]} warnings, {counts[Severity.NOTE]} notes"
    return f"{looked}{skipped}: {found}"


def _processes(root: Path) -> int:
    """As many processes as there are processors for a large corpus, one for a small one."""
    scenarios = sum(1 for mode in _MODES for _ in (root / mode).glob("*/*"))
    return os.cpu_count() or 1 if scenarios >= _MANY else 1
