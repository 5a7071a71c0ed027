"""The hubs of a benchmark: a step on a server that an earlier step has used begins with sessions of its own."""

from pathlib import Path

from benchmarks.hub_load import PROFILE
from benchmarks.hubs import several


def test_a_second_step_on_the_same_store_has_sessions_of_its_own(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/there.sqlite"
    firsts = []
    for _ in range(2):
        with several(tmp_path, 2, PROFILE, 1, store) as (hub,):
            firsts.append(hub.first)
    assert firsts == [0, 2]
