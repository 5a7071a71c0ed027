"""A short play over the real hub, socket, capture path, database, export and verification."""

import asyncio
import io
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TextIO

import msgspec
import numpy as np
import pytest
from textual.pilot import Pilot

from corpus.commands.sessions import SessionsOptions, sessions_command
from corpus.release.exports_log import recorded
from corpus.verify.rules.findings import Severity
from desk.recording_player import Player
from rehearsal import replay
from rehearsal.figures_page import page
from rehearsal.live_view import Screens
from rehearsal.recorded_session import recorded as seen_again
from rehearsal.replay import frames, replay_command
from rehearsal.screens.replayed import SPEEDS, ReplayedSession
from rehearsal.screens.session_timeline import SessionTimeline
from rehearsal.screens.watched import WatchedRehearsal
from rehearsal.script import Script, shipped_script
from rehearsal.session_run import RehearsalPlan, Rehearsed, speech
from rehearsal.training.train_command import chosen_drill
from rehearsal.training.turn_judging import is_right
from session import events as e
from session.audio.fake import FileLoudspeaker
from session.hub.history import links_stream
from session.protocol.links import DeskLink, FactReceived, LinkEvent
from session.state.fold import SessionState, fold
from session.store.event_store import Store
from session.study.create import new
from session.study.folder import load
from session.study.toml_reader import StudyError
from session.transport.address import Address
from session.values.answers import Table
from session.values.clock import SECOND, Clock, ManualClock
from session.values.vocabulary import Role
from session.visibility import project
from subject.desk import SubjectDesk
from tests.rehearsal.short_play import SHORT, whole_line_is_in
from tests.rehearsal.unpractised import unpractised
from wizard.desk import WizardDesk


class Rehearsal:
    def __init__(
        self,
        folder: Path,
        done: Rehearsed,
        seen: list[tuple[SessionState, SessionState]],
        wire: bytes,
    ) -> None:
        self.folder, self.done, self.seen, self.wire = folder, done, seen, wire


class Onlooker:
    """Keeps what the desks knew after every change."""

    def __init__(self, seen: list[tuple[SessionState, SessionState]]) -> None:
        self._seen = seen

    async def seated(self, subject: SubjectDesk, wizard: WizardDesk, clock: Clock) -> None:
        self._desks = subject, wizard

    def changed(self) -> None:
        subject, wizard = self._desks
        self._seen.append((wizard.console.state, subject.terminal.state))


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    folder = tmp_path_factory.mktemp("rehearsal")
    study = unpractised(folder / "study")
    seen: list[tuple[SessionState, SessionState]] = []
    stage = RehearsalPlan(study, SHORT, folder / "corpus", 10.0, io.StringIO(), Onlooker(seen))
    wire: list[bytes] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(DeskLink, "receive", recording(wire))
        done = asyncio.run(stage.perform())
    return Rehearsal(folder, done, seen, b"\n".join(wire))


def recording(wire: list[bytes]) -> Callable[[DeskLink, str | bytes], list[LinkEvent]]:
    """`DeskLink.receive` that keeps every frame which reaches the subject's desk."""
    receive = DeskLink.receive

    def received(link: DeskLink, frame: str | bytes) -> list[LinkEvent]:
        if link._clock.name == "subject":
            wire.append(frame if isinstance(frame, bytes) else frame.encode())
        return receive(link, frame)

    return received


def test_every_kind_of_turn_ends_as_it_was_played(rehearsal: Rehearsal) -> None:
    state = fold(rehearsal.done.facts)
    takes = list(state.takes.values())
    assert [take.number for take in takes] == [None, 1, 2]
    assert takes[0].discarded
    assert all(take.confirmed for take in takes)
    assert state.runs[0].solution == "done"
    assert [state.attempts[name].failure is None for name in takes[1].attempts] == [False, True]
    assert [reply.text for reply in state.replies.values()] == [
        "cities: 46",
        "No information is available on the weather.",
    ]


def test_the_corpus_has_no_error_and_says_that_it_is_a_rehearsal(rehearsal: Rehearsal) -> None:
    assert rehearsal.done.report.count(Severity.ERROR) == 0
    assert "manifest.rehearsal" in {finding.rule for finding in rehearsal.done.report.findings}
    opened = rehearsal.done.facts[0].event
    assert isinstance(opened, e.SessionOpened)
    assert (opened.rehearsal, opened.pace) == (True, 10.0)


def test_what_is_transcribed_in_the_rehearsed_corpus_is_known_to_the_study(rehearsal: Rehearsal) -> None:
    assert [made.where for made in recorded(rehearsal.folder / "study")] == [
        str((rehearsal.folder / "corpus").resolve())
    ]


def test_a_session_and_its_export_are_the_same_drill(rehearsal: Rehearsal) -> None:
    study = load(rehearsal.folder / "study")
    drills = [
        chosen_drill(study, name)
        for name in (rehearsal.done.session, f"{rehearsal.folder / 'corpus'}:{rehearsal.done.session}")
    ]
    for drill in drills:
        [act] = drill.acts
        asked, told = act.lines
        assert (act.scenario.common, act.solution, drill.turns, drill.first(1).turns) == (True, "done", 2, 1)
        assert (asked.said, told.said, told.canned) == ("which meals are snacks", "the weather", "no-information")
        assert asked.reference is not None
        assert is_right(asked.reference, Table(("n", "more"), ((46, "x"),)))
        assert not is_right(asked.reference, Table(("n",), ((47,),)))
        assert len(drill.sound(asked.speech)) > 16_000
    assert (
        drills[0].sound(drills[0].acts[0].lines[0].speech) == drills[1].sound(drills[1].acts[0].lines[0].speech)
    ).all()
    with pytest.raises(StudyError, match="has no session 'lab-1'; "):
        chosen_drill(study, "lab-1")


def test_what_was_spoken_is_in_the_waveform_to_the_sample(rehearsal: Rehearsal) -> None:
    (path,) = rehearsal.folder.glob("corpus/spon/*/1/*011ss.wav")
    whole_line_is_in(path, "snacks")


def test_the_subjects_screen_never_showed_what_was_hidden(rehearsal: Rehearsal) -> None:
    assert rehearsal.seen
    for _, subject in rehearsal.seen:
        troubles = msgspec.json.encode(subject, enc_hook=dict)
        for hidden in (b"a private thought", b"SELECT", b"Oz", b"BBN-89", b"corrected"):
            assert hidden not in troubles


def test_the_subjects_wire_holds_no_rewording_no_query_and_no_note(rehearsal: Rehearsal) -> None:
    facts = [recorded.event for recorded in rehearsal.done.facts]
    hidden = [fact.text for fact in facts if isinstance(fact, e.QuerySubmitted | e.NoteWritten)]
    hidden += [fact.sql for fact in facts if isinstance(fact, e.QueryReturned)]
    hidden += [fact.message for fact in facts if isinstance(fact, e.QueryFailed)]
    assert len(hidden) == 5
    assert b"No information is available on the weather." in rehearsal.wire
    for text in [*hidden, "Oz", "wizard", "BBN-89", "corrected"]:
        assert msgspec.json.encode(text)[1:-1] not in rehearsal.wire, text


def test_the_personnel_domain_brings_its_own_play(tmp_path: Path) -> None:
    study = new(tmp_path / "study", domain="personnel")
    script = shipped_script(study.folder / "domain")
    practice, common, *_ = script.scenario
    short = Script(script.wizard, script.subject, (practice, msgspec.structs.replace(common, turn=common.turn[:1])))
    done = asyncio.run(RehearsalPlan(study, short, tmp_path / "corpus", 20.0, io.StringIO(), None).perform())
    assert done.report.count(Severity.ERROR) == 0
    returned = [recorded.event for recorded in done.facts if isinstance(recorded.event, e.QueryReturned)]
    assert [len(found.table.rows) for found in returned] == [1, 34]
    assert all(len(speech(turn.speech, study.folder / "domain")) > 8000 for act in script.scenario for turn in act.turn)


def test_the_page_of_figures_counts_what_happened(rehearsal: Rehearsal) -> None:
    figures = {line[:44].strip(): line[44:].strip() for line in page(rehearsal.done).splitlines()}
    assert figures["utterances"] == "2"
    assert figures["discarded, besides"] == "1"
    assert figures["queries that failed"] == "1"
    assert figures["samples in gaps"] == "0"
    assert figures["takes confirmed by the hub"] == "3 of 3"


async def test_who_watches_sees_the_screens_of_both_desks(rehearsal: Rehearsal, tmp_path: Path) -> None:
    facts, shown = rehearsal.done.facts, dict[str, str]()
    opened = next(fact.event for fact in facts if isinstance(fact.event, e.SessionOpened))

    async def held(told: TextIO, app: WatchedRehearsal) -> Rehearsed:
        clock = ManualClock("subject")
        here = Address.parse("ws://token@127.0.0.1:1/lab-20261121-1")
        subject = SubjectDesk(here, clock, tmp_path, [], app.changed)
        wizard = WizardDesk(here, clock, app.changed)
        await app.seated(subject, wizard, clock)
        for number, fact in enumerate(facts, start=1):
            wizard.console.receive(FactReceived(fact))
            if (known := project(fact, Role.SUBJECT, opened.protocol.profile, number)) is not None:
                subject.terminal.receive(FactReceived(known))
            if isinstance(fact.event, e.AnswerSent):
                break
        told.write("played")
        for pane in app.panes.values():
            await pane.painted()
        shown.update({name: pane.text for name, pane in app.panes.items()}, told=app.progress.text)
        await subject.close()
        return rehearsal.done

    app = WatchedRehearsal(held)
    await app.run_async(headless=True, size=(160, 45))
    assert app.outcome is rehearsal.done
    assert "cities: 46" in shown["subject"]
    assert "behind the curtain" not in shown["subject"]
    assert "Ask in English (behind the curtain)" in shown["wizard"]
    assert shown["told"].strip() == "played"


async def test_a_replay_shows_both_screens_and_plays_from_any_moment_on(rehearsal: Rehearsal) -> None:
    with closing(Store(load(rehearsal.folder / "study").store_url)) as store:
        links = store.read(links_stream(rehearsal.done.session))
    facts = list(rehearsal.done.facts)
    timeline = SessionTimeline(facts, links)
    loudspeaker, now = FileLoudspeaker(), [0.0]

    def later(seconds: float) -> None:
        now[0] += seconds
        app.tick()

    async def screens() -> tuple[str, str]:
        for pane in app.panes.values():
            await pane.painted()
        return app.panes["subject"].text, app.panes["wizard"].text

    async def played(pilot: Pilot[object]) -> None:
        await app.workers.wait_for_complete()
        await screens()
        assert all(pane.desk is not None and pane.desk.size == pane.room for pane in app.panes.values())
        spoken = timeline.sounds[0]
        while app.position <= spoken.begin:
            await pilot.press("right")
        assert "√ participant" in (await screens())[1]
        later(0.7)  # the loudspeaker has not gone on by itself: the sound is begun anew at its place
        assert abs(app._player.position - (app.position - spoken.begin) * spoken.rate // SECOND) <= 1
        loudspeaker.step(3)
        assert loudspeaker.heard().any()
        started = next(place for place, fact in enumerate(facts) if isinstance(fact.event, e.RecordingStarted))
        await app.go_to(timeline.times[started])
        assert "RECORDING" in (await screens())[0]
        await pilot.press("space")
        before = app.position
        later(60.0)
        assert (app.position, app._player.playing, app.bar.text[:8]) == (before, False, "■ paused")
        first = next(place for place, fact in enumerate(facts) if isinstance(fact.event, e.AnswerSent))
        await pilot.press("space", "plus")
        later((timeline.times[first] - app.position) / SECOND / 2 + 0.01)
        subject, wizard = await screens()
        assert "cities: 46" in subject
        assert "behind the curtain" not in subject
        assert "Ask in English (behind the curtain)" in wizard
        await app.go_to(before)  # time was turned back: the desks begin anew
        assert "cities: 46" not in (await screens())[0]
        await app.go_to(timeline.times[first])
        app.speed, passed = SPEEDS[-1], [mark for mark in timeline.marks if mark < timeline.times[first]]
        for mark in reversed(passed[-2:]):
            await pilot.press("left")
            assert app.position == mark
            later(0.3)  # at this speed the session is seconds past the mark again
        app.exit()

    app = ReplayedSession(
        timeline, lambda take: np.full(40_000, 8_000, np.int16), Player(lambda: loudspeaker), now=lambda: now[0]
    )
    await app.run_async(headless=True, size=(160, 45), auto_pilot=played)
    assert app.return_code == 0


async def test_a_loudspeaker_that_is_given_sound_ahead_is_in_step_when_it_is_heard(rehearsal: Rehearsal) -> None:
    timeline = SessionTimeline(list(rehearsal.done.facts), [])
    loudspeaker, now, spoken = FileLoudspeaker(), [0.0], timeline.sounds[0]
    loudspeaker.latency_ns = SECOND // 2

    async def played(_: Pilot[object]) -> None:
        await app.workers.wait_for_complete()
        await app.go_to(spoken.begin - 6 * SECOND // 5)
        app.tick()
        assert not app._player.playing
        now[0] += 0.5  # the loudspeaker has half a second in hand by now, and the picture has waited for it
        app.tick()
        assert app.position == spoken.begin - 6 * SECOND // 5
        now[0] += 0.4  # at this speed 0.4 s before the utterance, whose sound is given 1 s of the session ahead
        app.tick()
        assert app._player.playing
        assert abs(app._player.position - spoken.rate * 6 // 10) <= 1
        app.exit()

    sound = np.full(90_000, 8_000, np.int16)
    app = ReplayedSession(timeline, lambda take: sound, Player(lambda: loudspeaker), speed=2.0, now=lambda: now[0])
    await app.run_async(headless=True, size=(160, 45), auto_pilot=played)
    assert app.return_code == 0


def test_the_loudspeaker_of_a_replay_has_half_a_second_of_sound_in_hand(
    rehearsal: Rehearsal, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    opened: list[dict[str, object]] = []

    def loudspeaker(device: object, **options: Any) -> FileLoudspeaker:
        opened.append(options)
        os.write(2, b"ALSA lib: underrun\n")
        return FileLoudspeaker()

    def run(app: ReplayedSession) -> None:
        app._player.open()

    monkeypatch.setattr(replay, "SoundDeviceLoudspeaker", loudspeaker)
    monkeypatch.setattr(ReplayedSession, "run", run)
    replay._play(seen_again(rehearsal.folder / "corpus", rehearsal.done.session), 1.0)
    assert opened == [{"blocksize": 1600, "ahead": 0.5}]
    assert "ALSA" not in capfd.readouterr().err, "what sound libraries say does not get onto the screens"


def test_a_replay_ends_where_the_session_did(rehearsal: Rehearsal) -> None:
    *_, last = frames(list(rehearsal.done.facts))
    assert last.wizard == fold(rehearsal.done.facts)
    out = io.StringIO()
    assert replay_command(str(rehearsal.folder / "study"), rehearsal.done.session, 0, out, io.StringIO()) == 0
    assert "cities: 46" in out.getvalue()
    assert "which meals are snacks" in out.getvalue()


def test_a_replay_needs_the_corpus_alone(rehearsal: Rehearsal) -> None:
    corpus, name = rehearsal.folder / "corpus", rehearsal.done.session
    found = seen_again(corpus, name)
    state = fold(found.facts)
    sounds = {take.take: (len(found.sound(take.take)), take.sealed[0].samples) for take in state.takes.values()}
    numbered = {take.take for take in state.takes.values() if take.number}
    assert [heard for take, (heard, _) in sounds.items() if take not in numbered] == [0]
    assert len(numbered) == 2
    assert all(sounds[take][0] == sounds[take][1] for take in numbered)
    (was,) = [reply.text for reply in fold(rehearsal.done.facts).replies.values() if "cities: 46" in reply.text]
    assert was in {reply.text for reply in state.replies.values()}
    assert {one.name for one in SessionTimeline(found.facts, found.links).sounds} == set(sounds)
    out, err = io.StringIO(), io.StringIO()
    assert replay_command(str(corpus), name, 0, out, err) == 0
    assert "cities: 46" in out.getvalue()
    assert replay_command(str(corpus), "lab-20200101-1", 0, out, err) == 2
    assert f"has no session lab-20200101-1; it has 1: {name}" in err.getvalue()


def test_a_replay_of_nothing_says_what_there_is(rehearsal: Rehearsal) -> None:
    err = io.StringIO()
    assert replay_command(str(rehearsal.folder / "study"), "lab-20200101-1", 0, io.StringIO(), err) == 2
    assert "curtain sessions" in err.getvalue()


def test_the_list_of_sessions_has_the_rehearsal(rehearsal: Rehearsal) -> None:
    out = io.StringIO()
    assert sessions_command(SessionsOptions(str(rehearsal.folder / "study"), as_json=True), out, io.StringIO()) == 0
    (line,) = msgspec.json.decode(out.getvalue())["sessions"]
    assert (line["kind"], line["utterances"], line["answered"], line["unconfirmed"]) == ("rehearsal", 2, 2, 0)
    assert line["head"] == rehearsal.done.head


def test_watching_writes_both_screens_once_per_change(rehearsal: Rehearsal) -> None:
    stream = io.StringIO()
    screens = Screens(stream)
    wizard, subject = rehearsal.seen[-1]
    screens.show(wizard, subject)
    once = stream.getvalue()
    screens.show(wizard, subject)
    assert stream.getvalue() == once
    assert "SUBJECT" in once


def test_the_shipped_play_is_long_enough_and_its_speech_is_there() -> None:
    script = shipped_script()
    turns = [turn for act in script.scenario if act.kind != "practice" for turn in act.turn]
    assert sum(bool(turn.ask) and turn.canned is None for turn in turns) >= 15
    assert sum(act.kind != "practice" for act in script.scenario) >= 2
    assert any(turn.canned and any(turn.canned.blanks) for turn in turns)
    assert {bool(act.ends.declare) for act in script.scenario} == {True, False}
    assert all(len(speech(turn.speech)) > 8000 for act in script.scenario for turn in act.turn)
