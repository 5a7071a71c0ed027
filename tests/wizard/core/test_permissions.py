"""Roles are offered what the hub would let them do."""

from typing import get_args

from session.commands import ConsoleRequest
from session.values.vocabulary import Role
from wizard.core.permissions import SAMPLES, may


def test_a_wizard_may_do_everything_and_an_observer_keeps_the_visit_in_order() -> None:
    assert all(may(Role.WIZARD, what) for what in SAMPLES)
    assert {what for what in SAMPLES if may(Role.OBSERVER, what)} == {"end", "invalid", "pause", "call"}
    assert may(Role.OBSERVER, "look")


def test_a_transcriber_types_and_an_experimenter_runs_the_session() -> None:
    assert {what for what in SAMPLES if may(Role.TRANSCRIBER, what)} == {"transcribe", "scope", "note", "identify"}
    assert {what for what in SAMPLES if may(Role.EXPERIMENTER, what)} == {
        "note", "deviation", "identify", "start", "record", "end", "invalid", "pause", "call", "close", "hands",
    }  # fmt: skip


def test_every_sample_is_something_a_console_can_ask() -> None:
    assert all(isinstance(sample, get_args(ConsoleRequest)) for sample in SAMPLES.values())
