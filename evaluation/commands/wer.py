"""`curtain wer`: recognisers' words against transcriptions, as text, JSON, CSV or a page."""

import gc
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import starmap, zip_longest
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.formats.errors import FormatFault, counted, message_of
from corpus.io.staging import Refused, replace
from evaluation.recognition import nist_table, rank_variance, speech_language, word_page, word_report_text
from evaluation.recognition.networks import Terms
from evaluation.recognition.pairing import names_of
from evaluation.recognition.rank_variance import RankVariance
from evaluation.recognition.rival_systems import ANSWER_NAMES, NAMES, SystemComparison, compare_all, word_variances
from evaluation.recognition.speech_language import SpokenLanguage, read_answers, together
from evaluation.recognition.transcripts import TranscriptSide, read
from evaluation.recognition.word_report import Origin, WordReport, frame, limits, signature, system_report
from evaluation.recognition.word_scores import RecogniserResult, score
from evaluation.scoring.answer_files import read_index
from session.values import spreadsheet
from session.values.sanitize import inert


class WerOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `curtain wer`.

    `reference` and `before` are files in TRN, STM, CTM or plain text, a corpus, a test's key, or a folder of `.lsn`; `hypotheses`
    are such files, each `FILE` or `NAME=FILE`. `nl` and `sls` are reports of `curtain score --json` on answers to transcriptions
    and to speech. `literal` takes brackets for letters; `by` names the rows of the CSV; `page` names an HTML file to be written,
    which must not exist.
    """

    reference: str
    hypotheses: tuple[str, ...]
    case: bool = False
    literal: bool = False
    fragments: bool = False
    times: bool = False
    missing: str = "error"
    ids: str = "auto"
    index: str | None = None
    before: str | None = None
    nl: str | None = None
    sls: str | None = None
    seed: int = 1992
    by: str = "utterance"
    align: bool = False
    as_json: bool = False
    as_csv: bool = False
    page: str | None = None

    @property
    def terms(self) -> Terms:
        return Terms(case=self.case, optional=not self.literal, fragments=self.fragments)


def wer_command(given: WerOptions, out: TextIO, err: TextIO) -> int:
    """Score recognisers; 0 when every word was right, 1 when not, 2 for faulty input."""
    collecting = gc.isenabled()
    gc.disable()  # millions of small values and no circle among them: looking for some takes a second
    try:
        return _wer(given, out, err)
    finally:
        if collecting:
            gc.enable()


def _wer(given: WerOptions, out: TextIO, err: TextIO) -> int:
    try:
        _refuse(given)
        results, report = _scored(given)
        compared = compare_all(results, given.seed)
        spoken = _spoken(given, results)
        variances = word_variances(results)
        told = _limits(compared, variances, spoken)
        report = msgspec.structs.replace(report, limits=(*report.limits, *told))
        between = [*_between(compared, variances, spoken)]
        if given.page is not None:
            replace(Path(given.page), word_page.render(report, results, between).encode())
    except (FormatFault, Refused, OSError) as error:
        print(f"error: {inert(message_of(error))}", file=err)
        return 2
    if given.as_json:
        further = {"comparisons": compared, "variances": variances, "spoken_language": spoken}
        data = {
            **msgspec.to_builtins(report),
            **msgspec.to_builtins(further),
            "utterances": frame(results, "utterance"),
        }
        print(json.dumps(data, ensure_ascii=False, indent=1), file=out)
    elif given.as_csv:
        _write_csv(frame(results, given.by), out)
    else:
        for line in _text(given, results, report, between):
            print(inert(line), file=out)
    return 1 if any(result.total.errors for result in results) else 0


def _refuse(given: WerOptions) -> None:
    if given.page is not None and Path(given.page).exists():
        raise Refused(f"{given.page} exists already; name another file, nothing is overwritten")
    if given.page is not None and not Path(given.page).absolute().parent.is_dir():
        raise Refused(f"--page {given.page}: there is no such folder; make it, or name another")
    if given.as_json and given.as_csv:
        raise Refused("--json and --csv: choose one of the two")


def _scored(given: WerOptions) -> tuple[list[RecogniserResult], WordReport]:
    reference = read(Path(given.reference))
    before = read(Path(given.before)) if given.before else None
    index = _index(given.index)
    results: list[RecogniserResult] = []
    earlier: list[RecogniserResult] = []
    origins = [Origin("reference", reference.path, reference.sha256)]
    origins += [Origin("reference before adjudication", before.path, before.sha256)] if before else []
    for one in given.hypotheses:
        label, found, file = one.partition("=")
        hypothesis = read(Path(file if found else one))
        name = label if found else Path(one).stem
        if not name.strip():
            raise Refused(f"{one}: a system without a name; write NAME=FILE, or FILE alone")
        if any(result.name == name for result in results):
            raise Refused(f"{one}: there are two systems named {name}; write NAME=FILE")
        origins.append(Origin(name, hypothesis.path, hypothesis.sha256))
        results.append(_score(given, reference, hypothesis, name, index))
        if before is not None:
            earlier.append(_score(given, before, _known_to(before, hypothesis), name, index))
    systems = tuple(starmap(system_report, zip_longest(results, earlier)))
    references = [origin for origin in origins if origin.role.startswith("reference")]
    line = signature(given.terms, given.missing, given.times, given.seed, references, given.ids)
    overlapping = reference.marked.overlapping if reference.marked is not None else 0
    notes = (*reference.notes, *_strangers(given.index, index, results[0]))
    report = WordReport(line, tuple(origins), systems, notes, limits(systems, overlapping))
    return results, report


def _score(
    given: WerOptions,
    reference: TranscriptSide,
    hypothesis: TranscriptSide,
    name: str,
    index: Mapping[str, Mapping[str, str]] | None,
) -> RecogniserResult:
    return score(
        reference,
        hypothesis,
        name=name,
        terms=given.terms,
        rule=given.ids,
        missing=given.missing,
        times=given.times,
        index=index,
        seed=given.seed,
    )


def _known_to(reference: TranscriptSide, hypothesis: TranscriptSide) -> TranscriptSide:
    """The hypothesis without utterances that adjudication has added."""
    if not hypothesis.texts or reference.form != hypothesis.form:
        return hypothesis
    texts = {key: text for key, text in hypothesis.texts.items() if key in reference.texts}
    return msgspec.structs.replace(hypothesis, texts=texts)


def _index(path: str | None) -> dict[str, dict[str, str]] | None:
    if path is None:
        return None
    faults: list[str] = []
    found = read_index(Path(path), faults)
    if faults:
        raise Refused(faults[0])
    return {key.lower(): row for key, row in found.items()}


def _strangers(
    path: str | None, index: Mapping[str, Mapping[str, str]] | None, result: RecogniserResult
) -> Iterator[str]:
    """Yield a note on ids of the index that no utterance has: one that is mistyped leaves its utterance without a site."""
    known = {name for scored in result.utterances for name in names_of(scored.key.lower())}
    if strangers := sorted(index.keys() - known if index else ()):
        more = f" and {len(strangers) - 3} more" if len(strangers) > 3 else ""
        yield f"{counted(len(strangers), 'line')} of {path} for no utterance here: {', '.join(strangers[:3])}{more}"


def _spoken(given: WerOptions, results: Sequence[RecogniserResult]) -> SpokenLanguage | None:
    tests = [read_answers(Path(path)) if path else None for path in (given.nl, given.sls)]
    return together(results, tests[0], tests[1], given.seed) if any(tests) else None


def _between(
    compared: Sequence[SystemComparison], variances: Sequence[RankVariance], spoken: SpokenLanguage | None
) -> Iterator[str]:
    """Yield the tables of who beats whom, in words and in answers, and the three tests together."""
    yield from nist_table.render(compared, NAMES, "Between systems: words")
    yield from rank_variance.render(variances, "words")
    if spoken is not None:
        yield from nist_table.render(spoken.nl, ANSWER_NAMES, "Between systems: answers to text (NL)")
        yield from rank_variance.render(spoken.nl_variance, "answers to text (NL)")
        yield from nist_table.render(spoken.sls, ANSWER_NAMES, "Between systems: answers to speech (SLS)")
        yield from rank_variance.render(spoken.sls_variance, "answers to speech (SLS)")
        yield from speech_language.render(spoken)


def _limits(
    compared: Sequence[SystemComparison], variances: Sequence[RankVariance], spoken: SpokenLanguage | None
) -> Iterator[str]:
    """Yield what the comparisons and the answers do not say."""
    yield from nist_table.remarks(compared)
    yield from rank_variance.remarks(variances)
    if spoken is not None:
        yield from nist_table.remarks(spoken.nl, "answers to text")
        yield from nist_table.remarks(spoken.sls, "answers to speech")
        yield from spoken.limits


def _text(
    given: WerOptions, results: Iterable[RecogniserResult], report: WordReport, between: Iterable[str]
) -> Iterable[str]:
    yield from word_report_text.render(report)
    yield from between
    if given.align:
        for result in results:
            yield ""
            yield f"Alignments of {result.name}, utterances with an error"
            yield from word_report_text.aligned(result.utterances)
    yield from word_report_text.limits(report)


def _write_csv(rows: list[dict[str, str | int | float | None]], out: TextIO) -> None:
    out.write(spreadsheet.table(list(rows[0]) if rows else ["system"], (row.values() for row in rows)))
