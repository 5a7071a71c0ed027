"""Recorded people as the subject of a drill: a session of the study's store, or a session of an exported corpus, with its sound.

What was sent then is the reference of a reply, unless the wizard marked it as wrong or an annotator has written a better one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import numpy as np

from corpus.dataset.reader import Corpus, CorpusUtterance, SubjectScenario
from corpus.formats import cas, lsn, sro, waveform
from corpus.formats.log.log_values import RecordBlock
from domain.sandbox.sandbox import Sandbox
from rehearsal.speaking_subject import RATE, Samples
from rehearsal.training.drill import Drill, DrillAct, DrillLine, DrillReference, bound, reference_of, rows_of
from rehearsal.training.turn_judging import replies_to
from server.study_hub import study_database
from session.collection.open_session import session_names
from session.collection.recordings import recordings_of
from session.state.fold import SessionState, Take, fold
from session.store.event_store import Store
from session.study.folder import Study
from session.study.settings import Scenario
from session.study.toml_reader import StudyError, nearest
from session.values.names import PRIMARY, check_id
from session.values.vocabulary import ResponseClass, ScenarioKind, Scope

SHOWN = 3
"""Sessions that are named where another one was asked for."""
Act = tuple[str, str, str, str, Iterable[DrillLine]]
"""A scenario that was worked on: its id, title, text and declared solution, and what was said in it."""


def at_rate(samples: Samples, rate: int, wanted: int = RATE) -> Samples:
    """Return samples at another rate: straight lines between them, good enough to be understood."""
    if rate == wanted or not len(samples):
        return samples
    places = np.arange(round(len(samples) * wanted / rate)) * (rate / wanted)
    between: Samples = np.interp(places, np.arange(len(samples)), samples).astype(np.int16)
    return between


def drill_of_session(study: Study, session: str) -> Drill:
    """Return a session of the study's store as a drill; raises StudyError if there is none, or nothing in it to be heard."""
    with closing(Store(study.store_url)) as store:
        names = session_names(store)
        if session not in names:
            raise StudyError(f"{study.folder} has no session {session!r}; {_near(session, names)}")
        state = fold(store.read(session))
    if not state.may_be_studied:
        raise StudyError(f"session {session}: its speaker does not agree that what was said is heard and studied")
    there = study.in_domain(state.opened.protocol.domain if state.opened is not None else "")
    recordings, rates = recordings_of(study), dict[str, int]()
    acts = list[Act]()
    for place, run in enumerate(state.runs):
        takes = [take for take in state.takes_of(place) if take.confirmed and not take.discarded]
        rates |= {take.take: _rate(take) for take in takes}
        lines = [_line_of_take(state, take) for take in takes]
        acts.append((run.scenario, run.title, run.text, run.solution or "", lines))

    def sound(take: str) -> Samples:
        pcm = np.frombuffer(recordings.pcm(session, take, PRIMARY), dtype="<i2").astype(np.int16)
        return at_rate(pcm, rates[take])

    return _drill(there, session, acts, sound)


def _rate(take: Take) -> int:
    return next((channel.rate for channel in take.channels if channel.letter == PRIMARY), RATE)


def _line_of_take(state: SessionState, take: Take) -> DrillLine:
    good = [reply for reply in replies_to(state, take) if reply.wrong is None]
    attempt = state.attempts.get(good[0].attempt) if good else None
    return DrillLine(
        speech=take.take,
        said=take.text,
        reference=reference_of(attempt.table if attempt else None),
        canned=good[0].message if good else "",
        scope=take.scope,
    )


def drill_of_corpus(study: Study, directory: Path, session: str) -> Drill:
    """Return a session of an exported corpus as a drill, its first one where none is named; raises StudyError and what
    reading the corpus raises. The study's database of that domain answers again what was asked then."""
    corpus = Corpus(directory)
    logs = list(corpus.scenarios())
    names = list(dict.fromkeys(scenario.log.get("Session") for scenario in logs))
    played = {scenario.log.get("Session") for scenario in logs if scenario.log.get("Rehearsal") == "yes"}
    wanted = session or next((name for name in names if name not in played), "")
    if wanted not in names:
        what = f"session {wanted!r}" if wanted else "session but rehearsals; name one as FOLDER:SESSION"
        raise StudyError(f"{directory} has no {what}; {_near(wanted, names)}")
    own = [scenario for scenario in logs if scenario.log.get("Session") == wanted]
    waves = {
        str(one.stem): one.waves[PRIMARY] for scenario in own for one in scenario.utterances if PRIMARY in one.waves
    }

    def sound(stem: str) -> Samples:
        wave = waveform.parse(corpus.read(waves[stem]), waves[stem])
        return at_rate(wave.samples()[:, 0].astype(np.int16), wave.header.sample_rate)

    there = study.in_domain(own[0].log.get("Domain"))
    with closing(Sandbox(study_database(there).url)) as sandbox:
        acts = ((*_scene(scenario), [*_lines(corpus, scenario, waves, sandbox)]) for scenario in own)
        return _drill(there, f"{directory.name}:{wanted}", acts, sound)


def _near(wanted: str, names: Sequence[str]) -> str:
    """Return what may have been meant, or where nothing is near how many sessions there are, with the first of them."""
    few = len(names) <= SHOWN or nearest(wanted, names).startswith("did you mean")
    return nearest(wanted, names) if few else f"it has {len(names)}: {', '.join(names[:SHOWN])} …"


def _scene(scenario: SubjectScenario) -> tuple[str, str, str, str]:
    log = scenario.log
    declared = [record.get("Solution") for record in log.records("Solution_declared")]
    return log.get("Scenario"), log.get("Title"), log.get("Scenario_text"), declared[-1] if declared else ""


def _lines(corpus: Corpus, scenario: SubjectScenario, waves: dict[str, str], sandbox: Sandbox) -> Iterator[DrillLine]:
    for utterance in scenario.utterances:
        if str(utterance.stem) not in waves:
            continue
        canned, statement, scope = _sent(utterance.block)
        reference = _annotated(corpus, utterance) or reference_of(rows_of(sandbox, statement))
        yield DrillLine(
            speech=str(utterance.stem),
            said=_words(corpus, utterance),
            reference=reference,
            canned="" if reference is not None else canned,
            scope=scope,
        )


def _words(corpus: Corpus, utterance: CorpusUtterance) -> str:
    texts = utterance.files
    if "lsn" in texts:
        return " ".join(lsn.parse(corpus.read(texts["lsn"]), texts["lsn"]).words).lower()
    if "sro" in texts:
        return " ".join(lsn.derive(sro.parse(corpus.read(texts["sro"]), texts["sro"])).words).lower()
    sent = utterance.block.all("Transcription_sent")
    return sent[-1].get("Utterance") if sent else ""


def _annotated(corpus: Corpus, utterance: CorpusUtterance) -> DrillReference | None:
    """Return what an annotator says that the answer is: minimum and maximum."""
    answers = {
        kind: cas.parse(corpus.read(path).decode()) for kind, path in utterance.files.items() if kind in ("ref", "rf2")
    }
    if "ref" not in answers or not all(isinstance(one, cas.Relation) for one in answers["ref"].alternatives):
        return None
    return DrillReference(answers["ref"], answers.get("rf2"), annotated=True)


def _sent(block: RecordBlock) -> tuple[str, list[str], Scope | None]:
    """The canned message that was sent then, or the statement whose rows were; and the scope that was marked."""
    wrong = {record.get("Reply") for record in block.all("Reply_marked_wrong")}
    sent = [
        record
        for record in block.all("Answer_returned")
        if record.get("Response") != ResponseClass.FILLER and record.get("Reply") not in wrong
    ][:1]
    attempts = {record.get("Attempt") for record in sent} - {""}
    statements = [record.get("Query") for record in block.all("Query_returned") if record.get("Attempt") in attempts]
    marks = [record.get("Scope") for record in block.all("Scope_marked")]
    return (sent[0].get("Canned_message") if sent else ""), statements[-1:], Scope(marks[-1]) if marks else None


def _drill(study: Study, source: str, acts: Iterable[Act], sound: Callable[[str], Samples]) -> Drill:
    found, taken = list[DrillAct](), set[str]()
    for name, title, text, solution, lines in acts:
        heard = tuple(lines)
        if heard:
            found.append(DrillAct(_scenario(study, name, title, text, taken), heard, solution))
    if not found:
        raise StudyError(f"{source}: there is no utterance with sound in it that could be played; name another session")
    return Drill(source, tuple(found), sound, study.settings.domain)


def _scenario(study: Study, name: str, title: str, text: str, taken: set[str]) -> Scenario:
    """The scenario as its subject read it; where it was worked on twice, the second one has another id."""
    own = study.scenarios.get(name) or Scenario(
        id=name, title=title or name, kind=ScenarioKind.PROBLEM, text="", expected_queries=5
    )
    fresh = next(one for n in range(1, 100) if (one := name if n == 1 else f"{name}-{n}") not in taken)
    taken.add(check_id(fresh))
    told = msgspec.structs.replace(own, id=fresh, text=(text or own.text).replace("{", "(").replace("}", ")"))
    return bound(msgspec.structs.replace(told, placeholders={}), {})
