"""`curtain solutions`: which declared solutions are right, scenario by scenario, and how long a right one took."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TextIO

from corpus.formats.errors import counted
from domain.code_labels import Decoding
from domain.database.build import DatabaseError, open_database
from domain.database.solution_set import solution_query
from domain.sandbox.sandbox import Sandbox
from session import events as e
from session.collection.left_out import LeftOut, left_out_line, reason_to_leave_out
from session.collection.open_session import session_names
from session.events import Recorded
from session.state.fold import elapsed, fold, paused_until
from session.store.event_store import UNREADABLE, Store
from session.study.folder import Study, load
from session.study.settings import Scenario
from session.study.toml_reader import StudyError
from session.values import spreadsheet
from session.values.answers import QueryFailure, Table
from session.values.clock import SECOND
from session.values.sanitize import inert
from session.values.vocabulary import Outcome
from study.design_command import table
from study.rightness import Rightness, further, judge
from study.scenario_assembly import sets_of, submitted, take_in
from study.solutions import SolutionAttempt, solved

COLUMNS = (
    "session", "speaker", "condition", "scenario", "finished", "given", "correct", "verdict", "seconds", "censored", "further",
    "solution",
)  # fmt: skip
SUBMITTED = ("site", "scenario", "difficulty", "solutions")
HEAD = ("scenario", "subjects", "finished", "given", "right", "wrong", "wrong form", "none", "median min", "")
Rows = Callable[[Scenario, Mapping[str, str]], Table | None]


def assemble_command(folder: str, sites: Sequence[str], out: TextIO, err: TextIO) -> int:
    """Take the scenarios in the folders of sites into the study, with their solution sets: all, or none if one has a fault.

    Prints each, and sets of one size for the design. 1 where a scenario has a fault, 2 where it cannot be read.
    """
    try:
        study = load(Path(folder))
        with closing(_sandbox(study)) as sandbox:
            found = submitted(study, map(Path, sites), sandbox.run)
        faults = [f"{one.path}: {fault}" for one in found for fault in one.faults]
        if not faults:
            take_in(study, found)
    except (StudyError, DatabaseError, OSError) as error:
        err.write(f"{error}\n")
        return 2
    out.write(table(SUBMITTED, [(one.site, one.scenario.id, one.scenario.difficulty, one.solutions) for one in found]))
    if faults:
        err.write("".join(f"{inert(fault)}\n" for fault in faults) + "nothing was taken in\n")
        return 1
    sets = ", ".join(f"{name} = [{', '.join(map(repr, own))}]" for name, own in sets_of(found).items())
    out.write(f"\n[design]\nsets = {{ {sets} }}\nend_to_end = true\n".replace("'", '"'))
    return 0


def solutions_command(folder: str, *, failures: bool, as_csv: bool, out: TextIO, err: TextIO) -> int:
    """Judge the solutions that were declared in a study; 1 where a scenario is solved by nobody or everybody, 2 for a fault.

    `failures` counts anyone who found no right solution as never finding one, instead of censoring the time.
    """
    try:
        study = load(Path(folder))
        with solution_sets(study) as rows_in, closing(Store(study.store_url)) as store:
            found, left = list[SolutionAttempt](), list[LeftOut | None]()
            for facts in map(store.read, session_names(store)):
                left.append(reason_to_leave_out(facts))
                found += attempts(facts, rows_in(domain_of(facts)))
    except (StudyError, DatabaseError, QueryFailure, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    if line := left_out_line(left):
        err.write(f"{line}\n")
    if as_csv:
        out.write(spreadsheet.table(COLUMNS, map(_row, found)))
        return 0
    lines = solved(found, failures=failures)
    rows = [
        (one.scenario, one.subjects, one.finished, one.given, one.right, one.wrong, one.wrong_form, one.none,
         "-" if one.minutes is None else f"{one.minutes:.1f}", one.flag)
        for one in lines
    ]  # fmt: skip
    if not rows:
        err.write("no scenario was worked on in a session that counts; rehearsals and pilots do not\n")
        return 0
    out.write(table(HEAD, rows))
    how = "those without a right solution count as failures" if failures else "the others are censored"
    err.write(f"median time to a right solution, by Kaplan and Meier; {how}\n")
    if doubtful := sum(bool(one.further) for one in found):
        err.write(
            f"{counted(doubtful, 'right solution')} with further values, which may contradict: `further` of --csv\n"
        )
    return 1 if any("solves" in one.flag for one in lines) else 0


def _sandbox(study: Study) -> Sandbox:
    return Sandbox(study.database_url or open_database(study.domain_folder, study.database_folder).url)


@contextmanager
def solution_sets(study: Study) -> Iterator[Callable[[str], Rows]]:
    """Have the solution sets of any domain of the study at hand, by its name; each database is opened once."""
    with ExitStack() as opened:
        known: dict[Path, Rows] = {}

        def rows_in(domain: str) -> Rows:
            there = study.in_domain(domain)
            if there.domain_folder not in known:
                known[there.domain_folder] = _solution_sets(
                    opened.enter_context(closing(_sandbox(there))), Decoding.if_any(there.domain_folder)
                )
            return known[there.domain_folder]

        yield rows_in


def domain_of(facts: Sequence[Recorded]) -> str:
    """Return the domain of a session; empty if it was erased."""
    opened = (recorded.event.protocol.domain for recorded in facts if isinstance(recorded.event, e.SessionOpened))
    return next(opened, "")


def _solution_sets(sandbox: Sandbox, decoding: Decoding) -> Rows:
    known: dict[str, Table | None] = {}

    def rows(scenario: Scenario, bindings: Mapping[str, str]) -> Table | None:
        if scenario.solution is None:
            return None
        query = solution_query(scenario, bindings)
        if query not in known:
            known[query] = decoding.worded(sandbox.run(query), sandbox.run)
        return known[query]

    return rows


def attempts(facts: list[Recorded], rows: Rows, *, pilots: bool = False) -> Iterator[SolutionAttempt]:
    """The judged scenarios of a session that count; none of a pilot, of a rehearsal, of anyone who has withdrawn or may not
    be studied. With `pilots` those of a pilot and no others."""
    opened = next((recorded.event for recorded in facts if isinstance(recorded.event, e.SessionOpened)), None)
    if opened is None or opened.pilot is not pilots or reason_to_leave_out(facts, pilots=pilots) is not None:
        return
    started = [recorded.event for recorded in facts if isinstance(recorded.event, e.ScenarioStarted)]
    for place, run in enumerate(fold(facts).runs):
        if not run.counts or (run.ended is None and run.outcome is None):
            continue
        until = next(
            (
                n
                for n, one in enumerate(facts, 1)
                if isinstance(one.event, e.ScenarioEnded) and _runs(facts[:n]) > place
            ),
            len(facts),
        )
        state, last = fold(facts[:until]), facts[until - 1].at
        spent = elapsed(run.started, last) - (paused_until(state, last) - run.paused_before)
        scenario = opened.protocol.scenarios.get(run.scenario)
        bindings = started[place].bindings if place < len(started) else {}
        declared = run.solution if run.outcome is Outcome.DECLARED else None
        wanted = rows(scenario, bindings) if scenario is not None else None
        verdict = judge(declared, wanted)
        beside = further(declared, wanted) if declared and wanted and verdict is Rightness.RIGHT else ()
        yield SolutionAttempt(
            facts[0].session, opened.speaker.id, run.condition or opened.condition, run.scenario, run.outcome is not None,
            declared or "", verdict, max(0, spent) / SECOND, beside,
        )  # fmt: skip


def _runs(facts: list[Recorded]) -> int:
    return sum(isinstance(recorded.event, e.ScenarioEnded) for recorded in facts)


def _row(one: SolutionAttempt) -> tuple[object, ...]:
    return (
        one.session, one.speaker, one.condition, one.scenario, int(one.finished), int(one.given), int(one.correct),
        one.verdict, f"{one.seconds:.1f}", int(not one.correct),
        inert("; ".join(one.further)), inert(one.solution),
    )  # fmt: skip
