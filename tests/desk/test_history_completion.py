"""What was entered comes back in order, what was unfinished is not lost, and completion goes in a circle."""

from hypothesis import given
from hypothesis import strategies as st

from desk.history_completion import Completion, InputHistory
from tests.desk.offering import starting_with

TEXT = st.text(min_size=1).filter(str.strip)


@given(st.lists(TEXT, max_size=20), st.text())
def test_back_and_forth_returns_to_the_unfinished_text(texts: list[str], draft: str) -> None:
    history = InputHistory()
    for text in texts:
        history.add(text)
    back, current = [], draft
    while (older := history.older(current)) is not None:
        back.append(older)
        current = older
    assert back == list(reversed(history.entries))
    forth = []
    while (newer := history.newer()) is not None:
        forth.append(newer)
    assert forth == ([*back[-2::-1], draft] if back else [])


def test_blanks_and_repetitions_are_not_remembered() -> None:
    history = InputHistory(["a"], limit=2)
    for text in ("a", " ", "b", "b", "c"):
        history.add(text)
    assert history.entries == ("b", "c")


def test_completion_goes_round_and_back() -> None:
    completion = Completion(starting_with("fare", "flight", "flight_id"))
    completion.look("select fl")
    assert completion.found == ["flight", "flight_id"]
    assert [completion.step(1), completion.step(1), completion.step(1)] == [
        (2, "flight"),
        (6, "flight_id"),
        (9, "flight"),
    ]
    assert completion.step(-1) == (6, "flight_id")
    completion.look("select flight_id")
    assert completion.step(1) is None
    completion.look("select ")
    assert not completion.found
