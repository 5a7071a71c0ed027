"""The sessions of a hub as the lobby sees them: which are free for somebody, and how many go on at once."""

from collections.abc import Iterable

from session.hub.session_actor import SessionActor
from session.study.settings import Profile
from session.values.vocabulary import Operator, Role


def free_sessions(sessions: Iterable[SessionActor]) -> dict[str, str]:
    """Return the sessions that nobody has come to and that somebody, or a machine, is ready to lead, with their speakers."""
    free: dict[str, str] = {}
    for session in sessions:
        state, opened = session.state, session.state.opened
        if opened is None or state.ended or state.consent is not None or state.runs:
            continue
        here = {desk.role for desk in session.desks}
        if Role.SUBJECT not in here and (Role.WIZARD in here or led_by_machine(opened.protocol.profile)):
            free[session.name] = opened.speaker.id
    return free


def led_by_machine(profile: Profile) -> bool:
    """Return whether a machine answers, so that no wizard has to be there."""
    return profile.operators.response is Operator.MACHINE


def wizards_at_work(sessions: Iterable[SessionActor]) -> int:
    """Count the sessions that continue with a wizard, or that a machine leads."""
    return sum(
        not session.state.ended
        and (
            any(desk.role is Role.WIZARD for desk in session.desks)
            or (session.state.opened is not None and led_by_machine(session.state.opened.protocol.profile))
        )
        for session in sessions
    )
