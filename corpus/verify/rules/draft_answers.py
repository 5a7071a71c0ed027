"""Drafts of answers against the logs: the rows of the wizard's query, kept for annotators.

A draft and the log of its utterance may be read in different processes. Each leaves behind what tells its rows from others, and
only a draft that differs is read again.
"""

import hashlib
import re
import unicodedata

from corpus.annotation.identifying_phrases import MASK
from corpus.annotation.query_answers import rows_of_log
from corpus.formats import cas
from corpus.formats.cas_values import Relation
from corpus.formats.errors import counted
from corpus.formats.log.log_values import RecordBlock
from corpus.formats.safe_lines import text_of
from corpus.verify.rules.context import Context, ExpectedDraft
from corpus.verify.rules.encoding import text
from corpus.verify.rules.file_survey import FileSurvey
from corpus.verify.rules.gathered import CorpusContext
from session.values.sanitize import inert

_COMMENT = re.compile(r"/\* draft; database (\S.*?)(?:; cut off, the database had more rows)? \*/\n")
_VALUES = str.maketrans('()"', "   ")
_NO_TABLE = "no table"  # which no draft can be
_NONE = ExpectedDraft("no database", 0, b"none", b"none")


def expected(block: RecordBlock) -> ExpectedDraft:
    """Return the draft answer of an utterance by its log: it comes from the last answer that nobody called wrong, whatever
    message came after it."""
    wrong = {record.get("Reply") for record in block.all("Reply_marked_wrong")}
    right = [record.get("Attempt") for record in block.all("Answer_returned") if record.get("Reply") not in wrong]
    attempt = next(filter(None, reversed(right)), "")
    for record in block.all("Query_returned") if attempt else ():
        if record.get("Attempt") == attempt:
            version, table = inert(record.get("Database_version")).replace("*/", "* /"), record.get("Table")
            if MASK in table:  # one may reach from one value into the next: the name stood in two columns
                return ExpectedDraft(version, 0, b"", b"")
            rows = _rows(table)
            return ExpectedDraft(version, table.count("\n"), _digest(rows), _of_values(rows))
    return _NONE


def _rows(table: str) -> str:
    try:
        return rows_of_log(table)
    except (ValueError, TypeError, RecursionError):
        return _NO_TABLE


def _digest(rows: str) -> bytes:
    return hashlib.sha256(rows.encode()).digest()


def _of_values(rows: str) -> bytes:
    """Of the values alone, composed: who draws up a draft quotes a number in a column that holds strings too."""
    return _digest(" ".join(unicodedata.normalize("NFC", rows).translate(_VALUES).split()))


def check(context: Context, path: str) -> None:
    """One draft, as far as it tells of itself."""
    found = text(context, path)
    if found is None:
        return
    comment = _COMMENT.match(found)
    if comment is None:
        context.findings.add("draft.version", path, "no version of the database", 1)
    if MASK not in found:
        version, rows = (comment[1], found[comment.end() :]) if comment else ("", found)
        context.seen.drafts[path] = version, _digest(rows.removesuffix("\n"))


def compare(context: CorpusContext, survey: FileSurvey) -> None:
    """Return all drafts, each looked into with others of its kind, against what the logs have left behind."""
    for path in survey.drafts:
        if not context.gathered.has_utterance(path.rpartition("/")[2].partition(".")[0]):
            context.findings.add("draft.alone", path, "no such utterance")
    for path, (version, digest), right in context.gathered.drafts():
        if right is None or (version, digest) != (right.version, right.digest):
            with context.guarding(path):
                _differing(context, path, version, right)


def _differing(context: Context, path: str, version: str, right: ExpectedDraft | None) -> None:
    data = context.take(path)
    if data is None:
        return
    found = text_of(data, path)
    try:
        rows = cas.parse(found).single
    except cas.CasError as error:
        context.findings.add("draft.form", path, error.message, error.line)
        return
    if right is None or not version:
        return
    count = len(rows.rows) if right.digest and isinstance(rows, Relation) else 0
    if (version, count) != (right.version, right.rows):
        difference = f"{counted(count, 'row')} of {version}, by the log {counted(right.rows, 'row')} of {right.version}"
        context.findings.add("draft.derived", path, difference)
    elif right.digest and _of_values(_COMMENT.sub("", found, count=1)) != right.values:
        context.findings.add("draft.derived", path, "other values than the query gave by the log")
