"""Effects of `study.toml` and of the questionnaires, seen in what a study opens and in the form on the subject's screen."""

import asyncio
import io
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from corpus.commands.report import StatsOptions, stats_command
from corpus.verify.session_check import checks
from domain.database.build import DatabaseError
from server.study_hub import proposal_endpoint, study_database
from session import events as e
from session.collection.open_session import plan_session
from session.rules.visit_steps import next_step
from session.store.event_store import Entry, Store
from session.study.create import new
from session.study.folder import Study, load
from session.study.instruments import with_instruments
from session.study.settings import Profile, Questionnaire, QuestionnaireItem, Speaker
from session.study.toml_reader import StudyError
from session.values.clock import Stamp, SystemClock
from session.values.names import Exhausted
from session.values.vocabulary import ItemKind, Step
from study.design_command import design_command
from study.roster_command import RosterOptions, roster_command
from subject.core.texts import headline
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.sessions import MemorySource, whole_session
from tests.desk.regions import painted
from tests.effects.columns import described
from tests.effects.next_session import DAY, header, listed_at_the_console, opened
from tests.effects.registry import Places, effect
from tests.scratch import scratch_folder
from tests.session.play import Play
from tests.subject.stage import Stage, begun, facts_sent, settle

SESSION = "bbn-20261121-1"


@cache
def shipped() -> Path:
    folder = scratch_folder("effects") / "study"
    new(folder)
    return folder


def in_study(look: Callable[[Study], object], **changes: Any) -> object:
    """What `look` sees of a new study with other values in its `study.toml`."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "study"
        shutil.copytree(shipped(), folder)
        path = folder / "study.toml"
        settings = msgspec.toml.decode(path.read_bytes())
        path.write_text("".join(f"{key} = {written(value)}\n" for key, value in (settings | changes).items()))
        return look(load(folder))


def written(value: object) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {written(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    return json.dumps(value)


def seen(key: str, place: str, first: object, second: object, look: Callable[[Study], object], **others: Any) -> None:
    effect(f"study.{key}", place, first, second)(lambda value: in_study(look, **others, **{key: value}))


def _conditions(study: Study) -> object:
    drawn: list[str] = []
    for _ in range(12):
        drawn.append(study.next_condition(drawn))
    return drawn


def _events(study: Study) -> object:
    store = Store(study.store_url)
    plan = plan_session(study, store.usage, "toy 1", DAY)
    store.append(plan.name, 0, [Entry(Stamp("hub", 1, 1), "hub", "", plan.opened)])
    store.close()
    return sorted(path.name for path in study.folder.glob("*.db"))


def database(study: Study) -> object:
    if not study.database_url:
        return "built by the domain"
    try:
        return study_database(study).url
    except DatabaseError as error:
        return str(error).replace(str(study.folder), "")


def _headline(study: Study) -> object:
    stage = Stage()
    stage.desk.tell(opened(study).opened)
    return headline(stage.desk.terminal)


seen("language", "every string of the subject's screen that is not a text of the study", "en", "de", _headline)


def _light(study: Study) -> object:
    return [check.what for check in checks(MemorySource(whole_session()), SESSION, study.second_copy)]


def _named(study: Study) -> object:
    return Places(session=opened(study).name, log=header("Site")(study))


seen("site", "the names of sessions, and `[Site:]`", "lab", "bbn", _named)
seen("profile", "`[Profile:]` of every log", "BBN-89", "BBN-92", header("Profile"))
seen("today", "`[Today:]` of every log", "1991-07-01", "1991-07-02", header("Today"))
seen("domain", "`[Domain:]` of every log", "air_travel", "trains", header("Domain"))
seen("database", "the database that answers", "", "sqlite:///elsewhere.sqlite", database)
seen("store", "the file or server that holds the events", "sqlite:///a.db", "sqlite:///b.db", _events)
seen("conditions", "`[Condition:]` of every log", ["slow", "fast"], ["slow", "fast", "none"], _conditions)
seen(
    "condition",
    "the profile of a session under the condition",
    {"slow": {"reply_limit_s": 30.0}},
    {"slow": {"reply_limit_s": 90.0}},
    header("Reply_limit"),
    conditions=["slow"],
)
seen("seed", "the order in which conditions are drawn", 1, 2, lambda study: _seeded(study))
seen("order", "the order of the console's list of scenarios", [], ["weekend"], listed_at_the_console)
seen("first_session", "the numbers in the names of sessions", 1, 201, lambda study: opened(study).name)
seen("second_copy", "a further check of the closing light", "", "disk", _light)
seen(
    "consent_version",
    "`[Consent:]` of every log",
    "1",
    "2",
    header("Consent"),
)


def _seeded(study: Study) -> object:
    found: list[str] = []
    settings = msgspec.structs.replace(study.settings, conditions=("a", "b", "c"))
    changed = replace(study, settings=settings)
    for _ in range(12):
        found.append(changed.next_condition(found))
    return found


def _block(value: tuple[str, str]) -> object:
    def look(study: Study) -> object:
        used: set[str] = set()
        try:
            while len(used) < 40:
                used.add(study.next_speaker(lambda block: block.next_after(used)))
        except Exhausted:
            pass
        return sorted(used)

    return in_study(look, speakers=[{"first": value[0], "last": value[1]}])


@effect("study.speakers.first", "the id of the next subject", "001", "002")
def _first(value: str) -> object:
    return _block((value, "00f"))


@effect("study.speakers.last", "the refusal when the block is used up", "00f", "00g")
def _last(value: str) -> object:
    return _block(("001", value))


def _equipment(key: str, line: str, first: object, second: object) -> None:
    def observe(value: object) -> object:
        equipment = {"microphones": {"s": "Sennheiser"}, key: value}
        return in_study(header(line), equipment=equipment)

    effect(f"study.equipment.{key}", f"`[{line}:]` of every log", first, second)(observe)


_equipment("microphones", "Microphone", {"s": "Sennheiser"}, {"s": "Crown"})
_equipment("digitiser", "Digitiser", "one", "other")
_equipment("room", "Room", "booth", "attic")
_equipment("noise", "Noise", "office", "quiet")


def _engine(key: str, place: str, first: object, second: object) -> None:
    def observe(value: object) -> object:
        settings = {"url": "https://example.org/v1", "model": "m", "key": "", "seconds": 5.0, key: value}
        endpoint = in_study(
            lambda study: proposal_endpoint(study, os.environ | {"ONE_KEY": "1", "OTHER_KEY": "2"}), engine=settings
        )
        return vars(endpoint) if hasattr(endpoint, "__dict__") else endpoint

    effect(f"study.engine.{key}", place, first, second)(observe)


_engine("url", "the address of requests for proposals", "https://example.org/v1", "https://example.org/v2")
_engine("model", "the model named in the request", "m", "n")
_engine("key", "the key sent with the request", "ONE_KEY", "OTHER_KEY")
_engine("seconds", "the timeout of a proposal", 5.0, 9.0)


@effect("profile.description", "the methods checklist of `curtain stats`", "", "as in 1989")
def _description(value: str) -> object:
    with tempfile.TemporaryDirectory() as scratch:
        script = described(session_of("bbn", "8k1"), {"description": value})
        out = io.StringIO()
        assert stats_command(StatsOptions(str(corpus_of(Path(scratch) / "corpus", script))), out, io.StringIO()) == 0
        return out.getvalue()


# --- a questionnaire ------------------------------------------------------------------------------------------------------


@cache
def filled_in(form: Questionnaire, *keys: str) -> object:
    """What stands on the subject's screen, and what is handed in after these keys; most changes begin at the same form."""

    async def visit() -> object:
        stage = Stage()
        async with stage.app.run_test(size=(80, 40)) as pilot:
            stage.desk.tell(begun(Step.SATISFACTION, form=form))
            await settle(pilot)
            screen = painted(stage.app)
            for key in keys:
                await pilot.press(key)
                await settle(pilot)
        return screen, [(answered.form, answered.answers) for answered in facts_sent(stage, e.QuestionnaireAnswered)]

    return asyncio.run(visit())


def _form(**changes: Any) -> Questionnaire:
    item = QuestionnaireItem(id="easy", text="Was it easy?", choices=("no", "yes"))
    return Questionnaire(**({"id": "satisfaction", "title": "Some questions", "item": (item,)} | changes))


def _of_form(key: str, place: str, first: object, second: object) -> None:
    effect(f"questionnaire.{key}", place, first, second)(lambda value: filled_in(_form(**{key: value}), "1", "f10"))


def _of_item(key: str, place: str, first: object, second: object) -> None:
    def observe(value: object) -> object:
        settings: dict[str, Any] = {"id": "easy", "text": "Was it easy?", "choices": ("no", "yes"), key: value}
        if settings.get("kind") is ItemKind.TEXT or key == "optional":
            settings |= {"choices": (), "kind": ItemKind.TEXT}
        return filled_in(
            _form(item=(QuestionnaireItem(**settings),)), *(("enter",) if key == "optional" else ("1",)), "f10"
        )

    effect(f"questionnaire.item.{key}", place, first, second)(observe)


@effect("questionnaire.id", "the step of the form, and its name in the `.squ`", "satisfaction", "belief")
def _step(value: str) -> object:
    play = Play(Profile(name="test", steps=(Step.CONSENT, Step.SCENARIOS, Step.SATISFACTION, Step.BELIEF)))
    assert play.state.opened is not None
    changed = msgspec.structs.replace(play.state.opened.protocol, questionnaires={value: _form(id=value)})
    play.hub(msgspec.structs.replace(play.state.opened, protocol=changed))
    return next_step(play.state)


@effect("questionnaire.instruments", "the questions on the subject's screen, and their scores in `stats`", (), ("sus",))
def _instruments(value: tuple[str, ...]) -> object:
    return filled_in(with_instruments(Path("form.toml"), _form(instruments=value), "en"), "1")


_of_form("title", "the subject's screen", "Some questions", "A few questions")
_of_form("introduction", "the subject's screen", "", "There are no wrong answers.")
_of_item("id", "the name of the answer in the `.squ` and in `scenarios.csv`", "easy", "hard")
_of_item("text", "the subject's screen", "Was it easy?", "Was it hard?")
_of_item("kind", "a list of choices or a line on the subject's screen", ItemKind.CHOICE, ItemKind.TEXT)
_of_item("choices", "the subject's screen", ("no", "yes"), ("never", "always"))
_of_item("optional", "whether an empty answer is accepted", False, True)


def _again(study: Study) -> str:
    store = Store(study.store_url)
    plan = plan_session(study, store.usage, "toy 1", DAY)
    given = e.ConsentGiven(at=Stamp("subject", 1, 1), version="1", sha256="0" * 64, scopes={"record": True})
    store.append(
        plan.name,
        0,
        [Entry(Stamp("hub", n, n), "hub", "", fact) for n, fact in enumerate((plan.opened, given), 1)],  # type: ignore[arg-type]
    )
    store.close()
    out = io.StringIO()
    assert roster_command(RosterOptions(str(study.folder), as_csv=True), SystemClock("roster"), out, out) == 0
    return out.getvalue()


effect("study.consent_months", "the date from which `curtain roster` asks for consent again", 0, 6)(
    lambda value: in_study(_again, consent_months=value)
)

# --- the design ------------------------------------------------------------------------------------------------------------

DELAYS = {"levels": {"slow": {"reply_delay_s": 4.0}, "fast": {"reply_delay_s": 0.0}}}
TWO = ["downtown", "weekend"]


def _assigned(study: Study) -> object:
    """What the first four subjects are given, or why they are given nothing."""
    found = []
    store = Store("sqlite://")
    try:
        for sex in "fmfm":
            plan = plan_session(study, store.usage, "toy 1", DAY, speaker=Speaker(id="", sex=sex))
            store.append(plan.name, 0, [Entry(Stamp("hub", 1, 1), "hub", "", plan.opened)])
            given = plan.opened.assignment
            found.append((given.text if given else "", plan.opened.condition))
    except ValueError as error:
        return str(error)
    finally:
        store.close()
    return found


def designed(key: str, place: str, first: object, second: object, **others: Any) -> None:
    effect(f"study.design.{key}", place, first, second)(
        lambda value: in_study(_assigned, design={**others, key: value}, factor={"delay": DELAYS})
    )


def _plan(study: Study) -> str:
    out = io.StringIO()
    assert design_command(str(study.folder), as_csv=False, out=out, err=io.StringIO()) == 0
    return out.getvalue()


effect("study.design.subjects", "the slots that `curtain design` shows as open", 4, 8)(
    lambda value: in_study(_plan, design={"subjects": value, "scenarios": TWO}, factor={"delay": DELAYS})
)
designed("scenarios", "`[Assignment:]` of every log", [], TWO)
designed("sets", "`[Assignment:]` of every log", {"A": TWO}, {"A": TWO[:1], "B": TWO[1:]})
designed("order", "`[Assignment:]` of every log", "fixed", "latin", scenarios=TWO)
designed("stratify", "`[Assignment:]` of every log", [], ["sex"], scenarios=TWO)


def _loaded(study: Study) -> str:
    path = study.folder / "scenarios" / "downtown.toml"
    path.write_text(path.read_text().partition("[solution]")[0])
    try:
        load(study.folder)
    except StudyError as error:
        return str(error).partition(": ")[2]
    return "loaded"


effect("study.design.end_to_end", "the error for a scenario without a solution set", False, True)(
    lambda value: in_study(_loaded, design={"end_to_end": value, "scenarios": TWO})
)
effect("study.factor.levels", "`[Condition:]` of every log, and the profile under it", DELAYS["levels"], {
    "slow": {"reply_delay_s": 4.0}, "late": {"reply_delay_s": 8.0},
})(lambda value: in_study(_assigned, factor={"delay": {"levels": value}}))  # fmt: skip
effect(
    "study.factor.changes_at",
    "`[Assignment:]` of every log: a level for each scenario, or for each visit",
    "visit",
    "scenario",
)(
    lambda value: in_study(
        _assigned, design={"scenarios": TWO}, factor={"delay": {**DELAYS, "within": True, "changes_at": value}}
    )
)
effect("study.factor.within", "`[Assignment:]` of every log: two visits instead of one", False, True)(
    lambda value: in_study(_assigned, factor={"delay": {**DELAYS, "within": value}})
)
