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
                "--tolerance", default="0.0001", show_default=True, help="Relative deviation of reals, or digits=N."
            ),
            click.option(
                "--integers",
                type=click.Choice(["exact", "tolerant"]),
                default="exact",
                show_default=True,
                help="How integers are compared.",
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
                help="Whether any or all alternatives must match.",
            ),
            click.option("--lenient", is_flag=True, help="Special words in any mixture of cases."),
            click.option(
                "--work",
                default=2_000_000,
                show_default=True,
                help="Steps of one comparison; past them it is undecided.",
            ),
        )
    ):
        command = option(command)
    return command


RULES = click.option("--rules", type=click.Choice(["1989", "1992"]), default="1992", show_default=True)


@click.command(short_help="Check and print an answer in CAS.")
@click.argument("source")
@click.option("--from", "form", default="", help="cas, csv or json; by default what the name ends in.")
@click.option("--no-header", is_flag=True, help="The first line of the CSV is data.")
@click.option("--types", default="", help="Types of the columns, as letters: s string, n number, b boolean.")
@click.option("--database", default="", help="A SQLAlchemy URL; SOURCE is SQL then, or a .sql file.")
@RULES
@click.option("--keep-order", is_flag=True, help="Do not sort the rows.")
def cas(**given: Any) -> None:
    """Check SOURCE, a file or -, and print it as an answer in the Common Answer Specification."""
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
@click.option("--max", "maximum", default=None, metavar="RF2", help="The maximal answer.")
@comparing
@click.option("--json", "as_json", is_flag=True, help="Verdict and reasons as JSON.")
def compare(**given: Any) -> None:
    """Compare HYP with REF, both CAS expressions or files, and explain the difference."""
    from evaluation.commands.compare import CompareOptions, compare_command

    sys.exit(compare_command(CompareOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Make reference answers from SQL.")
@click.argument("directory", type=click.Path())
@click.option("--database", required=True, help="SQLAlchemy URL of the database.")
@click.option("--domain", required=True, type=click.Path(), help="The folder with principles*.toml.")
@click.option("--principles", required=True, help="The name of the set of principles.")
@click.option("--check", is_flag=True, help="Write nothing; compare the existing files byte by byte.")
@click.option("--replace", is_flag=True, help="Write over files that exist.")
@click.option("--before", default="", type=click.Path(), help="The domain as it was: list what its changes touch.")
@click.option("--sentences", is_flag=True, help="Make the .sql of every .win, too.")
@click.option("--out", default="", type=click.Path(), help="The new corpus to make where DIRECTORY is one.")
@click.option("--today", "day", default="", help="The day of all sentences; by default the log's, else the domain's.")
def answers(**given: Any) -> None:
    """Make .ref, .sq2 and .rf2 beside every .sql in DIRECTORY, or in a new corpus where it is one."""
    from datetime import datetime

    from evaluation.references.make_references import AnswersOptions, answers_command

    today = datetime.now().astimezone().date()
    sys.exit(answers_command(AnswersOptions(**given), today, sys.stdout, sys.stderr))


@click.command(short_help="Find answers that are right by luck.")
@click.argument("database", type=click.Path())
@click.argument("reference", required=False, default="")
@click.argument("hypothesis", required=False, default="")
@click.option("--name", default="system", show_default=True, help="Name of the system in kept files.")
@click.option("--variants", default=5, show_default=True, help="How many perturbed copies of the database.")
@click.option("--seed", default=1, show_default=True, help="Of the first copy; the next have the next ones.")
@click.option("--keep", default="", type=click.Path(), help="A new folder for the copies and the answers on them.")
@click.option("--json", "as_json", is_flag=True, help="Every verdict as JSON.")
def luck(**given: Any) -> None:
    """Show which answers are right by luck: on the SQLite DATABASE and wrong on perturbed copies of it.

    REFERENCE and HYPOTHESIS are SQL, .sql files or folders of them. Without them the copies are made and kept.
    """
    from evaluation.scoring.lucky_answers import LuckOptions, luck_command

    sys.exit(luck_command(LuckOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Score systems' answers against references.")
@click.argument("references")
@click.argument("hypotheses", nargs=-1, required=True)
@click.option("--max", "maximum", default=None, help="The list of maximal answers beside a list of references.")
@click.option(
    "--minimal", is_flag=True, help="By the minimal answers only, as before 1992, though the corpus has maxima."
)
@click.option("--index", default=None, help="Classes, speakers and sites of the queries.")
@click.option("--only", default=None, type=click.Path(), help="Score what a list names alone, such as doc/pool.ndx.")
@click.option("--before", default=None, help="The references before adjudication, or the folder of a key.")
@click.option("--variants", multiple=True, help="A folder with references and answers on a perturbed database.")
@comparing
@click.option("--weight", default=2.0, show_default=True, help="What a wrong answer costs, no answer costing 1.")
@click.option("--seed", default=1992, show_default=True, help="Of the bootstrap and permutation tests.")
@click.option("--json", "as_json", is_flag=True, help="Every table as JSON.")
@click.option("--page", default=None, type=click.Path(), help="An HTML page to write; it must not exist.")
def score(**given: Any) -> None:
    """Score systems' answers (FILE, NAME=FILE or NAME@SITE=FILE each) against a corpus or a list of references."""
    from evaluation.commands.score import ScoreOptions, score_command

    sys.exit(score_command(ScoreOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Score recognisers by word error, as sclite does.")
@click.argument("reference", metavar="REF")
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True)
@click.option("--case", is_flag=True, help="Case counts.")
@click.option("--literal", is_flag=True, help="A word in brackets is itself, not one that may be missing.")
@click.option("--fragments", is_flag=True, help="A fragment is right beside a word that begins or ends so.")
@click.option("--times", is_flag=True, help="Align two CTM files by their times.")
@click.option(
    "--missing",
    type=click.Choice(["error", "deleted"]),
    default="error",
    show_default=True,
    help="What an utterance without a hypothesis is.",
)
@click.option(
    "--ids",
    type=click.Choice(["auto", "spu_id", "rm", "swb", "wsj", "sp"]),
    default="auto",
    show_default=True,
    help="How an id names its speaker.",
)
@click.option("--index", default=None, help="Speakers, sites, conditions of the utterances.")
@click.option("--before", default=None, help="The references before adjudication, or the folder of a key.")
@click.option("--nl", default=None, help="Answers to the transcriptions, as scored by curtain score --json.")
@click.option("--sls", default=None, help="Answers to speech, as scored by curtain score --json.")
@click.option("--seed", default=1992, show_default=True, help="Of the bootstrap and permutation tests.")
@click.option("--align", is_flag=True, help="Show utterances with an error, word under word.")
@click.option("--json", "as_json", is_flag=True, help="Every table and utterance as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="A table as CSV.")
@click.option(
    "--by",
    type=click.Choice(["utterance", "speaker", "site", "condition", "microphone", "session", "category", "label"]),
    default="utterance",
    show_default=True,
    help="The rows of the CSV.",
)
@click.option("--page", default=None, type=click.Path(), help="An HTML page to write; it must not exist.")
def wer(**given: Any) -> None:
    """Score the words of recognisers (HYP: FILE or NAME=FILE each) against what was said (REF).

    Both are TRN, STM with CTM, or plain text by the name's ending; REF may be a corpus, a test's key or a folder of .lsn files.
    """
    from evaluation.commands.wer import WerOptions, wer_command

    sys.exit(wer_command(WerOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Check filled templates and score systems by them.")
@click.argument("schema")
@click.argument("key")
@click.argument("responses", nargs=-1)
@click.option("--messages", default=None, help="The texts, their groups, sets and traits.")
@click.option("--modified", multiple=True, help="NAME=FILE: what a system made of the repaired texts.")
@click.option("--set", "only", default=None, help="Score the texts of one set alone.")
@click.option("--draw", default=None, help="SET=NUMBER,...: draw sets of the texts, each group in proportion.")
@click.option("--hand-out", default=None, type=click.Path(), help="A new folder with what participants get.")
@click.option("--show", is_flag=True, help="Print the templates of KEY, or the frames of its requests.")
@click.option("--json", "as_json", is_flag=True, help="Every table and slot as JSON.")
def templates(**given: Any) -> None:
    """Check the templates of KEY by SCHEMA (naval, requests, or a file), and score RESPONSES against them.

    KEY and RESPONSES (FILE, NAME=FILE or NAME@PHASE=FILE each) are files of templates, or corpora or folders with .win and .sql
    of requests; KEY naval is the key that ships, and NAME=log is what the logs of KEY, a corpus, say was asked.
    """
    from evaluation.commands.templates import TemplatesOptions, templates_command

    sys.exit(templates_command(TemplatesOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Run a recogniser over a corpus.")
@click.argument("corpus", type=click.Path())
@click.option(
    "--engine", default="pocketsphinx", show_default=True, help="pocketsphinx, replay:FILE or a server's address."
)
@click.option("--out", default="", metavar="FILE", type=click.Path(), help="Where to write TRN; it must not exist.")
@click.option("--domain", default="", type=click.Path(), help="The domain whose words it is to know; else the logs'.")
@click.option("--database", default="", help="SQLAlchemy URL of the domain's database; else the domain's own one.")
@click.option("--seconds", default=20.0, show_default=True, help="How long to wait for a server, each utterance.")
def recognise(corpus: str, **given: Any) -> None:
    """Write what a recogniser makes of the waveforms of CORPUS as TRN, and its word error where there are transcriptions."""
    from operators.recognition.command import RecogniseOptions, recognise_command

    sys.exit(recognise_command(corpus, RecogniseOptions(**given), sys.stdout, sys.stderr))
