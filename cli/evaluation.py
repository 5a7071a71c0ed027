"""The subcommands of `curtain` that compare and score answers; their work is imported only when they are called."""

import re
import sys

import click

RULES = click.option("--rules", type=click.Choice(["1989", "1992"]), default="1992", show_default=True)
TOLERANCE = click.option(
    "--tolerance", default="0.0001", show_default=True, help="Relative deviation of reals, or digits=N."
)
INTEGERS = click.option(
    "--integers",
    type=click.Choice(["exact", "tolerant"]),
    default="exact",
    show_default=True,
    help="How integers are compared.",
)
ALTERNATIVES = click.option(
    "--alternatives",
    type=click.Choice(["any", "all"]),
    default="any",
    show_default=True,
    help="Whether any or all alternatives must match.",
)
LENIENT = click.option("--lenient", is_flag=True, help="Special words in any mixture of cases.")
WORK = click.option(
    "--work", default=10_000_000, show_default=True, help="Steps of one comparison; past them it is undecided."
)


@click.command(short_help="Check and print an answer in CAS.")
@click.argument("source")
@click.option("--from", "form", default="", help="cas, csv or json; by default what the name ends in.")
@click.option("--no-header", is_flag=True, help="The first line of the CSV is data.")
@click.option("--types", default="", help="Types of the columns, as letters: s string, n number, b boolean.")
@click.option("--database", default="", help="A SQLAlchemy URL; SOURCE is SQL then, or a .sql file.")
@RULES
@click.option("--keep-order", is_flag=True, help="Do not sort the rows.")
def cas(source: str, form: str, no_header: bool, types: str, database: str, rules: str, keep_order: bool) -> None:
    """Check SOURCE, a file or -, and print it as an answer in the Common Answer Specification."""
    from evaluation.references.convert import cas_command

    status = cas_command(
        source,
        form=form,
        header=not no_header,
        types=types,
        database=database,
        rules=rules,
        keep_order=keep_order,
        stdin=sys.stdin,
        out=sys.stdout,
        err=sys.stderr,
    )
    sys.exit(status)


class Expressions(click.Command):
    """A command whose arguments can be negative numbers, which would look like options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f" {each}" if re.match(r"-[0-9]", each) else each for each in args])


@click.command(cls=Expressions, short_help="Say whether an answer is right, and if not, why.")
@click.argument("reference", metavar="REF")
@click.argument("answer", metavar="HYP")
@click.option("--max", "maximum", default=None, metavar="RF2", help="The maximal answer.")
@RULES
@TOLERANCE
@INTEGERS
@ALTERNATIVES
@LENIENT
@WORK
@click.option("--json", "as_json", is_flag=True, help="Verdict and reasons as JSON.")
def compare(
    reference: str,
    answer: str,
    maximum: str | None,
    rules: str,
    tolerance: str,
    integers: str,
    alternatives: str,
    lenient: bool,
    work: int,
    as_json: bool,
) -> None:
    """Say whether HYP answers as REF does, both CAS expressions or files, and if not, why."""
    from evaluation.commands.compare import compare_command

    status = compare_command(
        reference,
        answer,
        maximum=maximum,
        rules=rules,
        tolerance=tolerance,
        integers=integers,
        alternatives=alternatives,
        lenient=lenient,
        work=work,
        as_json=as_json,
        out=sys.stdout,
        err=sys.stderr,
    )
    sys.exit(status)


@click.command(short_help="Make reference answers beside every .sql.")
@click.argument("directory", type=click.Path())
@click.option("--database", required=True, help="SQLAlchemy URL of the database.")
@click.option("--domain", required=True, type=click.Path(), help="The folder with principles*.toml.")
@click.option("--principles", required=True, help="The name of the set of principles.")
@click.option("--check", is_flag=True, help="Write nothing; compare what stands there byte by byte.")
@click.option("--replace", is_flag=True, help="Write over files that exist.")
@click.option("--before", default="", type=click.Path(), help="The domain as it was: list what its changes touch.")
@click.option("--sentences", is_flag=True, help="Make the .sql of every .win, too.")
@click.option("--today", "day", default="", help="The day that sentences are understood on; the domain's own.")
def answers(
    directory: str,
    database: str,
    domain: str,
    principles: str,
    check: bool,
    replace: bool,
    before: str,
    sentences: bool,
    day: str,
) -> None:
    """Make .ref, .sq2 and .rf2 beside every .sql in DIRECTORY."""
    from datetime import datetime

    from evaluation.references.make_references import answers_command

    status = answers_command(
        directory,
        database=database,
        domain=domain,
        principles=principles,
        check=check,
        replace=replace,
        before=before,
        sentences=sentences,
        day=day,
        today=datetime.now().astimezone().date(),
        out=sys.stdout,
        err=sys.stderr,
    )
    sys.exit(status)


@click.command(short_help="Show which answers are right by luck.")
@click.argument("database", type=click.Path())
@click.argument("reference", required=False, default="")
@click.argument("hypothesis", required=False, default="")
@click.option("--name", default="system", show_default=True, help="What the system is called in what is kept.")
@click.option("--variants", default=5, show_default=True, help="How many perturbed copies of the database.")
@click.option("--seed", default=1, show_default=True, help="Of the first copy; the next have the next ones.")
@click.option("--keep", default="", type=click.Path(), help="A new folder for the copies and the answers on them.")
@click.option("--json", "as_json", is_flag=True, help="Every verdict as JSON.")
def luck(
    database: str, reference: str, hypothesis: str, name: str, variants: int, seed: int, keep: str, as_json: bool
) -> None:
    """Show which answers are right by luck: on the SQLite DATABASE and wrong on perturbed copies of it.

    REFERENCE and HYPOTHESIS are SQL, .sql files or folders of them. Without them the copies are made and kept.
    """
    from evaluation.scoring.lucky_answers import luck_command

    status = luck_command(
        database,
        reference,
        hypothesis,
        name=name,
        variants=variants,
        seed=seed,
        keep=keep,
        as_json=as_json,
        out=sys.stdout,
        err=sys.stderr,
    )
    sys.exit(status)


@click.command(short_help="Score systems' answers against references.")
@click.argument("references")
@click.argument("hypotheses", nargs=-1, required=True)
@click.option("--max", "maximum", default=None, help="The list of maximal answers beside a list of references.")
@click.option(
    "--minimal", is_flag=True, help="By the minimal answers only, as before 1992, though the corpus has maxima."
)
@click.option("--index", default=None, help="Classes, speakers and sites of the queries.")
@click.option("--before", default=None, help="The references before adjudication.")
@click.option("--variants", multiple=True, help="A folder with references and answers on a perturbed database.")
@RULES
@TOLERANCE
@INTEGERS
@ALTERNATIVES
@LENIENT
@WORK
@click.option("--weight", default=2.0, show_default=True, help="What a wrong answer costs, no answer costing 1.")
@click.option("--seed", default=1992, show_default=True, help="Of the bootstrap and permutation tests.")
@click.option("--json", "as_json", is_flag=True, help="Every table as JSON.")
@click.option("--page", default=None, type=click.Path(), help="An HTML page to write; it must not exist.")
def score(
    references: str,
    hypotheses: tuple[str, ...],
    maximum: str | None,
    minimal: bool,
    index: str | None,
    before: str | None,
    variants: tuple[str, ...],
    rules: str,
    tolerance: str,
    integers: str,
    alternatives: str,
    lenient: bool,
    work: int,
    weight: float,
    seed: int,
    as_json: bool,
    page: str | None,
) -> None:
    """Score systems' answers (FILE, NAME=FILE or NAME@SITE=FILE each) against a corpus or a list of references."""
    from evaluation.commands.score import score_command

    status = score_command(
        references,
        hypotheses,
        maximum=maximum,
        minimal=minimal,
        index=index,
        before=before,
        variants=variants,
        rules=rules,
        tolerance=tolerance,
        integers=integers,
        alternatives=alternatives,
        lenient=lenient,
        work=work,
        weight=weight,
        seed=seed,
        as_json=as_json,
        page=page,
        out=sys.stdout,
        err=sys.stderr,
    )
    sys.exit(status)
