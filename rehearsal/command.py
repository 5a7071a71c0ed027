"""`curtain rehearse`: a dry run of a study, or of the shipped one, with a page of figures at its end."""

import asyncio
import datetime
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from corpus.io.staging import Refused
from corpus.verify.rules.findings import Severity
from desk.quiet_stderr import c_stderr_to
from desk.theme import theme_for
from domain.database.build import DatabaseError
from operators.attendance import StudyMachines
from rehearsal.figures_page import page
from rehearsal.live_view import Screens
from rehearsal.script import play_of
from rehearsal.session_run import LeftEarly, RehearsalPlan, Rehearsed, Watcher
from rehearsal.waiting import StuckError
from session.audio.devices import DeviceError
from session.store.event_store import StoreUnavailable
from session.study.create import new
from session.study.folder import Study, load
from session.study.toml_reader import StudyError

FASTEST = 50.0
TRANSCRIBER = "rehearsal transcriber"


def rehearse_command(
    study: str,
    target: str,
    pace: float,
    watch: bool,
    out: TextIO,
    err: TextIO,
    *,
    machines: bool = False,
    condition: str = "",
    transcriber: bool = False,
) -> int:
    """Rehearse the study in folder `study` (empty: a new one of what ships) into folder `target` (empty: a dated one here);
    with `machines`, what its profile gives to machines is operated by them, otherwise by the scripted wizard. It is held
    under `condition`, or as the next subject's would be; with a `transcriber`, a second wizard types what is said.

    The page of figures and the corpus's path go to `out`, progress to `err`. 0 when the corpus has no finding of severity
    error, 1 when it has, 2 when the rehearsal could not be held: then the folder goes, as it does at an interrupt, unless the
    rehearsal got stuck.
    """
    if not 0 < pace <= FASTEST:
        err.write(f"--pace is above 0 and at most {FASTEST:g}, not {pace:g}\n")
        return 2
    folder = Path(target or f"rehearsal-{datetime.datetime.now().astimezone():%Y%m%d-%H%M%S}")
    try:
        own = load(Path(study)) if study else None
        folder.mkdir(parents=True)
    except FileExistsError:
        err.write(f"{folder} exists already; name another folder with --out\n")
        return 2
    except (StudyError, OSError) as error:
        err.write(f"the rehearsal could not be held: {error}\n")
        return 2
    try:
        with _gone_unless_held(folder):
            second = TRANSCRIBER if transcriber else ""
            rehearsed = _held(own or _shipped(folder), folder, pace, watch, err, machines, condition, second)
    except StuckError as error:
        err.write(f"the rehearsal could not be held: {error}; what there is of it is in {folder}\n")
        return 2
    except LeftEarly:
        err.write("the rehearsal was left before its end; nothing of it is kept\n")
        return 2
    except (StudyError, DatabaseError, StoreUnavailable, Refused, DeviceError, ValueError, OSError) as error:
        err.write(f"the rehearsal could not be held: {error}\n")
        return 2
    return _reported(rehearsed, folder, out, err)


@contextmanager
def _gone_unless_held(folder: Path) -> Iterator[None]:
    """Deletes the folder of a rehearsal that was interrupted or refused; where it got stuck, its events tell why."""
    try:
        yield
    except StuckError:
        raise
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _held(
    study: Study, folder: Path, pace: float, watch: bool, err: TextIO, machines: bool, condition: str, transcriber: str
) -> Rehearsed:
    script = play_of(study.domain_folder)

    def stage(told: TextIO, watcher: Watcher | None) -> RehearsalPlan:
        played_by = StudyMachines if machines else None
        return RehearsalPlan(
            study,
            script,
            folder / "corpus",
            pace,
            told,
            watcher,
            machines=played_by,
            condition=condition,
            transcriber=transcriber,
        )

    if not (watch and err.isatty() and sys.stdin.isatty()):
        return asyncio.run(stage(err, Screens(err) if watch else None).perform())
    from rehearsal.screens.watched import WatchedRehearsal  # here, so that a rehearsal without screens loads none

    app = WatchedRehearsal(lambda told, watcher: stage(told, watcher).perform(), theme_for(os.environ))
    with c_stderr_to(folder / "rehearsal.log"):
        app.run()
    return app.outcome


def _shipped(folder: Path) -> Study:
    new(folder / "study")
    return load(folder / "study")


def _reported(rehearsed: Rehearsed, folder: Path, out: TextIO, err: TextIO) -> int:
    text = page(rehearsed)
    (folder / "figures.txt").write_text(text, encoding="utf-8")
    out.write(text)
    for finding in rehearsed.report.findings:
        if finding.severity is Severity.ERROR:
            err.write(f"{finding.path}:{finding.line}: {finding.rule}: {finding.message}\n")
    out.write(f"\nThe corpus is in {folder / 'corpus'}\n")
    return 1 if rehearsed.report.count(Severity.ERROR) else 0
