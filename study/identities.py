"""Identities: names and addresses by pseudonym, in one file outside the study, encrypted in the format of age.

    age --decrypt -i KEY FILE

shows it. It is opened to write to people, and to add or remove one; nothing of it reaches the study, an export or a log.
"""

import os
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

_EXTRA = "the extra encrypt is not installed; pip install 'curtain-woz[encrypt]'"


class IdentityFault(ValueError):
    """The file of identities or its key cannot be used; the message says why and what to do."""


class Identity(msgspec.Struct, frozen=True):
    """One person: the pseudonym, the name and how to reach her."""

    speaker: str
    name: str
    contact: str


class Identities:
    """The file and the key that opens it; both are made where neither exists. Raises IdentityFault."""

    def __init__(self, study: Path, file: Path, key: Path) -> None:
        for path in (file, key):
            if study.resolve() in path.resolve().parents:
                raise IdentityFault(
                    f"{path} would be in the study, which goes out with its corpora; choose a place outside"
                )
        if file.resolve().parent == key.resolve().parent:
            raise IdentityFault(f"{key} would be beside {file}, which it opens; keep the key in another folder")
        self._file, self._key = file, key

    def everybody(self) -> list[Identity]:
        """Return all people of the file, none if it does not exist yet."""
        if not self._file.exists():
            return []
        try:
            plain = _age().decrypt(self._file.read_bytes(), [self._opener()])
            return msgspec.json.decode(plain, type=list[Identity])
        except (_age().DecryptError, msgspec.MsgspecError) as error:
            raise IdentityFault(f"{self._file} is not opened by {self._key}: {error}") from error

    def add(self, new: Identity) -> None:
        """Add a person; nobody is there twice."""
        found = self.everybody()
        for known in found:
            if known.speaker == new.speaker or known.contact.casefold() == new.contact.casefold():
                raise IdentityFault(
                    f"{self._file}: the same person or contact already exists, as speaker {known.speaker}"
                )
        self._write([*found, new])

    def forget(self, speaker: str) -> bool:
        """Remove a person; whether there was one."""
        found = self.everybody()
        left = [known for known in found if known.speaker != speaker]
        if len(left) < len(found):
            self._write(left)
        return len(left) < len(found)

    def _write(self, people: list[Identity]) -> None:
        recipient = self._opener().to_public()
        part = self._file.with_name(f"{self._file.name}.part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            out.write(_age().encrypt(msgspec.json.encode(people), [recipient]))
            out.flush()
            os.fsync(out.fileno())
        part.replace(self._file)

    def _opener(self) -> Any:  # pyrage has no types
        if not self._key.exists():
            if self._file.exists():
                raise IdentityFault(f"{self._key} does not exist; name the key that opens {self._file}")
            identity = _age().x25519.Identity.generate()
            with os.fdopen(os.open(self._key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
                out.write(f"# opens {self._file.name}\n{identity}\n")
            return identity
        lines = [
            line.strip() for line in self._key.read_text("utf-8").splitlines() if line.startswith("AGE-SECRET-KEY-")
        ]
        if not lines:
            raise IdentityFault(f"{self._key} holds no key of age: a line that begins with AGE-SECRET-KEY-")
        return _age().x25519.Identity.from_str(lines[0])


def _age() -> ModuleType:
    try:
        import pyrage
    except ImportError:
        raise IdentityFault(_EXTRA) from None
    found: ModuleType = pyrage
    return found
