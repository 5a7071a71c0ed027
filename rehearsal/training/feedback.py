"""Texts for a trainee: each turn beside what it should have been, the drill at its end, and the curve over all drills."""

import datetime
import statistics
from collections.abc import Iterable, Sequence

from corpus.analysis.distribution import wilson
from corpus.formats.errors import counted
from rehearsal.training.drill import DrillLine, DrillReference
from session.collection.drills import DrillTurnPlayed, PlayedDrill
from session.state.fold import Reply, Take
from session.study.pass_mark import AT_MOST, SHARES, PassMark
from session.values.answers import Table
from session.values.sanitize import inert

NAMES = {
    "word_error": "wrong words",
    "answers": "answers right",
    "canned": "messages right",
    "scope": "scope right",
    "reply_s": "reply, median",
}
HEAD = ("drill", "date", "turns", "words %", "answers %", "canned %", "scope %", "reply s", "an hour", "slips", "")


def turn_lines(
    line: DrillLine, heard: Take, first: Reply | None, turn: DrillTurnPlayed, sent: Table | None = None
) -> list[str]:
    """Return the lines of one turn: what was done, what would have been right, how long it took; `sent` are the reply's rows."""
    found = list[str]()
    if turn.words:
        found += [
            f"{_sign(turn.errors == 0)} Transcription: {turn.errors} of {turn.words} words wrong",
            *([] if not turn.errors else [f"    said   {line.said}", f"    typed  {heard.text or '(nothing)'}"]),
        ]
    if turn.answer is not None:
        found.append(f"{_sign(turn.answer)} Answer: {'right' if turn.answer else 'not the rows that were wanted'}")
        found += [] if turn.answer or line.reference is None else _compared(line.reference, sent)
    if turn.canned is not None:
        chosen = (first.message or "no canned message") if first else "nothing"
        found.append(
            f"{_sign(turn.canned)} Canned message: {chosen}" + ("" if turn.canned else f"; {line.canned} fits")
        )
    if turn.scope is not None:
        marked = heard.scope or "not marked"
        found.append(f"{_sign(turn.scope)} Scope: {marked}" + ("" if turn.scope else f"; {line.scope} is right"))
    times = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in turn.seconds.items())
    found.append(f"  After the end of speaking: {times or 'nothing measured'}")
    found += [f"! Slip: {slip}" for slip in turn.slips] or ["√ No slip that could break the curtain"]
    return [inert(text, newlines="space") for text in found]


def _compared(reference: DrillReference, sent: Table | None) -> list[str]:
    """Return the right answers above the answer that was sent."""
    wanted = dict.fromkeys(_told(getattr(one, "rows", ())) for one in reference.minimum.alternatives)
    given = _told(sent.rows) if sent is not None else "no rows"
    return [f"    wanted {' or '.join(wanted)}", f"    sent   {given}"]


def _told(rows: Sequence[Sequence[object]]) -> str:
    """Return the first row of an answer, and how many there are."""
    first = ", ".join("NIL" if value is None else str(value) for value in rows[0]) if rows else ""
    more = f" (and {len(rows) - 1} more rows)" if len(rows) > 1 else ""
    return f"{first}{more}" if rows else "no row"


def _sign(right: bool) -> str:
    return "√" if right else "×"


def drill_lines(drill: PlayedDrill, mark: PassMark | None, earlier: Sequence[PlayedDrill]) -> list[str]:
    """Return the lines at the end of a drill: what was reached beside the pass mark, and the curve."""
    found = [f"{counted(len(drill.turns), 'turn')} of {drill.source}, {counted(drill.slips, 'slip')}"]
    for name, value in drill.reached.items():
        if value is not None:
            wanted = "" if mark is None else f"   {_bound(name)} {_figure(name, getattr(mark, name))}"
            found.append(f"  {NAMES[name]:<14} {_figure(name, value):>7}{wanted}")
    if (hourly := an_hour(drill)) is not None:
        found.append(f"  {'queries an hour':<14} {hourly:>6.0f}   from the end of speaking to the key that sends")
    if mark is None:
        found.append("The study has no pass mark, so no drill certifies anybody: write [training] into study.toml.")
    elif drill.whole:
        found.append("PASSED: certified" if drill.passed else f"NOT PASSED: {'; '.join(drill.missed)}")
    else:
        found.append("Broken off: it counts neither way")
    return [*found, "", *curve([*earlier, drill]).splitlines()]


def an_hour(drill: PlayedDrill) -> float | None:
    """Return how many replies an hour the wizard had time for, the participant's own time left out; None if none was sent."""
    took = [turn.seconds["sent"] for turn in drill.turns if "sent" in turn.seconds]
    return 3600 * len(took) / sum(took) if sum(took) > 0 else None


def _bound(name: str) -> str:
    return "at most" if name in AT_MOST else "at least"


def _figure(name: str, value: float) -> str:
    return f"{value:.1f} s" if name == "reply_s" else f"{100 * value:.1f} %"


def curve(drills: Iterable[PlayedDrill]) -> str:
    """Return the learning curve: a line for each drill, the first one first, under a head."""
    rows = [HEAD, *(_row(number, one) for number, one in enumerate(drills, 1))]
    wide = [max(len(row[n]) for row in rows) for n in range(len(HEAD))]
    return "".join("  ".join(f"{row[n]:<{wide[n]}}" for n in range(len(HEAD))).rstrip() + "\n" for row in rows)


def _row(number: int, drill: PlayedDrill) -> tuple[str, ...]:
    reached = drill.reached
    shares = (reached[name] for name in SHARES)
    took, hourly = reached["reply_s"], an_hour(drill)
    day = f"{datetime.datetime.fromtimestamp(drill.at / 1e9, datetime.UTC):%Y-%m-%d}"
    state = {True: "passed", False: "not passed", None: ""}[drill.passed] if drill.whole else "broken off"
    return (
        str(number), day, str(len(drill.turns)), *("-" if share is None else f"{100 * share:.1f}" for share in shares),
        "-" if took is None else f"{took:.1f}", "-" if hourly is None else f"{hourly:.0f}", str(drill.slips), state,
    )  # fmt: skip


def compared_wizards(drills: Iterable[PlayedDrill]) -> str:
    """Return wizard against wizard over all whole drills: replies that were right, with the 95 % interval, and median seconds."""
    groups: dict[str, list[DrillTurnPlayed]] = {}
    for one in drills:
        if one.whole:
            groups.setdefault(one.wizard, []).extend(one.turns)
    lines = list[str]()
    for wizard, turns in sorted(groups.items()):
        known = [right for turn in turns if (right := turn.answer if turn.canned is None else turn.canned) is not None]
        took = [turn.seconds["sent"] for turn in turns if "sent" in turn.seconds]
        low, high = wilson(sum(known) / len(known), len(known)) if known else (0.0, 1.0)
        share = f"{100 * sum(known) / len(known):.1f} % ({100 * low:.1f} to {100 * high:.1f})" if known else "not known"
        lines.append(
            f"{wizard}: {sum(known)} of {len(known)} replies right, {share}"
            + (f"; median {statistics.median(took):.1f} s" if took else "")
        )
    return "".join(f"{inert(line)}\n" for line in lines)
