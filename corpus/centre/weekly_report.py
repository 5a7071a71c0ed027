"""`curtain report CENTRE`: arrivals, releases and queues since the last report, late items, and changed documents.

The logs by which NIST kept MADCOW's data, `madcow-tapes.log`, `madcow-waves.log` and `madcow-answers.log` (1992, section 3), are
written beside it, as views of the ledger: deleting them loses nothing.
"""

import hashlib
import html
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import TextIO

from corpus.centre import facts as f
from corpus.centre.centre_state import CentreState
from corpus.centre.ledger import FAULTS, REPORTS, Centre
from corpus.centre.pending_withdrawals import holders, pending_withdrawals
from corpus.centre.releases import corrected_since
from corpus.centre.waiting_waveforms import waiting_waveforms
from corpus.formats.errors import counted, message_of
from corpus.formats.safe_lines import escaped
from corpus.io.staging import replace
from corpus.release.utterance_status import RELEASE, StandingRow
from session.values.clock import Clock

LATE = timedelta(days=7)
_DATA, _ANNOTATIONS = "data", "annotations"
Documents = Callable[[Centre], Mapping[str, bytes]]


def weekly_command(
    folder: str, target: str, clock: Clock, out: TextIO, err: TextIO, documents: Documents = lambda _: {}
) -> int:
    """Print the report, write it as a page and the logs beside it; 2 when that cannot be done."""
    try:
        with Centre(Path(folder), clock) as centre:
            hashes = {name: hashlib.sha256(data).hexdigest() for name, data in documents(centre).items()}
            sections = dict(_sections(centre, hashes))
            page = Path(target) if target else _new_page(centre)
            if target and page.exists():
                err.write(f"{page} exists already; name another file, nothing is overwritten\n")
                return 2
            replace(page, _page(centre, sections))
            for name, lines in logs(centre).items():
                replace(centre.place("logs", name), "".join(f"{line}\n" for line in lines).encode())
            centre.record(f.ReportMade(documents=hashes))
    except FAULTS as error:
        err.write(f"{message_of(error)}\n")
        return 2
    for title, lines in sections.items():
        out.write(f"{title}\n" + "".join(f"  {line}\n" for line in lines or ["nothing"]) + "\n")
    err.write(f"{page}\n")
    return 0


def _new_page(centre: Centre) -> Path:
    """Return the path of the page: the second one of a day ends in `b`, and the first stays."""
    name = centre.name_of_today(lambda name: centre.place(REPORTS, f"{name}.html").exists(), "reports")
    return centre.place(REPORTS, f"{name}.html")


def logs(centre: Centre) -> dict[str, list[str]]:
    """The three logs of the data flow, as the ledger has them now."""
    out = _first_releases(centre)
    tapes, waves, answers = list[str](), list[str](), list[str]()
    for found in centre.happened:
        day, fact = f"{found.at:%Y-%m-%d}", found.fact
        if isinstance(fact, f.DeliveryReceived):
            dates = sorted({out.get((fact.delivery, entry.session), "") for entry in fact.sessions} - {""})
            number = sum(entry.data for entry in fact.sessions)
            tapes.append(
                f"{day} {fact.site} {escaped(fact.label)} {fact.delivery} {number} utterances {fact.outcome} "
                f"released {' '.join(dates) or '-'}"
            )
        elif isinstance(fact, f.VolumeWritten):
            waves.append(f"{day} {fact.volume} {fact.utterances} utterances releases {' '.join(fact.releases)}")
        elif isinstance(fact, f.AnnotationsReceived):
            state = "returned" if fact.errors else "verified"
            answers.append(f"{day} {fact.site} {fact.arrival} {len(fact.files)} files of {fact.release} {state}")
        elif isinstance(fact, f.ReleaseMade) and fact.annotated:
            answers.append(f"{day} released {fact.annotated} annotations in {fact.release}")
    return {"madcow-tapes.log": tapes, "madcow-waves.log": waves, "madcow-answers.log": answers}


def _first_releases(centre: Centre) -> dict[tuple[str, str], str]:
    """The first release that had a session as a delivery brought it, by delivery and session."""
    held, out = dict[str, str](), dict[tuple[str, str], str]()
    for fact in (found.fact for found in centre.happened):
        if isinstance(fact, f.DeliveryReceived):
            held |= {entry.session: fact.delivery for entry in fact.sessions}
        elif isinstance(fact, f.ReleaseMade):
            for session in fact.sessions:
                out.setdefault((held.get(session, ""), session), fact.release)
    return out


def _sections(centre: Centre, hashes: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    places = [at for at, found in enumerate(centre.happened) if isinstance(found.fact, f.ReportMade)]
    since = places[-1] + 1 if places else 0
    begun = f"{centre.happened[since - 1].at:%Y-%m-%d}" if since else "the beginning"
    yield f"{centre.settings.name}: data flow since {begun}", [*_flow(centre, since)]
    yield "What is late", [*_late(centre)]
    before = centre.last(f.ReportMade)
    yield "Documents", [*_documents(before.documents if before else {}, hashes)]
    centre_state = CentreState(centre)
    yield "Where utterances stand", [_stand(row) for row in centre_state.whereabouts()]
    told = (
        (bug, escaped(bug.text) if centre_state.may_tell(bug) else "of the test pool") for bug in centre_state.open_bugs
    )
    yield "Open bugs", [f"{bug.bug} {escaped(bug.item)}: {text}" for bug, text in told]


def _stand(row: StandingRow) -> str:
    why = f" ({row.invalid} invalid, {row.withdrawn} withdrawn)" if row.rejected else ""
    return (
        f"{row.site}: collected {row.collected} = released {row.released} + held for tests {row.pool} + queued {row.queued} "
        f"+ rejected {row.rejected}{why}"
    )


def _flow(centre: Centre, since: int) -> Iterator[str]:
    for found in centre.happened[since:]:
        day = f"{found.at:%Y-%m-%d}"
        match found.fact:
            case f.DeliveryReceived() as fact:
                number = sum(entry.data for entry in fact.sessions)
                yield f"{day} {fact.delivery} from {fact.site}: {fact.outcome}, {fact.reason or counted(number, 'utterance')}"
                if fact.dropped:
                    yield f"{day} to be made again, for {fact.delivery} has other words or sound: {' '.join(fact.dropped)}"
            case f.DeliveryRefused() as fact:
                sender = f" of {fact.site} ({escaped(fact.label)})" if fact.site else ""
                digest = f", SHA-256 {fact.archive}" if fact.archive else ""
                yield f"{day} {escaped(fact.file)}{sender} was refused: {escaped(fact.reason)}{digest}"
            case f.AnnotationsReceived() as fact:
                told = (
                    f"{day} {fact.arrival} from {fact.site}: {counted(len(fact.files), 'annotation')} of {fact.release}"
                )
                yield f"{told}, returned" if fact.errors else told
                if fact.dropped:
                    yield f"{day} to be made again, for words or sound were corrected since: {' '.join(fact.dropped)}"
                if fact.other_log:
                    yield f"{day} to be looked at, for the log was corrected since: {' '.join(fact.other_log)}"
                if fact.undated:
                    yield f"{day} to be looked at, for they do not say on what they were made: {fact.arrival}"
            case f.ReleaseMade() as fact:
                yield f"{day} release {fact.release}: {fact.new} new, {fact.corrected} corrected"
            case f.VolumeWritten() as fact:
                yield f"{day} volume {fact.volume}: {counted(fact.utterances, 'utterance')}, {fact.size} bytes"
            case f.TestSetMade() as fact:
                yield f"{day} test {fact.test}: {counted(fact.utterances, 'utterance')}"
            case f.TestScored() as fact:
                yield f"{day} test {fact.test} scored, {fact.state}: {', '.join((*fact.systems, *fact.recognisers))}"
            case f.ReferencesAdjudicated() as fact:
                yield f"{day} test {fact.test}: {counted(len(fact.items), 'ruling')}"
            case f.ReleaseFinal() as fact:
                yield f"{day} release {fact.release} is final"
            case f.BugReported() as fact:
                yield f"{day} bug {fact.bug}: {escaped(fact.item)}"
            case f.BugTriaged() as fact:
                yield f"{day} bug {fact.bug} {fact.state}"
            case f.SoundTakenBack() as fact:
                yield f"{day} {fact.speaker} has taken the sound back"
            case f.SpeakerLeft() as fact:
                yield f"{day} {fact.speaker} has withdrawn"
            case _:
                pass


def _late(centre: Centre) -> Iterator[str]:
    """People who have withdrawn and are here yet, what went back and nothing has superseded, sessions that wait for a release,
    corrections that wait for the next one, waveforms that wait for a volume."""
    centre_state, now = CentreState(centre), centre.now
    yield from (person.told(centre) for person in pending_withdrawals(centre, centre_state))
    yield from _not_let_go(centre)
    yield from _not_come_again(centre)
    waiting = {held.session.session: held.delivery for held in centre_state.in_set(RELEASE)}
    with waiting_waveforms(centre) as waits:
        silent = {held.session.session for held, _ in waits.sessions}
    for found in centre.happened:
        if not isinstance(fact := found.fact, f.DeliveryReceived) or now - found.at < LATE:
            continue
        since = f"since {found.at:%Y-%m-%d}"
        queued = [entry.session for entry in fact.sessions if waiting.get(entry.session) == fact.delivery]
        if left := [name for name in queued if name not in centre_state.released]:
            yield f"{fact.delivery}: {counted(len(left), 'session')} not released {since}"
        if left := [name for name in queued if name in silent]:
            yield f"{fact.delivery}: waveforms of {counted(len(left), 'session')} wait for a volume {since}"
    yield from _corrections(centre, centre_state)


def _not_let_go(centre: Centre) -> Iterator[str]:
    """Sites that have sent nothing since a withdrawal a week ago that shows that they hold the person no more."""
    for found in centre.happened:
        if isinstance(fact := found.fact, f.SpeakerLeft | f.SoundTakenBack) and centre.now - found.at >= LATE:
            what = "the sound of " if isinstance(fact, f.SoundTakenBack) else ""
            for site, name in sorted(holders(centre, {*fact.sessions}, bool(what)).items()):
                yield f"{site} holds {what}{fact.speaker} still, delivered as {name}, since {found.at:%Y-%m-%d}"


def _not_come_again(centre: Centre) -> Iterator[str]:
    """Deliveries and annotations that went back, after which the site has sent nothing that was taken in."""
    came = [(found.at, *told) for found in centre.happened if (told := _came(found.fact)) is not None]
    last = {
        (site, what): place for place, (_, kinds, site, _, is_back) in enumerate(came) if not is_back for what in kinds
    }
    for place, (day, kinds, site, name, is_back) in enumerate(came):
        if is_back and centre.now - day >= LATE and all(last.get((site, what), -1) < place for what in kinds):
            yield f"{name} went back to {site} on {day:%Y-%m-%d}, and nothing has come since"


def _came(fact: f.CentreFact) -> tuple[tuple[str, ...], str, str, bool] | None:
    """Return a site's delivery: its kinds, for what was refused may have been either, the site, its name, and whether it went
    back; None for any other fact."""
    match fact:
        case f.DeliveryReceived():
            return (_DATA,), fact.site, fact.delivery, fact.outcome == "returned"
        case f.DeliveryRefused() if fact.site:
            return (_DATA, _ANNOTATIONS), fact.site, escaped(fact.file), True
        case f.AnnotationsReceived():
            return (_ANNOTATIONS,), fact.site, fact.arrival, bool(fact.errors)
        case _:
            return None


def _corrections(centre: Centre, centre_state: CentreState) -> Iterator[str]:
    """Deliveries of which items were corrected or annotated a week ago, and no release has them so."""
    changed = dict[str, datetime]()
    for found in centre.happened:
        if isinstance(fact := found.fact, f.ReleaseMade):
            changed.clear()
        elif isinstance(fact, f.DeliveryReceived | f.DeliveryCorrected):
            changed.setdefault(fact.delivery, found.at)
    late = {delivery: day for delivery, day in changed.items() if centre.now - day >= LATE}
    waits = corrected_since(centre, centre_state) if late else {}
    for delivery, day in sorted(late.items()):
        if number := waits.get(delivery, 0):
            yield f"{delivery}: {counted(number, 'corrected file')} not released since {day:%Y-%m-%d}"


def _documents(before: dict[str, str], now: dict[str, str]) -> Iterator[str]:
    for name in sorted(before.keys() | now.keys()):
        if before.get(name) != now.get(name):
            yield f"{name}: {'new' if name not in before else 'gone' if name not in now else 'changed'}"


def _page(centre: Centre, sections: dict[str, list[str]]) -> bytes:
    title = html.escape(f"{centre.settings.name}, {centre.today}")
    body = "".join(_section(name, lines) for name, lines in sections.items())
    style = "body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{style}</style></head>'
    return f"{head}<body><h1>{title}</h1>{body}</body></html>\n".encode()


def _section(name: str, lines: list[str]) -> str:
    """A heading with its lines, each a line of the page too, so that one about a person can be taken out."""
    items = "".join(f"<li>{html.escape(line)}</li>\n" for line in lines or ["nothing"])
    return f"<h2>{html.escape(name)}</h2><ul>\n{items}</ul>\n"
