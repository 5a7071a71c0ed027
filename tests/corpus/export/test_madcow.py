import hashlib
import io
from pathlib import Path

import msgspec
import pytest
import soundfile

from corpus.analysis.turns import courses
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.formats import cas, com, layout, manifest, riff, sphere, spkrinfo, squ
from corpus.formats.log import file as logfile
from corpus.io.staging import Refused
from session import events as e
from session.study.settings import Speaker
from session.values.answers import Table
from session.values.clock import Stamp
from tests import ROOT
from tests.corpus.sessions import FILES, STUDY, MemorySource, Script, whole_session

GOLDEN = ROOT / "tests" / "golden" / "corpus"


def listing(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    export(MemorySource(whole_session()), tmp_path / "corpus")
    return tmp_path / "corpus"


def golden_listing(root: Path) -> str:
    """All paths with their hashes, but for those that change whenever a protocol gets a new setting."""
    changing = {layout.MANIFEST, "doc/protocol/bbn_c3c3c3c3.json"}
    return "".join(f"{'*' if path in changing else sha256}  {path}\n" for path, sha256 in listing(root).items())


def test_the_files_of_a_corpus_are_those_of_the_golden_listing(exported: Path) -> None:
    lines = golden_listing(exported)
    assert lines == (GOLDEN / "listing.txt").read_text("utf-8")


def test_the_same_sessions_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        export(MemorySource(whole_session()), tmp_path / name)
    assert listing(tmp_path / "one") == listing(tmp_path / "two")


def test_every_waveform_is_bit_exact_and_described(exported: Path) -> None:
    script = whole_session()
    for number, take in enumerate(("8k8A1", "8k8A2", "8k8A3", "8k8A4"), start=1):
        path = exported / f"spon/8k8/1/8k80{number}1ss.wav"
        samples, _ = soundfile.read(io.BytesIO(path.read_bytes()), dtype="int16")
        assert samples.tobytes() == script.takes[take]["s"]
        header = sphere.read(path).header
        assert header.text("utterance_id") == path.stem
        assert header.text("microphone") == "Sennheiser HMD-414"
        assert header.text("recording_environment") == "office, cubicle 3"
    second = sphere.read(exported / "spon/8k8/1/8k8011sc.wav").header
    assert (second.number("sample_rate"), second.text("microphone")) == (8000, "Crown PCC-160")


def test_waveforms_are_riff_on_request(tmp_path: Path) -> None:
    export(MemorySource(whole_session()), tmp_path / "corpus", ExportOptions(riff=True))
    file = riff.read(tmp_path / "corpus/spon/8k8/1/8k8011ss.wav")
    assert file.data == whole_session().takes["8k8A1"]["s"]
    assert "RIFF" in (tmp_path / "corpus/README.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("spon/8k8/1/8k8011sx.sro", "show me flights from boston to denver please\n"),
        ("spon/8k8/1/8k8011sx.lsn", "SHOW ME FLIGHTS FROM BOSTON TO DENVER PLEASE\n"),
        ("spon/8k8/1/8k8031sx.sro", "and flight (( seven three two ))\n"),
        ("spon/8k8/1/8k8041sx.lsn", "WHAT ABOUT THE THE CHEAPEST FARE\n"),
        ("spon/8k8/2/8k8012sx.sro", "which airlines fly to dfw\n"),
        ("doc/drafts/8k8041sx.drf", "/* draft; database air-1.0 */\n((90))\n"),
    ],
)
def test_what_the_wizard_typed_becomes_drafts(exported: Path, path: str, text: str) -> None:
    assert (exported / path).read_text("utf-8") == text
    assert manifest.parse((exported / "manifest.json").read_bytes(), "").files[path].draft


def test_answers_that_were_marked_wrong_have_no_draft_and_all_others_are_in_cas(exported: Path) -> None:
    drafts = sorted(path.name for path in (exported / "doc/drafts").iterdir())
    assert drafts == ["8k8011sx.drf", "8k8012sx.drf", "8k8041sx.drf"]
    for path in (exported / "doc/drafts").iterdir():
        assert cas.parse(path.read_text("utf-8")).alternatives


def test_a_draft_answer_holds_what_cas_can_say(tmp_path: Path) -> None:
    rows = Table(("a", "b"), (('the "best"\n', 1), (None, "x"), (float("inf"), 2.5)), more=True)
    script = Script()
    script.open()
    script.start("hub", 1)
    script.speak("T1", 1, "what is best")
    script.query("T1", "q1", "best", rows)
    script.answer("T1", "q1", rows, "what is best")
    export(MemorySource(script), tmp_path / "corpus")
    text = (tmp_path / "corpus/doc/drafts/8k8011sx.drf").read_text("utf-8")
    assert "cut off" in text
    assert cas.parse(text).alternatives


def test_an_utterance_that_was_never_transcribed_has_no_transcription(tmp_path: Path) -> None:
    script = Script()
    script.open()
    script.start("hub", 1)
    script.speak("T1", None)
    script.add(e.UtteranceAccepted(take="T1", number=1))
    export(MemorySource(script), tmp_path / "corpus")
    assert sorted(path.name for path in (tmp_path / "corpus/spon/8k8/1").iterdir()) == ["8k8001sx.log", "8k8011ss.wav"]


def test_practice_and_discarded_takes_are_left_out_unless_asked_for(exported: Path, tmp_path: Path) -> None:
    assert not (exported / "unnumbered").exists()
    export(MemorySource(whole_session()), tmp_path / "all", ExportOptions(unnumbered=True))
    assert sorted(path.name for path in (tmp_path / "all/unnumbered/bbn-20261121-1").iterdir()) == [
        "8k8D1-s.wav",
        "8k8P1-s.wav",
    ]


def test_remarks_forms_and_speakers_are_there(exported: Path) -> None:
    remarks = com.parse((exported / "spon/8k8/1/8k8001sx.com").read_bytes(), "")
    assert remarks.lines[0] == "wizard (utterance 02): subject asks for hotels again"
    forms = squ.parse((exported / "spon/8k8/2/8k8002sx.squ").read_bytes(), "").forms
    assert forms[0].answers == (("pleased", "4"), ("why", "it\nworked"))
    table = spkrinfo.parse((exported / "doc/spkrinfo.log").read_bytes(), "")
    assert table.speakers[0] == spkrinfo.SpeakerInfo(
        "8k8", "f", 31, "New England", "advertisement", "certificate", "bbn"
    )


def test_the_protocol_is_there_as_a_value_and_as_files(exported: Path) -> None:
    assert '"name": "bbn-1992"' in (exported / "doc/protocol/bbn_c3c3c3c3.json").read_text("utf-8")
    assert (exported / layout.protocol_file("study.toml", FILES["study.toml"])).read_bytes() == STUDY


def test_the_manifest_has_every_file_with_its_hash_and_each_sessions_chain(exported: Path) -> None:
    found = manifest.parse((exported / "manifest.json").read_bytes(), "")
    assert {path: entry.sha256 for path, entry in found.files.items()} | {"manifest.json": ""} == {
        path: sha256 if path != "manifest.json" else "" for path, sha256 in listing(exported).items()
    }
    assert found.sessions[0].chain_head == "f6" * 32
    assert found.sessions[0].scenarios == (1, 2)


def test_a_rehearsal_says_so_in_manifest_readme_and_log(tmp_path: Path) -> None:
    script = whole_session()
    opened = msgspec.structs.replace(script.opened, rehearsal=True, pace=20.0)
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=opened)
    export(MemorySource(script), tmp_path / "corpus")
    assert manifest.parse((tmp_path / "corpus/manifest.json").read_bytes(), "").rehearsal
    assert "THIS IS A REHEARSAL" in (tmp_path / "corpus/README.txt").read_text("utf-8")
    log = logfile.parse((tmp_path / "corpus/spon/8k8/1/8k8001sx.log").read_bytes(), "")
    assert (log.get("Rehearsal"), log.get("Pace")) == ("yes", "20")


def consenting(**scopes: bool) -> Script:
    """The whole session under a consent of these scopes."""
    script = whole_session()
    consent = next(index for index, fact in enumerate(script.facts) if isinstance(fact.event, e.ConsentGiven))
    refused = msgspec.structs.replace(script.facts[consent].event, scopes=scopes)
    script.facts[consent] = msgspec.structs.replace(script.facts[consent], event=refused)
    return script


def test_a_speaker_who_did_not_agree_to_text_is_left_out(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="did not agree to hand over the text"):
        export(MemorySource(consenting(record=True, publish_text=False)), tmp_path / "corpus")


def test_a_speaker_who_did_not_agree_to_audio_has_none_exported(tmp_path: Path) -> None:
    done = export(MemorySource(consenting(record=True, publish_audio=False)), tmp_path / "corpus")
    assert not list((tmp_path / "corpus").rglob("*.wav"))
    assert len(done.withheld) == 8
    assert done.missing == ()


def test_samples_that_are_lost_or_altered_are_left_out_and_named(tmp_path: Path) -> None:
    source = MemorySource(whole_session())
    del source.takes["bbn-20261121-1", "8k8A1"]["c"]
    source.takes["bbn-20261121-1", "8k8A2"]["s"] += b"\0\0"
    done = export(source, tmp_path / "corpus")
    assert done.missing == ("spon/8k8/1/8k8011sc.wav", "spon/8k8/1/8k8021ss.wav")
    assert not (tmp_path / "corpus/spon/8k8/1/8k8021ss.wav").exists()


def test_an_existing_target_is_never_touched(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    with pytest.raises(Refused, match="exists already"):
        export(MemorySource(whole_session()), tmp_path / "corpus")
    assert listing(tmp_path) == {}


def test_nothing_is_left_of_an_export_that_fails(tmp_path: Path) -> None:
    class Defective(MemorySource):
        def pcm(self, session: str, take: str, letter: str) -> bytes | None:
            raise RuntimeError("a defect")

    with pytest.raises(RuntimeError, match="a defect"):
        export(Defective(whole_session()), tmp_path / "corpus")
    assert list(tmp_path.iterdir()) == []


def test_a_target_that_appears_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    source = MemorySource(whole_session())
    source.protocol_file = lambda sha256: (tmp_path / "corpus").mkdir(exist_ok=True)  # type: ignore[method-assign]
    with pytest.raises(Refused, match="exists already"):
        export(source, tmp_path / "corpus")
    assert list((tmp_path / "corpus").iterdir()) == []
    assert len(list(tmp_path.iterdir())) == 1


def test_a_target_without_a_parent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="make it first"):
        export(MemorySource(whole_session()), tmp_path / "none" / "corpus")


def test_two_sessions_of_a_speaker_must_not_lead_to_the_same_names(tmp_path: Path) -> None:
    twice = MemorySource(whole_session(), whole_session("bbn-20261122-1"))
    with pytest.raises(Refused, match="two sessions lead to the same file"):
        export(twice, tmp_path / "corpus")


def test_sessions_of_several_speakers_stand_side_by_side(tmp_path: Path) -> None:
    done = export(MemorySource(whole_session(), whole_session("bbn-20261122-1", "8k9")), tmp_path / "corpus")
    assert (done.sessions, done.scenarios, done.utterances) == (2, 4, 14)
    assert "2; 0M/2F" in (tmp_path / "corpus/README.txt").read_text("utf-8")


def test_an_erased_session_is_left_out_and_alone_is_refused(tmp_path: Path) -> None:
    erased = whole_session("bbn-20261122-1", "8k9")
    erased.facts[0] = msgspec.structs.replace(erased.facts[0], event=e.Redacted(of="SessionOpened"))
    done = export(MemorySource(whole_session(), erased), tmp_path / "corpus")
    assert done.skipped == (("bbn-20261122-1", "its opening was erased, or it was never begun"),)
    assert b"8k9" not in b"".join(path.read_bytes() for path in (tmp_path / "corpus").rglob("*") if path.is_file())
    with pytest.raises(Refused, match="no session has a scenario"):
        export(MemorySource(erased), tmp_path / "other")


@pytest.mark.parametrize("wall", [10**30, -(10**30), -(10**20)])
def test_a_session_with_a_stamp_of_no_calendar_is_skipped_and_named_and_leaves_no_file(
    tmp_path: Path, wall: int
) -> None:
    absurd = whole_session("bbn-20261122-1", "8k9")
    index = max(place for place, fact in enumerate(absurd.facts) if isinstance(fact.event, e.RecordingStarted))
    event = msgspec.structs.replace(absurd.facts[index].event, at=Stamp("elsewhere", 0, wall))
    absurd.facts[index] = msgspec.structs.replace(absurd.facts[index], event=event)
    done = export(MemorySource(whole_session(), absurd), tmp_path / "corpus")
    ((session, why),) = done.skipped
    assert session == "bbn-20261122-1"
    assert "which no calendar holds" in why
    assert done == msgspec.structs.replace(
        export(MemorySource(whole_session()), tmp_path / "alone"), skipped=done.skipped, bytes=done.bytes
    )
    differing = listing(tmp_path / "corpus").items() ^ listing(tmp_path / "alone").items()
    assert {path for path, _ in differing} == {"README.txt", "manifest.json"}


def test_what_is_known_of_a_speaker_is_not_lost_at_a_visit_at_which_nobody_said_it(tmp_path: Path) -> None:
    first, second = whole_session("bbn-20261121-1"), whole_session("bbn-20261122-1")
    for script, who in ((first, Speaker("8k8", "f", 30, "", "civic organisation")), (second, Speaker("8k8", "", 31))):
        event = msgspec.structs.replace(script.opened, speaker=who)
        script.facts[0] = msgspec.structs.replace(script.facts[0], event=event)
    for place, fact in enumerate(second.facts):
        if isinstance(fact.event, e.ScenarioStarted) and fact.event.number:
            later = msgspec.structs.replace(fact.event, number=fact.event.number + 2)
            second.facts[place] = msgspec.structs.replace(fact, event=later)
    assert export(MemorySource(first, second), tmp_path / "corpus").skipped == ()
    (info,) = Corpus(tmp_path / "corpus").speakers().values()
    assert (info.sex, info.age, info.recruitment) == ("f", 31, "civic organisation")


def test_a_deviation_that_was_taken_back_is_in_the_log_and_in_neither_remarks_nor_figures(tmp_path: Path) -> None:
    script = whole_session()
    for number in range(2):
        script.add(e.DeviationNoted(reason="help", text="a hint"), "wizard")
        if number:
            script.add(e.DeviationTakenBack(reason="help", text="a hint"), "wizard")
    export(MemorySource(script), tmp_path / "corpus")
    logs = [path for path in (tmp_path / "corpus").rglob("*.log") if b"Deviation_taken_back" in path.read_bytes()]
    assert len(logs) == 1
    remarks = com.parse(logs[0].with_suffix(".com").read_bytes(), "")
    assert [line for line in remarks.lines if "a hint" in line] == ["wizard: help: a hint"]
    assert sum(course.deviations for course in courses(Corpus(tmp_path / "corpus"))) == 1
