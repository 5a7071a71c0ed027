"""Frames of requests: what the statements made of a wizard's sentences (`.win`) ask for, of what, under which conditions.

A system's understanding can be scored so without a database: its statements become frames too, and these are compared with
one another slot by slot. Each interpretation is a frame of its own. What nobody has annotated is in the log: the statement
whose rows the subject was sent.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from sqlglot.errors import SqlglotError

from corpus.commands.sources import opened
from corpus.formats import manifest, win
from corpus.formats.errors import FormatFault
from corpus.packages.dialogues import dialogues
from corpus.packages.package_writer import contents_of
from evaluation.templates import statement_frames
from evaluation.templates.filled_templates import FilledTemplate

_REMEDY = "name a corpus, or a folder with .win and .sql, or with .sql alone"


def frames(folder: Path) -> list[FilledTemplate]:
    """Return the frames of all utterances of a folder or a corpus that have a `.win`, by the `.sql` beside it; of one without any
    `.win`, of every `.sql`; of a corpus without either, those of its logs. Raises `FormatFault`, and `Refused` for a corpus that
    cannot be used."""
    if manifest.is_in(folder):
        opened(folder)
    sentences = sorted(folder.rglob("*.win"))
    for path in sentences:
        win.parse(path.read_bytes(), str(path))
        if not path.with_suffix(".sql").is_file():
            raise FormatFault(str(path), 0, "no .sql beside it", "make it: curtain answers --sentences")
    statements = [path.with_suffix(".sql") for path in sentences] or sorted(folder.rglob("*.sql"))
    if not statements and manifest.is_in(folder):
        return of_log(folder)
    if not statements:
        raise FormatFault(str(folder), 0, "no request in it", _REMEDY)
    return [frame for path in statements for frame in _frames(path.stem, _read(path), str(path))]


def of_log(root: Path) -> list[FilledTemplate]:
    """Return the frames of what the wizard asked of the database, by the logs of a corpus: of each utterance the last statement
    whose rows were sent. Raises `FormatFault`, and `Refused` for a corpus that cannot be used."""
    if not manifest.is_in(root):
        raise FormatFault(str(root), 0, "no corpus, which has logs", _REMEDY)
    found: list[FilledTemplate] = []
    for dialogue in dialogues(contents_of(opened(root))):
        for turn in dialogue.turns:
            for request in [each for each in turn.requests if each.sent and each.sql][-1:]:
                found += _frames(turn.utterance, request.sql, f"{root}, {turn.utterance}")
    if not found:
        raise FormatFault(str(root), 0, "no statement in its logs whose rows were sent", _REMEDY)
    return found


def among(templates: Iterable[FilledTemplate], texts: Iterable[str]) -> list[FilledTemplate]:
    """Return the templates of some texts: a log has more requests than were annotated."""
    wanted = set(texts)
    return [template for template in templates if template.text in wanted]


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise FormatFault(str(path), 0, "no UTF-8", "save it as UTF-8") from None


def _frames(name: str, sql: str, path: str) -> Iterator[FilledTemplate]:
    try:
        found = statement_frames.frames(sql)
    except (SqlglotError, ValueError, RecursionError) as error:
        told = str(error).splitlines()[0] if str(error) else "nested too deep"
        raise FormatFault(path, 0, f"no request in SQL: {told}", "write a SELECT for each interpretation") from None
    for fills in found:
        named = {"REQUEST": (name.upper(),), **fills}
        yield FilledTemplate(name.upper(), named, dict.fromkeys(named, 0), path)
