"""Benchmark of a domain's database: building it, opening it, and querying it in the sandbox.

`python benchmarks/domain_build.py`. The budgets are the design's: built in seconds at first use (8 s on a slow machine),
typical joins in milliseconds. Each figure is the median of several runs in a temporary folder.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import scenarios
from domain.database.build import load_generator, open_database, sha256_of_rows
from domain.sandbox.sandbox import Limits, Sandbox

FOLDER = Path(scenarios.__file__).parent / "air_travel"
QUERIES = {
    "flights of two cities": """SELECT DISTINCT flight.flight_id FROM flight, airport_service a1, city c1,
        airport_service a2, city c2 WHERE flight.from_airport = a1.airport_code AND a1.city_code = c1.city_code
        AND c1.city_name = 'BOSTON' AND flight.to_airport = a2.airport_code AND a2.city_code = c2.city_code
        AND c2.city_name = 'DENVER'""",
    "cheapest fare on a date": """SELECT DISTINCT fare.fare_id FROM fare, flight_fare, flight, airport_service a1,
        city c1, airport_service a2, city c2, days, date_day WHERE fare.fare_id = flight_fare.fare_id
        AND flight_fare.flight_id = flight.flight_id AND flight.from_airport = a1.airport_code
        AND a1.city_code = c1.city_code AND c1.city_name = 'PITTSBURGH' AND flight.to_airport = a2.airport_code
        AND a2.city_code = c2.city_code AND c2.city_name = 'SAN FRANCISCO' AND flight.flight_days = days.days_code
        AND days.day_name = date_day.day_name AND date_day.year = 1992 AND date_day.month_number = 6
        AND date_day.day_number = 1 ORDER BY fare.one_direction_cost LIMIT 1""",
    "all flights, counted": "SELECT airline_code, count(*) FROM flight GROUP BY airline_code",
    "500 of all flights": "SELECT * FROM flight",
}


def median_ms(runs: int, work: Callable[[], object]) -> float:
    took = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        took.append(1000 * (time.perf_counter() - began))
    return statistics.median(took)


def main() -> None:
    generator = load_generator(FOLDER)
    with tempfile.TemporaryDirectory() as place:
        caches = iter(Path(place) / str(number) for number in range(3))
        first = median_ms(3, lambda: open_database(FOLDER, next(caches)))
        cache = Path(place) / "0"
        again = median_ms(20, lambda: open_database(FOLDER, cache))
        rows = generator.generate()
        generated = median_ms(3, generator.generate)
        hashed = median_ms(3, lambda: sha256_of_rows(generator.SHAPES, rows))
        database = open_database(FOLDER, cache)
        size = Path(database.url.removeprefix("sqlite:///")).stat().st_size
        print(f"{database.version}: {sum(map(len, rows.values()))} rows, {size / 1e6:.1f} MB")
        print(f"first use  {first:8.0f} ms  (budget 8000; rows {generated:.0f} ms, their SHA-256 {hashed:.0f} ms)")
        print(f"afterwards {again:8.1f} ms")
        sandbox = Sandbox(database.url, Limits())
        for name, sql in QUERIES.items():
            print(f"{median_ms(20, lambda sql=sql: sandbox.run(sql)):8.1f} ms  {name}")  # type: ignore[misc]
        sandbox.close()


if __name__ == "__main__":
    main()
