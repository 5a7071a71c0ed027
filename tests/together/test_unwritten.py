"""A subject who agreed to being recorded, not to being written down: from the tick to the bytes of store and exports."""

import io
from pathlib import Path

import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.sessions import SessionsOptions, sessions_command
from corpus.packages.formats import ExportFormat
from session import commands as c
from session import events as e
from session.store.event_store import Store
from session.study.folder import load
from session.values.answers import rows_of
from session.values.clock import ManualClock
from session.values.consent import ConsentScope
from session.values.vocabulary import Language, RecordingControl
from subject.core.visit_stations import Visit
from tests.corpus.searching import holding, of_text
from tests.corpus.studies import made_study
from tests.together.pipe import SESSION, Bench, MemoryRecordings, PipedDesk, at, both, spoken

SAID = "walrusologically"
WAYS = {
    "transcription": c.Transcribe(id="w1", at=at(), take="T1", text=f"a {SAID}"),
    "english": c.SubmitQuery(id="w2", at=at(), take="T1", language=Language.ENGLISH, text=f"a {SAID}"),
    "proposal": c.SubmitQuery(id="w3", at=at(), take="T1", language=Language.PROPOSAL, text=f"a {SAID}"),
    "menu": c.SubmitQuery(id="w4", at=at(), take="T1", language=Language.MENU, text=f"flights {SAID}"),
    "note": c.WriteNote(id="w5", text=SAID, take="T1"),
    "note of the session": c.WriteNote(id="w6", text=SAID),
    "blank": c.SendCanned(id="w7", take="T1", message="none", blanks=(SAID,)),
    "text": c.SendText(id="w8", take="T1", text=SAID),
}
"""Every way in which a console's words about an utterance could be kept."""


async def held(study: Path, recording: RecordingControl, transcribe: bool) -> tuple[PipedDesk, PipedDesk]:
    """A session over the study's own store in which everybody writes SAID wherever the desks let them."""
    bench = Bench(Store(load(study).store_url), MemoryRecordings())
    subject, wizard = await both(bench, free_text=True, echo="never", recording=recording)
    ticked: list[e.Fact] = []
    Visit(ManualClock(), lambda: subject.state, ticked.append).consent(
        dict.fromkeys(ConsentScope, True) | {ConsentScope.TRANSCRIBE: transcribe},  # type: ignore[arg-type]
        "d4" * 32,
    )
    await subject.give(c.Report(id="s1", event=ticked[0]))  # type: ignore[arg-type]
    await wizard.give(c.StartScenario(id="c1", scenario="trip", bindings={"A": "Boston"}))
    await subject.give(*spoken("T1", b"\1\2"))
    await wizard.give(*WAYS.values())  # type: ignore[arg-type]
    await subject.give(c.Report(id="s2", event=e.UtteranceTyped(at=at(9), take="T2", text=f"the {SAID}")))
    await bench.close()
    return subject, wizard


@pytest.mark.parametrize("recording", [RecordingControl.PRESS, RecordingControl.TYPED])
async def test_no_word_of_who_is_not_to_be_written_down_is_in_the_store_or_in_any_export(
    tmp_path: Path, recording: RecordingControl
) -> None:
    study = made_study(tmp_path / "study")
    _, wizard = await held(study, recording, transcribe=False)
    refused = [way for way, command in WAYS.items() if wizard.answers[command.id] is not None]
    assert refused == list(WAYS)
    out, err = io.StringIO(), io.StringIO()
    for form in ExportFormat:
        assert (
            export_command(
                ExportRequest(str(study), str(tmp_path / f"as-{form}"), form=form, sessions=(SESSION,)), out, err
            )
            == 2
        )
    sessions_command(SessionsOptions(str(study)), out, err)
    (tmp_path / "said.txt").write_text(out.getvalue() + err.getvalue(), "utf-8")
    assert "did not agree" in err.getvalue() or "no scenario" in err.getvalue()
    assert holding([tmp_path], of_text(SAID)) == set()


async def test_the_same_words_of_who_agreed_are_found_by_that_search(tmp_path: Path) -> None:
    study = made_study(tmp_path / "study")
    _, wizard = await held(study, RecordingControl.PRESS, transcribe=True)
    assert wizard.answers["w1"] is None
    assert holding([study], of_text(SAID))


async def test_who_is_not_to_be_written_down_is_answered_by_sql_by_menu_and_by_words_of_the_domain() -> None:
    bench = Bench()
    subject, wizard = await both(bench, free_text=True)
    scopes = {"record": True, "transcribe": False}
    await subject.give(c.Report(id="s1", event=e.ConsentGiven(at=at(), version="1", sha256="d4" * 32, scopes=scopes)))
    await wizard.give(c.StartScenario(id="c1", scenario="trip", bindings={"A": "Boston"}))
    await subject.give(*spoken("T1", b"\1\2"), *spoken("T2", b"\1\2"))
    sql = c.SubmitQuery(id="c2", at=at(), take="T1", language=Language.SQL, text="rows 2")
    await wizard.give(sql)
    assert wizard.state.attempts["c2"].table == rows_of(["number"], [[0], [1]])
    await wizard.give(c.SubmitQuery(id="c3", at=at(), take="T1", language=Language.MENU, text="number of flights"))
    assert "c3" in wizard.state.attempts
    await wizard.give(c.SendCanned(id="c4", take="T1", message="none", blanks=("flights to Boston",)))
    assert subject.state.replies["c4"].text == "No information is available on flights to Boston"
    await bench.close()
