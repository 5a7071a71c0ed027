"""The report's first screen: six figures, two pictures, and what is wrong; on paper its pages are numbered."""

import re
from pathlib import Path

import msgspec
import pytest

from corpus.commands.report import text_of
from corpus.dataset.reader import Corpus
from corpus.report import first_screen, html, report_page
from corpus.report.html import render
from corpus.report.statistics import figures_of, gather
from corpus.report.tables import METHODS, sheets
from tests.corpus.corpora import corpus_of, session_of


def test_one_speaker_is_one(tmp_path: Path) -> None:
    courses = gather(Corpus(corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"))))
    assert "<b>1</b> <strong>speaker</strong>" in render(figures_of(Corpus(tmp_path / "corpus"), courses), courses, "c")


def test_the_first_screen_has_six_figures_two_pictures_and_what_is_wrong(tmp_path: Path) -> None:
    corpus = Corpus(corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"), session_of("cmu", "9a1", number=2)))
    courses = gather(corpus)
    figures = figures_of(corpus, courses)
    first = render(figures, courses, "c").partition("<section class=first")[2].partition("</section>")[0]
    assert re.findall(r"<li><b>([^<]*)</b> <strong>([^<]*)", first)[:2] == [("2", "speakers"), ("14", "utterances")]
    assert first.count("<li><b>") == 6
    assert re.findall(r"<figcaption>(\w+).*?\.</figcaption>", first) == ["Half", "Of"]
    wrong = re.findall(r"<li><a href=#(\w+)>([^<]*)</a>", first)
    assert ("counts", "2 of 14 replies were marked as wrong by the wizard.") in wrong
    assert ("counts", "14 of 14 utterances still need a transcription or its check.") in wrong
    assert all(f"* {sentence}\n" in text_of(figures) for _, sentence in wrong)
    assert all(sheet.caption.endswith(".") for sheet in sheets(figures) if sheet.part != METHODS)
    by_hand = msgspec.structs.replace(figures.tries, first_try=0, reworded=0, by_hand=15, unanswered=1)
    page = render(msgspec.structs.replace(figures, tries=by_hand), courses, "c")
    assert "of 16 in scope; 0.0 % at the first try, 0.0 % with rewording, 93.8 % in SQL by hand" in page
    assert not first_screen.findings(msgspec.structs.replace(figures, sessions=0))
    whole = msgspec.structs.replace(
        figures,
        wizards=msgspec.structs.replace(figures.wizards, rows=[], compared=[], ability=[]),
        tries=msgspec.structs.replace(figures.tries, unanswered=0),
        sound=msgspec.structs.replace(figures.sound, troubled=0, silent=0),
        transcribed={"transcribed": 14},
        difficulty=[],
        common=(),
        limit_passed=0,
        checklist=[],
    )
    assert "<li>Nothing that can be seen in the logs." in render(whole, [], "c")


def test_paper_has_the_time_lines_of_the_first_sessions_alone_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = Corpus(corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"), session_of("cmu", "9a1", number=2)))
    courses = gather(corpus)
    figures = figures_of(corpus, courses)
    page = render(figures, courses, "c").partition("<h2 id=lines>")[2]
    assert (page.count("<details class=later"), "On paper" in page) == (0, False)
    assert "<span class=later>; point at a bar" in page  # nobody points on paper
    monkeypatch.setattr(html, "PRINTED_TIMELINES", 1)
    page = render(figures, courses, "c").partition("<h2 id=lines>")[2]
    assert "The printed page has the first 1 of 2 sessions" in page
    assert page.count("<h3>") == 2


def test_of_many_sessions_the_first_lie_open_and_the_first_twenty_are_printed() -> None:
    assert [html._folding(place) for place in (0, 3, 19, 20)] == [" open", "", "", " class=later"]
    printed = report_page.STYLE.partition("@media print")[2]
    assert ".later { display: none }" in printed
    assert "summary { list-style: none }" in printed  # no triangle that asks to be unfolded


def test_the_pages_of_a_printed_report_are_numbered() -> None:
    assert "counter(page)" in report_page.STYLE.partition("@page")[2]
