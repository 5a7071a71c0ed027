"""The subcommands of `curtain` for work after the sessions: the desks of transcription, annotation and judging."""

import sys
from typing import Any

import click

from cli.shared_options import headphones, theme


@click.command(short_help="Open the transcription desk on a corpus.")
@click.argument("directory", type=click.Path())
@click.option("--person", default="", help="Name of the transcriber; a second person checks.")
@headphones
@theme
@click.option(
    "--show",
    default="",
    metavar="NAME",
    help="Print the .sro and .lsn that the next export will have for this utterance.",
)
def transcribe(**given: Any) -> None:
    """Transcribe the utterances of the corpus in DIRECTORY in detail, and check other people's transcriptions."""
    from annotator.command import TranscribeOptions, transcribe_command

    options = TranscribeOptions(**given)
    if bool(options.person) == bool(options.show):
        raise click.UsageError("give either the transcriber (--person) or an utterance to show (--show)")
    sys.exit(transcribe_command(options, sys.stdout, sys.stderr))


def _of_a_desk(command: Any) -> Any:
    """Add the options that every desk over later work has."""
    for option in reversed(
        (
            click.option("--person", default="", help="Name of the person at the desk; a second person checks."),
            click.option(
                "--work",
                default="",
                help="File for later work, or URL of a shared database [default: work.sqlite beside the corpus].",
            ),
            headphones,
            theme,
            click.option("--seed", default=1, show_default=True, help="Seed for random draws and intervals."),
        )
    ):
        command = option(command)
    return command


@click.command(short_help="Open the annotation desk on a corpus.")
@click.argument("directory", type=click.Path())
@_of_a_desk
@click.option("--domain", default="", type=click.Path(), help="Folder of the domain with its principles.")
@click.option("--database", default="", help="SQLAlchemy URL of the domain's database.")
@click.option("--principles", default="", help="Set of principles [default: the domain's].")
@click.option("--double", type=float, default=None, help="Draw this share of the sessions for double annotation.")
@click.option(
    "--load", default="", type=click.Path(), help="Load proposals from a folder of .cat and .win, a .csv or a .json."
)
@click.option("--source", default="", help="Source of the proposals, a person or a program.")
@click.option(
    "--requests", default="", type=click.Path(), help="Load change requests of sites, one JSON object per line."
)
@click.option("--scores", default="", type=click.Path(), help="Store these scores beside the present rulings.")
@click.option(
    "--score", multiple=True, metavar="NAME=FILE", help="Score a system's answers now and after every ruling."
)
@click.option("--merge", default="", metavar="FILE", type=click.Path(), help="Merge the later work of another copy.")
@click.option(
    "--show",
    default="",
    type=click.Choice(["", "status", "agreement", "queue", "rulings", "effort", "reasons", "scores", "csv", "json"]),
    help="Print this table instead of opening the desk.",
)
@click.option(
    "--out", default="", metavar="NEW", type=click.Path(), help="Write a new corpus with all annotations in force."
)
def annotate(**given: Any) -> None:
    """Annotate the utterances of the corpus in DIRECTORY with classes and meanings; check, adjudicate, release."""
    from annotator.annotate_command import AnnotateOptions, annotate_command

    sys.exit(annotate_command(AnnotateOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Judge whole dialogues, turn by turn.")
@click.argument("directory", type=click.Path())
@_of_a_desk
@click.option("--rubric", default="", type=click.Path(), help="Rubric to use instead of the one that ships.")
@click.option("--raters", default="", help="Assign the dialogues to these people, separated by commas.")
@click.option("--each", default=3, show_default=True, help="Number of raters per dialogue.")
@click.option("--adjudicate", is_flag=True, help="Rule on differences; the raters' judgements are shown.")
@click.option("--browse", is_flag=True, help="Browse the failed turns, with sound and screen.")
@click.option(
    "--show",
    default="",
    type=click.Choice(["", "agreement", "scores", "report", "worklist", "json", "instructions"]),
    help="Print this table instead of opening the desk.",
)
@click.option(
    "--combine",
    default="majority",
    show_default=True,
    type=click.Choice(["majority", "adjudication", "dawid-skene"]),
    help="Method to combine several judgements.",
)
@click.option("--only", default="", help="Kind of failure in the work list, such as 'wrong answer'.")
@click.option("--search", default="", help="Words that must occur in the turns of the work list.")
def judge(**given: Any) -> None:
    """Judge the dialogues of the corpus in DIRECTORY, with their sound and screen, and report on all judgements."""
    from annotator.judge_command import JudgeOptions, judge_command

    sys.exit(judge_command(JudgeOptions(**given), sys.stdout, sys.stderr))
