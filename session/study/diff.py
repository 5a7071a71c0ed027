"""Differences between the protocols of two sessions, key by key (MADCOW 1992, section 2: variation is documented)."""

from typing import Any

import msgspec

from session.study.settings import Profile, Protocol


class Difference(msgspec.Struct, frozen=True, order=True):
    """One key with its two values in words; `absent` where a protocol has no such key."""

    key: str
    first: str
    second: str


ABSENT = "absent"


def diff(first: Protocol | Profile, second: Protocol | Profile) -> list[Difference]:
    """Everything in which two protocols or profiles differ, by key; empty when a session under either is the same."""
    one, other = _flat(first), _flat(second)
    return [
        Difference(key, one.get(key, ABSENT), other.get(key, ABSENT))
        for key in sorted(one.keys() | other.keys())
        if one.get(key) != other.get(key)
    ]


def _flat(protocol: Protocol | Profile) -> dict[str, str]:
    found: dict[str, str] = {}

    def walk(value: Any, key: str) -> None:
        if isinstance(value, dict) and value:
            for name, inner in value.items():
                walk(inner, f"{key}.{name}" if key else str(name))
        else:
            found[key] = value if isinstance(value, str) else msgspec.json.encode(value).decode()

    walk(msgspec.to_builtins(protocol), "")
    return found
