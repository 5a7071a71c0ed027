"""Commands of the machines that operate stages."""

from typing import assert_never

from session import commands as c
from session import events as e
from session.rules.refusal import RequestRefused, refused
from session.rules.stage_holding import hypothesis, operate, troubled
from session.rules.utterance_acceptance import accept
from session.state.fold import SessionState, Take
from session.study.settings import Profile
from session.values.consent import ConsentScope
from session.values.vocabulary import Echo, Operator, Role, Stage


def open_take(state: SessionState, name: str) -> Take | RequestRefused:
    """Return the take of this name, unless the subject has discarded it."""
    take = state.takes.get(name)
    if take is None:
        return refused("no_utterance")
    if take.discarded:
        return refused("taken_back")
    return take


def asked_by_machine(
    state: SessionState, command: c.MachineRequest, role: Role, profile: Profile
) -> list[e.Fact] | RequestRefused:
    """Return the facts of a machine's command about its stage."""
    match command:
        case c.OperateStage():
            return operate(state, command, role, profile)
        case c.ReportTrouble():
            return troubled(state, command, role, profile)
        case c.ReportConsultation():
            take = open_take(state, command.consulted.take)
            if state.operator(Stage.UNDERSTANDING) is None:
                return refused("not_this_machine", stage=Stage.UNDERSTANDING)
            return take if isinstance(take, RequestRefused) else [command.consulted]
        case c.ProposeTranscription():
            return _propose(state, command, profile)
        case _:
            assert_never(command)


def _propose(state: SessionState, command: c.ProposeTranscription, profile: Profile) -> list[e.Fact] | RequestRefused:
    """Return the facts of a recogniser's words; the final ones are the transcription if no person corrects them."""
    take = open_take(state, command.take)
    if isinstance(take, RequestRefused):
        return take
    if not state.allows(ConsentScope.TRANSCRIBE):
        return refused("not_written")
    if take.typed is not None:
        return refused("typed")
    if take.hypothesis is not None and take.hypothesis.final:
        return refused("final_words")
    profile = state.profile_of(take.take) or profile
    found = hypothesis(command)
    if isinstance(found, RequestRefused) or not command.final:
        return found if isinstance(found, RequestRefused) else [found]
    if not take.complete:
        return refused("still_speaking")
    text = found.hypotheses[0].text if found.hypotheses else ""
    if not text or state.operator(Stage.RECOGNITION) is not Operator.MACHINE:
        return [found]
    fact = e.Transcribed(at=command.at, take=take.take, text=text)
    return [found, *(accept(state, take) if profile.echo is Echo.BEFORE_QUERY else []), fact]
