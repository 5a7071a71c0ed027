"""Rows of the clinic, the same for a seed on every machine; nobody in them exists.

python -m tests.domain.clinic.database clinic.sqlite
"""

import random
import sys
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

from tests.sqlite_files import fill

SCHEMA = """
CREATE TABLE department (department_id INTEGER PRIMARY KEY, name TEXT, building TEXT, floor INTEGER, phone TEXT);
CREATE TABLE specialty (specialty_code TEXT PRIMARY KEY, description TEXT);
CREATE TABLE doctor (doctor_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT,
  department_id INTEGER REFERENCES department, specialty_code TEXT REFERENCES specialty, hire_date DATE,
  consultation_fee NUMERIC);
CREATE TABLE nurse (nurse_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT,
  department_id INTEGER REFERENCES department, shift TEXT, hire_date DATE);
CREATE TABLE insurer (insurer_id INTEGER PRIMARY KEY, name TEXT, copay NUMERIC);
CREATE TABLE patient (patient_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, birth_date DATE, sex TEXT, town TEXT,
  insurer_id INTEGER REFERENCES insurer);
CREATE TABLE room (room_id INTEGER PRIMARY KEY, room_number TEXT, department_id INTEGER REFERENCES department, room_type TEXT,
  beds INTEGER);
CREATE TABLE appointment (appointment_id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patient,
  doctor_id INTEGER REFERENCES doctor, room_id INTEGER REFERENCES room, appointment_date DATE, start_time TEXT,
  duration_minutes INTEGER, status TEXT);
CREATE TABLE diagnosis (diagnosis_code TEXT PRIMARY KEY, description TEXT, is_chronic TEXT);
CREATE TABLE appointment_diagnosis (appointment_id INTEGER REFERENCES appointment, diagnosis_code TEXT REFERENCES diagnosis);
CREATE TABLE medication (medication_id INTEGER PRIMARY KEY, name TEXT, manufacturer TEXT, unit_price NUMERIC,
  prescription_required TEXT);
CREATE TABLE prescription (prescription_id INTEGER PRIMARY KEY, appointment_id INTEGER REFERENCES appointment,
  medication_id INTEGER REFERENCES medication, doses_per_day INTEGER, days INTEGER);
"""
DEPARTMENTS = (
    ("Cardiology", "North Wing", 2), ("Dermatology", "South Wing", 1), ("Neurology", "North Wing", 3),
    ("Orthopedics", "East Wing", 1), ("Pediatrics", "South Wing", 2), ("Radiology", "East Wing", 0),
    ("Oncology", "North Wing", 4),
)  # fmt: skip
SPECIALTIES = (
    ("CA", "heart surgery"), ("DE", "skin diseases"), ("NE", "epilepsy"), ("OR", "joint replacement"),
    ("PE", "child health"), ("RA", "imaging"), ("ON", "chemotherapy"), ("SP", "sports medicine"),
)  # fmt: skip
INSURERS = (("Alder Mutual", 10), ("Beacon Health", 20), ("Citizens Care", 0), ("Delmar Insurance", 35))
TOWNS = ("Ashford", "Brookfield", "Clayton", "Dunmore", "Easton", "Fairview")
FIRST = [
    "Alice", "Brian", "Carla", "Derek", "Elena", "Frank", "Grace", "Hector", "Irene", "Jonas", "Karen", "Luis", "Maria",
    "Nadia", "Oscar", "Paula", "Quentin", "Rosa", "Simon", "Tara", "Ulrich", "Vera", "Walter", "Yvonne",
]  # fmt: skip
LAST = [
    "Abbott", "Barnes", "Castillo", "Dawson", "Ekberg", "Foster", "Garner", "Hobbs", "Ingram", "Jarvis", "Keller", "Lowell",
    "Mercer", "Norris", "Osborne", "Pruitt", "Quigley", "Ramsey", "Sandoval", "Thorne", "Upton", "Vargas", "Whitlock",
    "Yates",
]  # fmt: skip
DIAGNOSES = (
    ("I10", "hypertension", "Y"), ("E11", "diabetes", "Y"), ("J45", "asthma", "Y"), ("L20", "eczema", "Y"),
    ("G43", "migraine", "N"), ("S82", "broken leg", "N"), ("J10", "influenza", "N"), ("M54", "back pain", "N"),
    ("I48", "atrial fibrillation", "Y"), ("C50", "breast cancer", "N"),
)  # fmt: skip
MEDICATIONS = (
    ("Lisinol", "Norvex", 12.5, "Y"), ("Metforol", "Norvex", 8, "Y"), ("Ventaire", "Halden Labs", 31, "Y"),
    ("Dermacalm", "Halden Labs", 15.25, "N"), ("Triptora", "Pallas Pharma", 44, "Y"), ("Paracet", "Pallas Pharma", 3, "N"),
    ("Tamivir", "Norvex", 52, "Y"), ("Ibufast", "Corvin", 4.5, "N"), ("Rhythmol", "Corvin", 27, "Y"),
)  # fmt: skip
STATUSES = ("completed", "completed", "completed", "cancelled", "scheduled", "missed")
ROOM_TYPES = ("examination", "treatment", "surgery", "waiting")


def build(path: Path, seed: int = 1989) -> str:
    """Make the database at `path`, which must not exist; gives its URL."""
    return fill(path, SCHEMA, _rows(random.Random(seed)))


def _rows(rng: random.Random) -> Mapping[str, Sequence[tuple[object, ...]]]:
    def day(first: date, days: int) -> str:
        return (first + timedelta(days=rng.randrange(days))).isoformat()

    people = [(first, last) for first in FIRST for last in LAST]
    rng.shuffle(people)
    doctors = [(n, *people.pop(), 1 + n % 7, SPECIALTIES[n % 8][0], day(date(1995, 1, 1), 9000), 60 + 5 * rng.randrange(30))
               for n in range(1, 29)]  # fmt: skip
    nurses = [(n, *people.pop(), 1 + n % 7, rng.choice(("day", "night", "evening")), day(date(2000, 1, 1), 8000))
              for n in range(1, 36)]  # fmt: skip
    patients = [(n, *people.pop(), day(date(1935, 1, 1), 31000), rng.choice("FM"), rng.choice(TOWNS), rng.choice((1, 2, 3, 4)))
                for n in range(1, 201)]  # fmt: skip
    rooms = [(n, f"{chr(64 + n % 7 + 1)}{100 + n}", 1 + n % 7, rng.choice(ROOM_TYPES), rng.randrange(1, 6))
             for n in range(1, 36)]  # fmt: skip
    visits = [(n, rng.randrange(1, 201), rng.randrange(1, 29), rng.randrange(1, 36), day(date(2024, 1, 1), 540),
               f"{rng.randrange(8, 18):02d}:{rng.choice((0, 15, 30, 45)):02d}", rng.choice((15, 30, 45, 60, 90)),
               rng.choice(STATUSES)) for n in range(1, 901)]  # fmt: skip
    found = sorted({(rng.randrange(1, 901), rng.choice(DIAGNOSES)[0]) for _ in range(1000)})
    given = [(n, rng.randrange(1, 901), rng.randrange(1, 10), rng.randrange(1, 4), rng.choice((5, 7, 10, 14, 30)))
             for n in range(1, 601)]  # fmt: skip
    return {
        "department": [(n, *row, f"555-01{n}0") for n, row in enumerate(DEPARTMENTS, start=1)],
        "specialty": list(SPECIALTIES),
        "doctor": doctors,
        "nurse": nurses,
        "insurer": [(n, *row) for n, row in enumerate(INSURERS, start=1)],
        "patient": patients,
        "room": rooms,
        "appointment": visits,
        "diagnosis": list(DIAGNOSES),
        "appointment_diagnosis": found,
        "medication": [(n, *row) for n, row in enumerate(MEDICATIONS, start=1)],
        "prescription": given,
    }


if __name__ == "__main__":
    print(build(Path(sys.argv[1])))
