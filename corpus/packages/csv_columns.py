"""The columns of `turns.csv` and `scenarios.csv`: name, type and meaning of each, and the same as a data package.

A column that happens to be empty, or speakers whose ids are digits, would otherwise get another type in each corpus.
`datapackage.json` follows the Data Package and Table Schema specifications (version 2).
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from corpus.analysis.turns import STAGES
from corpus.description.described import Described

_PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
TEXT, COUNT, NUMBER, YES_NO, TIME = "string", "integer", "number", "boolean", "datetime"


class Column(msgspec.Struct, frozen=True):
    """One column: `kind` is a type of Table Schema; a boolean is written as 1 or 0."""

    name: str
    kind: str
    meaning: str


def _stages(what: str) -> tuple[Column, ...]:
    return tuple(Column(f"{stage}_s", NUMBER, f"{what}{meaning}") for stage, (_, _, meaning) in STAGES.items())


SHARED = (
    Column("site", TEXT, "the collecting site"),
    Column("session", TEXT, "one visit of one speaker"),
    Column("speaker", TEXT, "pseudonym: text, though one such as 8e1 or 123 looks like a number"),
    Column("sex", TEXT, "m, f or x"),
    Column("age", COUNT, "years"),
    Column("condition", TEXT, "experimental condition of the scenario"),
    Column("wizard", TEXT, "who was the wizard, by name as signed on"),
    Column("profile", TEXT, "procedure of the session, with its version"),
    Column("mode", TEXT, "who operated each stage of the system"),
    Column("scenario_number", COUNT, "place of the subject-scenario within the session, from 1"),
    Column("scenario", TEXT, "id of the scenario"),
    Column("kind", TEXT, "kind of the scenario"),
    Column("common", YES_NO, "the scenario is the one that all sites share"),
    Column("pilot", YES_NO, "a pilot: no data"),
    Column("rehearsal", YES_NO, "scripted people: no data"),
)
OF_TURN = (
    Column("utterance", COUNT, "number of the utterance within the subject-scenario, from 1"),
    Column("stem", TEXT, "name of the utterance in the corpus"),
    Column("typed", YES_NO, "typed and not spoken"),
    Column("begin", TIME, "first sample, or the typed text; UTC"),
    Column("speech_s", NUMBER, "seconds of sound"),
    *_stages("seconds, "),
    Column("uncertain_s", NUMBER, "seconds by which the clocks of the desks may be off"),
    Column("requests", COUNT, "requests that were sent to the database"),
    Column("failures", COUNT, "of these, those that failed"),
    Column("replies", COUNT, "replies, fillers included"),
    Column("fillers", COUNT, "replies that only bridge the time"),
    Column("response", TEXT, "class of the first reply that is no filler"),
    Column("canned_message", TEXT, "id of the fixed reply, where it was one"),
    Column("scope", TEXT, "in or out of the domain, as the wizard marked it"),
    Column(
        "after_error",
        TEXT,
        "kind of the system's error in the utterance before: such utterances repeat and correct more",
    ),
    Column("marked_wrong", YES_NO, "the wizard marked the reply as wrong afterwards"),
    Column("limit_reached", YES_NO, "the limit for a reply was passed"),
    Column("context_switch", YES_NO, "the subject went back to an earlier context"),
    Column("audio_troubles", COUNT, "troubles with the sound that were noted"),
    Column("recogniser", TEXT, "engine whose words were the draft; empty without one"),
    Column("recogniser_s", NUMBER, "seconds from the end of the sound to its words"),
    Column("draft_words", COUNT, "words of its likeliest hypothesis"),
    Column("draft_taken", TEXT, "accepted as it was, edited or rejected by a person; empty where nobody judged it"),
    Column("draft_choice", COUNT, "place of the hypothesis that was taken, from 1"),
    Column(
        "draft_errors_wizard",
        COUNT,
        "word errors of the likeliest hypothesis against what a person typed in the session",
    ),
    Column("draft_put_in", COUNT, "of its word errors, those that were put in on purpose"),
    Column("draft_errors", COUNT, "word errors of it against the checked transcription"),
    Column("class", TEXT, "A, D, D1 or X"),
    Column("words", COUNT, "words of the lexical transcription"),
    Column("draft", YES_NO, "the transcription is what the wizard typed, unchecked"),
    Column("desk_s", NUMBER, "seconds that all who transcribed and checked it worked on it at the transcription desk"),
    Column("text", TEXT, "the lexical transcription; empty too where it has no word, and words is 0"),
)
OF_COURSE = (
    Column("began", TIME, "start of the subject-scenario; UTC"),
    Column("finished", YES_NO, "it was ended, and not broken off"),
    Column(
        "outcome",
        TEXT,
        "declared (a solution, right or wrong), given_up, time_up, ended or invalidated; empty where broken off",
    ),
    Column("censored", YES_NO, "no solution was declared: observed_s is a lower bound of the time to one"),
    Column("observed_s", NUMBER, "seconds to the solution, or observed without one; empty where declared invalid"),
    Column("time_s", NUMBER, "seconds from start to end, pauses taken out"),
    Column("paused_s", NUMBER, "seconds of pauses"),
    Column("declared_s", NUMBER, "seconds from start to the declared solution, pauses taken out"),
    Column("given", YES_NO, "a solution was declared"),
    Column("solution", TEXT, "the declared solution"),
    Column(
        "verdict", TEXT, "of the solution: right, wrong, wrong form, none; empty without a solution set or a database"
    ),
    Column("correct", YES_NO, "whether the solution is right; empty where there is no verdict"),
    Column("utterances", COUNT, "utterances"),
    Column("answered", COUNT, "of these, those with a reply that is no filler"),
    *_stages("seconds, sum over the utterances, "),
    Column("requests", COUNT, "requests that were sent to the database"),
    Column("failures", COUNT, "of these, those that failed"),
    Column("marked_wrong", COUNT, "replies that the wizard marked as wrong"),
    Column("limit_reached", COUNT, "utterances at which the limit for a reply was passed"),
    Column("deviations", COUNT, "noted deviations from the protocol, without those that were taken back"),
)


def names(columns: Iterable[Column]) -> tuple[str, ...]:
    """The header of a table."""
    return tuple(column.name for column in columns)


def datapackage(tables: Mapping[str, Sequence[Column]], stated: Described | None = None) -> bytes:
    """`datapackage.json` of the two tables by file name, with what is `stated` of the corpus; a turn refers to its
    subject-scenario."""
    unit = ["session", "scenario_number"]
    resources: list[dict[str, object]] = []
    for path, columns in tables.items():
        schema: dict[str, object] = {"fields": [_field(column) for column in columns], "missingValues": [""]}
        if path == "turns.csv":
            schema["primaryKey"] = ["stem"]
            schema["foreignKeys"] = [{"fields": unit, "reference": {"resource": "scenarios", "fields": unit}}]
        else:
            schema["primaryKey"] = unit
        name = path.removesuffix(".csv")
        resources.append(
            {"name": name, "type": "table", "path": path, "format": "csv", "encoding": "utf-8", "schema": schema}
        )
    found: dict[str, object] = {"$schema": _PROFILE, "name": "curtain-tables"}
    found |= _stated(stated) if stated is not None else {}
    return msgspec.json.format(msgspec.json.encode(found | {"resources": resources}), indent=1) + b"\n"


def _stated(stated: Described) -> dict[str, object]:
    """Return what is stated of the corpus, in the properties of a data package."""
    people = [{"title": creator.name, "roles": ["creator"]} for creator in stated.creators]
    contacts = [{"path" if "://" in text else "email": text, "roles": ["contact"]} for text in stated.contacts]
    licences: list[dict[str, str]] = []
    for name in stated.licences:
        page = {} if name.startswith("LicenseRef-") else {"path": f"https://spdx.org/licenses/{name}"}
        licences.append({"name": name, **page})
    found: dict[str, object] = {"title": stated.title, "description": stated.description, "homepage": stated.page}
    found |= {"licenses": licences, "contributors": [*people, *contacts], "keywords": [*stated.keywords]}
    found |= {"created": f"{stated.published}T00:00:00Z"}
    return {key: value for key, value in found.items() if value}


def _field(column: Column) -> dict[str, object]:
    field: dict[str, object] = {"name": column.name, "type": column.kind, "description": column.meaning}
    if column.kind == YES_NO:
        field |= {"trueValues": ["1"], "falseValues": ["0"]}
    return field
