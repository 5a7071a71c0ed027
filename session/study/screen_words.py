"""The words on the screens: one catalogue, of which a study may put any string differently.

`words/en.toml` lists what participants read, in several languages; `words/console/en.toml` what wizards read, in English.
What a study says in `words.toml` goes before what ships in its language, and that before English. The words of a session are
in its protocol, so that a session that is resumed reads as it began.
"""

import re
import string
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from session.study.settings import Protocol
from session.study.toml_reader import StudyError, at, nearest, parsed
from session.values.consent import ConsentScope

SHIPPED = Path(__file__).parent / "words"
FILE = "words.toml"
ENGLISH_TAG = "en"
CONSOLE = "console_"
"""Beginning of the keys of what wizards read; none of these strings goes to a participant's desk."""
RECORDED = tuple(f"{CONSOLE}{table}." for table in ("recorded", "database", "check", "device", "link"))
"""The tables of strings that come to a console in English, or are stored so, and are shown in the study's words."""
_NO_LONGER = frozenset({"button.experimenter", "console_status.place", "key.answers", "view.all", "view.one"}) | {
    *(f"key.scroll_{where}" for where in ("up", "down", "left", "right", "home", "end")),
    *(f"key.whole_{where}" for where in ("up", "down", "left", "right")),
}
"""Strings of earlier versions that no screen has any more: a study that puts them differently goes on."""
_RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"})


class Words:
    """The words of one session; `own` are those that its protocol holds."""

    def __init__(self, language: str = ENGLISH_TAG, own: Mapping[str, str] | None = None) -> None:
        self.language = language
        self.own = own or {}

    def __getitem__(self, key: str) -> str:
        """The string of that key, such as `headline.ready`; raises KeyError."""
        return self.own.get(key) or shipped(self.language).get(key) or shipped(ENGLISH_TAG)[key]

    def of(self, english: str) -> str:
        """Return it in this session's words where the catalogue has the English string; otherwise the string itself."""
        key = _keys().get(english)
        return self[key] if key else english

    def told(self, recorded: str) -> str:
        """Return what a session keeps in English in these words, as far as the catalogue has it."""
        return self.of(recorded)

    def name(self, value: object) -> str:
        """Return the name of a step, a stage, an outcome or a kind of failure."""
        return self.of(str(value).replace("_", " "))

    @property
    def right_to_left(self) -> bool:
        """Return whether the language is written from right to left."""
        return primary(self.language) in _RIGHT_TO_LEFT


class ConsoleWords(Words):
    """The words of the wizards' screens; `own` are those that a study puts differently."""

    def __getitem__(self, key: str) -> str:
        """The string of that key; a widget that both desks have asks for a participant's, such as `view.none`."""
        own = key if key.startswith(CONSOLE) else f"{CONSOLE}{key}"
        return self.own.get(own) or console_strings().get(own) or shipped(ENGLISH_TAG)[key]

    def of(self, english: str) -> str:
        key = _console_keys().get(english)
        return self[key] if key else english

    def told(self, recorded: str) -> str:
        """Put it as a string of the tables does that reads so in English, with what is in its brackets; why something is so
        is a string of theirs, too."""
        for key, form in _recorded_forms():
            if found := form.fullmatch(recorded):
                parts = found.groupdict()
                return self[key].format(
                    **{name: self.told(part) if name == "why" else part for name, part in parts.items()}
                )
        return self.of(recorded)


def console_words_of(protocol: Protocol | None) -> ConsoleWords:
    """The words of a session's consoles."""
    return ConsoleWords(ENGLISH_TAG, console_part(protocol.words)) if protocol is not None else CONSOLE_ENGLISH


def console_part(words: Mapping[str, str]) -> dict[str, str]:
    """Return the strings for wizards among all that a protocol holds."""
    return {key: said for key, said in words.items() if key.startswith(CONSOLE)}


def participants_part(words: Mapping[str, str]) -> dict[str, str]:
    """Return the strings for participants among all that a protocol holds."""
    return {key: said for key, said in words.items() if not key.startswith(CONSOLE)}


def words_of(protocol: Protocol | None) -> Words:
    """The words of a session, English before it is known."""
    return Words(protocol.language, participants_part(protocol.words)) if protocol is not None else ENGLISH


def primary(language: str) -> str:
    """The first part of a language's tag.

    >>> primary("de-AT")
    'de'
    """
    return language.partition("-")[0].lower()


def languages() -> list[str]:
    """The tags of the languages that ship."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


@cache
def shipped(language: str) -> Mapping[str, str]:
    """The strings that ship in a language, by key; none if it does not ship."""
    path = SHIPPED / f"{primary(language)}.toml"
    return _flat(path, *parsed(path)) if path.is_file() else {}


@cache
def console_strings() -> Mapping[str, str]:
    """The strings that wizards read, by key."""
    path = SHIPPED / "console" / f"{ENGLISH_TAG}.toml"
    return _flat(path, *parsed(path))


@cache
def _recorded_forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return what the tables make of anything in their brackets, the longest first."""
    recorded = {key: said for key, said in console_strings().items() if key.startswith(RECORDED)}
    ordered = sorted(recorded, key=lambda key: -len(recorded[key]))
    return tuple((key, re.compile(_form(recorded[key]), re.DOTALL)) for key in ordered)


def _form(words: str) -> str:
    return "".join(
        re.escape(text) + (f"(?P<{name}>.+?)" if name else "") for text, name, _, _ in string.Formatter().parse(words)
    )


@cache
def _console_keys() -> Mapping[str, str]:
    return {english: key for key, english in console_strings().items()}


@cache
def _keys() -> Mapping[str, str]:
    return {english: key for key, english in shipped(ENGLISH_TAG).items()}


class Sentence(msgspec.Struct, frozen=True):
    """A string of the catalogue by its key, and what is in its brackets."""

    key: str
    values: Mapping[str, str] = {}

    def said(self, words: Words) -> str:
        """Return it in these words."""
        return words[self.key].format(**self.values)


ENGLISH = Words()
CONSOLE_ENGLISH = ConsoleWords()


def study_words(folder: Path, language: str) -> Words:
    """Every string as a study's participants read it: its own words, then those that ship; of the wizards' strings only those
    that the study puts differently. Raises StudyError."""
    english, path = shipped(ENGLISH_TAG), folder / FILE
    own = _checked(path, {**english, **console_strings()}) if path.is_file() else {}
    missing = [key for key in english if key not in own]
    if missing and not shipped(language):
        raise StudyError(
            f"{path}: `language` is {language!r}, which does not ship ({', '.join(languages())} do), and `{missing[0]}` "
            f"is missing, {len(missing)} of {len(english)} strings in all; put them in `{FILE}`"
        )
    return Words(language, {**english, **shipped(language), **own})


def _checked(path: Path, english: Mapping[str, str]) -> dict[str, str]:
    text, data = parsed(path)
    found = {key: words for key, words in _flat(path, text, data).items() if key not in _NO_LONGER}
    for key, words in found.items():
        place = at(path, text, tuple(key.split(".")))
        if key not in english:
            raise StudyError(f"{place}: `{key}` is not a string of the screens; {nearest(key, english)}")
        if not words.strip():
            raise StudyError(f"{place}: `{key}` is empty; remove the line to use the default: {english[key]!r}")
        wanted, given = placeholders(english[key]), _given(place, key, words)
        if wanted - given:
            name = sorted(wanted - given)[0]
            raise StudyError(f"{place}: `{key}` lacks {{{name}}}; put it where it belongs, as in {english[key]!r}")
        if given - wanted:
            name = sorted(given - wanted)[0]
            raise StudyError(f"{place}: nothing stands for {{{name}}} in `{key}`; take it out, or double the brackets")
    return found


def _given(place: str, key: str, words: str) -> set[str]:
    try:
        return placeholders(words)
    except ValueError as error:
        raise StudyError(f"{place}: `{key}`: {error}; double a bracket to show it: {{{{ }}}}") from error


def placeholders(words: str) -> set[str]:
    """Names in curly brackets; raises ValueError if a bracket stands alone.

    >>> sorted(placeholders("{at} of {count}"))
    ['at', 'count']
    """
    return {name for _, name, _, _ in string.Formatter().parse(words) if name is not None}


def _flat(path: Path, text: str, data: Mapping[str, object]) -> dict[str, str]:
    """Tables of strings as one table, keys joined by a dot; raises StudyError for anything else."""
    found = dict[str, str]()
    for table, strings in data.items():
        if not isinstance(strings, dict):
            raise StudyError(
                f"{at(path, text, (table,))}: `{table}` is not a table; strings are in tables, as in [talk]"
            )
        for name, words in strings.items():
            if not isinstance(words, str):
                raise StudyError(f"{at(path, text, (table, name))}: `{table}.{name}` is not a string; put it in quotes")
            found[f"{table}.{name}"] = words
    return found


def consent_sentences(words: Words, *, typed: bool) -> dict[str, str]:
    """Return the sentences to agree to, by scope; anyone who types is not asked for a voice."""
    own = (ConsentScope.RECORD, ConsentScope.TRANSCRIBE)
    return {
        scope.value: words[f"consent.{scope}_typed" if typed and scope in own else f"consent.{scope}"]
        for scope in ConsentScope
    }
