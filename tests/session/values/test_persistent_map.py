from hypothesis import given
from hypothesis import strategies as st

from session.values.persistent_map import GrowingMap

PUTS = st.lists(st.tuples(st.integers(0, 60), st.none() | st.integers()), max_size=120)


@given(PUTS)
def test_it_holds_what_a_dict_would_in_the_same_order(puts: list[tuple[int, int | None]]) -> None:
    growing: GrowingMap[int, int | None] = GrowingMap()
    model: dict[int, int | None] = {}
    for key, item in puts:
        growing, model = growing.put(key, item), {**model, key: item}
        assert len(growing) == len(model)
    assert list(growing.items()) == list(model.items())
    assert list(reversed(growing)) == list(reversed(model))
    assert growing == model
    assert [growing.get(key, 0) for key in range(60)] == [model.get(key, 0) for key in range(60)]
    assert (60 in growing) == (60 in model)


@given(PUTS, st.integers(0, 119))
def test_an_earlier_one_never_changes(puts: list[tuple[int, int | None]], moment: int) -> None:
    growing: GrowingMap[int, int | None] = GrowingMap()
    for key, item in puts[:moment]:
        growing = growing.put(key, item)
    before, items = growing, list(growing.items())
    for key, item in puts[moment:]:
        growing = growing.put(key, item)
    assert list(before.items()) == items


def test_a_copy_of_much_costs_little() -> None:
    growing: GrowingMap[int, int] = GrowingMap()
    copied = 0
    for number in range(10_000):
        base = growing._base
        growing = growing.put(number, number)
        copied += len(growing._recent) + (len(growing._base) if growing._base is not base else 0)
    assert copied < 10_000 * 300
