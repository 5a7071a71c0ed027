"""Conditions on rows, in WHERE.

A value in another table becomes a nested IN, so that it can be negated or combined without multiplying rows. Keys of
several columns are compared as tuples.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, not_, or_, select, tuple_

from domain.english.model.column_test import read_test
from domain.english.model.domain import Attribute, Conventions, DomainModel, JoinPath, JoinStep, read_path
from domain.english.model.meaning import Condition, Flagged, Value
from domain.english.sql.comparisons import Frame, Frames, apply_test, by_age, compare, counted, day_before


class Conditions:
    """Renders conditions and flags as tests on the tables of a frame; nested statements take the next of `frames`."""

    def __init__(self, model: DomainModel, use: Conventions, frames: Frames, today: date) -> None:
        self._model = model
        self._use = use
        self._frames = frames
        self._today = today

    def idle(self, condition: Condition) -> bool:
        """Return whether the domain recognises the condition but has no column to compare: path "-"."""
        accepts = self._model.attribute[condition.attribute].accepts
        return all(accepts[v.kind] == "-" for v in condition.values)

    def condition(
        self,
        condition: Condition,
        frame: Frame,
        said: AbstractSet[str] = frozenset(),
        joined: AbstractSet[JoinStep] = frozenset(),
    ) -> ColumnElement[bool]:
        """Return the test of a condition under the flags `said`; steps in `joined` lead to rows already in the frame."""
        attribute = self._model.attribute[condition.attribute]
        instead = next((path for flag, path in attribute.with_flag.items() if flag in said), None)
        by_kind: dict[str, list[Value]] = {}
        for value in condition.values:
            by_kind.setdefault(value.kind, []).append(value)
        if attribute.tally:
            number = counted(self._frames, frame, attribute.tally)
            test = or_(*(compare(number, value, self._use) for value in condition.values))
            return not_(test) if condition.negated else test
        tests = [
            self._reach(_beyond(read_path(path), joined), values, frame)
            for kind, values in by_kind.items()
            for path in (instead or attribute.accepts[kind]).split("|")
        ]
        test = or_(*tests) if len(tests) > 1 else tests[0]
        if attribute.overnight and condition.values[0].kind in self._use.overnight:
            test = self._overnight(attribute, condition, test, frame)
        return not_(test) if condition.negated else test

    def combined_tests(
        self, conditions: Sequence[Condition], frame: Frame, said: AbstractSet[str]
    ) -> tuple[list[ColumnElement[bool]], list[Condition]]:
        """Return the tests of conditions that hold for one related row together, and the remaining conditions.

        "A PhD from MIT" is one degree. Negated conditions are not combined, nor two on one attribute unless they test two
        columns of a row ("a Lockheed 737").
        """
        ways: dict[JoinStep, list[tuple[Condition, JoinPath]]] = {}
        paths = [(condition, self._plain_path(condition, said)) for condition in conditions]
        for condition, path in paths:
            twice = [other for one, other in paths if one is not condition and one.attribute == condition.attribute]
            if path is not None and path.steps and all(_beside(path, other) for other in twice):
                ways.setdefault(path.steps[0], []).append((condition, path))
        tests, taken = [], []
        for step, held in ways.items():
            if len(held) > 1:
                inner = self._frames.another()
                rests = [self._reach(JoinPath(path.steps[1:], path.end), c.values, inner) for c, path in held]
                tests.append(self._inside(step, frame, inner, and_(*rests)))
                taken += [c for c, _ in held]
        return tests, [c for c in conditions if c not in taken]

    def _plain_path(self, condition: Condition, said: AbstractSet[str]) -> JoinPath | None:
        """Return the only path to the condition's column, or None if there are several or none."""
        attribute = self._model.attribute[condition.attribute]
        kinds = {v.kind for v in condition.values}
        if condition.negated or len(kinds) != 1 or attribute.overnight or attribute.with_flag.keys() & said:
            return None
        text = attribute.accepts[kinds.pop()]
        return None if text == "-" or "|" in text else read_path(text)

    def _overnight(
        self, attribute: Attribute, condition: Condition, test: ColumnElement[bool], frame: Frame
    ) -> ColumnElement[bool]:
        """Return the test for the day on which something ends; what passes midnight began the day before."""
        late = or_(*(and_(*(self.test(t, frame) for t in way.split("&"))) for way in attribute.overnight.split("|")))
        kind = condition.values[0].kind
        before = [day_before(v) for v in condition.values]
        return or_(and_(late, self._reach(read_path(attribute.accepts[kind]), before, frame)), and_(not_(late), test))

    def _reach(self, path: JoinPath, values: Sequence[Value], frame: Frame) -> ColumnElement[bool]:
        if not path.steps:
            return self._compare(path.end, values, frame)
        step, rest = path.steps[0], JoinPath(path.steps[1:], path.end)
        inner = self._frames.another()
        return self._inside(step, frame, inner, self._reach(rest, values, inner))

    def _inside(self, step: JoinStep, frame: Frame, inner: Frame, test: ColumnElement[bool]) -> ColumnElement[bool]:
        """Return whether the row joins by the step to one in `inner` that passes the test."""
        there = select(*(inner.column(right) for _, right in step.pairs)).where(test)
        return among([frame.column(left) for left, _ in step.pairs], there)

    def flagged(self, flagged: Flagged, frame: Frame) -> ColumnElement[bool]:
        """Return the test that one of the flags holds, or that none does if negated."""
        tests = [and_(*(self.test(text, frame) for text in self._model.flag[name].where)) for name in flagged.flags]
        test = or_(*tests) if len(tests) > 1 else tests[0]
        return not_(test) if flagged.negated else test

    def test(self, text: str, frame: Frame) -> ColumnElement[bool]:
        """Return a test of `domain.toml`, along its join path, as a condition on a frame."""
        path = read_path(text) if ";" in text else JoinPath((), text)
        if path.steps:
            step, rest = path.steps[0], "; ".join(text.split(";")[1:])
            inner = self._frames.another()
            return self._inside(step, frame, inner, self.test(rest, inner))
        return apply_test(read_test(path.end), frame)

    def _compare(self, end: str, values: Sequence[Value], frame: Frame) -> ColumnElement[bool]:
        columns = [frame.column(c.strip()) for c in end.split(",")]
        if len(columns) > 1:
            return or_(*(and_(*(c == v for c, v in zip(columns, value.data, strict=True))) for value in values))
        if all(v.op == "=" and v.kind not in {"clock", "date", "month", "year", "years"} for v in values):
            literals = list(dict.fromkeys(v.data[0] for v in values))
            return columns[0].in_(literals) if len(literals) > 1 else columns[0] == literals[0]
        tests = [
            by_age(columns[0], value, self._today) if value.kind == "years" else compare(columns[0], value, self._use)
            for value in values
        ]
        return or_(*tests) if len(tests) > 1 else tests[0]


def _beside(path: JoinPath, other: JoinPath | None) -> bool:
    """Return whether two paths lead to different columns of the same row."""
    return other is not None and path.steps == other.steps and path.end != other.end


def _beyond(path: JoinPath, joined: AbstractSet[JoinStep]) -> JoinPath:
    """Return the rest of a path after the steps that are joined."""
    steps = list(itertools.dropwhile(joined.__contains__, path.steps))
    return JoinPath(tuple(steps), path.end)


def among(columns: Sequence[ColumnElement[Any]], rows: Select[Any]) -> ColumnElement[bool]:
    """Return whether these columns, as a tuple if several, are in the rows."""
    return columns[0].in_(rows) if len(columns) == 1 else tuple_(*columns).in_(rows)
