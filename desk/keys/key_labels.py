"""Keys as they are printed on a keyboard, for buttons, footers and help alike, so that all three say the same."""

_KEYCAPS = {
    "escape": "Esc", "enter": "Enter", "tab": "Tab", "pageup": "PgUp", "pagedown": "PgDn", "delete": "Del", "home": "Home",
    "end": "End", "backspace": "Backspace", "up": "↑", "down": "↓", "left": "←", "right": "→", "question_mark": "?",
    "slash": "/", "full_stop": ".", "comma": ",", "plus": "+", "minus": "-", "at": "@",
}  # fmt: skip


def key_name(key: str) -> str:
    """A key as it is printed on the keyboard.

    >>> key_name("space"), key_name("ctrl+t"), key_name("f9")
    ('SPACE', 'Ctrl+T', 'F9')
    """
    *modifiers, last = key.split("+")
    return "+".join([*(modifier.capitalize() for modifier in modifiers), _KEYCAPS.get(last, last.upper())])
