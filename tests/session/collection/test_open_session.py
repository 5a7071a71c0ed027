"""What the next session of a study takes over from the sessions before it."""

import datetime
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from session import events as e
from session.collection.open_session import plan_session
from session.collection.recordings import Recordings
from session.store.event_store import Entry, Store
from session.study.create import new
from session.study.folder import load
from session.study.settings import Speaker
from session.study.toml_reader import StudyError
from session.values.clock import Stamp
from session.values.vocabulary import Sealed

DAY = datetime.date(2026, 11, 21)


class Visits:
    """Visits to a study with two conditions."""

    def __init__(self, folder: Path, more: str = "") -> None:
        new(folder)
        path = folder / "study.toml"
        path.write_text(f"{more}\n" + path.read_text().replace("conditions = []", 'conditions = ["slow", "fast"]'))
        self.study = load(folder)
        self.store = Store(self.study.store_url)

    def open(self, speaker: str, *, pilot: bool = False, rehearsal: bool = False) -> str:
        """Hold a visit; its condition."""
        plan = plan_session(
            self.study, self.store.usage, "toy 1", DAY, speaker=Speaker(speaker), pilot=pilot, rehearsal=rehearsal
        )
        self.store.append(plan.name, 0, [Entry(Stamp("hub", 1, 1), "hub", "", plan.opened)])
        return plan.opened.condition


Begun = Callable[[str], Visits]


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Begun]:
    """Begins a study whose `study.toml` has these lines more."""
    all_begun: list[Visits] = []

    def begin(more: str) -> Visits:
        all_begun.append(Visits(tmp_path / f"study{len(all_begun)}", more))
        return all_begun[-1]

    yield begin
    for one in all_begun:
        one.store.close()


@pytest.fixture
def visits(begun: Begun) -> Visits:
    return begun("")


def test_a_condition_is_drawn_once_for_each_person_and_kept(visits: Visits) -> None:
    first, second = visits.open("001"), visits.open("002")
    assert {first, second} == {"slow", "fast"}
    assert [visits.open("001"), visits.open("001"), visits.open("002")] == [first, first, second]
    assert {visits.open("003"), visits.open("004")} == {"slow", "fast"}


def test_no_more_sessions_go_on_than_the_study_allows(begun: Begun) -> None:
    visits = begun("sessions_at_once = 2")
    visits.open("001")
    visits.open("002")
    with pytest.raises(ValueError, match="2 sessions of this study have not ended"):
        visits.open("003")
    (name, *_) = [info.stream for info in visits.store.streams()]
    visits.store.append(name, 1, [Entry(Stamp("hub", 2, 2), "hub", "", e.SessionEnded(reason="done"))])
    visits.open("003")


def recorded(take: str, samples: int) -> e.TakeConfirmed:
    return e.TakeConfirmed(take=take, sealed=(Sealed("s", samples, "0" * 64), Sealed("t", samples, "1" * 64)))


def test_no_session_is_opened_once_the_recordings_are_as_much_as_the_study_allows(begun: Begun) -> None:
    visits = begun("recordings_at_most_gb = 0.001")
    visits.open("001")
    (name,) = [info.stream for info in visits.store.streams()]
    visits.store.append(name, 1, [Entry(Stamp("hub", 2, 2), "hub", "", recorded("a", 249_999))])
    visits.open("002")
    visits.store.append(name, 2, [Entry(Stamp("hub", 3, 3), "hub", "", recorded("b", 1))])
    with pytest.raises(ValueError, match=r"hold 0\.001 GB, and `recordings_at_most_gb` in study\.toml allows 0\.001"):
        visits.open("003")
    assert visits.store.check_folds() == []
    visits.store.withdraw([name], "experimenter", Stamp("hub", 4, 4), e.SpeakerWithdrawn(speaker="001", erased=0))
    visits.open("003")
    assert visits.store.usage.sound() == 0


def test_sound_that_was_never_confirmed_counts_while_its_session_goes_on(begun: Begun) -> None:
    visits = begun("recordings_at_most_gb = 0.001")
    visits.open("001")
    (name,) = [info.stream for info in visits.store.streams()]
    recordings = Recordings(visits.study.recordings)
    recordings.write(name, "flood", "s", 0, bytes(500_000))
    visits.open("002")
    recordings.write(name, "more", "s", 0, bytes(500_000))
    with pytest.raises(ValueError, match=r"hold 0\.001 GB"):
        visits.open("003")
    recordings.close()


def test_a_limit_that_is_no_number_from_0_is_refused(tmp_path: Path) -> None:
    for wrong in ("-1", "nan", "inf"):
        with pytest.raises(StudyError, match="recordings_at_most_gb"):
            Visits(tmp_path / wrong, f"recordings_at_most_gb = {wrong}")


def test_rehearsals_and_pilots_use_up_no_condition(visits: Visits) -> None:
    visits.open("001", rehearsal=True)
    visits.open("002", pilot=True)
    assert {visits.open("003"), visits.open("004")} == {"slow", "fast"}
    visits.open("005", rehearsal=True)
    assert {visits.open("006"), visits.open("007")} == {"slow", "fast"}
    assert visits.open("002") in {"slow", "fast"}, "a pilot who comes back is drawn for as anybody else"


def test_the_condition_of_a_person_who_withdrew_is_drawn_again(visits: Visits) -> None:
    first = visits.open("001")
    visits.open("002")
    (name, *_) = [info.stream for info in visits.store.streams()]
    visits.store.withdraw([name], "experimenter", Stamp("hub", 2, 2), e.SpeakerWithdrawn(speaker="001", erased=0))
    assert visits.open("003") == first
