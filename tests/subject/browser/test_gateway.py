"""The near end of a page over a hub in memory: the same facts and the same words as from a terminal, and nothing twice."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from session import commands as c
from session import events as e
from session.hub.history import links_stream
from session.hub.hub import SessionElsewhere
from session.protocol.messages import DeskTurnedAway
from session.rules.decide import answer_text
from session.study.screen_words import ENGLISH
from session.values.answers import digest, rows_of
from session.values.clock import ManualClock, Stamp
from session.values.column_display import ColumnReading
from session.values.consent import ConsentScope
from session.values.vocabulary import DeskRefusal, Language, RecordingControl, Step
from subject.browser import gateway
from subject.browser.page_clock import PageClock
from subject.core.terminal import Phase
from tests.subject.browser.page import CLOCK, PipedPage, moment
from tests.together.pipe import SESSION, Bench, PipedDesk, opened

PCM = bytes(range(256)) * 20


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    made = Bench()
    yield made
    await made.close()


async def begun(bench: Bench, **profile: Any) -> tuple[PipedPage, PipedDesk]:
    """A session with a page whose microphone is open, and a scenario under way."""
    await bench.hub.open(SESSION, opened(**profile))
    page = await PipedPage(bench).connect()
    wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
    await page.say({"m": "microphone", "open": True})
    await wizard.give(c.StartScenario(id="c1", scenario="trip", bindings={"A": "Boston"}))
    return page, wizard


def facts(bench: Bench, kind: type[e.Event]) -> list[e.Fact]:
    return [record.event for record in bench.store.read(SESSION) if isinstance(record.event, kind)]


async def test_a_page_shows_what_the_terminal_would_say(bench: Bench) -> None:
    page, _ = await begun(bench)
    assert page.parts["screen"]["headline"] == ENGLISH[f"headline.{Phase.READY}"]
    assert page.parts["screen"]["button"] == "ready"
    assert page.parts["screen"]["may_talk"]
    assert page.parts["task"] == {"title": "Trip", "text": "Go to Boston."}
    assert page.parts["station"] is None


def asking_consent() -> e.SessionOpened:
    """A session that begins with a text to agree to."""
    orders = opened(steps=(Step.CONSENT, Step.SCENARIOS))
    profile = msgspec.structs.replace(orders.protocol.profile, consent=True)
    protocol = msgspec.structs.replace(orders.protocol, profile=profile, consent_text="We record you.")
    return msgspec.structs.replace(orders, protocol=protocol)


async def test_consent_is_stamped_by_the_page_s_clock_and_bears_the_hash_of_what_was_shown(bench: Bench) -> None:
    await bench.hub.open(SESSION, asking_consent())
    page = await PipedPage(bench).connect()
    station = page.parts["station"]
    assert (station["kind"], station["text"]) == ("consent", "We record you.")
    assert not page.parts["screen"]["microphone"]
    await page.do("Agreed", seconds=7, scopes={"record": True}, sha256=station["sha256"])
    (given,) = facts(bench, e.ConsentGiven)
    assert isinstance(given, e.ConsentGiven)
    assert (given.at.clock, given.at.mono, given.sha256) == (CLOCK, 7 * 10**9, digest("We record you."))
    assert given.scopes == {name: name == "record" for name in map(str, ConsentScope)}
    assert page.parts["station"] is None
    assert page.parts["screen"]["microphone"]
    await page.do("Withdrew", erase=True)
    assert not page.parts["screen"]["microphone"]


async def test_a_take_is_confirmed_and_only_then_forgotten(bench: Bench) -> None:
    page, wizard = await begun(bench)
    await page.speak("T1", PCM)
    assert bench.recordings.sealed["T1", "s"] == PCM
    (confirmed,) = page.orders_of("confirmed")
    assert (confirmed["take"], confirmed["samples"]) == ("T1", len(PCM) // 2)
    assert page.acknowledged() == ["T1-p", "T1-started", "T1-r", "T1-stopped"]
    assert page.parts["screen"]["phase"] == Phase.WORKING
    pressed = wizard.state.takes["T1"].pressed
    assert pressed is not None
    assert (pressed.clock, pressed.mono) == (CLOCK, 10**9)


def test_a_busy_moment_of_a_page_does_not_move_its_clock() -> None:
    here = ManualClock("hub")
    clock = PageClock(here, Stamp(CLOCK, 0, 0))
    clock.measured(-1_000_000, 50_000)
    clock.measured(-40_000_000, 36_000_000)
    assert clock.monotonic_ns() == 1_000_000
    here.advance(600)
    clock.measured(-2_000_000, 100_000)
    assert clock.monotonic_ns() == here.monotonic_ns() + 2_000_000


async def test_what_was_lost_on_the_way_is_asked_for_again(bench: Bench) -> None:
    page, _ = await begun(bench)
    await page.speak("T1", PCM, lost=True)
    assert page.orders_of("confirmed") == []
    (wanted,) = page.orders_of("resend")
    assert (wanted["take"], wanted["ranges"]) == ("T1", [[0, len(PCM) // 2]])
    await page.sound("T1", 0, PCM)
    await bench.settle()
    assert len(page.orders_of("confirmed")) == 1


async def test_ten_minutes_without_a_network_are_made_up_for(bench: Bench) -> None:
    page, wizard = await begun(bench)
    await page.connection.closed("no network")
    bench.clock.advance(600)
    await bench.settle()
    again = PipedPage(bench)
    takes = [f"T{number}" for number in range(8)]
    again.open()
    await again.say({"m": "hello", "token": "t-subject", "desk": "page", "at": moment(600), "takes": takes})
    for take in takes:
        await again.speak(take, PCM, lost=True)
    for order in list(again.orders_of("resend")):
        await again.sound(order["take"], 0, PCM)
    await bench.settle()
    assert sorted(order["take"] for order in again.orders_of("confirmed")) == takes
    assert {take for take, _ in bench.recordings.sealed} == set(takes)
    assert again.closed == ""
    assert [take for take, known in wizard.state.takes.items() if known.complete] == takes


async def test_everything_told_twice_counts_once_and_is_acknowledged_twice(bench: Bench) -> None:
    page, _ = await begun(bench)
    await page.do("Called", name="d-call", seconds=3)
    await page.speak("T1", PCM)
    again = await PipedPage(bench).connect(takes=["T1"])
    await again.do("Called", name="d-call", seconds=3)
    await again.speak("T1", PCM)
    assert again.acknowledged() == ["d-call", "T1-p", "T1-started", "T1-r", "T1-stopped"]
    assert len(facts(bench, e.ExperimenterCalled)) == len(facts(bench, e.RecordingStopped)) == 1


async def test_what_a_page_says_at_once_waits_until_its_gateway_knows_the_story(bench: Bench) -> None:
    await begun(bench)
    page = PipedPage(bench)
    page.wire.clear()
    await page.connect()
    await page.do("Solved", name="d1", solution="Take the train.")
    assert page.wire[0] == '{"m":"welcome"}'
    assert [fact.solution for fact in facts(bench, e.SolutionDeclared)] == ["Take the train."]  # type: ignore[union-attr]


async def test_a_press_of_which_no_sample_is_left_ends(bench: Bench) -> None:
    page, _ = await begun(bench)
    await page.report("T1-p", {"type": "TalkPressed", "at": moment(1), "take": "T1"})
    await page.connection.closed("killed")
    await PipedPage(bench).connect(takes=[])
    (stopped,) = facts(bench, e.RecordingStopped)
    assert stopped == e.RecordingStopped(at=stopped.at, take="T1", sealed=(), recovered=True)  # type: ignore[union-attr]


async def test_an_answer_is_shown_when_its_lines_have_been_painted(bench: Bench) -> None:
    page, wizard = await begun(bench)
    await page.do("Typed", text="nothing")  # not where one speaks
    await page.speak("T1", PCM)
    await wizard.give(
        c.Transcribe(id="c2", at=moment_of(), take="T1", text="two please"),
    )
    assert page.parts["screen"]["heard"] == "Understood: two please"
    await page.do("Understood", take="T1")
    assert len(facts(bench, e.TranscriptionShown)) == 1
    await wizard.give(c.SubmitQuery(id="q", at=moment_of(), take="T1", language=Language.SQL, text="rows 2"))
    await wizard.give(c.SendAnswer(id="c4", attempt="q", sha256=digest(answer_text(wizard.state, "q") or "")))
    turn = page.parts["turn:T1"]
    assert turn["question"] == "two please"
    (block,) = turn["blocks"]
    assert block["parts"] == [{"head": [["number"]], "rows": [["0"], ["1"]], "numeric": [True]}]
    assert facts(bench, e.ReplyShown) == []
    for _ in range(2):
        await page.do("LinesViewed", spans=[{"key": "T1", "first": 0, "last": 2}])
    (shown,) = facts(bench, e.ReplyShown)
    assert (shown.first, shown.last) == (0, 2)  # type: ignore[union-attr]


async def test_a_page_shows_words_for_codes_and_no_identifiers(bench: Bench) -> None:
    bench.database.run = lambda sql: rows_of(["flight_id", "airline_code"], [[101107, "UA"], [101108, "DL"]])  # type: ignore[method-assign]
    bench.database.readings = (ColumnReading(hidden=True), ColumnReading("airline", codes={"UA": "United"}))
    page, wizard = await begun(bench, expand_codes=True)
    await page.speak("T1", PCM)
    await wizard.give(c.Transcribe(id="c2", at=moment_of(), take="T1", text="two please"))
    await page.do("Understood", take="T1")
    await wizard.give(c.SubmitQuery(id="q", at=moment_of(), take="T1", language=Language.SQL, text="rows 2"))
    await wizard.give(c.SendAnswer(id="c4", attempt="q", sha256=digest(answer_text(wizard.state, "q") or "")))
    (block,) = page.parts["turn:T1"]["blocks"]
    assert block["parts"] == [{"head": [["airline"]], "rows": [["United"], ["DL"]], "numeric": [False]}]


async def test_an_operator_s_switch_has_the_page_record_as_soon_as_its_microphone_is_open(bench: Bench) -> None:
    page, wizard = await begun(bench, recording=RecordingControl.OPERATOR)
    await page.say({"m": "microphone", "open": False})
    await wizard.give(c.SwitchRecording(id="c5", at=moment_of(), on=True))
    assert page.orders_of("record") == []
    await page.say({"m": "microphone", "open": True})
    (ordered,) = page.orders_of("record")
    take = ordered["take"]
    started = {"type": "RecordingStarted", "at": moment(1), "take": take, "channels": [], "pre_roll": 0}
    await page.report(f"{take}-started", started)
    assert page.parts["screen"]["headline"] == ENGLISH[f"headline.{Phase.RECORDING}"]
    await wizard.give(c.SwitchRecording(id="c6", at=moment_of(), on=False))
    assert page.orders_of("stop") == [{"m": "stop", "take": take, "tail": True}]
    assert [type(fact) for fact in facts(bench, e.Event) if isinstance(fact, e.TalkPressed | e.TalkReleased)] == [
        e.TalkPressed,
        e.TalkReleased,
    ]


@pytest.mark.parametrize("token", ["t-wizard", "t-observer", "guessed"])
async def test_another_role_s_token_shows_nothing_at_all(bench: Bench, token: str) -> None:
    await bench.hub.open(SESSION, opened())
    page = await PipedPage(bench, token).connect()
    assert page.closed == ENGLISH["page.not_admitted"]
    assert page.wire == []


async def test_a_second_page_is_told_that_one_is_open(bench: Bench) -> None:
    await begun(bench)
    assert (await PipedPage(bench, desk="other").connect()).closed == ENGLISH["page.open_elsewhere"]


@pytest.mark.parametrize("site", ["over", "taken"])
async def test_an_address_of_a_session_that_is_not_there_is_not_read_as_a_reason_by_its_name(
    bench: Bench, site: str
) -> None:
    await bench.hub.open(SESSION, opened())
    page = await PipedPage(bench, session=f"{site}-20261121-1").connect()
    assert page.closed == ENGLISH["page.not_admitted"]


@pytest.mark.parametrize(
    "message",
    [
        {"m": "ping", "sent": 1},
        {"m": "deed", "id": "x", "at": moment(), "deed": {"type": "Called"}},
        {"m": "hello", "token": "t-subject", "desk": "../x", "at": moment()},
        {"m": "hello", "token": "t-subject", "desk": "page", "at": moment(), "role": "wizard"},
    ],
)
async def test_what_is_no_hello_is_refused(bench: Bench, message: dict[str, object]) -> None:
    await bench.hub.open(SESSION, opened())
    page = PipedPage(bench)
    page.open()
    await page.say(message)
    assert page.closed
    assert page.wire == []


def moment_of() -> Stamp:
    return Stamp("wiz-clock", 0, 0)


async def test_a_page_whose_session_is_served_elsewhere_is_not_told_by_what(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def elsewhere(name: str) -> None:
        raise SessionElsewhere(name)

    monkeypatch.setattr(bench.hub, "resume", elsewhere)
    page = await PipedPage(bench).connect()
    assert page.closed == "not now; try again"


async def test_a_browser_that_cannot_run_the_page_is_kept_and_told_to_the_consoles(bench: Bench) -> None:
    await bench.hub.open(SESSION, opened())
    wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
    for token in ("t-subject", "guessed"):
        page = PipedPage(bench)
        page.open()
        await page.say({"m": "unusable", "token": token})
        await bench.settle()
        assert page.closed
    told = [happened for happened in wizard.happened if isinstance(happened, DeskTurnedAway)]
    assert told == [DeskTurnedAway("subject", DeskRefusal.BROWSER), DeskTurnedAway("", DeskRefusal.TOKEN)]
    kept = [stored.event for stored in bench.store.read(links_stream(SESSION))]
    assert e.DeskRefused(role="subject", reason=DeskRefusal.BROWSER) in kept


async def test_a_page_that_says_more_than_its_hub_can_take_in_is_put_off(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "MOST_WAITING", 20)
    page, _ = await begun(bench)
    for number in range(40):
        event = {"type": "AudioTroubled", "at": moment(), "take": "", "trouble": "gap", "letter": "s", "detail": "x"}
        await page.say({"m": "report", "id": f"r{number}", "event": event})
    assert page.closed == "too much at once"
    again = await PipedPage(bench, desk="page").connect()
    assert again.closed == ""
