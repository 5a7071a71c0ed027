import io
from pathlib import Path
from typing import Any

import pytest

from annotator import command, opening
from annotator.command import TranscribeOptions, first_of, transcribe_command
from annotator.transcription import Transcribing
from session.annotation.store import Work
from session.audio.devices import DeviceError
from tests.annotator.desk import FIRST, LAST, LSN, SRO, TEXT, WAV, Lab


def call(directory: Path, person: str = "anna") -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    return transcribe_command(TranscribeOptions(str(directory), person), out, err), out.getvalue(), err.getvalue()


def test_what_is_no_corpus_is_said_with_the_remedy(tmp_path: Path) -> None:
    status, out, err = call(tmp_path)
    assert (status, out) == (2, "")
    assert "curtain export makes one" in err
    assert call(tmp_path / "nowhere")[0] == 2


def test_a_folder_where_nothing_can_be_written_is_said_with_the_remedy(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shut(path: Path) -> Work:
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.setattr(opening, "Work", shut)
    monkeypatch.setattr(opening.os, "access", lambda *_: False)  # type: ignore[attr-defined]
    status, _, err = call(lab.root)
    assert status == 2
    assert "Copy the corpus to a folder of your own" in err
    assert "Errno" not in err


def test_who_works_must_be_said(lab: Lab) -> None:
    status, _, err = call(lab.root, " ")
    assert status == 2
    assert "say who transcribes" in err


def test_on_leaving_what_is_left_goes_to_out_and_the_minutes_to_err(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(desk: Transcribing, *_: object) -> list[str]:
        desk.open(FIRST)
        desk.submit(TEXT)
        desk.open(LAST)
        desk.revise("[uh] never mind")
        return []

    monkeypatch.setattr(command, "_run", work)
    status, out, err = call(lab.root)
    assert status == 0
    assert out.splitlines()[0] == "8k8021sx\tuntouched"
    assert out.splitlines()[-1] == f"{LAST}\tbegun"
    assert FIRST not in out
    assert err.startswith("2 utterances worked on")


def test_on_a_terminal_the_minutes_stand_below_the_first_names(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    desk = lab.person()
    names = [item.stem for item in desk.items()]
    shown = Terminal()
    monkeypatch.setattr(command, "NAMED", 2)
    command._tell(desk, shown, shown)
    *lines, more, minutes = shown.getvalue().splitlines()
    assert lines == [f"{name}\tuntouched" for name in names[:2]]
    assert more.startswith(f"and {len(names) - 2} more")
    assert minutes.startswith("0 utterances worked on")


def test_the_desk_runs_without_a_loudspeaker_and_finishes_the_corpus(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(_: object) -> None:
        raise DeviceError("no output device")

    seen: list[str] = []

    class App:
        def __init__(self, desk: Transcribing, *_: object, notice: str, **__: Any) -> None:
            self._desk = desk
            seen.append(notice)

        def run(self) -> None:
            self._desk.open(FIRST)
            self._desk.submit(f"{TEXT} ~")

    monkeypatch.setattr(command, "TranscriptionApp", App)
    with pytest.raises(ValueError, match="needs a terminal"):
        command._run(lab.person(), None, tmp_path / "work", "dark")
    monkeypatch.setattr(command, "on_a_terminal", lambda: None)
    monkeypatch.setattr(opening, "SoundDeviceLoudspeaker", refuse)
    command._run(lab.person(), None, tmp_path / "work", "dark")
    assert seen == ["Nothing can be heard here: no output device"]
    assert lab.text(SRO) == f"{TEXT} ~\n"


def test_what_is_submitted_is_shown_as_the_next_export_has_it(lab: Lab) -> None:
    desk = lab.at()
    desk.mark(1000, 2000)
    desk.submit("show me flights from {{ boston to denver }} please")
    for stem, words in ((FIRST, "show me flights from [masked] please"), (LAST, "")):
        out = io.StringIO()
        assert transcribe_command(TranscribeOptions(str(lab.root), show=stem), out, out) == 0
        shown = out.getvalue()
        assert words in shown
        assert shown == "".join(f"{path}\n{lab.text(path)}" for path in (SRO, LSN) if stem == FIRST) or stem == LAST
    err = io.StringIO()
    assert transcribe_command(TranscribeOptions(str(lab.root), show="8k8999sx"), err, err) == 2
    assert "no utterance '8k8999sx'" in err.getvalue()


def test_one_begins_where_one_left_off(lab: Lab) -> None:
    assert first_of(lab.person()) == FIRST
    lab.at().submit(TEXT)
    assert first_of(lab.person()) == "8k8021sx"
    lab.at(LAST).revise("[uh] never mind")
    assert first_of(lab.person()) == LAST
    assert first_of(lab.person("ben")) == "8k8021sx"


def test_an_utterance_that_cannot_be_opened_stops_nobody(lab: Lab) -> None:
    (lab.root / WAV).write_bytes(b"NIST_1A\n999999999\n")
    first, (why,) = command._openable(lab.person(), FIRST)
    assert first == "8k8021sx"
    assert why.startswith(f"{FIRST} cannot be opened: {WAV}:2: header size")
