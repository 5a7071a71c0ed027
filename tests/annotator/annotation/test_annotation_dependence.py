"""Utterances whose context is excluded: X with it, and never longer than it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.annotation import annotation_rules as rules
from annotator.rules import NotNow
from session.annotation.annotation_facts import Annotation
from tests.annotator.annotation_world import FIRST, FLIGHTS, SECOND, THIRD, Bench, annotated, excluded, wh, yes_no

ONE = "spon/8k8/1"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    found = Bench(tmp_path)
    yield found
    found.close()


def test_what_follows_from_an_x_is_x_and_an_exclusion_keeps_its_reason(bench: Bench, tmp_path: Path) -> None:
    anna, bea = bench.person("anna"), bench.person("bea")
    annotated(anna, FIRST, excluded("truncated"))
    anna.open(THIRD)
    anna.change(yes_no(FLIGHTS, "Q2")(anna.annotation))
    anna.open(SECOND)
    anna.change(rules.pointed(rules.classed(anna.annotation, "D"), "Q1"))
    assert (anna.annotation.evaluation, anna.annotation.reason) == ("X", "depends on X")
    anna.undo()
    assert anna.annotation == Annotation()
    anna.change(rules.classed(anna.annotation, "D"))
    with pytest.raises(NotNow, match="point to the query"):
        anna.submit()
    anna.change(excluded("missing value")(anna.annotation))
    anna.submit()
    anna.open(THIRD)
    assert anna.annotation.evaluation == "D"
    anna.submit()
    assert anna.annotation.reason == "depends on X"  # since what it depends on became X
    for stem in (FIRST, SECOND):
        bea.list.look_around()
        bea.open(stem)
        bea.check()
    assert bench.run(out=str(tmp_path / "new"))[0] == 0
    assert "reason missing value" in (tmp_path / "new" / ONE / f"{SECOND}.cat").read_text()
    assert not (tmp_path / "new" / ONE / f"{SECOND}.ref").exists()


def test_what_was_x_through_its_context_waits_for_a_ruling_when_that_is_ruled_answerable(
    bench: Bench, tmp_path: Path
) -> None:
    anna, bea, cleo = bench.person("anna"), bench.person("bea"), bench.person("cleo")
    annotated(anna, FIRST, excluded("vague"))
    annotated(anna, SECOND, lambda one: rules.pointed(rules.classed(one, "D"), "Q1"))
    annotated(anna, THIRD, lambda one: rules.pointed(rules.classed(one, "D"), "Q2"))
    for stem in (FIRST, SECOND, THIRD):
        bea.list.look_around()
        bea.open(stem)
        bea.check()
    bea.open(FIRST)
    bea.object("it is clear", "heard again", wh(FLIGHTS)(Annotation()))
    cleo.list.look_around()
    case = next(one for one in cleo.queue() if one.utterance == FIRST)
    cleo.open(FIRST)
    cleo.rule(case, wh(FLIGHTS)(Annotation()), "it is")
    waiting = {one.utterance: one for one in cleo.queue()}
    assert waiting[SECOND].why == "depends on X no more: Q1"
    assert waiting[THIRD].why == "depends on X no more: Q2"
    assert "1 utterances have an annotation in force" in bench.run(out=str(tmp_path / "new"))[2]
    cleo.list.look_around()
    held = cleo.open(SECOND).standing
    assert held is not None
    assert held.final is None
    with pytest.raises(NotNow, match="does not depend on an X: Q1 is A"):
        cleo.rule(waiting[SECOND], waiting[SECOND].held["anna"].annotation, "as it was")
    cleo.rule(waiting[SECOND], yes_no(FLIGHTS, "Q1")(Annotation()), "asks so")
    cleo.rule(waiting[THIRD], excluded("vague")(Annotation()), "says nothing")
    assert cleo.queue() == ()


def test_an_x_by_its_context_points_to_one_that_is_x(bench: Bench) -> None:
    anna = bench.person("anna")
    annotated(anna, FIRST, wh(FLIGHTS))
    anna.open(SECOND)
    anna.change(excluded("depends on X")(anna.annotation))
    with pytest.raises(NotNow, match="point to that query with C"):
        anna.submit()
    anna.change(rules.pointed(anna.annotation, "Q1"))
    with pytest.raises(NotNow, match="does not depend on an X: Q1 is A"):
        anna.submit()
