"""What a person can do now, with the key for it: one list from which the footer, the help and the palette are made.

It is read off the bindings that are active where the focus is, so that what is offered is what works.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from textual.binding import ActiveBinding, Binding
from textual.dom import DOMNode
from textual.screen import Screen

from desk.keys import key_name


@dataclass(frozen=True)
class Offer:
    """Something to do: the keys as printed on the keyboard, what they do, and how to run it. `shown` goes into the footer."""

    keys: str
    does: str
    action: str
    node: DOMNode
    shown: bool
    enabled: bool = True
    more: str = ""


def bound(key: str, action: str, does: str, more: str = "", *, show: bool = True, first: bool = True) -> Binding:
    """A key of a screen with its words; `first` lets it go before whatever is in focus."""
    return Binding(key, action, does, tooltip=more, show=show, priority=first)


def offers(screen: Screen[object]) -> list[Offer]:
    """All that is on offer on `screen`, what belongs to the widget in focus first; alternative keys for a thing in one offer."""
    return _offers(screen, screen.active_bindings.values())


def _offers(screen: Screen[object], bindings: Iterable[ActiveBinding]) -> list[Offer]:
    found: dict[tuple[int, str], Offer] = {}
    for active in sorted(bindings, key=_order(screen)):
        binding = active.binding
        if not binding.description or binding.system:
            continue
        key = binding.key_display or key_name(binding.key)
        same = found.get((id(active.node), binding.action))
        keys = f"{same.keys} {key}" if same and key not in same.keys.split() else same.keys if same else key
        found[id(active.node), binding.action] = Offer(
            keys, binding.description, binding.action, active.node, binding.show, active.enabled, binding.tooltip
        )
    return list(found.values())


def _order(screen: Screen[object]) -> Callable[[ActiveBinding], tuple[int, int]]:
    """From the widget in focus outwards, in each node as declared: a key that two nodes have stands where its winner is."""
    nodes = screen.focused.ancestors_with_self if screen.focused else [screen, screen.app]
    ranks = {id(node): rank for rank, node in enumerate(nodes)}
    places = {id(node): {key: at for at, key in enumerate(node._bindings.key_to_bindings)} for node in nodes}

    def order(active: ActiveBinding) -> tuple[int, int]:
        own = places.get(id(active.node), {})
        return ranks.get(id(active.node), len(ranks)), own.get(active.binding.key, len(own))

    return order


def in_groups(screen: Screen[object]) -> list[tuple[str, str]]:
    """(keys, description) for the footer: what is shown, bindings of one group as one entry."""
    entries: dict[object, tuple[str, str]] = {}
    bindings = screen.active_bindings.values()
    by_action = {(id(active.node), active.binding.action): active.binding.group for active in bindings}
    for offer in _offers(screen, bindings):
        if not (offer.shown and offer.enabled):
            continue
        group = by_action[id(offer.node), offer.action]
        key = (id(offer.node), group) if group else (id(offer.node), offer.action)
        keys, _ = entries.get(key, ("", ""))
        joint = "" if not keys or (group and group.compact) else " "
        entries[key] = (f"{keys}{joint}{offer.keys}", group.description if group else offer.does)
    return list(entries.values())


def fitted(entries: Iterable[tuple[str, str]], width: int, rows: int, rest: str) -> list[list[tuple[str, str]]]:
    """Entries in rows of at most `width` cells; what does not fit into `rows` is said to be elsewhere by the entry `rest`.

    Each entry takes its two texts and three cells between and after them.
    """
    lines: list[list[tuple[str, str]]] = [[]]
    used, left_out = 0, False
    for keys, does in entries:
        size = len(keys) + len(does) + 3
        if lines[-1] and used + size > width:
            if len(lines) == rows:
                left_out = True
                break
            lines.append([])
            used = 0
        lines[-1].append((keys, does))
        used += size
    if left_out:
        while lines[-1] and sum(len(k) + len(d) + 3 for k, d in lines[-1]) + len(rest) + 4 > width:
            lines[-1].pop()
        lines[-1].append(("…", rest))
    return lines
