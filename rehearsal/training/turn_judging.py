"""Judgement on one turn of a drill: words, reply, message, scope, times, and slips that could break the curtain. Pure."""

import re
from collections.abc import Iterator, Sequence

from corpus.analysis.word_alignment import WordErrors, compared, count
from corpus.formats.cas import Answer, CasError, answer_of
from evaluation.comparator.comparison import InputFault, Verdict, compare
from rehearsal.training.drill import DrillLine, DrillReference
from session.collection.drills import DrillTurnPlayed
from session.state.fold import Reply, SessionState, Take
from session.state.stage_times import Stages
from session.study.settings import BLANK, CannedMessage
from session.values.answers import Table
from session.values.vocabulary import Echo, ResponseClass

_PERSON = {
    "en": r"i|i'm|i'll|i've|me|my|we|our|let me|hang on|hold on|just a sec\w*|wizard|colleague|human|sorry|oops|um+|uh+",
    "de": r"ich|mir|mich|mein\w*|wir|uns|unser\w*|moment mal|warten sie|kolleg\w+|entschuldigung|hoppla|ähm?|tut mir leid",
    "es": r"yo|me|mi|nosotr[oa]s|un momento|espere|colega|humano|perd[oó]n|lo siento|disculpe|uy|eh+",
}
"""What a person would say and no program, by the language of the study; in any other language this slip is not looked for."""
_NOTED = re.compile(r"\?\?|[\[\]<>{}*#]|\b(xx+|unclear|inaudible)\b", re.IGNORECASE)


def judged(line: DrillLine, state: SessionState, stages: Sequence[Stages], take: str) -> DrillTurnPlayed:
    """Return how the utterance `take`, which is this line of the drill, was handled in a session; `stages` are all of it."""
    heard = state.takes[take]
    words = word_errors(line, heard)
    first = next(iter(replies_to(state, heard)), None)
    times = next((each for each in stages if each.take == take), None)
    marks = {
        "transcribed": times.transcribed if times else None,
        "asked": times.attempts[0] if times and times.attempts else None,
        "sent": times.sent if times else None,
        "shown": times.shown if times else None,
    }
    return DrillTurnPlayed(
        words=words.words,
        errors=words.errors,
        answer=_answered(line.reference, state, first),
        canned=(first is not None and first.message == line.canned) if line.canned else None,
        scope=heard.scope is line.scope if line.scope is not None else None,
        seconds={name: seconds for name, seconds in marks.items() if seconds is not None},
        slips=tuple(slips(state, heard)),
    )


def word_errors(line: DrillLine, heard: Take) -> WordErrors:
    """Return the word errors of the transcription; none if nobody was to write, or nobody knows what was said."""
    if not line.said or heard.typed is not None:
        return WordErrors()
    return count(compared(line.said), compared(heard.text))


def replies_to(state: SessionState, heard: Take) -> list[Reply]:
    """Return the replies without fillers, oldest first."""
    found = (state.replies[name] for name in heard.replies if name in state.replies)
    return [reply for reply in found if reply.response is not ResponseClass.FILLER]


def _answered(reference: DrillReference | None, state: SessionState, first: Reply | None) -> bool | None:
    """Return whether the rows that were sent are those of the reference; a canned message in their place is not."""
    if reference is None:
        return None
    attempt = state.attempts.get(first.attempt) if first is not None else None
    return attempt is not None and attempt.table is not None and is_right(reference, attempt.table)


def is_right(reference: DrillReference, table: Table) -> bool:
    """Return whether the Comparator finds the reference in the rows; of one that nobody annotated, the rows in it as well."""
    try:
        given = answer_of(table, mixed_as_strings=True)
        right = compare(reference.minimum, given, reference.maximum).verdict is Verdict.CORRECT
        return right or (not reference.annotated and _fewer_columns(given, reference.minimum))
    except (CasError, InputFault):
        return False


def _fewer_columns(given: Answer, reference: Answer) -> bool:
    return bool(given.single and getattr(given.single, "rows", ())) and (
        compare(given, reference).verdict is Verdict.CORRECT
    )


def slips(state: SessionState, heard: Take) -> Iterator[str]:
    """Yield what could tell the subject that a person answers: each with a word of what it was."""
    profile = state.opened.protocol.profile if state.opened else None
    replies = replies_to(state, heard)
    words = _PERSON.get(state.opened.protocol.language[:2].lower(), "") if state.opened else ""
    for reply in replies:
        message = state.opened.protocol.canned_messages.get(reply.message) if state.opened and reply.message else None
        written = typed_into(message, reply.text) if message else () if reply.attempt else (reply.text,)
        for text in written:
            if words and (found := re.search(rf"(?i)\b(?:{words})\b", text)):
                yield f"speaks as a person: {found[0]}"
    if (standing := sum(reply.wrong is None for reply in replies)) > 1:
        yield f"replied {standing} times"
    if profile is not None and profile.echo is not Echo.NEVER and heard.typed is None:
        if any(_NOTED.search(text) for text in heard.transcriptions):
            yield "a note in the transcription that the participant sees"
        if len(set(heard.transcriptions)) > 1 and profile.echo is Echo.BEFORE_QUERY:
            yield "the transcription changed before the participant's eyes"
    if heard.limit_reached and not _bridged(state, heard):
        yield "no sign of life within the limit for a reply"


def typed_into(message: CannedMessage, text: str) -> tuple[str, ...]:
    """Return the filled blanks of a canned message as sent.

    >>> from session.study.settings import CannedMessage
    >>> ask = CannedMessage(id="a", text="Is ___ meant?", reason="r", response=ResponseClass.DIRECTIVE)
    >>> typed_into(ask, "Is Denver meant?")
    ('Denver',)
    """
    pattern = "(.*?)".join(map(re.escape, message.text.split(BLANK)))
    found = re.fullmatch(pattern, text, re.DOTALL)
    return found.groups() if found else ()


def _bridged(state: SessionState, heard: Take) -> bool:
    fillers = (state.replies[name] for name in heard.replies if name in state.replies)
    return any(reply.response is ResponseClass.FILLER for reply in fillers)
