"""TOML files of a study, read strictly: every error names the file, the line, the key, what was found and what would be right.

msgspec checks the values; what it cannot say (where in the file, and which name was probably meant) is added here.
"""

import datetime
import difflib
import enum
import re
import tomllib
import types
import typing
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

Kind = TypeVar("Kind")
Steps = tuple[str | int, ...]

_WHERE = re.compile(r"(?P<what>.*?)(?: - at `(?P<path>[^`]*)`)?", re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?")
_PART = re.compile(r""""[^"]*"|'[^']*'|[\w-]+""")
_KEY = re.compile(rf"\s*((?:{_PART.pattern})(?:\s*\.\s*(?:{_PART.pattern}))*)\s*=")


class StudyError(Exception):
    """A file of a study is at fault; the message says which, where, what was found and what to do."""


def nearest(name: str, valid: Iterable[str]) -> str:
    """A hint at the valid name that was probably meant, or at all of them when there are few."""
    names = sorted(valid)
    if close := difflib.get_close_matches(name, names, 1, 0.6):
        return f"did you mean `{close[0]}`?"
    return (
        f"it may be {', '.join(f'`{name}`' for name in names)}"
        if 0 < len(names) <= 12
        else "look it up in the documentation"
    )


def read(path: Path, kind: type[Kind], given: Mapping[str, Any] | None = None) -> Kind:
    """The file at `path` as a `kind`; `given` fills keys that it leaves out. Raises StudyError."""
    text, data = parsed(path)
    data = {**(given or {}), **_plain(data)}
    _refuse_unknown(path, text, data, kind)
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise StudyError(_explained(path, text, data, kind, str(error))) from error


def converted(data: Mapping[str, Any], kind: type[Kind], path: Path, within: Steps) -> Kind:
    """Return what stands at the steps `within` of the file at `path`, completed to `data`, as a `kind`; raises StudyError."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        raise StudyError(_explained(path, text, data, kind, str(error), within)) from error


def parsed(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a TOML file and what it says; raises StudyError."""
    try:
        text = path.read_bytes().decode()
        return text, tomllib.loads(text)
    except OSError as error:
        raise StudyError(f"{path}: it cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise StudyError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise StudyError(_syntax(path, str(error))) from error
    except RecursionError as error:
        raise StudyError(f"{path}: brackets are nested too deep; no file of a study needs that") from error


def at(path: Path, text: str, steps: Steps) -> str:
    """`path`, and the line of a key where it can be told."""
    line = line_of(text, steps)
    return f"{path}:{line}" if line else str(path)


_KEY_TOLD = re.compile(r"[`\[]((?:design|factor|condition|domains)\.[^`\]\s]+)[`\]]")


def fault(path: Path, problem: str) -> StudyError:
    """Return a problem with a file as an error, with the line of the first key of a design or a condition that it names."""
    told = _KEY_TOLD.search(problem)
    text = path.read_text(encoding="utf-8") if told and path.is_file() else ""
    return StudyError(f"{at(path, text, tuple(told[1].split('.'))) if told else path}: {problem}")


def _syntax(path: Path, message: str) -> str:
    found = re.search(r"\(at line (\d+), column (\d+)\)", message)
    what = message.split(" (at ")[0]
    return f"{path}:{found[1]}: {what} in column {found[2]}; this is not TOML" if found else f"{path}: {message}"


def _plain(value: Any) -> Any:
    """Dates as the texts that our settings hold."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else value


def _refuse_unknown(path: Path, text: str, data: Any, kind: Any, steps: Steps = ()) -> None:
    fields = _fields(kind)
    if isinstance(data, dict) and fields is not None:
        for key in data:
            if key not in fields:
                place = at(path, text, (*steps, key))
                raise StudyError(f"{place}: `{_shown((*steps, key))}` is not a key here; {nearest(key, fields)}")
    children = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in children:
        _refuse_unknown(path, text, value, _inside(kind, key), (*steps, key))


def _explained(path: Path, text: str, data: Any, kind: Any, message: str, within: Steps = ()) -> str:
    found = _WHERE.fullmatch(message)
    what = found["what"] if found else message
    steps: Steps = tuple(
        int(index) if index.isdigit() else name or index
        for name, index in _STEP.findall((found and found["path"]) or "")
    )
    steps = _named(data, kind, steps)
    whole = (*within, *steps)
    if missing := re.fullmatch(r"Object missing required field `(\w+)`", what):
        return f"{at(path, text, whole)}: `{_shown((*whole, missing[1]))}` is missing"
    if named := re.match(r"`(\w+)`", what):
        place = f"`{_shown(within)}`: " if within else ""
        return f"{at(path, text, (*whole, named[1]))}: {place}{what}"
    value = _value(data, steps)
    if what.startswith("Invalid enum value"):
        valid = [str(member.value) for member in _members(_type_at(kind, steps))]
        return f"{at(path, text, whole)}: `{_shown(whole)}` cannot be {value!r}; {nearest(str(value), valid)}"
    if what.startswith("Expected"):
        return f"{at(path, text, whole)}: `{_shown(whole)}`: {what[0].lower()}{what[1:]}; found {value!r}"
    return f"{at(path, text, whole)}: {f'`{_shown(whole)}`: ' if whole else ''}{what}"


def _named(data: Any, kind: Any, steps: Steps) -> Steps:
    """Return the steps with the key of each table that any name may have, which msgspec tells as `...`: the first at fault."""
    found: list[str | int] = []
    for step in steps:
        inner = _inside(kind, step)
        if step == "..." and isinstance(data, dict):
            step = next((key for key, value in data.items() if not _converts(value, inner)), step)
        found.append(step)
        data, kind = _value(data, (step,)), inner
    return tuple(found)


def _converts(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _shown(steps: Steps) -> str:
    return "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")


def _value(data: Any, steps: Steps) -> Any:
    for step in steps:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return "something else"
    return data


def _parts(kind: Any) -> tuple[Any, ...]:
    """The members of a union, None left out; otherwise the type alone."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return tuple(part for part in typing.get_args(kind) if part is not type(None))
    return (kind,)


def _fields(kind: Any) -> dict[str, Any] | None:
    for part in _parts(kind):
        if isinstance(part, type) and issubclass(part, msgspec.Struct):
            return _hints(part)
    return None


@cache
def _hints(part: type[msgspec.Struct]) -> dict[str, Any]:
    return typing.get_type_hints(part)


def _inside(kind: Any, step: str | int) -> Any:
    """The type of what is at one step within `kind`."""
    fields = _fields(kind)
    if fields is not None:
        return fields.get(str(step))
    arguments = typing.get_args(_parts(kind)[0])
    if not arguments:
        return None
    if isinstance(step, int) or step == "...":
        return arguments[0] if len(arguments) != 2 or arguments[1] is Ellipsis else arguments[1]
    return arguments[1] if len(arguments) == 2 else None


def _type_at(kind: Any, steps: Steps) -> Any:
    for step in steps:
        kind = _inside(kind, step)
    return kind


def _members(kind: Any) -> list[enum.Enum]:
    found: list[enum.Enum] = []
    for part in _parts(kind):
        if isinstance(part, type) and issubclass(part, enum.Enum):
            found += part
    return found


def line_of(text: str, steps: Steps) -> int:
    """The line on which the key, or the nearest table around it, stands; 0 when it cannot be told.

    >>> text = '[kind.town]\\ncolumn = "a.b"\\n[kind.town.also]\\n"a b" = "W"\\n[[join]]\\npath = ""\\n'
    >>> [line_of(text, steps) for steps in (("kind", "town", "also", "a b"), ("join", 0, "path"), ("kind", "town", "drop"))]
    [4, 6, 1]
    """
    lines = _lines_of_keys(text)
    while steps:
        if found := lines.get(steps):
            return found
        steps = steps[:-1]
    return 0


@lru_cache(maxsize=4)
def _lines_of_keys(text: str) -> dict[Steps, int]:
    lines: dict[Steps, int] = {}
    counts: dict[Steps, int] = {}
    table: Steps = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.fullmatch(line):
            table = _split(header[2])
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            elif table[:-1] in counts:
                table = (*table[:-1], counts[table[:-1]], table[-1])
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, *_split(key[1])), number)
    return lines


def _split(dotted: str) -> Steps:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))
