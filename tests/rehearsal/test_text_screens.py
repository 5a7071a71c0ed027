"""Both screens as text: what people read there is what the desks show."""

from typing import Any

import msgspec
import pytest

from rehearsal.text_screens import side_by_side, subject_screen
from session import events as e
from session.events import Recorded
from session.state.fold import SessionState, evolve
from session.study.screen_words import ENGLISH
from session.study.settings import Profile, Questionnaire, QuestionnaireItem
from session.values.clock import Stamp
from session.values.sanitize import cells
from session.values.vocabulary import Echo, RecordingControl, ScenarioKind, SpokenPart, Step
from tests.session.play import Play
from tests.together.pipe import opened
from wizard.core.subject_mirror import mark

AT = Stamp("hub", 0, 0)
TASK = "Somebody wants to go\ninto the city.\n\nNote the fare \x1b[31min dollars.\n"


def after(*facts: e.Fact, **profile: Any) -> SessionState:
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


@pytest.mark.parametrize("shown", [True, False])
def test_an_answer_that_was_only_heard_stands_on_no_screen(shown: bool) -> None:
    play = Play(Profile(name="test", echo=Echo.NEVER, spoken=SpokenPart.ANSWER, show_answers=shown))
    play.start()
    play.turn()
    (reply,) = play.state.replies.values()
    assert reply.text
    assert (reply.text.split("\n")[0] in "\n".join(subject_screen(play.state, 80))) is shown


def test_both_stand_beside_each_other_at_one_width() -> None:
    state = after(STARTED)
    lines = side_by_side(state, state, 80)
    assert {line.index("│") for line in (lines[0], *lines[2:])} == {39}
    assert all(cells(line) <= 80 for line in lines)


def station(*facts: e.Fact) -> str:
    start = opened(steps=(Step.CONSENT, Step.INSTRUCTIONS, Step.MICROPHONE_CHECK, Step.SCENARIOS, Step.BELIEF))
    texts = msgspec.structs.replace(
        start.protocol,
        profile=msgspec.structs.replace(start.protocol.profile, consent=True),
        consent_text="Do you agree?",
        instructions="Please read this.",
    )
    state = SessionState()
    for seq, fact in enumerate((msgspec.structs.replace(start, protocol=texts), *facts), start=1):
        state = evolve(state, Recorded("lab-20261121-1", seq, AT, "hub", "", fact))
    return "\n".join(subject_screen(state, 60))


AGREED = e.ConsentGiven(at=AT, version="1", sha256="", scopes={"record": True})
READ = e.InstructionsRead(at=AT)
TRIED = e.MicrophoneChecked(at=AT, peak_db=-10.0, passed=True)
FORM = Questionnaire(
    id="belief",
    title="The system",
    item=(QuestionnaireItem(id="who", text="Who\x1b answered?", choices=("it", "a person")),),
)


def test_each_station_before_the_scenarios_is_shown_as_it_was_read() -> None:
    assert station() == "Do you agree?"
    assert station(AGREED) == "Please read this."
    assert station(AGREED, READ).startswith(ENGLISH["check.text"].strip().split()[0])
    assert station(AGREED, READ, TRIED) == "[ please wait ]"


def test_forms_and_texts_after_the_scenarios_are_shown_with_nothing_in_them_that_acts() -> None:
    asked = station(AGREED, READ, TRIED, e.StepBegun(step=Step.BELIEF, form=FORM))
    assert asked == "The system\n\n1 of 1: Who␛ answered?\n  1  it\n  2  a person"
    screen = station(AGREED, READ, TRIED, e.StepBegun(step=Step.DEBRIEFING, text="A person\nhelped."))
    assert screen == "A person helped."
    again = station(AGREED, READ, TRIED, e.StepBegun(step=Step.CONFIRM_CONSENT, text="Do you agree?"))
    assert again.startswith(ENGLISH["consent.confirm"].strip().split()[0])
    assert again.endswith("Do you agree?")
