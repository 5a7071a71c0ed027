"""Actions of a console besides the turn itself, each with one letter: held with Alt it works at once, after Ctrl+O it is listed.

A table, so that keys, menu, palette, help and the documentation cannot differ.
"""

from typing import NamedTuple

from session.values.vocabulary import Outcome, RecordingControl, ResponseClass, Scope
from wizard.core.console import Console
from wizard.core.permissions import may
from wizard.core.session_progress import invalidable, startable
from wizard.core.stage_hands import hands
from wizard.core.subject_mirror import is_page, replied


class Action(NamedTuple):
    """`permit` is what the role must be allowed (see `wizard.core.permissions`)."""

    letter: str
    name: str
    does: str
    more: str
    permit: str


ACTIONS = (
    Action(
        "n",
        "note",
        "Private note",
        "Kept with the session, tied to the utterance; the participant never sees it",
        "note",
    ),
    Action("i", "in", "Request in scope", "Marks the utterance as in scope for the simulated system", "scope"),
    Action("o", "out", "Request out of scope", "Marks the utterance as out of scope for the simulated system", "scope"),
    Action(
        "m", "meta", "Request about the system", "Marks the utterance as meta: about the information itself", "scope"
    ),
    Action(
        "w",
        "wrong",
        "Last reply was wrong",
        "Marks a sent reply as a wizard's error, with the reason",
        "wrong",
    ),
    Action(
        "d",
        "deviation",
        "Deviation",
        "Notes a departure from the protocol at once; again: its kind and a note",
        "deviation",
    ),
    Action("u", "utterances", "Choose utterance", "Lists the utterances; the keys then act on the chosen one", "look"),
    Action("r", "times", "Times", "Times of each step of each turn, in seconds after the utterance", "look"),
    Action(
        "v",
        "progress",
        "Progress",
        "Steps, scenarios, time left, the common scenario's share, anything unusual",
        "look",
    ),
    Action("t", "text", "Reply in own words", "Sends your own text, if the profile allows it", "reply"),
    Action(
        "q",
        "back",
        "Ask back",
        "Inserts the system's clarification question as the reply, to edit or send",
        "reply",
    ),
    Action(
        "k",
        "readings",
        "Other readings",
        "Lists the readings of the request; a digit chooses one",
        "query",
    ),
    Action(
        "z",
        "hypotheses",
        "Other hypotheses",
        "Lists a recogniser's hypotheses; a digit puts one into the transcription, 0 rejects all",
        "transcribe",
    ),
    Action("g", "propose", "Propose SQL", "Asks the outside engine that study.toml names for a statement", "query"),
    Action("s", "start", "Start scenario", "Lists the scenarios and binds their placeholders", "start"),
    Action(
        "b",
        "attended",
        "Somebody beside the participant",
        "Records that somebody attends the next scenarios, or no longer",
        "start",
    ),
    Action("e", "end", "End scenario", "Ends the current scenario, with the reason", "end"),
    Action("j", "invalid", "Scenario invalid", "Declares an ended scenario invalid, with the reason", "invalid"),
    Action(
        "c",
        "record",
        "Begin or end recording",
        "Starts or stops recording, if the profile leaves that to the operator",
        "record",
    ),
    Action("p", "pause", "Pause or go on", "Stops all clocks for a break, or resumes them", "pause"),
    Action(
        "a",
        "call",
        "Answer the call",
        "Marks the participant's call as answered; admits the first person in the lobby",
        "call",
    ),
    Action(
        "f",
        "hands",
        "Take a stage over or give it back",
        "Lets a person operate a machine's stage or gives it back, with a reason; judges a machine's proposed reply",
        "hands",
    ),
    Action("h", "mute", "Sound off or on", "Mutes or unmutes the participant's voice here", "look"),
    Action("y", "identify", "Operator", "Names the person at this console, at sign-on and at a hand-over", "identify"),
    Action(
        "0",
        "ability",
        "Ability",
        "Shows the study's description of what the simulated system can and cannot do",
        "look",
    ),
    Action(
        "9", "address", "Address as a code", "The address of the participant's page, as a code for a camera", "look"
    ),
    Action("l", "light", "Closing light", "Shows whether the ended session is complete, and what is missing", "look"),
    Action("x", "close", "End session", "Ends the visit after asking once", "close"),
)
BY_KEY = {f"alt+{action.letter}": action for action in ACTIONS}
SCOPES = {"in": Scope.IN, "out": Scope.OUT, "meta": Scope.META}
ENDINGS = (("e", Outcome.ENDED, "ended"), ("t", Outcome.TIME_UP, "time is up"), ("i", Outcome.INVALIDATED, "invalid"))
DEVIATIONS = (
    ("t", "talk", "The participant and somebody talked about the task"),
    ("h", "help", "Help beyond the instructions"),
    ("s", "system", "Equipment or program failed"),
    ("p", "procedure", "A step was left out or done in another order"),
    ("i", "interruption", "Somebody or something interrupted"),
    ("o", "other", "Something else"),
)
OWN_TEXT = ResponseClass.DIRECTIVE


def ready(console: Console, action: Action, *, sound: bool) -> bool:
    """Return whether the action can be run now: what the role may not do, or what makes no sense yet, is not offered."""
    state = console.state
    if not may(console.role, action.permit):
        return False
    if action.name == "mute":
        return sound
    if state.opened is None:
        return False
    match action.name:
        case "in" | "out" | "meta":
            return console.take is not None
        case "utterances" | "times":
            return bool(state.takes)
        case "wrong":
            return bool(replied(state))
        case "note":
            return console.may_write_down
        case "text":
            return console.profile.free_text and console.may_write_down and console.take is not None
        case "back":
            return bool(console.question) and (console.profile.free_text or console.asking_back is not None)
        case "readings":
            return console.attempt is not None and bool(console.attempt.others) and not console.attempt.running
        case "hypotheses":
            return bool(console.hypotheses)
        case "propose":
            return console.take is not None and bool(console.take.text)
        case "call":
            return state.called or console.lobby.admits
        case "start":
            return startable(state)
        case "end":
            return state.run is not None
        case "invalid":
            return bool(invalidable(state))
        case "record":
            return console.profile.recording is RecordingControl.OPERATOR and state.run is not None
        case "hands":
            return not state.ended and bool(hands(state, console.role, console.take.take if console.take else ""))
        case "ability":
            return bool(state.opened.protocol.ability.strip())
        case "address":
            return is_page(console.invitation)
        case "light":
            return state.ended
        case "pause" | "identify" | "close" | "attended":
            return not state.ended
        case _:
            return True
