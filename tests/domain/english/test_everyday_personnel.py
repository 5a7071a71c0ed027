"""Everyday ways of asking about a company's people, each with what is understood."""

import pytest

from domain.english.engine import Engine

SAID = [
    ("show me the scientists in the speech systems department", "employees in Speech Systems who are scientists"),
    ("how many engineers does the networks department have", "number of employees in Networks who are engineers"),
    ("heads of departments with their salaries", "salary of employees who head a department"),
    ("show me the departments in the computer systems division", "departments of division Computer Systems"),
    ("employees above level 25", "employees at level over 25"),
    ("how many people have no degree at all", "number of employees without degrees"),
    ("who reports to the president", "employees supervised by President"),
    ("who got a degree in nineteen eighty two", "employees with a degree 1982"),
    ("who graduated in the seventies", "employees with a degree the seventies"),
    ("people in their forties", "employees aged between 40 and 49"),
    ("how many people did we hire in 1975", "number of employees hired 1975"),
    ("how many have been here over twenty years", "number of employees here for over 20 years"),
    ("who's been with the company the longest", "employees, only the longest serving"),
    ("who has an ma", "employees with a MA"),
    ("employees with a b a in physics", "employees with a BA with a degree in Physics"),
    ("who has a bachelor of science", "employees with a BS"),
    ("who has a birthday in september", "employees born September"),
    (
        "clerks with no home phone listed in finance",
        "employees in department Finance who are clerks without home phone",
    ),
    ("who doesn't have a boss", "employees without supervisor"),
    (
        "who earns more than the head of finance",
        "employees earns more than all employees in Finance who head a department",
    ),
    ("who makes more than their own supervisor", "employees makes more than their own supervisor"),
    ("over three clerks", ""),
    ("what's department thirty two called", "department name of departments in department 32"),
    ("what does the president himself make", "salary of employees who are President"),
    ("read me the names of the clerks in finance", "name of employees in department Finance who are clerks"),
    ("what is the head count of finance", "number of employees in department Finance"),
    ("which schools are outside texas", "schools not in Texas"),
    ("employees with a degree from a school in canada", "employees with a degree from a school in Canada"),
]


@pytest.mark.parametrize(("request_", "understood"), SAID, ids=[said for said, _ in SAID])
def test_what_is_understood(personnel: Engine, request_: str, understood: str) -> None:
    readings = personnel.ask(request_).readings
    assert [(one.paraphrase, one.unused) for one in readings[:1]] == ([(understood, ())] if understood else [])


TURNS = [
    (["show me the scientists in networks"], "only those who make more than fifty thousand",
     "employees in department Networks earning over 50000 who are scientists"),
    (["who reports to the president"], "leave out the department heads",
     "employees supervised by President not who are Department Head"),
    (["employees with a phd", "what year did they get it"], "is any of these a clerk",
     "employees with a PHD who are clerks"),
    (["who works in finance"], "and in department 44", "employees in department 44"),
    (["how many work in finance"], "secretaries excluded",
     "number of employees in department Finance not who are Secretary"),
    (["what schools do we have from texas", "how many people went to rice"], "and baylor",
     "number of employees with a degree from Baylor"),
    (["employees hired before 1960", "are any of them women"], "make it 1970", "employees hired before 1970"),
    (["how many people are women"], "what percentage is that", "share of employees female"),
    (["show me all the departments"], "which one has the fewest people in it", "departments with the fewest employees"),
    (["does anyone earn more than the president", "who"], "what level are they at",
     "level of employees earn more than all employees who are President"),
    (["how many people went to baylor"], "just the ones who graduated in the seventies",
     "number of employees with a degree from Baylor with a degree the seventies"),
    (["scientists in networks"], "and their average level no sorry average salary",
     "average salary of employees in department Networks who are scientists"),
    (["clerks in finance", "how much do they make"], "list the women",
     "employees in department Finance who are clerks female"),
]  # fmt: skip


@pytest.mark.parametrize(("context", "request_", "understood"), TURNS, ids=[said for _, said, _ in TURNS])
def test_what_is_understood_of_a_turn(personnel: Engine, context: list[str], request_: str, understood: str) -> None:
    assert personnel.ask(request_, context).readings[0].paraphrase.rpartition(") ")[2] == understood
