"""Conditions that change the profile of the subjects who have them."""

from pathlib import Path

import pytest

from session.study.create import new
from session.study.folder import load
from session.study.toml_reader import StudyError

NOISY = """
[condition.noisy]
reply_delay_s = 3.0

[condition.noisy.noise]
word_error = 0.2
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    new(tmp_path / "study")
    return tmp_path / "study"


def with_conditions(study: Path, text: str) -> Path:
    path = study / "study.toml"
    settings = path.read_text(encoding="utf-8").replace("conditions = []", 'conditions = ["plain", "noisy"]')
    path.write_text(settings + text, encoding="utf-8")
    return study


def test_a_session_is_held_and_stored_under_the_profile_of_its_condition(study: Path) -> None:
    found = load(with_conditions(study, NOISY))
    plain, noisy = found.protocol("1", "plain").profile, found.protocol("1", "noisy").profile
    assert plain == found.profile
    assert (noisy.noise.word_error, noisy.reply_delay_s) == (0.2, 3.0)
    assert noisy.noise.insertions == plain.noise.insertions, "what a condition does not name stays"
    assert noisy.reply_limit_s == plain.reply_limit_s


def test_who_is_recorded_from_longer_before_a_press_reads_so(study: Path) -> None:
    (study / "consent.txt").write_text("We keep {pre_roll_ms} ms from before a press.")
    found = load(with_conditions(study, "[condition.noisy]\npre_roll_ms = 700\n"))
    plain, noisy = found.protocol("1", "plain"), found.protocol("1", "noisy")
    assert plain.consent_text == f"We keep {found.profile.pre_roll_ms} ms from before a press."
    assert noisy.consent_text == "We keep 700 ms from before a press."
    assert noisy.debriefing == plain.debriefing


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[condition.noysy]\nsession_seed = 2\n",
            "`condition.noysy` is none of the `conditions`; did you mean `noisy`?",
        ),
        ("[condition.noisy]\nreply_dealy_s = 2\n", "is not a key of a profile; did you mean `reply_delay_s`?"),
        ("[condition.noisy]\nreply_delay_s = -1.0\n", "`condition.noisy`: .*`reply_delay_s` is 0 or more"),
        (
            '[condition.noisy]\nrecording = "sideways"\n',
            r"study.toml:\d+: `condition.noisy.recording` cannot be 'sideways'; it may be .*`hold`",
        ),
        ('[condition.noisy]\ntail_ms = "long"\n', r"study.toml:\d+: `condition.noisy.tail_ms`: expected `int`.*'long'"),
        ("[condition.noisy.noise]\nword_error = []\n", r"study.toml:\d+: `condition.noisy.noise.word_error`: expected"),
        ('[condition.noisy]\nname = "other"\n', "make a study of its own for it"),
        ("[condition.noisy.noise]\nword_error = 2.0\n", "between 0 and 0.9"),
        ("[condition.noisy]\nshow_answers = false\n", "condition noisy: answers are neither shown nor spoken"),
    ],
)
def test_a_condition_that_cannot_be_is_one_clear_error(study: Path, text: str, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        load(with_conditions(study, text))
