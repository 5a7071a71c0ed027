"""Side requests of consoles and the hub's responses: looked up in the study, sent to the console that asked, no facts; and the
transcription that somebody is typing, which the hub passes on as it comes and never keeps.

The menu of requests, the names in the domain's database, whether a session that has ended is done. A console on another machine
has neither the domain's folder nor its database, so it asks over the same link as a console beside the hub does.
"""

import msgspec

from session import commands as c
from session.values.answers import Table
from session.values.clock import Stamp
from session.values.limits import Identifier, Text
from session.values.vocabulary import Language, Role
from session.visibility import access


class _SideMessage(msgspec.Struct, frozen=True, tag_field="m", forbid_unknown_fields=True):
    """Base of these text frames."""


class MenuRequest(_SideMessage, frozen=True, tag="menu_request"):
    """Ask for the words that may follow the typed ones; of two that wait, only the later is answered."""

    typed: str


class SchemaRequest(_SideMessage, frozen=True, tag="schema_request"):
    """Ask for the tables and columns of the domain's database."""


class ClosingRequest(_SideMessage, frozen=True, tag="closing_request"):
    """Ask for the closing checks of the session; all consoles get the response."""


class ValuesRequest(_SideMessage, frozen=True, tag="values_request"):
    """Ask for the domain's values whose names begin as typed; of two that wait, only the later is answered."""

    typed: str


class SolutionRequest(_SideMessage, frozen=True, tag="solution_request"):
    """Ask for the solution set of the session's subject-scenario number `run`, counted from 0, its placeholders so bound."""

    run: int
    scenario: str
    bindings: dict[str, str] = {}


class AdmitRequest(_SideMessage, frozen=True, tag="admit_request"):
    """Ask that anyone who waits longest in the lobby come to this session; her arrival is the answer."""


class DraftTyped(_SideMessage, frozen=True, tag="draft"):
    """A transcription as it stands at this moment, unfinished; the other wizard reads along, and it is not a fact."""

    take: Identifier
    text: Text


class MenuResponse(_SideMessage, frozen=True, tag="menu"):
    """The words that may follow what was typed, and whether that is a `whole` request; without `there` there is no menu."""

    typed: str
    words: tuple[str, ...] = ()
    whole: bool = False
    there: bool = True


class SchemaResponse(_SideMessage, frozen=True, tag="schema"):
    """The columns of every table of the domain's database; nothing when it cannot be read."""

    tables: dict[str, tuple[str, ...]] = {}


class DomainValue(msgspec.Struct, frozen=True):
    """A value of the domain as people say it, as the database holds it, and of what kind it is; of a code, what it is called."""

    text: str
    value: str
    kind: str
    name: str = ""


class ValuesResponse(_SideMessage, frozen=True, tag="values"):
    """The domain's values whose names begin as typed, the likeliest first."""

    typed: str
    values: tuple[DomainValue, ...] = ()


class SolutionResponse(_SideMessage, frozen=True, tag="solution"):
    """The rows of which a declared solution must hold one; None if the scenario has no solution set that can be read."""

    run: int
    table: Table | None = None


class LobbyState(_SideMessage, frozen=True, tag="lobby"):
    """The lobby's queue: how many wait, the first for how many seconds, and whether this session waits for `admit_request`."""

    waiting: int = 0
    seconds: int = 0
    admits: bool = False


class ClosingCheck(msgspec.Struct, frozen=True):
    """One thing that has to be so before a session is done, and what stands against it, a sentence each with its remedy."""

    what: str
    problems: tuple[str, ...] = ()


class ClosingResponse(_SideMessage, frozen=True, tag="closing"):
    """The closing checks: green only when there are some and none has a problem; none while they run."""

    checks: tuple[ClosingCheck, ...] = ()

    @property
    def green(self) -> bool:
        return bool(self.checks) and not self.problems

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that stands against calling the session done."""
        return tuple(problem for check in self.checks for problem in check.problems)


SideRequest = MenuRequest | SchemaRequest | ClosingRequest | ValuesRequest | SolutionRequest | AdmitRequest
SideResponse = MenuResponse | SchemaResponse | ClosingResponse | ValuesResponse | SolutionResponse | LobbyState
SideMessage = SideRequest | DraftTyped
"""What a console sends beside its commands."""


_QUERY = c.SubmitQuery(id="", at=Stamp("", 0, 0), take="", language=Language.MENU, text="")
_ADMISSION = c.AnswerCall(id="")
_TRANSCRIPTION = c.Transcribe(id="", at=Stamp("", 0, 0), take="", text="")


def may_ask(role: Role, question: SideMessage) -> bool:
    """Return whether a desk of this role may send this: the menu and the names are for who may ask the database, drafts come
    from who may transcribe, and who may answer a call lets in; the rest is for every console."""
    if isinstance(question, DraftTyped):
        return c.permitted(role, _TRANSCRIPTION)
    if isinstance(question, AdmitRequest):
        return c.permitted(role, _ADMISSION)
    if isinstance(question, (ClosingRequest, ValuesRequest, SolutionRequest)):
        return access(role).console
    return c.permitted(role, _QUERY)
