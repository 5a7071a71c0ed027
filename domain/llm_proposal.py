"""SQL proposed by an engine that the researcher names: any endpoint that speaks the chat protocol of OpenAI.

Off unless configured. What comes back is text from a stranger: looked at within a time and a size, unpacked strictly, and then
no more than a statement that somebody typed: the sandbox runs it, the wizard sees it, and only the wizard sends its rows. The
request, the earlier requests of the dialogue and the names of tables and columns leave this machine; rows never do.
"""

import contextlib
import hashlib
import http.client
import queue
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec

from domain.sandbox.schema import Schema
from session.hub.query_runner import Consultation
from session.values.answers import FailureKind, QueryFailure
from session.values.sanitize import one_line

LONGEST_REPLY = 1_000_000
LONGEST_STATEMENT = 20_000
LONGEST_NAME = 200
MOST_TOKENS = 10**9
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_FENCED = re.compile(r"```(?:sql)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_TASK = (
    "Write one SELECT statement for {dialect} that answers the last request of the user. Use only these tables and columns, "
    "and literal values. Answer with the statement alone. If the request cannot be answered, answer with nothing.\n\n{tables}"
)


class Endpoint(msgspec.Struct, frozen=True):
    """Address of an engine, with the model, the key (which is shown nowhere), and how many seconds to wait at most."""

    url: str
    model: str
    key: str = ""
    seconds: float = 20.0

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r}, {self.model!r})"


def endpoint(url: str, model: str, key: str, seconds: float, environment: Mapping[str, str]) -> Endpoint:
    """The endpoint that study.toml names, `key` being the name of an environment variable; raises ValueError."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"[engine] url = {url!r} in study.toml: http:// or https:// and a host are expected")
    if not model:
        raise ValueError("[engine] in study.toml names no `model`")
    if key and key not in environment:
        raise ValueError(f"[engine] key = {key!r} in study.toml: there is no environment variable of that name; set it")
    if key and parts.scheme == "http" and parts.hostname not in _HERE:
        raise ValueError(
            f"[engine] url = {url!r} in study.toml: a key goes over https only; use https:// or leave `key` out"
        )
    if not 0 < seconds <= 120:
        raise ValueError(f"[engine] seconds = {seconds:g} in study.toml: above 0 and at most 120 is expected")
    return Endpoint(url, model, environment[key].strip() if key else "", seconds)


class Proposing:
    """Asks one endpoint for one session; `propose` blocks and is called from worker threads."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.name = endpoint.model
        self._endpoint = endpoint
        self._waiting: queue.SimpleQueue[str | QueryFailure] | None = None
        self._consultation: Consultation | None = None
        self._usage = _Usage()
        self._version = ""

    def propose(self, text: str, context: Sequence[str], schema: Schema, dialect: str) -> str:
        """A statement, not yet looked at by anybody; QueryFailure when there is none, for whatever reason."""
        asked = _request(self._endpoint, text, context, schema, dialect)
        self._usage, self._version = _Usage(), ""
        began = time.monotonic_ns()
        failure = ""
        try:
            return self._waited_for(asked)
        except QueryFailure as failed:
            failure = failed.message
            raise
        finally:
            self._consultation = Consultation(
                self.name,
                self._version,
                hashlib.sha256(asked.data if isinstance(asked.data, bytes) else b"").hexdigest(),
                time.monotonic_ns() - began,
                self._usage.prompt_tokens,
                self._usage.completion_tokens,
                failure,
            )

    def consulted(self) -> Consultation | None:
        """Return what the last proposal cost, once."""
        found, self._consultation = self._consultation, None
        return found

    def _waited_for(self, asked: urllib.request.Request) -> str:
        waiting: queue.SimpleQueue[str | QueryFailure] = queue.SimpleQueue()
        self._waiting = waiting
        # A socket that drips cannot be waited for with a limit, nor be left when the wizard stops waiting; a thread can.
        threading.Thread(target=self._fetch, args=(asked, waiting), name="proposal", daemon=True).start()
        try:
            found = waiting.get(timeout=self._endpoint.seconds)
        except queue.Empty:
            raise self._failed(FailureKind.TIMEOUT, f"gave nothing within {self._endpoint.seconds:g} s") from None
        if isinstance(found, QueryFailure):
            raise found
        return found

    def cancel(self) -> None:
        """Stop waiting."""
        if self._waiting is not None:
            self._waiting.put(QueryFailure(FailureKind.CANCELLED, "Stopped."))

    def _fetch(self, asked: urllib.request.Request, waiting: "queue.SimpleQueue[str | QueryFailure]") -> None:
        try:
            raw = self._read(asked)
            with contextlib.suppress(
                msgspec.MsgspecError
            ):  # what it costs is told if it can be; the statement is what counts
                response = msgspec.json.decode(raw, type=_Response)
                self._usage, self._version = response.usage.within_bounds(), one_line(response.model)[:LONGEST_NAME]
            waiting.put(statement(raw))
        except QueryFailure as failure:
            waiting.put(failure)
        except urllib.error.HTTPError as error:
            error.close()
            waiting.put(self._failed(FailureKind.UNAVAILABLE, f"refused with HTTP status {error.code}"))
        except TimeoutError:
            waiting.put(self._failed(FailureKind.TIMEOUT, f"gave nothing within {self._endpoint.seconds:g} s"))
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or type(error).__name__
            waiting.put(self._failed(FailureKind.UNAVAILABLE, f"cannot be reached: {reason}"))
        except (ValueError, msgspec.MsgspecError):
            waiting.put(self._failed(FailureKind.UNAVAILABLE, "did not answer in the protocol that was expected"))

    def _read(self, asked: urllib.request.Request) -> bytes:
        opener = urllib.request.build_opener(_NoRedirect)
        with opener.open(asked, timeout=self._endpoint.seconds) as reply:
            raw: bytes = reply.read(LONGEST_REPLY + 1)
        if len(raw) > LONGEST_REPLY:
            raise self._failed(FailureKind.TOO_LARGE, f"gave more than {LONGEST_REPLY:,} bytes")
        return raw

    def _failed(self, kind: FailureKind, how: str) -> QueryFailure:
        host = urlsplit(self._endpoint.url).netloc.rpartition("@")[2]
        return QueryFailure(kind, f"The proposing engine at {host} {how}; ask in English or SQL.")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Sends nothing that was meant for one host, the key above all, on to another."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message


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
    """The statement in a reply, out of its fence; msgspec.MsgspecError or UnicodeDecodeError when it is no such reply.

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
            f"The proposal has {len(found):,} characters; at most {LONGEST_STATEMENT:,} are looked at.",
        )
    return found


def _request(
    endpoint: Endpoint, text: str, context: Sequence[str], schema: Schema, dialect: str
) -> urllib.request.Request:
    tables = "\n".join(f"{table.name}({', '.join(column.name for column in table.columns)})" for table in schema.tables)
    said = [{"role": "user", "content": turn_text} for turn_text in (*context, text)]
    task = {"role": "system", "content": _TASK.format(dialect=dialect, tables=tables)}
    body = msgspec.json.encode({"model": endpoint.model, "temperature": 0, "messages": [task, *said]})
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    return urllib.request.Request(endpoint.url, body, headers, method="POST")
