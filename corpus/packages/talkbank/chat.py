"""CHAT of TalkBank (CHILDES): one transcript a subject-scenario, over one sound that lasts as long as its speech did.

Main lines have the marks of the detailed transcription in CHAT's notation, as far as it has them; `%xsro` has all of them:

    fli-  *flighs*         &+fli  flighs [*]        [uh]  [cough]        &-uh  &=cough
    <the>  (( to boston )) the [e]  <to boston> [?] [unintelligible]     xxx
    d f w                  d@l f@l w@l              [masked], no words   www, explained in %exp
    .   ~ at the end       (.)  +/.                 ~~                   0

What the system replied is a line of SYS without words, its text in `%xrep`, as nobody said it.
"""

from collections.abc import Iterator, Sequence

from corpus.analysis.turns import Course
from corpus.dataset.reader import Corpus
from corpus.formats import sro
from corpus.formats.spkrinfo import SpeakerInfo
from corpus.formats.sro import AudibleEvent, Extent, Mark, Sign, Transcription, Word
from corpus.io.staging import Staging
from corpus.packages.dialogues import Dialogue, DialogueTurn, SystemReply, dialogues
from corpus.packages.elan import REHEARSED, TimelineSound, strange_rates, timeline_sound
from corpus.packages.package_writer import Contents, PackageSummary, description_of, unheard
from corpus.packages.talkbank import cha
from corpus.packages.talkbank.cha import ChatLine, ChatTranscript, Header

HOW = """\
CHAT of TalkBank: a .cha a subject-scenario, and beside it a .wav with the utterances at their places in time, silent between
them. SUB is the subject, SYS the system. %xutt is an utterance's name, %xsro its detailed transcription, %xcls its class, %xwiz
what the wizard typed, %xsql the SQL of what was sent; %xrep is a reply, %xrsp its class. %xwiz and %xsql stayed behind the
curtain. Terminators are full stops: nobody has marked questions."""
_LETTERS_THAT_ARE_WORDS = frozenset("aio")
_SEXES = {"f": "female", "m": "male"}
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_THREE_LETTERS = {"de": "deu", "en": "eng", "es": "spa", "fr": "fra", "it": "ita", "nl": "nld", "pt": "por"}
"""Codes of ISO 639-3, which CHAT wants, of languages that BCP 47 names with two letters."""


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write all transcripts and sounds."""
    spoken, strange, speakers = 0, 0, set[str]()
    stated = description_of(contents)
    language = stated.languages[0] if stated is not None and stated.languages else "en"
    courses = {course.stem: course for course in contents.courses}
    people = contents.corpus.speakers()
    for dialogue in dialogues(contents):
        course = courses[dialogue.id]
        turns, sound = timeline_sound(contents, course)
        base = f"{course.stem[:3]}/{course.stem[:-1]}"
        media = f"{course.stem[:-1]}x" if sound.placed else ""  # CHAT wants the name of the transcript
        if sound.placed:
            staging.write(f"{base}x.wav", sound.render())
        made = ChatTranscript(
            (*_headers(dialogue, course, people[dialogue.speaker], language, media),),
            (*_lines(dialogue, sound, _detailed(contents.corpus, dialogue)),),
        )
        staging.write(f"{base}x.cha", cha.render(made))
        spoken, strange = spoken + len(turns) - sound.strange, strange + sound.strange
        speakers |= {course.stem[:3]} if turns else set()
    return PackageSummary(spoken, len(speakers), HOW, (*strange_rates(strange), *unheard(contents)))


def _headers(dialogue: Dialogue, course: Course, who: SpeakerInfo, language: str, media: str) -> Iterator[Header]:
    code = _THREE_LETTERS.get(language.partition("-")[0], language.partition("-")[0])
    yield Header("Languages", code)
    yield Header("Participants", f"SUB {dialogue.speaker} Participant, SYS System Non_Human")
    age = "" if who.age is None else f"{who.age};"
    yield Header("ID", f"{code}|{dialogue.site}|SUB|{age}|{_SEXES.get(who.sex, '')}|||Participant|||")
    yield Header("ID", f"{code}|{dialogue.site}|SYS|||||Non_Human|||")
    if media:
        yield Header("Media", f"{media}, audio")
    began = course.began.wall
    yield Header("Date", f"{began.day:02}-{_MONTHS[began.month - 1]}-{began.year}")
    yield Header("Situation", dialogue.title or dialogue.scenario)
    if dialogue.rehearsal:
        yield Header("Warning", REHEARSED)


def _detailed(corpus: Corpus, dialogue: Dialogue) -> dict[str, Transcription]:
    """The detailed transcriptions by utterance."""
    return {
        turn.utterance: sro.parse(turn.speech.detailed, f"{turn.utterance}.sro")
        for turn in dialogue.turns
        if turn.utterance and turn.speech.text is not None
    }


def _lines(dialogue: Dialogue, sound: TimelineSound, detailed: dict[str, Transcription]) -> Iterator[ChatLine]:
    for turn in dialogue.turns:
        if turn.utterance:
            stretch = sound.stretches.get(turn.number)
            words, exp = _main(detailed.get(turn.utterance))
            yield ChatLine("SUB", words, _milliseconds(stretch), (*_tiers(turn, exp),))
        yield from map(_reply, turn.replies)


def _milliseconds(stretch: tuple[float, float] | None) -> tuple[int, int] | None:
    if stretch is None:
        return None
    begin, end = (round(edge * 1000) for edge in stretch)
    return begin, max(end, begin + 1)


def _main(said: Transcription | None) -> tuple[str, str]:
    """The words of a main line, and what has to be explained of them."""
    if said is None:
        return "www .", "not transcribed"
    words = in_chat(said)
    return words, "masked, because it would tell who somebody is" if "www" in words.split() else ""


def _tiers(turn: DialogueTurn, exp: str) -> Iterator[Header]:
    sent = [request.sql for request in turn.requests if request.sent and request.sql]
    wizard = "" if turn.typed else turn.speech.wizard
    tiers = (
        ("exp", exp),
        ("xutt", turn.utterance),
        ("xsro", turn.speech.detailed),
        ("xcls", turn.annotations.evaluation),
    )
    for name, text in (*tiers, ("xwiz", wizard), *(("xsql", statement) for statement in sent[:1])):
        if text:
            yield Header(name, text)


def _reply(reply: SystemReply) -> ChatLine:
    tiers = (Header("xrsp", reply.response), Header("xrep", reply.text))
    return ChatLine("SYS", "0 .", None, tuple(tier for tier in tiers if tier.text))


def in_chat(said: Transcription) -> str:
    """A transcription in CHAT's notation, with its terminator.

    >>> in_chat(sro.parse("show [uh] me fli- flights to d f w (( or boston )) ~", ""))
    'show &-uh me &+fli flights to d@l f@l w@l <or boston> [?] +/.'
    """
    tokens, words = [*said.tokens], list[str]()
    if tokens == [Mark(Sign.SILENCE)]:
        return "0 ."
    while tokens:
        token = tokens.pop(0)
        if token == Mark(Sign.UNCERTAIN_BEGINS):
            end = tokens.index(Mark(Sign.UNCERTAIN_ENDS))
            words += _scoped(tokens[:end], "[?]")
            del tokens[: end + 1]
        else:
            words += _one(token)
    return " ".join([*(words or ["0"]), "+/." if said.truncated else "."])


def _scoped(tokens: Sequence[sro.Token], mark: str) -> list[str]:
    words = [piece for token in tokens for piece in _one(token)]
    if len(words) < 2:
        return [*words, mark] if words else []
    return [f"<{words[0]}", *words[1:-1], f"{words[-1]}>", mark]


def _one(token: sro.Token) -> list[str]:
    match token:
        case Word():
            return _word(token)
        case AudibleEvent(sro.UNINTELLIGIBLE, extent):
            return [] if extent is Extent.ENDS else ["xxx"]
        case AudibleEvent(sro.MASKED):
            return ["www"]
        case AudibleEvent(name, extent):
            return (
                []
                if extent is Extent.ENDS
                else [f"&-{name}" if name in sro.FILLED_PAUSES else f"&={name.replace('_', ':')}"]
            )
        case Mark(Sign.PAUSE):
            return ["(.)"]
        case _:
            return []


def _word(word: Word) -> list[str]:
    text = word.text.replace(":", "")
    if word.fragment:
        text = f"&+{text}"
    elif len(text) == 1 and text not in _LETTERS_THAT_ARE_WORDS:
        text = f"{text}@l"
    return [text, *(["[*]"] if word.mispronounced else []), *(["[e]"] if word.deleted else [])]
