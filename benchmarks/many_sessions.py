"""The costs of a study that has collected much: opening one more session, and `curtain sessions`.

Every session holds as many facts as a real one of some 20 utterances. The wanted figures are those of 1,000 sessions and
300,000 facts on two cores; the opening must cost the same however many sessions there are.

    python -m benchmarks.many_sessions [--sessions N …] [--facts N] [--postgres URL]
"""

import argparse
import datetime
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.costs import Cost, waited_for
from benchmarks.figures import figure, percentile
from session import events as e
from session.collection.open_session import plan_session
from session.store.event_store import Store
from session.store.folds import Usage
from session.store.types import Entry, Write
from session.study.create import new
from session.study.folder import Study
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Outcome

FACTS, OPENINGS, TOGETHER = 300, 20, 20
DAY = datetime.date(2026, 1, 1)


def _opening(study: Study, number: int, facts: int) -> tuple[list[Entry], str]:
    day = DAY + datetime.timedelta(days=number // 50)
    at = Stamp("hub", number * SECOND, (1_767_225_600 + 600 * number) * SECOND)
    usage = _Numbered(number)
    planned = plan_session(study, usage, "bench 1", day)
    notes = [Entry(at, "wizard", "", e.NoteWritten(text=f"note {place} " + 60 * "x")) for place in range(facts - 4)]
    run = e.ScenarioStarted(number=1, scenario="a", title="A", text="Go.", kind="problem", common=number % 10 == 0)
    begin = [planned.opened, run]
    end = [e.ScenarioEnded(outcome=Outcome.DECLARED), e.SessionEnded(reason="done")]
    return [Entry(at, "hub", "", fact) for fact in begin] + notes + [  # type: ignore[arg-type]
        Entry(at, "hub", "", fact)  # type: ignore[arg-type]
        for fact in end
    ], planned.name


class _Numbered(Usage):
    """Ids and numbers used after `number` earlier sessions, 50 a day, one of each speaker."""

    def __init__(self, number: int) -> None:
        self._number = number

    def last_session(self, site: str, day: str) -> list[str]:
        return [f"{site}-{day}-{self._number % 50}"] if self._number % 50 else []

    def free_speaker(self, block: object, reserved: object = ()) -> str:
        from session.values.names import base36

        return base36(self._number % 40_000 + 1, 3)

    def last_number(self, speaker: str) -> int:
        return 0

    def condition(self, speaker: str) -> str:
        return ""

    def conditions(self) -> dict[str, int]:
        return {}

    def scenarios(self) -> tuple[int, int]:
        return self._number, self._number // 10


def fill(study: Study, store: Store, first: int, last: int, facts: int = FACTS) -> None:
    """Add sessions number `first` to `last`-1, some at a time."""
    for start in range(first, last, TOGETHER):
        writes = []
        for number in range(start, min(last, start + TOGETHER)):
            entries, name = _opening(study, number, facts)
            writes.append(Write(name, 0, entries))
        for done in store.append_together(writes):
            if isinstance(done, Exception):
                raise done


def opened(study: Study, store: Store, today: datetime.date) -> list[float]:
    """Milliseconds of some openings, one after the other."""

    def plan(usage: Usage) -> tuple[str, Entry]:
        planned = plan_session(study, usage, "bench 1", today)
        return planned.name, Entry(Stamp("hub", 1, 1), "hub", "", planned.opened)

    took = []
    for _ in range(OPENINGS):
        began = time.perf_counter()
        store.open_session(plan)
        took.append(1e3 * (time.perf_counter() - began))
    return took


def listed(study: Study) -> tuple[float, Cost]:
    """Seconds and cost of `curtain sessions`."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "curtain", "sessions", str(study.folder)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cost = waited_for(process)
    return time.perf_counter() - began, cost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, nargs="*", default=[10, 1000])
    parser.add_argument("--facts", type=int, default=FACTS, help="of each session; fewer, where there are very many")
    parser.add_argument("--postgres", default="", help="the URL of an empty database to use in place of SQLite")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        study, before = _study(Path(folder) / "study", options.postgres), 0
        store = Store(study.store_url)
        for sessions in sorted(options.sessions):
            fill(study, store, before, sessions, options.facts)
            before = sessions
            took = opened(study, store, DAY + datetime.timedelta(days=5000 + sessions))
            print(figure(f"sessions_{sessions}_opening_p50", percentile(took, 0.5), "ms"))
            for call in ("first", "again"):
                seconds, cost = listed(study)
                limit = "under 1 s, 100 MB at 1,000" if call == "again" else ""
                print(figure(f"sessions_{sessions}_list_{call}", seconds, "s", limit, digits=2))
                print(figure(f"sessions_{sessions}_list_{call}_processor", cost.processor, "s", digits=2))
                print(figure(f"sessions_{sessions}_list_{call}_memory", cost.megabytes, "MB", digits=0), flush=True)
        began = time.perf_counter()
        faults = store.check_folds()
        print(figure("folds_checked", time.perf_counter() - began, "s"))
        print(figure("folds_wrong", len(faults), "findings", "0", digits=0))
        store.close()
    return 1 if faults else 0


def _study(folder: Path, postgres: str) -> Study:
    from session.study.folder import load

    new(folder)
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8").replace(
        'last = "0zz"', 'last = "zzz"'
    )  # every session has a speaker of its own
    if postgres:
        text = text.replace('store = "sqlite:///collection.sqlite"', f'store = "{postgres}"')
    path.write_text(text, encoding="utf-8")
    return load(folder)


if __name__ == "__main__":
    sys.exit(main())
