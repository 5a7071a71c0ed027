"""The experimenter's page over a hub in memory: who is admitted, what it says of a session, what it cannot do."""

import datetime
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.overview.board import SessionView
from server.overview.overview_page import Overview
from server.overview.overview_words import SHIPPED, page_words
from server.overview.study_progress import progress
from server.site import Site
from session import events as e
from session.collection.roster import VERSIONS, AppointmentMade, PersonDroppedOut, PersonInvited, append
from session.commands import EndSession, Report, StartScenario
from session.protocol.messages import AudioChunk, Rejected, WireError
from session.store.event_store import Entry, Store
from session.study.create import new
from session.study.screen_words import placeholders
from session.study.settings import Profile
from session.values.vocabulary import Sealed
from subject.browser.pages import Pages
from tests.server.overview_pages import PLACE, TOKEN, Looked
from tests.together.pipe import SESSION, Bench, PipedDesk, at, both, opened, spoken


async def test_all_sessions_are_followed_and_a_call_is_answered(tmp_path: Path) -> None:
    bench = Bench()
    subject, wizard = await both(bench, scenario_limit_s=120)
    overview = Overview(new(tmp_path / "study"), bench.hub, bench.store, PLACE, TOKEN, bench.clock)
    looked, stranger = Looked(overview), Looked(overview)
    with pytest.raises(WireError):
        await stranger.say(m="answer", session=SESSION)
    with pytest.raises(Rejected, match="not valid"):
        await stranger.say(m="hello", token="t-observer")
    await looked.say(m="hello", token=TOKEN)
    await bench.settle()
    (row,) = looked.last("sessions")["rows"]
    assert (row["stage"], row["waits"]) == ("between tasks", "the subject, for a task")
    assert (row["link"], row["operator"], row["called"]) == ("connected", "connected", False)
    assert ["Open sessions", "1"] in looked.last("study")["figures"]
    await wizard.give(StartScenario(id="s", scenario="trip", bindings={"A": "Boston"}))
    await subject.give(*spoken("t1", b"\x00\x40" * 160)[:2])
    await subject.sound(AudioChunk("t1", "s", 0, b"\x00\x40" * 160))
    await subject.give(Report(id="c", event=e.ExperimenterCalled(at=at(1))))
    bench.clock.advance(5)
    await bench.settle()
    (row,) = looked.last("sessions")["rows"]
    assert (row["stage"], row["called"], row["waits"]) == ("task 1: Trip", True, "the subject called")
    assert row["left"] == "1:55"
    await looked.say(m="answer", session=SESSION)
    await bench.settle()
    assert bench.hub.sessions[SESSION].state.called is False
    await looked.say(m="answer", session=SESSION)
    assert "refused" in {message["m"] for message in looked.told}
    await subject.cut()
    bench.clock.advance(1)
    await bench.settle()
    (row,) = looked.last("sessions")["rows"]
    assert row["link"] == "not connected"
    await looked.connection.closed("gone")
    await bench.close()


def test_the_roster_says_how_far_everybody_has_come(tmp_path: Path) -> None:
    study = new(tmp_path / "study")
    with closing(Store(study.store_url, VERSIONS)) as store:
        visits = [AppointmentMade(when=day) for day in ("2026-11-20 09:00", "2026-12-01 10:30")]
        append(store, None, "001", at(1), PersonInvited(speaker="001"), *visits)
        append(
            store, None, "002", at(2), PersonInvited(speaker="002", pilot=True), PersonDroppedOut(reason="moved away")
        )
    with closing(Store(study.store_url)) as store:
        found = progress(study, store, datetime.datetime(2026, 11, 23))  # noqa: DTZ001 (the site's own time)
    assert found.people == (
        ("001", "subject", "invited", "0", "0", "2026-12-01 10:30"),
        ("002", "pilot", "dropped out", "0", "0", ""),
    )
    assert "moved away" not in str(found)


def test_a_longer_roster_asks_the_store_no_more_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study, asked = new(tmp_path / "study"), list[object]()
    rows = Store.rows

    def noted(store: Store, query: Any) -> Any:
        asked.append(query)
        return rows(store, query)

    monkeypatch.setattr(Store, "rows", noted)
    counts = []
    for number in range(1, 13):
        with closing(Store(study.store_url, VERSIONS)) as store:
            append(store, None, f"0{number:02d}", at(1), PersonInvited(speaker=f"0{number:02d}"))
        with closing(Store(study.store_url)) as store:
            store.append(f"bbn-20261121-{number}", 0, [Entry(at(number), "hub", "", opened())])
            asked.clear()
            found = progress(study, store, datetime.datetime(2026, 11, 23))  # noqa: DTZ001 (the site's own time)
        assert len(found.people) == number
        counts.append(len(asked))
    assert len(set(counts)) == 1, counts


def test_the_page_says_how_much_sound_is_kept_of_what_the_study_allows(tmp_path: Path) -> None:
    study = new(tmp_path / "study")
    limited = replace(study, settings=msgspec.structs.replace(study.settings, recordings_at_most_gb=0.004))
    with closing(Store(study.store_url)) as store:
        sealed = (Sealed("s", 500_000, "0" * 64),)
        entries = [
            Entry(at(number), "hub", "", fact) for number, fact in ((1, opened()), (2, e.TakeConfirmed("a", sealed)))
        ]
        store.append(SESSION, 0, entries)
        now = datetime.datetime(2026, 11, 23)  # noqa: DTZ001 (the site's own time)
        assert ("Recordings, of the allowed amount", "0.001 / 0.004 GB") in progress(limited, store, now).figures
        assert "GB" not in str(progress(study, store, now))


async def test_the_page_tells_for_a_minute_that_somebody_was_not_let_in(tmp_path: Path) -> None:
    bench = Bench()
    await both(bench)
    looked = Looked(Overview(new(tmp_path / "study"), bench.hub, bench.store, PLACE, TOKEN, bench.clock))
    await looked.say(m="hello", token=TOKEN)
    await bench.settle()
    await PipedDesk(bench, "guessed", "stranger").connect()
    bench.clock.advance(1)
    await bench.settle()
    said = f"Session {SESSION}: a visitor was rejected; the address does not open it."
    assert looked.last("sessions")["trouble"] == said
    bench.clock.advance(61)
    await bench.settle()
    assert looked.last("sessions")["trouble"] == ""
    await looked.connection.closed("gone")
    await bench.close()


async def test_a_page_left_open_over_night_stands_on_the_page_as_long_as_it_knocks(tmp_path: Path) -> None:
    bench = Bench()
    subject, wizard = await both(bench)
    looked = Looked(Overview(new(tmp_path / "study"), bench.hub, bench.store, PLACE, TOKEN, bench.clock))
    await looked.say(m="hello", token=TOKEN)
    await wizard.give(EndSession(id="end", reason="done"))
    await subject.cut()
    bench.clock.advance(9 * 3600)
    said = f"Session {SESSION}: a page was rejected; the session ended long ago, but its page is still or again open."
    for _ in range(3):
        await subject.connect()
        bench.clock.advance(55)
        await bench.settle()
        assert looked.last("sessions")["trouble"] == said
    bench.clock.advance(60)
    await bench.settle()
    assert looked.last("sessions")["trouble"] == ""
    await looked.connection.closed("gone")
    await bench.close()


async def test_what_an_observer_is_not_shown_does_not_stand_on_the_page() -> None:
    bench = Bench()
    await both(bench)
    view = SessionView(bench.hub.sessions[SESSION], bench.clock)
    row = view.row("en")  # the session's actor knows everything, and has shown this observer nothing
    assert (row["speaker"], row["called"], row["level"]) == ("", False, -60.0)
    assert row["link"] == "not connected"
    await bench.close()


def test_nobody_finds_the_page_without_its_address(tmp_path: Path) -> None:
    bench: Any = None
    site = Site(Pages(Profile(name="test"), ("127.0.0.1",)))
    site.beside = (Overview(new(tmp_path / "study"), bench, bench, PLACE, TOKEN, bench),)
    root = f"/overview/{PLACE}/"
    page = site.file(root)
    assert page is not None
    assert b"Sessions of this study" in page.body
    assert TOKEN.encode() not in page.body
    assert "default-src 'none'" in dict(page.headers)["Content-Security-Policy"]
    assert site.file(f"{root}overview.js") is not None
    wrong = (
        "/overview/",
        "/overview/index.html",
        "/static/overview.js",
        f"{root}../page.py",
        f"{root}words/en.toml",
        f"/overview/{'q' * 24}/",
    )
    assert [path for path in wrong if site.file(path) is not None] == []
    assert site.session(f"{root}link") == "/0"
    assert site.session("/overview/link") is None
    assert site.session("/visit/bbn-20261121-1/link") == "bbn-20261121-1"


def test_every_language_says_everything() -> None:
    english = page_words("en")
    for path in SHIPPED.glob("*.toml"):
        words = page_words(path.stem)
        assert {key: placeholders(text) for key, text in words.items()} == {
            key: placeholders(text) for key, text in english.items()
        }
