"""Many answers in one file, or one per file in a corpus: what a test is scored from.

An answer list is text: the utterance's name at the beginning of a line, white space, the answer in CAS, which may run
over lines that begin with white space. Lines that begin with `;` are comments; `;; rules: 1989` says the version. Every
fault is reported with file and line and all of them at once: a scorer that stops at the first mismatch, or worse drops
what does not fit, has given people wrong scores unnoticed.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from corpus.formats import spkrinfo
from corpus.formats.cas import Answer, CasError, parse
from corpus.formats.cat import parse as parse_category
from corpus.formats.errors import FormatFault
from corpus.formats.layout import DRAFTS, SPEAKER_TABLE, parse_name
from corpus.formats.log import file
from corpus.formats.log.log_values import Log
from corpus.formats.log.queries import after_error
from evaluation.comparator.answer_input import FileFault, read_text
from evaluation.comparator.comparison import InputFault, check_reference
from evaluation.comparator.options import Options
from evaluation.references.evaluable_requests import classified, parts
from evaluation.references.frozen_references import edited

_RULES = re.compile(r";;\s*rules:\s*(\S+)")
CLASSES = {"A": "A", "D": "D", "D1": "D", "X": "X", "0": "A", "1": "D", "2": "D", "3": "D"}
"""Classes of 1992 and categories of 1989 (Boisen et al. 1989, section 5), each with the class that it is scored in."""
PLACE = "place"
"""Places where what is known of an utterance was said, beside the columns of an index."""
REFERENCES = (".ref", ".rf2", ".cat")
INDEX = (
    "utterance", "speaker", "session", "site", "class", "scenario", "sex", "tags", "after_failure", "condition", "microphone",
)  # fmt: skip
"""Columns that an index may have; answers are not scored by condition and microphone, words are."""


class Faults(ValueError):
    """Everything that is wrong with the input, a line each."""

    def __init__(self, found: Iterable[str]) -> None:
        self.found = tuple(found)
        super().__init__("\n".join(self.found))


UNREADABLE = Answer(())
"""Stands for an answer that could not be read, so that its utterance is known all the same."""


class PlacedAnswer(msgspec.Struct, frozen=True):
    """An answer and where it stands."""

    answer: Answer
    place: str


class ScoredRequest(msgspec.Struct, frozen=True):
    """A request to score: who asked it where, its class (a key of CLASSES) and its reference answers.

    `tags`, `scenario` and `sex` are empty if they are not known; `after_failure` is `yes` or `no`, or empty: whether the
    system that collected the request had failed on the one before, which leaves repeats and corrections in the data.
    """

    name: str
    speaker: str
    session: str
    site: str
    category: str
    reference: Answer | None
    maximum: Answer | None = None
    tags: tuple[str, ...] = ()
    scenario: str = ""
    sex: str = ""
    after_failure: str = ""


_REMEDY = (
    "an answer list has lines such as `e0001ssx ((1) (2))`, a corpus its .ref files, which `curtain answers` makes"
)


def read_list(path: Path, options: Options, faults: list[str]) -> dict[str, PlacedAnswer]:
    """The answers of a list by utterance; what is wrong is added to `faults`."""
    try:
        text = read_text(path)
    except FileFault as error:
        faults.append(str(error))
        return {}
    return list_of(text, path, options, faults)


def list_of(content: str, path: Path, options: Options, faults: list[str]) -> dict[str, PlacedAnswer]:
    """The answers of a list by utterance, of which the content is at hand; `path` is named in what is wrong."""
    found: dict[str, PlacedAnswer] = {}
    for number, name, text in _entries(content.split("\n"), path, options, faults):
        place = f"{path}:{number}"
        if name in found:
            faults.append(f"{place}: {name} has an answer already, at {found[name].place}; keep one of the two")
            continue
        found[name] = PlacedAnswer(_parsed(text, path, number, options, faults), place)
    return found


def _entries(lines: list[str], path: Path, options: Options, faults: list[str]) -> list[tuple[int, str, str]]:
    entries: list[tuple[int, str, str]] = []
    for number, line in enumerate(lines, start=1):
        if line.startswith(";"):
            said = _RULES.match(line)
            if said and said.group(1) != options.rules:
                faults.append(
                    f"{path}:{number}: these answers keep the rules of {said.group(1)}, the test those of "
                    f"{options.rules}; choose one version for all"
                )
        elif line[:1].isspace() or not line:
            if entries:
                begin, name, text = entries[-1]
                entries[-1] = (begin, name, f"{text}\n{line}")
            elif line.strip():
                faults.append(f"{path}:{number}: an answer without an utterance; begin the line with its name")
        else:
            name = line.split(None, 1)[0]
            entries.append((number, name, " " * len(name) + line[len(name) :]))
    return entries


def _parsed(text: str, path: Path, number: int, options: Options, faults: list[str]) -> Answer:
    """Parse an entry; places within it are counted on from its first line."""
    try:
        return parse(text, options.rules, lenient=options.lenient)
    except CasError as error:
        faults.append(f"{path}:{number + error.line - 1}:{error.column}: {error.message}")
        return UNREADABLE


def read_index(path: Path, faults: list[str]) -> dict[str, dict[str, str]]:
    """A table of utterances: a header line with names of columns, then a line each; tabs or blanks between."""
    try:
        rows = [line.split("\t") if "\t" in line else line.split() for line in read_text(path).splitlines()]
    except FileFault as error:
        faults.append(str(error))
        return {}
    header = rows[0] if rows else []
    if "utterance" not in header or set(header) - set(INDEX):
        faults.append(f"{path}:1: the header names {' '.join(header) or 'nothing'}; it may name {' '.join(INDEX)}")
        return {}
    found: dict[str, dict[str, str]] = {}
    for number, row in enumerate(rows[1:], start=2):
        if not row or row[0].startswith(";"):
            continue
        entry = dict(zip(header, row, strict=False))
        name = entry.get("utterance", "")
        if len(row) != len(header):
            faults.append(f"{path}:{number}: {len(row)} values under {len(header)} columns")
        elif name in found:
            faults.append(f"{path}:{number}: {name} occurs twice")
        else:
            found[name] = {**entry, PLACE: f"{path}:{number}"}
    return found


def read_items(
    references: Path,
    maximum: Path | None,
    index: Path | None,
    options: Options,
    faults: list[str],
    *,
    minimal: bool = False,
) -> list[ScoredRequest]:
    """Return all requests of a test, from a corpus directory or from answer lists; what is wrong is added to `faults`.

    `minimal` leaves the maxima of a corpus out.
    """
    if minimal and maximum:
        faults.append("a list of maxima and the minimum only: choose one of the two")
    if references.is_dir():
        least, most, known = _read_corpus(references, options, faults)
    else:
        least = read_list(references, options, faults)
        most, known = (read_list(maximum, options, faults) if maximum else {}), {}
    if index is not None:
        known = {**known, **read_index(index, faults)}
    if minimal:
        most = {}
    items = [_item(name, known.get(name, {}), least, most) for name in sorted({*least, *known})]
    faults += [
        f"{listed.place}: a maximum for {name}, which has no reference"
        for name, listed in most.items()
        if name not in least
    ]
    for item in items:
        place = known.get(item.name, {}).get(PLACE) or least[item.name].place
        faults += _item_faults(item, place, least, bool(most), options)
    if not items:
        faults.append(f"{references}: no reference answer here; {_REMEDY}")
    return items


def answer_faults(items: Iterable[ScoredRequest], answers: Mapping[str, PlacedAnswer]) -> list[str]:
    """List what keeps a system's answers from being scored, beyond what cannot be read: utterances and alternatives."""
    known = {item.name for item in items}
    found = []
    for name, listed in answers.items():
        if name not in known:
            found.append(f"{listed.place}: {name} is not an utterance of this test")
        elif len(listed.answer.alternatives) > 1:
            count = len(listed.answer.alternatives)
            found.append(f"{listed.place}: {name}: an answer must not have alternatives; this one has {count}")
    return found


def _item(
    name: str, known: dict[str, str], least: dict[str, PlacedAnswer], most: dict[str, PlacedAnswer]
) -> ScoredRequest:
    reference, maximum = least.get(name), most.get(name)
    speaker = known.get("speaker", name[:3])
    return ScoredRequest(
        name,
        speaker,
        known.get("session", speaker),
        known.get("site", "-"),
        known.get("class", "A"),
        reference.answer if reference else None,
        maximum.answer if maximum else None,
        tuple(tag for tag in known.get("tags", "").split(",") if tag not in ("", "-")),
        _known(known, "scenario"),
        _known(known, "sex"),
        _known(known, "after_failure"),
    )


def _known(known: Mapping[str, str], column: str) -> str:
    """Return what is said under a column; a dash, which keeps columns apart, says nothing."""
    return "" if known.get(column) == "-" else known.get(column, "")


def _item_faults(
    item: ScoredRequest, place: str, least: dict[str, PlacedAnswer], maxima: bool, options: Options
) -> list[str]:
    if item.category not in CLASSES:
        return [
            f"{place}: {item.name}: class {item.category!r}; it is A, D, D1 or X, or a category of 1989: 0, 1, 2, 3 or X"
        ]
    if item.category == "X" and item.reference is not None:
        return [
            f"{least[item.name].place}: {item.name} is of class X and has a reference answer; remove one of the two"
        ]
    if item.category != "X" and item.reference is None:
        return [f"{place}: {item.name}: class {item.category} and no reference answer; add it, or class it X"]
    if maxima and item.reference is not None and item.maximum is None:
        return [f"{least[item.name].place}: {item.name} has no maximum while others have one"]
    if item.after_failure not in ("", "yes", "no"):
        return [f"{place}: {item.name}: after_failure {item.after_failure!r}; it is yes, no or -"]
    if item.reference is not None and UNREADABLE not in (item.reference, item.maximum):
        try:
            check_reference(item.reference, item.maximum, options)
        except InputFault as error:
            return [f"{least[item.name].place}: {item.name}: {error}"]
    return []


def read_logs(root: Path, faults: list[str]) -> list[tuple[Path, Log]]:
    """Return all logs of a corpus with their places; what is wrong is added to `faults`."""
    found: list[tuple[Path, Log]] = []
    logs = (path for path in root.rglob("*.log") if not path.match(SPEAKER_TABLE))
    for path in sorted(logs):
        try:
            parse_name(path.name)
            found.append((path, file.parse(read_text(path), str(path))))
        except (FormatFault, FileFault, ValueError) as error:
            faults.append(str(error))
    return found


def _read_corpus(
    root: Path, options: Options, faults: list[str]
) -> tuple[dict[str, PlacedAnswer], dict[str, PlacedAnswer], dict[str, dict[str, str]]]:
    least: dict[str, PlacedAnswer] = {}
    most: dict[str, PlacedAnswer] = {}
    known: dict[str, dict[str, str]] = {}
    logs = {parse_name(path.name).scenario: log for path, log in read_logs(root, faults)}
    failures = {scenario: set(after_error(log)) for scenario, log in logs.items()}
    sexes = _sexes(root, faults)
    seen: dict[str, Path] = {}
    folders: dict[Path, Mapping[str, str]] = {}
    paths = [path for path in sorted(root.rglob("*")) if path.suffix in REFERENCES and not path.parent.match(DRAFTS)]
    try:
        faults += edited(paths)
    except (FormatFault, OSError) as error:
        faults.append(str(error))
    for path in paths:
        first = seen.setdefault(path.name, path)
        if first is not path:
            faults.append(f"{path}: {path.name} stands at {first} already; keep one of the two")
            continue
        try:
            name = parse_name(path.name)
            if path.suffix == ".cat":
                category = parse_category(read_text(path), str(path))
                speaker, log = name.stem.speaker, logs.get(name.scenario)
                known[path.stem] = {
                    "class": _class(path, category.evaluation, folders),
                    "tags": ",".join(dict.fromkeys(tag for part in parts(category) for tag in part.tags)),
                    "speaker": speaker,
                    "sex": sexes.get(speaker, ""),
                    "session": f"{speaker}-{name.stem.scenario}",
                    PLACE: str(path),
                }
                if log is not None:
                    failed = name.stem.utterance in failures[name.scenario]
                    known[path.stem]["site"] = log.get("Site")
                    known[path.stem]["scenario"] = log.get("Scenario")
                    known[path.stem]["after_failure"] = "yes" if failed else "no"
            else:
                answer = parse(read_text(path), options.rules, lenient=options.lenient, source=str(path))
                (least if path.suffix == ".ref" else most)[path.stem] = PlacedAnswer(answer, str(path))
        except (FormatFault, CasError, FileFault) as error:
            faults.append(str(error))
        except ValueError as error:
            faults.append(f"{path}: {error}")
    return least, most, known


def _sexes(root: Path, faults: list[str]) -> dict[str, str]:
    """The sex of each speaker whose corpus says it."""
    found: dict[str, str] = {}
    for path in sorted(root.rglob(SPEAKER_TABLE)):
        try:
            found |= {info.speaker: info.sex for info in spkrinfo.parse(read_text(path), str(path)).speakers}
        except (FormatFault, FileFault) as error:
            faults.append(str(error))
    return found


def _class(path: Path, category: str, folders: dict[Path, Mapping[str, str]]) -> str:
    """The class that a `.cat` gives, or X where it depends on what is X; `folders` keeps what is known of a folder."""
    if path.parent not in folders:
        folders[path.parent] = {}  # a fault of another file of the folder is told once, not with every request
        folders[path.parent] = classified(path.parent)[1]
    return "X" if path.stem in folders[path.parent] else category
