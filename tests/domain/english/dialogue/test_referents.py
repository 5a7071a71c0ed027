"""People and what is said of them: pronouns by gender and recency, superiors and subordinates, pay, shares and sizes."""

import pytest

from domain.database.build import BuiltDatabase
from domain.english.dialogue.references import EarlierTurn
from domain.english.engine import Engine
from domain.sandbox.sandbox import Sandbox

BOSS, SHE = "employee 1007", "nancy torres's salary"  # her boss is a man
ALONE = [
    ("who reports to employee number 1005", "employees supervised by Employee Number 1005"),
    ("to whom does nancy torres report", "supervisor of employees Nancy Torres"),
    ("and who is the boss of nancy torres", "supervisor of employees Nancy Torres"),
    ("what does nancy torres's boss earn", "salary of employees supervising Nancy Torres"),
    ("what is nancy torres's boss's phone number", "work phone of employees supervising Nancy Torres"),
    ("how many subordinates does mr bancroft have himself", "number of employees supervised by Bancroft"),
    ("project managers that have nobody reporting to them", "employees who are Project Manager not who are managers"),
    ("women who supervise at least one other person", "employees female who are managers"),
    ("managers with more than 15 direct reports", "employees supervising over 15 who are managers"),
    ("who supervises the most people", "employees, only the most subordinates"),
    ("what percentage of the engineers are women",
     "share, among employees who are engineers, of employees who are engineers female"),
    ("share of women in finance",
     "share, among employees in department Finance, of employees in department Finance female"),
    ("what percentage of employees are women", "share of employees female"),
    ("women without a degree", "employees without degrees female"),
    ("employees with no degree hired in 1956", "employees hired 1956 without degrees"),
    ("senior clerks by department", "number of employees for each of the departments senior who are clerks"),
    ("biggest department", "departments with the most employees"),
    ("what do we pay the engineers in networks altogether",
     "sum of salary of employees in department Networks who are engineers"),
    ("what does henry kim do", "job title of employees Henry Kim"),
    ("is henry mallory better paid than the average senior scientist",
     "whether there are any employees Henry Mallory earn more than the average of employees senior who are scientists"),
    ("everybody in purchasing no sorry i meant publications", "employees in department Publications"),
]  # fmt: skip
TURNS = [
    (["employees hired in 1988"], "only those who came in december", "employees hired 1988 hired December"),
    (["hired 1955 through 1957"], "only 56", "employees hired 1956"),
    (["princeton people in finance"], "whole company", "employees with a degree from Princeton"),
    (["clerks in materials"], "how many women in the entire company are clerks",
     "number of employees female who are clerks"),
    (["average salary of managers"], "and of everyone who supervises nobody",
     "average salary of employees not who are managers"),
    (["accountants with no accounting degree"], "wait i want the ones that do have one",
     "employees with a degree in Accounting who are accountants"),
    (["departments in which the average salary is above forty thousand"], "let's raise the bar to forty two thousand",
     "departments with average salary of employees more than 42000"),
    (["studied in canada"], "in california sorry", "employees with a degree from a school in California"),
    (["employees without a home phone", "how many is that"], "assistants",
     "employees who are Assistant without home phone"),
    (["share of women in finance"], "and networks",
     "share, among employees in department Networks, of employees in department Networks female"),
]  # fmt: skip
SHOWN = [
    ([SHE, "her boss"], "what's he get", f"salary of employees {BOSS.title()}"),
    ([SHE, "her boss"], "does he earn more than her",
     f"whether there are any employees {BOSS.title()} earn more than Nancy Torres"),
    ([SHE, "her boss"], "anyone under him making more than her",
     f"employees supervised by {BOSS.title()} making more than Nancy Torres"),
    ([SHE, "her boss"], "when was she hired", "hire date of employees Nancy Torres"),
    (["who is the youngest woman"], "her job", None),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "understood"), ALONE, ids=[said for said, _ in ALONE])
def test_what_is_said_of_people_is_understood(personnel: Engine, request_: str, understood: str) -> None:
    assert personnel.ask(request_).readings[0].paraphrase == understood


@pytest.mark.parametrize(("context", "request_", "understood"), TURNS, ids=[said for _, said, _ in TURNS])
def test_a_turn_changes_what_was_said_of_people(
    personnel: Engine, context: list[str], request_: str, understood: str
) -> None:
    assert personnel.ask(request_, context).readings[0].paraphrase.rpartition(") ")[2] == understood


@pytest.mark.parametrize(("context", "request_", "understood"), SHOWN, ids=[said for _, said, _ in SHOWN])
def test_a_pronoun_is_whom_an_answer_showed_or_a_request_named(
    personnel: Engine, personnel_database: BuiltDatabase, context: list[str], request_: str, understood: str | None
) -> None:
    sandbox = Sandbox(personnel_database.url)
    turns: list[EarlierTurn] = []
    for text in context:
        table = sandbox.run(personnel.ask(text, turns).readings[0].sql)
        turns.append(EarlierTurn(text, tuple(table.columns), tuple(map(tuple, table.rows))))
    reading = personnel.ask(request_, turns).readings[0]
    if understood is None:
        (shown,), (job,) = {row[0] for row in turns[-1].rows}, {row[0] for row in sandbox.run(reading.sql).rows}
        assert sandbox.run(f"SELECT job_title FROM employee WHERE employee_id = {shown}").rows[0][0] == job
    else:
        assert reading.paraphrase.replace(reading.carried and f"(from before: {reading.carried}) ", "") == understood
    sandbox.close()
