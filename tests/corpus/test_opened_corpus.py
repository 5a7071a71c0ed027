"""A corpus opened in a notebook: what is listed, what is read, and that nothing foreign is believed."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

import corpus
from corpus import open_corpus
from corpus.formats.errors import FormatFault
from tests import ROOT
from tests.corpus.corpora import corpus_of, session_of

NOTEBOOK = ROOT / "docs" / "examples" / "corpus.ipynb"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("opened")
    return corpus_of(folder / "corpus", session_of("bbn", "8k1"), session_of("cmu", "9a1", "m"))


def test_utterances_are_listed_without_a_file_being_opened_and_read_when_asked(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_corpus(root)
    with monkeypatch.context() as patched:
        patched.setattr("corpus.dataset.reader.read_plain", lambda *_: pytest.fail("a file was read"))
        first, *others = opened.utterances
    assert (len(others) + 1, first.stem, first.session, first.number) == (14, "8k1011sx", "bbn-20261121-1", 1)
    assert set(first.waves) == {"s", "c"}
    assert first.text == "SHOW ME FLIGHTS FROM BOSTON TO DENVER PLEASE"
    assert first.turn.stem == first.stem
    assert first.turn.requests == 2
    sound = first.sound()
    samples, rate = soundfile.read(io.BytesIO((root / first.waves["s"]).read_bytes()), dtype="int16")
    assert (sound.rate, sound.samples.dtype) == (rate, np.int16)
    assert (sound.samples == samples).all()
    assert first.sound("c").rate == 8_000
    with pytest.raises(KeyError):
        first.sound("z")


def test_tables_are_columns_of_one_length(root: Path) -> None:
    opened = open_corpus(root)
    names = ("sessions", "utterances", "turns", "scenarios")
    rows = {name: {len(column) for column in opened.table(name).values()} for name in names}
    assert rows == {"sessions": {2}, "utterances": {14}, "turns": {14}, "scenarios": {4}}
    turns = opened.table("turns")
    assert turns["stem"] == [utterance.stem for utterance in opened.utterances]
    assert isinstance(turns["speech_s"][0], float)
    with pytest.raises(ValueError, match="name sessions, utterances, turns or scenarios"):
        opened.table("words")
    assert [dialogue.id for dialogue in opened.dialogues][:2] == ["8k1001sx", "8k1002sx"]
    assert "2 sessions, 14 utterances" in repr(opened)


def test_a_file_that_was_changed_is_not_believed(root: Path, tmp_path: Path) -> None:
    copy = corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"))
    first = open_corpus(copy).utterances[0]
    (copy / first.waves["s"]).write_bytes((copy / first.waves["s"]).read_bytes()[:-2])
    with pytest.raises(FormatFault, match="run curtain verify"):
        first.sound()
    with pytest.raises(FormatFault, match="curtain export makes one"):
        open_corpus(tmp_path)
    with pytest.raises(AttributeError, match="no attribute 'open_corpora'"):
        corpus.open_corpora  # noqa: B018


def test_the_notebook_runs_from_its_first_cell_to_its_last(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root.parent)
    names: dict[str, object] = {}
    cells = [cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, start=1):
        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    printed = capsys.readouterr().out
    assert "14 utterances" in printed
    assert "SELECT" in printed
