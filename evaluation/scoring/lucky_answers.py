"""`curtain luck`: which answers are right by luck, from the SQL of the reference and of the system.

Both statements are run on the database and on perturbed copies of it (`evaluation.scoring.perturb_database`): an answer that
is right on the database and wrong on a copy was right by luck. What is kept can be scored like any test (`curtain score
--variants`).
"""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.formats import sql
from corpus.formats.cas import Answer, CasError, NoAnswer, Relation, answer_of, canonical, render
from corpus.formats.errors import FormatFault
from corpus.io.progress import followed
from domain.sandbox.sandbox import Limits, Sandbox
from evaluation.comparator.answer_input import FileFault, explanations, read_text
from evaluation.comparator.comparison import InputFault, Verdict, compare
from evaluation.comparator.options import Options
from evaluation.references.frozen_references import edited
from evaluation.references.lint import rounds, warn_of_rounding
from evaluation.scoring.perturb_database import Unfit, perturb
from session.values.answers import QueryFailure
from session.values.sanitize import inert

ROWS = 200_000
SINGLE = "request"
DATABASE = "database.sqlite"


class PerturbedVerdicts(msgspec.Struct, frozen=True):
    """One request: the verdict on the database, on each perturbed copy, and why the first wrong one is wrong.

    `telling` counts the copies on which the reference has anything: an empty answer is right there whatever was asked.
    `bounded` says whether a maximum was looked at.
    """

    name: str
    verdict: Verdict
    variants: tuple[Verdict, ...]
    why: str = ""
    telling: int = 0
    bounded: bool = False

    @property
    def untested(self) -> bool:
        """Right wherever it was asked, but no copy shows anything: the reference is empty on each."""
        return self.verdict is Verdict.CORRECT and not self.lucky and self.telling == 0

    @property
    def lucky(self) -> bool:
        """Right on the database, and wrong on a copy of it."""
        return self.verdict is Verdict.CORRECT and any(one is not Verdict.CORRECT for one in self.variants)


class LuckOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `curtain luck`.

    `reference` and `hypothesis` are SQL, a `.sql` file or a folder of them; files of one name belong together, and a
    request without one has no answer. Several statements of a reference are its readings; a `.sq2` beside it has
    their maxima. With `keep`, a new folder
    gets a folder for each copy: the database, `references.cas` and `<name>.cas`. Without SQL the copies are made and kept.
    """

    database: str
    reference: str = ""
    hypothesis: str = ""
    name: str = "system"
    variants: int = 5
    seed: int = 1
    keep: str = ""
    as_json: bool = False


def luck_command(given: LuckOptions, out: TextIO, err: TextIO) -> int:
    """Say which answers are right, wrong and right by luck; 0 all right on all databases, 1 not, 2 for faulty input."""
    try:
        found = _found(given, err)
    except (Unfit, FileFault, FormatFault, QueryFailure, CasError, InputFault, OSError, ValueError) as error:
        print(f"error: {error}", file=err)
        return 2
    if given.as_json:
        print(json.dumps(_as_data(found, given.seed), ensure_ascii=False, indent=1), file=out)
    elif found:
        out.write(inert(_text(found, given.seed), newlines="keep"))
    return 1 if any(one.verdict is not Verdict.CORRECT or one.lucky for one in found) else 0


def _found(given: LuckOptions, err: TextIO) -> list[PerturbedVerdicts]:
    if given.variants < 1:
        raise Unfit(f"{given.variants} copies show nothing; make at least one")
    if not given.keep and not given.reference:
        raise Unfit("nothing to do: name the SQL of reference and system, or a folder to keep the copies in")
    references, hypotheses = _statements(given.reference, "reference"), _statements(given.hypothesis, "system")
    strange = sorted(set(hypotheses) - set(references))
    if strange:
        raise Unfit(f"{given.hypothesis}: SQL for {', '.join(strange)}, for which there is no reference")
    files = _files(given.reference)
    maxima = _maxima(files, references, alone=not Path(given.reference).is_dir() if files else False)
    changed = edited([*files, *(most for file in files if (most := file.with_suffix(".sq2")).exists())])
    if changed:
        raise Unfit("\n".join(changed))
    with _home(given.keep) as home:
        return _over(given, references, maxima, hypotheses, home, err)


def _statements(given: str, what: str) -> dict[str, tuple[str, ...]]:
    if not given:
        return {}
    path = Path(given) if "\n" not in given and len(given) < 1000 else None
    if path is not None and path.is_dir():
        files = sorted(path.glob("*.sql"))
        if not files:
            raise Unfit(f"{given}: no .sql files here")
        return {file.stem: sql.parse(read_text(file), str(file)).statements for file in files}
    if path is not None and (path.is_file() or path.suffix == ".sql"):
        return {SINGLE: sql.parse(read_text(path), given).statements}
    return {SINGLE: sql.parse(given, what).statements}


def _files(given: str) -> list[Path]:
    """The files that a reference is read from; none if it is SQL itself."""
    if not given or "\n" in given or len(given) >= 1000:
        return []
    path = Path(given)
    return sorted(path.glob("*.sql")) if path.is_dir() else [path] if path.is_file() else []


def _maxima(
    files: Sequence[Path], references: Mapping[str, Sequence[str]], *, alone: bool
) -> dict[str, tuple[str, ...]]:
    """The maximal statement of every reading, for the requests that have a `.sq2` beside; readings may share one."""
    found = {}
    for file in files:
        path = file.with_suffix(".sq2")
        if not path.exists():
            continue
        name = SINGLE if alone else file.stem
        statements, readings = sql.parse_blocks(read_text(path), str(path)).statements, len(references[name])
        if len(statements) not in (1, readings):
            raise Unfit(
                f"{path}: {len(statements)} maxima for {readings} readings; make it again with `curtain answers`"
            )
        found[name] = statements if len(statements) == readings else statements * readings
    return found


@contextmanager
def _home(keep: str) -> Iterator[Path]:
    """Return where the copies are made: a new folder that is kept when all has gone well, or else one that goes."""
    if not keep:
        with tempfile.TemporaryDirectory() as scratch:
            yield Path(scratch)
        return
    folder = Path(keep)
    folder.mkdir(parents=True)
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder)
        raise


def _over(
    given: LuckOptions,
    references: Mapping[str, tuple[str, ...]],
    maxima: Mapping[str, tuple[str, ...]],
    hypotheses: Mapping[str, tuple[str, ...]],
    home: Path,
    err: TextIO,
) -> list[PerturbedVerdicts]:
    """Make the copies, answer on all of them, and compare."""
    database = Path(given.database)
    places = [home / str(number) for number in range(1, given.variants + 1)]
    for number, place in enumerate(followed(places, err, "copies", given.variants)):
        place.mkdir()
        perturb(database, place / DATABASE, given.seed + number)
    if not references:
        return []
    files = (database, *(place / DATABASE for place in places))
    rounding = [name for name, statements in references.items() if any(rounds(one, "sqlite") for one in statements)]
    answered = [
        _answers(file, references, maxima, hypotheses) for file in followed(files, err, "databases", len(files))
    ]
    warn_of_rounding([(name, answered[0][0][name]) for name in rounding], Options(), err)
    for place, (least, most, hypothesis) in zip(places, answered[1:], strict=True):
        _list(place / "references.cas", least)
        if most:
            _list(place / "maxima.cas", most)
        _list(place / f"{given.name}.cas", hypothesis)
    return [
        _compared(request, [(least[request], most.get(request), said[request]) for least, most, said in answered])
        for request in references
    ]


Answers = dict[str, Answer]


def _answers(
    file: Path,
    references: Mapping[str, Sequence[str]],
    maxima: Mapping[str, Sequence[str]],
    hypotheses: Mapping[str, Sequence[str]],
) -> tuple[Answers, Answers, Answers]:
    """Minimal and maximal answers and the system's on one database.

    A maximum that does not hold its own minimum there is left out: a copy can have ties that a LIMIT picks among.
    """
    sandbox = Sandbox(f"sqlite:///{file}", Limits(rows=ROWS, bytes=400_000_000, seconds=60.0))
    try:
        least, most = (
            {name: Answer(tuple(_relation(sandbox, name, one) for one in all_)) for name, all_ in asked.items()}
            for asked in (references, maxima)
        )
        given = {name: _given(sandbox, name, hypotheses.get(name, ())) for name in references}
    finally:
        sandbox.close()
    held = {name: one for name, one in most.items() if all(_holds(*pair) for pair in _pairs(least[name], one))}
    return least, held, given


def _pairs(least: Answer, most: Answer) -> list[tuple[Answer, Answer]]:
    pairs = zip(least.alternatives, most.alternatives, strict=True)
    return [(Answer((first,)), Answer((second,))) for first, second in pairs]


def _holds(least: Answer, most: Answer) -> bool:
    return compare(least, least, most, Options()).verdict is not Verdict.INCORRECT


def _relation(sandbox: Sandbox, name: str, statement: str) -> Relation:
    try:
        table = sandbox.run(statement)
    except QueryFailure as error:
        raise Unfit(f"{name}: {error.kind}: {error.message} ({statement})") from error
    if table.more:
        raise Unfit(f"{name}: more than {len(table.rows)} rows ({statement})")
    found = canonical(answer_of(table)).single
    if not isinstance(found, Relation):
        raise Unfit(f"{name}: the statement gave no relation ({statement})")
    return found


def _given(sandbox: Sandbox, name: str, statements: Sequence[str]) -> Answer:
    """Return the result of the system's statement; NO_ANSWER where it has none or the database refuses it."""
    if len(statements) > 1:
        raise Unfit(f"{name}: {len(statements)} statements of the system; an answer has no alternatives")
    try:
        return Answer((_relation(sandbox, name, statements[0]),)) if statements else Answer((NoAnswer(),))
    except Unfit:
        return Answer((NoAnswer(),))


def _list(path: Path, answers: Answers) -> None:
    lines = [f"{name}  " + render(answer).replace("\n", "\n  ") for name, answer in answers.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _compared(name: str, asked: Sequence[tuple[Answer, Answer | None, Answer]]) -> PerturbedVerdicts:
    options = Options()
    found = [compare(least, given, most, options) for least, most, given in asked]
    wrong = next((place for place, one in enumerate(found) if one.verdict is not Verdict.CORRECT), None)
    why = ""
    if wrong is not None:
        least, most, given = asked[wrong]
        why = "; ".join(reason.text() for reason in explanations(found[wrong], least, given, most, options))
    telling = sum(
        any(isinstance(one, Relation) and one.rows for one in least.alternatives) for least, _, _ in asked[1:]
    )
    bounded = any(most is not None for _, most, _ in asked)
    return PerturbedVerdicts(name, found[0].verdict, tuple(one.verdict for one in found[1:]), why, telling, bounded)


def _text(found: Sequence[PerturbedVerdicts], seed: int) -> str:
    lines = []
    for one in found:
        said = str(one.verdict)
        if one.lucky:
            wrong = [
                str(place) for place, verdict in enumerate(one.variants, start=1) if verdict is not Verdict.CORRECT
            ]
            said = f"right by luck: wrong on {len(wrong)} of {len(one.variants)} perturbed copies ({', '.join(wrong)})"
        elif one.untested:
            said = "correct, but the reference is empty on every perturbed copy: they show nothing"
        elif one.verdict is Verdict.CORRECT and one.telling < len(one.variants):
            said = f"correct; the reference is not empty on {one.telling} of {len(one.variants)} perturbed copies"
        lines.append(f"{one.name}: {said}")
        lines += [f"  {one.why}"] if one.why else []
    right = sum(one.verdict is Verdict.CORRECT for one in found)
    lucky = sum(one.lucky for one in found)
    untested = sum(one.untested for one in found)
    empty = f", {untested} cannot be distinguished from luck (empty on every copy)" if untested else ""
    lines.append(f"{right} of {len(found)} right on the database, {lucky} of them by luck{empty}")
    lines.append(
        f"{Options().signature(maximum=any(one.bounded for one in found))}|variants:{len(found[0].variants)}|seed:{seed}"
    )
    return "\n".join(lines) + "\n"


def _as_data(found: Sequence[PerturbedVerdicts], seed: int) -> dict[str, object]:
    return {
        "requests": [
            {**msgspec.to_builtins(one), "right_by_luck": one.lucky, "untested": one.untested} for one in found
        ],
        "signature": f"{Options().signature(maximum=any(one.bounded for one in found))}|seed:{seed}",
    }
