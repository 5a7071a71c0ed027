"""A recorded session in the desks' own screens, with the sound of what the subject and the system said: pause, go to the next
turn, slower, faster."""

import asyncio
import time
from collections.abc import Callable
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click
from textual.widget import Widget

from desk.app import DeskApp
from desk.recording_player import Player
from rehearsal.screens.desk_replicas import DeskReplicas
from rehearsal.screens.session_timeline import SessionTimeline, SoundPlace
from rehearsal.screens.two_desks import TwoDesks
from session.audio.devices import DeviceError
from session.values.clock import MILLISECOND, SECOND
from session.values.names import PRIMARY
from subject.capture.level import Level

Samples = npt.NDArray[np.int16]
Sound = Callable[[str], Samples]
"""The samples of a take by its name, or of a spoken reply by its hash; none where they are not at hand."""

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
TICK_S = 0.1
AGAIN_S = 1.0
"""A key that goes back, pressed again so soon, goes on from the mark that it went to, however far the session is by then."""
LEVEL_NS = 100 * MILLISECOND
FULL_SCALE = 32_768
APART_S = 0.5
"""Sound that is further from the picture than this is begun anew at its place."""


class PositionBar(Widget):
    """Place in the session, which a click changes."""

    DEFAULT_CSS = "PositionBar { height: 1; text-style: bold; }"
    text = ""
    share = 0.0

    def say(self, text: str, share: float) -> None:
        """Show this text, and a bar that is filled to this share."""
        if (text, share) != (self.text, self.share):
            self.text, self.share = text, share
            self.refresh()

    @property
    def _cells(self) -> int:
        return max(1, self.size.width - len(self.text) - 2)

    def render(self) -> Content:
        full = round(self.share * self._cells)
        return Content(f" {self.text} {'█' * full}{'·' * (self._cells - full)}")

    async def on_click(self, event: Click) -> None:
        first = len(self.text) + 2
        if event.x >= first and isinstance(self.app, ReplayedSession):
            await self.app.go_to(round(self.app.timeline.end * (event.x - first) / self._cells))


TURN, SECONDS, SPEED = (Binding.Group(name) for name in ("Turn", "5 s", "Speed"))


class ReplayedSession(TwoDesks, inherit_bindings=False):
    """Plays a session; `now` are the seconds of the clock by which it goes on."""

    TITLE = "Curtain: replay"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "Pause", tooltip="Pauses, and plays on", priority=True),
        Binding("left", "mark(-1)", "Turn before", group=TURN, priority=True),
        Binding("right", "mark(1)", "Next turn", group=TURN, priority=True),
        Binding("comma", "step(-5)", "5 s back", group=SECONDS),
        Binding("full_stop", "step(5)", "5 s on", group=SECONDS),
        Binding("minus", "speed(-1)", "Slower", group=SPEED),
        Binding("plus", "speed(1)", "Faster", group=SPEED),
        *TwoDesks.BINDINGS,
        *DeskApp.BINDINGS,
    ]

    def __init__(
        self,
        timeline: SessionTimeline,
        sound: Sound,
        player: Player,
        *,
        speed: float = 1.0,
        theme: str = "dark",
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(theme=theme)
        self.timeline = timeline
        self.position, self.speed, self.playing = 0, speed, True
        self.replicas = self._replicas()
        self.bar = PositionBar()
        self._sound, self._player, self._now = sound, player, now
        self._last: float | None = None
        self._mark, self._marked = 0, -AGAIN_S
        self._loaded: SoundPlace | None = None
        self._samples: Samples = np.zeros(0, np.int16)
        self._no_sound = ""
        self._lead_s = 0.0
        """Seconds that the picture stands still after a jump: the loudspeaker is given the sound of that place first."""

    def foot(self) -> list[Widget]:
        return [self.bar]

    def on_mount(self) -> None:
        self.run_worker(self._begin(), name="replay")

    async def _begin(self) -> None:
        try:
            await asyncio.to_thread(self._player.open)
        except DeviceError:
            self._no_sound = " no sound here"
        await self.go_to(0)
        self._last = self._now()
        self.set_interval(TICK_S, self.tick)

    def _replicas(self) -> DeskReplicas:
        return DeskReplicas(self.timeline, self.chosen_theme, self._level)

    async def go_to(self, moment: int) -> None:
        """Show the session as it was at a moment: what lies before it is folded again."""
        moment = max(0, min(moment, self.timeline.end))
        self._player.stop()
        again = moment < self.position or not self.panes["wizard"].desk
        self.position, self._lead_s = moment, self._player.ahead_s
        if again:
            self.replicas = self._replicas()
            self.replicas.show(moment)
            for name, app in self.replicas.apps.items():
                await self.show_desk(name, app)
        self._show()

    def tick(self) -> None:
        """Go on by the time that has passed."""
        now = self._now()
        passed, self._last = now - (self._last if self._last is not None else now), now
        if self.playing:
            waited = min(passed, self._lead_s)
            self._lead_s, passed = self._lead_s - waited, passed - waited
            self.position = min(self.timeline.end, self.position + round(passed * self.speed * SECOND))
            self.playing = self.position < self.timeline.end
        self._show()
        self._sound_on()

    def _show(self) -> None:
        self.replicas.show(self.position)
        at, end = (f"{one // SECOND // 60}:{one // SECOND % 60:02d}" for one in (self.position, self.timeline.end))
        state = "▶ playing" if self.playing else "■ paused"
        share = self.position / self.timeline.end if self.timeline.end else 1.0
        self.bar.say(f"{state} {self.speed:g}× {at} of {end}{self._no_sound}", share)

    # --- sound --------------------------------------------------------------------------------------------------------

    def _sound_on(self) -> None:
        """Give the loudspeaker the utterance or reply of the moment at which it will be heard."""
        ahead_s = max(0.0, self._player.ahead_s - self._lead_s)
        moment = self.position + round(ahead_s * self.speed * SECOND)
        found = self.timeline.sound_at(moment)
        if found is None or not self.playing:
            self._player.stop()
            return
        self._load(found)
        place = self._place(found, moment)
        if place >= len(self._samples):
            self._player.stop()
        elif not self._player.playing or abs(self._player.position - place) > APART_S * self.speed * found.rate:
            self._player.play(place, speed=self.speed)

    def _load(self, found: SoundPlace) -> None:
        if found != self._loaded:
            self._loaded, self._samples = found, self._sound(found.name)[: found.samples]
            self._player.load(self._samples, found.rate)

    def _place(self, found: SoundPlace, moment: int) -> int:
        return (moment - found.begin) * found.rate // SECOND

    def _level(self) -> Level | None:
        """Return how loud the utterance of this moment is here; None if nobody speaks."""
        found = self.timeline.sound_at(self.position)
        if found is None or found.said or found != self._loaded:
            return None
        place = self._place(found, self.position)
        heard = self._samples[place : place + LEVEL_NS * found.rate // SECOND].astype(np.float64) / FULL_SCALE
        if not heard.size:
            return None
        return Level(PRIMARY, place, float(np.abs(heard).max()), float(np.sqrt(np.mean(heard**2))))

    # --- keys ---------------------------------------------------------------------------------------------------------

    def action_pause(self) -> None:
        self.playing = not self.playing and self.position < self.timeline.end
        self._player.stop()
        self._show()

    async def action_mark(self, step: int) -> None:
        back_from = self._mark if self._now() - self._marked < AGAIN_S else self.position
        timeline = self.timeline
        self._mark = timeline.next_mark(self.position) if step > 0 else timeline.mark_before(back_from)
        self._marked = self._now()
        await self.go_to(self._mark)

    async def action_step(self, seconds: int) -> None:
        await self.go_to(self.position + seconds * SECOND)

    def action_speed(self, step: int) -> None:
        near = min(range(len(SPEEDS)), key=lambda place: abs(SPEEDS[place] - self.speed))
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, near + step))]
        self._player.stop()
        self._show()

    def on_unmount(self) -> None:
        self._player.close()
