"""The report on a corpus as one HTML page that needs nothing else: no script, no network, every text escaped.

It can be mailed, archived and opened in twenty years. Colours follow the reader's light or dark setting.
"""

from collections.abc import Sequence
from itertools import groupby

from corpus.analysis.paper_tables import TOTAL
from corpus.analysis.turns import STAGES, Course
from corpus.formats.errors import counted
from corpus.report import svg
from corpus.report.methods_checklist import Item
from corpus.report.statistics import BLIND, Figures, decibels
from corpus.report.svg import Bar, escape
from corpus.report.tables import COUNTS, DELAYS, GROUPS_SHEET, SCENARIOS, SOUND, SPEAKERS_SHEET, Sheet, sheets

MOST_TIMELINES = 2_500  # of a corpus of 14,000 utterances every session is drawn
STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --line: #d5d5d5; --bar: #5b8db8; --deep: #1f4e79;
  --warm: #b5651d; --soft: #7a8f5c; --calm: #8a8a8a; --shade: #0003 }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #161616; --line: #444; --bar: #4f86b5;
  --deep: #a8cdf0; --warm: #d99550; --soft: #7d9160; --shade: #fff4 } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 74rem; padding: 1rem; color: var(--ink);
  background: var(--paper) }
a { color: var(--deep) } nav { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem }
h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line) }
h4 { margin: .8rem 0 .2rem; font-weight: 400 } summary h3 { display: inline; font-size: 1rem; font-weight: 400 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem } dt { font-weight: 600 } dd { margin: 0 }
.wide, .chart { overflow-x: auto; max-width: 100%; background:
  linear-gradient(90deg, var(--paper) 60%, #0000) left / 1.6rem 100% no-repeat local,
  linear-gradient(270deg, var(--paper) 60%, #0000) right / 1.6rem 100% no-repeat local,
  linear-gradient(90deg, var(--shade), #0000) left / .8rem 100% no-repeat,
  linear-gradient(270deg, var(--shade), #0000) right / .8rem 100% no-repeat } table { border-collapse: collapse; margin: .6rem 0 }
caption { text-align: left; font-weight: 600; padding: .2rem 0 } .wide caption { position: sticky; left: 0;
  max-width: calc(100vw - 3.2rem) }
th, td { padding: .15rem .45rem; text-align: right; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; vertical-align: top; white-space: nowrap }
th { white-space: normal; vertical-align: bottom } th:first-child, td:first-child { text-align: left }
tbody th { font-weight: 400; vertical-align: top } tr.total th, tr.total td, tbody th[scope=rowgroup] { font-weight: 600 }
table.words td, table.words th { text-align: left; white-space: normal; overflow-wrap: anywhere }
table.words th[scope=row] { width: 38% } table.words th[scope=rowgroup] { padding-top: .8rem }
.mark { border: 3px solid var(--warm); padding: .5rem 1rem }
svg { width: 100%; min-width: 34rem; height: auto; font-size: 13px; display: block } svg text { fill: var(--ink) }
.grid { stroke: var(--line) } .whisker { stroke: var(--ink) } .median { stroke: var(--warm); stroke-width: 2.5 }
.bar, .speech { fill: var(--bar) } .transcribe { fill: var(--soft) } .answer { fill: var(--warm) }
.formulate, .query, .inspect, .decide { fill: var(--deep) }
.wrong { fill: none; stroke: var(--warm); stroke-width: 3 } .pause { fill: var(--calm) } details { margin: .4rem 0 }
@media (max-width: 40rem) { body { padding: .6rem; font-size: 15px } table { font-size: .85rem }
  .chart { padding-top: .6rem } svg { font-size: 23px; min-width: 0; overflow: visible }
  .line svg { font-size: 17px; min-width: 34rem }
  th, td { padding: .15rem .3rem } }
@media print { body { max-width: none; font-size: 10pt } nav { display: none }
  .wide, .chart { overflow: visible; background: none }
  details::details-content { content-visibility: visible; height: auto } svg { min-width: 0 }
  .wide, caption, tr, svg { break-inside: avoid } h2, h2 + p, h3, h4, summary, caption { break-after: avoid } }
"""
LANES = ("subject", "transcribe", "formulate", "query", "inspect, decide", "reply", "pauses")
_DRAWN = {"transcribe": 1, "formulate": 2, "query": 3, "inspect": 4, "decide": 4}
_REPLY, _PAUSES = 5, 6


def render(figures: Figures, found: Sequence[Course], name: str) -> str:
    """The whole page about the corpus of this name."""
    data = [course for course in found if course.header["Pilot"] == "no"]
    mark = "<p class=mark>A rehearsal with scripted people and made-up speech: no data." if figures.rehearsal else ""
    mark += f"<p class=mark>{BLIND}" if figures.blind else ""
    mark += "" if figures.sessions else "<p class=mark>There is no session here, so that there is nothing to count."
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>Report on {escape(name)}</title><style>{STYLE}</style><h1>Report on the corpus {escape(name)}</h1>{mark}",
        "<nav aria-label=Parts><a href=#counts>Counts</a><a href=#delays>Delays</a><a href=#sound>Sound</a>"
        "<a href=#scenarios>Scenarios</a><a href=#methods>Methods</a><a href=#lines>Time lines</a></nav><main>",
        _counts(figures),
        _delays(figures, data),
        _sound(figures, data),
        _scenarios(figures),
        _methods(figures),
        _timelines(found),
        "</main></html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _tables(figures: Figures, part: str) -> dict[str, str]:
    """The tables of a part by caption; long ones can be unfolded."""
    return {sheet.caption: _table(sheet) for sheet in sheets(figures) if sheet.part == part}


def _table(sheet: Sheet) -> str:
    head = "".join(
        f"<th scope=col>{escape(cell).replace(' %', '&nbsp;%')}" if cell else "<td>" for cell in sheet.header
    )
    body = "".join(
        f"<tr{' class=total' if row[0] == TOTAL else ''}><th scope=row>{escape(row[0])}"
        + "".join(f"<td>{escape(cell)}" for cell in row[1:])
        for row in sheet.rows
    )
    table = f"<table><caption>{escape(sheet.caption)}</caption><thead><tr>{head}<tbody>{body}</table>"
    table = f"<div class=wide tabindex=0 role=region aria-label={_quoted(sheet.caption)}>{table}</div>"
    return _folded(sheet.caption, table) if sheet.caption in (SPEAKERS_SHEET, GROUPS_SHEET) else table


def _quoted(text: str) -> str:
    return f'"{escape(text)}"'


def _folded(summary: str, inner: str, opened: bool = False) -> str:
    return f"<details{' open' if opened else ''}><summary>{escape(summary)}</summary>{inner}</details>"


def _counts(figures: Figures) -> str:
    told = "<h2 id=counts>Counts</h2><p>Pilots are counted as sessions and nowhere else."
    return told + "".join(_tables(figures, COUNTS).values())


def _delays(figures: Figures, found: Sequence[Course]) -> str:
    own = [(delay.stage, delay.spread) for delay in figures.delays if delay.group == "all"]
    meanings = "".join(f"<dt>{stage}<dd>{escape(meaning)}" for stage, (_, _, meaning) in STAGES.items())
    chart = svg.spreads(own, "seconds", "The stages of a turn")
    parts = [
        f"<h2 id=delays>Delays</h2><dl>{meanings}</dl>",
        "<p>Bar: 10th to 90th percentile; mark: median; thin line: all, with an arrow where it goes on to the most in the table."
        f"<div class=chart>{chart}</div>"
        if chart
        else "",
        *_tables(figures, DELAYS).values(),
    ]
    for stage in STAGES:
        times = [value for course in found for turn in course.turns if (value := turn.stage(stage)) is not None]
        if times:
            title = f"{stage}: {STAGES[stage][2]}"
            drawn = f"<div class=chart>{svg.histogram(times, 'seconds', title)}</div>"
            parts.append(_folded(title, drawn, stage in ("wizard", "reply")))
    return "".join(parts)


def _sound(figures: Figures, found: Sequence[Course]) -> str:
    lengths = [turn.speech_s for course in found for turn in course.turns if turn.speech_s is not None]
    peaks = [decibels(peak) for course in found for peak in course.peaks if peak]
    charts = (("Length of utterances, with what was recorded before and after", lengths, "seconds"),
              ("Peak level of waveforms", peaks, "dB of full scale"))  # fmt: skip
    parts = ["<h2 id=sound>Sound</h2>", *_tables(figures, SOUND).values()]
    parts += [
        f"<h3>{title}</h3><div class=chart>{svg.histogram(values, unit, title)}</div>"
        for title, values, unit in charts
        if values
    ]
    return "".join(parts)


def _scenarios(figures: Figures) -> str:
    return (
        "<h2 id=scenarios>Difficulty of the scenarios</h2><p>The median time to a declared solution, right or wrong, "
        "counts the other scenarios as longer than they lasted (Kaplan–Meier); a dash: fewer than half had "
        "one. Utterances and requests are means; "
        "% failed is of the requests. Scenarios that were declared invalid count nowhere else here."
        + "".join(_tables(figures, SCENARIOS).values())
    )


def _methods(figures: Figures) -> str:
    rows = "".join(
        f"<tbody><tr><th scope=rowgroup colspan=2>{escape(part)}" + "".join(map(_item, items))
        for part, items in groupby(figures.checklist, lambda item: item.part)
    )
    return (
        "<h2 id=methods>Methods checklist</h2><p>After Riek (2012), from logs and protocols; what is marked is for people to add."
        f"<table class=words aria-labelledby=methods>{rows}</table><h3>Limits of these figures</h3><ul>"
        + "".join(f"<li>{escape(limit)}" for limit in figures.limits)
        + "</ul>"
    )


def _item(item: Item) -> str:
    more = "" if item.known else " <em>[to be added]</em>"
    return f"<tr><th scope=row>{escape(item.question)}<td>{escape(item.answer)}{more}"


def _timelines(found: Sequence[Course]) -> str:
    sessions: dict[str, list[Course]] = {}
    for course in found:
        sessions.setdefault(course.header["Session"], []).append(course)
    shown, others = list(sessions.items())[:MOST_TIMELINES], list(sessions)[MOST_TIMELINES:]
    parts = ["<h2 id=lines>Time lines</h2><p>One line a subject-scenario, from its start, minutes and seconds below; "
             "the stages are those of the delays; point at a bar to read it."]  # fmt: skip
    if others:  # named all the same: by its sessions `curtain withdraw` finds a page that counts somebody
        parts.append(f"<p>The first {len(shown)} of {len(sessions)} sessions are drawn.")
        parts.append(f"<details><summary>Counted and not drawn</summary><p>{escape(' '.join(others))}</details>")
    for place, (session, own) in enumerate(shown):
        first = own[0].header
        pilot = ", a pilot" if first["Pilot"] == "yes" else ""
        summary = f"<h3>{escape(session)}, speaker {escape(first['Speaker'])}{pilot}</h3>"
        parts.append(f"<details{' open' if place < 3 else ''}><summary>{summary}</summary>")
        for course in own:
            outcome = course.outcome.replace("_", " ") or "broken off"
            title = f"{course.header['Scenario_session']}: {course.header['Scenario']}, {outcome}"
            parts.append(f"<h4>{escape(title)}</h4><div class='chart line'>{_timeline(course, title)}</div>")
        parts.append("</details>")
    return "".join(parts)


def _timeline(course: Course, title: str) -> str:
    bars: list[Bar] = []
    last = course.until.at
    for turn in course.turns:
        place = {name: (moment.at - course.began.at) / 1e6 for name, moment in turn.marks.items()}
        last = max([last, *(moment.at for moment in turn.marks.values())])
        if "begin" in place and "end" in place:
            told = f"{turn.number}: speech, {place['end'] - place['begin']:.2f} s. {turn.text}"
            bars.append(Bar(0, place["begin"], place["end"], "speech", told))
        for stage, lane in _DRAWN.items():
            if (lasted := turn.stage(stage)) is not None:
                first, then, _ = STAGES[stage]
                bars.append(Bar(lane, place[first], place[then], stage, f"{turn.number}: {stage}, {lasted:.2f} s"))
        if "sent" in place:
            told = f"{turn.number}: {turn.response}{', marked as wrong' if turn.marked_wrong else ''}"
            until = place.get("shown", place["sent"])
            bars.append(Bar(_REPLY, place["sent"], until, "wrong" if turn.marked_wrong else "answer", told))
    for begin, end in course.pauses:
        bars.append(
            Bar(
                _PAUSES,
                max(0.0, (begin.at - course.began.at) / 1e6),
                (end.at - course.began.at) / 1e6,
                "pause",
                "pause",
            )
        )
    lanes = LANES if course.pauses else LANES[:-1]
    lasted = (last - course.began.at) / 1e6
    answered = sum(turn.answered for turn in course.turns)
    told = f"{title}; {counted(len(course.turns), 'utterance')}, {answered} answered, {lasted:.0f} s"
    return svg.timeline(lanes, bars, lasted, told)
