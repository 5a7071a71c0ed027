"""Writes the golden store of this release: one fact of every type, and a session whose speaker withdrew.

Run once per store format or change of a fact, never over an old file, and put the printed heads beside the others in
`tests/session/store/test_hash_chain.py`: `python -m tests.session.golden_store tests/golden/session/NAME.sqlite`
"""

import enum
import sys
import types
import typing
from pathlib import Path
from typing import Any

import msgspec

from session import events as e
from session.store.event_store import Entry, Store
from session.study.settings import Profile, Protocol, Questionnaire
from session.values.answers import Table
from tests.session.examples import FORM, at, entries, opening, protocol

EVERY = "bbn-20261121-1"
GONE = "bbn-20261121-2"
PLAIN: dict[Any, Any] = {
    str: "wörd",
    int: 7,
    bool: True,
    float: 1.5,
    Table: Table(("city", "fare"), (("Denver", 199.5), (None, True))),
    Protocol: protocol(),
    Profile: protocol().profile,
    Questionnaire: FORM,
}


def plain(hint: Any) -> Any:
    """One value of an annotation, always the same."""
    if hint in PLAIN:
        return PLAIN[hint]
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return plain(parts[0])
    if origin is tuple:
        return (plain(parts[0]),)
    if origin is dict:
        return {"key": plain(parts[1])}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return next(iter(hint))
    return hint(
        **{name: plain(inner) for name, inner in typing.get_type_hints(hint).items() if name in hint.__struct_fields__}
    )


def every_fact() -> list[e.Fact]:
    """One fact of each type, in the order of the union."""
    return [plain(kind) for kind in typing.get_args(e.Fact)]


def write(path: Path) -> None:
    """Make the store at `path` and, beside it, what must be read from it as JSON lines."""
    if path.exists():
        raise SystemExit(f"{path} exists; golden files are never written again")
    store = Store(f"sqlite:///{path}", salt=lambda stream, seq: f"{stream}:{seq}".encode())
    store.append(EVERY, 0, [Entry(at(seq), "wizard", f"C{seq}", fact) for seq, fact in enumerate(every_fact())])
    store.append(GONE, 0, entries(opening(), e.NoteWritten(text="taken back")))
    store.withdraw([GONE], "experimenter", at(60), e.SpeakerWithdrawn(speaker="001", erased=0))
    read = [recorded for name in (EVERY, GONE) for recorded in store.read(name)]
    path.with_suffix(".jsonl").write_bytes(b"".join(msgspec.json.encode(fact) + b"\n" for fact in read))
    print({name: store.head(name) for name in (EVERY, GONE)})
    store.close()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
