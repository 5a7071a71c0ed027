"""Which tests a run has settled: they pass, and ask for nothing that the machine may have more of, or less, in a later run.

CI's first run of all tests writes their names (`CURTAIN_SETTLED=FILE`), and its last leaves them out (`CURTAIN_LEAVE_OUT=FILE`).
Left over is what was skipped, draws its cases, asks how thorough it should be, looks for a program or for PortAudio, or starts
a process, which may do so unseen. Where a fixture did, it did for every test of its file.
"""

import multiprocessing.process
import os
import shutil
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import is_hypothesis_test

from session.audio import devices
from tests import THOROUGH

SETTLED, LEAVE_OUT = "CURTAIN_SETTLED", "CURTAIN_LEAVE_OUT"
ASKED = "asked"
ASKING: tuple[tuple[Any, str], ...] = (
    (subprocess.Popen, "__init__"),
    (multiprocessing.process.BaseProcess, "start"),
    (os, "fork"),
    (os, "posix_spawn"),
    (os, "system"),
    (shutil, "which"),
    (devices, "load_portaudio"),
)


class Settling:
    """Watches the tests of a process, and gathers in the one that leads what all of them report."""

    def __init__(self, written: Path) -> None:
        self._written = written
        self._asked = False
        self._passed: set[str] = set()
        self._left: set[str] = set()
        self._files_left: set[str] = set()
        THOROUGH.when_asked = self.ask
        for owner, name in ASKING:
            setattr(owner, name, self._told(getattr(owner, name)))

    def ask(self) -> None:
        """Note that the test at work asked for what may be otherwise in a later run."""
        self._asked = True

    def _told(self, function: Callable[..., object]) -> Callable[..., object]:
        def telling(*arguments: Any, **named: Any) -> object:
            self.ask()
            return function(*arguments, **named)

        return telling

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send with what a test reports whether it asked; the processes of a run share nothing else."""
        report = yield
        drawn = call.when == "call" and is_hypothesis_test(getattr(item, "obj", None))
        if self._asked or drawn:
            report.user_properties.append((ASKED, True))
        self._asked = False
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather what each of a test's three parts reports: setup, call and teardown."""
        if report.when == "call" and report.passed:
            self._passed.add(report.nodeid)
        if (ASKED, True) in map(tuple, report.user_properties) or not report.passed:
            self._left.add(report.nodeid)
            if report.when != "call" and not report.skipped:
                self._files_left.add(report.nodeid.partition("::")[0])

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the names, in the process that leads."""
        if not hasattr(session.config, "workerinput"):
            names = [name for name in self._passed - self._left if name.partition("::")[0] not in self._files_left]
            self._written.write_text("".join(f"{name}\n" for name in sorted(names)), "utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Watch where a run is asked to."""
    if written := os.environ.get(SETTLED):
        config.pluginmanager.register(Settling(Path(written)), "settling")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what an earlier run has settled, where a run is asked to."""
    if not (named := os.environ.get(LEAVE_OUT)):
        return
    settled = {*Path(named).read_text("utf-8").splitlines()}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in settled])
    items[:] = [item for item in items if item.nodeid not in settled]
