"""Sentences of the subject's terminal and when they are said, in the words of the session (`session.study.screen_words`).

Nothing here, and nothing in the catalogue, may name what is behind the curtain; a test holds both to that.
"""

from desk.subject_view import words_in
from desk.talk.button import TalkState
from desk.talk.talk_words import TalkWords
from session.state.fold import Take
from session.study.screen_words import Words
from session.study.settings import Profile
from session.values.vocabulary import RecordingControl
from subject.core.terminal import Phase, Terminal


def words_for(terminal: Terminal) -> Words:
    """The words of the session that the terminal takes part in."""
    return words_in(terminal.state)


def headline(terminal: Terminal) -> str:
    """The one sentence at the top; at the end the subject's completion code follows, where there is one."""
    words, code = words_for(terminal), terminal.completion_code
    if code and terminal.phase is Phase.ENDED:
        return f"{_sentence(terminal)} {words['headline.completion'].format(code=code)}"
    return _sentence(terminal)


def _sentence(terminal: Terminal) -> str:
    words = words_for(terminal)
    if terminal.phase is Phase.READY and terminal.typed:
        return words["headline.ready_to_type"]
    if terminal.phase is Phase.READY and terminal.operated:
        return words["headline.ready_to_be_recorded"]
    withdrawn = terminal.state.withdrawn is not None
    if not withdrawn and not terminal.may_be_recorded:
        return words["headline.refused_consent"]
    return words[f"headline.{terminal.phase}"]


def message(terminal: Terminal, linked: bool) -> str:
    """Return what is wrong, or was said last; empty when there is nothing to say."""
    words = words_for(terminal)
    if terminal.message:
        return words.of(terminal.message)
    if terminal.lost_microphones:
        return words["message.microphone_gone"]
    return "" if linked else words["message.link_down"]


def talk_words(words: Words, profile: Profile | None) -> TalkWords:
    """The words of the talk button, by who ends a take."""
    if profile is None or profile.recording is not RecordingControl.ENDPOINTED:
        return TalkWords.of(words)
    by_itself = words["talk.ends_by_itself"]
    return TalkWords.of(
        words,
        to_press=words["talk.press_once"],
        pressed_key=by_itself,
        pressed_mouse=by_itself,
        unsure=words["talk.still_recorded"],
    )


def button(terminal: Terminal) -> TalkState:
    """Return what the talk button is to look like; it shows a press that no sound has answered by itself."""
    match terminal.phase:
        case Phase.READY if terminal.operated or not terminal.may_be_recorded:
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


def note(terminal: Terminal) -> str:
    """The sentence on the talk button: why nobody may talk now; empty if its own words say it all."""
    says_it_itself = (TalkState.RECORDING, TalkState.WORKING)
    look = button(terminal)
    if look in says_it_itself or (look is TalkState.READY and terminal.phase is not Phase.SPEAKING):
        return ""
    return headline(terminal)


def heard(terminal: Terminal, take: Take | None) -> str:
    """The line that says what was understood last."""
    return words_for(terminal)["message.understood"].format(text=take.transcriptions[-1]) if take else ""


def not_by_itself(terminal: Terminal) -> str:
    """Return what is said when the end of speech is not found any more."""
    return words_for(terminal)["message.not_by_itself"]
