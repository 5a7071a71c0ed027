"""The personnel domain of 1989: its database, and the 21 requests of the appendix answered from it."""

from collections.abc import Iterator
from datetime import date

import pytest
from sqlalchemy import Connection, create_engine, text

from domain.database.build import BuiltDatabase, sha256_of_rows
from domain.database.solution_set import MEANINGFUL, solution_query
from domain.english.engine import Engine
from domain.sandbox.sandbox import Sandbox
from scenarios.personnel import generator
from session.values.vocabulary import ScenarioKind
from study.rightness import Rightness, judge
from tests.domain.english.conftest import SCENARIOS, personnel, personnel_database  # noqa: F401
from tests.domain.personnel_requests import REQUESTS
from tests.domain.scenario_bank import bank

Cells = set[tuple[object, ...]]


@pytest.fixture(scope="module")
def link(personnel_database: BuiltDatabase) -> Iterator[Connection]:  # noqa: F811
    database = create_engine(personnel_database.url)
    with database.connect() as opened:
        yield opened
    database.dispose()


@pytest.fixture(scope="module")
def sandbox(personnel_database: BuiltDatabase) -> Iterator[Sandbox]:  # noqa: F811
    opened = Sandbox(personnel_database.url)
    yield opened
    opened.close()


def rounded(rows: Cells) -> Cells:
    return {tuple(round(c, 6) if isinstance(c, float) else c for c in row) for row in rows}


@pytest.mark.parametrize(("request_", "reference"), REQUESTS, ids=[f"CB-{n:02d}" for n in range(1, 22)])
def test_the_requests_of_the_appendix(
    personnel: Engine,  # noqa: F811
    sandbox: Sandbox,
    link: Connection,
    request_: str,
    reference: str,
) -> None:
    reading = personnel.ask(request_).readings[0]
    given = sandbox.run(reading.sql)
    at = [given.columns.index(name.rpartition(".")[2]) for name in reading.minimal_columns]
    rows: Cells = {tuple(row[n] for n in at) for row in given.rows}
    assert rounded(rows) == rounded({tuple(row) for row in link.execute(text(reference))}), reading.paraphrase


def test_the_firm_is_as_large_as_that_of_1989_and_has_one_head(link: Connection) -> None:
    assert link.execute(text("SELECT COUNT(*) FROM employee")).scalar() == generator.EMPLOYEES == 423
    assert link.execute(text("SELECT job_title FROM employee WHERE supervisor IS NULL")).all() == [("PRESIDENT",)]
    assert link.execute(text("SELECT DISTINCT salary FROM employee WHERE level = 31")).all() == [(270275,)]


def test_everybody_works_in_a_department_and_for_somebody_in_the_firm(link: Connection) -> None:
    strangers = (
        "SELECT COUNT(*) FROM employee WHERE department NOT IN (SELECT department FROM department)"
        " OR supervisor NOT IN (SELECT employee_id FROM employee) OR supervisor = employee_id"
        " OR hire_date <= birth_date OR hire_date > '1989-08-16'"
    )
    assert link.execute(text(strangers)).scalar() == 0


def test_the_same_seed_gives_the_same_firm() -> None:
    once, again = generator.generate(7), generator.generate(7)
    assert sha256_of_rows(generator.SHAPES, once) == sha256_of_rows(generator.SHAPES, again)
    assert once["employee"] != generator.generate(8)["employee"]


@pytest.mark.parametrize(
    ("request_", "reference"),
    [
        ("who is the oldest engineer", "SELECT employee_id FROM employee WHERE job_title LIKE '%ENGINEER%'"
         " AND birth_date = (SELECT MIN(birth_date) FROM employee WHERE job_title LIKE '%ENGINEER%')"),
        ("employees hired before 1960", "SELECT employee_id FROM employee WHERE hire_date < '1960'"),
        ("women making between 30000 and 40000 dollars", "SELECT employee_id FROM employee WHERE sex = 'F'"
         " AND salary BETWEEN 30000 AND 40000"),
        ("what is the highest salary in department 44", "SELECT MAX(salary) FROM employee WHERE department = 44"),
        ("which departments do not have any engineers", "SELECT department FROM department WHERE department NOT IN"
         " (SELECT department FROM employee WHERE job_title LIKE '%ENGINEER%')"),
        ("departments without any clerks in dallas", "SELECT department FROM department WHERE department NOT IN"
         " (SELECT department FROM employee WHERE job_title LIKE '%CLERK%' AND city = 'DALLAS')"),
        ("people with a degree in physics from MIT", "SELECT employee_id FROM employee WHERE employee_id IN"
         " (SELECT employee_id FROM degree NATURAL JOIN major WHERE major_name = 'PHYSICS') AND employee_id IN"
         " (SELECT employee_id FROM degree NATURAL JOIN school WHERE school_name = 'MIT')"),
    ],
)  # fmt: skip
def test_further_requests(personnel: Engine, link: Connection, request_: str, reference: str) -> None:  # noqa: F811
    rows = {tuple(row[:1]) for row in link.execute(text(personnel.ask(request_).readings[0].sql))}
    assert rows == {tuple(row) for row in link.execute(text(reference))}
    assert rows


@pytest.mark.parametrize(
    ("request_", "minimal"),
    [
        ("Which chief scientists in department 45 make more than $70000?", ("employee_id",)),
        ("a list of all the departments", ("department",)),
        ("display the clerks", ("employee_id",)),
        ("List department 44 employees", ("employee_id",)),
        ("Give me every employee's phone number", ("work_phone",)),
        ("Count the people in department 43", ("count",)),
        ("names of the clerks and their salaries", ("last_name", "salary")),
        ("clerks and their salaries", ("employee_id", "salary")),
        ("the clerks in department 45 with their salaries", ("employee_id", "salary")),
        ("every clerk's salary", ("salary",)),
        ("clerks with salaries over 20000", ("employee_id",)),
        ("table of the managers", ("employee_id",)),
        ("list the countries", ("country_code",)),
        ("list the schools", ("school_code",)),
        ("list the majors", ("major_code",)),
        ("list the divisions", ("division",)),
        ("list the states", ("state_code",)),
    ],
)
def test_the_least_that_an_answer_holds_is_what_the_head_of_the_request_names(
    personnel: Engine,  # noqa: F811
    request_: str,
    minimal: tuple[str, ...],
) -> None:
    """Boisen et al. 1989, section 2.2: heads of noun phrases, and the identifiers of table 1."""
    assert personnel.ask(request_).readings[0].minimal_columns == minimal


def test_today_is_a_parameter(personnel_database: BuiltDatabase) -> None:  # noqa: F811
    later = Engine(SCENARIOS / "personnel", personnel_database.url, date(1999, 8, 16))
    assert "1999-08-16" in later.ask("how long ago did sharon lease join?").readings[0].sql


def test_a_session_can_be_held_with_its_scenarios(personnel_database: BuiltDatabase) -> None:  # noqa: F811
    scenarios = bank("personnel")
    assert [scenario.kind for scenario in scenarios].count(ScenarioKind.PRACTICE) == 1
    assert [scenario.id for scenario in scenarios if scenario.common] == ["service-award"]
    sandbox = Sandbox(personnel_database.url)
    for scenario in scenarios:
        found = sandbox.run(solution_query(scenario, {}))
        assert 1 <= len(found.rows) <= MEANINGFUL, scenario.id
    sandbox.close()


@pytest.mark.parametrize(
    ("scenario", "one", "everybody"),
    [
        ("car-pool", "Hurst", "Cheever, Hurst, Middleton and Radcliffe"),
        ("reunion", "Amory of 42", "Amory of 42 and Salazar of 43"),
        ("transfer", "Dalton, 44", "Clough 42, Dalton 44, Martinez 42"),
    ],
)
def test_who_asks_for_everybody_is_not_content_with_one(
    scenario: str, one: str, everybody: str, sandbox: Sandbox
) -> None:
    found = sandbox.run(solution_query(next(own for own in bank("personnel") if own.id == scenario), {}))
    assert judge(one, found) is Rightness.WRONG_FORM
    assert judge(everybody, found) is Rightness.RIGHT


def test_a_degree_after_an_article_is_a_degree(personnel: Engine) -> None:  # noqa: F811
    for request, degree in (("employees with a phd", "PHD"), ("employees with an mba", "MBA")):
        reading = personnel.ask(request).readings[0]
        assert f"= '{degree}'" in reading.sql


HEAD = "(SELECT supervisor FROM employee ORDER BY employee_id DESC LIMIT 1)"
OF_SUPERVISORS = [
    ("how many people work in department 45", "SELECT COUNT(*) FROM employee WHERE department = 45"),
    ("how many people are there in the company", "SELECT COUNT(*) FROM employee"),
    ("who supervises {}", f"SELECT supervisor FROM employee WHERE employee_id = {HEAD}"),
    ("who does {} work for", f"SELECT supervisor FROM employee WHERE employee_id = {HEAD}"),
    ("who is {}'s boss", f"SELECT supervisor FROM employee WHERE employee_id = {HEAD}"),
    ("who does {} supervise", f"SELECT employee_id FROM employee WHERE supervisor = {HEAD}"),
    ("how many people report to {}", f"SELECT COUNT(*) FROM employee WHERE supervisor = {HEAD}"),
    ("how many people does {} supervise", f"SELECT COUNT(*) FROM employee WHERE supervisor = {HEAD}"),
]


@pytest.mark.parametrize(("request_", "reference"), OF_SUPERVISORS)
def test_who_is_over_whom(
    personnel: Engine,  # noqa: F811
    sandbox: Sandbox,
    link: Connection,
    request_: str,
    reference: str,
) -> None:
    named = link.execute(
        text(f"SELECT first_name || ' ' || last_name FROM employee WHERE employee_id = {HEAD}")
    ).scalar()
    reading = personnel.ask(request_.format(str(named).lower())).readings[0]
    assert {row[:1] for row in sandbox.run(reading.sql).rows} == {*map(tuple, link.execute(text(reference)))}, (
        reading.paraphrase
    )


IN_TURN = [
    (["who supervises {}", "who does she supervise"], f"SELECT employee_id FROM employee WHERE supervisor = {HEAD}"),
    (["what is {}'s job", "who is her boss"], f"SELECT supervisor FROM employee WHERE employee_id = {HEAD}"),
    (["when was {} hired", "how many report to him"], f"SELECT COUNT(*) FROM employee WHERE supervisor = {HEAD}"),
]


@pytest.mark.parametrize(("dialogue", "reference"), IN_TURN)
def test_a_pronoun_stands_for_somebody_named_before(
    personnel: Engine,  # noqa: F811
    sandbox: Sandbox,
    link: Connection,
    dialogue: list[str],
    reference: str,
) -> None:
    named = link.execute(
        text(f"SELECT first_name || ' ' || last_name FROM employee WHERE employee_id = {HEAD}")
    ).scalar()
    *context, last = [request.format(str(named).lower()) for request in dialogue]
    reading = personnel.ask(last, context).readings[0]
    assert {row[:1] for row in sandbox.run(reading.sql).rows} == {*map(tuple, link.execute(text(reference)))}
    assert f"(from before: {named.title()})" in reading.paraphrase  # type: ignore[union-attr]


@pytest.mark.parametrize("request_", ["what does henry kim drive"])
def test_a_question_is_not_answered_by_what_it_names(personnel: Engine, request_: str) -> None:  # noqa: F811
    assert not personnel.ask(request_).readings


def test_whoever_earns_the_most_is_told_by_the_salary(personnel: Engine) -> None:  # noqa: F811
    assert "only the most salary" in personnel.ask("who earns the most").readings[0].paraphrase


ASKED_OF_VERBS = [
    ("employees over fifty", "birth_date < '1939-08-16'"),
    ("employees younger than 30", "birth_date > '1959-08-16'"),
    ("clerks older than 40", "birth_date < '1949-08-16' AND job_title LIKE '%CLERK%'"),
    ("employees earning over fifty", "salary > 50"),
    ("employees over 50000", "salary > 50000"),
]


@pytest.mark.parametrize(("request_", "test"), ASKED_OF_VERBS)
def test_a_small_number_is_an_age_unless_it_is_earned(
    personnel: Engine,  # noqa: F811
    sandbox: Sandbox,
    link: Connection,
    request_: str,
    test: str,
) -> None:
    rows = sandbox.run(personnel.ask(request_).readings[0].sql).rows
    assert {row[0] for row in rows} == {*link.execute(text(f"SELECT employee_id FROM employee WHERE {test}")).scalars()}


def test_who_runs_what_is_a_department(personnel: Engine) -> None:  # noqa: F811
    for request_ in ("who runs finance", "who is the head of finance", "who is in charge of the finance department"):
        assert personnel.ask(request_).readings[0].paraphrase == "employees in Finance who head a department"
    assert not personnel.ask("who runs accounting").readings  # which is a major, and no department


def test_where_asks_for_the_place_of_a_verb(personnel: Engine) -> None:  # noqa: F811
    said = {
        r: personnel.ask(r).readings[0].paraphrase for r in ("where do the clerks live", "where did henry kim study")
    }
    assert [*said.values()] == ["city of employees who are clerks", "school of employees Henry Kim"]
    assert personnel.ask("what did henry kim study").readings[0].paraphrase == "major of employees Henry Kim"
    assert personnel.ask("who is older than henry kim").readings[0].paraphrase == "employees older than Henry Kim"


def test_what_stands_alone_is_answered_after_what_was_not_understood(personnel: Engine) -> None:  # noqa: F811
    before = ["who is on vacation this week"]
    assert personnel.ask("how many clerks make less than the average clerk", before).readings
    assert not personnel.ask("and the women", before).readings


WORKS = "SELECT * FROM employee e WHERE e.department = d.department"
THROUGHOUT = [
    ("departments with no employees hired before 1960", f"NOT EXISTS ({WORKS} AND hire_date < '1960-01-01')"),
    ("departments without employees earning over 60000", f"NOT EXISTS ({WORKS} AND salary > 60000)"),
    ("departments where nobody earns more than 60000", f"NOT EXISTS ({WORKS} AND salary > 60000)"),
    ("departments where no one is an engineer", f"NOT EXISTS ({WORKS} AND job_title LIKE '%ENGINEER%')"),
    (
        "departments where everyone earns more than 10000",
        f"EXISTS ({WORKS}) AND NOT EXISTS ({WORKS} AND salary <= 10000)",
    ),
    (
        "departments where all employees are under 65",
        f"EXISTS ({WORKS}) AND NOT EXISTS ({WORKS} AND birth_date <= '1924-08-16')",
    ),
]


@pytest.mark.parametrize(("request_", "test"), THROUGHOUT)
def test_what_holds_of_all_or_none_of_them(
    personnel: Engine,  # noqa: F811
    sandbox: Sandbox,
    link: Connection,
    request_: str,
    test: str,
) -> None:
    reading = personnel.ask(request_).readings[0]
    rows = sandbox.run(reading.sql).rows
    assert {row[0] for row in rows} == {
        *link.execute(text(f"SELECT department FROM department d WHERE {test}")).scalars()
    }
