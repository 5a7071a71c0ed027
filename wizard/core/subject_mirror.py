"""What the subject's screen shows now, in plain lines: the wizard must know what the person on the other side has in view.

Made from the events that the subject's desk was sent and from its own reports; what stays behind the curtain never occurs here,
except where a line says of itself that the subject does not see it.
"""

from desk.subject_view import replies, turn, waits
from desk.subject_view import shown as shown_to_subject
from session.rules.visit_steps import current_step
from session.state.fold import Reply, SessionState
from session.values.clock import SECOND
from session.values.vocabulary import ResponseClass
from wizard.core.blanks import flowing

WAITING_HERE = "The subject is not connected."
MOST_TURNS = 6


def mirror(state: SessionState, here: bool, invitation: str = "") -> list[str]:
    """The lines of the subject's screen, the newest turn last."""
    if state.opened is None:
        return ["(no session yet)"]
    button = f"[ {mark(state)} ]" if here else WAITING_HERE
    end = [button] if here or not invitation else [button, "Run on the subject's machine:", invitation]
    return [*_task(state), *_turns(state), "", *end]


def _task(state: SessionState) -> list[str]:
    if (step := current_step(state)) is not None:
        return [f"(the subject is at this step: {step.replace('_', ' ')})"]
    if state.run is None:
        return ["(no scenario is going on)"]
    return [f"SCENARIO  {state.run.title}", *flowing(state.run.text).split("\n")]


def _turns(state: SessionState) -> list[str]:
    """The newest turns as the subject's screen has them; behind each reply, in brackets, whether it is there yet."""
    lines: list[str] = []
    for label, item in shown_to_subject(state)[-MOST_TURNS:]:
        told = turn(state, label, item)
        lines += ["", f"> {told.question}", *told.answer, *filter(None, [told.waiting])]
        lines += [f"  ({shown(state, reply)})" for reply in replies(state, item)]
    return lines


def shown(state: SessionState, reply: Reply) -> str:
    """Whether a reply is on the subject's screen yet, and what was said of it since."""
    words = "sent, not shown yet"
    if state.opened is not None and not state.opened.protocol.profile.show_answers:
        words = "sent; the screen does not show answers"
    if reply.shown is not None:
        words = "shown to the subject"
        take = state.takes.get(reply.take)
        if take is not None and take.waiting_since is not None and reply.sent.clock == take.waiting_since.clock:
            words += f", {(reply.sent.mono - take.waiting_since.mono) / SECOND:.1f} s after the utterance"
    return words if reply.wrong is None else f"{words}; marked as wrong: {reply.wrong}"


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
        each for each in state.replies.values() if each.response is not ResponseClass.FILLER and each.wrong is None
    ]
    return found[::-1]
