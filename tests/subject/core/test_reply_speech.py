"""Spoken replies at the subject's desk: checked before they are heard, reported with places, shown where they cannot be heard."""

import hashlib
from typing import Any

import pytest

from desk.subject_view import reply_lines, shown, turn
from session import events as e
from session.protocol.messages import SpeechChunk, Welcome, speech_chunks
from session.study.screen_words import ENGLISH
from session.values.clock import stamp
from session.values.vocabulary import PlaybackEnd, RecordingControl, ResponseClass, SpokenPart
from subject.core import texts
from subject.core.reply_speech import DAMAGED, NO_PLAYER, STARTED_ANEW
from subject.core.terminal import Phase
from tests.subject.stage import Desk

PCM = bytes(range(250)) * 400
SHA256 = hashlib.sha256(PCM).hexdigest()


class Player:
    def __init__(self) -> None:
        self.played: list[tuple[str, bytes]] = []
        self.stopped = 0

    def play(self, reply: str, pcm: bytes) -> None:
        self.played.append((reply, pcm))

    def stop(self) -> None:
        self.stopped += 1


def desk(player: bool = True, **profile: Any) -> tuple[Desk, Player]:
    """A desk at which an utterance was spoken and a reply has been sent."""
    made, playing = Desk(spoken=SpokenPart.ANSWER, show_answers=False, **profile), Player()
    made.terminal.speech.use(playing if player else None)
    made.scenario()
    made.utterance("t1")
    made.tell(e.AnswerSent(reply="r1", take="t1", text="Twelve\nflights."))
    return made, playing


def voiced(made: Desk, reply: str = "r1", pcm: bytes = PCM, sha256: str = SHA256) -> None:
    made.tell(e.ReplyVoiced(reply=reply, sha256=sha256, samples=len(pcm) // 2, rate=16_000))
    for chunk in speech_chunks(sha256, pcm):
        made.terminal.receive(chunk)


def heard(made: Desk) -> list[e.Fact]:
    return [fact for fact in made.up.facts() if isinstance(fact, e.PlaybackStarted | e.PlaybackStopped)]


def end(made: Desk, why: PlaybackEnd = PlaybackEnd.ENDED, samples: int = len(PCM) // 2) -> None:
    now = stamp(made.clock)
    made.terminal.playback_changed(lambda speech: speech.ended("r1", samples, why, "", now))
    made.terminal.playback_changed(lambda speech: speech.quiet())


def test_the_whole_sound_is_played_and_the_button_waits_until_it_is_quiet() -> None:
    made, player = desk()
    assert made.terminal.phase is Phase.SPEAKING, "a reply is on its way"
    voiced(made)
    assert player.played == [("r1", PCM)]
    made.terminal.playback_changed(lambda speech: speech.began("r1", stamp(made.clock)))
    assert not made.terminal.may_talk
    assert not made.terminal.press()
    assert texts.headline(made.terminal) == "The system is speaking."
    now = stamp(made.clock)
    made.terminal.playback_changed(lambda speech: speech.ended("r1", 50_000, PlaybackEnd.ENDED, "", now))
    assert not made.terminal.may_talk, "a recording would reach back into the reply"
    made.terminal.playback_changed(lambda speech: speech.quiet())
    assert made.terminal.may_talk
    assert [type(fact) for fact in heard(made)] == [e.PlaybackStarted, e.PlaybackStopped]


def test_nothing_stands_on_the_screen_but_that_it_was_said() -> None:
    made, _ = desk()
    ((label, item),) = shown(made.terminal.state)
    assert turn(made.terminal.state, label, item).answer == (ENGLISH["turn.by_voice"],)
    assert reply_lines(made.terminal.state, "t1") == []


def test_talking_interrupts_where_the_profile_lets_it() -> None:
    made, player = desk(barge_in=True)
    voiced(made)
    assert made.terminal.may_talk
    assert made.terminal.press()
    assert player.stopped == 1


def test_no_other_sound_than_the_one_that_was_made_is_played() -> None:
    made, player = desk()
    voiced(made, sha256="ab" * 32)
    assert player.played == []
    (stopped,) = heard(made)
    assert isinstance(stopped, e.PlaybackStopped)
    assert (stopped.why, stopped.samples, stopped.detail) == (PlaybackEnd.FAILED, 0, DAMAGED)


@pytest.mark.parametrize("chunk", [SpeechChunk(SHA256, 5, PCM), SpeechChunk(SHA256, 0, PCM + b"\0\0")])
def test_pieces_out_of_order_or_beyond_the_end_are_refused(chunk: SpeechChunk) -> None:
    made, player = desk()
    made.tell(e.ReplyVoiced(reply="r1", sha256=SHA256, samples=len(PCM) // 2, rate=16_000))
    made.terminal.receive(chunk)
    assert player.played == []
    assert [fact.why for fact in heard(made) if isinstance(fact, e.PlaybackStopped)] == [PlaybackEnd.FAILED]


def test_sound_of_which_no_reply_tells_is_left_alone() -> None:
    made, player = desk()
    made.terminal.receive(SpeechChunk("cd" * 32, 0, PCM))
    assert player.played == []
    assert heard(made) == []


def test_what_cannot_be_spoken_is_shown() -> None:
    made, _ = desk()
    made.tell(e.VoiceFailed(reply="r1"))
    ((label, item),) = shown(made.terminal.state)
    assert turn(made.terminal.state, label, item).answer == ("Twelve", "flights.")
    assert [(lines.reply, lines.lines) for lines in reply_lines(made.terminal.state, "t1")] == [("r1", 2)]
    assert made.terminal.may_talk


def test_a_desk_without_a_loudspeaker_says_so_and_goes_on() -> None:
    made, _ = desk(player=False)
    voiced(made)
    (stopped,) = heard(made)
    assert isinstance(stopped, e.PlaybackStopped)
    assert stopped.detail == NO_PLAYER
    assert made.terminal.may_talk


def test_a_reply_that_an_earlier_run_was_playing_has_failed_and_is_not_played_again() -> None:
    made, player = desk()
    made.tell(
        e.ReplyVoiced(reply="r1", sha256=SHA256, samples=len(PCM) // 2, rate=16_000),
        e.PlaybackStarted(at=stamp(made.clock), reply="r1"),
    )
    made.terminal.receive(Welcome("bbn-20261121-1", "subject", "hub", facts=made.seq))
    (stopped,) = heard(made)
    assert isinstance(stopped, e.PlaybackStopped)
    assert (stopped.why, stopped.detail) == (PlaybackEnd.FAILED, STARTED_ANEW)
    for chunk in speech_chunks(SHA256, PCM):
        made.terminal.receive(chunk)
    assert player.played == []


def test_the_same_words_twice_are_two_replies() -> None:
    made, player = desk()
    voiced(made)
    end(made)
    made.utterance("t2")
    made.tell(e.CannedSent(reply="r2", take="t2", text="Twelve flights."))
    voiced(made, "r2")
    assert [reply for reply, _ in player.played] == ["r1", "r2"]


def test_recording_that_was_asked_for_meanwhile_begins_when_it_is_quiet() -> None:
    made, _ = desk(recording=RecordingControl.OPERATOR)
    voiced(made)
    made.tell(e.RecordingSwitched(at=e.NOWHERE, on=True))
    assert not made.terminal.held
    now = stamp(made.clock)
    made.terminal.playback_changed(lambda speech: speech.ended("r1", 50_000, PlaybackEnd.ENDED, "", now))
    assert not made.terminal.held
    made.terminal.playback_changed(lambda speech: speech.quiet())
    assert made.terminal.held


def test_a_greeting_is_spoken_before_anything_was_said() -> None:
    made, player = Desk(spoken=SpokenPart.ANSWER), Player()
    made.terminal.speech.use(player)
    made.scenario()
    made.tell(e.CannedSent(reply="g", text="Welcome.", response=ResponseClass.GREETING))
    voiced(made, "g")
    assert player.played == [("g", PCM)]
    assert [turn(made.terminal.state, *reply).answer for reply in shown(made.terminal.state)] == [("Welcome.",)]
