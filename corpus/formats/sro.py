"""`.sro`: the detailed transcription of one utterance, with everything that was audible.

Words in lower case as they were spoken, no digits and no punctuation, letters of an acronym apart, and marks for what is not
a word. Historic marks are those of the ATIS SRO specification of 20 October 1993 as far as it and its siblings (WSJ `.dot`,
SpeechDat) are known; `(( … ))` for an uncertain stretch is ours, because the rules for hard-to-hear speech were found wanting
(MADCOW 1993, section 2.2). The marks, one token each, separated by blanks:

    flight  o'clock  d f w        words; letters apart
    *flighs*                      mispronounced but intelligible
    <the>  <<mean>>               verbally deleted; deleted edit phrase
    fli-  revo(lutionary)-        fragment, with what is missing if that is plain
    !not  lo:ng                   emphatic stress, lengthening (optional)
    [uh]  [door_slam]             filled pause, noise
    [<cough]  [cough>]            noise over the word before, over the word after
    [phone_ring/] … [/phone_ring] noise over a stretch
    .                             pause (optional)
    [unintelligible]              speech that nobody can make out
    (( … ))                       an uncertain stretch
    {{ … }}                       a stretch that identifies a person: while it is worked on, never in a corpus
    [masked]                      what stands there in a corpus
    ~                             waveform cut off, at the start or the end;  ~~  no speech in it
"""

import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import lines_of, text_of

FILLED_PAUSES = frozenset({"uh", "um", "er", "ah", "mm", "hm"})
SPEAKER_NOISES = frozenset(
    {"grunt", "throat_clear", "tongue_click", "lip_smack", "loud_breath", "laughter", "cough", "sneeze"}
)
OTHER_NOISES = frozenset(
    {"door_slam", "phone_ring", "paper_rustle", "chair_squeak", "microphone_mvt", "tap", "beep", "misc_noise",
     "cross_talk"}
)  # fmt: skip
UNINTELLIGIBLE = "unintelligible"
MASKED = "masked"
EVENTS = FILLED_PAUSES | SPEAKER_NOISES | OTHER_NOISES | {UNINTELLIGIBLE, MASKED}


class Extent(StrEnum):
    """Extent of an event with respect to the words."""

    ALONE = "alone"
    ON_PREVIOUS = "on_previous"
    ON_NEXT = "on_next"
    BEGINS = "begins"
    ENDS = "ends"


class Sign(StrEnum):
    """Marks that stand for themselves."""

    PAUSE = "."
    CUT = "~"
    SILENCE = "~~"
    UNCERTAIN_BEGINS = "(("
    UNCERTAIN_ENDS = "))"
    IDENTIFYING_BEGINS = "{{"
    IDENTIFYING_ENDS = "}}"


class Word(msgspec.Struct, frozen=True, tag=True):
    """A word or fragment as spoken, in lower case; `deleted` counts the angle brackets (0, 1 or 2) on either side."""

    text: str
    fragment: bool = False
    missing: str = ""
    mispronounced: bool = False
    stressed: bool = False
    deleted: int = 0


class AudibleEvent(msgspec.Struct, frozen=True, tag=True):
    """Something audible that is not a word."""

    name: str
    extent: Extent = Extent.ALONE


class Mark(msgspec.Struct, frozen=True, tag=True):
    """A pause, a cut-off or the edge of a stretch."""

    sign: Sign


Token = Word | AudibleEvent | Mark


class Transcription(msgspec.Struct, frozen=True):
    """Transcription of what was audible in one utterance, in order."""

    tokens: tuple[Token, ...]

    @property
    def truncated(self) -> bool:
        """Return whether the waveform ends before the speech does: such an utterance is unevaluable, class X."""
        return bool(self.tokens) and self.tokens[-1] == Mark(Sign.CUT)

    @property
    def uncertain(self) -> bool:
        """Return whether somebody was not sure of a part of it."""
        return Mark(Sign.UNCERTAIN_BEGINS) in self.tokens

    @property
    def identifying(self) -> int:
        """Return how many stretches identify a person and are not masked yet."""
        return self.tokens.count(Mark(Sign.IDENTIFYING_BEGINS))


class Problem(msgspec.Struct, frozen=True):
    """A departure from the conventions at `column` (from 1) over `length` characters; an advice is not an error."""

    column: int
    length: int
    message: str
    remedy: str
    advice: bool = False


_LETTERS = r"[^\W\d_]"
_WORD = re.compile(
    rf"(?P<open><{{0,2}})(?P<stress>!?)(?P<star>\*?)(?P<text>'?{_LETTERS}(?:[':]*{_LETTERS})*[':]*)"
    rf"(?:\((?P<missing>(?:{_LETTERS}|')+)\))?(?P<hyphen>-?)(?P<star2>\*?)(?P<close>>{{0,2}})"
)
_WORDS_ALONE = re.compile(r"[a-z]{1,100}(?:'[a-z]{1,99})?(?: [a-z]{1,100}(?:'[a-z]{1,99})?)*\n")
_EVENT = re.compile(r"\[(?P<before>[</]?)(?P<name>[A-Za-z]+(?:_[A-Za-z]+)*)(?P<after>[>/]?)\]")
_EXTENTS = {
    ("", ""): Extent.ALONE,
    ("<", ""): Extent.ON_PREVIOUS,
    ("", ">"): Extent.ON_NEXT,
    ("", "/"): Extent.BEGINS,
    ("/", ""): Extent.ENDS,
}
_SIGNS = {sign.value: sign for sign in Sign}
_OLD_UNINTELLIGIBLE = "**"
LONGEST_TOKEN = 200  # characters; nobody says a longer word
_SHORT = 10_000  # characters of a line that is remembered


def parse(data: bytes | str, path: str) -> Transcription:
    """The transcription in a file; raises `FormatFault` for the first departure from the conventions.

    Blank lines are ignored and capitals read as small letters: the conventions only advise lower case.

    >>> render(parse("show [uh] <the> fli-", "x.sro"))
    b'show [uh] <the> fli-\\n'
    """
    text = text_of(data, path)
    if (plain := words_alone(text)) is not None:
        return plain
    placed: list[_PlacedToken] = []
    lines: list[int] = []  # of each token
    for number, line in enumerate(lines_of(text, path), start=1):
        found, problems = _tokens(line)
        for problem in problems:
            if not problem.advice:
                raise FormatFault(path, number, f"column {problem.column}: {problem.message}", problem.remedy)
        placed += found
        lines += [number] * len(found)
    for place, problem in _order_problems(placed):
        raise FormatFault(path, lines[place], f"column {problem.column}: {problem.message}", problem.remedy)
    return Transcription(tuple([token for token, _, _ in placed]))


def is_words_alone(text: str) -> bool:
    """Return whether a file holds one line of words in small letters with single blanks (`words_alone`)."""
    return _WORDS_ALONE.fullmatch(text) is not None


def words_alone(text: str) -> Transcription | None:
    """The transcription in a file that holds one line of words in small letters with single blanks, as most do: nothing is wrong
    with it, and `render` gives the same bytes. None for any other, to be gone through token by token.

    >>> words_alone("show me\\n") == parse("show me\\n", "x.sro"), words_alone("show [uh]\\n")
    (True, None)
    """
    if not is_words_alone(text):
        return None
    tokens = [_token(word) for word in text[:-1].split(" ")]
    return Transcription(tuple(tokens)) if all(tokens) else None  # type: ignore[arg-type]


def render(transcription: Transcription) -> bytes:
    """The canonical bytes: one line, one blank between tokens."""
    return (" ".join(_token_text(token) for token in transcription.tokens) + "\n").encode()


def check(line: str) -> list[Problem]:
    """Every departure from the conventions in one line, in order: the live check of a transcription desk."""
    return list(_checked(line) if len(line) < _SHORT else _checked.__wrapped__(line))


@lru_cache(maxsize=1024)
def _checked(line: str) -> tuple[Problem, ...]:
    placed, problems = _tokens(line)
    disorder = [problem for _, problem in _order_problems(placed)]
    return tuple(sorted([*problems, *disorder], key=lambda problem: problem.column))


_PlacedToken = tuple[Token, int, int]
_ReadLine = tuple[tuple[_PlacedToken, ...], tuple[Problem, ...]]


def _tokens(line: str) -> _ReadLine:
    return _read(line) if len(line) < _SHORT else _read.__wrapped__(line)


@lru_cache(maxsize=1024)
def _read(line: str) -> _ReadLine:
    """Remembered where it is short, because anyone who checks a line parses it next."""
    if plain := _words_alone(line):
        return plain, ()
    placed: list[_PlacedToken] = []
    problems: list[Problem] = []
    for match in re.finditer(r"\S+", line):
        column, text = match.start() + 1, match[0]
        if len(text) > LONGEST_TOKEN:
            found = f"{len(text)} characters without a blank"
            problems.append(Problem(column, len(text), found, "put a blank between words"))
            continue
        text = text if text.isascii() else unicodedata.normalize("NFC", text)
        token = _token(text)
        if token is None:
            problems.append(_diagnosis(text, column))
            continue
        placed.append((token, column, len(match[0])))
        if text != text.lower():
            problems.append(Problem(column, len(text), f"capitals in {text!r}", "write lower case", advice=True))
        if isinstance(token, AudibleEvent) and token.name not in EVENTS:
            known = "a name from the list, or misc_noise"
            problems.append(Problem(column, len(text), f"no such event: {text}", f"write {known}"))
    return tuple(placed), tuple(problems)


def _words_alone(line: str) -> tuple[_PlacedToken, ...]:
    """The tokens of a line of words in small letters with single blanks, as most are; empty for any other."""
    placed: list[_PlacedToken] = []
    column = 1
    for text in line.split(" "):
        token = _token(text) if text.isascii() and text.islower() and len(text) <= LONGEST_TOKEN else None
        if type(token) is not Word:
            return ()
        placed.append((token, column, len(text)))
        column += len(text) + 1
    return tuple(placed)


@lru_cache(maxsize=2_048)
def _token(text: str) -> Token | None:
    if text in _SIGNS:
        return Mark(_SIGNS[text])
    if text == _OLD_UNINTELLIGIBLE:
        return AudibleEvent(UNINTELLIGIBLE)
    if match := _EVENT.fullmatch(text):
        extent = _EXTENTS.get((match["before"], match["after"]))
        return AudibleEvent(match["name"].lower(), extent) if extent else None
    match = _WORD.fullmatch(text)
    return _word(match) if match else None


def _word(match: re.Match[str]) -> Word | None:
    paired = match["star"] == match["star2"] and len(match["open"]) == len(match["close"])
    missing = match["missing"] or ""
    if not paired or (missing and not match["hyphen"]) or not _cased(match["text"] + missing):
        return None
    return Word(
        match["text"].lower(),
        fragment=bool(match["hyphen"]),
        missing=missing.lower(),
        mispronounced=bool(match["star"]),
        stressed=bool(match["stress"]),
        deleted=len(match["open"]),
    )


def _cased(text: str) -> bool:
    """Return whether `text` is still made of letters alone in small letters and in capitals, which is not so in every script."""
    return text.isascii() or all(char.isalpha() or char in "':" for char in text.lower() + text.upper())


@lru_cache(maxsize=2_048)
def _token_text(token: Token) -> str:
    match token:
        case Mark(sign):
            return sign.value
        case AudibleEvent(name, extent):
            before = {Extent.ON_PREVIOUS: "<", Extent.ENDS: "/"}.get(extent, "")
            after = {Extent.ON_NEXT: ">", Extent.BEGINS: "/"}.get(extent, "")
            return f"[{before}{name}{after}]"
        case Word():
            star, stress = "*" * token.mispronounced, "!" * token.stressed
            rest = (f"({token.missing})" if token.missing else "") + "-" * token.fragment
            return f"{'<' * token.deleted}{stress}{star}{token.text}{rest}{star}{'>' * token.deleted}"


def _diagnosis(text: str, column: int) -> Problem:
    """Return what is probably meant by a token that is none."""
    for sign, message, remedy in (
        (r".*\d", "digits", "write numbers in words, as they were spoken"),
        (r"[^*]*\*[^*]*$", "one star only", "put a star on both sides of a mispronounced word"),
        (r"[^<>]*[<>]", "angle brackets that do not match", "put each deleted word in brackets of its own: <the>"),
        (r"[^\[\]]*[\[\]]", "no complete event", "write it as one token: [door_slam]"),
        (r".*~", "~ within a token", "put a blank between ~ and the word"),
        (r".*[()]", "brackets", "write (( and )) as tokens of their own around an uncertain stretch"),
        (r"[{}/@]", "alternatives", "transcribe the speech; mark doubt with (( … ))"),
        (r"[A-Za-z](\.[A-Za-z])+\.?$", "an acronym with periods", "write its letters separately, without periods"),
        (r"[^-]*-.*[^\W\d_]", "a hyphen within a word", "write two words; a hyphen ends a fragment"),
        (r".*[.,?!;:\"]", "punctuation", "leave it out"),
    ):
        if re.match(sign, text):
            return Problem(column, len(text), f"{message} in {text!r}", remedy)
    return Problem(
        column, len(text), f"no mark or word: {text!r}", "use the marks of docs/reference/formats/sro.md only"
    )


def _order_problems(placed: Sequence[_PlacedToken]) -> list[tuple[int, Problem]]:
    """Return the problems of the order of tokens, each with the number of the token."""
    problems: list[tuple[int, Problem]] = []
    for token, _, _ in placed:
        if type(token) is not Word:
            break
    else:
        return problems
    spans: dict[str, int] = {}
    last = len(placed) - 1
    for index, (token, column, length) in enumerate(placed):
        trouble = _cut_trouble(token, index, last) or _span_trouble(token, index, spans)
        trouble = trouble or _neighbour_trouble(token, placed, index)
        if trouble:
            problems.append((index, Problem(column, length, *trouble)))
    for name, index in spans.items():
        _, column, length = placed[index]
        problems.append((index, Problem(column, length, f"{name} is never closed", "mark where it ends")))
    return problems


def _cut_trouble(token: Token, index: int, last: int) -> tuple[str, str] | None:
    if token == Mark(Sign.CUT) and index not in (0, last):
        return "~ in the middle", "~ stands at the start or the end only"
    if token == Mark(Sign.SILENCE) and last:
        return "~~ beside other tokens", "~~ stands alone: nothing was spoken"
    return None


def _span_trouble(token: Token, at: int, spans: dict[str, int]) -> tuple[str, str] | None:
    name, begins = span_edge(token)
    if name and begins:
        if name in spans:
            return f"{name} is opened twice", "close the first one before"
        spans[name] = at
    elif name and spans.pop(name, None) is None:
        return f"{name} is closed but was not opened", "mark where it begins"
    return None


def span_edge(token: Token) -> tuple[str, bool]:
    """Return the stretch that a token begins (True) or ends (False); an empty name for a token that does neither."""
    match token:
        case AudibleEvent(name, Extent.BEGINS | Extent.ENDS as extent):
            return f"[{name}]", extent is Extent.BEGINS
        case Mark(Sign.UNCERTAIN_BEGINS | Sign.UNCERTAIN_ENDS as sign):
            return "(( ))", sign is Sign.UNCERTAIN_BEGINS
        case Mark(Sign.IDENTIFYING_BEGINS | Sign.IDENTIFYING_ENDS as sign):
            return "{{ }}", sign is Sign.IDENTIFYING_BEGINS
        case _:
            return "", False


def _neighbour_trouble(token: Token, placed: Sequence[_PlacedToken], index: int) -> tuple[str, str] | None:
    if not isinstance(token, AudibleEvent) or token.extent not in (Extent.ON_PREVIOUS, Extent.ON_NEXT):
        return None
    step = -1 if token.extent is Extent.ON_PREVIOUS else 1
    near = index + step
    if not 0 <= near < len(placed) or not isinstance(placed[near][0], Word):
        side = "before" if step < 0 else "after"
        return f"no word {side} [{token.name}]", "an overlapping noise stands next to the word that it is on"
    return None
