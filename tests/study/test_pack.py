"""The papers of a study, and the lint of its texts."""

import io
from html import escape
from pathlib import Path

from session.study.create import new
from session.study.folder import load
from session.values.paragraphs import reflowed
from study.model_sentences import model_sentences
from study.pack_command import pack_command
from study.pack_command import page as page_of


def test_the_papers_hold_every_sheet_and_model_sentences_are_told_of(tmp_path: Path) -> None:
    study = new(tmp_path / "study")
    (study.folder / "ability.txt").write_text("It knows flights, no <hotels>.")
    out, err = io.StringIO(), io.StringIO()
    assert pack_command(str(study.folder), str(tmp_path / "papers.html"), out, err) == 0, err.getvalue()
    page = (tmp_path / "papers.html").read_text()
    assert page.count("<section>") == 3 + len(study.scenarios) + len(study.questionnaires) + 1
    assert "no &lt;hotels&gt;." in page
    assert "☐ yes ☐ no: The recordings may be given to other researchers." in page
    assert "You start in __________ (A). Plan flights to __________ (B)" in " ".join(page.split())
    assert all(scenario.title.replace("'", "&#x27;") in page for scenario in study.scenarios.values())
    assert "src=" not in page
    assert f"<pre>{escape(reflowed(study.instructions))}</pre>" in page, "paragraphs fill the width of the paper"
    assert "described on\n" not in page
    assert pack_command(str(study.folder), str(tmp_path / "papers.html"), out, err) == 2

    path = study.folder / "scenarios" / "downtown.toml"
    path.write_text(
        path.read_text().replace("Advise the visitor", "Say “show me the cheapest taxi”. Advise the visitor")
    )
    found = list(model_sentences(load(study.folder)))
    assert found == [("scenarios/downtown.toml", "show me the cheapest taxi")]
    assert pack_command(str(study.folder), str(tmp_path / "other.html"), out, err) == 1
    assert "describe the task instead" in err.getvalue()


def test_papers_are_in_the_study_s_words(tmp_path: Path) -> None:
    study = new(tmp_path / "study", language="de")
    (study.folder / "words.toml").write_text('[paper]\nsolution = "Lösung (in Stichworten)"\n')
    page = page_of(load(study.folder))
    assert '<html lang="de" dir="ltr">' in page
    assert "<h1>Einwilligung, Fassung 1</h1>" in page
    assert f"☐ ja ☐ nein: {study.words['consent.record']}" in page
    assert page.count("<p>Lösung (in Stichworten)</p>") == len(study.scenarios)
    assert "Datum und Unterschrift" in page


def test_the_wizard_reads_what_each_level_changes_and_when(tmp_path: Path) -> None:
    study = new(tmp_path / "study")
    assert "what changes" not in page_of(study)
    path = study.folder / "study.toml"
    factors = """
[factor.delay]
within = true
changes_at = "scenario"
levels = { slow = { reply_delay_s = 4.0 }, fast = { reply_delay_s = 0.0 } }
[factor.echo.levels.none]
echo = "never"
[factor.echo.levels.early]
echo = "before_query"
[design]
scenarios = ["downtown", "weekend"]
"""
    path.write_text(path.read_text().replace("conditions = []\n", "") + factors)
    page = page_of(load(study.folder))
    assert "<tr><td>delay=slow<td>from scenario to scenario<td>reply_delay_s = 4.0" in page
    assert "<tr><td>echo=none<td>from participant to participant<td>echo = never" in page


def test_papers_under_a_name_that_is_no_page_s_are_refused(tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    assert pack_command(str(tmp_path / "study"), str(tmp_path / "papers.pdf"), out, err) == 2
    assert "name a file that ends in .html" in err.getvalue()
    assert not (tmp_path / "papers.pdf").exists()
