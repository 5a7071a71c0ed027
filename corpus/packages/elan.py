"""ELAN's annotation format (EAF 3.0): one document a subject-scenario, over one sound that lasts as long as its speech did.

The sound holds each utterance at its place on the time line and nothing between them, where nothing was recorded. `words` is what
the subject said; `detailed`, `class` and `utterance`, its name, depend on it, one annotation each. `system` are the replies, with
their class in `response`; `wizard` and `pauses` are as in the TextGrids. Classes have controlled vocabularies. ELAN counts in
milliseconds.
"""

from collections.abc import Sequence

import msgspec
import numpy as np

from corpus.analysis.turns import Course, Turn
from corpus.formats import riff
from corpus.io.staging import Staging
from corpus.packages import eaf
from corpus.packages.eaf import AnnotationTier, EafAnnotation
from corpus.packages.package_writer import Contents, PackagedSound, PackageSummary, description_of, unheard
from corpus.packages.textgrid import TextGridInterval, Tier, tiled, timeline, wave_path
from session.values.names import PRIMARY
from session.values.vocabulary import ResponseClass

HOW = """\
ELAN: a .eaf a subject-scenario, and beside it a .wav with the utterances at their places in time, silent between them. Tiers are
words, detailed, class, utterance, system, response, wizard and pauses; class and response have controlled vocabularies. A
scenario whose sound is not handed over has no .wav; its times are those of the log all the same."""
REHEARSED = "a rehearsal with scripted people and synthetic speech: no data"
"""The author named in a rehearsal's documents, so that scripted people are not taken for real ones."""
VOCABULARIES = {
    "class": {
        "A": "answerable without context",
        "D": "answerable in context",
        "X": "unevaluable",
    },
    "response": {str(name): f"the system's turn is of the class {name}" for name in ResponseClass},
}


class TimelineSound(msgspec.Struct):
    """Sound of a subject-scenario as it grows: utterances with the sample at which each begins; `strange` counts those of another
    sampling rate, which have no place in it."""

    rate: int = 0
    placed: list[tuple[int, bytes]] = []
    stretches: dict[int, tuple[float, float]] = {}
    strange: int = 0
    end: int = 0

    def add(self, number: int, begin_s: float | None, sound: PackagedSound) -> None:
        """Put an utterance in its place, or after the one before if that has not ended by then."""
        self.rate = self.rate or sound.rate
        if sound.rate != self.rate:
            self.strange += 1
            return
        pcm = riff.parse(sound.data, "sound").samples().astype("<i2").tobytes()
        at = max(self.end, round((begin_s or 0.0) * self.rate))
        self.end = at + sound.samples
        self.placed.append((at, pcm))
        self.stretches[number] = at / self.rate, self.end / self.rate

    def render(self) -> bytes:
        """The bytes of a RIFF file."""
        samples = np.zeros(self.end, "<i2")
        for at, pcm in self.placed:
            spoken = np.frombuffer(pcm, "<i2")
            samples[at : at + len(spoken)] = spoken
        return riff.render(riff.pcm_file(samples.tobytes(), self.rate, 1))


def count(contents: Contents) -> int:
    """Return about how many files there will be: a document and a sound a subject-scenario."""
    return 2 * len(contents.courses)


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write all documents and sounds."""
    spoken, strange, speakers = 0, 0, set[str]()
    stated = description_of(contents)
    language = stated.languages[0] if stated is not None and stated.languages else ""
    for course in contents.courses:
        turns, whole = timeline_sound(contents, course)
        base = f"{course.stem[:3]}/{course.stem[:-1]}"
        if whole.placed:
            staging.write(f"{base}_timeline.wav", whole.render())
        media = f"{base.rpartition('/')[2]}_timeline.wav" if whole.placed else ""
        date, author = str(course.began.wall.isoformat()), REHEARSED if course.header["Rehearsal"] == "yes" else ""
        made = eaf.Document(date, media, language, tiers_of(course, whole), VOCABULARIES, author)
        staging.write(f"{base}x.eaf", eaf.render(made))
        spoken, strange = spoken + len(turns) - whole.strange, strange + whole.strange
        speakers |= {course.stem[:3]} if turns else set()
    return PackageSummary(spoken, len(speakers), HOW, (*strange_rates(strange), *unheard(contents)))


def timeline_sound(contents: Contents, course: Course) -> tuple[list[Turn], TimelineSound]:
    """The turns of a subject-scenario that have sound, and that sound on its time line."""
    files = contents.corpus.manifest.files
    turns = [turn for turn in course.turns if wave_path(course, turn, PRIMARY) in files]
    whole = TimelineSound()
    sounds = contents.sounds(wave_path(course, turn, PRIMARY) for turn in turns)
    for turn, sound in zip(turns, sounds, strict=True):
        begin = turn.marks.get("begin")
        whole.add(turn.number, (begin.at - course.began.at) / 1e6 if begin else None, sound)
    return turns, whole


def strange_rates(count: int) -> tuple[str, ...]:
    """Notes on sound that has no place on a time line."""
    return (f"the sound of {count} utterances of another sampling rate",) if count else ()


def tiers_of(course: Course, whole: TimelineSound) -> tuple[AnnotationTier, ...]:
    """The tiers of a subject-scenario; words stand where they sound."""
    subject, wizard, system, pauses = timeline(course)
    turns = {turn.number: turn for turn in course.turns}
    heard = [TextGridInterval(*stretch, str(number)) for number, stretch in whole.stretches.items()]
    silent = [
        TextGridInterval(piece.begin, piece.end, number)
        for piece in subject.intervals
        if (number := piece.text.partition(":")[0]) and int(number) not in whole.stretches
    ]
    end = max((piece.end for piece in (*heard, *subject.intervals)), default=0.001)
    words = [
        _annotation(piece, turn.text, {"detailed": turn.sro, "class": turn.evaluation, "utterance": turn.stem})
        for piece in tiled([*heard, *silent], end)
        if piece.text and (turn := turns[int(piece.text)])
    ]
    replies = [
        _annotation(piece, _reply(turn), {"response": turn.response})
        for piece in system.intervals
        if piece.text and (turn := turns[int(piece.text.partition(":")[0])])
    ]
    return (
        AnnotationTier("words", course.header["Speaker"], _apart(words), ("detailed", "class", "utterance")),
        AnnotationTier("system", "system", _apart(replies), ("response",)),
        _plain(wizard, course.header.get("Wizard", "") or "wizard"),
        _plain(pauses, ""),
    )


def _reply(turn: Turn) -> str:
    return f"{turn.number}: {turn.canned or turn.response}"


def _plain(tier: Tier, participant: str) -> AnnotationTier:
    found = [_annotation(piece, piece.text, {}) for piece in tier.intervals if piece.text]
    return AnnotationTier(tier.name, participant, _apart(found))


def _annotation(piece: TextGridInterval, text: str, below: dict[str, str]) -> EafAnnotation:
    return EafAnnotation(round(piece.begin * 1000), round(piece.end * 1000), text, below)


def _apart(found: Sequence[EafAnnotation]) -> tuple[EafAnnotation, ...]:
    """Annotations that last a millisecond at least and do not overlap once their times are rounded."""
    made: list[EafAnnotation] = []
    now = 0
    for one in found:
        begin = max(one.begin, now)
        now = max(one.end, begin + 1)
        made.append(msgspec.structs.replace(one, begin=begin, end=now))
    return tuple(made)
