"""Screens of the stations of a visit, and the handling of their results."""

from collections.abc import Callable
from typing import Any, assert_never

from textual.screen import Screen

from session.values.answers import digest
from session.values.clock import Clock
from session.values.vocabulary import Step
from subject.capture.level import Level
from subject.core import texts
from subject.core.terminal import Terminal
from subject.screens.consent_screens import ConsentScreen, DebriefingScreen, InstructionsScreen
from subject.screens.form import FormScreen
from subject.screens.microphone import MicrophoneScreen

Station = tuple[Screen[Any], Callable[[Any], None]]


def station(terminal: Terminal, clock: Clock, levels: Callable[[], dict[str, Level]]) -> Station | None:
    """The screen of the station that the subject is at, and what takes its result; None if there is none.

    A screen that was taken away gives None, which is not a result.
    """
    opened, visit, begun = terminal.state.opened, terminal.visit, terminal.state.step
    if opened is None:
        return None
    protocol = opened.protocol
    match visit.step:
        case Step.CONSENT:
            agreed = lambda scopes: visit.consent(scopes, digest(protocol.consent_text))  # noqa: E731
            return ConsentScreen(protocol.consent_text, typed=terminal.typed), _given(agreed)
        case Step.INSTRUCTIONS:
            return InstructionsScreen(protocol.instructions, may_close=False), lambda _: visit.instructed()
        case Step.MICROPHONE_CHECK:
            return MicrophoneScreen(clock, levels, lambda: terminal.listening), _given(
                lambda done: visit.checked(*done)
            )
        case Step.DEBRIEFING:
            return DebriefingScreen(visit.text), _given(lambda _: visit.debriefed())
        case Step.CONFIRM_CONSENT:
            agreed_before = terminal.state.consent.scopes if terminal.state.consent else {}
            text = f"{texts.words_for(terminal)['consent.confirm'].strip()}\n\n{visit.text}"
            ticked = {scope for scope, given in agreed_before.items() if given}
            return ConsentScreen(text, ticked, typed=terminal.typed), _given(visit.confirm)
        case (Step.SATISFACTION | Step.BELIEF | Step.COMMENTS) as step:
            if begun is None or begun.form is None:
                return None
            return FormScreen(begun.form), _given(lambda answers: visit.answer(step, answers))
        case Step.PRACTICE | Step.SCENARIOS | None:
            return None
        case unknown:
            assert_never(unknown)


def _given(use: Callable[[Any], None]) -> Callable[[Any], None]:
    return lambda result: use(result) if result is not None else None
