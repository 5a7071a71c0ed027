"""Pictures of the main states of each desk, for the documentation: `python docs/make_pictures.py [DIRECTORY]`.

Both apps run without a terminal over hubs that this script plays by hand, so that a picture shows what a person sees and is
the same every time. Fonts are left to the reader's machine: a picture asks no server for anything.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np
from textual.pilot import Pilot

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from annotator.app import TranscriptionApp  # noqa: E402
from annotator.widgets.waveform_view import Waveform  # noqa: E402
from desk.recording_player import Samples  # noqa: E402
from docs import subject_pictures, wizard_pictures  # noqa: E402
from docs.picturing import SIZE, picture, pressing  # noqa: E402
from docs.story import AT, SAID, product_answer, task  # noqa: E402
from session import events as e  # noqa: E402
from session.study.questionnaires import read_text  # noqa: E402
from session.study.settings import Questionnaire  # noqa: E402
from session.study.toml_reader import read  # noqa: E402
from session.values.vocabulary import Channel, RecordingControl, Sealed, Step  # noqa: E402
from subject.capture.level import Level  # noqa: E402
from subject.screens.microphone import MicrophoneScreen  # noqa: E402
from tests.annotator.desk import Lab  # noqa: E402
from tests.subject.stage import Stage  # noqa: E402

MICROPHONE = (Channel("s", "head-mounted", 16_000),)
# --- the subject's terminal ---------------------------------------------------------------------------------------------


def subject(*facts: e.Fact) -> Stage:
    """The subject's app, a scenario under way and these facts told."""
    stage = Stage(recording=RecordingControl.PRESS)
    stage.desk.tell(task(), *facts)
    return stage


def spoken() -> tuple[e.Fact, ...]:
    return (
        e.TalkPressed(at=AT, take="t1"),
        e.RecordingStopped(at=AT, take="t1", sealed=(Sealed("s", 5, ""),)),
        e.Transcribed(at=AT, take="t1", text=SAID),
    )


def answered(width: int) -> e.Fact:
    return e.AnswerSent(reply="r1", take="t1", text=product_answer(SAID).text(width))


async def ready(path: Path) -> None:
    await picture(subject().app, path)


async def recording(path: Path) -> None:
    stage = subject()

    async def act(pilot: Pilot[Any]) -> None:
        await pilot.press("space")
        (press,) = [fact for fact in stage.facts if isinstance(fact, e.TalkPressed)]
        stage.levels["s"] = Level("s", 1600, 0.4, 0.12)
        stage.desk.terminal.fact(e.RecordingStarted(at=AT, take=press.take, channels=MICROPHONE, pre_roll=4800))

    await picture(stage.app, path, act)


async def working(path: Path) -> None:
    await picture(subject(*spoken()).app, path)


async def answer(path: Path) -> None:
    stage = subject(*spoken())

    async def act(pilot: Pilot[Any]) -> None:
        stage.desk.tell(answered(SIZE[0] - 4))

    await picture(stage.app, path, act)


async def consent(path: Path) -> None:
    stage = Stage()
    opened = stage.desk.terminal.state.opened
    if opened is None:
        raise RuntimeError("the session of the picture is not open")
    profile = msgspec.structs.replace(opened.protocol.profile, consent=True)
    text = read_text(ROOT / "session/study/template/consent.txt", profile)
    protocol = msgspec.structs.replace(opened.protocol, profile=profile, consent_text=text)
    stage.desk.tell(msgspec.structs.replace(opened, protocol=protocol))
    await picture(stage.app, path)


async def instructions(path: Path) -> None:
    stage = visiting(Step.INSTRUCTIONS)
    await picture(stage.app, path)


async def microphone(path: Path) -> None:
    stage = visiting(Step.MICROPHONE_CHECK)
    stage.desk.terminal.use(stage.desk.recorder)

    async def act(pilot: Pilot[Any]) -> None:
        stage.levels["s"] = Level("s", 1600, 0.4, 0.12)
        cast(MicrophoneScreen, pilot.app.screen).look()

    await picture(stage.app, path, act)


def visiting(step: Step) -> Stage:
    """The subject's app at a station before the scenarios."""
    stage = Stage(recording=RecordingControl.PRESS, steps=(step, Step.SCENARIOS))
    opened = stage.desk.terminal.state.opened
    if opened is None:
        raise RuntimeError("the session of the picture is not open")
    text = read_text(ROOT / "session/study/template/instructions.txt", opened.protocol.profile)
    protocol = msgspec.structs.replace(opened.protocol, instructions=text)
    stage.desk.tell(msgspec.structs.replace(opened, protocol=protocol))
    return stage


async def solution(path: Path) -> None:
    await picture(subject(*spoken(), answered(SIZE[0] - 4)).app, path, pressing("f6", *"Northwest 379"))


async def stopping(path: Path) -> None:
    await picture(subject(*spoken(), answered(SIZE[0] - 4)).app, path, pressing("f4"))


async def helping(path: Path) -> None:
    await picture(subject(*spoken(), answered(SIZE[0] - 4)).app, path, pressing("f1"))


async def form(path: Path) -> None:
    stage = Stage()
    shipped = read(
        ROOT / "session/study/template/questionnaires/satisfaction.toml", Questionnaire, {"id": "satisfaction"}
    )
    stage.desk.tell(e.StepBegun(step=Step.SATISFACTION, form=shipped))
    await picture(stage.app, path)


async def debriefing(path: Path) -> None:
    stage = Stage()
    text = (ROOT / "session/study/template/debriefing.txt").read_text().replace("{wizard} ", "")
    stage.desk.tell(e.StepBegun(step=Step.DEBRIEFING, text=text))
    await picture(stage.app, path)


# --- the transcription desk ---------------------------------------------------------------------------------------------

HEARD = "show me <the> flights from {{ boston }} to denver (( please )) [door_slam] at 9"


def loudness(count: int) -> Samples:
    """Samples that look like a sentence: syllables of noise with pauses between the words."""
    at = np.arange(count) / 16_000
    syllables = np.abs(np.sin(2 * np.pi * 2.7 * at)) * (np.sin(2 * np.pi * 0.83 * at + 1) > -0.8)
    noise = np.random.default_rng(1989).normal(0, 3_000, count)
    return (noise * syllables * (at > 0.25) * (at < at[-1] - 0.3) + noise / 200).clip(-32_768, 32_767).astype(np.int16)


async def transcription(path: Path) -> None:
    await transcribing(path, SIZE)


async def transcribing(path: Path, size: tuple[int, int]) -> None:
    """An utterance in hand at the desk, a stretch of it selected and another one masked."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(Path(folder), stretch=4.0)

        async def act(pilot: Pilot[Any]) -> None:
            screen = cast(TranscriptionApp, pilot.app).transcribing
            length = len(screen._desk.opened.sound)
            screen.query_one(Waveform).show(loudness(length), 16_000)
            screen._desk.mark(round(0.42 * length), round(0.55 * length))
            screen._listening.begin, screen._listening.end = round(0.66 * length), round(0.84 * length)
            screen.sheet.load(HEARD)
            screen.renew()

        await picture(lab.app(), path, act, size)
        lab.close()


PICTURES = {
    "transcription": transcription,
    "subject": answer,
    "subject-ready": ready,
    "subject-recording": recording,
    "subject-working": working,
    "subject-consent": consent,
    "subject-instructions": instructions,
    "subject-microphone": microphone,
    "subject-solution": solution,
    "subject-stopping": stopping,
    "subject-help": helping,
    "subject-questionnaire": form,
    "subject-debriefing": debriefing,
    **subject_pictures.PICTURES,
    **wizard_pictures.PICTURES,
}


async def make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, paint in PICTURES.items():
        await paint(folder / f"{name}.svg")
        print(folder / f"{name}.svg")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, nargs="?", default=Path(__file__).parent / "pictures")
    asyncio.run(make(parser.parse_args().directory))
