"""What the transcription desk does to the files is told in tests/annotator; here, what it does to the rest of the house."""

import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from annotator.transcription import Transcribing
from corpus.annotation.apply import Rewriting, originals_of
from corpus.annotation.masking import unbleeped
from corpus.annotation.submitted import AllFinished, finished_in, masked_log
from corpus.commands.withdraw import Call, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.dataset.subset import Part, copy_part
from corpus.export.madcow import export
from corpus.export.session_files import Options
from corpus.formats import lexicon, manifest, sphere
from corpus.formats.layout import LEXICON
from corpus.formats.log import file
from corpus.handover.sync_annotations import catch_up
from corpus.io.staging import replace, staged
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session.annotation.store import work_path
from tests.annotator.desk import CROWN, FIRST, LAST, LOG, LSN, SRO, WAV, Lab
from tests.corpus.broken import Corpus as Broken
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.sessions import MemorySource


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    lab = Lab(tmp_path)
    desk = lab.at()
    desk.mark(1000, 2000)
    desk.submit("show me flights from {{ boston to denver }} please")
    yield lab
    lab.close()


def test_a_whole_corpus_is_brought_up_to_what_is_finished(lab: Lab, tmp_path: Path) -> None:
    made = {path: (lab.root / path).read_bytes() for path in (WAV, CROWN, SRO, LSN, "manifest.json")}
    (tmp_path / "other").mkdir()
    plain = Lab(tmp_path / "other")
    assert catch_up(Corpus(plain.root), lambda: finished_in(work_path(lab.root))) == []
    plain.close()
    assert {path: (plain.root / path).read_bytes() for path in made} == made


def test_many_are_written_with_one_manifest_and_one_lexicon(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    plain = Lab(tmp_path / "other")
    lab.at(LAST).submit("[uh] never ever mind")
    written: list[str] = []

    def noted(path: Path, data: bytes) -> None:
        written.append(path.name)
        replace(path, data)

    for writer in ("apply", "manifest_editor"):
        monkeypatch.setattr(f"corpus.annotation.{writer}.replace", noted)
    assert catch_up(Corpus(plain.root), lambda: finished_in(work_path(lab.root))) == []
    plain.close()
    assert {SRO.rpartition("/")[2], f"{LAST}.sro"} <= set(written)
    assert (written.count("manifest.json"), written.count("lexicon.doc")) == (1, 1)
    assert [(plain.root / path).read_bytes() for path in (LEXICON, "manifest.json")] == [
        (lab.root / path).read_bytes() for path in (LEXICON, "manifest.json")
    ]


class Killed(BaseException):
    """Nothing is written from here on."""


@pytest.mark.parametrize("before", [SRO, LSN, LEXICON, "manifest.json"])
@pytest.mark.parametrize("again", [False, True], ids=["once", "and again at the next start"])
def test_a_desk_that_is_killed_while_it_writes_leaves_no_wrong_count_behind_the_next_start(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, before: str, again: bool
) -> None:
    def kill(do: Callable[[], object], last: str) -> None:
        dead = False

        def killed(path: Path, data: bytes) -> None:
            nonlocal dead
            dead |= path == lab.root / last
            if dead:
                raise Killed
            replace(path, data)

        with monkeypatch.context() as patched:
            for writer in ("apply", "manifest_editor"):
                patched.setattr(f"corpus.annotation.{writer}.replace", killed)
            with pytest.raises(Killed):
                do()

    whole = [each for each in verify(lab.root).findings if each.severity is Severity.ERROR]
    desk = lab.at("8k8021sx")
    kill(lambda: desk.submit("is there a zebra on those flights"), before.replace(FIRST, "8k8021sx"))
    if again:
        kill(lab.person, LEXICON)
    lab.person()
    assert "zebra\t1\n" in lab.text(LEXICON)
    assert [each for each in verify(lab.root).findings if each.severity is Severity.ERROR] == whole == []


def test_a_part_of_a_corpus_keeps_masks_and_provenance(lab: Lab, tmp_path: Path) -> None:
    corpus = Corpus(lab.root)
    with staged(tmp_path / "part") as staging:
        copy_part([Part(corpus, {"8k8"})], staging, {})
    part = manifest.parse((tmp_path / "part/manifest.json").read_bytes(), "manifest.json")
    assert {path: part.files[path] for path in (WAV, CROWN, SRO, LSN)} == {
        path: corpus.manifest.files[path] for path in (WAV, CROWN, SRO, LSN)
    }
    assert verify(tmp_path / "part").findings == verify(lab.root).findings


def test_the_lexicon_follows_the_transcriptions(lab: Lab) -> None:
    corpus = Broken(lab.root)
    corpus.write(LEXICON, b"boston\t1\n")
    corpus.reseal()
    Rewriting(lab.root).finish()
    words = dict(lexicon.parse((lab.root / LEXICON).read_bytes(), LEXICON).counts)
    assert words["please"] == 1
    assert "boston" not in words
    assert not [each for each in verify(lab.root).findings if each.rule.startswith("manifest.")]


def test_who_withdraws_leaves_no_original_behind(lab: Lab) -> None:
    assert list(originals_of(lab.root).rglob("*.wav"))
    assert withdraw_command(str(lab.root), Call("8k8"), lab.clock, io.StringIO(), io.StringIO()) == 0
    assert not [path for path in originals_of(lab.root).rglob("*") if path.is_file()]
    assert list(lab.work.transcripts()) == []


def test_originals_of_an_earlier_export_of_the_same_name_are_not_taken_for_those_of_this_one(lab: Lab) -> None:
    scripts = (session_of("bbn", "8k8", stretch=0.6),)
    shutil.rmtree(lab.root)
    corpus_of(lab.root, *scripts, riff=True)
    lab.person()
    assert (lab.root / WAV).read_bytes()[:4] == b"RIFF"
    assert Corpus(lab.root).manifest.files[WAV].masked == ((1000, 2000),)
    assert not [each for each in verify(lab.root).findings if each.severity == "error"]


def test_the_same_export_again_finds_its_originals(lab: Lab) -> None:
    before = (originals_of(lab.root) / WAV).read_bytes()
    shutil.rmtree(lab.root)
    finished = finished_in(work_path(lab.root))
    export(MemorySource(session_of("bbn", "8k8", stretch=0.6)), lab.root, Options(finished=finished))
    opened = lab.at().opened
    assert np.array_equal(opened.sound, sphere.parse(before, WAV).samples()[:, 0])
    assert not opened.masked


def test_an_export_without_originals_says_that_it_is_masked_and_the_next_one_takes_the_mask_away(
    lab: Lab, tmp_path: Path
) -> None:
    source, again = MemorySource(session_of("bbn", "8k8", stretch=0.6)), tmp_path / "again"
    export(source, again, Options(finished=finished_in(work_path(again))))
    desk = Transcribing(Corpus(again), lab.work, "ben", lab.clock)
    assert desk.open(FIRST).masked
    desk.reopen("nobody's name")
    desk.unmark(1500)
    desk.submit("show me flights from boston to denver please")
    assert "sro.masks" in {each.rule for each in verify(again).findings}
    export(source, tmp_path / "third", Options(finished=finished_in(work_path(again))))
    assert not [each for each in verify(tmp_path / "third").findings if each.severity == "error" or "mask" in each.rule]


def test_a_mask_in_the_manifest_is_a_mask_in_the_file(lab: Lab) -> None:
    listed = Corpus(lab.root).manifest.files
    for path in (WAV, CROWN):
        assert listed[path].masked
        assert not unbleeped(sphere.read(lab.root / path), listed[path].masked)


def test_all_that_is_finished_is_gone_through_once_for_many_logs(lab: Lab) -> None:
    class Walked(AllFinished):
        walks = 0

        def __iter__(self) -> Iterator[str]:
            self.walks += 1
            return super().__iter__()

    (finished,) = finished_in(work_path(lab.root)).values()
    plain = {"another": msgspec.structs.replace(finished, text="show me flights")}
    log, walked = file.parse(lab.text(LOG), LOG), Walked(plain)
    masked_log(log, walked)
    once = walked.walks
    for _ in range(3):
        assert masked_log(log, walked) is log
    assert 0 < once == walked.walks
