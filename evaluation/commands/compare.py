"""`curtain compare`: one answer against one reference."""

import json
from typing import TextIO

import msgspec

from corpus.formats.cas import Answer, CasError
from evaluation.comparator.answer_input import STATUS, FileFault, _is_file, check_maximum, explanations, read_answer
from evaluation.comparator.comparison import Comparison, InputFault, Verdict, check_reference, compare
from evaluation.comparator.explain import Explanation
from evaluation.comparator.options import ComparisonOptions, Options
from evaluation.references.lint import warn_of_rounding
from session.values.sanitize import inert


class CompareOptions(ComparisonOptions, frozen=True, kw_only=True):
    """The options of `curtain compare`; `reference`, `answer` and `maximum` are expressions or files."""

    reference: str
    answer: str
    maximum: str | None = None
    as_json: bool = False


def compare_command(given: CompareOptions, out: TextIO, err: TextIO) -> int:
    """Compare two answers, print the verdict and, when it is wrong, why; 0 correct, 1 not, 2 for faulty input."""
    try:
        options = given.comparison()
        reference = read_answer(given.reference, "reference", options, err)
        place = given.reference if _is_file(given.reference) else "reference"
        warn_of_rounding([(place, reference)], options, err)
        answer = read_answer(given.answer, "answer", options, err)
        most = None if given.maximum is None else read_answer(given.maximum, "maximum", options, err)
        found = _compared(reference, answer, most, options, (given.reference, given.answer))
    except (CasError, FileFault, InputFault, ValueError) as error:
        print(
            json.dumps({"verdict": "input error", "error": str(error)}) if given.as_json else f"error: {error}",
            file=out if given.as_json else err,
        )
        return 2
    reasons = explanations(found, reference, answer, most, options)
    if given.as_json:
        print(json.dumps(as_data(found, reasons), ensure_ascii=False, indent=1), file=out)
    else:
        print(found.verdict, file=out)
        if found.verdict is Verdict.UNDECIDED:
            print(f"  undecided within {given.work} steps; raise the limit with --work", file=out)
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


def as_data(found: Comparison, reasons: list[Explanation]) -> dict[str, object]:
    """The comparison for other programs."""
    return {
        "verdict": str(found.verdict),
        "alternatives": msgspec.to_builtins(found.judgements),
        "why": msgspec.to_builtins(reasons),
        "signature": found.signature,
    }
