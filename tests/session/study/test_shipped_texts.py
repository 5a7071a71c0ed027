"""A new study speaks its subjects' language: every text that they read ships in it, and says as much as the English."""

import re
from pathlib import Path

import msgspec
import pytest

from session.study.create import new
from session.study.folder import PROFILES
from session.study.message_files import canned_messages
from session.study.questionnaires import questionnaires
from session.study.screen_words import languages
from session.study.shipped_texts import MESSAGES, SCENARIOS, TEMPLATE, foreign_texts, in_language
from session.study.study_domains import read_scenarios
from session.values.vocabulary import Step

OTHERS = [language for language in languages() if language != "en"]
NAMES_THE_CURTAIN = re.compile(r"wizard|zauber|mago|attrapp|person in another|anderen ort|otro lugar", re.IGNORECASE)


def marks(text: str) -> list[list[str]]:
    """What is filled into each paragraph."""
    return [sorted(re.findall(r"\{\w+\}", paragraph)) for paragraph in text.strip().split("\n\n")]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(
    "text", sorted(path.name for path in TEMPLATE.glob("*.txt") if path.name != "ability.txt"), ids=str
)
def test_every_text_of_a_visit_ships_with_the_same_paragraphs(language: str, text: str) -> None:
    english = (TEMPLATE / text).read_text("utf-8")
    translated = (in_language(TEMPLATE, language) / text).read_text("utf-8")
    assert marks(translated) == marks(english)
    assert not set(english.split("\n\n")) & set(translated.split("\n\n"))
    if text != "debriefing.txt":
        assert not NAMES_THE_CURTAIN.search(translated)


@pytest.mark.parametrize("language", OTHERS)
def test_forms_and_canned_messages_are_the_english_in_other_words(language: str) -> None:
    english, translated = (
        questionnaires(texts / "questionnaires") for texts in (TEMPLATE, in_language(TEMPLATE, language))
    )
    assert translated.keys() == english.keys()
    for form in english:
        pairs = list(zip(english[form].item, translated[form].item, strict=True))
        assert [(one.id, one.kind, one.optional, len(one.choices)) for one, _ in pairs] == [
            (other.id, other.kind, other.optional, len(other.choices)) for _, other in pairs
        ]
        assert all(one.text != other.text for one, other in pairs)
    own, said = canned_messages(MESSAGES), canned_messages(in_language(MESSAGES, language))
    assert [msgspec.structs.replace(message, text="") for message in said.values()] == [
        msgspec.structs.replace(message, text="") for message in own.values()
    ]
    assert [message.blanks for message in said.values()] == [message.blanks for message in own.values()]
    assert all(said[name].text != own[name].text and not NAMES_THE_CURTAIN.search(said[name].text) for name in own)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("domain", sorted(path.parent.name for path in SCENARIOS.glob("*/scenarios")))
def test_a_new_study_s_tasks_are_in_its_language_and_ask_for_the_same(
    tmp_path: Path, language: str, domain: str
) -> None:
    english, made = read_scenarios(SCENARIOS / domain / "scenarios", []), new(tmp_path / "s", domain, language=language)
    assert made.scenarios.keys() == english.keys()
    for name, scenario in made.scenarios.items():
        own = english[name]
        assert scenario.text != own.text
        assert scenario.title != own.title
        assert marks(scenario.text)[-1] == marks(own.text)[-1]
        assert sorted(re.findall(r"\{\w+\}", scenario.text)) == sorted(re.findall(r"\{\w+\}", own.text))
        assert scenario.solution == own.solution
        assert set(re.findall(r"\d{2,}", scenario.text.replace(".", ","))) <= set(re.findall(r"\d{2,}", own.text))
    overview, known = ((SCENARIOS / domain / f"subject_overview{tag}.md").read_text() for tag in ("", f".{language}"))
    assert overview.count("\n| ") == known.count("\n| ")
    assert "THE SYSTEM" not in made.instructions


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("profile", sorted(path.stem for path in PROFILES.glob("*.toml")))
def test_whatever_the_profile_a_subject_reads_no_text_that_ships_in_english(
    tmp_path: Path, language: str, profile: str
) -> None:
    made, english = new(tmp_path / "own", profile=profile, language=language), new(tmp_path / "en", profile=profile)
    assert foreign_texts(made.folder, language) == {}
    read, others = made.protocol("v"), english.protocol("v")
    for name in ("consent_text", "instructions", "debriefing"):
        assert not set(getattr(read, name).split("\n\n")[:-2]) & set(getattr(others, name).split("\n\n"))
    assert made.ability == english.ability  # which wizards read
    assert Step.INSTRUCTIONS not in made.profile.steps or read.instructions
