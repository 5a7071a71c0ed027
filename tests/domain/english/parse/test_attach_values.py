"""Which attribute a value belongs to."""

import pytest

from domain.english.engine import Engine
from domain.english.model.meaning import Condition

Said = tuple[str, tuple[object, ...], bool]


def conditions(engine: Engine, request: str) -> list[Said]:
    def shown(condition: Condition) -> Said:
        return condition.attribute, tuple(v.data[0] for v in condition.values), condition.negated

    return [shown(c) for c in engine.ask(request).readings[0].meaning.conditions]


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("loans from norton to sutton", [("origin", ("NORTON",), False), ("destination", ("SUTTON",), False)]),
        ("loans to sutton from norton", [("destination", ("SUTTON",), False), ("origin", ("NORTON",), False)]),
        ("norton to sutton loans", [("origin", ("NORTON",), False), ("destination", ("SUTTON",), False)]),
        ("loans between norton and sutton", [("origin", ("NORTON",), False), ("destination", ("SUTTON",), False)]),
        ("loans from norton or sutton", [("origin", ("NORTON", "SUTTON"), False)]),
        ("loans not from norton", [("origin", ("NORTON",), True)]),
        ("loans from norton no from sutton", [("origin", ("SUTTON",), False)]),
        (
            "books with more than 100 pages and less than 300 pages",
            [("pages", (100,), False), ("pages", (300,), False)],
        ),
        ("250 pages books", [("pages", (250,), False)]),
        ("books by ann lee and ben oak", [("author", ("ANN LEE", "BEN OAK"), False)]),
        ("books shown at 9 am in norton", [("opening", (900,), False), ("place", ("NORTON",), False)]),
    ],
)
def test_values_go_where_their_cues_stand(library: Engine, said: str, wanted: list[Said]) -> None:
    assert conditions(library, said) == wanted


def test_stretches_that_begin_anew_are_alternatives(library: Engine) -> None:
    meaning = library.ask("loans from norton on monday or from sutton on friday").readings[0].meaning
    assert meaning.conditions == ()
    assert [[c.attribute for c in group] for group in meaning.either] == [["origin", "day"], ["origin", "day"]]


def test_a_value_that_fits_nowhere_is_not_used(library: Engine) -> None:
    assert library.ask("authors on 5 5 5").readings == ()


def test_namesakes_are_all_meant(personnel: Engine) -> None:
    several = [
        named for named in personnel.names.values()
        if len(named) > 1 and all(n.kind == "person" for n in named)
    ]  # fmt: skip
    assert several, "the firm should have two people of one name"
    words = next(w for w, named in personnel.names.items() if named == several[0])
    meaning = personnel.ask(f"phone number of {' '.join(words)}").readings[0].meaning
    assert {v.data[0] for v in meaning.conditions[0].values} == {n.value for n in several[0]}
