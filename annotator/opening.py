"""Opening a desk of later work: its store, the terminal, the loudspeaker."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desk.quiet_stderr import c_stderr_to
from desk.recording_player import Player
from session.annotation.store import LOG_FILE, Work
from session.audio.devices import DeviceError, SoundDeviceLoudspeaker
from session.store.event_store import StoreUnavailable


def opened_work(place: Path | str) -> Work:
    """The later work in a file, or at the URL of a database that several desks share; raises StoreUnavailable or OSError."""
    if isinstance(place, str):
        return Work(place if "://" in place else Path(place))
    try:
        return Work(place)
    except (OSError, StoreUnavailable) as error:
        if os.access(place.parent, os.W_OK):
            raise
        raise StoreUnavailable(
            f"{place}: the work is kept beside the corpus, and nothing can be written there. Copy the corpus to a folder of your "
            "own and work on that copy; curtain export --work brings the work back"
        ) from error


def on_a_terminal() -> None:
    """Raise ValueError unless keys come from a terminal and the screen, which is drawn on standard error, goes to one."""
    if not all(stream is not None and stream.isatty() for stream in (sys.__stdin__, sys.__stderr__)):
        raise ValueError(
            "the desk needs a terminal, to be seen and to be written on: "
            "lead neither its standard input nor its standard error elsewhere"
        )


@contextmanager
def playing(loudspeaker: str | None, work: Path, notice: str = "") -> Iterator[tuple[Player, str]]:
    """A player on this loudspeaker, a part of its name or its number, and what to say where nothing can be heard. What libraries
    write meanwhile goes into a file beside `work`."""
    device = int(loudspeaker) if loudspeaker is not None and loudspeaker.isdigit() else loudspeaker
    with c_stderr_to(work.with_name(LOG_FILE)):
        player = Player(lambda: SoundDeviceLoudspeaker(device))
        try:
            player.open()
        except DeviceError as error:
            notice = f"Nothing can be heard here: {error}" + (f"; {notice}" if notice else "")
        try:
            yield player, notice
        finally:
            player.close()
