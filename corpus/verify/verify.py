"""`curtain verify`: reports all findings about a corpus, each with place, rule, severity and remedy.

Kaldi's and NIST's checking programs stop at the first fault or name no line; anyone who repairs a corpus needs the whole
list. The same function runs at a site before delivery and at the centre after it, so that both see the same.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.formats import layout
from corpus.formats.errors import counted, status_of
from corpus.formats.manifest import FileEntry
from corpus.io.parallel import MANY, Jobs, chosen
from corpus.io.progress import counting
from corpus.io.staging import Refused, stopped
from corpus.verify.batches import Batch, check
from corpus.verify.rules import corpus_wide, dead_microphones
from corpus.verify.rules.catalogue import RULES
from corpus.verify.rules.context import CorpusFacts
from corpus.verify.rules.file_survey import FileSurvey
from corpus.verify.rules.findings import Finding, Findings, Severity
from corpus.verify.rules.gathered import CorpusContext
from corpus.verify.rules.scratch_tables import of_directory, scratch_tables
from session.gc_pauses import seldom_disturbed

_DRAFTS = 16  # take about as long to check as one subject-scenario


class VerificationReport(msgspec.Struct, frozen=True):
    """Findings in the order of their places, and the extent of the check; `headers` says that no samples were read."""

    directory: str
    findings: tuple[Finding, ...]
    files: int
    scenarios: int
    utterances: int
    headers: bool

    def count(self, severity: Severity) -> int:
        """Return how many findings are of this severity."""
        return sum(finding.severity is severity for finding in self.findings)


@seldom_disturbed()
def verify(
    root: Path,
    headers: bool = False,
    jobs: Jobs | None = None,
    err: TextIO | None = None,
    survey: Callable[[Path, Findings, sqlite3.Connection], FileSurvey] = FileSurvey,
    tables: sqlite3.Connection | None = None,
) -> VerificationReport:
    """Look at every file of the corpus at `root`; with `headers` waveforms are read no further than their headers.

    The findings do not depend on who does the work; `survey` finds the files, of which something may be known in `tables`.
    Progress goes to `err`; raises `Refused` where the cluster of `jobs` cannot be used.
    """
    jobs = jobs or Jobs()
    findings = Findings(RULES)
    with scratch_tables() if tables is None else nullcontext(tables) as tables:
        found = survey(root, findings, tables)
        context = corpus_wide.before(root, headers, found, findings, tables)
        total = sum(len(entry.scenarios) for entry in context.known.entries.values())
        with counting(err, "subject-scenarios", total) as tell:
            for done in _checked(context, found, jobs, jobs.part(total)):
                tell(done)
        corpus_wide.after(context, found)
        dead_microphones.gather(findings, found.sizes, context.known.manifest)
        utterances = context.gathered.utterances
        ordered = tuple(sorted(findings.found))
        return VerificationReport(str(root), ordered, len(found.sizes), len(found.directories), utterances, headers)


def _checked(context: CorpusContext, survey: FileSurvey, jobs: Jobs, size: int) -> Iterator[int]:
    """Checks all subject-scenarios, `size` at a time, and yields how many are done."""
    done = 0
    for checked in jobs.over(check, None, _batches(context.known, survey, jobs, size), context.root):
        survey.keep_unpacked(checked.unpacked)
        context.findings.join(checked.found)
        context.gathered.join(checked.seen)
        done += checked.count
        yield done


def _batches(known: CorpusFacts, survey: FileSurvey, jobs: Jobs, size: int) -> Iterator[Batch]:
    """Each with its own part of the manifest: the whole in every one would cost the square of the corpus."""
    root = jobs.path_of(known.root)
    withheld: dict[str, list[str]] = {}
    for path in known.withheld:
        withheld.setdefault(path.rpartition("/")[0], []).append(path)
    units = survey.units()
    while batch := tuple(islice(units, size)):
        files = dict[str, FileEntry]()
        for unit in batch:
            listed = of_directory(known.manifest, unit.directory)
            files |= {path: listed[path] for path in unit.files.values() if path in listed}
        manifest = msgspec.structs.replace(known.manifest, files=files) if known.manifest is not None else None
        here = frozenset(path for unit in batch for path in withheld.get(unit.directory, ()))
        facts = CorpusFacts(root, known.headers, manifest, {}, known.protocols, here, known.undescribed, known.initial)
        yield Batch(facts, batch, packed=survey.packed())
    if (packed := survey.packed()).directories:
        yield Batch(CorpusFacts(root, known.headers), (), packed=packed)
    drafts, entries = survey.drafts, known.manifest.files if known.manifest is not None else {}
    while some := tuple(islice(drafts, _DRAFTS * size)):
        files = {path: entry for path in some if (entry := entries.get(path)) is not None}
        manifest = msgspec.structs.replace(known.manifest, files=files) if known.manifest is not None else None
        yield Batch(CorpusFacts(root, known.headers, manifest), (), some)


class VerifyOptions(msgspec.Struct, frozen=True):
    """Options of `verify_command`: with `headers` waveforms are read no further than these; `strict` counts warnings as errors.

    `jobs` processes do the work (None: as many as suit the corpus), or the Dask cluster at the address `cluster`.
    """

    directory: str
    headers: bool = False
    strict: bool = False
    as_json: bool = False
    jobs: int | None = None
    cluster: str = ""


def verify_command(options: VerifyOptions, out: TextIO, err: TextIO) -> int:
    """Print the findings on `out` and the sum on `err`; 1 where there is an error (`strict`: or a warning), else 0.

    2 when there is no such directory, or the cluster cannot be used.
    """
    root = Path(options.directory)
    if not root.is_dir():
        err.write(f"{root} is not a directory; name the directory of a corpus\n")
        return 2
    try:
        report = verify(root, options.headers, chosen(options.jobs, options.cluster, _large(root)), err)
    except (Refused, KeyboardInterrupt) as error:
        err.write(stopped(error))
        return status_of(error)
    if options.as_json:
        out.write(msgspec.json.format(msgspec.json.encode(report), indent=1).decode() + "\n")
    else:
        for finding in report.findings:
            out.write(f"{finding}\n")
    err.write(summary(report) + "\n")
    bad = report.count(Severity.ERROR) + (report.count(Severity.WARNING) if options.strict else 0)
    return 1 if bad else 0


def summary(report: VerificationReport) -> str:
    """One sentence on what was looked at and what was found."""
    counts = Counter(finding.severity for finding in report.findings)
    looked = ", ".join(
        (
            counted(report.files, "file"),
            counted(report.scenarios, "subject-scenario"),
            counted(report.utterances, "utterance"),
        )
    )
    skipped = "; samples were not read (--headers)" if report.headers else ""
    found = ", ".join(counted(counts[severity], severity.value) for severity in Severity)
    return f"{looked}{skipped}: {found}"


def _large(root: Path) -> bool:
    """Return whether there are so many subject-scenarios; it looks no further than it must."""
    try:
        places = (place for mode in layout.SPEECH for place in (root / mode).glob("*/*"))
        return next(islice(places, MANY - 1, None), None) is not None
    except OSError:  # what cannot be read is told by the survey
        return False
