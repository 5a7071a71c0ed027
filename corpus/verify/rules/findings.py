"""Findings of a verification: each with place, rule, problem and remedy."""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from corpus.formats.errors import FormatFault, place, shortened
from session.values.sanitize import inert
from session.values.vocabulary import Severity as Severity  # part of every finding

MOST = 1000
"""The most findings kept by one rule about one file, so that a file full of faults does not fill the memory."""


_SAID = 1000
"""Messages of which one copy is kept: most findings of a corpus say one of a few."""


class Rule(msgspec.Struct, frozen=True):
    """One thing that is checked, for every corpus and every time; `samples` says that it needs the samples themselves."""

    id: str
    severity: Severity
    meaning: str
    remedy: str
    samples: bool = False


class Finding(msgspec.Struct, frozen=True, order=True, gc=False):
    """One departure; `line` counts from 1, 0 means the file as a whole."""

    path: str
    line: int
    rule: str
    message: str
    remedy: str
    severity: Severity

    def __str__(self) -> str:
        """One line that no file name and no text of a file can break or colour."""
        return inert(f"{place(self.path, self.line)}: {self.severity}: {self.message} [{self.rule}]; {self.remedy}")


class Findings:
    """Collects findings by the rules of a catalogue."""

    def __init__(self, rules: Mapping[str, Rule]) -> None:
        self._rules = rules
        self.found: list[Finding] = []
        self._counts: Counter[tuple[str, str]] = Counter()
        self._said: dict[str, str] = {}

    def add(self, rule: str, path: str, message: str, line: int = 0, remedy: str = "") -> None:
        """Report a departure from `rule`; the rule's own remedy serves where none is given."""
        known = self._rules[rule]
        self._counts[rule, path] += 1
        if (count := self._counts[rule, path]) > MOST:
            return
        if count == MOST:
            message = f"more of this kind than are listed; the last that is: {message}"
        self.found.append(Finding(path, line, rule, shortened(message), remedy or known.remedy, known.severity))

    def join(self, others: Iterable[Finding]) -> None:
        """Add what others found, in a process of their own or in this one; of what all findings by a rule say, a copy came with
        each, and one is kept."""
        for other in others:
            known = self._rules[other.rule]
            remedy = known.remedy if other.remedy == known.remedy else other.remedy
            message = self._said.get(other.message) or other.message
            if len(self._said) < _SAID:
                self._said[message] = message
            self.found.append(Finding(other.path, other.line, known.id, message, remedy, known.severity))

    def waive(self, rule: str) -> None:
        """Take back what was reported against `rule`, which does not hold for this corpus."""
        self.found = [finding for finding in self.found if finding.rule != rule]

    def add_fault(self, rule: str, fault: FormatFault) -> None:
        """Report what a reader refused."""
        self.add(rule, fault.path, fault.found, fault.line, fault.remedy)
