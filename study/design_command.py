"""`curtain design`: the plan of a study, its balance so far, and what is missing."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from session.collection.roster import people_of
from session.store.event_store import UNREADABLE, Store
from session.study.assignment import VisitPlan
from session.study.design import Design, SequenceOrder, condition_of, round_size
from session.study.folder import Study, load
from session.study.toml_reader import StudyError
from session.values import spreadsheet
from study.enrolment import BY_PLACE, Cell, Enrolment, balance, enrolled, open_slots, pairs

COLUMNS = ("stratum", "slot", "visit", "condition", "set", "wizard", "order", "levels", "speaker", "state")


def design_command(folder: str, *, as_csv: bool, out: TextIO, err: TextIO) -> int:
    """Write the design of the study in `folder`; 2 where it has none, or study or store cannot be read."""
    try:
        study = load(Path(folder))
        design = study.settings.planned
        if design is None:
            raise StudyError(f"{study.folder / 'study.toml'} has no [design]; write one to have subjects assigned")
        store = Store(study.store_url)
        try:
            found = enrolled(store.usage, [one.speaker for one in people_of(store).values() if one.left])
        finally:
            store.close()
    except (StudyError, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    slots = [*found, *open_slots(study, design, found)]
    if as_csv:
        out.write(spreadsheet.table(COLUMNS, _rows(study, slots)))
        return 0
    _tell(study, design, found, slots, out)
    return 0


def _tell(study: Study, design: Design, found: list[Enrolment], slots: list[Enrolment], out: TextIO) -> None:
    there = [one for one in found if not one.left]
    finished = sum(one.finished for one in there)
    aim = f" of {design.subjects}" if design.subjects else ""
    round_, each = round_size(design, study.settings.factor), " of a stratum" if design.stratify else ""
    out.write(
        f"design of {study.site}: {len(there)}{aim} enrolled, {finished} finished; balanced after every {round_}{each}\n\n"
    )
    out.write(table(COLUMNS, _rows(study, slots)))
    cells = balance(study, design, found)
    if cells:
        head = ("balance", "", "planned", "enrolled", "finished", "short")
        out.write("\n" + table(head, [_cell(cell) for cell in cells]))
    out.write(_carry_over(study, design))
    following = {one.assignment.stratum: one for one in reversed(slots) if not one.speaker}
    out.write("\n" if following else "")
    for first in reversed(following.values()):
        what = condition_of(first.assignment.now.levels, study.settings.factor)
        out.write(f"next: {' '.join(filter(None, (what, first.assignment.text)))}\n")
    if design.subjects:
        out.write(f"short: {', '.join(_short(design.subjects - len(there), cells)) or 'nothing'}\n")


def _carry_over(study: Study, design: Design) -> str:
    """Return what Williams's order does not do where a visit mixes the sets of its levels; empty if it does."""
    times = pairs(study, design).values() if design.order is SequenceOrder.WILLIAMS else ()
    if len({*times}) < 2:
        return ""
    round_ = round_size(design, study.settings.factor)
    return (
        f"\norder: scenarios follow one another {min(times)} to {max(times)} times in {round_} subjects, not equally often: "
        "each level has a set of its own, and Williams's squares order scenarios within a set\n"
    )


def _short(missing: int, cells: Sequence[Cell]) -> Iterator[str]:
    """Yield what is short; of places only where the number of subjects is complete, as anyone who is missing fills many."""
    if missing > 0:
        yield f"{missing} subject{'s' if missing > 1 else ''}"
    for cell in cells:
        if cell.short and (cell.kind not in BY_PLACE or missing <= 0):
            yield f"{cell.kind} {cell.name} by {cell.short}"


def _cell(cell: Cell) -> tuple[object, ...]:
    return cell.kind, cell.name, cell.planned or "-", cell.enrolled, cell.finished, cell.short if cell.planned else "-"


def _rows(study: Study, slots: Sequence[Enrolment]) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for one in slots:
        given = one.assignment
        for number, visit in enumerate(given.visits, start=1):
            rows.append((
                given.stratum, given.slot, number, condition_of(visit.levels, study.settings.factor), visit.set,
                visit.wizard, " ".join(visit.scenarios), _levels(visit), one.speaker, _state(one),
            ))  # fmt: skip
    return rows


def _levels(visit: VisitPlan) -> str:
    """The levels that change from scenario to scenario, in the order of the scenarios."""
    return "; ".join(f"{name} {' '.join(levels)}" for name, levels in visit.changing.items())


def _state(one: Enrolment) -> str:
    if not one.speaker:
        return "open"
    if one.left:
        return "dropped out"
    if one.finished:
        return "finished"
    of = f" of {one.planned}" if one.planned else ""
    return f"{one.visits} of {len(one.assignment.visits)} visits, {one.scenarios}{of} scenarios"


def table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    """Return rows under a head, each column as wide as its widest value; columns without any value are left out."""
    texts = [[str(value) for value in row] for row in (head, *rows)]
    used = [n for n in range(len(head)) if any(row[n] for row in texts[1:])] or list(range(len(head)))
    wide = {n: max(len(row[n]) for row in texts) for n in used}
    return "".join("  ".join(f"{row[n]:<{wide[n]}}" for n in used).rstrip() + "\n" for row in texts)
