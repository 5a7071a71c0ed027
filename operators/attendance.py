"""The machines of a study's sessions: found ready before its hub starts, then at work in each session that is held open."""

import asyncio
import os

from operators.desk import ROLE_OF, MachineFactory, operate_inside
from operators.engines import machine, needed
from operators.voice.study_voice import StudyVoices
from server.study_hub import StudyHub
from session.hub.reply_voice import VoiceError
from session.hub.session_actor import SessionActor
from session.study.folder import Study
from session.study.settings import APART
from session.study.toml_reader import StudyError
from session.values.clock import Clock
from session.values.vocabulary import Stage


def ready_voices(study: Study) -> StudyVoices:
    """Return the voices of a study; raises StudyError if one cannot be had, with the remedy."""
    try:
        return StudyVoices(study, os.environ)
    except VoiceError as error:
        raise StudyError(f"{study.folder}: {error}") from error


class VoiceAlone:
    """A study's voices without any machine: people, or a rehearsal's scripted ones, operate every stage."""

    def __init__(self, study: Study, clock: Clock, database_url: str) -> None:
        """Make the voices ready; raises StudyError."""
        self.voice = ready_voices(study).of

    async def attend(self, hub: StudyHub, session: SessionActor) -> None:
        """Operate nothing."""


class StudyMachines:
    """The machines that operate stages inside the hub, one of each for every session, and the voices of all of them."""

    def __init__(self, study: Study, clock: Clock, database_url: str) -> None:
        """Make everything ready; raises StudyError if a machine cannot be had, with the remedy. Blocks, for seconds."""
        self._clock = clock
        self.voice = ready_voices(study).of
        self._made: dict[Stage, MachineFactory] = {
            stage: machine(stage, engine, study, database_url)
            for stage, engine in needed(study).items()
            if engine != APART
        }

    async def attend(self, hub: StudyHub, session: SessionActor) -> None:
        """Operate the stages of a session until cancelled."""
        if session.state.ended:
            return
        async with asyncio.TaskGroup() as at_work:
            for stage, make in self._made.items():
                token = hub.tokens.of(ROLE_OF[stage], session.name)
                at_work.create_task(
                    operate_inside(hub.hosted.hub, session.name, token, hub.tokens.role, self._clock, make)
                )
