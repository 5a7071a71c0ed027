"""Every word that the subject's terminal says of its own, in one place.

Nothing here may name what is behind the curtain; a test holds it to that.
"""

import re

from desk.subject_view import WAITING
from desk.talk.button import TalkState
from desk.talk.words import TalkWords
from session.state.fold import Take
from session.study.settings import Profile
from session.values.vocabulary import RecordingControl
from subject.core.terminal import Phase, Terminal

FIXED = re.compile(r"(?m)^\s*(?:[|*#-]|\d+\.)")
HEADLINES = {
    Phase.CONNECTING: "Connecting. Please wait.",
    Phase.CONSENT: "Before you begin",
    Phase.STEP: "Please follow the screen.",
    Phase.WITHDRAWN: "You have stopped taking part. Please tell the experimenter.",
    Phase.BETWEEN: "Please wait for the next task.",
    Phase.READY: "You may speak.",
    Phase.PRESSED: "One moment.",
    Phase.RECORDING: "You are being recorded.",
    Phase.WORKING: WAITING,
    Phase.SPEAKING: "The system is speaking.",
    Phase.PAUSED: "Paused. The clock has stopped.",
    Phase.ENDED: "The session is over. Thank you. Please tell the experimenter.",
}
TYPED_READY = "You may type your request."
REFUSED_CONSENT = "You have not agreed to being recorded. Please tell the experimenter."
NOT_NOW = "Please wait until the button says READY."
MICROPHONE_GONE = "The microphone does not answer. What you have said is kept. Please call the experimenter (F8)."
OPERATED = "Speak when this says RECORDING"
OPERATED_READY = "Please wait until you are being recorded."
LINK_DOWN = "The connection is interrupted. You can finish speaking; nothing is lost."
NO_MICROPHONE = "The microphone cannot be used. Please call the experimenter."
MICROPHONE_CHECK = """MICROPHONE CHECK

Please say a sentence in your normal voice, for instance what you had for breakfast. The bar below shows how loud it is.
Nothing of this check is kept."""
CHECK_QUIET = "Nothing loud enough yet."
CHECK_GOOD = "Sounds good. Press Enter to continue."
CHECK_LOUD = "Too loud. Move the microphone away a little, then choose Try again."
CHECK_FAILED = "That didn't work. Choose Try again; or press Enter once more, and the experimenter is called."
FORM_EMPTY = "Please answer this question first."
FORM_OVER = "Thank you. Press Enter to submit your answers, or choose Previous question to go back."
MORE = "There is more below: press Enter to see it."
NOT_RECORDED = "Being recorded is not ticked. Enter once more continues without agreeing."
CONFIRM = """You now know how this study works. Please tell us once more what may be done with what you said. What you agreed to
before is ticked; untick anything you no longer agree to."""
WITHDRAW = "Do you want to stop taking part? You need not give a reason."
SCOPES = {
    "record": "My voice may be recorded during this session.",
    "transcribe": "What I say may be written down and studied.",
    "publish_audio": "The recordings may be given to other researchers.",
    "publish_text": "The written texts may be given to other researchers.",
    "contact": "I may be contacted again about this study.",
}


def headline(terminal: Terminal) -> str:
    """The one sentence at the top."""
    if terminal.phase is Phase.READY and terminal.typed:
        return TYPED_READY
    if terminal.phase is Phase.READY and terminal.operated:
        return OPERATED_READY
    withdrawn = terminal.state.withdrawn is not None
    if not withdrawn and not terminal.may_be_recorded:
        return REFUSED_CONSENT
    return HEADLINES[terminal.phase]


def message(terminal: Terminal, linked: bool) -> str:
    """Return what is wrong, or was said last; empty when there is nothing to say."""
    if terminal.message:
        return terminal.message
    if terminal.lost_microphones:
        return MICROPHONE_GONE
    return "" if linked else LINK_DOWN


def words(profile: Profile | None) -> TalkWords:
    """The words of the talk button, by who ends a take."""
    if profile is None or profile.recording is not RecordingControl.ENDPOINTED:
        return TalkWords()
    by_itself = "It ends by itself when you have finished"
    return TalkWords(
        to_press=f"Press {{key}} or click here, and speak. {by_itself}",
        pressed_key=by_itself,
        pressed_mouse=by_itself,
        unsure=f"You are still being recorded. {by_itself}",
    )


def button(terminal: Terminal) -> TalkState:
    """Return what the talk button is to look like; it shows a press that no sound has answered by itself."""
    match terminal.phase:
        case Phase.READY if terminal.operated:
            return TalkState.BLOCKED
        case Phase.READY | Phase.PRESSED:
            return TalkState.READY
        case Phase.RECORDING:
            return TalkState.RECORDING
        case Phase.WORKING:
            return TalkState.WORKING
        case Phase.SPEAKING if terminal.may_talk:
            return TalkState.READY
        case _:
            return TalkState.BLOCKED


def too_long(left_out: int) -> str:
    """Return what is said of a text of which not everything could be taken."""
    return f"The text is too long: its last {left_out:,} characters were left out."


def heard(take: Take | None) -> str:
    """The line that says what was understood last."""
    return f"Understood: {take.transcriptions[-1]}" if take else ""


def reflowed(text: str) -> str:
    """Paragraphs as one line each, so that they fill whatever width there is; lists, tables and headings as they stand."""
    blocks = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(block if FIXED.search(block) else " ".join(block.split()) for block in blocks)
