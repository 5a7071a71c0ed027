"""The session log of one subject-scenario: its own order, and its agreement with name, manifest and protocol."""

import re
from collections import Counter

from corpus.annotation.identifying_phrases import MASK
from corpus.formats.errors import counted
from corpus.formats.log import file, log_schema
from corpus.formats.log.channels import channels_of
from corpus.formats.log.log_values import BlockKind, Log, Record, RecordBlock
from corpus.formats.log.projection import is_departed, method_told
from corpus.formats.log.queries import reply_of
from corpus.formats.log.timeline import certainly_before, seconds
from corpus.verify.rules import operators, speech, turn_order
from corpus.verify.rules.context import Context, ProtocolHeaders
from corpus.verify.rules.encoding import parsed
from corpus.verify.rules.findings import Findings
from session.study.settings import Scenario
from session.values.names import StemName, base36
from session.values.sanitize import one_line
from session.values.vocabulary import Role

_SLACK = 2.0  # seconds between the last sample and the stamp of the end, on a machine that has much to do
_SLACK_SHARE = 0.1
_ROLES = frozenset({"hub", *Role})
_SEAL = re.compile(r"(\S+) (?:0|[1-9][0-9]{0,17}) [0-9a-f]{64}")


def check(context: Context, path: str, stem: StemName) -> Log | None:
    """The log at `path`; None, with findings, where it cannot be read."""
    log = parsed(context, path, "log.form", file.parse)
    if log is None:
        return None
    _identity(context, path, stem, log)
    _blocks(context, path, log)
    _records(context, path, log)
    if log.imported:
        return log
    operators.check(context.findings, path, log)
    _protocol(context, path, log)
    _scenario(context, path, log)
    speech.note(context, path, log)
    turn_order.check(context.findings, path, log)
    return log


def _identity(context: Context, path: str, stem: StemName, log: Log) -> None:
    right = (stem.speaker, base36(stem.scenario, 1))
    found = (log.get("Speaker"), log.get("Scenario_session"))
    if found != right:
        message = f"speaker {found[0]} and scenario {found[1]} in the header, {right[0]} and {right[1]} in the name"
        context.findings.add("log.identity", path, message)


def _protocol(context: Context, path: str, log: Log) -> None:
    fixed = context.known.protocols.get(log.get("Protocol"))
    if fixed is None and (context.known.undescribed or log.get("Protocol") in context.known.initial):
        context.findings.add("log.protocol-absent", path, f"protocol {log.get('Protocol')} was not delivered")
        return
    if fixed is None:
        context.findings.add("log.protocol", path, f"protocol {log.get('Protocol')} is not in doc/protocol")
        return
    header = dict(log.header)
    header["Microphone"] = "\n".join([value for key, value in log.header if key == "Microphone"])
    right = fixed.under.get(log.get("Condition"), fixed.header)
    if (scenario := fixed.scenarios.get(log.get("Scenario"))) is None:
        context.findings.add("log.protocol", path, f"scenario {log.get('Scenario')} is not in the protocol")
    else:
        right = right | _of_scenario(scenario, log)
    for key, said in right.items():
        if key == "Deception" and fixed.machines_alone:
            continue  # people who act for a machine deceive, whatever the profile plans: `corpus.verify.rules.sessions`
        if key == "Collection_method" and _departed(fixed, log) and header.get(key) == method_told(said, departed=True):
            continue
        if (found := header.get(key, "")) != said and one_line(found) != one_line(said):
            context.findings.add("log.protocol", path, f"[{key}:] is {found!r}, {said!r} in the protocol")
    if scenario is not None and log.end_to_end == (scenario.solution is None):
        found = "[End_to_end:] is there" if log.end_to_end else "[End_to_end:] is missing"
        context.findings.add(
            "log.protocol", path, f"{found}, the scenario has {'no' if log.end_to_end else 'a'} solution"
        )


def _departed(fixed: ProtocolHeaders, log: Log) -> bool:
    """Return whether people did what the protocol gives to machines, by the header; `operators` holds that to the records."""
    try:
        return is_departed(fixed.of_machines, log_schema.mode_of(log.get("Mode")))
    except ValueError:
        return False


def _of_scenario(scenario: Scenario, log: Log) -> dict[str, str]:
    """Return what the header says of a scenario."""
    bindings = dict([value.partition("=")[::2] for key, value in log.header if key == "Binding"])
    said = {"Title": scenario.title, "Scenario_kind": scenario.kind, "Common": "yes" if scenario.common else "no"}
    return said if scenario.unbound(bindings) else said | {"Scenario_text": scenario.bound(bindings)}


def _scenario(context: Context, path: str, log: Log) -> None:
    started, ended = list(log.records("Scenario_started")), list(log.records("Scenario_ended"))
    if len(started) != 1 or len(ended) > 1:
        context.findings.add("log.edges", path, f"{counted(len(started), 'start')} and {counted(len(ended), 'end')}")
    elif not ended:
        context.findings.add("log.unfinished", path, "the scenario never ended")
    elif certainly_before(ended[0].moment, started[0].moment):
        context.findings.add("log.edges", path, "the scenario ended before it started", ended[0].line)
    for opening in turn_order.outside(log, next(iter(started), None), next(iter(ended), None)):
        context.findings.add("log.edges", path, "an utterance that is outside the scenario", opening.line)


def _blocks(context: Context, path: str, log: Log) -> None:
    for place, block in enumerate(log.utterances, start=1):
        if block.number != place and not log.imported:  # a disc may leave utterances out
            found = f"utterance {base36(block.number, 2)} where {base36(min(place, 36**2 - 1), 2)} is due"
            context.findings.add("log.numbering", path, found, block.line)
            break
    for block in log.blocks:
        if block.take:
            context.seen.takes.append((block.take, path, block.line))
        if block.kind is BlockKind.UTTERANCE:
            _imported(context, path, block) if log.imported else _utterance(context, path, block)


def _utterance(context: Context, path: str, block: RecordBlock) -> None:
    findings, number = context.findings, base36(block.number, 2)
    if not (block.first("Recording_begin") or block.first("Utterance_typed")):
        findings.add("log.input", path, f"utterance {number} was neither recorded nor typed", block.line)
    elif block.first("Utterance_accepted") is None and block.first("Utterance_typed") is None:
        findings.add("log.input", path, f"utterance {number} was never accepted", block.line)
    ended, confirmed = block.first("Recording_end"), block.first("Take_confirmed")
    for letter in _unsealed(block, ended):
        findings.add("log.sealed", path, f"utterance {number}: no seal of channel {letter}", (ended or block).line)
    if ended is not None and confirmed is None:
        findings.add("log.unconfirmed", path, f"utterance {number} was not confirmed", ended.line)
    elif ended is not None and confirmed is not None and ended.all("Samples") != confirmed.all("Samples"):
        findings.add("log.sealed", path, f"utterance {number}: confirmed is another recording", confirmed.line)
    if reply_of(block) is None:
        findings.add("log.unanswered", path, f"utterance {number} has no reply", block.line)
    for returned in block.all("Query_returned"):
        table, counts = returned.get("Table"), int(returned.get("Row_count"))
        if (rows := table.count("\n")) != counts and MASK not in table:  # one may reach from one row into the next
            found = f"utterance {number}: {counted(rows, 'row')} where {counts} are announced"
            findings.add("log.rows", path, found, returned.line)
    _duration(findings, path, block)
    for trouble in block.all("Audio_troubled"):
        samples, place = trouble.get("Trouble_samples"), trouble.get("At_sample")
        message = f"utterance {number}: {trouble.get('Trouble')} over {samples} samples from sample {place}"
        findings.add("log.trouble", path, message, trouble.line)


def _imported(context: Context, path: str, block: RecordBlock) -> None:
    """A numbered block of an imported log: nothing but its recording."""
    number = base36(block.number, 2)
    if block.first("Recording_imported") is None:
        context.findings.add("log.input", path, f"utterance {number} was not imported", block.line)
    for letter in _unsealed(block, block.sealed):
        context.findings.add("log.sealed", path, f"utterance {number}: no seal of channel {letter}", block.line)


def _unsealed(block: RecordBlock, ended: Record | None) -> list[str]:
    """The recorded channels whose number of samples and SHA-256 the log does not give: anything could be put in their place."""
    began = block.recorded
    if began is None:
        return []
    seals = ended.all("Samples") if ended is not None else ()
    sealed = {seal[1] for value in seals if (seal := _SEAL.fullmatch(value))}
    return [letter for letter in channels_of(began) if letter not in sealed]


def _duration(findings: Findings, path: str, block: RecordBlock) -> None:
    """Samples at the rate that the log gives, against the time between sample 0 and the end."""
    began, ended = block.first("Recording_begin"), block.first("Recording_end")
    if began is None or ended is None or None in (began.moment.within, ended.moment.within):
        return
    if any(key == "Recovered" for key, _ in ended.attributes) or block.first("Audio_troubled"):
        return
    rates = {letter: rate for letter, (rate, _) in channels_of(began).items()}
    lasted = seconds(began.moment, ended.moment)
    for letter, count, *_ in (value.split() for value in ended.all("Samples")):
        if rates.get(letter) and count.isdecimal():
            sound = int(count) / rates[letter]
            if abs(sound - lasted) > _SLACK + _SLACK_SHARE * lasted:
                found = f"{sound:.1f} s of sound on channel {letter} in {lasted:.1f} s"
                findings.add("log.duration", path, found, began.line)


def _records(context: Context, path: str, log: Log) -> None:
    unplaced: list[Record] = []
    redacted = 0
    replies: Counter[str] = Counter()
    for block in log.blocks:
        for record in block.records:
            if record.moment.within is None:
                unplaced.append(record)
            if record.hidden:
                if record.key in log_schema.NEVER_HIDDEN:
                    context.findings.add("log.hidden", path, f"{record.key} is marked hidden", record.line)
            elif record.key in log_schema.ALWAYS_HIDDEN:
                context.findings.add("log.hidden", path, f"{record.key} is not marked hidden", record.line)
            if record.by not in _ROLES:
                context.findings.add("log.role", path, f"{record.key} by {record.by}", record.line)
            redacted += record.key == "Redacted"
            if record.key == "Answer_returned":
                replies[record.get("Reply")] += 1
                if replies[record.get("Reply")] == 2:
                    context.findings.add("log.reply", path, f"reply {record.get('Reply')} occurs twice", record.line)
    if unplaced:
        message = f"{counted(len(unplaced), 'stamp')} of clocks that were never compared"
        context.findings.add("log.placed", path, message, unplaced[0].line)
    if redacted:
        context.findings.add("log.redacted", path, f"{counted(redacted, 'fact')} erased")
