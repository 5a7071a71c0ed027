"""The catalogue of the participants' words: complete in every language, and a study's own checked before anybody reads them."""

import re
from collections import Counter
from pathlib import Path

import pytest

from session.study.create import new
from session.study.folder import load
from session.study.screen_words import ENGLISH, languages, placeholders, shipped, study_words, words_of
from session.study.toml_reader import StudyError
from session.visibility import for_subject
from tests.session.examples import opening

REVEALING = re.compile(
    r"(?i)wizard|human|operator|curtain|simul|transcri|\bhub\b|mensch|bediener|zauber|vorhang|mago|humano|operador|cortina"
)


@pytest.mark.parametrize("language", ["de", "en", "es"])
def test_every_language_has_every_string_with_its_placeholders_and_reveals_nothing(language: str) -> None:
    english, words = shipped("en"), shipped(language)
    assert set(words) == set(english)
    assert {key: placeholders(said) for key, said in words.items()} == {
        key: placeholders(said) for key, said in english.items()
    }
    assert [key for key, said in words.items() if REVEALING.search(said)] == []
    assert language in languages()


def test_one_english_string_has_one_key() -> None:
    assert [said for said, times in Counter(shipped("en").values()).items() if times > 1] == []


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        (
            "en",
            '[headline]\nredy = "x"',
            r"words.toml:2: `headline.redy` is not a string .* did you mean `headline.ready`\?",
        ),
        ("de", '[talk]\n\nto_hold = "Halten"', r"words.toml:3: `talk.to_hold` lacks \{key\}; put it where it belongs"),
        ("en", '[headline]\nready = "{who}"', r"words.toml:2: nothing stands for \{who\}"),
        ("en", '[headline]\nready = "{"', r"words.toml:2: `headline.ready`: .*double a bracket"),
        ("en", '[headline]\nready = " "', r"words.toml:2: `headline.ready` is empty"),
        ("en", "[headline]\nready = 3", r"words.toml:2: `headline.ready` is not a string; put it in quotes"),
        ("en", 'ready = "x"', r"words.toml:1: `ready` is not a table"),
        ("en", "[headline", r"words.toml: Expected"),
        ("fr", '[headline]\nready = "Parlez."', r"`language` is 'fr', which does not ship \(de, en, es do\)"),
    ],
)
def test_what_is_wrong_in_a_study_is_said_with_place_and_remedy(
    tmp_path: Path, language: str, text: str, found: str
) -> None:
    (tmp_path / "words.toml").write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match=found) as raised:
        study_words(tmp_path, language)
    assert "\n" not in str(raised.value)


def test_strings_that_no_screen_has_any_more_stop_no_study(tmp_path: Path) -> None:
    (tmp_path / "words.toml").write_text('[view]\none = "one"\n\n[headline]\nready = "Go"\n', encoding="utf-8")
    words = study_words(tmp_path, "en")
    assert words["headline.ready"] == "Go"
    assert "view.one" not in words.own


def test_a_study_chooses_its_language_and_puts_strings_differently_and_a_session_keeps_them(tmp_path: Path) -> None:
    german = new(tmp_path / "study", language="de")
    assert german.words["headline.ready"] == "Sie können sprechen."
    assert german.words.of("Solved") == "Gelöst"
    assert german.words.of("a city's name") == "a city's name"
    path = german.folder / "words.toml"
    path.write_text('[headline]\nready = "Bitte sprechen."\n', encoding="utf-8")
    changed = load(german.folder)
    assert changed.sha256 != german.sha256
    protocol = changed.protocol("1")
    path.unlink()
    kept = words_of(protocol)
    assert (kept["headline.ready"], kept["button.solved"]) == ("Bitte sprechen.", "Gelöst")
    opened = opening()
    opened = type(opened)(site="bbn", speaker=opened.speaker, protocol=protocol, operator="")
    seen = for_subject(opened, protocol.profile)
    assert seen is not None
    assert (seen.protocol.language, seen.protocol.words) == (protocol.language, protocol.words)  # type: ignore[union-attr]
    settings = german.folder / "study.toml"
    settings.write_text(settings.read_text().replace('language = "de"', 'language = "no tag"'))
    with pytest.raises(StudyError, match="`language` is 'no tag'; it is a language's tag"):
        load(german.folder)


def test_a_study_in_a_language_that_does_not_ship_has_all_its_strings_and_their_direction(tmp_path: Path) -> None:
    tables: dict[str, list[str]] = {}
    for key, said in shipped("en").items():
        table, _, name = key.partition(".")
        tables.setdefault(table, []).append(f"{name} = '''{said}'''")
    text = "\n".join(f"[{table}]\n" + "\n".join(lines) for table, lines in tables.items())
    (tmp_path / "words.toml").write_text(text, encoding="utf-8")
    words = study_words(tmp_path, "he-IL")
    assert words.right_to_left
    assert not ENGLISH.right_to_left
    assert words["talk.ready"] == "READY"
