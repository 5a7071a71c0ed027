"""Categories and reference answers of an utterance, and whether they allow one another."""

import re
from collections.abc import Callable
from fractions import Fraction

from corpus.formats import cas, cat, sql, win
from corpus.formats.cas_values import Alternative, Answer, Relation, rounded
from corpus.formats.cat import Category
from corpus.formats.errors import FormatFault, counted
from corpus.formats.layout import ANSWER_TYPES
from corpus.verify.rules.context import Utterance
from corpus.verify.rules.encoding import parsed, text
from corpus.verify.rules.findings import Findings

READINGS = 6  # interpretations; with more an utterance is hopelessly vague (LDC93S5 pofi 2.1)
_READINGS: dict[str, Callable[[str, str], int]] = {
    "win": lambda found, path: len(win.parse(found, path).sentences),
    "sql": lambda found, path: _count(sql.parse(found, path).statements, path),
    "sq2": lambda found, path: _count(sql.parse_blocks(found, path).statements, path),
}
_QUERY = re.compile(r"\(*\s*(?:select|with|values)\b", re.IGNORECASE)
_ROUNDING = re.compile(r"\bround\s*\(|\bas\s+(?:decimal|numeric)\s*\(|::\s*(?:decimal|numeric)\s*\(", re.IGNORECASE)
_TOLERANCE = Fraction("0.0001")  # of the comparator (Boisen et al. 1989, S-9)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_WRITES = re.compile(
    r"\b(?:insert|replace|merge)\s+(?:or\s+\w+\s+)?into\b|\bdelete\s+from\b|\bupdate\s+[\w.]+\s+set\b", re.I
)
_OF_X = frozenset({"hopelessly-vague", "responding", "trunc-utt"})


def check(utterance: Utterance, truncated: bool, numbers: set[int], classes: dict[int, str]) -> None:
    """Everything that annotators made of an utterance, which is `truncated` by its transcription; `numbers` are those of the
    scenario's utterances.

    `classes` are those of its earlier utterances by number; that of this one is added.
    """
    present = sorted(ANSWER_TYPES & set(utterance.files))
    category = _category(utterance) if "cat" in utterance.files else None
    if category is not None:
        _consistent(utterance, category, truncated, numbers)
        _class(utterance, category, classes)
        _completeness(utterance, category, present)
    elif "cat" not in utterance.files and present:
        utterance.findings.add("answer.uncategorised", utterance.files[present[0]], "no .cat beside it")
    answers = {kind: _answer(utterance, kind, category) for kind in present}
    least, most = answers.get("ref"), answers.get("rf2")
    if least is not None and most is not None and not all(_within(one, most) for one in least.alternatives):
        found = "an answer has fewer columns or rows than the minimal one, or is none"
        utterance.findings.add("answer.minimum", utterance.files["rf2"], found)
    if least is not None and _rounds(utterance) and (coarse := rounded(least, _TOLERANCE)):
        more = f" and {len(coarse) - 3} more" if len(coarse) > 3 else ""
        utterance.findings.add("ref.rounded", utterance.files["ref"], f"looks rounded: {', '.join(coarse[:3])}{more}")


def _rounds(utterance: Utterance) -> bool:
    """Return whether the SQL of an answer rounds; where there is none, anything may have."""
    found = _text(utterance, "sql") if "sql" in utterance.files else None
    return found is None or _ROUNDING.search(_QUOTED.sub("", found)) is not None


def _count(statements: tuple[str, ...], path: str) -> int:
    """Return how many queries these are; raise FormatFault for a statement that writes, as other people will run it."""
    for statement in statements:
        if not _QUERY.match(statement) or _WRITES.search(_QUOTED.sub("", statement)):
            raise FormatFault(path, 0, f"no query: {statement[:40]!r}", "write what only reads: SELECT")
    return len(statements)


def _within(least: Alternative, most: Answer) -> bool:
    """Return whether one of the maximal alternatives can hold this minimal one."""
    return any(_holds(one, least) for one in most.alternatives)


def _holds(most: Alternative, least: Alternative) -> bool:
    if not isinstance(least, Relation) or not isinstance(most, Relation):
        return type(least) is type(most)
    return least.arity <= most.arity and len({*least.rows}) <= len({*most.rows})


def _category(utterance: Utterance) -> Category | None:
    return parsed(utterance.context, utterance.files["cat"], "cat.form", cat.parse)


def _consistent(utterance: Utterance, category: Category, truncated: bool, numbers: set[int]) -> None:
    path = utterance.files["cat"]
    if truncated and category.evaluation != "X":
        utterance.findings.add("cat.truncated", path, f"class {category.evaluation}, but the .sro ends with ~")
    groups = [category.utterance, *(chars for _, chars in category.interpretations)]
    pointers = {pointer for group in groups for pointer in group.context}
    if category.evaluation == "A" and pointers:
        utterance.findings.add("cat.context", path, f"class A depends on {' '.join(sorted(pointers))}")
    if category.evaluation in ("D", "D1") and not pointers:
        utterance.findings.add("cat.context", path, f"class {category.evaluation} without a context pointer")
    before = f"Q{utterance.number - 1}"
    if category.evaluation == "D1" and pointers - {before}:
        found = f"class D1 depends on {' '.join(sorted(pointers - {before}))}, the query before is {before}"
        utterance.findings.add("cat.context", path, found)
    for pointer in sorted(pointers):
        if not (number := _number(pointer)) or number >= utterance.number or number not in numbers:
            utterance.findings.add("cat.context", path, f"{pointer} is not an earlier utterance of the scenario")


def _class(utterance: Utterance, category: Category, classes: dict[int, str]) -> None:
    """Return whether tags and context allow the class; what hangs on an utterance that they make X is judged by that."""
    classes[utterance.number] = category.evaluation
    if category.evaluation == "X":
        return
    for why in _unevaluable(category, classes):
        found = f"class {category.evaluation}, but {why}"
        utterance.findings.add("cat.unevaluable", utterance.files["cat"], found)
        classes[utterance.number] = "X"


def _unevaluable(category: Category, classes: dict[int, str]) -> list[str]:
    """Return why an utterance cannot be evaluated (MADCOW 1992, section 5; MADCOW 1993, section 3); nothing if it can."""
    groups = [category.utterance, *(chars for _, chars in category.interpretations)]
    found = [f"with the tag {tag}" for tag in sorted(_OF_X & {tag for group in groups for tag in group.tags})]
    if (count := len(category.interpretations)) > READINGS:
        found.append(f"with {count} interpretations, which is hopelessly vague")
    pointers = sorted({pointer for group in groups for pointer in group.context})
    if pointers and all(classes.get(_number(pointer)) == "X" for pointer in pointers):
        found.append(f"hangs on {' and '.join(pointers)}, which cannot be evaluated")
    return found


def _number(pointer: str) -> int:
    """The utterance number of a pointer such as Q2 (decimal, as in MADCOW 1992, figure 3), 0 for any other."""
    return int(pointer[1:]) if pointer[0] == "Q" and pointer[1:].isdecimal() else 0


def _completeness(utterance: Utterance, category: Category, present: list[str]) -> None:
    if category.evaluation == "X":
        if present:
            found = "class X with " + " ".join(f".{kind}" for kind in present)
            utterance.findings.add("answer.class-x", utterance.files["cat"], found)
        return
    if missing := sorted(ANSWER_TYPES - set(present)):
        found = "no " + " ".join(f".{kind}" for kind in missing)
        utterance.findings.add("answer.incomplete", utterance.files["cat"], found)
    for answer, query in (("ref", "sql"), ("rf2", "sq2")):
        if answer in present and query not in present:
            utterance.findings.add("answer.query-missing", utterance.files[answer], f"no .{query} that it came from")


def _answer(utterance: Utterance, kind: str, category: Category | None) -> Answer | None:
    """Gives an answer in CAS, where it is one."""
    path = utterance.files[kind]
    if kind in ("ref", "rf2"):
        found = _text(utterance, kind)
        return _cas(utterance.findings, f"{kind}.form", path, found) if found is not None else None
    count = _reading(utterance, kind)
    if count is not None and category is not None and not category.allows(count):
        wanted = max(1, len(category.interpretations))
        what = counted(count, "sentence" if kind == "win" else "statement")
        utterance.findings.add("answer.interpretations", path, f"{what} for {counted(wanted, 'interpretation')}")
    return None


def _reading(utterance: Utterance, kind: str) -> int | None:
    """The number of statements or sentences in an answer's file; None, with a finding, where it is none."""
    if (found := _text(utterance, kind)) is None:
        return None
    try:
        return _READINGS[kind](found, utterance.files[kind])
    except FormatFault as fault:
        utterance.findings.add_fault(f"{kind}.form", fault)
        return None


def _text(utterance: Utterance, kind: str) -> str | None:
    """The text of an answer's file, read and checked when it is first asked for."""
    if kind not in utterance.answers:
        utterance.answers[kind] = text(utterance.context, utterance.files[kind])
    return utterance.answers[kind]


def _cas(findings: Findings, rule: str, path: str, found: str) -> Answer | None:
    """The answer that a file holds; None, with a finding, for none."""
    try:
        return cas.parse(found)
    except cas.CasError as error:
        findings.add(rule, path, error.message, error.line)
    return None
