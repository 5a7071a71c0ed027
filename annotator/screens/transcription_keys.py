"""The keys of the transcription desk; those of the marks are with the sheet."""

from textual.binding import BindingType

from annotator.playback import LEAP_S, STEP_S
from desk.keys.actions import bound

KEYS: list[BindingType] = [
    bound("f3", "play", "Play", "Plays the stretch in hand, or all; stops what is being played"),
    bound("f4", "slower", "Slower", "At the same pitch: 0.85, 0.7, 0.55 of the speed, then as spoken again"),
    bound("f6", "loop", "Loop", "Plays the stretch over and over"),
    bound("f7", "edge('begin')", "Begin", "The stretch begins where you are listening"),
    bound("f8", "edge('end')", "End", "The stretch ends where you are listening"),
    bound("f9", "identifying", "Mask", "Marks sound and words that identify a person: both will be masked"),
    bound("f10", "problem", "Next problem", "Selects the departure from the conventions", show=False),
    bound("ctrl+s", "done", "Submit", "Submits it, or as a second person: has checked it"),
    bound("pagedown", "go(1)", "Next"),
    bound("pageup", "go(-1)", "Before"),
    bound("ctrl+l", "list", "List", "All utterances that the filter lets through, with their states"),
    bound("ctrl+f", "filter", "Filter", "Which utterances the list and Next have"),
    bound("ctrl+g", "find", "Find", "The next utterance with this in its name or its words", show=False),
    bound("f5", "revisions", "Revisions", "Shows the history; Enter restores a text", show=False),
    bound("ctrl+t", "turn_pass", "Words/marks", "First pass: the words; second pass: noises and marks"),
    bound("ctrl+r", "reopen", "Reopen", "Reopens a submitted transcription", show=False),
    bound("ctrl+w", "wizard", "Wizard's text", "Starts over with the wizard's text", show=False),
    bound("alt+left", f"again({-STEP_S})", "A second back", "Plays on from a second before", show=False),
    bound("alt+right", f"again({STEP_S})", "A second on", "Plays on from a second later", show=False),
    bound("alt+pageup", f"again({-LEAP_S:g})", "Ten seconds back", "Plays on from there", show=False),
    bound("alt+pagedown", f"again({LEAP_S:g})", "Ten seconds on", "Plays on from there", show=False),
    bound("alt+up", "nearer(1)", "See nearer", "Half as much of the sound over the same width", show=False),
    bound("alt+down", "nearer(-1)", "See more", "Twice as much of the sound, up to all of it", show=False),
    bound("alt+1", "nudge('begin', -1)", "Begin earlier", "By 20 milliseconds", show=False),
    bound("alt+2", "nudge('begin', 1)", "Begin later", "By 20 milliseconds", show=False),
    bound("alt+3", "nudge('end', -1)", "End earlier", "By 20 milliseconds", show=False),
    bound("alt+4", "nudge('end', 1)", "End later", "By 20 milliseconds", show=False),
    bound("escape", "stop", "Stop", "Stops the sound, then lets go of the stretch", show=False, first=False),
]
