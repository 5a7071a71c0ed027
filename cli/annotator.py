"""The subcommand of `curtain` that opens the transcription desk."""

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
