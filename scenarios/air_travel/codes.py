"""The decoding tables: what the codes in flights and fares stand for, the calendar, and the times of day.

`PERIODS` are those of the Principles of Interpretation (Boisen & Bates 1992, appendix B 2.4.4), end points excluded;
NIGHT begins after it ends, because it goes past midnight.
"""

import datetime

from domain.database.table_shape import Row

WEEK = ("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY")
YEARS = (1990, 1991, 1992, 1993, 1994, 2025, 2026, 2027, 2028)
MONTHS = tuple(
    enumerate(
        (
            *("JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE"),
            *("JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER", "DECEMBER"),
        ),
        start=1,
    )
)

DAYS = {
    "DAILY": "MO TU WE TH FR SA SU",
    "-SA": "MO TU WE TH FR SU",
    "-SU": "MO TU WE TH FR SA",
    "-SS": "MO TU WE TH FR",
    "MWF": "MO WE FR",
    "TT": "TU TH",
    "TTS": "TU TH SA",
    "MF": "MO FR",
    "FSM": "FR SU MO",
    "FS": "FR SU",
    "SS": "SA SU",
    **{code: code for code in ("MO", "TU", "WE", "TH", "FR", "SA", "SU")},
}
"""Codes of flight days and the weekdays on which such a flight goes, by their first two letters."""

DAY_SETS = {code: frozenset(days.split()) for code, days in DAYS.items()}
CODE_OF_DAYS = {days: code for code, days in DAY_SETS.items()}

PERIODS = (
    ("MORNING", 0, 1200),
    ("AFTERNOON", 1200, 1800),
    ("EVENING", 1800, 2200),
    ("DAY", 600, 1800),
    ("NIGHT", 1800, 600),
    ("EARLY MORNING", 0, 800),
)

CLASSES = {
    "F": (1, "FIRST CLASS"),
    "FN": (2, "FIRST CLASS NIGHT SERVICE"),
    "C": (3, "BUSINESS CLASS"),
    "Y": (4, "COACH CLASS"),
    "YN": (5, "COACH CLASS NIGHT SERVICE"),
    "B": (6, "COACH CLASS DISCOUNTED"),
    "M": (7, "COACH CLASS DISCOUNTED, ADVANCE PURCHASE"),
    "Q": (8, "THRIFT CLASS DISCOUNTED"),
    "V": (9, "THRIFT CLASS DISCOUNTED, ROUND TRIP"),
    "K": (10, "THRIFT CLASS"),
}
"""Booking classes: rank and description."""

BASES: dict[str, tuple[str, str, str, str, str, str, str | None, str]] = {
    "F": ("F", "FIRST", "YES", "NO", "NO", "NO", None, "DAILY"),
    "FN": ("FN", "FIRST", "NO", "NO", "YES", "YES", None, "DAILY"),
    "C": ("C", "BUSINESS", "YES", "NO", "NO", "NO", None, "DAILY"),
    "Y": ("Y", "COACH", "NO", "YES", "NO", "NO", None, "DAILY"),
    "YN": ("YN", "COACH", "NO", "YES", "YES", "YES", None, "DAILY"),
    "B": ("B", "COACH", "NO", "YES", "YES", "NO", None, "DAILY"),
    "M": ("M", "COACH", "NO", "YES", "YES", "NO", None, "-SS"),
    "K": ("K", "THRIFT", "NO", "YES", "NO", "NO", None, "DAILY"),
    "Q": ("Q", "THRIFT", "NO", "YES", "YES", "NO", "LOW", "DAILY"),
    "QX": ("Q", "THRIFT", "NO", "YES", "YES", "NO", None, "DAILY"),
    "VR": ("V", "THRIFT", "NO", "YES", "YES", "NO", "HIGH", "DAILY"),
}
"""Fare bases: booking class, class type, premium, economy, discounted, night, season, days of travel."""

RESTRICTIONS: dict[str, Row] = {
    "AP/07": (7, "NONE", "NO", None, None, "ADVANCE PURCHASE", "NO"),
    "AP/14": (14, "NONE", "YES", 1, 30, "ADVANCE PURCHASE, SATURDAY NIGHT STAY", "YES"),
    "AP/21": (21, "NONE", "YES", 3, 60, "ADVANCE PURCHASE, SATURDAY NIGHT STAY", "YES"),
    "EX/05": (5, "ONE", "NO", 2, 21, "EXCURSION", "NO"),
}
"""Restrictions: days of advance purchase, stopovers, Saturday stay, shortest and longest stay, application, discounts."""

MEALS = {
    "BR": (("BREAKFAST", "FCY"),),
    "LU": (("LUNCH", "FCY"),),
    "DI": (("DINNER", "FCY"),),
    "SN": (("SNACK", "FCY"),),
    "S/": (("SNACK", "FC"),),
    "BS": (("BREAKFAST", "FCY"), ("SNACK", "FCY")),
    "LS": (("LUNCH", "FCY"), ("SNACK", "FCY")),
    "DS": (("DINNER", "FCY"), ("SNACK", "FCY")),
}
"""Meal codes: the meals in order, each with the compartments that get it."""

COMPARTMENTS = {"F": "FIRST", "C": "BUSINESS", "Y": "COACH"}

_DESCRIPTIONS = {
    "N": "NORTH",
    "E": "EAST",
    "S": "SOUTH",
    "W": "WEST",
    "NE": "NORTHEAST",
    "NW": "NORTHWEST",
    "SE": "SOUTHEAST",
    "SW": "SOUTHWEST",
}


def rows() -> dict[str, list[Row]]:
    """The tables of codes, of the calendar and of the times of day."""
    names = {name[:2]: name for name in WEEK}
    return {
        "class_of_service": [(code, *rank_and_text) for code, rank_and_text in CLASSES.items()],
        "code_description": sorted(_descriptions().items()),
        "compartment_class": _compartment_rows(),
        "date_day": [*_dates()],
        "days": [(code, names[day]) for code, days in DAYS.items() for day in days.split()],
        "fare_basis": [(code, *basis) for code, basis in BASES.items()],
        "food_service": [
            (code, number, compartment, meal)
            for code, meals in MEALS.items()
            for number, (meal, compartments) in enumerate(meals, start=1)
            for compartment in compartments
        ],
        "month": [*MONTHS],
        "restriction": [(code, *row) for code, row in RESTRICTIONS.items()],
        "time_interval": [*PERIODS],
    }


def _compartment_rows() -> list[Row]:
    """First and business compartments carry their own class; in the coach compartment sit coach and thrift."""
    return [*COMPARTMENTS.items(), ("Y", "THRIFT")]


def _descriptions() -> dict[str, str]:
    """The meanings of codes of at most four letters; no code has two uses."""
    classes = {code: text for code, (_, text) in CLASSES.items()}
    meals = {code: " AND ".join(meal for meal, _ in served) for code, served in MEALS.items()}
    days = {code: ", ".join(name for name in WEEK if name[:2] in held) for code, held in DAY_SETS.items()}
    short = {code: text for code, text in days.items() if len(code) <= 4}
    return meals | short | _DESCRIPTIONS | classes


def _dates() -> list[Row]:
    found: list[Row] = []
    for year in YEARS:
        day = datetime.date(year, 1, 1)
        while day.year == year:
            found.append((day.month, day.day, year, WEEK[day.weekday()]))
            day += datetime.timedelta(days=1)
    return found
