"""Tokens: who shows one has its role in its session, whatever else it says.

Every session's tokens are drawn when it is opened and kept in the store (`session.store.access`), so that a desk can come
back to any hub of the study; they follow from nothing, end with the session, and can be renewed. Sessions that an earlier
release opened have tokens that follow from one secret per role, kept beside the study for its owner's eyes only. One more token
made of these opens every session, for the experimenter's consoles alone. Tokens reach no event and no log: printing them
shows stars.
"""

import contextlib
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

import msgspec

from session.store.access import TokenIssuer
from session.store.event_store import Store
from session.study.toml_reader import StudyError
from session.values.vocabulary import Role

FILE = "tokens.json"
BYTES = 24
SHORTEST = 16


class Tokens:
    """The tokens of all roles in all sessions of a study; without a store, those of an earlier release's sessions."""

    def __init__(self, secrets_by_role: Mapping[Role, str], access: TokenIssuer | None = None) -> None:
        self._secrets = secrets_by_role
        self._access = access

    def with_store(self, store: Store) -> "Tokens":
        """Return these tokens with those of the sessions in `store`."""
        return Tokens(self._secrets, TokenIssuer(store))

    @property
    def console(self) -> str:
        """The token of an experimenter's console in every session of the study."""
        return self._derived(Role.EXPERIMENTER, "*")

    @property
    def overview(self) -> tuple[str, str]:
        """The place of the experimenter's page, and the observer's token that opens it: all sessions, to be looked at."""
        return self._derived(Role.OBSERVER, "*/page")[:24], self._derived(Role.OBSERVER, "*")

    def sealed(self, text: str) -> str:
        """Return a keyed hash of `text`: without this study's secrets it can neither be computed nor used to check a guess."""
        return self._derived(Role.OBSERVER, f"*/sealed/{text}")

    def __repr__(self) -> str:
        return f"Tokens({', '.join(f'{role}=***' for role in self._secrets)})"

    def of(self, role: Role, session: str) -> str:
        """Return the token to hand to a desk of `role` in `session`."""
        return self._all(session)[role]

    def role(self, shown: str, session: str) -> Role | None:
        """Return the role that a desk has in `session` by the token it shows; takes equally long whatever was shown."""
        found: Role | None = None
        for role, token in ((Role.EXPERIMENTER, self.console), *self._all(session).items()):
            if hmac.compare_digest(token.encode(), shown.encode("utf-8", "surrogatepass")):
                found = role
        return found

    def _all(self, session: str) -> Mapping[Role, str]:
        kept = self._access.tokens(session) if self._access else {}
        return kept or {role: self._derived(role, session) for role in self._secrets}

    def _derived(self, role: Role, session: str) -> str:
        return hmac.new(self._secrets[role].encode(), session.encode(), hashlib.sha256).hexdigest()


def load_tokens(folder: Path) -> Tokens:
    """Return the tokens of the study in `folder`, made when there are none; a role that the file lacks is added to it.

    Raises StudyError when the file is not in order.
    """
    path = folder / FILE
    if not path.exists():
        _write(path, _new_secrets(()), replace=False)
    try:
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
        found = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StudyError(f"{path} is not in order; delete it, and new tokens are made for all desks") from error
    if len(set(found.values())) < len(found) or not all(len(secret) >= SHORTEST for secret in found.values()):
        raise StudyError(f"{path} is not in order: each role needs a token of its own, {SHORTEST} characters or more")
    if missing := _new_secrets(found):
        found |= missing
        _write(path, found, replace=True)
    return Tokens({role: found[role] for role in Role})


def _new_secrets(known: Mapping[str, str] | tuple[()]) -> dict[str, str]:
    return {role.value: secrets.token_urlsafe(BYTES) for role in Role if role not in known}


def _write(path: Path, by_role: Mapping[str, str], *, replace: bool) -> None:
    """Write the file whole or not at all; unless it is to be replaced, another program's stands if it was first."""
    text = json.dumps(by_role, indent=1)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            draft.replace(path)
        else:
            with contextlib.suppress(FileExistsError):
                os.link(draft, path)
    except OSError as error:
        raise StudyError(f"{path} cannot be made: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
