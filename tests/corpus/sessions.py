"""A whole session as facts, written by hand: two desks with clocks of their own, practice, two scenarios, every kind of turn."""

import hashlib
from typing import Any

import numpy as np

from corpus.export.source import Collected
from session import events as e
from session.study.settings import CannedMessage, Equipment, Profile, Protocol, Scenario, Solution, Speaker
from session.values.answers import FailureKind, Table, compose
from session.values.clock import MILLISECOND, SECOND, Stamp
from session.values.vocabulary import (
    AudioTrouble,
    Channel,
    Language,
    Operator,
    Outcome,
    ResponseClass,
    ScenarioKind,
    Scope,
    Sealed,
)

BEGIN = 1_795_253_400 * SECOND
DESK_AHEAD = 5_000 * SECOND
RATE = 16_000
STUDY = b"site = 'bbn'\n"
FILES = {"study.toml": hashlib.sha256(STUDY).hexdigest(), "scenarios/trip.toml": "b2" * 32}


def protocol(**profile: Any) -> Protocol:
    """A protocol of two scenarios, one with a solution set, and practice."""
    scenarios = (
        Scenario(id="practice", title="Try it", kind=ScenarioKind.PRACTICE, text="Ask anything."),
        Scenario(
            id="interviews",
            title="Two interviews",
            kind=ScenarioKind.TRIP,
            text="You start in {A}.\nPlan flights to two cities.",
            common=True,
            placeholders={"A": ""},
            solution=Solution(sql="SELECT flight_id FROM flight"),
        ),
        Scenario(id="hub", title="A hub", kind=ScenarioKind.PROBLEM, text="Find the hub of an airline."),
    )
    return Protocol(
        site="bbn",
        sha256="c3" * 32,
        files=FILES,
        profile=Profile(name="bbn-1992", **profile),
        domain="air_travel",
        database_version="air-1.0",
        today="1991-11-21",
        equipment=Equipment(
            microphones={"s": "Sennheiser HMD-414", "c": "Crown PCC-160"}, room="cubicle 3", digitiser="Ariel"
        ),
        scenarios={scenario.id: scenario for scenario in scenarios},
        canned_messages={
            "none": CannedMessage(
                id="none",
                text="No information is available on ___.",
                reason="out of scope",
                response=ResponseClass.DIAGNOSTIC,
            )
        },
        consent_version="2",
    )


def pcm(take: str, seconds: float = 0.5, rate: int = RATE) -> bytes:
    """A take's own sound: a tone whose pitch comes from its name, at a level that is neither silent nor clipped."""
    seed = int(hashlib.sha256(take.encode()).hexdigest()[:6], 16)
    period = 30 + seed % 60
    time = np.arange(int(seconds * rate))
    triangle = np.abs(time % (2 * period) - period) * 2 - period
    tone = triangle * (6000 // period) * np.minimum(8, time // 100 + 1) // 8
    return (tone + time * (seed | 1) % 97).astype("<i2").tobytes()


def sealed(take: str, letter: str, data: bytes) -> Sealed:
    """Return the seal of a channel with these samples."""
    return Sealed(letter, len(data) // 2, hashlib.sha256(data).hexdigest())


class Script:
    """Collects facts; every step takes `tick` seconds by all clocks."""

    def __init__(self, session: str = "bbn-20261121-1", speaker: str = "8k8", **profile: Any) -> None:
        self.session = session
        self.facts: list[e.Recorded] = []
        self.takes: dict[str, dict[str, bytes]] = {}
        self.spoken: dict[str, bytes] = {}
        self.now = 0
        self.begin = BEGIN
        self.protocol = protocol(**profile)
        self.speaker = Speaker(speaker, "f", 31, "New England", "advertisement", "certificate")
        self.reply_number = 0
        self.stretch = 1.0

    @property
    def opened(self) -> e.SessionOpened:
        """Return the fact that opens the session."""
        event = self.facts[0].event
        assert isinstance(event, e.SessionOpened)
        return event

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += round(seconds * SECOND)

    def hub(self) -> Stamp:
        """Return the hub's time."""
        return Stamp("hub", 77 * SECOND + self.now, self.begin + self.now)

    def desk(self) -> Stamp:
        """The subject's desk: another zero, and a wall clock that is wrong by more than an hour."""
        return Stamp("desk", 3 * SECOND + self.now, self.begin + self.now + DESK_AHEAD)

    def wizard_desk(self) -> Stamp:
        """Return the time of the wizard's desk, which shares the hub's clock."""
        return self.hub()

    def add(self, event: e.Fact, by: str = "hub") -> None:
        """Record a fact of the desk or role `by`."""
        self.facts.append(e.Recorded(self.session, len(self.facts) + 1, self.hub(), by, f"c{len(self.facts)}", event))
        self.wait(0.25)

    def open(self, **more: Any) -> None:
        """Open the session with a subject, a wizard and a consent."""
        self.add(
            e.SessionOpened(
                site="bbn", speaker=self.speaker, protocol=self.protocol, operator="w1", condition="tables", **more
            )
        )
        self.add(e.DeskAttached(role="subject", desk="d1", clock="desk", version="0.1"))
        self.add(e.ClockCompared(clock="desk", mono=3 * SECOND + self.now, offset=74 * SECOND, uncertainty=450_000))
        self.add(e.WizardIdentified(name="w2", role="wizard"), "wizard")
        self.add(e.ScreenSized(at=self.desk(), columns=80, lines=24), "subject")
        self.add(
            e.ConsentGiven(
                at=self.desk(), version="2", sha256="d4" * 32, scopes={"record": True, "publish_audio": True}
            ),
            "subject",
        )

    def start(self, scenario: str, number: int | None, **more: Any) -> None:
        """Start a scenario of the protocol, its placeholder bound to Boston."""
        known = self.protocol.scenarios[scenario]
        bindings = {"A": "Boston"} if known.placeholders else {}
        self.add(
            e.ScenarioStarted(
                number=number,
                scenario=scenario,
                title=known.title,
                text=known.bound(bindings),
                kind=known.kind,
                common=known.common,
                bindings=bindings,
                **more,
            ),
            "experimenter",
        )

    def speak(self, take: str, number: int | None, text: str = "", channels: str = "s", seconds: float = 0.5) -> None:
        """From the press to the transcription on the subject's screen."""
        seconds *= self.stretch
        kinds = tuple(
            Channel(letter, self.protocol.equipment.microphones[letter], RATE if letter == "s" else 8000)
            for letter in channels
        )
        self.takes[take] = {channel.letter: pcm(take + channel.letter, seconds, channel.rate) for channel in kinds}
        seals = tuple(sealed(take, letter, data) for letter, data in self.takes[take].items())
        self.add(e.TalkPressed(at=self.desk(), take=take), "subject")
        self.add(e.RecordingStarted(at=self.desk(), take=take, channels=kinds, pre_roll=4800), "subject")
        self.wait(seconds)
        self.add(e.TalkReleased(at=self.desk(), take=take), "subject")
        self.add(e.RecordingStopped(at=self.desk(), take=take, sealed=seals, tail=4800), "subject")
        self.add(e.TakeConfirmed(take=take, sealed=seals))
        if text:
            self.add(e.UtteranceAccepted(take=take, number=number))
            self.add(e.Transcribed(at=self.wizard_desk(), take=take, text=text), "wizard")
            self.add(e.TranscriptionShown(at=self.desk(), take=take), "subject")

    def query(self, take: str, attempt: str, text: str, rows: Table | FailureKind) -> None:
        """Ask the database about a take, with these rows or this failure."""
        self.add(
            e.QuerySubmitted(at=self.wizard_desk(), attempt=attempt, take=take, language=Language.ENGLISH, text=text),
            "wizard",
        )
        if isinstance(rows, FailureKind):
            self.add(e.QueryFailed(attempt=attempt, kind=rows, message="I cannot parse that.", took=MILLISECOND))
            return
        sql = "SELECT flight_id, airline\nFROM flight WHERE note = 'a\n[Number:] 02'"
        self.add(
            e.QueryReturned(attempt=attempt, sql=sql, table=rows, took=3 * MILLISECOND, database_version="air-1.0")
        )
        self.add(e.AnswerPreviewed(at=self.wizard_desk(), attempt=attempt, sha256="e5" * 32), "wizard")

    def answer(self, take: str, attempt: str, rows: Table, text: str) -> str:
        """Send the rows of an attempt and show them; return the reply's id."""
        self.reply_number += 1
        reply = f"r{self.reply_number}"
        shown = compose(rows, 80, 40)
        self.add(
            e.AnswerSent(
                reply=reply, take=take, text=shown, transcription=text, attempt=attempt, database_version="air-1.0"
            ),
            "wizard",
        )
        self.add(e.ReplyShown(at=self.desk(), reply=reply, first=0, last=3), "subject")
        self.voice(reply)
        return reply

    def voice(self, reply: str) -> None:
        """Have the reply heard to its end, where the system speaks."""
        if not self.protocol.profile.speaks:
            return
        sound = pcm(reply, 0.5, RATE)
        sha256 = hashlib.sha256(sound).hexdigest()
        self.spoken[sha256] = sound
        samples = len(sound) // 2
        self.add(e.ReplyVoiced(reply=reply, sha256=sha256, samples=samples, rate=RATE, engine="a voice", version="1"))
        self.add(e.PlaybackStarted(at=self.desk(), reply=reply), "subject")
        self.wait(0.5)
        self.add(e.PlaybackStopped(at=self.desk(), reply=reply, samples=samples), "subject")

    def canned(self, take: str, response: ResponseClass = ResponseClass.DIAGNOSTIC) -> str:
        """Send the canned message about hotels and show it; return the reply's id."""
        self.reply_number += 1
        reply = f"r{self.reply_number}"
        self.add(
            e.CannedSent(
                reply=reply,
                take=take,
                text="No information is available on hotels.",
                message="none",
                blanks=("hotels",),
                reason="out of scope",
                response=response,
            ),
            "wizard",
        )
        self.add(e.ReplyShown(at=self.desk(), reply=reply, first=0, last=0), "subject")
        return reply

    def finish(self) -> None:
        """Answer the questionnaire and end the session."""
        self.add(
            e.QuestionnaireAnswered(at=self.desk(), form="satisfaction", answers={"pleased": "4", "why": "it\nworked"}),
            "subject",
        )
        self.add(e.SessionEnded(reason="done"), "experimenter")


FLIGHTS = Table(
    ("flight_id", "airline", "fare"), ((101, "XA", 120.5), (102, "XB | pipe", None), (103, "[Result:] 9", 90.0))
)
SECRET = "the secret rewording"


def whole_session(
    session: str = "bbn-20261121-1", speaker: str = "8k8", stretch: float = 1.0, days: int = 0, **profile: Any
) -> Script:
    """Practice, a common scenario that is solved, a problem that is given up; seven numbered utterances.

    Utterances last half a second to three quarters, times `stretch`; all is so many `days` after 21 November 2026.
    """
    script = Script(session, speaker, **profile)
    script.begin += days * 86_400 * SECOND
    script.stretch = stretch
    script.open()
    script.start("practice", None)
    script.speak(f"{speaker}P1", None, "hello")
    script.add(e.ScenarioEnded(outcome=Outcome.ENDED), "experimenter")
    script.start("interviews", 1, attended=True)
    _first_scenario(script, speaker)
    script.wait(5)
    script.start("hub", 2)
    _second_scenario(script, speaker)
    script.finish()
    return script


def _first_scenario(script: Script, speaker: str) -> None:
    first, second, third, fourth = (f"{speaker}A{number}" for number in range(1, 5))
    script.speak(first, 1, "Show me flights from Boston to Denver, please.", "sc", 0.75)
    script.query(first, f"{first}q1", SECRET, FailureKind.NOT_UNDERSTOOD)
    script.query(first, f"{first}q2", "flights from boston to denver", FLIGHTS)
    script.answer(first, f"{first}q2", FLIGHTS, "Show me flights from Boston to Denver, please.")
    script.speak(f"{speaker}D1", None)
    script.add(e.TakeDiscarded(at=script.desk(), take=f"{speaker}D1"), "subject")
    script.speak(second, 2, "what hotels are there")
    script.add(e.ScopeMarked(take=second, scope=Scope.OUT), "wizard")
    script.add(e.NoteWritten(text="subject asks for hotels again", take=second), "wizard")
    script.canned(second)
    script.add(e.SessionPaused(reason="break"), "experimenter")
    script.wait(30)
    script.add(e.SessionResumed(), "experimenter")
    script.speak(third, 3, "and flight 732")
    script.add(
        e.AudioTroubled(
            at=script.desk(), take=third, trouble=AudioTrouble.OVERFLOW, at_sample=100, samples=20, detail="late"
        ),
        "subject",
    )
    empty = Table(("flight_id",), ())
    script.query(third, f"{third}q1", "flight 732", empty)
    wrong = script.answer(third, f"{third}q1", empty, "and flight 732")
    script.add(e.ReplyMarkedWrong(reply=wrong, reason="the wrong day"), "wizard")
    script.speak(fourth, 4, "what about the <the> [uh] cheapest fare ~")
    one = Table(("fare",), ((90,),))
    script.query(fourth, f"{fourth}q1", "cheapest fare", one)
    script.answer(fourth, f"{fourth}q1", one, "what about the cheapest fare")
    script.add(e.NoteWritten(text="a note of nobody's utterance"), "experimenter")
    script.add(e.SolutionDeclared(at=script.desk(), solution="flight 103"), "subject")
    script.add(e.ScenarioEnded(outcome=Outcome.DECLARED), "subject")


def _second_scenario(script: Script, speaker: str) -> None:
    first, second, third = (f"{speaker}B{number}" for number in range(1, 4))
    script.speak(first, 1, "WHICH AIRLINES FLY TO DFW?")
    script.canned(first, ResponseClass.FILLER)
    yes = Table(("served",), ((True,),))
    script.query(first, f"{first}q1", "airlines to dallas", yes)
    script.answer(first, f"{first}q1", yes, "WHICH AIRLINES FLY TO DFW?")
    script.speak(second, 2, "is it united's hub")
    script.add(e.ReplyLimitReached(take=second))
    script.canned(second, ResponseClass.FAILURE)
    script.add(e.ContextSwitched(at=script.desk(), target=first), "subject")
    script.speak(third, 3, "\u2026 never mind")
    script.canned(third)
    script.add(e.ScenarioGivenUp(at=script.desk()), "subject")
    script.add(e.ScenarioEnded(outcome=Outcome.GIVEN_UP), "subject")


def with_operators(**operators: Operator) -> dict[str, Operator]:
    return {"recognition": Operator.HUMAN, **operators}


class MemorySource:
    """Scripts as an export sees them."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = scripts
        self.takes = {
            (script.session, take): dict(sounds) for script in scripts for take, sounds in script.takes.items()
        }

    @property
    def names(self) -> list[str]:
        return [script.session for script in self._scripts]

    def collected(self, name: str) -> Collected:
        facts = next(script.facts for script in self._scripts if script.session == name)
        return Collected(name, facts, self.head(name))

    def head(self, name: str) -> str:
        return "f6" * 32

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        return self.takes[session, take].get(letter)

    def spoken(self, session: str, sha256: str) -> bytes | None:
        return next(script.spoken.get(sha256) for script in self._scripts if script.session == session)

    def protocol_file(self, sha256: str) -> bytes | None:
        return STUDY if sha256 == FILES["study.toml"] else None
