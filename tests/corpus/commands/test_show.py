"""`curtain show` on the logs of a corpus, and on what is none."""

import io
from pathlib import Path

import pytest

from corpus.commands.show import LEFT_OUT, TOLD, show_command
from corpus.formats.log import file, log_schema
from tests.corpus.corpora import corpus_of, session_of


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    root = corpus_of(tmp_path_factory.mktemp("show") / "corpus", session_of("bbn", "8k1"))
    return [str(path) for path in sorted(root.glob("spon/*/*/*.log"))]


def shown(*logs: str, seen_only: bool = False) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    return show_command(logs, seen_only, out, err), out.getvalue(), err.getvalue()


def test_a_log_alone_reads_as_a_dialogue(logs: list[str], tmp_path: Path) -> None:
    alone = tmp_path / "alone.log"
    alone.write_bytes(Path(logs[0]).read_bytes())
    log = file.parse(alone.read_bytes(), alone.name)
    status, text, _ = shown(str(alone))
    assert status == 0
    assert text.startswith(f"{log.get('Session')}, subject-scenario {log.get('Scenario_session')}: ")
    for block in log.utterances:
        assert f"Participant, utterance {block.number}" in text
        assert " ".join(block.typed.split()[:4]) in text
        for record in block.all("Answer_returned"):
            assert all(line.strip() in text for line in record.get("Result").split("\n"))
    places = [text.index(f"utterance {block.number}") for block in log.utterances]
    assert places == sorted(places)


def test_what_lay_behind_the_curtain_is_marked_and_can_be_left_out(logs: list[str]) -> None:
    log = file.parse(Path(logs[0]).read_bytes(), logs[0])
    asked = [record.get("Sentence").split()[0] for record in log.records("Sentence_sent")]
    _, both, _ = shown(logs[0])
    _, seen, _ = shown(logs[0], seen_only=True)
    behind = [line for line in both.splitlines() if line[10:11] == "│"]
    assert asked
    assert any("Asked in " in line for line in behind)
    assert "│" not in seen
    assert not any(word in seen for word in ("Asked in ", "Database:", "Scope:"))
    assert set(seen.splitlines()) <= set(both.splitlines())


def test_what_is_no_log_is_told_and_the_others_are_shown(logs: list[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.log"
    bad.write_bytes(b"\xff[")
    status, text, told = shown(str(bad), str(tmp_path / "none.log"), logs[0])
    assert status == 2
    assert "bad.log" in told
    assert "none.log: it cannot be read" in told
    assert "utterance 1" in text


def test_every_record_of_a_log_is_told_or_left_out_on_purpose() -> None:
    assert set(TOLD) | LEFT_OUT == set(log_schema.RECORDS)
    assert not LEFT_OUT & set(TOLD)
