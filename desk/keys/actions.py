"""The actions open to a person now, each with its key: one list from which the footer, the help and the palette are made.

It is read off the bindings that are active where the focus is, so that what is offered is what works.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from textual.binding import ActiveBinding, Binding
from textual.dom import DOMNode
from textual.screen import Screen

from desk.keys.key_labels import key_name, worded_key
from desk.worded import words_near

_PLAINER = {
    "app.focus_next": "To the next part",
    "app.focus_previous": "To the part before",
    "press": "Do it",
    **dict.fromkeys(("screen.copy_text", "copy"), "Copy what is marked"),
    "scroll_home": "To the beginning",
    "scroll_end": "To the end",
    **dict.fromkeys(("page_left", "scroll_left"), "Left"),
    **dict.fromkeys(("page_right", "scroll_right"), "Right"),
    **{
        f"{by}_{where}": f"{of}{where}".capitalize()
        for by, of in (("scroll", ""), ("page", "page "))
        for where in ("up", "down")
    },
}
"""What Textual's own actions are called here, for its names are a programmer's."""


_OTHER_NAME = "super+"
"""Beginning of Textual's second names for keys that stand under Ctrl, too."""


@dataclass(frozen=True)
class OfferedAction:
    """Something to do: the keys as printed on the keyboard, what they do, and how to run it. `shown` goes into the footer."""

    keys: str
    does: str
    action: str
    node: DOMNode
    shown: bool
    enabled: bool = True
    more: str = ""
    group: str = ""


def plain_name(binding: Binding) -> str:
    """Return what a key does, in the words of the field."""
    return _PLAINER.get(binding.action, binding.description)


def bound(key: str, action: str, does: str, more: str = "", *, show: bool = True, first: bool = True) -> Binding:
    """A key of a screen with its words; `first` lets it go before whatever is in focus."""
    return Binding(key, action, does, tooltip=more, show=show, priority=first)


def offers(screen: Screen[object]) -> list[OfferedAction]:
    """Return all that is on offer on `screen`, what belongs to the widget in focus first; alternative keys for a thing in one
    offer."""
    return _offers(screen, screen.active_bindings.values())


def _offers(screen: Screen[object], bindings: Iterable[ActiveBinding]) -> list[OfferedAction]:
    found: dict[tuple[int, str], OfferedAction] = {}
    words = words_near(screen)
    for active in sorted(bindings, key=_order(screen)):
        binding = active.binding
        if not binding.description or binding.system or binding.key.startswith(_OTHER_NAME):
            continue
        key = worded_key(binding.key_display or key_name(binding.key), words)
        same = found.get((id(active.node), binding.action))
        if same and same.shown != binding.show:  # an alias that is not shown is for the hands that know it
            if same.shown:
                continue
            same = None
        keys = f"{same.keys} {key}" if same and key not in same.keys.split() else same.keys if same else key
        found[id(active.node), binding.action] = OfferedAction(
            keys,
            words.of(plain_name(binding)),
            binding.action,
            active.node,
            binding.show,
            active.enabled,
            words.of(binding.tooltip),
            binding.group.description if binding.group else "",
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


@dataclass(frozen=True)
class FooterEntry:
    """One entry of a footer; `action` is empty if several keys share the entry, so that it is not a button."""

    keys: str
    does: str
    action: str = ""
    node: DOMNode | None = None

    @property
    def width(self) -> int:
        """Cells that it takes, with a blank on either side of the keys and one at the end."""
        return len(self.keys) + len(self.does) + 3


def in_groups(screen: Screen[object]) -> list[FooterEntry]:
    """The entries of the footer: what is shown, bindings of one group as one entry."""
    entries: dict[object, FooterEntry] = {}
    bindings = screen.active_bindings.values()
    by_action = {(id(active.node), active.binding.action): active.binding.group for active in bindings}
    for offer in _offers(screen, bindings):
        if not (offer.shown and offer.enabled):
            continue
        group = by_action[id(offer.node), offer.action]
        if group is None:
            entries[id(offer.node), offer.action] = FooterEntry(offer.keys, offer.does, offer.action, offer.node)
            continue
        before = entries.get((id(offer.node), group))
        joint = "" if before is None or group.compact else " "
        keys = _shortened(f"{before.keys if before else ''}{joint}{offer.keys}")
        entries[id(offer.node), group] = FooterEntry(keys, words_near(screen).of(group.description), node=offer.node)
    return list(entries.values())


_DIGITS = re.compile(r"(\d)–?(\d)(\d)")


def _shortened(keys: str) -> str:
    """Three digits in a row and more as a range.

    >>> _shortened("123"), _shortened("1–34"), _shortened("12"), _shortened("↑↓")
    ('1–3', '1–4', '12', '↑↓')
    """
    found = _DIGITS.fullmatch(keys)
    if found is None:
        return keys
    first, last, new = map(int, found.groups())
    return f"{first}–{new}" if new == last + 1 and ("–" in keys or last == first + 1) else keys


def fitted(
    entries: Iterable[FooterEntry], width: int, rows: int, rest: FooterEntry, gap: int = 0
) -> list[list[FooterEntry]]:
    """Entries in rows of at most `width` cells, `gap` of them between any two.

    What does not fit into `rows` is said to be elsewhere by the entry `rest`.
    """
    lines: list[list[FooterEntry]] = [[]]
    used, left_out = 0, False
    for entry in entries:
        if lines[-1] and used + entry.width > width:
            if len(lines) == rows:
                left_out = True
                break
            lines.append([])
            used = 0
        lines[-1].append(entry)
        used += entry.width + gap
    if left_out:
        while lines[-1] and sum(entry.width + gap for entry in lines[-1]) + rest.width > width:
            lines[-1].pop()
        lines[-1].append(rest)
    return lines
