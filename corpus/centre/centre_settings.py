"""`centre.toml`: the centre's name, the recipients of its releases, and its limits."""

import json
from pathlib import Path

import msgspec

from corpus.io.staging import Refused
from session.study.metadata import Metadata
from session.study.toml_reader import StudyError, read

SETTINGS = "centre.toml"
CAPACITY = 630_000_000
"""Bytes: the 630 MB of a disc of 1992, decimal; the paper does not say which."""
TEMPLATE = """\
name = {name}

# Who receives releases, volumes and test sets; without any, every site that has delivered.
recipients = []

# The domain whose Principles, schema and database go with each release: its folder and the URL of the database.
domain = ""
database = ""
principles = ""

seed = "1"
capacity = 630000000

# Whether nothing is taken in that is not signed with a key in keys/; without, only sites that have a key there must sign.
signed = false

# A delivery is mended here if all its errors can be and they weigh no more than this; else it goes back to the site.
[returning]
error = 10.0
warning = 0.1
most_a_hundred_utterances = 1000.0

# A subject-scenario is left out of test sets when it lies so many robust standard deviations from the median of the pool.
[outliers]
z = 3.5
unevaluable = true
length = true
repeats = true

# What is to be said of the whole, with the keys of [metadata] in study.toml; what is left out is said as the sites do. Nothing
# is released without title, description, creators, licence and contact.
[metadata]
# title = "Flights by voice"
# description = "People ask a machine for flights."
# creators = [{{ name = "Carberry, Josiah", orcid = "0000-0002-1825-0097" }}]
# licence = "CC-BY-4.0"
# contact = "someone@example.org"
"""


class ReturnLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of findings, and the weight in 100 utterances from which a delivery goes back."""

    error: float = 10.0
    warning: float = 0.1
    most_a_hundred_utterances: float = 1000.0


class Outliers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules by which a subject-scenario is too unlike the others for a test."""

    z: float = 3.5
    unevaluable: bool = True
    length: bool = True
    repeats: bool = True


class CentreSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a centre; paths are relative to its folder."""

    name: str
    recipients: tuple[str, ...] = ()
    domain: str = ""
    database: str = ""
    principles: str = ""
    seed: str = "1"
    capacity: int = CAPACITY
    signed: bool = False
    returning: ReturnLimit = ReturnLimit()
    outliers: Outliers = Outliers()
    metadata: Metadata = Metadata()


def is_centre(folder: Path) -> bool:
    """Return whether a folder is a centre's."""
    return (folder / SETTINGS).is_file()


def settings_of(folder: Path) -> CentreSettings:
    """Read the settings of a centre; raises `Refused`."""
    if not is_centre(folder):
        remedy = "name the folder of one" if folder.exists() else f"curtain centre {folder} makes one"
        raise Refused(f"{folder} is not a centre: there is no {SETTINGS} in it; {remedy}")
    try:
        return read(folder / SETTINGS, CentreSettings)
    except StudyError as error:
        raise Refused(str(error)) from None


def template(name: str) -> str:
    """The settings of a new centre."""
    return TEMPLATE.format(name=json.dumps(name))
