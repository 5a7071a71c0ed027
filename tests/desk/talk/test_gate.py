"""When talking starts and ends, for any mixture of keys, repeats, mouse and lost releases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk.talk.gate import HELD, Control, Grip, TalkEnd, TalkGate
from session.values.clock import MILLISECOND

MS = MILLISECOND


def gate(control: Control = Control.HOLD, *, releases: bool = True) -> TalkGate:
    made = TalkGate(control)
    made.releases_agreed = releases
    return made


def test_a_held_key_talks_until_it_goes_up() -> None:
    held = gate()
    assert held.key_down("space", 0) is Grip.KEY_HELD
    assert [held.key_down("space", t * MS) for t in range(660, 3000, 40)] == [None] * 59
    assert held.key_up("space") is TalkEnd.RELEASED
    assert held.key_down("space", 3010 * MS) is Grip.KEY_HELD


def test_without_releases_a_hold_becomes_press_and_press() -> None:
    pressed = gate(releases=False)
    assert pressed.key_down("space", 0) is Grip.KEY_PRESSED
    assert pressed.key_down("space", 2000 * MS) is TalkEnd.PRESSED_AGAIN


@given(st.lists(st.integers(1, 249), max_size=200), st.integers(251, 749), st.sampled_from(Control))
def test_repeats_never_toggle(gaps: list[int], first_gap: int, control: Control) -> None:
    pressed = gate(control, releases=False)
    now = 0
    assert pressed.key_down("space", now) is Grip.KEY_PRESSED
    for gap in [first_gap, *gaps]:
        now += gap * MS
        assert pressed.key_down("space", now) is None
    assert pressed.key_down("space", now + 800 * MS) is TalkEnd.PRESSED_AGAIN


@given(st.integers(1, 749), st.sampled_from(Control))
def test_one_press_soon_after_the_last_begins_a_take_once_nothing_has_followed(gap: int, control: Control) -> None:
    pressed = gate(control, releases=False)
    pressed.key_down("space", 0)
    pressed.key_down("space", 5_000 * MS)
    assert pressed.grip is None
    assert pressed.key_down("space", (5_000 + gap) * MS) is None
    assert pressed.in_doubt
    assert pressed.settle((5_000 + gap + 249) * MS) is None
    assert pressed.settle((5_000 + gap + 250) * MS) is Grip.KEY_PRESSED
    assert pressed.settle((5_000 + gap + 900) * MS) is None


def test_a_press_that_ends_a_take_and_is_held_begins_no_other() -> None:
    pressed = gate(Control.PRESS, releases=False)
    pressed.key_down("space", 0)
    assert pressed.key_down("space", 5_000 * MS) is TalkEnd.PRESSED_AGAIN
    for t in range(5_660, 9_000, 40):
        assert pressed.settle(t * MS) is None
        assert pressed.key_down("space", t * MS) is None
    assert pressed.settle(9_999 * MS) is None
    assert pressed.grip is None


@pytest.mark.parametrize("control", Control)
def test_two_quick_presses_of_an_impatient_hand_begin_a_take(control: Control) -> None:
    talk = gate(control, releases=False)
    talk.key_down("space", 0)
    talk.stop()
    assert talk.key_down("space", 300 * MS) is None
    assert talk.key_down("space", 450 * MS) is None
    assert talk.in_doubt
    assert talk.settle(700 * MS) is Grip.KEY_PRESSED


def test_two_quick_presses_that_may_have_been_to_end_a_take_are_told() -> None:
    talk = gate(Control.PRESS)
    talk.key_down("space", 0)
    for at in (300, 450):
        assert talk.key_down("space", at * MS) is None
    assert talk.settle(700 * MS) is None
    assert (talk.grip, talk.unsure) == (Grip.KEY_PRESSED, True)
    assert talk.key_down("space", 900 * MS) is TalkEnd.PRESSED_AGAIN


def test_in_doubt_a_take_goes_on_and_the_next_press_ends_it() -> None:
    pressed = gate(Control.PRESS, releases=False)
    pressed.key_down("space", 0)
    assert pressed.key_down("space", 600 * MS) is None
    assert not pressed.unsure
    assert pressed.settle(850 * MS) is None
    assert pressed.unsure
    assert pressed.grip is Grip.KEY_PRESSED
    assert pressed.key_down("space", 1_200 * MS) is TalkEnd.PRESSED_AGAIN
    assert not pressed.unsure


@given(st.lists(st.integers(0, 10_000), max_size=50))
def test_repeats_that_the_terminal_names_never_toggle_at_any_speed(gaps: list[int]) -> None:
    held = gate(Control.PRESS)
    held.key_down("space", 0)
    now = 0
    for gap in gaps:
        now += gap * MS
        assert held.key_down("space", now, repeat=True) is None


def test_with_releases_quick_presses_toggle() -> None:
    pressed = gate(Control.PRESS)
    assert pressed.key_down("space", 0) is Grip.KEY_PRESSED
    assert pressed.key_up("space") is None
    assert pressed.key_down("space", 200 * MS) is TalkEnd.PRESSED_AGAIN


def test_a_second_press_ends_a_hold_whose_release_was_lost() -> None:
    held = gate()
    held.key_down("space", 0)
    assert held.key_down("space", 5000 * MS) is TalkEnd.PRESSED_AGAIN


def test_another_key_going_up_ends_nothing() -> None:
    held = gate()
    held.key_down("space", 0)
    assert held.key_up("a") is None
    assert held.grip is Grip.KEY_HELD


def test_mouse_hold_and_its_lost_release() -> None:
    held = gate(releases=False)
    assert held.mouse_down() is Grip.MOUSE_HELD
    assert held.mouse_up() is TalkEnd.RELEASED
    held.mouse_down()
    assert held.mouse_found_up() is TalkEnd.RELEASE_LOST
    held.mouse_down()
    assert held.mouse_down() is TalkEnd.RELEASE_LOST
    assert held.mouse_up() is None


def test_mouse_press_and_press() -> None:
    pressed = gate(Control.PRESS)
    assert [pressed.mouse_down(), pressed.mouse_up(), pressed.mouse_found_up()] == [Grip.MOUSE_PRESSED, None, None]
    assert pressed.mouse_down() is TalkEnd.PRESSED_AGAIN


def test_leaving_the_window_ends_a_hold_but_not_what_was_pressed() -> None:
    held, pressed = gate(), gate(Control.PRESS)
    held.key_down("space", 0)
    pressed.key_down("space", 0)
    assert held.window_left() is TalkEnd.WINDOW_LEFT
    assert pressed.window_left() is None
    assert pressed.grip is Grip.KEY_PRESSED


def test_after_a_stop_from_outside_the_key_still_held_starts_nothing() -> None:
    held = gate()
    held.key_down("space", 0)
    held.stop()
    assert held.key_down("space", 700 * MS) is None
    assert held.key_up("space") is None


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["key", "settle", "repeat", "up", "down", "mouse_up", "found_up", "left", "stop", "menu"]),
        st.integers(0, 2000),
    ),
    max_size=60,
)


@given(ACTIONS, st.sampled_from(Control), st.booleans())
def test_starts_and_ends_alternate_whatever_happens(
    actions: list[tuple[str, int]], control: Control, releases: bool
) -> None:
    any_gate = gate(control, releases=releases)
    now, talking = 0, False
    for action, gap in actions:
        now += gap * MS
        match action:
            case "key" | "repeat":
                change = any_gate.key_down("space", now, repeat=action == "repeat")
            case "settle":
                change = any_gate.settle(now)
            case "up":
                change = any_gate.key_up("space")
            case "down":
                change = any_gate.mouse_down()
            case "mouse_up":
                change = any_gate.mouse_up()
            case "found_up":
                change = any_gate.mouse_found_up()
            case "left":
                change = any_gate.window_left()
            case "menu":
                change = any_gate.toggle()
            case _:
                any_gate.stop()
                change, talking = None, False
        if isinstance(change, Grip):
            assert not talking
            assert releases or change is not Grip.KEY_HELD
            talking = True
        elif isinstance(change, TalkEnd):
            assert talking
            talking = False
        assert (any_gate.grip is not None) == talking


@given(ACTIONS)
def test_a_press_and_press_protocol_holds_nothing(actions: list[tuple[str, int]]) -> None:
    pressed = gate(Control.PRESS)
    for action, _ in actions:
        if action == "key":
            pressed.key_down("space", 0)
        elif action == "down":
            pressed.mouse_down()
        assert pressed.grip not in HELD
