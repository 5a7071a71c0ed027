"""Brings a hub to life: store, recordings, certificate and server together, closed again in the right order.

Everything that needs a hub goes through here: the wizard's own, the one for many desks, the rehearsal, the tests.
"""

import asyncio
import os
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import MappingProxyType

from session.collection.recordings import Recordings
from session.collection.study_lock import shared_lock
from session.collection.take_archive import TakeArchive
from session.hub.certificates import server_context
from session.hub.connection import Admit, connection_factory
from session.hub.hub import Hub, HubDomain
from session.hub.lease_keeper import LeaseKeeper
from session.hub.query_runner import QueryBackend
from session.hub.reply_voice import VoiceOf
from session.hub.side_requests import StudyInformation
from session.hub.thread_groups import ThreadGroups
from session.store.event_store import Store
from session.store.leases import Leases
from session.transport.listen_address import ListenAddress
from session.transport.page import PageServer
from session.transport.websocket import Address, HubServer, RunningServer
from session.values.clock import Clock
from session.values.names import ulid


class RunningHub:
    """A hub that is listening."""

    def __init__(
        self,
        hub: Hub,
        store: Store,
        recordings: Recordings,
        served: RunningServer,
        listening: ListenAddress,
        fingerprint: str,
    ) -> None:
        self.hub = hub
        self.store = store
        self.recordings = recordings
        self.served = served
        self.port = served.port
        self.encrypted = bool(fingerprint)
        self._listening = listening
        self._fingerprint = fingerprint

    def address(self, session: str, token: str, host: str = "") -> Address:
        """Return the address for a desk of this token; `host` is this machine's name as the desk knows it."""
        port = self.port
        if self._listening.behind:
            proxy = ListenAddress.parse(self._listening.behind)
            host, port = proxy.host, proxy.port
        return Address(
            host or self._listening.host, port, session, token, tls=self.encrypted, fingerprint=self._fingerprint
        )


@asynccontextmanager
async def running_hub(
    folder: Path,
    store_url: str,
    database: Callable[[], QueryBackend],
    admit: Callable[[Store], Admit],
    clock: Clock,
    listening: ListenAddress,
    beside: StudyInformation | None = None,
    pages: PageServer | None = None,
    voice: VoiceOf | None = None,
    archive: TakeArchive | None = None,
    others: Mapping[str, HubDomain] = MappingProxyType({}),
) -> AsyncIterator[RunningHub]:
    """A hub over the study in `folder`, listening until the block ends; `admit` knows the tokens of its store, `beside` answers
    what consoles ask beside a session, `pages` is a page for subjects, and sealed takes go to `archive`, where there is one;
    `others` are the further domains of the study.

    Raises StoreUnavailable when the store cannot be opened and OSError when the address cannot be had or somebody withdraws.
    """
    async with AsyncExitStack() as closing:  # each is closed, in this order backwards, whatever the others say
        closing.enter_context(shared_lock(folder))
        context: ssl.SSLContext | None = None
        fingerprint = ""
        if listening.encrypts or (listening.behind and not listening.insecure):
            context, fingerprint = await asyncio.to_thread(server_context, folder)
        store = await _opened(store_url)
        closing.callback(store.close)
        recordings = Recordings(folder / "recordings", archive)
        closing.callback(recordings.close)
        writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        closing.callback(writer.shutdown, cancel_futures=True)
        threads = ThreadGroups.apart()
        closing.callback(threads.close)
        keeper = LeaseKeeper(await asyncio.to_thread(Leases, store, f"{clock.name} {ulid(0)}"), clock, threads)
        closing.push_async_callback(keeper.close)
        hub = Hub(store, recordings, database, clock, writer, beside, voice, keeper, threads, others)
        closing.push_async_callback(hub.close)
        await keeper.start(hub.give_up)
        served = await _served(
            HubServer(connection_factory(hub, admit(store), clock), clock, pages), listening, context
        )
        closing.push_async_callback(served.close)
        closing.callback(hub.leave_off)
        yield RunningHub(hub, store, recordings, served, listening, fingerprint)


async def _opened(store_url: str) -> Store:
    """The store, opened in a thread; where the start is interrupted meanwhile, it is closed as soon as it is there."""
    opening = asyncio.get_running_loop().run_in_executor(None, Store, store_url)
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(_unwanted)
        raise


def _unwanted(opening: asyncio.Future[Store]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


async def _served(server: HubServer, listening: ListenAddress, context: ssl.SSLContext | None) -> RunningServer:
    own = context if listening.encrypts else None
    try:
        return await server.start(listening.host, listening.port, own, encrypted=context is not None)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
        raise OSError(
            f"the hub cannot listen on {listening.host}:{listening.port} ({why}): name another place with --listen HOST:PORT"
        ) from error
