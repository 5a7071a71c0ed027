"""The scenario that all pictures of a session show: its task, what was said, and what the shipped database and English answer."""

import functools
import tempfile
from pathlib import Path
from typing import NamedTuple

import scenarios
from domain.code_labels import Decoding
from domain.database.build import shipped_database
from domain.query_backend import Backend, English
from session import events as e
from session.values.answers import OtherReading, Table, compose
from session.values.clock import Stamp
from session.values.column_display import Reading
from session.values.vocabulary import Language

AT = Stamp("desk", 0, 0)
TASK = (
    "You want to go from Boston to Denver late in the afternoon, and to have dinner on board. Find out which flights "
    "there are, and which of them serves dinner."
)
SAID = "what flights leave boston for denver after four"
LONG = "flights from boston to denver in the evening with their fares and aircraft"
TODAY = "1991-06-03"
MOST_ROWS = 40


class ProductAnswer(NamedTuple):
    """What the product makes of a request: the first reading, its rows, how people read them, and the other readings."""

    sql: str
    table: Table
    reading: Reading
    paraphrase: str
    confidence: float
    others: tuple[OtherReading, ...]

    def text(self, width: int) -> str:
        """The answer as a participant sees it."""
        return compose(self.table, width, MOST_ROWS, reading=self.reading, expand=True)


@functools.cache
def product_answer(request: str) -> ProductAnswer:
    """Ask the shipped air-travel domain."""
    backend = _backend()
    found = backend.understand(request, (), Language.ENGLISH)
    table = backend.run(found.sql)
    others = backend.counted(found.others)
    return ProductAnswer(found.sql, table, backend.reading(table), found.paraphrase, found.confidence, others)


@functools.cache
def _backend() -> Backend:
    folder = Path(scenarios.__file__).parent / "air_travel"
    url = f"sqlite:///{shipped_database('air_travel', Path(tempfile.mkdtemp()))}"
    return Backend(url, "1", English(folder, url, TODAY), decoding=Decoding.of(folder))


def task() -> e.ScenarioStarted:
    return e.ScenarioStarted(number=1, scenario="dinner", title="Dinner aloft", text=TASK, kind="trip")
