"""Every key of a study's files has an effect that somebody meets: changed, it changes what stands there."""

import pytest

from session.study.settings import Questionnaire, QuestionnaireItem
from tests import ROOT
from tests.effects import (
    of_domains,
    of_lobby,
    of_message,
    of_metadata,
    of_operators,
    of_packages,
    of_quotas,
    of_session,
    of_study,
    of_training,
    of_voice,
)
from tests.effects.registry import EFFECTS, KEYS, Places, table

WITH_EFFECTS = (
    of_message,
    of_metadata,
    of_operators,
    of_session,
    of_quotas,
    of_packages,
    of_domains,
    of_study,
    of_lobby,
    of_training,
    of_voice,
)  # imported for the effects that they register
PAGE = ROOT / "docs" / "reference" / "keys-and-effects.md"


def test_every_key_is_listed_and_nothing_else() -> None:
    assert set(EFFECTS) == KEYS


@pytest.mark.parametrize("key", sorted(EFFECTS))
def test_a_key_that_is_changed_changes_what_is_seen(key: str) -> None:
    effect = EFFECTS[key]
    first, second = effect.values
    seen = effect.observe(first)
    assert effect.observe(first) == seen, "the same value is seen the same way"
    other = effect.observe(second)
    assert other != seen, effect.place
    if isinstance(seen, Places) and isinstance(other, Places):
        assert [name for name in {*seen, *other} if seen.get(name) == other.get(name)] == [], effect.place


def test_a_form_is_seen_the_same_way_twice() -> None:
    form = Questionnaire(
        id="satisfaction",
        title="Some questions",
        item=(QuestionnaireItem(id="a", text="Easy?", choices=("no", "yes")),),
    )
    assert of_study.filled_in.__wrapped__(form) == of_study.filled_in(form)


def test_the_documented_table_is_this_one() -> None:
    assert PAGE.read_text(encoding="utf-8").endswith(table())
