"""`doc/spkrinfo.log`: the speakers, by pseudonym; mandatory in every corpus.

The historic layout is not known (ATIS0 tabled speaker, sex, age and dialect region); ours is a table with tabs, whose
first line names the columns. The key from pseudonym to person is no part of a corpus.
"""

import re
from collections import Counter
from collections.abc import Iterable

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import escaped, lines_of, plain
from session.events import SessionOpened
from session.study.speaker_details import OLDEST
from session.values.names import check_speaker

COLUMNS = ("speaker", "sex", "age", "dialect", "recruitment", "compensation", "site")


class SpeakerInfo(msgspec.Struct, frozen=True):
    """One speaker; an empty text or no age where nothing is known. `sex` is m, f or x."""

    speaker: str
    sex: str = ""
    age: int | None = None
    dialect: str = ""
    recruitment: str = ""
    compensation: str = ""
    site: str = ""


class SpeakerTable(msgspec.Struct, frozen=True):
    """The speakers of a corpus, sorted by id."""

    speakers: tuple[SpeakerInfo, ...]

    def __contains__(self, speaker: str) -> bool:
        return any(info.speaker == speaker for info in self.speakers)


def parse(data: bytes | str, path: str) -> SpeakerTable:
    """The table in a file; raises `FormatFault` that names the line and the column."""
    lines = [(number, line) for number, line in enumerate(lines_of(data, path), start=1) if line.strip(" \t")]
    if not lines or tuple(lines[0][1].split("\t")) != COLUMNS:
        raise FormatFault(
            path, 1, "the first line does not name the columns", "write " + " ".join(COLUMNS) + " with tabs"
        )
    speakers = [_speaker(line, path, number) for number, line in lines[1:]]
    ids = [info.speaker for info in speakers]
    for (number, _), before, after in zip(lines[2:], ids, ids[1:], strict=False):
        if before >= after:
            raise FormatFault(path, number, f"{after} after {before}", "sort the speakers, each once")
    return SpeakerTable(tuple(speakers))


def render(table: SpeakerTable) -> bytes:
    """The bytes of the table."""
    rows = ["\t".join(COLUMNS)]
    for info in sorted(table.speakers, key=lambda info: info.speaker):
        age = "" if info.age is None else str(info.age)
        cells = (info.speaker, info.sex, age, info.dialect, info.recruitment, info.compensation, info.site)
        rows.append("\t".join(escaped(cell) for cell in cells))
    return ("\n".join(rows) + "\n").encode()


def sex_of(text: str) -> str:
    """`m`, `f` or `x` out of however a study wrote it; empty if nothing is known."""
    first = text.strip().lower()[:1]
    return {"w": "f"}.get(first, first if first in "mf" else "x") if first else ""


def info_of(opened: SessionOpened) -> SpeakerInfo:
    """Return the details of the speaker of a session."""
    known = opened.speaker
    details = (sex_of(known.sex), known.age, known.dialect, known.recruitment, known.compensation)
    return SpeakerInfo(known.id, *details, opened.site)


def completed(before: SpeakerInfo | None, later: SpeakerInfo) -> SpeakerInfo:
    """Return the details after a later visit, which need not say again what was said before.

    >>> completed(SpeakerInfo("8k0", "f", 31), SpeakerInfo("8k0", age=32))
    SpeakerInfo(speaker='8k0', sex='f', age=32, dialect='', recruitment='', compensation='', site='')
    """
    said = {name: value for name, value in msgspec.structs.asdict(later).items() if value not in ("", None)}
    return msgspec.structs.replace(before or later, **said)


def summary(speakers: Iterable[SpeakerInfo]) -> str:
    """Speakers by sex as the field reports them.

    >>> summary([SpeakerInfo("8k0", "f"), SpeakerInfo("8k1", "m"), SpeakerInfo("8k2", "f")])
    '3; 1M/2F'
    """
    counts = Counter(info.sex for info in speakers)
    others = counts.total() - counts["m"] - counts["f"]
    return f"{counts.total()}; {counts['m']}M/{counts['f']}F" + (f"/{others}X" if others else "")


def _speaker(line: str, path: str, number: int) -> SpeakerInfo:
    cells = [plain(cell, path, number) for cell in line.split("\t")]
    if len(cells) != len(COLUMNS):
        raise FormatFault(path, number, f"{len(cells)} columns", f"write {len(COLUMNS)}, separated by single tabs")
    speaker, sex, age, dialect, recruitment, compensation, site = cells
    try:
        check_speaker(speaker)
    except ValueError as error:
        raise FormatFault(path, number, str(error), "correct the speaker's id") from None
    if sex not in ("", "m", "f", "x"):
        raise FormatFault(path, number, f"sex {sex!r}", "write m, f or x, or leave it empty")
    if age and not (re.fullmatch("[0-9]{1,3}", age) and 0 < int(age) <= OLDEST):
        raise FormatFault(path, number, f"age {age!r}", f"write years from 1 to {OLDEST}, or leave it empty")
    return SpeakerInfo(speaker, sex, int(age) if age else None, dialect, recruitment, compensation, site)
