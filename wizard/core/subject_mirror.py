"""Mirror of the subject's screen, in plain lines: the wizard must know what the person on the other side has in view.

Made from the events that the subject's desk was sent and from its own reports; what stays behind the curtain never occurs here,
except where a line says of itself that the subject does not see it.
"""

from desk.subject_view import replies, turn, waits
from desk.subject_view import shown as shown_to_subject
from session.rules.visit_steps import current_step
from session.state.fold import Reply, SessionState
from session.state.session_state import is_shown
from session.study.screen_words import ConsoleWords, console_words_of
from session.values.clock import SECOND
from session.values.vocabulary import RecordingControl, ResponseClass
from wizard.core.fillable_text import flowing

MOST_TURNS = 6


def mirror(state: SessionState, here: bool, invitation: str = "") -> list[str]:
    """The lines of the subject's screen, the newest turn last."""
    words = _words(state)
    if state.opened is None:
        return [words["console_mirror.no_session"]]
    button = f"[ {mark(state)} ]" if here else words["console_mirror.not_connected"]
    how = words[f"console_mirror.{'open' if is_page(invitation) else 'run'}"]
    end = [button] if here or not invitation else [button, how, invitation]
    return [*_task(state), *_turns(state), "", *end]


def is_page(invitation: str) -> bool:
    """Return whether a participant is invited by the address of a page, and not by a command."""
    return invitation.startswith(("https://", "http://"))


def _task(state: SessionState) -> list[str]:
    if (step := current_step(state)) is not None:
        return [_words(state)["console_mirror.step"].format(step=_words(state).name(step))]
    if state.run is None:
        return [_words(state)["console_mirror.no_scenario"]]
    return [
        _words(state)["console_mirror.scenario"].format(title=state.run.title),
        *flowing(state.run.text).split("\n"),
    ]


def _turns(state: SessionState) -> list[str]:
    """The newest turns as the subject's screen has them; behind each reply, in brackets, whether it is there yet."""
    lines: list[str] = []
    for label, item in shown_to_subject(state)[-MOST_TURNS:]:
        shown_turn = turn(state, label, item)
        lines += ["", f"> {shown_turn.question}", *shown_turn.answer, *filter(None, [shown_turn.waiting])]
        lines += [f"  ({shown(state, reply)})" for reply in replies(state, item)]
    return lines


def shown(state: SessionState, reply: Reply) -> str:
    """Return whether a reply is on the subject's screen yet, and what was said of it since."""
    words = _words(state)
    said = words[f"console_mirror.{'sent' if is_shown(state, reply) else 'not_showing'}"]
    if (heard := _heard(reply, words)) and not (reply.voice_failed and reply.shown):
        said = heard
    elif reply.shown is not None:
        said = words["console_mirror.shown"]
        take = state.takes.get(reply.take)
        if take is not None and take.waiting_since is not None and reply.sent.clock == take.waiting_since.clock:
            seconds = f"{(reply.sent.mono - take.waiting_since.mono) / SECOND:.1f}"
            said = words["console_mirror.after"].format(shown=said, seconds=seconds)
    return said if reply.wrong is None else words["console_mirror.wrong"].format(shown=said, why=reply.wrong)


def _heard(reply: Reply, words: ConsoleWords) -> str:
    """Tell how far the speaking of a reply is; empty if it is not spoken."""
    if not reply.spoken:
        return ""
    if reply.voice_failed:
        return words["console_mirror.not_spoken"].format(why=words.told(reply.voice_trouble))
    if reply.heard_from is None:
        return words["console_mirror.not_heard"]
    if reply.sound is None or reply.heard_until is None:
        return words["console_mirror.speaking"]
    heard, whole = reply.samples_heard / reply.sound.rate, reply.sound.samples / reply.sound.rate
    return words["console_mirror.heard"].format(heard=f"{heard:.1f}", whole=f"{whole:.1f}")


def last_unspoken(state: SessionState, words: ConsoleWords) -> str | None:
    """Return why the newest reply of the scenario that goes on could not be spoken; None if it could, or is not over."""
    last = state.replies[next(reversed(state.replies))] if state.replies and state.run is not None else None
    if last is None or not last.voice_failed:
        return None
    return words.told(last.voice_trouble) or words["console_text.why_unknown"]


def mark(state: SessionState) -> str:
    """The state of the subject's talk button."""
    return _words(state)[f"console_mirror.{_mark(state)}"]


def _mark(state: SessionState) -> str:
    """The key of its words."""
    if state.ended:
        return "over"
    if any(take.pressed and not take.complete and not take.discarded for take in state.takes.values()):
        return "recording"
    if state.paused:
        return "pause"
    if state.run is None:
        return "please_wait"
    return "working" if any(waits(state, take) for take in state.takes_of(len(state.runs) - 1)) else _ready(state)


def _words(state: SessionState) -> ConsoleWords:
    return console_words_of(state.opened.protocol if state.opened is not None else None)


def replied(state: SessionState) -> list[Reply]:
    """The replies that a wizard may want to mark as wrong, the newest first; fillers and marked ones left out."""
    found = [
        reply for reply in state.replies.values() if reply.response is not ResponseClass.FILLER and reply.wrong is None
    ]
    return found[::-1]


def _ready(state: SessionState) -> str:
    typed = state.opened is not None and state.opened.protocol.profile.recording is RecordingControl.TYPED
    return "ready_to_type" if typed else "ready"
