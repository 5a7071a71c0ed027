"""Work that a hub does beside its sessions for as long as it lives: a fault costs one round of it, and is loud.

The lobby's queue, renewed tokens, the experimenter's page at other hubs: nobody awaits these, so that one that ended of a fault
would be missed by nobody but the people who wait.
"""

import logging
from collections.abc import Awaitable, Callable

from session.values.clock import Clock

LOG = logging.getLogger(__name__)
AGAIN_S = 2.0


async def steadily(work: Callable[[], Awaitable[None]], clock: Clock) -> None:
    """Do `work` until it is done or cancelled, again after each fault."""
    while True:
        try:
            await work()
        except Exception:
            LOG.exception("a fault of this program; what it was at begins again in %g s", AGAIN_S)
            await clock.sleep(AGAIN_S)
        else:
            return
