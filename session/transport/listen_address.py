"""The address at which a hub is to listen, as a person writes it; known before anything of a hub is loaded."""

import contextlib
import socket
from ipaddress import ip_address

import msgspec

EVERYWHERE = ("0.0.0.0", "::", "")


class ListenAddress(msgspec.Struct, frozen=True):
    """The address at which a hub listens. Off loopback it encrypts, unless `insecure`; port 0 takes a free one.

    `behind` is the address HOST:PORT of a proxy through which desks come; the proxy encrypts then, with the study's certificate.
    """

    host: str = "127.0.0.1"
    port: int = 0
    insecure: bool = False
    behind: str = ""

    @classmethod
    def parse(cls, text: str, insecure: bool = False, behind: str = "") -> "ListenAddress":
        """From `HOST:PORT`; raises ValueError that names the form."""
        if behind:
            cls.parse(behind)
        host, colon, port = text.rpartition(":")
        if not colon or not port.isdigit() or not 0 <= int(port) <= 65535:
            raise ValueError(f"{text!r} is not of the form HOST:PORT, such as 0.0.0.0:8765")
        return cls(host.strip("[]") or "0.0.0.0", int(port), insecure, behind)

    @property
    def encrypts(self) -> bool:
        """True when the hub itself encrypts."""
        return not (self.loopback or self.insecure or self.behind)

    @property
    def loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False


def reachable_host(host: str) -> str:
    """The name or number under which other machines find this one when the hub listens on `host`."""
    if host not in EVERYWHERE:
        return host
    family, target = (socket.AF_INET6, "2001:db8::1") if host == "::" else (socket.AF_INET, "192.0.2.1")
    with contextlib.closing(socket.socket(family, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect((target, 9))  # an address kept for documentation: nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
