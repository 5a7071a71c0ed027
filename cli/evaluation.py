"""The subcommands of `curtain` that compare and score answers; their work is imported only when they are called.

Every command fills one struct of options, whose fields are named as the parameters here.
"""

import re
import sys
from typing import Any

import click


def comparing(command: Any) -> Any:
    """Add the options of a comparison, the same for every command that makes one."""
    for option in reversed(
        (
            RULES,
            click.option(
                "--tolerance",
                default="0.0001",
                show_default=True,
                help="Tolerance for reals: a relative deviation, or digits=N.",
            ),
            click.option(
                "--integers",
                type=click.Choice(["exact", "tolerant"]),
                default="exact",
                show_default=True,
                help="Comparison of integers.",
            ),
            click.option(
                "--near",
                type=click.Choice(["one", "apart"]),
                help="Whether tuples of an answer within the tolerance of one of the reference are one.  [default: one in 1992,"
                " apart in 1989]",
            ),
            click.option(
                "--alternatives",
                type=click.Choice(["any", "all"]),
                default="any",
                show_default=True,
                help="Whether one or all alternatives must match.",
            ),
            click.option("--lenient", is_flag=True, help="Accept special words in any case."),
            click.option(
                "--work",
                default=2_000_000,
                show_default=True,
                help="Maximal number of steps; a longer comparison is undecided.",
            ),
        )
    ):
        command = option(command)
    return command


RULES = click.option(
    "--rules",
    type=click.Choice(["1989", "1992"]),
    default="1992",
    show_default=True,
    help="Rules of the paper of this year.",
)


@click.command(short_help="Check and print an answer in CAS.")
@click.argument("source")
@click.option("--from", "form", default="", help="Input format: cas, csv or json [default: by the file name].")
@click.option("--no-header", is_flag=True, help="Treat the first line of the CSV as data.")
@click.option("--types", default="", help="Types of the columns as letters: s string, n number, b boolean.")
@click.option("--database", default="", help="SQLAlchemy URL; SOURCE is then SQL or a .sql file.")
@RULES
@click.option("--keep-order", is_flag=True, help="Do not sort the rows.")
def cas(**given: Any) -> None:
    """Check SOURCE (a file or -) and print it as an answer in the Common Answer Specification."""
    from evaluation.references.convert import CasOptions, cas_command

    sys.exit(cas_command(CasOptions(**given), sys.stdin, sys.stdout, sys.stderr))


class Expressions(click.Command):
    """A command whose arguments can be negative numbers, which would look like options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(
            ctx, [f" {argument}" if re.match(r"-[0-9]", argument) else argument for argument in args]
        )


@click.command(cls=Expressions, short_help="Compare an answer with a reference.")
@click.argument("reference", metavar="REF")
@click.argument("answer", metavar="HYP")
@click.option("--max", "maximum", default=None, metavar="RF2", help="Maximal answer.")
@comparing
@click.option("--json", "as_json", is_flag=True, help="Print verdict and reasons as JSON.")
def compare(**given: Any) -> None:
    """Compare HYP with REF, both CAS expressions or files, and explain the difference."""
    from evaluation.commands.compare import CompareOptions, compare_command

    sys.exit(compare_command(CompareOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Make reference answers from SQL.")
@click.argument("directory", type=click.Path())
@click.option("--database", required=True, help="SQLAlchemy URL of the database.")
@click.option("--domain", required=True, type=click.Path(), help="Folder with principles*.toml.")
@click.option("--principles", required=True, help="Name of the set of principles.")
@click.option("--check", is_flag=True, help="Compare existing files byte by byte; write nothing.")
@click.option("--replace", is_flag=True, help="Overwrite existing files.")
@click.option(
    "--before",
    default="",
    type=click.Path(),
    help="Former version of the domain; list requests affected by its changes.",
)
@click.option("--sentences", is_flag=True, help="Also make the .sql of every .win.")
@click.option("--out", default="", type=click.Path(), help="New corpus to write if DIRECTORY is a corpus.")
@click.option("--today", "day", default="", help="Date of all sentences [default: the log's, otherwise the domain's].")
def answers(**given: Any) -> None:
    """Make .ref, .sq2 and .rf2 beside every .sql in DIRECTORY, or in a new corpus if DIRECTORY is a corpus."""
    from datetime import datetime

    from evaluation.references.make_references import AnswersOptions, answers_command

    today = datetime.now().astimezone().date()
    sys.exit(answers_command(AnswersOptions(**given), today, sys.stdout, sys.stderr))


@click.command(short_help="Find answers that are right by luck.")
@click.argument("database", type=click.Path())
@click.argument("reference", required=False, default="")
@click.argument("hypothesis", required=False, default="")
@click.option("--name", default="system", show_default=True, help="Name of the system in the files of --keep.")
@click.option("--variants", default=5, show_default=True, help="Number of perturbed copies of the database.")
@click.option(
    "--seed", default=1, show_default=True, help="Seed of the first copy; each further copy uses the next number."
)
@click.option("--keep", default="", type=click.Path(), help="New folder for the copies and the answers on them.")
@click.option("--json", "as_json", is_flag=True, help="Print every verdict as JSON.")
def luck(**given: Any) -> None:
    """Find answers that are right by luck: right on the SQLite DATABASE, wrong on perturbed copies of it.

    REFERENCE and HYPOTHESIS are SQL, .sql files or folders of them. Without them, the command only makes the copies.
    """
    from evaluation.scoring.lucky_answers import LuckOptions, luck_command

    sys.exit(luck_command(LuckOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Score systems' answers against references.")
@click.argument("references")
@click.argument("hypotheses", nargs=-1, required=True)
@click.option("--max", "maximum", default=None, help="List of maximal answers, if the references are a list.")
@click.option(
    "--minimal", is_flag=True, help="Score by minimal answers only, as before 1992, even if the corpus has maxima."
)
@click.option("--index", default=None, help="File with classes, speakers and sites of the queries.")
@click.option(
    "--only", default=None, type=click.Path(), help="Score only the utterances in a list, such as doc/pool.ndx."
)
@click.option("--before", default=None, help="References before adjudication, or the folder of a key.")
@click.option(
    "--variants", multiple=True, help="Folder with references and answers on a perturbed database; repeatable."
)
@comparing
@click.option("--weight", default=2.0, show_default=True, help="Cost of a wrong answer, if no answer costs 1.")
@click.option("--seed", default=1992, show_default=True, help="Seed of the bootstrap and permutation tests.")
@click.option("--json", "as_json", is_flag=True, help="Print every table as JSON.")
@click.option("--page", default=None, type=click.Path(), help="New file for an HTML page.")
def score(**given: Any) -> None:
    """Score the answers of systems, each FILE, NAME=FILE or NAME@SITE=FILE, against a corpus or a list of references."""
    from evaluation.commands.score import ScoreOptions, score_command

    sys.exit(score_command(ScoreOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Score recognisers by word error, as sclite does.")
@click.argument("reference", metavar="REF")
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True)
@click.option("--case", is_flag=True, help="Compare words with case.")
@click.option("--literal", is_flag=True, help="Treat a word in brackets literally, not as optional.")
@click.option("--fragments", is_flag=True, help="Accept a word that begins or ends with a fragment of the reference.")
@click.option("--times", is_flag=True, help="Align two CTM files by their times.")
@click.option(
    "--missing",
    type=click.Choice(["error", "deleted"]),
    default="error",
    show_default=True,
    help="Treatment of an utterance without a hypothesis.",
)
@click.option(
    "--ids",
    type=click.Choice(["auto", "spu_id", "rm", "swb", "wsj", "sp"]),
    default="auto",
    show_default=True,
    help="Position of the speaker in an id.",
)
@click.option("--index", default=None, help="File with speakers, sites and conditions of the utterances.")
@click.option("--before", default=None, help="References before adjudication, or the folder of a key.")
@click.option("--nl", default=None, help="Scores of answers to the transcriptions, from curtain score --json.")
@click.option("--sls", default=None, help="Scores of answers to speech, from curtain score --json.")
@click.option("--seed", default=1992, show_default=True, help="Seed of the bootstrap and permutation tests.")
@click.option("--align", is_flag=True, help="Show utterances with an error, aligned word by word.")
@click.option("--json", "as_json", is_flag=True, help="Print every table and utterance as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print a table as CSV.")
@click.option(
    "--by",
    type=click.Choice(["utterance", "speaker", "site", "condition", "microphone", "session", "category", "label"]),
    default="utterance",
    show_default=True,
    help="Rows of the CSV.",
)
@click.option("--page", default=None, type=click.Path(), help="New file for an HTML page.")
def wer(**given: Any) -> None:
    """Score the words of recognisers, each HYP a FILE or NAME=FILE, against the reference REF.

    The files are TRN, STM with CTM, or plain text, by extension. REF may be a corpus, a test's key or a folder of .lsn files.
    """
    from evaluation.commands.wer import WerOptions, wer_command

    sys.exit(wer_command(WerOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Check filled templates and score systems by them.")
@click.argument("schema")
@click.argument("key")
@click.argument("responses", nargs=-1)
@click.option("--messages", default=None, help="File with the texts, their groups, sets and traits.")
@click.option("--modified", multiple=True, help="NAME=FILE: a system's templates for the repaired texts.")
@click.option("--set", "only", default=None, help="Score only the texts of this set.")
@click.option("--draw", default=None, help="Draw sets of texts, SET=NUMBER,..., with each group in proportion.")
@click.option("--hand-out", default=None, type=click.Path(), help="New folder with the material for participants.")
@click.option("--show", is_flag=True, help="Print the templates of KEY, or the frames of its requests.")
@click.option("--json", "as_json", is_flag=True, help="Print every table and slot as JSON.")
def templates(**given: Any) -> None:
    """Check the templates of KEY by SCHEMA (naval, requests, or a file), and score RESPONSES against them.

    KEY and RESPONSES (each FILE, NAME=FILE or NAME@PHASE=FILE) are files of templates, or for requests, corpora or folders with
    .win and .sql. The KEY naval ships; NAME=log takes the queries in the logs of KEY, a corpus.
    """
    from evaluation.commands.templates import TemplatesOptions, templates_command

    sys.exit(templates_command(TemplatesOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Run a recogniser on a corpus.")
@click.argument("corpus", type=click.Path())
@click.option(
    "--engine",
    default="pocketsphinx",
    show_default=True,
    help="Recogniser: pocketsphinx, replay:FILE or a server's address.",
)
@click.option(
    "--out", default="", metavar="FILE", type=click.Path(), help="New file for TRN [default: standard output]."
)
@click.option("--domain", default="", type=click.Path(), help="Domain for the vocabulary [default: the logs' domain].")
@click.option("--database", default="", help="SQLAlchemy URL of the domain's database [default: the domain's own].")
@click.option("--seconds", default=20.0, show_default=True, help="Timeout of a server per utterance, in seconds.")
def recognise(corpus: str, **given: Any) -> None:
    """Run a recogniser on the waveforms of CORPUS, write TRN, and report the word error if there are transcriptions."""
    from operators.recognition.command import RecogniseOptions, recognise_command

    sys.exit(recognise_command(corpus, RecogniseOptions(**given), sys.stdout, sys.stderr))
