"""The plays that ship, as drills: whoever answers what was asked is right, in other columns than the play's own as well."""

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from domain.sandbox.sandbox import Sandbox
from rehearsal.script import play_of
from rehearsal.training.drill import drill_of_play
from rehearsal.training.turn_judging import is_right
from server.study_hub import study_database
from session.study.create import new
from session.study.folder import load

BOTH = """ FROM flight f JOIN airport_service s1 ON s1.airport_code = f.from_airport
JOIN city c1 ON c1.city_code = s1.city_code JOIN airport_service s2 ON s2.airport_code = f.to_airport
JOIN city c2 ON c2.city_code = s2.city_code """
ANSWERS = {
    "air_travel": {
        "which-airline": (
            "SELECT DISTINCT f.airline_code, f.flight_id" + BOTH + "WHERE c1.city_name = 'DENVER' AND c2.city_name = 'ATLANTA'",
            "SELECT airline_code FROM airline",
        ),
        "limousine-atlanta": (
            "SELECT * FROM ground_service WHERE city_code = 'AATL' AND transport_type = 'LIMOUSINE'",
            "SELECT * FROM ground_service WHERE city_code = 'AATL' AND transport_type <> 'LIMOUSINE'",
        ),
        "time-zone": (
            "SELECT time_zone_code, city_code, city_name FROM city WHERE city_name = 'SALT LAKE CITY'",
            "SELECT city_code, city_name FROM city WHERE city_name = 'SALT LAKE CITY'",
        ),
        "rental-cars": (
            "SELECT city_code, ground_fare FROM ground_service WHERE transport_type = 'RENTAL CAR'",
            "SELECT city_code, ground_fare FROM ground_service WHERE transport_type = 'AIR TAXI OPERATION'",
        ),
    },
    "personnel": {
        "department": ("SELECT employee_id, job_title FROM employee WHERE department = 45", "SELECT employee_id FROM employee"),
        "average": (
            "SELECT AVG(salary) FROM employee WHERE department = 45 AND city = 'DALLAS'",
            "SELECT AVG(salary) FROM employee",
        ),
    },
}  # fmt: skip


@pytest.mark.parametrize("domain", ANSWERS)
def test_what_answers_the_question_is_right_in_the_drill_that_ships(tmp_path: Path, domain: str) -> None:
    new(tmp_path / "study", domain=domain)
    study = load(tmp_path / "study")
    play = play_of(study.domain_folder)
    with closing(Sandbox(study_database(study).url)) as sandbox:
        drill = drill_of_play(study, play, sandbox, lambda line: np.zeros(1, np.int16))
        lines = {line.speech: line for act in drill.acts for line in act.lines}
        for name, (good, bad) in ANSWERS[domain].items():
            wanted = lines[name].reference
            assert wanted is not None
            assert [is_right(wanted, sandbox.run(sql)) for sql in (good, bad)] == [True, False], name
        turns = {turn.speech: turn for act in play.scenario for turn in act.turn}
        for name, line in lines.items():
            own = [ask.sql for ask in turns[name].ask if ask.sql and not (ask.fails or ask.empty)]
            if line.reference is not None and own:
                assert is_right(line.reference, sandbox.run(own[-1])), f"{name}: what the play itself sends"
