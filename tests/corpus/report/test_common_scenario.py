from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.report.common_scenario import CommonShare, scenarios_of, shares
from session.state.fold import fold
from tests.corpus.sessions import whole_session


@pytest.mark.parametrize(
    ("common", "total", "met", "message"),
    [
        (40, 400, True, "bbn: 40 of 400 utterances, 10.0 %, met"),
        (39, 400, False, "bbn: 39 of 400 utterances, 9.8 %, not met"),
        (0, 0, False, "bbn: 0 of 0 utterances, 0.0 %, not met"),
    ],
)
def test_39_of_400_is_not_yet_a_tenth(common: int, total: int, met: bool, message: str) -> None:
    share = CommonShare("bbn", common, total)
    assert (share.met(), str(share)) == (met, message)


@given(st.lists(st.tuples(st.sampled_from(["att", "bbn"]), st.booleans(), st.integers(0, 60))))
def test_a_site_counts_only_its_own(counted: list[tuple[str, bool, int]]) -> None:
    found = shares(counted)
    assert sum(share.total for share in found) == sum(utterances for _, _, utterances in counted)
    for share in found:
        assert share.common == sum(n for site, common, n in counted if site == share.site and common)


def test_store_and_corpus_tell_the_same_share() -> None:
    script = whole_session()
    expected = (CommonShare("bbn", 4, 7),)
    assert shares(scenarios_of(fold(script.facts))) == expected
    assert expected[0].share == Fraction(4, 7)


@pytest.mark.parametrize("mark", ["pilot", "rehearsal"])
def test_pilots_and_rehearsals_are_no_data(mark: str) -> None:
    script = whole_session()
    opened = msgspec.structs.replace(script.opened, **{mark: True})
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=opened)
    assert shares(scenarios_of(fold(script.facts))) == ()
