from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from textual import events
from textual.app import App
from textual.pilot import Pilot

from annotator.app import TranscriptionApp
from annotator.screens.desk import TranscribingScreen
from annotator.widgets.waveform import Waveform
from desk.dialogs import Choose
from desk.inert import ForeignText
from session.transcript import State
from session.workfacts import Pass
from tests.annotator.desk import FIRST, LAST, LSN, SRO, TEXT, WAV, Lab
from tests.desk.regions import assert_laid_out, each_size, painted

SECOND = "8k8021sx"


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    lab = Lab(tmp_path)
    yield lab
    lab.close()


def screen(app: App[Any]) -> TranscribingScreen:
    assert isinstance(app, TranscriptionApp)
    return app.transcribing


def said(app: App[Any]) -> str:
    return screen(app).query_one("#said", ForeignText).text


async def written(pilot: Pilot[Any], text: str) -> None:
    """Type a text in place of the one that is there."""
    await pilot.press("alt+a", "delete")
    for char in text:
        await pilot.press("space" if char == " " else char)


async def test_an_utterance_is_transcribed_and_submitted_by_keys_alone(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        assert screen(app).sheet.text == TEXT
        await pilot.press("end", *" ok", "alt+f", "ctrl+s")
        await pilot.pause()
        assert "submitted and stands in the corpus" in said(app)
        assert screen(app)._desk.opened.item.stem == SECOND
    assert lab.text(SRO) == f"{TEXT} ok-\n"
    assert lab.text(LSN) == f"{TEXT} ok-\n".upper()


async def test_an_alt_key_that_comes_in_two_pieces_is_that_key_all_the_same(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await written(pilot, "ab")
        await pilot.press("circumflex_accent", "u")
        await pilot.pause()
        assert screen(app).sheet.text == "(( ab ))"
        await pilot.press("circumflex_accent", "circumflex_accent", "left", *"u")
        assert screen(app).sheet.text == "(( abu ))"


async def test_the_conventions_are_checked_while_typing_with_the_place(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await written(pilot, "show 7 flights")
        await pilot.pause()
        assert "!!   6  digits in '7'; write numbers in words" in painted(app)
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert said(app).startswith("Column 6: digits")
        await pilot.press("f10", *"seven")
        assert screen(app).sheet.text == "show seven flights"
        await pilot.pause()
        assert "√ keeps the conventions" in painted(app)


async def test_every_mark_has_a_key(lab: Lab) -> None:
    app = lab.app()
    marks = {
        "alt+u": "(( ab ))", "alt+d": "<ab>", "alt+m": "*ab*", "alt+f": "ab-", "alt+s": "!ab", "alt+l": "ab:",
        "alt+p": "ab .", "alt+i": "ab [unintelligible]", "alt+t": "ab ~", "alt+z": "~~",
    }  # fmt: skip
    async with app.run_test() as pilot:
        for key, expected in marks.items():
            await written(pilot, "ab")
            await pilot.press(key)
            assert screen(app).sheet.text == expected, key


async def test_a_terminal_that_sends_a_letter_with_alt_puts_no_letter_into_the_text(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await written(pilot, "ab")
        for letter in "uq":
            app.post_message(events.Key(f"alt+{letter}", letter))
            await pilot.pause()
        assert screen(app).sheet.text == "(( ab ))"


async def test_noises_and_hesitations_are_chosen_by_a_letter(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await written(pilot, "ab")
        await pilot.press("alt+h", "e")
        await pilot.pause()
        assert screen(app).sheet.text == "ab [uh]"
        await pilot.press("alt+n", "a", "a")
        await pilot.pause()
        assert screen(app).sheet.text == "ab [uh] [cough]"
        await pilot.press("alt+n", "escape")
        await pilot.press("home", "shift+right", "shift+right", "alt+n", "h", "o")
        await pilot.pause()
        assert screen(app).sheet.text == "[tongue_click/] ab [/tongue_click] [uh] [cough]"


async def test_going_on_keeps_what_was_written_and_coming_back_finds_it(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await written(pilot, "show me")
        await pilot.press("pagedown")
        await pilot.pause()
        assert screen(app)._desk.opened.item.stem == SECOND
        await pilot.press("pageup")
        await pilot.pause()
        assert screen(app).sheet.text == "show me"
        await pilot.press("pageup")
        await pilot.pause()
        assert said(app) == "There is none before it"


async def test_leaving_keeps_what_was_written(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await written(pilot, "show me")
        await pilot.press("ctrl+q")
        await pilot.pause()
    assert lab.at().opened.text == "show me"


async def test_leaving_is_asked_about_when_the_text_cannot_be_kept(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await written(pilot, "show me")
        lab.at(name="ben").revise("other words")
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert isinstance(app.screen, Choose)
        await pilot.press("n")
        await pilot.pause()
        assert app.is_running
        assert screen(app).sheet.text == "show me"
        assert "Somebody else" in said(app)


async def test_a_stretch_is_set_by_ear_played_over_and_over_and_let_go(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        listening = screen(app)._listening
        await pilot.press("f3")
        lab.loudspeaker.step(3)
        await pilot.press("f7")
        lab.loudspeaker.step(3)
        await pilot.press("f8", "f6")
        assert (listening.stretch.first, listening.stretch.last) == (960, 1920)  # type: ignore[union-attr]
        assert listening.loop
        assert listening.playing
        await pilot.press("alt+1", "alt+4", "f4")
        assert (listening.stretch.first, listening.stretch.last) == (640, 2240)  # type: ignore[union-attr]
        assert listening.speed == 0.85
        await pilot.press("escape", "escape")
        assert listening.stretch is None
        assert not listening.playing


async def test_the_waveform_shows_the_stretch_and_what_will_be_masked(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        await pilot.press("f3")
        lab.loudspeaker.step(3)
        await pilot.press("f7", "f3", "home", *["ctrl+right"] * 5, "shift+end", "f9")
        await pilot.pause(0.15)
        assert "{{" in screen(app).sheet.text
        text = "\n".join(line for line in painted(app).splitlines() if "#" in line)
        assert text.count("#") > 10
        assert "1 stretch will be masked" in painted(app)
        assert len(screen(app)._desk.transcript.spans) == 1
        await pilot.press("escape", "escape", "f9")
        await pilot.pause()
        assert screen(app)._desk.transcript.spans == {}
        assert "{{" not in screen(app).sheet.text


async def test_masking_needs_a_stretch_of_sound(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        await pilot.press("f9")
        assert said(app).startswith("Set the stretch first")
        assert screen(app).sheet.text == TEXT


async def test_the_filter_and_the_list_lead_to_what_is_left_to_do(lab: Lab) -> None:
    lab.at().submit(TEXT)
    app = lab.app("ben")
    async with app.run_test() as pilot:
        await pilot.press("ctrl+f", "c")
        await pilot.pause()
        assert [item.stem for item in screen(app).shown_items()] == [FIRST]
        await pilot.press("ctrl+f", "a", "ctrl+l", "end", "enter")
        await pilot.pause()
        assert screen(app)._desk.opened.item.stem == LAST


async def test_a_second_person_checks_with_the_same_key_and_the_first_one_cannot(lab: Lab) -> None:
    lab.at().submit(TEXT)
    app = lab.app("anna")
    async with app.run_test() as pilot:
        await pilot.pause()
        assert screen(app).sheet.read_only
        await pilot.press("x", "ctrl+s")
        assert "second person" in said(app)
    app = lab.app("ben")
    async with app.run_test() as pilot:
        await pilot.pause()
        assert "ben: checking" in painted(app)
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert f"{FIRST} is checked" in said(app)
    assert lab.person().items(State.CHECKED)[0].stem == FIRST


async def test_what_is_checked_is_reopened_with_a_reason(lab: Lab) -> None:
    lab.at().submit(TEXT)
    app = lab.app("ben")
    async with app.run_test() as pilot:
        await pilot.press("ctrl+r", *"door", "enter")
        await pilot.pause()
        assert "! reopened: door" in painted(app)
        assert not screen(app).sheet.read_only


async def test_the_pass_is_turned_by_a_key_and_recorded(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.press("ctrl+t", "end", "alt+t", "enter")
        await pilot.pause()
        assert "anna: now noises and marks" in painted(app)
        assert screen(app)._desk.transcript.during is Pass.EVENTS


async def test_the_wizards_text_can_be_begun_with_anew_and_undone(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await written(pilot, "ab")
        await pilot.press("ctrl+w")
        assert screen(app).sheet.text == TEXT
        await pilot.press("ctrl+z")
        assert screen(app).sheet.text == "ab"


async def test_text_from_the_corpus_cannot_steer_the_screen(lab: Lab) -> None:
    log = lab.root / "spon/8k8/1/8k8001sx.log"
    log.write_text(log.read_text("utf-8").replace("Show me flights from", "[bold]\u202e me flights from"), "utf-8")
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        assert "[bold]⇄ me flights" in painted(app)


async def test_the_layout_holds_at_every_size_with_many_problems_and_a_long_text(lab: Lab) -> None:
    async def crowded(app: App[Any], pilot: Pilot[Any]) -> None:
        screen(app).sheet.load("7 " * 150)
        await pilot.press("f3")
        lab.loudspeaker.step(3)
        await pilot.press("f7")

    await each_size(lambda: lab.app(), crowded)


async def test_the_windows_are_laid_out(lab: Lab) -> None:
    for key in ("alt+n", "alt+h", "ctrl+l", "ctrl+f", "ctrl+r", "f1"):
        app = lab.app()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(key)
            await pilot.pause()
            assert app.screen is not screen(app), key
            assert_laid_out(app)


async def test_an_utterance_without_sound_can_be_transcribed(lab: Lab) -> None:
    lab_app = lab.app()
    lab_app.transcribing._desk._sound = lambda utterance: (np.zeros(0, np.int16), 16_000, False)  # type: ignore[method-assign]
    async with lab_app.run_test() as pilot:
        await pilot.pause()
        assert "no waveform of this utterance" in painted(lab_app)
        await pilot.press("f3", "f7", "f8", "alt+left")
        await pilot.press("ctrl+s")
        await pilot.pause()
    assert lab.text(SRO) == f"{TEXT}\n"


async def test_a_desk_at_rest_paints_nothing(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        strip = screen(app).query_one(Waveform)
        painted_again: list[object] = []
        strip.refresh = lambda *_, **__: painted_again.append(1) or strip  # type: ignore[method-assign, func-returns-value]
        for _ in range(5):
            screen(app)._place()
        assert painted_again == []
        screen(app)._player.seek(3_000)
        screen(app)._place()
        assert len(painted_again) == 1


async def test_the_strip_is_as_wide_as_the_window(lab: Lab) -> None:
    app = lab.app(theme="plain")
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        strip = app.screen.query_one(Waveform)
        assert len(strip._peaks) == strip.content_size.width > 150


async def test_an_utterance_that_cannot_be_opened_is_passed_over_and_named(lab: Lab) -> None:
    (lab.root / WAV.replace("8k8011", "8k8021")).write_bytes(b"no sound")
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.press("pagedown")
        await pilot.pause()
        assert screen(app)._desk.opened.item.stem == "8k8031sx"
        assert said(app) == "8k8021sx cannot be opened (curtain verify says why)"


async def test_where_else_the_masked_words_stand_is_said_and_shown(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        screen(app)._desk.mark(1000, 2000)
        screen(app).sheet.load("show me {{ hotels }} please")
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert said(app) == f"{FIRST} is submitted; another one has words masked elsewhere: Ctrl+F, N"
        await pilot.press("pageup", "ctrl+f", "n")
        await pilot.pause()
        assert screen(app)._desk.opened.item.stem == SECOND
        assert [item.stem for item in screen(app).shown_items()] == [SECOND]
