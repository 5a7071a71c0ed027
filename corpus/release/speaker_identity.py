"""Tell whether one id means one person in corpora that come together: two people under it would be lost in each other
forever.

A study numbers each speaker's subject-scenarios on from visit to visit, and gives no id twice. So somebody who came twice to one
study is known by the study that both sessions come from; where a corpus does not say from which (it is older, or of another
make), by what its sessions and the speaker table tell.
"""

import datetime
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, pairwise
from pathlib import Path

import msgspec

from corpus.dataset.reader import Corpus
from corpus.formats.manifest import SessionEntry
from corpus.formats.spkrinfo import SpeakerInfo
from corpus.io.staging import Refused
from session.values.names import SessionName

APART = (
    "give one of the sites a block of speaker ids of its own in study.toml for what it collects from now on, and rename its "
    "speaker here: curtain rename"
)
CORRECTED = "correct it in the study (curtain correct STUDY SPEAKER KEY=VALUE) and export that again"
_YEAR = 365.25
_SLACK_DAYS = 366  # people round their age, and say before a birthday what they will be


class _Known(msgspec.Struct, frozen=True):
    """A speaker as one corpus describes them."""

    root: Path
    info: SpeakerInfo
    sessions: tuple[SessionEntry, ...]


def doubts(corpora: Sequence[Corpus]) -> tuple[str, ...]:
    """Return what speaks for two people of one id and does not prove it, a sentence each. Raises `Refused` if it is proved."""
    found: dict[str, list[_Known]] = {}
    for corpus in corpora:
        entries: dict[str, list[SessionEntry]] = {}
        for entry in corpus.manifest.sessions:
            entries.setdefault(entry.speaker, []).append(entry)
        for speaker, info in corpus.speakers().items():
            found.setdefault(speaker, []).append(_Known(corpus.root, info, tuple(entries.get(speaker, ()))))
    pairs = (pair for known in found.values() for pair in combinations(known, 2))
    return tuple(doubt for one, other in pairs for doubt in _compared(one, other))


def _compared(one: _Known, other: _Known) -> Iterator[str]:
    speaker, where = one.info.speaker, (one.root, other.root)
    if one.info.sex and other.info.sex and one.info.sex != other.info.sex:
        raise _two(speaker, f"is {one.info.sex} in {where[0]} and {other.info.sex} in {where[1]}")
    studies = {entry.origin for entry in one.sessions}, {entry.origin for entry in other.sessions}
    if all(studies) and "" not in studies[0] | studies[1]:
        if studies[0] != studies[1]:
            raise Refused(
                f"speaker {speaker} of {where[0]} and speaker {speaker} of {where[1]} come from two studies, each of which gives "
                f"ids of its own: two people have one id; {APART}. If it is one study after all, export it again as a whole"
            )
        return
    if turned := _turned(one, other):
        first, second = turned
        raise _two(
            speaker,
            f"has scenario {first.scenarios[0]} in session {first.session}, and in the later session {second.session} scenario "
            f"{second.scenarios[0]} ({where[0]}, {where[1]}), though a study numbers on",
        )
    if _ages_apart(one, other):
        raise _two(speaker, f"is {one.info.age} in {where[0]} and {other.info.age} in {where[1]}")
    spoken = [" ".join(log.info.dialect.casefold().split()) for log in (one, other)]
    if all(spoken) and spoken[0] != spoken[1]:
        yield (
            f"speaker {speaker} has the dialect {one.info.dialect} in {where[0]} and {other.info.dialect} in {where[1]}: if "
            f"these are two people, {APART}; if one was entered wrongly, {CORRECTED}"
        )


def _two(speaker: str, why: str) -> Refused:
    return Refused(
        f"speaker {speaker} {why}: two people have one id, or one of them was entered wrongly. If wrongly, {CORRECTED}; if two "
        f"people, {APART}"
    )


def _turned(one: _Known, other: _Known) -> tuple[SessionEntry, SessionEntry] | None:
    """Two sessions of which the later one has the smaller numbers."""
    ordered = [session for *_, session in _dated((*one.sessions, *other.sessions)) if session.scenarios]
    return next(((a, b) for a, b in pairwise(ordered) if max(a.scenarios) > min(b.scenarios)), None)


def _ages_apart(one: _Known, other: _Known) -> bool:
    """Return whether nobody can have been of both ages at the times of the sessions."""
    born = [_born(log) for log in (one, other)]
    if born[0] is None or born[1] is None:
        return False
    return max(born[0][0], born[1][0]) - min(born[0][1], born[1][1]) > _SLACK_DAYS


def _born(known: _Known) -> tuple[float, float] | None:
    """The first and the last day on which the speaker can have been born, as ordinals; None if that is not known."""
    days = [day for day, *_ in _dated(known.sessions)]
    if known.info.age is None or not days:
        return None
    return days[0] - (known.info.age + 1) * _YEAR, days[-1] - known.info.age * _YEAR


def _dated(sessions: Iterable[SessionEntry]) -> list[tuple[int, int, SessionEntry]]:
    """The sessions in their order, with day and number; those whose names tell neither are left out."""
    found: list[tuple[int, int, SessionEntry]] = []
    for session in sessions:
        with suppress(ValueError):
            name = SessionName.parse(session.session)
            day = datetime.date(int(name.date[:4]), int(name.date[4:6]), int(name.date[6:]))
            found.append((day.toordinal(), name.number, session))
    return sorted(found, key=lambda dated: dated[:2])
