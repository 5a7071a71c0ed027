"""How a moving picture of several screens comes about: lines that stand still are drawn once, and style sheets alone move it.

A film is an SVG that plays wherever pictures are shown, a README too: no script, no font and nothing else from elsewhere. Where
the reader wants no motion, its last frame stands.
"""

from collections.abc import Callable, Sequence
from html import escape

import msgspec
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME
from textual.app import App
from textual.strip import Strip

WIDE, HIGH, BASELINE = 8.4, 17.0, 12.6
MARGIN, HEAD = 14.0, 44.0
INK, PAPER, QUIET = "#e6e6e6", "#0b0d10", "#9aa4ad"


class Placed(msgspec.Struct, frozen=True):
    """An app's screen in the picture: its title, and the place of its upper left corner."""

    app: App[None]
    title: str
    x: float
    y: float


class Film:
    """What some screens show over time; `now` gives seconds."""

    def __init__(self, screens: Sequence[Placed], now: Callable[[], float]) -> None:
        self._screens = screens
        self._now = now
        self._began = now()
        self._spans: dict[str, list[tuple[float, float]]] = {}
        self._lit: dict[str, float] = {}
        self._caption = ""

    def say(self, caption: str) -> None:
        """Have these words below the screens from the next frame on."""
        self._caption = caption

    def frame(self) -> None:
        """Keep what the screens show now."""
        at = self._now() - self._began
        shown = {drawn for placed in self._screens for drawn in _lines(placed)}
        shown.add(_text(MARGIN, _bottom(self._screens) + 30, self._caption, INK, size=19))
        for drawn in self._lit.keys() - shown:
            self._spans.setdefault(drawn, []).append((self._lit.pop(drawn), at))
        for drawn in shown - self._lit.keys():
            self._lit[drawn] = at

    def render(self, title: str, rest: float = 4.0) -> str:
        """The whole film, which begins again after its last frame has stood for `rest` seconds."""
        ended = self._now() - self._began + rest
        for drawn, since in self._lit.items():
            self._spans.setdefault(drawn, []).append((since, ended))
        rules: dict[tuple[tuple[float, float], ...], str] = {}
        body = []
        for drawn, spans in self._spans.items():
            if spans == [(0.0, ended)]:
                body.append(drawn)
                continue
            name = rules.setdefault(tuple(spans), f"k{len(rules)}")
            last = " z" if spans[-1][1] == ended else ""
            body.append(f'<g class="{name} t{last}">{drawn}</g>')
        width = max(placed.x + WIDE * placed.app.size.width for placed in self._screens) + MARGIN
        height = _bottom(self._screens) + 48
        style = "".join(_rule(name, spans, ended) for spans, name in rules.items())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
            f'aria-label="{escape(title)}">'
            f"<title>{escape(title)}</title><style>text{{font:14px 'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace;"
            f"white-space:pre}}.t{{visibility:hidden;animation:{ended:.2f}s step-end infinite}}{style}"
            "@media (prefers-reduced-motion:reduce){.t{animation:none}.z{visibility:visible}}</style>"
            f'<rect width="100%" height="100%" rx="10" fill="{PAPER}"/>'
            + "".join(_text(placed.x, placed.y - 14, placed.title, QUIET, size=17) for placed in self._screens)
            + "".join(body)
            + "</svg>\n"
        )


def _rule(name: str, spans: Sequence[tuple[float, float]], whole: float) -> str:
    steps = "".join(
        f"{100 * since / whole:.2f}%{{visibility:visible}}"
        + (f"{100 * until / whole:.2f}%{{visibility:hidden}}" if until < whole else "")
        for since, until in spans
    )
    return f".{name}{{animation-name:{name}}}@keyframes {name}{{{steps}}}"


def _bottom(screens: Sequence[Placed]) -> float:
    return max(placed.y + HIGH * placed.app.size.height for placed in screens)


def _lines(placed: Placed) -> list[str]:
    """What the screen shows, a drawing for each of its lines."""
    strips: list[Strip] = placed.app.screen._compositor.render_strips()
    return [_line(strip, placed.x, placed.y + HIGH * row) for row, strip in enumerate(strips)]


def _line(strip: Strip, x: float, y: float) -> str:
    grounds, words, column = [], [], 0
    for text, style, _ in Segment.simplify(segment for segment in strip if not segment.control):
        ink, ground, bold = _colours(style or Style())
        at, count = x + WIDE * column, len(text)
        grounds.append(
            f'<path fill="{ground}" d="M{at:.1f} {y:.1f}h{WIDE * count + 0.3:.1f}v{HIGH + 0.3:.1f}h-{WIDE * count + 0.3:.1f}z"/>'
        )
        if bare := text.strip():
            lead = len(text) - len(text.lstrip())
            words.append(_text(at + WIDE * lead, y + BASELINE, bare, ink, columns=len(bare), bold=bold))
        column += count
    return "".join((*grounds, *words))


def _colours(style: Style) -> tuple[str, str, bool]:
    def code(colour: Color | None, foreground: bool) -> str:
        chosen = colour or Color.default()
        return chosen.get_truecolor(SVG_EXPORT_THEME, foreground=foreground).hex

    ink, ground = code(style.color, True), code(style.bgcolor, False)
    return (ground, ink, bool(style.bold)) if style.reverse else (ink, ground, bool(style.bold))


def _text(x: float, y: float, words: str, ink: str, *, columns: int = 0, bold: bool = False, size: int = 0) -> str:
    length = f' textLength="{WIDE * columns:.1f}"' if columns else ""
    weight = ' font-weight="bold"' if bold else ""
    large = f' style="font-size:{size}px;font-family:sans-serif"' if size else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{ink}"{length}{weight}{large}>{escape(words)}</text>'
