"""Every shipped profile held live, machines in the stages that it gives to them; its log says who did what.

The recogniser is replaced by a file of hypotheses, but once more for those that have one where the real one is installed.
"""

import asyncio
import importlib.util
import io
import json
import re
import shutil
from pathlib import Path

import pytest

from corpus.formats.log.file import parse
from corpus.formats.log.log_values import Log
from corpus.verify.rules.findings import Severity
from operators.attendance import StudyMachines
from rehearsal.session_run import RehearsalPlan, Rehearsed
from session import events as e
from session.state.fold import fold
from session.study.folder import Study, load
from session.values.vocabulary import AudioTrouble
from tests import ROOT, THOROUGH
from tests.rehearsal.short_play import SHORT, whole_line_is_in
from tests.rehearsal.unpractised import unpractised
from tests.subject.bench import LoudnessDetector

HEARD = ("oh", "which meals are snacks", "the whether")
"""The hypotheses of the play's three utterances; the last one is wrong."""
MODES = {
    "BBN-89": "recognition=human understanding=human database=machine response=human",
    "TI": "recognition=human understanding=human database=machine response=human",
    "BBN-92": "recognition=corrected understanding=human database=machine response=human",
    "CMU": "recognition=corrected understanding=human database=machine response=human",
    "MIT": "recognition=human understanding=machine database=machine response=machine",
    "ATT": "recognition=human understanding=machine database=machine response=machine",
    "SRI": "recognition=machine understanding=machine database=machine response=machine",
    "PARAMAX": "recognition=none understanding=human database=machine response=human",
}
"""`[Mode:]` of this play, in which the wizard writes SQL by hand wherever a person is asked to."""
DRAFTED = {"SRI": "out of what a recogniser heard", "PARAMAX": "from the subject's text"}
PEOPLE = {"wizard", "transcriber", "experimenter", "observer"}


def machined(folder: Path, profile: str, replayed: bool = True) -> Study:
    """The profile as it ships, its recogniser out of a file if `replayed`; of several scenarios one."""
    made = unpractised(folder, profile)
    lines = folder / "heard.jsonl"
    lines.write_text(
        "".join(
            json.dumps({"utterance": str(n), "hypotheses": [{"text": text}]}) + "\n" for n, text in enumerate(HEARD)
        )
    )
    if replayed and re.search("recognition=(machine|corrected)", MODES[profile]):
        settings = made.folder / "study.toml"
        settings.write_text(settings.read_text() + f'\n[machines]\nrecognition = "replay:{lines}"\n')
    path = made.folder / "profiles" / f"{profile}.toml"
    text = re.sub(r"(?m)^max_scenarios = .*\n", "", path.read_text())
    # A busy machine recognises slowly, and is not to be taken for a lost one.
    keys = "max_scenarios = 1\noperator_deadline_s = 120"
    path.write_text(text.replace("\ndescription", f"\n{keys}\ndescription", 1))
    return load(made.folder)


def held(folder: Path, study: Study, pace: float = 10.0, transcriber: str = "") -> tuple[Rehearsed, Log]:
    stage = RehearsalPlan(
        study,
        SHORT,
        folder / "corpus",
        pace,
        io.StringIO(),
        None,
        lambda rate: LoudnessDetector(),
        machines=StudyMachines,
        transcriber=transcriber,
    )
    done = asyncio.run(stage.perform())
    [path] = (path for path in (folder / "corpus").glob("*/*/*/*.log") if path.parts[-4] != "doc")
    return done, parse(path.read_bytes(), str(path))


with_espeak = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed (apt install espeak-ng)"
)
SPEAKING = ("MIT", "ATT")


every_profile = pytest.mark.skipif(
    not THOROUGH,
    reason="SRI stands for all; CURTAIN_PROFILES=every holds each of them",
)


@pytest.mark.parametrize(
    "profile",
    [
        pytest.param(name, marks=[every_profile] * (name != "SRI") + [with_espeak] * (name in SPEAKING))
        for name in MODES
    ],
)
def test_a_profile_held_live_says_in_its_log_who_did_what(profile: str, tmp_path: Path) -> None:
    done, log = held(tmp_path, machined(tmp_path / "study", profile), transcriber="Toto" if profile == "TI" else "")
    assert done.report.count(Severity.ERROR) == 0
    assert log.get("Mode") == MODES[profile]
    assert log.get("Deception") == ("no" if profile == "SRI" else "yes")
    state, facts = fold(done.facts), [recorded.event for recorded in done.facts]
    assert state.people_acted is (profile != "SRI")
    troubles = {fact.trouble for fact in facts if isinstance(fact, e.AudioTroubled)}
    assert AudioTrouble.SILENCE not in troubles, "a quiet room is not taken for a dead microphone"
    assert sum(isinstance(fact, e.EndPointed) for fact in facts) == (3 if profile == "SRI" else 0)
    if profile != "PARAMAX":
        utterance = "02" if profile == "SRI" else "01"  # nothing is taken back there: the machine answers at once
        whole_line_is_in(next(tmp_path.glob(f"corpus/**/*{utterance}1?s.wav")), "snacks")
    judged = [fact.verdict for fact in facts if isinstance(fact, e.OutputJudged)]
    assert judged == (["accepted", "edited"] if profile in ("BBN-92", "CMU") else [])
    for block in log.utterances:
        assert block.first("Answer_returned") is not None
    drafts = {finding.message for finding in done.report.findings if finding.rule == "sro.draft"}
    assert drafts == {f"a draft {DRAFTED.get(profile, 'out of what the wizard typed')}"}
    _who_wrote(profile, log)


real_recogniser = pytest.mark.skipif(
    not THOROUGH or importlib.util.find_spec("pocketsphinx") is None,
    reason="needs pocketsphinx, and seconds: CURTAIN_PROFILES=every",
)


@real_recogniser
def test_sri_is_held_live_with_its_real_recogniser(tmp_path: Path) -> None:
    done, log = held(tmp_path, machined(tmp_path / "study", "SRI", replayed=False), pace=2.0)
    assert done.report.count(Severity.ERROR) == 0
    assert log.get("Mode") == MODES["SRI"]
    assert log.get("Deception") == "no"
    final = [record for record in log.records("Hypothesis_received") if record.get("Final") == "yes"]
    assert {record.get("Engine") for record in final} == {"pocketsphinx"}
    assert len(final) == len(log.utterances) == 3
    said = {word for record in log.records("Transcription_sent") for word in record.get("Utterance").split()}
    assert len({"which", "meals", "are", "snacks", "weather"} & said) >= 2, said
    assert all(block.first("Answer_returned") is not None for block in log.utterances)


@real_recogniser
@pytest.mark.parametrize("profile", ["BBN-92", "CMU"])
def test_a_draft_of_the_real_recogniser_is_taken_or_corrected_by_the_wizard(profile: str, tmp_path: Path) -> None:
    done, log = held(tmp_path, machined(tmp_path / "study", profile, replayed=False), pace=2.0)
    assert done.report.count(Severity.ERROR) == 0
    assert log.get("Mode") == MODES[profile]
    final = [record for record in log.records("Hypothesis_received") if record.get("Final") == "yes"]
    assert {record.get("Engine") for record in final} == {"pocketsphinx"}
    sent = [record.get("Utterance") for record in log.records("Transcription_sent")]
    judged = [record.get("Verdict") for record in log.records("Output_judged")]
    # A hypothesis stands behind its confidence.
    drafts = [record.get("Hypothesis").split(" ", 1)[1] for record in final][-len(sent) :]
    assert len(sent) == len(judged) == len(log.utterances) == 2
    assert judged == ["accepted" if draft == text else "edited" for draft, text in zip(drafts, sent, strict=True)]
    assert {"meals", "snacks"} <= set(" ".join(sent).split()), "what the wizard left standing is what was said"


@every_profile
def test_a_person_asks_and_a_machine_replies_to_the_first_that_is_asked(tmp_path: Path) -> None:
    made = machined(tmp_path / "study", "BBN-89")
    path = made.folder / "profiles" / "BBN-89.toml"
    text = path.read_text().replace('understanding = "human"', 'understanding = "corrected"')
    path.write_text(text.replace('response = "human"', 'response = "machine"'))
    done, log = held(tmp_path, load(made.folder))
    assert done.report.count(Severity.ERROR) == 0
    assert {record.by for record in log.records("Answer_returned")} == {"responder"}
    assert {record.by for record in log.records("Sentence_sent")} == {"wizard"}
    assert len(log.utterances) == 2


def test_a_profile_that_hides_people_deceives_nobody_where_machines_alone_worked(tmp_path: Path) -> None:
    made = machined(tmp_path / "study", "PARAMAX")
    path = made.folder / "profiles" / "PARAMAX.toml"
    text = path.read_text().replace('understanding = "corrected"', 'understanding = "machine"')
    path.write_text(text.replace('response = "human"', 'response = "machine"'))
    done, log = held(tmp_path, load(made.folder))
    assert load(made.folder).profile.deception, "its subjects are not to know whom they deal with"
    assert log.get("Mode") == "recognition=none understanding=machine database=machine response=machine"
    assert log.get("Deception") == "no", "there was nobody to hide"
    assert not [finding for finding in done.report.findings if finding.rule.startswith("log.deception")]
    told = [fact.event.text for fact in done.facts if isinstance(fact.event, e.StepBegun) and fact.event.text]
    assert told
    assert not any("A person in another place" in text for text in told)


def _who_wrote(profile: str, log: Log) -> None:
    """Whose records there are, stage by stage."""
    by = {
        key: {record.by for record in log.records(key)}
        for key in ("Transcription_sent", "Sentence_sent", "Answer_returned")
    }
    machines = {"Sentence_sent": {"interpreter"}, "Answer_returned": {"responder"}}
    people = {"Transcription_sent": {"wizard"}, "Sentence_sent": {"wizard"}, "Answer_returned": {"wizard"}}
    match profile:
        case "SRI":
            assert by == machines | {"Transcription_sent": {"recogniser"}}
            assert not PEOPLE & {record.by for block in log.blocks for record in block.records}
            assert log.get("Wizard") == ""
        case "MIT":
            assert by == people | machines
        case "ATT":  # the hub opens the dialogue, before anybody has said anything
            assert by == people | machines | {"Answer_returned": {"hub", "responder"}}
            turns = [*log.records("Answer_returned"), *log.records("Talk_pressed")]
            assert min(turns, key=lambda record: record.moment.at).get("Response") == "greeting"
        case "TI":
            assert by == people | {"Transcription_sent": {"transcriber"}}
            signed_on = {record.by: record.get("Wizard") for record in log.records("Wizard_identified")}
            assert signed_on["transcriber"] == "Toto"
            assert log.get("Wizard") == "Oz", "who composes the query"
        case "PARAMAX":
            assert by == people | {"Transcription_sent": set()}
        case _:
            assert by == people


def test_the_page_of_the_profiles_names_them_all_with_these_operators() -> None:
    page = (ROOT / "docs" / "reference" / "profiles.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([A-Z0-9-]+)` \|.*\| `(recognition=[^`]*)` \|", page, re.MULTILINE))
    assert rows == MODES
