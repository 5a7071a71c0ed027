"""An outside engine may propose a statement; nothing that it does, slow, large or hostile, gets further than one clear error."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, text

from domain.llm_proposal import LONGEST_REPLY, Endpoint, Proposing, endpoint, statement
from domain.query_backend import Backend, backends
from domain.sandbox.database_schema import Schema
from session.transport.outside_server import OutsideServer
from session.values.answers import EarlierRequest, FailureKind, QueryFailure
from session.values.vocabulary import Language
from tests.fake_server import FakeServer, Handler


def said(content: str | None) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()


@pytest.fixture
def fake(fake_server: FakeServer) -> FakeServer:
    fake_server.reply = lambda handler: handler.give(said("SELECT name FROM city"))
    return fake_server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    engine = create_engine(f"sqlite:///{tmp_path / 'towns.sqlite'}")
    with engine.begin() as link:
        link.execute(text("CREATE TABLE city (name TEXT, people INTEGER)"))
        link.execute(text("INSERT INTO city VALUES ('Norton', 10), ('Sutton', 20)"))
    engine.dispose()
    return tmp_path


def backend(folder: Path, fake: FakeServer | None, seconds: float = 60.0) -> Backend:
    engine = Endpoint(OutsideServer(fake.url, "s3cret", seconds), "m-1") if fake else None
    return backends(folder, f"sqlite:///{folder / 'towns.sqlite'}", "1", "", engine=engine)()


def failure(folder: Path, fake: FakeServer, seconds: float = 60.0) -> QueryFailure:
    with pytest.raises(QueryFailure) as found:
        backend(folder, fake, seconds).understand("cities", [], Language.PROPOSAL)
    assert "s3cret" not in found.value.message
    assert len(found.value.message) < 200
    return found.value


def test_a_proposal_is_a_statement_with_its_proposer_s_name(folder: Path, fake: FakeServer) -> None:
    ours = backend(folder, fake)
    understood = ours.understand("and their people", [EarlierRequest("which cities are there")], Language.PROPOSAL)
    assert (understood.sql, understood.paraphrase, understood.proposer) == (
        "SELECT name FROM city",
        "name of city",
        "m-1",
    )
    assert ours.run(understood.sql).rows == (("Norton",), ("Sutton",))
    ((_, headers, _),), (body,) = fake.asked, fake.bodies
    assert headers["Authorization"] == "Bearer s3cret"
    assert body["model"] == "m-1"
    task, *turns = body["messages"]
    assert "city(name, people)" in task["content"]
    assert "sqlite" in task["content"]
    assert "Norton" not in json.dumps(body)
    assert [turn["content"] for turn in turns] == ["which cities are there", "and their people"]


def test_without_configuration_nothing_is_asked(folder: Path, fake: FakeServer) -> None:
    with pytest.raises(QueryFailure, match=r"\[engine\] in study.toml"):
        backend(folder, None).understand("cities", [], Language.PROPOSAL)
    assert fake.asked == []


def test_english_does_not_go_to_the_outside(folder: Path, fake: FakeServer) -> None:
    with pytest.raises(QueryFailure, match="no English front end"):
        backend(folder, fake).understand("cities", [], Language.ENGLISH)
    assert fake.asked == []


@pytest.mark.parametrize(
    "hostile",
    [
        "DELETE FROM city",
        "SELECT name FROM city; DROP TABLE city",
        "ATTACH DATABASE '/etc/passwd' AS x",
        "SELECT load_extension('x')",
        "SELECT sql FROM sqlite_master",
        "I am sorry, Dave.",
    ],
)
def test_a_hostile_proposal_meets_the_same_sandbox(folder: Path, fake: FakeServer, hostile: str) -> None:
    fake.reply = lambda handler: handler.give(said(hostile))
    ours = backend(folder, fake)
    understood = ours.understand("cities", [], Language.PROPOSAL)
    with pytest.raises(QueryFailure):
        ours.run(understood.sql)
    assert len(ours.run("SELECT name FROM city").rows) == 2


@pytest.mark.parametrize(
    ("raw", "kind", "word"),
    [
        (b"", FailureKind.UNAVAILABLE, "protocol"),
        (b"<html>busy</html>", FailureKind.UNAVAILABLE, "protocol"),
        (b"\xff\xfe\x00", FailureKind.UNAVAILABLE, "protocol"),
        (b"[" * 100_000, FailureKind.UNAVAILABLE, "protocol"),
        (b'{"choices": [{"message": {"content": 7}}]}', FailureKind.UNAVAILABLE, "protocol"),
        (b'{"choices": []}', FailureKind.NOT_UNDERSTOOD, "no statement"),
        (said(None), FailureKind.NOT_UNDERSTOOD, "no statement"),
        (said(" ; "), FailureKind.NOT_UNDERSTOOD, "no statement"),
        (said("S" * 20_001), FailureKind.TOO_LARGE, "20,001 characters"),
        (b" " * (LONGEST_REPLY + 1), FailureKind.TOO_LARGE, "more than 1,000,000 bytes"),
    ],
)
def test_garbage_and_what_is_too_large(
    folder: Path, fake: FakeServer, raw: bytes, kind: FailureKind, word: str
) -> None:
    fake.reply = lambda handler: handler.give(raw)
    found = failure(folder, fake)
    assert found.kind is kind
    assert word in found.message


@pytest.mark.parametrize("status", [401, 404, 429, 500, 503])
def test_a_refusal_is_told_by_its_number_alone(folder: Path, fake: FakeServer, status: int) -> None:
    fake.reply = lambda handler: handler.give(b"your key s3cret is wrong", status)
    found = failure(folder, fake)
    assert found.kind is FailureKind.UNAVAILABLE
    assert f"HTTP status {status}" in found.message


def test_a_key_is_not_carried_to_another_place(folder: Path, fake: FakeServer) -> None:
    fake.reply = lambda handler: handler.give(b"", 302, to=fake.url + "/elsewhere")
    assert "HTTP status 302" in failure(folder, fake).message
    assert len(fake.asked) == 1


def test_a_connection_cut_in_the_middle(folder: Path, fake: FakeServer) -> None:
    fake.reply = lambda handler: handler.give(said("SELECT 1")[:10], length=500)
    assert failure(folder, fake).kind is FailureKind.UNAVAILABLE


def test_a_slow_engine_is_left(folder: Path, fake: FakeServer) -> None:
    fake.reply = lambda handler: fake.release.wait()
    found = failure(folder, fake, seconds=0.2)
    assert found.kind is FailureKind.TIMEOUT
    assert "within 0.2 s" in found.message


def test_an_engine_that_drips_is_left(folder: Path, fake: FakeServer) -> None:
    fake.reply = Handler.drip
    assert failure(folder, fake, seconds=0.1).kind is FailureKind.TIMEOUT


def test_the_wizard_need_not_wait(folder: Path, fake: FakeServer) -> None:
    fake.reply = lambda handler: fake.release.wait()
    ours = backend(folder, fake, seconds=120)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(ours.understand, "cities", [], Language.PROPOSAL)
        assert fake.arrived.wait(60)
        ours.cancel()
        with pytest.raises(QueryFailure) as found:
            waiting.result(60)
    assert found.value.kind is FailureKind.CANCELLED


def test_what_a_proposal_cost_is_told_once_whatever_came_of_it(folder: Path, fake: FakeServer) -> None:
    reply = json.loads(said("SELECT name FROM city"))
    reply |= {"model": "m-2026-10\n", "usage": {"prompt_tokens": 812, "completion_tokens": -3, "other": 1}}
    fake.reply = lambda handler: handler.give(json.dumps(reply).encode())
    ours = backend(folder, fake)
    ours.understand("cities", [], Language.PROPOSAL)
    cost = ours.consulted()
    assert cost is not None
    assert (cost.version, cost.tokens_in, cost.tokens_out, cost.failure) == ("m-2026-10", 812, 0, "")
    assert len(cost.prompt) == 64
    assert cost.took > 0
    assert ours.consulted() is None
    fake.reply = lambda handler: handler.give(b"garbage")
    with pytest.raises(QueryFailure):
        ours.understand("cities", [], Language.PROPOSAL)
    failed = ours.consulted()
    assert failed is not None
    assert "did not follow the expected protocol" in failed.failure
    assert failed.prompt == cost.prompt


def test_an_engine_that_is_not_there() -> None:
    proposing = Proposing(Endpoint(OutsideServer("http://127.0.0.1:1/v1", "", 5), "m"))
    with pytest.raises(QueryFailure, match="cannot be reached"):
        proposing.propose("cities", [], Schema(()), "sqlite")


def test_what_study_toml_says() -> None:
    made = endpoint("https://h/v1", "m", "THE_KEY", 3, {"THE_KEY": " abc\n"})
    assert made == Endpoint(OutsideServer("https://h/v1", "abc", 3), "m")
    assert "abc" not in repr(made)
    assert endpoint("http://10.0.0.7:8000/v1", "m", "", 3, {}).server.key == ""


@pytest.mark.parametrize(
    ("url", "model", "key", "seconds", "word"),
    [
        ("file:///etc/passwd", "m", "", 3, "http:// or https://"),
        ("h/v1", "m", "", 3, "http:// or https://"),
        ("https://h", "", "", 3, "model"),
        ("https://h", "m", "NO_SUCH", 3, "environment variable"),
        ("http://h", "m", "K", 3, "https only"),
        ("https://h", "m", "", 0, "seconds"),
    ],
)
def test_what_study_toml_may_not_say(url: str, model: str, key: str, seconds: float, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        endpoint(url, model, key, seconds, {"K": "abc"})


@given(st.text(min_size=1).map(lambda written: written.strip().removesuffix(";").strip()).filter(bool))
def test_a_statement_comes_out_of_its_fence_as_it_went_in(sql: str) -> None:
    if "```" not in sql and len(sql) < 20_000:
        assert statement(said(f"Here it is:\n```sql\n{sql}\n```\nDo you like it?")) == sql
