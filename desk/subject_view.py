"""The turns on the subject's screen, with requests and replies, from the session's state alone.

The subject's terminal paints it, the wizard's console mirrors it. The terminal's state has only what crossed the curtain, the
console's has everything: nothing is used here that the profile keeps from the subject, so both give the same.
"""

from collections.abc import Iterable
from typing import NamedTuple

from desk.turn_stack import ShownTurn
from session.state.fold import Reply, SessionState, Take
from session.state.session_state import is_shown
from session.study.screen_words import Words, words_of
from session.values.vocabulary import Echo, ResponseClass

MESSAGE_SIGN = "·"
WAITING_SIGN = "…"
"""Where the answer will stand; that it is being looked for says the talk button, and nothing else does."""


class ReplyLines(NamedTuple):
    """The place of a reply within the lines of its turn."""

    reply: str
    first: int
    lines: int


Shown = Take | Reply
"""An utterance, or a message that answers none."""


def words_in(state: SessionState) -> Words:
    """The words of a session's screens."""
    return words_of(state.opened.protocol if state.opened else None)


def shown(state: SessionState) -> list[tuple[str, Shown]]:
    """Every utterance and every message that answers none, labelled, in the order in which they came."""
    takes = [take for take in state.takes.values() if take.complete and take.run is not None]
    came: list[tuple[int, str, Shown]] = [
        (take.waiting_since.wall if take.waiting_since else 0, str(number), take)
        for number, take in enumerate(takes, start=1)
    ]
    came += [(reply.sent.wall, MESSAGE_SIGN, reply) for reply in state.replies.values() if not reply.take]
    return [(label, item) for _, label, item in sorted(came, key=lambda entry: entry[0])]


def turn(state: SessionState, label: str, item: Shown) -> ShownTurn:
    """An utterance with everything that was said in reply to it, or a message."""
    words = words_in(state)
    if isinstance(item, Reply):
        return ShownTurn(item.reply, label, words["turn.message"], _lines(state, [item]))
    task = state.runs[item.run].title if item.run is not None else ""
    question = echoed(state, item) or words["turn.unheard"]
    if item.discarded:
        return ShownTurn(item.take, label, question, (words["turn.discarded"],), task=task)
    waiting = WAITING_SIGN if waits(state, item) else ""
    return ShownTurn(item.take, label, question, _lines(state, replies(state, item)), waiting, task)


def replies(state: SessionState, item: Shown) -> list[Reply]:
    """Everything that was said in reply to an utterance; a message is itself."""
    if isinstance(item, Reply):
        return [item]
    return [state.replies[name] for name in item.replies if name in state.replies]


def waits(state: SessionState, take: Take) -> bool:
    """Return whether the subject waits for the reply; she is not told of one that was marked as wrong."""
    answered = any(reply.response is not ResponseClass.FILLER for reply in replies(state, take))
    here = state.run is not None and take.run == len(state.runs) - 1
    return here and take.complete and not take.discarded and not answered


def reply_lines(state: SessionState, key: str) -> list[ReplyLines]:
    """Return the lines of the turn `key` that hold those of its replies that are shown."""
    found, first = list[ReplyLines](), 0
    item = state.takes.get(key) or state.replies.get(key)
    for reply in replies(state, item) if item else ():
        lines = len(_lines_of(state, reply))
        if is_shown(state, reply):
            found.append(ReplyLines(reply.reply, first, lines))
        first += lines
    return found


def echoed(state: SessionState, take: Take) -> str:
    """The words of an utterance as the subject sees them; empty when none are shown."""
    profile = state.profile_at(take.run)
    echo = profile.echo if profile is not None else Echo.NEVER
    if echo is Echo.BEFORE_QUERY and take.transcriptions:
        return take.transcriptions[-1]
    if take.typed is not None:
        return take.typed
    shown = (reply.transcription for reply in replies(state, take) if echo is Echo.WITH_ANSWER)
    return next(filter(None, shown), "")


def _lines(state: SessionState, said: Iterable[Reply]) -> tuple[str, ...]:
    return tuple(line for reply in said for line in _lines_of(state, reply))


def _lines_of(state: SessionState, reply: Reply) -> list[str]:
    return reply.text.split("\n") if is_shown(state, reply) else [words_in(state)["turn.by_voice"]]
