"""The doctor says what would go wrong, and what to do about it."""

import io
from pathlib import Path

import pytest

from rehearsal.checkup import CheckLevel, disk, study
from rehearsal.doctor import doctor_command, hub
from session.hub.connection import connection_factory
from session.study.create import new
from session.study.shipped_texts import foreign_texts
from session.transport.websocket import Address, HubServer
from session.values.clock import SystemClock
from tests.together.pipe import SESSION, Bench, admit


def test_a_study_in_order_is_fine_and_a_broken_one_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    new(folder)
    assert [finding.what for finding in study(folder) if finding.level is not CheckLevel.FINE] == [
        "consent",
        "metadata",
    ]
    consent = folder / "consent.txt"
    consent.write_text(
        consent.read_text().replace("[Name, address and telephone number of the person responsible]", "Me")
    )
    stated = (
        'title = "t"\ndescription = "d"\nlicence = "CC-BY-4.0"\ncontact = "a@b.org"\ncreators = [{name = "Doe, Jo"}]\n'
    )
    stated += 'keywords = ["k"]\nfunding = "f"\nethics = "e"\ncitation = "c"\n'
    with (folder / "study.toml").open("a") as file:
        file.write(f"\n[metadata]\n{stated}")
    assert {finding.level for finding in study(folder)} == {CheckLevel.FINE}
    whole = consent.read_text()
    consent.write_text(whole.replace("{pre_roll_ms}", "few"))
    [untold] = [finding for finding in study(folder) if finding.level is not CheckLevel.FINE]
    assert "does not name the 300 ms" in untold.found
    consent.write_text(whole)
    (folder / "study.toml").write_text("site = 1")
    (broken,) = study(folder)
    assert broken.level is CheckLevel.FAULT
    assert "study.toml" in broken.found


def test_a_word_that_the_recogniser_will_never_know_is_told_before_a_session(tmp_path: Path) -> None:
    pytest.importorskip("pocketsphinx")
    folder = tmp_path / "study"
    new(folder, profile="SRI")
    (folder / "domain" / "requests.txt").write_text("fly to łódź on monday\n", "utf-8")
    [word] = [finding for finding in study(folder) if finding.what == "recogniser"]
    assert word.level is CheckLevel.WARNING
    assert word.found.startswith("'łódź' is not in the dictionary")
    (folder / "domain" / "pronunciations.dict").write_text("łódź W UH JH\n", "utf-8")
    assert not [finding for finding in study(folder) if finding.what == "recogniser"]


def test_a_solution_set_that_nobody_can_be_judged_by_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    new(folder, profile="SRI")
    for name, sql in {
        "wrong": "SELECT nothing FROM nowhere",
        "nobody": "SELECT city_code FROM city WHERE city_code = 'none'",
        "anybody": "SELECT flight_id FROM flight",
        "bound-later": "SELECT city_code FROM city WHERE city_name = '{A}'",
    }.items():
        head = f'id = "{name}"\ntitle = "x"\nkind = "problem"\ntext = "Go."\n'
        blank = '[placeholders]\nA = ""\n' if "{A}" in sql else ""
        (folder / "scenarios" / f"{name}.toml").write_text(f'{head}{blank}[solution]\nsql = "{sql}"\n')
    found = [finding.found for finding in study(folder) if finding.what == "scenarios"]
    left_out, wrong, anybody, nobody = sorted(line for line in found if "interview" not in line)
    assert left_out == "bound-later is left out: the machine that leads the visit has nothing for A"
    assert wrong.startswith("the solution query of wrong fails: ")
    assert anybody.startswith("the solution set of anybody has ")
    assert nobody == "the solution set of nobody has 0 rows"


def test_sound_that_has_not_come_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    new(folder)
    out = io.StringIO()
    assert doctor_command(str(folder), False, (), out, io.StringIO()) == 0
    (folder / "recordings" / "lab-20260101-1").mkdir(parents=True)
    assert "sessions, every chain intact" in out.getvalue()


def test_the_disk_is_measured_in_hours_of_sound(tmp_path: Path) -> None:
    room, speed = disk(tmp_path)
    assert "hours of sound" in room.found
    assert "safe after" in speed.found


async def test_a_hub_is_found_without_taking_a_place_in_its_session() -> None:
    import asyncio

    bench = Bench()
    clock = SystemClock("hub")
    served = await HubServer(connection_factory(bench.hub, admit, clock), clock).start("127.0.0.1", 0, None)
    address = Address("127.0.0.1", served.port, SESSION, "t-subject", tls=False)
    finding = await asyncio.to_thread(hub, address)
    assert "answers after" in finding.found
    await served.close()
    gone = await asyncio.to_thread(hub, address)
    assert gone.level is CheckLevel.FAULT
    await bench.close()


def test_an_address_that_is_none_is_the_calls_fault() -> None:
    err = io.StringIO()
    assert doctor_command("ws://nowhere", False, (), io.StringIO(), err) == 2
    assert "port" in err.getvalue()


def test_the_doctor_names_what_a_change_of_language_has_left_in_english(tmp_path: Path) -> None:
    folder = new(tmp_path / "study").folder
    settings = folder / "study.toml"
    settings.write_text(settings.read_text().replace('language = "en"', 'language = "de-AT"'))
    (folder / "consent.txt").write_text("Einwilligung")
    [finding] = [finding for finding in study(folder) if finding.what == "texts"]
    assert finding.level is CheckLevel.WARNING
    assert "instructions.txt" in finding.found
    assert "scenarios/practice.toml" in finding.found
    assert "consent.txt" not in finding.found
    assert "curtain new --language de" in finding.remedy
    assert set(foreign_texts(new(tmp_path / "es", language="es").folder, "en").values()) == {"es"}
