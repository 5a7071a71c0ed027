"""A study is a folder: what varies between sites, as files that people can read, edit, hash and hand over.

`study.toml`, `FOLDERS` and the texts (`consent.txt`, `instructions.txt`, `debriefing.txt`, `ability.txt`) make up the protocol:
their hash stands in every session. What a session leaves behind lies beside them and is no part of it.
"""

import datetime
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from session.study.conditions import draw_condition, instructions_of, own_file, profiles_of
from session.study.design import Design, Factor, check_design, profiles_of_factors
from session.study.free_ids import LAST_FIRST
from session.study.message_files import canned_messages
from session.study.metadata import Metadata
from session.study.pass_mark import PassMark
from session.study.questionnaires import STEP_TEXTS, check_steps, questionnaires, read_text
from session.study.scenario_files import read_scenarios
from session.study.screen_words import Words, study_words
from session.study.settings import (
    CannedMessage,
    Equipment,
    Machines,
    Profile,
    Protocol,
    Questionnaire,
    Scenario,
    Setting,
    is_archive,
)
from session.study.toml_reader import StudyError, nearest, read
from session.values.names import CHANNELS, PRIMARY, Exhausted, SessionName, SpeakerBlock
from session.values.vocabulary import ResponseClass, Spoken, Step

PROFILES = Path(__file__).parent / "profiles"
FOLDERS = ("canned_messages", "domain", "profiles", "questionnaires", "scenarios")
ABILITY = "ability.txt"
TEXTS = (".toml", ".txt", ".md")
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
            raise ValueError("an open lobby tells its visitors apart by `participant`; name the service's parameter")


class StudyFile(Setting, frozen=True):
    """`study.toml`. `database` and `store` are SQLAlchemy URLs; without `database` the domain builds its own. `recordings` is the
    URL of object storage to which sealed takes go; without it they stay in the study's folder."""

    site: str
    profile: str
    today: str
    speakers: tuple[SpeakerBlock, ...]
    domain: str = "air_travel"
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
        """The design by which subjects are assigned; factors alone make one."""
        return self.design if self.design is not None or not self.factor else Design()


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study folder that was read and found in order. Scenarios stand in the order in which they are to be worked on."""

    folder: Path
    settings: StudyFile
    profile: Profile
    scenarios: dict[str, Scenario]
    canned_messages: dict[str, CannedMessage]
    consent_text: str
    instructions: str
    debriefing: str
    ability: str
    questionnaires: dict[str, Questionnaire]
    words: Words
    files: dict[str, str]
    conditions: dict[str, Profile]
    own_instructions: dict[str, str]

    @property
    def site(self) -> str:
        return self.settings.site

    @property
    def domain_folder(self) -> Path:
        return self.folder / "domain"

    @property
    def english(self) -> bool:
        """Return whether requests can be asked in English."""
        return (self.domain_folder / "domain.toml").is_file()

    @property
    def database_folder(self) -> Path:
        """Return where the domain builds its database when `study.toml` names no other."""
        return self.folder / "database"

    @property
    def database_url(self) -> str:
        """SQLAlchemy URL of the domain's database; empty when the domain is to build one in `database_folder`."""
        return _absolute(self.settings.database, self.folder)

    @property
    def store_url(self) -> str:
        """SQLAlchemy URL of the events."""
        return _absolute(self.settings.store, self.folder)

    @property
    def second_copy(self) -> Path | None:
        """The folder on a second disk, if the study has one."""
        return self.folder / self.settings.second_copy if self.settings.second_copy else None

    @property
    def recordings(self) -> Path:
        return self.folder / "recordings"

    @property
    def sha256(self) -> str:
        """The protocol's version: SHA-256 over the names and hashes of its files."""
        return self.version("")

    def version(self, condition: str) -> str:
        """The protocol's version under a condition: SHA-256 over its files, and over the condition if it changes anything."""
        listing = "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(self.files.items()))
        under = f"condition {condition}\n" if condition in self.conditions else ""
        return hashlib.sha256(f"{listing}{under}".encode()).hexdigest()

    def instructions_of(self, condition: str) -> str:
        """Return the file of the instructions that the subjects of a condition read, relative to the study."""
        return own_file(condition) if condition in self.own_instructions else STEP_TEXTS[Step.INSTRUCTIONS]

    def protocol(self, database_version: str, condition: str = "") -> Protocol:
        """Return the protocol that every session of this study under a condition carries."""
        return Protocol(
            site=self.site,
            sha256=self.version(condition),
            condition=condition if condition in self.conditions else "",
            files=self.files,
            profile=self.conditions.get(condition, self.profile),
            domain=self.settings.domain,
            database_version=database_version,
            today=self.settings.today,
            equipment=self.settings.equipment,
            scenarios=self.scenarios,
            canned_messages=self.canned_messages,
            consent_version=self.settings.consent_version,
            consent_text=self.consent_text,
            instructions=self.own_instructions.get(condition, self.instructions),
            debriefing=self.debriefing,
            ability=self.ability,
            questionnaires=self.questionnaires,
            language=self.words.language,
            words=dict(self.words.own),
        )

    def next_speaker(self, free: Callable[[SpeakerBlock], str]) -> str:
        """The lowest id that is left in the site's blocks, as `free` finds it in each; raises names.Exhausted."""
        *earlier, last = self.settings.speakers
        for block in earlier:
            with suppress(Exhausted):
                return free(block)
        return free(last)

    def next_session(self, existing: Iterable[str], day: datetime.date) -> str:
        """A name for the next visit on `day`; `existing` are the names of streams, of which others are passed over."""
        date = f"{day:%Y%m%d}"
        taken = [self.settings.first_session - 1]
        for text in existing:
            try:
                name = SessionName.parse(text)
            except ValueError:
                continue
            if (name.site, name.date) == (self.site, date):
                taken.append(name.number)
        return str(SessionName(self.site, date, max(taken) + 1))

    def next_condition(self, drawn: Iterable[str] | Mapping[str, int]) -> str:
        """Draw the condition of the next subject; `drawn` are those of all subjects before her, or how many had each.

        Each comes once per block of subjects, in an order drawn from the seed; a place that a withdrawal left is filled first.
        """
        return draw_condition(self.settings.conditions, self.settings.seed, drawn)


def load(folder: Path) -> Study:
    """The study in `folder`; raises StudyError with the first thing that is not in order."""
    path = folder / "study.toml"
    if not path.is_file():
        remedy = "name the folder of a study" if folder.exists() else f"`curtain new {folder}` makes a study"
        raise StudyError(f"{folder} is no study folder: there is no study.toml in it; {remedy}")
    settings = read(path, StudyFile)
    _check(path, settings)
    profile = load_profile(settings.profile, folder / "profiles", path)
    texts = {name: read_text(folder / name, profile) for name in STEP_TEXTS.values()}
    if profile.consent and not texts["consent.txt"].strip():
        raise StudyError(
            f"{folder / 'consent.txt'}: profile {profile.name} asks for consent, but there is no text to consent to"
        )
    forms = questionnaires(folder / "questionnaires", settings.language)
    messages = canned_messages(folder / "canned_messages")
    conditions = profiles_of(settings.conditions, settings.condition, profile, path)
    conditions |= profiles_of_factors(settings.factor, profile, path)
    scenarios = read_scenarios(folder / "scenarios", path, settings.order)
    check_design(settings.planned, settings.factor, scenarios, path)
    for condition in (profile, *conditions.values()):
        check_steps(folder, condition, texts, forms)
        _check_speech(path, condition, messages)
    return Study(
        folder=folder,
        settings=settings,
        profile=profile,
        scenarios=scenarios,
        canned_messages=messages,
        consent_text=texts["consent.txt"],
        instructions=texts["instructions.txt"],
        debriefing=texts["debriefing.txt"],
        ability=read_text(folder / ABILITY, profile),
        questionnaires=forms,
        words=study_words(folder, settings.language),
        files={name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in protocol_files(folder)},
        conditions=conditions,
        own_instructions=instructions_of(folder, conditions, read_text),
    )


def protocol_files(folder: Path) -> list[str]:
    """The files that make up the protocol, relative to `folder`: no recordings, events, tokens, keys or hidden files."""
    found = [path for path in folder.iterdir() if path.suffix in TEXTS]
    for name in FOLDERS:
        found += (folder / name).rglob("*")
    relative = [path.relative_to(folder) for path in found if path.is_file()]
    return sorted(
        path.as_posix()
        for path in relative
        if not any(part.startswith(".") or part.endswith("~") or part == "__pycache__" for part in path.parts)
    )


def load_profile(name: str, folder: Path, asked_by: Path) -> Profile:
    """The profile of that name in the study's own folder, else the shipped one; raises StudyError."""
    names = {path.stem: path for root in (PROFILES, folder) for path in sorted(root.glob("*.toml"))}
    if name not in names:
        raise StudyError(f"{asked_by}: there is no profile {name!r}; {nearest(name, names)}")
    profile = read(names[name], Profile)
    if profile.name != name:
        raise StudyError(
            f"{names[name]}: `name` is {profile.name!r}, but the file is called {name}.toml; make them equal"
        )
    return profile


def _check(path: Path, settings: StudyFile) -> None:
    problem = ""
    engine = settings.engine and settings.engine.url
    urls = {"database": settings.database, "store": settings.store, "engine.url": engine}
    if secret := next((key for key, url in urls.items() if url and _PASSWORD.match(url)), ""):
        problem = (
            f"`{secret}` holds a password, which would go out with every corpus and set-up; take it out of the URL and keep it "
            "in ~/.pgpass or in the environment variable PGPASSWORD"
        )
    elif settings.recordings and not is_archive(settings.recordings):
        problem = (
            f"`recordings` is {settings.recordings!r}; it is the URL of object storage such as s3://bucket/folder, without a key "
            "in it, or nothing: then recordings lie in the study's folder"
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
    elif not _is_date(settings.today):
        problem = f"`today` is {settings.today!r}; it is a date such as 1991-07-01"
    elif settings.consent_months < 0:
        problem = f"`consent_months` is {settings.consent_months}; it is a whole number from 0, which is never"
    elif settings.conditions and settings.planned is not None:
        problem = "`conditions` stand beside a design; make them the levels of a `factor`"
    elif len(set(settings.conditions)) < len(settings.conditions):
        problem = "`conditions` names one of them twice"
    elif strange := [letter for letter in settings.equipment.microphones if letter not in tuple(CHANNELS)]:
        problem = f"`equipment.microphones`: {strange[0]!r} is no channel: one of the letters a to z but x (all)"
    elif PRIMARY not in settings.equipment.microphones:
        problem = "`equipment.microphones` has no `s`, the primary channel"
    if problem:
        raise StudyError(f"{path}: {problem}")


def _check_speech(path: Path, profile: Profile, messages: Mapping[str, CannedMessage]) -> None:
    """Raise StudyError where answers are neither shown nor spoken, or where what opens the dialogue is no greeting."""
    problem = ""
    greetings = [
        message.id for message in messages.values() if message.response is ResponseClass.GREETING and not message.blanks
    ]
    if not profile.show_answers and not profile.speaks:
        problem = 'answers are neither shown nor spoken: set `show_answers = true` or `spoken = "answer"`'
    elif not profile.show_answers and profile.spoken is Spoken.SUMMARY:
        problem = 'without `show_answers` nobody would learn the rows of an answer: set `spoken = "answer"`'
    elif profile.opening and profile.opening not in greetings:
        problem = (
            f"`opening` names {profile.opening!r}, which is no canned message without blanks whose `response` is greeting; "
            f"{nearest(profile.opening, greetings)}"
        )
    if problem:
        raise StudyError(f"{path}: profile {profile.name}: {problem}")


def _overlap(blocks: Sequence[SpeakerBlock]) -> str:
    ordered = sorted(blocks, key=lambda block: block.first)
    return next((later.first for block, later in pairwise(ordered) if later.first <= block.last), "")


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _absolute(url: str, folder: Path) -> str:
    """`url`, a relative SQLite path taken from the study's folder."""
    scheme, _, path = url.partition(":///")
    if not scheme.startswith("sqlite") or not path or path.startswith(("/", ":", "file:")):
        return url
    return f"{scheme}:///{folder.resolve() / path}"
