"""Effects of a profile, a scenario and a canned message, seen in a session that is played by hand."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from corpus.commands.session_lines import listed
from corpus.export.source import Collected
from corpus.formats.log.file import render
from corpus.formats.log.projection import logs_of
from desk.keys.actions import in_groups
from desk.subject_view import reply_lines
from desk.turn_stack import TurnStack
from session import commands as c
from session import events as e
from session.rules.decide import RequestRefused, answer_text
from session.rules.visit_steps import debriefing, next_step, opening_step
from session.study.questionnaires import read_text
from session.study.screen_words import CONSOLE_ENGLISH
from session.study.settings import MicrophoneChoice, Operators, Profile, Scenario, Solution
from session.values.answers import Table, rows_of
from session.values.clock import Stamp
from session.values.column_display import ColumnReading
from session.values.vocabulary import (
    AudioTrouble,
    Echo,
    LostMicrophone,
    Operator,
    RecordingControl,
    ScenarioKind,
    Step,
)
from session.visibility import for_subject
from subject.browser.view import parts
from subject.capture.microphones import inputs
from subject.core.microphone_trial import MicrophoneTrial
from subject.desk import recorder_settings
from tests.effects.registry import Places, effect
from tests.session.examples import SCENARIOS, protocol
from tests.session.play import Play
from tests.subject.stage import Desk, Stage, settle
from wizard.screens.entry_lines import scenario_line

AT = Stamp("subject", 0, 0)
MACHINES = dict.fromkeys(("recognition", "understanding", "database", "response"), Operator.MACHINE)


def played(profile: Profile) -> Play:
    """A session under this profile with one scored scenario going on."""
    play = Play(profile)
    play.start()
    return play


def log(play: Play) -> str:
    """The text of the first log of what was played."""
    return render(logs_of(play.recorded)[0].log).decode()


def entry(text: str, name: str) -> list[str]:
    """The lines of a log that begin an entry of this name, each with the line below it, where a longer value stands."""
    lines = text.splitlines()
    return [below for at, line in enumerate(lines) if line.startswith(f"[{name}:]") for below in lines[at : at + 2]]


def in_header(name: str, key: str) -> None:
    """A key of a profile that stands in the header of every log under another name."""

    def observe(value: Any) -> object:
        return entry(log(played(Profile(**{"name": "test", key: value}))), name)

    first, second = {"recording": (RecordingControl.PRESS, RecordingControl.HOLD)}.get(key, ("one", "other"))
    effect(f"profile.{key}", f"`[{name}:]` of every log", first, second)(observe)


for header, field in (
    ("Profile", "name"),
    ("Task", "task"),
    ("Returned_data", "returned_data"),
    ("Collection_method", "collection_method"),
    ("Recording_control", "recording"),
):
    in_header(header, field)


@effect("profile.version", "`[Profile:]` of every log", "1", "2")
def _version(value: str) -> object:
    return entry(log(played(Profile(name="test", version=value))), "Profile")


@effect("profile.deception", "`[Deception:]` of every log, and whether the debriefing tells of the wizard", True, False)
def _deception(value: bool) -> object:
    profile = Profile(name="test", deception=value)
    text = msgspec.structs.replace(protocol(profile), debriefing="Thank you.\n\n{wizard} A person helped.")
    return Places(log=entry(log(played(profile)), "Deception"), debriefing=debriefing(text, people_acted=False))


def _operator(stage: str) -> None:
    def observe(value: Operator) -> object:
        profile = Profile(name="test", operators=Operators(**(MACHINES | {stage: value})))
        text = msgspec.structs.replace(protocol(profile), debriefing="Thank you.\n\n{wizard} A person helped.")
        return debriefing(text, people_acted=False)

    effect(
        f"profile.operators.{stage}",
        "the debriefing of a deceived subject; `[Mode:]` has the actual operators",
        Operator.MACHINE,
        Operator.HUMAN,
    )(observe)


for name in MACHINES:
    _operator(name)


@effect(
    "profile.pre_roll_ms",
    "samples before the press in the waveform (`[Pre_roll:]`), and the words of the consent",
    300,
    100,
)
def _pre_roll(value: int) -> object:
    profile = Profile(name="test", pre_roll_ms=value)
    with tempfile.TemporaryDirectory() as folder:
        consent = Path(folder) / "consent.txt"
        consent.write_text("{pre_roll} The last {pre_roll_ms} milliseconds are kept.\n")
        return Places(waveform=recorder_settings(profile), consent=read_text(consent, profile))


def _recorder(key: str, place: str, first: float, second: float) -> None:
    effect(f"profile.{key}", place, first, second)(
        lambda value: recorder_settings(Profile(**{"name": "test", key: value}))
    )


_recorder("tail_ms", "samples after the release in the waveform (`[Tail:]`)", 300, 0)
_recorder("longest_take_s", "the length at which a take ends by itself", 120.0, 5.0)


@effect("profile.microphones.device", "the device that the subject's desk opens", "Crown", "Sennheiser")
def _device(value: str) -> object:
    return _opened(MicrophoneChoice(device=value))


@effect("profile.microphones.letters", "the last letters of the waveforms' names", "s", "st")
def _letters(value: str) -> object:
    return _opened(MicrophoneChoice(letters=value))


@effect("profile.microphones.rate", "`sample_rate` in the header of the waveform", 16_000, 8_000)
def _rate(value: int) -> object:
    return _opened(MicrophoneChoice(rate=value))


def _opened(choice: MicrophoneChoice) -> object:
    found: list[object] = []

    def opener(*asked: object) -> Any:
        found.append(asked)

    for given in inputs((), Profile(name="test", microphones=(choice,)), opener=opener):
        given.opener()
        found.append(given.letters)
    return found


@effect("profile.lost_microphone", "a pause of the session when a microphone is lost", *LostMicrophone)
def _lost(value: LostMicrophone) -> object:
    play = played(Profile(name="test", lost_microphone=value))
    gone = AudioTrouble.DEVICE_LOST
    play.report(e.AudioTroubled(at=AT, take="", trouble=gone, letter="s", at_sample=0, samples=0, detail="gone"))
    return play.state.paused is not None


@effect("profile.echo", "the transcription on the subject's screen, and `[Echo:]`", Echo.BEFORE_QUERY, Echo.NEVER)
def _echo(value: Echo) -> object:
    profile = Profile(name="test", echo=value)
    return Places(
        screen=for_subject(e.Transcribed(at=AT, take="t", text="hello"), profile),
        log=entry(log(played(profile)), "Echo"),
    )


@effect("profile.reply_limit_s", "the console's countdown and `[Reply_limit_reached:]`", 60.0, 0.0)
def _limit(value: float) -> object:
    from tests.wizard.desk import HandPlayed

    play = played(Profile(name="test", reply_limit_s=value))
    play.speak()
    desk = HandPlayed(reply_limit_s=value)
    desk.scenario()
    desk.spoken()
    return Places(log=play.wait(61), console=desk.console.remaining())


def _delayed(key: str, place: str) -> None:
    def observe(value: Any) -> object:
        play = played(Profile(**{"name": "test", key: value}))
        play.speak()
        play.do(play.canned("unable"))
        return play.state.planned is not None

    effect(f"profile.{key}", place, 0.0, 5.0)(observe)


_delayed("reply_delay_s", "the time at which a reply goes out (`[Delay:]`)")
_delayed("hold_back_s", "the time in which the wizard can stop a reply (`[Reply_planned:]`)")


@effect("profile.reply_delay_spread_s", "the spread of reply delays (`[Delay:]`)", 0.0, 2.0)
def _delays_differ(value: float) -> object:
    play = played(Profile(name="test", reply_delay_s=5.0, reply_delay_spread_s=value))
    play.speak()
    play.do(play.canned("unable"))
    return play.state.planned


@effect("profile.free_text", "whether a text of the wizard's own reaches the subject", True, False)
def _free_text(value: bool) -> object:
    play = played(Profile(name="test", free_text=value))
    play.speak()
    return isinstance(play.ask(c.SendText(id="F", take="T1", text="Which city?")), RequestRefused)


@effect("profile.show_answers", "the answer on the subject's screen", True, False)
def _show_answers(value: bool) -> object:
    desk = Desk(show_answers=value)
    desk.scenario()
    desk.utterance("t1")
    desk.tell(e.AnswerSent(reply="r1", take="t1", text="flight 12"))
    return reply_lines(desk.terminal.state, "t1")


@effect("profile.context_return", "the actions that terminal and page offer at an earlier turn", True, False)
def _context_return(value: bool) -> object:
    stage = Stage(context_return=value)
    stage.desk.scenario()
    stage.desk.utterance("t1")
    stage.desk.tell(e.AnswerSent(reply="r1", take="t1", text="flight 12"))
    turn = dict(parts(stage.desk.terminal, MicrophoneTrial()))["turn:t1"]
    return Places(terminal=asyncio.run(_offered_at_a_turn(stage)), page=turn and turn["may_return"])


async def _offered_at_a_turn(stage: Stage) -> list[str]:
    """What the terminal offers to somebody who has gone to an answer."""
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        stage.app.screen.query_one(TurnStack).focus()
        await settle(pilot)
        return [entry.does for entry in in_groups(stage.app.screen)]


@effect("profile.consent", "the consent form before everything else", True, False)
def _consent(value: bool) -> object:
    return opening_step(Play(Profile(name="test", consent=value), consent=False).state)


@effect("profile.steps", "the steps of the visit", (Step.SCENARIOS,), (*Step,)[1:])
def _steps(value: tuple[Step, ...]) -> object:
    play = Play(Profile(name="test", consent=False, steps=value), consent=False)
    return play.ask(c.StartScenario(id="S", scenario="hub")), next_step(play.state)


@effect("profile.practice_criterion", "the refusal to start a scored scenario", 0, 2)
def _practice(value: int) -> object:
    play = Play(Profile(name="test", steps=(Step.CONSENT, Step.PRACTICE, Step.SCENARIOS), practice_criterion=value))
    play.start("warm-up")
    play.do(c.EndScenario(id="E", outcome="ended"))  # type: ignore[arg-type]
    return isinstance(play.ask(c.StartScenario(id="S", scenario="hub")), RequestRefused)


@effect("profile.max_scenarios", "the refusal to start a further scenario", 0, 1)
def _most(value: int) -> object:
    play = played(Profile(name="test", max_scenarios=value))
    play.do(c.EndScenario(id="E", outcome="ended"))  # type: ignore[arg-type]
    return isinstance(play.ask(c.StartScenario(id="S", scenario="hub")), RequestRefused)


@effect("profile.scenario_limit_s", "`[Outcome:] time_up`", 0.0, 60.0)
def _scenario_limit(value: float) -> object:
    play = played(Profile(name="test", scenario_limit_s=value))
    return play.wait(61)


@effect("profile.session_limit_s", "the refusal to start a further scenario when the time is over", 0.0, 60.0)
def _session_limit(value: float) -> object:
    play = Play(Profile(name="test", session_limit_s=value))
    play.wait(61)
    return isinstance(play.ask(c.StartScenario(id="S", scenario="hub")), RequestRefused)


def _answer(key: str, place: str, first: object, second: object) -> None:
    def observe(value: Any) -> object:
        play = played(Profile(**{"name": "test", "echo": Echo.NEVER, key: value}))
        play.speak()
        name = play.query(table=None)
        table = rows_of(["meal"], [["S"], ["D"], ["B"]])
        reading = (ColumnReading(codes={"S": "snack"}),)
        play.hub(
            e.QueryReturned(
                attempt=name, sql="", table=table, took=1, database_version="1", paraphrase="the meals", reading=reading
            )
        )
        return answer_text(play.state, name)

    effect(f"profile.{key}", place, first, second)(observe)


_answer("rows_shown", "the rows of an answer on the subject's screen", 40, 1)
_answer("expand_codes", "words in place of codes on the subject's screen", False, True)
_answer("summary", "the line above an answer on the subject's screen", False, True)


# --- a scenario -----------------------------------------------------------------------------------------------------------


def _scenario(**changes: Any) -> Scenario:
    return Scenario(**({"id": "own", "title": "Own", "kind": ScenarioKind.TRIP, "text": "Go."} | changes))


def _with_scenario(scenario: Scenario) -> Play:
    play = Play()
    opened = play.state.opened
    assert opened is not None
    changed = msgspec.structs.replace(opened.protocol, scenarios=SCENARIOS | {scenario.id: scenario})
    play.hub(msgspec.structs.replace(opened, protocol=changed))
    play.report(e.ConsentGiven(at=AT, version="1", sha256="", scopes={"record": True}))
    play.ask(c.StartScenario(id="S", scenario=scenario.id))
    return play


def _in_log(key: str, line: str, first: object, second: object) -> None:
    def observe(value: Any) -> object:
        play = _with_scenario(_scenario(**{key: value}))
        return entry(log(play), line)

    effect(f"scenario.{key}", f"`[{line}:]` of its log", first, second)(observe)


_in_log("id", "Scenario", "own", "other")
_in_log("title", "Title", "Own", "Another")
_in_log("kind", "Scenario_kind", ScenarioKind.TRIP, ScenarioKind.PROBLEM)
_in_log("text", "Scenario_text", "Go.", "Come.")
_in_log("common", "Common", False, True)


@effect("scenario.placeholders", "the task on the subject's sheet", {"A": "Boston"}, {"A": "Denver"})
def _placeholders(value: dict[str, str]) -> object:
    run = _with_scenario(_scenario(text="Go to {A}.", placeholders=value)).state.run
    return run and run.text


@effect("scenario.difficulty", "the console's list of scenarios", 1, 4)
def _difficulty(value: int) -> object:
    return scenario_line(_scenario(difficulty=value), done=False, words=CONSOLE_ENGLISH)


@effect("scenario.expected_queries", "`expected` of `curtain sessions`, and the console's list", 1, 7)
def _expected_queries(value: int) -> object:
    scenario = _scenario(expected_queries=value)
    play = _with_scenario(scenario)
    return Places(
        sessions=listed(Collected("bbn-20261121-1", tuple(play.recorded), "head"), play.state).expected,
        console=scenario_line(scenario, done=False, words=CONSOLE_ENGLISH),
    )


def _solution(sql: str, explanation: str = "") -> object:
    from rehearsal.checkup import solution_findings

    class Bank:
        scenarios: ClassVar = {"own": _scenario(solution=Solution(sql=sql, explanation=explanation))}

    class Sandbox:
        def run(self, statement: str) -> Table:
            return rows_of(["n"], [] if "none" in statement else [[1]])

    return list(solution_findings(Bank(), Sandbox()))  # type: ignore[arg-type]


@effect(
    "scenario.solution.sql",
    "`curtain doctor`'s report on the solution, and `[End_to_end:]`",
    "SELECT 1",
    "SELECT none",
)
def _sql(value: str) -> object:
    return _solution(value)


@effect("scenario.solution.explanation", "`curtain doctor`'s report on a solution to be corrected", "why", "because")
def _explanation(value: str) -> object:
    return _solution("SELECT none", value)
