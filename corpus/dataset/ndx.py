"""`doc/pool.ndx` and `doc/release.ndx`: exactly which utterances the set consists of that a part of a corpus is.

On the discs of ATIS every test had its `.ndx`, for a directory alone does not tell what of it is to be counted. Here a person's
files stay together, pilots and scenarios that were declared invalid among them, and neither is data. A line each, sorted; lines
that begin with `;;` are remarks, as in other lists of NIST's:

    ;; the utterances of the set pool
    spon/8k9/1/8k9011sx

The name is that of the utterance for all its microphones: `.sro` and the like are added to it, for a waveform `x` gives way to
the microphone's letter.
"""

from collections.abc import Iterable, Iterator

from corpus.formats import layout
from corpus.formats.errors import FormatFault
from corpus.formats.log import utterance_names
from corpus.formats.safe_lines import lines_of
from session.values.names import StemName
from session.values.vocabulary import Outcome

_BEHIND = 5
"""The characters of a name from its utterance's number on, of which this takes two."""
_DATA = b"\n[Pilot:] no\n"
_INVALID = (b"\n[Scenario_invalidated:] ", f"\n[Outcome:] {Outcome.INVALIDATED.value}\n".encode())


def place_of(stem: StemName) -> str:
    """An utterance as a line names it.

    >>> place_of(StemName("8k9", 1, 1))
    'spon/8k9/1/8k9011sx'
    """
    return f"{layout.directory_of(stem)}/{stem}"


def data_in(log: bytes, stem: StemName) -> Iterator[str]:
    """The utterances that are data of a subject-scenario, by its log, which is not parsed for that: no value can make a line."""
    if _DATA in log and not any(mark in log for mark in _INVALID):
        first = place_of(stem)
        begins, ends = first[:-_BEHIND], first[2 - _BEHIND :]
        for number in utterance_names.taken_in(log):
            yield f"{begins}{number}{ends}"


def render(of: str, places: Iterable[str]) -> bytes:
    """The bytes of the list."""
    return "\n".join((f";; the utterances of the set {of}", *sorted(places), "")).encode()


def parse(data: bytes | str, path: str) -> tuple[str, ...]:
    """The utterances in a list; raises `FormatFault` for a line that names none, or out of order."""
    found = list[str]()
    for number, line in enumerate(lines_of(data, path), start=1):
        if not line or line.startswith(";;"):
            continue
        try:
            right = place_of(StemName.parse(line.rpartition("/")[2]))
        except ValueError as error:
            raise FormatFault(path, number, str(error), "write the part again: curtain holdout") from None
        if line != right or (found and line <= found[-1]):
            raise FormatFault(path, number, f"{line!r} is misplaced", "write the part again: curtain holdout")
        found.append(line)
    return tuple(found)
