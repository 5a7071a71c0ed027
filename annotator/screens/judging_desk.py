"""The judging desk: judge a dialogue step by step, with its original sound and screen, by keys alone.

A letter says what the request is, the next what was returned, the next how good that was: what cannot be is not offered.
"""

from typing import ClassVar

from msgspec import structs
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll

from annotator.annotation.dialogue_view import lines_of_turn
from annotator.judging.rating import Rating
from annotator.judging.rubric import document
from annotator.screens.desk_screen import DialogueScreen
from desk.dialogs import AskText, Choose, ListEntry, ReadLines
from desk.keys.actions import bound
from desk.keys.footer import KeyFooter
from desk.recording_player import Player
from desk.safe_text import ForeignText
from session.annotation.judgement_facts import TurnJudged
from session.values.clock import SECOND

MOST_LOST = 9
BEGINNING = "Enter or N, R, H, U judges this interaction; F3 plays it; F5 has the instructions; F1 lists all keys"


def _key(key: str, action: str, does: str, more: str = "", *, show: bool = True) -> BindingType:
    return bound(key, action, does, more, show=show, first=False)


def letters(words: tuple[str, ...]) -> list[ListEntry]:
    """Words to choose from, each by the first of its letters that is still to be had."""
    taken: dict[str, str] = {}
    for word in words:
        taken[next(letter for letter in f"{word}abcdefghijk" if letter.isalpha() and letter not in taken)] = word
    return [ListEntry(letter, word, word) for letter, word in taken.items()]


class JudgingScreen(DialogueScreen):
    """Over `Rating` and a `Player`; `first` is the dialogue to begin with."""

    _desk: Rating
    AUTO_FOCUS = "#dialogue"
    BINDINGS: ClassVar[list[BindingType]] = [
        bound("f3", "play", "Play", "Plays the utterance, or stops it"),
        _key("enter", "judge", "Judge", "Chooses request, response and verdict"),
        _key("n", "judge('new')", "New", "The request is new"),
        _key("r", "judge('repeat')", "Repeat", "The same in the same words"),
        _key("h", "judge('rephrase')", "Rephrase", "The same in other words"),
        _key("u", "judge('unevaluable')", "Unevaluable", "The request is unclear"),
        _key("m", "note", "Note", show=False),
        bound("pagedown", "go(1)", "Next"),
        bound("pageup", "go(-1)", "Before"),
        bound("ctrl+z", "undo", "Undo"),
        bound("ctrl+s", "finish", "Finish", "Judges the dialogue as a whole"),
        bound("ctrl+l", "list", "Dialogues"),
        bound("ctrl+r", "reopen", "Reopen", show=False),
        bound("f5", "instructions", "Instructions"),
    ]
    DEFAULT_CSS = """
    JudgingScreen #dialogue { height: 1fr; border-bottom: solid $foreground 40%; }
    JudgingScreen #shown, JudgingScreen #shown-here { height: auto; }
    JudgingScreen #judged { height: auto; max-height: 6; }
    """

    def __init__(self, desk: Rating, player: Player, first: str) -> None:
        super().__init__()
        self._desk, self._player, self._first = desk, player, first

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield ForeignText(id="headline", newlines="space")
            yield ForeignText(id="working")
        with VerticalScroll(id="dialogue"):
            yield ForeignText(id="shown")
            yield ForeignText(id="shown-here")
        yield ForeignText(id="judged")
        yield ForeignText(id="said", newlines="space")
        yield KeyFooter(2)

    def on_mount(self) -> None:
        self._open(self._first)
        self.say(BEGINNING)

    def keep(self) -> bool:
        """Return True: every judgement is recorded as it is made."""
        return True

    def renew(self) -> None:
        """Show the dialogue up to the interaction in hand, and no further: it is judged by what was known then."""
        desk, dialogue = self._desk, self._desk.dialogue
        seen = dialogue.turns[: desk.at]
        task = f"Task: {dialogue.header.get('Scenario_text', '')}".replace("\n", " ")
        lines = [task, *(line for turn in seen for line in lines_of_turn(turn))]
        self.query_one("#shown", ForeignText).show("\n".join(lines))
        here = self.query_one("#shown-here", ForeignText)
        here.show("\n".join(lines_of_turn(desk.turn, here=True)))
        self.reveal(here)
        minutes, seconds = divmod((desk.judged.worked + desk.attention.worked) // SECOND, 60)
        done = f"{len(desk.judged.turns)} of {len(dialogue.turns)} judged"
        state = "finished" if desk.judged.done else done
        self.query_one("#headline", ForeignText).show(f"{dialogue.stem} {desk.turn.pointer}  {state}")
        self.query_one("#working", ForeignText).show(f"{desk.person}  {minutes}:{seconds:02d}")
        mine = desk.judged.turns.get(desk.turn.number)
        said = [f"{rater}: {in_words(one)}" for rater, one in desk.others().items()]
        said.append(f"{'Ruling' if desk.ruling else 'You'}: {in_words(mine)}" if mine else "Not judged yet")
        self.query_one("#judged", ForeignText).show("\n".join(said))

    def _open(self, stem: str) -> None:
        if self.attempt(lambda: self._desk.open(stem)):
            self._load()

    def _load(self) -> None:
        if self.attempt(self.load_sound):
            self.renew()

    # Judging

    def action_judge(self, request: str = "") -> None:
        if request:
            self._response(request)
            return
        known = self._desk.rubric.requests
        lines = [ListEntry(choice.key, choice.value, known[choice.value]) for choice in letters((*known,))]
        self.app.push_screen(Choose("The request is", lines), lambda name: self._response(name) if name else None)

    def _response(self, request: str) -> None:
        rubric, said = self._desk.rubric, self._desk.turn.responses
        codes = tuple(one.code for one in rubric.responses)
        shown = said[-1] if said else "not understood"
        words = {one.code: one.says for one in rubric.responses}
        lines = [ListEntry(choice.key, choice.value, words[choice.value]) for choice in letters(codes)]
        at = next((n for n, choice in enumerate(lines) if choice.value == shown), 0)
        ask = Choose("The system returned", lines, at)
        self.app.push_screen(ask, lambda response: self._verdict(request, response) if response else None)

    def _verdict(self, request: str, response: str) -> None:
        verdicts = self._desk.rubric.verdicts(response, request)
        if not verdicts:
            self._judged(request, response)
            return

        def take(verdict: str | None) -> None:
            if verdict and self._desk.rubric.is_error(verdict):
                self._noticed(request, response, verdict)
            elif verdict:
                self._judged(request, response, verdict)

        self.app.push_screen(Choose("It is", letters(verdicts)), take)

    def _noticed(self, request: str, response: str, verdict: str) -> None:
        def take(noticed: str | None) -> None:
            if noticed:
                counts = [ListEntry(str(n), str(n), f"{n} turns") for n in range(MOST_LOST + 1)]
                ask = Choose("How many further turns until it was out of the way?", counts)
                self.app.push_screen(ask, lambda lost: put(noticed, lost))

        def put(noticed: str, lost: str | None) -> None:
            if lost:
                self._judged(request, response, verdict, noticed, int(lost))

        self.app.push_screen(
            Choose("Did the participant notice before the next request?", letters(self._desk.rubric.errors.noticed)),
            take,
        )

    def _judged(self, request: str, response: str, verdict: str = "", noticed: str = "", lost: int = 0) -> None:
        said = TurnJudged(
            utterance="", number=0, request=request, response=response, verdict=verdict, noticed=noticed, lost=lost
        )
        if not self.attempt(lambda: self._desk.judge(said), in_words(said)):
            return
        if self._desk.at + 1 < len(self._desk.dialogue.turns):
            self._desk.go(1)
            self._load()
        else:
            self.renew()
            self.action_finish()

    def action_finish(self) -> None:
        if not self.attempt(self._desk.check_whole):
            return
        questions = self._desk.rubric.scenario
        declared = self._desk.dialogue.solution or "nothing"

        def finished(said: str | None) -> None:
            if said:
                ask = Choose(f"The participant declared: {declared}. The solution is", letters(questions.solution))
                self.app.push_screen(ask, lambda solution: finish(said, solution))

        def finish(said: str, solution: str | None) -> None:
            if solution and self.attempt(lambda: self._desk.finish(said, solution)):
                self.renew()
                self.say(f"{self._desk.dialogue.stem} is finished; Ctrl+L has the others")

        self.app.push_screen(Choose("Did the participant finish?", letters(questions.finished)), finished)

    def action_undo(self) -> None:
        self.attempt(self._desk.undo, "Taken back")
        self._load()

    def action_reopen(self) -> None:
        def take(reason: str | None) -> None:
            if reason and self.attempt(lambda: self._desk.reopen(reason), "It is open again"):
                self.renew()

        self.app.push_screen(AskText("Why is it judged again?", limit=500), take)

    def action_note(self) -> None:
        before = self._desk.judged.turns.get(self._desk.turn.number)
        if before is None:
            self.say("Judge it first")
            return

        def take(note: str | None) -> None:
            if note is not None and self.attempt(lambda: self._desk.judge(structs.replace(before, note=note)), "Noted"):
                self.renew()

        self.app.push_screen(AskText("A note on this judgement", optional=True, text=before.note, limit=500), take)

    # Going about

    def action_go(self, step: int) -> None:
        if self.attempt(lambda: self._desk.go(step)):
            self._load()

    def action_list(self) -> None:
        states = self._desk.states()
        lines = [
            ListEntry(
                "", stem, f"{stem}  {'finished' if one.done else one.state}, {one.worked / 60 / SECOND:.1f} minutes"
            )
            for stem, one in states.items()
        ]
        self.app.push_screen(Choose("Dialogues", lines), lambda stem: self._open(stem) if stem else None)

    def action_instructions(self) -> None:
        self.app.push_screen(ReadLines("Instructions", document(self._desk.rubric).splitlines()))


def in_words(turn: TurnJudged) -> str:
    """A judgement in a line.

    >>> in_words(TurnJudged(utterance="", number=1, request="new", response="answer", verdict="incorrect", noticed="no", lost=2))
    'new; answer: incorrect; noticed: no, 2 turns lost'
    """
    verdict = f": {turn.verdict}" if turn.verdict else ""
    noticed = f"; noticed: {turn.noticed}, {turn.lost} turns lost" if turn.noticed else ""
    note = f"; {turn.note}" if turn.note else ""
    return f"{turn.request}; {turn.response}{verdict}{noticed}{note}"
