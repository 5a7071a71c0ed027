"""A key that a level changes from scenario to scenario has the effect that it has in a profile, and only in that scenario."""

import re
from typing import Any

import msgspec
import pytest

from session import events as e
from session.study.assignment import Assignment, VisitPlan
from session.study.scenario_levels import IN_A_SESSION
from session.study.settings import Profile
from session.visibility import for_subject
from tests import ROOT
from tests.effects import of_operators, of_session, of_voice
from tests.effects.registry import EFFECTS
from tests.session import examples, play
from tests.subject import stage
from tests.together import pipe
from tests.wizard import desk

AT_THE_HUB = (
    "answer_form", "expand_codes", "free_text", "hold_back_s", "noise.deletions", "noise.insertions", "noise.vocabulary",
    "noise.word_error", "noise.word_ms", "opening", "reply_delay_s", "reply_delay_spread_s", "reply_limit_s", "rows_shown",
    "scenario_limit_s", "spoken", "summary", "voice.rows",
)  # fmt: skip
AT_THE_SUBJECT_S = ("barge_in", "show_answers")
ELSEWHERE = {
    "context_return": "tests/session/test_scenario_profiles.py",
    "echo": "tests/session/test_scenario_profiles.py",
    "rows_to_interpreter": "tests/session/test_scenario_profiles.py",
    "subject_heard": "tests/together/test_scenario_settings.py",
    "voice": "tests/together/test_scenario_settings.py",
}
WITH_EFFECTS = (of_operators, of_session, of_voice)  # imported for the effects that they register
CONDITION = "x=1"


@pytest.fixture
def under_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the benches open each session under a plain profile, and bring theirs with the start of the scenario."""
    told: list[Profile] = []

    def opening(profile: Profile | None = None) -> e.SessionOpened:
        own = profile or Profile(name="test")
        plain = examples.opening(Profile(name="test", operators=own.operators, session_seed=own.session_seed))
        protocol = msgspec.structs.replace(plain.protocol, scenario_profiles={CONDITION: own})
        given = Assignment(1, (VisitPlan({}, ("hub",), conditions=(CONDITION,)),))
        return msgspec.structs.replace(plain, protocol=protocol, assignment=given)

    def opened(**changes: Any) -> e.SessionOpened:
        told.append(pipe.protocol(**changes).profile)
        return pipe.opened()

    def scenario(self: stage.Desk | desk.HandPlayed) -> None:
        started = e.ScenarioStarted(number=1, scenario="trip", title="Trip", text="Go.", kind="trip", profile=told[-1])
        seen = for_subject(started, told[-1]) if isinstance(self, stage.Desk) else started
        assert seen is not None
        self.tell(seen)

    monkeypatch.setattr(play, "opening", opening)
    for bench, name in ((stage, "Desk"), (desk, "HandPlayed")):
        monkeypatch.setattr(bench, "opened", opened)
        monkeypatch.setattr(getattr(bench, name), "scenario", scenario)


def test_every_key_that_may_change_so_is_looked_at() -> None:
    assert {key.partition(".")[0] for key in (*AT_THE_HUB, *AT_THE_SUBJECT_S, *ELSEWHERE)} == IN_A_SESSION


def test_study_files_list_these_keys_and_no_others() -> None:
    page = (ROOT / "docs/reference/study.md").read_text("utf-8")
    _, _, listed = page.partition("A level can change these keys:")
    named = re.findall(r"`(\w+)`", listed.partition("Anything else is an error")[0])
    assert sorted({*IN_A_SESSION, "set"}) == sorted(named)


@pytest.mark.parametrize("key", [*AT_THE_HUB, *AT_THE_SUBJECT_S])
def test_a_scenario_s_own_profile_is_what_people_meet(key: str, request: pytest.FixtureRequest) -> None:
    effect = EFFECTS[f"profile.{key}"]
    plain = [effect.observe(value) for value in effect.values]
    request.getfixturevalue("under_a_level")
    assert [effect.observe(value) for value in effect.values] == plain
    assert plain[0] != plain[1]
