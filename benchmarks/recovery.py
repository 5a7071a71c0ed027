"""Benchmark of recovery after a cut link or a crash: megabytes per second that a subject's desk sends and the hub confirms.

Takes lie finished in the spool and the hub has nothing of them. A real desk, with all its work at start-up, connects to a real
hub in a process of its own over a real socket; the clock runs until every take is confirmed by count and hash and its copy
is gone. Then each is read back at the hub and compared.

    python -m benchmarks.recovery [--takes N] [--seconds S]
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.figures import figure
from benchmarks.hubs import hub, name
from benchmarks.torture.processes import BY_ROLE
from session.collection.recordings import Recordings
from session.study.settings import Profile
from session.transport.websocket import Address
from session.values.clock import Stamp, SystemClock
from session.values.names import ulid
from session.values.vocabulary import Echo, Role
from subject.capture.take_file import ChannelEnd, TakeFile, TakeHeader
from subject.desk import SubjectDesk

RATE = 16_000
PROFILE = Profile(name="bench", consent=False, echo=Echo.NEVER, reply_limit_s=0, longest_take_s=4 * 3600.0)


def leave_behind(spool: Path, takes: int, seconds: float) -> dict[str, bytes]:
    """Finished takes that nobody has heard of, by name."""
    random = np.random.default_rng(1992)
    left: dict[str, bytes] = {}
    spool.mkdir()
    for number in range(takes):
        take = ulid(number * 1_000_000_000)
        left[take] = random.integers(-9_000, 9_000, int(seconds * RATE)).astype("<i2").tobytes()
        file = TakeFile(spool, TakeHeader(take, "s", RATE, "benchmark", Stamp("b", 0, 0)))
        file.hold(left[take])
        file.seal(ChannelEnd())
    return left


async def _recover(port: int, spool: Path) -> tuple[float, float]:
    """Seconds until the desk stood, and until nothing was left."""
    began = time.perf_counter()
    address = Address("127.0.0.1", port, name(0), BY_ROLE[Role.SUBJECT], tls=False)
    desk = SubjectDesk(address, SystemClock("subject"), spool, [], lambda: None)
    stood = time.perf_counter()
    link = asyncio.ensure_future(desk.run())
    while len(desk.kept.spool) or desk.kept.pending():
        await asyncio.sleep(0.01)
    took = time.perf_counter() - stood
    link.cancel()
    await asyncio.gather(link, return_exceptions=True)
    await desk.close()
    return stood - began, took


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--takes", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        left = leave_behind(folder / "spool", options.takes, options.seconds)
        spent = time.process_time()
        with hub(folder, 1, PROFILE) as running:
            stood, took = asyncio.run(_recover(running.port, folder / "spool"))
        spent = time.process_time() - spent
        recordings = Recordings(folder / "recordings")
        wrong = sum(recordings.pcm(name(0), take, "s") != pcm for take, pcm in left.items())
        recordings.close()
    megabytes = sum(map(len, left.values())) / 1e6
    print(figure("left_behind", megabytes, "MB"))
    print(figure("desk_stood_after", stood, "s", digits=2))
    print(figure("recovery_rate", megabytes / took, "MB/s confirmed", "16 kHz speech is 0.032"))
    print(figure("desk_cpu", 1e3 * spent / megabytes, "ms/MB"))
    print(figure("hub_cpu", 1e3 * running.cpu_s / megabytes, "ms/MB"))
    print(figure("takes_wrong_at_the_hub", wrong, "takes", "0", digits=0))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
