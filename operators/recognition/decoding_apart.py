"""pocketsphinx in a process of its own: it lets nothing else in its process run while it decodes, and a hub must go on.

The hub's threads ask one after another, and wait for the answer without holding anything up. A process that dies costs the
utterances that it had begun; the next one has a new process.
"""

import contextlib
import queue
import signal
import threading
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from operators.recognition.knowledge import Knowledge
from operators.recognition.pocketsphinx_engine import PocketsphinxListening, PocketsphinxRecogniser
from operators.recognition.recogniser import EngineTroubleError, MissingEngineError
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import OperatorTrouble

BROKEN = (EOFError, OSError)
GONE = "pocketsphinx ended in the middle of the utterance; the next one has a new process"


class DecodingApart:
    """A recogniser whose decoders are in another process, which ends with this object."""

    name = PocketsphinxRecogniser.name

    def __init__(self, knowledge: Knowledge) -> None:
        """Waits until the process is ready; raises MissingEngineError if pocketsphinx cannot be had."""
        self._knowledge = knowledge
        self._turn = threading.Lock()
        self._dropped: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._begun = 0
        self.pid = 0
        self._pipe, self.version = self._start()

    def begin(self, rate: int, utterance: str = "") -> "ListeningApart":
        with self._turn:
            self._begun += 1
            number = self._begun
        self.ask(number, "begin", rate)
        return ListeningApart(self, number)

    def ask(self, number: int, what: str, given: object = None) -> Any:
        """Pass a request about an utterance to the process and return its result; raises EngineTroubleError."""
        with self._turn:
            try:
                done, found = self._exchange(number, what, given)
            except BROKEN:
                done, found = self._anew(number, what, given)
        if not done:
            raise EngineTroubleError(*found)
        return found

    def _exchange(self, number: int, what: str, given: object) -> tuple[bool, Any]:
        with contextlib.suppress(queue.Empty):
            while True:
                self._pipe.send((self._dropped.get_nowait(), "drop", None))
        self._pipe.send((number, what, given))
        answered: tuple[bool, Any] = self._pipe.recv()
        return answered

    def _anew(self, number: int, what: str, given: object) -> tuple[bool, Any]:
        """Return the answer of a new process, which does not know the utterances that the old one had begun."""
        self._pipe.close()
        try:
            self._pipe, self.version = self._start()
            return self._exchange(number, what, given)
        except (*BROKEN, MissingEngineError) as error:
            return False, (OperatorTrouble.ERROR, str(error) or GONE)

    def drop(self, number: int) -> None:
        """Let an utterance be forgotten at the next opportunity; safe to call from any thread at any time."""
        self._dropped.put(number)

    def _start(self) -> tuple[Connection, str]:
        spawning = get_context("spawn")  # a fork would share the hub's sockets and its store
        ours, theirs = spawning.Pipe()
        process = spawning.Process(target=_serve, args=(theirs, self._knowledge), daemon=True, name=self.name)
        process.start()
        theirs.close()
        self.pid = process.pid or 0
        try:
            ready, told = ours.recv()
        except BROKEN:
            ready, told = False, "the process of pocketsphinx ended before it was ready"
        if not ready:
            ours.close()
            raise MissingEngineError(told)
        return ours, told


class ListeningApart:
    """One utterance on its way through the other process."""

    def __init__(self, engine: DecodingApart, number: int) -> None:
        self._engine, self._number = engine, number

    def hear(self, pcm: bytes) -> Hypothesis | None:
        found: Hypothesis | None = self._engine.ask(self._number, "hear", pcm)
        return found

    def finish(self) -> tuple[Hypothesis, ...]:
        found: tuple[Hypothesis, ...] = self._engine.ask(self._number, "finish")
        return found

    def drop(self) -> None:
        self._engine.drop(self._number)

    def __del__(self) -> None:
        """Discard the words: the session broke off, or already has them."""
        self._engine.drop(self._number)


def _serve(pipe: Connection, knowledge: Knowledge) -> None:
    """Decode what comes through the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the hub's business
    listening: dict[int, PocketsphinxListening] = {}
    with contextlib.suppress(*BROKEN):
        try:
            engine = PocketsphinxRecogniser(knowledge)
        except MissingEngineError as error:
            pipe.send((False, str(error)))
            return
        pipe.send((True, engine.version))
        while True:
            number, what, given = pipe.recv()
            if what == "drop":
                if (over := listening.pop(number, None)) is not None:
                    over.drop()
                continue
            try:
                pipe.send((True, _done(engine, listening, number, what, given)))
            except EngineTroubleError as trouble:
                pipe.send((False, (trouble.trouble, trouble.detail)))


def _done(
    engine: PocketsphinxRecogniser, listening: dict[int, PocketsphinxListening], number: int, what: str, given: Any
) -> object:
    if what == "begin":
        listening[number] = engine.begin(given)
        return None
    if number not in listening:
        raise EngineTroubleError(OperatorTrouble.ERROR, GONE)
    return listening[number].hear(given) if what == "hear" else listening.pop(number).finish()
