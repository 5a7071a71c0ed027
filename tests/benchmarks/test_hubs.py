"""The hubs of a benchmark: a step on a server that an earlier step has used begins with sessions of its own."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchmarks.hub_load import COLUMNS, PROFILE, Load, line
from benchmarks.hubs import several
from tests import ROOT


def test_a_second_step_on_the_same_store_has_sessions_of_its_own(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/there.sqlite"
    firsts = []
    for _ in range(2):
        with several(tmp_path, 2, PROFILE, 1, store) as (hub,):
            firsts.append(hub.first)
    assert firsts == [0, 2]


def test_a_line_of_the_table_fits_the_page_that_shows_it() -> None:
    clients: list[Any] = [
        SimpleNamespace(took=[float(ms) for ms in range(100)], takes=100, confirmed=100),
        SimpleNamespace(took=[250.0], takes=2, confirmed=1),
    ]
    found = Load(clients, 3.0, 10.0, [4.0, 2.0])
    assert line("people", 1_000, 2, "SQLite", found) == (
        "| people | 1,000 | 2 | SQLite | 50.0 ms | 99.0 ms | 101 of 102, 1 unconfirmed | 30 % |"
    )
    page = (ROOT / "docs" / "development" / "scale.md").read_text(encoding="utf-8")
    assert f"| {' | '.join(COLUMNS)} |\n" in page
