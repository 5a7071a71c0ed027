"""Every word of the page that is not the terminal's own (`subject.core.texts`); nothing here names what is behind it."""

from dataclasses import replace

from desk.talk.gate import Control, Grip
from desk.talk.words import SIGNS, TalkWords
from session.study.settings import Profile
from session.values.vocabulary import RecordingControl
from subject.core import texts
from subject.core.terminal import Phase

KEY = "the space bar"
OPEN_ELSEWHERE = "This page is open in another place. Go on there, or close it there and reload this one."
NOT_ADMITTED = "This address is not valid. Please use it exactly as it was given to you, or tell the experimenter."
OVER = "This session is over. Thank you."
MICROPHONE_GONE = "The microphone does not answer. What you have said is kept. Please call the experimenter."
CHECK_GOOD = "Sounds good. Choose Continue."
CHECK_FAILED = "That didn't work. Choose Try again; or choose Continue once more, and the experimenter is called."
OPENING_MICROPHONE = "The microphone is being switched on."
CHOOSE_MICROPHONE = "Microphone"
NOT_RECORDED = "Being recorded is not ticked. Choose Continue once more to go on without agreeing."
INSTEAD = {
    texts.MICROPHONE_GONE: MICROPHONE_GONE,
    texts.CHECK_GOOD: CHECK_GOOD,
    texts.CHECK_FAILED: CHECK_FAILED,
    texts.NOT_RECORDED: NOT_RECORDED,
}
"""Sentences of the terminal that name its keys, and what a page says in their place."""

LABELS = {
    "task": "Task",
    "no_task": "Your task appears here.",
    "dialogue": "Requests and answers",
    "continue": "Continue",
    "try_again": "Try again",
    "tick_all": "Tick everything",
    "previous": "Previous question",
    "solved": "Solved",
    "give_up": "Give up",
    "undo": "Undo",
    "call": "Call the experimenter",
    "called": "The experimenter has been called.",
    "instructions": "Instructions",
    "close": "Close",
    "withdraw": "Stop taking part",
    "go_on": "Go on taking part",
    "stop_keep": "Stop. What I said so far may be kept.",
    "stop_erase": "Stop, and erase what I said.",
    "withdraw_question": texts.WITHDRAW,
    "solution_question": "What is your solution? Write it down in a few words.",
    "solution_empty": "Write your solution first, or go back to the task.",
    "submit": "Submit",
    "back": "Back to the task",
    "give_up_question": "Give up on this task?",
    "give_up_no": "No, back to the task",
    "give_up_yes": "Yes, give up",
    "return_to": "Go on from here",
    "send": "Send",
    "type_here": "Your request",
    "level": "Loudness",
    "of": "of",
    "not_now": texts.NOT_NOW,
    "link_down": texts.LINK_DOWN,
    "no_microphone": texts.NO_MICROPHONE,
    "form_empty": texts.FORM_EMPTY,
    "tap": "Touch the page or press a key: that switches the microphone on.",
    "storage": "There is no room left on this device. Please call the experimenter.",
    "too_old": "This browser cannot be used here. Please open the address in a current one, or tell the experimenter.",
    "open_elsewhere": OPEN_ELSEWHERE,
}


def for_page(sentence: str) -> str:
    """A sentence of the terminal as a page says it."""
    return INSTEAD.get(sentence, sentence)


def talk_words(profile: Profile) -> TalkWords:
    """The words of the talk button, for a mouse, a finger and a keyboard whose keys are seen to go up."""
    return replace(
        texts.words(profile),
        to_hold="Hold this button, or {key}, while you talk",
        held_mouse="Let go of the button when you have finished",
        pressed_mouse=texts.words(profile).pressed_mouse.replace("Click", "Press"),
        to_press=texts.words(profile).to_press.replace("Press {key} or click here", "Press this button or {key}"),
    )


def button_words(profile: Profile) -> dict[str, object]:
    """Signs, words and hints of the talk button by how it looks, and while recording by what keeps the take going."""
    words = talk_words(profile)
    control = Control.HOLD if profile.recording is RecordingControl.HOLD else Control.PRESS
    looks = {
        look: {
            "sign": sign,
            "word": getattr(words, look),
            "hint": words.hint(look, None, control, releases_agreed=True).format(key=KEY),
        }
        for look, sign in SIGNS.items()
    }
    endings = {
        grip.value: words.hint("recording", grip, control, releases_agreed=True).format(key=KEY) for grip in Grip
    }
    return {
        "looks": looks,
        "endings": endings,
        "pressed": texts.HEADLINES[Phase.PRESSED],
        "recording": texts.HEADLINES[Phase.RECORDING],
    }
