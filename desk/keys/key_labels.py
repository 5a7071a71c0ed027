"""Labels of keys as printed on a keyboard, shared by buttons, footers and help."""

from session.study.screen_words import ENGLISH, Words

_KEYCAPS = {
    "escape": "Esc", "enter": "Enter", "tab": "Tab", "pageup": "PgUp", "pagedown": "PgDn", "delete": "Del", "home": "Home",
    "end": "End", "backspace": "Backspace", "up": "↑", "down": "↓", "left": "←", "right": "→", "question_mark": "?",
    "slash": "/", "full_stop": ".", "comma": ",", "plus": "+", "minus": "-", "at": "@",
}  # fmt: skip


def key_name(key: str, words: Words = ENGLISH) -> str:
    """A key as it is printed on a keyboard for the language of these words.

    >>> key_name("space"), key_name("ctrl+t"), key_name("f9"), key_name("ctrl+delete", Words("de"))
    ('SPACE', 'Ctrl+T', 'F9', 'Strg+Entf')
    """
    *modifiers, last = key.split("+")
    printed = [*(modifier.capitalize() for modifier in modifiers), _KEYCAPS.get(last, last.upper())]
    return worded_key("+".join(printed), words)


def worded_key(printed: str, words: Words) -> str:
    """A key as it is printed on an English keyboard, as it is on one for the language of these words."""
    return "+".join(words.of(cap) for cap in printed.split("+"))
