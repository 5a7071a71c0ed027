"""`curtain replay`: both screens of a session again, out of its facts alone, at any pace or step by step."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import msgspec

from desk.quiet_stderr import c_stderr_to
from desk.recording_player import Player
from desk.theme import theme_for
from rehearsal.live_view import Screens
from rehearsal.recorded_session import NotToBeSeen, RecordedSession, recorded
from rehearsal.screens.session_timeline import SessionTimeline
from rehearsal.text_screens import moment
from session import events as e
from session.audio.devices import SoundDeviceLoudspeaker
from session.state.fold import SessionState, elapsed, evolve
from session.state.scenario_runs import ProfileInForce
from session.values.clock import SECOND
from session.values.vocabulary import Role
from session.visibility import project

LONGEST_PAUSE_S = 5.0
BLOCK, AHEAD_S = 1_600, 0.5
"""The loudspeaker is given so many samples at a time, and seconds before they are heard: both desks are drawn meanwhile."""


class ReplayFrame(msgspec.Struct, frozen=True):
    """Both screens after one event, and how many nanoseconds after the event before it."""

    after: int
    wizard: SessionState
    subject: SessionState
    wall: int


def frames(facts: list[e.Recorded]) -> Iterator[ReplayFrame]:
    """A frame per event; the subject's state is folded from what the curtain lets through."""
    wizard, subject = SessionState(), SessionState()
    before = None
    in_force = ProfileInForce()
    for number, record in enumerate(facts, start=1):
        profile = in_force.after(record.event)
        wizard = evolve(wizard, record)
        shown = project(record, Role.SUBJECT, profile, number) if profile is not None else None
        if shown is not None:
            subject = evolve(subject, shown)
        yield ReplayFrame(elapsed(before.at, record.at) if before else 0, wizard, subject, record.at.wall)
        before = record


def _play(found: RecordedSession, speed: float) -> None:
    """Show it in the desks' own screens, with its sound."""
    from rehearsal.screens.replayed import SPEEDS, ReplayedSession  # here, so that lines in words load no screens

    player = Player(lambda: SoundDeviceLoudspeaker(None, blocksize=BLOCK, ahead=AHEAD_S))
    speed = max(SPEEDS[0], min(SPEEDS[-1], speed))
    timeline = SessionTimeline(found.facts, found.links)
    with c_stderr_to(Path(os.devnull)):  # sound libraries complain of a slow machine on the screen
        ReplayedSession(timeline, found.sound, player, speed=speed, theme=theme_for(os.environ)).run()


def replay_command(
    folder: str, session: str, pace: float, out: TextIO, err: TextIO, sleep: Callable[[float], None] = time.sleep
) -> int:
    """Show a session of a study or a corpus on `out`, `pace` times as fast as it was, 0 without waiting; 2 when there is none to
    be seen."""
    if pace < 0:
        err.write(f"--pace is 0 or more, not {pace:g}\n")
        return 2
    try:
        found = recorded(Path(folder), session)
    except NotToBeSeen as error:
        err.write(f"{error}\n")
        return 2
    if pace and out.isatty() and sys.stdin.isatty():
        _play(found, pace)
        return 0
    screens = Screens(out)
    for frame in frames(found.facts):
        if pace and out.isatty():
            sleep(min(frame.after / SECOND / pace, LONGEST_PAUSE_S))
        screens.show(frame.wizard, frame.subject, moment(frame.wizard, frame.wall))
    return 0
