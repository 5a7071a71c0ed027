"""From Send at the wizard to the first sample of a spoken answer of one sentence at the subject's loudspeaker, on loopback.

Everything is real but the sound card, which asks for 10 ms at a time and keeps what it gets: the console's command, the commit,
the voice, the frame, the check of its hash. No sentence comes twice, so none is at hand; canned messages are, after the first
time. A sound card adds its own delay. The design wants less than 150 ms, most of which is the engine's: `voice_alone`.

With `--sri N` it measures N turns of a visit that nobody operates (SRI, its answers spoken), from the end of speech to the first
sound: recorded lines go through the capture path at their own pace, the end-pointer decides, pocketsphinx recognises, the English
front end asks the database, espeak-ng speaks. The end of speech is the end-pointer's. The subject talks on as soon as she hears
the first sound: a turn lasts as long as its line and what is measured, some five seconds.

Of each stage it prints the time spent in it, and the slowest turns by stage: `decided` is the end-pointer's quiet, `ended` the
last sound and the take's end at the hub, `heard` the recogniser, `asked` the English front end and the database, `replied` the
responder, `sounded` the voice and the way to the loudspeaker.

    python -m benchmarks.first_sound [--rounds N | --sri N]
"""

import argparse
import asyncio
import io
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import percentile
from operators.attendance import StudyMachines, VoiceAlone
from rehearsal.script import Ends, Script, ScriptedAct, ScriptedTurn, shipped_script
from rehearsal.session_run import RehearsalPlan
from rehearsal.waiting import Waiting
from server.study_hub import running_study_hub
from session import events as e
from session.audio.fake import FileLoudspeaker
from session.events import ReplyVoiced
from session.gc_pauses import settle
from session.study.create import new
from session.study.folder import Study, load
from session.transport.listen_address import ListenAddress
from session.values.clock import SystemClock
from session.values.vocabulary import Language, Role
from subject.desk import SubjectDesk
from wizard.desk import WizardDesk

BLOCK = 160
SLOWEST = 5
FLIGHT = (
    "SELECT airline_code, flight_number, from_airport, to_airport, departure_time, arrival_time FROM flight "
    "ORDER BY flight_id LIMIT 1 OFFSET {}"
)


def spoken_study(folder: Path) -> Study:
    """A study of typed requests and spoken answers, without anything before its scenarios."""
    made = new(folder, profile="PARAMAX")
    (folder / "scenarios" / "practice.toml").unlink()
    profile = folder / "profiles" / "PARAMAX.toml"
    lines = [line for line in profile.read_text().splitlines() if not line.startswith(("steps", "consent", "practice"))]
    keys = ['steps = ["scenarios"]', "consent = false", 'spoken = "answer"', "barge_in = true"]
    at = lines.index("[operators]")
    profile.write_text("\n".join([*lines[:at], *keys, *lines[at:]]) + "\n")
    return load(made.folder)


class Desks:
    """Both desks of one session, and the milliseconds from a reply's sending to its first sample."""

    def __init__(self, subject: SubjectDesk, wizard: WizardDesk, waits: Waiting) -> None:
        self._terminal, self._console, self._waits = subject.terminal, wizard.console, waits

    async def round(self, number: int, canned: bool) -> float:
        """One typed request and its answer."""
        terminal, console = self._terminal, self._console
        terminal.type(f"request {number}")
        await self._waits.until("the request", lambda: len(console.state.takes) > number)
        console.pick(list(console.state.takes)[number])
        if not canned:
            asked = console.ask(FLIGHT.format(number), Language.SQL)
            await self._waits.until(
                "rows", lambda: not console.state.attempts[asked].running if asked in console.state.attempts else False
            )
            console.previewed()
        began = time.monotonic_ns()
        if canned:
            console.send_canned("unable", ())
        else:
            console.send()
        await self._waits.until("the reply", lambda: len(terminal.state.replies) > number)
        reply = list(terminal.state.replies)[number]
        await self._waits.until("its sound", lambda: terminal.state.replies[reply].heard_from is not None)
        heard = terminal.state.replies[reply].heard_from
        assert heard is not None
        return (heard.mono - began) / 1e6


async def measured(study: Study, rounds: int, spool: Path) -> tuple[list[float], list[float], list[float]]:
    """Answers that were never said before, then a canned message again and again; and how long the voice took for the answers."""
    clock = SystemClock("hub")
    async with running_study_hub(study, clock, ListenAddress(), machines=VoiceAlone) as hub:
        session = await hub.open_session()
        waits = Waiting("the benchmark", clock)
        subject = SubjectDesk(
            hub.address(session.name, Role.SUBJECT), SystemClock("subject"), spool, [], waits.changed,
            loudspeaker=lambda: FileLoudspeaker(blocksize=BLOCK, clock=clock),
        )  # fmt: skip
        wizard = WizardDesk(hub.address(session.name, Role.WIZARD), SystemClock("wizard"), waits.changed)
        links = [asyncio.ensure_future(subject.run()), asyncio.ensure_future(wizard.run())]
        try:
            subject.terminal.sized(76, 24)
            await waits.until("both desks", lambda: wizard.console.state.screen is not None)
            wizard.console.start_scenario("interviews", {"A": "Boston", "B": "Denver", "C": "Atlanta"})
            await waits.until("the scenario", lambda: subject.terminal.state.run is not None)
            settle()
            desks = Desks(subject, wizard, waits)
            answers = [await desks.round(number, False) for number in range(rounds)]
            messages = [await desks.round(number, True) for number in range(rounds, 2 * rounds)]
        finally:
            for link in links:
                link.cancel()
            await asyncio.gather(*links, return_exceptions=True)
            await subject.close()
            wizard.close()
        made = [
            fact.event.took / 1e6 for fact in hub.hosted.store.read(session.name) if isinstance(fact.event, ReplyVoiced)
        ]
    return answers[1:], messages[1:], made[1:rounds]


class TurnDelays(NamedTuple):
    """Milliseconds from the end of speech to the first sound of its reply, and of that the time spent in each stage."""

    whole: float
    decided: float
    ended: float
    heard: float
    asked: float
    replied: float
    sounded: float


def sri_study(folder: Path) -> Study:
    """SRI's study with spoken answers, without practice or anything before its scenarios."""
    made = new(folder, profile="SRI")
    (folder / "scenarios" / "practice.toml").unlink()
    path = folder / "profiles" / "SRI.toml"
    lines = [line for line in path.read_text().splitlines() if not line.startswith(("steps", "practice", "max_scen"))]
    at = lines.index("[operators]")
    keys = ['steps = ["consent", "scenarios"]', 'spoken = "answer"', "max_scenarios = 1", "barge_in = true"]
    path.write_text("\n".join([*lines[:at], *keys, *lines[at:]]) + "\n")
    return load(made.folder)


def sri_play(turns: int) -> Script:
    """So many turns within one scenario, of the lines of the shipped play that ask the database, one after the other."""
    shipped = shipped_script()
    asked = [turn for act in shipped.scenario for turn in act.turn if turn.ask]
    said = [ScriptedTurn(speech=turn.speech, said=turn.said, ask=turn.ask) for turn in asked]
    lines = tuple(said[number % len(said)] for number in range(turns))
    act = ScriptedAct(kind="common", turn=lines, ends=Ends(give_up=True))
    return Script(wizard="", subject=shipped.subject, scenario=(act,))


class Stamps:
    """Nanoseconds at which the stages of one turn were over, the end of speech first; all stamps are of one machine's clock."""

    def __init__(self, began: int) -> None:
        self.began = began
        self.at: dict[str, int] = {}

    def turn(self) -> TurnDelays | None:
        """The turn, if its reply was heard; what did not happen (nothing asked of what was not understood) took no time."""
        if not {"speech", "heard", "sounded"} <= self.at.keys():
            return None
        at, spent = self.at["speech"], list[float]()
        for stage in TurnDelays._fields[1:]:
            over = max(at, self.at.get(stage, at))
            spent.append((over - at) / 1e6)
            at = over
        return TurnDelays((at - self.at["speech"]) / 1e6, *spent)


def turns_of(facts: Sequence[e.Recorded]) -> Iterator[TurnDelays]:
    """Yield the turns whose reply was heard."""
    takes: dict[str, Stamps] = {}
    of: dict[str, Stamps] = {}
    for recorded in facts:
        now = recorded.at.mono
        match recorded.event:
            case e.RecordingStarted(take=take, at=at):
                takes[take] = Stamps(at.mono)
            case e.EndPointed(take=take, speech_end=int(end), rate=rate, at=at) if take in takes:
                takes[take].at |= {"speech": takes[take].began + round(end / rate * 1e9), "decided": at.mono}
            case e.RecordingStopped(take=take) if take in takes:
                takes[take].at["ended"] = now
            case e.HypothesisReceived(take=take, final=True) if take in takes:
                takes[take].at["heard"] = now
            case e.QuerySubmitted(take=take, attempt=attempt) if take in takes:
                of[attempt] = takes[take]
            case e.QueryReturned(attempt=attempt) | e.QueryFailed(attempt=attempt) if attempt in of:
                of[attempt].at["asked"] = now
            case e.AnswerSent(take=take, reply=reply) | e.CannedSent(take=take, reply=reply) if take in takes:
                takes[take].at["replied"], of[reply] = now, takes[take]
            case e.PlaybackStarted(reply=reply, at=at) if reply in of:
                of[reply].at.setdefault("sounded", at.mono)
            case _:
                pass
    yield from filter(None, (stamps.turn() for stamps in takes.values()))


def sri_turns(turns: int) -> list[TurnDelays]:
    """The turns of a whole visit at the pace of speech."""
    with tempfile.TemporaryDirectory() as folder:
        study = sri_study(Path(folder) / "study")
        stage = RehearsalPlan(
            study, sri_play(turns), Path(folder) / "corpus", 1.0, io.StringIO(), None,
            machines=StudyMachines, interrupts=True,
        )  # fmt: skip
        return list(turns_of(asyncio.run(stage.perform()).facts))


def print_turns(turns: Sequence[TurnDelays]) -> None:
    """Print the figures of each stage, and where the slowest turns spent their time."""
    print(f"sri_turns {len(turns)}")
    for name, took in zip(TurnDelays._fields, zip(*turns, strict=True), strict=True):
        print(f"sri_turn_{name}_p50 {percentile(took, 0.5):.0f} ms")
        print(f"sri_turn_{name}_p99 {percentile(took, 0.99):.0f} ms")
    for turn in sorted(turns, reverse=True)[:SLOWEST]:
        spent = ", ".join(f"{name} {took:.0f}" for name, took in zip(TurnDelays._fields[1:], turn[1:], strict=True))
        print(f"slow: {turn.whole:.0f} ms: {spent}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--sri", type=int, default=0, metavar="N", help="N turns of a visit that nobody operates")
    options = parser.parse_args()
    rounds = options.rounds
    if options.sri:
        print_turns(sri_turns(options.sri))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        study = spoken_study(Path(folder) / "study")
        answers, messages, made = asyncio.run(measured(study, rounds, Path(folder) / "spool"))
    for name, took in (("first_sound", answers), ("first_sound_at_hand", messages), ("voice_alone", made)):
        print(f"{name}_p50 {percentile(took, 0.5):.1f} ms")
        print(f"{name}_p99 {percentile(took, 0.99):.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
