"""A visit in which things go wrong, over two real terminals that keep keys for themselves, at five sizes."""

import io
import os
import shlex
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from corpus.commands.sessions import SessionsOptions, sessions_command
from tests.together.terminals import CURTAIN, Terminals, hub_over, state_of

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux on this machine"),
    pytest.mark.skipif(not os.environ.get("CURTAIN_STORIES"), reason="takes a minute: CURTAIN_STORIES=1"),
]
KEPT_BY_TERMINALS = {"F1", "F10", "F11", "S-F10", "S-PPage", "S-NPage", "S-Up", "S-Down", "C-PPage", "C-NPage"} | {
    f"M-{key}" for key in "123456789abefhstv"
}
"""What GNOME Terminal and XFCE Terminal do with these keys, the program never hears of."""
OF_EVERYBODY = {"Enter", "Space", "Up", "Down", "y", "k", "e"}
"""The only keys of the subject: none is a function key, and the letters stand beside what they do."""
STARTED = "√ Started"
REFUSED = {
    "What I type may be kept during this session.": "does not consent to being recorded",
    "What I type may be studied.": "has not agreed to transcription",
    "The recordings may be given to other researchers.": STARTED,
    "The written texts may be given to other researchers.": STARTED,
    "I may be contacted again about this study.": STARTED,
}
"""Of each scope of consent that is not given, what the wizard reads who starts a scenario."""


Press = Callable[[str], bool]
"""Does something about a screen, or says that there is nothing to be done about it."""
STILL_S, AGAIN_S = 0.3, 6.0
"""How long a screen stands still before somebody acts on it, and before somebody acts on it again."""


class Visit:
    """Both desks of one visit; the subject has the mouse and the keys of everybody, the wizard what terminals let through."""

    def __init__(self, terminals: Terminals, folder: Path) -> None:
        self.terminals = terminals
        self.study = folder / "study"
        address = hub_over(terminals, self.study, "PARAMAX")
        self._subject = [*CURTAIN, "subject", address["subject"], "--spool", str(folder / "spool"), "--code", "1989"]
        terminals.start("wizard", *CURTAIN, "wizard", address["wizard"], "--wizard", "Oz")
        terminals.start("subject", *self._subject)

    def resize(self, columns: int, rows: int) -> None:
        for name in ("wizard", "subject"):
            self.terminals.tmux("resize-window", "-t", f"T:{name}", "-x", str(columns), "-y", str(rows))

    def act(self, name: str, what: str, press: Press, over: Callable[[str], object]) -> None:
        """Do what `press` does with a screen that stands still, once for each screen that it sees, until it is `over`.

        A screen on which nothing moves for as long as a person would wait is acted on again.
        """
        screen, since, acted, when = "", 0.0, "", 0.0

        def seen() -> bool:
            nonlocal screen, since, acted, when
            now, look = time.monotonic(), self.terminals.screen(name)
            if over(look):
                return True
            if look != screen:
                screen, since = look, now
            elif (
                now - since > STILL_S
                and (when == 0.0 or (screen != acted and name == "subject") or now - when > AGAIN_S)
                and press(screen)
            ):
                acted, when = screen, now
            return False

        self.terminals.until(what, seen)

    def wizard(self, *keys: str, shows: str) -> None:
        assert not KEPT_BY_TERMINALS.intersection(keys)
        self.act("wizard", f"“{shows}” after {keys}", self._keys("wizard", *keys), lambda screen: shows in screen)

    def subject(self, *keys: str, shows: str) -> None:
        assert OF_EVERYBODY.issuperset(keys)
        self.act("subject", f"“{shows}” after {keys}", self._keys("subject", *keys), lambda screen: shows in screen)

    def _keys(self, name: str, *keys: str) -> Press:
        def press(screen: str) -> bool:
            self.terminals.keys(name, *keys)
            return True

        return press

    def click(self, words: str, shows: str) -> None:
        """Click on words of the subject's screen, which Enter brings into sight where they lie below."""

        def press(screen: str) -> bool:
            places = [(line.index(words), row) for row, line in enumerate(screen.splitlines()) if words in line]
            for column, row in places[-1:]:
                for button in "Mm":
                    self.terminals.text("subject", f"\x1b[<0;{column + 2};{row + 1}{button}")
            if not places and "There is more below" in screen:
                self.terminals.keys("subject", "Enter")
            return True

        self.act("subject", f"“{shows}” after a click on “{words}”", press, lambda screen: shows in screen)

    def read_on(self, what: str, over: Callable[[str], object]) -> None:
        """Press Enter, the first action of every screen of the subject's, until something is so."""
        self.act("subject", what, self._keys("subject", "Enter"), over)

    def say(self, text: str, *, wizard: str) -> None:
        self.terminals.text("subject", text)
        self.terminals.shows("subject", text)
        self.terminals.keys("subject", "Enter")
        self.terminals.shows("wizard", wizard)

    def read_instructions(self) -> None:
        """Read on until the wizard may start a scenario."""
        waits = ("Please wait for the next task", "You have not agreed to being recorded")
        self.read_on("the end of the instructions", lambda screen: any(words in screen for words in waits))

    def list_scenarios(self) -> None:
        """By the list of Ctrl+O, for a terminal may keep Alt+S for its menu."""
        self.wizard("C-o", shows="press a letter")
        self.wizard("s", shows="Getting used to the system")

    def start(self, digit: str) -> None:
        self.list_scenarios()
        self.wizard(digit, shows=STARTED)
        self.terminals.shows("subject", "You may type your request")

    def lose_the_subject(self) -> None:
        self.terminals.tmux("respawn-window", "-k", "-t", "T:subject", "cat")

    def bring_the_subject_back(self) -> None:
        self.terminals.tmux("respawn-window", "-k", "-t", "T:subject", f"{shlex.join(self._subject)}; cat")


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Visit]:
    terminals = Terminals(tmp_path, 80, 24)
    try:
        yield Visit(terminals, tmp_path)
    finally:
        terminals.close()


def test_a_visit_in_which_things_go_wrong_needs_no_key_that_a_terminal_keeps(visit: Visit) -> None:
    tick_everything(visit)
    visit.read_instructions()
    two_waiting_the_later_one_first(visit)
    visit.resize(120, 40)
    giving_up_with_one_waiting(visit)
    visit.resize(160, 50)
    losing_the_subject_and_coming_back(visit)
    visit.resize(200, 60)
    stopping(visit)


def test_a_visit_is_held_to_its_end_without_a_function_key(visit: Visit) -> None:
    tick_everything(visit)
    visit.read_instructions()
    visit.start("2")
    visit.click("Solved", shows="What is your solution?")
    visit.terminals.text("subject", "take the bus")
    visit.subject("Enter", shows="Please wait for the next task")
    visit.wizard("M-x", shows="End this session?")
    visit.wizard("y", shows="at this step: satisfaction")
    seen = dict.fromkeys(("impression", "HOW THIS STUDY WORKS", "comments", "once more"), False)

    def answer(screen: str) -> bool:
        """An answer where there is a question, then what most people want."""
        seen.update({words: True for words in seen if words in screen})
        asked = "1 " in screen and "2 " in screen and "submit" not in screen
        visit.terminals.keys("subject", *(["3"] if asked else []), "Enter")
        return True

    visit.act("subject", "the end of the visit", answer, lambda screen: "The session is over" in screen)
    assert seen == dict.fromkeys(seen, True)
    state = state_of(visit.study)
    assert [run.solution for run in state.runs] == ["take the bus"]
    assert {*state.done} == {"satisfaction", "debriefing", "comments", "confirm_consent"}
    assert state.ended


@pytest.mark.parametrize(("refused", "says"), REFUSED.items(), ids=["record", "transcribe", "audio", "text", "contact"])
def test_each_scope_of_consent_that_is_refused_is_obeyed(visit: Visit, refused: str, says: str) -> None:
    tick_everything(visit)
    visit.click(refused, shows=f"[ ] {refused}")
    if "kept" in refused:
        visit.click("Continue", shows="To go on without agreeing")
        visit.click("Continue", shows="You have not agreed to being recorded")
    visit.read_instructions()
    if says != STARTED:
        visit.terminals.shows("wizard", says)
        assert "Alt+S starts" not in visit.terminals.screen("wizard")
    visit.list_scenarios()
    visit.wizard("2", shows=says if says == STARTED else "NOT DONE")
    visit.click("Stop taking part", shows="Stop, erase")
    visit.subject("e", shows="You have stopped taking part")
    visit.terminals.until("the wish in the store", lambda: state_of(visit.study).withdrawn is not None)
    state = state_of(visit.study)
    assert state.withdrawn is not None
    assert state.withdrawn.erase
    assert len(state.runs) == (says == STARTED)
    visit.terminals.shows("wizard", "THE PARTICIPANT WANTS EVERYTHING ERASED")
    told = io.StringIO()
    sessions_command(SessionsOptions(str(visit.study)), told, told)
    assert "erase" in told.getvalue()


def tick_everything(visit: Visit) -> None:
    visit.terminals.shows("subject", "INFORMATION AND CONSENT")
    visit.click("Tick everything", shows="[x] What I type may be kept")


def two_waiting_the_later_one_first(visit: Visit) -> None:
    visit.start("2")
    visit.say("what does the limousine cost", wizard="Utterance 1 of 1")
    visit.say("show the flights from boston to denver", wizard="1 more waiting")
    visit.resize(100, 30)
    visit.wizard("M-Down", shows="Utterance 2 of 2")
    visit.wizard("Enter", shows="F5 sends exactly this")
    visit.wizard("F5", shows="Utterance 1 of 2")
    visit.terminals.shows("subject", "departs")
    visit.wizard("F6", shows="Digit or word")
    visit.wizard("1", shows="Fill the blank")
    visit.terminals.text("wizard", "limousines")
    visit.wizard("Enter", shows="√ Sent")
    visit.terminals.shows("subject", "No information is available on limousines.")


def giving_up_with_one_waiting(visit: Visit) -> None:
    visit.say("one more request", wizard="Utterance 3")
    visit.click("Give up", shows="Give up on this task?")
    visit.subject("y", shows="Please wait for the next task")
    assert "Your request is being processed" not in visit.terminals.screen("subject")
    visit.start("3")
    assert "Your request is being processed" not in visit.terminals.screen("subject")
    assert "LATE" not in visit.terminals.screen("wizard")


def losing_the_subject_and_coming_back(visit: Visit) -> None:
    visit.lose_the_subject()
    visit.terminals.shows("wizard", "PARTICIPANT LOST 0:0")
    visit.bring_the_subject_back()
    visit.terminals.shows("wizard", "√ participant")
    visit.terminals.shows("subject", "A morning meeting")
    visit.say("show the flights from denver to boston", wizard="Utterance 4 of 4")


def stopping(visit: Visit) -> None:
    visit.click("Stop taking part", shows="Stop, keep")
    visit.subject("k", shows="You have stopped taking part")
    visit.terminals.until("the stop in the store", lambda: state_of(visit.study).withdrawn is not None)
    state = state_of(visit.study)
    assert [take.number for take in state.takes.values()] == [1, 2, 3, 1]
    assert len(state.replies) == 2
    assert all(reply.shown for reply in state.replies.values())
    assert state.withdrawn is not None
    assert not state.withdrawn.erase
