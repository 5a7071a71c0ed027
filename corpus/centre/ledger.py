"""`ledger.sqlite`: everything that ever happened at a centre, one append-only stream; all else is folded from it."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TypeVar, cast

from corpus.centre.facts import LEDGER, CentreFact
from corpus.centre.settings import SETTINGS, Settings, settings_of, template
from corpus.io.staging import Refused
from session.events import Fact
from session.store.event_store import Entry, Store
from session.values.clock import SECOND, Clock, stamp

STREAM = "centre"
LEDGER_FILE = "ledger.sqlite"
DELIVERIES, RELEASES, VOLUMES, TESTS, RETURNED, ARRIVALS = (
    *("deliveries", "releases", "volumes", "tests", "returned", "arrivals"),
)

Kind = TypeVar("Kind")


class Happened(tuple[datetime, CentreFact]):
    """A fact of the ledger with its time."""

    @property
    def at(self) -> datetime:
        """The time at which it was recorded, UTC."""
        return self[0]

    @property
    def fact(self) -> CentreFact:
        """The fact itself."""
        return self[1]


class Centre:
    """A centre's folder with its ledger open; to be used in a `with` block, by one program at a time.

    Raises `Refused` where the folder is no centre, what `Store` raises where the ledger cannot be read.
    """

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.settings: Settings = settings_of(folder)
        self.folder = folder
        self._clock = clock
        self._store = Store(f"sqlite:///{folder / LEDGER_FILE}", LEDGER)
        self.happened = [_happened(record.at.wall, record.event) for record in self._store.read(STREAM)]

    def __enter__(self) -> "Centre":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._store.close()

    def record(self, *facts: CentreFact) -> None:
        """Append facts; raises SecondWriter where another program has recorded something meanwhile."""
        at = stamp(self._clock)
        entries: Sequence[Entry] = [Entry(at, self.settings.name, "", cast(Fact, fact)) for fact in facts]
        self._store.append(STREAM, len(self.happened), entries)
        self.happened += [_happened(at.wall, fact) for fact in facts]

    def facts(self, kind: type[Kind]) -> Iterator[Kind]:
        """The facts of one kind, in their order."""
        return (found.fact for found in self.happened if isinstance(found.fact, kind))

    def last(self, kind: type[Kind]) -> Kind | None:
        """The last fact of one kind."""
        return next((found.fact for found in reversed(self.happened) if isinstance(found.fact, kind)), None)

    def faults(self) -> list[str]:
        """Return what is wrong with the chain of the ledger, in sentences."""
        return self._store.verify(STREAM)

    @property
    def today(self) -> str:
        """The date, as releases bear it."""
        return f"{self.now:%Y%m%d}"

    @property
    def now(self) -> datetime:
        """The present time, UTC."""
        return datetime.fromtimestamp(self._clock.wall_ns() / SECOND, UTC)

    def place(self, *names: str) -> Path:
        """A path below the centre, whose folder is made."""
        path = self.folder.joinpath(*names)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


def _happened(wall: int, fact: object) -> Happened:
    return Happened((datetime.fromtimestamp(wall / SECOND, UTC), cast(CentreFact, fact)))


def found_centre(folder: Path, name: str) -> None:
    """Make the folder of a centre; raises `Refused` where there is something already."""
    if folder.exists():
        raise Refused(f"{folder} exists already; name a new folder, nothing is overwritten")
    if not folder.parent.is_dir():
        raise Refused(f"{folder.parent} is no directory; make it first")
    folder.mkdir()
    (folder / "keys").mkdir(mode=0o700)
    (folder / "documents").mkdir()
    (folder / SETTINGS).write_text(template(name), encoding="utf-8")
    Store(f"sqlite:///{folder / LEDGER_FILE}", LEDGER).close()
