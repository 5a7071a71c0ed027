"""Both screens as text: what people read there is what the desks show."""

import pytest

from rehearsal.screens import side_by_side, subject_screen
from session import events as e
from session.clock import Stamp
from session.events import Recorded
from session.inert import cells
from session.state import SessionState, evolve
from session.vocabulary import RecordingControl, ScenarioKind
from tests.together.pipe import opened
from wizard.mirror import mark

AT = Stamp("hub", 0, 0)
TASK = "Somebody wants to go\ninto the city.\n\nNote the fare \x1b[31min dollars.\n"


def after(*facts: e.Fact, **profile: object) -> SessionState:
    state = SessionState()
    for seq, fact in enumerate((opened(**profile), *facts), start=1):
        state = evolve(state, Recorded("lab-20261121-1", seq, AT, "hub", "", fact))
    return state


STARTED = e.ScenarioStarted(scenario="trip", title="Into town", text=TASK, number=1, kind=ScenarioKind.TRIP)


def test_the_task_stands_in_paragraphs_with_nothing_in_it_that_acts() -> None:
    lines = subject_screen(after(STARTED), 40)
    assert lines[:4] == [
        "SCENARIO  Into town",
        "Somebody wants to go into the city.",
        "",
        "Note the fare ␛[31min dollars.",
    ]


@pytest.mark.parametrize("recording", list(RecordingControl))
def test_the_button_says_what_the_wizards_view_of_it_says_whatever_the_profile(recording: RecordingControl) -> None:
    for state in (after(recording=recording), after(STARTED, recording=recording)):
        assert subject_screen(state, 40)[-1] == f"[ {mark(state)} ]"
        assert "hold" not in subject_screen(state, 40)[-1]


def test_both_stand_beside_each_other_at_one_width() -> None:
    state = after(STARTED)
    lines = side_by_side(state, state, 80)
    assert {line.index("│") for line in (lines[0], *lines[2:])} == {39}
    assert all(cells(line) <= 80 for line in lines)
