"""Everyday words for the outcomes that a column of states holds: what is cancelled was called off, what was missed is a no show.

`curtain learn` writes those of the values found into `domain.toml`, to be edited.
"""

from __future__ import annotations

from collections.abc import Iterable

_ALIKE = (
    (("cancelled", "canceled"), "called off|cancelled|canceled|been called off|been cancelled|scrapped|scratched"),
    (
        ("missed", "no show", "no-show", "noshow", "absent"),
        "no show|no shows|did not turn up|not turn up|not turned up|never turned up|did not show up|not show up|never showed up"
        "|did not show|never showed|failed to show|failed to show up|failed to turn up|failed to appear|stood us up|missed",
    ),
    (
        ("completed", "complete", "finished", "done", "fulfilled"),
        "went ahead|gone ahead|went through|gone through|went as planned|been completed|completed|finished|concluded|wrapped up",
    ),
    (("scheduled", "planned", "arranged"), "scheduled|planned|arranged|still to come|yet to come|yet to happen|outstanding"),
    (("pending", "waiting"), "pending|still open|outstanding|awaiting|not yet decided|in the queue"),
    (("postponed", "delayed"), "postponed|put off|pushed back|held up|running late"),
    (("rejected", "refused", "declined", "denied"), "rejected|refused|declined|turned down|denied|knocked back"),
    (("approved", "accepted"), "approved|accepted|given the go ahead|granted|waved through"),
)  # fmt: skip


def outcomes_called(values: Iterable[object]) -> dict[str, str]:
    """Return other words for the states among the values; a word that is a value itself stands for that alone."""
    known = {value.lower(): value for value in values if isinstance(value, str)}
    found: dict[str, str] = {}
    for states, words in _ALIKE:
        held = [known[state] for state in states if state in known]
        if len(held) == 1:
            found |= {word: held[0] for word in words.split("|") if word not in known and word not in found}
    return found
