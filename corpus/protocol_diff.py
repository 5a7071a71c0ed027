"""In what the protocols of two sessions differ.

Procedures were not standardised between sites but documented (MADCOW 1992, section 2); whoever pools sessions wants to
know what he pools. The comparison is of values, so that another order of lines in a file is no difference.
"""

from collections.abc import Iterator

import msgspec

from session.study import Protocol

NOTHING = "(nothing)"


class Difference(msgspec.Struct, frozen=True):
    """One setting, as a path such as `profile.operators.response`, with both its values as JSON."""

    setting: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.setting}: {self.first} | {self.second}"


def differences(first: Protocol, second: Protocol) -> tuple[Difference, ...]:
    """Every setting that differs, sorted by its path; the hash over the files is no setting of its own."""
    one, two = dict(_leaves("", msgspec.to_builtins(first))), dict(_leaves("", msgspec.to_builtins(second)))
    return tuple(
        Difference(setting, one.get(setting, NOTHING), two.get(setting, NOTHING))
        for setting in sorted(one.keys() | two.keys())
        if one.get(setting) != two.get(setting) and setting != "sha256"
    )


def _leaves(path: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, below in value.items():
            yield from _leaves(f"{path}.{key}" if path else str(key), below)
    else:
        yield path, msgspec.json.encode(value).decode()
