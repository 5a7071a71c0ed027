"""The console's mirror of the subject's screen, under every profile that ships: what it says is what was painted."""

import msgspec
import pytest

from desk.turn_stack import TurnStack
from session import events as e
from session.events import Recorded
from session.protocol.links import FactReceived
from session.state.fold import SessionState, evolve
from session.study.folder import PROFILES, load_profile
from session.study.settings import Profile
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Echo, RecordingControl, ResponseClass, Role, Sealed
from session.visibility import project
from subject.app import SubjectApp
from tests.subject.stage import Desk, settle
from tests.together.pipe import opened
from wizard.core.subject_mirror import mirror

AT = Stamp("s", 0, 0)
SHIPPED = sorted(path.stem for path in PROFILES.glob("*.toml"))


def profile_of(name: str) -> Profile:
    return load_profile(name, PROFILES, PROFILES)


def utterance(take: str, text: str, typed: bool) -> list[e.Fact]:
    """Something was said, or typed."""
    if typed:
        return [e.UtteranceTyped(at=AT, take=take, text=text)]
    stopped = e.RecordingStopped(at=AT, take=take, sealed=(Sealed("s", 1, ""),))
    return [e.TalkPressed(at=AT, take=take), stopped, e.Transcribed(at=AT, take=take, text=text)]


def session(profile: Profile) -> list[e.Fact]:
    """A greeting, a turn with filler and answer, a message in between, a wrong reply, one taken back, one that waits."""
    typed = profile.recording is RecordingControl.TYPED
    first = opened()
    protocol = msgspec.structs.replace(first.protocol, profile=profile)
    return [
        msgspec.structs.replace(first, protocol=protocol),
        e.ConsentGiven(at=AT, version="1", sha256="", scopes={}),
        e.ScenarioStarted(number=1, scenario="trip", title="Trip", text="Go to Boston.", kind="trip"),
        e.CannedSent(reply="g", take="", text="Welcome to the system.", response=ResponseClass.GREETING),
        *utterance("t1", "which flights go there", typed),
        e.CannedSent(reply="f", take="t1", text="One moment.", response=ResponseClass.FILLER),
        e.AnswerSent(reply="r1", take="t1", text="FLIGHT\n------\nUA 12", transcription="which flights go there"),
        e.CannedSent(reply="m", take="", text="Still looking.", response=ResponseClass.FILLER),
        *utterance("t2", "and back", typed),
        e.AnswerSent(reply="r2", take="t2", text="nothing", transcription="and back"),
        e.ReplyMarkedWrong(reply="r2", reason="slip"),
        *utterance("t3", "no", typed),
        e.TakeDiscarded(at=AT, take="t3"),
        *utterance("t4", "and the fare", typed),
    ]


def painted_turns(app: SubjectApp) -> list[str]:
    stack = app.screen.query_one(TurnStack)
    return [stack.line(index)[0].strip(" ▌") for index in range(stack.total())]


@pytest.mark.parametrize("name", SHIPPED)
async def test_the_mirror_says_what_was_painted(name: str) -> None:
    profile = profile_of(name)
    whole, desk = SessionState(), Desk()
    desk.terminal.state = SessionState()
    app = SubjectApp(desk.terminal, desk.clock, open_microphone=lambda: None)
    desk.terminal._changed = app.changed
    async with app.run_test(size=(100, 60)) as pilot:
        for seq, fact in enumerate(session(profile), start=1):
            recorded = Recorded("bbn-20261121-1", seq, Stamp("hub", seq * SECOND, seq * SECOND), "hub", "", fact)
            whole = evolve(whole, recorded)
            seen = project(recorded, Role.SUBJECT, profile, seq)
            if seen is not None:
                desk.terminal.receive(FactReceived(seen))
        await settle(pilot)
        await settle(pilot)
        painted = [line for line in painted_turns(app) if line]
    lines = mirror(whole, here=True)
    turns = [line for line in lines[lines.index("Go to Boston.") + 1 : -2] if line and not line.startswith("  (")]
    assert [line.removeprefix("> ") for line in turns] == [_without_label(line) for line in painted]
    assert ("Welcome to the system." in turns) is profile.show_answers
    assert ("> and the fare" in turns) is (
        profile.echo is Echo.BEFORE_QUERY or profile.recording is RecordingControl.TYPED
    )
    assert lines[-1] == "[ working ]"


def _without_label(line: str) -> str:
    """A turn's title without its number."""
    label, _, rest = line.partition(" ")
    return rest if label.isdigit() or label == "·" else line
