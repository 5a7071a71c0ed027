"""Levels of scenarios at a running hub: the voice that speaks, and whether the wizard hears the subject."""

import msgspec

from session import commands as c
from session import events as e
from session.hub.reply_voice import SpokenSound
from session.protocol.messages import AudioChunk
from session.study.assignment import Assignment, VisitPlan
from session.study.settings import Profile, Voice
from session.values.vocabulary import Outcome, SpokenPart
from tests.together.pipe import SESSION, Bench, PipedDesk, opened, protocol

ORDER = ("one", "two", "three", "four")


class Named:
    """A voice that says how fast it speaks."""

    missing = ()

    def __init__(self, speed: int) -> None:
        self.name = f"at {speed}"

    def sound(self, text: str, message: str = "") -> SpokenSound:
        return SpokenSound(bytes(200), self.name, "1")


def voice_of(profile: Profile) -> Named | None:
    return Named(profile.voice.speed) if profile.speaks else None


def visit(levels: dict[str, dict[str, object]], order: tuple[str, ...]) -> e.SessionOpened:
    """A visit whose scenarios have these levels, in this order."""
    plain = opened()
    trip = plain.protocol.scenarios["trip"]
    scenarios = {name: msgspec.structs.replace(trip, id=name, text="Go.", placeholders={}) for name in ORDER}
    profiles = {name: protocol(**keys).profile for name, keys in levels.items()}
    own = msgspec.structs.replace(plain.protocol, scenarios=scenarios, scenario_profiles=profiles)
    given = Assignment(1, (VisitPlan({}, ORDER, conditions=order),))
    return msgspec.structs.replace(plain, protocol=own, assignment=given)


async def desks(bench: Bench) -> tuple[PipedDesk, PipedDesk]:
    return await PipedDesk(bench, "t-subject", "sub").connect(), await PipedDesk(bench, "t-wizard", "wiz").connect()


async def test_each_scenario_is_spoken_with_its_own_voice_and_a_silent_one_is_not_before_and_after_a_crash() -> None:
    bench = Bench(voice=voice_of)
    levels: dict[str, dict[str, object]] = {
        "voice=slow": {"spoken": SpokenPart.ANSWER, "voice": Voice(speed=120)},
        "voice=none": {},
        "voice=fast": {"spoken": SpokenPart.ANSWER, "voice": Voice(speed=300)},
    }
    await bench.hub.open(SESSION, visit(levels, ("voice=slow", "voice=none", "voice=fast", "voice=slow")))
    subject, wizard = await desks(bench)
    for number, name in enumerate(ORDER):
        await wizard.give(c.StartScenario(id=f"s{number}", scenario=name))
        if number == 2:
            for desk in (subject, wizard):
                await desk.cut()
            await bench.hub.close()
            again = Bench(store=bench.store, recordings=bench.recordings, voice=voice_of)
            subject, wizard = await desks(again)
            bench = again
        assert subject.state.opened is not None
        assert subject.state.opened.protocol.profile.speaks is (name != "two")
        await wizard.give(c.SendCanned(id=f"c{number}", message="wait"))
        await wizard.give(c.EndScenario(id=f"e{number}", outcome=Outcome.ENDED))
        await bench.settle()
    voiced = [fact.event for fact in bench.store.read(SESSION) if isinstance(fact.event, e.ReplyVoiced | e.VoiceFailed)]
    assert [(fact.reply, fact.engine) for fact in voiced] == [("c0", "at 120"), ("c2", "at 300"), ("c3", "at 120")]
    sent = [reply.spoken for reply in wizard.state.replies.values()]
    assert [bool(words) for words in sent] == [True, False, True, True]
    for desk in (subject, wizard):
        await desk.cut()
    await bench.close()


async def test_the_wizard_hears_the_subject_in_the_scenarios_that_let_her() -> None:
    bench = Bench()
    levels: dict[str, dict[str, object]] = {"ear=open": {"subject_heard": True}, "ear=closed": {"subject_heard": False}}
    await bench.hub.open(SESSION, visit(levels, ("ear=closed", "ear=open", "ear=open", "ear=closed")))
    subject, wizard = await desks(bench)
    heard = list[bool]()
    for number, name in enumerate(ORDER):
        await wizard.give(c.StartScenario(id=f"s{number}", scenario=name))
        before = len([one for one in wizard.happened if isinstance(one, AudioChunk)])
        await subject.sound(AudioChunk(f"T{number}", "s", 0, bytes(64)))
        heard.append(len([one for one in wizard.happened if isinstance(one, AudioChunk)]) > before)
        await wizard.give(c.EndScenario(id=f"e{number}", outcome=Outcome.ENDED))
    assert heard == [False, True, True, False]
    for desk in (subject, wizard):
        await desk.cut()
    await bench.close()
