"""The subcommands of `curtain` for those who come later: the desks of transcription, annotation and judging."""

import sys
from typing import Any

import click


@click.command(short_help="Open the transcription desk on a corpus.")
@click.argument("directory", type=click.Path())
@click.option("--person", default="", help="Who transcribes; a second person checks, never the same one.")
@click.option("--loudspeaker", default=None, help="A part of the headphones' name, or their number.")
@click.option("--theme", type=click.Choice(["dark", "light", "plain"]), default="dark", show_default=True)
@click.option(
    "--show", default="", metavar="NAME", help="Print .sro and .lsn of this utterance as the next export has them."
)
def transcribe(**given: Any) -> None:
    """Transcribe the utterances of the corpus in DIRECTORY in detail, and check what another person transcribed."""
    from annotator.command import TranscribeOptions, transcribe_command

    options = TranscribeOptions(**given)
    if bool(options.person) == bool(options.show):
        raise click.UsageError("say who transcribes (--person), or which utterance is to be shown (--show)")
    sys.exit(transcribe_command(options, sys.stdout, sys.stderr))


def _of_a_desk(command: Any) -> Any:
    """Add the options that every desk over later work has."""
    for option in reversed(
        (
            click.option("--person", default="", help="Who works at the desk; others check, never the same one."),
            click.option(
                "--work", default="", help="Another file of later work, or the URL of a database that desks share."
            ),
            click.option("--loudspeaker", default=None, help="A part of the headphones' name, or their number."),
            click.option("--theme", type=click.Choice(["dark", "light", "plain"]), default="dark", show_default=True),
            click.option("--seed", default=1, show_default=True, help="Seed of the draw and of the intervals."),
        )
    ):
        command = option(command)
    return command


@click.command(short_help="Open the annotation desk on a corpus.")
@click.argument("directory", type=click.Path())
@_of_a_desk
@click.option("--domain", default="", type=click.Path(), help="The folder with the domain and its principles.")
@click.option("--database", default="", help="SQLAlchemy URL of the domain's database.")
@click.option("--principles", default="", help="The set of principles; by default the domain's own.")
@click.option("--double", type=float, default=None, help="Draw this share of the sessions for two independent people.")
@click.option("--load", default="", type=click.Path(), help="Proposals: a folder of .cat and .win, a .csv or a .json.")
@click.option("--source", default="", help="Who or what has made the proposals.")
@click.option("--requests", default="", type=click.Path(), help="Change requests of sites, a JSON object a line.")
@click.option("--scores", default="", type=click.Path(), help="Keep these scores beside the rulings so far.")
@click.option(
    "--score", multiple=True, metavar="NAME=FILE", help="Score this system's answers now, and again after every ruling."
)
@click.option(
    "--merge", default="", metavar="FILE", type=click.Path(), help="Take over the later work of another copy."
)
@click.option(
    "--show",
    default="",
    type=click.Choice(["", "status", "agreement", "queue", "rulings", "effort", "reasons", "scores", "csv", "json"]),
    help="Print this instead of opening the desk.",
)
@click.option(
    "--out", default="", metavar="NEW", type=click.Path(), help="Make a new corpus with all that is in force."
)
def annotate(**given: Any) -> None:
    """Classify the utterances of the corpus in DIRECTORY and write what they mean; check, adjudicate, release."""
    from annotator.annotate_command import AnnotateOptions, annotate_command

    sys.exit(annotate_command(AnnotateOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Judge whole dialogues, turn by turn.")
@click.argument("directory", type=click.Path())
@_of_a_desk
@click.option("--rubric", default="", type=click.Path(), help="Another rubric than the one that ships.")
@click.option("--raters", default="", help="Assign the dialogues to these people, parted by commas.")
@click.option("--each", default=3, show_default=True, help="How many raters each dialogue gets.")
@click.option("--adjudicate", is_flag=True, help="Rule where raters differ, with their judgements shown.")
@click.option("--browse", is_flag=True, help="Go through the failed turns, with sound and screen.")
@click.option(
    "--show",
    default="",
    type=click.Choice(["", "agreement", "scores", "report", "worklist", "json", "instructions"]),
    help="Print this instead of opening the desk.",
)
@click.option(
    "--combine",
    default="majority",
    show_default=True,
    type=click.Choice(["majority", "adjudication", "dawid-skene"]),
    help="How several judgements become one.",
)
@click.option("--only", default="", help="The kind of failure that the work list has, such as 'wrong answer'.")
@click.option("--search", default="", help="Words that its turns have.")
def judge(**given: Any) -> None:
    """Judge the dialogues of the corpus in DIRECTORY, with sound and screen as they were; report on all judgements."""
    from annotator.judge_command import JudgeOptions, judge_command

    sys.exit(judge_command(JudgeOptions(**given), sys.stdout, sys.stderr))
