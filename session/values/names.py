"""Names of speakers, sessions, scenarios, utterances and takes.

File stems follow MADCOW, `XXXUUSMP` (LDC94S19 fil_spec, 07/20/94): three base-36 characters for the speaker, two for the
utterance within the subject-scenario (`00` is the log's), one for the subject-scenario, the mode and the microphone. Of
microphones MADCOW names `s` (Sennheiser, the official one), `c` (Crown) and `x` (whatever pertains to all); the letters that it
leaves unused name further channels.
"""

import hashlib
import re
import secrets
from functools import lru_cache
from typing import Self

import msgspec

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
LAST_UTTERANCE = 36**2 - 1
LAST_SCENARIO = 35
DEVICES = frozenset({"aux", "con", "nul", "prn"})
"""Speakers' ids that some systems take for a device: no folder can have such a name there."""
PRIMARY = "s"
CHANNELS = DIGITS[10:].replace("x", "")
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_STEM = re.compile(
    r"(?P<speaker>[0-9a-z]{3})(?P<utterance>[0-9a-z]{2})(?P<scenario>[1-9a-z])(?P<mode>[srcv])(?P<mic>[a-z])"
)
_BASE36 = re.compile("[0-9a-z]+")
_SPEAKER = re.compile("(?!000)[0-9a-z]{3}")
_SESSION = re.compile(r"(?P<site>[a-z][a-z0-9]{1,7})-(?P<date>[0-9]{8})-(?P<number>[1-9][0-9]{0,6})")


class Exhausted(Exception):
    """No further name of a kind is left; the message says what to do."""


@lru_cache(maxsize=4096)
def base36(number: int, width: int) -> str:
    """`number` in `width` base-36 digits; raises ValueError outside 0 … 36**width-1."""
    if not 0 <= number < 36**width:
        raise ValueError(f"{number} does not fit into {width} base-36 digits")
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, 36)
        digits = DIGITS[digit] + digits
    return digits


@lru_cache(maxsize=4096)
def from_base36(text: str) -> int:
    """The number that `text` spells; raises ValueError for any character outside [0-9a-z]."""
    if not _BASE36.fullmatch(text):
        raise ValueError(f"{text!r} is not a base-36 number of the characters 0-9 and a-z")
    return int(text, 36)


class StemName(msgspec.Struct, frozen=True, order=True, gc=False):
    """A parsed `XXXUUSMP`: `utterance` is 0 for files that belong to the whole subject-scenario."""

    speaker: str
    scenario: int
    utterance: int
    mode: str = "s"
    mic: str = "x"

    def __str__(self) -> str:
        return f"{self.speaker}{base36(self.utterance, 2)}{base36(self.scenario, 1)}{self.mode}{self.mic}"

    @classmethod
    def parse(cls, stem: str) -> Self:
        """Raises ValueError with the rule that `stem` breaks."""
        found = _STEM.fullmatch(stem)
        if not found:
            raise ValueError(
                f"{stem!r} is not a name of the form XXXUUSMP (speaker, utterance, scenario 1-z, mode srcv, microphone a-z)"
            )
        speaker, utterance, scenario, mode, mic = found.groups()
        return cls(check_speaker(speaker), from_base36(scenario), from_base36(utterance), mode, mic)


class SessionName(msgspec.Struct, frozen=True, order=True):
    """One visit: `<site>-<yyyymmdd>-<n>`."""

    site: str
    date: str
    number: int

    def __str__(self) -> str:
        return f"{self.site}-{self.date}-{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ValueError when `text` is not a session's name."""
        found = _SESSION.fullmatch(text)
        if not found:
            raise ValueError(f"{text!r} is not a session's name; one reads like bbn-20261121-1")
        return cls(found["site"], found["date"], int(found["number"]))


def check_speaker(speaker: str) -> str:
    """`speaker` itself, or ValueError: three base-36 characters, `000` being reserved."""
    if not _SPEAKER.fullmatch(speaker):
        raise ValueError(f"{speaker!r} is not a speaker's id: three of the characters 0-9 and a-z, from 001 to zzz")
    return speaker


class SpeakerBlock(msgspec.Struct, frozen=True):
    """The ids that one site may give, both ends included; blocks of different sites must not overlap."""

    first: str
    last: str

    def __post_init__(self) -> None:
        if from_base36(check_speaker(self.first)) > from_base36(check_speaker(self.last)):
            raise ValueError(f"the block of speaker ids runs backwards: {self.first} to {self.last}")

    def __contains__(self, speaker: str) -> bool:
        return from_base36(self.first) <= from_base36(check_speaker(speaker)) <= from_base36(self.last)

    def next_after(self, used: set[str], start: int = 0) -> str:
        """The lowest id, from number `start` on, that is not in `used` and no device's name; raises Exhausted when
        the block is full."""
        taken = used | DEVICES
        for number in range(max(start, from_base36(self.first)), from_base36(self.last) + 1):
            if (speaker := base36(number, 3)) not in taken:
                return speaker
        raise Exhausted(
            f"all speaker ids from {self.first} to {self.last} are taken; give the site a further block under "
            "[[speakers]] in study.toml"
        )


def ulid(wall_ns: int, entropy: bytes | None = None) -> str:
    """A 26-character identifier that sorts by time; `entropy` is 10 bytes, drawn at random when not given."""
    random = secrets.token_bytes(10) if entropy is None else entropy
    if len(random) != 10:
        raise ValueError(f"entropy is 10 bytes, not {len(random)}")
    number = ((wall_ns // 1_000_000) & (2**48 - 1)) << 80 | int.from_bytes(random)
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -5, -5))


def derived_reply(*parts: str) -> str:
    """Return a reply's name that follows from these parts; the subject's terminal cannot tell it from one drawn at random."""
    return ulid(0, hashlib.sha256("\0".join(parts).encode()).digest()[:10])


def check_id(text: str) -> str:
    """`text` itself when it is safe as an identifier in file names and logs, else ValueError."""
    if not re.fullmatch(r"[0-9A-Za-z][0-9A-Za-z_-]{0,63}", text):
        raise ValueError(
            f"{text!r} is not an identifier: 1 to 64 letters, digits, _ or -, beginning with a letter or digit"
        )
    return text
