"""Templates scored: each of the key beside the one of the response that fits it best, every slot told right or wrong.

Two families of measures stand side by side, each by its name. As of 1989 (Sundheim 1989, table 2): recall (1), templates filled
of those that report an event; recall (2), slots filled of those that should be; precision, slots filled correctly of those
recalled. As of today (MUC-4): correct, partial, incorrect, missing and spurious fills, recall and precision over all fills, F.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import msgspec

from evaluation.templates.filled_templates import FilledTemplate, holds
from evaluation.templates.template_schema import Slot, TemplateSchema

_NONE = FilledTemplate("", {}, {})
ERRORS = ("correct", "partial", "incorrect", "missing", "spurious")


class SlotTally(msgspec.Struct, frozen=True):
    """Counts that add up. `should`, `recalled`, `exact` are slots and `texts_*` templates, by the measures of 1989."""

    correct: int = 0
    partial: int = 0
    incorrect: int = 0
    missing: int = 0
    spurious: int = 0
    should: int = 0
    recalled: int = 0
    exact: int = 0
    templates: int = 0
    templates_filled: int = 0

    def __add__(self, other: "SlotTally") -> "SlotTally":
        return SlotTally(*(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__))

    @property
    def possible(self) -> int:
        return self.correct + self.partial + self.incorrect + self.missing

    @property
    def actual(self) -> int:
        return self.correct + self.partial + self.incorrect + self.spurious

    def measures(self) -> dict[str, float | None]:
        """Every measure in per cent; None if nothing is counted."""
        credit = self.correct + self.partial / 2
        recall, precision = _share(credit, self.possible), _share(credit, self.actual)
        wrong = self.incorrect + self.partial / 2
        both = (recall or 0.0) + (precision or 0.0)
        return {
            "recall_1_1989": _share(self.templates_filled, self.templates),
            "recall_2_1989": _share(self.recalled, self.should),
            "precision_1989": _share(self.exact, self.recalled),
            "recall": recall,
            "precision": precision,
            "f": 2 * (recall or 0.0) * (precision or 0.0) / both if both else None,
            "undergeneration": _share(self.missing, self.possible),
            "overgeneration": _share(self.spurious, self.actual),
            "substitution": _share(wrong, self.correct + self.partial + self.incorrect),
            "error_per_fill": _share(wrong + self.missing + self.spurious, self.possible + self.spurious),
        }


def _share(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None


class SlotScore(msgspec.Struct, frozen=True):
    """One slot of one template, or of a pair: its counts, what stood on both sides, and by how many steps of the slot's order the
    response is too high, or too low where that is negative; `part` is what the schema's `split` has, in the key if it has one."""

    text: str
    slot: str
    key: tuple[str, ...]
    response: tuple[str, ...]
    tally: SlotTally
    level: int | None = None
    part: str = ""


def score(key: Sequence[FilledTemplate], response: Sequence[FilledTemplate], schema: TemplateSchema) -> list[SlotScore]:
    """Score every slot of every template; texts of one side only count as missing or spurious."""
    sides: list[dict[str, list[FilledTemplate]]] = [defaultdict(list), defaultdict(list)]
    for side, templates in zip(sides, (key, response), strict=True):
        for template in templates:
            side[template.text].append(template)
    found: list[SlotScore] = []
    for text in dict.fromkeys([*sides[0], *sides[1]]):
        for expected, given in paired(sides[0][text], sides[1][text], schema):
            found += _slots(text, expected, given, schema)
    return found


def paired(
    key: Sequence[FilledTemplate], response: Sequence[FilledTemplate], schema: TemplateSchema
) -> list[tuple[FilledTemplate | None, FilledTemplate | None]]:
    """Pair the templates of a text so that most fills are right; what is left over stands alone."""

    def gain(expected: FilledTemplate, given: FilledTemplate) -> float:
        tallies = [each.tally for each in _slots("", expected, given, schema)]
        return sum(tally.correct + tally.partial / 2 for tally in tallies)

    gains = [[gain(expected, given) for given in response] for expected in key]
    places = assign(gains)
    pairs: list[tuple[FilledTemplate | None, FilledTemplate | None]] = []
    for expected, place in zip(key, places, strict=True):
        pairs.append((expected, response[place] if place is not None else None))
    return pairs + [(None, given) for place, given in enumerate(response) if place not in places]


def assign(gains: Sequence[Sequence[float]]) -> list[int | None]:
    """Return for each row the column it is paired with, so that the sum of gains is largest: augmenting paths of least cost, one
    row at a time (Kuhn 1955). A row without any column has None.

    >>> assign([[1, 2], [2, 4]])
    [0, 1]
    """
    rows, columns = len(gains), len(gains[0]) if gains else 0
    size = max(rows, columns)
    cost = [[-gains[r][c] if r < rows and c < columns else 0.0 for c in range(size)] for r in range(size)]
    u, v = [0.0] * (size + 1), [0.0] * (size + 1)
    owner = [size] * (size + 1)
    for row in range(size):
        owner[size], column = row, size
        least, via, seen = [float("inf")] * size, [size] * size, [False] * (size + 1)
        while owner[column] != size or column == size:
            seen[column] = True
            here = owner[column]
            for other in range(size):
                reduced = cost[here][other] - u[here] - v[other]
                if not seen[other] and reduced < least[other]:
                    least[other], via[other] = reduced, column
            nearest = min((c for c in range(size) if not seen[c]), key=lambda c: least[c])
            step = least[nearest]
            for other in range(size + 1):
                if seen[other]:
                    u[owner[other]] += step
                    v[other] -= step
                elif other < size:
                    least[other] -= step
            column = nearest
        while column != size:
            owner[column], column = owner[via[column]], via[column]
    found: list[int | None] = [None] * rows
    for column in range(columns):
        if owner[column] < rows:
            found[owner[column]] = column
    return found


def _slots(
    text: str, expected: FilledTemplate | None, given: FilledTemplate | None, schema: TemplateSchema
) -> list[SlotScore]:
    found = []
    part = " + ".join((expected or given or _NONE).values(schema.split)) if schema.split else ""
    event = expected is not None and not any(rule.blank and holds(rule, expected) for rule in schema.rule)
    for place, slot in enumerate(schema.slot):
        key = expected.values(slot.name) if expected else ()
        response = given.values(slot.name) if given else ()
        tally = (
            _tally(slot, key, response, schema.no_data)
            if place
            else SlotTally(templates=int(event), templates_filled=int(event and given is not None))
        )
        if place or expected or given:
            found.append(SlotScore(text, slot.name, key, response, tally, _level(slot, key, response), part))
    return found


def _level(slot: Slot, key: Sequence[str], response: Sequence[str]) -> int | None:
    if len(key) == len(response) == 1 and {*key, *response} <= set(slot.order):
        return slot.order.index(response[0]) - slot.order.index(key[0])
    return None


def _tally(slot: Slot, key: Sequence[str], response: Sequence[str], no_data: str) -> SlotTally:
    """Count the fills of a slot; that nothing is known is not a fill of today's measures."""
    should, recalled = bool(key), bool(key) and bool(response)
    exact = recalled and set(key) == set(response)
    wanted = [value for value in key if value != no_data or not no_data]
    got = [value for value in response if value != no_data or not no_data]
    correct = 0
    for value in list(wanted):
        if value in got:
            wanted.remove(value)
            got.remove(value)
            correct += 1
    partial = _partial(wanted, got) if slot.kind == "string" else 0
    incorrect = min(len(wanted), len(got)) - partial
    left = partial + incorrect
    return SlotTally(
        correct, partial, incorrect, len(wanted) - left, len(got) - left, int(should), int(recalled), int(exact)
    )


def _partial(wanted: Sequence[str], got: Sequence[str]) -> int:
    """Count pairs of strings that share a word, as many as can be."""
    gains = [[float(bool(set(one.split()) & set(other.split()))) for other in got] for one in wanted]
    places = assign(gains) if got else []
    return sum(place is not None and gains[row][place] > 0 for row, place in enumerate(places))


def by(scores: Iterable[SlotScore], name: Callable[[SlotScore], Iterable[str]]) -> dict[str, SlotTally]:
    """Tallies by whatever names a score has, in order of first appearance."""
    found: dict[str, SlotTally] = {}
    for each in scores:
        for group in name(each):
            found[group] = found.get(group, SlotTally()) + each.tally
    return found
