"""Sessions in which the system speaks, from Send to the exported byte: AT&T's, where nothing is shown, and MIT's."""

import asyncio
import hashlib
import io
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
import soundfile
from textual.pilot import Pilot

from corpus.formats.log import file
from corpus.formats.log.log_values import Log, Record
from corpus.verify.rules.findings import Severity
from desk.recording_player import Player
from rehearsal.recorded_session import recorded
from rehearsal.screens.replayed import ReplayedSession
from rehearsal.screens.session_timeline import SessionTimeline
from rehearsal.session_run import RehearsalPlan, Rehearsed
from session import events as e
from session.audio.fake import FileLoudspeaker
from session.state.fold import fold
from session.values.clock import SECOND
from session.values.vocabulary import PlaybackEnd, ResponseClass
from tests import SECONDS, THOROUGH
from tests.rehearsal.short_play import SHORT
from tests.rehearsal.unpractised import unpractised
from tests.subject.bench import LoudnessDetector

pytestmark = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed (apt install espeak-ng)"
)
PACE = 10.0


@dataclass(frozen=True)
class Spoken:
    """A rehearsed session, its log and its corpus."""

    done: Rehearsed
    log: Log
    corpus: Path

    @property
    def facts(self) -> list[e.Fact]:
        return [recorded.event for recorded in self.done.facts]

    @property
    def records(self) -> list[Record]:
        return [record for block in self.log.blocks for record in block.records]


def performed(profile: str, folder: Path) -> Spoken:
    study = unpractised(folder / "study", profile)
    stage = RehearsalPlan(study, SHORT, folder / "corpus", PACE, io.StringIO(), None, lambda rate: LoudnessDetector())
    done = asyncio.run(stage.perform())
    assert done.report.count(Severity.ERROR) == 0, done.report.findings
    (path,) = (folder / "corpus").glob("*sp*n/*/1/*.log")
    return Spoken(done, file.parse(path.read_bytes(), path.name), folder / "corpus")


@pytest.fixture(scope="module")
def att(tmp_path_factory: pytest.TempPathFactory) -> Spoken:
    return performed("ATT", tmp_path_factory.mktemp("att"))


@pytest.fixture(scope="module")
def mit(tmp_path_factory: pytest.TempPathFactory) -> Spoken:
    if not THOROUGH:
        pytest.skip(SECONDS)
    return performed("MIT", tmp_path_factory.mktemp("mit"))


def replies(spoken: Spoken) -> list[e.AnswerSent | e.CannedSent]:
    return [fact for fact in spoken.facts if isinstance(fact, e.AnswerSent | e.CannedSent)]


def test_the_system_opens_the_dialogue_and_nobody_sends_that(att: Spoken) -> None:
    begun = next(place for place, fact in enumerate(att.facts) if isinstance(fact, e.ScenarioStarted))
    pressed = next(place for place, fact in enumerate(att.facts) if isinstance(fact, e.TalkPressed))
    said = [recorded for recorded in att.done.facts[begun:pressed] if isinstance(recorded.event, e.CannedSent)]
    assert [(recorded.by, recorded.event.response) for recorded in said] == [("hub", ResponseClass.GREETING)]  # type: ignore[union-attr]
    assert any(isinstance(fact, e.PlaybackStopped) for fact in att.facts[begun:pressed])


def test_every_reply_is_heard_to_its_last_sample_and_nothing_is_shown(att: Spoken) -> None:
    state = fold(att.done.facts)
    for sent in replies(att):
        reply = state.replies[sent.reply]
        assert reply.sound is not None
        assert reply.samples_heard == reply.sound.samples > 0
        assert reply.shown is None
    assert all(reply.spoken == reply.text.replace("\n", " ") for reply in state.replies.values())
    assert "Answer_shown" not in {record.key for record in att.records}
    heard = [record for record in att.records if record.key == "Answer_returned"]
    assert [record.hidden for record in heard] == [False] * 3, "what was heard is not hidden"


@pytest.mark.parametrize("kept", ["study", "corpus"])
async def test_a_replay_says_again_what_the_system_said_when_it_did(att: Spoken, kept: str) -> None:
    found = recorded(att.corpus.parent / kept, att.done.session)
    timeline, state = SessionTimeline(found.facts, found.links), fold(found.facts)
    said = [place for place in timeline.sounds if place.said]
    assert [place.samples for place in said] == [reply.samples_heard for reply in state.replies.values()]
    assert all(len(found.sound(place.name)) == place.samples for place in said)
    loudspeaker, now, place = FileLoudspeaker(said[-1].rate), [0.0], said[-1]

    async def heard(_: Pilot[object]) -> None:
        await app.workers.wait_for_complete()
        await app.go_to(place.begin + SECOND // 2)
        app.tick()
        loudspeaker.step(20)
        first = app._player._from
        assert abs(first - place.rate // 2) <= 1
        rest = len(found.sound(place.name)) - first
        sent = loudspeaker.heard()
        assert sent[: rest // 8].any(), "an eighth of the reply's length has its sound"
        assert not sent[rest // 8 + place.rate // 10 :].any(), "and after it nothing"
        assert app._level() is None, "the participant's meter shows her own voice alone"
        app.exit()

    app = ReplayedSession(timeline, found.sound, Player(lambda: loudspeaker), speed=8.0, now=lambda: now[0])
    await app.run_async(headless=True, size=(160, 45), auto_pilot=heard)
    assert app.return_code == 0


def test_recording_opens_by_itself_when_a_reply_has_ended_and_holds_none_of_it(att: Spoken) -> None:
    ended: e.PlaybackStopped | None = None
    opened = 0
    for before, fact in zip(att.facts, att.facts[1:], strict=False):
        if isinstance(fact, e.RecordingSwitched) and fact.on and isinstance(before, e.PlaybackStopped):
            opened += 1
        if isinstance(fact, e.PlaybackStopped):
            ended = fact
        if isinstance(fact, e.RecordingStarted) and ended is not None:
            assert fact.at.mono - ended.at.mono > -fact.uncertainty, "sample 0 is behind the last word of the system"
    greetings_and_replies = sum(not sent.take or sent.response is not ResponseClass.FILLER for sent in replies(att))
    assert opened == greetings_and_replies


def test_a_recording_that_nobody_spoke_into_is_no_utterance(att: Spoken) -> None:
    state = fold(att.done.facts)
    last = list(state.takes.values())[-1]
    assert (last.ended_by, last.discarded, last.number) == ("scenario over", True, None)
    assert [take.number for take in state.takes.values() if take.number] == [1, 2]


@pytest.mark.parametrize("which", ["att", "mit"])
def test_exactly_that_sound_is_in_the_corpus(which: str, request: pytest.FixtureRequest) -> None:
    spoken: Spoken = request.getfixturevalue(which)
    made = {fact.sha256: fact for fact in spoken.facts if isinstance(fact, e.ReplyVoiced)}
    there = {path.stem: path for path in spoken.corpus.glob("spoken/*/*.wav")}
    logged = {record.get("Sha256") for record in spoken.records if record.key == "Reply_voiced"}
    assert there.keys() == logged <= made.keys()
    for sha256, path in there.items():
        samples, rate = soundfile.read(path, dtype="int16")
        assert hashlib.sha256(samples.astype("<i2").tobytes()).hexdigest() == sha256
        assert (len(samples), rate) == (made[sha256].samples, made[sha256].rate)


def test_an_answer_is_shown_as_a_table_and_its_question_is_said(mit: Spoken) -> None:
    answered = [sent for sent in replies(mit) if isinstance(sent, e.AnswerSent)]
    state = fold(mit.done.facts)
    for sent in answered:
        attempt = state.attempts[sent.attempt]
        assert attempt.table is not None
        assert sent.spoken.endswith("found.")
        assert attempt.paraphrase[1:] in sent.spoken
        assert sent.text != sent.spoken
        assert None not in (state.replies[sent.reply].shown, state.replies[sent.reply].heard_from)
    assert answered


def test_whoever_talks_at_mit_interrupts_the_system(mit: Spoken) -> None:
    opened = next(fact for fact in mit.facts if isinstance(fact, e.SessionOpened))
    assert opened.protocol.profile.barge_in
    ends = {fact.why for fact in mit.facts if isinstance(fact, e.PlaybackStopped)}
    assert ends <= {PlaybackEnd.ENDED, PlaybackEnd.INTERRUPTED}
