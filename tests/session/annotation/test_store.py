from collections.abc import Iterator
from pathlib import Path

import pytest

from session.annotation.events import (
    IdentifyingMarked,
    IdentifyingUnmarked,
    Pass,
    TranscriptionBegun,
    TranscriptionReopened,
    TranscriptionRevised,
    TranscriptionSubmitted,
)
from session.annotation.store import Work, stream_of, take_of, work_path
from session.annotation.transcript import Stretch, TranscriptState, fold
from session.events import SessionResumed
from session.store.event_store import SecondWriter
from session.values.clock import Stamp

AT = Stamp("desk", 1, 2)
BEGUN = TranscriptionBegun(utterance="8k8011sx", take="T1", text="a", rate=16_000)
STREAM = stream_of("8k8011sx", "T1")


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    found = Work(tmp_path / "work.sqlite")
    yield found
    found.close()


def test_work_lies_beside_the_corpora(tmp_path: Path) -> None:
    assert work_path(tmp_path / "one") == work_path(tmp_path / "two") == tmp_path / "work.sqlite"


def test_facts_come_back_with_who_and_when(work: Work) -> None:
    work.append(STREAM, 0, [BEGUN], AT, "anna")
    work.append(STREAM, 1, [TranscriptionRevised(text="b", during=Pass.WORDS, worked=5)], AT, "ben")
    facts = work.read(STREAM)
    assert [(fact.seq, fact.by, fact.at) for fact in facts] == [(1, "anna", AT), (2, "ben", AT)]
    assert fold(facts).text == "b"
    assert work.verify() == []


def test_the_second_of_two_at_once_is_told(work: Work) -> None:
    work.append(STREAM, 0, [BEGUN], AT, "anna")
    with pytest.raises(SecondWriter):
        work.append(STREAM, 0, [BEGUN], AT, "ben")


def test_other_later_work_is_left_alone(work: Work) -> None:
    work.append("category/8k8011sx/T1", 0, [BEGUN], AT, "anna")
    assert list(work.transcripts()) == []


def test_only_the_streams_of_the_takes_are_erased(work: Work) -> None:
    other = stream_of("8k9011sx", "T2")
    for stream in (STREAM, other):
        work.append(stream, 0, [BEGUN, TranscriptionSubmitted()], AT, "anna")
    assert work.withdraw("8k8", {take_of(STREAM)}, AT, "experimenter") == 2
    assert work.withdraw("8k7", {"T7"}, AT, "experimenter") == 0
    assert fold(work.read(STREAM)).erased
    assert fold(work.read(other)).state is TranscriptState.SUBMITTED
    assert work.verify() == []


def test_a_session_s_facts_are_no_work(work: Work) -> None:
    with pytest.raises(TypeError):
        work.append(STREAM, 0, [SessionResumed()], AT, "anna")  # type: ignore[list-item]


def test_stretches_come_and_go_and_a_version_keeps_those_of_its_time(work: Work) -> None:
    facts = [
        BEGUN,
        IdentifyingMarked(span="1", first=5, last=9, worked=3),
        IdentifyingMarked(span="2", first=1, last=3),
        TranscriptionSubmitted(worked=4),
        TranscriptionReopened(reason="elsewhere"),
        IdentifyingUnmarked(span="1"),
    ]
    work.append(STREAM, 0, facts, AT, "anna")  # type: ignore[arg-type]
    found = fold(work.read(STREAM))
    assert found.stretches == (Stretch(1, 3),)
    assert found.version is not None
    assert found.version.stretches == (Stretch(1, 3), Stretch(5, 9))
    assert (found.state, found.reason, found.worked) == (TranscriptState.REOPENED, "elsewhere", 7)
    assert found.authors == ("anna",)
