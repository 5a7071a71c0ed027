"""A whole visit in real terminals, spoken into a real microphone, with somebody looking on: from consent to the green light."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.together.terminals import CURTAIN, Terminals, consent, hub_over, state_of

pytestmark = [
    pytest.mark.pulse,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux on this machine"),
    pytest.mark.skipif(
        not os.environ.get("CURTAIN_PULSE"), reason="CURTAIN_PULSE is not set: no PulseAudio server with null sinks"
    ),
]


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Terminals]:
    terminals = Terminals(tmp_path)
    yield terminals
    terminals.close()


def say(samples: np.ndarray) -> None:
    """Play into the sink that the subject's microphone listens to; returns when it has been played."""
    subprocess.run(
        ["paplay", "--raw", "--rate=16000", "--channels=1", "--format=s16le", "--device=mic_in"],
        input=samples.astype("<i2").tobytes(), check=True, timeout=30,
    )  # fmt: skip


def on_stage(terminals: Terminals, study: Path) -> dict[str, str]:
    """A hub, a wizard and a subject with a microphone; each role's address."""
    address = hub_over(terminals, study, "BBN-89")
    terminals.start("wizard", *CURTAIN, "wizard", address["wizard"], "--wizard", "Oz")
    spool = str(study.with_name("spool"))
    terminals.start("subject", *CURTAIN, "subject", address["subject"], "--spool", spool, "--microphone", "pulse")
    return address


def begin_scenario(terminals: Terminals) -> None:
    terminals.shows("wizard", "Alt+S starts a scenario")
    terminals.keys("wizard", "M-s")
    terminals.shows("wizard", "Start a scenario")
    terminals.keys("wizard", "2")
    terminals.shows("subject", "Press SPACE")


def turn(terminals: Terminals, study: Path) -> None:
    """A scenario begins; the subject speaks, the wizard transcribes, asks and sends, somebody sees both sides."""
    begin_scenario(terminals)
    terminals.keys("subject", "Space")
    terminals.shows("wizard", "RECORDING")
    say(np.random.default_rng(1992).integers(-9000, 9000, 2 * 16_000))
    terminals.keys("subject", "Space")
    terminals.shows("wizard", "to be transcribed")
    terminals.text("wizard", "what flights leave boston for denver")
    terminals.keys("wizard", "Enter")
    terminals.shows("subject", "what flights leave boston for denver")
    terminals.shows("wizard", "F5 sends exactly this")
    terminals.shows("observer", "flights from Boston to Denver")
    terminals.keys("wizard", "F5")
    terminals.shows("subject", "departs")
    terminals.until("the answer seen", lambda: all(reply.shown for reply in state_of(study).replies.values()))


def end(terminals: Terminals) -> None:
    """The subject solves it, the wizard ends the visit, and every console says whether it is done."""
    terminals.keys("subject", "F6")
    terminals.shows("subject", "What is your solution?")
    terminals.text("subject", "the first one")
    terminals.keys("subject", "Enter")
    terminals.shows("subject", "Please wait for the next task")
    terminals.keys("wizard", "M-x")
    terminals.shows("wizard", "End this session?")
    terminals.keys("wizard", "y")
    terminals.shows("subject", "HOW THIS STUDY WORKS")
    terminals.keys("subject", "Enter")
    terminals.shows("subject", "You now know how this study works")
    terminals.keys("subject", "Enter")
    terminals.shows("wizard", "GREEN: the session is done")
    terminals.shows("observer", "GREEN: the session is done")


def test_a_whole_visit_spoken_with_somebody_looking_on(terminals: Terminals, tmp_path: Path) -> None:
    study = tmp_path / "study"
    address = on_stage(terminals, study)
    terminals.start("observer", *CURTAIN, "wizard", address["observer"])
    consent(terminals)
    terminals.keys("subject", "F8")
    terminals.shows("observer", "The participant calls the experimenter")
    terminals.keys("observer", "M-a")
    terminals.until("the call answered", lambda: not state_of(study).called)
    turn(terminals, study)
    end(terminals)

    state = state_of(study)
    (take,) = state.takes.values()
    assert state.ended
    assert take.confirmed
    (recording,) = (study / "recordings").rglob("*.pcm")
    heard = np.frombuffer(recording.read_bytes(), "<i2")
    assert len(heard) == take.sealed[0].samples > 2 * 16_000
    assert np.abs(heard.astype(int)).max() > 8000, "what was said is in the take"


def test_a_press_right_after_the_one_that_ended_a_take_begins_another(terminals: Terminals, tmp_path: Path) -> None:
    study = tmp_path / "study"
    on_stage(terminals, study)
    consent(terminals)
    begin_scenario(terminals)
    terminals.keys("subject", "Space")
    terminals.shows("subject", "again when you have finished")
    say(np.random.default_rng(1992).integers(-9000, 9000, 16_000))
    terminals.keys("subject", "Space")
    terminals.shows("subject", "Your request is being processed")
    terminals.keys("subject", "Space")
    terminals.shows("subject", "again when you have finished")
    terminals.until("two takes", lambda: len(state_of(study).takes) == 2)
