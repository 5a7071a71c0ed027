"""Where the files of a corpus lie, and what their names say.

    DIR/doc/spkrinfo.log
    DIR/spon/<speaker>/<scenario>/<XXXUUSMP>.<type>

after MADCOW's specification of 20 July 1994 (LDC94S19 fil_spec); DIR is the corpus that the specification calls
`/<CORPUS>`. Speaking modes have directories of their own: `spon`, `vspn` and `read`.
"""

import re
from enum import StrEnum
from pathlib import PurePosixPath

import msgspec

from session.values.names import StemName, base36

SPEAKER_TABLE = "doc/spkrinfo.log"
LEXICON = "doc/lexicon.doc"
MANIFEST = "manifest.json"
HOLDOUT = "doc/holdout.json"
INDEXES = {"pool": "doc/pool.ndx", "release": "doc/release.ndx"}
"""In a part of a corpus, by the set that it is: which utterances the set consists of."""
README = "README.txt"
SITE_README = "doc/readme.doc"
SESSIONS = "sessions.json"
"""In every package: the sessions of which it is made."""
PROTOCOLS = "doc/protocol"
DRAFTS = "doc/drafts"
DRAFT = "drf"
"""The type of drafts of answers, which nobody takes for reference answers; corpora of before have `EARLY_DRAFT`."""
EARLY_DRAFT = "ref"
UNNUMBERED = "unnumbered"
DIRECTORIES = {"s": "spon", "v": "vspn", "r": "read", "c": "read"}
"""By speaking mode."""
SPEECH = tuple(sorted({*DIRECTORIES.values()}))


def draft_of(stem: StemName) -> str:
    """Where the draft answer of an utterance lies."""
    return drafts_of(stem)[0]


def drafts_of(stem: StemName) -> tuple[str, str]:
    """Where the draft answer of an utterance lies, or lay in a corpus of before drafts had a type of their own."""
    base = f"{DRAFTS}/{file_name(stem, 'sro').stem}"
    return f"{base}.{DRAFT}", f"{base}.{EARLY_DRAFT}"


class Unit(StrEnum):
    """What one file of a type belongs to."""

    CHANNEL = "channel"
    UTTERANCE = "utterance"
    SCENARIO = "scenario"


UNITS = {
    "wav": Unit.CHANNEL,
    "log": Unit.SCENARIO,
    "com": Unit.SCENARIO,
    "squ": Unit.SCENARIO,
    "sro": Unit.UTTERANCE,
    "lsn": Unit.UTTERANCE,
    "cat": Unit.UTTERANCE,
    "win": Unit.UTTERANCE,
    "sql": Unit.UTTERANCE,
    "sq2": Unit.UTTERANCE,
    "ref": Unit.UTTERANCE,
    "rf2": Unit.UTTERANCE,
}
ANSWER_TYPES = frozenset({"win", "sql", "sq2", "ref", "rf2"})


class FileName(msgspec.Struct, frozen=True, order=True, gc=False):
    """A parsed name; `key` gathers the files of one utterance or of one subject-scenario."""

    stem: StemName
    type: str

    def __str__(self) -> str:
        return f"{self.stem}.{self.type}"

    @property
    def key(self) -> tuple[str, int, int]:
        """Speaker, subject-scenario and utterance number (0 for files of the whole subject-scenario)."""
        return self.stem.speaker, self.stem.scenario, self.stem.utterance

    @property
    def scenario(self) -> tuple[str, int]:
        """Speaker and subject-scenario."""
        return self.stem.speaker, self.stem.scenario


def path_of(name: FileName) -> PurePosixPath:
    """Where the file of this name lies, relative to the corpus."""
    return PurePosixPath(directory_of(name.stem), str(name))


def directory_of(stem: StemName) -> str:
    """The directory of all files of a subject-scenario, relative to the corpus."""
    return f"{DIRECTORIES[stem.mode]}/{stem.speaker}/{base36(stem.scenario, 1)}"


def file_name(stem: StemName, kind: str) -> FileName:
    """The name of the file of type `kind` beside `stem`: utterance 00 and microphone x where the type asks for it."""
    unit = UNITS[kind]
    utterance = 0 if unit is Unit.SCENARIO else stem.utterance
    mic = stem.mic if unit is Unit.CHANNEL else "x"
    return FileName(StemName(stem.speaker, stem.scenario, utterance, stem.mode, mic), kind)


def safe(text: str) -> str:
    """`text` as one part of a path: nothing but letters, digits, `_` and `-`."""
    return re.sub("[^0-9A-Za-z_-]", "_", text) or "_"


def parse_name(text: str) -> FileName:
    """The parsed form of `XXXUUSMP.type`; raises ValueError with the rule that it breaks."""
    stem_text, dot, kind = text.rpartition(".")
    if not dot or kind not in UNITS:
        raise ValueError(f"{text!r} has none of the types {' '.join(UNITS)}")
    name = FileName(StemName.parse(stem_text), kind)
    if wrong := _broken_rule(name):
        raise ValueError(f"{text}: {wrong}")
    return name


def _broken_rule(name: FileName) -> str:
    stem, unit = name.stem, UNITS[name.type]
    if unit is Unit.SCENARIO and stem.utterance:
        return f"a .{name.type} belongs to a subject-scenario and has utterance number 00"
    if unit is not Unit.SCENARIO and not stem.utterance:
        return "utterance number 00 is kept for .log, .com and .squ"
    if unit is Unit.CHANNEL and stem.mic == "x":
        return "a waveform names its microphone, any letter but x, which means all"
    if unit is not Unit.CHANNEL and stem.mic != "x":
        return f"a .{name.type} belongs to all microphones and has x in their place"
    return ""
