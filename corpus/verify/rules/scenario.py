"""One subject-scenario: its log, its utterances, the files of the scenario as a whole.

Needs nothing of any other subject-scenario, so that many can be checked at once.
"""

from corpus.formats import squ
from corpus.formats.layout import UNITS, FileUnit
from corpus.verify.rules import (
    completeness,
    draft_answers,
    encoding,
    reference_answers,
    sessions,
    transcriptions,
    waveforms,
)
from corpus.verify.rules import log as logs
from corpus.verify.rules.context import Context, Utterance
from corpus.verify.rules.file_survey import ScenarioFiles
from session.values.names import StemName

_SPONTANEOUS = ("spon", "vspn")


def check(context: Context, unit: ScenarioFiles) -> None:
    """Everything about the files of `unit`."""
    logs_here = sorted(name for name in unit.files if name.type == "log")
    stem = min(unit.files).stem
    context.seen.speakers.add(stem.speaker)
    log = None
    log_path = unit.directory
    if logs_here:
        log_path = unit.files[logs_here[0]]
        with context.guarding(log_path):
            log = logs.check(context, log_path, logs_here[0].stem)
        if log is not None:
            context.seen.logs.append(sessions.summary_of(log, log_path, sum(name.type == "wav" for name in unit.files)))
    elif unit.directory.partition("/")[0] in _SPONTANEOUS:
        context.findings.add("set.log-missing", unit.directory, "no .log of the subject-scenario")
    utterances = _utterances(context, unit)
    for block in log.utterances if log else ():
        name = str(StemName(stem.speaker, stem.scenario, block.number, (logs_here[0].stem if logs_here else stem).mode))
        utterances.setdefault(name, Utterance(context, name, block.number)).block = block
    numbers = {utterance.number for utterance in utterances.values()}
    classes: dict[int, str] = {}
    data = log is not None and sessions.is_data(log)
    for name, utterance in sorted(utterances.items()):
        utterance.log, utterance.log_path = log, log_path
        if not data or utterance.block is None:
            context.seen.apart.add(name)
        _utterance(utterance, numbers, classes)
    _scenario_files(context, unit)


def _utterances(context: Context, unit: ScenarioFiles) -> dict[str, Utterance]:
    """The utterances that have files, by their stems with x for the microphone."""
    found: dict[str, Utterance] = {}
    for name, path in unit.files.items():
        if UNITS[name.type] is FileUnit.SCENARIO:
            continue
        key = f"{path[path.rindex('/') + 1 :][:7]}x"  # the name as it was read
        utterance = found.setdefault(key, Utterance(context, key, name.stem.utterance))
        if name.type == "wav":
            utterance.waves[name.stem.mic] = path
        else:
            utterance.files[name.type] = path
    return found


def _utterance(utterance: Utterance, numbers: set[int], classes: dict[int, str]) -> None:
    context = utterance.context
    context.seen.utterances.add(utterance.stem)
    if utterance.block is not None:
        context.seen.answered[utterance.stem] = draft_answers.expected(utterance.block)
    with context.guarding(utterance.path):
        completeness.check(utterance)
    for letter, path in sorted(utterance.waves.items()):
        with context.guarding(path):
            waveforms.check(utterance, letter, path)
    truncated = False
    with context.guarding(utterance.files.get("sro", utterance.path)):
        truncated = transcriptions.check(utterance)
    with context.guarding(utterance.files.get("cat", utterance.path)):
        reference_answers.check(utterance, truncated, numbers, classes)


def _scenario_files(context: Context, unit: ScenarioFiles) -> None:
    for name, path in unit.files.items():
        if name.type == "com":
            with context.guarding(path):
                _comments(context, path)
        elif name.type == "squ":
            with context.guarding(path):
                encoding.parsed(context, path, "squ.form", squ.parse)


def _comments(context: Context, path: str) -> None:
    found = encoding.text(context, path)
    if found is not None and not found.strip():
        context.findings.add("com.length", path, "nothing but blanks")
