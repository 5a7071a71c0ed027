"""A whole session with scripted people over everything that is real: hub, socket, capture path, database, export, verification.

Only two things are played: the people, and the sound card, whose place recorded speech takes. One scaled clock serves all of
them, so that durations agree at any pace.
"""

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TextIO

import msgspec
import soundfile

from corpus.export.madcow import Exported, export
from corpus.export.session_files import ExportOptions
from corpus.export.study_source import source_of, stated_in
from corpus.release import earlier_exports
from corpus.verify.verify import VerificationReport, verify
from operators.attendance import VoiceAlone
from rehearsal.script import HERE, Script, play_of, speech_file
from rehearsal.scripted_people import ScriptedSubject, ScriptedWizard
from rehearsal.speaking_subject import RATE, Samples
from rehearsal.speech_synthesis import synthesised
from rehearsal.waiting import Waiting
from server.study_hub import MachinesFactory, StudyHub, running_study_hub
from session.audio.fake import FileLoudspeaker, FileMicrophone
from session.events import Recorded
from session.hub.session_actor import SessionActor
from session.rules.stage_holding import leads
from session.study.folder import Study
from session.transport.listen_address import ListenAddress
from session.values.clock import Clock, ScaledClock
from session.values.vocabulary import Role
from subject.capture.endpointer import SpeechDetector
from subject.capture.input import Input
from subject.capture.speech_detectors import detector
from subject.desk import SubjectDesk
from wizard.desk import WizardDesk

FLOOR = 5
"""The room's noise, in units of the last bit: above what counts as dead, below what an end-pointer takes for speech."""


class Watcher(Protocol):
    """Looks on while a rehearsal is held."""

    async def seated(self, subject: SubjectDesk, wizard: WizardDesk, clock: Clock) -> None:
        """These are the desks, before anything happens at them."""

    def changed(self) -> None:
        """One of them knows something new."""


class LeftEarly(Exception):
    """Whoever watched has left before the rehearsal was over."""


class Rehearsed(msgspec.Struct, frozen=True):
    """Result of a rehearsal: the session, its facts, the corpus and what was found in it, the wire as the subject saw it."""

    session: str
    facts: tuple[Recorded, ...]
    head: str
    exported: Exported
    report: VerificationReport
    seconds: float


class RehearsalPlan:
    """One rehearsal of a study; `corpus` must not exist yet."""

    def __init__(
        self,
        study: Study,
        script: Script,
        corpus: Path,
        pace: float,
        err: TextIO,
        watcher: Watcher | None,
        detector: Callable[[int], SpeechDetector] = detector,
        machines: MachinesFactory | None = None,
        interrupts: bool = False,
        condition: str = "",
        transcriber: str = "",
    ) -> None:
        """`machines` makes what operates the stages that the profile gives to machines; without it people play all of them. It is
        held under a `condition` of the study, or under that of the next subject, who `interrupts` spoken replies where the
        profile lets her. A `transcriber` of that name sits at a console of her own and types what is said."""
        self._transcriber = transcriber
        self._condition = condition
        self._machines, self._interrupts = machines, interrupts
        self._led = machines is not None and leads(study.profile)
        self._study = study
        self._script = script
        self._corpus = corpus
        self._pace = pace
        self._err = err
        self._watcher = watcher
        self._detector = detector
        self._clock = ScaledClock("hub", pace)

    async def perform(self) -> Rehearsed:
        """Play, export, verify; raises StuckError when the play cannot go on, and what hub and export raise."""
        began = self._clock.monotonic_ns()
        self._tell("preparing the domain database and the hub")
        machines = self._machines or VoiceAlone
        async with running_study_hub(self._study, self._clock, ListenAddress(), machines=machines) as hub:
            session = await hub.open_session(
                speaker=self._script.speaker(""),
                operator="" if self._led else self._script.wizard,
                rehearsal=True,
                pace=self._pace,
                under=self._condition,
            )
            if session.state.opened is not None and session.state.opened.protocol.domain != self._study.settings.domain:
                self._study = self._study.in_domain(session.state.opened.protocol.domain)
                self._script = play_of(self._study.domain_folder)
            await self._play(hub, session)
            store = hub.hosted.store
            facts, head = tuple(store.read(session.name)), store.head(session.name)
            self._tell("exporting")
            folder, target = self._study.folder, self._corpus
            gathered = earlier_exports.gather(folder, target)
            earlier_exports.begin(folder, gathered, target, {session.name: head}, self._err)
            exported = export(
                source_of(self._study, store, [session.name]),
                target,
                ExportOptions(finished=gathered.finished, metadata=stated_in(self._study)),
            )
            earlier_exports.carry_assignments(gathered, self._err)
        self._tell("verifying")
        report = verify(self._corpus)
        seconds = (self._clock.monotonic_ns() - began) / 1e9 / self._pace
        return Rehearsed(session.name, facts, head, exported, report, seconds)

    def _speech(self, name: str) -> Samples:
        return speech(name, self._study.domain_folder, self._script.said(name))

    async def _play(self, hub: StudyHub, session: SessionActor) -> None:
        with tempfile.TemporaryDirectory(prefix="curtain-rehearsal-") as spool:
            microphone = FileMicrophone(self._clock, RATE, blocksize=320, pace=self._pace, floor=FLOOR)
            subject_waits = Waiting("the subject", self._clock, lambda: wizard.console.trouble)
            wizard_waits = Waiting("the wizard", self._clock, lambda: wizard.console.trouble)
            subject = SubjectDesk(
                hub.address(session.name, Role.SUBJECT),
                self._clock.named("subject"),
                Path(spool),
                [Input(lambda: microphone)],
                lambda: self._changed(subject, wizard, subject_waits),
                pace=self._pace,
                detector=self._detector,
                loudspeaker=lambda: FileLoudspeaker(clock=self._clock, pace=self._pace),
            )
            wizard = WizardDesk(
                hub.address(session.name, Role.OBSERVER if self._led else Role.WIZARD),
                self._clock.named("wizard"),
                lambda: self._changed(subject, wizard, wizard_waits),
                loudspeaker=FileLoudspeaker,
            )
            opened = session.state.opened
            script = self._script.within(opened.protocol.profile.max_scenarios if opened is not None else 0)
            self._subject_plays = ScriptedSubject(
                script, subject.terminal, self._clock, subject_waits, microphone.say, self._speech, self._led
            )
            self._subject_plays.interrupts = self._interrupts
            scribe = self._second_wizard(hub, session, wizard_waits)
            wizard_plays = ScriptedWizard(
                script, wizard.console, self._clock, wizard_waits, self._speech, self._led,
                scribe.console if scribe is not None else None,
            )  # fmt: skip
            wizard.listen()
            if self._watcher is not None:
                await self._watcher.seated(subject, wizard, self._clock)
            try:
                await self._together(subject, [desk for desk in (wizard, scribe) if desk is not None], wizard_plays)
            finally:
                await subject.close()
                wizard.close()
                if scribe is not None:
                    scribe.close()

    def _second_wizard(self, hub: StudyHub, session: SessionActor, waits: Waiting) -> WizardDesk | None:
        """The console of the transcriber, where there is one."""
        if not self._transcriber:
            return None
        address = hub.address(session.name, Role.TRANSCRIBER)
        signed_on = False

        def changed() -> None:
            nonlocal signed_on
            if not signed_on and desk.console.state.opened is not None:
                signed_on = True
                desk.console.identify(self._transcriber)
            waits.changed()

        desk = WizardDesk(address, self._clock.named("transcriber"), changed, english=True)
        return desk

    async def _together(
        self, subject: SubjectDesk, wizards: Sequence[WizardDesk], wizard_plays: ScriptedWizard
    ) -> None:
        links = [asyncio.ensure_future(run) for run in (subject.run(), *(wizard.run() for wizard in wizards))]
        plays = asyncio.gather(self._subject_plays.play(subject.open_microphone), wizard_plays.play())
        try:
            await _first_of(plays, links)
            await self._acknowledged(subject)
        finally:
            plays.cancel()
            for link in links:
                link.cancel()
            await asyncio.gather(*links, plays, return_exceptions=True)

    async def _acknowledged(self, subject: SubjectDesk) -> None:
        """Wait until the hub has everything that the subject's desk reported."""
        while len(subject.kept.outbox):
            await asyncio.sleep(0.01)

    def _changed(self, subject: SubjectDesk, wizard: WizardDesk, waits: Waiting) -> None:
        self._subject_plays.read()
        waits.changed()
        if self._watcher is not None:
            self._watcher.changed()

    def _tell(self, what: str) -> None:
        self._err.write(f"{what} …\n")
        self._err.flush()


async def _first_of(plays: "asyncio.Future[tuple[None, None]]", links: "Sequence[asyncio.Future[None]]") -> None:
    """Until the play is over; a link that ends with an error ends the play."""
    waiting: set[asyncio.Future[tuple[None, None]] | asyncio.Future[None]] = {plays, *links}
    done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


def speech(name: str, domain: Path = HERE, said: str = "") -> Samples:
    """A line of a play as it was recorded, otherwise its words as a synthesiser speaks them: 16-bit samples at 16 kHz."""
    recorded = speech_file(name, domain)
    if said and not recorded.is_file():
        return synthesised(said)
    samples, _ = soundfile.read(recorded, dtype="int16")
    return samples  # type: ignore[no-any-return]  # soundfile has no types
