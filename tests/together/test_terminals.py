"""Two real terminals, driven as hands would drive them, run a whole scenario over a real hub."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from session.study.create import new
from tests import ROOT
from tests.together.terminals import CURTAIN, Terminals, consent, hub_over, state_of

pytestmark = [
    pytest.mark.tmux,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux on this machine"),
]


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Terminals]:
    terminals = Terminals(tmp_path)
    yield terminals
    terminals.close()


def test_a_whole_scenario_by_hand(terminals: Terminals, tmp_path: Path) -> None:
    study = tmp_path / "study"
    address = hub_over(terminals, study, "PARAMAX")
    terminals.start("wizard", *CURTAIN, "wizard", address["wizard"], "--wizard", "Oz")
    terminals.start(
        "subject", *CURTAIN, "subject", address["subject"], "--spool", str(tmp_path / "spool"), "--code", "1989"
    )

    consent(terminals)

    terminals.shows("wizard", "Alt+S starts a scenario")
    terminals.keys("wizard", "M-s")
    terminals.shows("wizard", "Start a scenario")
    terminals.keys("wizard", "2")
    terminals.keys("wizard", "Enter")
    terminals.shows("subject", "You may type your request")
    terminals.text("subject", "what does the limousine cost")
    terminals.keys("subject", "Enter")
    terminals.shows("subject", "Your request is being processed")

    terminals.shows("wizard", "what does the limousine cost")
    terminals.keys("wizard", "F6")
    terminals.shows("wizard", "Digit or word")
    terminals.keys("wizard", "1")
    terminals.shows("wizard", "Fill the blank")
    terminals.text("wizard", "limousines")
    terminals.keys("wizard", "Enter")
    terminals.shows("subject", "No information is available on limousines.")
    terminals.keys("subject", "C-q")
    terminals.keys("subject", "C-c")
    terminals.keys("subject", "F6")
    terminals.shows("subject", "What is your solution?")
    terminals.text("subject", "take the bus")
    terminals.keys("subject", "Enter")
    terminals.shows("subject", "Please wait for the next task")

    terminals.until("the solution in the store", lambda: state_of(study).runs[-1].solution == "take the bus")
    state = state_of(study)
    assert [take.number for take in state.takes.values()] == [1]
    assert all(reply.shown for reply in state.replies.values())


def test_when_no_session_is_opened_the_subjects_pane_says_so_and_ends(terminals: Terminals, tmp_path: Path) -> None:
    study = tmp_path / "study"
    new(study)
    (study / "study.toml").write_text("site = ")
    terminals.start("make", str(ROOT / ".ci" / "session"), str(study), first=True)

    def panes() -> str:
        found = terminals.tmux("list-panes", "-a", "-F", "#{pane_id}").split()
        return "\n".join(terminals.tmux("capture-pane", "-p", "-J", "-t", pane) for pane in found)

    terminals.until("the subject's pane to give up", lambda: "No session was opened" in panes())
    seen = panes()
    assert "type `make session` again" in seen
    assert f"{study / 'study.toml'}" in seen
