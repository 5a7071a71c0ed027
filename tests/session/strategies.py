"""Arbitrary facts and streams for property tests, drawn from the facts' own annotations.

Takes, attempts and replies come from a few names each, so that facts meet one another.
"""

import enum
import types
import typing
from typing import Any

import msgspec
from hypothesis import strategies as st

from session import events as e
from session.study.settings import Profile, Protocol, Questionnaire
from session.values.answers import Table
from session.values.clock import Stamp
from session.values.vocabulary import Echo
from tests.session.examples import FORM, protocol

NAMES = {
    "take": ("T1", "T2", "T3"),
    "attempt": ("A1", "A2"),
    "reply": ("R1", "R2", "R3"),
    "clock": ("hub", "subject"),
    "letter": ("s", "c"),
    "target": ("T1", "T2"),
}
TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
WHOLE = st.integers(-(2**40), 2**53)
VALUE = st.none() | st.booleans() | WHOLE | st.floats(allow_nan=False, allow_infinity=False) | TEXT
FACTS: tuple[type[e.Event], ...] = typing.get_args(e.Fact)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    columns = draw(st.lists(TEXT, min_size=1, max_size=3))
    row = st.tuples(*(VALUE for _ in columns))
    return Table(tuple(columns), tuple(draw(st.lists(row, max_size=3))), draw(st.booleans()))


SPECIAL: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: WHOLE,
    bool: st.booleans(),
    float: st.floats(0, 1e6),
    type(None): st.none(),
    Table: tables(),
    Questionnaire: st.sampled_from((FORM, msgspec.structs.replace(FORM, title="Other", item=FORM.item[:1]))),
    Profile: st.sampled_from(Echo).map(lambda echo: Profile(name="test", echo=echo)),
    Protocol: st.sampled_from(Echo).map(lambda echo: protocol(Profile(name="test", echo=echo))),
}


def of_hint(hint: Any, field: str = "") -> st.SearchStrategy[Any]:
    """Values of an annotation."""
    if hasattr(hint, "__metadata__"):
        return _limited(hint.__origin__, field, hint.__metadata__[0])
    if hint is str and field in NAMES:
        return st.sampled_from(NAMES[field])
    if hint in SPECIAL:
        return SPECIAL[hint]
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*(of_hint(part, field) for part in parts))
    if origin is tuple:
        return st.lists(of_hint(parts[0]), max_size=2).map(tuple)
    if origin is dict:
        return st.dictionaries(of_hint(parts[0]), of_hint(parts[1]), max_size=2)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return st.sampled_from(hint)
    return of_struct(hint)


def _limited(kind: type, field: str, limits: msgspec.Meta) -> st.SearchStrategy[Any]:
    """Values within the limits that an annotation states."""
    if kind is int:
        return st.integers(max(int(limits.ge or 0), -(2**40)), min(int(limits.le or 0), 2**53))
    if limits.pattern and field not in NAMES:
        return st.sampled_from(("x1", "Ärger", "0" * 8))
    return of_hint(kind, field)


def of_struct(struct: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Values of a struct, every field drawn by its annotation."""
    hints = typing.get_type_hints(struct, include_extras=True)
    return st.builds(struct, **{name: of_hint(hints[name], name) for name in struct.__struct_fields__})


BY_TYPE = {kind: of_struct(kind) for kind in FACTS}
STAMPS = of_struct(Stamp)


def facts(*kinds: type[e.Event]) -> st.SearchStrategy[Any]:
    """Any fact, or any of these kinds."""
    return st.one_of(*(BY_TYPE[kind] for kind in kinds or FACTS))


def envelopes(session: str = "bbn-20261121-1") -> st.SearchStrategy[e.Recorded]:
    """Any fact in any envelope."""
    return st.builds(
        e.Recorded,
        session=st.just(session),
        seq=st.integers(1, 10_000),
        at=STAMPS,
        by=st.sampled_from(["hub", "subject", "wizard", "transcriber", "experimenter"]),
        cause=TEXT,
        event=facts(),
    )
