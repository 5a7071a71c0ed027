"""Settings that vary between sites and studies, as values: profile, scenario, canned message, protocol.

MADCOW deliberately did not standardise procedures; variation is sampled and documented (MADCOW 1992, section 2). So every
choice of a site is data, hashed, and stored with each session. `session.study.folder` reads these from files.
"""

import math
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec

from session.values.names import CHANNELS, PRIMARY
from session.values.vocabulary import (
    AnswerForm,
    Echo,
    ItemKind,
    LostMicrophone,
    LostOperator,
    Operator,
    RecordingControl,
    ResponseClass,
    ScenarioKind,
    SpokenPart,
    Step,
    VoiceEngine,
)

PLACEHOLDER = re.compile(r"\{([A-Za-z][A-Za-z0-9_]*)\}")
BLANK = "___"
MOST_CHOICES = 21
"""The gradations of the NASA task load index, the longest scale that is asked on a screen."""


PRE_ROLL_MS = TAIL_MS = 300
LONGEST_TAKE_S = 120.0


class Setting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of everything that a file of a study may say: unknown keys are errors."""


class Operators(Setting, frozen=True):
    """The mix of people and machines of one session."""

    recognition: Operator = Operator.HUMAN
    understanding: Operator = Operator.CORRECTED
    database: Operator = Operator.MACHINE
    response: Operator = Operator.HUMAN


class MicrophoneChoice(Setting, frozen=True):
    """One device of the subject's desk: a part of its name (empty: the host's default), a letter for each of its channels."""

    device: str = ""
    letters: str = "s"
    rate: int = 16_000

    def __post_init__(self) -> None:
        if not 8_000 <= self.rate <= 48_000:
            raise ValueError(f"`rate` must be between 8000 and 48000 Hz, not {self.rate}")


def check_letters(letters: str) -> None:
    """Raise ValueError unless these are one to four channels, each with a letter of its own, `s` the first of them."""
    if not re.fullmatch(f"{PRIMARY}[{CHANNELS}]{{0,3}}", letters) or len(set(letters)) < len(letters):
        raise ValueError(
            f"channels {letters!r}: a take has one to four, each with a small letter of its own but x, the first one `s`"
        )


class Voice(Setting, frozen=True):
    """The voice of the replies: `name` is the engine's own name of a voice, `speed` words a minute, `rows` how many rows of
    an answer are said at most. A server has `url`, `model`, `key` (the environment variable with its key) and `seconds` to
    answer; recorded prompts are in `folder` of the study, and `otherwise` is the engine for what nobody recorded."""

    engine: VoiceEngine = VoiceEngine.ESPEAK
    name: str = ""
    speed: int = 160
    rows: int = 3
    url: str = ""
    model: str = ""
    key: str = ""
    seconds: float = 5.0
    folder: str = "prompts"
    otherwise: VoiceEngine | None = None

    def __post_init__(self) -> None:
        if not 80 <= self.speed <= 450:
            raise ValueError(f"`speed` must be between 80 and 450 words per minute, not {self.speed}")
        if not 1 <= self.rows <= 100:
            raise ValueError(f"`rows` must be between 1 and 100, not {self.rows}")
        if not 0 < self.seconds <= 60:
            raise ValueError(f"`seconds` is above 0 and at most 60, not {self.seconds:g}")
        if VoiceEngine.SERVER in (self.engine, self.otherwise) and not self.url:
            raise ValueError(
                "a voice of the engine `server` has a `url`, such as http://localhost:8000/v1/audio/speech"
            )
        if self.otherwise is VoiceEngine.RECORDED:
            raise ValueError("`otherwise` is an engine that can say anything: espeak-ng or server")


class Noise(Setting, frozen=True):
    """Recognition made worse on purpose: `word_error` errors for each word, of which `deletions` and `insertions` are shares
    and the rest substitutions; with a `vocabulary`, no other word is recognised. With `word_ms` words arrive one by one."""

    word_error: float = 0.0
    deletions: float = 0.2
    insertions: float = 0.15
    vocabulary: tuple[str, ...] = ()
    word_ms: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.word_error <= 0.9:
            raise ValueError(f"`word_error` must be between 0 and 0.9, not {self.word_error:g}")
        if not (self.deletions >= 0 and self.insertions >= 0 and self.deletions + self.insertions <= 1):
            raise ValueError("`deletions` and `insertions` are shares of all errors: 0 or more, and at most 1 together")
        if not 0 <= self.word_ms <= 10_000:
            raise ValueError(f"`word_ms` must be between 0 and 10000, not {self.word_ms}")

    @property
    def put_in(self) -> bool:
        """Return whether words are changed."""
        return self.word_error > 0 or bool(self.vocabulary)


LEARNT = "recogniser"
"""The folder of a study in which a recogniser keeps what it has learnt; it can be made again at any time."""


APART = "apart"
"""In place of an engine: the machine comes by itself, from `curtain operate`."""


class Machines(Setting, frozen=True):
    """`[machines]`: the engines that operate what the profile gives to machines; empty for the usual one, or `apart`. With
    `learns` the recogniser learns what the study's earlier subjects said, too."""

    recognition: str = ""
    understanding: str = ""
    response: str = ""
    learns: bool = False


class Profile(Setting, frozen=True):
    """A site's procedure. Times are in seconds unless the name says otherwise; a limit of 0 is no limit."""

    name: str
    version: str = "1"
    description: str = ""
    operators: Operators = Operators()
    operator_deadline_s: float = 15.0
    lost_operator: LostOperator = LostOperator.PERSON
    rows_to_interpreter: bool = False
    noise: Noise = Noise()
    subject_heard: bool = True
    session_seed: int = 1
    deception: bool = True
    recording: RecordingControl = RecordingControl.PRESS
    pre_roll_ms: int = PRE_ROLL_MS
    tail_ms: int = TAIL_MS
    longest_take_s: float = LONGEST_TAKE_S
    microphones: tuple[MicrophoneChoice, ...] = ()
    lost_microphone: LostMicrophone = LostMicrophone.DEFAULT
    echo: Echo = Echo.BEFORE_QUERY
    reply_limit_s: float = 60.0
    reply_delay_s: float = 0.0
    reply_delay_spread_s: float = 0.0
    hold_back_s: float = 0.0
    free_text: bool = False
    show_answers: bool = True
    answer_form: AnswerForm = AnswerForm.TABLE
    spoken: SpokenPart = SpokenPart.NOTHING
    voice: Voice = Voice()
    barge_in: bool = False
    opening: str = ""
    context_return: bool = False
    consent: bool = True
    steps: tuple[Step, ...] = (Step.CONSENT, Step.SCENARIOS)
    practice_criterion: int = 0
    max_scenarios: int = 0
    scenario_limit_s: float = 0.0
    session_limit_s: float = 0.0
    rows_shown: int = 40
    expand_codes: bool = False
    summary: bool = False
    task: str = "solve the scenario with the help of the system"
    returned_data: str = "tables"
    collection_method: str = "wizard of oz"

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if isinstance(value := getattr(self, name), float) and not math.isfinite(value):
                raise ValueError(f"`{name}` is a number, not {value}")
        for field in (
            "pre_roll_ms",
            "tail_ms",
            "operator_deadline_s",
            "reply_limit_s",
            "reply_delay_s",
            "reply_delay_spread_s",
            "hold_back_s",
            "max_scenarios",
            "practice_criterion",
            "scenario_limit_s",
            "session_limit_s",
        ):
            if getattr(self, field) < 0:
                raise ValueError(f"`{field}` is 0 or more, not {getattr(self, field)}")
        if self.pre_roll_ms > 5000:
            raise ValueError("`pre_roll_ms` is at most 5000: outside takes only a short ring may be kept")
        if not 1 <= self.rows_shown <= 20_000:
            raise ValueError(f"`rows_shown` must be between 1 and 20000, not {self.rows_shown}")
        if not self.longest_take_s > 0:
            raise ValueError("`longest_take_s` is above 0")
        if self.microphones:
            check_letters("".join(microphone.letters for microphone in self.microphones))
        self._check_steps()

    @property
    def speaks(self) -> bool:
        """Return whether the system's replies are heard."""
        return self.spoken is not SpokenPart.NOTHING

    def _check_steps(self) -> None:
        if self.steps != tuple(step for step in Step if step in self.steps):
            raise ValueError(f"`steps` are in this order, any left out but `scenarios`: {', '.join(Step)}")
        if Step.SCENARIOS not in self.steps:
            raise ValueError("`steps` has no `scenarios`")
        if self.consent and Step.CONSENT not in self.steps:
            raise ValueError("`consent = true` needs `consent` among the `steps`")


class Solution(Setting, frozen=True):
    """Solution of a scenario: the rows of `sql` (MADCOW 1993, section 4)."""

    sql: str
    explanation: str = ""


class Scenario(Setting, frozen=True):
    """One problem of the scenario bank; `text` may hold placeholders such as {A}, bound before the scenario starts."""

    id: str
    title: str
    kind: ScenarioKind
    text: str
    common: bool = False
    difficulty: int = 1
    expected_queries: int = 1
    placeholders: dict[str, str] = {}
    solution: Solution | None = None

    def __post_init__(self) -> None:
        if undeclared := set(PLACEHOLDER.findall(self.text)) - set(self.placeholders):
            raise ValueError(f"the text uses {{{sorted(undeclared)[0]}}}, which `placeholders` does not declare")
        if not 1 <= self.difficulty <= 5:
            raise ValueError(f"`difficulty` must be between 1 and 5, not {self.difficulty}")

    def unbound(self, bindings: Mapping[str, str]) -> list[str]:
        """Names of the placeholders that neither `bindings` nor the scenario's own defaults fill."""
        return [
            name for name, default in sorted(self.placeholders.items()) if not (bindings.get(name) or default).strip()
        ]

    def bound(self, bindings: Mapping[str, str]) -> str:
        """The text that the subject reads; raises ValueError while a placeholder is unbound."""
        if missing := self.unbound(bindings):
            raise ValueError(f"scenario {self.id}: nothing is bound to {', '.join(missing)}")
        return PLACEHOLDER.sub(lambda found: bindings.get(found[1]) or self.placeholders[found[1]], self.text)


class CannedMessage(Setting, frozen=True):
    """A fixed reply; each `___` in its text is a blank that the wizard fills (BBN 1989, section 6.2)."""

    id: str
    text: str
    reason: str
    response: ResponseClass
    digit: int | None = None

    @property
    def blanks(self) -> int:
        return self.text.count(BLANK)

    def filled(self, blanks: tuple[str, ...]) -> str:
        """The text as sent; raises ValueError when a blank is missing, surplus or empty."""
        if len(blanks) != self.blanks:
            raise ValueError(f"the message has {self.blanks} blanks, {len(blanks)} were filled")
        if any(not blank.strip() for blank in blanks):
            raise ValueError("a blank of the message is empty")
        parts = self.text.split(BLANK)
        return "".join(part + " ".join(blank.split()) for part, blank in zip(parts, blanks, strict=False)) + parts[-1]


class QuestionnaireItem(Setting, frozen=True):
    """One question of a questionnaire; up to nine `choices` are answered by number, more by arrow keys or a click."""

    id: str
    text: str
    kind: ItemKind = ItemKind.CHOICE
    choices: tuple[str, ...] = ()
    optional: bool = False

    def __post_init__(self) -> None:
        if self.kind is ItemKind.CHOICE and not 2 <= len(self.choices) <= MOST_CHOICES:
            raise ValueError(f"item {self.id!r} has {len(self.choices)} choices; it has 2 to {MOST_CHOICES}")
        if self.kind is ItemKind.TEXT and self.choices:
            raise ValueError(f"item {self.id!r} is answered in words and has no choices")


class Questionnaire(Setting, frozen=True):
    """A form that the subject fills in, item by item; `id` is the step at which it is asked."""

    id: str
    title: str
    item: tuple[QuestionnaireItem, ...] = ()
    introduction: str = ""
    instruments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not (self.item or self.instruments) or len({item.id for item in self.item}) < len(self.item):
            raise ValueError("a questionnaire has at least one item, and no two of the same id")


class Speaker(msgspec.Struct, frozen=True):
    """Details of a subject; the key from pseudonym to person never enters the study."""

    id: str
    sex: str = ""
    age: int | None = None
    dialect: str = ""
    recruitment: str = ""
    compensation: str = ""


class Equipment(Setting, frozen=True):
    """Microphones by channel letter, and where they stood (MADCOW 1992, section 2.2)."""

    microphones: dict[str, str] = msgspec.field(default_factory=lambda: {"s": "unspecified"})
    digitiser: str = ""
    room: str = ""
    noise: str = "office"


class Protocol(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that fixes how a session is run; `sha256` is the hash over `files`, which names every file by its own, and over
    the `condition` where that changes anything of the study. `scenario_profiles` are those of the scenarios' own conditions."""

    site: str
    sha256: str
    files: dict[str, str]
    profile: Profile
    domain: str
    database_version: str
    today: str
    equipment: Equipment
    scenarios: dict[str, Scenario]
    canned_messages: dict[str, CannedMessage]
    consent_version: str = ""
    consent_text: str = ""
    instructions: str = ""
    debriefing: str = ""
    ability: str = ""
    questionnaires: dict[str, Questionnaire] = {}
    language: str = "en"
    words: dict[str, str] = {}
    condition: str = ""
    scenario_profiles: dict[str, Profile] = {}


def is_archive(url: str) -> bool:
    """Return whether a text is the address of an archive: a scheme, a host or bucket, no password and no way up.

    >>> [is_archive(url) for url in ("s3://lab/atis", "recordings", "s3://key:secret@lab", "file:///tmp/x", "s3://lab/../all")]
    [True, False, False, False, False]
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    named = bool(parts.scheme and parts.netloc) and parts.scheme not in ("file", "local")
    return named and "@" not in parts.netloc and ".." not in parts.path.split("/") and not parts.query
