"""Speech for training: sets by whole speaker, shards that are streamed, any microphone, and no reference that nobody knows."""

import io
import tarfile
from pathlib import Path

import msgspec
import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.dataset.reader import Corpus
from corpus.formats import riff
from corpus.formats.nist import stm
from corpus.formats.nist.stm import IGNORED
from corpus.io.staging import Staging
from corpus.packages.package_writer import Contents, contents_of
from corpus.packages.shards import Shards
from corpus.packages.speech_sets import SpeechSet, speech_sets
from corpus.release import holdout_file
from corpus.release.holdout_file import Holdout
from corpus.release.utterance_status import POOL, RELEASE
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.packages.packed import pack, say

LOADED = ("manifest", "webdataset", "shar", "audiofolder")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """8k2 is held out; 8k1 says something that nobody can make out, and something of which nobody is sure."""
    root = tmp_path_factory.mktemp("speech") / "corpus"
    scripts = [session_of("bbn", "8k1", "f", 1, 0.1), session_of("bbn", "8k2", "m", 2, 0.1)]
    say(scripts[0], "8k1A1", "show me [unintelligible]")
    corpus_of(root, *scripts)
    assigned = Holdout("1", {"8k1": RELEASE, "8k2": POOL})
    holdout_file.beside(root).write_bytes(holdout_file.render(assigned))
    return root


def exported(corpus: Path, target: Path, form: str, *microphones: str) -> tuple[Path, str]:
    err = io.StringIO()
    request = ExportRequest(str(corpus), str(target), form, whole=True, microphones=microphones)
    status = export_command(request, io.StringIO(), err)
    assert (status == 0) == target.exists(), err.getvalue()
    return target, err.getvalue()


def lines(path: Path) -> list[dict[str, object]]:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("form", LOADED)
def test_who_is_held_out_is_in_the_test_set_beside_the_training_set(corpus: Path, tmp_path: Path, form: str) -> None:
    root, _ = exported(corpus, tmp_path / "it", form)
    if form == "manifest":
        train, test = lines(root / "nemo_train.jsonl"), lines(root / "nemo_test.jsonl")
        assert [{row["speaker"] for row in rows} for rows in (train, test)] == [{"8k1"}, {"8k2"}]
        (row, *_) = lines(root / "whisper_test.jsonl")
        sound = riff.read(root / test[0]["audio_filepath"]).header  # type: ignore[operator]
        assert (row["sentence"], row["duration"]) == (test[0]["text"], sound.sample_count / sound.sample_rate)
        assert "8k1011ss" not in {row["utterance"] for row in train}, "nobody knows all of its words"
    elif form == "audiofolder":
        assert {path.name[:3] for path in (root / "train").glob("*.wav")} == {"8k1"}
        assert '  - split: test\n    path: "test/**"' in (root / "README.md").read_text("utf-8")
        rows = {row["utterance"]: row["transcription"] for row in lines(root / "train/metadata.jsonl")}
        assert rows["8k1011ss"] is None
    else:
        _sharded(corpus, root, form)


def _sharded(corpus: Path, root: Path, form: str) -> None:
    for name, speaker in (("train", "8k1"), ("test", "8k2")):
        path = root / (f"{name}-000000.tar" if form == "webdataset" else f"{name}/recording.000000.tar")
        with tarfile.open(path) as archive:
            held = {member.name: member for member in archive}
            assert {key[:3] for key in held} == {speaker}
            stem = f"{speaker}011ss"
            file = archive.extractfile(held[f"{stem}.wav"])
            assert file is not None
            copied = riff.parse(file.read(), stem)
            assert (f"{stem}.txt" in held) == (form == "webdataset" and speaker == "8k2")
        (original,) = corpus.rglob(f"{stem}.wav")
        assert copied.samples().astype("<i2").tobytes() == original.read_bytes()[1024:]
        if form == "shar":
            cuts = lines(root / f"{name}/cuts.000000.jsonl")
            assert [f"{cut['id']}.{kind}" for cut in cuts for kind in ("wav", "json")] == list(held)
            assert ("text" in cuts[0]["supervisions"][0]) == (speaker == "8k2")  # type: ignore[index]


def test_an_eighth_of_the_speakers_is_for_development_and_stays_so_when_more_come(corpus: Path) -> None:
    whole = contents_of(Corpus(corpus))

    def sets(count: int, name: str = "{:03d}") -> dict[str, SpeechSet]:
        (one, *_) = whole.corpus.manifest.sessions
        sessions = tuple(msgspec.structs.replace(one, speaker=name.format(n)) for n in range(count))
        part = msgspec.structs.replace(whole.corpus.manifest, sessions=sessions)
        return speech_sets(Contents(Corpus(corpus, part), (), whole.jobs, sets={"005": POOL}))

    many, more = sets(200), sets(400)
    assert 15 <= [*many.values()].count(SpeechSet.DEVELOPMENT) <= 40
    assert many == {speaker: more[speaker] for speaker in many}
    assert [speaker for speaker, name in many.items() if name is SpeechSet.TEST] == ["005"]
    assert SpeechSet.DEVELOPMENT not in sets(8).values(), "seven are too few to be divided"
    few = [*sets(14, "b{:02d}").values()]
    assert few.count(SpeechSet.DEVELOPMENT) == 1, "the hash takes none of these, so that the lowest is taken"


def test_shards_are_written_as_they_fill_and_the_last_one_with_the_rest(tmp_path: Path) -> None:
    staging = Staging(tmp_path)
    shards = Shards(staging, lambda number: f"{number}.tar", limit=4096)
    full = [shards.add({f"{n}.wav": bytes(1500), f"{n}.json": b"{}"}) for n in range(5)]
    shards.flush()
    shards.flush()
    assert full == [False, True, False, True, False]
    names = []
    for number in range(3):
        with tarfile.open(staging.root / f"{number}.tar") as archive:
            names.append(archive.getnames())
    assert names == [
        ["0.wav", "0.json", "1.wav", "1.json"],
        ["2.wav", "2.json", "3.wav", "3.json"],
        ["4.wav", "4.json"],
    ]
    assert list(staging.files) == ["0.tar", "1.tar", "2.tar"]


@pytest.mark.parametrize(("letters", "names"), [("c", ["8k1011sc"]), ("sc", ["8k1011sc", "8k1011ss"])])
def test_any_microphone_and_several_at_once(corpus: Path, tmp_path: Path, letters: str, names: list[str]) -> None:
    root, _ = exported(corpus, tmp_path / "it", "lhotse", *letters)
    assert sorted(row["id"] for row in lines(root / "recordings.jsonl") if row["id"][:6] == "8k1011") == names  # type: ignore[index, type-var]
    for name in names:
        assert riff.read(root / f"audio/8k1/{name}.wav").header.sample_count


def test_a_microphone_that_is_not_there_or_has_no_place_is_refused(corpus: Path, tmp_path: Path) -> None:
    assert "no sound of the microphone 'd'; it has c, s" in exported(corpus, tmp_path / "one", "kaldi", "d")[1]
    assert (
        "--microphone is for formats that choose among the sound" in exported(corpus, tmp_path / "two", "csv", "c")[1]
    )


def test_what_nobody_could_make_out_is_not_scored_and_what_is_unsure_is_optional(corpus: Path, tmp_path: Path) -> None:
    segments = stm.parse((pack(corpus, tmp_path / "stm", "stm") / "ref.stm").read_bytes(), "ref.stm").segments
    by_file = {segment.file: segment.text for segment in segments}
    assert (by_file["8k1011ss"], by_file["8k1031ss"]) == (IGNORED, "AND FLIGHT (SEVEN) (THREE) (TWO)")
    root = pack(corpus, tmp_path / "trn", "trn")
    text = (root / "ref.trn").read_text("utf-8")
    assert ("8k1011s" in text, "FLIGHT (SEVEN) (THREE) (TWO) (8k1-8k1031sx)" in text) == (False, True)
    assert "1 utterance with words that are masked or unintelligible" in (root / "README.txt").read_text("utf-8")
