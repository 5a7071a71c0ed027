"""`study.toml`: the keys of a study's own file, and what is checked of them alone."""

import datetime
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from session.study.design import Design, Factor
from session.study.free_ids import LAST_FIRST
from session.study.metadata import Metadata
from session.study.pass_mark import PassMark
from session.study.settings import Equipment, Machines, Setting, is_archive
from session.study.study_domains import OTHERS, DomainSettings
from session.study.toml_reader import StudyError
from session.values.names import CHANNELS, PRIMARY, SpeakerBlock

SITE = re.compile("[a-z][a-z0-9]{1,7}")
LANGUAGE = re.compile("[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_PASSWORD = re.compile(r"[\w+.-]+://(?:[^:/@]*:[^@]+@|.*[?&]password=)")


class ProposingEngine(Setting, frozen=True):
    """`[engine]`: an outside engine that may propose SQL; `key` names the environment variable that holds its key."""

    url: str
    model: str
    key: str = ""
    seconds: float = 20.0


class LobbySettings(Setting, frozen=True):
    """`[lobby]`: minutes that a visit takes, whether anybody may come who was not invited, the parameter of the address
    in which a recruiting service names its participant, whether each subject gets a completion code at the end, after how
    many minutes somebody will not come back (0: never), and whether a console lets in who waits."""

    minutes: int = 30
    open: bool = False
    participant: str = ""
    completion_codes: bool = False
    return_minutes: int = 0
    by_hand: bool = False

    def __post_init__(self) -> None:
        if self.minutes < 1 or self.return_minutes < 0:
            raise ValueError("`minutes` is at least 1, and `return_minutes` is not below 0")
        if self.open and not self.participant:
            raise ValueError("an open lobby identifies its visitors by `participant`; name the service's parameter")


class StudyFile(Setting, frozen=True):
    """`study.toml`. `database` and `store` are SQLAlchemy URLs; without `database` the domain builds its own. `recordings` is the
    URL of object storage to which sealed takes go; without it they stay in the study's folder."""

    site: str
    profile: str
    today: str
    speakers: tuple[SpeakerBlock, ...]
    domain: str = "air_travel"
    domains: Mapping[str, DomainSettings] = msgspec.field(default_factory=dict)
    language: str = "en"
    database: str = ""
    store: str = "sqlite:///collection.sqlite"
    conditions: tuple[str, ...] = ()
    condition: Mapping[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    design: Design | None = None
    factor: Mapping[str, Factor] = msgspec.field(default_factory=dict)
    order: tuple[str, ...] = ()
    first_session: int = 1
    sessions_at_once: int = 0
    recordings_at_most_gb: float = 0
    pilot: bool = False
    seed: int = 1
    second_copy: str = ""
    recordings: str = ""
    consent_version: str = "1"
    consent_months: int = 0
    equipment: Equipment = Equipment()
    engine: ProposingEngine | None = None
    machines: Machines = Machines()
    training: PassMark | None = None
    lobby: LobbySettings = LobbySettings()
    metadata: Metadata = Metadata()

    @property
    def planned(self) -> Design | None:
        """Return the design by which subjects are assigned; factors alone make one."""
        return self.design if self.design is not None or not self.factor else Design()


def check_study_file(path: Path, settings: StudyFile) -> None:
    """Raise StudyError for the first invalid key of the file at `path`."""
    problem = ""
    engine = settings.engine and settings.engine.url
    urls = {"database": settings.database, "store": settings.store, "engine.url": engine}
    urls |= {f"{OTHERS}.{name}.database": one.database for name, one in settings.domains.items()}
    days = {"today": settings.today} | {f"{OTHERS}.{name}.today": one.today for name, one in settings.domains.items()}
    if secret := next((key for key, url in urls.items() if url and _PASSWORD.match(url)), ""):
        problem = (
            f"`{secret}` holds a password, which would go out with every corpus and set-up; take it out of the URL and keep it "
            "in ~/.pgpass or in the environment variable PGPASSWORD"
        )
    elif settings.recordings and not is_archive(settings.recordings):
        problem = (
            f"`recordings` is {settings.recordings!r}; it is the URL of object storage such as s3://bucket/folder, without a key "
            "in it, or nothing: then recordings are in the study's folder"
        )
    elif not SITE.fullmatch(settings.site):
        problem = f"`site` is {settings.site!r}; it has 2 to 8 lower-case letters or digits and begins with a letter"
    elif settings.sessions_at_once < 0:
        problem = f"`sessions_at_once` is {settings.sessions_at_once}; it is a whole number from 0, which is no limit"
    elif not 0 <= settings.recordings_at_most_gb < float("inf"):
        problem = (
            f"`recordings_at_most_gb` is {settings.recordings_at_most_gb}; it is a number from 0, which is no limit"
        )
    elif not 1 <= settings.first_session <= LAST_FIRST:
        problem = f"`first_session` is {settings.first_session}; it is a whole number from 1 to {LAST_FIRST}"
    elif not settings.speakers:
        problem = "`speakers` is empty; give the site a block of ids: [[speakers]] with `first` and `last`"
    elif overlap := _overlap(settings.speakers):
        problem = f"`speakers`: speaker {overlap} is in two blocks"
    elif not LANGUAGE.fullmatch(settings.language):
        problem = f"`language` is {settings.language!r}; it is a language's tag such as en, de, es or pt-BR"
    elif wrong := [key for key, day in days.items() if not _is_date(day) and (day or key == "today")]:
        problem = f"`{wrong[0]}` is {days[wrong[0]]!r}; it is a date such as 1991-07-01"
    elif settings.consent_months < 0:
        problem = f"`consent_months` is {settings.consent_months}; it is a whole number from 0, which is never"
    elif settings.conditions and settings.planned is not None:
        problem = "`conditions` are beside a design; make them the levels of a `factor`"
    elif len(set(settings.conditions)) < len(settings.conditions):
        problem = "`conditions` names one of them twice"
    elif strange := [letter for letter in settings.equipment.microphones if letter not in tuple(CHANNELS)]:
        problem = f"`equipment.microphones`: {strange[0]!r} is not a channel: one of the letters a to z but x (all)"
    elif PRIMARY not in settings.equipment.microphones:
        problem = "`equipment.microphones` has no `s`, the primary channel"
    if problem:
        raise StudyError(f"{path}: {problem}")


def _overlap(blocks: Sequence[SpeakerBlock]) -> str:
    ordered = sorted(blocks, key=lambda block: block.first)
    return next((later.first for block, later in pairwise(ordered) if later.first <= block.last), "")


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
