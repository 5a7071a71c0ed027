"""`turns.csv` and `scenarios.csv` for statistics packages: one row an utterance, one row a subject-scenario.

Seconds throughout; an empty cell is *not known*, never zero. One without a declared solution is marked as censored: its time is a
lower bound, and leaving such rows out would make every system look faster than it was.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from corpus.analysis.recognition import Recognised
from corpus.analysis.turns import STAGES, Course, Turn, answers_of
from corpus.dataset.reader import Corpus
from corpus.formats.log.timeline import Moment
from corpus.formats.spkrinfo import SpeakerInfo
from corpus.formats.squ import AnsweredForm
from corpus.io.staging import Staging
from corpus.packages.csv_columns import NUMBER, OF_COURSE, OF_TURN, SHARED, TEXT, TableColumn, datapackage, names
from corpus.packages.package_writer import Contents, PackageSummary, description_of
from session.study.instruments import scored
from session.values import spreadsheet

HOW = """\
turns.csv has a row for each utterance, scenarios.csv for each subject-scenario: UTF-8, comma, names in the first line.
datapackage.json has the type and the meaning of every column. Columns ending in _s are seconds. An empty cell is not known.
Read it so, that ids stay texts and nothing else is taken for missing:
    pandas.read_csv("turns.csv", dtype={"speaker": str}, keep_default_na=False, na_values=[""])
    read.csv("turns.csv", colClasses = c(speaker = "character"), na.strings = "")
censored is 1 where no solution was declared: observed_s is a lower bound of the time to a solution then, and that time
itself where censored is 0, which is what survival analysis wants: Surv(observed_s, censored == 0). verdict and
correct say whether the declared solution is right, held against the rows of the scenario's solution set; they are empty
where the scenario has none, or the domain's database was not there. A text that a spreadsheet would take for a formula has an
apostrophe before it. Line ends, tabs and other characters without a shape stand as one sign each, a line end as ␊; the
.squ and .log of the corpus have the text itself."""

RIGHT = "right"
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write both tables."""
    corpus, found = contents.corpus, contents.courses
    items = _items(found)
    asked = [TableColumn(name, TEXT, f"answer in the form {form}: {item}") for (form, item), name in items.items()]
    scales = list(dict.fromkeys(name for course in found for name in _scores(course.forms)))
    asked += [
        TableColumn(name, NUMBER, f"score by the published rule: {name.removeprefix('score_')}") for name in scales
    ]
    tables = {"turns.csv": (*SHARED, *OF_TURN), "scenarios.csv": (*SHARED, *OF_COURSE, *asked)}
    staging.write("turns.csv", table(names(tables["turns.csv"]), turn_rows(corpus, found)))
    staging.write(
        "scenarios.csv", table(names(tables["scenarios.csv"]), scenario_rows(corpus, found, contents.verdicts))
    )
    staging.write("datapackage.json", datapackage(tables, description_of(contents)))
    return PackageSummary(sum(len(course.turns) for course in found), len(corpus.speakers()), HOW)


def table(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """The bytes of a table; columns that a row lacks are empty cells."""
    return spreadsheet.table(columns, ([row.get(column) for column in columns] for row in rows)).encode()


def turn_rows(corpus: Corpus, found: Iterable[Course]) -> Iterable[dict[str, object]]:
    """One row an utterance."""
    speakers = corpus.speakers()
    for course in found:
        shared = _shared(speakers, course)
        for turn in course.turns:
            yield shared | _turn(turn)


def scenario_rows(
    corpus: Corpus, found: Sequence[Course], verdicts: Mapping[str, str] | None = None
) -> Iterable[dict[str, object]]:
    """One row a subject-scenario; the answers to the session's questionnaires are in each of its rows. `verdicts` are those
    on the declared solutions, by the name of the log."""
    items, speakers = _items(found), corpus.speakers()
    forms = {course.header["Session"]: course.forms for course in found if course.forms}
    for course in found:
        answers = {
            items[form.name, item]: answer
            for form in forms.get(course.header["Session"], ())
            for item, answer in form.answers
        }
        judged = _verdict((verdicts or {}).get(course.stem, ""))
        yield (
            _shared(speakers, course)
            | _course(course)
            | judged
            | answers
            | _scores(forms.get(course.header["Session"], ()))
        )


def _verdict(verdict: str) -> dict[str, object]:
    return {"verdict": verdict, "correct": verdict == RIGHT} if verdict else {}


def _scores(forms: Iterable[AnsweredForm]) -> dict[str, float]:
    """Scores of the instruments that ship, by column."""
    return {f"score_{scale}": value for scale, value in scored(answers_of(forms)).items()}


def _shared(speakers: Mapping[str, SpeakerInfo], course: Course) -> dict[str, object]:
    header = course.header
    info = speakers.get(header["Speaker"])
    return {
        "site": header["Site"],
        "session": header["Session"],
        "speaker": header["Speaker"],
        "sex": info.sex if info else "",
        "age": info.age if info else None,
        "condition": header.get("Condition", ""),
        "wizard": header.get("Wizard", ""),
        "profile": header["Profile"],
        "mode": header["Mode"],
        "scenario_number": header["Scenario_session"],
        "scenario": header["Scenario"],
        "kind": header["Scenario_kind"],
        "common": header["Common"] == "yes",
        "pilot": header["Pilot"] == "yes",
        "rehearsal": header["Rehearsal"] == "yes",
    }


def _turn(turn: Turn) -> dict[str, object]:
    row: dict[str, object] = {f"{stage}_s": turn.stage(stage) for stage in STAGES}
    begin = turn.marks.get("begin")
    return row | {
        "utterance": turn.number,
        "stem": turn.stem,
        "typed": turn.typed,
        "begin": _time(begin) if begin else "",
        "speech_s": turn.speech_s,
        "uncertain_s": turn.within_s,
        "requests": turn.requests,
        "failures": turn.failures,
        "replies": turn.replies,
        "fillers": turn.fillers,
        "response": turn.response,
        "canned_message": turn.canned,
        "scope": turn.scope,
        "after_error": turn.after_error,
        "marked_wrong": turn.marked_wrong,
        "limit_reached": turn.limit_reached,
        "context_switch": bool(turn.context),
        "audio_troubles": turn.troubles,
        **_recognised(turn.recognised),
        "class": turn.evaluation,
        "words": turn.words,
        "draft": turn.draft if turn.words is not None else None,
        "desk_s": turn.desk_s,
        "text": turn.text,
    }


def _recognised(found: Recognised | None) -> dict[str, object]:
    if found is None:
        return {}
    wizard, checked = found.against_wizard, found.against_transcription
    return {
        "recogniser": found.engine,
        "recogniser_s": found.took_s,
        "draft_words": found.words,
        "draft_taken": found.verdict,
        "draft_choice": found.choice if found.verdict else None,
        "draft_errors_wizard": None if wizard is None else wizard.errors,
        "draft_put_in": None if found.put_in is None else found.put_in.errors,
        "draft_errors": None if checked is None else checked.errors,
    }


def _course(course: Course) -> dict[str, object]:
    turns = course.turns
    row: dict[str, object] = {f"{stage}_s": _sum(turn.stage(stage) for turn in turns) for stage in STAGES}
    return row | {
        "began": _time(course.began),
        "finished": course.ended,
        "outcome": course.outcome,
        "censored": course.censored,
        "observed_s": course.observed_s,
        "time_s": course.time_s,
        "paused_s": course.paused_s,
        "declared_s": course.declared_s,
        "given": bool(course.solution),
        "solution": course.solution,
        "utterances": len(turns),
        "answered": sum(turn.answered for turn in turns),
        "requests": sum(turn.requests for turn in turns),
        "failures": sum(turn.failures for turn in turns),
        "marked_wrong": sum(turn.marked_wrong for turn in turns),
        "limit_reached": sum(turn.limit_reached for turn in turns),
        "deviations": course.deviations,
    }


def _time(moment: Moment) -> str:
    """Microseconds even where there are none: statistics programs take the first row's form for that of all."""
    return moment.wall.isoformat(timespec="microseconds")


def _sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _items(found: Iterable[Course]) -> dict[tuple[str, str], str]:
    """A column name for every item of every form, in order of their first appearance; no two are alike."""
    names: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for form in (form for course in found for form in course.forms):
        for item, _ in form.answers:
            if (form.name, item) in names:
                continue
            base = "q_" + _UNSAFE.sub("_", f"{form.name}_{item}").strip("_").lower()[:60]
            numbered = (f"{base}_n{number}" if number > 1 else base for number in count(1))
            names[form.name, item] = next(name for name in numbered if name not in taken)
            taken.add(names[form.name, item])
    return names
