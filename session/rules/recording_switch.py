"""The console's switch of the subject's recording (AT&T, MADCOW 1992, section 2.4), and what a lost microphone brings.

The fact goes to the subject's desk, which begins as soon as the last reply is on its screen; so it may be asked for in the same
breath as the reply is sent, and no word spoken at once is late.
"""

from session import events as e
from session.rules.refusal import RequestRefused, refused
from session.state.fold import SessionState
from session.study.settings import Profile
from session.values.clock import Stamp
from session.values.vocabulary import AudioTrouble, LostMicrophone, RecordingControl, ResponseClass


def objection(state: SessionState, on: bool, profile: Profile) -> RequestRefused | None:
    """Return why recording cannot be switched now; None when it can."""
    if profile.recording is not RecordingControl.OPERATOR:
        return refused("participant_records")
    running = state.switched_on or state.talking is not None
    if not on:
        return None if running else refused("not_recording")
    if running:
        return refused("recording_already")
    if state.run is None:
        return refused("no_scenario_runs")
    if state.planned is not None:
        return refused("reply_first")
    return refused("paused") if state.paused else None


def after_reply(state: SessionState, name: str, at: Stamp, profile: Profile) -> list[e.Fact]:
    """Switch recording on as soon as a reply has ended, where the operator records and replies are spoken; after a filler,
    or while more is to be said, not yet. `at` is when it had ended, at the subject's desk."""
    reply = state.replies.get(name)
    if reply is None or reply.response is ResponseClass.FILLER or not profile.speaks:
        return []
    more = any(other.spoken and not other.voiced and other.reply != name for other in state.replies.values())
    return [] if more or objection(state, True, profile) else [e.RecordingSwitched(at=at, on=True)]


def pause_for(state: SessionState, trouble: e.AudioTroubled, profile: Profile) -> list[e.Fact]:
    """A lost microphone pauses the session where the profile says so."""
    lost = trouble.trouble is AudioTrouble.DEVICE_LOST and profile.lost_microphone is LostMicrophone.PAUSE
    pauses = lost and state.paused is None and not state.ended
    return [e.SessionPaused(reason=f"the microphone is gone: {trouble.detail}")] if pauses else []
