"""The benchmark of many sessions fills a study as it was meant to: a benchmark that nobody runs is broken when it is needed."""

import datetime
from pathlib import Path

from benchmarks.many_sessions import fill, opened
from session.store.event_store import Store
from session.study.create import new


def test_it_fills_a_study_and_opens_more_of_its_sessions(tmp_path: Path) -> None:
    study = new(tmp_path / "study")
    store = Store(study.store_url)
    fill(study, store, 0, 3, facts=8)
    assert [length for stream, length in store.lengths().items() if "/" not in stream] == [8, 8, 8]
    assert len(opened(study, store, datetime.date(2030, 1, 1))) > 0
    assert store.check_folds() == []
    store.close()
