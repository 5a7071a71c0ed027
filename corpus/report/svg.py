"""Charts as plain SVG text: histograms, spreads, a time line. No script, no colour that carries meaning alone.

Every mark has a `<title>`, which browsers show; screen readers read that of the whole picture, and the tables beside it. Lengths
are in the units of the view box, which scales with the page.
"""

import math
from collections.abc import Iterable, Sequence
from html import escape as _escape

import msgspec

from corpus.analysis.distribution import Distribution, quantile
from session.values.sanitize import inert

WIDTH = 1000
LEFT = 210


class Bar(msgspec.Struct, frozen=True):
    """A stretch on a lane of a time line, in seconds; `kind` is its class in the style sheet."""

    lane: int
    begin: float
    end: float
    kind: str
    title: str


def escape(text: str) -> str:
    """Text for HTML and SVG, attributes in quotes included: no mark-up, and nothing that nobody sees or that turns a line around.

    >>> escape("\\u202e<b>")
    '⇄&lt;b&gt;'
    """
    return _escape(inert(text))


def ticks(largest: float, about: int = 6) -> list[float]:
    """Round numbers from 0 up to `largest`.

    >>> ticks(23)
    [0.0, 5.0, 10.0, 15.0, 20.0]
    """
    return ticks_between(0.0, largest, about) if largest > 1e-9 else [0.0]


def ticks_between(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers from `low` to `high`, which is larger.

    >>> ticks_between(-23, -1)
    [-20.0, -15.0, -10.0, -5.0]
    """
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw)
    return [
        round(step * place, 10) for place in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]


def clock_ticks(seconds: float, about: int = 8) -> list[int]:
    """Seconds that are round on a clock, from 0 up to `seconds`.

    >>> clock_ticks(290)
    [0, 60, 120, 180, 240]
    """
    steps = (1, 2, 5, 10, 15, 30, *(60 * minutes for minutes in (1, 2, 5, 10, 15, 30)))
    hours = 3600 * math.ceil(seconds / about / 3600)
    step = next((step for step in steps if step * about >= seconds), max(3600, hours))
    return list(range(0, int(seconds) + 1, step))


def histogram(values: Sequence[float], unit: str, title: str, bins: int = 30, across: int = WIDTH) -> str:
    """Counts of values in bins of equal width; what lies beyond the 99th percentile is gathered in the last bin.

    The picture is `across` wide.
    """
    if not values:
        return ""
    ordered = sorted(values)
    low = min(0.0, ordered[0])
    high = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    width = (high - low) / bins if high - low > 1e-9 else 1.0
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / width))] += 1
    most, step = max(counts), (across - 90) / bins
    parts = [_open(220, title, across)]
    for place, count in enumerate(counts):
        height = 136 * count / most
        span = f"{low + place * width:.2f} to {low + (place + 1) * width:.2f} {unit}"
        beyond = " and beyond" if place == bins - 1 else ""
        parts.append(
            f"<rect class=bar x={50 + place * step:.1f} y={160 - height:.1f} width={step - 1:.1f} height={height:.1f}>"
            f"<title>{count}: {span}{beyond}</title></rect>"
        )
    for tick in ticks_between(low, low + width * bins):
        at = 50 + (across - 90) * (tick - low) / (width * bins)
        parts.append(f"<text x={at:.1f} y=182 text-anchor=middle>{tick:g}</text>")
    middle = quantile(ordered, 0.5)
    at = 50 + (across - 90) * (middle - low) / (width * bins)
    beside = f"x={at - 4:.1f} text-anchor=end" if at > 0.8 * across else f"x={at + 4:.1f}"
    parts.append(
        f"<line class=median x1={at:.1f} x2={at:.1f} y1=8 y2=160 /><text {beside} y=16>median {middle:.2f}</text>"
    )
    parts.append(f"<text x=44 y=32 text-anchor=end>{most}</text><text x=44 y=162 text-anchor=end>0</text>")
    parts.append(f"<text x={across - 8} y=212 text-anchor=end>{escape(unit)}; upright: how many</text></svg>")
    return "".join(parts)


def counts(rows: Iterable[tuple[str, int]], unit: str, title: str, across: int = WIDTH) -> str:
    """A bar for each count, as long as the count, which is behind it; the picture is `across` wide."""
    found = list(rows)
    most = max((count for _, count in found), default=0)
    if not most:
        return ""
    height, left = 36 * len(found) + 40, LEFT - 20
    parts = [_open(height, title, across)]
    for place, (label, count) in enumerate(found):
        y, width = 36 * place + 8, (across - left - 60) * count / most
        parts.append(f"<text x={left - 8} y={y + 17} text-anchor=end>{escape(label)}</text>")
        parts.append(
            f"<rect class=bar x={left} y={y} width={width:.1f} height=26><title>{escape(label)}: {count}</title></rect>"
        )
        parts.append(f"<text x={left + width + 6:.1f} y={y + 17}>{count}</text>")
    parts.append(f"<text x={across - 8} y={height - 8} text-anchor=end>{escape(unit)}</text></svg>")
    return "".join(parts)


def spreads(rows: Iterable[tuple[str, Distribution]], unit: str, title: str) -> str:
    """A line from smallest to largest, a bar from the 10th to the 90th percentile, a mark at the median; one row each.

    The scale goes by the bars, so that one turn of minutes squeezes none of them: a line that goes on ends in an arrow.
    """
    found = list(rows)
    if not found:
        return ""
    largest = max(spread.high for _, spread in found) * 1.15 or 1.0
    scale = (WIDTH - LEFT - 70) / largest
    height = 26 * len(found) + 54
    parts = [_open(height, title)]
    for tick in ticks(largest):
        at = LEFT + scale * tick
        parts.append(f"<line class=grid x1={at:.1f} x2={at:.1f} y1=0 y2={height - 48} />")
        parts.append(f"<text x={at:.1f} y={height - 31} text-anchor=middle>{tick:g}</text>")
    for place, (label, spread) in enumerate(found):
        y = 26 * place + 13
        x = [
            LEFT + scale * max(0.0, min(value, largest))
            for value in (spread.smallest, spread.low, spread.median, spread.high, spread.largest)
        ]
        tip = f"{label}: median {spread.median:.2f}, 10 % to 90 % {spread.low:.2f} to {spread.high:.2f}, "
        tip += f"largest {spread.largest:.2f} {unit}"
        parts.append(
            f"<g><title>{escape(tip)}</title><text x={LEFT - 8} y={y + 4} text-anchor=end>{escape(label)}</text>"
        )
        parts.append(f"<line class=whisker x1={x[0]:.1f} x2={x[4]:.1f} y1={y} y2={y} />")
        if spread.largest > largest:
            parts.append(f'<path class=whisker fill=none d="M{x[4] - 7:.1f} {y - 5}l7 5l-7 5"/>')
        parts.append(f"<rect class=bar x={x[1]:.1f} y={y - 7} width={max(1.5, x[3] - x[1]):.1f} height=14 />")
        parts.append(f"<line class=median x1={x[2]:.1f} x2={x[2]:.1f} y1={y - 10} y2={y + 10} />")
        parts.append(f"<text x={WIDTH - 4} y={y + 4} text-anchor=end>{spread.median:.2f}</text></g>")
    parts.append(
        f"<text x={WIDTH - 4} y={height - 4} text-anchor=end>{escape(unit)}; on the right: median</text></svg>"
    )
    return "".join(parts)


def timeline(lanes: Sequence[str], bars: Iterable[Bar], seconds: float, title: str) -> str:
    """Bars on named lanes over `seconds`, minutes and seconds below."""
    left, height = 150, 24 * len(lanes) + 26
    scale = (WIDTH - left - 14) / max(seconds, 1e-6)
    parts = [_open(height, title)]
    for place, lane in enumerate(lanes):
        y = 24 * place
        parts.append(f"<line class=grid x1={left} x2={WIDTH - 14} y1={y + 22} y2={y + 22} />")
        parts.append(f"<text x={left - 8} y={y + 16} text-anchor=end>{escape(lane)}</text>")
    for bar in bars:
        x, width = left + scale * bar.begin, max(1.5, scale * (bar.end - bar.begin))
        parts.append(
            f'<rect class="{escape(bar.kind)}" x={x:.1f} y={24 * bar.lane + 4} width={width:.1f} height=16>'
            f"<title>{escape(bar.title)}</title></rect>"
        )
    for tick in clock_ticks(seconds):
        x = left + scale * tick
        parts.append(f"<text x={x:.1f} y={height - 6} text-anchor=middle>{tick // 60}:{tick % 60:02d}</text>")
    parts.append("</svg>")
    return "".join(parts)


def _open(height: int, title: str, across: int = WIDTH) -> str:
    return f'<svg viewBox="0 0 {across} {height}" role=img aria-label="{escape(title)}"><title>{escape(title)}</title>'
