from typing import Any

import pytest
from textual import events
from textual.app import App
from textual.pilot import Pilot

from annotator.screens import transcription_screen
from desk.dialogs import Choose
from session.annotation.events import Pass
from session.annotation.transcript import TranscriptState
from tests.annotator.desk import FIRST, LAST, LSN, SRO, TEXT, WAV, Lab, said, screen
from tests.desk.regions import assert_laid_out, each_size, painted

SECOND = "8k8021sx"


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
        assert "submitted; the next export has it" in said(app)
        assert screen(app)._desk.opened.item.stem == SECOND
    assert lab.text(SRO) == f"{TEXT} ok-\n"
    assert lab.text(LSN) == f"{TEXT} ok-\n".upper()


async def test_the_beginning_of_a_text_of_several_rows_is_one_key_away(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test(size=(80, 24)) as pilot:
        await written(pilot, "word " * 20 + "end")
        await pilot.press("ctrl+home", "alt+t", "ctrl+end", "alt+t")
        assert screen(app).sheet.text == "~ " + "word " * 20 + "end ~"


async def test_a_held_ctrl_s_submits_nothing_that_nobody_has_looked_at(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        for _ in range(3):
            await pilot.press("ctrl+s")
            lab.clock.wait(0.6)
        await pilot.pause()
        assert [item.stem for item in screen(app)._desk.items(TranscriptState.SUBMITTED)] == [FIRST]
        assert "check this utterance" in said(app)
        lab.clock.wait(1)
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert [item.stem for item in screen(app)._desk.items(TranscriptState.SUBMITTED)] == [FIRST, SECOND]


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
        await pilot.press("alt+h", "u")
        await pilot.pause()
        assert screen(app).sheet.text == "ab [uh]"
        await pilot.press("alt+n", "c", "a")
        await pilot.pause()
        assert screen(app).sheet.text == "ab [uh] [cough]"
        await pilot.press("alt+n", "escape")
        await pilot.press("home", "shift+right", "shift+right", "alt+n", "n", "o")
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
        assert "Another person" in said(app)


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
        await pilot.press("enter")
        await pilot.pause()
        assert said(app) == "Kept. Ctrl+S checks it"
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert f"{FIRST} is checked" in said(app)
    assert lab.person().items(TranscriptState.CHECKED)[0].stem == FIRST


async def test_what_is_checked_is_reopened_with_a_reason(lab: Lab) -> None:
    lab.at().submit(TEXT)
    app = lab.app("ben")
    async with app.run_test() as pilot:
        await pilot.press("ctrl+r", *"door", "enter")
        await pilot.pause()
        assert "! reopened by ben: door" in painted(app)
        assert not screen(app).sheet.read_only


async def test_what_is_open_is_not_asked_why_it_is_reopened(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.press("ctrl+r")
        assert (said(app), app.screen) == ("It is open already", screen(app))


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
    for key in ("alt+n", "alt+h", "ctrl+l", "ctrl+f", "f1", "ctrl+r"):
        if key == "ctrl+r":
            lab.at().submit(TEXT)
        app = lab.app()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(key)
            await pilot.pause()
            assert app.screen is not screen(app), key
            assert_laid_out(app)


async def test_an_utterance_is_found_by_its_name_or_its_words(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        await pilot.press("ctrl+g", *"032S", "enter")
        await pilot.pause()
        assert screen(app)._desk.opened.item.stem == LAST
        await pilot.press("ctrl+g", *"From", "space", *"boston", "enter")
        await pilot.pause()
        assert screen(app)._desk.opened.item.stem == FIRST
        await pilot.press("ctrl+g", "enter")
        await pilot.pause()
        assert "'From boston'" in said(app)
        await pilot.press("ctrl+g", *"zeppelin", "enter")
        await pilot.pause()
        assert said(app).startswith("No other one has 'zeppelin' in it")
        assert screen(app)._desk.opened.item.stem == FIRST


async def test_what_was_done_is_shown_and_an_earlier_text_is_taken_back(lab: Lab) -> None:
    lab.at().submit("show me a flight")
    second = lab.at(name="ben")
    second.reopen("no a")
    second.submit("show me flights")
    app = lab.app("ben")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+r", *"why", "enter", "f5")
        await pilot.pause()
        lines = painted(app)
        assert "ben  reopened it: no a" in lines
        assert "anna  wrote (words first): show me a" in lines
        assert lines.index("ben  submitted it") < lines.index("anna  submitted it")
        await pilot.press("end", "up", "enter")
        await pilot.pause()
        assert screen(app).sheet.text == "show me a flight"


@pytest.mark.parametrize(
    ("key", "sheet", "kept"),
    [("t", "their words", "their words"), ("m", "my words", "my words"), ("escape", "my words", "")],
)
async def test_who_is_overtaken_chooses_between_two_texts_and_loses_neither(
    lab: Lab, key: str, sheet: str, kept: str
) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await written(pilot, "my words")
        lab.at(name="ben").revise("their words")
        await pilot.press("pagedown")
        await pilot.pause()
        assert "Another person has worked on this" in painted(app)
        await pilot.press(key)
        await pilot.pause()
        assert screen(app)._desk.opened.item.stem == FIRST
        assert screen(app).sheet.text == sheet
        assert lab.person().items()[0].transcript.text == (kept or "their words")
        if key == "t":
            await pilot.press("ctrl+up")
            assert screen(app).sheet.text == "my words"


async def test_letters_that_come_with_the_key_that_submits_are_in_what_is_submitted(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        for key in ("end", "space", "o", "h", "backspace", "k", "ctrl+s", "n", "o"):
            app.post_message(events.Key(key, " " if key == "space" else key if len(key) == 1 else None))
        await pilot.pause()
        await pilot.pause()
        assert lab.text(SRO) == f"{TEXT} ok\n"
        assert screen(app).sheet.text.endswith("no")


async def test_who_begins_is_told_how(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        assert said(app).startswith("F3 plays it")
        await pilot.press("f1")
        await pilot.pause()
        lines = app.screen.lines  # type: ignore[attr-defined]
        places = [lines.index(title) for title in ("Here", "On this screen", "Everywhere", "Editing text")]
        assert places == sorted(places)
        assert any("uncertain" in line for line in lines[: places[1]])
        assert not any("Cursor left" in line for line in lines[: places[3]])


async def test_what_was_typed_is_kept_shortly_after_the_last_key(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcription_screen, "KEEP_AFTER_S", 0.001)
    app = lab.app()
    async with app.run_test() as pilot:
        await written(pilot, "show me")
        for _ in range(100):
            await pilot.pause(0.01)
            if lab.person().items(TranscriptState.BEGUN):
                break
        assert [item.transcript.text for item in lab.person().items(TranscriptState.BEGUN)] == ["show me"]


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
