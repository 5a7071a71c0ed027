"""Checks before a session, so that nothing goes wrong in it: one check per thing that a session needs, each with what was found
and a remedy."""

import os
import re
import shutil
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

import msgspec

from corpus.formats.errors import counted
from domain.database.build import DatabaseError
from domain.database.solution_set import MEANINGFUL, solution_query
from domain.query_backend import Backend
from domain.sandbox.sandbox import Sandbox
from operators.attendance import ready_voices
from operators.engines import check, unlearnt
from server.study_hub import study_database
from session.collection.open_session import GIGABYTE, fullness, session_names
from session.collection.take_archive import lasting_archive
from session.hub.reply_voice import VoiceError
from session.rules.stage_holding import leads
from session.store.event_store import UNREADABLE, Store, StoreUnavailable
from session.study.folder import Study, load
from session.study.screen_words import languages, primary
from session.study.settings import APART
from session.study.shipped_texts import foreign_texts
from session.study.toml_reader import StudyError
from session.values.answers import QueryFailure
from session.values.sanitize import inert
from session.values.vocabulary import RecordingControl
from study.backup_command import last_backup

HOUR_OF_SOUND = 16_000 * 2 * 3600
LEAST_HOURS = 10
SLOW_SYNC_S = 0.05
EARLIEST_YEAR = 2025
UNFINISHED = re.compile(r"\[[A-Z][^\]]{10,}\]")


VOICE_TRIAL = "This is the voice of the system."
BACKUP_DAYS = 7
NEARLY_FULL = 0.9
"""A copy that is older is told of."""


class CheckLevel(StrEnum):
    """Severity of a finding."""

    FINE = "fine"
    WARNING = "warning"
    FAULT = "fault"


class CheckFinding(msgspec.Struct, frozen=True):
    """One thing that was looked at; `remedy` is what to do when it is not fine."""

    what: str
    level: CheckLevel
    found: str
    remedy: str = ""


def machine() -> Iterator[CheckFinding]:
    """Python, terminal and clock."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    yield CheckFinding(
        "python", CheckLevel.FINE if sys.version_info >= (3, 11) else CheckLevel.FAULT, version, "install 3.11 or newer"
    )
    yield _terminal()
    year = time.gmtime().tm_year
    resolution = time.get_clock_info("monotonic").resolution
    fine = year >= EARLIEST_YEAR and resolution <= 0.001
    yield CheckFinding(
        "clock",
        CheckLevel.FINE if fine else CheckLevel.FAULT,
        f"the year is {year}, the monotonic clock ticks every {resolution * 1e9:.0f} ns",
        "set the clock; a session's name and stamps are taken from it",
    )


def _terminal() -> CheckFinding:
    if not sys.stdout.isatty():
        return CheckFinding("terminal", CheckLevel.WARNING, "this is not a terminal", "run it on the desk's machine")
    size = shutil.get_terminal_size()
    if size.columns < 80 or size.lines < 24:
        return CheckFinding(
            "terminal", CheckLevel.FAULT, f"{size.columns} × {size.lines}", "make the window 80 × 24 or larger"
        )
    if "utf" not in (sys.stdout.encoding or "").lower():
        return CheckFinding(
            "terminal", CheckLevel.WARNING, f"encoding {sys.stdout.encoding}", "set LANG to a UTF-8 locale"
        )
    return CheckFinding("terminal", CheckLevel.FINE, f"{size.columns} × {size.lines}, {sys.stdout.encoding}")


def disk(folder: Path) -> Iterator[CheckFinding]:
    """Room for sound, and how long a write takes to be safe."""
    hours = shutil.disk_usage(folder).free / HOUR_OF_SOUND
    level = CheckLevel.FINE if hours >= LEAST_HOURS else CheckLevel.FAULT if hours < 1 else CheckLevel.WARNING
    yield CheckFinding("disk", level, f"room for {hours:,.0f} hours of sound", "free some space")
    try:
        took = _sync_time(folder)
    except OSError as error:
        yield CheckFinding(
            "disk", CheckLevel.FAULT, f"{folder} cannot be written: {error.strerror}", "look at its permissions"
        )
        return
    yield CheckFinding(
        "disk",
        CheckLevel.FINE if took < SLOW_SYNC_S else CheckLevel.WARNING,
        f"a write is safe after {took * 1000:.1f} ms",
        "keep the study on a local disk: every event waits for this",
    )


def _sync_time(folder: Path) -> float:
    times = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(5):
            began = time.perf_counter()
            file.write(bytes(640))
            file.flush()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - began)
    return statistics.median(times)


def study(folder: Path) -> Iterator[CheckFinding]:
    """The study folder, its store and its domain database."""
    try:
        found = load(folder)
    except StudyError as error:
        yield CheckFinding("study", CheckLevel.FAULT, str(error), "mend the file")
        return
    there = [found.in_domain(name) for name in found.held_domains]
    count = sum(len(one.scenarios) for one in there)
    yield CheckFinding("study", CheckLevel.FINE, f"{count} scenarios, profile {found.profile.name}")
    yield from _voice(found)
    if UNFINISHED.search(found.consent_text):
        remedy = "put name, address and telephone number of the person responsible into consent.txt"
        yield CheckFinding("consent", CheckLevel.WARNING, "the consent text still has a place to be filled in", remedy)
    if _pre_roll_untold(found):
        remedy = "put {pre_roll_ms} into consent.txt: speech before the press is recorded too"
        problem = f"the consent text does not name the {found.profile.pre_roll_ms} ms that are kept from before a press"
        yield CheckFinding("consent", CheckLevel.WARNING, problem, remedy)
    for problem, remedy in found.untrue_instructions():
        yield CheckFinding("instructions", CheckLevel.FAULT, problem, remedy)
    if foreign := foreign_texts(folder, found.settings.language):
        tag = found.settings.language
        others = f" or take them from a study that `curtain new --language {primary(tag)}` makes"
        remedy = f"translate them{others if primary(tag) in languages() else ''}"
        problem = f"the study's language is {tag}, and these are as they ship in another: {', '.join(foreign)}"
        yield CheckFinding("texts", CheckLevel.WARNING, problem, remedy)
    yield _metadata(found)
    for one in there:
        yield from _machines(one)
        yield from _left_out(one)
        yield from _database(one)
    yield from _store(found)
    yield from _archive(found)
    yield _backup(found)


def _metadata(found: Study) -> CheckFinding:
    """Return whether the study states enough of its corpus."""
    stated = found.settings.metadata
    remedy = f"write it under [metadata] of {found.folder / 'study.toml'}, before the protocol is frozen"
    if stated.lacking:
        problem = (
            f"no {', '.join(stated.lacking)}: the corpus cannot be cited or licensed, and a centre will not release it"
        )
        return CheckFinding("metadata", CheckLevel.WARNING, problem, remedy)
    if stated.unsaid:
        return CheckFinding("metadata", CheckLevel.WARNING, f"no {', '.join(stated.unsaid)}", remedy)
    return CheckFinding("metadata", CheckLevel.FINE, f"{inert(stated.title)}, {stated.licence}")


def _machines(found: Study) -> Iterator[CheckFinding]:
    """The machines that the profile needs, one finding each stage."""
    try:
        stages = check(found)
    except StudyError as error:
        remedy = "follow its advice; until then the hub refuses to start"
        yield CheckFinding("machines", CheckLevel.FAULT, str(error), remedy)
        return
    for stage, engine in stages.items():
        who = "a machine that connects by `curtain operate`" if engine == APART else engine
        yield CheckFinding("machines", CheckLevel.FINE, f"{stage} is operated by {who}")


def _backup(found: Study) -> CheckFinding:
    last = last_backup(found.folder)
    if last is None and not any(found.recordings.glob("[!.]*")):
        return CheckFinding("backup", CheckLevel.FINE, "nothing was collected yet")
    if last is None:
        remedy = f"curtain backup {found.folder} DEST, DEST on another disk; it may be called while sessions run"
        return CheckFinding("backup", CheckLevel.WARNING, "there is no copy of this study", remedy)
    days = (time.time() - last.at_ns / 1e9) / 86_400
    level = CheckLevel.WARNING if days > BACKUP_DAYS else CheckLevel.FINE
    return CheckFinding(
        "backup", level, f"the last copy, in {last.where}, is {days:.0f} days old", "call curtain backup again"
    )


def _left_out(found: Study) -> Iterator[CheckFinding]:
    """Return the scenarios that are never started if a machine leads."""
    if leads(found.profile):
        for scenario in found.scenarios.values():
            if unbound := scenario.unbound({}):
                problem = (
                    f"{scenario.id} is left out: the machine that leads the visit has nothing for {', '.join(unbound)}"
                )
                remedy = (
                    f"give {', '.join(unbound)} a default under [placeholders] of {scenario.id}, or have people lead"
                )
                yield CheckFinding("scenarios", CheckLevel.WARNING, problem, remedy)


def _pre_roll_untold(found: Study) -> bool:
    profile = found.profile
    keeps = profile.consent and profile.pre_roll_ms > 0 and profile.recording is not RecordingControl.TYPED
    return keeps and str(profile.pre_roll_ms) not in found.consent_text


def _store(found: Study) -> Iterator[CheckFinding]:
    try:
        store = Store(found.store_url)
    except StoreUnavailable as error:
        yield CheckFinding("store", CheckLevel.FAULT, str(error), "correct `store` in study.toml")
        return
    try:
        names = session_names(store)
        problems = [problem for info in store.streams() for problem in store.verify(info.stream)]
        stale = store.check_folds()
        unconfirmed = sum(_unconfirmed(store, found, name) for name in names)
        full = fullness(found, store.usage)
    except UNREADABLE as error:
        yield CheckFinding(
            "store", CheckLevel.FAULT, str(error), "do not collect into it; restore a copy or ask for help"
        )
        return
    finally:
        store.close()
    yield CheckFinding(
        "store",
        CheckLevel.FAULT if problems else CheckLevel.FINE,
        problems[0] if problems else f"{counted(len(names), 'session')}, every chain intact",
        "do not collect into it; restore a copy",
    )
    if stale:
        summary = f"{stale[0]} ({counted(len(stale), 'finding')})"
        yield CheckFinding("folds", CheckLevel.FAULT, summary, f"curtain sessions {found.folder} --check puts it right")
    if full:
        yield _quota(*full)
    if unconfirmed:
        yield CheckFinding(
            "recordings",
            CheckLevel.WARNING,
            f"{unconfirmed} channels of earlier sessions have not reached this machine",
            "start the subject's desk of that session once more: it still has them",
        )


def _quota(kept: int, allowed: int) -> CheckFinding:
    """Return how far the study's recordings are from what `recordings_at_most_gb` allows."""
    said = f"{kept / GIGABYTE:.3g} of {allowed / GIGABYTE:.3g} GB are used"
    level = CheckLevel.FINE if kept < NEARLY_FULL * allowed else CheckLevel.WARNING
    level = level if kept < allowed else CheckLevel.FAULT
    return CheckFinding("quota", level, said, "raise `recordings_at_most_gb` in study.toml before no session is opened")


def _archive(found: Study) -> Iterator[CheckFinding]:
    """Write, read and delete a file on the study's object storage; nothing if recordings stay in its folder."""
    url = found.settings.recordings
    try:
        if archive := lasting_archive(url):
            began = time.perf_counter()
            archive.trial(found.folder / ".trial")
            took = time.perf_counter() - began
            yield CheckFinding(
                "recordings", CheckLevel.FINE, f"{url} takes, returns and deletes a file in {took:.1f} s"
            )
    except (StudyError, OSError) as error:
        remedy = "correct the address, the keys in the environment or the network: until then no take is confirmed"
        yield CheckFinding("recordings", CheckLevel.FAULT, str(error), remedy)


def _voice(found: Study) -> Iterator[CheckFinding]:
    """Have each of the study's voices speak a sentence; nothing if nothing is spoken."""
    try:
        there = [found.in_domain(name) for name in found.held_domains]
        for voice in (voice for one in there for voice in ready_voices(one).ready.values()):
            began = time.perf_counter()
            sound = voice.sound(VOICE_TRIAL)
            took = time.perf_counter() - began
            told = f"{sound.engine} {sound.version}, a first sentence after {took:.1f} s"
            yield CheckFinding("voice", CheckLevel.FINE, told)
            if voice.missing:
                lacking = f"not recorded: {', '.join(voice.missing)}"
                yield CheckFinding("voice", CheckLevel.WARNING, lacking, f"{sound.engine} speaks them, or record them")
    except (StudyError, VoiceError) as error:
        yield CheckFinding("voice", CheckLevel.FAULT, str(error), "see docs/how-to/answer-by-voice.md")


def _unconfirmed(store: Store, found: Study, name: str) -> int:
    """Channels that the hub has begun to receive and not sealed."""
    folder = found.recordings / name
    return len(list(folder.glob("*.part"))) if folder.is_dir() else 0


def _database(found: Study) -> Iterator[CheckFinding]:
    began = time.perf_counter()
    try:
        database = study_database(found)
        backend = Backend(database.url, database.version, None)
        try:
            objections = backend.sandbox.findings()
            tables = backend.sandbox.schema().tables
            unsolved = list(solution_findings(found, backend.sandbox))
        finally:
            backend.sandbox.close()
    except (DatabaseError, QueryFailure, ValueError) as error:
        yield CheckFinding(
            "database", CheckLevel.FAULT, str(error), "correct `database` in study.toml, or the domain's folder"
        )
        return
    took = time.perf_counter() - began
    yield CheckFinding("database", CheckLevel.FINE, f"{database.version}, {len(tables)} tables, ready in {took:.1f} s")
    for objection in objections:
        yield CheckFinding("database", CheckLevel.WARNING, objection, "see docs/how-to/prepare-a-domain.md")
    yield from unsolved
    with suppress(StudyError):  # told with the machines
        for problem in unlearnt(found, database.url):
            yield CheckFinding("recogniser", CheckLevel.WARNING, problem, "else it is never recognised")


def solution_findings(found: Study, sandbox: Sandbox) -> Iterator[CheckFinding]:
    """The solution sets that no subject could be judged by; those with a city to be bound are known in the session only."""
    for scenario in found.scenarios.values():
        if scenario.solution is None or scenario.unbound({}):
            continue
        try:
            rows = len(sandbox.run(solution_query(scenario, {})).rows)
        except QueryFailure as failure:
            problem = f"the solution query of {scenario.id} fails: {failure}"
        else:
            if 0 < rows <= MEANINGFUL:
                continue
            problem = f"the solution set of {scenario.id} has {counted(rows, 'row')}"
        if scenario.solution.explanation:
            problem += f" (meant: {scenario.solution.explanation})"
        yield CheckFinding(
            "scenarios",
            CheckLevel.WARNING,
            problem,
            f"correct [solution] in the file of {scenario.id}; see docs/how-to/prepare-a-domain.md",
        )


def network() -> CheckFinding:
    """Return whether a hub can listen on this machine at all."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            return CheckFinding(
                "network", CheckLevel.FINE, f"loopback answers (port {server.getsockname()[1]} was free)"
            )
    except OSError as error:
        return CheckFinding(
            "network", CheckLevel.FAULT, f"no port can be opened: {error.strerror}", "look at firewall and limits"
        )
