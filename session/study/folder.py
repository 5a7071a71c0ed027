"""A study is a folder: what varies between sites, as files that people can read, edit, hash and hand over.

`study.toml`, `FOLDERS` and the texts (`consent.txt`, `instructions.txt`, `debriefing.txt`, `ability.txt`) make up the
protocol: their hash is in every session. What a session leaves behind is beside them and is no part of it.
"""

import dataclasses
import datetime
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from session.study.conditions import (
    draw_condition,
    instructions_of,
    own_file,
    profiles_of,
    told_apart,
    untrue_instructions,
)
from session.study.design import every_condition, profiles_of_factors
from session.study.design_checks import check_design, check_visits
from session.study.message_files import canned_messages
from session.study.questionnaires import STEP_TEXTS, check_steps, kept_before, questionnaires, read_text
from session.study.screen_words import Words, study_words
from session.study.settings import (
    CannedMessage,
    Profile,
    Protocol,
    Questionnaire,
    Scenario,
)
from session.study.shipped_texts import as_shipped
from session.study.study_domains import (
    ABILITY,
    OTHERS,
    OWN,
    StudyDomain,
    check_domains,
    domains_of_conditions,
    every_scenario,
    read_domains,
    read_scenarios,
    untrue_of_domains,
)
from session.study.study_file import StudyFile, check_study_file
from session.study.toml_reader import StudyError, nearest, read
from session.values.names import Exhausted, SessionName, SpeakerBlock
from session.values.vocabulary import ResponseClass, SpokenPart, Step

PROFILES = Path(__file__).parent / "profiles"
FOLDERS = ("canned_messages", OWN, OTHERS, "profiles", "questionnaires", "scenarios")
TEXTS = (".toml", ".txt", ".md")


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study folder that was read and found in order. Scenarios are in the order in which they are to be worked on."""

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
    scenario_profiles: dict[str, dict[str, Profile]]
    own_instructions: dict[str, str]
    own_texts: dict[str, dict[str, str]]
    domain_folder: Path
    domains: dict[str, StudyDomain]
    condition_domains: dict[str, str]

    @property
    def site(self) -> str:
        return self.settings.site

    @property
    def every_profile(self) -> dict[str, Profile]:
        """Return all profiles under which anything is held, by what they are the profile of, the study's own first."""
        inside = {name: one for profiles in self.scenario_profiles.values() for name, one in profiles.items()}
        conditions = {f"condition {name}": one for name, one in {**self.conditions, **inside}.items()}
        return {f"profile {self.profile.name}": self.profile, **conditions}

    @property
    def held_domains(self) -> list[str]:
        """Return the domains that sessions are held in: the study's own, and those that levels name."""
        return list(dict.fromkeys([self.settings.domain, *self.condition_domains.values()]))

    def in_domain(self, name: str) -> "Study":
        """Return the study as it is in one of its domains; itself where it has none of that name."""
        if (domain := self.domains.get(name)) is None:
            return self
        own = {"domain": name, "database": domain.database, "today": domain.today}
        return dataclasses.replace(
            self,
            settings=msgspec.structs.replace(self.settings, **own),
            domain_folder=domain.folder,
            scenarios=domain.scenarios,
            canned_messages=domain.canned_messages,
            instructions=domain.instructions,
            ability=domain.ability,
        )

    def domain_of(self, condition: str) -> str:
        """Return the name of the domain in which the sessions of a condition are held."""
        return self.condition_domains.get(condition, self.settings.domain)

    def untrue_instructions(self) -> list[tuple[str, str]]:
        """Return what is not true in the instructions that subjects read, each with its remedy."""
        return [
            *untrue_instructions(self.profile, self.conditions, self.own_instructions),
            *untrue_of_domains(self.domains, self.condition_domains, self.own_instructions),
            *self._untrue_of_scenarios(),
        ]

    def _untrue_of_scenarios(self) -> Iterator[tuple[str, str]]:
        """Yield the instructions and the remedy where they are as they ship, and so tell of one level where a factor changes at
        scenarios: they are read once, before all of them."""
        found: dict[str, set[str]] = {}
        for visit, profiles in self.scenario_profiles.items():
            if Step.INSTRUCTIONS in self.conditions.get(visit, self.profile).steps:
                found.setdefault(self.instructions_of(visit), set()).update(told_apart(profiles.values()))
        for file, keys in found.items():
            if keys and as_shipped(self.folder / file):
                yield (
                    f"{file} is not true of all scenarios: {', '.join(sorted(keys))} changes from one to the next",
                    "describe everything that participants will meet; they read it once, before the first scenario",
                )

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
        if condition in self.own_instructions:
            return own_file(condition)
        domain = self.domains.get(self.domain_of(condition))
        return domain.instructions_file if domain is not None else STEP_TEXTS[Step.INSTRUCTIONS]

    def protocol(self, database_version: str, condition: str = "") -> Protocol:
        """Return the protocol that every session of this study under a condition carries."""
        there, texts = self.in_domain(self.domain_of(condition)), self.own_texts.get(condition, {})
        return Protocol(
            site=self.site,
            sha256=self.version(condition),
            condition=condition if condition in self.conditions else "",
            files=self.files,
            profile=self.conditions.get(condition, self.profile),
            scenario_profiles=self.scenario_profiles.get(condition, {}),
            domain=there.settings.domain,
            database_version=database_version,
            today=there.settings.today,
            equipment=self.settings.equipment,
            scenarios=there.scenarios,
            canned_messages=there.canned_messages,
            consent_version=self.settings.consent_version,
            consent_text=texts.get(STEP_TEXTS[Step.CONSENT], self.consent_text),
            instructions=texts.get(
                self.instructions_of(condition), self.own_instructions.get(condition, there.instructions)
            ),
            debriefing=texts.get(STEP_TEXTS[Step.DEBRIEFING], self.debriefing),
            ability=there.ability,
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
        raise StudyError(f"{folder} is not a study folder: there is no study.toml in it; {remedy}")
    settings = read(path, StudyFile)
    check_study_file(path, settings)
    profile = load_profile(settings.profile, folder / "profiles", path)
    texts = _texts_of_steps(folder, profile)
    forms = questionnaires(folder / "questionnaires", settings.language)
    of_factors = profiles_of_factors(settings.factor, profile, path)
    conditions = profiles_of(settings.conditions, settings.condition, profile, path) | of_factors.visits
    own = StudyDomain(
        name=settings.domain,
        folder=folder / OWN,
        database=settings.database,
        today=settings.today,
        scenarios=read_scenarios(folder / "scenarios", settings.order),
        canned_messages=canned_messages(folder / "canned_messages"),
        instructions=texts["instructions.txt"],
        ability=read_text(folder / ABILITY, profile),
    )
    domains = read_domains(folder, own, settings.domains, settings.order, lambda text: read_text(text, profile))
    every = every_scenario(domains)
    _check_order(path, settings.order, every)
    check_design(settings.planned, settings.factor, every, path)
    check_domains(settings.planned, settings.factor, domains, path)
    check_visits(settings.planned, settings.factor, of_factors.visits or {"": profile}, path)
    domain_of = domains_of_conditions(every_condition(settings.factor), settings.factor, own.name)
    for name, condition in [("", profile), *conditions.items(), *_of_scenarios(of_factors.scenarios)]:
        check_steps(folder, condition, texts, forms)
        _check_speech(path, name, condition, domains[domain_of.get(name, own.name)].canned_messages)
    return Study(
        folder=folder,
        settings=settings,
        profile=profile,
        scenarios=own.scenarios,
        canned_messages=own.canned_messages,
        consent_text=texts["consent.txt"],
        instructions=texts["instructions.txt"],
        debriefing=texts["debriefing.txt"],
        ability=own.ability,
        questionnaires=forms,
        words=study_words(folder, settings.language),
        files={name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in protocol_files(folder)},
        conditions=conditions,
        scenario_profiles=of_factors.scenarios,
        own_instructions=instructions_of(folder, conditions, read_text),
        own_texts={
            name: _texts(folder, condition, domains[domain_of.get(name, own.name)].instructions_file)
            for name, condition in conditions.items()
            if kept_before(condition) != kept_before(profile)
        },
        domain_folder=own.folder,
        domains=domains,
        condition_domains=domain_of,
    )


def _texts_of_steps(folder: Path, profile: Profile) -> dict[str, str]:
    """The texts that the steps of a visit show, by their files; raises StudyError if consent is asked for without one."""
    texts = {name: read_text(folder / name, profile) for name in STEP_TEXTS.values()}
    if profile.consent and not texts["consent.txt"].strip():
        raise StudyError(
            f"{folder / 'consent.txt'}: profile {profile.name} asks for consent, but there is no text to consent to"
        )
    return texts


def _of_scenarios(profiles: Mapping[str, Mapping[str, Profile]]) -> list[tuple[str, Profile]]:
    """The profiles of scenarios, each with the condition of its visit, whose domain it has."""
    return [(visit, one) for visit, own in profiles.items() for one in own.values()]


def _texts(folder: Path, profile: Profile, instructions: str) -> dict[str, str]:
    """The texts by their files as the subjects of a condition read them, who are told how much is kept from before a press."""
    return {file: read_text(folder / file, profile) for file in (*STEP_TEXTS.values(), instructions)}


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
    """The profile of that name in the study's own folder, otherwise the shipped one; raises StudyError."""
    names = {path.stem: path for root in (PROFILES, folder) for path in sorted(root.glob("*.toml"))}
    if name not in names:
        raise StudyError(f"{asked_by}: there is no profile {name!r}; {nearest(name, names)}")
    profile = read(names[name], Profile)
    if profile.name != name:
        raise StudyError(
            f"{names[name]}: `name` is {profile.name!r}, but the file is called {name}.toml; make them equal"
        )
    return profile


def _check_order(path: Path, order: Sequence[str], scenarios: Mapping[str, Scenario]) -> None:
    for name in order:
        if name not in scenarios:
            raise StudyError(f"{path}: `order` names {name!r}, which is not a scenario; {nearest(name, scenarios)}")


def _check_speech(path: Path, condition: str, profile: Profile, messages: Mapping[str, CannedMessage]) -> None:
    """Raise StudyError if answers are neither shown nor spoken, or where what opens the dialogue is not a greeting."""
    problem = ""
    greetings = [
        message.id for message in messages.values() if message.response is ResponseClass.GREETING and not message.blanks
    ]
    if not profile.show_answers and not profile.speaks:
        problem = 'answers are neither shown nor spoken: set `show_answers = true` or `spoken = "answer"`'
    elif not profile.show_answers and profile.spoken is SpokenPart.SUMMARY:
        problem = 'without `show_answers`, the subject never gets the rows of an answer: set `spoken = "answer"`'
    elif profile.opening and profile.opening not in greetings:
        problem = (
            f"`opening` names {profile.opening!r}, which is not a canned message without blanks whose `response` is greeting; "
            f"{nearest(profile.opening, greetings)}"
        )
    if problem:
        where = f"condition {condition}" if condition else f"profile {profile.name}"
        raise StudyError(f"{path}: {where}: {problem}")


def _absolute(url: str, folder: Path) -> str:
    """`url`, a relative SQLite path taken from the study's folder."""
    scheme, _, path = url.partition(":///")
    if not scheme.startswith("sqlite") or not path or path.startswith(("/", ":", "file:")):
        return url
    return f"{scheme}:///{folder.resolve() / path}"
