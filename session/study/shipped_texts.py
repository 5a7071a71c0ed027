"""The texts that ship for a study's subjects, in each language; and which of them a study in another language still has."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from session.study.screen_words import ENGLISH_TAG, languages, primary

TEMPLATE = Path(__file__).parent / "template"
MESSAGES = Path(str(files("canned_messages")))
SCENARIOS = Path(str(files("scenarios")))
INSTRUCTIONS = "instructions"


def in_language(folder: Path, language: str) -> Path:
    """Return the folder of what ships in a language: the English is at the top."""
    return folder if language == ENGLISH_TAG else folder / language


def foreign_texts(folder: Path, language: str) -> dict[str, str]:
    """Return the files of a study, each with the language that it ships in and was left in, where that is another one than
    the study's."""
    found = dict[str, str]()
    here = [path for path in (*folder.glob("*.txt"), *folder.glob("*/*.toml")) if path.is_file()]
    for other in languages():
        if other == primary(language):
            continue
        shipped = set(_shipped(other))
        begun = tuple(path.read_bytes() for path in in_language(TEMPLATE, other).glob(f"{INSTRUCTIONS}*.txt"))
        for path in here:
            text = path.read_bytes()
            if text in shipped or (path.name.startswith(INSTRUCTIONS) and text.startswith(begun)):
                found[path.relative_to(folder).as_posix()] = other
    return dict(sorted(found.items()))


def as_shipped(instructions: Path) -> bool:
    """Return whether a file of instructions begins as those that ship do, in any language."""
    begun = (path for name in languages() for path in in_language(TEMPLATE, name).glob(f"{INSTRUCTIONS}*.txt"))
    return instructions.is_file() and instructions.read_bytes().startswith(tuple(path.read_bytes() for path in begun))


def _shipped(language: str) -> Iterator[bytes]:
    """Everything that a new study in a language has as it ships and that subjects read."""
    texts = in_language(TEMPLATE, language)
    places = [*texts.glob("consent*.txt"), texts / "debriefing.txt", *(texts / "questionnaires").glob("*.toml")]
    places += in_language(MESSAGES, language).glob("*.toml")
    if language == ENGLISH_TAG:
        places += SCENARIOS.glob("*/scenarios/*.toml")
    return (path.read_bytes() for path in places)
