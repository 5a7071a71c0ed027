"""Sentences of the hub for people: all of them in the catalogue, in the words of the study, and in the subject's language."""

import ast
import re
import string

import msgspec
import pytest

from session import commands as c
from session import events as e
from session.hub.history import links_stream
from session.study.screen_words import console_strings, console_words_of, shipped
from session.values.answers import FailureKind
from session.values.consent import ConsentScope
from session.values.vocabulary import Operator, Outcome, Stage, Step
from tests import ROOT
from tests.source_texts import SENTENCE, said
from tests.together.pipe import SESSION, Bench, PipedDesk, at, opened

SAYING = ("refused", "sentence", "refused_to_subject", "_objection_to_judging")
NOT_FOR_PEOPLE = re.compile(
    r"\n    a an the this .*|session %s.*|%s: %d facts about connections were not recorded|(free text|asked back|scenario over)"
    r"|attached again|connected again|the hub is closing|the desk connected again|what do you mean by "
    r"|a fault of this program beside a heartbeat.*|%s It is tried twice a second\.|The store answers again, .*"
    r"|the session (moves to another hub|is read anew, here or at another hub)",
    re.DOTALL,
)
"""Words of this program's own log, of the English front end, ends of machines' connections, and names that facts keep: nobody
reads them at a desk."""
FOLDERS = ("session/rules", "session/hub")
AT_THE_COMMAND_LINE = ("access_tokens.py", "server.py")


def worded(language: str, words: dict[str, str]) -> e.SessionOpened:
    plain = opened()
    return msgspec.structs.replace(
        plain, protocol=msgspec.structs.replace(plain.protocol, language=language, words=words)
    )


def test_every_sentence_of_the_rules_and_the_hub_is_in_the_catalogue() -> None:
    catalogue = [*console_strings().values(), *shipped("en").values()]
    parts = {text for words in catalogue for text, *_ in string.Formatter().parse(words)}
    found = [
        f"{path.name}:{line}: {text!r}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.name not in AT_THE_COMMAND_LINE
        for line, text in said(ast.parse(path.read_text(encoding="utf-8")))
        if SENTENCE.search(text) and not NOT_FOR_PEOPLE.fullmatch(text) and not any(text in part for part in parts)
    ]
    assert found == []


def test_every_refusal_has_its_string_and_every_string_of_refusals_is_used() -> None:
    used = {
        f"{'message' if call.func.id == 'refused_to_subject' else 'console_refusal'}.{name.value}"
        for path in (ROOT / "session" / "rules").glob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in SAYING and call.args
        for name in ast.walk(call.args[0])
        if isinstance(name, ast.Constant) and isinstance(name.value, str)
    }
    of_subjects = {key for key in used if key.startswith("message.")}
    assert len(of_subjects) >= 5
    assert of_subjects <= set(shipped("en"))
    assert used - of_subjects == {key for key in console_strings() if key.startswith("console_refusal.")}


def test_every_name_of_a_step_a_stage_an_outcome_and_a_failure_is_in_the_catalogue() -> None:
    names = [*Step, *Stage, *Outcome, *FailureKind, *ConsentScope, *Operator]
    assert {name.replace("_", " ") for name in names} - set(console_strings().values()) == set()


@pytest.mark.parametrize("language", ["de", "es"])
async def test_a_subject_is_refused_in_the_studys_language_a_wizard_in_its_words_and_the_links_keep_english(
    language: str,
) -> None:
    bench = Bench()
    own = {**shipped(language), "console_refusal.no_scenario": "Szenario {scenario} gibt es nicht."}
    await bench.hub.open(SESSION, worded(language, own))
    subject = await PipedDesk(bench, "t-subject", "sub").connect()
    wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
    await subject.give(c.GiveUp(id="g", at=at()))
    await wizard.give(c.StartScenario(id="s", scenario="moon"))
    assert subject.answers["g"] == shipped(language)["message.no_task_now"]
    assert wizard.answers["s"] == "Szenario moon gibt es nicht."
    kept = [recorded.event for recorded in bench.store.read(links_stream(SESSION))]
    reasons = [fact.reason for fact in kept if isinstance(fact, e.CommandRefused)]
    assert reasons == ["There is no task at the moment.", "There is no scenario moon."]
    await bench.close()


def test_what_a_session_keeps_in_english_is_shown_in_the_studys_words() -> None:
    words = console_words_of(worded("en", {"console_recorded.sound_not_kept": "der Ton ist weg: {why}"}).protocol)
    assert words.told("the hub cannot keep the sound: no space left") == "der Ton ist weg: no space left"
    assert words.told("the machine is late") == "the machine is late"
    assert words.told("what a person wrote") == "what a person wrote"
    both_parts = "a fault of this program: KeyError: 'x'; `curtain sessions STUDY --check` tries again"
    assert words.told(both_parts) == both_parts
