"""A server outside of the house, asked over HTTP: one request, and its reply within a time and a size, or one error.

Whatever answers there is a stranger. It may drip, redirect, refuse, or send a gigabyte; a caller gets bytes or an `OutsideError`
whose kind it can act on, and can stop waiting at any moment. What the bytes mean is the caller's to judge.
"""

import enum
import http.client
import queue
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

LONGEST_WAIT_S = 120
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


class FailedExchange(enum.Enum):
    """The end of an exchange that brought no bytes."""

    LATE = "late"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    TOO_LARGE = "too large"
    CANCELLED = "cancelled"


class OutsideError(Exception):
    """An exchange without a reply; its text continues "The server at HOST …"."""

    def __init__(self, outcome: FailedExchange, how: str) -> None:
        self.outcome = outcome
        super().__init__(how)


class InvalidServerError(ValueError):
    """A server that cannot be asked as it was named: `field` is `url`, `key` or `seconds`, `reason` says what would be right."""

    def __init__(self, field: str, reason: str) -> None:
        self.field, self.reason = field, reason
        super().__init__(f"{field}: {reason}")


class OutsideServer(msgspec.Struct, frozen=True):
    """The place of a server, the key to ask it with (which is shown nowhere), and how many seconds to wait at most."""

    url: str
    key: str = ""
    seconds: float = 20.0

    def __repr__(self) -> str:
        return f"OutsideServer({self.url!r})"

    @property
    def host(self) -> str:
        """The host as people are told it."""
        return urlsplit(self.url).netloc.rpartition("@")[2]

    def asked(self, body: bytes, content_type: str, accept: str, most_bytes: int) -> "Exchange":
        """Return the exchange that posts `body`; nothing is sent before its `reply` is called."""
        headers = {"Content-Type": content_type, "Accept": accept}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        return Exchange(urllib.request.Request(self.url, body, headers, method="POST"), self.seconds, most_bytes)


def outside_server(url: str, key: str, seconds: float, environment: Mapping[str, str]) -> OutsideServer:
    """Return the server at `url`; `key` names an environment variable, or is empty. Raises InvalidServerError."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise InvalidServerError("url", f"this is not an address ({error})") from None
    if parts.scheme not in ("http", "https") or not host:
        raise InvalidServerError("url", "http:// or https:// and a host are expected")
    if parts.username is not None:
        raise InvalidServerError("url", "an address without a password is expected; name the key's variable in `key`")
    if key and key not in environment:
        raise InvalidServerError("key", f"there is no environment variable {key}; set it to the key")
    if key and parts.scheme == "http" and host not in _HERE:
        raise InvalidServerError("url", "a key goes over https only; use https:// or leave the key out")
    if not 0 < seconds <= LONGEST_WAIT_S:
        raise InvalidServerError("seconds", f"above 0 and at most {LONGEST_WAIT_S} is expected, not {seconds:g}")
    return OutsideServer(url, environment[key].strip() if key else "", seconds)


class Exchange:
    """One request and its reply; `reply` blocks and is called once, `cancel` may come from any thread at any time."""

    def __init__(self, request: urllib.request.Request, seconds: float, most_bytes: int) -> None:
        self.request, self.seconds, self._most_bytes = request, seconds, most_bytes
        self._ended: queue.SimpleQueue[bytes | OutsideError] = queue.SimpleQueue()

    def reply(self) -> bytes:
        """The body of the reply; raises OutsideError."""
        # A socket that drips cannot be waited for with a limit, nor be left when nobody wants it any more; a thread can.
        threading.Thread(target=self._fetch, name="outside-server", daemon=True).start()
        try:
            ended = self._ended.get(timeout=self.seconds)
        except queue.Empty:
            raise self._late() from None
        if isinstance(ended, OutsideError):
            raise ended
        return ended

    def cancel(self) -> None:
        """Stop waiting: `reply` raises OutsideError in its thread."""
        self._ended.put(OutsideError(FailedExchange.CANCELLED, "was not waited for"))

    def _fetch(self) -> None:
        self._ended.put(self._fetched())

    def _fetched(self) -> bytes | OutsideError:
        try:
            with urllib.request.build_opener(_NoRedirect).open(self.request, timeout=self.seconds) as reply:
                raw: bytes = reply.read(self._most_bytes + 1)
        except urllib.error.HTTPError as error:
            error.close()
            return OutsideError(FailedExchange.REFUSED, f"refused with HTTP status {error.code}")
        except TimeoutError:
            return self._late()
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or type(error).__name__
            return OutsideError(FailedExchange.UNREACHABLE, f"cannot be reached: {reason}")
        if len(raw) > self._most_bytes:
            return OutsideError(FailedExchange.TOO_LARGE, f"returned more than {self._most_bytes:,} bytes")
        return raw

    def _late(self) -> OutsideError:
        return OutsideError(FailedExchange.LATE, f"returned nothing within {self.seconds:g} s")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Sends nothing that was meant for one host, the key above all, on to another."""

    def redirect_request(self, *_: Any) -> None:
        return None
