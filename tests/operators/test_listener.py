"""A recogniser's desk whose engine falls behind what is said."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from operators.listener import Listener
from session import commands as c
from session import events as e
from session.protocol.messages import AudioChunk
from session.study.settings import Profile
from session.values.hypotheses import Hypothesis
from tests.operators.listening import Hasty, Right
from tests.session.play import SEALED, Play


class Behind(Right):
    """Works on its first piece until it may go on; keeps what it was given."""

    def __init__(self) -> None:
        self.given: list[bytes] = []
        self.at_work, self.may_go_on = threading.Event(), threading.Event()

    def begin(self, rate: int, utterance: str = "") -> "Behind":
        return self

    def hear(self, pcm: bytes) -> Hypothesis | None:
        self.given.append(pcm)
        self.at_work.set()
        assert self.may_go_on.wait(30)
        return None


async def test_an_engine_that_is_behind_gets_what_has_come_meanwhile_in_one() -> None:
    sent: list[c.AnyCommand] = []
    engine, play = Behind(), Play(Profile(name="test"))
    listener = Listener(engine, sent.append, Hasty(), ThreadPoolExecutor(1))
    play.start()
    play.press("T1")
    listener.follow(play.state, play.facts[-1])
    samples = SEALED[0].samples
    sound = bytes(range(256)) * (2 * samples // 256 + 1)
    places = [0, 10, 300, 301, 4000, samples]
    for number, (first, end) in enumerate(pairwise(places)):
        listener.hear(AudioChunk("T1", "s", first, sound[2 * first : 2 * end]))
        if number == 0:
            await asyncio.to_thread(engine.at_work.wait)
    play.release("T1")
    listener.follow(play.state, next(fact for fact in reversed(play.facts) if isinstance(fact, e.RecordingStopped)))
    engine.may_go_on.set()
    async with asyncio.timeout(30):
        while not sent:
            await asyncio.sleep(0)
    listener.close()
    assert engine.given == [sound[:20], sound[20 : 2 * samples]]
