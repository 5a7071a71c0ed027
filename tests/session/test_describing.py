"""What is said of a subject at the command line is what the session keeps, or is refused with what would be right."""

import pytest

from session.describing import described
from session.study import Speaker


def test_what_is_known_is_kept_and_the_rest_left_empty() -> None:
    told = ("sex=f", "age=31", "recruitment=civic organisation", "compensation=ten dollars = 10")
    assert described("8k8", told) == Speaker("8k8", "f", 31, "", "civic organisation", "ten dollars = 10")
    assert described("", ()) == Speaker("")


@pytest.mark.parametrize(
    ("told", "why"),
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
def test_what_is_wrong_is_refused_with_what_would_be_right(told: tuple[str, ...], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        described("8k8", told)
