"""The demonstration corpus: whole, the same for the same seed, and nobody can take it for people."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from annotator import annotate_command
from corpus.dataset.reader import Corpus
from domain.database.build import BuiltDatabase
from rehearsal.demonstration import demo_command as demonstration
from rehearsal.demonstration import speakers as casting
from rehearsal.demonstration import staged_annotation, voices
from rehearsal.demonstration.demo_command import demo_command, link_same
from rehearsal.demonstration.speakers import CITIES, annotated_lines, replaced, speakers
from rehearsal.demonstration.voices import PLAIN, RATE, SyntheticVoice, say  # type: ignore[attr-defined]
from rehearsal.script import shipped_script
from tests import ROOT
from tests.annotator import annotation_world


def database(_: Path, __: Path) -> BuiltDatabase:
    return BuiltDatabase(annotation_world.database(), "air_travel 1", "")


def bytes_of(root: Path) -> dict[str, bytes]:
    files = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if not name.endswith(".sqlite")}


def test_a_whole_corpus_is_made_of_a_seed_and_says_that_it_is_synthetic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demonstration, "open_database", database)
    monkeypatch.setattr(demonstration, "synthesiser", lambda: PLAIN)
    monkeypatch.setattr(demonstration, "FORMATS", ("trn", "audiofolder", "elan", "chat"))
    for module in (annotate_command, staged_annotation):
        monkeypatch.setattr(module, "SentenceReader", annotation_world.kept)
    for module in (demonstration, casting):
        monkeypatch.setattr(module, "SITES", {"north": 4})
    out, err = io.StringIO(), io.StringIO()
    assert demo_command(str(tmp_path / "demo"), 7, out, err) == 0, err.getvalue()
    made = tmp_path / "demo"
    assert out.getvalue() == f"{made}\n"
    assert {path.name for path in made.iterdir()} == {
        "README.md", "agreement.txt", "corpus", "formats", "holdout.json", "judgements.txt", "pool", "release", "scores.txt",
        "sets.txt", "systems", "work.sqlite",
    }  # fmt: skip
    page = (made / "README.md").read_text("utf-8")
    assert "4 sessions of 4 speakers at north" in page
    assert f"made by {PLAIN}" in page
    assert "--seed 7" in page
    (program,) = re.findall(r"(?m)^    python -c '(.+)'$", page)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=made, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True
    )
    assert done.stdout.count(b"sx', '") == 4, done.stderr
    corpus = Corpus(made / "corpus")
    assert corpus.manifest.rehearsal
    kinds = {path.rpartition(".")[2] for path in corpus.manifest.files}
    assert kinds >= {"log", "wav", "sro", "lsn", "cat", "sql", "ref", "rf2", "win"}
    assert "System careful" in (made / "scores.txt").read_text("utf-8")
    for place in ("corpus", "formats/trn", "formats/audiofolder"):
        assert "THIS IS A REHEARSAL" in (made / place / "README.txt").read_text("utf-8")
    assert "(synthetic)" in (made / "formats/audiofolder/README.md").read_text("utf-8")
    for kind in ("elan/*/*.eaf", "chat/*/*.cha"):
        assert all(b"synthetic speech: no data" in path.read_bytes() for path in (made / "formats").glob(kind))
    assert "synthetic" in (made / "corpus/doc/spkrinfo.log").read_text("utf-8")
    assert str(tmp_path).encode() not in b"".join(bytes_of(made).values())
    assert demo_command(str(made), 7, out, err) == 2
    assert "exists already" in err.getvalue()


def test_a_seed_draws_the_same_people_and_another_one_others() -> None:
    ids = {
        "north": [f"n0{n}" for n in range(7)],
        "south": [f"s0{n}" for n in range(7)],
        "west": [f"w0{n}" for n in range(6)],
    }
    people, again, others = speakers(3, ids), speakers(3, ids), speakers(4, ids)
    assert people == again != others
    assert len(people) == 20
    lines = [turn.said for person in people for act in person.acts for turn in act.turn]
    assert len({*lines}) > 30
    assert {city for city in CITIES if any(city.lower() in line for line in lines)} == {*CITIES}
    known = {turn.speech for act in shipped_script().scenario for turn in act.turn}
    assert {*annotated_lines()} <= known
    assert replaced("BOSTON, Denver", {"Boston": "Denver", "Denver": "Boston"}) == "DENVER, Boston"


def test_the_plain_voice_is_as_long_as_speech_never_silent_and_always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    low, high = SyntheticVoice("m1", 180, 40), SyntheticVoice("f2", 200, 60)
    words = "show me the flights from boston to denver"
    spoken = say(words, low, PLAIN)
    assert np.array_equal(spoken, say(words, low, PLAIN))
    assert not np.array_equal(spoken, say(words, high, PLAIN))
    assert 1.5 < len(spoken) / RATE < 3
    assert 2000 < np.abs(spoken.astype(int)).max() < 32_000
    assert spoken[:100].any(), "a room is never silent"
    monkeypatch.setenv("PATH", "")
    assert voices.synthesiser() == PLAIN


def test_sound_is_stored_once_but_within_a_package(tmp_path: Path) -> None:
    for name in ("corpus/a.wav", "corpus/b.wav", "formats/kaldi/a.wav", "formats/elan/c.wav", "corpus/a.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"the same")
    link_same(tmp_path)
    inodes = {path.relative_to(tmp_path).as_posix(): path.stat().st_ino for path in tmp_path.rglob("*.*")}
    assert inodes["corpus/a.wav"] != inodes["corpus/b.wav"]
    assert {inodes["formats/kaldi/a.wav"], inodes["formats/elan/c.wav"]} == {inodes["corpus/a.wav"]}
    assert inodes["corpus/a.txt"] != inodes["corpus/a.wav"]
