"""`curtain operate URL --stage STAGE --engine NAME`: a machine that operates a stage from another machine than the hub's."""

import asyncio
import contextlib
from contextlib import closing
from pathlib import Path
from typing import TextIO

import msgspec

from domain.database.build import DatabaseError
from operators.desk import ROLE_OF, MachineFactory, operate_apart
from operators.engines import ENGINES, machine
from operators.interpreter import MODEL
from server.study_hub import study_database
from session.state.fold import fold
from session.store.event_store import UNREADABLE, Store
from session.study.folder import Study, load
from session.study.toml_reader import StudyError
from session.transport.websocket import Address
from session.values.clock import SystemClock
from session.values.names import ulid
from session.values.vocabulary import Stage


class OperateOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `curtain operate`: the stage, the engine that operates it (empty: the only one), and the study folder
    from which a recogniser learns the domain, and which names the model that understands."""

    stage: str
    engine: str = ""
    study: str = ""


def operate_command(url: str, options: OperateOptions, err: TextIO) -> int:
    """Operate a stage of the session at `url` until Ctrl-C. 0 after that, 2 when the call is at fault."""
    try:
        stage = Stage(options.stage)
        if stage not in ROLE_OF:
            raise ValueError(f"--stage {stage}: the hub itself does that; name {', '.join(ROLE_OF)}")
        address = Address.parse(url)
        study = of_session(load(Path(options.study)), address.session) if options.study else None
        make = _made(stage, options.engine, study)
    except (StudyError, DatabaseError, ValueError, OSError) as error:
        err.write(f"{error}\n")
        return 2

    def notify(line: str) -> None:
        err.write(f"{line}\n")
        err.flush()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(operate_apart(address, SystemClock(f"machine-{ulid(0)[-8:]}"), make, notify))
    return 0


def of_session(study: Study, session: str) -> Study:
    """Return the study in the domain of a session; raises StudyError if it has several and its store does not say which."""
    if len(study.held_domains) == 1:
        return study
    try:
        with closing(Store(study.store_url)) as store:
            opened = fold(store.read(session)).opened
    except UNREADABLE as error:
        raise StudyError(
            f"{study.folder} has several domains, and its store cannot say which is meant: {error}"
        ) from error
    if opened is None:
        raise StudyError(
            f"{study.folder} has several domains, and its store knows no session {session}, which would say which is meant"
        )
    return study.in_domain(opened.protocol.domain)


def _made(stage: Stage, engine: str, study: Study | None) -> MachineFactory:
    if stage is Stage.UNDERSTANDING and not engine:
        known = " or ".join(f"--engine {name}" for name in ENGINES[stage])
        raise StudyError(f"--stage {stage}: name the engine: {known}")
    if engine == MODEL and (study is None or study.settings.engine is None):
        raise StudyError(f"--engine {engine}: name the study whose [engine] says which model it is: --study STUDY")
    url = study_database(study).url if study is not None and stage is Stage.RECOGNITION else ""
    return machine(stage, engine or ENGINES[stage][0], study, url)
