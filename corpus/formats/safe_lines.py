r"""Text of unknown origin, made safe for formats in which a line means something.

Every line format of the corpus (`.log`, `.squ`, `spkrinfo.log`, ...) writes foreign text through `escaped` and reads it
back through `plain`: the only two functions that know the escapes. No text can create, end or hide a line, whatever
a subject, a wizard or a database put into it. The escapes are those of C: `\\`, `\n`, `\r`, `\t`, and `\u{hex}` for
any other character that is a control, a line end to somebody, or invisible.
"""

import re
import unicodedata

from corpus.formats.errors import FormatFault

_SHORT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LONG = {escape: char for char, escape in _SHORT.items()}
UNSEEN = (
    "\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U000e0000-\U000e007f"
)
"""What is not seen or turns a line around, as a class of characters; the joiners of scripts and pictures are none."""
_UNSAFE = re.compile(f"[\\\\\x00-\x1f{UNSEEN}\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|.?)", re.DOTALL)


def escaped(text: str) -> str:
    """`text` in Unicode's composed form (NFC) on one line; `plain` gives that form back.

    >>> escaped("two\\nlines")
    'two\\\\nlines'
    """
    return _UNSAFE.sub(_escape, unicodedata.normalize("NFC", text))


def plain(written: str, path: str, line: int) -> str:
    """The text that `escaped` wrote; raises `FormatFault` for an escape that `escaped` does not write."""

    def unescape(match: re.Match[str]) -> str:
        if match[1] is not None:
            char = chr(int(match[1], 16)) if int(match[1], 16) < 0x110000 else ""
        else:
            char = _LONG.get(match[0], "")
        if not char or _escape_text(char) != match[0]:
            raise FormatFault(path, line, f"unknown escape {match[0]!r}", "write \\\\ for a backslash")
        return char

    return _ESCAPE.sub(unescape, written) if "\\" in written else written


def text_of(data: bytes | str, path: str) -> str:
    """The text of a file in UTF-8, without the byte order marks that some programs put first, each its own.

    Raises `FormatFault` that names the line of the first wrong byte.
    """
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8").lstrip("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02x} is not UTF-8"
        raise FormatFault(path, line, found, "convert the file to UTF-8") from None


def lines_of(data: bytes | str, path: str) -> list[str]:
    """The lines of a text file, with LF or CRLF, and with or without the last line end.

    Split at LF only: a form feed or U+2028 inside a line is foreign text, not a line end.
    """
    text = text_of(data, path)
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def _escape(match: re.Match[str]) -> str:
    return _escape_text(match[0])


def _escape_text(char: str) -> str:
    if not _UNSAFE.fullmatch(char):
        return char
    return _SHORT.get(char) or f"\\u{{{ord(char):x}}}"
