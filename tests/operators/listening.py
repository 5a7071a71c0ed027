"""A recogniser's desk that hears one utterance, with an engine that is always right, and what it proposes."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import msgspec

from operators.listener import Listener
from operators.recognition.pronunciations import by_rule
from operators.recognition.seeded_errors import ErrorModel
from session import commands as c
from session import events as e
from session.protocol.messages import AudioChunk
from session.study.settings import Noise, Operators, Profile, Speaker
from session.values.clock import ManualClock
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import Operator
from tests.session.play import SEALED, Play

SAID = "show me all the flights from boston to denver on monday that leave in the morning and serve a meal please"
WORDS = {
    *SAID.split(),
    "a",
    "an",
    "fare",
    "fares",
    "light",
    "lights",
    "austin",
    "denver",
    "dinner",
    "sunday",
    "leaf",
    "eve",
}
MODEL = ErrorModel({word: [by_rule(word)] for word in WORDS})


class Inline(Executor):
    """Does everything at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Hasty(ManualClock):
    """Wakes sleepers at once and remembers for how long they wanted to sleep."""

    def __init__(self) -> None:
        super().__init__("machine")
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


class Right:
    """An engine that knows what was said; it has two hypotheses and says a word on the way."""

    name, version = "right", "1"

    def begin(self, rate: int, utterance: str = "") -> "Right":
        return self

    def hear(self, pcm: bytes) -> Hypothesis | None:
        return Hypothesis("show")

    def finish(self) -> tuple[Hypothesis, ...]:
        return (Hypothesis(SAID, 0.9), Hypothesis("another"))

    def drop(self) -> None:
        return


def proposals(profile: Profile, takes: int = 1, speaker: str = "") -> tuple[list[c.ProposeTranscription], list[float]]:
    """Return what is proposed for so many utterances under a profile, and the times for which the desk slept."""
    return asyncio.run(_heard(profile, takes, speaker))


async def _heard(profile: Profile, takes: int, speaker: str) -> tuple[list[c.ProposeTranscription], list[float]]:
    sent: list[c.AnyCommand] = []
    clock = Hasty()
    listener = Listener(Right(), sent.append, clock, Inline(), MODEL)
    play = Play(profile)
    if speaker and play.state.opened is not None:
        opened = msgspec.structs.replace(play.state.opened, speaker=Speaker(speaker))
        play.state = msgspec.structs.replace(play.state, opened=opened)
    play.start()
    for number in range(takes):
        take = f"T{number}"
        play.press(take)
        began = play.facts[-1]
        listener.follow(play.state, began)
        listener.hear(AudioChunk(take, "s", 0, bytes(2 * SEALED[0].samples)))
        play.release(take)
        listener.follow(play.state, next(fact for fact in reversed(play.facts) if isinstance(fact, e.RecordingStopped)))
        for _ in range(1000):
            await asyncio.sleep(0)
            if any(
                isinstance(command, c.ProposeTranscription) and command.take == take and command.final
                for command in sent
            ):
                break
        else:
            raise AssertionError(f"nothing was proposed for {take}: {sent}")
    listener.close()
    return [command for command in sent if isinstance(command, c.ProposeTranscription)], clock.slept


def troubles_without_words(profile: Profile) -> list[str]:
    """Return what a recogniser says that was started without a study's words, and proposes nothing."""

    async def heard() -> list[c.AnyCommand]:
        sent: list[c.AnyCommand] = []
        listener, play = Listener(Right(), sent.append, Hasty(), Inline()), Play(profile)
        play.start()
        play.press("T1")
        listener.follow(play.state, play.facts[-1])
        listener.hear(AudioChunk("T1", "s", 0, bytes(2 * SEALED[0].samples)))
        play.release("T1")
        listener.follow(play.state, next(fact for fact in reversed(play.facts) if isinstance(fact, e.RecordingStopped)))
        for _ in range(100):
            await asyncio.sleep(0)
        listener.close()
        return sent

    return [command.detail if isinstance(command, c.ReportTrouble) else "words" for command in asyncio.run(heard())]


def noisy(**keys: Any) -> Profile:
    """A profile in which a machine recognises, with this noise and these other keys."""
    noise = keys.pop("noise", Noise())
    return Profile(name="test", operators=Operators(recognition=Operator.MACHINE), noise=noise, **keys)
