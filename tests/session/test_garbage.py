import gc

from session.garbage import settle


def test_what_was_there_is_collected_once_and_never_looked_at_again() -> None:
    kept: list[object] = [{"a": []}]
    try:
        settle()
        looked_at = {id(found) for found in gc.get_objects()}
        assert id(kept[0]) not in looked_at
        after: list[object] = [{"a": []}]
        assert id(after[0]) in {id(found) for found in gc.get_objects()}
    finally:
        gc.unfreeze()
