"""The metadata of a new study, asked for where somebody sits at a terminal: what a release needs, and the language of the speech.

Every question can be passed over with Enter, and the end of input passes over all that follow. What is answered is written in
place of the commented lines of `study.toml`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import msgspec

from session.study.metadata import Creator, Metadata
from session.values.sanitize import one_line

QUESTIONS = {
    "title": "Title of the corpus",
    "description": "The data, the subjects and the method, in a sentence or two",
    "creators": "The authors, as `Family, Given ORCID; Family, Given` (the ORCID may be left out)",
    "licence": "Licence by its SPDX identifier, such as CC-BY-4.0, or LicenseRef-NAME",
    "contact": "Contact, an address of mail or https://…",
    "language": "Language of the speech, such as en-US",
}
"""Key of `[metadata]`, and how it is asked for."""
_ORCID = re.compile(r"\s+(?P<orcid>(?:[0-9]{4}-){3}[0-9]{3}[0-9X])$")


def asked(answers: TextIO, out: TextIO) -> dict[str, Any]:
    """Ask for the metadata on `out` and read them from `answers`; return what was answered, by key. A wrong answer is told of and
    asked for again."""
    out.write(
        "How is the corpus to be described and cited? Enter passes a question over; study.toml takes all of it later.\n"
    )
    given: dict[str, Any] = {}
    for key, question in QUESTIONS.items():
        while True:
            out.write(f"{question}: ")
            out.flush()
            line = answers.readline()
            if not line:
                out.write("\n")
                return given
            if not (text := one_line(line).strip()):
                break
            try:
                given |= _checked(key, text)
                break
            except (ValueError, msgspec.ValidationError) as error:
                out.write(f"  {error}\n")
    return given


def _checked(key: str, text: str) -> dict[str, Any]:
    value = _creators(text) if key == "creators" else text
    msgspec.convert({key: value}, Metadata)
    return {key: value}


def _creators(text: str) -> list[dict[str, str]]:
    """Creators out of a line.

    >>> _creators("Carberry, Josiah 0000-0002-1825-0097; A University")
    [{'name': 'Carberry, Josiah', 'orcid': '0000-0002-1825-0097'}, {'name': 'A University'}]
    """
    found: list[dict[str, str]] = []
    for part in filter(None, map(str.strip, text.split(";"))):
        orcid = _ORCID.search(part)
        one = {"name": part[: orcid.start()] if orcid else part} | ({"orcid": orcid["orcid"]} if orcid else {})
        msgspec.convert(one, Creator)
        found.append(one)
    return found


def write(settings: Path, given: Mapping[str, Any]) -> None:
    """Write what was answered into a new `study.toml`."""
    if not given:
        return
    text = settings.read_text(encoding="utf-8").replace("# [metadata]\n", "[metadata]\n", 1)
    for key, value in given.items():
        line = f"{key} = {_toml(value)}"
        text = re.sub(f"(?m)^# {key} = .*$", lambda _, line=line: line, text, count=1)  # type: ignore[misc]
    draft = settings.with_suffix(".part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(settings)


def _toml(value: str | Sequence[Mapping[str, str]]) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    tables = ("{ " + ", ".join(f"{name} = {_toml(text)}" for name, text in one.items()) + " }" for one in value)
    return f"[{', '.join(tables)}]"
