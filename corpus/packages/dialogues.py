"""Whole dialogues as JSON lines: request, SQL, rows and reply in context, with sound, times and annotations.

`dialogues.jsonl` has a subject-scenario a line, as `dialogue.schema.json` says. What stayed behind the curtain, requests to the
database among it, is marked `hidden`: a system that is trained on a dialogue may see it, a simulated subject must not.
`chat.jsonl` has the same dialogues as chat messages with tool calls, as today's models are fine-tuned.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from corpus.analysis.turns import STAGES, Course, Turn
from corpus.dataset.reader import Corpus, CorpusUtterance, SubjectScenario
from corpus.formats import cat, sql
from corpus.formats.errors import FormatFault, counted
from corpus.formats.log.log_values import BlockKind, Record, RecordBlock
from corpus.formats.log.result_table import table_of
from corpus.io.staging import Staging
from corpus.packages.dialogue_judgements import RatedDialogue, ScenarioJudgement, TurnJudgement
from corpus.packages.package_writer import Contents, PackageSummary, json_lines
from session.values.vocabulary import Outcome, ResponseClass

HOW = """\
dialogues.jsonl has a subject-scenario a line; dialogue.schema.json describes it (JSON Schema 2020-12). Paths of sound are
those of the corpus. Times are seconds from the start of the subject-scenario. A part with "hidden": true stayed behind the
curtain. judgements are what raters said, each under a number in place of the name.
chat.jsonl has the same dialogues as messages with tool calls. Read either so:
    [json.loads(line) for line in open("dialogues.jsonl", encoding="utf-8")]"""
VERSION = "curtain-dialogue-1"
TOOL = {
    "type": "function",
    "function": {
        "name": "query_database",
        "description": "Run one SQL query on the database and return its columns and rows.",
        "parameters": {"type": "object", "properties": {"sql": {"type": "string"}}, "required": ["sql"]},
    },
}
"""The one tool that a chat has."""


class DialogueTranscript(msgspec.Struct, frozen=True, omit_defaults=True):
    """Words of an utterance: `text` is the lexical transcription, `detailed` that with its events; a `draft` is unchecked.
    `wizard` is what was typed in the session, `hypotheses` a recogniser's words, the likeliest first."""

    text: str | None = None
    detailed: str = ""
    draft: bool = False
    wizard: str = ""
    recogniser: str = ""
    hypotheses: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Return the words as they are best known: of a checked transcription, otherwise as they were typed in the session."""
        return (self.text or "") if not self.draft and self.text else self.wizard or self.text or ""


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """One request to the database: `text` in a `language`, by `origin`; the SQL that ran, what it gave or why it failed.

    `rows` are those that the wizard had; `more_rows` says that there were more. `sent` is true for those that were shown."""

    attempt: str
    at_s: float
    language: str
    origin: str
    text: str
    hidden: bool
    sql: str = ""
    paraphrase: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    row_count: int | None = None
    more_rows: bool = False
    failure: str = ""
    message: str = ""
    sent: bool = False


class SystemReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reply: `response` is its class, `canned` the id of a fixed one, `attempt` the request whose rows it shows.

    `seen_s` is when the subject saw or heard it, None if that never happened; `wrong` was so marked by the wizard later."""

    at_s: float
    by: str
    response: str
    text: str
    canned: str = ""
    blanks: tuple[str, ...] = ()
    attempt: str = ""
    spoken: str = ""
    seen_s: float | None = None
    wrong: bool = False


class Annotations(msgspec.Struct, frozen=True, omit_defaults=True):
    """Annotations of an utterance: class and tags, one SQL statement an interpretation, the utterances it depends on."""

    evaluation: str = ""
    tags: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    interpretations: tuple[str, ...] = ()


class DialogueTurn(msgspec.Struct, frozen=True, omit_defaults=True):
    """One utterance of the subject with all that the system made of it; a turn without an `utterance` is the system's own."""

    utterance: str = ""
    number: int = 0
    at_s: float | None = None
    typed: bool = False
    audio: dict[str, str] = {}
    speech: DialogueTranscript = DialogueTranscript()
    context: str = ""
    scope: str = ""
    requests: tuple[Request, ...] = ()
    replies: tuple[SystemReply, ...] = ()
    stages_s: dict[str, float] = {}
    annotations: Annotations = Annotations()
    judgements: tuple[TurnJudgement, ...] = ()


class Dialogue(msgspec.Struct, frozen=True, omit_defaults=True):
    """One subject-scenario: `mode` says who operated each stage, `bindings` what the scenario's placeholders stood for."""

    version: str
    id: str
    site: str
    session: str
    speaker: str
    scenario: str
    scenario_number: str
    kind: str
    task: str
    profile: str
    mode: dict[str, str]
    turns: tuple[DialogueTurn, ...]
    title: str = ""
    bindings: dict[str, str] = {}
    domain: str = ""
    database_version: str = ""
    today: str = ""
    condition: str = ""
    wizard: str = ""
    pilot: bool = False
    rehearsal: bool = False
    outcome: str = ""
    solution: str = ""
    time_s: float | None = None
    judgements: tuple[ScenarioJudgement, ...] = ()


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write `dialogues.jsonl`, its schema, and `chat.jsonl`."""
    found = [*dialogues(contents)]
    staging.write("dialogues.jsonl", json_lines([msgspec.to_builtins(dialogue) for dialogue in found]))
    staging.write("dialogue.schema.json", schema())
    staging.write("chat.jsonl", json_lines([chat(dialogue) for dialogue in found]))
    utterances = sum(bool(turn.utterance) for dialogue in found for turn in dialogue.turns)
    invalid = len(contents.courses) - len(found)
    notes = (f"{counted(invalid, 'subject-scenario')} declared invalid",) if invalid else ()
    return PackageSummary(utterances, len({dialogue.speaker for dialogue in found}), HOW, notes)


def schema() -> bytes:
    """The JSON Schema of a line of `dialogues.jsonl`, made from the types that write it."""
    made = msgspec.json.schema(Dialogue) | {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


def parse(data: bytes, path: str) -> list[Dialogue]:
    """Read `dialogues.jsonl`; nothing is lost. Raises `FormatFault` that names the line.

    >>> line = b'{"version":"curtain-dialogue-1","id":"8k1001sx"}'
    >>> parse(line, "dialogues.jsonl")
    Traceback (most recent call last):
    corpus.formats.errors.FormatFault: dialogues.jsonl:1: Object missing required field `site`; export the package again
    """
    found = list[Dialogue]()
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            found.append(msgspec.json.decode(line, type=Dialogue))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise FormatFault(path, number, str(error), "export the package again") from None
    return found


def dialogues(contents: Contents) -> Iterator[Dialogue]:
    """The subject-scenarios that are data, in the corpus's order; one that was declared invalid is none."""
    courses = {course.stem: course for course in contents.courses}
    corpus = Corpus(contents.corpus.root, contents.corpus.manifest, held=True)
    for scenario in corpus.scenarios():
        course = courses[str(scenario.stem)]
        if course.outcome != Outcome.INVALIDATED:
            first = next((utterance.block.take for utterance in scenario.utterances), "")
            yield _judged(_dialogue(corpus, scenario, course), contents.rated.get(first, ()))


def _judged(dialogue: Dialogue, rated: tuple[RatedDialogue, ...]) -> Dialogue:
    """The dialogue with what raters said of the replies that are in it."""
    if not rated or not any(turn.replies for turn in dialogue.turns):
        return dialogue
    turns = [
        msgspec.structs.replace(turn, judgements=tuple(said for one in rated for said in one.of_turn(turn.number)))
        if turn.utterance and turn.replies
        else turn
        for turn in dialogue.turns
    ]
    whole = tuple(said for one in rated for said in one.of_whole())
    return msgspec.structs.replace(dialogue, turns=tuple(turns), judgements=whole)


def _dialogue(corpus: Corpus, scenario: SubjectScenario, course: Course) -> Dialogue:
    header, log = course.header, scenario.log
    stems = {utterance.block.number: utterance for utterance in scenario.utterances}
    turns = {turn.number: turn for turn in course.turns}
    wrong = {record.get("Reply") for record in log.records("Reply_marked_wrong")}
    seen = _seen(course, scenario)
    found: list[DialogueTurn] = []
    for block in log.blocks:
        replies = _replies(course, block, seen, wrong)
        if block.kind is BlockKind.UTTERANCE:
            found.append(_turn(corpus, course, stems[block.number], turns[block.number], replies))
        elif replies:
            found.append(DialogueTurn(replies=replies))
    return Dialogue(
        version=VERSION,
        id=course.stem,
        site=header["Site"],
        session=header["Session"],
        speaker=header["Speaker"],
        scenario=header["Scenario"],
        scenario_number=header["Scenario_session"],
        kind=header["Scenario_kind"],
        task=header["Scenario_text"],
        profile=header["Profile"],
        mode=dict(part.split("=", 1) for part in header["Mode"].split() if "=" in part),
        turns=tuple(found),
        title=header.get("Title", ""),
        bindings=dict(value.split("=", 1) for name, value in log.header if name == "Binding" and "=" in value),
        domain=header.get("Domain", ""),
        database_version=header.get("Database_version", ""),
        today=header.get("Today", ""),
        condition=header.get("Condition", ""),
        wizard=header.get("Wizard", ""),
        pilot=header["Pilot"] == "yes",
        rehearsal=header["Rehearsal"] == "yes",
        outcome=course.outcome,
        solution=course.solution,
        time_s=None if course.imported else course.time_s,
    )


def _turn(
    corpus: Corpus, course: Course, utterance: CorpusUtterance, turn: Turn, replies: tuple[SystemReply, ...]
) -> DialogueTurn:
    block = utterance.block
    begin = turn.marks.get("begin")
    stages = {name: turn.stage(name) for name in STAGES}
    return DialogueTurn(
        utterance=turn.stem,
        number=turn.number,
        at_s=_at(course, begin.at) if begin else None,
        typed=turn.typed,
        audio=utterance.waves,
        speech=_speech(block, turn),
        context=turn.context,
        scope=turn.scope,
        requests=_requests(course, block, {reply.attempt for reply in replies}),
        replies=replies,
        stages_s={name: round(value, 6) for name, value in stages.items() if value is not None},
        annotations=annotations(corpus, utterance),
    )


def _speech(block: RecordBlock, turn: Turn) -> DialogueTranscript:
    final = [record for record in block.all("Hypothesis_received") if record.get("Final") == "yes"]
    return DialogueTranscript(
        text=None if turn.words is None else turn.text,
        detailed=turn.sro,
        draft=turn.draft,
        wizard=block.typed,
        recogniser=final[-1].get("Engine") if final else "",
        hypotheses=final[-1].all("Hypothesis") if final else (),
    )


def annotations(corpus: Corpus, utterance: CorpusUtterance) -> Annotations:
    """Read what is beside an utterance in `.cat` and `.sql`."""
    files = utterance.files
    if "cat" not in files:
        return Annotations()
    category = cat.parse(corpus.read(files["cat"]), files["cat"])
    statements = sql.parse(corpus.read(files["sql"]), files["sql"]).statements if "sql" in files else ()
    return Annotations(category.evaluation, category.utterance.tags, category.utterance.context, statements)


def _requests(course: Course, block: RecordBlock, sent: set[str]) -> tuple[Request, ...]:
    ends = {record.get("Attempt"): record for key in ("Query_returned", "Query_failed") for record in block.all(key)}
    return tuple(_request(course, asked, ends.get(asked.get("Attempt")), sent) for asked in block.all("Sentence_sent"))


def _request(course: Course, asked: Record, end: Record | None, sent: set[str]) -> Request:
    begun = Request(
        attempt=asked.get("Attempt"),
        at_s=_at(course, asked.moment.at),
        language=asked.get("Language"),
        origin=asked.get("Origin"),
        text=asked.get("Sentence"),
        sent=asked.get("Attempt") in sent,
        hidden=asked.hidden,
    )
    if end is None:
        return begun
    table = table_of(end.get("Table"))
    count = end.get("Row_count")
    return msgspec.structs.replace(
        begun,
        sql=end.get("Query"),
        paraphrase=end.get("Paraphrase"),
        columns=table.columns,
        rows=table.rows,
        row_count=int(count) if count else None,
        more_rows="More_rows" in dict(end.attributes),
        failure=end.get("Failure"),
        message=end.get("Message"),
    )


def _replies(course: Course, block: RecordBlock, seen: dict[str, float], wrong: set[str]) -> tuple[SystemReply, ...]:
    return tuple(
        SystemReply(
            at_s=_at(course, record.moment.at),
            by=record.by,
            response=record.get("Response"),
            text=record.get("Result"),
            canned=record.get("Canned_message"),
            blanks=record.all("Blank"),
            attempt=record.get("Attempt"),
            spoken=record.get("Spoken"),
            seen_s=seen.get(record.get("Reply")),
            wrong=record.get("Reply") in wrong,
        )
        for record in block.all("Answer_returned")
    )


def _seen(course: Course, scenario: SubjectScenario) -> dict[str, float]:
    """Return when each reply was first on the screen, or first heard."""
    found: dict[str, float] = {}
    for key in ("Answer_shown", "Playback_started"):
        for record in scenario.log.records(key):
            found.setdefault(record.get("Reply"), _at(course, record.moment.at))
    return found


def _at(course: Course, at: int) -> float:
    return round((at - course.began.at) / 1e6, 6)


# --- as a chat ------------------------------------------------------------------------------------------------------------


def chat(dialogue: Dialogue) -> dict[str, object]:
    """The dialogue as messages: the subject is the user, the system the assistant, the database a tool.

    Of the requests those are here whose rows were sent; an utterance without words, as one that nobody transcribed, is left
    out with its replies. Fillers are no part of an answer.
    """
    messages: list[dict[str, object]] = []
    for turn in dialogue.turns:
        words = turn.speech.words
        if turn.utterance and not words:
            continue
        if turn.utterance:
            messages.append({"role": "user", "content": words})
        for request in turn.requests:
            if request.sent and request.sql:
                messages += _called(request)
        messages += [
            {"role": "assistant", "content": reply.text}
            for reply in turn.replies
            if reply.response != ResponseClass.FILLER
        ]
    return {"id": dialogue.id, "messages": messages, "tools": [TOOL]}


def _called(request: Request) -> list[dict[str, object]]:
    call = {"name": "query_database", "arguments": msgspec.json.encode({"sql": request.sql}).decode()}
    rows = msgspec.json.encode({"columns": request.columns, "rows": request.rows}).decode()
    return [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": request.attempt, "type": "function", "function": call}],
        },
        {"role": "tool", "tool_call_id": request.attempt, "content": rows},
    ]
