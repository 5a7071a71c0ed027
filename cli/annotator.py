"""The subcommand of `curtain` that opens the transcription desk."""

import sys

import click


@click.command(short_help="Open the transcription desk on a corpus.")
@click.argument("directory", type=click.Path())
@click.option("--person", required=True, help="Who transcribes; a second person checks, never the same one.")
@click.option("--loudspeaker", default=None, help="A part of the headphones' name, or their number.")
@click.option("--theme", type=click.Choice(["dark", "light", "plain"]), default="dark", show_default=True)
def transcribe(directory: str, person: str, loudspeaker: str | None, theme: str) -> None:
    """Transcribe the utterances of the corpus in DIRECTORY in detail, and check what another person transcribed."""
    from annotator.command import transcribe_command

    sys.exit(transcribe_command(directory, person, loudspeaker, theme, sys.stdout, sys.stderr))
