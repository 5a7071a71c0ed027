"""What a new session is called, whom it is with, and at which subject-scenario number it begins.

All of it follows from the store, so that a speaker who comes again goes on counting and no id is given twice.
"""

from collections.abc import Iterator

from session import events as e
from session.names import Exhausted, SessionName, SpeakerBlock, check_speaker
from session.store import Store


def sessions(store: Store) -> list[str]:
    """The names of all sessions in the store, the oldest first."""
    names = [SessionName.parse(info.stream) for info in store.streams() if "/" not in info.stream]
    return [str(name) for name in sorted(names, key=lambda name: (name.date, name.number, name.site))]


def next_session(store: Store, site: str, date: str) -> str:
    """The next free name of a site on a day (yyyymmdd)."""
    taken = [SessionName.parse(name) for name in sessions(store)]
    number = 1 + max((name.number for name in taken if (name.site, name.date) == (site, date)), default=0)
    return str(SessionName.parse(f"{site}-{date}-{number}"))


def _visits(store: Store) -> Iterator[tuple[str, list[e.Recorded]]]:
    """Every session with the id of its speaker; a withdrawn speaker's id stays taken."""
    for name in sessions(store):
        recorded = store.read(name)
        for each in recorded:
            if isinstance(each.event, e.SessionOpened):
                yield each.event.speaker.id, recorded
            elif isinstance(each.event, e.SpeakerWithdrawn):
                yield each.event.speaker, recorded


def next_speaker(store: Store, blocks: tuple[SpeakerBlock, ...]) -> str:
    """The first speaker's id of the site that nobody has had; raises Exhausted."""
    used = {speaker for speaker, _ in _visits(store)}
    for number, block in enumerate(blocks, start=1):
        try:
            return block.next_after(used)
        except Exhausted:
            if number == len(blocks):
                raise
    raise Exhausted("the site has no block of speaker ids; give it one under [speakers] in study.toml")


def known_speaker(speaker: str, blocks: tuple[SpeakerBlock, ...]) -> str:
    """`speaker` itself if it lies in the site's blocks; raises ValueError."""
    check_speaker(speaker)
    if not any(speaker in block for block in blocks):
        shown = ", ".join(f"{block.first} to {block.last}" for block in blocks)
        raise ValueError(f"speaker {speaker} is not of this site, whose ids are {shown}")
    return speaker


def first_scenario(store: Store, speaker: str) -> int:
    """The first subject-scenario number that a speaker has not had yet."""
    numbers = [
        each.event.number or 0
        for visitor, recorded in _visits(store)
        if visitor == speaker
        for each in recorded
        if isinstance(each.event, e.ScenarioStarted)
    ]
    return 1 + max(numbers, default=0)
