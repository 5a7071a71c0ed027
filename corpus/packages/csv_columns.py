"""The columns of `turns.csv` and `scenarios.csv`: name, type and meaning of each, and the same as a data package.

A column that happens to be empty, or speakers whose ids are digits, would otherwise get another type in each corpus.
`datapackage.json` follows the Data Package and Table Schema specifications (version 2).
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from corpus.analysis.turns import STAGES
from corpus.description.corpus_metadata import CorpusMetadata

_PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
TEXT, COUNT, NUMBER, YES_NO, TIME = "string", "integer", "number", "boolean", "datetime"


class TableColumn(msgspec.Struct, frozen=True):
    """One column: `kind` is a type of Table Schema; a boolean is written as 1 or 0."""

    name: str
    kind: str
    meaning: str


def _stages(what: str) -> tuple[TableColumn, ...]:
    return tuple(TableColumn(f"{stage}_s", NUMBER, f"{what}{meaning}") for stage, (_, _, meaning) in STAGES.items())


SHARED = (
    TableColumn("site", TEXT, "the collecting site"),
    TableColumn("session", TEXT, "one visit of one speaker"),
    TableColumn("speaker", TEXT, "pseudonym: text, though one such as 8e1 or 123 looks like a number"),
    TableColumn("sex", TEXT, "m, f or x"),
    TableColumn("age", COUNT, "years"),
    TableColumn("condition", TEXT, "experimental condition of the scenario"),
    TableColumn("wizard", TEXT, "who was the wizard, by name as signed on"),
    TableColumn("profile", TEXT, "procedure of the session, with its version"),
    TableColumn("mode", TEXT, "who operated each stage of the system"),
    TableColumn("scenario_number", COUNT, "place of the subject-scenario within the session, from 1"),
    TableColumn("scenario", TEXT, "id of the scenario"),
    TableColumn("kind", TEXT, "kind of the scenario"),
    TableColumn("common", YES_NO, "the scenario is the one that all sites share"),
    TableColumn("pilot", YES_NO, "a pilot: no data"),
    TableColumn("rehearsal", YES_NO, "scripted people: no data"),
)
OF_TURN = (
    TableColumn("utterance", COUNT, "number of the utterance within the subject-scenario, from 1"),
    TableColumn("stem", TEXT, "name of the utterance in the corpus"),
    TableColumn("typed", YES_NO, "typed and not spoken"),
    TableColumn("begin", TIME, "first sample, or the typed text; UTC"),
    TableColumn("speech_s", NUMBER, "seconds of sound"),
    *_stages("seconds, "),
    TableColumn("uncertain_s", NUMBER, "seconds by which the clocks of the desks may be off"),
    TableColumn("requests", COUNT, "requests that were sent to the database"),
    TableColumn("failures", COUNT, "of these, those that failed"),
    TableColumn("replies", COUNT, "replies, fillers included"),
    TableColumn("fillers", COUNT, "replies that only bridge the time"),
    TableColumn("response", TEXT, "class of the first reply that is not a filler"),
    TableColumn("canned_message", TEXT, "id of the fixed reply, where it was one"),
    TableColumn("scope", TEXT, "in or out of the domain, as the wizard marked it"),
    TableColumn(
        "after_error",
        TEXT,
        "kind of the system's error in the utterance before: such utterances repeat and correct more",
    ),
    TableColumn("marked_wrong", YES_NO, "the wizard marked the reply as wrong afterwards"),
    TableColumn("limit_reached", YES_NO, "the limit for a reply was passed"),
    TableColumn("context_switch", YES_NO, "the subject went back to an earlier context"),
    TableColumn("audio_troubles", COUNT, "troubles with the sound that were noted"),
    TableColumn("recogniser", TEXT, "engine whose words were the draft; empty without one"),
    TableColumn("recogniser_s", NUMBER, "seconds from the end of the sound to its words"),
    TableColumn("draft_words", COUNT, "words of its likeliest hypothesis"),
    TableColumn(
        "draft_taken", TEXT, "accepted as it was, edited or rejected by a person; empty where nobody judged it"
    ),
    TableColumn("draft_choice", COUNT, "place of the hypothesis that was taken, from 1"),
    TableColumn(
        "draft_errors_wizard",
        COUNT,
        "word errors of the likeliest hypothesis against what a person typed in the session",
    ),
    TableColumn("draft_put_in", COUNT, "of its word errors, those that were put in on purpose"),
    TableColumn("draft_errors", COUNT, "word errors of it against the checked transcription"),
    TableColumn("class", TEXT, "A, D, D1 or X"),
    TableColumn("words", COUNT, "words of the lexical transcription"),
    TableColumn("draft", YES_NO, "the transcription is what the wizard typed, unchecked"),
    TableColumn(
        "desk_s", NUMBER, "seconds that all who transcribed and checked it worked on it at the transcription desk"
    ),
    TableColumn("text", TEXT, "the lexical transcription; empty too where it has no word, and words is 0"),
)
OF_COURSE = (
    TableColumn("began", TIME, "start of the subject-scenario; UTC"),
    TableColumn("finished", YES_NO, "it was ended, and not broken off"),
    TableColumn(
        "outcome",
        TEXT,
        "declared (a solution, right or wrong), given_up, time_up, ended or invalidated; empty where broken off",
    ),
    TableColumn("censored", YES_NO, "no solution was declared: observed_s is a lower bound of the time to one"),
    TableColumn("observed_s", NUMBER, "seconds to the solution, or observed without one; empty where declared invalid"),
    TableColumn("time_s", NUMBER, "seconds from start to end, pauses taken out"),
    TableColumn("paused_s", NUMBER, "seconds of pauses"),
    TableColumn("declared_s", NUMBER, "seconds from start to the declared solution, pauses taken out"),
    TableColumn("given", YES_NO, "a solution was declared"),
    TableColumn("solution", TEXT, "the declared solution"),
    TableColumn(
        "verdict", TEXT, "of the solution: right, wrong, wrong form, none; empty without a solution set or a database"
    ),
    TableColumn("correct", YES_NO, "whether the solution is right; empty where there is no verdict"),
    TableColumn("utterances", COUNT, "utterances"),
    TableColumn("answered", COUNT, "of these, those with a reply that is not a filler"),
    *_stages("seconds, sum over the utterances, "),
    TableColumn("requests", COUNT, "requests that were sent to the database"),
    TableColumn("failures", COUNT, "of these, those that failed"),
    TableColumn("marked_wrong", COUNT, "replies that the wizard marked as wrong"),
    TableColumn("limit_reached", COUNT, "utterances at which the limit for a reply was passed"),
    TableColumn("deviations", COUNT, "noted deviations from the protocol, without those that were taken back"),
)


def names(columns: Iterable[TableColumn]) -> tuple[str, ...]:
    """The header of a table."""
    return tuple(column.name for column in columns)


def datapackage(tables: Mapping[str, Sequence[TableColumn]], stated: CorpusMetadata | None = None) -> bytes:
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


def _stated(stated: CorpusMetadata) -> dict[str, object]:
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


def _field(column: TableColumn) -> dict[str, object]:
    field: dict[str, object] = {"name": column.name, "type": column.kind, "description": column.meaning}
    if column.kind == YES_NO:
        field |= {"trueValues": ["1"], "falseValues": ["0"]}
    return field
