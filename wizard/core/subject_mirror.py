"""Mirror of the subject's screen, in plain lines: the wizard must know what the person on the other side has in view.

Made from the events that the subject's desk was sent and from its own reports; what stays behind the curtain never occurs here,
except where a line says of itself that the subject does not see it.
"""

from desk.subject_view import replies, turn, waits
from desk.subject_view import shown as shown_to_subject
from session.rules.visit_steps import current_step
from session.state.fold import Reply, SessionState
from session.state.session_state import is_shown
from session.values.clock import SECOND
from session.values.vocabulary import ResponseClass
from wizard.core.fillable_text import flowing

WAITING_HERE = "The participant is not connected."
MOST_TURNS = 6


def mirror(state: SessionState, here: bool, invitation: str = "") -> list[str]:
    """The lines of the subject's screen, the newest turn last."""
    if state.opened is None:
        return ["(no session yet)"]
    button = f"[ {mark(state)} ]" if here else WAITING_HERE
    how = "Open on the participant's machine:" if is_page(invitation) else "Run on the participant's machine:"
    end = [button] if here or not invitation else [button, how, invitation]
    return [*_task(state), *_turns(state), "", *end]


def is_page(invitation: str) -> bool:
    """Return whether a participant is invited by the address of a page, and not by a command."""
    return invitation.startswith(("https://", "http://"))


def _task(state: SessionState) -> list[str]:
    if (step := current_step(state)) is not None:
        return [f"(the participant is at this step: {step.replace('_', ' ')})"]
    if state.run is None:
        return ["(no scenario is going on)"]
    return [f"SCENARIO  {state.run.title}", *flowing(state.run.text).split("\n")]


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
    words = "sent, not shown yet" if is_shown(state, reply) else "sent; the screen does not show answers"
    if (heard := _heard(reply)) and not (reply.voice_failed and reply.shown):
        words = heard
    elif reply.shown is not None:
        words = "shown to the participant"
        take = state.takes.get(reply.take)
        if take is not None and take.waiting_since is not None and reply.sent.clock == take.waiting_since.clock:
            words += f", {(reply.sent.mono - take.waiting_since.mono) / SECOND:.1f} s after the utterance"
    return words if reply.wrong is None else f"{words}; marked as wrong: {reply.wrong}"


def _heard(reply: Reply) -> str:
    """Tell how far the speaking of a reply is; empty where it is not spoken."""
    if not reply.spoken:
        return ""
    if reply.voice_failed:
        return f"could not be spoken ({reply.voice_trouble}); its text is shown instead"
    if reply.heard_from is None:
        return "sent, not heard yet"
    if reply.sound is None or reply.heard_until is None:
        return "is being spoken"
    heard, whole = reply.samples_heard / reply.sound.rate, reply.sound.samples / reply.sound.rate
    return f"heard by the participant, {heard:.1f} of {whole:.1f} s"


def last_unspoken(state: SessionState) -> str | None:
    """Return why the newest reply of the scenario that goes on could not be spoken; None where it could, or is not over."""
    last = state.replies[next(reversed(state.replies))] if state.replies and state.run is not None else None
    return (last.voice_trouble or "it is not known why") if last is not None and last.voice_failed else None


def mark(state: SessionState) -> str:
    """The state of the subject's talk button."""
    if state.ended:
        return "the session is over"
    if any(take.pressed and not take.complete and not take.discarded for take in state.takes.values()):
        return "● recording"
    if state.paused:
        return "pause"
    if state.run is None:
        return "please wait"
    return "working" if any(waits(state, take) for take in state.takes_of(len(state.runs) - 1)) else "ready to talk"


def replied(state: SessionState) -> list[Reply]:
    """The replies that a wizard may want to mark as wrong, the newest first; fillers and marked ones left out."""
    found = [
        reply for reply in state.replies.values() if reply.response is not ResponseClass.FILLER and reply.wrong is None
    ]
    return found[::-1]
