"""Whatever a desk sends, the hub stays: the desk is thrown out or served, and everybody else goes on."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from session import commands as c
from session import events as e
from session.collection.recordings import Recordings
from session.hub import take_confirmation
from session.hub.take_confirmation import UNANNOUNCED
from session.protocol.messages import (
    LARGEST_DESK_FRAME,
    AudioChunk,
    CommandMessage,
    Hello,
    InvalidCommand,
    Ping,
    WireError,
    decode_desk_message,
    encode,
)
from session.values.clock import Stamp
from session.values.vocabulary import Channel, Sealed
from tests import THOROUGH
from tests.session.strategies import TEXT, of_hint, of_struct
from tests.together.pipe import SESSION, Bench, PipedDesk, at, opened

REPORTS = st.builds(
    lambda name, event: CommandMessage(c.Report(id=name, event=event)),
    st.sampled_from(("r1", "r2", "r3")) | TEXT,
    st.one_of(of_hint(c.SubjectFact)),
)
REQUESTS = st.builds(CommandMessage, of_hint(c.SubjectRequest) | of_hint(c.ConsoleRequest))
SOUNDS = st.builds(
    AudioChunk,
    take=st.sampled_from(("T1", "T2", "x" * 26)),
    letter=st.sampled_from("sc"),
    first=st.integers(0, 2**39),
    pcm=st.binary(max_size=64).map(lambda data: data[: len(data) // 2 * 2]),
)
MESSAGES: st.SearchStrategy[Any] = REPORTS | REQUESTS | SOUNDS | of_struct(Ping) | of_struct(Hello)
GARBAGE = st.binary(max_size=80) | st.text(max_size=80)


@st.composite
def spoilt(draw: st.DrawFn) -> str | bytes:
    """A frame of the protocol, whole or with a piece cut out, put in twice, or overwritten."""
    frame = encode(draw(MESSAGES))
    data = frame.encode() if isinstance(frame, str) else frame
    start, stop = sorted((draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))))
    new = draw(st.sampled_from((data, data[:start] + data[stop:], data[:stop] + data[start:])))
    if isinstance(frame, bytes):
        return new
    return new.decode("utf-8", "replace")


FRAMES = st.lists(spoilt() | GARBAGE, max_size=12)


@settings(max_examples=60 if THOROUGH else 30)
@given(FRAMES, st.sampled_from(("t-subject", "t-wizard", "t-observer")))
def test_no_stream_of_frames_harms_the_hub_or_another_desk(frames: list[str | bytes], token: str) -> None:
    asyncio.run(_bombarded(frames, token))


async def _bombarded(frames: list[str | bytes], token: str) -> None:
    bench = Bench()
    await bench.hub.open(SESSION, opened())
    hostile = await PipedDesk(bench, token, "hostile").connect()
    for frame in frames:
        await hostile.raw(frame)
        await asyncio.sleep(0)
        if hostile.closed:
            hostile.closed = ""
            await hostile.connect()
    await bench.settle()
    await hostile.cut()
    honest = await PipedDesk(bench, "t-wizard", "honest").connect()
    await honest.give(c.WriteNote(id="honest-note", text="all is well"))
    assert honest.answers["honest-note"] is None
    assert bench.store.verify(SESSION) == []
    assert len(bench.store.read(SESSION)) == honest.link.have
    await bench.close()


def refusal(frame: str | bytes) -> str | None:
    """What the hub says to a frame that it does not understand."""
    try:
        decode_desk_message(frame)
    except (WireError, InvalidCommand) as error:
        return str(error)
    return None


@given(GARBAGE | spoilt())
def test_a_frame_is_understood_or_refused_in_words(frame: str | bytes) -> None:
    assert refusal(frame) != ""


@pytest.mark.parametrize("wrong", [2**63, -(2**63), 10**40])
def test_a_time_that_no_calendar_holds_is_refused(wrong: int) -> None:
    call = encode(CommandMessage(c.Report(id="x", event=e.ExperimenterCalled(at=Stamp("d", 77, 0)))))
    for frame in (str(call).replace("77", str(wrong)), f'{{"m":"ping","sent":{wrong}}}'):
        with pytest.raises((WireError, InvalidCommand)):
            decode_desk_message(frame)


async def test_sound_that_nobody_announced_or_of_a_channel_that_is_none_is_kept_in_small_amounts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(take_confirmation, "UNANNOUNCED_BYTES", 5_000)
    recordings = Recordings(tmp_path)
    bench = Bench(recordings=recordings)  # type: ignore[arg-type]  # the real ones in place of those in memory
    await bench.hub.open(SESSION, opened())
    hostile = await PipedDesk(bench, "t-subject", "hostile").connect()

    async def sound(take: str, letter: str, pieces: int) -> None:
        for piece in range(pieces):
            await hostile.raw(encode(AudioChunk(take, letter, 500 * piece, bytes(1_000))))

    def kept(name: str) -> int:
        path = tmp_path / SESSION / f"{name}.pcm.part"
        return path.stat().st_size if path.exists() else 0

    await sound("T1", "s", 20)
    assert kept("T1.s") == 5_000
    started = e.RecordingStarted(at=at(1), take="T1", channels=(Channel("s", "near", 16_000),), pre_roll=0)
    await hostile.give(c.Report(id="r", event=e.TalkPressed(at=at(1), take="T1")))
    await hostile.give(c.Report(id="s", event=started))
    for letter in "sz":
        await sound("T1", letter, 20)
    assert (kept("T1.s"), kept("T1.z")) == (20_000, 0)
    recordings.close()
    await bench.close()


async def test_sound_of_takes_that_nobody_announced_fills_no_disk(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path)
    bench = Bench(recordings=recordings)  # type: ignore[arg-type]  # the real ones in place of those in memory
    await bench.hub.open(SESSION, opened())
    hostile = await PipedDesk(bench, "t-subject", "hostile").connect()
    for number in range(200):
        await hostile.raw(encode(AudioChunk(f"T{number}", "s", 2**39, b"\1\2")))
        await hostile.raw(encode(AudioChunk(f"T{number}", "s", 3, b"\1\2")))
    files = [path for path in (tmp_path / SESSION).rglob("*") if path.is_file()]
    assert len({path.name.split(".")[0] for path in files}) <= UNANNOUNCED
    assert sum(path.stat().st_size for path in files) < 100 * UNANNOUNCED
    recordings.close()
    await bench.close()


async def test_a_take_that_is_said_to_be_endless_is_refused() -> None:
    bench = Bench()
    await bench.hub.open(SESSION, opened())
    hostile = await PipedDesk(bench, "t-subject", "hostile").connect()
    sealed = (Sealed("s", 2**60, "0" * 64),)
    await hostile.give(c.Report(id="1", event=e.RecordingStopped(at=at(), take="T1", sealed=sealed)))
    assert "samples" in (hostile.answers["1"] or "")
    assert hostile.state.takes == {}
    await bench.close()


def test_a_frame_of_ten_megabytes_is_no_sound() -> None:
    with pytest.raises((WireError, InvalidCommand)):
        decode_desk_message(bytes(10_000_000))
    assert len(msgspec.json.encode("x" * LARGEST_DESK_FRAME)) > LARGEST_DESK_FRAME
