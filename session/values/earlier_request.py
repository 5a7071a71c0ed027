"""An earlier request of a dialogue, with what came of it: the context in which a later one is understood."""

from __future__ import annotations

import msgspec

from session.values.answers import Table


class EarlierRequest(msgspec.Struct, frozen=True):
    """`text` is the request as it was last put: in the wizard's rewording, else as it was said. `sql` is the statement whose
    answer went out, empty where none did; `table` holds the rows of it that the subject could see, in their order."""

    text: str
    sql: str = ""
    table: Table | None = None
