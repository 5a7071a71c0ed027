"""What a reply to the subject says: the rows of an answer, a canned message with its blanks, a text of the wizard's own.

Each is made here, or refused with a reason for people; whether it may go out now, and when, is decided in `decide`.
"""

import re

import msgspec

from session import commands as c
from session import events as e
from session.state.fold import SessionState
from session.study.settings import Profile
from session.values.answers import compose, digest
from session.values.sanitize import one_line
from session.values.vocabulary import ResponseClass

LONGEST_TEXT = 5000
LONGEST_BLANK, MOST_WORDS = 60, 8
DEFAULT_SCREEN = (80, 24)
_SENTENCE = re.compile(r"[.!?;:](\s|$)")


class Refused(msgspec.Struct, frozen=True):
    """Why a request was not done, in one sentence for the person who made it."""

    reason: str


def answer_text(state: SessionState, attempt: str) -> str | None:
    """The text that the subject would see of an attempt's rows on the screen as it is now; None without rows."""
    found = state.attempts.get(attempt)
    if found is None or found.table is None or state.opened is None:
        return None
    width, _ = state.screen or DEFAULT_SCREEN
    profile = state.opened.protocol.profile
    return compose(
        found.table,
        max(20, width),
        profile.rows_shown,
        reading=found.reading,
        expand=profile.expand_codes,
        summary=found.paraphrase if profile.summary else "",
    )


def answer(state: SessionState, command: c.SendAnswer) -> e.AnswerSent | Refused:
    """Return the rows of an attempt as the wizard saw them in the preview."""
    attempt = state.attempts.get(command.attempt)
    text = answer_text(state, command.attempt)
    if attempt is None or text is None:
        return Refused("There are no rows to send.")
    if digest(text) != command.sha256:
        return Refused("The subject's screen has changed since the preview; look at the preview again.")
    return e.AnswerSent(
        reply=command.id,
        take=attempt.take,
        text=text,
        attempt=attempt.attempt,
        response=command.response,
        database_version=attempt.database_version,
    )


def canned(state: SessionState, command: c.SendCanned) -> e.CannedSent | Refused:
    """Return a canned message with its blanks filled."""
    message = state.opened.protocol.canned_messages.get(command.message) if state.opened else None
    if message is None:
        return Refused(f"There is no canned message {command.message}.")
    if not command.take and message.response not in (ResponseClass.GREETING, ResponseClass.FILLER):
        return Refused("This message answers an utterance; choose one.")
    try:
        text = message.filled(tuple(one_line(blank) for blank in command.blanks))
    except ValueError as error:
        return Refused(f"Message {message.id}: {error}.")
    if state.opened and not state.opened.protocol.profile.free_text:
        for blank in map(one_line, command.blanks):
            if not (_is_phrase(blank) or _is_asked_by_the_front_end(state, blank)):
                return Refused(
                    f"This profile allows no text of your own: a blank takes a name or a phrase of up to {MOST_WORDS} words."
                )
    if len(text) > LONGEST_TEXT:
        return Refused(f"The message has {len(text)} characters; at most {LONGEST_TEXT} are allowed.")
    return e.CannedSent(
        reply=command.id,
        take=command.take,
        text=text,
        message=message.id,
        blanks=command.blanks,
        reason=message.reason,
        response=message.response,
    )


def own_text(command: c.SendText, profile: Profile) -> e.CannedSent | Refused:
    """Return a text of the wizard's own, where the profile allows one."""
    if not profile.free_text:
        return Refused(f"Profile {profile.name} allows no text of the wizard's own; choose a canned message.")
    text = one_line(command.text)
    if not text or len(text) > LONGEST_TEXT:
        return Refused(f"A text has 1 to {LONGEST_TEXT} characters.")
    return e.CannedSent(reply=command.id, take=command.take, text=text, reason="free text", response=command.response)


def _is_phrase(blank: str) -> bool:
    return len(blank) <= LONGEST_BLANK and len(blank.split()) <= MOST_WORDS and not _SENTENCE.search(blank)


def _is_asked_by_the_front_end(state: SessionState, blank: str) -> bool:
    """Whether the blank holds the question that the program itself would ask."""
    asked = (attempt.question.rstrip(" ?.").casefold() for attempt in state.attempts.values() if attempt.question)
    return blank.rstrip(" ?.").casefold() in asked
