"""SQL proposed by an engine that the researcher names: any endpoint that speaks the chat protocol of OpenAI.

Off unless configured. What comes back is text from a stranger: looked at within a time and a size, unpacked strictly, and then
no more than a statement that somebody typed: the sandbox runs it, the wizard sees it, and only the wizard sends its rows. The
request, the earlier requests of the dialogue and the names of tables and columns leave this machine; rows never do.
"""

import hashlib
import re
import time
from collections.abc import Mapping, Sequence

import msgspec

from domain.sandbox.database_schema import Schema
from session.hub.query_runner import Consultation
from session.transport.outside_server import (
    Exchange,
    FailedExchange,
    InvalidServerError,
    OutsideError,
    OutsideServer,
    outside_server,
)
from session.values.answers import FailureKind, QueryFailure
from session.values.sanitize import one_line

LONGEST_REPLY = 1_000_000
LONGEST_STATEMENT = 20_000
LONGEST_NAME = 200
MOST_TOKENS = 10**9
_FAILURES = {FailedExchange.LATE: FailureKind.TIMEOUT, FailedExchange.TOO_LARGE: FailureKind.TOO_LARGE}
_FENCED = re.compile(r"```(?:sql)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_TASK = (
    "Write one SELECT statement for {dialect} that answers the last request of the user. Use only these tables and columns, "
    "and literal values. Answer with the statement alone. If the request cannot be answered, answer with nothing.\n\n{tables}"
)


class Endpoint(msgspec.Struct, frozen=True):
    """The server of an engine, and the model to ask it for."""

    server: OutsideServer
    model: str


def endpoint(url: str, model: str, key: str, seconds: float, environment: Mapping[str, str]) -> Endpoint:
    """Return the endpoint that study.toml names, `key` being the name of an environment variable; raises ValueError."""
    if not model:
        raise ValueError("[engine] in study.toml names no `model`")
    try:
        return Endpoint(outside_server(url, key, seconds, environment), model)
    except InvalidServerError as error:
        found = {"url": repr(url), "key": repr(key), "seconds": f"{seconds:g}"}[error.field]
        raise ValueError(f"[engine] {error.field} = {found} in study.toml: {error.reason}") from None


class Proposing:
    """Asks one endpoint for one session; `propose` blocks and is called from worker threads."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.name = endpoint.model
        self._endpoint = endpoint
        self._exchange: Exchange | None = None
        self._consultation: Consultation | None = None

    def propose(self, text: str, context: Sequence[str], schema: Schema, dialect: str) -> str:
        """Return the proposed statement, unchecked; raises QueryFailure if there is none for any reason."""
        prompt = _prompt(self._endpoint.model, text, context, schema, dialect)
        began = time.monotonic_ns()
        raw, failure = b"", ""
        try:
            raw = self._reply(prompt)
            return self._statement(raw)
        except QueryFailure as failed:
            failure = failed.message
            raise
        finally:
            version, usage = _cost(raw)
            self._consultation = Consultation(
                self.name,
                version,
                hashlib.sha256(prompt).hexdigest(),
                time.monotonic_ns() - began,
                usage.prompt_tokens,
                usage.completion_tokens,
                failure,
            )

    def consulted(self) -> Consultation | None:
        """Return what the last proposal cost, once."""
        found, self._consultation = self._consultation, None
        return found

    def cancel(self) -> None:
        """Stop waiting."""
        if self._exchange is not None:
            self._exchange.cancel()

    def _reply(self, prompt: bytes) -> bytes:
        self._exchange = self._endpoint.server.asked(prompt, "application/json", "application/json", LONGEST_REPLY)
        try:
            return self._exchange.reply()
        except OutsideError as error:
            if error.outcome is FailedExchange.CANCELLED:
                raise QueryFailure(FailureKind.CANCELLED, "Stopped.") from None
            raise self._failed(_FAILURES.get(error.outcome, FailureKind.UNAVAILABLE), str(error)) from None

    def _statement(self, raw: bytes) -> str:
        try:
            return statement(raw)
        except (ValueError, msgspec.MsgspecError):
            raise self._failed(FailureKind.UNAVAILABLE, "did not follow the expected protocol") from None

    def _failed(self, kind: FailureKind, how: str) -> QueryFailure:
        return QueryFailure(kind, f"The proposing engine at {self._endpoint.server.host} {how}; ask in English or SQL.")


class _ChatMessage(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _ChatMessage


class _Reply(msgspec.Struct):
    choices: list[_Choice]


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def within_bounds(self) -> "_Usage":
        return _Usage(min(max(self.prompt_tokens, 0), MOST_TOKENS), min(max(self.completion_tokens, 0), MOST_TOKENS))


class _Response(msgspec.Struct):
    """The part of a reply that says which model answered, and what it cost."""

    model: str = ""
    usage: _Usage = msgspec.field(default_factory=_Usage)


def statement(raw: bytes) -> str:
    r"""The statement in a reply, out of its fence; msgspec.MsgspecError or UnicodeDecodeError when it is no such reply.

    >>> statement(b'{"choices": [{"message": {"content": "```sql\\nSELECT 1;\\n```"}}]}')
    'SELECT 1'
    """
    reply = msgspec.json.decode(raw, type=_Reply)
    content = reply.choices[0].message.content if reply.choices else None
    fenced = _FENCED.search(content or "")
    found = (fenced[1] if fenced else content or "").strip().removesuffix(";").strip()
    if not found:
        raise QueryFailure(FailureKind.NOT_UNDERSTOOD, "The proposing engine has no statement for this request.")
    if len(found) > LONGEST_STATEMENT:
        raise QueryFailure(
            FailureKind.TOO_LARGE,
            f"The proposal has {len(found):,} characters; at most {LONGEST_STATEMENT:,} are allowed.",
        )
    return found


def _cost(raw: bytes) -> tuple[str, _Usage]:
    """Return the model that answered and its cost, as far as the reply states them."""
    try:
        response = msgspec.json.decode(raw, type=_Response)
    except (ValueError, msgspec.MsgspecError):
        return "", _Usage()
    return one_line(response.model)[:LONGEST_NAME], response.usage.within_bounds()


def _prompt(model: str, text: str, context: Sequence[str], schema: Schema, dialect: str) -> bytes:
    tables = "\n".join(f"{table.name}({', '.join(column.name for column in table.columns)})" for table in schema.tables)
    said = [{"role": "user", "content": turn_text} for turn_text in (*context, text)]
    task = {"role": "system", "content": _TASK.format(dialect=dialect, tables=tables)}
    return msgspec.json.encode({"model": model, "temperature": 0, "messages": [task, *said]})
