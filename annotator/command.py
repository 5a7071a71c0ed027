"""`curtain transcribe DIR`: runs the transcription desk on a corpus directory."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import msgspec

from annotator.app import TranscriptionApp
from annotator.effort import effort_of
from annotator.opening import on_a_terminal, opened_work, playing
from annotator.rules import NotNow, at_work
from annotator.transcription import Transcribing
from annotator.transcription_status import farewell
from corpus.annotation.overlay import texts_of
from corpus.dataset.reader import Corpus
from corpus.formats.errors import FormatFault, message_of
from corpus.release.earlier_exports import finished_around
from desk.theme import theme_for
from session.annotation.store import work_path
from session.annotation.transcript import TranscriptState
from session.store.event_store import UNREADABLE
from session.values.clock import SystemClock
from session.values.names import ulid

NAMED = 10
"""So many unfinished utterances are named on a terminal, lest the minutes scroll away; a file gets all."""


class TranscribeOptions(msgspec.Struct, frozen=True):
    """Options of `transcribe_command`: who transcribes the corpus in `directory`, a part of the loudspeaker's name or its
    number, the theme; or an utterance to be shown as it will be exported."""

    directory: str
    person: str = ""
    loudspeaker: str | None = None
    theme: str = "dark"
    show: str = ""


def transcribe_command(options: TranscribeOptions, out: TextIO, err: TextIO) -> int:
    """Transcribe a corpus, or show what is finished of one utterance.

    The work is in `work.sqlite` beside the corpus, in which nothing changes. On leaving, the names of the utterances that are
    not finished go to `out`, the minutes an utterance to `err`. 2 when the desk could not be opened.
    """
    try:
        corpus = Corpus(Path(options.directory))
        if options.show:
            texts = texts_of(corpus, options.show, finished_around(corpus.root))
            out.write("".join(f"{path}\n{data.decode()}" for path, data in texts.items()))
            return 0
        work = opened_work(work_path(corpus.root))
        try:
            desk = Transcribing(corpus, work, options.person, SystemClock(f"transcription-{ulid(0)[-8:]}"))
            _run(desk, options.loudspeaker, work_path(corpus.root), options.theme)
            _tell(desk, out, err)
            err.write(f"curtain export {options.directory} NEW makes a corpus with all that is finished\n")
        finally:
            work.close()
    except (FormatFault, *UNREADABLE, OSError, ValueError) as error:
        err.write(f"{message_of(error)}\n")
        return 2
    return 0


def first_of(desk: Transcribing) -> str:
    """Return where to begin: at what this person left unfinished, otherwise at what is untouched, otherwise at the first
    utterance.

    Raises ValueError for a corpus without utterances.
    """
    mine = (item for item in desk.stream() if at_work(item.transcript, desk.person))
    untouched = (item for item in desk.stream() if item.state is TranscriptState.UNTOUCHED and item.unfinished)
    for found in (mine if desk.left_open() else (), untouched, desk.stream()):
        for item in found:
            return item.stem
    raise ValueError("the corpus has no utterance to transcribe: none was spoken, or the speakers have withdrawn")


def _run(desk: Transcribing, loudspeaker: str | None, work: Path, theme: str) -> None:
    """Show the desk until it is left."""
    first, shut = _openable(desk, first_of(desk))
    on_a_terminal()
    with playing(loudspeaker, work, "; ".join(shut)) as (player, notice):
        TranscriptionApp(desk, player, first, notice=notice, theme=theme_for(os.environ, theme)).run()


def _openable(desk: Transcribing, first: str) -> tuple[str, list[str]]:
    """The first utterance from `first` on that can be opened, and why those before it cannot; raises ValueError for none."""
    shut: list[str] = []
    for stem in _from(desk, first):
        try:
            desk.open(stem)
        except NotNow as refusal:
            shut.append(str(refusal))
        else:
            desk.leave()
            return stem, shut[:1]
    raise ValueError(shut[0])


def _from(desk: Transcribing, first: str) -> Iterator[str]:
    """The names of all utterances, round about from one of them."""
    yield first
    stems = [item.stem for item in desk.items()]
    at = stems.index(first)
    yield from (*stems[at + 1 :], *stems[:at])


def _tell(desk: Transcribing, out: TextIO, err: TextIO) -> None:
    with suppress(NotNow):
        desk.look_around()
    left = [item for item in desk.items() if item.unfinished]
    shown = left[:NAMED] if out.isatty() else left
    out.write("".join(f"{item.stem}\t{item.state}\n" for item in shown))
    out.flush()
    if len(shown) < len(left):
        err.write(
            f"and {len(left) - len(shown)} more that are not finished; > FILE behind the command takes all names\n"
        )
    for line in farewell(effort_of(desk.transcripts())):
        err.write(f"{line}\n")
