"""Names of tables and columns in words: `hireDate` and `HIRE_DATE` as hire date, `tblTeam` as team, `Amt` as amount."""

from __future__ import annotations

import re

from domain.english.model.path_names import spelt

_SHORT = {
    **dict.fromkeys(("num", "no", "nr", "nbr"), "number"), "qty": "quantity", "amt": "amount", "dept": "department",
    "desc": "description", "descr": "description", "addr": "address", "tel": "telephone", "ph": "phone", "dob": "date of birth",
    "doj": "date joined", "emp": "employee", "cust": "customer", "prod": "product", "cat": "category", "ctg": "category",
    "yr": "year", "yrs": "years", "lang": "language", "lng": "length", "nm": "name", "fname": "first name",
    "lname": "last name", "nat": "nationality", "spec": "specialty", "wt": "weight", "ht": "height", "dt": "date",
    "cd": "code", "pts": "points", "pos": "position", "sev": "severity", "dist": "distance", "dur": "duration",
    "tot": "total", "cnt": "count", "avg": "average", "pct": "percent", "perc": "percent", "acct": "account", "mgr": "manager",
    "sal": "salary", "ref": "reference", "loc": "location", "org": "organization", "ctry": "country", "cntry": "country",
    "stat": "status", "res": "result", "cap": "capacity", "elev": "elevation", "pop": "population", "dest": "destination",
    "orig": "origin", "vol": "volume", "grp": "group", "mfr": "manufacturer", "manuf": "manufacturer",
    "trans": "transaction", "bal": "balance", "curr": "currency", "usr": "user", "veh": "vehicle", "prov": "province",
    "temp": "temperature", "hrs": "hours", "mth": "month", "wk": "week", "dnf": "did not finish",
    "dns": "did not start", "surname": "last name", "forename": "first name", "instr": "instructor", "stu": "student",
    "maint": "maintenance", "equip": "equipment", "reqd": "required", "req": "required", "max": "maximum",
    "alt": "altitude", "tmp": "temperature", "vlg": "village", "clr": "colour", "byr": "buyer", "typ": "type", "jnd": "joined",
    "insp": "inspection", "ct": "count", "rtg": "rating", "sched": "schedule", "appt": "appointment", "lvl": "level",
    "pwd": "password", "svc": "service", "vend": "vendor", "inv": "invoice", "ord": "order", "pymt": "payment", "pmt": "payment",
    "deliv": "delivery", "adr": "address", "msg": "message", "img": "image", "pic": "picture", "evt": "event", "mbr": "member",
    "dlv": "delivery", "dlvry": "delivery", "stf": "staff", "twn": "town", "cty": "city", "opn": "opening", "reg": "registration",
    "haz": "hazardous", "rej": "rejected", "chg": "charge", "mat": "material", "matl": "material", "wknd": "weekend",
    "fnm": "first name", "snm": "last name", "lnm": "last name", "clnt": "client", "prc": "price", "purch": "purchase",
    "strt": "start", "bldg": "building", "flr": "floor", "rm": "room", "schl": "school", "tchr": "teacher", "crs": "course",
    "whs": "warehouse", "itm": "item", "shpt": "shipment", "trk": "truck", "drv": "driver", "rte": "route", "stn": "station",
    "memb": "member", "bdt": "birth date", "bday": "birthday", "brth": "birth",
    "diag": "diagnosis", "trtmt": "treatment", "hosp": "hospital", "hgt": "height", "wgt": "weight", "spd": "speed",
    "lic": "licence", "cert": "certificate", "cmnt": "comment", "rmk": "remark", "hq": "headquarters", "cmpny": "company",
    "splr": "supplier", "supp": "supplier", "lib": "library", "inst": "institution", "govt": "government", "tech": "technician",
}  # fmt: skip
_MARKS = frozenset(["tbl", "tb", "tab", "vw", "dim", "lkp", "mst"])
"""Prefixes that only mark a table."""
_CURRENCIES = frozenset(["eur", "usd", "gbp", "chf", "sek", "nok", "dkk", "keur", "kusd", "k", "euro", "euros"])
_PAIRS = (("co name", "company name"), ("st date", "start date"), ("st time", "start time"), ("en date", "end date"))
"""Short words that mean this only beside another."""
_YES_OR_NO = frozenset(["yn", "flg", "flag"])
"""Endings that only say that a column holds yes or no."""
_KEEPING = frozenset([
    "list", "calendar", "table", "register", "directory", "catalog", "catalogue", "roster", "index", "master", "records",
    "data", "info", "file", "collection", "overview",
])  # fmt: skip
"""Nouns for a collection of what precedes them: a rider list lists riders."""
_NTH = {"1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth"}


def in_words(name: str) -> str:
    """Return the name of a table or column in words."""
    parts = _parts(name)
    while len(parts) > 1 and parts[0] in _MARKS:
        parts = parts[1:]
    while len(parts) > 1 and parts[-1] in _YES_OR_NO:
        parts = parts[:-1]
    while len(parts) > 1 and parts[-1] in _CURRENCIES:
        parts = parts[:-1]
    while len(parts) > 1 and re.fullmatch(r"(19|20)?\d\d", parts[-1]):
        parts = parts[:-1]  # the races of 2024
    words = " ".join(_SHORT.get(part, _NTH.get(part, part)) for part in parts)
    return next((full for short, full in _PAIRS if words == short), words)


def collected_things(table: str) -> str:
    """Return what a table collects, by its name: rider for a rider list; empty when the name is that of the rows."""
    first, _, last = in_words(table).rpartition(" ")
    return first if last in _KEEPING else ""


def _parts(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", spelt(name))
    spaced = re.sub(r"(?<=[A-Za-z]{3})(?=\d)", "_", spaced)
    return [part for part in re.split(r"[_\W]+", spaced.lower()) if part]
