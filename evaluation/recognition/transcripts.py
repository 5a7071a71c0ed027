"""Both sides of a word error as they are read: TRN, STM and CTM, plain lines, a corpus, a test's key or a folder of `.lsn`.

A reference tells what was said and, as far as it is known, by whom, where, under which condition; a hypothesis tells what was
heard. Every fault is one `FormatFault` with file and line: a scorer that drops what does not fit gives wrong rates unnoticed.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import msgspec

from corpus.formats import lsn, manifest, sro
from corpus.formats.errors import FormatFault, counted
from corpus.formats.nist import ctm, stm, trn
from corpus.formats.nist.ctm import TimedWord
from corpus.formats.nist.stm import Marked
from corpus.formats.safe_lines import lines_of
from corpus.packages.package_writer import contents_of, set_aside, spoken
from session.values.names import PRIMARY

FORMS = {".trn": "trn", ".stm": "stm", ".ctm": "ctm", ".txt": "plain"}
KEY_WORDS = "references.trn"
"""The words in the folder of a test's key."""
SPEAKER_RULES = ("auto", "spu_id", "rm", "swb", "wsj", "sp")
"""How an id names its speaker; all but `auto` are sclite's."""
_STEM = re.compile(r"(?:[^-_]+[-_])?([0-9a-z]{3}[0-9a-z]{2}[1-9a-z][srcv])([a-z])")
_NAMED = re.compile(r"([^-]+)-.*|([^-_]+)_.*")
_UNKNOWN_WORDS = (f"[{sro.MASKED}]", f"[{sro.UNINTELLIGIBLE}]")


class UtteranceMetadata(msgspec.Struct, frozen=True, gc=False):
    """Speaker and circumstances of an utterance; empty if they are not known. `category` is A, D or X; `place` are file,
    channel and begin in seconds of a segment, whose id changes when another one before it does."""

    speaker: str = ""
    site: str = ""
    condition: str = ""
    microphone: str = ""
    session: str = ""
    category: str = ""
    labels: tuple[str, ...] = ()
    place: tuple[str, str, float] | None = None


class TranscriptSide(msgspec.Struct, frozen=True):
    """One side as it was read: texts by id in their order, and what is known of them.

    `marked` are the segments of an STM; `timed` are the words of a CTM, which has no texts by id.
    """

    path: str
    form: str
    sha256: str
    texts: dict[str, str]
    about: dict[str, UtteranceMetadata] = {}
    marked: Marked | None = None
    timed: tuple[TimedWord, ...] = ()
    notes: tuple[str, ...] = ()

    def fault(self, key: str, found: str, remedy: str) -> FormatFault:
        """Return a fault at the line of an utterance."""
        return FormatFault(self.path, self.line(key), found, remedy)

    def line(self, key: str) -> int:
        """Return the line of an utterance, 0 if it has none of its own."""
        if self.form not in ("trn", "stm", "plain") or not Path(self.path).is_file():
            return 0
        if self.form == "plain":
            return int(key.rpartition("-")[2])
        if self.marked is not None:
            return dict(zip(self.texts, self.marked.lines, strict=True)).get(key, 0)
        lines = lines_of(Path(self.path).read_bytes(), self.path)
        ends = (line.rstrip().lower().rpartition("(")[2].removesuffix(")") for line in lines)
        return next((number for number, end in enumerate(ends, 1) if key in (end, stem_of(end)[0])), 0)


def read(path: Path) -> TranscriptSide:
    """Read one side; raises `FormatFault`, `Refused` for a corpus that cannot be used, OSError."""
    if path.is_dir():
        return _of_corpus(path) if manifest.is_in(path) else _of_folder(path)
    form = FORMS.get(path.suffix.lower())
    if form is None:
        raise FormatFault(
            str(path), 0, f"a name that ends in {path.suffix or 'nothing'}", f"name it {', '.join(FORMS)}, or a corpus"
        )
    data = path.read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    name = str(path)
    if form == "trn":
        return of_texts(trn.parse(data, name), name, sha256)
    if form == "plain":
        lines = lines_of(data, name)
        return TranscriptSide(name, form, sha256, {f"line-{number}": line for number, line in enumerate(lines, 1)})
    if form == "ctm":
        return TranscriptSide(name, form, sha256, {}, timed=tuple(ctm.parse(data, name)))
    return _of_segments(stm.parse(data, name), name, sha256)


def of_texts(texts: Mapping[str, str], path: str = "", sha256: str = "") -> TranscriptSide:
    """Return what is in a TRN, or in a table of texts by id; case tells no ids apart.

    Raises `FormatFault` for ids that differ by case only, and for an id or a text that is none.
    """
    for key, text in texts.items():
        if not (isinstance(key, str) and isinstance(text, str)):
            raise FormatFault(path, 0, f"{key!r}: {text!r}", "ids and texts are strings")
    folded = {key.lower(): text for key, text in texts.items()}
    result = TranscriptSide(path, "trn", sha256, folded)
    if len(folded) < len(texts):
        twice = next(key for key, often in Counter(map(str.lower, texts)).items() if often > 1)
        raise result.fault(twice, f"{twice} is there twice, but for its case", "keep one of them")
    return result


def _of_segments(marked: Marked, path: str, sha256: str) -> TranscriptSide:
    """Segments have the ids that sclite gives them: the speaker and a number from 0."""
    numbers: dict[str, int] = {}
    texts: dict[str, str] = {}
    about: dict[str, UtteranceMetadata] = {}
    for segment in marked.segments:
        speaker = segment.speaker.lower()
        ignored = segment.ignored
        number = len(texts) if ignored else numbers.get(speaker, 0)
        key = f"ignored-{number:03d}" if ignored else f"{speaker}-{number:03d}"
        numbers[speaker] = numbers.get(speaker, 0) + (not ignored)
        texts[key] = segment.text
        labels = tuple(label.lower() for label in segment.labels)
        named = tuple(marked.labels.get(label, label) for label in labels)
        about[key] = UtteranceMetadata(speaker, labels=named, place=(*segment.place, segment.begin))
    return TranscriptSide(path, "stm", sha256, texts, about, marked)


def _of_folder(root: Path) -> TranscriptSide:
    """The words of a test's key, or every `.lsn` below another folder that is not a corpus of ours, such as a disc of the
    LDC."""
    if (root / KEY_WORDS).is_file():
        return read(root / KEY_WORDS)
    texts: dict[str, str] = {}
    places: dict[str, Path] = {}
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.lsn")):
        key, data = path.stem.lower(), path.read_bytes()
        if key in texts:
            raise FormatFault(str(path), 0, f"{path.name} stands at {places[key]} already", "keep one of the two")
        texts[key], places[key] = " ".join(lsn.parse(data, str(path)).words), path
        digest.update(data)
    if not texts:
        remedy = "name a corpus, a test's key, a folder of .lsn files, or a file in TRN, STM, CTM or plain text"
        raise FormatFault(str(root), 0, "no .lsn file and no corpus in it", remedy)
    return TranscriptSide(str(root), "lsn", digest.hexdigest(), texts)


def _of_corpus(root: Path) -> TranscriptSide:
    """The checked transcriptions of a corpus, class X included; words that nobody may or can tell are in no test."""
    # why here: SQLAlchemy behind it takes longer to load than many a file to score.
    from corpus.commands.sources import opened

    contents = contents_of(opened(root))
    texts: dict[str, str] = {}
    about: dict[str, UtteranceMetadata] = {}
    digest = hashlib.sha256()
    drafts = unknown = 0
    for each in spoken(contents):
        turn = each.turn
        if turn.words is None or turn.draft:
            drafts += 1
        elif any(mark in turn.sro for mark in _UNKNOWN_WORDS):
            unknown += 1
        else:
            key, header = each.name.lower(), each.course.header
            texts[key] = turn.text
            digest.update(f"{key} {turn.text}\n".encode())
            about[key] = UtteranceMetadata(
                each.speaker.speaker,
                header["Site"],
                header.get("Condition", ""),
                "",
                header["Session"],
                turn.evaluation,
            )
    notes = [f"{counted(drafts, 'utterance')} without a checked transcription"] if drafts else []
    notes += [f"{counted(unknown, 'utterance')} with words that are masked or unintelligible"] if unknown else []
    if not texts:
        remedy = "check its transcriptions first: curtain transcribe"
        raise FormatFault(str(root), 0, f"no utterance to score ({'; '.join(notes) or 'none was spoken'})", remedy)
    return TranscriptSide(str(root), "corpus", digest.hexdigest(), texts, about, notes=(*notes, *set_aside(contents)))


def stem_of(key: str) -> tuple[str, str]:
    """Return a MADCOW name without its microphone, and the microphone, `s` for the official one; two empty strings for others.

    >>> stem_of("8k1-8k1011sx")
    ('8k1011s', 's')
    """
    found = _STEM.fullmatch(key)
    return (found[1], PRIMARY if found[2] == "x" else found[2]) if found else ("", "")


def speaker_of(key: str, rule: str) -> str:
    """Return the speaker that an id names, by sclite's rules: `spu_id`, `rm` and `swb` end it before the first hyphen, or,
    without any, before the first underscore; `wsj` are three letters; `sp` is the whole id. `auto` knows MADCOW names too.
    Raises ValueError for an id that names none.

    >>> speaker_of("s1-2", "auto"), speaker_of("4k1_23", "spu_id"), speaker_of("e00041ss", "wsj"), speaker_of("f_2-01", "swb")
    ('s1', '4k1', 'e00', 'f_2')
    """
    if rule == "sp":
        return key
    named = _NAMED.fullmatch(key)
    if rule == "wsj" or (rule == "auto" and named is None and _STEM.fullmatch(key)):
        return key[:3]
    if named is None:
        if rule == "auto":
            return "-"
        raise ValueError(f"the id {key} has no speaker before a hyphen or an underscore")
    return named[1] or named[2]
