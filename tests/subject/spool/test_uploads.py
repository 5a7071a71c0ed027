import asyncio

import pytest

from session.commands import AnyCommand
from session.protocol.messages import AUDIO_BYTES_PER_FRAME, AudioChunk, ResendRequest
from subject.spool.uploads import Uploads

STEP = AUDIO_BYTES_PER_FRAME // 2
PCM = bytes(range(256)) * 100


class MeteredLink:
    """Lets through as many pieces as the test says."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, int, int]] = []
        self.rooms = asyncio.Semaphore(0)

    def sound(self, sound: AudioChunk) -> None:
        assert sound.pcm == PCM[2 * sound.first : 2 * sound.first + len(sound.pcm)]
        self.sent.append((sound.take, sound.first, len(sound.pcm) // 2))

    def give(self, command: AnyCommand) -> None:
        raise AssertionError(command)

    async def room(self) -> None:
        await self.rooms.acquire()

    async def let(self, count: int) -> None:
        for _ in range(count):
            self.rooms.release()
        for _ in range(4 * count + 4):
            await asyncio.sleep(0)


def read(take: str, letter: str, first: int, samples: int) -> bytes:
    if take == "gone":
        raise KeyError(take)
    if take == "unreadable":
        raise OSError(5, "Input/output error")
    return PCM[2 * first : 2 * (first + samples)]


async def test_every_range_goes_up_in_pieces_take_by_take_and_never_without_room() -> None:
    link = MeteredLink()
    uploads = Uploads(link, read)
    uploads.begin(ResendRequest("T1", "s", ((10, STEP + 5), (5_000, 7))))
    uploads.begin(ResendRequest("T2", "s", ((0, 3),)))
    await link.let(1)
    assert link.sent == [("T1", 10, STEP)]
    await link.let(10)
    assert link.sent == [("T1", 10, STEP), ("T1", 10 + STEP, 5), ("T1", 5_000, 7), ("T2", 0, 3)]


async def test_a_range_beyond_the_take_ends_with_the_take() -> None:
    link = MeteredLink()
    uploads = Uploads(link, read)
    end = len(PCM) // 2
    uploads.begin(ResendRequest("T1", "s", ((end - 1, 2**40), (2**50, 2**40))))
    uploads.begin(ResendRequest("T2", "s", ((0, 3),)))
    await link.let(9)
    assert link.sent == [("T1", end - 1, 1), ("T2", 0, 3)]


async def test_asking_again_for_what_is_going_up_sends_nothing_twice_and_later_sends_it_anew() -> None:
    link = MeteredLink()
    uploads = Uploads(link, read)
    for _ in range(3):
        uploads.begin(ResendRequest("T1", "s", ((0, 2 * STEP),)))
    await link.let(9)
    assert link.sent == [("T1", 0, STEP), ("T1", STEP, STEP)]
    uploads.begin(ResendRequest("T1", "s", ((0, 1),)))
    await link.let(9)
    assert link.sent[2:] == [("T1", 0, 1)]


@pytest.mark.parametrize("take", ["gone", "unreadable"])
async def test_a_take_that_is_not_here_any_more_holds_nothing_up(take: str) -> None:
    link = MeteredLink()
    uploads = Uploads(link, read)
    uploads.begin(ResendRequest(take, "s", ((0, 10_000),)))
    uploads.begin(ResendRequest("T2", "s", ((0, 3),)))
    await link.let(9)
    assert link.sent == [("T2", 0, 3)]
