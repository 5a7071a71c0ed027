"""Lines of sessions that were never listed: made once, by several processes where there are many, and kept as they are made."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.many_sessions import fill
from corpus.commands import session_lines as lines
from corpus.commands.sessions import SessionsOptions, sessions_command
from corpus.export.source import Collected
from corpus.export.study_source import StudySource, source_of
from corpus.io.parallel import Jobs
from session.store.event_store import Store
from session.study.create import new
from session.study.folder import Study

SESSIONS = 3 * lines._TOGETHER


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = new(tmp_path / "study")
    store = Store(made.store_url)
    fill(made, store, 0, SESSIONS, facts=5)
    store.close()
    return made


@pytest.fixture
def store(study: Study) -> Iterator[Store]:
    opened = Store(study.store_url)
    yield opened
    opened.close()


def test_several_processes_make_the_same_lines(study: Study, store: Store) -> None:
    source = source_of(study, store)
    alone = lines.session_lines(store, source, anew=True, jobs=Jobs(1))
    kept = store.kept(lines.KIND)
    assert [line.listed.session for line in alone] == source.names
    assert lines.session_lines(store, source, anew=True, jobs=Jobs(2)) == alone
    assert store.kept(lines.KIND) == kept
    assert kept.keys() == {*source.names}


def test_who_interrupts_the_first_list_waits_for_the_rest_alone_the_next_time(
    study: Study, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, collected = list[str](), StudySource.collected

    def interrupted(self: StudySource, name: str) -> Collected:
        read.append(name)
        if len(read) == 2 * lines._TOGETHER + 1:
            raise KeyboardInterrupt
        return collected(self, name)

    monkeypatch.setattr(StudySource, "collected", interrupted)
    err = io.StringIO()
    assert sessions_command(SessionsOptions(str(study.folder)), io.StringIO(), err) == 130
    assert err.getvalue() == "interrupted\n"
    names = source_of(study, store).names
    out = io.StringIO()
    assert sessions_command(SessionsOptions(str(study.folder)), out, io.StringIO()) == 0
    assert read[2 * lines._TOGETHER + 1 :] == names[2 * lines._TOGETHER :]
    assert len(out.getvalue().splitlines()) == 1 + SESSIONS


def test_a_list_that_takes_long_says_how_far_it_is(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpus.io.progress.LINE_EVERY_S", -1.0)
    err = io.StringIO()
    assert sessions_command(SessionsOptions(str(study.folder)), io.StringIO(), err) == 0
    assert "64 of 96 sessions looked through for the first time, 67 %" in err.getvalue()


def test_the_first_lines_of_a_list_are_out_before_the_rest_has_been_made(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, read, collected = io.StringIO(), list[int](), StudySource.collected

    def looked_at(self: StudySource, name: str) -> Collected:
        read.append(len(out.getvalue().splitlines()))
        return collected(self, name)

    monkeypatch.setattr(StudySource, "collected", looked_at)
    assert sessions_command(SessionsOptions(str(study.folder)), out, io.StringIO()) == 0
    first = lines._TOGETHER
    assert read == [0] * first + [1 + first] * first + [1 + 2 * first] * (SESSIONS - 2 * first)
    assert out.getvalue().splitlines()[0].startswith("session ")
    at_once = io.StringIO()
    assert sessions_command(SessionsOptions(str(study.folder)), at_once, io.StringIO()) == 0
    assert at_once.getvalue() == out.getvalue()
