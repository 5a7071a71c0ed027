"""The people of a study by pseudonym, and who they are somewhere else."""

import csv
import io
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pyrage
import pytest

from rehearsal.checkup import CheckLevel
from rehearsal.checkup import study as checked_study
from session import events as e
from session.collection.erase_speaker import erase
from session.collection.open_session import assigned
from session.collection.roster import people_of
from session.study.settings import Speaker
from session.values.clock import Stamp, SystemClock
from study.design_command import design_command
from study.invite_command import InviteOptions, invite_command
from study.roster_command import RosterOptions, roster_command
from tests.study.worlds import END_TO_END, World

FORM = """
title = "About you"
[[item]]
id = "native_language"
text = "Your first language"
kind = "text"
[[item]]
id = "sex"
text = "Sex"
choices = ["f", "m", "x"]
[[item]]
id = "age"
text = "Age"
kind = "text"
"""
CLOCK = SystemClock("roster")


class People:
    """A roster and the command that keeps it."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder / "study", END_TO_END)
        self.study = self.world.study
        (self.study.folder / "demographics.toml").write_text(FORM)
        (folder / "keys").mkdir()
        self.file, self.key = folder / "people.age", folder / "keys" / "people.key"
        self.who: dict[str, Any] = {"identities": str(self.file), "key": str(self.key)}

    def call(self, expected: int = 0, **options: Any) -> str:
        out, err = io.StringIO(), io.StringIO()
        given = RosterOptions(str(self.study.folder), **options)
        assert roster_command(given, CLOCK, out, err) == expected, err.getvalue()
        return out.getvalue() + err.getvalue()

    def rows(self) -> dict[str, dict[str, str]]:
        return {row["speaker"]: row for row in csv.DictReader(io.StringIO(self.call(as_csv=True)))}


@pytest.fixture
def people(tmp_path: Path) -> People:
    return People(tmp_path)


def test_everybody_from_the_invitation_to_the_end(people: People) -> None:
    ids = [people.call(invite=True).strip() for _ in range(4)]
    pilot = people.call(invite=True, pilot=True).strip()
    people.call(person=ids[0], answers=("native_language=Danish", "sex=f", "age=31"), appointment="2026-11-25 10:00")
    roster = people_of(people.world.store)
    plan = people.world.plan(ids[0], people=roster)
    assert (plan.opened.speaker.sex, plan.opened.speaker.age) == ("f", 31)
    assert people.world.plan(people=roster).opened.speaker.id not in roster
    trial = people.world.plan(pilot, people=roster).opened
    assert (trial.pilot, trial.assignment and trial.assignment.slot) == (True, 0)

    people.world.come(ids[0], scenarios=4)
    scopes = {"record": True, "publish_audio": False}
    given = e.ConsentGiven(at=Stamp("s", 1, 1), version="0", sha256="0" * 64, scopes=scopes)
    people.world.put("lab-20261121-1", given, after=10)
    people.world.come(ids[1], scenarios=1)
    people.call(person=ids[1], drop="moved away")
    found = people.rows()
    assert [found[one]["status"] for one in ids] == ["finished", "dropped out: moved away", "invited", "invited"]
    assert found[ids[0]]["appointments"] == "2026-11-25 10:00"
    assert "native_language=Danish" in found[ids[0]]["details"]
    assert "publish_audio" not in found[ids[0]]["consent"]
    assert found[ids[0]]["ask_again"] == "now: agreed to version 0, it is 1"
    assert found[pilot]["kind"] == "pilot"
    assert "pilots, which never count: 1 invited" in people.call()
    usage, left = people.world.store.usage, [ids[1]]
    again = assigned(people.study, usage, Speaker(id=ids[2]), production=True, left=left)
    assert again == usage.assignments()[ids[1]]

    erase(people.study, people.world.store, ids[0], [], CLOCK)
    gone = people.rows()[ids[0]]
    assert (gone["status"], gone["details"], gone["appointments"]) == ("withdrew", "", "")
    assert b"Danish" not in (people.study.folder / "collection.sqlite").read_bytes()
    assert "has withdrawn" in people.call(2, person=ids[0], drop="x")
    for roster in (None, people_of(people.world.store)):  # type: ignore[assignment]
        with pytest.raises(ValueError, match=f"speaker {ids[0]} has withdrawn"):
            people.world.plan(ids[0], people=roster)


def test_of_who_came_without_an_invitation_more_is_said_and_her_slot_is_given_again(people: People) -> None:
    came = people.world.come(scenarios=1)
    who = came.speaker.id
    people.call(person=who, appointment="2026-11-28 09:00")
    people.call(person=who, drop="moved away")
    row = people.rows()[who]
    assert (row["status"], row["appointments"], row["sessions"]) == ("dropped out: moved away", "2026-11-28 09:00", "1")
    following = people.world.plan(people=people_of(people.world.store)).opened
    assert following.speaker.id != who
    assert came.assignment is not None
    assert following.assignment is not None
    assert following.assignment.slot == came.assignment.slot
    other = people.world.come(scenarios=1).speaker.id
    erase(people.study, people.world.store, other, [], CLOCK)
    assert f"speaker {other} has withdrawn" in people.call(2, person=other, drop="x")


def test_who_they_are_lies_outside_the_study_and_meets_nothing_else(people: People) -> None:
    ann: dict[str, Any] = {"name": "Ann Example", "contact": "ann@example.org"}
    first = people.call(invite=True, **people.who, **ann).strip()
    assert "as speaker 001" in people.call(2, invite=True, **people.who, **ann)
    assert list(people.rows()) == [first]
    assert people.call(write_to=True, **people.who) == "Ann Example <ann@example.org>\n"
    identity = pyrage.x25519.Identity.from_str(people.key.read_text().splitlines()[1])
    assert b"ann@example.org" in pyrage.decrypt(people.file.read_bytes(), [identity])
    assert b"ann@example.org" not in people.file.read_bytes()
    assert (people.file.stat().st_mode & 0o777, people.key.stat().st_mode & 0o777) == (0o600, 0o600)
    for path in people.study.folder.rglob("*"):
        assert not path.is_file() or b"ann@example.org" not in path.read_bytes()
    inside = str(people.study.folder / "people.age")
    assert "would be in the study" in people.call(2, invite=True, identities=inside, key=str(people.key), **ann)
    people.call(forget=True, person=first, **people.who)
    assert people.call(write_to=True, **people.who) == ""


def test_nobody_is_written_to_who_does_not_agree_or_has_withdrawn(people: People) -> None:
    names = ("Ann", "Ben", "Cid", "Dee", "Eve")
    ids = {
        name: people.call(invite=True, **people.who, name=name, contact=f"{name}@example.org").strip() for name in names
    }
    for number, (name, agreed) in enumerate({"Ann": True, "Ben": False, "Cid": True}.items(), start=1):
        people.world.come(ids[name], scenarios=1)
        given = e.ConsentGiven(at=Stamp("s", 1, 1), version="1", sha256="0" * 64, scopes={"contact": agreed})
        session = f"lab-20261121-{number}"
        people.world.put(session, given, after=len(people.world.store.read(session)))
    people.world.come(ids["Dee"], scenarios=1)  # a form without that box
    erase(people.study, people.world.store, ids["Cid"], [], CLOCK)
    assert people.call(write_to=True, **people.who).splitlines() == [
        "Ann <Ann@example.org>",
        "Eve <Eve@example.org>",
        "left out 2 of 5: no consent to be contacted (`contact` on the consent form)",
        "left out 1 of 5: withdrawn; --forget removes the entry",
    ]
    assert people.call(write_to=True, person=ids["Eve"], **people.who) == "Eve <Eve@example.org>\n"
    for name, why in {"Ben": "no consent to be contacted", "Cid": "withdrawn"}.items():
        told = people.call(2, write_to=True, person=ids[name], **people.who)
        assert told.startswith(f"speaker {ids[name]} is not to be written to: {why}")
        assert "example.org" not in told


def invited(people: People, speaker: str) -> str:
    out, err = io.StringIO(), io.StringIO()
    options = InviteOptions(study=str(people.study.folder), until="2126-12-24", person=speaker, at="https://h.example")
    assert invite_command(options, CLOCK, out, err) == (0 if "/join#" in out.getvalue() else 2)
    return err.getvalue()


def test_nobody_is_written_to_or_invited_who_wants_everything_erased(people: People) -> None:
    ann = people.call(invite=True, **people.who, name="Ann", contact="ann@example.org").strip()
    assert invited(people, ann) == ""
    people.world.come(ann, scenarios=1)
    stamp = Stamp("s", 1, 1)
    given = e.ConsentGiven(at=stamp, version="1", sha256="0" * 64, scopes={"contact": True})
    people.world.put("lab-20261121-1", given, e.WithdrawalRequested(at=stamp, erase=True), after=4)
    assert people.call(write_to=True, **people.who).startswith("left out 1 of 1: everything of her is to be erased")
    assert "everything of her is to be erased" in invited(people, ann)
    erase(people.study, people.world.store, ann, [], CLOCK)
    assert f"speaker {ann} is not to be invited: withdrawn" in invited(people, ann)


def test_who_does_not_want_to_be_contacted_is_invited_to_a_visit_that_she_agreed_to_and_to_no_other(
    people: People,
) -> None:
    ben = people.call(invite=True).strip()
    people.world.come(ben, scenarios=1)
    given = e.ConsentGiven(at=Stamp("s", 1, 1), version="1", sha256="0" * 64, scopes={"contact": False})
    people.world.put("lab-20261121-1", given, after=4)
    told = invited(people, ben)
    assert "not to be invited: no consent to be contacted" in told
    assert f"curtain roster --person {ben} --appointment" in told
    people.call(person=ben, appointment="2026-12-01 10:00")
    assert invited(people, ben) == ""


def test_what_cannot_be_entered_is_refused_with_the_place(people: People) -> None:
    people.call(invite=True, person="001")
    for said, options in {
        "on the roster already": {"invite": True, "person": "001"},
        "is not on the roster": {"person": "002", "drop": "x"},
        "did you mean `age`": {"person": "001", "answers": ("agee=3",)},
        "is one of f, m, x": {"person": "001", "answers": ("sex=w",)},
        "write YYYY-MM-DD HH:MM": {"person": "001", "appointment": "tomorrow"},
        "is not of this site": {"invite": True, "person": "zzz"},
        "name it with --identities": {"invite": True, "name": "Ann"},
    }.items():
        assert said in people.call(2, **options)  # type: ignore[arg-type]
    assert list(people.rows()) == ["001"]


def test_a_roster_that_was_edited_by_hand_is_one_error_wherever_it_counts(people: People) -> None:
    folder = people.study.folder
    person = people.call(invite=True).strip()
    assert "say why the person dropped out" in people.call(expected=2, person=person, drop=" ")
    people.call(person=person, drop="gone")
    people.world.store.close()
    with closing(sqlite3.connect(folder / "collection.sqlite")) as link, link:
        link.execute("DROP TRIGGER payloads_update")
        assert (
            link.execute("UPDATE payloads SET payload = replace(payload, 'gone', 'back') WHERE seq = 2").rowcount == 1
        )
    wanted = f"the roster of speaker {person} was edited by hand: roster/{person}: event 2 holds another payload"
    assert people.call(expected=2).startswith(wanted)
    out, err = io.StringIO(), io.StringIO()
    assert design_command(str(folder), as_csv=False, out=out, err=err) == 2
    assert (out.getvalue(), err.getvalue()[: len(wanted)]) == ("", wanted)
    (found,) = [finding for finding in checked_study(folder) if finding.what == "store"]
    assert found.level is CheckLevel.FAULT
