"""Dialogues and text-to-SQL pairs: what a developer of systems reads without knowing our logs."""

import io
import json
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.io.staging import Refused
from corpus.packages.text2sql import schema_of
from session.events import SessionOpened
from tests.corpus.annotated import annotated
from tests.corpus.corpora import corpus_of, session_of


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session, one utterance of which is annotated with two interpretations."""
    root = corpus_of(tmp_path_factory.mktemp("dialogues") / "corpus", session_of("bbn", "8k1"))
    made = {
        "spon/8k1/1/8k1011sx.cat": b"A:\ninterp#1: wh-question\ninterp#2: wh-question\n",
        "spon/8k1/1/8k1011sx.win": b"list flights from boston\nlist fares from boston\n",
        "spon/8k1/1/8k1011sx.sql": b"SELECT flight_id FROM flight;\nSELECT fare FROM flight;\n",
    }
    return annotated(root, made)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "air.sqlite"
    with closing(sqlite3.connect(path)) as link:
        link.executescript(
            "CREATE TABLE airline (code TEXT PRIMARY KEY, first_day DATE);"
            "CREATE TABLE flight (flight_id INTEGER PRIMARY KEY, airline TEXT REFERENCES airline(code), fare REAL, note TEXT);"
        )
    return path


def exported(corpus: Path, target: Path, form: str, database: str = "") -> tuple[int, str]:
    err = io.StringIO()
    status = export_command(ExportRequest(str(corpus), str(target), form, database=database), io.StringIO(), err)
    return status, err.getvalue()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def package(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("package") / "dialogues"
    assert exported(corpus, target, "dialogues")[0] == 0
    return target


def test_a_dialogue_has_request_sql_rows_and_reply_in_context(package: Path) -> None:
    first, second = lines(package / "dialogues.jsonl")
    assert (first["id"], first["scenario"], first["bindings"]) == ("8k1001sx", "interviews", {"A": "Boston"})
    assert first["mode"]["database"] == "machine"
    asked = first["turns"][0]
    assert (asked["number"], asked["speech"]["wizard"]) == (1, "Show me flights from Boston to Denver, please.")
    assert asked["audio"] == {"s": "spon/8k1/1/8k1011ss.wav", "c": "spon/8k1/1/8k1011sc.wav"}
    failed, found = asked["requests"]
    assert (failed["failure"], failed["text"], failed.get("sent", False)) == (
        "not_understood",
        "the secret rewording",
        False,
    )
    assert found["columns"] == ["flight_id", "airline", "fare"]
    assert (found["rows"][1], found["row_count"], found["sent"]) == ([102, "XB | pipe", None], 3, True)
    [reply] = asked["replies"]
    assert (reply["response"], reply["attempt"]) == ("answer", found["attempt"])
    assert reply["text"].startswith("flight id  airline")
    assert asked["at_s"] < found["at_s"] < reply["at_s"] < reply["seen_s"]
    assert asked["stages_s"]["reply"] > 0
    assert len(asked["annotations"]["interpretations"]) == 2
    canned = first["turns"][1]["replies"][0]
    assert (canned["canned"], canned["blanks"], first["turns"][1]["scope"]) == ("none", ["hotels"], "out")
    assert second["scenario_number"] == "2"
    assert [turn.get("context", "") for turn in second["turns"] if "utterance" in turn] == ["", "", "8k1012sx"]


def test_what_stayed_behind_the_curtain_is_marked(package: Path) -> None:
    requests = [r for d in lines(package / "dialogues.jsonl") for t in d["turns"] for r in t.get("requests", ())]
    assert requests
    assert all(request["hidden"] for request in requests)
    assert "secret rewording" not in (package / "chat.jsonl").read_text()


def test_the_schema_describes_every_line(package: Path) -> None:
    """By hand: each name of a line, at any depth, is one that the schema has in that place."""
    schema = json.loads((package / "dialogue.schema.json").read_text())

    def hold(value: Any, kind: Mapping[str, Any], place: str) -> None:
        kind = schema["$defs"][kind["$ref"].rpartition("/")[2]] if "$ref" in kind else kind
        if isinstance(value, dict) and "properties" in kind:
            assert set(kind.get("required", ())) <= set(value) <= set(kind["properties"]), place
            for name, inner in value.items():
                hold(inner, kind["properties"][name], f"{place}.{name}")
        elif isinstance(value, list) and kind.get("type") == "array" and isinstance(kind.get("items"), dict):
            for inner in value:
                hold(inner, kind["items"], f"{place}[]")

    for line in lines(package / "dialogues.jsonl"):
        hold(line, schema, line["id"])


def test_a_chat_calls_the_database_as_a_tool(package: Path) -> None:
    messages = lines(package / "chat.jsonl")[0]["messages"]
    user, call, rows, reply = messages[:4]
    assert [m["role"] for m in messages[:6]] == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    assert user["content"] == "Show me flights from Boston to Denver, please."
    assert json.loads(call["tool_calls"][0]["function"]["arguments"])["sql"].startswith("SELECT flight_id, airline")
    assert (rows["tool_call_id"], json.loads(rows["content"])["rows"][0]) == (
        call["tool_calls"][0]["id"],
        [101, "XA", 120.5],
    )
    assert reply["content"].startswith("flight id")


def test_pairs_are_those_of_the_annotators_and_else_of_the_session(
    corpus: Path, database: Path, tmp_path: Path
) -> None:
    target = tmp_path / "pairs"
    assert exported(corpus, target, "text2sql", str(database))[0] == 0
    spider = json.loads((target / "spider.json").read_text())
    assert [(row["query"], row["interpretation"], row["source"]) for row in spider[:2]] == [
        ("SELECT flight_id FROM flight", 1, "reference"), ("SELECT fare FROM flight", 2, "reference"),
    ]  # fmt: skip
    with closing(sqlite3.connect(target / "database/air_travel/air_travel.sqlite")) as link:
        for row in spider[:2]:
            link.execute(row["query"])
    bird = json.loads((target / "bird.json").read_text())
    assert [(row["SQL"], row["evidence"]) for row in bird[:1]] == [
        ("SELECT flight_id FROM flight", '"today" is 1991-11-21')
    ]
    [sequence, *_] = json.loads((target / "cosql.json").read_text())
    assert sequence["interaction"][0] == {"utterance": spider[0]["question"], "query": "SELECT flight_id FROM flight"}
    assert sequence["final"] == sequence["interaction"][-1]


def test_the_schema_of_the_database_has_its_keys_and_types(database: Path) -> None:
    schema = schema_of(database, "air")
    assert schema.table_names_original == ("airline", "flight")
    assert schema.column_names[2] == (0, "first day")
    assert schema.column_types == ("text", "text", "time", "number", "text", "number", "text")
    assert (schema.primary_keys, schema.foreign_keys) == ((1, 3), ((4, 1),))


def test_without_a_database_or_with_what_is_none_nothing_is_made(corpus: Path, tmp_path: Path) -> None:
    assert "--database FILE" in exported(corpus, tmp_path / "a", "text2sql")[1]
    (tmp_path / "no.sqlite").write_text("no database at all, whatever its name says")
    status, err = exported(corpus, tmp_path / "b", "text2sql", str(tmp_path / "no.sqlite"))
    assert (status, "cannot be read as a SQLite database" in err) == (2, True)
    assert exported(corpus, tmp_path / "c", "kaldi", "x.sqlite")[0] == 2
    assert not {path.name for path in tmp_path.iterdir()} & {"a", "b", "c"}
    with pytest.raises(Refused):
        schema_of(tmp_path / "none.sqlite", "x")


def test_a_scenario_that_was_declared_invalid_is_no_dialogue(tmp_path: Path) -> None:
    from session import events as e

    script = session_of("bbn", "8k1")
    script.add(e.ScenarioInvalidated(run=1, reason="the bell rang"), "experimenter")
    root = corpus_of(tmp_path / "corpus", script)
    status, err = exported(root, tmp_path / "package", "dialogues")
    assert (status, "1 subject-scenario declared invalid" in err) == (0, True)
    assert [line["id"] for line in lines(tmp_path / "package/dialogues.jsonl")] == ["8k1002sx"]
    shutil.rmtree(root)


def test_one_database_stands_for_no_two_domains(tmp_path: Path, database: Path) -> None:
    own, other = session_of("bbn", "8k1"), session_of("cmu", "8k2", number=2)
    opened = other.opened
    assert isinstance(opened, SessionOpened)
    protocol = msgspec.structs.replace(opened.protocol, domain="personnel")
    other.facts[0] = msgspec.structs.replace(other.facts[0], event=msgspec.structs.replace(opened, protocol=protocol))
    corpus = corpus_of(tmp_path / "corpus", own, other)
    status, said = exported(corpus, tmp_path / "pairs", "text2sql", str(database))
    assert (status, (tmp_path / "pairs").exists()) == (2, False)
    assert "air_travel and personnel have databases of their own: one --database cannot stand for them" in said
