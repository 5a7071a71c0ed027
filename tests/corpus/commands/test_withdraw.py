"""A person withdraws: nothing of that person is found by any byte search, and nothing of anybody else has changed."""

import datetime
import fcntl
import io
import shutil
from pathlib import Path

import msgspec
import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import Removal, Removals
from corpus.formats import manifest
from corpus.formats.errors import FormatFault
from corpus.formats.layout import LEXICON
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session import events as e
from session.annotation.events import WORK, TranscriptionBegun
from session.annotation.store import stream_of, work_path
from session.collection.open_session import plan_session
from session.store.event_store import Entry, Store
from session.study.folder import load
from session.values.clock import ManualClock
from tests.corpus.commands.withdrawals import (
    SAID,
    STAYS,
    corpus,
    exported,
    found,
    hashes,
    lab,
    needles,
    said,
    script_saying,
    withdraw,
)
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.studies import fill

__all__ = ["corpus", "lab"]


def test_no_byte_of_the_person_is_left_and_all_of_the_others_is(lab: Path) -> None:
    study, wanted = lab / "study", needles(script_saying("8k9", SAID), SAID)
    assert len({needle for _, needle in found(lab, wanted)}) > 20, "the search must be able to find"
    kept = needles(script_saying("8k8", STAYS), STAYS)
    before = found(study, kept)
    status, out, err = withdraw(study, "8k9", lab / "spool")
    assert (status, "2 sessions" in err, "in 1 session," in err) == (0, False, True)
    assert said(found(lab, wanted)) == []
    assert found(study, kept) == before
    assert not (lab / "spool/bbn-20261121-1").exists()
    assert msgspec.json.decode(out)["sessions"] == ["bbn-20261121-1"]


def test_an_interruption_is_told_and_the_same_call_finishes_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    root = corpus_of(tmp_path / "corpus", session_of("bbn", "8k9"), session_of("bbn", "8k8", number=2))
    call, err = WithdrawOptions("8k9"), io.StringIO()
    with monkeypatch.context() as patch:
        patch.setattr("corpus.withdrawal.rebuild._describe", interrupted)
        assert withdraw_command(str(root), call, ManualClock(), io.StringIO(), err) == 130
    assert err.getvalue() == "interrupted: something of 8k9 may be left; the same command finishes the work\n"
    assert withdraw_command(str(root), call, ManualClock(), io.StringIO(), err) in (0, 1)
    assert "8k9" not in Corpus(root).speakers()


def test_the_technical_logs_of_the_machine_go_which_may_hold_anything(lab: Path, tmp_path: Path) -> None:
    log = tmp_path / "wizard.log"
    log.write_text(f"ValueError: {SAID}", "utf-8")
    assert withdraw(lab / "study", "8k9", dry=True)[0] == 0
    assert log.exists()
    out, err = io.StringIO(), io.StringIO()
    assert withdraw_command(str(lab / "study"), WithdrawOptions("8k9", logs=(log,)), ManualClock(), out, err) == 0
    assert not log.exists()


def test_the_chains_verify_and_no_other_stream_has_changed(lab: Path) -> None:
    store = Store(load(lab / "study").store_url)
    others = store.raw("bbn-20261121-2")
    heads = {info.stream: info.head for info in store.streams()}
    withdraw(lab / "study", "8k9")
    for stream, head in heads.items():
        assert store.verify(stream) == []
        assert (store.head(stream) == head) is (stream == "bbn-20261121-2")
    assert store.raw("bbn-20261121-2") == others
    assert isinstance(store.read("bbn-20261121-1")[-1].event, e.SpeakerWithdrawn)
    store.close()


def test_the_next_export_lacks_the_person_names_what_to_drop_and_gives_all_others_the_same_files(lab: Path) -> None:
    study = lab / "study"
    assert exported(study, lab / "before") == 0
    withdraw(study, "8k9", lab / "spool")
    assert exported(study, lab / "after") == 0
    listed = removals.parse((lab / "after/removals.json").read_bytes(), "").removals
    assert [(one.speaker, one.site, one.withdrawn) for one in listed] == [("8k9", "bbn", "2023-11-14")]
    old, new = hashes(lab / "before"), hashes(lab / "after")
    dropped = {path for path in old if Corpus(lab / "before").speaker_of(path) == "8k9"}
    assert dropped <= set(listed[0].files)
    assert "8k9011sx" in listed[0].utterances
    shared = {"manifest.json", "README.txt", "doc/spkrinfo.log", "doc/lexicon.doc", "removals.json"}
    assert {path: new[path] for path in new if path not in shared} == {
        path: old[path] for path in old if path not in dropped | shared
    }
    assert found(lab / "after", [b"8k9"]) == [("removals.json", b"8k9")]
    assert verify(lab / "after").count(Severity.ERROR) == 0


def test_the_pseudonym_is_never_given_again(lab: Path) -> None:
    withdraw(lab / "study", "8k9")
    found_study = load(lab / "study")
    store = Store(found_study.store_url)
    opened = plan_session(found_study, store.usage, "1", datetime.date(2026, 11, 22)).opened
    store.close()
    assert opened.speaker.id == "8ka"


def test_doing_it_twice_or_after_a_crash_half_way_ends_the_same(lab: Path) -> None:
    study = lab / "study"
    store = Store(load(study).store_url)
    fact = e.SpeakerWithdrawn(speaker="8k9", erased=0)
    store.withdraw(["bbn-20261121-1"], "experimenter", e.NOWHERE, fact)
    store.close()
    for _ in range(2):
        status, _, err = withdraw(study, "8k9", lab / "spool")
        assert status == 0, err
        assert said(found(lab, needles(script_saying("8k9", SAID), SAID))) == []


def test_trying_it_out_changes_nothing(lab: Path) -> None:
    before = hashes(lab)
    status, out, err = withdraw(lab / "study", "8k9", lab / "spool", dry=True)
    assert (status, "nothing was changed" in err, "8k9011ss.wav" in out) == (0, True, True)
    assert hashes(lab) == before


def test_a_terminal_that_still_records_stops_it_before_anything_is_touched(lab: Path) -> None:
    with (lab / "spool/bbn-20261121-1/in-use").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        status, _, err = withdraw(lab / "study", "8k9", lab / "spool")
    assert (status, "close it, then withdraw" in err) == (2, True)
    assert found(lab / "study/recordings", [script_saying("8k9", SAID).takes["8k9A1"]["s"]])


def test_a_corpus_that_somebody_left_in_the_study_is_pointed_out(lab: Path) -> None:
    leaving = script_saying("8k9", SAID)
    for old, new in (("8k9A1", "01JD3ABCDEFGHJKMNPQRSTVWXY"),):
        facts = msgspec.json.encode(leaving.facts).replace(old.encode(), new.encode())
        leaving.facts = msgspec.json.decode(facts, type=list[e.Recorded])
    leaving.session = "bbn-20261121-3"
    leaving.facts = [msgspec.structs.replace(fact, session=leaving.session) for fact in leaving.facts]
    leaving.takes = {}
    fill(lab / "study", leaving)
    (lab / "study/copy.txt").write_text("take 01JD3ABCDEFGHJKMNPQRSTVWXY of friday", "utf-8")
    status, _, err = withdraw(lab / "study", "8k9")
    assert (status, "copy.txt still holds takes of 8k9" in err) == (1, True)


def test_a_package_of_the_study_that_still_holds_the_person_is_named(lab: Path) -> None:
    study, message_of = lab / "study", [lab / "stm", lab / "gone"]
    for package in message_of:
        assert export_command(ExportRequest(str(study), str(package), form="stm"), io.StringIO(), io.StringIO()) == 0
    shutil.rmtree(lab / "gone")
    status, _, err = withdraw(study, "8k9")
    assert (status, f"{lab / 'stm'}, stm, written" in err) == (1, True)
    assert f"not where they were written, and not looked at: {lab / 'gone'}" in err
    assert removals.held_in(study).removals[0].copies == ("gone",)
    shutil.rmtree(lab / "stm")
    assert withdraw(study, "8k9")[0] == 0
    assert export_command(ExportRequest(str(study), str(lab / "stm"), form="stm"), io.StringIO(), io.StringIO()) == 0
    assert withdraw(study, "8k9")[0] == 0


@pytest.mark.parametrize(("speaker", "message"), [("8kz", "no session of"), ("8K9", "not a speaker's id")])
def test_a_stranger_is_refused(lab: Path, speaker: str, message: str) -> None:
    status, _, err = withdraw(lab / "study", speaker)
    assert (status, message in err) == (2, True)


# --- an exported corpus ---------------------------------------------------------------------------------------------------


def test_a_corpus_loses_the_person_and_nothing_else(corpus: Path) -> None:
    before = hashes(corpus)
    own = {path for path in before if Corpus(corpus).speaker_of(path) == "8k9"}
    assert any(path.startswith("unnumbered/") for path in own)
    status, out, _ = withdraw(corpus, "8k9")
    assert status == 0
    assert said(found(corpus, needles(script_saying("8k9", SAID), SAID))) == []
    after = hashes(corpus)
    shared = {"manifest.json", "README.txt", "doc/spkrinfo.log", "doc/lexicon.doc", "removals.json"}
    assert set(after) == set(before) - own | {"removals.json"}
    assert all(after[path] == before[path] for path in after if path not in shared)
    assert found(corpus, [b"8k9"]) == [("removals.json", b"8k9")]
    assert set(msgspec.json.decode(out, type=Removal).files) == own
    assert verify(corpus).count(Severity.ERROR) == 0
    assert not (corpus / "spon/8k9").exists()


def test_a_corpus_gives_the_same_after_a_withdrawal_that_was_interrupted(corpus: Path) -> None:
    for path in sorted(corpus.glob("spon/8k9/1/*"))[:5]:
        path.unlink()
    assert withdraw(corpus, "8k9")[0] == withdraw(corpus, "8k9")[0] == 0
    assert verify(corpus).count(Severity.ERROR) == 0
    listed = removals.parse((corpus / "removals.json").read_bytes(), "").removals
    assert len(listed) == 1
    assert "spon/8k9/1/8k9001sx.log" in listed[0].files


def test_the_lexicon_counts_no_word_of_the_person_any_more(corpus: Path) -> None:
    found_manifest = manifest.parse((corpus / "manifest.json").read_bytes(), "")
    words = b"philippa\t7\nwalrus\t7\n"
    (corpus / LEXICON).write_bytes(words)
    files = {**found_manifest.files, LEXICON: manifest.entry_of(words)}
    (corpus / "manifest.json").write_bytes(manifest.render(msgspec.structs.replace(found_manifest, files=files)))
    withdraw(corpus, "8k9")
    lexicon = (corpus / LEXICON).read_text("utf-8")
    assert ("philippa" in lexicon, "walrus\t7" in lexicon) == (False, True)


def test_later_work_on_the_persons_utterances_is_erased_and_that_on_others_stays(corpus: Path) -> None:
    store = Store(f"sqlite:///{work_path(corpus)}", WORK)
    for stem, words in (("8k9011sx", SAID), ("8k8011sx", STAYS)):
        store.append(
            stream_of(stem, f"{stem[:3]}A1"),
            0,
            [Entry(e.NOWHERE, "annotator", "", TranscriptionBegun(stem, f"{stem[:3]}A1", words, 16_000))],  # type: ignore[arg-type]
        )
    store.close()
    assert withdraw(corpus, "8k9")[0] == 0
    assert found(corpus.parent, [SAID.encode()]) == []
    left = {name for name, _ in found(corpus.parent, [STAYS.encode()])}
    assert "work.sqlite" in left


def test_the_log_of_the_transcription_desk_goes_which_may_hold_anything(corpus: Path) -> None:
    log = work_path(corpus).with_name("transcription.log")
    log.write_text(f"AssertionError: {SAID}", "utf-8")
    assert withdraw(corpus, "8k9")[0] == 0
    assert not log.exists()


def test_the_last_person_of_a_corpus_may_go_too(corpus: Path) -> None:
    assert withdraw(corpus, "8k9")[0] == withdraw(corpus, "8k8")[0] == 0
    listed = removals.parse((corpus / "removals.json").read_bytes(), "")
    assert listed.speakers == {"8k8", "8k9"}
    assert Corpus(corpus).manifest.sessions == ()


def test_lists_are_united_by_speaker_and_keep_the_earliest_date() -> None:
    one = Removals((Removal("8k9", "bbn", "2026-02-01", ("a",), (), ("x",)),))
    two = Removals(
        (Removal("8k9", "", "2026-01-01", ("b",), ("u",), ("x", "y")), Removal("8k1", "bbn", "", (), (), ()))
    )
    both = removals.joined([one, two])
    assert both.removals == (
        Removal("8k1", "bbn", "", (), (), ()),
        Removal("8k9", "bbn", "2026-01-01", ("a", "b"), ("u",), ("x", "y")),
    )
    assert removals.parse(removals.render(both), "r") == both == removals.joined([both, one])


@pytest.mark.parametrize(
    "hostile",
    [
        {"speaker": "../"},
        {"files": ("../../else/8k9011ss.wav",)},
        {"files": ("/etc/passwd",)},
        {"sessions": ("../bbn-19911121-1",)},
        {"utterances": ("a/b",)},
        {"copies": ("../study",)},
        {"scope": "words"},
    ],
)
def test_a_list_that_could_lead_who_obeys_it_out_of_a_corpus_is_refused(hostile: dict[str, str], corpus: Path) -> None:
    bad = msgspec.structs.replace(Removal("8k9", "bbn", "2026-11-21", (), (), ()), **hostile)
    with pytest.raises(FormatFault, match="is not a name in a corpus"):
        removals.add(corpus, bad)
    (corpus / "removals.json").write_bytes(removals.render(Removals((bad,))))
    before = hashes(corpus)
    status, _, err = withdraw(corpus, "8k9")
    assert (status, hashes(corpus)) == (2, before)
    assert "do not trust this list" in err
