"""A study whose machines cannot be had does not start, and says in one line what to do."""

import io
import re
from pathlib import Path
from typing import Any

import pytest

from operators import engines
from operators.attendance import StudyMachines
from operators.command import OperateOptions, operate_command
from operators.engines import check, needed
from operators.recognition.recogniser import MissingEngineError
from server.hub_command import HubOptions, hub_command
from server.study_hub import study_database
from session.commands import AnyCommand, ReportTrouble
from session.state.fold import SessionState
from session.study.create import new
from session.study.folder import Study, load
from session.study.toml_reader import StudyError
from session.values.clock import ManualClock
from session.values.vocabulary import OperatorTrouble, Stage


def study(folder: Path, profile: str, machines: str = "") -> Study:
    folder.mkdir(exist_ok=True)
    made = new(folder / "study", profile=profile)
    if machines:
        path = made.folder / "study.toml"
        path.write_text(path.read_text() + f"\n[machines]\n{machines}\n")
    return load(made.folder)


def test_a_profile_gives_machines_the_stages_that_its_table_names(tmp_path: Path) -> None:
    assert needed(study(tmp_path, "SRI")) == {
        Stage.RECOGNITION: "pocketsphinx", Stage.UNDERSTANDING: "english", Stage.RESPONSE: "rows",
    }  # fmt: skip
    assert needed(study(tmp_path / "b", "BBN-89")) == {}
    assert needed(study(tmp_path / "c", "CMU", 'response = "rows"')) == {
        Stage.RECOGNITION: "pocketsphinx", Stage.RESPONSE: "rows",
    }  # fmt: skip
    assert needed(study(tmp_path / "d", "PARAMAX")) == {}, "what is typed needs no recogniser"


async def test_a_word_that_no_dictionary_has_is_told_to_the_session_and_its_recogniser_works(tmp_path: Path) -> None:
    pytest.importorskip("pocketsphinx")
    made = study(tmp_path, "SRI")
    (made.domain_folder / "requests.txt").write_text("fly to łódź on monday\nshow me 飞机\n", "utf-8")
    make = engines.machine(Stage.RECOGNITION, "pocketsphinx", made, study_database(made).url)
    told: list[AnyCommand] = []
    listener = make(told.append, ManualClock("machine"))
    listener.follow(SessionState(session="lab-20261125-1"), None)
    listener.close()
    [trouble] = told
    assert isinstance(trouble, ReportTrouble)
    assert (trouble.stage, trouble.trouble, trouble.take) == (Stage.RECOGNITION, OperatorTrouble.UNLEARNT, "")
    assert trouble.detail.startswith("'łódź' is not in the dictionary")
    assert trouble.detail.endswith("; 1 more like it")


@pytest.mark.parametrize(
    ("profile", "machines", "said"),
    [
        ("BBN-89", 'response = "rows"', "in profile BBN-89 no machine operates"),
        ("MIT", 'response = "magic"', "there is no engine 'magic' for response: it may be `rows`"),
        ("MIT", 'understanding = "model"', "needs an [engine]"),
    ],
)
def test_a_machine_that_makes_no_sense_is_named_with_its_remedy(
    profile: str, machines: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(StudyError, match=re.escape(said)):
        check(study(tmp_path, profile, machines))


def test_a_hub_without_its_recogniser_refuses_to_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object, **__: Any) -> None:
        raise MissingEngineError("the recogniser pocketsphinx is not installed")

    monkeypatch.setattr(engines, "recogniser", gone)
    monkeypatch.setattr(engines, "dictionary", gone)
    made = study(tmp_path, "SRI")
    with pytest.raises(StudyError, match="not installed; or set"):
        check(made)
    out, err = io.StringIO(), io.StringIO()
    assert hub_command(str(made.folder), HubOptions(), out, err, machines=StudyMachines) == 2
    assert "recognition = 'apart'" in err.getvalue()
    assert out.getvalue() == ""


@pytest.mark.parametrize(
    ("url", "stage", "said"),
    [
        ("ws://x", "understanding", "the address names no port"),
        (f"ws://{'0' * 64}@127.0.0.1:1/lab-20261122-1", "database", "the hub itself does that"),
        (f"ws://{'0' * 64}@127.0.0.1:1/lab-20261122-1", "recognition", "name it with --study"),
        (f"ws://{'0' * 64}@127.0.0.1:1/lab-20261122-1", "understanding", "--engine english or --engine model"),
        (f"ws://{'0' * 64}@127.0.0.1:1/lab-20261122-1", "understanding model", "says which model it is: --study STUDY"),
    ],
)
def test_a_call_at_fault_is_told_and_nothing_runs(
    url: str, stage: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, _, engine = stage.partition(" ")
    monkeypatch.setattr("operators.recognition.recognisers.dictionary", lambda: Path("unused"))
    err = io.StringIO()
    assert operate_command(url, OperateOptions(stage=stage, engine=engine), err) == 2
    assert said in err.getvalue()
