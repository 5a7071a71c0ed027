"""The scripted subject and wizard: they act on what their desks know, as people would, and on nothing else.

Each waits for what it needs to see before it moves, so that the same play works at any pace, over any link, and after a crash.
"""

from collections.abc import Callable

import numpy as np

from rehearsal.script import Ask, Script, ScriptedAct, ScriptedTurn
from rehearsal.speaking_subject import RATE, REACTION_S, READING_S, Say, SpeakingSubject, Speech
from rehearsal.waiting import StuckError, Waiting
from session.rules.visit_steps import opening_step
from session.state.fold import ScenarioRun, Take
from session.study.settings import Scenario
from session.values.answers import digest
from session.values.clock import Clock
from session.values.consent import ConsentScope
from session.values.vocabulary import Echo, Operator, Outcome, RecordingControl, Stage, Step
from subject.core.terminal import Phase, Terminal
from wizard.core.console import Console

LISTENING_S = 0.5
KEYSTROKE_S = 0.06
SCREEN = (76, 24)
TRIAL = "practice"
SAID = "Nothing to add."


class ScriptedSubject(SpeakingSubject):
    """Consents, speaks its lines, reads the answers, declares or gives up."""

    def __init__(
        self,
        script: Script,
        terminal: Terminal,
        clock: Clock,
        waiting: Waiting,
        say: Say,
        speech: Speech,
        led: bool = False,
    ) -> None:
        """`led`: a machine leads the visit, so that no other person ends a scenario."""
        super().__init__(terminal, clock, waiting, say, speech)
        self._led = led
        self._script = script

    async def play(self, open_microphone: Callable[[], None]) -> None:
        """The whole session; gives up with StuckError when nothing moves."""
        terminal = self._terminal
        terminal.sized(*SCREEN)
        await self._waiting.until("the session", lambda: terminal.state.opened is not None)
        if terminal.phase is Phase.CONSENT and terminal.state.opened is not None:
            text = terminal.state.opened.protocol.consent_text
            await self._clock.sleep(READING_S)
            scopes = dict.fromkeys(map(str, ConsentScope), True)
            terminal.visit.consent(scopes, digest(text))
            await self._waiting.until("the consent to be recorded", lambda: terminal.state.consent is not None)
        open_microphone()
        await self._steps()
        for number, act in enumerate(self._script.scenario):
            await self._act(number, act)
        await self._remaining()
        await self._steps()
        await self._waiting.until("the end of the session", lambda: terminal.state.ended)

    async def _remaining(self) -> None:
        """Give up the scenarios that a machine goes on to start when the play has no more, until the scenarios are over."""
        terminal = self._terminal

        def over() -> bool:
            return terminal.state.ended or terminal.visit.step is not None

        while not over():
            await self._waiting.until(
                "the end of the scenarios", lambda: over() or (self._led and terminal.state.run is not None)
            )
            if not over():
                count = len(terminal.state.runs)
                await self._clock.sleep(READING_S)
                terminal.give_up()
                await self._waiting.until("the end of the scenario", lambda: terminal.state.run is None or over())
                await self._waiting.until(
                    "what comes next",
                    lambda count=count: over() or len(terminal.state.runs) > count,  # type: ignore[misc]
                )

    async def _steps(self) -> None:
        """Go through the stations that lie ahead, each until the hub has it."""
        terminal = self._terminal
        while (step := terminal.visit.step) is not None:
            await self._clock.sleep(READING_S)
            self._step(step)
            await self._waiting.until(f"the end of the step {step}", lambda step=step: terminal.visit.step is not step)  # type: ignore[misc]

    def _step(self, step: Step) -> None:
        terminal = self._terminal
        match step:
            case Step.INSTRUCTIONS:
                terminal.visit.instructed()
            case Step.MICROPHONE_CHECK:
                trial = self._speech(TRIAL)
                self._say(trial)
                terminal.visit.checked(20 * float(np.log10(np.abs(trial / 32_768).max())), True)
            case Step.DEBRIEFING:
                terminal.visit.debriefed()
            case Step.CONFIRM_CONSENT:
                terminal.visit.confirm(dict(terminal.state.consent.scopes) if terminal.state.consent else {})
            case _:
                form = terminal.state.step.form if terminal.state.step else None
                items = form.item if form else ()
                terminal.visit.answer(step, {item.id: item.choices[-1] if item.choices else SAID for item in items})

    async def _act(self, number: int, act: ScriptedAct) -> None:
        state = self._terminal.state
        if len(state.runs) > number and state.runs[number].outcome is not None:
            return
        await self._waiting.until(f"scenario {number + 1}", lambda: len(self._terminal.state.runs) > number)
        for place, turn in enumerate(act.turn):
            await self._turn(number, place, turn)

        def run() -> ScenarioRun:
            return self._terminal.state.runs[number]

        await self._clock.sleep(READING_S)
        if run().outcome is None and act.ends.declare:
            self._terminal.declare(act.ends.declare)
        elif run().outcome is None and (act.ends.give_up or self._led):
            self._terminal.give_up()
        await self._waiting.until("the end of the scenario", lambda: run().outcome is not None)

    async def _turn(self, number: int, place: int, turn: ScriptedTurn) -> None:
        terminal = self._terminal
        if len(terminal.state.takes_of(number)) <= place or (terminal.operated and terminal.phase is Phase.RECORDING):
            await self._speak(number, place, turn)
        take = self._terminal.state.takes_of(number)[place].take
        if turn.discard and not self._led:  # a machine replies before anybody could take a word back
            await self._waiting.until("the recording to be over", lambda: self._terminal.state.takes[take].complete)
            await self._clock.sleep(REACTION_S)
            if not self._terminal.state.takes[take].discarded:
                self._terminal.discard()
            await self._waiting.until("the take to be discarded", lambda: self._terminal.state.takes[take].discarded)
            return
        await self._await_reply(take, f"the reply to “{turn.said}”")


class ScriptedWizard:
    """Starts the scenarios, transcribes, queries, rewords, previews, sends; all behind the curtain but what is sent."""

    def __init__(
        self,
        script: Script,
        console: Console,
        clock: Clock,
        waiting: Waiting,
        speech: Speech,
        led: bool = False,
        scribe: Console | None = None,
    ) -> None:
        """`led`: a machine leads the visit, and this wizard looks on; `scribe` is the console of another, who transcribes."""
        self._led = led
        self._scribe = scribe
        self._script = script
        self._console = console
        self._clock = clock
        self._waiting = waiting
        self._speech = speech

    async def play(self) -> None:
        """The whole session, from signing on to its end."""
        console = self._console
        await self._waiting.until("the session", lambda: console.state.opened is not None)
        if self._led:
            await self._waiting.until("the end of the session", lambda: console.state.ended)
            return
        await self._waiting.until("consent and all that comes first", lambda: opening_step(console.state) is None)
        for number, act in enumerate(self._script.scenario):
            await self._act(number, act)
        if not console.state.ended:
            await self._waiting.until("all sound", self._all_confirmed)
            console.end_session("the play is over")
        await self._waiting.until("the end of the session", lambda: console.state.ended)

    def _all_confirmed(self) -> bool:
        return all(take.confirmed for take in self._console.state.takes.values() if take.stopped)

    async def _act(self, number: int, act: ScriptedAct) -> None:
        console = self._console
        if len(console.state.runs) <= number:
            console.start_scenario(self._chosen(number, act).id, act.bindings, reason="the script names it")
            await self._waiting.until("the scenario to start", lambda: len(console.state.runs) > number)
        for place, turn in enumerate(act.turn):
            operated = console.profile.recording is RecordingControl.OPERATOR
            if operated and not any(take.complete for take in console.state.takes_of(number)[place : place + 1]):
                await self._record(number, place, turn, discarded=place > 0 and act.turn[place - 1].discard)
            await self._waiting.until(
                f"“{turn.said}”",
                lambda place=place: len(taken := console.state.takes_of(number)) > place and taken[place].complete,  # type: ignore[misc]
            )
            await self._turn(console.state.takes_of(number)[place].take, turn)
        if act.ends.ended and console.state.runs[number].outcome is None:
            console.end_scenario(Outcome.ENDED, act.ends.ended)
        await self._waiting.until("the end of the scenario", lambda: console.state.runs[number].outcome is not None)

    async def _record(self, number: int, place: int, turn: ScriptedTurn, *, discarded: bool) -> None:
        """Have the subject, who has read what came before, recorded until the line is over."""
        console = self._console
        if not console.profile.speaks or discarded:  # else it begins by itself when the reply has ended
            if place:
                await self._clock.sleep(READING_S + REACTION_S)
            console.switch_recording()

        def begun() -> bool:
            return len(taken := console.state.takes_of(number)) > place and taken[place].began is not None

        await self._waiting.until(f"the recording to begin{console.message}", begun)
        await self._clock.sleep(len(self._speech(turn.speech)) / RATE + 2 * REACTION_S)
        console.switch_recording()

    def _chosen(self, number: int, act: ScriptedAct) -> Scenario:
        """The easiest scenario of the act's kind: the common one, or one that is not."""
        opened = self._console.state.opened
        bank = opened.protocol.scenarios.values() if opened else ()
        wanted = [
            scenario
            for scenario in bank
            if (scenario.common if act.kind == "common" else scenario.kind == act.kind and not scenario.common)
        ]
        if not wanted:
            raise StuckError(f"act {number + 1} needs a scenario of the kind {act.kind}, and the study has none")
        return min(wanted, key=lambda scenario: (scenario.difficulty, scenario.id))

    async def _turn(self, take: str, turn: ScriptedTurn) -> None:
        console = self._console

        def known() -> Take:
            return console.state.takes[take]

        if turn.discard:
            await self._waiting.until("the subject to discard the take", lambda: known().discarded)
            return
        if console.state.answered(known()):
            return
        console.pick(take)
        await self._clock.sleep(LISTENING_S)
        if (
            not known().transcriptions
            and known().typed is None
            and await self._is_left(
                Stage.RECOGNITION, lambda: bool(known().transcriptions or console.state.answered(known()))
            )
        ):
            await self._draft(known)
            await self._write_down(take, turn.said)
        if console.profile.echo is Echo.BEFORE_QUERY and known().typed is None:
            await self._waiting.until("the transcription on the subject's screen", lambda: known().transcription_shown)
        if turn.scope is not None and known().scope is None:
            console.mark_scope(turn.scope)
        if turn.note and turn.note not in console.state.notes:
            console.note(turn.note)
        if turn.deviation and not known().attempts:
            console.deviate("talk", turn.deviation)
        if await self._is_left(Stage.UNDERSTANDING, lambda: self._has_been_asked(take)):
            for place, ask in enumerate(turn.ask or (Ask(english=turn.said),)):
                machine_replies = console.state.operator(Stage.RESPONSE) is Operator.MACHINE
                if not (turn.ask or machine_replies) or await self._rows(take, place, ask):
                    break
                if not await self._is_left(Stage.RESPONSE, lambda: console.state.answered(known())):
                    break
        if await self._is_left(Stage.RESPONSE, lambda: console.state.answered(known())):
            await self._reply(take, turn)

    async def _write_down(self, take: str, said: str) -> None:
        """Type what was said; a wizard beside a transcriber sees it as it is typed."""
        console = self._console
        if self._scribe is None:
            await self._typing(said)
            console.transcribe(said, as_it_stood=_drafted(console, said))
            return
        scribe = self._scribe
        await self._waiting.until(
            "the utterance at the transcriber's console",
            lambda: take in scribe.state.takes and scribe.state.takes[take].complete,
        )
        begun = said[: len(said) // 2]
        scribe.pick(take)
        await self._typing(begun)
        scribe.type_draft(begun)
        await self._waiting.until("what the transcriber types", lambda: console.drafts.get(take) == begun)
        await self._typing(said[len(begun) :])
        scribe.transcribe(said, as_it_stood=_drafted(scribe, said))
        await self._waiting.until("the transcription", lambda: bool(console.state.takes[take].transcriptions))
        if scribe.message:
            raise StuckError(f"the transcriber's console: {scribe.message}")

    async def _is_left(self, stage: Stage, done: Callable[[], bool]) -> bool:
        """Return whether a person has to do the work of a stage: at once, or when its machine has given up before it was done."""
        state = self._console.state
        if state.operator(stage) is not Operator.MACHINE:
            return not done() or stage is not Stage.RESPONSE
        await self._waiting.until(
            f"the machine of {stage}", lambda: done() or self._console.state.operator(stage) is not Operator.MACHINE
        )
        return not done()

    def _has_been_asked(self, take: str) -> bool:
        state = self._console.state
        attempts = state.takes[take].attempts
        over = bool(attempts) and not state.attempts[attempts[-1]].running
        return over or state.answered(state.takes[take])

    async def _draft(self, known: Callable[[], Take]) -> None:
        """Wait for the words of a recogniser that a person is to correct, or for its failure."""
        state = self._console.state
        if state.operator(Stage.RECOGNITION) is Operator.CORRECTED:
            await self._waiting.until(
                "the recogniser's words",
                lambda: (
                    (known().hypothesis is not None and known().hypothesis.final)  # type: ignore[union-attr]
                    or Stage.RECOGNITION in self._console.state.stage_troubles
                ),
            )

    async def _rows(self, take: str, place: int, ask: Ask) -> bool:
        """Return whether the ask number `place` gave rows that can be sent."""
        console = self._console
        if len(console.state.takes[take].attempts) <= place:
            await self._typing(ask.text if ask.english else ask.text[:80])
            console.ask(ask.text, ask.language)
        await self._waiting.until(
            f"the database's word on “{ask.text[:40]}”",
            lambda: (
                len(tried := console.state.takes[take].attempts) > place
                and not console.state.attempts[tried[place]].running
            ),
        )
        attempt = console.state.attempts[console.state.takes[take].attempts[place]]
        return attempt.table is not None and bool(attempt.table.rows)

    async def _reply(self, take: str, turn: ScriptedTurn) -> None:
        console = self._console
        if turn.canned is not None:
            await self._clock.sleep(REACTION_S)
            console.send_canned(turn.canned.message, turn.canned.blanks)
        else:
            console.previewed()
            await self._clock.sleep(READING_S / 2)
            console.send()
        await self._waiting.until(
            f"the reply to go out{f' ({console.message})' if console.message else ''}",
            lambda: console.state.answered(console.state.takes[take]),
        )

    async def _typing(self, text: str) -> None:
        await self._clock.sleep(KEYSTROKE_S * len(text))


def _drafted(console: Console, text: str) -> bool:
    """Return whether a recogniser's words at a console are these."""
    return console.draft is not None and console.draft.text == text
