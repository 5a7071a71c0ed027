"""Keeps Python's collector of cyclic garbage from holding up people who wait.

Its full collections look at every object there is. Most of a desk's or a hub's were made at its start, by imports, and live as
long as the process; looking through them takes longer than a whole turn is allowed to.
"""

import gc


def settle() -> None:
    """Take what exists now for good: collected once here, it is never looked at again. For whoever owns the process."""
    gc.collect()
    gc.freeze()
