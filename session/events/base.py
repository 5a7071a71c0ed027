"""Base class of all facts of a session."""

import msgspec

from session.values.clock import Stamp

NOWHERE = Stamp("", 0, 0)
"""In place of a stamp that a role may not know."""


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=True, forbid_unknown_fields=True):
    """Base of all facts; the type's name is its tag."""
