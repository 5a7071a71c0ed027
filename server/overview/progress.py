"""The progress of a study in figures for the experimenter's page: never a name, a contact or an answer."""

import msgspec

from server.overview.words import page_words
from session.collection.roster import people_of
from session.store.event_store import Store
from session.study.folder import Study
from study.enrolment import balance, enrolled


class Progress(msgspec.Struct, frozen=True):
    """Figures with their names, and the cells that the design balances: kind, name, planned, enrolled, finished, short."""

    figures: tuple[tuple[str, str], ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()


def progress(study: Study, store: Store) -> Progress:
    """Count what is kept of the sessions, the roster and, where the study has one, the design; raises what the store raises."""
    words = page_words(study.settings.language)
    usage, people = store.usage, people_of(store)
    figures = [("going_on", str(usage.going_on())), ("scenarios", str(usage.scenarios()[0]))]
    cells: list[tuple[str, ...]] = []
    if (design := study.settings.planned) is not None:
        found = enrolled(usage, [person.speaker for person in people.values() if person.left])
        there = [one for one in found if not one.left]
        planned = f"{len(there)} / {design.subjects}" if design.subjects else str(len(there))
        figures += [("enrolled", planned), ("finished", str(sum(one.finished for one in there)))]
        cells = [
            (cell.kind, cell.name, *(str(n) for n in (cell.planned, cell.enrolled, cell.finished, cell.short)))
            for cell in balance(study, design, found)
        ]
    if people:
        came = sum(usage.visits(name) > 0 for name in people)
        left = sum(bool(person.left or person.withdrawn) for person in people.values())
        figures += [("roster", str(len(people))), ("came", str(came)), ("left", str(left))]
    return Progress(tuple((words[f"study.{key}"], value) for key, value in figures), tuple(cells))
