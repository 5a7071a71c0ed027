"""What somebody checked answers again what is the same, says where it is from, and answers nothing else."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.database.build import BuiltDatabase
from domain.english.model.domain import DomainError
from domain.growth.verified_requests import VerifiedRequests
from domain.query_backend import Backend, backends
from session.values.answers import EarlierRequest, QueryFailure
from session.values.vocabulary import Language
from tests.domain.english.conftest import SCENARIOS, personnel_database  # noqa: F401

KEPT = (
    {"question": "who runs the place?", "sql": "SELECT employee_id FROM employee WHERE salary > 90000", "id": 7},
    {"question": "and the clerks", "sql": ["SELECT 1", "SELECT 2"], "context": ["employees in department 45"],
     "note": "Ann (May)"},
    {"question": "employees in department 45", "sql": "SELECT last_name FROM employee WHERE department = 45"},
)  # fmt: skip


@pytest.fixture
def staff(tmp_path: Path, personnel_database: BuiltDatabase) -> Iterator[Backend]:  # noqa: F811
    folder = tmp_path / "personnel"
    shutil.copytree(SCENARIOS / "personnel", folder)
    (folder / "requests.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in KEPT))
    backend = backends(folder, personnel_database.url, "1", "1989-08-16")()
    yield backend
    backend.sandbox.close()


@pytest.mark.parametrize("said", ["who runs the place", "Who runs the place?", "uh who runs  the place"])
def test_the_same_words_are_answered_by_what_was_checked(staff: Backend, said: str) -> None:
    understood = staff.understand(said, [], Language.ENGLISH)
    assert understood.sql == KEPT[0]["sql"]
    assert understood.paraphrase.startswith("(verified: requests.jsonl:1, 7) ")
    assert "90000" in understood.paraphrase, "said from the statement itself"
    assert (understood.confidence, understood.unused) == (0.99, ())


def test_the_grammar_s_own_reading_stands_beside_it(staff: Backend) -> None:
    understood = staff.understand("employees in department 45", [], Language.ENGLISH)
    assert understood.sql == KEPT[2]["sql"]
    assert [other.paraphrase for other in understood.others] == ["employees in department 45"]
    assert understood.others[0].confidence <= 0.01


def test_what_hangs_on_earlier_requests_is_the_same_only_after_the_same(staff: Backend) -> None:
    after = [EarlierRequest("list the managers"), EarlierRequest("Employees in department 45?")]
    understood = staff.understand("and the clerks", after, Language.ENGLISH)
    assert understood.sql == "SELECT 1"
    assert understood.paraphrase.startswith("(verified: requests.jsonl:2, Ann [May])")
    other = staff.understand("and the clerks", [EarlierRequest("employees in department 10")], Language.ENGLISH)
    assert "verified" not in other.paraphrase
    assert "10" in other.sql
    again = staff.understand("employees in department 45", [EarlierRequest("list the managers")], Language.ENGLISH)
    assert "verified" in again.paraphrase, "what stands alone is the same after anything"


def test_what_is_only_alike_is_read(staff: Backend) -> None:
    with pytest.raises(QueryFailure):
        staff.understand("who cleans the whole place", [], Language.ENGLISH)
    for said in ("employees in department 46", "all employees in department 45", "clerks in department 45"):
        assert "verified" not in staff.understand(said, [], Language.ENGLISH).paraphrase


def test_no_file_is_no_memory_and_a_faulty_line_is_named(tmp_path: Path) -> None:
    assert VerifiedRequests.of(tmp_path).find("anything", [], alone=True) is None
    (tmp_path / "requests.jsonl").write_text('{"question": 3}\n')
    with pytest.raises(DomainError, match=r"requests\.jsonl:1"):
        VerifiedRequests.of(tmp_path)
