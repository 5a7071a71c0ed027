"""The deeds of a subject at a page, done by the core: each deed is one of its use-cases, and none is decided here."""

from collections.abc import Mapping
from typing import assert_never

from desk.turn_stack import LineSpan
from session.study.settings import Questionnaire
from session.values.consent import ConsentScope
from session.values.vocabulary import Step
from subject.browser import page_messages as m
from subject.core.microphone_trial import MicrophoneTrial
from subject.core.terminal import Terminal
from subject.core.viewed_lines import ViewedLines

NARROWEST = 20


class Deeds:
    """The use-cases of one page; `trial` is its microphone check."""

    def __init__(self, terminal: Terminal) -> None:
        self.trial = MicrophoneTrial()
        self._terminal = terminal
        self._viewed = ViewedLines()

    def do(self, deed: m.Deed) -> None:
        """Have the core do it; what does not belong to where the subject is does nothing."""
        terminal = self._terminal
        match deed:
            case m.Agreed() | m.Confirmed() | m.TextRead() | m.FormFilled() | m.TrialLeft() | m.TrialAgain():
                self._at_station(deed)
            case m.Typed(text=text):
                terminal.type(text)
            case m.Undone():
                terminal.discard()
            case m.Solved(solution=solution):
                if solution.strip():
                    terminal.declare(solution)
            case m.GivenUp():
                terminal.give_up()
            case m.Called():
                terminal.call()
            case m.Withdrew(erase=erase):
                terminal.withdraw(erase)
            case m.Returned(take=take):
                terminal.return_to(take)
            case m.Sized(columns=columns, lines=lines):
                terminal.sized(max(NARROWEST, columns), max(1, lines))
            case m.Understood(take=take):
                terminal.transcription_painted(take)
            case m.LinesViewed():
                self._see(deed)
            case _:
                assert_never(deed)

    def _see(self, viewed: m.LinesViewed) -> None:
        for key in viewed.reopened:
            self._viewed.reopened(key)
        state = self._terminal.state
        spans = [LineSpan(span.key, span.first, span.last) for span in viewed.spans]
        self._terminal.saw([part for span in spans for part in self._viewed.newly_seen(state, span)])

    def _at_station(
        self, deed: m.Agreed | m.Confirmed | m.TextRead | m.FormFilled | m.TrialLeft | m.TrialAgain
    ) -> None:
        visit = self._terminal.visit
        match deed:
            case m.Agreed(scopes=scopes, sha256=sha256):
                if visit.step is Step.CONSENT:
                    visit.consent(_scopes(scopes), sha256)
            case m.Confirmed(scopes=scopes):
                visit.confirm(_scopes(scopes))
            case m.TextRead(step=step):
                if visit.step == step:
                    visit.instructed()
                    visit.debriefed()
            case m.FormFilled(form=form, answers=answers):
                begun = self._terminal.state.step
                if begun is not None and begun.form is not None and _complete(begun.form, answers):
                    visit.answer(form, answers)
            case m.TrialLeft():
                if (done := self.trial.leave()) is not None:
                    visit.checked(*done)
                self._terminal.show_message(self._terminal.message)
            case m.TrialAgain():
                self.trial.again()
                self._terminal.show_message(self._terminal.message)
            case _:
                assert_never(deed)


def _scopes(given: Mapping[str, bool]) -> dict[str, bool]:
    return {name: given.get(name, False) for name in map(str, ConsentScope)}


def _complete(form: Questionnaire, answers: Mapping[str, str]) -> bool:
    """Return whether every item that needs an answer has one that it offers."""
    return set(answers) <= {item.id for item in form.item} and all(
        (item.id in answers or item.optional)
        and (not item.choices or item.id not in answers or answers[item.id] in item.choices)
        for item in form.item
    )
