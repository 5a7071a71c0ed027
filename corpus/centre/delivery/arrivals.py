"""`curtain receive`: unpacks a delivery, verifies it, repairs or returns it, records it, and sets a part aside for tests.

The verifier is the one that sites run. What can be repaired without knowing more is repaired, each file on record, as long as
it weighs less than the centre's limit; otherwise the delivery goes back with a report that says of every finding what to do
about it.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.centre import facts as f
from corpus.centre.centre_state import CentreState, HeldSession
from corpus.centre.delivery import annotations
from corpus.centre.delivery.arrived_files import ArrivedFiles
from corpus.centre.delivery.arriving_survey import ArrivingSurvey
from corpus.centre.delivery.carried_work import carried
from corpus.centre.delivery.kept_repairs import KeptRepairs
from corpus.centre.delivery.refusals import arriving
from corpus.centre.delivery.repairs import FOLLOWING, first_corpus, first_look, mend
from corpus.centre.delivery.senders import is_signed, refuse_unproved, site_of
from corpus.centre.delivery.unpacking import Unpacked, Unpacking
from corpus.centre.ledger import DELIVERIES, FAULTS, RETURNED, Centre
from corpus.centre.pending_withdrawals import pending_withdrawals, reason_to_refuse
from corpus.centre.recovery import empty, entered
from corpus.centre.states import take_in_work, write_state
from corpus.dataset import ndx
from corpus.dataset.reader import Corpus, speech_name
from corpus.formats import layout
from corpus.formats.errors import FormatFault, counted, status_of
from corpus.formats.log.utterance_names import numbered_in
from corpus.formats.safe_lines import escaped
from corpus.io.parallel import MANY, Jobs, chosen
from corpus.io.staging import partial_of, stopped
from corpus.release import holdout_file
from corpus.release.draw import assign, site_shares
from corpus.verify.rules.context import LogSummary
from corpus.verify.rules.findings import Severity
from corpus.verify.rules.gathered import CorpusObservations
from corpus.verify.verify import VerificationReport, summary, verify
from session.values.clock import Clock
from session.values.names import base36


class DeliveryReceipt(msgspec.Struct, frozen=True):
    """Result of a delivery: its name, `accepted`, `fixed`, `returned` or `known`, and why."""

    delivery: str
    outcome: str
    told: str


class Arrived(msgspec.Struct, frozen=True):
    """Facts about a delivery that are needed once it is verified, and that take no memory by the file: who sent it, whether their
    key proved that, its label, the hashes of archive and contents, how many files it has."""

    site: str
    signed: bool
    label: str
    archive: str
    content: str
    files: int


class ReceiveOptions(msgspec.Struct, frozen=True):
    """Options of `receive_command`: `jobs` processes verify (None: as many as suit the corpus), or the Dask cluster at the
    address `cluster`."""

    centre: str
    archive: str
    jobs: int | None = None
    cluster: str = ""


def receive_command(options: ReceiveOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Receive a delivery; its name and outcome go to `out`. 1 when it was returned, 2 when it could not be received."""
    try:
        with Centre(Path(options.centre), clock) as centre:
            jobs = partial(chosen, options.jobs, options.cluster)
            jobs(False)  # a call that cannot be answered is no fault of the archive
            receipt = receive(centre, Path(options.archive), err, jobs)
    except (*FAULTS, KeyboardInterrupt) as error:
        place = f"{options.centre}: " if isinstance(error, OSError) and error.filename is None else ""
        err.write(place + stopped(error))
        return status_of(error)
    err.write(f"{receipt.told}\n")
    out.write(f"{receipt.delivery}\t{receipt.outcome}\n")
    return 1 if receipt.outcome == "returned" else 0


def receive(centre: Centre, archive: Path, err: TextIO, jobs: Callable[[bool], Jobs]) -> DeliveryReceipt:
    """Receive one archive; raises `FormatFault` where it is none, `Refused` where its signature is wrong, both on record."""
    with _scratch(centre) as folder, arriving(centre, archive, folder) as unpacking:
        report = _verified_meanwhile(centre, unpacking, folder, err, jobs)
        found = unpacking.done()
        signed = is_signed(centre, found.listing, found.files)
        if found.listing is not None and found.listing.release:
            return _annotated(centre, folder, found, err)
        content = found.content
        same = [fact for fact in centre.facts(f.DeliveryReceived) if fact.content == content]
        if (taken := next((fact for fact in same if fact.outcome != "returned"), None)) is not None:
            return _known(centre, taken)
        by = jobs(found.files.has_logs(MANY))
        label = found.listing.label if found.listing is not None else archive.name
        arrived = Arrived(site_of(folder, found), signed, label, found.digest, content, len(found.files))
        why = _unwelcome(centre, folder, found, arrived)
        if why:  # of who has left the report tells nothing more than that
            report = VerificationReport(str(folder), (), 0, 0, 0, True)
        report = report or verify(folder, jobs=by, err=err)
        return _checked(centre, found.files, folder, arrived, why, report, err, same[-1] if same else None, by)


def _verified_meanwhile(
    centre: Centre, unpacking: Unpacking, folder: Path, err: TextIO, jobs: Callable[[bool], Jobs]
) -> VerificationReport | None:
    """Verify the speech of a corpus while it arrives; None where that has to wait: something that tells of the whole may come
    after it, or the same came before."""
    if not unpacking.heading():
        return None
    if any(fact.content == unpacking.content for fact in centre.facts(f.DeliveryReceived)):
        return None
    by = jobs(unpacking.files.has_logs(MANY))
    survey = partial(ArrivingSurvey, unpacking=unpacking, packed=not by.cluster)
    report = verify(folder, jobs=by, err=err, survey=survey, tables=unpacking.files.tables)
    unpacking.files.is_verified = unpacking.is_in_order
    return report if unpacking.is_in_order else None


def _known(centre: Centre, taken: f.DeliveryReceived) -> DeliveryReceipt:
    later = [fact.delivery for fact in centre.facts(f.DeliveryReceived) if taken.delivery in fact.supersedes]
    since = f"; {', '.join(later)} superseded it" if later else ""
    told = f"received before as {taken.delivery}, {taken.outcome}{since}: nothing was done"
    left = sorted({session.speaker for session in taken.sessions} & CentreState(centre).left)
    told += "".join(f"; it holds {who}, who has withdrawn: curtain withdraw {who} there" for who in left)
    return DeliveryReceipt(taken.delivery, "known", told)


@contextmanager
def _scratch(centre: Centre) -> Iterator[Path]:
    partial = partial_of(centre.place(DELIVERIES, "arriving"))
    try:
        yield empty(partial)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _unwelcome(centre: Centre, folder: Path, found: Unpacked, arrived: Arrived) -> str:
    """Say why nobody may take this in: it holds a person who has left. Raises `Refused` as `refuse_unproved` does."""
    if (corpus := first_corpus(folder, found)) is None:
        return ""
    refuse_unproved(centre, corpus, arrived.site if arrived.signed else "")
    return reason_to_refuse(centre, corpus)


def _annotated(centre: Centre, folder: Path, found: Unpacked, err: TextIO) -> DeliveryReceipt:
    assert found.listing is not None
    known = {fact.arrival for fact in centre.facts(f.AnnotationsReceived)}
    laid = annotations.lay_over(centre, folder, found.listing, [*found.files], found.digest, err)
    if laid.errors:
        report = centre.place(RETURNED, f"{laid.arrival}.txt")
        report.write_text("".join(f"{line}\n" for line in laid.errors), encoding="utf-8")
        again = f"returned before as {laid.arrival}, nothing in it has changed: " if laid.is_known else ""
        told = f"{again}{counted(len(laid.errors), 'error')}; {report} goes back to the site"
        return DeliveryReceipt(laid.arrival, "returned", told)
    if laid.arrival in known:
        return DeliveryReceipt(laid.arrival, "known", f"received before as {laid.arrival}: nothing was done")
    return DeliveryReceipt(laid.arrival, "accepted", laid.told(found.listing.release))


def _checked(
    centre: Centre,
    files: ArrivedFiles,
    folder: Path,
    arrived: Arrived,
    why: str,
    report: VerificationReport,
    err: TextIO,
    before: f.DeliveryReceived | None,
    by: Jobs,
) -> DeliveryReceipt:
    weight = _weight(centre, report)
    name = before.delivery if before is not None else _name(centre, arrived)
    repairs = KeptRepairs(files.tables, name)
    why = why or _too_heavy(centre, weight, report)
    after = report
    if not why and _wants(report):
        try:
            mend(folder, repairs, report.findings, first_look(folder, files))
        except FormatFault as fault:  # what tells of the whole cannot be read, and so not be made anew
            why = str(fault)
    proved = _is_proved(report, repairs)
    if not proved:
        after = verify(folder, _is_heard(report, repairs), by, err)
    if not why and after.count(Severity.ERROR):
        why = f"{counted(after.count(Severity.ERROR), 'error')} cannot be mended here"
    why = why or _unwritten(after)
    corpus = files.corpus(folder, changed=len(repairs) > 0) if not why else None
    if corpus is not None:
        seen = CorpusObservations(files.tables).logs if files.is_verified and not repairs else None
        sessions = tuple(delivered(corpus, seen))
        why = _collision(centre, sessions)
    fact = f.DeliveryReceived(
        delivery=name,
        site=arrived.site,
        label=arrived.label,
        archive=arrived.archive,
        content=arrived.content,
        outcome="returned" if why else "fixed" if repairs else "accepted",
        reason=why,
        signed=arrived.signed,
        files=arrived.files,
        errors=report.count(Severity.ERROR),
        warnings=report.count(Severity.WARNING),
        weight=weight,
    )
    if why or corpus is None:
        if proved and repairs:  # what goes back tells of the files as they are now
            after = verify(folder, _is_heard(report, repairs), by, err)
        return _returned(centre, fact, report if report.count(Severity.ERROR) else after, before)
    if before is not None:
        fact = msgspec.structs.replace(fact, delivery=_name(centre, arrived))
        repairs.delivery = fact.delivery
    fact = _enter(centre, corpus, msgspec.structs.replace(fact, sessions=sessions), repairs, err)
    more = f", {counted(len(repairs), 'repair')} on record" if repairs else ""
    older = f"; supersedes {', '.join(fact.supersedes)}" if fact.supersedes else ""
    lost = f"; not right any more, to be made again: {' '.join(fact.dropped)}" if fact.dropped else ""
    return DeliveryReceipt(fact.delivery, fact.outcome, f"{summary(report)}{more}{older}{lost}")


def _is_proved(report: VerificationReport, repairs: KeptRepairs) -> bool:
    """Return whether nothing need be verified again after the repairs: nothing was wrong, and no more was made than what follows
    from the files by the verifier's own rules."""
    return not repairs or (not report.count(Severity.ERROR) and all(fact.rule in FOLLOWING for fact in repairs))


def _is_heard(report: VerificationReport, repairs: KeptRepairs) -> bool:
    """Return whether the samples need not be read again after the repairs: nothing was wrong, and no waveform was touched."""
    return not report.count(Severity.ERROR) and not any(".wav" in fact.path for fact in repairs)


def _name(centre: Centre, arrived: Arrived) -> str:
    site = layout.safe(arrived.site)
    return f"{site}_{1 + sum(d.delivery.rpartition('_')[0] == site for d in centre.facts(f.DeliveryReceived))}"


def _weight(centre: Centre, report: VerificationReport) -> float:
    lines = centre.settings.returning
    return lines.error * report.count(Severity.ERROR) + lines.warning * report.count(Severity.WARNING)


def _too_heavy(centre: Centre, weight: float, report: VerificationReport) -> str:
    limit = centre.settings.returning.most_a_hundred_utterances * max(report.utterances, 1) / 100
    if report.count(Severity.ERROR) and weight > limit:
        return f"its findings weigh {weight:g}, more than the {limit:g} up to which this centre mends"
    return ""


def _unwritten(report: VerificationReport) -> str:
    """Say how many utterances nobody has written down: while a site collects that is not an error, but its data begin with
    .log, .wav and .sro."""
    lacking = sum(finding.rule == "set.transcription-missing" for finding in report.findings)
    return f"{counted(lacking, 'utterance')} without .sro: curtain transcribe, and deliver again" if lacking else ""


def _collision(centre: Centre, sessions: tuple[f.DeliveredSession, ...]) -> str:
    held = CentreState(centre).sessions
    homes = {entry.session.speaker: entry.session.site for entry in held.values()}
    for entry in sessions:
        before = held.get(entry.session)
        if before is not None and before.session.speaker != entry.speaker:
            return f"session {entry.session} is of {before.session.speaker} in {before.delivery}"
        if homes.get(entry.speaker, entry.site) != entry.site:
            return f"speaker {entry.speaker} is of {homes[entry.speaker]}: the sites' blocks of speaker ids overlap"
    return ""


def _wants(report: VerificationReport) -> bool:
    """Return whether there is anything that may be repaired: an error, or a corpus of initial data."""
    wanted = (
        "manifest.initial",
        "lsn.",
        "lexicon.",
        "set.lexical",
        "text.line-ends",
        "sro.capitals",
        "sro.spacing",
        "speakers.surplus",
    )
    return bool(report.count(Severity.ERROR)) or any(
        finding.rule.startswith((*wanted, "file.unknown", "directory.empty")) for finding in report.findings
    )


def _returned(
    centre: Centre, fact: f.DeliveryReceived, report: VerificationReport, before: f.DeliveryReceived | None
) -> DeliveryReceipt:
    place = centre.place(RETURNED, f"{fact.delivery}.txt")
    rules = Counter((finding.severity, finding.rule) for finding in report.findings)
    telling = [finding for finding in report.findings if finding.severity is not Severity.NOTE]
    lines = [
        f"Delivery {escaped(fact.label)} ({fact.archive}) goes back to {fact.site}: {fact.reason}",
        *([summary(report), ""] if report.files else []),
        *(f"{number:6} {severity} {rule}" for (severity, rule), number in sorted(rules.items())),
        "",
        *map(str, sorted(telling, key=lambda finding: finding.severity)),  # errors before warnings
    ]
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if before is None:
        centre.record(fact)
    again = f"returned before as {fact.delivery}, nothing in it has changed: " if before is not None else ""
    return DeliveryReceipt(fact.delivery, "returned", f"{again}{fact.reason}; {place} goes back to the site")


def _enter(
    centre: Centre, corpus: Corpus, fact: f.DeliveryReceived, repairs: KeptRepairs, err: TextIO
) -> f.DeliveryReceived:
    """Take the corpus in and draw its new speakers, before anybody can hand anything over; what was worked on an earlier
    delivery of it comes along."""
    if any(entry.session in CentreState(centre).sessions for entry in fact.sessions):
        take_in_work(centre, err)
    centre_state = CentreState(centre)
    work = carried(centre_state, corpus, fact.sessions)
    held = {
        centre_state.sessions[entry.session].delivery
        for entry in fact.sessions
        if entry.session in centre_state.sessions
    }
    fact = msgspec.structs.replace(fact, supersedes=tuple(sorted(held)), dropped=work.dropped)
    for entry in fact.sessions:
        centre_state.sessions[entry.session] = HeldSession(entry, fact.delivery, fact.delivery)
    before = centre_state.drawn(centre.settings.seed)
    volumes = centre_state.volumes()
    after = assign(volumes, before)
    new = {speaker: which for speaker, which in after.sets.items() if speaker not in before.sets}
    drawn = [f.SpeakersDrawn(seed=after.seed, sets=new)] if new else []
    holdout_file.keep(after, centre.place(DELIVERIES, holdout_file.ASSIGNMENTS))
    with ExitStack() as made:
        state = f"{fact.delivery}.2"
        later = list[f.DeliveryCorrected]()
        if work.changes:
            root = made.enter_context(entered(centre.place(DELIVERIES, state))).root
            files = write_state(corpus, root, work.changes)
            why = f"work on {' '.join(fact.supersedes)}"
            later = [f.DeliveryCorrected(delivery=fact.delivery, state=state, files=files, why=why)]
        target = made.enter_context(entered(centre.place(DELIVERIES, fact.delivery))).root
        target.rmdir()
        corpus.root.rename(target)
        centre.record_all(chain([fact], repairs, drawn, later))
    err.write("".join(f"{person.told(centre)}\n" for person in pending_withdrawals(centre, CentreState(centre))))
    if played := [entry.session for entry in corpus.manifest.sessions if entry.rehearsal]:
        err.write(f"rehearsed, no data, but released and tested like it: {' '.join(played)}\n")
    for share in site_shares(volumes, after.sets):
        err.write(f"held out, {share}\n")
    return fact


def delivered(corpus: Corpus, seen: Iterable[LogSummary] | None = None) -> Iterator[f.DeliveredSession]:
    """The sessions of a corpus with their counts, as its verification has `seen` the logs, or else off the bytes of these."""
    data, numbered, waves = Counter[str](), Counter[str](), Counter[str]()
    sessions = {
        f"{entry.speaker}/{base36(number, 1)}": entry.session
        for entry in corpus.manifest.sessions
        for number in entry.scenarios
    }

    def session_of(path: str) -> str:
        top, _, rest = path.partition("/")
        return sessions.get(rest.rpartition("/")[0], "") if top in layout.SPEECH else ""

    for path, file in corpus.manifest.files.items():
        if path.endswith(".wav") and (session := session_of(path)):
            waves[session] += file.bytes
        elif seen is None and path.endswith(".log") and (session := session_of(path)) and (name := speech_name(path)):
            log = corpus.read(path)
            data[session] += len([*ndx.data_in(log, name.stem)])
            numbered[session] += numbered_in(log)
    for log_seen in seen or ():
        if session := session_of(log_seen.path):
            data[session] += log_seen.data
            numbered[session] += log_seen.numbered
    for entry in corpus.manifest.sessions:
        good, every = data[entry.session], 0 if entry.pilot else numbered[entry.session]
        yield f.DeliveredSession(
            session=entry.session,
            speaker=entry.speaker,
            site=entry.site,
            scenarios=entry.scenarios,
            data=good,
            invalid=every - good,
            waves=waves[entry.session],
        )
