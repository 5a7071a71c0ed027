"""Completion codes: each subject's own, shown to her at the end, listed for the experimenter, and in nothing that goes out."""

import csv
import io
from contextlib import closing
from pathlib import Path
from typing import Any

from server.study_hub import DomainInformation
from session import commands as c
from session.collection.completion_codes import LENGTH, LETTERS, VERSIONS, completion_code, completion_codes
from session.collection.open_session import session_names
from session.protocol.messages import CompletionCode
from session.store.event_store import Store
from session.study.folder import load
from session.values.clock import ManualClock, stamp
from study.roster_command import RosterOptions, roster_command
from tests.corpus import withdrawal_lab
from tests.corpus.commands.withdrawals import exported
from tests.corpus.searching import holding
from tests.corpus.studies import fill, made_study
from tests.server.lobby_world import World, agreed, world_of
from tests.subject.browser.page import PipedPage
from tests.together.pipe import SESSION, PipedDesk


async def ended(world: World) -> tuple[PipedDesk, PipedDesk]:
    """A session that has ended, with its wizard's and its subject's desk."""
    await agreed(world)
    wizard = await PipedDesk(world.bench, "t-wizard", "wiz").connect()
    subject = await PipedDesk(world.bench, "t-subject", "sub").connect()
    await wizard.give(c.EndSession(id="e", reason="done"))
    return wizard, subject


def codes_told(desk: PipedDesk) -> list[str]:
    return [happening.code for happening in desk.happened if isinstance(happening, CompletionCode)]


def listed(world: World, **options: Any) -> list[dict[str, str]]:
    out, err = io.StringIO(), io.StringIO()
    given = RosterOptions(str(world.study.folder), codes=True, as_csv=True, **options)
    assert roster_command(given, world.bench.clock, out, err) == 0, err.getvalue()
    return list(csv.DictReader(io.StringIO(out.getvalue())))


async def test_each_subject_gets_a_code_of_her_own_that_the_roster_lists(tmp_path: Path) -> None:
    world = world_of(tmp_path, completion_codes=True)
    wizard, subject = await ended(world)
    (code,) = codes_told(subject)
    assert len(code) == LENGTH
    assert set(code) <= set(LETTERS)
    assert codes_told(wizard) == []
    await subject.cut()
    page = await PipedPage(world.bench).connect()  # she comes back, and elsewhere: it is the same one
    assert page.parts["screen"]["headline"].endswith(f"Your completion code is {code}.")
    (row,) = listed(world)
    assert (row["code"], row["session"], row["speaker"]) == (code, SESSION, "b01")
    assert listed(world, person="b02") == []
    assert code.encode() not in b"".join(str(record).encode() for record in world.bench.store.read(SESSION))
    await world.bench.close()


async def test_two_hubs_that_draw_at_the_same_moment_draw_one_code(tmp_path: Path) -> None:
    world = world_of(tmp_path, completion_codes=True)
    first, second = (DomainInformation(world.study, "", None, None, world.bench.clock) for _ in range(2))
    assert first.completion_code("lab-20261122-1") == second.completion_code("lab-20261122-1")
    assert first.completion_code("lab-20261122-2") != first.completion_code("lab-20261122-1")
    assert len(completion_codes(world.bench.store)) == 2
    await world.bench.close()


def test_an_export_holds_no_code(tmp_path: Path) -> None:
    study, said = made_study(tmp_path / "study"), withdrawal_lab.speaking(withdrawal_lab.STAYS, "show me fares")
    fill(study, said)
    with closing(Store(load(study).store_url, VERSIONS)) as store:
        (name,) = session_names(store)
        code = completion_code(store, name, stamp(ManualClock()))
    assert exported(study, tmp_path / "whole") == 0
    assert holding([tmp_path / "whole"], {code.encode()}) == set()
    assert holding([study], {code.encode()}) != set()


async def test_a_study_that_asks_for_none_draws_none(tmp_path: Path) -> None:
    world = world_of(tmp_path)
    _, subject = await ended(world)
    assert codes_told(subject) == []
    assert listed(world) == []
    await world.bench.close()
