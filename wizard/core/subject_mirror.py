"""What the subject's screen shows now, in plain lines: the wizard must know what the person on the other side has in view.

Made from the events that the subject's desk was sent and from its own reports; what stays behind the curtain never occurs here,
except where a line says of itself that the subject does not see it.
"""

from session.state.fold import Reply, SessionState, Take
from session.values.clock import SECOND
from session.values.vocabulary import Echo, ResponseClass
from wizard.core.blanks import flowing

WAITING_HERE = "The subject is not connected."
OLDER = 6


def mirror(state: SessionState, here: bool, invitation: str = "") -> list[str]:
    """The lines of the subject's screen, the newest turn last and whole, the earlier ones of the scenario in short."""
    if state.opened is None:
        return ["(no session yet)"]
    button = f"[ {mark(state)} ]" if here else WAITING_HERE
    end = [button] if here or not invitation else [button, "It connects with", invitation]
    if state.run is None:
        return [*_between(state), *end]
    lines = [f"SCENARIO  {state.run.title}", *flowing(state.run.text).split("\n"), ""]
    shown = [take for take in state.takes_of(len(state.runs) - 1) if not take.discarded]
    for take in shown[-OLDER:-1]:
        lines += _in_short(state, take)
    lines += _whole(state, shown[-1]) if shown else []
    lines += _without_take(state)
    return [*lines, "", *end]


def _between(state: SessionState) -> list[str]:
    if state.consent is None and state.opened is not None and state.opened.protocol.profile.consent:
        return ["The subject is asked for consent."]
    return ["(no scenario is going on)", *_without_take(state)]


def _without_take(state: SessionState) -> list[str]:
    """The last greeting or filler, if nothing else has been sent since."""
    last = list(state.replies.values())[-1] if state.replies else None
    return last.text.split("\n") if last is not None and not last.take else []


def echoed(state: SessionState, take: Take) -> str:
    """The words of an utterance as the subject sees them now; empty when none are shown."""
    profile = state.opened.protocol.profile if state.opened else None
    if take.typed is not None:
        return take.typed
    if profile is None or profile.echo is Echo.NEVER:
        return ""
    if profile.echo is Echo.WITH_ANSWER:
        return next((reply.transcription for reply in _replies(state, take)), "")
    return take.text


def _replies(state: SessionState, take: Take) -> list[Reply]:
    return [state.replies[name] for name in take.replies if name in state.replies]


def _question(state: SessionState, take: Take) -> str:
    return f"> {echoed(state, take) or '…'}"


def _in_short(state: SessionState, take: Take) -> list[str]:
    replies = _replies(state, take)
    if not replies:
        return [_question(state, take)]
    first, *rest = replies[-1].text.split("\n")
    return [_question(state, take), f"    {first}{f'  … {len(rest)} more lines' if rest else ''}"]


def _whole(state: SessionState, take: Take) -> list[str]:
    lines = [_question(state, take)]
    if take.transcriptions and not take.transcription_shown and echoed(state, take) and not take.replies:
        lines.append("  (on its way to the subject's screen)")
    for reply in _replies(state, take):
        lines += ["", *reply.text.split("\n"), f"  ({shown(state, reply)})"]
    return lines


def shown(state: SessionState, reply: Reply) -> str:
    """Whether a reply is on the subject's screen yet, and what was said of it since."""
    words = "sent, not shown yet"
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
    return "working" if state.waiting() else "ready to talk"


def replied(state: SessionState) -> list[Reply]:
    """The replies that a wizard may want to mark as wrong, the newest first; fillers and marked ones left out."""
    found = [
        each for each in state.replies.values() if each.response is not ResponseClass.FILLER and each.wrong is None
    ]
    return found[::-1]
