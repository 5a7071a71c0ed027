"""The machines that a study needs: which stages its profile gives them, which engine each has, and whether it can be had."""

import os
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed

from platformdirs import user_cache_path

from domain.query_backend import english_of
from operators.desk import MachineFactory
from operators.interpreter import LANGUAGES, Interpreter
from operators.listener import Listener
from operators.recognition.knowledge import Sources, pronunciations_of, sources_of
from operators.recognition.pocketsphinx_engine import dictionary
from operators.recognition.recogniser import MissingEngineError, Recogniser
from operators.recognition.recognisers import knowledge, recogniser
from operators.recognition.seeded_errors import ErrorModel
from operators.recognition.study_transcriptions import transcribed
from operators.responder import ROWS, Responder
from session.study.folder import Study
from session.study.settings import APART, LEARNT
from session.study.toml_reader import StudyError
from session.values.vocabulary import Operator, RecordingControl, Stage

ENGINES = {
    Stage.RECOGNITION: ("pocketsphinx",),
    Stage.UNDERSTANDING: tuple(LANGUAGES),
    Stage.RESPONSE: (ROWS,),
}
"""The engines of each stage by name, the usual one first."""


def engine_of(study: Study, stage: Stage) -> str:
    """Return the engine that is to operate a stage; empty if a person does, or nobody has to."""
    planned = getattr(study.profile.operators, stage)
    named = str(getattr(study.settings.machines, stage, ""))
    if planned is Operator.HUMAN or stage is Stage.DATABASE:
        return ""
    if stage is Stage.RECOGNITION and study.profile.recording is RecordingControl.TYPED:
        return ""
    if stage is not Stage.RECOGNITION and planned is Operator.CORRECTED:
        return named  # a person asks and sends, unless the study names a machine that is to propose
    return named or ENGINES[stage][0]


def needed(study: Study) -> dict[Stage, str]:
    """Return the stages that machines operate, each with its engine; raises StudyError if one cannot be had."""
    found = {stage: engine for stage in Stage if (engine := engine_of(study, stage))}
    for stage in ENGINES:
        if getattr(study.settings.machines, stage) and stage not in found:
            raise StudyError(
                f"{study.folder / 'study.toml'}: [machines] names one for {stage}, which in profile {study.profile.name} "
                "no machine operates: leave it out, or change [operators] of the profile"
            )
    if found.get(Stage.UNDERSTANDING) == "english" and not study.english:
        raise StudyError(
            f"profile {study.profile.name} has requests understood by a machine, and {study.domain_folder} has no "
            "`domain.toml` for the English front end: write one with `curtain learn`, or name a model under [engine]"
        )
    if found.get(Stage.UNDERSTANDING) == "model" and study.settings.engine is None:
        raise StudyError(
            f"{study.folder / 'study.toml'}: [machines] understanding = 'model' needs an [engine] with `url` and `model`"
        )
    return found


def check(study: Study) -> dict[Stage, str]:
    """Return the stages with their engines as `needed` does, and look whether each can be had, without making it ready.

    Raises StudyError with the remedy.
    """
    found = needed(study)
    for stage, engine in found.items():
        if stage is not Stage.RECOGNITION and engine != APART:
            machine(stage, engine, study)
    if found.get(Stage.RECOGNITION) == ENGINES[Stage.RECOGNITION][0]:
        try:
            dictionary()
        except MissingEngineError as error:
            raise StudyError(_instead(error)) from error
    return found


def _instead(error: MissingEngineError) -> str:
    return (
        f"{error}; or set [machines] recognition = '{APART}' in study.toml and run `curtain operate` where there is one, "
        'or have people transcribe: recognition = "human" under [operators] of the profile'
    )


def machine(stage: Stage, engine: str, study: Study | None, database_url: str = "") -> MachineFactory:
    """Return the maker of a stage's machine; raises StudyError if there is none of that name, with the remedy."""
    version = _version()
    if stage is Stage.RECOGNITION:
        unlearnt: list[str] = []
        found, errors = _recogniser(engine, study, database_url, unlearnt.append)
        return lambda send, clock: Listener(found, send, clock, errors=errors, unlearnt=unlearnt)
    if engine not in ENGINES[stage]:
        known = " or ".join(f"`{name}`" for name in ENGINES[stage])
        raise StudyError(f"there is no engine {engine!r} for {stage}: it may be {known}")
    if stage is Stage.RESPONSE:
        return lambda send, clock: Responder(version, send, clock)
    outside = study.settings.engine if study is not None and engine == "model" else None
    return lambda send, clock: Interpreter(engine, outside.model if outside else version, send, clock)


def _recogniser(
    engine: str, study: Study | None, database_url: str, warn: Callable[[str], object]
) -> tuple[Recogniser, ErrorModel | None]:
    """Return the engine, and the words that errors are made of where a condition of the study wants errors; `warn` gets what the
    engine could not learn."""

    def sources() -> Sources:
        if study is None:
            raise MissingEngineError(f"the recogniser {engine} learns the words of a study: name it with --study STUDY")
        return _sources(study, database_url)

    cache = study.folder / LEARNT if study is not None else user_cache_path("curtain", appauthor=False)
    try:
        noisy = study is not None and any(profile.noise.put_in for profile in study.every_profile.values())
        errors = ErrorModel(pronunciations_of(sources())) if noisy else None
        return recogniser(engine, sources, cache, os.environ, warn=warn, apart=True), errors
    except MissingEngineError as error:
        raise StudyError(_instead(error)) from error


def _sources(study: Study, database_url: str) -> Sources:
    """Return what a recogniser learns of a study."""
    folder = study.domain_folder
    english = english_of(folder, database_url or study.database_url, study.settings.today)
    return sources_of(folder, english, study.scenarios.values(), transcribed(study))


def unlearnt(study: Study, database_url: str) -> tuple[str, ...]:
    """Return what the recogniser of a study could not learn, one line each; nothing if it has none that learns.

    Raises StudyError if it cannot learn at all. What it learnt is kept for the hub.
    """
    if needed(study).get(Stage.RECOGNITION) != ENGINES[Stage.RECOGNITION][0]:
        return ()
    try:
        return knowledge(lambda: _sources(study, database_url), study.folder / LEARNT).warnings
    except MissingEngineError as error:
        raise StudyError(_instead(error)) from error


def _version() -> str:
    try:
        return f"curtain {installed('curtain-woz')}"
    except PackageNotFoundError:
        return "curtain"
