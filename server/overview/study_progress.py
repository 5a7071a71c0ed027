"""The progress of a study in figures for the experimenter's page: never a name, a contact or an answer."""

import datetime
from collections.abc import Collection, Mapping

import msgspec

from server.overview.overview_words import page_words
from session.collection.open_session import GIGABYTE, fullness
from session.collection.roster import Person, people_of
from session.store.event_store import Store
from session.study.folder import Study
from study.enrolment import balance, enrolled


class StudyProgress(msgspec.Struct, frozen=True):
    """Figures with their names, the cells that the design balances, and the people of the roster.

    A cell is its kind, name, planned, enrolled, finished, short; a person is pseudonym, subject or pilot, how far she has come,
    visits, scenarios that count, appointments to come.
    """

    figures: tuple[tuple[str, str], ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()
    people: tuple[tuple[str, ...], ...] = ()


def progress(study: Study, store: Store, now: datetime.datetime) -> StudyProgress:
    """Count what is kept of the sessions, the roster and, where the study has one, the design; raises what the store raises.

    `now` is the site's own time: appointments before its day are over.
    """
    words = page_words(study.settings.language)
    usage, people = store.usage, people_of(store)
    held = usage.held() if people else {}
    figures = [("going_on", str(usage.going_on())), ("scenarios", str(usage.scenarios()[0]))]
    if full := fullness(study, usage):
        figures.append(("recorded", " / ".join(f"{size / GIGABYTE:.3g}" for size in full) + " GB"))
    cells: list[tuple[str, ...]] = []
    ready: set[str] = set()
    if (design := study.settings.planned) is not None:
        found = enrolled(usage, [person.speaker for person in people.values() if person.left])
        there = [one for one in found if not one.left]
        ready = {one.speaker for one in there if one.finished}
        planned = f"{len(there)} / {design.subjects}" if design.subjects else str(len(there))
        figures += [("enrolled", planned), ("finished", str(sum(one.finished for one in there)))]
        cells = [
            (cell.kind, cell.name, *(str(n) for n in (cell.planned, cell.enrolled, cell.finished, cell.short)))
            for cell in balance(study, design, found)
        ]
    if people:
        came = sum(name in held for name in people)
        left = sum(bool(person.left or person.withdrawn) for person in people.values())
        figures += [("roster", str(len(people))), ("came", str(came)), ("left", str(left))]
    rows = tuple(
        _row(person, held.get(person.speaker, (0, 0)), ready, words, now) for _, person in sorted(people.items())
    )
    return StudyProgress(tuple((words[f"study.{key}"], value) for key, value in figures), tuple(cells), rows)


def _row(
    person: Person, held: tuple[int, int], ready: Collection[str], words: Mapping[str, str], now: datetime.datetime
) -> tuple[str, ...]:
    visits, scenarios = held
    if person.withdrawn:
        state = "withdrew"
    elif person.left:
        state = "dropped_out"
    elif person.speaker in ready:
        state = "finished"
    else:
        state = "came" if visits else "invited"
    coming = (when for when in sorted(person.appointments) if when >= f"{now:%Y-%m-%d}") if not person.left else ()
    kind = words["person.pilot" if person.pilot else "person.subject"]
    return person.speaker, kind, words[f"person.{state}"], str(visits), str(scenarios), ", ".join(coming)
