"""`curtain compare` and `curtain cas`: one answer against one reference, and foreign results as answers.

Both take expressions or files, because a doubt about one answer is settled at the shell, and say exactly what is wrong
with their input: file, line and column.
"""

import os
import re
from pathlib import Path
from typing import TextIO

from corpus.formats.cas import Answer, Relation, parse
from evaluation.comparator.comparison import Comparison, InputFault, Verdict, compare
from evaluation.comparator.explain import Explanation, explain
from evaluation.comparator.options import Options
from session.values.sanitize import inert

STATUS = {Verdict.CORRECT: 0, Verdict.INCORRECT: 1, Verdict.NO_ANSWER: 1, Verdict.UNDECIDED: 2}


_NAME = re.compile(r"\S*/\S+|\S*[^\s.]\.[A-Za-z]\w*")
"""Text that looks more like the name of a file than like a string: a slash or an ending."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class FileFault(ValueError):
    """A file that cannot be read as text."""


class ReferenceFault(InputFault):
    """References that no answer could meet: the fault is theirs and not the answer's."""


def read_text(path: Path) -> str:
    """A file's text; raises FileFault naming line and byte for anything but UTF-8."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileFault(f"{path}: cannot be read: {error.strerror}") from error
    if data.startswith(BYTE_ORDER_MARK):
        raise FileFault(f"{path}:1: begins with a byte order mark; save the file as UTF-8 without one")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileFault(f"{path}:{line}: byte {data[error.start]:#04x} is not UTF-8; save the file as UTF-8") from error


def read_answer(given: str, name: str, options: Options, err: TextIO) -> Answer:
    """An answer from an expression, or from a file when `given` names one; warnings go to `err`."""
    text, source = given, name
    if any("\ud800" <= letter <= "\udfff" for letter in given):
        raise FileFault(f"{name}: {inert(given)} is not UTF-8")
    if _is_file(given):
        text, source = read_text(Path(given)), given
        if Path(given).suffix.lower() in (".csv", ".json"):
            raise FileFault(f"{given}: not an answer yet; `curtain cas {given}` makes it one")
    elif _may_be_path(given) and Path(given).suffix in (".ref", ".rf2", ".cas", ".hyp"):
        raise FileFault(f"{given}: there is no such file")
    elif given.strip() and _may_be_path(given) and (_NAME.fullmatch(given) or Path(given).is_dir()):
        print(f"warning: {name}: {inert(given)} is read as a string; there is no file of that name", file=err)
    return parse(
        text,
        options.rules,
        lenient=options.lenient,
        source=source,
        warn=lambda warning: print(f"warning: {warning}", file=err),
    )


def _may_be_path(given: str) -> bool:
    """Return whether an argument can be the name of a file: none has 256 characters, and answers have parentheses or quotes."""
    return not any(mark in given for mark in '()"\n\0') and (
        len(given) < 4096 and all(len(os.fsencode(part)) < 256 for part in given.split("/"))
    )


def _is_file(given: str) -> bool:
    return _may_be_path(given) and Path(given).is_file()


def check_maximum(found: Comparison, reference: Answer, most: Answer | None, options: Options) -> None:
    """Raise ReferenceFault if an answer has the minimum and failed at a maximum that does not hold its own minimum."""
    for judgement in found.judgements:
        if most is None or judgement.mapping is None or judgement.verdict is not Verdict.INCORRECT:
            continue
        least, bound = (Answer((side.alternatives[judgement.number - 1],)) for side in (reference, most))
        if compare(least, least, bound, options).verdict is Verdict.INCORRECT:
            which = f" of alternative {judgement.number}" if len(reference.alternatives) > 1 else ""
            raise ReferenceFault(f"the maximum{which} does not hold its own minimum; no answer could be right")


def explanations(
    found: Comparison, reference: Answer, answer: Answer, most: Answer | None, options: Options
) -> list[Explanation]:
    """Return why a wrong answer is wrong, alternative by alternative; nothing for any other verdict."""
    given = answer.single
    if found.verdict is not Verdict.INCORRECT or not isinstance(given, Relation):
        return []
    reasons = []
    for judgement in found.judgements:
        if judgement.verdict is not Verdict.INCORRECT:
            continue
        least = reference.alternatives[judgement.number - 1]
        bound = most.alternatives[judgement.number - 1] if most is not None else None
        if isinstance(least, Relation) and not isinstance(bound, type(None) | Relation):
            raise InputFault("the maximum is NO_ANSWER")
        if isinstance(least, Relation):
            reasons.append(explain(judgement, least, given, bound if isinstance(bound, Relation) else None, options))
    return reasons
