"""Columns of the tables that a corpus gives: each takes another value where something else happened in a session.

The corpus holds visits that differ in much; a column that is the same in every row is seen by the test that is named for it.
"""

import csv
import hashlib
import io
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.report import StatsOptions, stats_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from session import events as e
from session.study.settings import Speaker
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import Outcome
from tests.corpus.annotated import annotated
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.sessions import MemorySource, Script


def described(script: Script, profile: Mapping[str, object] = {}, **changes: Any) -> Script:
    """With an opening, or a profile, that says something else."""
    opened: Any = script.opened
    protocol = msgspec.structs.replace(
        opened.protocol, profile=msgspec.structs.replace(opened.protocol.profile, **profile)
    )
    event = msgspec.structs.replace(opened, protocol=protocol, **changes)
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=event)
    return script


def _broken_off(script: Script) -> Script:
    """Without the end of its last scenario, and of the session."""
    script.facts[:] = [fact for fact in script.facts if not isinstance(fact.event, e.SessionEnded)]
    ends = [at for at, fact in enumerate(script.facts) if isinstance(fact.event, e.ScenarioEnded)]
    del script.facts[ends[-1] :]
    return script


def _typed(script: Script) -> Script:
    """With an utterance that was typed, read, written down and shown at leisure."""
    take = f"{script.speaker.id}T1"
    script.add(e.UtteranceTyped(at=script.desk(), take=take, text="and hotels"), "subject")
    script.add(e.UtteranceAccepted(take=take, number=4))
    script.wait(2)
    script.add(e.Transcribed(at=script.wizard_desk(), take=take, text="and hotels"), "wizard")
    script.wait(1)
    script.add(e.TranscriptionShown(at=script.desk(), take=take), "subject")
    script.canned(take)
    shown: Any = script.facts[-1].event
    script.wait(1)
    late = msgspec.structs.replace(shown, at=script.desk())
    script.facts[-1] = msgspec.structs.replace(script.facts[-1], event=late)
    return script


def _of_a_machine(script: Script) -> Script:
    """With a machine that writes down, another wizard, and scenarios numbered on."""
    for at, fact in enumerate(script.facts):
        match fact.event:
            case e.Transcribed(text=text):
                noisy = Hypothesis(text=f"{text} not", original=text)
                heard = e.HypothesisReceived(
                    at=fact.at, take=fact.event.take, final=True, hypotheses=(noisy,), engine="x"
                )
                script.facts[at] = msgspec.structs.replace(fact, event=heard, by="recogniser")
            case e.WizardIdentified():
                script.facts[at] = msgspec.structs.replace(fact, event=e.WizardIdentified(name="w9", role="wizard"))
            case e.ScenarioStarted(number=int(number)):
                later = msgspec.structs.replace(fact.event, number=number + 2)
                script.facts[at] = msgspec.structs.replace(fact, event=later)
    return script


class _Chained(MemorySource):
    """Sessions whose chains have heads of their own."""

    def head(self, name: str) -> str:
        return hashlib.sha256(name.encode()).hexdigest()


def _otherwise(script: Script) -> Script:
    """With other answers in the questionnaires, and deviations."""
    for at, fact in enumerate(script.facts):
        if isinstance(fact.event, e.QuestionnaireAnswered):
            answers = {item: "2" if said.isdigit() else "no" for item, said in fact.event.answers.items()}
            script.facts[at] = msgspec.structs.replace(fact, event=msgspec.structs.replace(fact.event, answers=answers))
        if isinstance(fact.event, e.ScenarioEnded) and fact.event.outcome is Outcome.GIVEN_UP:
            script.facts[at] = msgspec.structs.replace(fact, event=e.ScenarioEnded(outcome=Outcome.TIME_UP))
    script.add(e.DeviationNoted(reason="help", text="a hint"), "wizard")
    return script


def visits() -> list[Script]:
    """Visits that differ."""
    return [
        session_of("bbn", "8k1"),
        _otherwise(session_of("cmu", "9a1", "m", stretch=0.6)),
        described(
            _of_a_machine(session_of("bbn", "8k3", number=3)),
            {"name": "other", "version": "2"},
            condition="speech",
            operator="w2",
            pilot=True,
        ),
        _typed(
            _broken_off(described(session_of("bbn", "8k4", number=4), speaker=Speaker("8k4"), rehearsal=True, pace=2.0))
        ),
    ]


@cache
def tables() -> dict[str, list[dict[str, Any]]]:
    """Rows of every table of the corpus: of the CSV, and of the manifest."""
    with tempfile.TemporaryDirectory() as scratch:
        corpus = Path(scratch) / "corpus"
        export(_Chained(*visits()), corpus)
        corpus = annotated(corpus, {"spon/8k1/1/8k1021sx.cat": b"X: unanswerable\n"})
        request = ExportRequest(str(corpus), f"{scratch}/csv", "csv", whole=True, pilots=True)
        err = io.StringIO()
        assert export_command(request, io.StringIO(), err) == 0, err.getvalue()
        found: dict[str, list[dict[str, Any]]] = {
            path.name: [*csv.DictReader(io.StringIO(path.read_text("utf-8"), newline=""))]
            for path in sorted((Path(scratch) / "csv").glob("*.csv"))
        }
        manifest = Corpus(corpus).manifest
        for name, entries in (("sessions", manifest.sessions), ("files", manifest.files.values())):
            found[f"manifest.json {name}"] = [msgspec.structs.asdict(entry) for entry in entries]
        return found


@cache
def figures() -> tuple[dict[str, Any], dict[str, Any]]:
    """What `curtain stats` tells of two corpora that differ."""
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, scripts in enumerate((visits()[:1], visits())):
            corpus = corpus_of(Path(scratch) / f"corpus{number}", *scripts)
            out = io.StringIO()
            assert stats_command(StatsOptions(str(corpus), as_json=True), out, io.StringIO()) == 0
            found.append(msgspec.json.decode(out.getvalue()))
    return found[0], found[1]


def constant() -> set[str]:
    """Columns, as `table column`, that are the same in every row, and figures that are those of another corpus."""
    same = {
        f"{table} {column}"
        for table, rows in tables().items()
        for column in rows[0]
        if len({str(row[column]) for row in rows}) == 1
    }
    one, other = figures()
    return same | {f"stats {name}" for name in one if one[name] == other[name]}


MASKED = "corpus/test_masked_everywhere.py::test_sound_goes_where_somebody_marked_it_and_whole_where_nobody_did"
TIMED = (
    "annotator/test_effort.py::test_the_minutes_of_an_utterance_stand_in_the_figures_of_the_corpus_by_who_transcribed"
)
RECOGNISED = "corpus/analysis/test_recognition.py::test_each_turn_has_its_own_row_in_the_csv"
JUDGED = "study/test_exported_solutions.py::test_declared_solutions_are_judged_in_the_table_of_scenarios"
DAMAGED = "corpus/commands/test_export.py::test_a_session_that_was_changed_in_the_store_goes_out_only_as_damaged"
ORIGIN = "corpus/release/test_speaker_identity.py::test_a_manifest_tells_which_study_of_a_site_a_session_is_of"
FOLLOWED = {
    "scenarios.csv correct": JUDGED,
    "scenarios.csv verdict": JUDGED,
    "stats questionnaires": (
        "session/study/test_instruments.py::test_scores_stand_in_the_table_of_scenarios_and_in_the_statistics"
    ),
    "manifest.json sessions damage": DAMAGED,
    "manifest.json sessions origin": ORIGIN,
    "manifest.json files masked": MASKED,
    "manifest.json files work": "corpus/release/test_earlier_exports.py::test_of_two_versions_the_checked_one_is_taken",
    "manifest.json sessions scenario_conditions": (
        "study/test_scenario_levels_exported.py::test_the_manifest_the_tables_and_the_figures_are_by_level"
    ),
    "stats blind": "corpus/release/test_blind.py::test_no_page_no_figures_and_no_encrypted_pool_hold_an_answer",
    "stats balance": "study/test_design.py::test_figures_of_a_corpus_say_who_had_which_condition_and_set",
    "stats effort": TIMED,
    "stats recognition": RECOGNISED,
    "stats stages": RECOGNISED,
    "turns.csv desk_s": TIMED,
    "turns.csv draft_choice": RECOGNISED,
    "turns.csv draft_errors": RECOGNISED,
    "turns.csv draft_errors_wizard": RECOGNISED,
    "turns.csv draft_taken": RECOGNISED,
}
"""The test that sees a column change, as FILE::NAME below tests."""
FIXED = {"stats limits"}
"""What is the same for every corpus: what no figure of any can show."""
