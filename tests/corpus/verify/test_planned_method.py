"""A method of collection that a profile plans: where people did what it gives to machines, the corpus tells it as a plan."""

import io
from pathlib import Path

import pytest

from corpus.analysis.turns import courses
from corpus.commands.report import StatsOptions, stats_command
from corpus.dataset.reader import Corpus
from corpus.packages import datasheet
from corpus.verify.verify import verify
from session.study.settings import Operators
from session.values.vocabulary import Operator
from tests.corpus.corpora import corpus_of, session_of
from tests.effects.columns import described

PLAN = "a fully automatic system"
LOG = "spon/001/1/001001sx.log"


def collected(target: Path, operators: Operators) -> Path:
    """The corpus of a session that people held, under a profile that plans these operators."""
    profile = {"operators": operators, "deception": False, "collection_method": PLAN}
    return corpus_of(target, described(session_of("bbn", "001"), profile))


def all_machines() -> Operators:
    machine = Operator.MACHINE
    return Operators(recognition=machine, understanding=machine, database=machine, response=machine)


@pytest.mark.parametrize(
    ("operators", "told"),
    [(all_machines(), f"planned: {PLAN}"), (Operators(), PLAN)],
    ids=["for machines", "for people"],
)
def test_the_method_is_told_as_a_plan_where_people_did_what_it_gives_to_machines(
    operators: Operators, told: str, tmp_path: Path
) -> None:
    root = collected(tmp_path / "corpus", operators)
    assert f"\n[Collection_method:] {told}\n" in (root / LOG).read_text()
    corpus = Corpus(root)
    assert f"* method: {told} 2\n" in datasheet.text(corpus, tuple(courses(corpus)))
    printed = io.StringIO()
    assert stats_command(StatsOptions(str(root)), printed, io.StringIO()) == 0
    departed = "people did what the profile gives to machines in 2 scenarios" in printed.getvalue()
    assert departed is (operators == all_machines())


@pytest.mark.parametrize(
    ("operators", "said", "found"),
    [
        (all_machines(), f"planned: {PLAN}", []),
        (all_machines(), f"planned: {PLAN}, mostly", ["log.protocol"]),
        (Operators(), f"planned: {PLAN}", ["log.protocol"]),
    ],
    ids=["as it was", "another plan", "no plan was departed from"],
)
def test_verify_holds_a_plan_to_the_protocol_and_to_who_acted(
    operators: Operators, said: str, found: list[str], tmp_path: Path
) -> None:
    path = collected(tmp_path / "corpus", operators) / LOG
    lines = path.read_text().splitlines(keepends=True)
    changed = [f"[Collection_method:] {said}\n" if line.startswith("[Collection_method:]") else line for line in lines]
    path.write_text("".join(changed))
    verdict = verify(tmp_path / "corpus")
    assert [finding.rule for finding in verdict.findings if finding.rule == "log.protocol"] == found
