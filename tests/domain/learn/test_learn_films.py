"""What `curtain learn` makes of people of two sorts, of what a table's rows do, of categories, and of keys in odd names."""

from pathlib import Path

import pytest

from domain.english.engine import Engine
from tests.domain.learnt import answer, learnt

FILMS = """
CREATE TABLE category (category_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE film (film_id INTEGER PRIMARY KEY, title TEXT, category_id INTEGER REFERENCES category, rental_duration INTEGER,
    length INTEGER, rental_rate NUMERIC, copies_in_stock INTEGER, discontinued INTEGER, members_only TEXT);
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, town TEXT);
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, hire_date DATE, salary INTEGER);
CREATE TABLE rental (rental_id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES film, customer_id INTEGER REFERENCES customer,
    served_by_staff_id INTEGER);
CREATE TABLE crew (crew_id INTEGER PRIMARY KEY, crew_code TEXT, blood_group TEXT);
INSERT INTO crew VALUES (1, '7A', 'O+'), (2, '8B', 'O-'), (3, '9C', 'A+');
CREATE TABLE club (club_id INTEGER PRIMARY KEY, club_name TEXT, run_by INTEGER REFERENCES staff);
INSERT INTO club VALUES (1, 'Reel & Pint', 11), (2, 'Noir', 12);
CREATE TABLE meeting (meeting_id INTEGER PRIMARY KEY, home_club_id INTEGER, away_club_id INTEGER, place TEXT);
INSERT INTO meeting VALUES (1, 1, 2, 'Hall'), (2, 2, 1, 'Barn');
CREATE TABLE advert (advert_id INTEGER PRIMARY KEY, first_film_id INTEGER, second_film_id INTEGER, milliseconds INTEGER);
INSERT INTO category VALUES (1, 'Comedy'), (2, 'Western'), (3, 'Musical');
INSERT INTO film VALUES (1, 'Dust', 2, 3, 90, 3, 4, 0, 'N'), (2, 'Ha', 1, 7, 80, 2, 0, 1, 'Y'),
    (3, 'Oh', 1, 5, 120, 0, 2, 0, 'N'), (4, 'Aria', 3, 4, 100, 5, 1, 1, 'Y');
INSERT INTO customer VALUES (1, 'Ann', 'Lee', 'Hull'), (2, 'Bob', 'May', 'York'), (3, 'Cy', 'Orr', 'Hull');
INSERT INTO staff VALUES (11, 'Dee', 'Poe', '2001-05-01', 30000), (12, 'Eve', 'Ray', '2011-05-01', 20000);
INSERT INTO rental VALUES (1, 1, 1, 11), (2, 2, 1, 11), (3, 2, 2, 12);
INSERT INTO advert VALUES (21, 1, 2, 30000), (22, 2, 3, 90000);
"""
REQUESTS = [
    ("films that have never been rented", {3, 4}),
    ("customers who have not rented anything", {3}),
    ("which customers rented Ha", {1, 2}),
    ("what was rented to Ann Lee", {1, 2}),
    ("customers who live in Hull", {1, 3}),
    ("who was hired after 2005", {12}),
    ("who earns the most", {11}),
    ("the longest comedy", {3}),
    ("comedies", {2, 3}),
    ("films longer than the average film", {3, 4}),
    ("which films are free", {3}),
    ("films that are out of stock", {2}),
    ("list the discontinued films", {2, 4}),
    ("how much is Aria", {5}),
    ("films that are members only", {2, 4}),
    ("the longest advert", {22}),
    ("crews in 8B", {2}),
    ("crews with blood group o positive", {1}),
    ("crews with blood group O+", {1}),
    ("who runs Noir", {"Eve"}),
    ("who runs reel and pint", {"Dee"}),
    ("meetings with away club Noir", {1}),
    ("adverts longer than a minute", {22}),
    ("rentals served by Eve Ray", {3}),
]
UNANSWERED = [
    "crews with blood group O",
    "meetings between Noir and reel and pint",
    "who manages Dust",
    "who is in Dust",
    "why was Dust so long",
]


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Engine]:
    return learnt(tmp_path_factory.mktemp("films"), FILMS)


@pytest.mark.parametrize(("request_", "wanted"), REQUESTS)
def test_what_people_ask_of_films(films: tuple[Path, Engine], request_: str, wanted: set[object]) -> None:
    assert {row[0] for row in answer(films, request_, 1)} == wanted


@pytest.mark.parametrize("request_", UNANSWERED)
def test_a_question_is_not_answered_by_the_name_in_it(films: tuple[Path, Engine], request_: str) -> None:
    found = films[1].ask(request_)
    assert not found.readings
    assert found.unused
