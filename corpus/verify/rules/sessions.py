"""Rules that compare logs with each other: sessions, the order of a speaker's scenarios, consent.

One log may be in order and contradict the next; so each leaves a few facts behind, and these are held together at the end.
"""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import pairwise

from corpus.dataset import blind
from corpus.formats import layout
from corpus.formats.errors import counted
from corpus.formats.log.log_values import Log, Record
from corpus.formats.log.logged_consent import agreements, refused, why_excluded
from corpus.formats.log.queries import outcome_of
from corpus.formats.log.timeline import Moment, certainly_before
from corpus.formats.manifest import Manifest
from corpus.verify.rules import operators
from corpus.verify.rules.context import Context, LogSummary
from corpus.verify.rules.file_survey import FileSurvey
from corpus.verify.rules.gathered import CorpusContext
from session.values.consent import ConsentScope
from session.values.names import SessionName, base36
from session.values.sanitize import one_line
from session.values.vocabulary import Outcome

_OF_SESSION = ("Speaker", "Site", "Protocol", "Rehearsal", "Pilot", "Condition", "Pace")
_YES = {True: "yes", False: "no"}
_HEAD = re.compile("[0-9a-f]{64}")
_DAY = timedelta(days=1)  # between the site's calendar and that of the stamps, which is UTC


def summary_of(log: Log, path: str, waves: int) -> LogSummary:
    """Return the summary of a log; `waves` is the number of waveforms beside it."""
    taken = sum(bool(block.take) for block in log.utterances) if is_data(log) else 0
    return LogSummary(
        path,
        log.get("Session"),
        tuple([log.get(key) for key in _OF_SESSION]),
        log.get("Scenario_session"),
        next((record.moment for block in log.blocks for record in block.records), None),
        _moment(log.records("Scenario_started")),
        _moment(log.records("Scenario_ended")),
        _moment(log.records("Recording_begin")),
        tuple(agreements(log)),
        log.get("Consent"),
        waves,
        sum(1 for _ in blind.answers_in(log)),
        operators.people_acted(log),
        log.get("Deception"),
        len(log.utterances),
        taken,
    )


def is_data(log: Log) -> bool:
    """Return whether the utterances of a log are data: not those of a pilot, nor of a scenario that was declared invalid."""
    return log.get("Pilot") == "no" and outcome_of(log) != Outcome.INVALIDATED


def _moment(records: Iterable[Record]) -> Moment | None:
    return next((record.moment for record in records), None)


def check(context: CorpusContext, survey: FileSurvey) -> None:
    """Everything that needs more than one log."""
    for logs in context.gathered.sessions():
        session = logs[0].session
        _name(context, session, logs)
        _consent(context, survey, session, logs)
        _deception(context, session, logs)
    for logs in context.gathered.people():
        _sequence(context, logs)
    if context.manifest is not None:
        _membership(context)
        _entries(context, context.manifest)
        for path in context.manifest.withheld:
            if path in survey.sizes:
                context.findings.add("set.audio-refused", path, "withheld by the manifest, and here")


def _name(context: Context, session: str, logs: list[LogSummary]) -> None:
    """The name of a session is a promise: its site, and the day on which it began."""
    path, site = logs[0].path, logs[0].site
    try:
        name = SessionName.parse(session)
        day = date.fromisoformat(f"{name.date[:4]}-{name.date[4:6]}-{name.date[6:]}")
    except ValueError as error:
        context.findings.add("log.session-name", path, str(error))
        return
    if name.site != site:
        context.findings.add("log.session-name", path, f"session {session} at the site {site}")
    first = min((log.first for log in logs if log.first is not None), key=lambda moment: moment.at, default=None)
    if first is not None and abs(first.wall.date() - day) > _DAY:
        context.findings.add("log.session-name", path, f"session {session} began at {first}")


def _consent(context: Context, survey: FileSurvey, session: str, logs: list[LogSummary]) -> None:
    """The person's last word holds for the whole session, and the first one comes before any recording."""
    given = sorted(
        (agreement for log in logs for agreement in log.agreements), key=lambda agreement: agreement.moment.at
    )
    if why := why_excluded(refused(given)):
        context.findings.add("set.text-refused", logs[0].path, f"session {session}: {why}")
    if ConsentScope.PUBLISH_AUDIO in refused(given):
        _silenced(context, survey, session, logs)
    entry = context.known.entries.get(session)
    whole = entry is None or len(entry.scenarios) == len(logs)  # the word may stand in a log that is not here
    recorded = [log for log in logs if log.recorded is not None]
    for log in recorded[:1]:
        if given and ConsentScope.RECORD in given[0].refused:
            context.findings.add("log.consent", log.path, f"session {session}: the person refused to be recorded")
        elif not given and log.consent and whole:
            found = f"session {session} was recorded, and no log has the consent"
            context.findings.add("log.consent", log.path, found)
    for log in recorded if given else ():  # where nobody was asked first, the only word is that sound was taken back
        if log.consent and log.recorded is not None and certainly_before(log.recorded, given[0].moment):
            found = f"recorded at {log.recorded}, before the person agreed at {given[0].moment}"
            context.findings.add("log.consent", log.path, found)


def _silenced(context: Context, survey: FileSurvey, session: str, logs: list[LogSummary]) -> None:
    remedy = "do not hand it over; export it again"
    for log in logs:
        if log.waves:
            found = f"{counted(log.waves, 'waveform')} of a person who did not agree to hand over the audio"
            context.findings.add("set.audio-refused", log.path, found, remedy=remedy)
    below = f"{layout.UNNUMBERED}/{layout.safe(session)}/"
    for path in survey.apart:
        if path.startswith(below):
            found = "of a person who did not agree to hand over the audio"
            context.findings.add("set.audio-refused", path, found, remedy=remedy)


def _deception(context: Context, session: str, logs: list[LogSummary]) -> None:
    """Where the profile has machines alone, people who acted in a session deceived its subject: all its logs say so."""
    protocol = context.known.protocols.get(logs[0].protocol)
    entry = context.known.entries.get(session)
    if protocol is None or not protocol.machines_alone or (entry is not None and entry.imported):
        return
    acted = any(log.people for log in logs)
    whole = entry is not None and len(entry.scenarios) == len(logs) and all(log.people is not None for log in logs)
    said = {log.deception for log in logs}
    for log in logs:
        if acted and log.deception != "yes":
            found = f"session {session}: no deception in the header, and a person did a part of the machine's work"
            context.findings.add("log.deception", log.path, found)
        elif not acted and len(said) > 1 and log.deception == "yes":
            found = f"session {session}: deception in the header, not in that of another log"
            context.findings.add("log.deception", log.path, found)
        elif not acted and whole and log.deception == "yes":
            found = f"session {session}: deception in the header, and no log has a person's part in the machine's work"
            context.findings.add("log.deception-unshown", log.path, found)


def _sequence(context: Context, logs: list[LogSummary]) -> None:
    """A speaker does one scenario after the other, and counts them on from visit to visit."""
    spoken = [log for log in logs if not log.path.startswith("read/")]
    for earlier, later in pairwise(sorted(spoken, key=lambda log: (log.scenario, log.path))):
        ended = earlier.ended or earlier.began
        if ended is not None and later.began is not None and certainly_before(later.began, ended):
            found = f"scenario {later.scenario} began at {later.began}, scenario {earlier.scenario} ended at {ended}"
            context.findings.add("log.sequence", later.path, found)


def _membership(context: CorpusContext) -> None:
    """Return what the logs say of their sessions against what the manifest says of them all."""
    for log in context.gathered.logs:
        entry = context.known.entries.get(log.session)
        if entry is None:
            context.findings.add("log.session", log.path, f"session {log.session} is not in the manifest")
            continue
        marks = _YES[entry.rehearsal], _YES[entry.pilot]
        numbers = {base36(number, 1): number for number in entry.scenarios if 0 < number < 36}
        condition = entry.condition_of(numbers.get(log.scenario, 0))
        said = (entry.speaker, entry.site, entry.protocol, *marks, condition, f"{entry.pace:g}")
        for key, right, found in zip(_OF_SESSION, said, log.values, strict=True):
            if right != found and one_line(right) != one_line(found):
                context.findings.add("log.session", log.path, f"[{key}:] is {found}, {right} in the manifest")
        if log.scenario not in numbers:
            found = f"session {log.session} has no scenario {log.scenario} in the manifest"
            context.findings.add("log.session", log.path, found)


def _entries(context: Context, listed: Manifest) -> None:
    names: set[str] = set()
    for entry in listed.sessions:
        if entry.session in names:
            context.findings.add("manifest.sessions", layout.MANIFEST, f"session {entry.session} occurs twice")
        names.add(entry.session)
        if len({*entry.scenarios}) < len(entry.scenarios):
            found = f"session {entry.session}: a scenario occurs twice"
            context.findings.add("manifest.sessions", layout.MANIFEST, found)
        if len(entry.scenario_conditions) not in (0, len(entry.scenarios)):
            found = f"session {entry.session}: {len(entry.scenario_conditions)} conditions of {len(entry.scenarios)} scenarios"
            context.findings.add("manifest.sessions", layout.MANIFEST, found)
        bare = not entry.chain_head and not entry.origin  # initial data, which have neither
        if not bare and not _HEAD.fullmatch(entry.chain_head):
            found = f"session {entry.session}: {entry.chain_head!r} is not a head of a chain"
            context.findings.add("manifest.sessions", layout.MANIFEST, found)
