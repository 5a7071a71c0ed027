"""Texts and forms for the stations of a visit in a study's folder: texts and forms, and whether none is missing."""

import re
from collections.abc import Mapping
from pathlib import Path

from session.study.instruments import with_instruments
from session.study.settings import Profile, Questionnaire
from session.study.toml_reader import StudyError, read
from session.values.names import check_id
from session.values.vocabulary import RecordingControl, Step

FORMS = (Step.SATISFACTION, Step.BELIEF, Step.COMMENTS)
STEP_TEXTS = {
    Step.CONSENT: "consent.txt",
    Step.INSTRUCTIONS: "instructions.txt",
    Step.DEBRIEFING: "debriefing.txt",
}


def questionnaires(folder: Path, language: str = "en") -> dict[str, Questionnaire]:
    """The forms in `folder` by id, which is the file's name and that of a step; raises StudyError."""
    found = {}
    for path in sorted(folder.glob("*.toml")):
        form = with_instruments(path, read(path, Questionnaire, {"id": path.stem}), language)
        if form.id != path.stem or form.id not in FORMS:
            raise StudyError(f"{path}: `id` is {form.id!r}; it is the file's name, one of {', '.join(FORMS)}")
        for item in form.item:
            try:
                check_id(item.id)
            except ValueError as error:
                raise StudyError(f"{path}: {error}") from error
        found[form.id] = form
    return found


def check_steps(folder: Path, profile: Profile, texts: Mapping[str, str], forms: Mapping[str, Questionnaire]) -> None:
    """Every step of the profile has its text or form; raises StudyError for the first that has not."""
    for step in profile.steps:
        text = STEP_TEXTS.get(step)
        if text is not None and step is not Step.CONSENT and not texts[text].strip():
            raise StudyError(
                f"{folder / text}: profile {profile.name} has the step `{step}`, but there is no text for it"
            )
        if step in FORMS and step not in forms:
            path = folder / "questionnaires" / f"{step}.toml"
            raise StudyError(f"{path}: profile {profile.name} has the step `{step}`, but there is no such form")


def read_text(path: Path, profile: Profile) -> str:
    """The file with the length of the pre-roll put in; a paragraph marked {pre_roll} is left out where there is none."""
    try:
        text = path.read_bytes().decode() if path.exists() else ""
    except UnicodeDecodeError as error:
        raise StudyError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    if not kept_before(profile):
        text = re.sub(r"(?m)^\{pre_roll\}.*(?:\n.+)*\n?\n?", "", text)
    text = re.sub(r"(?m)^\{pre_roll\} ?", "", text)
    return text.replace("{pre_roll_ms}", str(profile.pre_roll_ms))


def kept_before(profile: Profile) -> int:
    """Return how many milliseconds from before a press are kept, of which the texts tell; 0 if nothing is spoken."""
    return 0 if profile.recording is RecordingControl.TYPED else profile.pre_roll_ms
