"""A scripted wizard at the real console: keys go through the screen, commands through the rules, requests to the database.

Nobody waits: the subject's speech, the hub and the subject's terminal are facts that are told at once. A turn is the list of
what the wizard did in it, for a model to price.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from textual.pilot import Pilot

import scenarios
from desk.editor import Editor
from domain.query_backend import Backend
from rehearsal.script import ScriptedAct, ScriptedTurn, shipped_script
from session import events as e
from session.hub.query_runner import run_query
from session.rules.decide import RequestRefused, decide, needs_domain_words
from session.rules.earlier_requests import earlier_requests
from session.study.settings import CannedMessage, Scenario, Setting
from session.study.study_domains import read_scenarios
from session.study.toml_reader import read
from session.values.clock import Stamp, SystemClock, stamp
from session.values.vocabulary import Channel, Outcome, Role, Sealed
from tests.wizard.desk import HandPlayed
from wizard.core.query_readings import once
from wizard.widgets.canned import CannedMessages
from wizard.widgets.query import EndingEditor, SaidEditor

SIZE = (120, 40)
AT = Stamp("s", 0, 0)
WORTH_A_KEY = 3
"""Letters of an end that are worth a key and a glance."""


class Deed(StrEnum):
    """An action of a wizard, with its cost in the model."""

    LETTERS = "letters"
    KEY = "key"
    THINK = "think"
    READ = "read"
    WAIT = "wait"


class HandStep(NamedTuple):
    """One deed: so many letters, keys, decisions, words read, or seconds of the machine; `what` for people."""

    deed: Deed
    count: float  # type: ignore[assignment]
    what: str
    along: bool = False
    """While the subject may still be speaking."""


class Rewording(Setting, frozen=True):
    """A wizard's tries at a request in other words; `alone`: the last one is read without what was said before."""

    tries: tuple[str, ...]
    alone: bool = False


@dataclass
class Work:
    """One turn: what was said, how it was replied to, and every step of it."""

    said: str
    kind: str
    steps: list[HandStep] = field(default_factory=list)


class MessageFile(Setting, frozen=True):
    """The shipped canned messages, as their file has them."""

    message: tuple[CannedMessage, ...]


async def worked(
    backend: Backend, messages: Path, rewordings: Mapping[str, Rewording], most: int | None = None
) -> list[Work]:
    """Work through the shipped play, or through its first turns."""
    desk = HandPlayed(english=True, messages=read(messages, MessageFile).message, scenarios=shipped_tasks())
    done = list[Work]()
    async with desk.app.run_test(size=SIZE) as pilot:
        wizard = _Wizard(desk, pilot, backend)
        for act in shipped_script().scenario:
            desk.scenario(text=task(act))
            for turn in act.turn:
                if len(done) == most:
                    return done
                if not turn.discard:
                    done.append(await wizard.turn(f"t{len(done)}", turn, rewordings.get(turn.speech)))
            desk.tell(e.ScenarioEnded(outcome=Outcome.ENDED))
    return done


def shipped_tasks() -> dict[str, Scenario]:
    """The tasks of the study, which the wizard's console has from its beginning."""
    return read_scenarios(Path(scenarios.__file__).parent / "air_travel" / "scenarios", ())


def task(act: ScriptedAct) -> str:
    """The words of an act's task, which the wizard's console has too."""
    found = shipped_tasks()
    name = {"practice": "practice", "common": "interviews"}.get(act.kind)
    scenario = found[name] if name else next(each for each in found.values() if each.kind == act.kind)
    return scenario.bound(act.bindings)


class _Wizard:
    def __init__(self, desk: HandPlayed, pilot: Pilot[None], backend: Backend) -> None:
        self._desk, self._pilot, self._backend = desk, pilot, backend
        self._clock = SystemClock("hub")
        self._served = 0
        self._work = Work("", "")

    async def turn(self, take: str, turn: ScriptedTurn, rewording: Rewording | None) -> Work:
        self._work = Work(turn.said, "canned" if turn.canned else "reworded" if rewording else "at once")
        channel = Channel("s", "head", 16_000)
        self._desk.tell(
            e.TalkPressed(at=AT, take=take), e.RecordingStarted(at=AT, take=take, channels=(channel,), pre_roll=0)
        )
        await self._pilot.pause()
        self._think("hears what is said", along=True)
        await self._write_down(turn.said)
        self._desk.tell(e.RecordingStopped(at=AT, take=take, sealed=(Sealed("s", 1, ""),)))
        await self._press("enter", "shows it, and asks")
        for number, text in enumerate(rewording.tries if rewording else (), 1):
            self._look()
            assert rewording is not None
            await self._reword(text, alone=rewording.alone and number == len(rewording.tries))
        self._look()
        if turn.canned is not None:
            await self._send_canned(turn.canned.message, turn.canned.blanks)
        else:
            self._think("the preview is right")
            await self._press("f5", "sends")
        if not any(self._answered(name) for name in self._desk.console.state.takes[take].replies):
            raise RuntimeError(f"nothing went out for {turn.said!r}: {self._desk.console.message or self._outcome()}")
        return self._work

    async def _write_down(self, said: str) -> None:
        """Type what is said."""
        editor = self._desk.app.desk.query_one(SaidEditor)
        await self._put(editor, said, along=True)
        if editor.text.rstrip() != said:
            raise RuntimeError(f"the line reads {editor.text!r}, not {said!r}")

    async def _put(self, editor: EndingEditor, text: str, *, along: bool = False) -> None:
        """Type a text, and take the end of a word where one key and a glance cost less than its letters."""
        at = 0
        while at < len(text):
            offered = editor.suggestion
            behind = offered if editor.text[editor.cursor_location[1] :][:1] == " " else f"{offered} "
            if len(offered) >= WORTH_A_KEY and f"{text} ".startswith(behind, at):
                self._work.steps.append(HandStep(Deed.READ, 1, offered, along))
                self._work.steps.append(HandStep(Deed.KEY, 1, "right: takes the end of a word", along))
                await self._pilot.press("right")
                at += len(behind)
            else:
                await self._type(text[at], along=along)
                at += 1

    def _answered(self, reply: str) -> bool:
        return reply in self._desk.console.state.replies

    def _outcome(self) -> str:
        attempt = self._desk.console.attempt
        return attempt.message if attempt is not None else "nothing was asked"

    async def _reword(self, text: str, *, alone: bool) -> None:
        """Edit the query in place or type it again, whichever is less; then ask."""
        self._think("of other words")
        editor = self._desk.app.focused
        if not isinstance(editor, EndingEditor):
            raise TypeError(f"the cursor is in {editor!r}, not in the query")
        keys, typed = edit(editor, text)
        if keys:  # a word that is selected shows itself
            self._think("where they belong")
        for key in keys:
            await self._press(key, "edits")
        await self._put(editor, typed)
        if " ".join(editor.text.split()) != text:
            raise RuntimeError(f"the query reads {editor.text!r}, not {text!r}")
        if alone:
            await self._press("ctrl+n", "reads it alone")
        await self._press("enter", "asks")

    async def _send_canned(self, message: str, blanks: Sequence[str]) -> None:
        await self._press("f6", "opens the messages")
        self._think("which message")
        canned = self._desk.app.desk.query_one(CannedMessages)
        chosen = canned.choosing.chosen
        if chosen is None or chosen.id != message:
            digit = next(each.digit for each in self._desk.console.canned_messages if each.id == message)
            await self._press(str(digit), "takes it")
        elif blanks:
            await self._press("enter", "takes it")
        if blanks:
            self._think("the blank is right")
        await self._press("enter", "sends")

    def _look(self) -> None:
        """Read what the tool made of the request."""
        attempt = self._desk.console.attempt
        if attempt is None:
            return
        read_ = once(attempt.paraphrase, self._desk.console.words) or attempt.message
        self._work.steps.append(HandStep(Deed.READ, len(read_.split()), read_))
        self._think("was it understood")

    def _think(self, what: str, *, along: bool = False) -> None:
        self._work.steps.append(HandStep(Deed.THINK, 1, what, along))

    async def _type(self, text: str, *, along: bool = False) -> None:
        if text:
            self._work.steps.append(HandStep(Deed.LETTERS, len(text), text, along))
            await self._pilot.press(*("space" if letter == " " else _key(letter) for letter in text))

    async def _press(self, key: str, what: str) -> None:
        """Press a key; the processor's time until all that follows from it is on the screen is the machine's, the database's
        included: what other programs take of this machine makes no wizard wait on hers."""
        self._work.steps.append(HandStep(Deed.KEY, 1, f"{key}: {what}"))
        began = time.process_time()
        await self._pilot.press(key)
        await self._pilot.pause()
        asked = False
        while self._served < len(self._desk.up.given):
            asked = await self._serve() or asked
            await self._pilot.pause()
        if asked:
            self._work.steps.append(HandStep(Deed.WAIT, time.process_time() - began, "the answer"))

    async def _serve(self) -> bool:
        """Decide on the next command as a hub does, and tell what comes of it; True if the database was asked."""
        command = self._desk.up.given[self._served]
        self._served += 1
        state = self._desk.console.state
        words = self._backend.words() if needs_domain_words(state, command) else frozenset[str]()
        facts = decide(state, command, Role.WIZARD, stamp(self._clock), words)
        if isinstance(facts, RequestRefused):
            raise RuntimeError(facts.reason)
        asked = False
        for fact in facts:
            self._desk.tell(fact)
            match fact:
                case e.Transcribed():
                    self._desk.tell(e.TranscriptionShown(at=AT, take=fact.take))
                case e.QuerySubmitted():
                    attempt = self._desk.console.state.attempts[fact.attempt]
                    context = earlier_requests(self._desk.console.state, attempt)
                    self._desk.tell(await run_query(self._backend, self._clock, attempt, context))
                    asked = True
                case e.AnswerSent() | e.CannedSent():
                    self._desk.tell(e.ReplyShown(at=AT, reply=fact.reply, first=1, last=1))
                case _:
                    pass
        return asked


def edit(editor: Editor, wanted: str) -> tuple[list[str], str]:
    """Return the keys, and the text behind them, that make `wanted` of what an editor holds, its cursor at the end or one word of
    it selected."""
    before, selected = editor.text, editor.selected_text
    anew = ["ctrl+l"], wanted
    old, new = before.split(), wanted.split()
    first = _alike(old, new)
    last = _alike(old[first:][::-1], new[first:][::-1])
    gone, put = old[first : len(old) - last], new[first : len(new) - last]
    if selected and gone == [selected]:
        return [], " ".join(put)
    if selected and gone[-1:] == [selected]:
        return ["backspace", *["ctrl+w"] * (len(gone) - 1)], " ".join(put) + (" " if last and put else "")
    keys = ["end"] * bool(selected) + ["ctrl+left"] * last + ["ctrl+w"] * len(gone)
    typed = " ".join(put) + (" " if last and put else "")
    return (keys, typed) if len(keys) + len(typed) < len(wanted) else anew


def _alike(some: Sequence[str], others: Sequence[str]) -> int:
    """Return how many words both begin with."""
    pairs = enumerate(zip(some, others, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(some), len(others)))


def _key(letter: str) -> str:
    return {",": "comma", "'": "apostrophe"}.get(letter, letter)
