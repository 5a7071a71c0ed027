"""What comes to a console in English from database, links, devices and closing check: all of it in the catalogue."""

import ast
import re
from collections.abc import Iterator

import pytest

from corpus.verify import session_check
from session.study.screen_words import CONSOLE_ENGLISH, RECORDED, ConsoleWords, console_strings
from tests import ROOT

ANYTHING = "7"
NEVER_SHOWN = "was not waited for"
"""Who stopped the engine herself is told so."""
OWN = {key: re.sub(r"\{(\w+)\}|[A-Za-z]", lambda found: found[0] if found[1] else "ж", said)
       for key, said in console_strings().items()}  # fmt: skip
"""Every string of the console without a Latin letter."""
MADE = (
    "There is no table 7.", "There is no table 7. Did you mean 7?",
    "There is no column 7.", "There is no column 7. Did you mean 7?",
    "The table 7 has no column 7.", "The table 7 has no column 7. Did you mean 7?", "The table 7 has no column 7. There are: 7.",
    "Not understood.", "Not understood because of: 7.", "Not understood: it refers to a request that was not understood.",
    "The domain database 7 is damaged; try again.",
    "The proposing engine at 7 returned nothing within 7 s; ask in English or SQL.",
    "the hub does not keep to the protocol: a second hello", "it cannot be exported: there is no session 7",
    "7: 7. Plug it in, close other programs that use it, or name another device (`curtain doctor` lists them)",
    "no input device: 7 was not found (7). Plug it in or name another one (`curtain doctor` lists them)",
)  # fmt: skip
"""Sentences that are made of parts."""


def sources(*names: str, folders: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The place and the text of each error of these names, with anything in its gaps."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") in names:
                    for argument in call.args:
                        if (text := filled(argument)) and " " in text:
                            yield f"{path.name}:{call.lineno}", text


def filled(node: ast.expr) -> str:
    """A text of the source, with anything in its gaps; empty where it is made elsewhere."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else ANYTHING for part in node.values)
    return ""


@pytest.mark.parametrize(
    ("names", "folders"),
    [
        (("QueryFailure",), ("domain/sandbox", "domain/query_backend.py", "domain/llm_proposal.py", "session/hub")),
        (("OutsideError",), ("session/transport",)),
        (("WireError",), ("session/protocol", "session/transport", "session/hub")),
        (("DeviceError",), ("session/audio/devices.py", "subject/capture")),
    ],
)
def test_every_error_that_a_console_shows_is_told_in_the_study_s_words(
    names: tuple[str, ...], folders: tuple[str, ...]
) -> None:
    found = dict(sources(*names, folders=folders))
    assert found
    told = ConsoleWords("en", OWN)
    shown = {place: text for place, text in found.items() if text != NEVER_SHOWN}
    assert {place: text for place, text in shown.items() if re.search("[A-Za-z]{2}", told.told(text))} == {}


@pytest.mark.parametrize("said", MADE)
def test_a_sentence_made_of_parts_is_told_with_the_reason_in_it(said: str) -> None:
    assert not re.search("[A-Za-z]{2}", ConsoleWords("en", OWN).told(said)), said
    assert CONSOLE_ENGLISH.told(said) == said


def test_what_the_closing_check_looks_into_is_in_the_catalogue_and_says_participant() -> None:
    known = set(console_strings().values())
    looked = {
        said for name, said in vars(session_check).items() if name.isupper() and isinstance(said, str) and " " in said
    }
    assert len(looked) > 7
    assert looked - known == set()
    tree = ast.parse((ROOT / "corpus/verify/session_check.py").read_text(encoding="utf-8"))
    told = ConsoleWords("en", OWN)
    problems = {
        text
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        and re.match("take|channel|the second|speaker|there is no", text := filled(node))
    }
    assert len(problems) > 6
    assert {
        text for text in problems if re.search("[A-Za-z]{2}", told.told(text).replace("curtain withdraw", ""))
    } == set()


def test_no_two_forms_of_the_tables_are_the_same_but_for_what_stands_in_their_brackets() -> None:
    forms = [re.sub(r"\{\w+\}", "{}", said) for key, said in console_strings().items() if key.startswith(RECORDED)]
    assert sorted({form for form in forms if forms.count(form) > 1}) == []
