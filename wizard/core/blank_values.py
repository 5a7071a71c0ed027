"""Values for a blank or a placeholder: what was named before, dates, and the domain's own values that begin as typed."""

from session.protocol.side_messages import DomainValue
from wizard.core.console import Console
from wizard.core.date_values import dates_starting
from wizard.core.slots import slots

NAMED = "named before"
MOST = 9


def values_for(console: Console, beginning: str) -> list[DomainValue]:
    """What may stand for `beginning`; before anything is typed, what was named in this session."""
    wanted = " ".join(beginning.casefold().split())
    before = [
        text for text in slots(console.state, console.bindings, console.filled) if text.casefold().startswith(wanted)
    ]
    today = console.state.opened.protocol.today if console.state.opened else ""
    found = [
        *(DomainValue(text, text, NAMED) for text in before),
        *dates_starting(wanted, today),
        *console.hub_info.values(wanted),
    ]
    kinds: dict[str, DomainValue] = {}
    for value in found:
        kinds.setdefault(value.text.casefold(), value)
    return list(kinds.values())[:MOST]
