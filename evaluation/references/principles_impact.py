"""Impact of a change of the principles: the requests whose annotations rest on what changed.

An annotator says in a comment of the `.cat` by which principles, of which version, a request was read:

    D: wh-question context-dependent:Q1 ; principles 1991-11-20+2: 2.4.4 2.9.1

Any revision may make earlier annotations inconsistent (MADCOW 1993, section 6); this lists those to look at again.
"""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from corpus.formats import cat
from corpus.formats.errors import FormatFault
from domain.principles import Citation, PrinciplesError, changed, check_freeze, impact, load
from evaluation.comparator.answer_input import read_text

SETTINGS = ("yes_no", "arithmetic", "readings", "identifiers", "maximum")
_CITED = re.compile(r"principles\b\s*([^\s:]*)\s*:\s*(.+)")


def citations(root: Path) -> Iterator[Citation]:
    """The principles that every `.cat` under `root` cites; raises FormatFault or FileFault."""
    for path in sorted(root.rglob("*.cat")):
        for comment in cat.parse(read_text(path), str(path)).comments:
            found = _CITED.match(comment)
            if found is None:
                continue
            if not found[1]:
                raise FormatFault(str(path), 0, "principles without a version", "write principles VERSION: NUMBERS")
            yield Citation(str(path), found[1], tuple(re.findall(r"[^\s,]+", found[2])))


def impact_of(root: Path, before: Path, after: Path, name: str, today: date) -> list[str]:
    """Lines: what differs between two folders' sets of this name, and the annotations that cite what differs.

    Settings of the whole set bear on every request and are cited by none. Raises PrinciplesError if the earlier set is frozen
    today, and where a changed set has kept its version: annotations could not tell the two apart.
    """
    old, new = load(before, name), load(after, name)
    check_freeze(old, new, today)
    settings = [one for one in SETTINGS if getattr(old, one) != getattr(new, one)]
    numbers = changed(old, new)
    if (settings or numbers) and old.version == new.version:
        what = ", ".join([*settings, *numbers])
        raise PrinciplesError(f"{name}: {what} changed, and the version is still {new.version}; give it a new one")
    lines = [f"{one} changed from {old.version} to {new.version}: it bears on every request" for one in settings]
    lines += [f"principle {number} changed from {old.version} to {new.version}" for number in numbers]
    return lines + [f"{item}: cites {', '.join(cited)}" for item, cited in impact(old, new, citations(root))]
