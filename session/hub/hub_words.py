"""Sentences of the hub for people: strings of the catalogue, in the words that the study has for a desk of this role."""

from session.state.fold import SessionState
from session.study.screen_words import Sentence, Words, console_words_of, words_of
from session.values.vocabulary import Role

NOT_RECORDED = {True: Sentence("message.not_done"), False: Sentence("console_trouble.not_recorded")}
"""What a request meets while the store takes nothing, by whether the subject asked."""
NOT_DONE = {True: Sentence("message.not_done"), False: Sentence("console_trouble.not_done")}


def words_for(state: SessionState, role: Role) -> Words:
    """The words of a session for a desk of this role: the participants' for the subject, otherwise the consoles'."""
    protocol = state.opened.protocol if state.opened is not None else None
    return words_of(protocol) if role is Role.SUBJECT else console_words_of(protocol)


def console_says(state: SessionState, sentence: Sentence) -> str:
    """Return a sentence for the consoles of a session."""
    return sentence.said(words_for(state, Role.WIZARD))


def not_recorded(state: SessionState, role: Role) -> str:
    """Return the message for a request that could not be recorded."""
    return NOT_RECORDED[role is Role.SUBJECT].said(words_for(state, role))


def not_done(state: SessionState, role: Role) -> str:
    """Return the message for a request that met a bug of this program."""
    return NOT_DONE[role is Role.SUBJECT].said(words_for(state, role))


def not_possible(state: SessionState, role: Role, why: str) -> str:
    """Return the refusal for a message that none of Curtain's own desks would send."""
    key = "message.not_possible" if role is Role.SUBJECT else "console_trouble.cannot_be"
    return Sentence(key, {"why": why}).said(words_for(state, role))
