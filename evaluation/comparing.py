"""`curtain compare` and `curtain cas`: one answer against one reference, and foreign results as answers.

Both take expressions or files, because a doubt about one answer is settled at the shell, and say exactly what is wrong
with their input: file, line and column.
"""

import json
import os
import re
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.cas import Answer, CasError, Relation, Rules, parse
from evaluation.comparator import Comparison, InputFault, Verdict, check_reference, compare
from evaluation.explaining import Explanation, explain
from evaluation.options import WORK, Options, options_for
from session.inert import inert

STATUS = {Verdict.CORRECT: 0, Verdict.INCORRECT: 1, Verdict.NO_ANSWER: 1, Verdict.UNDECIDED: 2}


_NAME = re.compile(r"\S*/\S+|\S*[^\s.]\.[A-Za-z]\w*")
"""What looks more like the name of a file than like a string: a slash or an ending."""
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
    """Whether an argument can be the name of a file: none has 256 characters, and answers have parentheses or quotes."""
    return not any(mark in given for mark in '()"\n\0') and (
        len(given) < 4096 and all(len(os.fsencode(part)) < 256 for part in given.split("/"))
    )


def _is_file(given: str) -> bool:
    return _may_be_path(given) and Path(given).is_file()


def compare_command(
    ref: str,
    hyp: str,
    *,
    maximum: str | None = None,
    rules: str = "1992",
    tolerance: str = "0.0001",
    integers: str = "exact",
    alternatives: str = "any",
    lenient: bool = False,
    work: int = WORK,
    as_json: bool = False,
    out: TextIO,
    err: TextIO,
) -> int:
    """Compare two answers, print the verdict and, when it is wrong, why; 0 correct, 1 not, 2 for faulty input."""
    try:
        given = {"tolerance": tolerance, "integers": integers, "alternatives": alternatives}
        options = options_for(Rules(rules), **given, lenient=lenient, work=work)
        reference = read_answer(ref, "reference", options, err)
        answer = read_answer(hyp, "answer", options, err)
        most = None if maximum is None else read_answer(maximum, "maximum", options, err)
        found = _compared(reference, answer, most, options, (ref, hyp))
    except (CasError, FileFault, InputFault, ValueError) as error:
        print(
            json.dumps({"verdict": "input error", "error": str(error)}) if as_json else f"error: {error}",
            file=out if as_json else err,
        )
        return 2
    reasons = explanations(found, reference, answer, most, options)
    if as_json:
        print(json.dumps(as_data(found, reasons), ensure_ascii=False, indent=1), file=out)
    else:
        print(found.verdict, file=out)
        if found.verdict is Verdict.UNDECIDED:
            print(f"  undecided within {work} steps; raise the limit with --work", file=out)
        for number, reason in enumerate(reasons, start=1):
            which = f"alternative {number}: " if len(reasons) > 1 else ""
            print(f"  {which}{inert(reason.text())}", file=out)
        if any(not judgement.agreeing for judgement in found.judgements):
            print("  note: minimum and maximum were met by different readings of the columns", file=out)
        print(f"  {found.signature}", file=out)
    return STATUS[found.verdict]


def _compared(
    reference: Answer, answer: Answer, most: Answer | None, options: Options, given: tuple[str, str]
) -> Comparison:
    """The comparison; what has no verdict is said with the file where it stands, or the part that it is."""
    names = [one if _is_file(one) else "" for one in given]
    try:
        check_reference(reference, most, options)
    except InputFault as error:
        raise InputFault(f"{names[0] or 'reference'}: {error}") from error
    try:
        found = compare(reference, answer, most, options)
    except InputFault as error:
        raise InputFault(f"{names[1] or 'answer'}: {error}") from error
    try:
        check_maximum(found, reference, most, options)
    except InputFault as error:
        raise InputFault(f"{names[0] or 'reference'}: {error}") from error
    return found


def check_maximum(found: Comparison, reference: Answer, most: Answer | None, options: Options) -> None:
    """Raise ReferenceFault where an answer has the minimum and failed at a maximum that does not hold its own minimum."""
    for judgement in found.judgements:
        if most is None or judgement.mapping is None or judgement.verdict is not Verdict.INCORRECT:
            continue
        least, bound = (Answer((each.alternatives[judgement.number - 1],)) for each in (reference, most))
        if compare(least, least, bound, options).verdict is Verdict.INCORRECT:
            which = f" of alternative {judgement.number}" if len(reference.alternatives) > 1 else ""
            raise ReferenceFault(f"the maximum{which} does not hold its own minimum; no answer could be right")


def explanations(
    found: Comparison, reference: Answer, answer: Answer, most: Answer | None, options: Options
) -> list[Explanation]:
    """Why a wrong answer is wrong, alternative by alternative; nothing for any other verdict."""
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


def as_data(found: Comparison, reasons: list[Explanation]) -> dict[str, object]:
    """The comparison for other programs."""
    return {
        "verdict": str(found.verdict),
        "alternatives": msgspec.to_builtins(found.judgements),
        "why": msgspec.to_builtins(reasons),
        "signature": found.signature,
    }
