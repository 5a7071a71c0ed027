"""The play that a rehearsal performs, read from `script.toml` beside this module."""

from pathlib import Path

import msgspec

from session.study.settings import Setting, Speaker
from session.study.toml_reader import StudyError
from session.values.vocabulary import Language, Scope

HERE = Path(__file__).parent
PLAY = "rehearsal"


class Ask(Setting, frozen=True):
    """One text for the database: exactly one of `sql` and `english`. `fails` and `empty` say what is expected of it."""

    sql: str = ""
    english: str = ""
    fails: bool = False
    empty: bool = False

    def __post_init__(self) -> None:
        if bool(self.sql) == bool(self.english):
            raise ValueError("an `ask` holds either `sql` or `english`")

    @property
    def text(self) -> str:
        return " ".join((self.sql or self.english).split())

    @property
    def language(self) -> Language:
        return Language.SQL if self.sql else Language.ENGLISH


class Canned(Setting, frozen=True):
    """A canned message and what fills its blanks."""

    message: str
    blanks: tuple[str, ...] = ()


class ScriptedTurn(Setting, frozen=True):
    """One utterance: the subject's words in `speech`/<name>.flac, and the wizard's moves on them.

    `right` are statements, any one of whose rows an answer has to hold in a drill to be right; without it the rows of the last
    `ask` are, which a play that shows rewordings and long answers need not want of everybody.
    """

    speech: str
    said: str
    ask: tuple[Ask, ...] = ()
    right: tuple[str, ...] = ()
    canned: Canned | None = None
    scope: Scope | None = None
    discard: bool = False
    note: str = ""
    deviation: str = ""

    def __post_init__(self) -> None:
        if not (self.ask or self.canned or self.discard):
            raise ValueError(f"turn {self.speech}: nothing replies to it")


class Ends(Setting, frozen=True):
    """End of a scenario: the subject declares a solution or gives up, or the wizard ends it."""

    declare: str = ""
    give_up: bool = False
    ended: str = ""


PRACTICE = "practice"
"""The kind of an act that counts towards no limit."""


class ScriptedAct(Setting, frozen=True):
    """One scenario of the play; `kind` picks it from the study: practice, common, or the first problem."""

    kind: str
    turn: tuple[ScriptedTurn, ...]
    ends: Ends
    bindings: dict[str, str] = msgspec.field(default_factory=dict)


class Script(Setting, frozen=True):
    """The whole play."""

    wizard: str
    subject: dict[str, str | int]
    scenario: tuple[ScriptedAct, ...]

    def within(self, most: int) -> "Script":
        """The play as far as a visit of `most` scenarios goes, practice not counted; 0 is no limit."""
        acts, counted = list[ScriptedAct](), 0
        for act in self.scenario:
            counted += act.kind != PRACTICE
            if most and counted > most:
                break
            acts.append(act)
        return msgspec.structs.replace(self, scenario=tuple(acts))

    def said(self, speech: str) -> str:
        """The words of the line of that name; nothing if there is none."""
        lines = (turn for act in self.scenario for turn in act.turn)
        return next((line.said for line in lines if line.speech == speech), "")

    def speaker(self, name: str) -> Speaker:
        """The play's subject under a speaker's id."""
        return msgspec.convert({"id": name, **self.subject}, Speaker)


def shipped_script(domain: Path = HERE) -> Script:
    """The play of a domain that brings its own, in `rehearsal/script.toml` of its folder; otherwise the one about air travel."""
    own = domain / PLAY / "script.toml"
    return msgspec.toml.decode((own if own.is_file() else HERE / "script.toml").read_bytes(), type=Script)


def play_of(domain: Path) -> Script:
    """The play for the domain in this folder; raises StudyError if it has none, or one that is in disorder.

    The play about air travel goes with a database that a generator builds: to any other its words mean nothing.
    """
    own = domain / PLAY / "script.toml"
    if not own.is_file() and (domain / "domain.toml").is_file() and not (domain / "generator.py").is_file():
        raise StudyError(f"{own} is not there: write a play for this domain, as `curtain learn` begins one")
    try:
        return shipped_script(domain)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StudyError(f"{own}: {error}") from error


def speech_file(name: str, domain: Path = HERE) -> Path:
    """The recording of a turn: the domain's own where it has one."""
    own = domain / PLAY / f"{name}.flac"
    return own if own.is_file() else HERE / "speech" / own.name
