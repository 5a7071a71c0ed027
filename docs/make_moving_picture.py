"""A moving picture of a whole turn on both screens, for the README: `python docs/make_moving_picture.py [FILE]`.

It is filmed at a rehearsal: a real hub with the study that ships, both desks with their real screens, keys that a program
presses, and a recorded line in the place of the microphone. It takes under a minute and wants neither a screen nor a sound card.
On a machine that has other things to do, `--pace 0.2` lets all clocks run five times slower than life: the picture is the same.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from docs.film import HEAD, MARGIN, WIDE, Film, Placed  # noqa: E402
from operators.attendance import VoiceAlone  # noqa: E402
from rehearsal.script import shipped_script  # noqa: E402
from rehearsal.scripted_people import ScriptedSubject  # noqa: E402
from rehearsal.session_run import FLOOR, speech  # noqa: E402
from rehearsal.speaking_subject import RATE  # noqa: E402
from rehearsal.waiting import Waiting  # noqa: E402
from server.study_hub import running_study_hub  # noqa: E402
from session.audio.fake import FileLoudspeaker, FileMicrophone  # noqa: E402
from session.rules.visit_steps import opening_step  # noqa: E402
from session.state.fold import SessionState  # noqa: E402
from session.study.create import new  # noqa: E402
from session.study.folder import load  # noqa: E402
from session.transport.listen_address import ListenAddress  # noqa: E402
from session.values.answers import digest  # noqa: E402
from session.values.clock import MILLISECOND, Clock, ScaledClock  # noqa: E402
from session.values.consent import ConsentScope  # noqa: E402
from session.values.vocabulary import Outcome, Role, ScenarioKind  # noqa: E402
from subject.app import SubjectApp  # noqa: E402
from subject.capture.input import Input  # noqa: E402
from subject.desk import SubjectDesk  # noqa: E402
from wizard.app import WizardApp  # noqa: E402
from wizard.audio.playback_state import PlaybackState  # noqa: E402
from wizard.core.status_text import SLOW_MS  # noqa: E402
from wizard.desk import WizardDesk  # noqa: E402

PICTURE = ROOT / "docs" / "pictures" / "turn.svg"
TITLE = (
    "A whole turn: the participant asks, the wizard transcribes, checks the rows and sends them, and the answer appears"
)
TERMINAL, CONSOLE = (84, 36), (124, 36)
SPEECH, LINE = "boston-denver", "show me the flights from boston to denver on monday morning"
BINDINGS = {"A": "Boston", "B": "Denver", "C": "Atlanta"}
FRAME_S, KEY_S = 0.12, 0.05


class DeskPair:
    """Both desks of a session, each with its screen; `say` speaks into the participant's microphone."""

    def __init__(self, hub: Any, session: str, clock: Clock, spool: Path) -> None:
        self.clock = clock
        microphone = FileMicrophone(clock, RATE, blocksize=320, pace=1.0, floor=FLOOR)
        self.say = microphone.say
        self.waits = Waiting("the moving picture", clock)
        self.subject = SubjectDesk(
            hub.address(session, Role.SUBJECT), clock, spool, [Input(lambda: microphone)], self._changed,
            loudspeaker=lambda: FileLoudspeaker(clock=clock),
        )  # fmt: skip
        self.wizard = WizardDesk(
            hub.address(session, Role.WIZARD), clock, self._changed, loudspeaker=FileLoudspeaker, english=True
        )
        self.wizard.listen()
        self.terminal = SubjectApp(
            self.subject.terminal,
            clock,
            open_microphone=self.subject.open_microphone,
            levels=lambda: self.subject.levels,
        )
        hearing = PlaybackState(self.wizard.monitor, lambda: self.wizard.link_state)
        self.console = WizardApp(self.wizard.console, clock, hearing, english=True)

    def _changed(self) -> None:
        self.waits.changed()
        for app in (getattr(self, name, None) for name in ("terminal", "console")):
            if app is not None:
                app.changed()

    async def until(self, what: str, condition: Callable[[SessionState], bool]) -> None:
        """Wait until the wizard's console knows of it."""
        await self.waits.until(what, lambda: condition(self.wizard.console.state))


@asynccontextmanager
async def rehearsed(pace: float) -> AsyncIterator[tuple[DeskPair, Pilot[None], Pilot[None]]]:
    """Both desks at work in a session in which all that comes before the scenario has been done, and the scenario has begun."""
    clock = ScaledClock("hub", pace)
    with tempfile.TemporaryDirectory() as folder:
        study_folder = Path(folder) / "study"
        new(study_folder)
        script = shipped_script(study_folder / "domain")
        async with running_study_hub(load(study_folder), clock, ListenAddress(), machines=VoiceAlone) as hub:
            session = await hub.open_session(speaker=script.speaker(""), operator="Ann", rehearsal=True)
            pair = DeskPair(hub, session.name, clock, Path(folder) / "spool")
            links = [asyncio.ensure_future(desk.run()) for desk in (pair.subject, pair.wizard)]
            async with (
                pair.terminal.run_test(size=TERMINAL) as participant,
                pair.console.run_test(size=CONSOLE) as wizard,
            ):
                await _arrive(pair, ScriptedSubject(script, pair.subject.terminal, clock, pair.waits, pair.say, speech))
                await participant.press("escape")  # the instructions, which open by themselves after the consent
                while pair.wizard.console.exchange()[0] > SLOW_MS * MILLISECOND:
                    await clock.sleep(FRAME_S)  # the start of both desks kept the machine from answering at once
                yield pair, participant, wizard
            for link in links:
                link.cancel()
            await asyncio.gather(*links, return_exceptions=True)
            await pair.subject.close()
            pair.wizard.close()


async def _arrive(pair: DeskPair, participant: ScriptedSubject) -> None:
    """Consent, all stations before the scenarios, and the scenario's beginning."""
    terminal, console = pair.subject.terminal, pair.wizard.console
    await pair.waits.until("the session", lambda: terminal.state.opened is not None)
    if terminal.state.opened is not None and terminal.state.opened.protocol.profile.consent:
        text = terminal.state.opened.protocol.consent_text
        terminal.visit.consent(dict.fromkeys(map(str, ConsentScope), True), digest(text))
        await pair.waits.until("the consent", lambda: terminal.state.consent is not None)
    await participant._steps()
    await pair.until("the stations", lambda state: state.consent is not None and opening_step(state) is None)
    bank = console.state.opened.protocol.scenarios.values() if console.state.opened else ()
    console.start_scenario(next(one.id for one in bank if one.kind is ScenarioKind.PRACTICE))
    await pair.until("the practice", lambda state: state.run is not None)
    console.end_scenario(Outcome.ENDED, "the participant has understood the button")
    await pair.until("its end", lambda state: state.run is None)
    console.start_scenario(next(one.id for one in bank if one.common), BINDINGS, reason="the picture shows it")
    await pair.until("the scenario", lambda state: state.run is not None)


async def turn(pair: DeskPair, participant: Pilot[None], wizard: Pilot[None], film: Film) -> None:
    """One turn, as the two people at the desks go through it."""
    clock = pair.clock
    film.say("1  The participant reads the task, presses Space and speaks. The wizard hears it live.")
    await clock.sleep(2.5)
    await participant.press("space")
    await clock.sleep(0.3)
    await clock.sleep(pair.say(speech(SPEECH)) + 0.3)
    await participant.press("space")
    await pair.until("the take", lambda state: any(take.complete for take in state.takes.values()))
    film.say("2  The wizard types what was said. Enter shows it to the participant and asks the database.")
    for letter in LINE:
        await wizard.press("space" if letter == " " else letter)
        await clock.sleep(KEY_S)
    await wizard.press("enter")
    await pair.until("the rows", lambda state: any(one.table is not None for one in state.attempts.values()))
    film.say("3  The rows, how the request was understood, and exactly what the participant will see: F5 sends it.")
    await clock.sleep(4.0)
    await wizard.press("f5")
    await pair.until("the answer", lambda state: any(reply.shown is not None for reply in state.replies.values()))
    film.say("4  The answer is on the participant's screen, and every step of it is in the log with its time.")
    await clock.sleep(3.0)


async def make(path: Path, pace: float) -> None:
    """Film the turn and write the picture."""
    async with rehearsed(pace) as (pair, participant, wizard):
        left = Placed(pair.terminal, "The participant's terminal", MARGIN, HEAD)
        right = Placed(pair.console, "The wizard's console", 2 * MARGIN + WIDE * TERMINAL[0], HEAD)
        began = pair.clock.monotonic_ns()
        film = Film((left, right), lambda: (pair.clock.monotonic_ns() - began) / 1e9)
        playing = asyncio.ensure_future(turn(pair, participant, wizard, film))
        while not playing.done():
            film.frame()
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(playing), FRAME_S / pace)
        await playing
        film.frame()
        path.write_text(film.render(TITLE), encoding="utf-8")
    print(path, f"{path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=PICTURE)
    parser.add_argument("--pace", type=float, default=1.0, help="how many times faster than life all clocks run")
    chosen = parser.parse_args()
    asyncio.run(make(chosen.file, chosen.pace))
