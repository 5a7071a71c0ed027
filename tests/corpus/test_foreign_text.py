"""What somebody typed as a name of anything stays a text wherever it is shown: it makes no line, no mark-up, hides no figure."""

import csv
import io
from pathlib import Path

import msgspec
import pytest

from corpus.commands.report import ReportOptions, StatsOptions, report_command, stats_command
from corpus.dataset.reader import Corpus
from corpus.packages import datasheet
from corpus.packages.package_writer import contents_of
from corpus.packages.writers import write_package
from session import events as e
from tests.corpus.corpora import corpus_of, session_of

TYPED = "x\n* 9 waveforms <img src=//a onerror=b> [c](//d) \u202e\x1b[2J"
SEEN = "x␊* 9 waveforms <img src=//a onerror=b> [c](//d) ⇄␛[2J"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Condition, recruitment, room and microphones are as hostile as can be typed."""
    script = session_of("bbn", "8k1", "m")
    opened = script.opened
    room = msgspec.structs.replace(opened.protocol.equipment, room=TYPED, microphones={"s": TYPED})
    changed = msgspec.structs.replace(
        opened,
        condition=TYPED,
        speaker=msgspec.structs.replace(opened.speaker, recruitment=TYPED),
        protocol=msgspec.structs.replace(opened.protocol, equipment=room),
    )
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=changed)
    return Corpus(corpus_of(tmp_path_factory.mktemp("foreign") / "corpus", script))


def invisible(text: str) -> set[str]:
    return {letter for letter in text if not letter.isprintable() and letter != "\n"}


def test_the_datasheet_has_the_lines_of_its_own_alone(corpus: Corpus) -> None:
    text = datasheet.text(corpus, contents_of(corpus).courses)
    as_it_is = SEEN
    for mark in "*<>[]":
        as_it_is = as_it_is.replace(mark, f"\\{mark}")
    assert not invisible(text)
    assert sum("9 waveforms" in line for line in text.splitlines()) == text.count(as_it_is) == 3
    assert f"* conditions: {as_it_is} 2\n" in text


def test_page_and_terminal_show_what_turns_lines_and_steers_terminals(corpus: Corpus, tmp_path: Path) -> None:
    out = io.StringIO()
    assert stats_command(StatsOptions(str(corpus.root)), out, io.StringIO()) == 0
    assert (
        report_command(ReportOptions(str(corpus.root), str(tmp_path / "page.html")), io.StringIO(), io.StringIO()) == 0
    )
    page = (tmp_path / "page.html").read_text("utf-8")
    assert not invisible(out.getvalue() + page)
    assert f"under which condition? {SEEN} (1)\n" in out.getvalue()
    assert f"{SEEN.replace('<', '&lt;').replace('>', '&gt;')} (1)" in page


def test_no_two_questions_share_a_column(tmp_path: Path) -> None:
    """Whatever their texts have in common: an answer that is written over another is lost."""
    script, items = session_of("bbn", "8k1", "m"), ("a n4", "a", "A", "A!", "x" * 70 + "1", "x" * 70 + "2", "?", "…")
    answered = e.QuestionnaireAnswered(script.desk(), "f", {item: f"={item}" for item in items})
    script.add(answered, "subject")
    made = corpus_of(tmp_path / "corpus", script)
    write_package(contents_of(Corpus(made)), tmp_path / "csv", "csv")  # type: ignore[arg-type]
    with (tmp_path / "csv/scenarios.csv").open(encoding="utf-8", newline="") as file:
        header, row, *_ = csv.reader(file)
    assert len(set(header)) == len(header)
    assert {f"'={item}" for item in items} <= set(row)
