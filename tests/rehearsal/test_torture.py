"""A short torture of fixed seed, and that the look for losses finds them."""

import io
from pathlib import Path

import pytest

from rehearsal.torture import Run, examined
from rehearsal.torture_parts import SESSION, pattern, places
from session import events as e
from session.clock import Stamp
from session.store import Entry, Store

SECONDS = 6


@pytest.fixture(scope="module")
def tortured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("torture")
    outcome = Run(folder, SECONDS, 1992, io.StringIO()).perform()
    assert outcome.losses == ()
    assert sum(outcome.strikes.values()) > SECONDS
    assert outcome.takes > 0
    assert f"takes {outcome.takes} takes" in outcome.lines()
    return folder


def test_nothing_is_lost_whatever_strikes(tortured: Path) -> None:
    assert examined(tortured, {}).losses == ()


def test_a_report_that_was_safe_and_is_gone_is_missed(tortured: Path) -> None:
    ledger = tortured / "subject.ledger"
    before = ledger.read_text()
    ledger.write_text(before + "kept never-came\nwritten 01GONE s 5\n")
    losses = examined(tortured, {}).losses
    ledger.write_text(before)
    assert [loss.split()[0] for loss in losses] == ["never-came", "take"]


def test_a_fact_twice_and_a_take_without_end_are_seen(tortured: Path, tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tortured}/collection.sqlite")
    facts = store.read(SESSION)
    again = next(fact for fact in facts if fact.cause)
    pressed = e.TalkPressed(at=Stamp("s", 0, 0), take="01NEVER")
    store.append(
        SESSION,
        len(facts),
        [Entry(again.at, again.by, again.cause, again.event), Entry(again.at, "subject", "new", pressed)],
    )
    store.close()
    losses = examined(tortured, {}).losses
    assert any("brought about facts twice" in loss for loss in losses)
    assert "take 01NEVER was begun and never confirmed" in losses


def test_samples_tell_their_places() -> None:
    assert list(places(pattern(65_530, 10))) == [65_530, 65_531, 65_532, 65_533, 65_534, 65_535, 0, 1, 2, 3]
