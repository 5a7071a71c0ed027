"""`curtain bug`: records bugs in items and judgements with reasons; every release lists their state."""

from pathlib import Path
from typing import TextIO

import msgspec

from corpus.centre import facts as f
from corpus.centre.centre_state import CentreState
from corpus.centre.histories import history
from corpus.centre.ledger import FAULTS, Centre
from corpus.centre.release_listing import listings
from corpus.formats.errors import message_of
from corpus.formats.safe_lines import escaped
from corpus.io.staging import Refused
from session.events.link import Redacted
from session.values.clock import Clock

STATES = ("accepted", "fixed", "refused")


class BugOptions(msgspec.Struct, frozen=True):
    """Options of `bug_command`: an `item` with the `text` of a report, or the number of a bug with its state, such as
    `3=fixed`, as `judge`, and the reason as `text`. Without any, the bugs are listed."""

    centre: str
    item: str = ""
    text: str = ""
    reporter: str = ""
    judge: str = ""


def bug_command(options: BugOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Record a bug or a judgement, or list them all; 2 when that cannot be done."""
    try:
        with Centre(Path(options.centre), clock) as centre:
            centre_state = CentreState(centre)
            if options.judge:
                _judge(centre, centre_state, options)
            elif options.item:
                _report(centre, centre_state, options, out)
            else:
                out.write("".join(_lines(centre_state)))
    except FAULTS as error:
        err.write(f"{message_of(error)}\n")
        return 2
    return 0


def _report(centre: Centre, centre_state: CentreState, options: BugOptions, out: TextIO) -> None:
    if not options.text.strip() or not options.reporter.strip():
        raise Refused("describe the bug (--text) and name the reporter (--by)")
    if not any(history(centre, options.item)) and not _is_released(centre, centre_state, options.item):
        raise Refused(
            f"nothing is known of {options.item!r}; name an utterance such as 8k9011, a session, a delivery, a release, or a "
            f"file of one"
        )
    number = 1 + sum(isinstance(found.fact, f.BugReported | Redacted) for found in centre.happened)
    fact = f.BugReported(bug=number, item=options.item, reporter=options.reporter, text=options.text)
    centre.record(fact, about=centre_state.speaker_of(options.item))
    out.write(f"{number}\n")


def _is_released(centre: Centre, centre_state: CentreState, path: str) -> bool:
    return any(path in listing.files or path in listing.beside for listing in listings(centre, centre_state))


def _judge(centre: Centre, centre_state: CentreState, options: BugOptions) -> None:
    number, _, state = options.judge.partition("=")
    if not number.isdecimal() or int(number) not in centre_state.bugs:
        raise Refused(f"there is no bug {number!r}; curtain bug CENTRE lists them")
    if state not in STATES:
        raise Refused(f"{state!r} is not a judgement; it may be {', '.join(STATES)}")
    if not options.text.strip():
        raise Refused("say why (--text)")
    if centre_state.bug_state(int(number)) in ("fixed", "refused"):
        raise Refused(f"bug {number} is {centre_state.bug_state(int(number))} already; report a new one")
    judged = f.BugTriaged(bug=int(number), state=state, reason=options.text)
    centre.record(judged, about=centre_state.speaker_of(centre_state.bugs[int(number)].item))


def _lines(centre_state: CentreState) -> list[str]:
    return [
        f"{number}\t{centre_state.bug_state(number)}\t{escaped(bug.item)}\t{escaped(bug.reporter)}\t{escaped(bug.text)}\n"
        for number, bug in sorted(centre_state.bugs.items())
    ]
