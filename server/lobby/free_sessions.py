"""The sessions of a hub as the lobby sees them: which one is free for somebody, and how many go on at once."""

from collections.abc import Collection, Iterable

from session.hub.session_actor import SessionActor
from session.study.settings import Profile
from session.values.vocabulary import Operator, Role


def free_session(sessions: Iterable[SessionActor], speaker: str, kept: Collection[str]) -> SessionActor | None:
    """Return the first session that nobody has come to and that somebody, or a machine, is ready to lead.

    `speaker` is whose it has to be, where it is somebody's; `kept` are promised to others.
    """
    for session in sessions:
        state, opened = session.state, session.state.opened
        if opened is None or state.ended or state.consent is not None or state.runs or session.name in kept:
            continue
        if speaker and opened.speaker.id != speaker:
            continue
        here = {desk.role for desk in session.desks}
        if Role.SUBJECT not in here and (Role.WIZARD in here or led_by_machine(opened.protocol.profile)):
            return session
    return None


def led_by_machine(profile: Profile) -> bool:
    """Return whether a machine answers, so that no wizard has to be there."""
    return profile.operators.response is Operator.MACHINE


def wizards_at_work(sessions: Iterable[SessionActor]) -> int:
    """Count the sessions that go on with a wizard, or that a machine leads."""
    return sum(
        not session.state.ended
        and (
            any(desk.role is Role.WIZARD for desk in session.desks)
            or (session.state.opened is not None and led_by_machine(session.state.opened.protocol.profile))
        )
        for session in sessions
    )
