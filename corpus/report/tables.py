"""The figures of a corpus as tables: shared by `curtain report` and `curtain stats`, so that both are complete.

Cells are texts as they are shown: counts as they are, shares and minutes to a tenth, seconds to a hundredth, a dash for what is
not known.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from corpus.analysis.distribution import Distribution
from corpus.analysis.paper_tables import ClassRow, values
from corpus.analysis.recognition import RecognitionRow
from corpus.analysis.stage_handling import StageRow
from corpus.analysis.wizard_errors import WizardFigures
from corpus.release import utterance_status
from corpus.report.methods_checklist import ChecklistItem
from corpus.report.statistics import Delay, Difficulty, Figures
from session.values.sanitize import inert

COUNTS, DELAYS, RECOGNITION, MACHINES, SOUND = "Counts", "Delays", "Recognition", "Machines", "Sound"
SCENARIOS, METHODS = "Scenarios", "Methods"
STAGES_SHEET = "This table gives the seconds that each stage of a turn took."
GROUPS_SHEET = "This table gives the seconds that each stage took, by site, wizard and condition."
SPEAKERS_SHEET = "This table shows the amount of each speaker's speech."
UNKNOWN = "–"
_SPREAD = ("least", "10 %", "median", "90 %", "most", "mean")


class ReportTable(msgspec.Struct, frozen=True):
    """One table: the part that it belongs to, what it is, the names of its columns, its rows. The first column names the row."""

    part: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def sheets(figures: Figures) -> list[ReportTable]:
    """Return all figures; tables without a row are left out."""
    every = [
        *_counts(figures),
        *_delays(figures.delays),
        *_recognition(figures.recognition),
        _machines(figures.stages),
        *_sound(figures),
        _scenarios(figures.difficulty),
        _questionnaires(figures.questionnaires),
    ]
    every.append(_methods(figures.checklist))
    return [sheet for sheet in every if sheet.rows]


def _sheet(part: str, caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> ReportTable:
    return ReportTable(part, caption, tuple(header), tuple(tuple(map(shown, row)) for row in rows))


def shown(value: object) -> str:
    """A value as a cell has it; what could turn a line around or steer a terminal is made visible.

    >>> shown(2.25), shown(None), shown(7)
    ('2.2', '–', '7')
    """
    if value is None:
        return UNKNOWN
    return f"{value:.1f}" if isinstance(value, float) else inert(str(value))


def _counts(figures: Figures) -> Iterable[ReportTable]:
    speakers = ("speaker", "site", "sex", "age", "scenarios", "utterances", "minutes of speech")
    sexes = ("site", "speakers", "M", "F", "other or not stated", "scenarios", "utterances")
    yield _sheet(
        COUNTS,
        "Pilot sessions are counted here and nowhere else.",
        ("", "number"),
        [("all", figures.sessions), ("pilots", figures.pilots)],
    )
    yield _sheet(
        COUNTS,
        "This table shows each site's collection.",
        ("site", "speakers", "scenarios", "utterances"),
        map(values, figures.collected),
    )
    yield _sheet(COUNTS, f"{utterance_status.CAPTION}.", utterance_status.HEADER, map(values, figures.standing))
    yield _sheet(
        COUNTS,
        "This table shows the assignments of the design, and shortages.",
        ("condition", "set", "speakers", "scenarios", "planned", "short"),
        map(values, figures.balance),
    )
    yield from _wizards(figures.wizards)
    yield _sheet(COUNTS, "This table counts men and women among the speakers.", sexes, map(values, figures.people))
    yield _sheet(
        COUNTS,
        "Ages are given for the speakers who stated theirs.",
        ("site", "known of", "youngest", "oldest", "mean", "median"),
        map(values, figures.ages),
    )
    yield _sheet(
        COUNTS,
        "This table shows the contribution of each age group.",
        ("age", "speakers", "scenarios", "utterances"),
        map(values, figures.age_bands),
    )
    yield _sheet(COUNTS, "This table gives the share of women, and the number of scenarios per speaker.",
                 ("site", "% of known sex", "most", "mean"),
                 map(values, figures.person_shares))  # fmt: skip
    yield _classes(figures.classes)
    yield _sheet(COUNTS, "Each site promised that a tenth of its utterances would come from the common scenario.",
                 ("site", "utterances in it", "of", "%", "promise"),
                 ((row.site, row.common, row.total, float(100 * row.share), "met" if row.met() else "not met")
                  for row in figures.common))  # fmt: skip
    yield _requests(figures)
    yield _sheet(COUNTS, SPEAKERS_SHEET, speakers, map(values, figures.speakers))
    for caption, name, counts in (("This table counts the ways in which scenarios ended.", "outcome", figures.outcomes),
                                  ("This table counts the first replies by kind.", "reply", figures.responses),
                                  ("This table shows the state of transcription.", "state", figures.transcribed)):  # fmt: skip
        yield _sheet(COUNTS, caption, (name, "number"), ((key.replace("_", " "), n) for key, n in counts.items()))
    yield _sheet(COUNTS, "This table shows how long transcription took.",
                 ("transcriber", "utterances", "checked", "minutes", "minutes an utterance"),
                 ((row.transcriber, row.utterances, row.checked, row.minutes, f"{row.minutes_each:.2f}")
                  for row in figures.effort))  # fmt: skip


def _classes(found: Sequence[ClassRow]) -> ReportTable:
    header = ("site", "A", "D", "X", "classified", "% of all", "A %", "D %", "X %")
    rows = [(*values(row), *row.percentages) for row in found if found[-1].total]
    return _sheet(COUNTS, "Classes of utterances are given in per cent of each site's own.", header, rows)


def _wizards(found: WizardFigures) -> Iterable[ReportTable]:
    interval = ("%", "95 % from", "to")
    yield _sheet(COUNTS, "This table counts the replies that wizards themselves marked as wrong.",
                 ("wizard", "replies", "wrong", *interval, "median s", "utterances an hour", "subjects an hour"),
                 map(values, found.rows))  # fmt: skip
    yield _sheet(COUNTS, "This table compares replies with the minimal reference answers; further columns do no harm.",
                 ("wizard", "compared", "right", *interval), map(values, found.compared))  # fmt: skip
    yield _sheet(COUNTS, "This table shows how many replies stayed within the system's written abilities.",
                 ("wizard", "replies", "beyond", "short", *interval), map(values, found.ability))  # fmt: skip
    yield _sheet(COUNTS, "This table compares the last third of each wizard's replies with the first.",
                 ("wizard", "third", "replies", "errors %", "95 % from", "to", "median s", "canned %", "fillers a reply"),
                 ((*values(row)[:-1], f"{row.fillers:.2f}") for row in found.drift))  # fmt: skip
    yield _sheet(COUNTS, "Wizards are compared in pairs: difference of errors in points, ratio of times.",
                 ("wizard", "other", "points", "95 % from", "to", "ratio", "95 % from", "to"),
                 ((*values(row)[:5], *map(_ratio, values(row)[5:])) for row in found.pairs))  # fmt: skip


def _ratio(value: object) -> str | None:
    return f"{value:.2f}" if isinstance(value, float) else None


def _requests(figures: Figures) -> ReportTable:
    tries, per_hour = figures.tries, figures.queries_per_hour

    def row(name: str, count: int, share: float | None = None) -> tuple[object, ...]:
        return name, count, share, None if share is None else tries.interval(share)

    header = ("requests", "number", "% of those in scope", "95 % interval")
    return _sheet(COUNTS, f"Requests that were answered: {tries.text()}.", header, (
        row("at the first try", tries.first_try, tries.unaided),
        row("reworded by the wizard", tries.reworded),
        row("answered in SQL by hand", tries.by_hand),
        row("with the wizard", tries.first_try + tries.reworded, tries.with_wizard),
        row("not answered", tries.unanswered), row("out of scope", tries.out_of_scope), row("not judged", tries.unjudged),
        ("utterances an hour of scenario time", per_hour, None, None),
        ("subjects an hour of their visits", figures.subjects_per_hour, None, None),
    ))  # fmt: skip


def _delays(found: Sequence[Delay]) -> Iterable[ReportTable]:
    whole = (delay for delay in found if delay.group == "all")
    yield _sheet(
        DELAYS, STAGES_SHEET, ("stage", "turns", *_SPREAD), ((delay.stage, *_spread(delay.spread)) for delay in whole)
    )
    groups = sorted((delay for delay in found if delay.group != "all"), key=lambda delay: (delay.group, delay.name))
    header = ("group", "stage", "turns", *_SPREAD)
    yield _sheet(DELAYS, GROUPS_SHEET, header,
                 ((f"{group.group} {group.name}", group.stage, *_spread(group.spread)) for group in groups))  # fmt: skip


def _recognition(found: Sequence[RecognitionRow]) -> Iterable[ReportTable]:
    header = ("recogniser", "condition", "utterances", "as is", "of these another", "edited", "rejected", "% as is")
    yield _sheet(RECOGNITION, "This table shows how the recogniser's words were used as drafts.", header, (
        (row.engine, row.condition or UNKNOWN, row.utterances, row.as_is, row.others, row.edited, row.rejected,
         _percent(row.as_is_share)) for row in found
    ))  # fmt: skip
    errors = (
        "recogniser, condition, against",
        "words",
        "substituted",
        "deleted",
        "inserted",
        "% word error",
        "% utterances",
    )
    yield _sheet(RECOGNITION, "This table gives the recogniser's word errors.", errors, (
        (f"{row.engine}, {row.condition or UNKNOWN}, {against}", total.words, total.substituted, total.deleted, total.inserted,
         _percent(total.rate), _percent(total.wrong / total.utterances))
        for row in found
        for against, total in (("the wizard's text", row.against_wizard), ("the transcription", row.against_transcription),
                               ("its own words (errors put in)", row.put_in))
        if total.utterances
    ))  # fmt: skip
    delays = ((f"{row.engine}, {row.condition or UNKNOWN}", *_spread(row.took_s)) for row in found if row.took_s)
    caption = "This table gives the seconds from the end of a take to the recogniser's words."
    yield _sheet(RECOGNITION, caption, ("recogniser, condition", "turns", *_SPREAD), delays)


def _machines(found: Sequence[StageRow]) -> ReportTable:
    header = (
        "stage",
        "condition",
        "accepted",
        "edited",
        "rejected",
        "taken over",
        "handed over",
        "given back",
        "troubles",
    )
    return _sheet(MACHINES, "People judged the machines' output, and stages changed hands.", header, (
        (row.stage, row.condition or UNKNOWN, row.accepted, row.edited, row.rejected, row.taken_over, row.handed_over,
         row.given_back, row.troubled) for row in found
    ))  # fmt: skip


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _spread(spread: Distribution, places: int = 2) -> tuple[str, ...]:
    figures = (spread.smallest, spread.low, spread.median, spread.high, spread.largest, spread.mean)
    return str(spread.count), *(f"{figure:.{places}f}" for figure in figures)


def _sound(figures: Figures) -> Iterable[ReportTable]:
    sound = figures.sound
    yield _sheet(SOUND, "Speech is counted, and trouble in its sound.", ("", "number"), (("hours", f"{sound.hours:.3f}"),
                 ("utterances with trouble noted", sound.troubled), ("waveforms of zeros", sound.silent)))  # fmt: skip
    rows = [("seconds of an utterance", sound.seconds), ("peak level, dB of full scale", sound.peak_db)]
    header = ("", "number", *_SPREAD)
    yield _sheet(
        SOUND,
        "This table gives the length and the level of utterances.",
        header,
        ((name, *_spread(spread)) for name, spread in rows if spread),
    )


def _questionnaires(found: Mapping[str, Distribution]) -> ReportTable:
    """Scores by the published rules (`session/study/forms`), one a session."""
    rows = ((scale, *_spread(figures)) for scale, figures in found.items())
    return _sheet(
        SCENARIOS, "Questionnaires are scored by their published rules.", ("scale", "sessions", *_SPREAD), rows
    )


def _scenarios(found: Sequence[Difficulty]) -> ReportTable:
    header = ("scenario", "kind", "subjects", "declared", "given up", "time up", "ended", "broken off", "invalid",
              "minutes to declare", "minutes in all", "utterances", "requests", "% failed")  # fmt: skip
    return _sheet(SCENARIOS, "This table shows how hard each scenario was.", header, (
        (row.scenario, f"{row.kind}, common" if row.common else row.kind, row.subjects, row.declared, row.given_up,
         row.time_up, row.ended, row.unfinished, row.invalid, row.declare_min, row.time_min, row.utterances,
         row.requests, row.failed)
        for row in found
    ))  # fmt: skip


def _methods(found: Sequence[ChecklistItem]) -> ReportTable:
    header = ("question", "part", "answer", "to be added")
    return _sheet(METHODS, "Methods checklist", header,
                  ((item.question, item.part, item.answer, "" if item.known else "yes") for item in found))  # fmt: skip
