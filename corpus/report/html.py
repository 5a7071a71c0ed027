"""The report on a corpus as one HTML page, with its charts and time lines."""

from collections.abc import Sequence
from itertools import groupby

from corpus.analysis.paper_tables import TOTAL
from corpus.analysis.turns import STAGES, Course
from corpus.formats.errors import counted
from corpus.report import report_page, svg
from corpus.report.first_screen import Highlight, OverviewProblem, findings, highlights
from corpus.report.methods_checklist import ChecklistItem
from corpus.report.statistics import BLIND, Figures, decibels
from corpus.report.svg import Bar, escape
from corpus.report.tables import (
    COUNTS,
    DELAYS,
    GROUPS_SHEET,
    MACHINES,
    RECOGNITION,
    SCENARIOS,
    SOUND,
    SPEAKERS_SHEET,
    ReportTable,
    sheets,
)

PRINTED_TIMELINES = 20  # a session takes nearly half a page, and a report is to be read on paper too
MOST_TIMELINES = 2_500  # of a corpus of 14,000 utterances every session is drawn
LANES = ("subject", "transcribe", "formulate", "query", "inspect, decide", "reply", "pauses")
_DRAWN = {"transcribe": 1, "formulate": 2, "query": 3, "inspect": 4, "decide": 4}
_REPLY, _PAUSES = 5, 6
_HALF = 560  # the width of a picture of the first screen: two stand side by side, their letters as large as elsewhere


def render(figures: Figures, found: Sequence[Course], name: str) -> str:
    """The whole page about the corpus of this name."""
    data = [course for course in found if course.header["Pilot"] == "no"]
    mark = "<p class=mark>A rehearsal with scripted people and made-up speech: no data." if figures.rehearsal else ""
    mark += f"<p class=mark>{BLIND}" if figures.blind else ""
    mark += "" if figures.sessions else "<p class=mark>There is no session here, so that there is nothing to count."
    parts = [
        f"<h1>Report on the corpus {escape(name)}</h1>{mark}",
        "<nav aria-label=Parts><a href=#counts>Counts</a><a href=#delays>Delays</a>"
        f"{'<a href=#recognition>Recognition</a>' if figures.recognition else ''}"
        f"{'<a href=#machines>Machines</a>' if figures.stages else ''}<a href=#sound>Sound</a>"
        "<a href=#scenarios>Scenarios</a><a href=#methods>Methods</a><a href=#lines>Time lines</a></nav><main>",
        _first_screen(figures, data),
        _counts(figures),
        _delays(figures, data),
        _recognition(figures),
        _machines(figures),
        _sound(figures, data),
        _scenarios(figures),
        _methods(figures),
        _timelines(found),
        "</main>",
    ]
    return report_page.page(f"Report on {name}", parts)


def _first_screen(figures: Figures, found: Sequence[Course]) -> str:
    """Six figures, two pictures, what is wrong; nothing of a corpus without sessions."""
    if not figures.sessions:
        return ""
    tiles = "".join(map(_tile, highlights(figures)))
    drawn = "".join(
        f"<figure>{chart}<figcaption>{escape(caption)}</figcaption></figure>"
        for chart, caption in (_replies_drawn(figures, found), _requests_drawn(figures))
        if chart
    )
    wrong = "".join(map(_wrong, findings(figures))) or "<li>Nothing that can be seen in the logs."
    return (
        f"<section class=first aria-label='At a glance'><ul class=tiles>{tiles}</ul>"
        f"<div class=pair>{drawn}</div><h2>What is wrong</h2><ul class=wrongs>{wrong}</ul></section>"
    )


def _tile(found: Highlight) -> str:
    return f"<li><b>{escape(found.value)}</b> <strong>{escape(found.name)}</strong> <span>{escape(found.beside)}</span>"


def _wrong(found: OverviewProblem) -> str:
    return f"<li><a href=#{found.anchor}>{escape(found.sentence)}</a>"


def _replies_drawn(figures: Figures, found: Sequence[Course]) -> tuple[str, str]:
    times = [value for course in found for turn in course.turns if (value := turn.stage("reply")) is not None]
    spread = next((delay.spread for delay in figures.delays if (delay.group, delay.stage) == ("all", "reply")), None)
    if spread is None:
        return "", ""
    caption = (
        f"Half of the {spread.count} first replies stood on the screen within {spread.median:.1f} seconds after "
        f"the speech had ended, nine in ten within {spread.high:.1f}."
    )
    return svg.histogram(times, "seconds", caption, across=_HALF), caption


def _requests_drawn(figures: Figures) -> tuple[str, str]:
    tries = figures.tries
    rows = (("at the first try", tries.first_try), ("reworded", tries.reworded), ("in SQL by hand", tries.by_hand),
            ("not answered", tries.unanswered))  # fmt: skip
    caption = (
        f"Of {counted(tries.in_scope, 'request')} in scope, {tries.first_try} were answered as they were spoken, "
        f"{tries.reworded} after the wizard had reworded them, {tries.by_hand} in SQL by hand, and {tries.unanswered} not at all."
    )
    return svg.counts(rows, "requests in scope", caption, _HALF), caption


def _tables(figures: Figures, part: str) -> dict[str, str]:
    """The tables of a part by caption; long ones can be unfolded."""
    return {sheet.caption: _table(sheet) for sheet in sheets(figures) if sheet.part == part}


def _table(sheet: ReportTable) -> str:
    table = report_page.table(sheet.caption, sheet.header, sheet.rows, TOTAL)
    return report_page.folded(sheet.caption, table) if sheet.caption in (SPEAKERS_SHEET, GROUPS_SHEET) else table


def _counts(figures: Figures) -> str:
    text = "<h2 id=counts>Counts</h2><p>Pilots are counted as sessions and nowhere else."
    return text + "".join(_tables(figures, COUNTS).values())


def _delays(figures: Figures, found: Sequence[Course]) -> str:
    own = [(delay.stage, delay.spread) for delay in figures.delays if delay.group == "all"]
    meanings = "".join(f"<dt>{stage}<dd>{escape(meaning)}" for stage, (_, _, meaning) in STAGES.items())
    chart = svg.spreads(own, "seconds", "The stages of a turn")
    parts = [
        f"<h2 id=delays>Delays</h2><dl>{meanings}</dl>",
        "<p>A bar reaches from the 10th to the 90th percentile, the mark is the median, and the thin line covers all turns; "
        "an arrow says that it goes on to the most in the table."
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
            parts.append(report_page.folded(title, drawn, stage in ("wizard", "reply")))
    return "".join(parts)


def _recognition(figures: Figures) -> str:
    if not figures.recognition:
        return ""
    text = (
        "<h2 id=recognition>Recognition</h2><p>The draft is the likeliest of a recogniser's final hypotheses. It is held against "
        "what a person typed for the same utterance in the session, and against the transcription where that was checked. "
        "Substitutions weigh 4, deletions and insertions 3, as in sclite."
    )
    return text + "".join(_tables(figures, RECOGNITION).values())


def _machines(figures: Figures) -> str:
    if not figures.stages:
        return ""
    text = (
        "<h2 id=machines>Machines</h2><p>Output that was accepted went its way as it stood. A stage is taken over by a person, "
        "and handed over by the profile where its machine is late or gone."
    )
    return text + "".join(_tables(figures, MACHINES).values())


def _sound(figures: Figures, found: Sequence[Course]) -> str:
    lengths = [turn.speech_s for course in found for turn in course.turns if turn.speech_s is not None]
    peaks = [decibels(peak) for course in found for peak in course.peaks if peak]
    charts = (("Utterances are this long, with what was recorded before and after.", lengths, "seconds"),
              ("Waveforms reach this peak level.", peaks, "dB of full scale"))  # fmt: skip
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


def _item(item: ChecklistItem) -> str:
    more = "" if item.known else " <em>[to be added]</em>"
    return f"<tr><th scope=row>{escape(item.question)}<td>{escape(item.answer)}{more}"


def _timelines(found: Sequence[Course]) -> str:
    sessions: dict[str, list[Course]] = {}
    for course in found:
        sessions.setdefault(course.header["Session"], []).append(course)
    shown, others = list(sessions.items())[:MOST_TIMELINES], list(sessions)[MOST_TIMELINES:]
    parts = ["<h2 id=lines>Time lines</h2><p>One line a subject-scenario, from its start, minutes and seconds below; "
             "the stages are those of the delays<span class=later>; point at a bar to read it</span>."]  # fmt: skip
    if others:  # named all the same: by its sessions `curtain withdraw` finds a page that counts somebody
        parts.append(f"<p>The first {len(shown)} of {len(sessions)} sessions are drawn.")
        parts.append(
            f"<details class=later><summary>Counted and not drawn</summary><p>{escape(' '.join(others))}</details>"
        )
    if len(sessions) > PRINTED_TIMELINES:
        parts.append(
            f"<p class=paper>The printed page has the first {PRINTED_TIMELINES} of {len(sessions)} sessions; "
            "the page on screen has more."
        )
    for place, (session, own) in enumerate(shown):
        first = own[0].header
        pilot = ", a pilot" if first["Pilot"] == "yes" else ""
        summary = f"<h3>{escape(session)}, speaker {escape(first['Speaker'])}{pilot}</h3>"
        parts.append(f"<details{_folding(place)}><summary>{summary}</summary>")
        for course in own:
            outcome = course.outcome.replace("_", " ") or "broken off"
            title = f"{course.header['Scenario_session']}: {course.header['Scenario']}, {outcome}"
            parts.append(f"<h4>{escape(title)}</h4><div class='chart line'>{_timeline(course, title)}</div>")
        parts.append("</details>")
    return "".join(parts)


def _folding(place: int) -> str:
    """Return the attributes of a session's time lines: the first lie open, and the first some are printed."""
    return " open" if place < 3 else " class=later" if place >= PRINTED_TIMELINES else ""


def _timeline(course: Course, title: str) -> str:
    bars: list[Bar] = []
    last = course.until.at
    for turn in course.turns:
        place = {name: (moment.at - course.began.at) / 1e6 for name, moment in turn.marks.items()}
        last = max([last, *(moment.at for moment in turn.marks.values())])
        if "begin" in place and "end" in place:
            tip = f"{turn.number}: speech, {place['end'] - place['begin']:.2f} s. {turn.text}"
            bars.append(Bar(0, place["begin"], place["end"], "speech", tip))
        for stage, lane in _DRAWN.items():
            if (lasted := turn.stage(stage)) is not None:
                first, then, _ = STAGES[stage]
                bars.append(Bar(lane, place[first], place[then], stage, f"{turn.number}: {stage}, {lasted:.2f} s"))
        if "sent" in place:
            tip = f"{turn.number}: {turn.response}{', marked as wrong' if turn.marked_wrong else ''}"
            until = place.get("shown", place["sent"])
            bars.append(Bar(_REPLY, place["sent"], until, "wrong" if turn.marked_wrong else "answer", tip))
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
    caption = f"{title}; {counted(len(course.turns), 'utterance')}, {answered} answered, {lasted:.0f} s"
    return svg.timeline(lanes, bars, lasted, caption)
