"""`curtain verify`: every finding about a corpus at once, each with its place, its rule, its severity and what to do.

Kaldi's and NIST's checking programs stop at the first fault or name no line; whoever repairs a corpus wants the whole list.
The same function runs at a site before delivery and at the centre after it, so that both see the same.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import msgspec

from corpus import layout
from corpus.directory import Refused
from corpus.jobs import MANY, Jobs, chosen
from corpus.manifest import FileEntry
from corpus.progress import counting
from corpus.rules import scenario, whole
from corpus.rules.catalogue import RULES
from corpus.rules.context import Context, Known, Seen
from corpus.rules.findings import Finding, Findings, Severity
from corpus.rules.survey import Unit, survey

_BATCH = 32  # subject-scenarios that a process gets at a time: about a tenth of a second's work
_MODES = sorted(set(layout.DIRECTORIES.values()))


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


Batch = tuple[dict[str, FileEntry], tuple[Unit, ...]]


def verify(root: Path, headers: bool = False, jobs: Jobs | None = None, err: TextIO | None = None) -> Report:
    """Look at every file of the corpus at `root`; with `headers` waveforms are read no further than their headers.

    The findings do not depend on who does the work. Progress goes to `err`; raises `Refused` where the cluster of `jobs` cannot
    be used.
    """
    jobs = jobs or Jobs()
    findings = Findings(RULES)
    found = survey(root, findings)
    context = whole.before(root, headers, found, findings)
    with counting(err, "subject-scenarios", len(found.units)) as tell:
        _check(context, found.units, jobs, tell)
    whole.after(context, found)
    utterances = len(context.seen.utterances)
    return Report(str(root), tuple(sorted(findings.found)), len(found.sizes), len(found.units), utterances, headers)


def _check(context: Context, units: tuple[Unit, ...], jobs: Jobs, tell: Callable[[int], None]) -> None:
    size = max(1, min(_BATCH, len(units) // (4 * jobs.width)))
    shared, done = _shared(context.known, jobs), 0
    for found, seen, count in jobs.over(_batch, shared, _batches(context.known, units, size), context.root):
        context.findings.found.extend(found)
        context.seen.join(seen)
        done += count
        tell(done)


def _shared(known: Known, jobs: Jobs) -> Known:
    """What every batch needs: all but the list of files, of which each gets its own part."""
    manifest = msgspec.structs.replace(known.manifest, files={}) if known.manifest is not None else None
    return replace(known, manifest=manifest, root=known.root.resolve() if jobs.cluster else known.root)


def _batches(known: Known, units: tuple[Unit, ...], size: int) -> Iterator[Batch]:
    listed = known.manifest.files if known.manifest is not None else {}
    for first in range(0, len(units), size):
        batch = units[first : first + size]
        paths = (path for unit in batch for path in unit.files.values())
        yield {path: listed[path] for path in paths if path in listed}, batch


def _batch(shared: Known, batch: Batch) -> tuple[list[Finding], Seen, int]:
    listed, units = batch
    manifest = msgspec.structs.replace(shared.manifest, files=listed) if shared.manifest is not None else None
    context = Context(replace(shared, manifest=manifest), Findings(RULES))
    for unit in units:
        scenario.check(context, unit)
    return context.findings.found, context.seen, len(units)


def verify_command(
    directory: str,
    headers: bool,
    strict: bool,
    as_json: bool,
    out: TextIO,
    err: TextIO,
    jobs: int | None = None,
    cluster: str = "",
) -> int:
    """Print the findings on `out` and the sum on `err`; 1 where there is an error (`strict`: or a warning), else 0.

    `jobs` processes do the work (None: as many as suit the corpus), or the Dask cluster at the address `cluster`. 2 when
    `directory` is none, or the cluster cannot be used.
    """
    root = Path(directory)
    if not root.is_dir():
        err.write(f"{directory} is no directory; name the directory of a corpus\n")
        return 2
    try:
        report = verify(root, headers, chosen(jobs, cluster, _large(root)), err)
    except Refused as error:
        err.write(f"{error}\n")
        return 2
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


def _large(root: Path) -> bool:
    return sum(1 for mode in _MODES for _ in (root / mode).glob("*/*")) >= MANY
