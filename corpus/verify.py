"""`curtain verify`: every finding about a corpus at once, each with its place, its rule, its severity and what to do.

Kaldi's and NIST's checking programs stop at the first fault or name no line; whoever repairs a corpus wants the whole list.
The same function runs at a site before delivery and at the centre after it, so that both see the same.
"""

from collections import Counter
from pathlib import Path
from typing import TextIO

import msgspec

from corpus import questionnaire
from corpus.faults import FormatFault
from corpus.layout import UNITS
from corpus.layout import Unit as Belongs
from corpus.rules import answers, logs, sets, texts, transcriptions, waveforms, whole
from corpus.rules.catalogue import RULES
from corpus.rules.context import Context, Utterance
from corpus.rules.findings import Finding, Findings, Severity
from corpus.rules.survey import Unit, survey
from session.names import StemName

_SPONTANEOUS = ("spon", "vspn")


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


def verify(root: Path, headers: bool = False) -> Report:
    """Look at every file of the corpus at `root`; with `headers` waveforms are read no further than their headers."""
    findings = Findings(RULES)
    found = survey(root, findings)
    context = Context(root, found, findings, headers)
    whole.before(context)
    for unit in found.units:
        _unit(context, unit)
    whole.after(context)
    return Report(
        str(root), tuple(sorted(findings.found)), len(found.sizes), len(found.units), len(context.utterances), headers
    )


def verify_command(directory: str, headers: bool, strict: bool, as_json: bool, out: TextIO, err: TextIO) -> int:
    """Print the findings on `out` and the sum on `err`; 1 where there is an error (`strict`: or a warning), else 0.

    2 when `directory` is none.
    """
    root = Path(directory)
    if not root.is_dir():
        err.write(f"{directory} is no directory; name the directory of a corpus\n")
        return 2
    report = verify(root, headers)
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


def _unit(context: Context, unit: Unit) -> None:
    logs_here = sorted(name for name in unit.files if name.type == "log")
    stem = min(unit.files).stem
    context.speakers.add(stem.speaker)
    log = None
    log_path = unit.directory
    if logs_here:
        log_path = unit.files[logs_here[0]]
        log = logs.check(context, log_path, logs_here[0].stem)
    elif unit.directory.partition("/")[0] in _SPONTANEOUS:
        context.findings.add("set.log-missing", unit.directory, "no .log of the subject-scenario")
    utterances = _utterances(context, unit)
    for block in log.utterances if log else ():
        name = str(StemName(stem.speaker, stem.scenario, block.number, (logs_here[0].stem if logs_here else stem).mode))
        utterances.setdefault(name, Utterance(context, name, block.number)).block = block
    numbers = {utterance.number for utterance in utterances.values()}
    for _, utterance in sorted(utterances.items()):
        utterance.log, utterance.log_path = log, log_path
        _utterance(utterance, numbers)
    _scenario_files(context, unit)


def _utterances(context: Context, unit: Unit) -> dict[str, Utterance]:
    """The utterances that have files, by their stems with x for the microphone."""
    found: dict[str, Utterance] = {}
    for name, path in unit.files.items():
        if UNITS[name.type] is Belongs.SCENARIO:
            continue
        key = str(msgspec.structs.replace(name.stem, mic="x"))
        utterance = found.setdefault(key, Utterance(context, key, name.stem.utterance))
        if name.type == "wav":
            utterance.waves[name.stem.mic] = path
        else:
            utterance.files[name.type] = path
    return found


def _utterance(utterance: Utterance, numbers: set[int]) -> None:
    utterance.context.utterances.add(utterance.stem)
    sets.check(utterance)
    for letter, path in sorted(utterance.waves.items()):
        waveforms.check(utterance, letter, path)
    transcription = transcriptions.check(utterance)
    answers.check(utterance, transcription, numbers)


def _scenario_files(context: Context, unit: Unit) -> None:
    for name, path in sorted(unit.files.items()):
        if name.type == "com":
            _comments(context, path)
        elif name.type == "squ":
            _questionnaire(context, path)


def _comments(context: Context, path: str) -> None:
    found = texts.text(context, path)
    if found is not None and not found.strip():
        context.findings.add("com.length", path, "nothing but blanks")


def _questionnaire(context: Context, path: str) -> None:
    found = texts.text(context, path)
    try:
        questionnaire.parse(found or "", path)
    except FormatFault as fault:
        context.findings.add_fault("squ.form", fault)
