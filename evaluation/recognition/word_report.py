"""The figures of a recognition test as data: everything that text, JSON, CSV and page show, computed once."""

from collections.abc import Iterator, Sequence

import msgspec

from corpus.formats.errors import counted
from evaluation.recognition.networks import Terms
from evaluation.recognition.word_scores import RecogniserResult, ScoredUtterance, Value, WordErrorRow

VERSION = "1"
"""Of the rules by which words are aligned and counted."""
TABLES = ("speaker", "site", "condition", "microphone", "category", "label")
FEW_SPEAKERS = 8
_RULE_OF_THREE = 300.0
"""Per cent, over the number tried: the 95 % bound on what was never seen (Hanley and Lippman-Hand 1983)."""
LIMITS = (
    "A word error says how many words were wrong, not how much of the meaning: `not` weighs as much as `the`.",
    "Words are as the transcribers wrote them; their doubts remain in the reference.",
)


class Origin(msgspec.Struct, frozen=True):
    """A file that was read, and the SHA-256 of what was scored of it."""

    role: str
    path: str
    sha256: str


class WordTable(msgspec.Struct, frozen=True):
    """Rows by something that is known of the utterances."""

    name: str
    lines: tuple[WordErrorRow, ...]


class AdjudicatedUtterance(msgspec.Struct, frozen=True):
    """An utterance whose reference differs before and after adjudication; errors are None if it is in one version only."""

    utterance: str
    before: str
    after: str
    errors_before: int | None
    errors_after: int | None


class RecogniserReport(msgspec.Struct, frozen=True):
    """The tables of one recogniser. `before` is its row by the references before adjudication, `changes` what that changed."""

    name: str
    total: WordErrorRow
    tables: tuple[WordTable, ...]
    confusions: dict[str, list[tuple[str, str, int]]]
    speakers: int
    before: WordErrorRow | None = None
    changes: tuple[AdjudicatedUtterance, ...] = ()


class WordReport(msgspec.Struct, frozen=True):
    """A whole test; `notes` say what of the reference is in no figure."""

    signature: str
    origins: tuple[Origin, ...]
    systems: tuple[RecogniserReport, ...]
    notes: tuple[str, ...]
    limits: tuple[str, ...]


def signature(
    terms: Terms, missing: str, times: bool, seed: int, references: Sequence[Origin], rule: str = "auto"
) -> str:
    """Return the line that says exactly what was computed.

    >>> signature(Terms(), "error", False, 1992, [Origin("reference", "r.trn", "abcdef0123")])
    'WER|cost:4/3/3|case:no|alternates:yes|optional:yes|fragments:no|times:no|missing:error|ids:auto|seed:1992|ref:abcdef01|v:1'
    """
    parts = {
        "cost": "4/3/3",
        "case": _yes(terms.case),
        "alternates": "yes",
        "optional": _yes(terms.optional),
        "fragments": _yes(terms.fragments),
        "times": _yes(times),
        "missing": missing,
        "ids": rule,
        "seed": str(seed),
        "ref": "+".join(origin.sha256[:8] for origin in references),
        "v": VERSION,
    }
    return "|".join(["WER", *(f"{key}:{value}" for key, value in parts.items())])


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def system_report(result: RecogniserResult, earlier: RecogniserResult | None = None) -> RecogniserReport:
    """Return the tables of a recogniser; `earlier` are its words against the references before adjudication."""
    tables = [WordTable(name, tuple(result.by(name))) for name in TABLES]
    return RecogniserReport(
        result.name,
        result.total,
        tuple(table for table in tables if table.lines and (len(table.lines) > 1 or table.name in ("speaker", "site"))),
        result.confusions(),
        len({scored.about.speaker for scored in result.official}),
        earlier.total if earlier else None,
        tuple(changes(earlier, result)) if earlier else (),
    )


def changes(before: RecogniserResult, after: RecogniserResult) -> Iterator[AdjudicatedUtterance]:
    """Yield the utterances that one version has and the other has not, or whose reference is another, in order."""
    first, second = ({_identity(scored): scored for scored in result.official} for result in (before, after))
    for identity in sorted({*first, *second}):
        one, other = first.get(identity), second.get(identity)
        file, *rest = identity
        key = f"{file} {rest[0]} from {rest[1]:g} s" if rest else file
        texts = [" ".join(scored.aligned.reference) if scored else "" for scored in (one, other)]
        if one is None or other is None or texts[0] != texts[1]:
            yield AdjudicatedUtterance(key, texts[0], texts[1], _errors(one), _errors(other))


def _identity(scored: ScoredUtterance) -> tuple[str] | tuple[str, str, float, str]:
    """Return what stays when references change: place and speaker of a segment, the id of any other utterance."""
    place = scored.about.place
    return (*place, scored.about.speaker) if place else (scored.key,)


def _errors(scored: ScoredUtterance | None) -> int | None:
    return scored.counts.errors if scored else None


def limits(systems: Sequence[RecogniserReport], overlapping: int = 0) -> tuple[str, ...]:
    """Return what these figures do not say, of which some holds only of small tests, or where segments overlap."""
    found = list(LIMITS)
    speakers = min((system.speakers for system in systems), default=0)
    if speakers < 2:
        found.append(
            "One speaker is not a sample of speakers: there is no interval over them, and other people may do otherwise."
        )
    elif speakers < FEW_SPEAKERS:
        found.append(f"Out of {speakers} speakers an interval over speakers is too narrow to be trusted.")
    if overlapping:
        found.append(
            f"The reference has {counted(overlapping, 'segment')} overlapping an earlier one: a word belongs to the first "
            "that ends behind its middle, whoever said it."
        )
    found += [
        f"{system.name} has no word wrong, so resampling shows no spread: with {counted(system.total.words, 'word')} "
        f"up to {min(100.0, _RULE_OF_THREE / system.total.words):.1f} % may be wrong (rule of three)."
        for system in systems
        if not system.total.errors and system.total.words
    ]
    if len(systems) == 1:
        found.append(
            "An interval of one system is not a comparison: two that overlap may still differ on the same utterances."
        )
    return tuple(found)


def frame(systems: Sequence[RecogniserResult], by: str) -> list[dict[str, Value]]:
    """Rows of plain values over all systems; by `utterance` with the words and the edits, for one's own statistics."""
    if by != "utterance":
        return [{"system": system.name, **row} for system in systems for row in system.rows(by)]
    return [
        {
            "system": system.name,
            "utterance": scored.key,
            **{
                name: getattr(scored.about, name) for name in ("speaker", "site", "condition", "microphone", "category")
            },
            "words": scored.counts.words,
            "substituted": scored.counts.substituted,
            "deleted": scored.counts.deleted,
            "inserted": scored.counts.inserted,
            "edits": scored.aligned.edits,
            "reference": " ".join(scored.aligned.reference),
            "hypothesis": " ".join(scored.aligned.hypothesis),
        }
        for system in systems
        for scored in system.utterances
    ]
