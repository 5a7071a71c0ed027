"""The error that every reader of a corpus file raises.

A person who repairs a corpus needs four things at once: which file, where in it, what is there, and what would be right.
Readers raise `FormatFault` at the first such place; `corpus.verify.verify` collects them over a whole corpus.
"""

LONGEST = 300
"""Characters of what was found that an error repeats: a file may be one line."""


INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells number it: the status alone tells a script that there is no verdict."""


def shortened(found: str) -> str:
    """Return what was found, cut to a length that an error can repeat."""
    return found if len(found) <= LONGEST else f"{found[:LONGEST]}…"


class FormatFault(ValueError):
    """A violation of a file's format; `line` counts from 1 and is 0 when the file as a whole is meant."""

    def __init__(self, path: str, line: int, found: str, remedy: str) -> None:
        self.path = path
        self.line = line
        self.found = shortened(found)
        self.remedy = remedy
        super().__init__(f"{place(path, line)}: {self.found}; {remedy}")

    def __reduce__(self) -> tuple[type["FormatFault"], tuple[str, int, str, str]]:
        """Pickle the error so that it comes back whole from another process."""
        return FormatFault, (self.path, self.line, self.found, self.remedy)


def place(path: str, line: int) -> str:
    """The place in the form of compilers: `path:line`, or the path alone for the file as a whole."""
    return f"{path}:{line}" if line else path


def message_of(error: BaseException) -> str:
    """Return an error's message without the system's error number.

    >>> message_of(OSError(30, "Read-only file system", "/mnt/corpus/manifest.json"))
    '/mnt/corpus/manifest.json: Read-only file system'
    """
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def status_of(error: BaseException) -> int:
    """Return the exit status of a command that this error ended: 130 for an interrupt, 2 for everything else.

    >>> status_of(KeyboardInterrupt()), status_of(OSError(28, "No space left on device"))
    (130, 2)
    """
    return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 2


def counted(number: int, what: str) -> str:
    """Return a number with its noun, singular or plural.

    >>> counted(1, "session")
    '1 session'
    """
    return f"{number} {what}{'' if number == 1 else 's'}"
