"""A checksum on every frame of a link without TLS, which detects frames that changed on the way.

Desk and hub agree on it as a subprotocol of the WebSocket, `NAME`; a client that does not offer it goes without. The frame that
fails ends the connection, and the desk's next one brings again whatever was not answered.
"""

import zlib

from session.protocol.messages import WireError

NAME = "curtain.crc32"
BYTES = 8
"""Added to a frame at most: 8 hexadecimal digits before a text, 4 bytes before sound."""


def sealed(frame: str | bytes) -> str | bytes:
    """Return a frame with its CRC-32 before it.

    >>> sealed("{}"), opened(sealed("{}"))
    ('a3a6bf43{}', '{}')
    """
    if isinstance(frame, bytes):
        return zlib.crc32(frame).to_bytes(4, "big") + frame
    return f"{zlib.crc32(frame.encode()):08x}{frame}"


def opened(frame: str | bytes) -> str | bytes:
    """Return the frame that was sealed; raises WireError if it is not the one that was sent."""
    found: str | bytes = frame[4:] if isinstance(frame, bytes) else frame[8:]
    if sealed(found) != frame:
        raise WireError("a frame was corrupted on the way")
    return found
