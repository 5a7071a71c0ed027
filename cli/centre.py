"""The commands of `curtain` for a centre that gathers many sites' corpora; their work is imported only when they are called."""

import sys
from typing import Any

import click


@click.command(short_help="Pack a delivery for a centre.")
@click.argument("corpus", type=click.Path())
@click.argument("file", type=click.Path())
@click.option("--label", default="", help="What the delivery is called; by default as the folder.")
@click.option("--annotations", default="", metavar="RELEASE", help="The annotations of this release alone.")
@click.option(
    "--key", default="", type=click.Path(), help="A file with the key that site and centre share, to sign with."
)
@click.option("--site", default="", help="Who delivers; by default the site of the data. Annotators are often others.")
def deliver(**given: Any) -> None:
    """Pack CORPUS, or initial data, for the centre: one archive FILE with the hash of every file."""
    from corpus.centre.delivery.deliver import DeliverOptions, deliver_command

    sys.exit(deliver_command(DeliverOptions(**given), sys.stdout, sys.stderr))


@click.command(short_help="Receive a site's delivery.")
@click.argument("centre", type=click.Path())
@click.argument("archive", metavar="FILE", type=click.Path())
@click.option("--jobs", default=None, type=click.IntRange(min=1), help="Processes; all processors for a large corpus.")
@click.option("--cluster", default="", help="Address of a Dask scheduler that does the work instead.")
def receive(**given: Any) -> None:
    """Receive the delivery FILE: verify it, mend it or send it back, and set a part of it aside for tests."""
    from corpus.centre.delivery.arrivals import ReceiveOptions, receive_command
    from session.values.clock import SystemClock

    sys.exit(receive_command(ReceiveOptions(**given), SystemClock("centre"), sys.stdout, sys.stderr))


@click.command(short_help="Create a centre, or show its state.")
@click.argument("folder", metavar="CENTRE", type=click.Path())
def centre(folder: str) -> None:
    """Create the folder of a centre, or print what an existing one has received, released and queued."""
    from corpus.centre.centre_folder import centre_command
    from session.values.clock import SystemClock

    sys.exit(centre_command(folder, SystemClock("centre"), sys.stdout, sys.stderr))


@click.command(short_help="Release new and corrected text.")
@click.argument("centre", type=click.Path())
@click.option("--final", default="", metavar="RELEASE", help="The annotations of this release are final from now on.")
@click.option("--jobs", default=None, type=click.IntRange(min=1), help="Processes; all processors for a large corpus.")
@click.option("--cluster", default="", help="Address of a Dask scheduler that does the work instead.")
def release(**given: Any) -> None:
    """Release what is new or corrected at CENTRE: text at once, under the day's date, with every document it is judged by."""
    from corpus.centre.releases import ReleaseOptions, release_command
    from evaluation.references.handouts import documents_of
    from session.values.clock import SystemClock

    sys.exit(release_command(ReleaseOptions(**given), SystemClock("centre"), sys.stdout, sys.stderr, documents_of))


@click.command(short_help="Make, score and repeat a test.")
@click.argument("centre", type=click.Path())
@click.argument("name")
@click.option("--size", default=1000, show_default=True, type=click.IntRange(min=1), help="About how many utterances.")
@click.option(
    "--kind", default="speech", show_default=True, type=click.Choice(["speech", "text"]), help="What the tested get."
)
@click.option("--trial", is_flag=True, help="A dry run, which comes before any official test.")
@click.option("--submit", default="", metavar="SYSTEM=FILE", help="Receive a system's answers, or words in .trn.")
@click.option("--adjudicate", default="", type=click.Path(), help="Take in a table of rulings on the references.")
@click.option("--score", is_flag=True, help="Score all that was submitted; after rulings, finally.")
@click.option("--repeat", is_flag=True, help="Compute every score again from the archive and compare its bytes.")
def testset(**given: Any) -> None:
    """Choose a test NAME from the pool of CENTRE and pack it without an answer in it; or do the next step of one."""
    from evaluation.commands.testset import OfficialOptions, official_command
    from session.values.clock import SystemClock

    sys.exit(official_command(OfficialOptions(**given), SystemClock("centre"), sys.stdout, sys.stderr))


@click.command(short_help="Write released waveforms to volumes.")
@click.argument("centre", type=click.Path())
@click.option("--capacity", default=0, type=click.IntRange(min=0), help="Bytes of a volume; by default the centre's.")
@click.option("--all", "every", is_flag=True, help="Write a volume that is not full, too.")
def volume(**given: Any) -> None:
    """Write released waveforms that wait at CENTRE to images of volumes, no session split."""
    from corpus.centre.volumes import VolumeOptions, volume_command
    from session.values.clock import SystemClock

    sys.exit(volume_command(VolumeOptions(**given), SystemClock("centre"), sys.stdout, sys.stderr))


@click.command(short_help="Show the history of an item.")
@click.argument("centre", type=click.Path())
@click.argument("item", metavar="ID")
def history(centre: str, item: str) -> None:
    """Show everything that happened to ID at CENTRE: an utterance such as 8k9011, a session, a speaker, a delivery."""
    from corpus.centre.histories import history_command
    from session.values.clock import SystemClock

    sys.exit(history_command(centre, item, SystemClock("centre"), sys.stdout, sys.stderr))


@click.command(short_help="Report, judge or list bugs in the data.")
@click.argument("centre", type=click.Path())
@click.argument("item", metavar="[ID]", required=False, default="")
@click.option("--text", default="", help="What is wrong, or why it was judged so.")
@click.option("--by", "reporter", default="", help="Who reports it.")
@click.option("--judge", default="", metavar="NUMBER=STATE", help="Judge a bug: accepted, fixed or refused.")
def bug(**given: Any) -> None:
    """Report something about the item ID, judge a bug, or, without any, list the bugs of CENTRE."""
    from corpus.centre.bugs import BugOptions, bug_command
    from session.values.clock import SystemClock

    sys.exit(bug_command(BugOptions(**given), SystemClock("centre"), sys.stdout, sys.stderr))
