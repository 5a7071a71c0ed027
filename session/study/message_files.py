"""The canned messages of a study, read from its files: no two of the same id or digit."""

from pathlib import Path

from session.study.settings import CannedMessage, Setting
from session.study.toml_reader import StudyError, read
from session.values.names import check_id

DIGITS = range(1, 10)


class MessageFile(Setting, frozen=True):
    """One file of canned messages."""

    message: tuple[CannedMessage, ...]


def canned_messages(folder: Path) -> dict[str, CannedMessage]:
    """The messages of a folder by id; raises StudyError."""
    found: dict[str, CannedMessage] = {}
    digits: dict[int, str] = {}
    for path in sorted(folder.glob("*.toml")):
        for message in read(path, MessageFile).message:
            if checked_id(path, message.id) in found:
                raise StudyError(f"{path}: there is another message of the id {message.id!r}")
            found[message.id] = message
            if message.digit is None:
                continue
            if message.digit not in DIGITS:
                raise StudyError(f"{path}: message {message.id!r} has the digit {message.digit}; it is one of 1 to 9")
            if message.digit in digits:
                raise StudyError(
                    f"{path}: {message.id!r} and {digits[message.digit]!r} both have the digit {message.digit}"
                )
            digits[message.digit] = message.id
    if not found:
        raise StudyError(f"{folder}: there is no canned message; copy those that ship, or write some")
    return found


def checked_id(path: Path, text: str) -> str:
    """`text` if it can be the id of what the file at `path` holds; raises StudyError."""
    try:
        return check_id(text)
    except ValueError as error:
        raise StudyError(f"{path}: {error}") from error
