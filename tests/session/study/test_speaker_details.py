"""What is said of a subject at the command line is what the session keeps, or is refused with what would be right."""

import pytest

from session.study.settings import Speaker
from session.study.speaker_details import corrected, described


def test_what_is_known_is_kept_and_the_rest_left_empty() -> None:
    details = ("sex=f", "age=31", "recruitment=civic organisation", "compensation=ten dollars = 10")
    assert described("8k8", details) == Speaker("8k8", "f", 31, "", "civic organisation", "ten dollars = 10")
    assert described("", ()) == Speaker("")


@pytest.mark.parametrize(
    ("details", "why"),
    [
        (("name=Ann",), "KEY one of sex, age, dialect"),
        (("id=8k8",), "KEY one of"),
        (("sex",), "write KEY=VALUE"),
        (("dialect=",), "write KEY=VALUE"),
        (("sex=woman",), "write f, m or x"),
        (("age=0",), "whole years from 1 to 120"),
        (("age=121",), "whole years"),
        (("age=-5",), "whole years"),
        (("age=\u0663\u0661",), "whole years"),
        (("age=" + "9" * 5000,), "whole years"),
        (("age=0120999",), "whole years"),
        (("age=31", "age=32"), "say it once"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(details: tuple[str, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        described("8k8", details)


def test_a_correction_changes_what_it_names_alone_and_may_leave_a_value_empty() -> None:
    details = Speaker("8k8", "f", 13, "Southern", "advertisement")
    assert corrected(details, ("age=31", "dialect=")) == Speaker("8k8", "f", 31, "", "advertisement")
    assert corrected(details, ("age=",)) == Speaker("8k8", "f", None, "Southern", "advertisement")
    assert corrected(details, ()) == details


@pytest.mark.parametrize("details", ["sex=woman", "age=x", "name=Ann", "sex", "id=8k9"])
def test_a_correction_is_refused_like_what_is_told_first(details: str) -> None:
    with pytest.raises(ValueError, match="about"):
        corrected(Speaker("8k8"), (details,))
