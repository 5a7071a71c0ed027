"""An interpreter: queries the database with the words of an utterance once they are known and, where the profile echoes them,
shown.

The words go to the study's English front end (`english`) or to the outside model that the study names (`model`); both run at
the hub, which reads and answers for every desk alike.
"""

from operators.desk import Send
from session import commands as c
from session import events as e
from session.protocol.messages import AudioChunk
from session.rules.operator_deadlines import INTERPRETED, pending_stage
from session.state.fold import SessionState
from session.values.clock import Clock, stamp
from session.values.vocabulary import Language, Stage

MODEL = "model"
LANGUAGES = {"english": Language.ENGLISH, MODEL: Language.PROPOSAL}
"""The engines of an interpreter, by the language in which the hub is asked."""


class Interpreter:
    """Submits what was said, in the order in which it was said, one request at a time."""

    stage = Stage.UNDERSTANDING

    def __init__(self, engine: str, version: str, send: Send, clock: Clock) -> None:
        self.engine, self.version = engine, version
        self._language = LANGUAGES[engine]
        self._send = send
        self._clock = clock

    def follow(self, state: SessionState, event: e.Fact | None) -> None:
        """Ask for the oldest utterance that waits for it."""
        if state.opened is None or state.running is not None or state.paused is not None:
            return
        profile = state.opened.protocol.profile
        for take in state.waiting():
            if pending_stage(state, take, profile) is Stage.UNDERSTANDING:
                self._send(
                    c.SubmitQuery(
                        id=f"{take.take}-{self.engine}-{len(take.attempts)}",
                        at=stamp(self._clock),
                        take=take.take,
                        language=self._language,
                        text=take.text,
                        origin=INTERPRETED,
                    )
                )
                return

    def hear(self, chunk: AudioChunk) -> None:
        """Nothing: an interpreter works on words."""

    def close(self) -> None:
        """Do nothing: no work is pending."""
