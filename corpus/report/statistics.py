"""Everything that is worth counting in a corpus, as one value: `curtain stats` prints it, `curtain report` draws it.

Pilots are counted apart and go into no other figure, because they are no data. Figures about delays are over all numbered turns
with the reply that was sent first; what a clock cannot place is left out rather than guessed.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from corpus.analysis import paper_tables
from corpus.analysis.attempts import AttemptShares
from corpus.analysis.attempts import shares as shares_of
from corpus.analysis.consent_check import refuse_unagreed
from corpus.analysis.design_balance import BalanceRow, balance_rows
from corpus.analysis.distribution import Distribution, spread, survival_median
from corpus.analysis.recognition import RecognitionRow, recognition_rows
from corpus.analysis.stage_handling import StageRow, stage_rows
from corpus.analysis.turns import STAGES, Course, Turn, answers_of, held_once
from corpus.analysis.turns import course as course_of
from corpus.analysis.wizard_errors import (
    ComparedRow,
    Right,
    WizardFigures,
    queries_per_hour,
    subjects_per_hour,
    wizard_figures,
)
from corpus.dataset.reader import Corpus, SubjectScenario
from corpus.formats import pcm, riff, waveform
from corpus.formats.manifest import Manifest
from corpus.formats.sphere import SphereHeader
from corpus.io.parallel import Jobs
from corpus.io.safe_open import open_plain
from corpus.packages.datasheet import protocols_of
from corpus.release.draw import standing_of
from corpus.release.holdout_file import assigned_in, set_of
from corpus.release.utterance_status import POOL, StandingRow, Volume, volume_of
from corpus.report.common_scenario import CommonShare, shares
from corpus.report.methods_checklist import ChecklistItem, checklist
from corpus.report.planned_design import planned_cells
from session.study.instruments import scored
from session.values.names import PRIMARY
from session.values.vocabulary import Outcome

FULL_SCALE = 32768

LIMITS = (
    "Replies are the wizard's; only replies to annotated requests are compared with reference answers.",
    "An answer that is barely acceptable and a very good one count alike; a long dialogue is measured turn by turn.",
    "Speech shows the system that collected it: after its errors people repeat and correct more (MADCOW 1993, section 3).",
    "A declared solution may be wrong, and the time to it does not show what took the time.",
    "Utterances of one speaker are not independent: intervals that treat them so are too narrow.",
)
"""What the figures cannot tell; `stats` and the report print it."""
OF_IMPORTED = "For imported data, only speech, words and people are counted: the dialogue around it is unknown."
BLIND = "A blind test pool: its logs show no request, row or reply, so figures of these are incomplete."


class Delay(msgspec.Struct, frozen=True):
    """One stage of the turns of a group (all, a site, a wizard, a condition), in seconds."""

    group: str
    name: str
    stage: str
    spread: Distribution


class Difficulty(msgspec.Struct, frozen=True):
    """One scenario over all who worked on it; those times that were declared `invalid` are in no other figure. Times in minutes;
    `declare_min` is the median time to a declared solution, right or wrong, the others censored (None for fewer than half);
    `failed` is the share of requests that gave no rows, in per cent."""

    scenario: str
    kind: str
    common: bool
    subjects: int
    declared: int
    given_up: int
    time_up: int
    ended: int
    unfinished: int
    invalid: int
    declare_min: float | None
    time_min: float
    utterances: float
    requests: float
    failed: float | None


class SoundFigures(msgspec.Struct, frozen=True):
    """Spoken utterances: hours in all, seconds each, peak level in dB below full scale, samples lost."""

    hours: float
    seconds: Distribution | None
    peak_db: Distribution | None
    silent: int
    troubled: int


class Figures(msgspec.Struct, frozen=True):
    """The figures of a corpus; see the parts for their units."""

    rehearsal: bool
    blind: bool
    sessions: int
    pilots: int
    collected: list[paper_tables.CollectedRow]
    standing: list[StandingRow]
    classes: list[paper_tables.ClassRow]
    people: list[paper_tables.PeopleRow]
    ages: list[paper_tables.AgeRow]
    age_bands: list[paper_tables.AgeBandRow]
    person_shares: list[paper_tables.ShareRow]
    speakers: list[paper_tables.SpeakerRow]
    common: tuple[CommonShare, ...]
    tries: AttemptShares
    queries_per_hour: float | None
    subjects_per_hour: float | None
    outcomes: dict[str, int]
    responses: dict[str, int]
    transcribed: dict[str, int]
    effort: list[paper_tables.EffortRow]
    balance: list[BalanceRow]
    wizards: WizardFigures
    delays: list[Delay]
    recognition: list[RecognitionRow]
    stages: list[StageRow]
    difficulty: list[Difficulty]
    sound: SoundFigures
    checklist: list[ChecklistItem]
    questionnaires: dict[str, Distribution] = {}
    limit_passed: int = 0
    limits: tuple[str, ...] = LIMITS


def figures_of(corpus: Corpus, found: Sequence[Course], right: Right | None = None) -> Figures:
    """The figures of a corpus whose courses have been read; `right` tells of replies whether they are what the reference
    answers say."""
    data = [course for course in found if course.header["Pilot"] == "no"]
    held = [course for course in data if not course.imported]
    turns = [turn for course in data for turn in course.turns]
    units = paper_tables.units_of(corpus, data)
    seconds: dict[str, float] = {}
    for course in data:
        spoken = sum(turn.speech_s or 0 for turn in course.turns)
        seconds[course.header["Speaker"]] = seconds.get(course.header["Speaker"], 0) + spoken
    wizards = wizard_figures(held, right or {})
    return Figures(
        rehearsal=corpus.manifest.rehearsal,
        blind=set_of(corpus) == POOL,
        sessions=len(corpus.manifest.sessions),
        pilots=sum(entry.pilot for entry in corpus.manifest.sessions),
        collected=paper_tables.collected(units),
        standing=standing_of(corpus, map(_volume, data), assigned_in(corpus)),
        classes=paper_tables.by_class(units),
        people=paper_tables.people(units),
        ages=paper_tables.ages(units),
        age_bands=paper_tables.age_bands(units),
        person_shares=paper_tables.person_shares(units),
        speakers=paper_tables.speakers(units, seconds),
        common=shares((unit.site, unit.common, len(unit.classes)) for unit in (units if held else ())),
        tries=shares_of(turn.ended for course in held for turn in course.turns),
        queries_per_hour=queries_per_hour(held),
        subjects_per_hour=subjects_per_hour(held),
        outcomes=_counted(course.outcome or "broken off" for course in held),
        responses=_counted(turn.response or "none" for course in held for turn in course.turns),
        transcribed=_counted(
            "not yet" if turn.words is None else "draft" if turn.draft else "transcribed" for turn in turns
        ),
        effort=paper_tables.efforts(
            entry.work for path, entry in corpus.manifest.files.items() if entry.work and path.endswith(".sro")
        ),
        balance=balance_rows(
            [
                (course.header["Speaker"], course.header.get("Condition", ""), course.header.get("Assignment", ""))
                for course in data
            ],
            planned_cells(corpus, (course.header for course in held)),
        ),
        wizards=wizards,
        delays=_delays(held),
        recognition=recognition_rows(
            (course.header.get("Condition", ""), turn.recognised)
            for course in data
            for turn in course.turns
            if turn.recognised is not None
        ),
        stages=stage_rows((course.header.get("Condition", ""), what) for course in data for what in course.handled),
        difficulty=_difficulties(held),
        sound=_sound([peak for course in data for peak in course.peaks], turns),
        checklist=_checklist(corpus, found, wizards.compared),
        questionnaires=_scores(data),
        limits=(*LIMITS, OF_IMPORTED) if len(held) < len(data) else LIMITS,
        limit_passed=sum(turn.limit_reached for turn in turns),
    )


def _checklist(corpus: Corpus, found: Sequence[Course], compared: Sequence[ComparedRow]) -> list[ChecklistItem]:
    """The checklist of what was held with Curtain; of what was imported nobody could fill it in."""
    own = [course for course in found if not course.imported]
    return checklist(corpus, own, protocols_of(corpus), compared) if own or not found else []


def _volume(found: Course) -> Volume:
    header = found.header
    return volume_of(header["Site"], header["Speaker"], header["Pilot"], found.outcome, len(found.turns))


def gather(corpus: Corpus, jobs: Jobs | None = None, progress: Callable[[int], None] = lambda _: None) -> list[Course]:
    """Return all courses with the levels of their waveforms; `progress` is told how many have been read."""
    jobs = jobs or Jobs()
    found: list[Course] = []
    for read in jobs.over(_read, jobs.path_of(corpus.root), corpus.parts(jobs.part(len(corpus.logs))), corpus.root):
        found.extend(map(_lean, read))
        progress(len(found))
    refuse_unagreed(corpus.root, found)
    return found


def _lean(course: Course) -> Course:
    """The same with what no figure needs left out."""
    turns = tuple([msgspec.structs.replace(turn, sro="") for turn in course.turns])
    return held_once(msgspec.structs.replace(course, turns=turns))


def _read(root: Path, part: Manifest) -> list[Course]:
    corpus = Corpus(root, part)
    return [_with_peaks(corpus, scenario) for scenario in corpus.scenarios()]


def _with_peaks(corpus: Corpus, scenario: SubjectScenario) -> Course:
    primary = [utterance.waves.get(PRIMARY) for utterance in scenario.utterances]
    peaks = tuple(peak for path in primary if path and (peak := _peak(corpus, path)) is not None)
    return msgspec.structs.replace(course_of(corpus, scenario), peaks=peaks)


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _delays(found: Sequence[Course]) -> list[Delay]:
    groups: dict[tuple[str, str], list[Turn]] = {}
    for course in found:
        header = course.header
        for key in (("all", "all"), ("site", header["Site"]), ("wizard", header.get("Wizard", "")),
                    ("condition", header.get("Condition", ""))):  # fmt: skip
            if key[1]:
                groups.setdefault(key, []).extend(course.turns)
    kinds = Counter(group for group, _ in groups)
    rows: list[Delay] = []
    for (group, name), turns in groups.items():
        for stage in STAGES if group == "all" or kinds[group] > 1 else ():
            if (made := spread(turn.stage(stage) for turn in turns)) is not None:
                rows.append(Delay(group, name, stage, made))
    return rows


def _difficulties(found: Sequence[Course]) -> list[Difficulty]:
    groups: dict[str, list[Course]] = {}
    for course in found:
        groups.setdefault(course.header["Scenario"], []).append(course)
    return [_difficulty(name, own) for name, own in sorted(groups.items())]


def _difficulty(name: str, every: Sequence[Course]) -> Difficulty:
    own = [course for course in every if course.outcome != Outcome.INVALIDATED]
    turns = [turn for course in own for turn in course.turns]
    requests = sum(turn.requests for turn in turns)
    solve = survival_median((course.observed_s, course.censored) for course in own if course.observed_s is not None)
    time = spread(course.time_s for course in own)
    return Difficulty(
        scenario=name,
        kind=every[0].header["Scenario_kind"],
        common=every[0].header["Common"] == "yes",
        subjects=len(own),
        declared=sum(not course.censored for course in own),
        given_up=sum(course.outcome == Outcome.GIVEN_UP for course in own),
        time_up=sum(course.outcome == Outcome.TIME_UP for course in own),
        ended=sum(course.outcome == Outcome.ENDED for course in own),
        unfinished=sum(not course.ended for course in own),
        invalid=len(every) - len(own),
        declare_min=None if solve is None else solve / 60,
        time_min=(time.median if time else 0.0) / 60,
        utterances=len(turns) / max(1, len(own)),
        requests=requests / max(1, len(own)),
        failed=100 * sum(turn.failures for turn in turns) / requests if requests else None,
    )


def _scores(found: Sequence[Course]) -> dict[str, Distribution]:
    """Scores of the questionnaires that ship, by scale, one a session."""
    by_scale: dict[str, list[float]] = {}
    for forms in {course.header["Session"]: course.forms for course in found if course.forms}.values():
        for scale, score in scored(answers_of(forms)).items():
            by_scale.setdefault(scale, []).append(score)
    spreads = {scale: spread(scores) for scale, scores in by_scale.items()}
    return {scale: figures for scale, figures in spreads.items() if figures is not None}


def _sound(peaks: Sequence[int], turns: Sequence[Turn]) -> SoundFigures:
    return SoundFigures(
        hours=sum(turn.speech_s or 0 for turn in turns) / 3600,
        seconds=spread(turn.speech_s for turn in turns),
        peak_db=spread(decibels(peak) for peak in peaks if peak),
        silent=peaks.count(0),
        troubled=sum(turn.troubles > 0 for turn in turns),
    )


def _peak(corpus: Corpus, path: str) -> int | None:
    """The largest distance from zero; from the header where it says so, so that no sample need be read."""
    with open_plain(corpus.root, path) as file:
        header = waveform.read_header(file, path)
        if isinstance(header, SphereHeader):
            low, high = header.get("sample_min"), header.get("sample_max")
            return max(-low, high) if isinstance(low, int) and isinstance(high, int) else None
    return pcm.levels(riff.parse(corpus.read(path), path).samples()).peak


def decibels(peak: int) -> float:
    """A peak in sample units as dB relative to full scale, 0 or less."""
    return 20 * math.log10(peak / FULL_SCALE)
