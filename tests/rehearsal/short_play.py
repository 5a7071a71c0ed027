"""A play of one scenario that takes seconds: a take taken back, an answer, a canned message."""

from pathlib import Path

import numpy as np
import soundfile

from rehearsal.script import Ask, Canned, Ends, Script, ScriptedAct, ScriptedTurn
from rehearsal.session_run import speech

SHORT = Script(
    wizard="Oz",
    subject={"sex": "f", "age": 30},
    scenario=(
        ScriptedAct(
            kind="common",
            bindings={"A": "Boston", "B": "Denver", "C": "Atlanta"},
            turn=(
                ScriptedTurn(speech="wrong-button", said="oh", discard=True),
                ScriptedTurn(
                    speech="snacks",
                    said="which meals are snacks",
                    note="a private thought",
                    ask=(Ask(sql="SELECT nothing"), Ask(sql="SELECT COUNT(*) AS cities FROM city")),
                ),
                ScriptedTurn(speech="weather", said="the weather", canned=Canned("no-information", ("the weather",))),
            ),
            ends=Ends(declare="done"),
        ),
    ),
)


def whole_line_is_in(path: Path, name: str) -> None:
    """From the first sound of the line to its last, to the sample."""
    recorded, rate = soundfile.read(path, dtype="int16")
    line = speech(name)
    loud = np.flatnonzero(np.abs(line.astype(int)) > 300)
    said = line[loud[0] : loud[-1] + 1]
    places = np.flatnonzero(recorded[: len(recorded) - len(said) + 1] == said[0])
    assert rate == 16_000
    assert any((recorded[place : place + len(said)] == said).all() for place in places)
