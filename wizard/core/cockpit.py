"""Surroundings of the work where there is room: the task, the dialogue so far, who waits, the messages of the digits.

Plain lines made from the console's state, each with a sign, so that nothing depends on colour; a widget paints them.
"""

from collections.abc import Callable

from session.state.fold import Reply, Take
from session.values.clock import SECOND, Clock
from session.values.sanitize import inert
from wizard.core.console import Console
from wizard.core.fillable_text import flowing
from wizard.core.fitting import fitting
from wizard.core.permissions import may

DIGIT_CELLS, TURNS = 3, 4
"""Cells before a message, and rows that are kept for the newest turns, so that nothing moves when the first ones come."""
Section = tuple[str, list[str]]
"""A title and its lines."""


class Since:
    """Time for which a value has been what it is, by the clock of this desk."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._value: object = None
        self._from_ns = clock.monotonic_ns()

    def seconds(self, value: object) -> int:
        """Whole seconds for which `value` has been given; 0 when it is another one than before."""
        if value != self._value:
            self._value, self._from_ns = value, self._clock.monotonic_ns()
        return (self._clock.monotonic_ns() - self._from_ns) // SECOND


Wrap = Callable[[str, int], list[str]]
"""Breaks a text into lines so many cells narrower than the room."""


def sections(console: Console, height: int, wrap: Wrap) -> list[Section]:
    """Return all that fits into `height` rows: each message's beginning, who waits, the task, the newest of the dialogue.

    A task has up to a third of the rows before any message has a second one; what is left then goes to the messages in turn.
    """
    digits, waiting, task = _digits(console), _waiting(console), _task(console, wrap)
    others = (len(waiting), min(len(task), height // 3), TURNS)
    digits = _evenly(digits, height - 1 - sum(rows + 1 for rows in others if rows), wrap)
    room = height - sum(len(lines) + 1 for lines in (digits, waiting) if lines)
    task = _begun(task, max(1, room - TURNS - 2, min(room // 2, room - 3)), console.words["console_text.more_lines"])
    room -= len(task) + 1 if task else 0
    dialogue = _dialogue(console)[-max(0, room - 1) :] if room > 1 else []
    titles = (console.words[f"console_rail.{key}"] for key in ("task", "dialogue", "waiting", "digits"))
    named = zip(titles, (task, dialogue, waiting, digits), strict=True)
    return [(title, lines) for title, lines in named if lines]


def _begun(lines: list[str], most: int, more: str) -> list[str]:
    if len(lines) <= most:
        return lines
    begun = lines[: most - 1]
    while begun and not begun[-1]:
        begun.pop()  # a blank line before the count would be a row for nothing
    return [*begun, more.format(count=len(lines) - len(begun))]


def _task(console: Console, wrap: Wrap) -> list[str]:
    run = console.state.run
    if run is None:
        return []
    return [line for paragraph in flowing(run.text).split("\n") for line in wrap(inert(paragraph), 0)]


def _dialogue(console: Console) -> list[str]:
    """Every utterance of the scenario with its replies; the one at hand behind an arrow."""
    state, at_hand = console.state, console.take
    if state.run is None:
        return []
    lines = []
    for take in state.takes_of(len(state.runs) - 1):
        if take.discarded:
            continue
        here = "►" if at_hand is not None and take.take == at_hand.take else " "
        lines.append(f"{here}{_sign(console, take)} {_words(console, take)}")
        for name in take.replies:
            if (reply := state.replies.get(name)) is not None:
                lines.append(f"    {'×' if reply.wrong else '←'} {_replied(console, reply)}")
    return lines


def _replied(console: Console, reply: Reply) -> str:
    """The number of rows of a table, whose first line names columns and no more; otherwise the first line of what was sent."""
    attempt = console.state.attempts.get(reply.attempt)
    lines = [line for line in reply.text.split("\n") if line.strip()]
    if attempt is not None and attempt.table is not None and len(attempt.table.rows) > 0 and len(lines) > 1:
        count = len(attempt.table.rows)
        key = "rows_and_more" if attempt.table.more else "one_row" if count == 1 else "rows"
        return console.words[f"console_status.{key}"].format(count=f"{count:,}").removeprefix("√ ")
    return inert(lines[0].strip(), newlines="space") if lines else ""


def _sign(console: Console, take: Take) -> str:
    if speaking(take):
        return "●"
    return "√" if console.state.answered(take) else "?" if not take.text else "…"


def speaking(take: Take) -> bool:
    """Return whether the subject is in the middle of this utterance."""
    return take.pressed is not None and not take.complete and not take.discarded


def _words(console: Console, take: Take) -> str:
    now = console.words["console_rail.speaking" if speaking(take) else "console_rail.not_transcribed"]
    return inert(take.text or now, newlines="space")


def _waiting(console: Console) -> list[str]:
    """Two or more utterances without a reply, with the seconds since each was said; one alone is at hand anyway."""
    found, paused = console.waiting, console.state.paused_total
    if len(found) < 2:
        return []
    lines = []
    for take in found:
        since = take.waiting_since
        waited = (console.hub_ns() - since.mono - (paused - take.paused_before)) // SECOND if since is not None else 0
        lines.append(f"? {max(0, waited):>3} s {_words(console, take)}")
    return [*lines, console.words["console_rail.another"]]


def _evenly(messages: list[str], most: int, wrap: Wrap) -> list[str]:
    """As many lines of the messages as `most` rows hold: one of each at least, then a further one of each in turn.

    The last line of a message that is longer runs on, to be cut where it is painted.
    """
    whole = [_hanging(message, wrap) for message in messages]
    shown, spare = [1] * len(whole), most - len(whole)
    for line in range(2, max(map(len, whole), default=1) + 1):
        for at in [at for at, lines in enumerate(whole) if len(lines) >= line][: max(0, spare)]:
            shown[at] += 1
            spare -= 1
    return [
        line
        for lines, count in zip(whole, shown, strict=True)
        for line in [*lines[: count - 1], _run_on(lines[count - 1 :])]
    ]


def _run_on(lines: list[str]) -> str:
    return " ".join((lines[0], *(line.strip() for line in lines[1:])))


def _hanging(message: str, wrap: Wrap) -> list[str]:
    """A message with its digit, its further lines below its first word."""
    place, text = message[:DIGIT_CELLS], message[DIGIT_CELLS:]
    first, *others = wrap(text, DIGIT_CELLS)
    return [f"{place}{first}", *(f"{'':{DIGIT_CELLS}}{line}" for line in others)]


def _digits(console: Console) -> list[str]:
    if not may(console.role, "reply"):
        return []
    found = sorted(
        (message.digit, message.text, message.id) for message in console.canned_messages if message.digit is not None
    )
    fits = {fit.message for fit in fitting(console)}
    return [f"{digit}{'◄' if name in fits else ' '} {inert(text, newlines='space')}" for digit, text, name in found]
