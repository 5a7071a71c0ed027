"""Layout of a corpus: the places of its files, and the meaning of their names.

    DIR/doc/spkrinfo.log
    DIR/spon/<speaker>/<scenario>/<XXXUUSMP>.<type>

after MADCOW's specification of 20 July 1994 (LDC94S19 fil_spec); DIR is the corpus that the specification calls
`/<CORPUS>`. Speaking modes have directories of their own: `spon`, `vspn` and `read`.
"""

import re
from enum import StrEnum
from pathlib import PurePosixPath

import msgspec

from session.values.names import StemName, base36, from_base36

SPEAKER_TABLE = "doc/spkrinfo.log"
LEXICON = "doc/lexicon.doc"
MANIFEST = "manifest.json"
HOLDOUT = "doc/holdout.json"
DRAFT_LIST = "doc/drafts.ndx"
"""In a release, the utterances whose transcription is a draft."""
INDEXES = {"pool": "doc/pool.ndx", "release": "doc/release.ndx"}
"""In a part of a corpus, by the set that it is: which utterances the set consists of."""
README = "README.txt"
SITE_README = "doc/readme.doc"
SESSIONS = "sessions.json"
"""In every package: the sessions of which it is made."""
PROTOCOLS = "doc/protocol"
METADATA = "doc/metadata"
DRAFTS = "doc/drafts"
DRAFT = "drf"
"""The type of drafts of answers, which nobody takes for reference answers; corpora of before have `EARLY_DRAFT`."""
EARLY_DRAFT = "ref"
UNNUMBERED = "unnumbered"
_HASHED = 8
"""Characters of a hash in a name."""
SPOKEN = "spoken"
"""Sounds that the system spoke, by session and SHA-256 of the samples: RIFF, whatever the format of the speech."""
APART = (UNNUMBERED, SPOKEN)
"""Directories of files that belong to a session and have no name of an utterance."""
DIRECTORIES = {"s": "spon", "v": "vspn", "r": "read", "c": "read"}
"""By speaking mode."""
SPEECH = tuple(sorted({*DIRECTORIES.values()}))


def protocol_path(site: str, sha256: str) -> str:
    """Return where a protocol lies: named by its site and the beginning of its hash, within what ISO 9660 allows.

    >>> protocol_path("bbn", "3f2a91c0" * 8)
    'doc/protocol/bbn_3f2a91c0.json'
    """
    return f"{PROTOCOLS}/{_disc_name(site, 22)}_{safe(sha256)[:_HASHED]}.json"


def protocol_paths(site: str, sha256: str) -> tuple[str, str]:
    """Return the places of a protocol: today's, and that of corpora written before protocols had names."""
    return protocol_path(site, sha256), f"{PROTOCOLS}/{safe(sha256)}.json"


def protocol_file(name: str, sha256: str) -> str:
    """Return where a file of a study lies: named by the beginning of its hash and its own name, within what ISO 9660 allows.

    >>> protocol_file("scenarios/dinner-aloft.toml", "3f2a91c0" * 8)
    'doc/protocol/files/3f2a91c0_dinner_aloft.toml'
    """
    stem, _, kind = name.rpartition("/")[2].rpartition(".")
    kind = _disc_name(kind, 4)
    return f"{PROTOCOLS}/files/{safe(sha256)[:_HASHED]}_{_disc_name(stem, 21 - len(kind))}.{kind}"


def protocol_files(name: str, sha256: str) -> tuple[str, str]:
    """Return the places of a file of a study: today's, and that of corpora written before these files had names."""
    return protocol_file(name, sha256), f"{PROTOCOLS}/files/{safe(sha256)}"


def is_protocol(path: str) -> bool:
    """Return whether a path is a protocol's, rather than one of the files that it was read from."""
    return path.startswith(f"{PROTOCOLS}/") and path.endswith(".json") and not path.startswith(f"{PROTOCOLS}/files/")


def metadata_path(site: str) -> str:
    """Return where the metadata lie that a site states of its corpus.

    >>> metadata_path("bbn")
    'doc/metadata/bbn.json'
    """
    return f"{METADATA}/{_disc_name(site, 26)}.json"


def _disc_name(text: str, longest: int) -> str:
    return re.sub("[^0-9A-Za-z]", "_", text)[:longest] or "_"


def draft_of(stem: StemName) -> str:
    """Return where the draft answer of an utterance lies."""
    return drafts_of(stem)[0]


def drafts_of(stem: StemName) -> tuple[str, str]:
    """Return the places of an utterance's draft answer: today's, and that of corpora written before drafts had a type."""
    base = f"{DRAFTS}/{file_name(stem, 'sro').stem}"
    return f"{base}.{DRAFT}", f"{base}.{EARLY_DRAFT}"


def spoken_path(session: str, sha256: str) -> str:
    """Return the path of a sound that the system spoke in a session."""
    return f"{SPOKEN}/{safe(session)}/{safe(sha256)}.wav"


class FileUnit(StrEnum):
    """Unit to which one file of a type belongs."""

    CHANNEL = "channel"
    UTTERANCE = "utterance"
    SCENARIO = "scenario"


UNITS = {
    "wav": FileUnit.CHANNEL,
    "log": FileUnit.SCENARIO,
    "com": FileUnit.SCENARIO,
    "squ": FileUnit.SCENARIO,
    "sro": FileUnit.UTTERANCE,
    "lsn": FileUnit.UTTERANCE,
    "cat": FileUnit.UTTERANCE,
    "win": FileUnit.UTTERANCE,
    "sql": FileUnit.UTTERANCE,
    "sq2": FileUnit.UTTERANCE,
    "ref": FileUnit.UTTERANCE,
    "rf2": FileUnit.UTTERANCE,
}
ANSWER_TYPES = frozenset({"win", "sql", "sq2", "ref", "rf2"})
ANNOTATIONS = ANSWER_TYPES | {"cat"}
"""Types of files that annotators or their programs make; an export never does."""


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
    """Return where the file of this name lies, relative to the corpus."""
    return PurePosixPath(directory_of(name.stem), str(name))


def directory_of(stem: StemName) -> str:
    """The directory of all files of a subject-scenario, relative to the corpus."""
    return f"{DIRECTORIES[stem.mode]}/{stem.speaker}/{base36(stem.scenario, 1)}"


def file_name(stem: StemName, kind: str) -> FileName:
    """The name of the file of type `kind` beside `stem`: utterance 00 and microphone x where the type asks for it."""
    unit = UNITS[kind]
    utterance = 0 if unit is FileUnit.SCENARIO else stem.utterance
    mic = stem.mic if unit is FileUnit.CHANNEL else "x"
    return FileName(StemName(stem.speaker, stem.scenario, utterance, stem.mode, mic), kind)


def safe(text: str) -> str:
    """`text` as one part of a path: nothing but letters, digits, `_` and `-`."""
    return re.sub("[^0-9A-Za-z_-]", "_", text) or "_"


_OF_SCENARIO, _OF_CHANNEL = [
    frozenset(kind for kind, found in UNITS.items() if found is unit) for unit in (FileUnit.SCENARIO, FileUnit.CHANNEL)
]
_WRITTEN_NAME = re.compile(rf"((?!000)[0-9a-z]{{3}})([0-9a-z]{{2}})([1-9a-z])([srcv])([a-z])\.({'|'.join(UNITS)})")
"""A name whose parts need no second look; a corpus has millions."""


def parse_name(text: str) -> FileName:
    """The parsed form of `XXXUUSMP.type`; raises ValueError with the rule that it breaks."""
    if match := _WRITTEN_NAME.fullmatch(text):
        speaker, utterance, scenario, mode, mic, kind = match.groups()
        name = FileName(StemName(speaker, from_base36(scenario), from_base36(utterance), mode, mic), kind)
        if (kind in _OF_SCENARIO) == (utterance == "00") and (kind in _OF_CHANNEL) == (mic != "x"):
            return name
    else:
        stem_text, dot, kind = text.rpartition(".")
        if not dot or kind not in UNITS:
            raise ValueError(f"{text!r} has none of the types {' '.join(UNITS)}")
        name = FileName(StemName.parse(stem_text), kind)
    if wrong := _broken_rule(name):
        raise ValueError(f"{text}: {wrong}")
    return name


def _broken_rule(name: FileName) -> str:
    stem, unit = name.stem, UNITS[name.type]
    if unit is FileUnit.SCENARIO and stem.utterance:
        return f"a .{name.type} belongs to a subject-scenario and has utterance number 00"
    if unit is not FileUnit.SCENARIO and not stem.utterance:
        return "utterance number 00 is kept for .log, .com and .squ"
    if unit is FileUnit.CHANNEL and stem.mic == "x":
        return "a waveform names its microphone, any letter but x, which means all"
    if unit is not FileUnit.CHANNEL and stem.mic != "x":
        return f"a .{name.type} belongs to all microphones and has x in their place"
    return ""
