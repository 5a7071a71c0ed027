"""The report and the figures: the same numbers, drawn without anything from elsewhere, printed, and as JSON."""

import copy
import functools
import io
import itertools
import operator
import re
import statistics
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.analysis.distribution import quantile, spread, survival_median
from corpus.analysis.turns import courses
from corpus.analysis.wizard_errors import ComparedRow
from corpus.commands.report import ReportOptions, StatsOptions, report_command, stats_command, text_of
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.formats import layout, manifest
from corpus.packages.datasheet import protocols_of
from corpus.report import html, report_page
from corpus.report.html import render
from corpus.report.methods_checklist import checklist
from corpus.report.statistics import Figures, figures_of, gather
from corpus.report.tables import METHODS, sheets
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session import events as e
from session.values.clock import ManualClock
from session.values.vocabulary import Outcome
from tests.corpus.annotated import annotated
from tests.corpus.corpora import corpus_of, session_of

HOSTILE = "<script>alert('x')</script>"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sites; one session is a pilot; the solution is no text for a page; one utterance is of class A."""
    scripts = [session_of("bbn", "8k1", "m"), session_of("bbn", "8k2", "f", 2), session_of("cmu", "9a1", "f")]
    opened = msgspec.structs.replace(scripts[1].opened, pilot=True)
    scripts[1].facts[0] = msgspec.structs.replace(scripts[1].facts[0], event=opened)
    scripts[2].add(e.DebriefingRead(at=scripts[2].desk(), sha256="ab" * 32), "subject")
    for script in scripts:
        for index, fact in enumerate(script.facts):
            if isinstance(fact.event, e.SolutionDeclared | e.ScenarioEnded):
                field = "solution" if isinstance(fact.event, e.SolutionDeclared) else "reason"
                event = msgspec.structs.replace(fact.event, **{field: HOSTILE})
                script.facts[index] = msgspec.structs.replace(fact, event=event)
            if isinstance(fact.event, e.ScenarioStarted):
                event = msgspec.structs.replace(fact.event, scenario=f"<{fact.event.scenario}>")  # type: ignore[assignment]
                script.facts[index] = msgspec.structs.replace(fact, event=event)
    root = corpus_of(tmp_path_factory.mktemp("report") / "corpus", *scripts)
    (root / "spon/9a1/1/9a1011sx.cat").write_text("A:\n", "utf-8")
    return annotated(root)


def stats(corpus: Path, as_json: bool) -> str:
    out = io.StringIO()
    assert stats_command(StatsOptions(str(corpus), as_json=as_json), out, io.StringIO()) == 0
    return out.getvalue()


def test_figures_as_text_and_as_json_are_the_same(corpus: Path) -> None:
    found = msgspec.json.decode(stats(corpus, True))
    text = stats(corpus, False)
    assert [row["utterances"] for row in found["collected"]] == [7, 7, 14]
    assert re.search(r"^total +2 +4 +14$", text, re.MULTILINE)
    assert found["common"][0] == {"site": "bbn", "common": 4, "total": 7, "share": 4 / 7, "met": True}
    assert re.search(r"^bbn +4 +7 +57.1 +met$", text, re.MULTILINE)
    reply = next(delay for delay in found["delays"] if (delay["group"], delay["stage"]) == ("all", "reply"))
    assert re.search(rf"^reply +14 .* {reply['spread']['median']:.2f} ", text, re.MULTILINE)


def leaves(value: object, path: tuple[object, ...] = ()) -> Iterator[tuple[tuple[object, ...], object]]:
    """Every single figure in what JSON holds, by its place."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if pairs is None:
        yield path, value
    for key, inner in pairs or ():
        yield from leaves(inner, (*path, key))


def changed(plain: Any, path: tuple[Any, ...], value: object) -> Figures:
    """The figures with one of them replaced by another that it cannot be mistaken for."""
    other = copy.deepcopy(plain)
    inner = functools.reduce(operator.getitem, path[:-1], other)
    inner[path[-1]] = (
        not value if isinstance(value, bool) else f"{value}zzz" if isinstance(value, str) else (value or 0) + 1234  # type: ignore[operator]
    )
    return msgspec.convert(other, Figures)


def test_no_figure_is_in_json_that_page_and_terminal_do_not_show(corpus: Path) -> None:
    figures = figures_of(Corpus(corpus), gather(Corpus(corpus)))
    figures = msgspec.structs.replace(figures, delays=[delay for delay in figures.delays if delay.stage == "reply"])
    plain = msgspec.json.decode(msgspec.json.encode(figures))
    page, text = render(figures, [], "c"), text_of(figures)
    found = [(path, value) for path, value in leaves(plain) if path[-2:] != (0, "name") or path[0] != "delays"]
    assert len(found) > 200
    assert render(msgspec.convert(plain, Figures), [], "c") == page, "else whatever is changed makes a difference"
    for path, value in found:
        other = changed(plain, path, value)
        assert render(other, [], "c") != page, path
        assert text_of(other) != text, path


def test_every_table_of_the_page_is_printed_with_the_same_cells(corpus: Path) -> None:
    figures = figures_of(Corpus(corpus), gather(Corpus(corpus)))
    page = {line.strip() for line in unescape(re.sub("<[^>]*>", "\n", render(figures, [], "c"))).splitlines()}
    text = text_of(figures)
    for sheet in sheets(figures):
        for row in sheet.rows:
            assert set(filter(None, row)) - {"yes"} <= page, row
            assert sheet.part == METHODS or re.search("^" + " +".join(map(re.escape, row)), text, re.MULTILINE), row


def test_a_scenario_that_was_declared_invalid_says_nothing_of_its_difficulty(tmp_path: Path) -> None:
    valid, invalid = session_of("bbn", "8k1"), session_of("bbn", "8k2", "m", 2)
    invalid.add(e.ScenarioInvalidated(run=1, reason="the bell rang"), "experimenter")
    root = corpus_of(tmp_path / "corpus", valid, invalid)
    hub, trip = figures_of(Corpus(root), gather(Corpus(root))).difficulty
    assert (trip.subjects, trip.declared, trip.invalid) == (1, 1, 1)
    assert (hub.subjects, hub.given_up, hub.invalid) == (2, 2, 0)


@pytest.mark.parametrize("outcome", [Outcome.TIME_UP, Outcome.ENDED, None])
def test_however_a_scenario_ended_its_row_adds_up_to_its_subjects(tmp_path: Path, outcome: Outcome | None) -> None:
    script = session_of("bbn", "8k1")
    end = next(
        place
        for place, fact in enumerate(script.facts)
        if isinstance(fact.event, e.ScenarioEnded) and fact.event.outcome is Outcome.GIVEN_UP
    )
    if outcome is None:
        del script.facts[end - 1 :]
    else:
        event = msgspec.structs.replace(script.facts[end].event, outcome=outcome)
        script.facts[end] = msgspec.structs.replace(script.facts[end], event=event)
    root = corpus_of(tmp_path / "corpus", script)
    hub, trip = figures_of(Corpus(root), gather(Corpus(root))).difficulty
    assert trip.subjects == trip.declared == 1
    assert hub.declared + hub.given_up + hub.time_up + hub.ended + hub.unfinished == hub.subjects == 1
    assert (hub.time_up, hub.ended, hub.unfinished) == (
        outcome is Outcome.TIME_UP,
        outcome is Outcome.ENDED,
        outcome is None,
    )


def test_pilots_are_counted_apart(corpus: Path) -> None:
    figures = figures_of(Corpus(corpus), gather(Corpus(corpus)))
    assert (figures.sessions, figures.pilots, figures.collected[-1].speakers) == (3, 1, 2)
    assert [row.speaker for row in figures.speakers] == ["8k1", "9a1"]


def test_a_speaker_whom_neither_table_nor_manifest_lists_is_counted_without_sex_and_age(corpus: Path) -> None:
    listed = Corpus(corpus).manifest
    files = {path: entry for path, entry in listed.files.items() if path != layout.SPEAKER_TABLE}
    found = Corpus(corpus, msgspec.structs.replace(listed, sessions=(), files=files))
    assert [(row.speaker, row.sex, row.age) for row in figures_of(found, gather(found)).speakers] == [
        ("8k1", "", None),
        ("9a1", "", None),
    ]


def test_stages_and_difficulty_are_those_of_the_play(corpus: Path) -> None:
    figures = figures_of(Corpus(corpus), gather(Corpus(corpus)))
    stages = {delay.stage: delay.spread for delay in figures.delays if delay.group == "all"}
    assert stages["transcribe"].median == pytest.approx(0.75)
    assert stages["decide"].count + stages["inspect"].count == 14
    hub, trip = figures.difficulty
    assert (hub.scenario, hub.declared, hub.given_up, hub.declare_min) == ("<hub>", 0, 2, None)
    assert (trip.subjects, trip.declared, trip.requests, trip.failed) == (2, 2, 4.0, pytest.approx(25.0))
    assert trip.declare_min is not None
    assert figures.queries_per_hour is not None
    hours = (trip.subjects * trip.time_min + hub.subjects * hub.time_min) / 60
    asked = trip.subjects * trip.utterances + hub.subjects * hub.utterances
    assert figures.queries_per_hour == pytest.approx(asked / hours, rel=0.2), "times by scenario are medians"
    assert trip.declare_min <= trip.time_min


class Page(HTMLParser):
    """Collects what a page refers to and checks that every element is closed that must be."""

    def __init__(self) -> None:
        super().__init__()
        self.refers: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attributes:
            if name in ("href", "src", "srcset", "data", "action") or name.startswith("on"):
                self.refers.append(f"{name}={value}")
            if name == "id":
                self.ids.append(value or "")


def page_of(corpus: Path, folder: Path) -> str:
    out = io.StringIO()
    assert report_command(ReportOptions(str(corpus), str(folder / "report.html")), out, io.StringIO()) == 0
    assert out.getvalue() == f"{folder / 'report.html'}\n"
    return (folder / "report.html").read_text("utf-8")


def test_the_page_needs_nothing_from_elsewhere_and_runs_nothing(corpus: Path, tmp_path: Path) -> None:
    text = page_of(corpus, tmp_path)
    page = Page()
    page.feed(text)
    assert all(refer.startswith("href=#") and refer[6:] in page.ids for refer in page.refers)
    assert not {"script", "link", "img", "iframe", "object", "form"} & set(page.tags)
    assert "url(" not in text
    assert "@import" not in text
    assert HOSTILE not in text
    assert "&lt;hub&gt;" in text


def contrast(one: str, other: str) -> float:
    """Of two colours, as WCAG 2 counts it: 1 to 21."""

    def luminance(colour: str) -> float:
        digits = "".join(2 * digit for digit in colour[1:]) if len(colour) == 4 else colour[1:]
        parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
        red, green, blue = (((part + 0.055) / 1.055) ** 2.4 if part > 0.03928 else part / 12.92 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_everything_drawn_stands_out_from_the_paper_in_both_settings(dark: bool) -> None:
    settings = re.findall(r":root \{(.*?)\}", report_page.STYLE, re.DOTALL)
    found = dict(re.findall(r"--(\w+): (#\w+)", "".join(settings[: 1 + dark])))
    drawn = {name: contrast(found[name], found["paper"]) for name in found.keys() - {"paper", "line", "shade"}}
    assert len(settings) == 2
    assert drawn.keys() >= set(re.findall(r"fill: var\(--(\w+)\)", report_page.STYLE))
    assert min(drawn.values()) >= 3, drawn
    assert min(drawn["ink"], drawn["deep"]) >= 7


def test_a_corpus_that_everybody_has_left_has_a_page_that_says_so(tmp_path: Path) -> None:
    root = corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"))
    assert withdraw_command(str(root), WithdrawOptions("8k1"), ManualClock(), io.StringIO(), io.StringIO()) == 0
    text = page_of(root, tmp_path)
    assert "There is no session here" in text
    assert "<svg" not in text
    assert not re.search("<td>(<|$)", text.partition("<h2 id=methods>")[2]), "no question is left without an answer"


def test_the_page_has_a_time_line_for_every_scenario_and_a_title_on_every_bar(corpus: Path, tmp_path: Path) -> None:
    text = page_of(corpus, tmp_path)
    assert text.count('aria-label="1: &lt;interviews&gt;, declared; 4 utterances, 4 answered') == 3
    assert text.count('aria-label="2: &lt;hub&gt;, given up; 3 utterances, 3 answered') == 3
    bars = re.findall(r'<rect class="[^>]*>(.{7})', text)
    assert len(bars) > 50
    assert set(bars) == {"<title>"}


def test_the_time_lines_of_a_pilot_say_that_they_are(corpus: Path, tmp_path: Path) -> None:
    assert re.findall(r"<h3>([^<]*), a pilot</h3>", page_of(corpus, tmp_path)) == ["bbn-20261121-2, speaker 8k2"]


def test_the_page_of_a_large_corpus_is_bounded_and_says_what_it_leaves_out(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "MOST_TIMELINES", 1)
    text = page_of(corpus, tmp_path)
    assert "The first 1 of 3 sessions are drawn." in text
    assert text.count('aria-label="1: &lt;interviews&gt;, declared; 4 utterances, 4 answered') == 1


def test_the_stages_of_a_time_line_are_those_of_the_delays(corpus: Path, tmp_path: Path) -> None:
    text = page_of(corpus, tmp_path)
    for stage, turns in (("transcribe", 21), ("formulate", 12), ("query", 12), ("inspect", 12), ("decide", 9)):
        assert len(re.findall(rf'<rect class="{stage}" [^>]*><title>\d+: {stage}, ', text)) == turns


def test_the_page_is_never_written_over_another(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("mine", "utf-8")
    err = io.StringIO()
    assert report_command(ReportOptions(str(corpus), str(tmp_path / "report.html")), io.StringIO(), err) == 2
    assert "exists already" in err.getvalue()
    assert (tmp_path / "report.html").read_text("utf-8") == "mine"
    assert report_command(ReportOptions(str(corpus), str(tmp_path / "none/report.html")), io.StringIO(), err) == 2
    assert f"{tmp_path / 'none'} is not a directory; make it first" in err.getvalue()
    assert stats_command(StatsOptions(str(tmp_path)), io.StringIO(), err) == 2


def test_the_checklist_answers_what_logs_know_and_asks_for_the_rest(corpus: Path) -> None:
    found = checklist(Corpus(corpus), gather(Corpus(corpus)), protocols_of(Corpus(corpus)))
    answers = {item.question: item for item in found}
    assert "2 of 14 replies marked as wrong (14.3 %)" in answers["Which errors did they make?"].answer
    assert "reference answers" not in answers["Which errors did they make?"].answer, "there are none"
    row = ComparedRow("anna", 54, 39, 72.2, 59.1, 82.4)
    told = {one.question: one.answer for one in checklist(Corpus(corpus), gather(Corpus(corpus)), [], [row])}
    assert "15 of 54 differ from the reference answers (27.8 %)" in told["Which errors did they make?"]
    assert answers["How many took part, and who were they?"].answer.startswith("2; 1M/1F, aged ")
    assert answers["How many under which condition?"].answer == "tables (2)"
    assert answers["Was it tried and changed before?"].answer == "1 pilot session, 1 version of the protocol"
    setting = "cubicle 3; office; Crown PCC-160 and Sennheiser HMD-414; Ariel"
    assert answers["In which surroundings?"].answer == f"bbn: {setting} / cmu: {setting}"
    deceived = answers["Were they deceived, and told so afterwards?"]
    assert (deceived.answer, deceived.known) == ("deceived: yes (4); 1 session with a debriefing in the log", True)
    asked = {item.question for item in found if not item.known}
    assert "Did they believe that it was a machine?" in asked
    assert "How and how long were they trained?" in asked
    assert all(item.answer for item in found)


def test_who_took_part_under_two_conditions_is_counted_under_both(tmp_path: Path) -> None:
    scripts = [session_of("bbn", "8k1"), session_of("bbn", "8k1", number=2), session_of("bbn", "8k2", number=3)]
    opened = msgspec.structs.replace(scripts[1].opened, condition="plain")
    scripts[1].facts[0] = msgspec.structs.replace(scripts[1].facts[0], event=opened)
    for script in scripts:  # two sessions of one speaker have scenarios of their own numbers
        offset = 2 * (script is scripts[1])
        script.facts = [
            msgspec.structs.replace(fact, event=msgspec.structs.replace(fact.event, number=fact.event.number + offset))
            if isinstance(fact.event, e.ScenarioStarted) and fact.event.number
            else fact
            for fact in script.facts
        ]
    found = Corpus(corpus_of(tmp_path / "corpus", *scripts))
    answers = {item.question: item.answer for item in checklist(found, gather(found), protocols_of(found))}
    assert answers["How many under which condition?"] == "plain (1), tables (2)"


# --- the algebra ----------------------------------------------------------------------------------------------------------

floats = st.floats(-1e6, 1e6)


@given(st.lists(floats, min_size=1, max_size=40))
def test_a_spread_is_in_order_and_within_its_values(values: list[float]) -> None:
    found = spread(values)
    assert found is not None
    inner = (found.smallest, found.low, found.median, found.high, found.largest)
    assert all(one <= other + 1e-6 for one, other in itertools.pairwise(inner))
    assert (found.smallest, found.largest) == (min(values), max(values))
    assert found.count == len(values)


def test_quantiles_are_interpolated_and_what_is_not_known_is_left_out() -> None:
    assert [quantile([1, 2, 3, 4], share) for share in (0, 0.5, 1)] == [1, 2.5, 4]
    assert spread([None, None]) is None


@pytest.mark.parametrize(
    ("times", "median"),
    [
        ([(2.0, False), (4.0, False), (6.0, False)], 4.0),
        ([(1.0, True), (2.0, True), (9.0, True)], None),
        ([(6.0, True), (6.0, False), (7.0, True), (10.0, False), (11.0, True), (13.0, False), (16.0, False)], 13.0),
        ([(1.0, False), (2.0, True), (3.0, False), (5.0, True), (7.0, True), (8.0, False)], 8.0),
        ([(1.0, False), (2.0, False), (3.0, True), (6.0, False), (9.0, True)], 6.0),
        ([(1.0, False), (2.0, False), (3.0, True), (6.0, False)], 4.0),
        ([], None),
    ],
)
def test_the_median_of_censored_times(times: list[tuple[float, bool]], median: float | None) -> None:
    assert survival_median(times) == median


@given(st.lists(st.tuples(st.floats(0.1, 100), st.just(False)), min_size=1, max_size=30))
def test_without_censoring_it_is_the_ordinary_median(times: list[tuple[float, bool]]) -> None:
    median = survival_median(times)
    assert median is not None
    assert median == pytest.approx(statistics.median(time for time, _ in times))


def test_what_a_site_delivers_without_lexical_forms_is_transcribed_all_the_same(tmp_path: Path) -> None:
    """Of a site only .log, .wav and .sro are asked (LDC94S19 fil_spec)."""
    root = corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"))
    before = figures_of(Corpus(root), gather(Corpus(root)))
    texts = [turn.text for course in courses(Corpus(root)) for turn in course.turns]
    found = Corpus(root).manifest
    files = {path: entry for path, entry in found.files.items() if not path.endswith(".lsn")}
    for path in found.files.keys() - files:
        (root / path).unlink()
    (root / "manifest.json").write_bytes(manifest.render(msgspec.structs.replace(found, files=files)))
    assert figures_of(Corpus(root), gather(Corpus(root))).transcribed == before.transcribed
    assert [turn.text for course in courses(Corpus(root)) for turn in course.turns] == texts
    assert {finding.rule for finding in verify(root).findings if finding.severity is Severity.ERROR} == set()
