"""Four channels over three devices at two rates: from the microphones through hub, export and verification to the files."""

import asyncio
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import rehearsal.session_run
from corpus.formats import sphere
from corpus.verify.rules.findings import Severity
from rehearsal.script import Canned, Ends, Script, ScriptedAct, ScriptedTurn
from session.audio.fake import FileMicrophone
from session.transport.websocket import Address
from session.values.clock import Clock
from subject.capture.input import Input
from subject.desk import SubjectDesk
from tests import SECONDS, THOROUGH
from tests.rehearsal.unpractised import unpractised

PACE = 10.0
SCRIPT = Script(
    wizard="Oz",
    subject={"sex": "f"},
    scenario=(
        ScriptedAct(
            kind="common",
            bindings={"A": "Boston", "B": "Denver", "C": "Atlanta"},
            turn=(
                ScriptedTurn(speech="weather", said="the weather", canned=Canned("no-information", ("the weather",))),
            ),
            ends=Ends(declare="done"),
        ),
    ),
)
CHANNELS = {"s": (16_000, "recorded speech"), "c": (16_000, "table-top"), "t": (8_000, "lines"), "a": (8_000, "lines")}


def desk_of_four(
    address: Address,
    clock: Clock,
    folder: Path,
    inputs: Sequence[Input],
    changed: Callable[[], None],
    **more: Any,
) -> SubjectDesk:
    def device(name: str, rate: int, channels: int) -> Callable[[], FileMicrophone]:
        return lambda: FileMicrophone(clock, rate, channels, rate // 50, pace=PACE, name=name, floor=40)

    further = [Input(device("table-top", 16_000, 1), "c"), Input(device("lines", 8_000, 2), "ta")]
    return SubjectDesk(address, clock, folder, [*inputs, *further], changed, **more)


@pytest.mark.skipif(not THOROUGH, reason=SECONDS)
def test_every_channel_arrives_in_the_corpus_under_its_own_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rehearsal.session_run, "SubjectDesk", desk_of_four)
    stage = rehearsal.session_run.RehearsalPlan(
        unpractised(tmp_path / "study"), SCRIPT, tmp_path / "corpus", PACE, io.StringIO(), None
    )
    done = asyncio.run(stage.perform())
    assert [finding for finding in done.report.findings if finding.severity is Severity.ERROR] == []
    headers = {path.stem[7]: sphere.read(path).header for path in (tmp_path / "corpus/spon").rglob("*.wav")}
    assert {
        letter: (header.number("sample_rate"), header.text("microphone")) for letter, header in headers.items()
    } == CHANNELS
    assert all(header.number("sample_count") for header in headers.values())
