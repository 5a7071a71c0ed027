"""Every word and sign on the talk button, from the catalogue of `session.study.screen_words`."""

from dataclasses import dataclass, fields

from desk.talk.gate import Control, Grip
from session.study.screen_words import ENGLISH, Words

SIGNS = {"ready": "○", "opening": "…", "recording": "●", "working": "···", "blocked": "×"}


@dataclass(frozen=True)
class TalkWords:
    """Every word that the button can show; `{key}` stands for the talk key."""

    ready: str = ENGLISH["talk.ready"]
    opening: str = ENGLISH["talk.opening"]
    recording: str = ENGLISH["talk.recording"]
    working: str = ENGLISH["talk.working"]
    blocked: str = ENGLISH["talk.blocked"]
    to_hold: str = ENGLISH["talk.to_hold"]
    to_hold_mouse: str = ENGLISH["talk.to_hold_mouse"]
    to_press: str = ENGLISH["talk.to_press"]
    to_wait: str = ENGLISH["talk.to_wait"]
    held_key: str = ENGLISH["talk.held_key"]
    pressed_key: str = ENGLISH["talk.pressed_key"]
    held_mouse: str = ENGLISH["talk.held_mouse"]
    pressed_mouse: str = ENGLISH["talk.pressed_mouse"]
    unsure: str = ENGLISH["talk.unsure"]
    elsewhere: str = ""
    to_be_patient: str = ENGLISH["talk.to_be_patient"]
    to_come: str = ENGLISH["talk.to_come"]

    @classmethod
    def of(cls, words: Words, **instead: str) -> "TalkWords":
        """The button's words in those of a session, some of them others."""
        listed = {field.name: words[f"talk.{field.name}"] for field in fields(cls) if field.name != "elsewhere"}
        return cls(**(listed | instead))

    def hint(self, look: str, grip: Grip | None, control: Control, releases_agreed: bool) -> str:
        """Return what to do now, for a look of the button (a key of `SIGNS`) and whatever keeps a take going."""
        match look:
            case "opening":
                return self.to_wait
            case "recording":
                return self._how_to_end(grip)
            case "working":
                return self.to_be_patient
            case "blocked":
                return self.to_come
        if control is Control.PRESS:
            return self.to_press
        return self.to_hold if releases_agreed else self.to_hold_mouse

    def _how_to_end(self, grip: Grip | None) -> str:
        ways = {
            Grip.KEY_HELD: self.held_key,
            Grip.KEY_PRESSED: self.pressed_key,
            Grip.MOUSE_HELD: self.held_mouse,
            Grip.MOUSE_PRESSED: self.pressed_mouse,
        }
        return self.elsewhere if grip is None else ways[grip]
