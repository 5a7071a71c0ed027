"""`curtain replay`: both screens of a session again, out of its events alone, at any pace or step by step."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import msgspec
import numpy as np

from desk.recording_player import Player, Samples
from desk.theme import theme_for
from rehearsal.live_view import Screens
from rehearsal.screens.session_timeline import SessionTimeline
from rehearsal.text_screens import moment
from session import events as e
from session.audio.devices import SoundDeviceLoudspeaker
from session.collection.recordings import recordings_of
from session.hub.history import links_stream
from session.state.fold import SessionState, elapsed, evolve
from session.store.event_store import UNREADABLE, Store
from session.study.folder import Study, load
from session.study.toml_reader import StudyError
from session.values.clock import SECOND
from session.values.names import PRIMARY
from session.values.vocabulary import Role
from session.visibility import project

LONGEST_PAUSE_S = 5.0


class Frame(msgspec.Struct, frozen=True):
    """Both screens after one event, and how many nanoseconds after the event before it."""

    after: int
    wizard: SessionState
    subject: SessionState
    wall: int


def frames(recorded: list[e.Recorded]) -> Iterator[Frame]:
    """A frame per event; the subject's state is folded from what the curtain lets through."""
    wizard, subject = SessionState(), SessionState()
    before = None
    profile = None
    for number, record in enumerate(recorded, start=1):
        if isinstance(record.event, e.SessionOpened):
            profile = record.event.protocol.profile
        wizard = evolve(wizard, record)
        shown = project(record, Role.SUBJECT, profile, number) if profile is not None else None
        if shown is not None:
            subject = evolve(subject, shown)
        yield Frame(elapsed(before.at, record.at) if before else 0, wizard, subject, record.at.wall)
        before = record


def _play(study: Study, session: str, timeline: SessionTimeline, speed: float) -> None:
    """Show it in the desks' own screens, with its sound."""
    from rehearsal.screens.replayed import SPEEDS, ReplayedSession  # here, so that lines in words load no screens

    recordings = recordings_of(study)

    def sound(take: str) -> Samples:
        with contextlib.suppress(OSError, ValueError):
            return np.frombuffer(recordings.pcm(session, take, PRIMARY), dtype="<i2").astype(np.int16)
        return np.zeros(0, np.int16)

    player = Player(lambda: SoundDeviceLoudspeaker(None))
    speed = max(SPEEDS[0], min(SPEEDS[-1], speed))
    ReplayedSession(timeline, sound, player, speed=speed, theme=theme_for(os.environ)).run()


def replay_command(
    study: str, session: str, pace: float, out: TextIO, err: TextIO, sleep: Callable[[float], None] = time.sleep
) -> int:
    """Show a session on `out`, `pace` times as fast as it was, 0 without waiting; 2 when it cannot be read."""
    if pace < 0:
        err.write(f"--pace is 0 or more, not {pace:g}\n")
        return 2
    try:
        played = load(Path(study))
        store = Store(played.store_url)
        try:
            recorded, links = store.read(session), store.read(links_stream(session))
        finally:
            store.close()
    except (StudyError, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    if not recorded:
        err.write(f"{study} has no session {session}; `curtain sessions {study}` lists them\n")
        return 2
    if not any(isinstance(record.event, e.SessionOpened) for record in recorded):
        err.write(f"session {session} was erased when its speaker withdrew; there is nothing to show\n")
        return 2
    if pace and out.isatty() and sys.stdin.isatty():
        _play(played, session, SessionTimeline(recorded, links), pace)
        return 0
    screens = Screens(out)
    for frame in frames(recorded):
        if pace and out.isatty():
            sleep(min(frame.after / SECOND / pace, LONGEST_PAUSE_S))
        screens.show(frame.wizard, frame.subject, moment(frame.wizard, frame.wall))
    return 0
