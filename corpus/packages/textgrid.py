"""Praat TextGrids: one beside each waveform, and one over the whole time line of each subject-scenario.

The tiers tile: every moment from 0 to the end is in exactly one interval, without gap or overlap, which is what Praat and its
readers stumble over most. UTF-8, the long text form. Both text forms are read: Praat takes from either nothing but strings,
flags and numbers that stand free, in this order:

    grid = "ooTextFile" "TextGrid" xmin xmax <exists> count tier*
    tier = "IntervalTier" name xmin xmax count (xmin xmax text)*  |  "TextTier" name xmin xmax count (time text)*
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import msgspec

from corpus.analysis.turns import Course, Turn
from corpus.formats import layout
from corpus.formats.errors import FormatFault
from corpus.formats.log.timeline import Moment
from corpus.io.staging import Staging
from corpus.packages.package_writer import Contents, PackageSummary, unheard, wave_count
from session.values.sanitize import inert

HOW = """\
Praat TextGrids. spon/ has one beside each waveform: words (lexical), detailed, and press (the samples before the button was
pressed and after it was released are marked). timeline/ has one a subject-scenario: subject, wizard, system, pauses."""


_SHORTEST = 1e-6
_KINDS = ('"ooTextFile"', '"ooTextFile short"')
_FREE = re.compile(r'"(?:[^"]|"")*"|<[a-z]+>|(?<!\S)[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?(?!\S)')


class TextGridInterval(msgspec.Struct, frozen=True):
    """A stretch in seconds."""

    begin: float
    end: float
    text: str = ""


class Tier(msgspec.Struct, frozen=True):
    """Intervals that tile the time from 0 to the grid's end."""

    name: str
    intervals: tuple[TextGridInterval, ...]


def count(contents: Contents) -> int:
    """Return how many files there will be: a waveform and a TextGrid an utterance, and one of each scenario."""
    return 2 * wave_count(contents) + len(contents.courses)


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write all grids and waveforms."""
    for course in contents.courses:
        staging.write(f"timeline/{course.stem[:-1]}x.TextGrid", render(timeline(course)))
    found = [
        (turn, path)
        for course in contents.courses
        for turn, letter in product(course.turns, contents.microphones)
        if (path := wave_path(course, turn, letter)) in contents.corpus.manifest.files
    ]
    for (turn, path), sound in zip(found, contents.sounds(path for _, path in found), strict=True):
        staging.write(path, sound.data)
        staging.write(path.removesuffix(".wav") + ".TextGrid", render(of_turn(turn, sound.seconds)))
    speakers = {turn.stem[:3] for turn, _ in found}
    return PackageSummary(len(found), len(speakers), HOW, unheard(contents))


def wave_path(course: Course, turn: Turn, letter: str) -> str:
    """Return where a turn's waveform by a microphone is in a corpus."""
    name = turn.stem[:-1] + letter
    return f"{layout.DIRECTORIES[name[6]]}/{name[:3]}/{course.header['Scenario_session']}/{name}.wav"


def of_turn(turn: Turn, duration: float) -> list[Tier]:
    """The tiers beside one waveform."""
    begin, pressed, released = (turn.marks.get(name) for name in ("begin", "pressed", "released"))
    edges = [
        _since(begin, moment, duration) for moment in (pressed, released) if moment is not None and begin is not None
    ]
    if len(edges) == 2 and edges[0] < edges[1]:
        press = tiled([TextGridInterval(edges[0], edges[1], "pressed")], duration)
    else:
        press = tiled([], duration)
    return [
        Tier("words", tiled([TextGridInterval(0, duration, turn.text)], duration)),
        Tier("detailed", tiled([TextGridInterval(0, duration, turn.sro)], duration)),
        Tier("press", press),
    ]


def timeline(course: Course) -> list[Tier]:
    """The tiers of a subject-scenario, from its start to its end."""
    last = max([course.until.at, *(moment.at for turn in course.turns for moment in turn.marks.values())])
    duration = max(0.001, (last - course.began.at) / 1e6)

    def stretches(first: str, then: str, text: Sequence[str]) -> list[TextGridInterval]:
        return [
            TextGridInterval(
                _since(course.began, turn.marks[first], duration),
                _since(course.began, turn.marks[then], duration),
                words,
            )
            for turn, words in zip(course.turns, text, strict=True)
            if first in turn.marks and then in turn.marks
        ]

    numbers = [f"{turn.number}" for turn in course.turns]
    words = [f"{turn.number}: {turn.sro or turn.text}" for turn in course.turns]
    wizard = stretches("end", "transcribed", [f"{number} transcribes" for number in numbers])
    wizard += stretches("transcribed", "sent", [f"{number} answers" for number in numbers])
    pauses = [
        TextGridInterval(_since(course.began, a, duration), _since(course.began, b, duration), "pause")
        for a, b in course.pauses
    ]
    system = [
        TextGridInterval(
            _since(course.began, turn.marks["sent"], duration), duration, f"{turn.number}: {turn.response}"
        )
        for turn in course.turns
        if "sent" in turn.marks
    ]
    return [
        Tier("subject", tiled(stretches("begin", "end", words), duration)),
        Tier("wizard", tiled(wizard, duration)),
        Tier("system", tiled(system, duration)),
        Tier("pauses", tiled(pauses, duration)),
    ]


def tiled(intervals: Iterable[TextGridInterval], duration: float) -> tuple[TextGridInterval, ...]:
    """Intervals that cover 0 to `duration` exactly once: what overlaps is cut short where the next begins, gaps are empty.

    Times are rounded to microseconds first, so that no sliver is left that a reader would take for an overlap. The end is the
    sound's own, whose samples are no whole microseconds: Praat holds a grid and a sound against each other exactly.
    """
    end = duration

    def at(time: float) -> float:
        rounded = max(0.0, round(time, 6))
        return rounded if rounded <= end - _SHORTEST else end

    wanted = sorted((at(interval.begin), at(interval.end), interval.text) for interval in intervals)
    found: list[TextGridInterval] = []
    now = 0.0
    for place, (begin, until, text) in enumerate(wanted):
        limit = wanted[place + 1][0] if place + 1 < len(wanted) else end
        begin, until = max(begin, now), min(until, limit)
        if until <= begin:
            continue
        if begin > now:
            found.append(TextGridInterval(now, begin))
        found.append(TextGridInterval(begin, until, text))
        now = until
    if now < end or not found:
        found.append(TextGridInterval(now, end))
    return tuple(found)


def render(tiers: Sequence[Tier]) -> bytes:
    """The bytes of a grid."""
    end = max(tier.intervals[-1].end for tier in tiers)
    lines = [
        'File type = "ooTextFile"',
        'Object class = "TextGrid"',
        "",
        "xmin = 0",
        f"xmax = {_number(end)}",
        "tiers? <exists>",
    ]
    lines += [f"size = {len(tiers)}", "item []:"]
    for number, tier in enumerate(tiers, start=1):
        lines += [f"    item [{number}]:", '        class = "IntervalTier"', f"        name = {_quoted(tier.name)}"]
        lines += [
            "        xmin = 0",
            f"        xmax = {_number(end)}",
            f"        intervals: size = {len(tier.intervals)}",
        ]
        for place, interval in enumerate(tier.intervals, start=1):
            lines += [
                f"        intervals [{place}]:",
                f"            xmin = {_number(interval.begin)}",
                f"            xmax = {_number(interval.end)}",
            ]
            lines.append(f"            text = {_quoted(interval.text)}")
    return ("\n".join(lines) + "\n").encode()


def parse(data: bytes, path: str) -> tuple[Tier, ...]:
    """Read a grid as `render` or Praat writes it, UTF-8, UTF-16 or ISO Latin-1; points become stretches without
    length. Raises `FormatFault`.

    >>> made = (Tier("words", (TextGridInterval(0.0, 1.5, 'SAY "HO"'), TextGridInterval(1.5, 2.0))),)
    >>> parse(render(made), "x.TextGrid") == made
    True
    """
    try:
        tokens = iter(_FREE.findall(_decoded(data)))
        head = [next(tokens) for _ in range(5)]
        if head[0] not in _KINDS or head[1] != '"TextGrid"' or head[4] != "<exists>":
            raise ValueError("it is not a TextGrid with tiers")
        return tuple([_tier(tokens) for _ in range(int(next(tokens)))])
    except (ValueError, StopIteration, RuntimeError) as error:
        found = str(error) if isinstance(error, ValueError) else "it ends too early"
        raise FormatFault(path, 0, found, "save it from Praat as a text file") from None


def _decoded(data: bytes) -> str:
    """The text of a grid: what is not UTF-8 is ISO Latin-1, as Praat itself guesses."""
    if data[:2] in (b"\xfe\xff", b"\xff\xfe"):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _tier(tokens: Iterator[str]) -> Tier:
    kind, name, _, _, count = (next(tokens) for _ in range(5))
    if kind not in ('"IntervalTier"', '"TextTier"'):
        raise ValueError(f"{kind[:40]} is not a kind of tier")
    edges = 2 if kind == '"IntervalTier"' else 1
    found = list[TextGridInterval]()
    for _ in range(int(count)):
        times = [float(next(tokens)) for _ in range(edges)]
        found.append(TextGridInterval(times[0], times[-1], _plain(next(tokens))))
    return Tier(_plain(name), tuple(found))


def _plain(token: str) -> str:
    if len(token) < 2 or token[0] != '"':
        raise ValueError(f"{token[:40]} is where a text ought to")
    return token[1:-1].replace('""', '"')


def _number(time: float) -> str:
    """Seconds in microseconds where they are whole ones, otherwise all digits, so that a reader has the very same number."""
    return f"{time:.6f}" if time == round(time, 6) else repr(time)


def _quoted(text: str) -> str:
    return '"' + inert(text).replace('"', '""') + '"'


def _since(began: Moment, moment: Moment, duration: float) -> float:
    return min(max(0.0, (moment.at - began.at) / 1e6), duration)
