"""Every key and every name that a study's files may hold is in the documentation, and nothing else is."""

import enum
import re
import typing

import msgspec
import pytest

from session.study.design import Design, Factor
from session.study.metadata import Creator, Metadata
from session.study.pass_mark import PassMark
from session.study.settings import (
    CannedMessage,
    Equipment,
    Machines,
    Noise,
    Operators,
    Profile,
    Questionnaire,
    QuestionnaireItem,
    Scenario,
    Solution,
    Voice,
)
from session.study.study_domains import DomainSettings
from session.study.study_file import LobbySettings, ProposingEngine, StudyFile
from session.values.names import SpeakerBlock
from tests import ROOT

DOCUMENT = (ROOT / "docs" / "reference" / "study.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([^`]+)`", DOCUMENT))
STRUCTS: tuple[type[msgspec.Struct], ...] = (
    StudyFile, ProposingEngine, SpeakerBlock, Equipment, Profile, Operators, Scenario, Solution, CannedMessage,
    Questionnaire, QuestionnaireItem, Noise, Voice, Design, Factor, Machines, PassMark, LobbySettings, Metadata, Creator,
    DomainSettings,
)  # fmt: skip
KEYS = {field for struct in STRUCTS for field in struct.__struct_fields__}


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_key_is_documented(struct: type[msgspec.Struct]) -> None:
    assert set(struct.__struct_fields__) - NAMED == set()


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_choice_is_documented(struct: type[msgspec.Struct]) -> None:
    for hint in typing.get_type_hints(struct).values():
        if isinstance(hint, type) and issubclass(hint, enum.Enum):
            assert {member.value for member in hint} - NAMED == set()


def test_every_documented_key_exists() -> None:
    rows = re.findall(r"(?m)^\| ((?:`\w+`(?:, )?)+) \|", DOCUMENT)
    assert {key for row in rows for key in re.findall(r"\w+", row)} - KEYS == set()


def test_documented_defaults_are_the_real_ones() -> None:
    profile, study = Profile(name="x"), StudyFile(site="bbn", profile="x", today="1991-07-01", speakers=())
    for row, values in {
        "`pre_roll_ms`, `tail_ms`": f"{profile.pre_roll_ms}, {profile.tail_ms}",
        "`longest_take_s`": f"{profile.longest_take_s:g}",
        "`echo`": f"`{profile.echo}`",
        "`recording`": f"`{profile.recording}`",
        "`reply_limit_s`": f"{profile.reply_limit_s:g}",
        "`context_return`": f"`{str(profile.context_return).lower()}`",
        "`rows_shown`": f"{profile.rows_shown}",
        "`store`": f"`{study.store}`",
        "`domain`": f"`{study.domain}`",
        "`seed`": f"{study.seed}",
    }.items():
        (line,) = re.findall(rf"(?m)^\| {re.escape(row)} \|.*$", DOCUMENT)
        assert line.endswith(f"| {values} |"), line
