"""Frames recorded from the wire by earlier releases, as this release writes them."""

from typing import Any

import msgspec

FIRST_TAGS = {
    "do": "command",
    "no": "refusal",
    "want": "resend",
    "peer": "presence",
    "ask_menu": "menu_request",
    "ask_names": "schema_request",
    "ask_closing": "closing_request",
    "names": "schema",
}
"""Tags of protocol 1 that have other names since protocol 2."""


def upcast_frame(frame: str) -> str:
    """Return a text frame of protocol 1 in the tags of this release; a newer frame comes back with its fields as they are.

    Raises msgspec.DecodeError for a text that is not a JSON object.
    """
    fields = msgspec.json.decode(frame, type=dict[str, Any])
    fields["m"] = FIRST_TAGS.get(fields.get("m", ""), fields.get("m"))
    if fields["m"] == "welcome":
        fields.setdefault("protocol", 1)
    return msgspec.json.encode(fields).decode()
