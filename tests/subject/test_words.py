"""A study's words on the screens that participants see: nothing English is left where German or Spanish was chosen."""

import re
from typing import Any

import msgspec
import pytest
from textual.binding import Binding
from textual.screen import Screen
from textual.widget import Widget

from desk.app import DeskApp
from desk.buttons import Buttons
from desk.keys.actions import plain_name
from desk.keys.footer import KeyFooter
from desk.keys.help import HelpScreen, help_lines
from desk.kiosk import CodePrompt, KioskApp
from desk.level_bar import MeterReading
from desk.talk.button import TalkButton
from desk.turn_stack import TurnStack
from session import events as e
from session.study.screen_words import ENGLISH, Words, shipped
from session.values.clock import Stamp
from session.values.vocabulary import RecordingControl, Step
from subject.app import SubjectApp
from subject.browser.view import parts
from subject.core.microphone_trial import MicrophoneTrial
from subject.screens.consent_screens import ConsentScreen, DebriefingScreen, InstructionsScreen, TextToRead, Tick
from subject.screens.form import Choices, FormScreen
from subject.screens.microphone import MicrophoneScreen
from subject.screens.session_screen import SessionScreen
from subject.screens.task_dialogs import GiveUpScreen, SolutionScreen, WithdrawScreen
from subject.widgets.scenario_sheet import ScenarioSheet
from tests.desk.regions import painted
from tests.subject.stage import Stage, settle

SCREENS: tuple[Any, ...] = (
    ConsentScreen, InstructionsScreen, DebriefingScreen, MicrophoneScreen, FormScreen, SessionScreen, SolutionScreen,
    GiveUpScreen, WithdrawScreen, CodePrompt,
)  # fmt: skip
PARTS: tuple[Any, ...] = (TextToRead, Tick, Choices, ScenarioSheet, TalkButton, TurnStack, Buttons, KeyFooter)
APPS: tuple[Any, ...] = (SubjectApp, KioskApp, DeskApp)


def english_keys(shown: str) -> list[str]:
    """The names of keys that stand on an English keyboard alone."""
    return re.findall(r"\b(?:SPACE|Enter|Backspace|Shift|Del|Home|End|PgUp|PgDn)\b", shown)


def in_language(stage: Stage, language: str, **own: str) -> Words:
    """Open the session again, in words of a language and those of a study."""
    opened = stage.desk.terminal.state.opened
    assert opened is not None
    words = {**shipped(language), **own}
    profile = msgspec.structs.replace(opened.protocol.profile, consent=True, steps=(Step.CONSENT, Step.SCENARIOS))
    protocol = msgspec.structs.replace(opened.protocol, profile=profile, language=language, words=words)
    stage.desk.tell(msgspec.structs.replace(opened, protocol=protocol))
    return Words(language, words)


@pytest.mark.parametrize("kind", [*SCREENS, *PARTS, *APPS], ids=lambda kind: kind.__name__)
def test_what_a_screen_declares_is_in_the_catalogue(kind: type[Screen[Any] | Widget]) -> None:
    known = set(shipped("en").values())
    bindings = [binding for binding in kind.BINDINGS if isinstance(binding, Binding)]
    said = {plain_name(binding) for binding in bindings} | {binding.tooltip for binding in bindings}
    said |= {binding.group.description for binding in bindings if binding.group}
    said |= {" ".join((getattr(kind, "HELP", "") or "").split())}
    assert said - known - {""} == set()
    assert {str(reading) for reading in MeterReading} <= known


@pytest.mark.parametrize("language", ["de", "es"])
async def test_the_terminal_speaks_the_language_of_the_study(language: str) -> None:
    stage = Stage()
    words = in_language(stage, language, **{"talk.ready": "Bitte – por favor"})
    async with stage.app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        shown = " ".join(painted(stage.app).split())
        for key in ("consent.record", "button.continue", "button.tick_all", "button.withdraw"):
            assert words[key] in shown
        assert words["key.enter"] in shown
        assert not english_keys(shown)
        stage.desk.tell(e.ConsentGiven(at=Stamp("s", 0, 0), version="1", sha256="", scopes={"record": True}))
        stage.desk.scenario()
        stage.desk.utterance("T1")
        await settle(pilot)
        shown = " ".join(painted(stage.app).split())
        for key in ("talk.to_be_patient", "talk.working", "turn.unheard", "button.solved", "task.title", "button.call"):
            assert words[key] in shown
        english = (
            "Solved",
            "Give up",
            "Task",
            "WORKING",
            "Undo",
            "Call",
            "Earlier",
            "Instructions",
            "microphone",
        )
        assert [word for word in english if word in shown] + english_keys(shown) == []
        stage.desk.tell(e.AnswerSent(reply="R1", take="T1", text="\n".join(map(str, range(60))), transcription=""))
        await settle(pilot)
        assert "Bitte – por favor" in painted(stage.app)
        assert words["view.some"].split()[0] in painted(stage.app)
        await pilot.press("f7")
        await settle(pilot)
        assert words["button.give_up_no"] in painted(stage.app)
        await pilot.press("escape", "f6")
        await settle(pilot)
        assert words["question.solution"] in painted(stage.app)
        await pilot.press("escape", "f1")
        await settle(pilot)
        assert words["help.title"] in painted(stage.app)
        assert not english_keys(painted(stage.app))
        assert isinstance(stage.app.screen, HelpScreen)
        helped = " ".join(" ".join(stage.app.screen.lines).split())
        for key in ("button.solved", "key.scroll", "key.next_part", "key.part_before", "key.copy"):
            assert words[key] in helped
        assert not re.search("Focus|Page|Copy|Scroll", helped)
        assert helped.index(words["button.solved"]) < helped.index(words["key.scroll"]), "the product's own come first"


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_whoever_types_is_not_asked_for_a_voice(language: str) -> None:
    """On the page; terminal and paper have the same sentences."""
    for recording, key in ((RecordingControl.TYPED, "consent.record_typed"), (RecordingControl.HOLD, "consent.record")):
        stage = Stage(recording=recording)
        words = in_language(stage, language)
        station = dict(parts(stage.desk.terminal, MicrophoneTrial()))["station"]
        assert station
        assert station["scopes"][0] == {"id": "record", "text": words[key], "ticked": False}


def test_the_page_has_the_same_words_its_language_and_its_direction() -> None:
    stage = Stage()
    words = in_language(stage, "de", **{"page.key": "Leerzeichen"})
    shown = dict(parts(stage.desk.terminal, MicrophoneTrial()))
    settings, station, screen = shown["settings"], shown["station"], shown["screen"]
    assert settings
    assert station
    assert screen
    assert (settings["lang"], settings["dir"], settings["labels"]["solved"]) == ("de", "ltr", "Gelöst")
    assert "Leerzeichen" in settings["button"]["looks"]["ready"]["hint"]
    assert station["scopes"][0]["text"] == words["consent.record"]
    assert screen["headline"] == words["headline.consent"]
    in_language(stage, "ar")
    again = dict(parts(stage.desk.terminal, MicrophoneTrial()))["settings"]
    assert again
    assert (again["lang"], again["dir"], again["labels"]["solved"]) == ("ar", "rtl", ENGLISH["button.solved"])


async def test_a_participant_s_help_does_not_list_how_a_line_of_text_is_edited() -> None:
    stage = Stage(recording=RecordingControl.TYPED)
    stage.desk.tell(e.ScenarioStarted(number=1, scenario="", title="A", text="B", kind=""))
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        lines = "\n".join(help_lines(stage.app.screen))
        assert "Stop taking part" in lines
        assert [name for name in ("Editing text", "Cursor", "Focus Next", "Copy selected") if name in lines] == []
