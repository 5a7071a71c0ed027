"""Every option of every command, and every column of every table, has an effect that somebody meets."""

import pytest

from tests import ROOT
from tests.effects import columns
from tests.effects.options import (
    EFFECTS,
    Followed,
    Shown,
    every_option,
    exists,
    plain,
    seen,
    table,
    unsigned,
)
from tests.effects.options_elsewhere import MOST_UNSEEN, UNSEEN

OPTIONS = sorted(every_option())


def test_every_option_is_listed_and_nothing_else() -> None:
    assert {*EFFECTS} | UNSEEN == {*OPTIONS}
    assert not {*EFFECTS} & UNSEEN
    assert len(UNSEEN) <= MOST_UNSEEN, "a new option has an effect that somebody meets"


@pytest.mark.parametrize("option", sorted(name for name, effect in EFFECTS.items() if isinstance(effect, Shown)))
def test_an_option_changes_what_is_printed_or_written(option: str) -> None:
    effect = EFFECTS[option]
    assert isinstance(effect, Shown)
    changed = seen((*effect.call, *effect.more), effect.typed)
    status, text, made = plain(effect.call, effect.typed)
    assert (changed[0], unsigned(changed[1]), changed[2]) != (status, unsigned(text), made), effect.place
    assert changed[0] != 2, changed[1]


def test_what_is_followed_elsewhere_is() -> None:
    lost = {
        name: effect.test
        for name, effect in EFFECTS.items()
        if isinstance(effect, Followed) and not exists(effect.test)
    }
    assert lost == {}


def test_every_column_takes_another_value_where_something_else_happened() -> None:
    assert columns.constant() == {*columns.FOLLOWED} | columns.FIXED
    assert {name: test for name, test in columns.FOLLOWED.items() if not exists(test)} == {}


def test_the_documented_table_is_this_one() -> None:
    page = ROOT / "docs" / "reference" / "options-and-effects.md"
    assert page.read_text(encoding="utf-8").endswith(table(UNSEEN))
