from annotator import transcription_status
from annotator.rules import problems
from annotator.utterance_list import ListedUtterance
from session.annotation.transcript import Transcript, TranscriptState


def items(count: int) -> list[ListedUtterance]:
    return [ListedUtterance(f"u{n}", "", "", TranscriptState.UNTOUCHED, Transcript()) for n in range(count)]


def test_problems_fit_and_what_does_not_is_counted() -> None:
    lines = transcription_status.problem_lines(problems("7 8 9 10 Show"), 40, 3)
    assert len(lines) == 3
    assert all(len(line) <= 40 for line in lines)
    assert lines[-1].startswith("   and 3 more")


def test_advice_looks_other_than_an_error() -> None:
    (line,) = transcription_status.problem_lines(problems("Show"), 80, 3)
    assert line.startswith("     1  capitals")


def test_those_nearby_have_the_one_in_hand_in_the_midst_as_far_as_there_are_any() -> None:
    assert [item.stem for item in transcription_status.near(items(9), "u4", 3)] == ["u3", "u4", "u5"]
    assert [item.stem for item in transcription_status.near(items(9), "u0", 3)] == ["u0", "u1", "u2"]
    assert [item.stem for item in transcription_status.near(items(9), "u8", 3)] == ["u6", "u7", "u8"]
    assert [item.stem for item in transcription_status.near(items(2), "u1", 3)] == ["u0", "u1"]
    assert transcription_status.near(items(9), "elsewhere", 0) == []
