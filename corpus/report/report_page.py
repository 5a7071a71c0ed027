"""A self-contained HTML page: no script, no network, every text escaped.

It can be mailed, archived and opened in twenty years. Colours follow the reader's light or dark setting.
"""

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --line: #d5d5d5; --bar: #5b8db8; --deep: #1f4e79;
  --warm: #b5651d; --soft: #7a8f5c; --calm: #8a8a8a; --shade: #0003 }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #161616; --line: #444; --bar: #4f86b5;
  --deep: #a8cdf0; --warm: #d99550; --soft: #7d9160; --shade: #fff4 } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 74rem; padding: 1rem; color: var(--ink);
  background: var(--paper) }
a { color: var(--deep) } nav { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem }
h1 { margin: .4rem 0 .6rem; font-size: 1.7rem } figure { margin: 0 } figcaption { font-size: .9rem }
.first ul { padding: 0; list-style: none } .tiles { display: grid; gap: .6rem; margin: .8rem 0;
  grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)) } .tiles li { border: 1px solid var(--line); padding: .4rem .7rem;
  line-height: 1.3 } .tiles b { display: block; font-size: 1.6rem } .tiles span { display: block; font-size: .85rem }
.pair { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(28rem, 100%), 1fr)) }
.pair svg { min-width: 0 } .first h2 { margin: .7rem 0 .3rem; font-size: 1.15rem } .wrongs { margin: 0; columns: 2 26rem }
.wrongs li::before { content: "▲ "; color: var(--warm) } .mark { margin: .5rem 0 }
h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line) }
h4 { margin: .8rem 0 .2rem; font-weight: 400 } summary h3 { display: inline; font-size: 1rem; font-weight: 400 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem } dt { font-weight: 600 } dd { margin: 0 }
.wide, .chart { overflow-x: auto; max-width: 100%; background:
  linear-gradient(90deg, var(--paper) 60%, #0000) left / 1.6rem 100% no-repeat local,
  linear-gradient(270deg, var(--paper) 60%, #0000) right / 1.6rem 100% no-repeat local,
  linear-gradient(90deg, var(--shade), #0000) left / .8rem 100% no-repeat,
  linear-gradient(270deg, var(--shade), #0000) right / .8rem 100% no-repeat } table { border-collapse: collapse; margin: .6rem 0;
  min-width: min(24rem, 100%) }
caption { text-align: left; font-weight: 600; padding: .2rem 0 } .wide caption { position: sticky; left: 0;
  max-width: calc(100vw - 3.2rem) }
th, td { padding: .15rem .45rem; text-align: right; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; vertical-align: top; white-space: nowrap }
th { white-space: normal; vertical-align: bottom } th:first-child, td:first-child { text-align: left }
tbody th { font-weight: 400; vertical-align: top } tr.total th, tr.total td, tbody th[scope=rowgroup] { font-weight: 600 }
table.words td, table.words th { text-align: left; white-space: normal; overflow-wrap: anywhere }
td.text { text-align: left; white-space: normal; max-width: 45rem; overflow-wrap: anywhere } code { overflow-wrap: anywhere }
table.words th[scope=row] { width: 38% } table.words th[scope=rowgroup] { padding-top: .8rem }
.mark { border: 3px solid var(--warm); padding: .2rem .8rem }
svg { width: 100%; min-width: 34rem; height: auto; font-size: 13px; display: block } svg text { fill: var(--ink) }
.grid { stroke: var(--line) } .whisker { stroke: var(--ink) } .median { stroke: var(--warm); stroke-width: 2.5 }
.bar, .speech { fill: var(--bar) } .transcribe { fill: var(--soft) } .answer { fill: var(--warm) }
.formulate, .query, .inspect, .decide { fill: var(--deep) }
.wrong { fill: none; stroke: var(--warm); stroke-width: 3 } .pause { fill: var(--calm) } details { margin: .4rem 0 }
@media (max-width: 40rem) { body { padding: .6rem; font-size: 15px } table { font-size: .85rem }
  .chart { padding-top: .6rem } svg { font-size: 23px; min-width: 0; overflow: visible }
  .line svg { font-size: 17px; min-width: 34rem } .pair svg { font-size: 15px }
  th, td { padding: .15rem .3rem } }
@page { size: A4; margin: 16mm 14mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); font: 9pt sans-serif } }
.paper { display: none }
@media print { .paper { display: block } .later { display: none } }
@media print { body { max-width: none; font-size: 10pt; padding: 0 } nav { display: none }
  a { color: inherit; text-decoration: none }
  .wide, .chart { overflow: visible; background: none } table { font-size: 8pt } th, td { padding: .1rem .22rem }
  .wide caption { max-width: 100% } thead { display: table-header-group }
  details::details-content { content-visibility: visible; height: auto } svg { min-width: 0 }
  summary { list-style: none }
  .median { stroke: #000 } .pair svg { font-size: 17px }
  .tiles { grid-template-columns: repeat(3, 1fr) } .pair { grid-template-columns: 1fr 1fr } .first { break-after: page }
  .bar, .speech, .transcribe, .answer, .formulate, .query, .inspect, .decide, .pause { print-color-adjust: exact }
  .wide, .chart, figure, dl, caption, tr, svg { break-inside: avoid }
  h2, h2 + p, h3, h4, summary, caption { break-after: avoid } }
"""


def page(title: str, parts: Iterable[str]) -> str:
    """Return the page of the `parts`, which are HTML already."""
    head = "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
    written = [head, f"<title>{escape(title)}</title><style>{STYLE}</style>", *parts, "</html>"]
    return "\n".join(part for part in written if part) + "\n"


def table(
    caption: str, header: Sequence[str], rows: Iterable[Sequence[str]], total: str = "", text: int | None = None
) -> str:
    """Return a table that scrolls by itself where the window is narrow.

    Its first column names the rows, of which the one named `total` stands out; from column `text` on, cells hold words.
    """

    def cell(place: int, words: str) -> str:
        return f"<td{' class=text' if text is not None and place >= text else ''}>{escape(words)}"

    head = "".join(f"<th scope=col>{escape(name).replace(' %', '&nbsp;%')}" if name else "<td>" for name in header)
    body = "".join(
        f"<tr{' class=total' if total and row[0] == total else ''}><th scope=row>{escape(row[0])}"
        + "".join(cell(place, words) for place, words in enumerate(row[1:], start=1))
        for row in rows
    )
    written = f"<table><caption>{escape(caption)}</caption><thead><tr>{head}<tbody>{body}</table>"
    return f'<div class=wide tabindex=0 role=region aria-label="{escape(caption)}">{written}</div>'


def folded(summary: str, inner: str, opened: bool = False) -> str:
    """Return a part that opens when its summary is clicked."""
    return f"<details{' open' if opened else ''}><summary>{escape(summary)}</summary>{inner}</details>"
