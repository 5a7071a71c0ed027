"""Words that are the page's own (`[page]` of the catalogue), and which strings its labels are."""

from dataclasses import replace

from desk.talk.gate import Control, Grip
from desk.talk.talk_words import SIGNS, TalkWords
from session.study.screen_words import Words
from session.study.settings import Profile
from session.values.vocabulary import RecordingControl
from subject.core import texts
from subject.core.terminal import Phase

INSTEAD = {
    "message.microphone_gone": "page.microphone_gone",
    "check.good": "page.check_good",
    "check.failed": "page.check_failed",
    "consent.not_recorded": "page.not_recorded",
}
"""Sentences of the terminal that name its keys, and what a page says in their place."""

LABELS = {
    "task": "task.title",
    "no_task": "task.none",
    "dialogue": "page.dialogue",
    "continue": "button.continue",
    "try_again": "button.try_again",
    "tick_all": "button.tick_all",
    "previous": "button.previous",
    "solved": "button.solved",
    "give_up": "button.give_up",
    "undo": "button.undo",
    "call": "page.call",
    "called": "message.called",
    "instructions": "button.instructions",
    "close": "button.close",
    "withdraw": "button.withdraw",
    "go_on": "button.go_on",
    "stop_keep": "button.stop_keep",
    "stop_erase": "button.stop_erase",
    "withdraw_question": "question.withdraw",
    "solution_question": "question.solution",
    "solution_empty": "question.no_solution",
    "submit": "button.submit",
    "back": "button.back_to_task",
    "give_up_question": "question.give_up",
    "give_up_no": "button.give_up_no",
    "give_up_yes": "button.give_up_yes",
    "return_to": "button.from_here",
    "send": "button.send",
    "type_here": "page.type_here",
    "level": "meter.loudness",
    "of": "form.of",
    "not_now": "message.not_now",
    "link_down": "page.link_down",
    "link_down_said": "page.link_down_said",
    "link_awaited": "page.link_awaited",
    "may_talk": "headline.ready",
    "no_microphone": "message.no_microphone",
    "form_empty": "form.empty",
    "tap": "page.tap",
    "tap_sound": "page.tap_sound",
    "play_back": "page.play_back",
    "storage": "page.storage",
    "too_old": "page.too_old",
    "open_elsewhere": "page.open_elsewhere",
}


def labels(words: Words) -> dict[str, str]:
    """The words of everything on the page that is not said by the hub's side."""
    return {label: words[key] for label, key in LABELS.items()}


def no_microphone(words: Words) -> tuple[str, str]:
    """The sentence for who has no microphone, and that for who may herself allow the page to use it."""
    return words["message.no_microphone"], words["page.microphone_forbidden"]


def direction(words: Words) -> str:
    """The direction of the page: `rtl` for Arabic, Hebrew and the like."""
    return "rtl" if words.right_to_left else "ltr"


def on_page(words: Words, key: str) -> str:
    """The string of the terminal with that key as a page says it."""
    return words[INSTEAD.get(key, key)]


def for_page(words: Words, sentence: str) -> str:
    """A sentence of the terminal as a page says it."""
    return next((words[ours] for theirs, ours in INSTEAD.items() if words[theirs] == sentence), sentence)


def talk_words(words: Words, profile: Profile, *, finger: bool = False) -> TalkWords:
    """The words of the talk button, for a mouse and a keyboard whose keys are seen to go up, or for a finger that has neither."""
    ended = profile.recording is RecordingControl.ENDPOINTED
    own = texts.talk_words(words, profile)
    by = "_finger" if finger else ""
    return replace(
        own,
        to_hold=words[f"page.to_hold{by}"],
        held_mouse=words[f"page.held_mouse{by}"],
        pressed_mouse=own.pressed_mouse if ended else words[f"page.pressed_mouse{by}"],
        to_press=words[f"page.press_once{by}" if ended else f"page.to_press{by}"],
    )


def with_instruction(sentence: str, words: Words, profile: Profile, *, finger: bool = False) -> str:
    """A sentence on the talk button, and behind it how one begins to talk: to who talks unpressed, or may break in."""
    looks = button_words(words, profile, finger=finger)["looks"]
    assert isinstance(looks, dict)
    return f"{sentence} {looks['ready']['hint']}"


def button_words(words: Words, profile: Profile, *, finger: bool = False) -> dict[str, object]:
    """Signs, words and hints of the talk button by how it looks, and while recording by what keeps the take going."""
    said, key = talk_words(words, profile, finger=finger), words["page.key"]
    control = Control.HOLD if profile.recording is RecordingControl.HOLD else Control.PRESS
    looks = {
        look: {
            "sign": sign,
            "word": getattr(said, look),
            "hint": said.hint(look, None, control, releases_agreed=True).format(key=key),
        }
        for look, sign in SIGNS.items()
    }
    endings = {grip.value: said.hint("recording", grip, control, releases_agreed=True).format(key=key) for grip in Grip}
    return {
        "looks": looks,
        "endings": endings,
        "pressed": words[f"headline.{Phase.PRESSED}"],
        "recording": words[f"headline.{Phase.RECORDING}"],
    }
