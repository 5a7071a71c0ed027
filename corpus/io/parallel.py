"""Do one piece of work on many parts of a corpus: in this process, in several of this machine, or on a Dask cluster.

What is done to a piece depends on nothing but the piece and on what all of them share, so the results are the same wherever they
are made, and they come in the order of the pieces. Only a few pieces are on their way at any time: memory does not grow
with the corpus. A cluster's workers read the corpus themselves, so they must see it under the path that it has here.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from corpus.io.staging import Refused, Stopped
from session.gc_pauses import seldom

Shared = TypeVar("Shared")
Piece = TypeVar("Piece")
Result = TypeVar("Result")
ResultCo = TypeVar("ResultCo", covariant=True)
Work = Callable[[Shared, Piece], Result]
MANY = 500  # subject-scenarios from which further processes are worth their start
PART = 32  # subject-scenarios that a process gets at a time: about a tenth of a second's work
AHEAD = 3  # pieces that wait for each process, so that none is idle
REACH_S = 10
_EXTRA = "the extra dask is not installed; pip install 'curtain-woz[dask]', or leave --cluster out"


class _Future(Protocol[ResultCo]):
    def result(self) -> ResultCo: ...


class Jobs(msgspec.Struct, frozen=True):
    """Workers: `processes` of this machine (1: this one alone), or the Dask cluster whose scheduler has the address
    `cluster`, such as `tcp://10.0.0.1:8786`."""

    processes: int = 1
    cluster: str = ""

    @property
    def width(self) -> int:
        """Return how many pieces are worked on at a time, as far as can be known beforehand."""
        return 1 if self.cluster else self.processes

    def part(self, scenarios: int) -> int:
        """Return how many of so many subject-scenarios make a piece: few enough that nobody waits for the others at the end."""
        return max(1, min(PART, scenarios // (4 * self.width)))

    def path_of(self, root: Path) -> Path:
        """The path by which those who do the work find a corpus; workers of a cluster have directories of their own."""
        return root.resolve() if self.cluster else root

    @property
    def alone(self) -> bool:
        """Return whether this process does all the work itself."""
        return self.processes == 1 and not self.cluster

    def over(
        self, work: Work[Shared, Piece, Result], shared: Shared, pieces: Iterable[Piece], root: Path
    ) -> Generator[Result, None, None]:
        """`work(shared, piece)` for each of `pieces`, in their order; `root` is the corpus that they are of.

        Raises `Stopped` if the cluster cannot be used or a process was lost, and what `work` raises.
        """
        if self.cluster:
            return _on_cluster(self.cluster, work, shared, pieces, root)
        if self.processes > 1:
            return _in_processes(self.processes, work, shared, pieces)
        return (work(shared, piece) for piece in pieces)


def chosen(processes: int | None, cluster: str, large: bool) -> Jobs:
    """The jobs of a command; where `processes` is None, a large corpus gets as many as there are processors, a small one one.

    Raises `Refused` when both a number and a cluster are given.
    """
    if processes and cluster:
        raise Refused("--jobs counts processes of this machine, --cluster names another; give one of them")
    return Jobs(processes or (os.cpu_count() or 1 if large else 1), cluster)


def _in_processes(
    processes: int, work: Work[Shared, Piece, Result], shared: Shared, pieces: Iterable[Piece]
) -> Generator[Result, None, None]:
    spawning = multiprocessing.get_context("spawn")  # a fork would copy the locks of whatever threads are running
    with ProcessPoolExecutor(processes, spawning, _keep, (work, shared)) as pool:
        try:
            yield from _in_order(lambda piece: _submitted(pool, piece), pieces, AHEAD * processes)
        except BrokenProcessPool:
            raise Stopped(
                f"one of {processes} processes was ended from outside, perhaps for want of memory; give a smaller --jobs"
            ) from None
        finally:
            # Whoever presses Ctrl-C again would leave processes behind that the interpreter waits for.
            with _interrupts_held_back():
                pool.shutdown(cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, piece: object) -> _Future[Any]:
    with _interrupts_held_back():  # it may start a process
        return pool.submit(_kept, piece)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let an interrupt wait until the block ends; a process that starts in it gets none, not even while it is still loading."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupts: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
    if interrupts:
        raise KeyboardInterrupt


_kept_work: list[tuple[Work[Any, Any, Any], Any]] = []
"""In a worker: what it was given when it started, so that it is not sent with every piece."""


def _keep(work: Work[Any, Any, Any], shared: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that waits for this one
    seldom()
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    _kept_work.append((work, shared))


def _end_with(parent: multiprocessing.process.BaseProcess | None) -> None:
    """Nobody tells a process that the one which it works for was killed: without this it would wait forever."""
    if parent is not None:
        parent.join()
        os._exit(1)


def _kept(piece: object) -> Any:
    work, shared = _kept_work[-1]
    return work(shared, piece)


def _on_cluster(
    address: str, work: Work[Shared, Piece, Result], shared: Shared, pieces: Iterable[Piece], root: Path
) -> Generator[Result, None, None]:
    try:
        from distributed import CancelledError, Client, KilledWorker
        from distributed.comm import CommClosedError

        from corpus.io.unprofiled_workers import unprofiled
    except ImportError:
        raise Stopped(_EXTRA) from None
    try:
        client = Client(address, timeout=REACH_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise Stopped(
            f"no Dask scheduler at {address} ({error}); give the address that it prints when it starts"
        ) from None
    with closing(client):
        workers = _workers(client, address, root.resolve())
        everywhere = client.scatter(shared, broadcast=True)

        def submit(piece: Piece) -> _Future[Result]:
            try:
                future: _Future[Result] = client.submit(work, everywhere, piece, pure=False)
            except Exception as error:
                if client.status != "closed":
                    raise
                raise CancelledError(f"{error}") from error  # how a closed client refuses differs by its release
            return future

        try:
            with unprofiled(client):
                yield from _in_order(submit, pieces, AHEAD * max(1, workers))
        except (CancelledError, CommClosedError, KilledWorker) as error:
            raise Stopped(
                f"the Dask cluster at {address} gave up ({type(error).__name__}: {error}); see its workers' logs"
            ) from None


def _workers(client: Any, address: str, root: Path) -> int:
    """Return how many threads the workers have; raises `Stopped` if there are none, or one does not see the corpus."""
    try:
        seen: dict[str, bool] = client.run(_sees, str(root))
    except ImportError as error:
        raise Stopped(f"the workers of {address} cannot run Curtain ({error}); install it where they run") from None
    if not seen:
        raise Stopped(f"the Dask cluster at {address} has no worker; start one: dask worker {address}")
    for worker, there in sorted(seen.items()):
        if not there:
            raise Stopped(
                f"the worker {worker} does not see {root}; put the corpus where all workers find it by this path"
            )
    return sum(client.nthreads().values())


def _sees(root: str) -> bool:
    return Path(root).is_dir()


def _in_order(submit: Callable[[Piece], _Future[Result]], pieces: Iterable[Piece], ahead: int) -> Iterator[Result]:
    waiting: deque[_Future[Result]] = deque()
    for piece in pieces:
        waiting.append(submit(piece))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
