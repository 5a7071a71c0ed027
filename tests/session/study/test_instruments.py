"""Questionnaires that ship: scored as their authors say, in the language of the study where a validated wording is known."""

import io
import json
from pathlib import Path

import pytest

from corpus.commands.report import StatsOptions, stats_command
from corpus.dataset.reader import Corpus
from corpus.packages.csv import scenario_rows
from corpus.report.statistics import gather
from session import events as e
from session.study.create import new
from session.study.folder import load
from session.study.instruments import instruments, scored
from session.study.settings import Questionnaire
from session.study.toml_reader import StudyError
from session.values.vocabulary import ItemKind, Step
from tests.corpus.corpora import corpus_of, session_of
from tests.desk.regions import painted
from tests.subject.stage import Stage, begun, facts_sent, settle


def answers(name: str, points: list[int]) -> dict[str, str]:
    """The answers to an instrument, as a subject gives them."""
    items = [item for item in instruments()[name].items("en") if item.kind is not ItemKind.TEXT]
    said = {choice.split()[0]: choice for choice in items[0].choices}
    return {item.id: said[str(point)] for item, point in zip(items, points, strict=True)}


def test_each_is_scored_by_its_rule_and_only_when_it_is_complete() -> None:
    assert scored(answers("sus", [5, 1] * 5)) == {"sus": 100.0}
    assert scored(answers("sus", [4, 2, 5, 1, 4, 3, 4, 2, 4, 3])) == {"sus": 75.0}, "30 steps of 40"
    assert scored(answers("nasa_tlx", [50, 0, 100, 25, 75, 50])) == {"nasa_tlx": 50.0}
    sassi = scored(
        answers("sassi", [7, 1, 1, 1, 1, 7, 7, 7, 7] + [6] * 9 + [7, 1, 7, 1, 7] + [2] * 5 + [1, 7, 1, 1] + [7, 3])
    )
    assert sassi == {
        "sassi_accuracy": 7.0,
        "sassi_likeability": 6.0,
        "sassi_cognitive_demand": 1.0,
        "sassi_annoyance": 2.0,
        "sassi_habitability": 7.0,
        "sassi_speed": 6.0,
    }
    assert scored(answers("belief", [4])) == {"belief_certainty": 4.0}
    assert scored({"sus_1": "5 Strongly agree"}) == {}
    assert scored(answers("sus", [5, 1] * 5) | {"sus_1": "9"}) == {}


def test_a_study_asks_it_in_its_language_and_the_number_is_kept(tmp_path: Path) -> None:
    study = new(tmp_path / "study", language="de")
    form = study.folder / "questionnaires" / "satisfaction.toml"
    form.write_text('title = "Fragen"\ninstruments = ["sus", "nasa_tlx"]\n', encoding="utf-8")
    items = load(study.folder).questionnaires["satisfaction"].item
    assert (len(items), items[0].choices[-1]) == (16, "5 Stimme voll zu")
    assert items[-1].text.startswith("Frustration:"), "no German wording is known to us"
    form.write_text('title = "Fragen"\ninstruments = ["suss"]\n', encoding="utf-8")
    with pytest.raises(StudyError, match=r"satisfaction.toml: `instruments` names 'suss', .* did you mean `sus`\?"):
        load(study.folder)


async def test_on_the_screen_a_point_of_the_scale_has_one_number_and_is_handed_in_with_it() -> None:
    stage = Stage()
    form = Questionnaire(id="satisfaction", title="T", item=instruments()["sus"].items("en")[:1])
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.tell(begun(Step.SATISFACTION, form=form))
        await settle(pilot)
        shown = " ".join(painted(stage.app).split())
        assert "1 Strongly disagree 2 3 4 5 Strongly agree" in shown
        await pilot.press("5", "enter")
        await settle(pilot)
    (answered,) = facts_sent(stage, e.QuestionnaireAnswered)
    assert answered.answers == {"sus_1": "5 Strongly agree"}


def test_scores_stand_in_the_table_of_scenarios_and_in_the_statistics(tmp_path: Path) -> None:
    script = session_of("bbn", "8k1")
    script.add(
        e.QuestionnaireAnswered(at=script.desk(), form="satisfaction", answers=answers("sus", [5, 1] * 5)), "subject"
    )
    folder = corpus_of(tmp_path / "corpus", script)
    corpus = Corpus(folder)
    rows = list(scenario_rows(corpus, gather(corpus)))
    assert {row["score_sus"] for row in rows} == {100.0}
    out = io.StringIO()
    assert stats_command(StatsOptions(str(folder), as_json=True), out, io.StringIO()) == 0
    assert json.loads(out.getvalue())["questionnaires"]["sus"]["median"] == 100.0
