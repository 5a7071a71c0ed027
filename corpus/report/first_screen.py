"""The report's first screen: six figures, and problems, each with a link to its table.

A finding is what a person should look into before the corpus is used: work that is not done, replies that were not right, sound
that is not whole, promises that were not kept.
"""

from collections.abc import Iterator

import msgspec

from corpus.formats.errors import counted
from corpus.report.statistics import Figures


class Highlight(msgspec.Struct, frozen=True):
    """One of the six figures: its value with the unit, what it counts, and what should be read with it."""

    value: str
    name: str
    beside: str


class OverviewProblem(msgspec.Struct, frozen=True):
    """Something wrong, as a sentence; `anchor` is the part of the page that tells more."""

    sentence: str
    anchor: str


def highlights(figures: Figures) -> list[Highlight]:
    """Return the six figures; an unknown one is a dash."""
    whole = figures.collected[-1] if figures.collected else None
    speakers = whole.speakers if whole else 0
    pilots = f", {counted(figures.pilots, 'pilot')} included" if figures.pilots else ""
    return [
        Highlight(
            str(speakers),
            "speaker" if speakers == 1 else "speakers",
            f"in {counted(figures.sessions, 'session')}{pilots}",
        ),
        Highlight(
            str(whole.utterances if whole else 0),
            "utterances",
            f"in {counted(whole.scenarios if whole else 0, 'subject-scenario')}",
        ),
        _speech(figures),
        _answered(figures),
        _reply(figures),
        _solutions(figures),
    ]


def _speech(figures: Figures) -> Highlight:
    hours, seconds = figures.sound.hours, figures.sound.seconds
    value = f"{hours:.1f} h" if hours >= 1 else f"{60 * hours:.1f} min"
    return Highlight(
        value, "of speech", f"half of the utterances over {seconds.median:.1f} s" if seconds else "none spoken"
    )


def _answered(figures: Figures) -> Highlight:
    tries = figures.tries
    if not tries.in_scope:
        return Highlight("–", "of requests answered", "none was judged to be in scope")
    if tries.unaided is None:
        return Highlight("100.0 %", "of requests answered", f"of {tries.in_scope} in scope; all in SQL by hand")
    answered = 100 * (tries.in_scope - tries.unanswered) / tries.in_scope
    beside = f"of {tries.in_scope} in scope; {tries.unaided:.1f} % at the first try, {tries.with_wizard:.1f} % with rewording"
    if tries.by_hand:
        beside += f", {100 * tries.by_hand / tries.in_scope:.1f} % in SQL by hand"
    return Highlight(f"{answered:.1f} %", "of requests answered", beside)


def _reply(figures: Figures) -> Highlight:
    found = next((delay.spread for delay in figures.delays if (delay.group, delay.stage) == ("all", "reply")), None)
    if found is None:
        return Highlight("–", "to a reply", "no reply that the clocks can place")
    return Highlight(f"{found.median:.1f} s", "to a reply", f"at the median; nine in ten within {found.high:.1f} s")


def _solutions(figures: Figures) -> Highlight:
    declared = sum(row.declared for row in figures.difficulty)
    worked = sum(row.subjects for row in figures.difficulty)
    given_up = sum(row.given_up for row in figures.difficulty)
    return Highlight(
        f"{declared} of {worked}",
        "solutions declared",
        f"{given_up} given up, {worked - declared - given_up} ended otherwise",
    )


def findings(figures: Figures) -> list[OverviewProblem]:
    """Return what is wrong, what touches the answers and the sound first; nothing for a corpus without sessions."""
    return [*_replies(figures), *_sound(figures), *_scenarios(figures), *_work(figures)] if figures.sessions else []


def _replies(figures: Figures) -> Iterator[OverviewProblem]:
    compared = sum(row.compared for row in figures.wizards.compared)
    differ = compared - sum(row.right for row in figures.wizards.compared)
    if differ:
        yield OverviewProblem(f"{differ} of {compared} replies differ from the reference answers.", "counts")
    if wrong := sum(row.wrong for row in figures.wizards.rows):
        replies = sum(row.replies for row in figures.wizards.rows)
        yield OverviewProblem(f"{wrong} of {replies} replies were marked as wrong by the wizard.", "counts")
    if figures.limit_passed:
        yield OverviewProblem(f"{counted(figures.limit_passed, 'turn')} passed the limit for a reply.", "delays")
    if figures.tries.unanswered:
        asked = f"{figures.tries.unanswered} of {figures.tries.in_scope} requests in scope"
        yield OverviewProblem(f"{asked} got no answer.", "counts")
    if off := sum(row.beyond + row.short for row in figures.wizards.ability):
        told = sum(row.told for row in figures.wizards.ability)
        yield OverviewProblem(f"{off} of {told} replies went beyond the written ability or fell short of it.", "counts")
    if troubled := sum(row.troubled for row in figures.stages):
        yield OverviewProblem(f"Machines were in trouble {counted(troubled, 'time')}.", "machines")


def _sound(figures: Figures) -> Iterator[OverviewProblem]:
    if figures.sound.troubled:
        yield OverviewProblem(f"{counted(figures.sound.troubled, 'utterance')} had trouble in the sound.", "sound")
    if figures.sound.silent:
        yield OverviewProblem(f"{counted(figures.sound.silent, 'waveform')} had no sound at all.", "sound")


def _scenarios(figures: Figures) -> Iterator[OverviewProblem]:
    if broken := sum(row.unfinished for row in figures.difficulty):
        yield OverviewProblem(f"{counted(broken, 'subject-scenario')} broke off without an end.", "scenarios")
    if invalid := sum(row.invalid for row in figures.difficulty):
        yield OverviewProblem(f"{counted(invalid, 'subject-scenario')} had to be declared invalid.", "scenarios")
    if short := [row.site for row in figures.common if not row.met()]:
        yield OverviewProblem(
            f"Less than a tenth of the utterances is of the common scenario at {', '.join(short)}.", "counts"
        )


def _work(figures: Figures) -> Iterator[OverviewProblem]:
    every = sum(figures.transcribed.values())
    if open_ := every - figures.transcribed.get("transcribed", 0):
        yield OverviewProblem(f"{open_} of {every} utterances still need a transcription or its check.", "counts")
    if asked := sum(not item.known for item in figures.checklist):
        yield OverviewProblem(
            f"{counted(asked, 'question')} of the methods checklist can only be answered by you.", "methods"
        )
