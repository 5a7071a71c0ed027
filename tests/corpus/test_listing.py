"""Lists and differences of sessions, asked as at the command line."""

import datetime
import io
from pathlib import Path

from corpus.listing import differences_command
from session.clock import Stamp
from session.making import new
from session.opening import opening
from session.store import Entry, Store


def test_the_protocols_of_two_sessions_are_compared_by_key(tmp_path: Path) -> None:
    study = new(tmp_path / "study")
    store = Store(study.store_url)
    names = []
    for version in ("toy 1", "toy 2"):
        name, opened = opening(study, store, version, datetime.date(2026, 11, 21))
        store.append(name, 0, [Entry(Stamp("hub", 1, 1), "hub", "", opened)])
        names.append(name)
    store.close()
    out = io.StringIO()
    assert differences_command(str(study.folder), *names, out, io.StringIO()) == 0
    assert out.getvalue() == "database_version: toy 1 -> toy 2\n"
    err = io.StringIO()
    assert differences_command(str(study.folder), names[0], "lab-20200101-1", io.StringIO(), err) == 2
    assert "lab-20200101-1" in err.getvalue()
