"""A refusal: a sentence of the catalogue for the person who asked, said by the hub in the words of the study."""

import msgspec

from session.study.screen_words import CONSOLE_ENGLISH, Sentence, Words

CONSOLE_TABLE = "console_refusal"
SUBJECT_TABLE = "message"


class RequestRefused(msgspec.Struct, frozen=True):
    """Refusal of a request, with its reason; `detail` is only shown, never stored."""

    why: Sentence
    detail: Sentence | None = None

    @property
    def reason(self) -> str:
        """The sentence in English, as the links of a session keep it."""
        return self.why.said(CONSOLE_ENGLISH)

    def shown(self, words: Words) -> str:
        """Return the text that the person reads."""
        return " ".join(sentence.said(words) for sentence in (self.why, self.detail) if sentence is not None)


def refused(name: str, **values: object) -> RequestRefused:
    """Refuse a console or a machine with a string of `[console_refusal]`, its brackets filled."""
    return RequestRefused(sentence(name, **values))


def refused_to_subject(name: str) -> RequestRefused:
    """Refuse the subject's desk with a string of `[message]`."""
    return RequestRefused(Sentence(f"{SUBJECT_TABLE}.{name}"))


def sentence(name: str, **values: object) -> Sentence:
    """Return a string of `[console_refusal]` with what is in its brackets."""
    return Sentence(f"{CONSOLE_TABLE}.{name}", {key: str(value) for key, value in values.items()})
