"""The wizards' words: all in the catalogue, put differently by a study, and none of them on a participant's desk."""

import ast
import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from textual.binding import Binding

from desk.dialogs import Choose, OptionRows, ReadLines
from session import events as e
from session.hub.attached_desk import HUB_CLOSES
from session.study.create import new
from session.study.folder import load
from session.study.screen_words import (
    CONSOLE_ENGLISH,
    ENGLISH,
    ENGLISH_TAG,
    console_strings,
    console_words_of,
    shipped,
    words_of,
)
from session.study.toml_reader import StudyError
from session.transport.websocket import LinkState
from session.visibility import for_subject
from tests import ROOT
from tests.desk.regions import painted
from tests.source_texts import SENTENCE, said
from tests.wizard.desk import HandPlayed
from wizard.app import WizardApp
from wizard.core import status_text
from wizard.core.console_actions import ACTIONS
from wizard.screens.console_screen import ConsoleScreen
from wizard.screens.session_check_screen import ClosingLight
from wizard.widgets.canned import CannedMessages
from wizard.widgets.fillable_field import BlanksEditor
from wizard.widgets.query import EnglishEditor, MenuEditor, SaidEditor, SqlEditor

DECLARING: tuple[Any, ...] = (
    WizardApp, ConsoleScreen, ClosingLight, BlanksEditor, CannedMessages, EnglishEditor, MenuEditor, SaidEditor, SqlEditor,
    Choose, OptionRows, ReadLines,
)  # fmt: skip
NO_WORDS_TO_READ = re.compile(
    r"(bold|reverse|italic|underline|\$[a-z]+| )+|\s*[A-Z]\w+ .*\{.*|curtain .*|What do you mean by "
    r"|\n    show tell give .*",
    re.DOTALL,
)
"""Styles, style sheets, commands, what an English front end begins its question with, words of requests."""
KEY = re.compile(r'"(?:console_)?((?:receipt|guide|banner|rail|status|turn|ask)\.[a-z_]+)"')


def test_every_key_and_every_help_of_the_console_is_in_the_catalogue_once_and_says_participant() -> None:
    strings = console_strings()
    known = set(strings.values())
    for kind in DECLARING:
        bindings = [binding for binding in kind.__dict__.get("BINDINGS", ()) if isinstance(binding, Binding)]
        said = {binding.description for binding in bindings} | {binding.tooltip for binding in bindings}
        said |= {" ".join((kind.__dict__.get("HELP") or "").split())}
        assert said - known == {""} & said, kind
    assert {action.does for action in ACTIONS} <= known
    assert [said for said, times in Counter(strings.values()).items() if times > 1] == []
    assert [key for key, said in strings.items() if re.search(r"(?i)\bsubject\b", said)] == []
    used = {key for path in Path("wizard").rglob("*.py") for key in KEY.findall(path.read_text(encoding="utf-8"))}
    assert len(used) > 60
    assert {f"console_{key}" for key in used} - set(strings) == set()


def test_no_sentence_of_the_console_stands_outside_of_the_catalogue() -> None:
    known = {*console_strings().values(), *shipped(ENGLISH_TAG).values()}
    found = [
        f"{path.name}:{node.line}: {node.value!r}"
        for folder in ("core", "screens", "widgets")
        for path in (ROOT / "wizard" / folder).rglob("*.py")
        for node in said(ast.parse(path.read_text(encoding="utf-8")))
        if SENTENCE.search(node.value) and node.value not in known and not NO_WORDS_TO_READ.fullmatch(node.value)
    ]
    assert found == []


async def test_a_study_puts_the_wizards_words_differently_and_no_participant_ever_gets_them(tmp_path: Path) -> None:
    plain = new(tmp_path / "study")
    own = (
        '[console_banner]\npaused = "PAUSE, die Uhr steht."\n[console_key]\nsend = "Senden"\n'
        '[console_guide]\nnext = "Jetzt: {what}"\n'
    )
    (plain.folder / "words.toml").write_text(own, encoding="utf-8")
    study = load(plain.folder)
    assert study.sha256 != plain.sha256
    protocol = study.protocol("1")
    assert console_words_of(protocol)["console_key.send"] == "Senden"
    assert not [key for key in words_of(protocol).own if key.startswith("console_")]
    desk = HandPlayed()
    opened = desk.console.state.opened
    assert opened is not None
    opened = msgspec.structs.replace(opened, protocol=msgspec.structs.replace(opened.protocol, words=protocol.words))
    shown = for_subject(opened, opened.protocol.profile)
    assert isinstance(shown, e.SessionOpened)
    assert shown.protocol.words
    assert not [key for key in shown.protocol.words if key.startswith("console_")]
    desk.tell(opened)
    desk.tell(e.SessionPaused(reason="lunch"))
    async with desk.app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        screen = painted(desk.app)
        assert "PAUSE, die Uhr steht." in screen
        assert "Senden" in screen
        assert "Jetzt: Alt+P goes on" in screen
    assert ENGLISH.of("Send") == "Send"
    (plain.folder / "words.toml").write_text('[console_banner]\nslow = "slow"\n', encoding="utf-8")
    with pytest.raises(StudyError, match=r"words\.toml:2: `console_banner\.slow` lacks \{ms\}"):
        load(plain.folder)


async def test_a_study_puts_the_mirror_the_sound_and_the_banners_of_machines_differently() -> None:
    own = {
        "console_mirror.please_wait": "bitte warten",
        "console_sound.none": "× kein Ton",
        "console_leave.no": "Bleiben",
    }
    desk = HandPlayed()
    opened = desk.console.state.opened
    assert opened is not None
    desk.tell(msgspec.structs.replace(opened, protocol=msgspec.structs.replace(opened.protocol, words=own)))
    async with desk.app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        screen = painted(desk.app)
        assert "[ bitte warten ]" in screen
        assert "× kein Ton" in screen
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert "Bleiben" in painted(desk.app)


def test_whatever_a_hub_sends_a_desk_away_with_is_in_the_catalogue() -> None:
    known = CONSOLE_ENGLISH
    leaving = {"leave", "dismiss", "give_up", "_close"}
    reasons = {
        text.value
        for path in [*(ROOT / "session" / "hub").rglob("*.py"), *(ROOT / "server").rglob("*.py")]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in leaving
        for argument in node.args
        for text in ast.walk(argument)
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and SENTENCE.search(text.value)
    }
    assert {HUB_CLOSES, *reasons} >= {"the token of this desk was renewed", "the desk connected again"}
    recorded = {said for key, said in console_strings().items() if key.startswith("console_recorded.")}
    assert {HUB_CLOSES, *reasons} - recorded == set()
    assert known.told(HUB_CLOSES) == HUB_CLOSES


async def test_a_trouble_of_the_store_is_said_in_the_words_of_the_study() -> None:
    desk = HandPlayed()
    said = (
        "The store a.sqlite was moved, removed or replaced while it is in use. Nothing of this was recorded. "
        "Put the very file back before you close this program; otherwise restore it from a copy."
    )
    opened = desk.console.state.opened
    assert opened is not None
    words = {"console_recorded.store_moved": "Datei {place} fehlt: {consequence}!"}
    protocol = msgspec.structs.replace(opened.protocol, words=words)
    desk.tell(msgspec.structs.replace(opened, protocol=protocol))
    desk.trouble(said)
    banners = status_text.banners(desk.console, LinkState(True), "")
    assert ("stop", "Datei a.sqlite fehlt: Nothing of this was recorded!") in banners
