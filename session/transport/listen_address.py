"""The address at which a hub is to listen, as a person writes it; known before anything of a hub is loaded."""

from ipaddress import ip_address

import msgspec


class ListenAddress(msgspec.Struct, frozen=True):
    """The address at which a hub listens. Off loopback it encrypts, unless `insecure`; port 0 takes a free one."""

    host: str = "127.0.0.1"
    port: int = 0
    insecure: bool = False

    @classmethod
    def parse(cls, text: str, insecure: bool = False) -> "ListenAddress":
        """From `HOST:PORT`; raises ValueError that names the form."""
        host, colon, port = text.rpartition(":")
        if not colon or not port.isdigit() or not 0 <= int(port) <= 65535:
            raise ValueError(f"{text!r} is not of the form HOST:PORT, such as 0.0.0.0:8765")
        return cls(host.strip("[]") or "0.0.0.0", int(port), insecure)

    @property
    def loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False
