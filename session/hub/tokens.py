"""One token per role: who shows it has the role, whatever else it says.

Made once per study, kept beside it for its owner's eyes only, the same after a restart, so that a desk can come back. Tokens
reach no event and no log: what prints one prints stars.
"""

import contextlib
import hmac
import json
import os
import secrets
from pathlib import Path

from session.study.toml_reader import StudyError
from session.values.vocabulary import Role

FILE = "tokens.json"
BYTES = 24
SHORTEST = 16


class Tokens:
    """The tokens of all roles."""

    def __init__(self, by_role: dict[Role, str]) -> None:
        self._by_role = by_role

    def __repr__(self) -> str:
        return f"Tokens({', '.join(f'{role}=***' for role in self._by_role)})"

    def of(self, role: Role) -> str:
        """The token to hand to a desk of `role`."""
        return self._by_role[role]

    def role(self, shown: str) -> Role | None:
        """The role that a desk has by the token it shows; takes equally long whatever was shown."""
        found: Role | None = None
        for role, token in self._by_role.items():
            if hmac.compare_digest(token.encode(), shown.encode("utf-8", "surrogatepass")):
                found = role
        return found


def load_tokens(folder: Path) -> Tokens:
    """The tokens of the study in `folder`, made when there are none; raises StudyError when the file is not in order."""
    path = folder / FILE
    if not path.exists():
        _make(path)
    try:
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
        found = json.loads(path.read_text(encoding="ascii"))
        by_role = {role: found[role] for role in Role}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StudyError(f"{path} is not in order; delete it, and new tokens are made for all desks") from error
    values = list(by_role.values())
    if len(set(map(str, values))) < len(Role) or not all(
        isinstance(each, str) and len(each) >= SHORTEST for each in values
    ):
        raise StudyError(f"{path} is not in order: each role needs a token of its own, {SHORTEST} characters or more")
    return Tokens(by_role)


def _make(path: Path) -> None:
    """Whole or not at all; if another program was first, its tokens stand."""
    text = json.dumps({role.value: secrets.token_urlsafe(BYTES) for role in Role}, indent=1)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    except OSError as error:
        raise StudyError(f"{path} cannot be made: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
