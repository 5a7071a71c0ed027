"""Benchmark of the event store: durable appends per second, beside the disk's own limit, and reading and folding 10,000
events.

`python benchmarks/store.py [URL]`; without a URL, SQLite in a temporary folder. An append is what the hub does for one command:
one transaction, on disk before it returns.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from session import events as e
from session.state.fold import fold
from session.store.event_store import Entry, Store
from session.values.clock import SECOND, Stamp

APPENDS = 500
EVENTS = 10_000


def stamped(seq: int) -> Stamp:
    return Stamp("hub", seq * SECOND, seq * SECOND)


def entry(seq: int) -> Entry:
    """A typical fact: a transcription, every fourth time a note."""
    text = "show me the flights from Boston to Denver that serve a meal on the way"
    fact: e.Fact = e.NoteWritten(text=text)
    if seq % 4:
        fact = e.Transcribed(at=stamped(seq), take=f"{seq:026d}", text=text)
    return Entry(stamped(seq), "wizard", f"C{seq}", fact)


def appending(store: Store) -> list[float]:
    """Seconds of each durable append of one event."""
    took = []
    for seq in range(APPENDS):
        began = time.perf_counter()
        store.append("appending", seq, [entry(seq)])
        took.append(time.perf_counter() - began)
    return took


def syncing(folder: Path) -> float:
    """Seconds that the disk itself needs for one small durable write."""
    took = []
    with (folder / "sync").open("ab", buffering=0) as file:
        for _ in range(100):
            began = time.perf_counter()
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
            took.append(time.perf_counter() - began)
    return statistics.median(took)


def reading(store: Store) -> tuple[float, float, float]:
    """Seconds to read, to fold and to verify a stream of 10,000 events."""
    for start in range(0, EVENTS, 1000):
        store.append("reading", start, [entry(start + seq) for seq in range(1000)])
    began = time.perf_counter()
    recorded = store.read("reading")
    read = time.perf_counter()
    fold(recorded)
    folded = time.perf_counter()
    store.verify("reading")
    return read - began, folded - read, time.perf_counter() - folded


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(sys.argv[1] if len(sys.argv) > 1 else f"sqlite:///{folder}/bench.sqlite")
        took = appending(store)
        print(f"durable appends     {APPENDS / sum(took):8.0f} per second")
        print(f"  median            {statistics.median(took) * 1e3:8.2f} ms")
        print(f"  99th percentile   {statistics.quantiles(took, n=100)[98] * 1e3:8.2f} ms")
        print(f"one fdatasync       {syncing(Path(folder)) * 1e3:8.2f} ms, the disk's own limit")
        for what, seconds in zip(("read", "fold", "verify"), reading(store), strict=True):
            print(f"{what:<8} {EVENTS} events{seconds * 1e3:8.0f} ms")
        store.close()


if __name__ == "__main__":
    main()
