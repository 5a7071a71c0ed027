"""A drill under way: a hub of its own in a folder that goes again, the subject that plays, and the facts that stay.

Hub, wire, capture path, database and console are the real ones. The session is in a temporary store, so that no speech of the
drill is kept, and no id, slot or session number of the study is used; what stays are the measures
(`session.collection.drills`).
"""

import asyncio
import dataclasses
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import msgspec

from operators.attendance import StudyMachines
from rehearsal.session_run import FLOOR
from rehearsal.speaking_subject import RATE
from rehearsal.training.drill import Drill, DrillAct, DrillLine
from rehearsal.training.drill_subject import DrillSubject
from rehearsal.training.feedback import turn_lines
from rehearsal.training.turn_judging import judged, replies_to
from server.study_hub import running_study_hub
from session.audio.fake import FileLoudspeaker, FileMicrophone
from session.collection.drills import (
    VERSIONS,
    DrillBegun,
    DrillEnded,
    DrillFact,
    DrillTurnPlayed,
    PlayedDrill,
    append,
    drills_of,
)
from session.hub.session_actor import SessionActor
from session.state.fold import fold
from session.state.stage_times import stages_of
from session.store.event_store import Store
from session.study.design import Design, SequenceOrder
from session.study.folder import Study
from session.study.settings import Profile, Speaker
from session.transport.listen_address import ListenAddress
from session.transport.websocket import Address
from session.values.clock import Clock, stamp
from session.values.names import ulid
from session.values.vocabulary import Role, Step
from subject.capture.input import Input
from subject.desk import SubjectDesk

LINKED = ("database", "prompts", "recogniser")
"""Folders of a study that its drill uses as they are."""

AGAIN = "  Spoken again: the first time counts, and not this one"

Feedback = Callable[[int, list[str]], Awaitable[None]]
"""Shows the lines about a turn, by its number, until they were read."""


class DrillRecord:
    """The facts of one drill in the study's own store, each on disk at once."""

    def __init__(self, study: Study, drill: Drill, wizard: str, clock: Clock) -> None:
        """Begin the drill; raises what the store raises."""
        self.name = ulid(clock.wall_ns())
        self.turns: list[DrillTurnPlayed] = []
        self._study, self._clock, self._after = study, clock, 0
        self._mark = study.settings.training
        self._append(DrillBegun(wizard=wizard, source=drill.source, protocol=study.sha256))

    def played(self, turn: DrillTurnPlayed) -> int:
        """Keep a turn; return its number."""
        self.turns.append(turn)
        self._append(turn)
        return len(self.turns)

    def end(self, *, whole: bool) -> PlayedDrill:
        """End the drill, and return it with the verdict."""
        found = PlayedDrill(self.name, turns=tuple(self.turns))
        missed = self._mark.missed(len(self.turns), found.reached, found.slips) if self._mark else ()
        passed = None if self._mark is None or not whole else not missed
        self._append(DrillEnded(whole=whole, passed=passed, missed=missed, mark=self._mark))
        with closing(Store(self._study.store_url)) as store:
            return next(one for one in drills_of(store) if one.name == self.name)

    def _append(self, fact: DrillFact) -> None:
        with closing(Store(self._study.store_url, VERSIONS)) as store:
            self._after = append(store, self.name, self._after, stamp(self._clock), fact)


class DrillRun:
    """One drill of a study; `feedback` is shown after every turn, and the subject waits for it."""

    def __init__(
        self,
        study: Study,
        drill: Drill,
        record: DrillRecord,
        clocks: tuple[Clock, Clock],
        feedback: Feedback,
        pace: float = 1.0,
    ) -> None:
        """`clocks` are the hub's and that of the subject's desk, both `pace` times as fast as life."""
        self._study, self._drill, self._record = study, drill, record
        self._clock, self._subject_clock = clocks
        self._feedback, self._pace = feedback, pace
        self._session: SessionActor | None = None
        self._store: Store | None = None
        self._played: dict[str, int] = {}

    @asynccontextmanager
    async def held(self) -> AsyncIterator[tuple[Address, "asyncio.Task[None]"]]:
        """Have hub and subject at work until the block ends: where the wizard connects, and the task that ends with the drill.

        Raises what opening a hub raises.
        """
        with tempfile.TemporaryDirectory(prefix="curtain-drill-") as place:
            study = drill_study(self._study, self._drill, Path(place))
            (Path(place) / "spool").mkdir()
            async with running_study_hub(study, self._clock, ListenAddress(), machines=StudyMachines) as hub:
                session = await hub.open_session(speaker=Speaker(id=""), rehearsal=True, pace=self._pace)
                self._session, self._store = session, hub.hosted.store
                microphone = FileMicrophone(self._clock, RATE, blocksize=320, pace=self._pace, floor=FLOOR)
                subject = SubjectDesk(
                    hub.address(session.name, Role.SUBJECT),
                    self._subject_clock,
                    Path(place) / "spool",
                    [Input(lambda: microphone)],
                    self._changed,
                    pace=self._pace,
                    loudspeaker=lambda: FileLoudspeaker(clock=self._clock, pace=self._pace),
                )
                self._plays = DrillSubject(
                    self._drill, subject.terminal, self._subject_clock, microphone.say, self._act_of, self._on_turn
                )
                link = asyncio.ensure_future(subject.run())
                play = asyncio.ensure_future(self._plays.play(subject.open_microphone))
                link.add_done_callback(lambda ended: play.cancel())
                try:
                    yield hub.address(session.name, Role.WIZARD), play
                finally:
                    for task in (play, link):
                        task.cancel()
                    await asyncio.gather(play, link, return_exceptions=True)
                    await subject.close()

    def _changed(self) -> None:
        self._plays.read()
        self._plays.waiting.changed()

    def _act_of(self, number: int) -> DrillAct:
        """The scenario that the hub knows to be the run of this number."""
        assert self._session is not None
        name = self._session.state.runs[number].scenario
        return next(act for act in self._drill.acts if act.scenario.id == name)

    async def _on_turn(self, line: DrillLine, take: str) -> None:
        assert self._session is not None
        assert self._store is not None
        facts = self._store.read(self._session.name)
        state = fold(facts)
        turn = judged(line, state, stages_of(facts), take)
        first = next(iter(replies_to(state, state.takes[take])), None)
        attempt = state.attempts.get(first.attempt) if first is not None else None
        lines = turn_lines(line, state.takes[take], first, turn, attempt.table if attempt is not None else None)
        if line.speech in self._played:
            await self._feedback(self._played[line.speech], [AGAIN, *lines])
            return
        self._played[line.speech] = self._record.played(turn)
        await self._feedback(self._played[line.speech], lines)


def drill_study(study: Study, drill: Drill, place: Path) -> Study:
    """Return the study as its drill is held in the folder `place`: its own scenarios and no visit around them."""
    for name in LINKED:
        if (study.folder / name).is_dir():
            (place / name).symlink_to((study.folder / name).resolve(), target_is_directory=True)
    settings = msgspec.structs.replace(
        study.settings,
        store="sqlite:///collection.sqlite",
        database=study.database_url,
        design=Design(order=SequenceOrder.FIXED, scenarios=tuple(act.scenario.id for act in drill.acts)),
        conditions=(), condition={}, factor={}, second_copy="", sessions_at_once=0, pilot=False, training=None,
    )  # fmt: skip
    return dataclasses.replace(
        study,
        folder=place,
        settings=settings,
        profile=drill_profile(study.profile),
        scenarios={act.scenario.id: act.scenario for act in drill.acts},
        files={},
        conditions={},
        scenario_profiles={},
        domains={},
        condition_domains={},
    )


def drill_profile(profile: Profile) -> Profile:
    """Return the profile without what surrounds the scenarios: consent, forms, limits of the visit."""
    return msgspec.structs.replace(
        profile,
        consent=False,
        steps=(Step.SCENARIOS,),
        practice_criterion=0,
        max_scenarios=0,
        scenario_limit_s=0.0,
        session_limit_s=0.0,
        microphones=(),
    )
