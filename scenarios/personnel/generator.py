"""The personnel database: 423 people of an invented firm, as large as the one of the 1989 collection.

BBN's first simulations were about the personnel of a company, and the appendix of Boisen, Ramshaw, Ayuso and Bates
(1989) asks 21 requests of it. Theirs held real people and was never passed on; in this one every row is drawn from a
seed. Exactly one person is supervised by nobody. Dates are ISO text.
"""

from collections.abc import Iterator

import msgspec

from domain.database.table_shape import Row, Rows, Shape, shape
from scenarios.air_travel.draws import Draws
from scenarios.personnel import people

NAME = "personnel"
VERSION = 1
SEED = 1989
EMPLOYEES = 423
_FIRST = 1001
_NAMED = {
    7: ("SHARON", "LEASE", "F", 10),
    8: ("PAUL", "HAYES", "M", 44),
    9: ("LUIS", "VASQUEZ", "M", 45),
    12: ("EMILY", "NASH", "F", 41),
}

SHAPES: tuple[Shape, ...] = (
    shape("country", "country_code country_name", "country_code"),
    shape("state", "state_code state_name country_code", "state_code"),
    shape("division", "division", "division"),
    shape("department", "department:i department_name division", "department"),
    shape("school", "school_code:i school_name state_code", "school_code"),
    shape("major", "major_code major_name", "major_code"),
    shape(
        "employee",
        "employee_id:i first_name last_name sex ethnic_group birth_date hire_date job_title level:i salary:i department:i"
        " supervisor:i street city state_code home_phone work_phone",
        "employee_id",
        ["last_name", "department", "supervisor"],
    ),
    shape(
        "degree",
        "degree employee_id:i school_code:i major_code year:i",
        "degree employee_id school_code",
        ["employee_id"],
    ),
)


class _Post(msgspec.Struct, frozen=True):
    """A place at the firm: its holder's number, department, title, level, and the number of the supervisor."""

    employee: int
    department: int
    title: str
    level: int
    supervisor: int | None


def generate(seed: int = SEED) -> Rows:
    """The rows of every table in `SHAPES`, by table name; the same for the same seed everywhere."""
    posts = list(_posts(seed))
    return {
        "country": list(people.COUNTRIES),
        "state": list(people.STATES),
        "division": [(name,) for name in sorted({d[2] for d in people.DEPARTMENTS})],
        "department": list(people.DEPARTMENTS),
        "school": list(people.SCHOOLS),
        "major": list(people.MAJORS),
        "employee": [_employee(seed, post) for post in posts],
        "degree": [row for post in posts for row in _degrees(seed, post)],
    }


def _posts(seed: int) -> Iterator[_Post]:
    """The president, a head for each department, its group leaders, and those whom they lead."""
    departments = [number for number, _, _ in people.DEPARTMENTS]
    head_of = {number: _FIRST + place for place, number in enumerate(departments)}
    for number in departments:
        title, level = people.HEADS.get(number, people.HEAD_OF_DEPARTMENT)
        boss = None if number == departments[0] else head_of[departments[0]]
        yield _Post(head_of[number], number, title, level, boss)
    leaders: dict[int, list[int]] = {number: [head_of[number]] for number in departments}
    for employee in range(_FIRST + len(departments), _FIRST + EMPLOYEES):
        draws = Draws(seed, "post", employee)
        forced = _NAMED.get(employee - _FIRST - len(departments))
        number = forced[3] if forced else draws.pick(departments)
        title, low, high, _ = draws.pick([t for t in people.TITLES if not t[3] or number in t[3]])
        if number == departments[0]:
            title, low, high = draws.pick([("SECRETARY", 12, 15), ("CLERK", 10, 13), ("ASSISTANT", 14, 18)])
        boss = draws.pick(leaders[number])
        if len(leaders[number]) < 4 and draws.chance(15):
            leaders[number].append(employee)
        yield _Post(employee, number, title, low + draws.below(high - low + 1), boss)


def _employee(seed: int, post: _Post) -> Row:
    draws = Draws(seed, "employee", post.employee)
    named = _NAMED.get(post.employee - _FIRST - len(people.DEPARTMENTS))
    sex = named[2] if named else draws.pick(("F", "F", "M", "M", "M"))
    first = named[0] if named else draws.pick(people.WOMEN if sex == "F" else people.MEN)
    last = named[1] if named else draws.pick(people.SURNAMES)
    born = 1925 + draws.below(40)
    hired = max(born + 20 + draws.below(20), 1950)
    city, state, area = draws.pick(people.CITIES)
    return (
        post.employee,
        first,
        last,
        sex,
        _drawn(draws, people.ETHNIC_GROUPS),
        _date(draws, born),
        _date(draws, min(hired, 1988)),
        post.title,
        post.level,
        _salary(draws, post.level),
        post.department,
        post.supervisor,
        f"{1 + draws.below(380)} {draws.pick(people.STREETS)}",
        city,
        state,
        None if draws.chance(4) else f"{area}-555-{1000 + draws.below(9000)}",
        f"{5000 + post.employee - _FIRST}",
    )


def _salary(draws: Draws, level: int) -> int:
    return 500 * (20 + (level - 8) * 5 + draws.below(9)) if level < 31 else 270_275


def _date(draws: Draws, year: int) -> str:
    return f"{year}-{1 + draws.below(12):02d}-{1 + draws.below(28):02d}"


def _drawn(draws: Draws, weighted: tuple[tuple[str, int], ...]) -> str:
    at = draws.below(100)
    for name, weight in weighted:
        if at < weight:
            return name
        at -= weight
    return weighted[0][0]


def _degrees(seed: int, post: _Post) -> list[Row]:
    """None for clerks, then bachelor, master and doctor by level."""
    draws = Draws(seed, "degree", post.employee)
    named = post.employee - _FIRST - len(people.DEPARTMENTS) in _NAMED
    steps = (
        0 if post.level < 14 else 1 + (post.level > 17 and draws.chance(60)) + (post.level > 20 and draws.chance(45))
    )
    steps = max(steps, 2) if named else steps
    kinds = [draws.pick(("BA", "BS")), draws.pick(("MA", "MS", "MBA")), "PHD"][:steps]
    year = 1948 + draws.below(30)
    major = draws.pick(people.MAJORS)[0]
    return [
        (kind, post.employee, draws.pick(people.SCHOOLS)[0], major, year + 3 * place)
        for place, kind in enumerate(kinds)
    ]
