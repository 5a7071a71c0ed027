"""A search such as somebody makes who wants to know what was said: through all bytes, whatever the writing."""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from tests.corpus.sessions import Script

PIECE = 512


def of_text(text: str) -> Iterator[bytes]:
    """A text in every case, in UTF-8 and UTF-16, escaped for JSON, and as base64 wherever it begins in its block."""
    for form in {text, text.lower(), text.upper(), text.title()}:
        yield form.encode()
        yield form.encode("utf-16-le")
        yield form.encode("utf-16-be")
        yield json.dumps(form)[1:-1].encode()
        yield from _in_base64(form.encode())


def of_sound(script: Script) -> Iterator[bytes]:
    """Pieces of every take, in both orders of bytes, as they are and as base64."""
    for channels in script.takes.values():
        for data in channels.values():
            for at in (64, len(data) // 2):
                piece = data[at - at % 2 : at - at % 2 + PIECE]
                yield piece
                yield np.frombuffer(piece, "<i2").astype(">i2").tobytes()
                yield from _in_base64(piece)


def _in_base64(data: bytes) -> Iterator[bytes]:
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + data)
        if len(inner := encoded[4 if before else 0 : -8]) >= 4:  # what is shorter stands anywhere by chance
            yield inner


def holding(roots: Iterable[Path], needles: Iterable[bytes]) -> set[tuple[str, bytes]]:
    """The files below `roots`, and names of files, in which one of the needles stands, and which."""
    wanted = tuple(sorted(set(needles)))
    found = set[tuple[str, bytes]]()
    for root in roots:
        for path in sorted(root.rglob("*")):
            data = path.read_bytes() if path.is_file() else b""
            name = path.relative_to(root).as_posix()
            held = {*_standing(wanted, data), *_standing(wanted, name.encode())}
            found |= {(f"{root.name}/{name}", content) for content in held}
    return found


def _standing(wanted: tuple[bytes, ...], data: bytes) -> tuple[bytes, ...]:
    """Those that stand in the data; asked once of the same data, for most files are the same after every kill."""
    asked = hashlib.sha256(data).digest(), wanted
    if asked not in _ANSWERED:
        _ANSWERED[asked] = tuple(word for word in wanted if word in data)
    return _ANSWERED[asked]


_ANSWERED: dict[tuple[bytes, tuple[bytes, ...]], tuple[bytes, ...]] = {}
