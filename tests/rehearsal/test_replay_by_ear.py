"""A replay by ear: after a jump an utterance is heard from its first sample on; the keys that play are in sight."""

import re

import numpy as np
import pytest
from textual.pilot import Pilot

from desk.recording_player import Player
from rehearsal.screens.replayed import ReplayedSession
from rehearsal.screens.session_timeline import SessionTimeline
from session import events as e
from session.audio.fake import FileLoudspeaker
from session.events import Recorded
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Sealed
from tests.desk.regions import painted
from tests.together.pipe import opened

SOUND = np.full(90_000, 8_000, np.int16)


def timeline() -> SessionTimeline:
    """A session of half a minute in which somebody spoke at its tenth second."""
    at = Stamp("subject", 0, 0)
    facts: list[tuple[int, e.Fact]] = [
        (0, opened()),
        (2, e.ScenarioStarted(number=1, scenario="", title="Trip", text="Go.", kind="")),
        (10, e.TalkPressed(at=at, take="t1")),
        (10, e.RecordingStarted(at=at, take="t1", channels=(), pre_roll=0)),
        (15, e.RecordingStopped(at=at, take="t1", sealed=(Sealed("s", len(SOUND), "ab"),))),
        (30, e.SessionEnded(reason="")),
    ]
    stamps = [Stamp("hub", second * SECOND, second * SECOND) for second, _ in facts]
    return SessionTimeline(
        [
            Recorded("bbn-1", n, at, "hub", "", fact)
            for n, (at, (_, fact)) in enumerate(zip(stamps, facts, strict=True), 1)
        ]
    )


@pytest.mark.parametrize("speed", [0.5, 1.0, 8.0])
async def test_after_a_jump_an_utterance_is_heard_from_its_first_sample_on(speed: float) -> None:
    found, loudspeaker, now = timeline(), FileLoudspeaker(), [0.0]
    loudspeaker.latency_ns = SECOND // 2
    (spoken,) = found.sounds

    async def played(pilot: Pilot[object]) -> None:
        await app.workers.wait_for_complete()
        await pilot.press("right", "right")
        app.tick()
        assert (app._player.playing, app._player.position, app.position) == (True, 0, spoken.begin)
        for _ in range(5):
            now[0] += 0.1
            app.tick()
        assert app.position == spoken.begin, "what was given first is heard only now"
        now[0] += 0.25
        app.tick()
        assert app.position == spoken.begin + round(0.25 * speed * SECOND)
        await pilot.press("space")
        now[0] += 1.0
        app.tick()
        await pilot.press("left", "space")  # the same where somebody jumps while it stands still
        app.tick()
        assert (app._player.playing, app._player.position, app.position) == (True, 0, spoken.begin)
        app.exit()

    app = ReplayedSession(found, lambda take: SOUND, Player(lambda: loudspeaker), speed=speed, now=lambda: now[0])
    await app.run_async(headless=True, size=(160, 45), auto_pilot=played)
    assert app.return_code == 0


@pytest.mark.parametrize("columns", [80, 120])
async def test_the_keys_that_play_are_in_sight_at_every_width(columns: int) -> None:
    app = ReplayedSession(timeline(), lambda take: SOUND, Player(FileLoudspeaker), now=lambda: 0.0)
    played = ["SPACE Pause", "← → Turn", ", . 5 s", "- + Speed"]

    async def looked_at(pilot: Pilot[object]) -> None:
        await app.workers.wait_for_complete()
        await pilot.pause()
        keys = painted(app).splitlines()[-1]
        assert re.findall("|".join(map(re.escape, [*played, "Tab Other desk"])), keys) == [*played, "Tab Other desk"]
        await pilot.press("plus")
        assert "2×" in app.bar.text
        app.exit()

    await app.run_async(headless=True, size=(columns, 40), auto_pilot=looked_at)
    assert app.return_code == 0
