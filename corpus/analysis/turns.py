"""Times of each turn by its log, in seconds: the one place that turns stamps into stages.

The wizard's work on a turn falls into stages that follow one another: hearing and writing down, the subject reading it,
wording the request, the database, looking at the answer, and its way to the screen. Published Wizard-of-Oz work reports one
delay at best; here each stage is a column. Times of other desks are true within the uncertainty that is beside them.
"""

from collections.abc import Iterable, Iterator
from sys import intern

import msgspec

from corpus.analysis.attempts import AttemptEnd, of_block
from corpus.analysis.recognition import Recognised, recognised
from corpus.analysis.stage_handling import Handling, handlings
from corpus.dataset.reader import Corpus, CorpusUtterance, SubjectScenario
from corpus.formats import cat, lsn, squ, sro
from corpus.formats.log import log_schema
from corpus.formats.log.log_values import Log, Record, RecordBlock
from corpus.formats.log.logged_consent import LoggedConsent, agreements
from corpus.formats.log.queries import after_error, contexts, outcome_of
from corpus.formats.log.timeline import Moment, seconds
from session.values.names import PRIMARY
from session.values.vocabulary import Outcome

STAGES = {
    "transcribe": ("end", "transcribed", "speech ended to transcribed"),
    "echo": ("transcribed", "seen", "transcribed to on the subject's screen"),
    "formulate": ("transcribed", "asked", "transcribed to first request to the database"),
    "query": ("asked", "found", "first request to the rows that were sent, rewording included"),
    "inspect": ("found", "sent", "rows to answer sent"),
    "decide": ("transcribed", "sent", "transcribed to reply sent, where no rows were sent"),
    "display": ("sent", "shown", "reply sent to on the subject's screen"),
    "wizard": ("end", "sent", "speech ended to reply sent"),
    "reply": ("end", "shown", "speech ended to reply on the subject's screen"),
}
"""Stage: the marks between which it lies, and what it is."""


class Turn(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One numbered utterance and what the system made of it. `marks` are moments by name (see `STAGES`; `begin` is the first
    sample or the typed text); `speech_s` is None for typed input; `within_s` is how uncertain the desk's marks are;
    `after_error` is the kind of the system's error just before (`corpus.formats.log.queries.after_error`), empty if there was
    none; `context` names the earlier utterance whose context the subject had gone back to. `desk_s` are seconds of work at
    the transcription desk, None if none was measured; `recognised` is a recogniser's part in it, `reason` why a canned
    message was sent."""

    stem: str
    number: int
    typed: bool
    marks: dict[str, Moment]
    speech_s: float | None
    within_s: float | None
    words: int | None
    text: str
    sro: str
    draft: bool
    desk_s: float | None
    evaluation: str
    requests: int
    failures: int
    replies: int
    fillers: int
    response: str
    canned: str
    scope: str
    ended: AttemptEnd
    after_error: str
    marked_wrong: bool
    limit_reached: bool
    context: str
    troubles: int
    recognised: Recognised | None = None
    reason: str = ""

    @property
    def answered(self) -> bool:
        """Return whether anything but a filler was sent."""
        return "sent" in self.marks

    @property
    def unknown(self) -> bool:
        """Return whether it has unintelligible or masked words."""
        return any(mark in self.sro for mark in (f"[{sro.UNINTELLIGIBLE}]", f"[{sro.MASKED}]"))

    @property
    def known_words(self) -> str | None:
        """Return its words, None if nobody has transcribed it or not all words are known: that is not a reference for them."""
        return None if self.words is None or self.unknown else self.text

    def stage(self, name: str) -> float | None:
        """Seconds of one stage, None if one of its ends is not there; never negative within the clocks' uncertainty."""
        first, last, _ = STAGES[name]
        if first not in self.marks or last not in self.marks or (name == "decide" and "found" in self.marks):
            return None
        return seconds(self.marks[first], self.marks[last])


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """Course of one subject-scenario. `time_s` runs from its start to its end (or the last record where it has none), pauses
    taken out; `declared_s` to the declared solution, None if there is none. `peaks` are the largest distances from zero of
    its primary waveforms, in sample units, where they have been looked at."""

    stem: str
    header: dict[str, str]
    began: Moment
    until: Moment
    ended: bool
    outcome: str
    solution: str
    time_s: float
    paused_s: float
    declared_s: float | None
    turns: tuple[Turn, ...]
    pauses: tuple[tuple[Moment, Moment], ...]
    forms: tuple[squ.AnsweredForm, ...]
    deviations: int
    debriefed: bool
    agreements: tuple[LoggedConsent, ...]
    handled: tuple[Handling, ...] = ()
    peaks: tuple[int, ...] = ()

    @property
    def imported(self) -> bool:
        """Return whether its utterances were recorded elsewhere, so that no figure but of speech and words can be had of it."""
        return log_schema.IMPORTED in self.header

    @property
    def censored(self) -> bool:
        """Return whether the time to the solution is only known to be longer than `time_s`."""
        return self.declared_s is None

    @property
    def observed_s(self) -> float | None:
        """Seconds to the solution, or for how long none came; None if the scenario was declared invalid."""
        if self.outcome == Outcome.INVALIDATED:
            return None
        return self.time_s if self.declared_s is None else self.declared_s


_UNKNOWN = {attribute.name: "" for attribute in log_schema.HEADER if not attribute.optional}
"""Header entries, empty where a log was imported and nobody knows what they would be."""


def answers_of(forms: Iterable[squ.AnsweredForm]) -> dict[str, str]:
    """Return all answers of a session by item."""
    return {item: answer for form in forms for item, answer in form.answers}


def courses(corpus: Corpus) -> Iterator[Course]:
    """Return all subject-scenarios of a corpus, one at a time."""
    for scenario in corpus.scenarios():
        yield course(corpus, scenario)


def course(corpus: Corpus, scenario: SubjectScenario) -> Course:
    """One subject-scenario."""
    log = scenario.log
    records = [record for block in log.blocks for record in block.records]
    began = _moment(next(log.records("Scenario_started"), None)) or min((r.moment for r in records), key=_at)
    end = next(log.records("Scenario_ended"), None)
    until = end.moment if end else max((record.moment for record in records), key=_at)
    declared = [record for record in log.records("Solution_declared") if record.moment.at <= until.at + 1_000_000]
    outcome = outcome_of(log)
    solved = declared[-1].moment if declared and outcome == Outcome.DECLARED else None
    pauses = _pauses(log, began, until)
    errors, switched = after_error(log), contexts(log)
    names = {utterance.block.take: str(utterance.stem) for utterance in scenario.utterances}
    forms = (
        squ.parse(corpus.read(scenario.files["squ"]), scenario.files["squ"]).forms if "squ" in scenario.files else ()
    )
    return Course(
        stem=str(scenario.stem),
        header=_UNKNOWN | dict(log.header),
        began=began,
        until=until,
        ended=end is not None,
        outcome=outcome,
        solution=declared[-1].get("Solution") if declared else "",
        time_s=seconds(began, until) - _length(pauses, began, until),
        paused_s=_length(pauses, began, until),
        declared_s=seconds(began, solved) - _length(pauses, began, solved) if solved else None,
        turns=tuple(
            turn(corpus, one, errors.get(one.block.number, ""), _named(names, switched.get(one.block.number, "")))
            for one in scenario.utterances
        ),
        pauses=tuple(pauses),
        forms=forms,
        deviations=sum(1 for _ in log.records("Deviation_noted")) - sum(1 for _ in log.records("Deviation_taken_back")),
        debriefed=any(True for _ in log.records("Debriefing_read")),
        agreements=tuple(agreements(log)),
        handled=handlings(log),
    )


def _named(names: dict[str, str], take: str) -> str:
    """The name of an utterance; its take, where it is none of this scenario."""
    return names.get(take, take)


def held_once(found: Course) -> Course:
    """Return the course with the texts that many subject-scenarios have in common held once in memory."""
    header = {intern(key): intern(value) for key, value in found.header.items()}
    turns = tuple([msgspec.structs.replace(item, response=intern(item.response)) for item in found.turns])
    return msgspec.structs.replace(found, header=header, turns=turns)


def turn(corpus: Corpus, utterance: CorpusUtterance, after: str, context: str) -> Turn:
    """One utterance with everything that the log and its files say of it; `after` is the error that it follows, if any,
    `context` the earlier one whose context the subject had gone back to."""
    block = utterance.block
    sent = _sent(block)
    reply = sent[-1] if sent else None
    marks = _marks(block, reply)
    spoken = block.recorded
    texts = utterance.files
    detailed = sro.parse(corpus.read(texts["sro"]), texts["sro"]) if "sro" in texts else None
    lexical = lsn.derive(detailed) if detailed else None  # what comes from a site need not have a .lsn
    if "lsn" in texts:
        lexical = lsn.parse(corpus.read(texts["lsn"]), texts["lsn"])
    entry = corpus.manifest.files.get(texts.get("sro", ""))
    scopes = block.all("Scope_marked")
    return Turn(
        stem=str(utterance.stem),
        number=block.number,
        typed=block.first("Utterance_typed") is not None,
        marks=marks,
        speech_s=_speech(block, spoken) if spoken else None,
        within_s=_within(marks),
        words=len(lexical.words) if lexical else None,
        text=" ".join(lexical.words) if lexical else "",
        sro=sro.render(detailed).decode().strip() if detailed else "",
        draft=entry.draft if entry else False,
        desk_s=(entry.work.seconds or None) if entry and entry.work else None,
        evaluation=cat.parse(corpus.read(texts["cat"]), texts["cat"]).evaluation if "cat" in texts else "",
        requests=len(block.all("Sentence_sent")),
        failures=len(block.all("Query_failed")),
        replies=len(block.all("Answer_returned")),
        fillers=sum(record.get("Response") == "filler" for record in block.all("Answer_returned")),
        response=reply.get("Response") if reply else "",
        canned=reply.get("Canned_message") if reply else "",
        reason=reply.get("Reason") if reply else "",
        scope=scopes[-1].get("Scope") if scopes else "",
        ended=of_block(block),
        after_error=after,
        marked_wrong=block.first("Reply_marked_wrong") is not None,
        limit_reached=block.first("Reply_limit_reached") is not None,
        context=context,
        troubles=len(block.all("Audio_troubled")),
        recognised=recognised(block, None if detailed is None or not entry or entry.draft else _words(detailed)),
    )


def _words(detailed: sro.Transcription) -> list[str]:
    """Return the words of a transcription, with the mark of what was masked."""
    masked = [f"[{sro.MASKED}]"] if sro.AudibleEvent(sro.MASKED) in detailed.tokens else []
    return [*lsn.derive(detailed).words, *masked]


def _sent(block: RecordBlock) -> list[Record]:
    """Replies that are more than fillers, up to the first: later ones correct it and do not count for its delay."""
    own = [record for record in block.all("Answer_returned") if record.get("Response") != "filler"]
    return own[:1]


def _marks(block: RecordBlock, reply: Record | None) -> dict[str, Moment]:
    begin = block.first("Recording_begin") or block.first("Utterance_typed")
    asked = block.first("Sentence_sent")
    found = {record.get("Attempt"): record.moment for record in block.all("Query_returned")}
    perceived = (record for record in block.records if record.key in ("Answer_shown", "Playback_started"))
    shown = [record for record in perceived if reply and record.get("Reply") == reply.get("Reply")]
    marks = {
        "begin": _moment(begin),
        "pressed": _moment(block.first("Talk_pressed")),
        "released": _moment(block.first("Talk_released")),
        "end": _moment(block.first("Recording_end") or block.first("Utterance_typed")),
        "transcribed": _moment(block.first("Transcription_sent") or block.first("Utterance_typed")),
        "seen": _moment(block.first("Transcription_shown")),
        "asked": _moment(asked) if asked and (not reply or asked.moment.at <= reply.moment.at) else None,
        "found": found.get(reply.get("Attempt")) if reply else None,
        "sent": _moment(reply),
        "shown": shown[0].moment if shown else None,
    }
    return {name: moment for name, moment in marks.items() if moment is not None}


def _speech(block: RecordBlock, spoken: Record) -> float | None:
    """Seconds of the primary channel, by its own rate."""
    rates = {value.split(" ")[0]: value.split(" ")[1] for value in spoken.all("Channel") if value.count(" ")}
    ended = block.sealed
    for value in ended.all("Samples") if ended else ():
        letter, _, rest = value.partition(" ")
        rate = rates.get(letter, "")
        if letter == PRIMARY and rate.isdecimal() and int(rate):
            return int(rest.split(" ")[0]) / int(rate)
    return None


def _within(marks: dict[str, Moment]) -> float | None:
    known = [moment.within for moment in marks.values()]
    return None if None in known else max((within for within in known if within is not None), default=0) / 1e6


def _pauses(log: Log, began: Moment, until: Moment) -> list[tuple[Moment, Moment]]:
    found: list[tuple[Moment, Moment]] = []
    resumed = sorted((record.moment for record in log.records("Session_resumed")), key=_at)
    for record in log.records("Session_paused"):
        end = next((moment for moment in resumed if moment.at >= record.moment.at), until)
        if record.moment.at < until.at and end.at > began.at:
            found.append((record.moment, end))
    return found


def _length(pauses: list[tuple[Moment, Moment]], began: Moment, until: Moment) -> float:
    return sum(max(0, min(end.at, until.at) - max(start.at, began.at)) for start, end in pauses) / 1e6


def _moment(record: Record | None) -> Moment | None:
    return record.moment if record else None


def _at(moment: Moment) -> int:
    return moment.at
