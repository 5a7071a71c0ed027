"""The desk as it is heard and seen: stretches, loops, masks, the strip."""

import numpy as np

from annotator.widgets.waveform_view import Waveform
from tests.annotator.desk import SRO, TEXT, Lab, said, screen
from tests.desk.regions import painted

SECOND = "8k8021sx"


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


async def test_words_that_are_marked_still_when_their_sound_is_not_lose_their_marks_by_the_same_key(lab: Lab) -> None:
    lab.at().mark(1000, 2000)
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        await pilot.press("end", *" {{ ok }}", "left", "left", "left", "f9")
        assert said(app).startswith("The words are not masked any more")
        assert screen(app).sheet.text == f"{TEXT} ok"
        await pilot.press("f9")
        assert said(app).startswith("Set the stretch first")
        assert len(screen(app)._desk.transcript.spans) == 1


async def test_an_utterance_without_sound_can_be_transcribed(lab: Lab) -> None:
    lab_app = lab.app()
    lab_app.transcribing._desk._sound = lambda utterance: (np.zeros(0, np.int16), 16_000, False)  # type: ignore[method-assign]
    async with lab_app.run_test() as pilot:
        await pilot.pause()
        assert "no waveform of this utterance" in painted(lab_app)
        await pilot.press("f3", "f7", "f8", "alt+left", "end", "f9")
        assert screen(lab_app).sheet.text == TEXT.replace("please", "{{ please }}")
        await pilot.press("ctrl+s")
        await pilot.pause()
    assert lab.text(SRO) == TEXT.replace("please", "[masked]") + "\n"


async def test_a_desk_at_rest_paints_nothing(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        strip = screen(app).query_one(Waveform)
        painted_again: list[object] = []
        strip.refresh = lambda *_, **__: painted_again.append(1) or strip  # type: ignore[method-assign]
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


async def test_the_strip_shows_half_as_much_at_a_key_and_says_which_seconds(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        assert "▲0 s" in painted(app)
        strip = app.screen.query_one(Waveform)
        before = strip._peaks
        await pilot.press("alt+right", "alt+up")
        await pilot.pause()
        assert strip._peaks != before
        assert strip._sight == screen(app)._listening.sight
        assert not strip._sight.whole
        await pilot.press("alt+down")
        await pilot.pause()
        assert strip._peaks == before


async def test_a_loop_that_nobody_listens_to_is_no_work(lab: Lab) -> None:
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.pause()
        attention = screen(app)._desk.attention
        await pilot.press("f6")
        worked = attention.worked
        for _ in range(9):
            lab.clock.wait(10)
            screen(app)._place()
        assert attention.worked == worked
        await pilot.press("f6", "f3")
        for _ in range(9):
            lab.clock.wait(10)
            screen(app)._place()
        assert attention.worked >= worked + 90 * 1_000_000_000
