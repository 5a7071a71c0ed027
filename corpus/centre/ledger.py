"""`ledger.sqlite`: the append-only history of a centre, from which its state is folded."""

import heapq
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar, cast

from corpus.centre import facts as f
from corpus.centre.centre_settings import SETTINGS, CentreSettings, settings_of, template
from corpus.centre.facts import LEDGER, CentreFact
from corpus.centre.recovery import recover, recover_files, strays
from corpus.formats.errors import FormatFault
from corpus.io.staging import Refused, locked
from session.events import Fact, Recorded, SpeakerWithdrawn
from session.store.sqlite_file import StreamsFile
from session.store.types import Entry, SecondWriter
from session.store.upcasting import UNREADABLE
from session.values.clock import SECOND, Clock, stamp

if TYPE_CHECKING:
    from session.store.event_store import Store

STREAM = "centre"
_PERSON = "about-"
LEDGER_FILE = "ledger.sqlite"
DELIVERIES, RELEASES, VOLUMES, TESTS = "deliveries", "releases", "volumes", "tests"
_OF_A_DAY = ("", *"bcdefghijklmnopqrstuvwxyz")
RETURNED, REPORTS = "returned", "reports"
FAULTS = (FormatFault, Refused, OSError, SecondWriter, *UNREADABLE)
"""What stops a command at a centre with one line."""

Kind = TypeVar("Kind")


class DatedFact(tuple[datetime, CentreFact]):
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

    Raises `Refused` if the folder is not a centre or another program has it, what `Store` raises where the ledger cannot be
    read.
    """

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.settings: CentreSettings = settings_of(folder)
        self.folder = folder
        self._clock = clock
        self._held = ExitStack()
        try:
            self._held.enter_context(locked(folder, wait=False))
        except BlockingIOError:
            raise Refused(f"another program is at work in {folder}; try again when it is done") from None
        try:
            self._store = self._held.enter_context(_streams(folder))
            self._read()
            for name, known in self._known().items():
                recover(folder / name, known)
            recover_files(folder / VOLUMES, {fact.volume for fact in self.facts(f.VolumeWritten)})
        except BaseException:
            self._held.close()
            raise

    def __enter__(self) -> "Centre":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._held.close()

    def _known(self) -> dict[str, set[str]]:
        """The folders below each folder of the centre that the ledger has."""
        taken = {fact.delivery for fact in self.facts(f.DeliveryReceived) if fact.outcome != "returned"}
        return {
            DELIVERIES: taken | {fact.state for fact in self.facts(f.DeliveryCorrected)},
            RELEASES: {fact.release for fact in self.facts(f.ReleaseMade)},
            TESTS: {fact.test for fact in self.facts(f.TestSetMade)},
        }

    def kept(self) -> list[Path]:
        """The folders of all deliveries and their states, superseded ones too."""
        return [
            path for name in sorted(self._known()[DELIVERIES]) if (path := self.folder / DELIVERIES / name).is_dir()
        ]

    def strays(self) -> list[str]:
        """The folders that the ledger does not know, in sentences."""
        return [
            f"{path} is in no ledger: restore {LEDGER_FILE} from a copy, or delete the folder"
            for name, known in self._known().items()
            for path in strays(self.folder / name, known)
        ]

    def _read(self) -> None:
        self._lengths = self._store.lengths()
        self.happened = [found for found in self.everything() if not isinstance(found.fact, f.FileRepaired)]

    def everything(self) -> Iterator[DatedFact]:
        """All facts in their order, one at a time: `happened` has not the repairs, of which there are as many as utterances."""
        streams = [_dated(self._store.each(stream)) for stream in sorted(self._lengths)]
        for _, r in heapq.merge(*streams, key=itemgetter(0)):
            yield _happened(r.at.wall, r.event)

    def record(self, *facts: CentreFact, about: str = "") -> None:
        """Append facts, those `about` a person to a stream of their own, which goes with the person; raises SecondWriter if
        another program has recorded something meanwhile."""
        self.record_all(facts, about)

    def record_all(self, facts: Iterable[CentreFact], about: str = "") -> None:
        """Append facts as `record` does, all of them or none, while they are told one by one."""
        at, stream = stamp(self._clock), f"{_PERSON}{about}" if about else STREAM
        kept, length = list[DatedFact](), self._lengths.get(stream, 0)

        def entries() -> Iterator[Entry]:
            for fact in facts:
                if not isinstance(fact, f.FileRepaired):
                    kept.append(_happened(at.wall, fact))
                yield Entry(at, self.settings.name, "", cast(Fact, fact))

        self._lengths[stream] = self._store.append(stream, length, entries())
        self.happened += kept

    def erase(self, speaker: str) -> None:
        """Erase what was told about a person beside the data; raises what `Store.withdraw` raises."""
        stream = f"{_PERSON}{speaker}"
        if stream in self._lengths:
            fact = SpeakerWithdrawn(speaker, 0)
            with closing(_store(self.folder)) as store:
                store.withdraw([stream], self.settings.name, stamp(self._clock), fact)
            self._read()

    def facts(self, kind: type[Kind]) -> Iterator[Kind]:
        """The facts of one kind, in their order."""
        held = self.everything() if issubclass(f.FileRepaired, kind) else self.happened
        return (found.fact for found in held if isinstance(found.fact, kind))

    def last(self, kind: type[Kind]) -> Kind | None:
        """The last fact of one kind."""
        return next((found.fact for found in reversed(self.happened) if isinstance(found.fact, kind)), None)

    def faults(self) -> list[str]:
        """Return the problems of the ledger's chain, in sentences."""
        return [fault for stream in sorted(self._lengths) for fault in self._store.verify(stream)]

    @property
    def today(self) -> str:
        """The date, as releases bear it."""
        return f"{self.now:%Y%m%d}"

    def name_of_today(self, taken: Callable[[str], bool], what: str) -> str:
        """The date, with a letter after it from the second of a day on; raises `Refused` when a day has 26 of `what`."""
        for name in (f"{self.today}{letter}" for letter in _OF_A_DAY):
            if not taken(name):
                return name
        raise Refused(f"{self.today} has 26 {what} already; try again tomorrow")

    @property
    def now(self) -> datetime:
        """The present time, UTC."""
        return datetime.fromtimestamp(self._clock.wall_ns() / SECOND, UTC)

    def place(self, *names: str) -> Path:
        """A path below the centre, whose folder is made."""
        path = self.folder.joinpath(*names)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


@contextmanager
def _streams(folder: Path) -> Iterator[StreamsFile]:
    """The streams of a ledger, which is made where there is none."""
    with closing(StreamsFile(folder / LEDGER_FILE, LEDGER)) as found:
        if not found.is_made:
            _store(folder).close()
        yield found


def _store(folder: Path) -> "Store":
    """The ledger as it is made, and as persons are erased from it: seldom, and it takes long to load what does that."""
    from session.store.event_store import Store

    return Store(f"sqlite:///{folder / LEDGER_FILE}", LEDGER)


def _dated(records: Iterable[Recorded]) -> Iterator[tuple[int, Recorded]]:
    """The records of a stream with the latest time so far: a clock that was put back changes nothing about their order."""
    latest = 0
    for record in records:
        latest = max(latest, record.at.wall)
        yield latest, record


def _happened(wall: int, fact: object) -> DatedFact:
    return DatedFact((datetime.fromtimestamp(wall / SECOND, UTC), cast(CentreFact, fact)))


def found_centre(folder: Path, name: str) -> None:
    """Make the folder of a centre; raises `Refused` if there is something already."""
    if folder.exists():
        raise Refused(f"{folder} exists already; name a new folder, nothing is overwritten")
    if not folder.parent.is_dir():
        raise Refused(f"{folder.parent} is not a directory; make it first")
    folder.mkdir()
    (folder / "keys").mkdir(mode=0o700)
    (folder / "documents").mkdir()
    (folder / SETTINGS).write_text(template(name), encoding="utf-8")
    _store(folder).close()
