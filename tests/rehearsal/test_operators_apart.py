"""SRI held with each of its machines a process of its own, at a hub over the network; two of them fail in the middle."""

import asyncio
import importlib.util
import io
import os
import shlex
import signal
import sys
from asyncio.subprocess import DEVNULL, Process
from pathlib import Path

import pytest

from corpus.formats.log.file import parse
from corpus.verify.rules.findings import Severity
from operators.attendance import StudyMachines
from rehearsal.session_run import RehearsalPlan as Stalls
from rehearsal.waiting import Waiting
from server.hub_command import machine_commands
from server.study_hub import StudyHub
from session.hub.session_actor import SessionActor
from session.study.folder import Study, load
from session.values.clock import Clock
from session.values.vocabulary import Role, Stage
from subject.desk import SubjectDesk
from tests import ROOT, SECONDS, THOROUGH
from tests.rehearsal.short_play import SHORT
from tests.rehearsal.unpractised import unpractised
from tests.subject.bench import LoudnessDetector
from wizard.core.stage_hands import stage_banners
from wizard.desk import WizardDesk

MACHINES = 'recognition = "apart"\nunderstanding = "apart"\nresponse = "apart"\n'


def apart(folder: Path) -> Study:
    """SRI without practice, of one scenario, its machines to come in from elsewhere."""
    made = unpractised(folder, "SRI")
    settings = made.folder / "study.toml"
    settings.write_text(f"{settings.read_text()}\n[machines]\n{MACHINES}")
    path = made.folder / "profiles" / "SRI.toml"
    limits = "\nmax_scenarios = 1\noperator_deadline_s = 120\ndescription"  # a busy machine is slow, not lost
    path.write_text(path.read_text().replace("\ndescription", limits, 1))
    return load(made.folder)


class Apart(StudyMachines):
    """Each machine by the command that the hub prints for it, and what befalls it: the interpreter is killed after the first
    reply, the recogniser stopped after the second, until the third."""

    def __init__(self, study: Study, clock: Clock, database_url: str, onlooker: "Onlooker") -> None:
        super().__init__(study, clock, database_url)
        self._at_work: dict[Role, Process] = {}
        self._waiting = onlooker.waiting = Waiting("what befalls the machines", clock)

    async def attend(self, hub: StudyHub, session: SessionActor) -> None:
        commands = dict(machine_commands(hub, session.name, ""))
        try:
            for role in (Role.RECOGNISER, Role.INTERPRETER):
                await self._start(role, commands[role])
            await self._waiting.until("two machines", lambda: len(session.state.stages) == len(self._at_work))
            await self._start(Role.RESPONDER, commands[Role.RESPONDER])  # which starts the scenario
            await self._replies(session, 1)
            self._at_work[Role.INTERPRETER].kill()
            await self._replies(session, 2)
            await self._start(Role.INTERPRETER, commands[Role.INTERPRETER])
            os.kill(self._at_work[Role.RECOGNISER].pid, signal.SIGSTOP)
            await self._replies(session, 3)
            os.kill(self._at_work[Role.RECOGNISER].pid, signal.SIGCONT)
            await asyncio.Event().wait()
        finally:
            for process in self._at_work.values():
                if process.returncode is None:
                    process.kill()
                await process.wait()

    async def _start(self, role: Role, command: str) -> None:
        _, *rest = shlex.split(command)
        program = [sys.executable, str(ROOT / "curtain.py")]
        self._at_work[role] = await asyncio.create_subprocess_exec(*program, *rest, stdout=DEVNULL, stderr=DEVNULL)

    async def _replies(self, session: SessionActor, count: int) -> None:
        await self._waiting.until(f"reply {count}", lambda: len(session.state.replies) >= count)


class Onlooker:
    """Keeps what the console of somebody who looks on has said about the machines."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.waiting: Waiting | None = None
        self._wizard: WizardDesk | None = None

    async def seated(self, subject: SubjectDesk, wizard: WizardDesk, clock: Clock) -> None:
        self._wizard = wizard

    def changed(self) -> None:
        if self._wizard is not None:
            found = [text for _, text in stage_banners(self._wizard.console.state, Role.OBSERVER, "")]
            self.told += [text for text in found if text not in self.told[-1:]]
        if self.waiting is not None:
            self.waiting.changed()


@pytest.mark.recogniser
@pytest.mark.skipif(
    "PYTEST_XDIST_WORKER" in os.environ, reason="its deadlines need the machine to themselves: -m recogniser"
)
@pytest.mark.skipif(
    not THOROUGH or importlib.util.find_spec("pocketsphinx") is None, reason=f"needs pocketsphinx, and {SECONDS}"
)
def test_sri_goes_on_when_machines_in_processes_of_their_own_are_killed_and_stopped(tmp_path: Path) -> None:
    onlooker = Onlooker()
    stage = Stalls(
        apart(tmp_path / "study"),
        SHORT,
        tmp_path / "corpus",
        1.0,
        io.StringIO(),
        onlooker,
        lambda rate: LoudnessDetector(),
        machines=lambda study, clock, url: Apart(study, clock, url, onlooker),
    )
    done = asyncio.run(stage.perform())
    assert done.report.count(Severity.ERROR) == 0
    [path] = (path for path in (tmp_path / "corpus").glob("*/*/*/*.log") if path.parts[-4] != "doc")
    log = parse(path.read_bytes(), str(path))
    assert log.get("Mode") == "recognition=machine understanding=machine database=machine response=machine"
    assert log.get("Deception") == "no"
    engines = {record.get("Stage"): record.get("Engine") for record in log.records("Stage_assigned")}
    assert engines == {"recognition": "pocketsphinx", "understanding": "english", "response": "rows"}
    troubles = [(record.get("Stage"), record.get("Trouble_of_operator")) for record in log.records("Operator_troubled")]
    assert troubles.count((Stage.UNDERSTANDING, "died")) == troubles.count((Stage.RECOGNITION, "died")) == 1
    assert (Stage.UNDERSTANDING, "late") in troubles, "it is told of each utterance that it was without its machine"
    assert (Stage.RECOGNITION, "late") in troubles
    replies = list(log.records("Answer_returned"))
    assert [record.by for record in replies] == ["responder", "hub", "hub"]
    assert [record.get("Canned_message") for record in replies[1:]] == ["unable", "unable"]
    assert "THE MACHINE OF UNDERSTANDING IS GONE: the connection broke off." in onlooker.told
    assert "THE MACHINE OF RECOGNITION IS GONE: it no longer answers." in onlooker.told
