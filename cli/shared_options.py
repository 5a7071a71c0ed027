"""Options that several commands of `curtain` have in common, each with one wording.

A command that works on a corpus takes `jobs` and `cluster`; a desk that opens in a terminal takes `theme`, and `headphones` if it
plays recordings.
"""

import click

jobs = click.option(
    "--jobs",
    default=None,
    type=click.IntRange(min=1),
    help="Number of processes [default: all processors for a large corpus].",
)
cluster = click.option("--cluster", default="", help="Address of a Dask scheduler to use instead.")
headphones = click.option("--loudspeaker", default=None, help="Name, part of it, or number of the headphones.")
theme = click.option(
    "--theme",
    type=click.Choice(["dark", "light", "plain"]),
    default="dark",
    show_default=True,
    help="Colours of the screen.",
)
