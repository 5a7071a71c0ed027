"""A drill of two turns over the real hub, socket, capture path and database, played by a scripted wizard, wrong and right."""

import asyncio
import io
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from domain.sandbox.sandbox import Sandbox
from rehearsal.scripted_people import ScriptedWizard
from rehearsal.session_run import speech
from rehearsal.training.drill import Drill, DrillAct, DrillLine, drill_of_play
from rehearsal.training.drill_run import AGAIN, DrillRecord, DrillRun, drill_study
from rehearsal.training.recorded_drills import drill_of_corpus, drill_of_session
from rehearsal.training.train_command import TrainOptions, train_command
from rehearsal.waiting import Waiting
from server.study_hub import study_database
from session import events as e
from session.collection.drills import certified_wizards, drills_of
from session.collection.open_session import assigned, session_names
from session.state.fold import fold
from session.store.event_store import Store
from session.study.folder import Study, load
from session.study.settings import Speaker
from session.study.toml_reader import StudyError
from session.values.clock import ScaledClock, Stamp
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.sessions import whole_session
from tests.rehearsal.short_play import SHORT
from tests.rehearsal.unpractised import unpractised
from tests.study.worlds import World
from wizard.desk import WizardDesk

MARK = "\n[training]\nturns = 2\nreply_s = 60.0\n"


def trained(study: Study, drill: Drill, wizard: str, shown: list[list[str]]) -> None:
    """Hold the drill, the wizard played by the script."""

    async def hold() -> None:
        clock = ScaledClock("hub", 20.0)
        record = DrillRecord(study, drill, wizard, clock)

        async def feedback(number: int, lines: list[str]) -> None:
            shown.append(lines)

        run = DrillRun(study, drill, record, (clock, clock.named("subject")), feedback, 20.0)
        async with run.held() as (address, play):
            waits = Waiting("the wizard", clock)
            desk = WizardDesk(address, clock.named("wizard"), waits.changed)
            plays = ScriptedWizard(SHORT, desk.console, clock, waits, speech)
            tasks = [asyncio.ensure_future(desk.run()), asyncio.ensure_future(plays.play())]
            await asyncio.wait_for(play, 30)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            desk.close()
        record.end(whole=True)

    asyncio.run(hold())


def test_a_drill_is_scored_told_of_and_certifies_and_is_no_data(tmp_path: Path) -> None:
    made = unpractised(tmp_path / "study")
    with closing(sqlite3.connect(made.folder / "toy.sqlite")) as connection:
        connection.execute("CREATE TABLE city (name TEXT)")
    (made.folder / "domain" / "domain.toml").unlink()  # no English, which takes seconds to make ready
    text = (made.folder / "study.toml").read_text().replace('database = ""', 'database = "sqlite:///toy.sqlite"')
    (made.folder / "study.toml").write_text(text + MARK)
    study = load(made.folder)
    with closing(Sandbox(study_database(study).url)) as sandbox:
        drill = drill_of_play(study, SHORT, sandbox, speech)
    [act] = drill.acts
    wanted = [msgspec.structs.replace(line, said="which other meals are snacks") for line in act.lines[1:2]]
    harder = msgspec.structs.replace(
        drill, acts=(DrillAct(act.scenario, (act.lines[0], *wanted, *act.lines[2:]), act.solution),)
    )
    shown: list[list[str]] = []
    trained(study, harder, "Oz", shown)
    better = DrillRecord(study, drill, "Ada", ScaledClock("hub", 20.0))
    with closing(Store(study.store_url)) as store:
        [poor, unfinished] = drills_of(store)
    assert (unfinished.wizard, unfinished.whole) == ("Ada", False)
    for turn in poor.turns:
        better.played(msgspec.structs.replace(turn, errors=0))
    good = better.end(whole=True)
    with closing(Store(study.store_url)) as store:
        assert session_names(store) == []
    assert [len(poor.turns), poor.turns[0].errors, poor.turns[0].answer, poor.turns[1].canned] == [2, 1, True, True]
    assert (poor.passed, poor.missed, poor.slips) == (False, ("word_error 0.143, at most 0.1",), 0)
    assert set(poor.turns[0].seconds) >= {"transcribed", "asked", "sent"}
    assert (good.passed, good.missed) == (True, ())
    assert certified_wizards([poor, good]) == ("Ada",)
    assert "    typed  which meals are snacks" in shown[0]
    assert "√ Answer: right" in shown[0]
    assert "√ Canned message: no-information" in shown[1]
    out = io.StringIO()
    assert train_command(str(study.folder), TrainOptions(curve=True), out, io.StringIO()) == 0
    assert "1      " in out.getvalue()
    assert "Ada: 2 of 2 replies right, 100.0 % (34.2 to 100.0)" in out.getvalue()
    assert list((study.folder / "recordings").glob("*")) == []


@pytest.mark.parametrize("scope", ["record", "transcribe"])
def test_nobody_is_trained_on_somebody_who_may_not_be_studied(tmp_path: Path, scope: str) -> None:
    world = World(tmp_path / "study")
    opened = world.come(scenarios=1)
    name = "lab-20261121-1"
    with pytest.raises(StudyError, match="no utterance with sound"):
        drill_of_session(world.study, name)
    last = e.ConsentConfirmed(at=Stamp("s", 1, 1), version="1", sha256="0" * 64, scopes={scope: False})
    world.put(name, last, after=4)
    with pytest.raises(StudyError, match=f"session {name}: its speaker does not agree") as refused:
        drill_of_session(world.study, name)
    assert opened.speaker.id not in str(refused.value)


def test_a_line_that_is_spoken_again_is_told_of_and_not_counted(tmp_path: Path) -> None:
    study, script, clock = unpractised(tmp_path / "study"), whole_session(), ScaledClock("hub", 20.0)
    take = next(one for one in fold(script.facts).takes.values() if one.number)
    line = DrillLine(speech=take.take, said="show me flights")
    scenario = next(iter(study.scenarios.values()))
    drill = Drill("play", (DrillAct(scenario, (line,)),), speech)
    record, told = DrillRecord(study, drill, "Oz", clock), list[tuple[int, list[str]]]()

    async def feedback(number: int, lines: list[str]) -> None:
        told.append((number, lines))

    run = DrillRun(study, drill, record, (clock, clock), feedback)
    run._session = SimpleNamespace(name=script.session)  # type: ignore[assignment]
    run._store = SimpleNamespace(read=lambda name: script.facts)  # type: ignore[assignment]
    for _ in range(2):
        asyncio.run(run._on_turn(line, take.take))
    assert [number for number, _ in told] == [1, 1]
    assert told[1][1] == [AGAIN, *told[0][1]]
    assert len(record.end(whole=True).turns) == 1


def test_the_console_offers_the_scenarios_of_a_drill_in_their_order(tmp_path: Path) -> None:
    study = unpractised(tmp_path / "study")
    acts = tuple(DrillAct(one, ()) for one in [*study.scenarios.values()][3:0:-1])
    held = drill_study(study, Drill("play", acts, speech), tmp_path)
    with closing(Store("sqlite://")) as store:
        planned = assigned(held, store.usage, Speaker(id="001"), production=False)
    assert planned is not None
    assert planned.now.scenarios == tuple(act.scenario.id for act in acts)


def test_of_many_sessions_that_could_be_the_drill_the_first_are_named(tmp_path: Path) -> None:
    study = unpractised(tmp_path / "study")
    scripts = [session_of("bbn", f"8k{number}", number=number) for number in range(1, 6)]
    corpus = corpus_of(tmp_path / "corpus", *scripts)
    with pytest.raises(
        StudyError, match=rf"no session 'zz'; it has 5: {scripts[0].session}, .*, {scripts[2].session} …"
    ):
        drill_of_corpus(study, corpus, "zz")
    with pytest.raises(StudyError, match=f"did you mean `{scripts[3].session}`"):
        drill_of_corpus(study, corpus, f"{scripts[3].session}0")
