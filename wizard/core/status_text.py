"""Status lines and banners of the console, as plain texts: made from the console's state, painted by widgets."""

import msgspec

from session.rules.assigned_scenarios import next_line
from session.rules.scenario_start import lacking_consent
from session.state.fold import Attempt, SessionState, Take
from session.study.screen_words import CONSOLE_ENGLISH, ConsoleWords
from session.transport.websocket import LinkState
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import DeskRefusal, Role
from wizard.core import query_readings
from wizard.core.console import Console
from wizard.core.hub_info import unconfirmed
from wizard.core.permissions import may
from wizard.core.recognised_words import rejected, so_far, summary
from wizard.core.session_progress import startable, verdict
from wizard.core.stage_hands import stage_banners
from wizard.core.subject_mirror import last_unspoken

SLOW_MS = 250
"""Milliseconds there and back from which on people talk over each other (ITU-T G.114 has 150 one way for good speech)."""
REFUSED = {
    DeskRefusal.TOKEN: "someone_refused",
    DeskRefusal.TAKEN: "second_desk_refused",
    DeskRefusal.BROWSER: "browser_refused",
    DeskRefusal.OVER: "late_desk_refused",
}
SILENT_S = 12
"""Seconds without an exchange, of which there is one every five at the latest: two were lost."""


def _say(console: Console, key: str, **parts: object) -> str:
    """A string of the console's catalogue, filled in."""
    return console.words[f"console_{key}"].format(**parts)


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
        return _say(console, "status.connecting")
    parts = [_scenario(console)]
    if state.began is not None and not state.ended:
        limit = (
            _say(console, "status.of_minutes", most=f"{profile.session_limit_s / 60:g}")
            if profile.session_limit_s
            else ""
        )
        parts.append(_say(console, "status.session", time=f"{clocked(_passed(console, state.began, 0))}{limit}"))
    if console.role != "wizard":
        parts.append(_say(console, "status.you", role=role_name(console.role, console.words)))
    if not state.ended and state.run is None:
        parts += filter(None, [next_line(state, console.words)])
    return " · ".join([*parts, _say(console, "status.speaker", id=state.opened.speaker.id), state.session])


def _scenario(console: Console) -> str:
    state, profile = console.state, console.profile
    if state.ended:
        return _say(console, "status.ended")
    counted = state.counted
    most = _say(console, "status.of", most=profile.max_scenarios) if profile.max_scenarios else ""
    if state.run is None:
        common = sum(run.common for run in state.runs if run.counts)
        done = _say(console, "status.done", count=f"{counted}{most}", common=common)
        return done if counted else _say(console, "status.no_scenario")
    numbered = state.run.number is not None
    name = _say(console, "status.scenario", number=f"{counted}{most}") if numbered else _say(console, "status.practice")
    limit = _say(console, "status.limit", most=f"{profile.scenario_limit_s / 60:g}") if profile.scenario_limit_s else ""
    return f"{name}: {state.run.title} {clocked(_passed(console, state.run.started, state.run.paused_before))}{limit}"


def _passed(console: Console, since: Stamp, paused_before: int) -> int:
    state = console.state
    until = state.paused.mono if state.paused else console.hub_ns()
    return until - since.mono - (state.paused_total - paused_before)


def links(console: Console, link: LinkState, sound: str) -> str:
    """Return whether hub and subject are there and, where there is `sound`, whether it is heard; signs as well as words."""
    hub = _say(console, "status.hub" if console.connected and link.up else "status.no_hub")
    subject = _say(console, "status.participant" if console.subject_connected else "status.no_participant")
    return "  ".join(filter(None, (hub, subject, sound)))


def utterance(console: Console) -> str:
    """The utterance that the keys act on, and what is going on with it."""
    state, take = console.state, console.take
    if take is None:
        return _say(console, "status.nothing_typed" if console.typed_input else "status.nothing_said")
    parts = [_say(console, "status.utterance", place=_place(console, take)), _progress(console, take)]
    if take.scope is not None:
        parts.append(_say(console, f"status.{take.scope}"))
    if take.troubles:
        troubles = ", ".join(dict.fromkeys(console.words.name(trouble.trouble) for trouble in take.troubles))
        parts.append(_say(console, "status.sound", troubles=troubles))
    if words := so_far(take) or summary(console.hypotheses):
        parts.append(words)
    if rejected(take) and not take.transcriptions:
        parts.append(_say(console, "status.rejected"))
    if draft := console.drafts.get(take.take):
        parts.append(_say(console, "status.typing", draft=draft))
    others = [other for other in console.waiting if other.take != take.take]
    if others:
        parts.append(_say(console, "status.waiting", count=len(others)))
    speaking = next((other for other in state.takes.values() if _speaking(other) and other.take != take.take), None)
    if speaking is not None:
        parts.append(_say(console, "status.speaking"))
    return " · ".join(parts)


def _speaking(take: Take) -> bool:
    return take.pressed is not None and not take.complete and not take.discarded


def _place(console: Console, take: Take) -> str:
    state = console.state
    live = [other.take for other in state.takes.values() if not other.discarded]
    if take.take not in live:
        return _say(console, "status.discarded")
    return _say(console, "form.place", at=live.index(take.take) + 1, count=len(live))


def _progress(console: Console, take: Take) -> str:
    return _say(console, f"status.{_stage(console, take)}")


def _stage(console: Console, take: Take) -> str:
    """Return the key of what is going on with an utterance."""
    answered = console.state.answered(take)
    if take.typed is not None:
        return "answered" if answered else "typed"
    if _speaking(take):
        lost = console.subject_lost_for is not None
        return "cut_off" if lost else "recording" if take.began else "pressed"
    if answered:
        return "answered"
    if not take.transcriptions:
        return "to_transcribe" if console.may_write_down else "to_answer"
    return "shown" if take.transcription_shown else "transcribed"


def attempt(console: Console) -> str:
    """Describe the attempt that is looked at, in one line."""
    take, found = console.take, console.attempt
    if take is None or found is None:
        return ""
    place = take.attempts.index(found.attempt) + 1
    number = _say(console, "status.attempt", at=place, count=len(take.attempts)) if len(take.attempts) > 1 else ""
    return number + outcome(found, console.role, console.words, answered=console.state.answered(take))


def is_marked(console: Console) -> bool:
    """Return whether something speaks against what was understood, or against all that could be understood."""
    found = console.attempt
    if found is None:
        return False
    return found.partial or found.doubtful or (found.table is None and any(other.doubt for other in found.others))


def outcome(
    found: Attempt, role: Role = Role.WIZARD, words: ConsoleWords = CONSOLE_ENGLISH, *, answered: bool = False
) -> str:
    """Rows, failure or still running; then what the English front end made of the request, with the keys that `role` has. One
    that is `answered` is not asked back about."""
    found = msgspec.structs.replace(found, question="") if answered else found
    if found.running:
        return words["console_status.asking"]
    if found.table is None:
        held = query_readings.withheld(found, _key_of_readings(role, words), words)
        return " · ".join([*_failed(found, words), *held, *_beside(found, role, words)])
    rows = len(found.table.rows)
    key = "no_rows" if not rows else "rows_and_more" if found.table.more else "one_row" if rows == 1 else "rows"
    rows_text = words[f"console_status.{key}"].format(count=f"{rows:,}")
    which = query_readings.place(found, _key_of_readings(role, words), words)
    marked = [words["console_status.partial"], *query_readings.marks(found, words)] if found.partial else []
    marked = marked or ([words["console_status.doubtful"]] if found.doubtful else [])
    said = [query_readings.once(found.paraphrase, words)] if found.paraphrase else []
    beside = _beside(found, role, words)
    # what is marked has little room, and is to be read; so is who proposed a statement, and how sure that makes it
    last = [*beside, *said] if marked or found.proposer else [*said, *beside]
    return " · ".join([*marked, rows_text, *which, *last])


def _key_of_readings(role: Role, words: ConsoleWords) -> str:
    return f" {words['console_status.key_of_readings']}" if may(role, "query") else ""


def _failed(found: Attempt, words: ConsoleWords) -> list[str]:
    """The kind of a failure and its message, and what is marked; nothing twice of what the message names itself."""
    message, kind = words.told(found.message), words.name(found.failure)
    named = message.casefold().startswith(kind.casefold())
    failed = f"× {message}" if named else words["console_status.failed"].format(kind=kind, message=message)
    known = all(word in message for word in found.unused)
    return [failed, *([] if known and not found.unasked else query_readings.marks(found, words))]


def _beside(found: Attempt, role: Role, words: ConsoleWords) -> list[str]:
    """Return who proposed the statement, whether the request was read alone, and what one would ask back."""
    sure = f" [{found.confidence:.2f}]" if found.confidence and not found.others else ""
    key = f"{sure} ({words['console_status.key_of_sql']})" if may(role, "query") else sure
    parts = [words["console_status.proposed"].format(by=found.proposer) + key] if found.proposer else []
    parts += [words["console_status.alone"]] if not found.in_context else []
    back = words["console_status.ask_back" if may(role, "reply") else "console_status.would_ask"]
    return [*parts, *([f"{back}: {found.question}"] if found.question else [])]


def receipt(console: Console) -> str:
    """Receipt of the last action, and the key that takes it back, where one can."""
    last = console.receipt
    if last is None:
        return ""
    undoes = last.undo is not None and not console.too_late_to_undo
    said = console.words["console_receipt.undoes"].format(done=last.done) if undoes else last.done
    return " ".join(part for part in ("√", said, last.more) if part)


def banners(console: Console, link: LinkState, notice: str) -> list[tuple[str, str]]:
    """List what cannot be missed, as (urgency, text), the most urgent first; urgency is `stop`, `act` or `know`."""
    state, found = console.state, list[tuple[str, str]]()
    if console.message:
        found.append(("stop", _say(console, "banner.not_done", message=console.words.of(console.message))))
    if not (console.connected and link.up):
        why = (console.words.told(link.reason) or _say(console, "banner.connecting")).rstrip(".")
        found.append(("stop", _say(console, "banner.no_connection", why=why)))
    found += _delay(console) if console.connected and link.up else []
    if console.trouble:
        found.append(("stop", console.words.told(console.trouble)))
    lost = console.subject_lost_for
    if lost is not None and console.connected and not state.ended:
        found.append(("stop", _say(console, "banner.lost", time=clocked(lost))))
    if state.lost_microphones and not state.ended:
        gone = "; ".join(f"{letter}: {console.words.told(why)}" for letter, why in state.lost_microphones.items())
        found.append(("stop", _say(console, "banner.microphone", gone=gone)))
    if (spoken := last_unspoken(state, console.words)) is not None:
        found.append(("act", _say(console, "banner.unspoken", why=spoken)))
    found += stage_banners(state, console.role, console.take.take if console.take else "")
    if state.switched_on:
        found.append(("act", _say(console, "banner.recording")))
    if state.planned is not None:
        left = max(0, state.planned.due - console.hub_ns()) / SECOND
        found.append(("act", _say(console, "banner.planned", seconds=f"{left:.0f}")))
    if state.erasure_requested and state.opened is not None:
        remedy = f"curtain withdraw STUDY {state.opened.speaker.id}"
        found.append(("act", _say(console, "banner.erase", remedy=remedy)))
    lacking = lacking_consent(state, console.profile)
    if state.opened is not None and state.withdrawn is None and not console.may_write_down and not lacking:
        found.append(("act", _say(console, "banner.unwritten") + _hint(console, "query", "ask_otherwise")))
    if state.withdrawn is not None and not state.ended:
        found.append(("act", _say(console, "banner.withdrawn")))
    elif state.step is not None and not state.ended:
        step = console.words.name(state.step.step)
        found.append(("know", _say(console, "banner.step", step=step)))
    if state.called:
        found.append(("act", _say(console, "banner.call") + _hint(console, "call", "answer_call")))
    if console.lobby.waiting:
        found.append(_lobby(console))
    if state.paused:
        why = console.words.told(state.pause_reason).rstrip(".")
        reason = _say(console, "banner.pause_reason", why=why) if why else ""
        found.append(("act", _say(console, "banner.paused") + reason + _hint(console, "pause", "go_on")))
    if state.ended:
        found.append(_ended(console))
    elif state.opened is not None and state.run is None:
        full = 0 < console.profile.max_scenarios <= state.counted
        hint = _hint(console, "start", "start") if startable(state) and not (lacking or full) else ""
        found.append(("act", lacking.shown(console.words)) if lacking else ("know", _between(console) + hint))
        if uncertified(state, console.role):
            found.append(("act", _say(console, "banner.uncertified", name=state.wizard)))
    if (refused := console.lately_turned_away) is not None:
        found.append(
            ("know", _say(console, f"banner.{REFUSED[refused.reason]}", role=role_name(refused.role, console.words)))
        )
    if notice:
        found.append(("know", notice))
    return found


def _lobby(console: Console) -> tuple[str, str]:
    """Say who waits in the lobby, and how she comes in where that is for a console to say."""
    lobby, time = console.lobby, clocked(console.lobby.seconds * SECOND)
    said = _say(
        console, "banner.one_waits" if lobby.waiting == 1 else "banner.more_wait", count=lobby.waiting, time=time
    )
    return ("act", said + _hint(console, "call", "let_in")) if lobby.admits else ("know", said)


def uncertified(state: SessionState, role: Role) -> bool:
    """Return whether the wizard who has signed on has passed no drill, in a study that has a pass mark."""
    return role is Role.WIZARD and state.certified is False and bool(state.wizard)


def _delay(console: Console) -> list[tuple[str, str]]:
    """Warn of a link that has become slow, or on which nothing has come back for a while."""
    took, since = console.exchange()
    if since > SILENT_S * SECOND:
        return [("stop", _say(console, "banner.silent", seconds=since // SECOND))]
    if took > SLOW_MS * 1_000_000:
        return [("act", _say(console, "banner.slow", ms=took // 1_000_000))]
    return []


def _hint(console: Console, permit: str, key: str) -> str:
    return f" {_say(console, f'banner.{key}')}" if may(console.role, permit) else ""


def _between(console: Console) -> str:
    state = console.state
    if state.consent is None and state.opened is not None and state.opened.protocol.profile.consent:
        return _say(console, "banner.no_consent")
    if not state.runs:
        return _say(console, "banner.no_scenario")
    last = state.runs[-1]
    how = console.words.name(last.outcome)
    solved = _say(console, "banner.solution", solution=last.solution) if last.solution else ""
    said = solved or (f", {console.words.told(last.reason)}" if last.reason else "")
    judged = console.words.of(verdict(state, console.hub_info.solutions, len(state.runs) - 1))
    return _say(console, "banner.over", title=last.title, how=how + said + (f". {judged}" if judged else ""))


def _ended(console: Console) -> tuple[str, str]:
    """The light of the session in one line, as far as it is known."""
    missing, closing = unconfirmed(console.state), console.hub_info.closing
    if missing:
        key = "banner.one_missing" if missing == 1 else "banner.missing"
        return "act", _say(console, key, count=missing)
    if closing is None or not closing.checks:
        return "know", _say(console, "banner.looking")
    if closing.green:
        return "know", _say(console, "banner.green")
    return (
        "stop",
        _say(console, "banner.red", problems=problems_in_words(len(closing.problems), console.words)),
    )


def problems_in_words(count: int, words: ConsoleWords = CONSOLE_ENGLISH) -> str:
    """The number of problems with its noun.

    >>> problems_in_words(1)
    '1 problem'
    """
    return words["console_light.one_problem" if count == 1 else "console_light.problems"].format(count=count)


def not_offered(console: Console, does: str, permit: str) -> str:
    """Say that an action is not on offer now, or never at a desk of this role."""
    what = console.words.of(does).lower()
    if may(console.role, permit):
        return _say(console, "text.not_now", what=what)
    return _say(console, "text.not_for_role", role=role_name(console.role, console.words), what=what)


def role_name(role: str, words: ConsoleWords) -> str:
    """The role of somebody at a desk, as screens name it; empty if it is not known.

    >>> role_name("subject", CONSOLE_ENGLISH)
    'participant'
    """
    return words[f"console_role.{role}"] if role else ""
