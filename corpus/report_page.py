"""The report on a corpus as one HTML page that needs nothing else: no script, no network, every text escaped.

It can be mailed, archived and opened in twenty years. Colours follow the reader's light or dark setting.
"""

from collections.abc import Sequence
from html import escape
from itertools import groupby

from corpus import svg
from corpus.checklist import Item
from corpus.figures import Delay, Figures, decibels
from corpus.svg import Bar
from corpus.tables import ClassRow, values
from corpus.turns import STAGES, Course

MOST_TIMELINES = 300
STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --line: #d5d5d5; --bar: #5b8db8; --deep: #1f4e79;
  --warm: #c77b30; --soft: #b9c8a0 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #161616; --line: #444; --bar: #4f86b5;
  --deep: #a8cdf0; --warm: #d99550; --soft: #7d9160 } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 66rem; padding: 1rem; color: var(--ink);
  background: var(--paper) }
a { color: var(--deep) } nav { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem }
h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line) }
.wide { overflow-x: auto; max-width: 100% } table { border-collapse: collapse; margin: .6rem 0 }
caption { text-align: left; font-weight: 600; padding: .2rem 0; white-space: nowrap }
th, td { padding: .15rem .5rem; text-align: right; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; vertical-align: top; white-space: nowrap }
th { white-space: normal; vertical-align: bottom } th:first-child, td:first-child { text-align: left }
table.words td, table.words th { text-align: left; white-space: normal; overflow-wrap: anywhere }
table.words td:first-child { width: 38% } table.words th { padding-top: .8rem }
@media (max-width: 40rem) { body { padding: .6rem } th, td { padding: .15rem .35rem }
  td:first-child { white-space: normal; min-width: 7rem } }
tr.total td { font-weight: 600 } td.ask { font-style: italic } .mark { border: 3px solid var(--warm); padding: .5rem 1rem }
svg { width: 100%; min-width: 38rem; height: auto; font-size: 13px; display: block } svg text { fill: var(--ink) }
.grid { stroke: var(--line) } .whisker { stroke: var(--ink) } .median { stroke: var(--warm); stroke-width: 2.5 }
.bar, .speech { fill: var(--bar) } .transcribe { fill: var(--soft) } .answer { fill: var(--warm) }
.formulate, .query, .inspect, .decide { fill: var(--deep) }
.wrong { fill: none; stroke: var(--warm); stroke-width: 3 } .pause { fill: var(--line) } details { margin: .4rem 0 }
"""
LANES = ("subject", "transcribe", "formulate", "query", "inspect, decide", "reply", "pauses")
_DRAWN = {"transcribe": 1, "formulate": 2, "query": 3, "inspect": 4, "decide": 4}
_REPLY, _PAUSES = 5, 6


def render(figures: Figures, found: Sequence[Course], name: str) -> str:
    """The whole page about the corpus of this name."""
    data = [course for course in found if course.header["Pilot"] == "no"]
    mark = "<p class=mark>A rehearsal with scripted people and made-up speech: no data." if figures.rehearsal else ""
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>Report on {escape(name)}</title><style>{STYLE}</style><h1>Report on the corpus {escape(name)}</h1>{mark}",
        "<nav><a href=#counts>Counts</a><a href=#delays>Delays</a><a href=#sound>Sound</a><a href=#scenarios>Scenarios</a>"
        "<a href=#methods>Methods</a><a href=#lines>Time lines</a></nav>",
        _counts(figures),
        _delays(figures, data),
        _sound(figures, data),
        _scenarios(figures),
        _methods(figures),
        _timelines(found),
        "</html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _table(caption: str, header: Sequence[str], rows: Sequence[Sequence[object]], words: bool = False) -> str:
    head = "".join(f"<th scope=col>{escape(cell)}" for cell in header)
    body = "".join(
        f"<tr{' class=total' if row and row[0] == 'total' else ''}>" + "".join(f"<td>{_shown(cell)}" for cell in row)
        for row in rows
    )
    kind = " class=words" if words else ""
    return f"<div class=wide><table{kind}><caption>{escape(caption)}</caption><tr>{head}{body}</table></div>"


def _shown(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.1f}" if isinstance(value, float) else escape(str(value))


def _counts(figures: Figures) -> str:
    parts = [
        f"<h2 id=counts>Counts</h2><p>{figures.sessions} sessions, {figures.pilots} of them pilots, counted nowhere else.",
        _table("Collected", ("site", "speakers", "scenarios", "utterances"), [values(row) for row in figures.collected]),
        _table("Speakers by sex", ("site", "speakers", "M", "F", "other or not stated", "scenarios", "utterances"),
               [values(row) for row in figures.people]),
        _table("Ages", ("site", "known of", "youngest", "oldest", "mean", "median"), [values(row) for row in figures.ages]),
        _classes(figures),
        _table("Common scenario: the promise is a tenth", ("site", "utterances in it", "of", "%", ""),
               [(each.site, each.common, each.total, float(100 * each.share), "met" if each.met() else "not met")
                for each in figures.common]),
    ]  # fmt: skip
    parts.append(f"<p>Requests answered: {escape(figures.tries.text())}.")
    rows = [values(row) for row in figures.speakers]
    own = _table("By speaker", ("speaker", "site", "sex", "age", "scenarios", "utterances", "minutes of speech"), rows)
    parts.append(f"<details><summary>By speaker</summary>{own}</details>")
    for caption, counts in (("Outcomes of scenarios", figures.outcomes), ("First replies", figures.responses),
                            ("Transcriptions", figures.transcribed)):  # fmt: skip
        parts.append(
            _table(caption, ("", "number"), [(name.replace("_", " "), count) for name, count in counts.items()])
        )
    return "".join(parts)


def _classes(figures: Figures) -> str:
    if not figures.classes[-1].total:
        return "<p>No utterance has been classified yet."
    header = ("site", "A", "D", "X", "classified", "% of all")
    rows = [_class_cells(row) for row in figures.classes]
    return _table("Classes of utterances, with per cent of the site's own", header, rows)


def length(hours: float) -> str:
    """Hours of sound in words, as minutes where there is less than one.

    >>> length(0.51)
    '30.6 minutes'
    """
    return f"{hours:.2f} hours" if hours >= 1 else f"{60 * hours:.1f} minutes"


def _class_cells(row: ClassRow) -> tuple[object, ...]:
    counts = zip((row.a, row.d, row.x), row.percentages, strict=True)
    return row.site, *(f"{count} ({share:.1f} %)" for count, share in counts), row.total, row.share


def _delays(figures: Figures, found: Sequence[Course]) -> str:
    own = [delay for delay in figures.delays if delay.group == "all"]
    rows = [(STAGES[delay.stage][2], delay) for delay in own]
    chart = svg.spreads([(delay.stage, delay.spread) for delay in own], "seconds", "The stages of a turn")
    parts = [
        "<h2 id=delays>Delays</h2><p>Bar: 10th to 90th percentile; mark: median; thin line: all.",
        f"<div class=wide>{chart}</div>",
    ]
    parts.append(
        _delay_table("Stages of a turn, in seconds", [(f"{delay.stage}: {meaning}", delay) for meaning, delay in rows])
    )
    others = [delay for delay in figures.delays if delay.group != "all" and delay.stage in ("wizard", "reply")]
    if others:
        parts.append(_delay_table("By group", [(f"{each.group} {each.name}: {each.stage}", each) for each in others]))
    for stage in STAGES:
        times = [value for course in found for turn in course.turns if (value := turn.stage(stage)) is not None]
        if times:
            title = f"{stage}: {STAGES[stage][2]}"
            parts.append(f"<details{' open' if stage in ('wizard', 'reply') else ''}><summary>{escape(title)}</summary>"
                         f"<div class=wide>{svg.histogram(times, 'seconds', title)}</div></details>")  # fmt: skip
    return "".join(parts)


def _delay_table(caption: str, rows: Sequence[tuple[str, Delay]]) -> str:
    header = ("", "turns", "least", "10 %", "median", "90 %", "most", "mean")
    cells = [
        (name, each.spread.count, *(f"{value:.2f}" for value in (
            each.spread.smallest, each.spread.low, each.spread.median, each.spread.high, each.spread.largest, each.spread.mean)))
        for name, each in rows
    ]  # fmt: skip
    return _table(caption, header, cells)


def _sound(figures: Figures, found: Sequence[Course]) -> str:
    sound = figures.sound
    lengths = [turn.speech_s for course in found for turn in course.turns if turn.speech_s is not None]
    parts = [f"<h2 id=sound>Sound</h2><p>{length(sound.hours)} of speech; {sound.troubled} utterances with trouble noted, "
             f"{sound.silent} waveforms of zeros."]  # fmt: skip
    title = "Length of utterances, with what was recorded before and after"
    parts.append(f"<h3>{title}</h3><div class=wide>{svg.histogram(lengths, 'seconds', title)}</div>")
    if below := [-decibels(peak) for course in found for peak in course.peaks if peak]:
        chart = svg.histogram(below, "dB below full scale", "Peak level of waveforms")
        parts.append(f"<h3>Peak level of waveforms</h3><div class=wide>{chart}</div>")
    return "".join(parts)


def _scenarios(figures: Figures) -> str:
    header = ("scenario", "kind", "subjects", "solved", "given up", "unfinished", "minutes to solve", "minutes in all",
              "utterances", "requests", "% failed")  # fmt: skip
    rows = [
        (each.scenario + (" (common)" if each.common else ""), each.kind, each.subjects, each.solved, each.given_up,
         each.unfinished, each.solve_min, each.time_min, each.utterances, each.requests, each.failed)
        for each in figures.difficulty
    ]  # fmt: skip
    return (
        "<h2 id=scenarios>Difficulty of the scenarios</h2><p>The median time to a solution counts unsolved scenarios as longer "
        "than they lasted (Kaplan–Meier); a dash: fewer than half were solved. Utterances and requests are means; "
        "% failed is of the requests." + _table("By scenario", header, rows)
    )


def _methods(figures: Figures) -> str:
    rows = "".join(
        f"<tbody><tr><th scope=rowgroup colspan=2>{escape(part)}" + "".join(map(_item, items))
        for part, items in groupby(figures.checklist, lambda item: item.part)
    )
    return (
        "<h2 id=methods>Methods checklist</h2><p>After Riek (2012), from logs and protocols; answers in italics have to be added."
        f"<table class=words>{rows}</table>"
    )


def _item(item: Item) -> str:
    return f"<tr><td>{escape(item.question)}<td{'' if item.known else ' class=ask'}>{escape(item.answer)}"


def _timelines(found: Sequence[Course]) -> str:
    sessions: dict[str, list[Course]] = {}
    for course in found:
        sessions.setdefault(course.header["Session"], []).append(course)
    shown = list(sessions.items())[:MOST_TIMELINES]
    parts = ["<h2 id=lines>Time lines</h2><p>One line a subject-scenario, from its start, minutes and seconds below; "
             "the stages are those of the delays; point at a bar to read it."]  # fmt: skip
    if len(sessions) > len(shown):
        parts.append(f"<p>The first {len(shown)} of {len(sessions)} sessions are drawn.")
    for place, (session, own) in enumerate(shown):
        first = own[0].header
        parts.append(
            f"<details{' open' if place < 3 else ''}><summary>{escape(session)}, speaker {escape(first['Speaker'])}</summary>"
        )
        for course in own:
            outcome = course.outcome.replace("_", " ") or "broken off"
            title = f"{course.header['Scenario_session']}: {course.header['Scenario']}, {outcome}"
            parts.append(f"<p>{escape(title)}<div class=wide>{_timeline(course, title)}</div>")
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
                first, then, meaning = STAGES[stage]
                bars.append(
                    Bar(lane, place[first], place[then], stage, f"{turn.number}: {stage}, {lasted:.2f} s: {meaning}")
                )
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
    return svg.timeline(lanes, bars, (last - course.began.at) / 1e6, title)
