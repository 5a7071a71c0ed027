"""Status lines and banners of the console, as plain texts: made from the console's state, painted by widgets."""

from session.rules.assigned_scenarios import next_line
from session.state.fold import Attempt, SessionState, Take
from session.transport.websocket import LinkState
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Role
from wizard.core import query_readings
from wizard.core.console import Console
from wizard.core.hub_info import unconfirmed
from wizard.core.hypotheses import rejected, so_far, summary
from wizard.core.permissions import may
from wizard.core.session_progress import startable, verdict
from wizard.core.stage_hands import stage_banners
from wizard.core.subject_mirror import last_unspoken

UNWRITTEN = "NOT TO BE WRITTEN DOWN: the participant has not agreed to it. Do not transcribe."
SLOW_MS = 250
"""Milliseconds there and back from which on people talk over each other (ITU-T G.114 has 150 one way for good speech)."""
SILENT_S = 12
"""Seconds without an exchange, of which there is one every five at the latest: two were lost."""
KINDS = {"in": "in scope", "out": "OUT of scope", "meta": "META"}


def clocked(nanoseconds: int) -> str:
    """A duration as m:ss.

    >>> clocked(75_400_000_000)
    '1:15'
    """
    seconds = max(0, nanoseconds) // SECOND
    return f"{seconds // 60}:{seconds % 60:02d}"


def headline(console: Console) -> str:
    """Say which session this is, and how far it has come."""
    state, profile = console.state, console.profile
    if state.opened is None:
        return "connecting …"
    parts = [_scenario(console)]
    if state.began is not None and not state.ended:
        limit = f" of {profile.session_limit_s / 60:g} min" if profile.session_limit_s else ""
        parts.append(f"session {clocked(_passed(console, state.began, 0))}{limit}")
    if console.role != "wizard":
        parts.append(f"you: {console.role}")
    if not state.ended and state.run is None:
        parts += filter(None, [next_line(state)])
    return " · ".join([*parts, f"speaker {state.opened.speaker.id}", state.session])


def _scenario(console: Console) -> str:
    state, profile = console.state, console.profile
    if state.ended:
        return "ENDED"
    counted = state.counted
    most = f" of {profile.max_scenarios}" if profile.max_scenarios else ""
    if state.run is None:
        common = sum(run.common for run in state.runs if run.counts)
        return f"scenarios done: {counted}{most}, {common} common" if counted else "no scenario yet"
    name = f"scenario {counted}{most}" if state.run.number is not None else "practice"
    limit = f"/{profile.scenario_limit_s / 60:g} min" if profile.scenario_limit_s else ""
    return f"{name}: {state.run.title} {clocked(_passed(console, state.run.started, state.run.paused_before))}{limit}"


def _passed(console: Console, since: Stamp, paused_before: int) -> int:
    state = console.state
    until = state.paused.mono if state.paused else console.hub_ns()
    return until - since.mono - (state.paused_total - paused_before)


def links(console: Console, link: LinkState, sound: str) -> str:
    """Return whether hub and subject are there and whether the subject can be heard; signs as well as words."""
    hub = "√ hub" if console.connected and link.up else "× HUB"
    subject = "√ participant" if console.subject_connected else "× PARTICIPANT"
    return f"{hub}  {subject}  {sound}"


def utterance(console: Console) -> str:
    """The utterance that the keys act on, and what is going on with it."""
    state, take = console.state, console.take
    if take is None:
        return "Nothing has been said yet."
    parts = [f"Utterance {_place(state, take)}", _progress(console, take)]
    if take.scope is not None:
        parts.append(KINDS[take.scope])
    if take.troubles:
        parts.append("sound: " + ", ".join(dict.fromkeys(str(trouble.trouble) for trouble in take.troubles)))
    if words := so_far(take) or summary(console.hypotheses):
        parts.append(words)
    if rejected(take) and not take.transcriptions:
        parts.append("the machine's words were rejected")
    if draft := console.drafts.get(take.take):
        parts.append(f"being typed: {draft}")
    others = [other for other in console.waiting if other.take != take.take]
    if others:
        parts.append(f"{len(others)} more waiting")
    speaking = next((other for other in state.takes.values() if _speaking(other) and other.take != take.take), None)
    if speaking is not None:
        parts.append("● THE PARTICIPANT IS SPEAKING")
    return " · ".join(parts)


def _speaking(take: Take) -> bool:
    return take.pressed is not None and not take.complete and not take.discarded


def _place(state: SessionState, take: Take) -> str:
    live = [other.take for other in state.takes.values() if not other.discarded]
    return f"{live.index(take.take) + 1} of {len(live)}" if take.take in live else "(discarded)"


def _progress(console: Console, take: Take) -> str:
    if take.typed is not None:
        return "typed" if not console.state.answered(take) else "answered"
    if _speaking(take) and console.subject_lost_for is not None:
        return "× cut off: the participant is lost"
    if _speaking(take):
        return "● RECORDING" if take.began else "● pressed"
    if console.state.answered(take):
        return "answered"
    if not take.transcriptions:
        return "to be transcribed" if console.may_write_down else "to be answered"
    return "transcription shown" if take.transcription_shown else "transcribed"


def attempt(console: Console) -> str:
    """Describe the attempt that is looked at, in one line."""
    take, found = console.take, console.attempt
    if take is None or found is None:
        return ""
    place = take.attempts.index(found.attempt) + 1
    number = f"Attempt {place} of {len(take.attempts)}: " if len(take.attempts) > 1 else ""
    return number + outcome(found, console.role)


def outcome(found: Attempt, role: Role = Role.WIZARD) -> str:
    """Rows, failure or still running; then what the English front end made of the request, with the keys that `role` has."""
    if found.running:
        return "asking the database … (Esc stops it)"
    if found.table is None:
        failed = f"× {str(found.failure).replace('_', ' ')}: {found.message}"
        return " · ".join([failed, *_beside(found, role)])
    rows, more = len(found.table.rows), " and more" if found.table.more else ""
    rows_text = f"√ {rows:,} row{'' if rows == 1 else 's'}{more}" if rows else "√ no rows"
    which = query_readings.place(found, " Alt+K" if may(role, "query") else "")
    return " · ".join([rows_text, *which, *([found.paraphrase] if found.paraphrase else []), *_beside(found, role)])


def _beside(found: Attempt, role: Role) -> list[str]:
    """Who proposed the statement, whether the request was read alone, and what one would ask back."""
    key = " (Ctrl+G)" if may(role, "query") else ""
    parts = [f"PROPOSED by {found.proposer}: read the SQL{key}"] if found.proposer else []
    parts += ["read alone"] if not found.in_context else []
    back = "Alt+Q asks back" if may(role, "reply") else "one would ask back"
    return [*query_readings.unused(found), *parts, *([f"{back}: {found.question}"] if found.question else [])]


def receipt(console: Console) -> str:
    """Receipt of the last action, and the key that takes it back, where one can."""
    last = console.receipt
    if last is None:
        return ""
    return f"√ {console.words['console_receipt.undoes'].format(done=last.done) if last.undo is not None else last.done}"


def banners(console: Console, link: LinkState, notice: str) -> list[tuple[str, str]]:
    """List what cannot be missed, as (urgency, text), the most urgent first; urgency is `stop`, `act` or `know`."""
    state, found = console.state, list[tuple[str, str]]()
    if console.message:
        found.append(("stop", f"NOT DONE: {console.message}"))
    if not (console.connected and link.up):
        found.append(("stop", f"No connection to the hub: {(link.reason or 'connecting').rstrip('.')}."))
    found += _delay(console) if console.connected and link.up else []
    if console.trouble:
        found.append(("stop", console.trouble))
    lost = console.subject_lost_for
    if lost is not None and console.connected and not state.ended:
        found.append(
            ("stop", f"PARTICIPANT LOST {clocked(lost)}: its terminal is not connected. What was said is kept there.")
        )
    if state.lost_microphones and not state.ended:
        gone = "; ".join(f"{letter}: {why}" for letter, why in state.lost_microphones.items())
        found.append(("stop", f"THE PARTICIPANT'S MICROPHONE IS GONE ({gone}). What was said so far is kept."))
    if (spoken := last_unspoken(state)) is not None:
        found.append(("act", f"NOT SPOKEN, shown as text instead: {spoken}"))
    found += stage_banners(state, console.role, console.take.take if console.take else "")
    if state.switched_on:
        found.append(("act", "Recording begins as soon as the participant's screen is ready. Alt+C takes it back."))
    if state.planned is not None:
        left = max(0, state.planned.due - console.hub_ns()) / SECOND
        found.append(("act", f"The reply goes out in {left:.0f} s. Esc stops it."))
    if state.erasure_requested and state.opened is not None:
        remedy = f"curtain withdraw STUDY {state.opened.speaker.id}"
        found.append(("act", f"THE PARTICIPANT WANTS EVERYTHING ERASED. When the session has ended, run: {remedy}"))
    if state.opened is not None and state.withdrawn is None and not console.may_write_down:
        found.append(("act", UNWRITTEN + _hint(console, "query", "Ask by menu or in SQL (F8).")))
    if state.withdrawn is not None and not state.ended:
        found.append(("act", "THE PARTICIPANT HAS STOPPED TAKING PART. Alt+X ends the session."))
    elif state.step is not None and not state.ended:
        step = state.step.step.replace("_", " ")
        found.append(("know", f"The participant is at this step: {step}. Alt+X once more ends the session at once."))
    if state.called:
        found.append(
            (
                "act",
                "The participant calls the experimenter." + _hint(console, "call", "Alt+A marks the call as answered."),
            )
        )
    if state.paused:
        found.append(("act", "PAUSED, timers stopped." + _hint(console, "pause", "Alt+P goes on.")))
    if state.ended:
        found.append(_ended(console))
    elif state.opened is not None and state.run is None:
        hint = _hint(console, "start", "Alt+S starts a scenario.") if startable(state) else ""
        found.append(("know", _between(console) + hint))
        if uncertified(state, console.role):
            found.append(("act", f"{state.wizard} is not certified: curtain train STUDY --wizard {state.wizard!r}"))
    if notice:
        found.append(("know", notice))
    return found


def uncertified(state: SessionState, role: Role) -> bool:
    """Return whether the wizard who has signed on has passed no drill, in a study that has a pass mark."""
    certified = state.opened.certified if state.opened is not None else None
    return role is Role.WIZARD and certified is not None and bool(state.wizard) and state.wizard not in certified


def _delay(console: Console) -> list[tuple[str, str]]:
    """Warn of a link that has become slow, or on which nothing has come back for a while."""
    took, since = console.exchange()
    if since > SILENT_S * SECOND:
        return [("stop", console.words["console_banner.silent"].format(seconds=since // SECOND))]
    if took > SLOW_MS * 1_000_000:
        return [("act", console.words["console_banner.slow"].format(ms=took // 1_000_000))]
    return []


def _hint(console: Console, permit: str, words: str) -> str:
    return f" {words}" if may(console.role, permit) else ""


def _between(console: Console) -> str:
    state = console.state
    if state.consent is None and state.opened is not None and state.opened.protocol.profile.consent:
        return "The participant has not consented yet."
    if not state.runs:
        return "No scenario has been started yet."
    last = state.runs[-1]
    how = str(last.outcome).replace("_", " ")
    said = f", solution: {last.solution}" if last.solution else f", {last.reason}" if last.reason else ""
    judged = verdict(state, console.hub_info.solutions, len(state.runs) - 1)
    return f"“{last.title}” is over: {how}{said}{f'. {judged}' if judged else ''}."


def _ended(console: Console) -> tuple[str, str]:
    """The light of the session in one line, as far as it is known."""
    missing, closing = unconfirmed(console.state), console.hub_info.closing
    if missing:
        recordings = "1 recording is" if missing == 1 else f"{missing} recordings are"
        return "act", f"The session has ended, but {recordings} not complete yet: leave the participant's desk running."
    if closing is None or not closing.checks:
        return "know", "The session has ended and every recording is complete. Looking into the rest …"
    if closing.green:
        return "know", "GREEN: the session is done. Ctrl+Q leaves."
    return (
        "stop",
        f"RED: {problems_in_words(len(closing.problems))} before this session is complete. Alt+L shows them.",
    )


def problems_in_words(count: int) -> str:
    """The number of problems with its noun.

    >>> problems_in_words(1)
    '1 problem'
    """
    return "1 problem" if count == 1 else f"{count} problems"
