"""The desk when it is ended from without."""

import asyncio
import signal

import pytest

from annotator.screens.transcription_screen import TranscribingScreen
from tests.annotator.desk import FIRST, TEXT, Lab


@pytest.mark.parametrize("why", [signal.SIGHUP, signal.SIGTERM])
async def test_what_was_just_written_is_kept_when_the_terminal_is_closed(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, why: signal.Signals
) -> None:
    raised: list[tuple[int, object]] = []
    raise_signal = signal.raise_signal
    app = lab.app()
    async with app.run_test() as pilot:
        await pilot.press("end", *" ok")
        monkeypatch.setattr(signal, "raise_signal", lambda number: raised.append((number, signal.getsignal(number))))
        raise_signal(why)
        while app.is_running and not raised:
            await asyncio.sleep(0)
    assert lab.person().open(FIRST).text == f"{TEXT} ok"
    assert raised == ([(why, signal.SIG_DFL)] if why is signal.SIGHUP else [])
    assert signal.getsignal(why) == signal.SIG_DFL


async def test_a_desk_that_is_ended_before_it_has_opened_anything_has_nothing_to_keep(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []
    opening = TranscribingScreen._open

    def end_first(screen: TranscribingScreen, stem: str) -> bool:
        app.end(signal.SIGTERM)
        ended.append(stem)
        return opening(screen, stem)

    app = lab.app()
    monkeypatch.setattr(TranscribingScreen, "_open", end_first)
    async with app.run_test() as pilot:
        await pilot.pause()
    assert ended == [FIRST]
