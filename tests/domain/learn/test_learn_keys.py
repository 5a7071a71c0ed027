"""What `curtain learn` makes of keys of several columns, and of references to the same table."""

from pathlib import Path

import pytest

from domain.english.engine import Engine
from domain.english.model.domain import DomainError, JoinStep, read_step
from tests.domain.learnt import answer, learnt

GARDENS = """
CREATE TABLE garden (garden_code TEXT PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE bed (garden_code TEXT REFERENCES garden, bed_no INTEGER, soil TEXT, area_m2 INTEGER,
    PRIMARY KEY (garden_code, bed_no));
CREATE TABLE gardener (gardener_id INTEGER PRIMARY KEY, full_name TEXT,
    mentor_id INTEGER REFERENCES gardener(gardener_id), supervisor_id INTEGER REFERENCES gardener(gardener_id));
CREATE TABLE plant (plant_id INTEGER PRIMARY KEY, name TEXT, garden_code TEXT, bed_no INTEGER,
    cutting_of INTEGER REFERENCES plant(plant_id), gardener_id INTEGER REFERENCES gardener,
    FOREIGN KEY (garden_code, bed_no) REFERENCES bed (garden_code, bed_no));
INSERT INTO garden VALUES ('NN', 'Abbey Garden', 'Norwich'), ('SS', 'Castle Garden', 'Seaford');
INSERT INTO bed VALUES ('NN', 1, 'clay', 10), ('NN', 2, 'sand', 20), ('SS', 1, 'sand', 30), ('SS', 2, 'clay', 5),
    ('SS', 3, 'peat', 8);
INSERT INTO gardener VALUES (1, 'Ann Reed', NULL, NULL), (2, 'Bob Moss', 1, 1), (3, 'Cay Fern', 2, 1);
INSERT INTO plant VALUES (1, 'Rosa', 'NN', 1, NULL, 1), (2, 'Iris', 'NN', 2, 1, 1), (3, 'Salvia', 'SS', 1, NULL, 2),
    (4, 'Malva', 'SS', 1, 2, 2), (5, 'Lupin', 'SS', 2, NULL, 3);
"""


@pytest.fixture(scope="module")
def gardens(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Engine]:
    return learnt(tmp_path_factory.mktemp("gardens"), GARDENS)


OVER_SEVERAL_COLUMNS = [
    ("plants in clay", {(1,), (5,)}),
    ("how many plants are in clay", {(2,)}),
    ("plants in the Castle Garden", {(3,), (4,), (5,)}),
    ("how many beds are there", {(5,)}),
    ("how many beds does each garden have", {("NN", 2), ("SS", 3)}),
    ("which garden has the most beds", {("SS",)}),
    ("gardens with more than two beds", {("SS",)}),
    ("how many plants does each bed have", {("NN", 1, 1), ("NN", 2, 1), ("SS", 1, 2), ("SS", 2, 1)}),
    ("which bed has the most plants", {("SS", 1)}),
    ("beds with more than one plant", {("SS", 1)}),
    ("beds without plants", {("SS", 3)}),
    ("beds with fewer than two plants", {("NN", 1), ("NN", 2), ("SS", 2), ("SS", 3)}),
    ("what percentage of beds are in sand", {(0.4,)}),
    ("the largest bed", {("SS", 1)}),
    ("which soil does Lupin have", {("clay",)}),
]


@pytest.mark.parametrize(("request_", "wanted"), OVER_SEVERAL_COLUMNS)
def test_a_key_of_several_columns_is_held_as_a_whole(
    gardens: tuple[Path, Engine], request_: str, wanted: set[tuple[object, ...]]
) -> None:
    assert answer(gardens, request_, len(next(iter(wanted)))) == wanted


def test_a_step_over_several_columns_is_written_as_it_is_read() -> None:
    step = read_step("a.x = b.x & a.y = b.z")
    assert step == JoinStep("a.x", "b.x", (("a.y", "b.z"),))
    assert read_step(str(step)) == step
    assert str(step.back) == "b.x = a.x & b.z = a.y"


@pytest.mark.parametrize("text", ["a.x = b.x & a.y", "a.x = b.x & c.y = b.y", "a.x"])
def test_a_step_that_is_none_is_told(text: str) -> None:
    with pytest.raises(DomainError, match="join path"):
        read_step(text)


OF_THE_SAME_TABLE = [
    ("who supervises Cay Fern", {("Ann Reed",)}),
    ("who is the mentor of Cay Fern", {("Bob Moss",)}),
    ("who is Cay Fern's mentor", {("Bob Moss",)}),
    ("what is the name of the mentor of Cay Fern", {("Bob Moss",)}),
    ("who are the mentor and the supervisor of Cay Fern", {("Bob Moss", "Ann Reed")}),
    ("who is supervised by Ann Reed", {(2,), (3,)}),
    ("gardeners whose mentor is Ann Reed", {(2,)}),
    ("which gardeners does Ann Reed supervise", {(2,), (3,)}),
    ("who does Ann Reed supervise", {(2,), (3,)}),
    ("does Bob Moss supervise Ann Reed", set()),
    ("which gardeners have a mentor", {(2,), (3,)}),
    ("gardeners without a supervisor", {(1,)}),
    ("what is Malva a cutting of", {("Iris",)}),
    ("what are the cuttings of Rosa", {(2,)}),
    ("how many cuttings are there", {(2,)}),
    ("plants that are not cuttings", {(1,), (3,), (5,)}),
    ("cuttings in sand", {(2,), (4,)}),
]


@pytest.mark.parametrize(("request_", "wanted"), OF_THE_SAME_TABLE)
def test_a_reference_to_the_same_table_tells_who_is_whose(
    gardens: tuple[Path, Engine], request_: str, wanted: set[tuple[object, ...]]
) -> None:
    assert answer(gardens, request_, len(next(iter(wanted), (0,)))) == wanted
