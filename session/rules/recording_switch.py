"""When a console may switch the subject's recording (AT&T, MADCOW 1992, section 2.4), and what a lost microphone brings.

The fact goes to the subject's desk, which begins as soon as the last reply is on its screen; so it may be asked for in the same
breath as the reply is sent, and no word spoken at once is late.
"""

from session import events as e
from session.state.fold import SessionState
from session.study.settings import Profile
from session.values.vocabulary import AudioTrouble, LostMicrophone, RecordingControl


def objection(state: SessionState, on: bool, profile: Profile) -> str:
    """Why recording cannot be switched now; empty when it can."""
    if profile.recording is not RecordingControl.OPERATOR:
        return "In this profile the subject, not the operator, begins and ends an utterance."
    running = state.switched_on or state.talking is not None
    if not on:
        return "" if running else "Nothing is being recorded."
    if running:
        return "Recording is on already."
    if state.run is None:
        return "No scenario is going on."
    if state.planned is not None:
        return "A reply is on its way; recording begins after it."
    return "The session is paused; go on with it first." if state.paused else ""


def pause_for(state: SessionState, trouble: e.AudioTroubled, profile: Profile) -> list[e.Fact]:
    """A lost microphone pauses the session where the profile says so."""
    lost = trouble.trouble is AudioTrouble.DEVICE_LOST and profile.lost_microphone is LostMicrophone.PAUSE
    pauses = lost and state.paused is None and not state.ended
    return [e.SessionPaused(reason=f"the microphone is gone: {trouble.detail}")] if pauses else []
