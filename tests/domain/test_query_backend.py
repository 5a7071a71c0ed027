"""What stands behind a session's queries: the domain's grammar with its context, its questions and its menu."""

from collections.abc import Iterator

import pytest

from domain.database.build import BuiltDatabase
from domain.query_backend import Backend, backends, english_of
from session.values.answers import DOUBTFUL, EarlierRequest, FailureKind, OtherReading, QueryFailure, Table
from session.values.vocabulary import Language
from tests.domain.english.conftest import SCENARIOS, personnel_database  # noqa: F401


@pytest.fixture
def staff(personnel_database: BuiltDatabase) -> Iterator[Backend]:  # noqa: F811
    backend = backends(SCENARIOS / "personnel", personnel_database.url, "1", "")()
    yield backend
    backend.sandbox.close()


def test_what_is_carried_stands_in_the_paraphrase_and_only_then(staff: Backend) -> None:
    earlier = [EarlierRequest("list of the hispanic employees")]
    carried = staff.understand("which of those are in department 45", earlier, Language.ENGLISH)
    assert "(from before: " in carried.paraphrase
    assert "HISPANIC" in carried.sql
    alone = staff.understand("employees in department 45", [], Language.MENU)
    assert "from before" not in alone.paraphrase


def test_further_readings_come_with_the_likeliest(staff: Backend) -> None:
    understood = staff.understand("are there any hispanic employees", [], Language.ENGLISH)
    (other,) = understood.others
    assert len(staff.run(other.sql).rows) != len(staff.run(understood.sql).rows)
    assert other.paraphrase != understood.paraphrase
    assert 0 < other.confidence < 1


def test_what_is_withheld_comes_with_the_refusal_with_its_doubt_and_its_rows(staff: Backend) -> None:
    earlier = [EarlierRequest("average salary of the clerks in department 44")]
    with pytest.raises(QueryFailure) as found:
        staff.understand("is there anyone with a phd", earlier, Language.ENGLISH)
    (held, *_) = staff.counted(found.value.withheld)
    assert (held.doubt, held.confidence < DOUBTFUL) == ("another sort of answer was asked for", True)
    assert held.rows == len(staff.run(held.sql).rows)


def test_rows_that_are_not_counted_in_a_moment_or_not_at_all_stay_unknown(
    staff: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = OtherReading("people", "SELECT * FROM employee", 0.5)
    (known, unknown) = staff.counted((one, OtherReading("nothing", "SELECT * FROM nowhere", 0.5)))
    assert (known.rows is not None, unknown.rows) == (True, None)
    monkeypatch.setattr("domain.query_backend.COUNTING_S", -1.0)
    slow = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 900000) SELECT count(*) FROM n"
    assert [reading.rows for reading in staff.counted((OtherReading("a count", slow, 0.5),))] == [None]


def test_words_that_nobody_knows_are_asked_about(staff: Backend) -> None:
    with pytest.raises(QueryFailure) as found:
        staff.understand("employees who frobnicate and defenestrate", [], Language.ENGLISH)
    assert found.value.kind is FailureKind.NOT_UNDERSTOOD
    assert found.value.question.startswith("What do you mean by ")
    assert "frobnicate" in found.value.question


def test_what_a_request_leaves_open_is_asked_whether_it_is_understood_or_not(air_travel: BuiltDatabase) -> None:
    backend = backends(SCENARIOS / "air_travel", air_travel.url, "1", "")()
    try:
        understood = backend.understand("flights to denver", [], Language.ENGLISH)
        assert understood.question == "Where will you be leaving from?"
        assert backend.understand("flights from boston to denver", [], Language.ENGLISH).question == ""
        with pytest.raises(QueryFailure) as found:
            backend.understand("flights to denver frobnicating defenestrated", [], Language.ENGLISH)
        assert found.value.question == "Where will you be leaving from?"
        with pytest.raises(QueryFailure) as found:
            backend.understand("frobnicating defenestrated", [], Language.ENGLISH)
        assert "leaving" not in found.value.question
    finally:
        backend.sandbox.close()


def test_a_domain_without_english_has_no_menu_and_one_with_it_has_it_tried_out(
    personnel_database: BuiltDatabase,  # noqa: F811
) -> None:
    assert english_of(SCENARIOS, personnel_database.url, "") is None
    english = english_of(SCENARIOS / "personnel", personnel_database.url, "")
    assert english is not None
    assert english.menu().after("employees ").complete


def test_rows_that_were_shown_are_referred_to_by_their_keys(staff: Backend) -> None:
    table = staff.run("SELECT employee_id, last_name FROM employee WHERE department = 45 ORDER BY last_name")
    by_hand = EarlierRequest("whoever sits up there", table, by_hand=True)
    said = EarlierRequest("employees in department 45", table)
    second = str(table.rows[1][0])
    for earlier in (said, by_hand):
        understood = staff.understand("what does the second one earn", [earlier], Language.ENGLISH)
        assert second in understood.sql
        assert f"the second one ({second})" in understood.paraphrase
        assert [row[0] for row in staff.run(understood.sql).rows] != []
    women = staff.understand("which of those are women", [by_hand], Language.ENGLISH)
    everybody = {row[0] for row in staff.run("SELECT employee_id FROM employee WHERE sex = 'F'").rows}
    assert {row[0] for row in staff.run(women.sql).rows} == everybody & {row[0] for row in table.rows}
    cut = EarlierRequest("employees in department 45", Table(table.columns, table.rows[:2], more=True))
    for request, before in (
        ("the third one", cut), ("the last one", cut), ("the second one", EarlierRequest("employees")),
        ("what about department 44", by_hand), ("which of those are women", EarlierRequest("x", cut.shown, by_hand=True)),
    ):  # fmt: skip
        with pytest.raises(QueryFailure):
            staff.understand(request, [before], Language.ENGLISH)
    with pytest.raises(QueryFailure, match="an answer to SQL"):
        staff.understand("what about department 44", [by_hand], Language.ENGLISH)


def test_a_request_goes_on_from_the_statement_that_the_wizard_put_in_the_place_of_what_was_not_understood(
    staff: Backend,
) -> None:
    sql = (
        "SELECT e.employee_id FROM employee e JOIN department d ON d.department = e.department"
        " WHERE d.department_name = 'NETWORKS' AND e.salary > 30000"
    )
    earlier = EarlierRequest("the frobnicators of networks", staff.run(sql), True, sql)
    understood = staff.understand("and in acoustics", [earlier], Language.ENGLISH)
    right = staff.run(sql.replace("NETWORKS", "ACOUSTICS"))
    assert {row[0] for row in staff.run(understood.sql).rows} == {row[0] for row in right.rows} != set()
    assert understood.paraphrase.startswith("(from before: earning over $30000)")


def test_what_goes_on_is_said_of_the_same_row_and_inside_the_request_before(staff: Backend) -> None:
    def answered(*requests: str) -> tuple[str, set[object]]:
        *earlier, request = requests
        understood = staff.understand(request, [EarlierRequest(text) for text in earlier], Language.ENGLISH)
        return understood.paraphrase, {row[0] for row in staff.run(understood.sql).rows}

    of_mit = "SELECT school_code FROM school WHERE school_name = 'MIT'"
    doctors = f"SELECT employee_id FROM degree WHERE degree = 'PHD' AND school_code IN ({of_mit})"
    assert answered("employees with a phd", "from mit")[1] == {row[0] for row in staff.run(doctors).rows}
    said, hired = answered("employees in department 45", "who were hired after 1980")
    assert said.startswith("(from before: in department 45)")
    assert hired < answered("who were hired after 1980")[1]
