"""Machines of three plants and their upkeep: rows the same for a seed on every machine; nobody in them exists."""

import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

SCHEMA = """
CREATE TABLE plant (plant_code TEXT PRIMARY KEY, name TEXT, city TEXT, founded INTEGER);
CREATE TABLE hall (plant_code TEXT REFERENCES plant, hall_no INTEGER, purpose TEXT, area_m2 INTEGER,
  PRIMARY KEY (plant_code, hall_no));
CREATE TABLE maker (maker_id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE machine (machine_id INTEGER PRIMARY KEY, name TEXT, maker_id INTEGER REFERENCES maker, plant_code TEXT,
  hall_no INTEGER, part_of INTEGER REFERENCES machine(machine_id), bought_on DATE, inspected_on DATE, power_kw REAL,
  price NUMERIC, FOREIGN KEY (plant_code, hall_no) REFERENCES hall (plant_code, hall_no));
CREATE TABLE technician (technician_id INTEGER PRIMARY KEY, full_name TEXT, plant_code TEXT REFERENCES plant, hired DATE,
  hourly_wage NUMERIC, supervisor_id INTEGER REFERENCES technician(technician_id));
CREATE TABLE skill (skill_id INTEGER PRIMARY KEY, description TEXT);
CREATE TABLE technician_skill (technician_id INTEGER REFERENCES technician, skill_id INTEGER REFERENCES skill,
  PRIMARY KEY (technician_id, skill_id));
CREATE TABLE part (part_no TEXT PRIMARY KEY, name TEXT, unit_price NUMERIC, in_stock INTEGER);
CREATE TABLE machine_part (machine_id INTEGER REFERENCES machine, part_no TEXT REFERENCES part, quantity INTEGER,
  PRIMARY KEY (machine_id, part_no));
CREATE TABLE work_order (order_no INTEGER PRIMARY KEY, machine_id INTEGER REFERENCES machine,
  technician_id INTEGER REFERENCES technician, reported_on DATE, finished_on DATE, start_time TEXT, end_time TEXT,
  urgency TEXT, kind TEXT, cost NUMERIC);
CREATE VIEW open_order AS SELECT order_no, machine_id, technician_id, reported_on, urgency FROM work_order
  WHERE finished_on IS NULL;
"""
PLANTS = (
    ("NOR", "North Works", "Kiruna", 1921),
    ("SUD", "South Works", "Malmo", 1968),
    ("EST", "East Works", "Visby", 1999),
)
PURPOSES = {"NOR": ("foundry", "assembly", "storage", "paint shop"), "SUD": ("assembly", "paint shop", "packing"),
            "EST": ("packing", "foundry")}  # fmt: skip
MAKERS = (("Brandt", "Germany"), ("Corvo", "Italy"), ("Dunlea", "Ireland"), ("Ekström", "Sweden"))
MACHINES = ("Lathe", "Press", "Mill", "Drill", "Oven", "Conveyor", "Crane", "Robot")
PEOPLE = (
    "Anna Berg", "Bertil Dahl", "Cecilia Ek", "David Falk", "Elsa Gran", "Fredrik Holm", "Gunnar Isak", "Helga Jonsson",
    "Ingrid Kvist", "Johan Lund", "Karin Moberg", "Lars Nyman", "Maja Olsson", "Nils Palm", "Olga Roos", "Per Sand",
)  # fmt: skip
SKILLS = ("welding", "hydraulics", "electronics", "rigging", "lubrication")
PARTS = (
    ("B-100", "ball bearing", 14.5, 120),
    ("V-20", "drive belt", 32, 15),
    ("F-7", "oil filter", 9, 300),
    ("M-3", "servo motor", 640, 4),
    ("S-55", "pressure sensor", 85, 0),
    ("G-12", "gear wheel", 120, 22),
    ("H-8", "hydraulic hose", 27, 60),
)


def rows(rng: random.Random) -> Mapping[str, Sequence[tuple[object, ...]]]:
    """The rows of every table."""

    def day(first: date, days: int) -> date:
        return first + timedelta(days=rng.randrange(days))

    halls = [(plant, n, purpose, rng.randrange(4, 40) * 100) for plant, held in PURPOSES.items()
             for n, purpose in enumerate(held, start=1)]  # fmt: skip
    machines = []
    for n in range(1, 49):
        plant, hall, *_ = rng.choice(halls)
        machines.append(
            (n, f"{MACHINES[n % 8]} {n}", rng.randrange(1, 5), plant, hall, rng.randrange(1, 20) if n > 38 else None,
             day(date(1998, 1, 1), 9000).isoformat(), day(date(2024, 1, 1), 500).isoformat(), rng.choice((2.5, 5, 11, 22, 45)),
             rng.randrange(4, 300) * 1000)
        )  # fmt: skip
    technicians = [
        (
            n,
            name,
            PLANTS[n % 3][0],
            day(date(1995, 1, 1), 10000).isoformat(),
            20 + rng.randrange(25),
            None if n < 4 else 1 + n % 3,
        )
        for n, name in enumerate(PEOPLE, start=1)
    ]
    orders = []
    for n in range(1001, 1301):
        reported = day(date(2024, 1, 1), 480)
        begun = rng.randrange(6, 16)
        finished = (reported + timedelta(days=rng.randrange(30))).isoformat() if n % 6 else None
        orders.append(
            (
                n,
                rng.randrange(1, 49),
                rng.randrange(1, 17),
                reported.isoformat(),
                finished,
                f"{begun:02d}:{rng.choice((0, 30)):02d}",
                f"{begun + rng.randrange(1, 7):02d}:15",
                rng.choice(("low", "normal", "high")),
                rng.choice(("repair", "inspection", "cleaning")),
                rng.randrange(40, 4000),
            )
        )
    fitted = sorted({(rng.randrange(1, 49), rng.choice(PARTS)[0]) for _ in range(110)})
    able = sorted({(rng.randrange(1, 17), rng.randrange(1, 6)) for _ in range(34)})
    return {
        "plant": list(PLANTS),
        "hall": list(halls),
        "maker": [(n, *row) for n, row in enumerate(MAKERS, start=1)],
        "machine": machines,
        "technician": list(technicians),
        "skill": list(enumerate(SKILLS, start=1)),
        "technician_skill": list(able),
        "part": list(PARTS),
        "machine_part": [(*pair, rng.randrange(1, 9)) for pair in fitted],
        "work_order": orders,
    }
