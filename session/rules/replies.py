"""Replies to the subject: the rows of an answer, a canned message with its blanks, a text of the wizard's own.

Each is made here, or refused with a reason for people; whether it may go out now, and when, is decided in `decide`.
"""

import random
import re
from collections.abc import Collection

import msgspec

from session import commands as c
from session import events as e
from session.rules.blanks import MOST_WORDS, foreign_texts, foreign_words, is_phrase
from session.rules.refusal import RequestRefused, refused, sentence
from session.state.fold import Attempt, SessionState, Take
from session.study.settings import Profile
from session.values.answers import Table, broken, compose, digest, rows_in_sight
from session.values.consent import ConsentScope
from session.values.sanitize import inert, one_line
from session.values.vocabulary import AnswerForm, ResponseClass, Role, SpokenPart

LONGEST_TEXT = 5000
ASKED_BACK = "asked back"
DEFAULT_SCREEN = (80, 24)
_ASIDE = re.compile(r"\s*\([^()]*\)")
"""Remarks on how a question was read, such as "(from before: …)": nobody says them."""


def answer_text(state: SessionState, attempt: str) -> str | None:
    """The text that the subject would see of an attempt's rows on the screen as it is now; None without rows."""
    found = state.attempts.get(attempt)
    profile = state.profile_of(found.take) if found is not None else None
    if found is None or found.table is None or profile is None:
        return None
    width, _ = state.screen or DEFAULT_SCREEN
    width = max(20, width)
    in_sentences = profile.answer_form is AnswerForm.TEXT or (profile.speaks and not profile.show_answers)
    if in_sentences and (speech := answer_speech(state, attempt)):
        return "\n".join(broken(speech, width))
    return compose(
        found.table,
        width,
        profile.rows_shown,
        reading=found.reading,
        expand=profile.expand_codes,
        summary=found.paraphrase if profile.summary and not found.proposer else "",
    )


def rows_seen(state: SessionState, attempt: str) -> Table | None:
    """The rows of an attempt that the subject's screen or voice brings to her, in their order; None without rows."""
    found = state.attempts[attempt]
    profile = state.profile_of(found.take)
    if found.table is None or profile is None:
        return None
    said = rows_said(profile)
    most = profile.rows_shown if profile.show_answers else said or 0
    if profile.answer_form is AnswerForm.TEXT and said is not None and found.spoken:
        most = said
    return rows_in_sight(found.table, most, found.reading, expand=profile.expand_codes)


def rows_said(profile: Profile) -> int | None:
    """Return how many rows of an answer are put into sentences at most; None if none ever is."""
    if profile.spoken is SpokenPart.ANSWER or profile.answer_form is AnswerForm.TEXT:
        return profile.voice.rows
    return 0 if profile.spoken is SpokenPart.SUMMARY else None


def answer_speech(state: SessionState, attempt: str) -> str:
    """Say an attempt's rows: a sentence on the question where the profile has a summary, then the rows."""
    found = state.attempts.get(attempt)
    profile = state.profile_of(found.take) if found is not None else None
    if found is None or profile is None or not found.spoken:
        return ""
    asks = profile.summary and not found.proposer
    question = " ".join(_ASIDE.sub("", inert(found.paraphrase)).split()) if asks else ""
    return f"{question[:1].upper()}{question[1:]}. {found.spoken}" if question else found.spoken


def reply_delay(state: SessionState, take: Take, profile: Profile) -> float:
    """Return the seconds before which no reply to an utterance comes: drawn about the profile's delay, the same for the same
    subject's same utterance, so that a study can be repeated."""
    if not profile.reply_delay_spread_s:
        return profile.reply_delay_s
    speaker = state.opened.speaker.id if state.opened is not None else ""
    place = next((place for place, name in enumerate(state.takes) if name == take.take), 0)
    drawn = random.Random(f"{profile.session_seed}/delay/{speaker}/{place}")
    return max(0.0, drawn.gauss(profile.reply_delay_s, profile.reply_delay_spread_s))


def answer(state: SessionState, command: c.SendAnswer, domain: Collection[str]) -> e.AnswerSent | RequestRefused:
    """Return the rows of an attempt as the wizard saw them in the preview; `domain` are the words that the domain knows."""
    attempt = state.attempts.get(command.attempt)
    text = answer_text(state, command.attempt)
    if attempt is None or text is None:
        return refused("no_rows")
    if digest(text) != command.sha256:
        return refused("other_preview")
    if (why := _objection_to_statement(state, attempt, domain)) is not None:
        return why
    profile = state.profile_of(attempt.take)
    return e.AnswerSent(
        reply=command.id,
        take=attempt.take,
        text=text,
        attempt=attempt.attempt,
        response=command.response,
        database_version=attempt.database_version,
        spoken=answer_speech(state, command.attempt) if profile is not None and profile.speaks else "",
    )


def canned(state: SessionState, command: c.SendCanned, domain: Collection[str]) -> e.CannedSent | RequestRefused:
    """Return a canned message with its blanks filled; `domain` are the words that the domain knows."""
    message = state.opened.protocol.canned_messages.get(command.message) if state.opened else None
    if message is None:
        return refused("no_message", message=command.message)
    if not command.take and message.response not in (ResponseClass.GREETING, ResponseClass.FILLER):
        return refused("no_utterance_chosen")
    blanks = tuple(map(one_line, command.blanks))
    if len(blanks) != message.blanks:
        return refused("blanks", message=message.id, blanks=message.blanks, filled=len(blanks))
    if not all(blanks):
        return refused("empty_blank", message=message.id)
    text = message.filled(blanks)
    for blank in blanks:
        if (why := _objection_to_blank(state, command.take, blank, domain)) is not None:
            return why
    if len(text) > LONGEST_TEXT:
        return refused("long_message", count=len(text), most=LONGEST_TEXT)
    return e.CannedSent(
        reply=command.id,
        take=command.take,
        text=text,
        message=message.id,
        blanks=command.blanks,
        reason=message.reason,
        response=message.response,
        spoken=said(text, state.profile_of(command.take)),
    )


def proposal(reply: e.AnswerSent | e.CannedSent) -> e.ReplyProposed:
    """Return a machine's reply as it waits for a person's judgement."""
    made = e.ReplyProposed(reply=reply.reply, take=reply.take, text=reply.text, response=reply.response)
    if isinstance(reply, e.AnswerSent):
        return msgspec.structs.replace(made, attempt=reply.attempt)
    return msgspec.structs.replace(made, message=reply.message, blanks=reply.blanks)


def proposed_reply(state: SessionState, proposed: e.ReplyProposed, take: Take) -> e.AnswerSent | e.CannedSent:
    """Return what goes out when a proposed reply is accepted as it is."""
    profile = state.profile_of(take.take)
    if proposed.attempt:
        attempt = state.attempts.get(proposed.attempt)
        return e.AnswerSent(
            reply=proposed.reply,
            take=take.take,
            text=proposed.text,
            transcription=take.text,
            attempt=proposed.attempt,
            response=proposed.response,
            database_version=attempt.database_version if attempt else "",
            spoken=answer_speech(state, proposed.attempt) if profile is not None and profile.speaks else "",
        )
    messages = state.opened.protocol.canned_messages if state.opened else {}
    return e.CannedSent(
        reply=proposed.reply,
        take=take.take,
        text=proposed.text,
        transcription=take.text,
        message=proposed.message,
        blanks=proposed.blanks,
        reason=messages[proposed.message].reason if proposed.message in messages else ASKED_BACK,
        response=proposed.response,
        spoken=said(proposed.text, profile),
    )


def own_text(state: SessionState, command: c.SendText, role: Role, profile: Profile) -> e.CannedSent | RequestRefused:
    """Return a text of the wizard's own, where the profile allows one; a machine has none but its front end's questions."""
    if role is Role.RESPONDER:
        if not _is_asked_by_the_front_end(state, command.text):
            return refused("machines_text")
        text = one_line(command.text)
        return e.CannedSent(
            reply=command.id,
            take=command.take,
            text=text,
            reason=ASKED_BACK,
            response=command.response,
            spoken=said(text, profile),
        )
    if not profile.free_text:
        return refused("no_own_text", profile=profile.name)
    if not state.allows(ConsentScope.TRANSCRIBE):
        return refused("not_written_text")
    text = one_line(command.text)
    if not text or len(text) > LONGEST_TEXT:
        return refused("text_length", most=LONGEST_TEXT)
    return e.CannedSent(
        reply=command.id, take=command.take, text=text, reason="free text", response=command.response,
        spoken=said(text, profile),
    )  # fmt: skip


def said(text: str, profile: Profile | None) -> str:
    """Return the words of a message where messages are spoken."""
    return text if profile is not None and profile.speaks else ""


def opening(state: SessionState) -> e.CannedSent | None:
    """The message with which the system opens the dialogue of the scenario that has begun, where the profile names one."""
    profile = state.opened.protocol.profile if state.opened else None
    run = state.run
    if profile is None or state.opened is None or not profile.opening or run is None or run.opened_by_system:
        return None
    message = state.opened.protocol.canned_messages.get(profile.opening)
    if message is None:
        return None
    return e.CannedSent(
        reply=f"opening-{len(state.runs)}",
        text=message.text,
        message=message.id,
        reason=message.reason,
        response=ResponseClass.GREETING,
        spoken=said(message.text, profile),
    )


def _objection_to_statement(state: SessionState, attempt: Attempt, domain: Collection[str]) -> RequestRefused | None:
    """Return why rows may not be sent: their statement says something that is in no database."""
    if not attempt.written or not writes_nothing(state):
        return None
    if foreign := foreign_texts(attempt.written, state, attempt.take, domain):
        detail = sentence("they_are", words=", ".join(foreign))
        return msgspec.structs.replace(refused("statement_words"), detail=detail)
    return None


def writes_nothing(state: SessionState) -> bool:
    """Return whether the wizard may put no words of a person's own before the subject."""
    return not (state.allows(ConsentScope.TRANSCRIBE) and state.opened and state.opened.protocol.profile.free_text)


def _objection_to_blank(state: SessionState, take: str, blank: str, domain: Collection[str]) -> RequestRefused | None:
    """Return why these words may not fill a blank: where no free text is allowed, or what is said may not be written down."""
    if state.opened is None or _is_asked_by_the_front_end(state, blank):
        return None
    unwritten = not state.allows(ConsentScope.TRANSCRIBE)
    if state.opened.protocol.profile.free_text and not unwritten:
        return None
    if not is_phrase(blank):
        return refused("blank_phrase", most=MOST_WORDS)
    if foreign := foreign_words(state, take, blank, domain):
        detail = sentence("not_among_them", words=", ".join(foreign))
        return msgspec.structs.replace(refused("not_written_blank" if unwritten else "blank_words"), detail=detail)
    return None


def _is_asked_by_the_front_end(state: SessionState, blank: str) -> bool:
    """Return whether the blank holds the question that the program itself would ask, or what that question is about."""
    asked = (attempt.question.rstrip(" ?.").casefold() for attempt in state.attempts.values() if attempt.question)
    filled = blank.rstrip(" ?.").casefold()
    return any(filled in (question, question.removeprefix("what do you mean by ")) for question in asked)
