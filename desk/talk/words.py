"""Every word and sign on the talk button, in one place, so that a study can have it in another language or tone."""

from dataclasses import dataclass

from desk.talk.gate import Control, Grip

SIGNS = {"ready": "( ● )", "opening": "( … )", "recording": "■ ■ ■", "working": "· · ·", "blocked": "─ × ─"}


@dataclass(frozen=True)
class TalkWords:
    """Every word that the button can show; `{key}` stands for the talk key."""

    ready: str = "READY"
    opening: str = "WAIT"
    recording: str = "RECORDING"
    working: str = "WORKING"
    blocked: str = "NOT NOW"
    to_hold: str = "Hold {key} down, or this button with the mouse, while you talk"
    to_hold_mouse: str = "Press {key} to start and again to stop, or hold this button with the mouse"
    to_press: str = "Press {key} or click here to start, and again to stop"
    to_wait: str = "Talk when this says RECORDING"
    held_key: str = "Let go of {key} when you have finished"
    pressed_key: str = "Press {key} again when you have finished"
    held_mouse: str = "Let go of the mouse button when you have finished"
    pressed_mouse: str = "Click again when you have finished"
    unsure: str = "You are still being recorded: press {key} again when you have finished"
    elsewhere: str = ""
    to_be_patient: str = "Your request is being processed"
    to_come: str = "Please wait"

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
