"""The address that a hub prints and a desk connects to."""

from urllib.parse import unquote, urlsplit

import msgspec

from session.values.names import SessionName


class Address(msgspec.Struct, frozen=True):
    """The address of a session for one role: `wss://TOKEN@HOST:PORT/SESSION#FINGERPRINT`."""

    host: str
    port: int
    session: str
    token: str
    tls: bool
    fingerprint: str = ""

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Raises ValueError that says which part is missing or wrong."""
        parts = urlsplit(text.strip())
        if parts.scheme not in ("ws", "wss") or not parts.hostname:
            raise ValueError("an address begins with ws:// or wss:// and names the hub's machine, as the hub prints it")
        try:
            port = parts.port
        except ValueError:
            port = None
        if port is None:
            raise ValueError("the address names no port between 1 and 65535")
        if not parts.username:
            raise ValueError("the address holds no token before the @; copy it whole, as the hub printed it")
        session = parts.path.strip("/")
        SessionName.parse(session)
        tls = parts.scheme == "wss"
        if tls and len(parts.fragment) != 64:
            raise ValueError("a wss address ends in # and the 64 digits of the hub's certificate")
        return cls(parts.hostname, port, session, unquote(parts.username), tls, parts.fragment.lower())

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        scheme, mark = ("wss", f"#{self.fingerprint}") if self.tls else ("ws", "")
        return f"{scheme}://{self.token}@{host}:{self.port}/{self.session}{mark}"

    @property
    def url(self) -> str:
        """The part that goes over the network's address line: no token."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'wss' if self.tls else 'ws'}://{host}:{self.port}/{self.session}"

    @property
    def page(self) -> str:
        """The address of the page of a subject's desk for a browser; the token stands where no browser sends it."""
        return self.beside(f"/visit/{self.session}#{self.token}")

    def beside(self, path: str) -> str:
        """The address of another page of the same hub, at `path`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{path}"
