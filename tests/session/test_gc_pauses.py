import gc

import pytest

from session.gc_pauses import seldom_disturbed, settle, undisturbed

PYTHON_S_OWN = 700


def test_what_was_there_is_collected_once_and_never_looked_at_again() -> None:
    kept: list[object] = [{"a": []}]
    settle()
    looked_at = {id(found) for found in gc.get_objects()}
    assert id(kept[0]) not in looked_at
    after: list[object] = [{"a": []}]
    assert id(after[0]) in {id(found) for found in gc.get_objects()}


def test_nothing_is_collected_while_undisturbed_and_what_came_then_stays_for_good() -> None:
    with undisturbed():
        assert not gc.isenabled()
        kept: list[object] = [{"a": []}]
    assert gc.isenabled()
    assert id(kept[0]) not in {id(found) for found in gc.get_objects()}


def test_work_on_thousands_of_files_is_seldom_disturbed_and_what_was_set_comes_back() -> None:
    before = gc.get_threshold()

    @seldom_disturbed()
    def work() -> None:
        found.append(gc.get_threshold()[0])
        raise ValueError("damaged")

    found: list[int] = []
    with pytest.raises(ValueError, match="damaged"):
        work()
    assert found[0] >= 100 * PYTHON_S_OWN
    assert gc.get_threshold() == before
