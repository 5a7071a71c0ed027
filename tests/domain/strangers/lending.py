"""A public library's loans: rows the same for a seed on every machine; nobody in them exists."""

import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

SCHEMA = """
CREATE TABLE branch (branch_id INTEGER PRIMARY KEY, name TEXT, street TEXT, opened DATE, opens_at TEXT, closes_at TEXT);
CREATE TABLE author (author_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, country TEXT, birth_year INTEGER);
CREATE TABLE title (title_id INTEGER PRIMARY KEY, title TEXT, genre TEXT, language TEXT, pages INTEGER, published INTEGER,
  sequel_of INTEGER REFERENCES title(title_id));
CREATE TABLE title_author (title_id INTEGER REFERENCES title, author_id INTEGER REFERENCES author,
  PRIMARY KEY (title_id, author_id));
CREATE TABLE copy (title_id INTEGER REFERENCES title, copy_no INTEGER, branch_id INTEGER REFERENCES branch, acquired DATE,
  price NUMERIC, condition TEXT, PRIMARY KEY (title_id, copy_no));
CREATE TABLE member (member_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, town TEXT, birth_date DATE,
  joined_date DATE, guardian_id INTEGER REFERENCES member(member_id));
CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, title_id INTEGER, copy_no INTEGER, member_id INTEGER REFERENCES member,
  loaned_on DATE, due_on DATE, returned_on DATE, FOREIGN KEY (title_id, copy_no) REFERENCES copy (title_id, copy_no));
CREATE TABLE fine (fine_id INTEGER PRIMARY KEY, loan_id INTEGER REFERENCES loan, amount NUMERIC, paid TEXT);
CREATE VIEW open_loan AS SELECT loan_id, member_id, title_id, copy_no, due_on FROM loan WHERE returned_on IS NULL;
"""
BRANCHES = (
    ("Harbour", "Quay Street", "1961-04-01", "09:00", "18:00"), ("Hillside", "Beech Road", "1984-09-15", "10:00", "17:30"),
    ("Central", "Market Square", "1923-01-10", "08:30", "20:00"), ("Riverside", "Mill Lane", "2007-06-02", "12:00", "19:00"),
)  # fmt: skip
AUTHORS = (
    ("Agnes", "Tollerud", "Norway", 1931), ("Bruno", "Calvetti", "Italy", 1948), ("Clara", "Whitfield", "Ireland", 1969),
    ("Dmitri", "Orlov", "Russia", 1902), ("Edith", "Maron", "France", 1955), ("Felix", "Okafor", "Nigeria", 1977),
    ("Greta", "Lindqvist", "Sweden", 1985), ("Hugh", "Pembroke", "Ireland", 1923),
)  # fmt: skip
TITLES = (
    ("The Salt Road", "novel", "English", 312, 1994, None, (3,)),
    ("Return to the Salt Road", "novel", "English", 355, 1998, 1, (3,)),
    ("Winter Lamps", "poetry", "Norwegian", 96, 1965, None, (1,)),
    ("Harvest of Glass", "crime", "Italian", 280, 1981, None, (2,)),
    ("The Glass Verdict", "crime", "Italian", 301, 1986, 4, (2, 5)),
    ("Steam and Silver", "history", "English", 540, 1957, None, (8,)),
    ("A Short History of Rain", "history", "English", 210, 2011, None, (7, 3)),
    ("Lagos Nocturne", "novel", "English", 402, 2015, None, (6,)),
    ("Lagos Morning", "novel", "English", 388, 2019, 8, (6,)),
    ("The Long Thaw", "novel", "Russian", 720, 1949, None, (4,)),
    ("Bees of Brittany", "science", "French", 178, 1990, None, (5,)),
    ("Numbers for Sailors", "science", "Swedish", 150, 2013, None, (7,)),
    ("Tin Soldiers", "poetry", "English", 88, 1951, None, (8,)),
    ("Night Ferry", "crime", "Swedish", 265, 2020, None, (7,)),
)
FIRST = ("Ada", "Boris", "Celia", "Dora", "Emil", "Flora", "Gustav", "Hilda", "Ivan", "Judith", "Kurt", "Lydia")
LAST = (
    "Arkwright",
    "Bellamy",
    "Cordova",
    "Drummond",
    "Eastman",
    "Fanshawe",
    "Grimaldi",
    "Hathaway",
    "Iverson",
    "Jessop",
)
TOWNS = ("Larkhill", "Moorgate", "Netherby", "Oakham", "Pinewood")


def rows(rng: random.Random) -> Mapping[str, Sequence[tuple[object, ...]]]:
    """The rows of every table."""

    def day(first: date, days: int) -> date:
        return first + timedelta(days=rng.randrange(days))

    people = [(first, last) for first in FIRST for last in LAST]
    rng.shuffle(people)
    members = [
        (n, *people[n], rng.choice(TOWNS), day(date(1940, 1, 1), 26000).isoformat(), day(date(2005, 1, 1), 7000).isoformat(),
         rng.randrange(1, 50) if n > 60 else None)
        for n in range(1, 81)
    ]  # fmt: skip
    copies = [
        (title, number, rng.randrange(1, 5), day(date(2000, 1, 1), 8000).isoformat(), rng.randrange(8, 60),
         rng.choice(("good", "worn", "damaged", "new")))
        for title in range(1, 15) for number in range(1, 2 + title % 5)
    ]  # fmt: skip
    loans = []
    for n in range(1, 401):
        title, number, *_ = rng.choice(copies)
        taken = day(date(2024, 1, 1), 500)
        back = (taken + timedelta(days=rng.randrange(3, 50))).isoformat() if n % 7 else None
        loans.append(
            (n, title, number, rng.randrange(1, 81), taken.isoformat(), (taken + timedelta(days=28)).isoformat(), back)
        )
    fines = [(n, rng.randrange(1, 401), rng.choice((1, 2, 5, 12, 20)), rng.choice("YN")) for n in range(1, 61)]
    return {
        "branch": [(n, *row) for n, row in enumerate(BRANCHES, start=1)],
        "author": [(n, *row) for n, row in enumerate(AUTHORS, start=1)],
        "title": [(n, *row[:6]) for n, row in enumerate(TITLES, start=1)],
        "title_author": [(n, author) for n, row in enumerate(TITLES, start=1) for author in row[6]],
        "copy": list(copies),
        "member": list(members),
        "loan": loans,
        "fine": fines,
    }
