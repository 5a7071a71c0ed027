"""`curtain answers`: reference answers by program, from the SQL of every reading to `.ref`, `.sq2` and `.rf2`, and where wanted
from the sentences of every `.win` to the SQL.

Nothing in these files is made by hand, so that they can be made again to the byte (MADCOW 1992, figure 3). What
cannot be derived is refused with its reason, request by request, and nothing at all is written unless everything can be.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Protocol, TextIO

import msgspec

from corpus.annotation.submitted_answers import annotations
from corpus.commands.derive import DeriveOptions, derive_command
from corpus.formats import manifest, sql, win
from corpus.formats.cas import Alternative, Answer, CasError, Relation, answer_of, canonical, parse, render
from corpus.formats.cat import Category
from corpus.formats.errors import FormatFault
from corpus.io.progress import followed
from domain.principles import PrinciplesError, PrincipleSet, load
from domain.sandbox.sandbox import Limits, Sandbox
from evaluation.comparator.answer_input import FileFault, read_text
from evaluation.comparator.options import Options
from evaluation.references.evaluable_requests import classified, parts
from evaluation.references.lint import rounds, warn_of_rounding
from evaluation.references.maximal_answer import NotDerivable, derive
from evaluation.references.principles_impact import impact_of
from evaluation.references.request_readings import UnreadableSql, arithmetic, normal
from evaluation.references.sql_from_sentences import NotUnderstood, Reader, day_of
from session.values.answers import QueryFailure, Table

ROWS = 200_000
MADE = ("ref", "sq2", "rf2")


class QueryableDatabase(Protocol):
    """Database as answering needs it: `domain.sandbox.sandbox.Sandbox` is one."""

    @property
    def dialect(self) -> str: ...

    def run(self, sql: str) -> Table: ...


class RefusedRequest(ValueError):
    """A request for which no reference answers can be made, with the reason."""


class ReferenceFiles(msgspec.Struct, frozen=True):
    """The three files of one request, as bytes."""

    ref: bytes
    sq2: bytes
    rf2: bytes


def make(
    statements: Sequence[str],
    principles: PrincipleSet,
    database: QueryableDatabase,
    tables: Mapping[str, Sequence[str]],
    *,
    yes_no: bool,
    interpretations: Sequence[bool] = (),
) -> ReferenceFiles:
    """The reference answers of one request, one alternative a reading; raises Refused.

    A yes/no request has a Boolean alternative too, true when a reading finds anything (principle 2.11), or only
    that where the principles say so. `interpretations` says of each whether it is the one that asks yes or no: it is
    answered by the Boolean alone, and the others by what they find; one statement may serve both (MADCOW 1993, figure 3).
    """
    dialect = _dialect(database)
    split = len(set(interpretations)) == 2
    if split and len(statements) == 1:
        statements = [statements[0]] * len(interpretations)
    asked = list(zip(statements, interpretations, strict=True)) if split else [(one, yes_no) for one in statements]
    readings = _readings(asked, principles, dialect)
    maxima: list[str] = []
    least: list[Alternative] = []
    most: list[Alternative] = []
    for one, boolean in readings:
        found = _relation(database, one)
        if found.rows == ((None,),) and len(statements) == 1:
            raise RefusedRequest(
                "the answer is one missing value, which is excluded: no answer could be right or wrong; class it X"
            )
        # A least cost of no fares at all has no row that could be described.
        widest = _derived(one, principles, tables, dialect, described=found.rows != ((None,),))
        there = _relation(database, widest)
        _hold(found, there)
        if widest not in maxima:
            maxima.append(widest)
        if boolean:
            truth = Relation(((bool(_says(found)),),), scalar=True)
            least.append(truth)
            most.append(truth)
        if not (boolean and (split or principles.yes_no == "boolean")):
            least.append(found)
            most.append(there)
    pairs = list(dict.fromkeys(zip(map(_printed, least), map(_printed, most), strict=True)))
    return ReferenceFiles(
        _joined([first for first, _ in pairs]),
        sql.render_blocks(sql.Statements(tuple(map(sql.canonical, maxima)))),
        _joined([second for _, second in pairs]),
    )


def _dialect(database: QueryableDatabase) -> str:
    return "postgres" if database.dialect == "postgresql" else database.dialect


def _readings(asked: Sequence[tuple[str, bool]], principles: PrincipleSet, dialect: str) -> list[tuple[str, bool]]:
    """The readings that differ in their SQL or in whether they ask yes or no; raises Refused."""
    found: dict[tuple[str, bool], str] = {}
    try:
        for statement, boolean in asked:
            found.setdefault((normal(statement, dialect=dialect), boolean), statement)
        readings = [(statement, boolean) for (_, boolean), statement in found.items()]
        sums = [
            warning
            for statement, _ in readings
            for warning in ([] if principles.arithmetic else arithmetic(statement, dialect=dialect))
        ]
    except UnreadableSql as error:
        raise RefusedRequest(f"the SQL cannot be read: {error}") from error
    if len(readings) < len(asked):
        raise RefusedRequest(
            f"{len(asked)} readings but {len(readings)} different statements; same SQL is not an ambiguity"
        )
    if len(readings) > principles.readings:
        raise RefusedRequest(f"{len(readings)} readings, more than {principles.readings}: hopelessly vague; class it X")
    if sums:
        raise RefusedRequest(f"arithmetic, which the principles do not allow: {sums[0]}; class it X")
    return readings


def _derived(
    statement: str, principles: PrincipleSet, tables: Mapping[str, Sequence[str]], dialect: str, *, described: bool
) -> str:
    try:
        return derive(statement, principles.maximum, tables=tables, dialect=dialect, described=described)
    except NotDerivable as error:
        raise RefusedRequest(f"no maximum: {error}") from error


def _relation(database: QueryableDatabase, statement: str) -> Relation:
    try:
        table = database.run(statement)
        if table.more:
            raise RefusedRequest(f"more than {len(table.rows)} rows; a reference answer holds all of them")
        one = canonical(answer_of(table)).single
    except QueryFailure as error:
        raise RefusedRequest(f"{error.kind}: {error.message} ({statement})") from error
    except CasError as error:
        raise RefusedRequest(str(error)) from error
    if not isinstance(one, Relation):
        raise RefusedRequest("the statement gave no relation")
    return one


def _hold(found: Relation, there: Relation) -> None:
    """Raise Refused unless the maximum shows, in its first columns, the tuples of the minimum and no others."""
    width = found.arity if found.rows else 0
    if {row[:width] for row in there.rows} != (set(found.rows) if width else set()):
        raise RefusedRequest(
            "the rows of the maximum are not those of the minimum: LIMIT picks among ties; order by a key last"
        )


def _says(found: Relation) -> bool:
    """Return whether a result means yes: it has rows, and is not a count of nothing."""
    return bool(found.rows) and not (len(found.rows) == 1 and found.rows[0] == (0,))


def _printed(one: Alternative) -> str:
    return render(Answer((one,)))


def _joined(alternatives: list[str]) -> bytes:
    text = alternatives[0] if len(alternatives) == 1 else "(" + "\n OR ".join(alternatives) + ")"
    return (text + "\n").encode()


class ReferenceRequest(msgspec.Struct, frozen=True):
    """One `.sql` beside its `.cat`, if there is one; `skip` says why it gets no answers.

    `sentences` are those of the `.win` that the `.sql` is to be made of, none if it is as it stands. `interpretations` says
    of each interpretation whether it asks yes or no, `day` the date that the sentences were asked under, if the log has one.
    """

    path: Path
    statements: tuple[str, ...]
    yes_no: bool
    skip: str
    sentences: tuple[str, ...] = ()
    interpretations: tuple[bool, ...] = ()
    day: str = ""


def requests(root: Path, of_sentences: bool = False, day: str = "") -> Iterator[ReferenceRequest]:
    """Everything under `root` that has SQL, or sentences for it, and what is of class X; raises FormatFault or FileFault.

    The logs say on which day sentences were asked, unless `day` does.
    """
    sources = (".sql", ".win") if of_sentences else (".sql",)
    for folder in sorted({path.parent for path in root.rglob("*") if path.suffix in (*sources, ".cat")}):
        categories, gone = classified(folder)
        here = {path.stem for kind in sources for path in folder.glob(f"*{kind}")}
        for stem in sorted(here | set(categories)):
            found = _request(folder / f"{stem}.sql", categories.get(stem), gone.get(stem, ""), of_sentences)
            asked_on = day_of(folder, stem) if found.sentences and not found.skip and not day else day
            yield msgspec.structs.replace(found, day=asked_on)


def _request(path: Path, category: Category | None, gone: str, of_sentences: bool) -> ReferenceRequest:
    source = path.with_suffix(".win")
    sentences: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    if of_sentences and source.exists():
        sentences = win.parse(read_text(source), str(source)).sentences
    elif path.exists():
        source, statements = path, sql.parse(read_text(path), str(path)).statements
    found = sentences or statements
    readings = len(category.interpretations) if category else 0
    if category is not None and readings and found and not category.allows(len(found)) and not gone:
        what = "sentences" if sentences else "statements"
        summary = f"{len(found)} {what}, {readings} interpretations in {path.stem}.cat"
        raise FormatFault(str(source), 0, summary, "write one an interpretation")
    tags = {tag for one in parts(category) for tag in one.tags} if category else set()
    truths = tuple("yes/no" in one.tags for _, one in category.interpretations) if category else ()
    return ReferenceRequest(path, statements, "yes/no" in tags, gone or ("" if found else "no SQL"), sentences, truths)


class AnswersOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `curtain answers`.

    `domain` is the folder with `principles*.toml`, `principles` the name of the set. With `check` nothing is written and what
    is there is compared byte by byte. Files that exist are kept unless `replace`. With `before`, the folder of the domain as
    it was, nothing is made: the principles that have changed since and the requests whose `.cat` cites them are listed. With
    `sentences` the `.sql` of every `.win` is made too, as its sentences are understood on `day` (1991-06-03), or else on the
    date in the log beside it, or else on the domain's own. `out` is the new corpus that a corpus with answers becomes.
    """

    directory: str
    database: str
    domain: str
    principles: str
    check: bool = False
    replace: bool = False
    before: str = ""
    sentences: bool = False
    day: str = ""
    out: str = ""


def answers_command(given: AnswersOptions, today: date, out: TextIO, err: TextIO) -> int:
    """Make `.ref`, `.sq2` and `.rf2` beside every `.sql` of a directory; 0 fine, 1 refused or different, 2 at fault.

    A change of principles while their set is frozen on the day `today` is at fault. Of a corpus a new one is made, with what
    was made and all annotations in its manifest.
    """
    sandbox = None
    try:
        chosen = load(Path(given.domain), given.principles)
        if given.before:
            folders = _folder(given.directory), Path(given.before), Path(given.domain)
            for line in impact_of(*folders, given.principles, today):
                print(line, file=out)
            return 0
        _check_target(_folder(given.directory), given.check, given.out)
        everything = list(requests(_folder(given.directory), given.sentences, given.day))
        reader = Reader(Path(given.domain), given.database, given.principles, given.day) if given.sentences else None
        sandbox = Sandbox(given.database, Limits(rows=ROWS, bytes=400_000_000, seconds=60.0))
        tables = {table.name: [column.name for column in table.columns] for table in sandbox.schema().tables}
        made, refusals = _made(everything, chosen, sandbox, tables, reader, err)
        if given.check:
            return _checked(made, refusals, out, err)
        if refusals:
            return _report(refusals, err)
        _refuse_others(made, given.replace)
        if given.out:
            root = Path(given.directory).absolute()
            inside = {path.absolute().relative_to(root).as_posix(): data for path, data in made.items()}
            options = DeriveOptions(given.directory, given.out)
            return derive_command(options, out, err, annotated=partial(annotations, made=inside))
        _write(made, out)
        return 0
    except (PrinciplesError, FormatFault, FileFault, QueryFailure, ValueError, OSError) as error:
        print(f"error: {error}", file=err)
        return 2
    finally:
        if sandbox is not None:
            sandbox.close()


def _folder(directory: str) -> Path:
    if not Path(directory).is_dir():
        raise FileFault(f"{directory}: there is no such directory")
    return Path(directory)


def _made(
    everything: list[ReferenceRequest],
    chosen: PrincipleSet,
    database: QueryableDatabase,
    tables: Mapping[str, Sequence[str]],
    reader: Reader | None,
    err: TextIO,
) -> tuple[dict[Path, bytes], list[str]]:
    made: dict[Path, bytes] = {}
    refusals: list[str] = []
    notices: list[str] = []
    for request in followed(everything, err, "requests", len(everything)):
        kinds = (*MADE, "sql") if request.sentences else MADE
        present = [path for kind in kinds if (path := request.path.with_suffix(f".{kind}")).exists()]
        if request.skip:
            notices.append(f"{request.path.stem}: gets no answers: {request.skip}\n")
            refusals += [f"{path}: must not exist: {request.skip}" for path in present if request.skip != "no SQL"]
            continue
        try:
            statements = request.statements
            if reader is not None and request.sentences:
                statements = reader.statements(request.sentences, _dialect(database), request.day)
                made[request.path] = sql.render(sql.Statements(statements))
            found = make(
                statements, chosen, database, tables, yes_no=request.yes_no, interpretations=request.interpretations
            )
        except NotUnderstood as error:
            refusals.append(f"{request.path.with_suffix('.win')}: {error}")
            continue
        except RefusedRequest as error:
            refusals.append(f"{request.path}: {error}")
            continue
        made.update({request.path.with_suffix(f".{kind}"): getattr(found, kind) for kind in MADE})
        if any(rounds(one, _dialect(database)) for one in statements):
            least = parse(found.ref.decode())
            warn_of_rounding([(str(request.path), least)], Options(), err)
    err.write("".join(notices))
    return made, refusals


def _report(refusals: Sequence[str], err: TextIO) -> int:
    for refusal in refusals:
        print(refusal, file=err)
    print("nothing was written", file=err)
    return 1


def _checked(made: Mapping[Path, bytes], refusals: Sequence[str], out: TextIO, err: TextIO) -> int:
    for refusal in refusals:
        print(refusal, file=err)
    different = [path for path, data in made.items() if not path.exists() or path.read_bytes() != data]
    for path in different:
        print(f"{path}: differs from what {'the .win' if path.suffix == '.sql' else 'the SQL'} gives", file=out)
    return 1 if different or refusals else 0


def _refuse_others(made: Mapping[Path, bytes], replace: bool) -> None:
    """Raise FileFault for a file that is there and is another than what was made."""
    kept = [path for path, data in made.items() if path.exists() and path.read_bytes() != data and not replace]
    if kept:
        raise FileFault(f"{kept[0]}: exists and differs; nothing was written (replace it on purpose, or remove it)")


def _write(made: Mapping[Path, bytes], out: TextIO) -> None:
    for path, data in made.items():
        temporary = path.with_name(f".{path.name}.new")
        temporary.write_bytes(data)
        temporary.replace(path)
        print(path, file=out)


def _check_target(directory: Path, check: bool, to: str) -> None:
    """Raise FileFault if answers would be written into a corpus, or into a new one without an old."""
    if to and not manifest.is_in(directory):
        raise FileFault(f"--out {to}: {directory} is not a corpus; its answers are written beside its .sql")
    within = next((folder for folder in (directory, *directory.absolute().parents) if manifest.is_in(folder)), None)
    if within is not None and not (check or to):
        raise FileFault(f"{within} is a corpus, which is derived and never edited; name a new one: --out NEW")
