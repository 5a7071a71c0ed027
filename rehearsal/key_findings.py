"""Findings of `curtain doctor --keys`: which of the keys that a desk needs the terminal keeps for itself, and what helps."""

from collections.abc import Iterator, Sequence

from corpus.formats.errors import counted
from desk.key_trial import KeyAnswer, KeyTrial, needed_keys
from desk.keys.key_labels import key_name
from rehearsal.checkup import CheckFinding, CheckLevel

DESKS = {"subject": "subject.app", "wizard": "wizard.app", "annotator": "annotator.app"}
"""The module of each desk's app."""
INDISPENSABLE = frozenset(("space", "enter", "escape", "up", "down", "left", "right", "tab"))
"""Nothing takes their place; for every other key there is a button, or the list of actions (Ctrl+O, Ctrl+P)."""
_GNOME = "gsettings set org.gnome.Terminal.Legacy.Settings"


def keys(desk: str) -> Iterator[CheckFinding]:
    """Ask for the keys of a desk of `DESKS` on this terminal, and tell which it keeps."""
    trial = KeyTrial(needed_keys(DESKS[desk]))
    answers = trial.run()
    yield from told(answers or [], trial.releases_agreed)


def told(answers: Sequence[KeyAnswer], releases: bool | None) -> Iterator[CheckFinding]:
    """Tell how many keys have arrived, each that has not, and whether the terminal says when a key is let go."""
    arrived = [answer for answer in answers if answer.arrived]
    level = CheckLevel.FINE if arrived else CheckLevel.FAULT
    asked = counted(len(answers), "key")
    yield CheckFinding(
        "keys", level, f"{len(arrived)} of {asked} asked for arrive", "ask for them again, in a terminal"
    )
    for answer in answers:
        if not answer.arrived:
            yield _kept(answer)
    held = (
        "held while one talks"
        if releases
        else "pressed to talk and pressed again: this terminal does not say when one is let go"
    )
    yield CheckFinding("talk key", CheckLevel.FINE, held)


def _kept(answer: KeyAnswer) -> CheckFinding:
    key = answer.needed.key
    came = f"comes as {key_name(answer.came)}" if answer.came else "does not arrive: the terminal keeps it"
    level = CheckLevel.FAULT if key in INDISPENSABLE else CheckLevel.WARNING
    return CheckFinding(key_name(key), level, f"{came} ({answer.needed.does})", remedy(key))


def remedy(key: str) -> str:
    """Return the setting that frees the key, in the most common terminals."""
    if key in INDISPENSABLE:
        return "use another terminal, or look at the key settings of this one"
    if key == "f10":
        return f"GNOME Terminal: {_GNOME} menu-accelerator-enabled false; XFCE: Preferences, Advanced, the menu shortcut key"
    if key == "f11":
        return "it fills the screen: take it away in the terminal's own key settings"
    if key == "f1":
        return "it opens the terminal's help: take it away in the terminal's own key settings"
    if key.startswith("alt+"):
        return f"GNOME Terminal: {_GNOME} mnemonics-enabled false; XFCE: Preferences, Advanced, the menu access keys"
    if key.startswith(("shift+page", "ctrl+page", "ctrl+shift+")):
        return "the terminal scrolls or changes its tabs with it: take it away in its key settings"
    return "the terminal, tmux or the desktop keeps it; every action has a button or is in the list of all actions"
