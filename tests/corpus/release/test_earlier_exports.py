"""What is finished beside one export of a study comes into the next one, wherever that is written."""

import io
import shutil
from pathlib import Path

import msgspec
import pytest

from annotator.command import TranscribeOptions, transcribe_command
from annotator.transcription import Transcribing
from corpus.commands.merge import MergeOptions, merge_command
from corpus.commands.report import StatsOptions, stats_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.formats import manifest
from corpus.release import holdout_file
from corpus.release.exports_log import log_of
from corpus.release.holdout_file import Holdout
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session import events as e
from session.annotation.events import WORK, NameKept
from session.annotation.store import Work, work_path
from session.events import SpeakerWithdrawn
from session.events.link import Redacted
from session.store.event_store import Store
from session.values.clock import ManualClock, stamp
from tests.corpus.corpora import session_of
from tests.corpus.searching import holding, of_text
from tests.corpus.sessions import Script
from tests.corpus.studies import fill, run
from tests.corpus.verify.broken import SRO, WAV

SAID = "show me {{ philippa smith }} please"


@pytest.fixture
def first(study: Path, tmp_path: Path) -> Path:
    """An export, and a transcription with a mask beside it."""
    fill(study, session_of("bbn", "8k8", stretch=0.6))
    root = tmp_path / "first" / "corpus"
    root.parent.mkdir()
    assert run(study, root)[0] == 0
    transcribe(root, "anna", SAID)
    return root


def transcribe(root: Path, person: str, text: str) -> None:
    work = Work(work_path(root))
    desk = Transcribing(Corpus(root), work, person, ManualClock())
    desk.open("8k8011sx")
    desk.mark(1000, 2000)
    desk.submit(text)
    work.close()


def words(root: Path) -> str:
    return (root / SRO).read_text("utf-8").strip()


def test_the_next_export_elsewhere_has_the_transcription_and_its_mask(study: Path, first: Path, tmp_path: Path) -> None:
    status, output = run(study, tmp_path / "second")
    assert status == 0
    assert f"1 finished transcription came from {work_path(first)}" in output
    assert words(tmp_path / "second") == "show me [masked] please"
    listed = manifest.parse((tmp_path / "second/manifest.json").read_bytes(), "").files
    assert listed[WAV].masked == ((1000, 2000),)
    assert listed[SRO].work.transcriber == "anna"  # type: ignore[union-attr]
    assert run(study, tmp_path / "trn", form="trn")[0] == 0
    assert b"PHILIPPA" not in (tmp_path / "trn/ref.trn").read_bytes().upper()


def test_a_mask_made_beside_one_export_holds_for_another_that_was_written_before(study: Path, tmp_path: Path) -> None:
    fill(study, session_of("bbn", "8k8", stretch=0.6))
    roots = [tmp_path / name / "corpus" for name in ("first", "second")]
    for root in roots:
        root.parent.mkdir()
        assert run(study, root)[0] == 0
    first, second = roots
    work = Work(work_path(first))
    work.keep_names([("hotels",)], stamp(ManualClock()), "anna")
    work.close()
    for form in ("csv", "bagit"):
        assert run(second, tmp_path / form, form=form)[0] == 0
    made = tmp_path / "made"
    assert run(second, made)[0] == 0
    assert [name for name, _ in holding([tmp_path / "csv", tmp_path / "bagit", made], of_text("hotels"))] == []
    err = io.StringIO()
    assert merge_command(MergeOptions([str(second)], str(tmp_path / "merged")), io.StringIO(), err) == 2
    assert "other exports of its study" in err.getvalue()
    assert stats_command(StatsOptions(str(second)), io.StringIO(), err) == 0
    assert f"curtain export {second} NEW" in err.getvalue()
    transcribe_command(TranscribeOptions(str(second), show="8k8012sx"), out := io.StringIO(), err)
    assert "hotels" not in out.getvalue().casefold()
    assert holding([second], of_text("hotels")), "the search can find"


def test_work_that_was_there_and_is_gone_stops_the_export_with_the_remedy(
    study: Path, first: Path, tmp_path: Path
) -> None:
    assert run(study, tmp_path / "second")[0] == 0
    elsewhere = tmp_path / "elsewhere.sqlite"
    work_path(first).rename(elsewhere)
    status, output = run(study, tmp_path / "third")
    assert (status, (tmp_path / "third").exists()) == (2, False)
    assert f"{work_path(first)} held 1 finished transcriptions or names and is not there" in output
    assert "--work" in output
    known = log_of(study).read_text("utf-8")
    log_of(study).write_text(known.replace(f'{{"{work_path(first)}":1}}', "{}"), "utf-8")
    assert run(study, tmp_path / "third", work=(str(elsewhere),))[0] == 0
    assert words(tmp_path / "third") == "show me [masked] please"
    assert run(study, tmp_path / "fourth")[0] == 0
    assert words(tmp_path / "fourth") == "show me [masked] please"


def test_an_earlier_export_that_is_gone_is_told(study: Path, first: Path, tmp_path: Path) -> None:
    shutil.rmtree(first.parent)
    status, output = run(study, tmp_path / "second")
    assert status == 0
    assert f"{first}, written earlier, is not there any more" in output


def test_of_two_versions_the_checked_one_is_taken(study: Path, first: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "corpus"
    other.parent.mkdir()
    shutil.copytree(first, other)
    shutil.copy(work_path(first), work_path(other))
    transcribe_check(other)
    status, output = run(study, tmp_path / "second", work=(str(other.parent),))
    assert (status, "finished in" in output) == (0, False), "they say the same"
    listed = manifest.parse((tmp_path / "second/manifest.json").read_bytes(), "").files
    assert listed[SRO].work.checker == "ben"  # type: ignore[union-attr]


def test_two_versions_that_say_something_else_are_told(study: Path, first: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "corpus"
    other.parent.mkdir()
    shutil.copytree(first, other)
    transcribe(other, "ben", "show me {{ philippa smythe }} please")
    status, output = run(study, tmp_path / "second", work=(str(other.parent),))
    assert (status, f"1 utterance finished in {work_path(other)} too; what was checked" in output) == (0, True)


def transcribe_check(root: Path) -> None:
    work = Work(work_path(root))
    desk = Transcribing(Corpus(root), work, "ben", ManualClock())
    desk.open("8k8011sx")
    desk.check(SAID)
    work.close()


@pytest.mark.parametrize(
    ("memory", "said"),
    [(b"[1]}", "export"), (b'{"when": 1}', "Expected `str`"), (b"\n\xff}", ":2: ")],
)
def test_a_record_that_is_none_stops_the_export(study: Path, first: Path, memory: bytes, said: str) -> None:
    log_of(study).write_bytes(memory)
    status, output = run(study, first.with_name("second"))
    assert (status, said in output) == (2, True)


@pytest.mark.parametrize("name", ["none", "text"])
def test_named_work_that_is_none_is_refused(study: Path, first: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "text").write_text("no database at all", "utf-8")
    status, output = run(study, tmp_path / "second", work=(str(tmp_path / name),))
    assert (status, (tmp_path / "second").exists()) == (2, False)
    assert str(tmp_path / name) in output


def test_the_assignments_of_a_holdout_go_along(study: Path, first: Path, tmp_path: Path) -> None:
    assigned = Holdout("7", {"8k8": "pool"})
    holdout_file.beside(first).write_bytes(holdout_file.render(assigned))
    assert run(study, tmp_path / "second")[0] == 0
    assert holdout_file.parse((tmp_path / "holdout.json").read_bytes(), "") == assigned
    (tmp_path / "holdout.json").write_bytes(holdout_file.render(Holdout("7", {"8k8": "release"})))
    status, output = run(study, tmp_path / "third")
    assert (status, f"8k8 is in the test pool by {holdout_file.beside(first)} and released by" in output) == (2, True)


def test_what_others_said_of_who_withdraws_stays_masked_in_the_next_export(
    study: Path, first: Path, tmp_path: Path
) -> None:
    fill(study, speaking_of("8k9", "give this to Philippa Smith"))
    err = io.StringIO()
    assert withdraw_command(str(study), WithdrawOptions("8k8"), ManualClock(), io.StringIO(), err) == 1
    assert "1 name on the list of masks" in err.getvalue()
    assert run(study, tmp_path / "second")[0] == 0
    assert [path.name for path in (tmp_path / "second/spon").iterdir()] == ["8k9"]
    assert (tmp_path / "second/spon/8k9/1/8k9011sx.sro").read_text("utf-8") == "give this to [masked]\n"
    files = [path for path in (tmp_path / "second").rglob("*") if path.is_file()]
    assert [path for path in files if b"philippa" in path.read_bytes().lower()] == []
    assert not verify(tmp_path / "second").count(Severity.ERROR)


def speaking_of(speaker: str, text: str) -> Script:
    script = session_of("bbn", speaker, "m", 2, stretch=0.6)
    for at, fact in enumerate(script.facts):
        if isinstance(fact.event, e.Transcribed) and fact.event.take == f"{speaker}A1":
            script.facts[at] = msgspec.structs.replace(fact, event=msgspec.structs.replace(fact.event, text=text))
    return script


def test_who_withdraws_from_the_study_leaves_the_work_beside_its_exports_too(study: Path, first: Path) -> None:
    err = io.StringIO()
    assert withdraw_command(str(study), WithdrawOptions("8k8"), ManualClock(), io.StringIO(), err) == 1
    assert f"{first} still holds 8k8: curtain withdraw {first} 8k8" in err.getvalue()
    assert withdraw_command(str(first), WithdrawOptions("8k8"), ManualClock(), io.StringIO(), err) == 0
    held = [path for path in first.parent.rglob("*") if path.is_file() and b"philippa" in path.read_bytes().lower()]
    assert held == [work_path(first)], "the list of masks, and nothing else"
    assert [name.words for name in names_in(work_path(first))] == [("philippa", "smith")]
    assert withdraw_command(str(study), WithdrawOptions("8k8"), ManualClock(), io.StringIO(), io.StringIO()) == 0


def test_a_package_of_a_study_has_nobody_who_was_held_out_of_an_earlier_export(
    study: Path, first: Path, tmp_path: Path
) -> None:
    holdout_file.beside(first).write_bytes(holdout_file.render(Holdout("7", {"8k8": "pool"})))
    status, output = run(study, tmp_path / "csv", form="csv")
    assert (status, "8k8 the first" in output) == (2, True)
    assert sorted(path.name for path in tmp_path.iterdir() if "csv" in path.name) == []
    assert run(study, tmp_path / "csv", form="csv", whole=True)[0] == 0


def names_in(path: Path) -> list[NameKept]:
    """All that a file of later work has to say, when the person whose utterances it was about has left."""
    store = Store(f"sqlite:///{path}", WORK)
    facts = [fact.event for info in store.streams() for fact in store.read(info.stream)]
    store.close()
    assert all(isinstance(fact, NameKept | SpeakerWithdrawn | Redacted) for fact in facts)
    return [fact for fact in facts if isinstance(fact, NameKept)]
