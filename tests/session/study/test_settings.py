"""Profiles, scenarios and messages refuse what makes no sense, and fill their gaps exactly."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session.study.settings import BLANK, CannedMessage, Operators, Profile, Questionnaire, QuestionnaireItem, Scenario
from session.values.vocabulary import ItemKind, Operator, RecordingControl, ResponseClass, ScenarioKind, Step

WORDS = st.text(st.characters(codec="ascii", exclude_characters="{}"), min_size=1, max_size=8).filter(str.strip)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"reply_limit_s": -1.0}, "`reply_limit_s` is 0 or more, not -1.0"),
        ({"max_scenarios": -1}, "`max_scenarios` is 0 or more, not -1"),
        ({"pre_roll_ms": 5001}, "`pre_roll_ms` is at most 5000"),
        ({"rows_shown": 0}, "`rows_shown` must be between 1 and 20000, not 0"),
        ({"rows_shown": 20_001}, "`rows_shown` must be between"),
        ({"longest_take_s": 0.0}, "`longest_take_s` is above 0"),
        ({"longest_take_s": float("nan")}, "`longest_take_s` is a number"),
    ],
)
def test_a_profile_refuses_what_makes_no_sense(settings: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Profile(name="x", **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("mix", list(itertools.product(Operator, repeat=4)))
def test_every_mix_of_people_and_machines_is_a_profile(mix: tuple[Operator, ...]) -> None:
    recognition, understanding, database, response = mix
    operators = Operators(recognition=recognition, understanding=understanding, database=database, response=response)
    assert Profile(name="x", operators=operators).operators == operators


@pytest.mark.parametrize("control", list(RecordingControl))
def test_every_way_to_record_is_a_profile(control: RecordingControl) -> None:
    assert Profile(name="x", recording=control).recording is control


def scenario(text: str, **placeholders: str) -> Scenario:
    return Scenario(id="s", title="S", kind=ScenarioKind.TRIP, text=text, placeholders=placeholders)


def test_a_scenario_declares_what_its_text_uses() -> None:
    with pytest.raises(ValueError, match=r"the text uses \{B\}, which `placeholders` does not declare"):
        scenario("From {A} to {B}.", A="")


@pytest.mark.parametrize("difficulty", [0, 6])
def test_difficulty_has_five_steps(difficulty: int) -> None:
    with pytest.raises(ValueError, match="must be between 1 and 5"):
        Scenario(id="s", title="S", kind=ScenarioKind.TRIP, text="", difficulty=difficulty)


@given(a=WORDS, b=WORDS)
def test_placeholders_are_filled_once_and_with_exactly_what_was_bound(a: str, b: str) -> None:
    assert scenario("{A}|{B}|{A}", A="", B="").bound({"A": a, "B": b}) == f"{a}|{b}|{a}"


def test_a_binding_is_no_template() -> None:
    assert scenario("{A} {B}", A="", B="x").bound({"A": "{B}"}) == "{B} x"


def test_a_default_is_used_where_nothing_is_bound() -> None:
    assert scenario("{A}", A="Boston").bound({}) == "Boston"
    assert scenario("{A}", A="Boston").bound({"A": "Denver"}) == "Denver"


@pytest.mark.parametrize("bindings", [{}, {"A": ""}, {"A": " \n"}, {"B": "x"}])
def test_an_unbound_placeholder_stops_the_scenario(bindings: dict[str, str]) -> None:
    assert scenario("{A}", A="").unbound(bindings) == ["A"]
    with pytest.raises(ValueError, match="scenario s: nothing is bound to A"):
        scenario("{A}", A="").bound(bindings)


def message(text: str) -> CannedMessage:
    return CannedMessage(id="m", text=text, reason="r", response=ResponseClass.DIAGNOSTIC)


@given(parts=st.lists(st.text("ab .", max_size=5), min_size=1, max_size=4), data=st.data())
def test_each_blank_is_filled_in_its_place(parts: list[str], data: st.DataObject) -> None:
    template = message(BLANK.join(parts))
    blanks = tuple(data.draw(st.lists(WORDS, min_size=len(parts) - 1, max_size=len(parts) - 1)))
    assert template.blanks == len(blanks)
    folded = [" ".join(blank.split()) for blank in blanks]
    expected = "".join(itertools.chain(*itertools.zip_longest(parts, folded, fillvalue="")))
    assert template.filled(blanks) == expected


def test_a_blank_in_a_blank_stays_as_it_is() -> None:
    assert message("About ___.").filled(("a ___ b",)) == "About a ___ b."


@pytest.mark.parametrize(
    ("blanks", "said"), [((), "has 1 blanks, 0 were filled"), (("a", "b"), "2 were filled"), (("  ",), "is empty")]
)
def test_a_message_is_filled_wholly_or_not_sent(blanks: tuple[str, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        message("About ___.").filled(blanks)


@pytest.mark.parametrize(
    ("steps", "complaint"),
    [
        (("scenarios", "consent"), "are in this order"),
        (("consent", "scenarios", "debriefing", "belief"), "are in this order"),
        (("consent", "practice"), "has no `scenarios`"),
        (("scenarios",), "needs `consent` among"),
    ],
)
def test_steps_out_of_order_are_refused_for_what_comes_after_the_reveal_would_be_spoilt(
    steps: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        Profile(name="x", steps=tuple(Step(step) for step in steps))


def test_an_item_has_choices_or_is_answered_in_words() -> None:
    with pytest.raises(ValueError, match="2 to 21"):
        QuestionnaireItem(id="x", text="?", choices=("one",))
    with pytest.raises(ValueError, match="has no choices"):
        QuestionnaireItem(id="x", text="?", kind=ItemKind.TEXT, choices=("a", "b"))
    with pytest.raises(ValueError, match="at least one item"):
        Questionnaire(id="belief", title="", item=())
