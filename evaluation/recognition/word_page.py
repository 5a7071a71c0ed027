"""The report of a recognition test as one HTML page, with every utterance aligned.

The page needs no script: what is shown of the alignments is chosen by radio buttons, and style sheets hide the rest.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from corpus.report.report_page import folded, page, table
from evaluation.recognition.word_report import RecogniserReport, WordReport
from evaluation.recognition.word_report_text import HEADER, cells, pair_text
from evaluation.recognition.word_scores import RecogniserResult, ScoredUtterance

MOST_FILTERS = 60
"""Speakers that have a button of their own; more would fill the screen."""
_KINDS = {"any": "all", "wrong": "with an error", "S": "substituted", "D": "deleted", "I": "inserted"}
_STYLE = """<style>
.u { margin: .5rem 0; overflow-x: auto } .u table { margin: 0 } .u td { text-align: left; border: 0; padding: 0 .3rem }
.u .S { color: var(--warm); font-weight: 600 } .u .D { color: var(--deep); font-weight: 600; text-decoration: underline }
.u .I { color: var(--soft); font-weight: 600; font-style: italic } fieldset { border: 1px solid var(--line) }
fieldset label { margin-right: 1rem; white-space: nowrap }
"""


def render(report: WordReport, results: Sequence[RecogniserResult], compared: Iterable[str] = ()) -> str:
    """Return the whole page; `compared` are the lines of a comparison of the systems."""
    speakers = sorted({scored.about.speaker for result in results for scored in result.official})[:MOST_FILTERS]
    numbers = {speaker: number for number, speaker in enumerate(speakers)}
    lines = "\n".join(compared)
    parts = [
        f"{_STYLE}{_rules(len(speakers))}</style><h1>Recognition</h1><p><code>{escape(report.signature)}</code>",
        *(f"<p>Not scored: {escape(note)}." for note in report.notes),
        table("Systems", HEADER, [[system.name, *cells(system.total)[1:]] for system in report.systems]),
        f"<h2>Between systems</h2><pre>{escape(lines)}</pre>" if lines else "",
        *(_system(system) for system in report.systems),
        _filters(speakers),
        *(_aligned(result, numbers) for result in results),
        "<h2>Limits of these figures</h2><ul>",
        *(f"<li>{escape(limit)}" for limit in report.limits),
        f"</ul><p><code>{escape(report.signature)}</code>",
    ]
    return page("Recognition", parts)


def _rules(speakers: int) -> str:
    kinds = "".join(f"body:has(#k-{kind}:checked) .u:not(.k-{kind}) {{ display: none }}\n" for kind in _KINDS)
    each = (f"body:has(#s-{number}:checked) .u:not(.s-{number}) {{ display: none }}\n" for number in range(speakers))
    return kinds + "".join(each)


def _system(system: RecogniserReport) -> str:
    parts = [f"<h2>{escape(system.name)}</h2>"]
    parts += [table(f"By {each.name}", HEADER, [cells(line) for line in each.lines]) for each in system.tables]
    for kind, pairs in system.confusions.items():
        rows = [(pair_text(said, heard), str(count)) for said, heard, count in pairs]
        if rows:
            parts.append(folded(f"{kind.capitalize()}: {len(rows)} kinds", table(kind, ("words", "times"), rows)))
    if system.before is not None:
        parts.append(table("Before adjudication", HEADER, [cells(system.before)]))
        header = ("utterance", "errors before", "after", "reference before", "after")
        changed = [
            (change.utterance, _count(change.errors_before), _count(change.errors_after), change.before, change.after)
            for change in system.changes
        ]
        parts.append(table("References that were changed", header, changed, text=3))
    return "\n".join(parts)


def _count(errors: int | None) -> str:
    return "-" if errors is None else str(errors)


def _filters(speakers: Sequence[str]) -> str:
    kinds = "".join(_radio("kind", f"k-{kind}", words, kind == "wrong") for kind, words in _KINDS.items())
    each = "".join(_radio("speaker", f"s-{number}", speaker) for number, speaker in enumerate(speakers))
    every = _radio("speaker", "s-all", "all speakers", True)
    chosen = f"<fieldset><legend>Utterances</legend>{kinds}</fieldset>"
    return f"<h2>Alignments</h2>{chosen}<fieldset><legend>Speaker</legend>{every}{each}</fieldset>"


def _radio(group: str, name: str, words: str, checked: bool = False) -> str:
    mark = " checked" if checked else ""
    return f"<label><input type=radio name={group} id={name}{mark}> {escape(words)}</label>"


def _aligned(result: RecogniserResult, numbers: dict[str, int]) -> str:
    return f"<h3>{escape(result.name)}</h3>" + "".join(_utterances(result.utterances, numbers))


def _utterances(found: Iterable[ScoredUtterance], numbers: dict[str, int]) -> Iterator[str]:
    for one in found:
        kinds = [
            "k-any",
            *(["k-wrong"] if one.counts.errors else []),
            *sorted({f"k-{e}" for e in one.aligned.edits} - {"k-C"}),
        ]
        if one.about.speaker in numbers:
            kinds.append(f"s-{numbers[one.about.speaker]}")
        sides: list[list[str]] = [[], []]
        for letter, pair in zip(one.aligned.edits, one.aligned.pairs(), strict=True):
            for side, word in zip(sides, (pair.reference, pair.hypothesis), strict=True):
                side.append(f"<td{'' if letter == 'C' else f' class={letter}'}>{escape(word) or '∅'}")
        rows = "".join(
            f"<tr><th scope=row>{name}{''.join(side)}" for name, side in zip(("REF", "HYP"), sides, strict=True)
        )
        microphone = f", microphone {one.about.microphone}" if one.about.microphone else ""
        yield f'<div class="u {" ".join(kinds)}"><b>{escape(one.key)}</b>{escape(microphone)}<table>{rows}</table></div>'
