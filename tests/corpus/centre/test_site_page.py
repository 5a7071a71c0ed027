"""A site joins from the document alone: what its page says to type works, and gives the centre what it takes."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import curtain
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from tests import ROOT
from tests.corpus.annotated import annotated
from tests.corpus.centre.world import World, answered, tarred

PAGE = ROOT / "docs/how-to/deliver-to-a-centre.md"


def test_the_commands_of_the_page_for_sites_do_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path)
    made = world.site("bbn", "8k1")
    made.rename(tmp_path / "my-corpus")
    annotated(tmp_path / "my-corpus", answered("8k1")).rename(tmp_path / "my-annotated-corpus")
    (tmp_path / "my.key").write_text("k" * 16)
    (world.root / "keys/bbn.key").write_text("k" * 16)
    monkeypatch.chdir(tmp_path)  # what a site types to score a test is tried in test_blind_sets
    typed = re.findall(r"(?m)^    curtain (?!score|wer)(.+)$", PAGE.read_text(encoding="utf-8"))
    assert [line.split()[0] for line in typed] == ["verify", "deliver", "deliver"]
    for line in typed:
        done = CliRunner().invoke(curtain.main, line.split())
        assert done.exit_code == 0, (line, done.output)
    assert world.receive(tmp_path / "my-corpus.tar") == (0, "bbn_1\taccepted")


def test_the_smallest_delivery_is_what_the_page_says_without_an_error_and_taken_in(tmp_path: Path) -> None:
    world = World(tmp_path)
    example = ROOT / "docs/examples/delivery"
    files = sorted(path.relative_to(example).as_posix() for path in example.rglob("*") if path.is_file())
    assert re.findall(r"(?m)^    ((?:doc|spon)/\S+)$", PAGE.read_text(encoding="utf-8")) == files
    assert verify(example).count(Severity.ERROR) == 0
    assert world.receive(tarred(example, world.folder / "lab.tar")) == (0, "lab_1\tfixed"), world.err
    assert "4 repairs on record" in world.err
    assert "rehearsed, no data, but released and tested like it: lab-20260302-1" in world.err
