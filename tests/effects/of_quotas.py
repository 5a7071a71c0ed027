"""Effects of a study's quotas, seen where one more session is opened."""

from rehearsal.checkup import study as checkup
from session import events as e
from session.collection.open_session import plan_session
from session.store.event_store import Entry, Store
from session.study.folder import Study
from session.values.clock import Stamp
from session.values.vocabulary import Sealed
from tests.effects.next_session import DAY
from tests.effects.of_study import SESSION, seen


def _two_at_once(study: Study) -> object:
    store = Store("sqlite://")
    try:
        for _ in range(2):
            plan = plan_session(study, store.usage, "toy 1", DAY)
            store.append(plan.name, 0, [Entry(Stamp("hub", 1, 1), "hub", "", plan.opened)])
    except ValueError as error:
        return str(error)
    finally:
        store.close()
    return "both"


def _filled(study: Study) -> object:
    """What becomes of a session after another of 1.5 megabytes of sound, and what `curtain doctor` says of it."""
    store = Store(study.store_url)
    try:
        sealed = (Sealed("s", 750_000, "0" * 64),)
        facts = [plan_session(study, store.usage, "toy 1", DAY).opened, e.TakeConfirmed(take="a", sealed=sealed)]
        store.append(SESSION, 0, [Entry(Stamp("hub", 1, 1), "hub", "", fact) for fact in facts])  # type: ignore[arg-type]
        said = next(found.found for found in checkup(study.folder) if found.what == "quota")
        return said, plan_session(study, store.usage, "toy 1", DAY).name
    except ValueError as error:
        return said, str(error)
    finally:
        store.close()


seen("sessions_at_once", "whether a further session opens", 1, 2, _two_at_once)
seen(
    "recordings_at_most_gb",
    "whether a further session opens, and `curtain doctor`",
    0.001,
    0.002,
    lambda study: _filled(study),
)
