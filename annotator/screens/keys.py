"""The keys of the transcription desk; those of the marks are with the sheet."""

from textual.binding import Binding, BindingType

from annotator.listening import LEAP_S, STEP_S


def _key(key: str, action: str, does: str, more: str = "", *, show: bool = True) -> Binding:
    return Binding(key, action, does, tooltip=more, show=show, priority=True)


KEYS: list[BindingType] = [
    _key("f3", "play", "Play", "Plays the stretch in hand, or all; stops what is being played"),
    _key("f4", "slower", "Slower", "At the same pitch: 0.85, 0.7, 0.55 of the speed, then as spoken again"),
    _key("f6", "loop", "Loop", "Plays the stretch over and over"),
    _key("f7", "edge('begin')", "Begin", "The stretch begins where you are listening"),
    _key("f8", "edge('end')", "End", "The stretch ends where you are listening"),
    _key("f9", "identifying", "Mask", "Stretch of sound and words tell who somebody is: both will be masked"),
    _key("f10", "problem", "Next problem", "Selects what departs from the conventions", show=False),
    _key("ctrl+s", "done", "Submit", "Submits it, or as a second person: has checked it"),
    _key("pagedown", "go(1)", "Next"),
    _key("pageup", "go(-1)", "Before"),
    _key("ctrl+l", "list", "List", "All utterances that the filter lets through, with their states"),
    _key("ctrl+f", "filter", "Filter", "Which utterances the list and Next have"),
    _key("ctrl+g", "find", "Find", "The next utterance with this in its name or its words", show=False),
    _key("f5", "revisions", "Revisions", "Who did what to it and when; Enter takes a text back", show=False),
    _key("ctrl+t", "turn_pass", "Words/marks", "First pass: the words; second pass: noises and marks"),
    _key("ctrl+r", "reopen", "Reopen", "What was submitted is to be worked on again", show=False),
    _key("ctrl+w", "wizard", "Wizard's text", "Begins anew with what the wizard typed", show=False),
    _key("alt+left", f"again({-STEP_S})", "A second back", "Plays on from a second before", show=False),
    _key("alt+right", f"again({STEP_S})", "A second on", "Plays on from a second later", show=False),
    _key("alt+pageup", f"again({-LEAP_S:g})", "Ten seconds back", "Plays on from there", show=False),
    _key("alt+pagedown", f"again({LEAP_S:g})", "Ten seconds on", "Plays on from there", show=False),
    _key("alt+up", "nearer(1)", "See nearer", "Half as much of the sound over the same width", show=False),
    _key("alt+down", "nearer(-1)", "See more", "Twice as much of the sound, up to all of it", show=False),
    _key("alt+1", "nudge('begin', -1)", "Begin earlier", "By 20 milliseconds", show=False),
    _key("alt+2", "nudge('begin', 1)", "Begin later", "By 20 milliseconds", show=False),
    _key("alt+3", "nudge('end', -1)", "End earlier", "By 20 milliseconds", show=False),
    _key("alt+4", "nudge('end', 1)", "End later", "By 20 milliseconds", show=False),
    Binding("escape", "stop", "Stop", tooltip="Stops the sound, then lets go of the stretch", show=False),
]
