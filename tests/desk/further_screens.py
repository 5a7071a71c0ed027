"""Screens of the desks beside those that the documentation shows, for snapshots: what goes wrong, stops, waits or is over."""

import tempfile
from pathlib import Path
from typing import Any, cast

from textual.pilot import Pilot

from annotator.app import AnnotationApp, JudgingApp
from desk.recording_player import Player
from docs.make_pictures import answered, spoken, subject
from docs.picturing import picture, pressing
from docs.story import AT, SAID, product_answer
from docs.wizard_pictures import heard, wizard
from session import events as e
from session.audio.fake import FileLoudspeaker
from session.protocol.messages import DeskPresence
from session.values.answers import FailureKind, OtherReading
from session.values.vocabulary import Language, Outcome, Role
from subject.screens.session_screen import SessionScreen
from tests.annotator.annotation_world import FIRST, Bench
from tests.annotator.judging_world import Hall

NOBODY = Path()


async def subject_paused(path: Path) -> None:
    await picture(subject(*spoken(), e.SessionPaused(reason="lunch")).app, path)


async def subject_between(path: Path) -> None:
    await picture(subject(*spoken(), answered(76), e.ScenarioEnded(outcome=Outcome.DECLARED)).app, path)


async def subject_over(path: Path) -> None:
    ended = (e.ScenarioEnded(outcome=Outcome.DECLARED), e.SessionEnded(reason="done"))
    await picture(subject(*spoken(), answered(76), *ended).app, path)


async def subject_withdrawn(path: Path) -> None:
    await picture(subject(*spoken(), e.WithdrawalRequested(at=AT, erase=True)).app, path)


async def subject_cut_off(path: Path) -> None:
    stage = subject(*spoken(), answered(76))

    async def act(pilot: Pilot[Any]) -> None:
        cast(SessionScreen, pilot.app.screen)._link = lambda: False
        stage.desk.terminal.lost()
        stage.app.changed()

    await picture(stage.app, path, act)


async def subject_long_answer(path: Path) -> None:
    rows = "\n".join(f"{number:>4}  Boston  Denver  {number % 12 + 1}:15 pm" for number in range(1, 61))
    await picture(subject(*spoken(), e.AnswerSent(reply="r1", take="t1", text=rows)).app, path)


async def subject_message(path: Path) -> None:
    said = e.CannedSent(reply="r1", take="t1", text="No information is available on hotels.")
    await picture(subject(*spoken(), said).app, path)


async def subject_giving_up(path: Path) -> None:
    await picture(subject(*spoken(), answered(76)).app, path, pressing("f7"))


async def wizard_banners(path: Path) -> None:
    """All that may be wrong at once."""
    desk = wizard()

    async def act(pilot: Pilot[Any]) -> None:
        heard(desk)
        desk.console.receive(DeskPresence(Role.SUBJECT, False, "the connection was lost"))
        desk.tell(e.ExperimenterCalled(at=AT), e.SessionPaused(reason="fire alarm"))

    await picture(desk.app, path, act)


async def wizard_erasure(path: Path) -> None:
    desk = wizard()

    async def act(pilot: Pilot[Any]) -> None:
        heard(desk)
        desk.tell(e.WithdrawalRequested(at=AT, erase=True))

    await picture(desk.app, path, act)


async def wizard_partial(path: Path) -> None:
    desk, answer = wizard(), product_answer(SAID)

    async def act(pilot: Pilot[Any]) -> None:
        desk.spoken()
        desk.transcribed(SAID)
        desk.attempted(text=SAID, language=Language.ENGLISH)
        desk.tell(
            e.QueryReturned(
                attempt="a1", sql=answer.sql, table=answer.table, took=8_000_000, database_version="1", confidence=0.5,
                paraphrase="flights from Boston to Denver", unused=("after four",), reading=answer.reading,
            )
        )  # fmt: skip
        await pilot.pause()
        await pilot.press("f5")

    await picture(desk.app, path, act)


async def _withheld(path: Path, *keys: str) -> None:
    desk, answer = wizard(), product_answer(SAID)
    rows = len(answer.table.rows)
    held = (
        OtherReading(
            "(from before: from Boston to Denver) only the cheapest flights", "SELECT 1", 0.2,
            "it passes over the requests before", rows,
        ),
        OtherReading("flights from Boston", "SELECT 2", 0.1, "words that may change the answer were not used", 500, True),
    )  # fmt: skip

    async def act(pilot: Pilot[Any]) -> None:
        desk.spoken()
        desk.transcribed(SAID)
        desk.attempted(text=SAID, language=Language.ENGLISH)
        message = "Not understood: what was understood does not answer it."
        desk.tell(e.QueryFailed(attempt="a1", kind=FailureKind.NOT_UNDERSTOOD, message=message, others=held))
        await pilot.pause()
        await pilot.press(*keys)

    await picture(desk.app, path, act)


async def wizard_withheld(path: Path) -> None:
    await _withheld(path)


async def wizard_withheld_list(path: Path) -> None:
    await _withheld(path, "alt+k")


async def wizard_failed(path: Path) -> None:
    desk = wizard()

    async def act(pilot: Pilot[Any]) -> None:
        desk.spoken()
        desk.transcribed(SAID)
        desk.attempted(text=SAID, language=Language.ENGLISH)
        desk.tell(
            e.QueryFailed(attempt="a1", kind=FailureKind.NOT_UNDERSTOOD, message="no meaning is known of 'stroll'")
        )

    await picture(desk.app, path, act)


async def wizard_sql(path: Path) -> None:
    desk = wizard()
    await picture(desk.app, path, pressing("ctrl+g", first=lambda: heard(desk)))


async def wizard_no_rows(path: Path) -> None:
    desk = wizard()

    async def act(pilot: Pilot[Any]) -> None:
        heard(desk, none=True)

    await picture(desk.app, path, act)


async def wizard_speaking(path: Path) -> None:
    desk = wizard()

    async def act(pilot: Pilot[Any]) -> None:
        desk.tell(e.TalkPressed(at=AT, take="t1"))

    await picture(desk.app, path, act)


async def wizard_help(path: Path) -> None:
    desk = wizard()
    await picture(desk.app, path, pressing("f1", first=lambda: heard(desk)))


async def wizard_leaving(path: Path) -> None:
    desk = wizard()
    await picture(desk.app, path, pressing("ctrl+q", first=lambda: heard(desk)))


async def annotation(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        app = AnnotationApp(bench.person("anna"), _player(), FIRST)
        await picture(app, path, pressing("a"))
        bench.close()


async def judging(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        desk = hall.rater("anna")
        await picture(JudgingApp(desk, _player(), desk.first()), path)
        hall.work.close()


def _player() -> Player:
    player = Player(FileLoudspeaker)
    player.open()
    return player


FURTHER = {
    "subject-paused": subject_paused,
    "subject-between": subject_between,
    "subject-over": subject_over,
    "subject-withdrawn": subject_withdrawn,
    "subject-cut-off": subject_cut_off,
    "subject-long-answer": subject_long_answer,
    "subject-message": subject_message,
    "subject-giving-up": subject_giving_up,
    "wizard-banners": wizard_banners,
    "wizard-erasure": wizard_erasure,
    "wizard-partial": wizard_partial,
    "wizard-withheld": wizard_withheld,
    "wizard-withheld-list": wizard_withheld_list,
    "wizard-failed": wizard_failed,
    "wizard-sql": wizard_sql,
    "wizard-no-rows": wizard_no_rows,
    "wizard-speaking": wizard_speaking,
    "wizard-help": wizard_help,
    "wizard-leaving": wizard_leaving,
    "annotation": annotation,
    "judging": judging,
}
