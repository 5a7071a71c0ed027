"""The formats of today: each held to what its own readers ask for, and all to consent and checksums."""

import csv
import hashlib
import importlib.util
import io
import itertools
import re
import shutil
from collections.abc import Callable, Collection
from pathlib import Path

import msgspec
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from corpus.commands.package import Package, package_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.formats import manifest, riff
from corpus.formats.errors import FormatFault
from corpus.io.staging import Refused
from corpus.packages.audiofolder import typed_first
from corpus.packages.formats import ExportFormat
from corpus.packages.package_writer import contents_of
from corpus.packages.textgrid import TextGridInterval, tiled
from corpus.packages.writers import write_package
from session import events as e
from tests.corpus import kaldi_rules
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.packages.packed import ARCHIVED, SOUNDLESS, WRITABLE, corpus, pack
from tests.corpus.sessions import MemorySource

__all__ = ["corpus"]


def rows(path: Path) -> list[dict[str, object]]:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


# --- all of them ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", WRITABLE)
def test_every_package_tells_what_it_is_and_hashes_all_its_files(
    corpus: Path, tmp_path: Path, form: ExportFormat
) -> None:
    root = pack(corpus, tmp_path / "package", form)
    assert form in (root / "README.txt").read_text("utf-8")
    assert "## Who spoke" in (root / "DATASHEET.md").read_text("utf-8")
    heads = msgspec.json.decode((root / "sessions.json").read_bytes())
    assert {entry["chain_head"] for entry in heads} == {"f6" * 32}
    listings = ("manifest-sha256.txt", "tagmanifest-sha256.txt") if form == "bagit" else ("SHA256SUMS",)
    lines = [line.split("  ") for name in listings for line in (root / name).read_text("utf-8").splitlines()]
    there = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert {path for _, path in lines} == there - {listings[-1]}
    for sha256, path in lines:
        assert hashlib.sha256((root / path).read_bytes()).hexdigest() == sha256


def test_a_package_says_where_pilots_are_in_it(corpus: Path, tmp_path: Path) -> None:
    """Tables of utterances for recognisers have no place for it."""
    scripts = [session_of("bbn", "8k1"), session_of("bbn", "8k2", number=2)]
    opened = msgspec.structs.replace(scripts[0].opened, pilot=True)
    scripts[0].facts[0] = msgspec.structs.replace(scripts[0].facts[0], event=opened)
    made = pack(corpus_of(tmp_path / "corpus", *scripts), tmp_path / "kaldi", "kaldi")
    assert "1 session of 2 are pilots, which are not data" in (made / "README.txt").read_text("utf-8")
    (pilot, other) = msgspec.json.decode((made / "sessions.json").read_bytes())
    assert (pilot["speaker"], pilot["pilot"], other["pilot"]) == ("8k1", True, False)
    assert "pilots" not in (pack(corpus, tmp_path / "none", "kaldi") / "README.txt").read_text("utf-8")


@pytest.mark.parametrize("form", WRITABLE)
def test_the_same_corpus_gives_the_same_package(corpus: Path, tmp_path: Path, form: ExportFormat) -> None:
    first, second = (pack(corpus, tmp_path / name, form) for name in ("one", "two"))
    for path in first.rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (second / path.relative_to(first)).read_bytes()


@pytest.mark.parametrize("form", sorted({*WRITABLE} - SOUNDLESS - ARCHIVED))
def test_sound_keeps_every_sample(corpus: Path, tmp_path: Path, form: ExportFormat) -> None:
    root = pack(corpus, tmp_path / "package", form)
    sounds = sorted(root.rglob("*ss.wav"))
    assert len(sounds) >= 19
    for path in sounds:
        original, _ = soundfile.read(io.BytesIO(next(corpus.rglob(path.name)).read_bytes()), dtype="int16")
        copied, rate = soundfile.read(io.BytesIO(path.read_bytes()), dtype="int16")
        assert (copied.tobytes(), rate) == (original.tobytes(), 16_000)


@pytest.mark.parametrize("form", WRITABLE)
def test_no_audio_of_a_speaker_who_agreed_to_text_only_leaves_in_any_format(tmp_path: Path, form: ExportFormat) -> None:
    silent, loud = session_of("bbn", "8k2"), session_of("bbn", "8k1", number=2)
    for index, fact in enumerate(silent.facts):
        if isinstance(fact.event, e.ConsentGiven):
            event = msgspec.structs.replace(fact.event, scopes={"record": True, "publish_audio": False})
            silent.facts[index] = msgspec.structs.replace(fact, event=event)
    export(MemorySource(silent, loud), tmp_path / "corpus", ExportOptions(unnumbered=True))
    root = pack(tmp_path / "corpus", tmp_path / "package", form)
    package_text = (root / "README.txt").read_text("utf-8")
    if form in ("bagit", "csv", "dialogues", "text2sql"):
        assert "utterances of 2 speakers" in package_text
    if form in ("bagit", "csv", "dialogues"):
        assert "14 utterances of 2 speakers" in package_text
    elif form != "text2sql":
        assert "7 utterances of 1 speaker," in package_text
        assert "Left out: 7 utterances whose speakers did not agree to hand over audio." in package_text
    if form in ("trn", "stm"):
        assert b"8k2" not in (root / f"ref.{form}").read_bytes()
    assert not list(root.rglob("8k2*.wav"))
    pieces = [data[100:400] for channels in silent.takes.values() for data in channels.values()]
    everything = b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file())
    assert not any(piece in everything for piece in pieces)


def test_nothing_is_overwritten(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="exists already"):
        write_package(contents_of(Corpus(corpus)), tmp_path, ExportFormat.CSV)
    assert list(tmp_path.iterdir()) == []


# --- Kaldi ----------------------------------------------------------------------------------------------------------------


def test_a_kaldi_directory_keeps_the_rules_of_its_validator(corpus: Path, tmp_path: Path) -> None:
    root = pack(corpus, tmp_path / "kaldi", "kaldi")
    assert kaldi_rules.broken(root) == []
    assert (root / "text").read_text("utf-8").splitlines()[0].startswith("8k1011ss SHOW ME FLIGHTS FROM BOSTON")
    assert (root / "spk2gender").read_text("utf-8") == "8k1 m\n8k2 f\n9a1 f\n"
    for line in (root / "wav.scp").read_text("utf-8").splitlines():
        assert (root / line.split()[1]).is_file()
    assert len((root / "text").read_text("utf-8").splitlines()) == 19
    readme = (root / "README.txt").read_text("utf-8")
    assert ("1 utterance without a word" in readme, "1 utterance never transcribed" in readme) == (
        True,
        True,
    )


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("text", "8k1011ss", "8k3011ss"), ("utt2spk", " 8k1\n", " 9z9\n"), ("spk2gender", " m\n", " x\n"),
        ("text", "SHOW ME", "SHOW\u00a0ME"), ("utt2dur", " 0.", " -0."), ("wav.scp", " audio", " ~/audio"),
        ("spk2utt", "8k1 ", "8k0 "),
    ],
)  # fmt: skip
def test_the_rules_find_what_is_broken(corpus: Path, tmp_path: Path, name: str, old: str, new: str) -> None:
    root = pack(corpus, tmp_path / "kaldi", "kaldi")
    text = (root / name).read_text("utf-8")
    assert old in text
    (root / name).write_text(text.replace(old, new, 1), "utf-8")
    assert kaldi_rules.broken(root) != []


def test_a_speaker_whose_sex_is_not_stated_costs_the_table_that_knows_two(tmp_path: Path) -> None:
    root = pack(corpus_of(tmp_path / "c", session_of("bbn", "8k1", "x")), tmp_path / "kaldi", "kaldi")
    assert not (root / "spk2gender").exists()
    assert kaldi_rules.broken(root) == []


# --- AudioFolder and lhotse -----------------------------------------------------------------------------------------------


def test_audiofolder_metadata_name_every_waveform_beside_them(corpus: Path, tmp_path: Path) -> None:
    root = pack(corpus, tmp_path / "hf", "audiofolder")
    found = rows(root / "train/metadata.jsonl")
    assert {row["file_name"] for row in found} == {path.name for path in (root / "train").glob("*.wav")}
    assert len({frozenset(row) for row in found}) == 1, "loaders drop columns that some rows lack"
    beside = [path for path in root.rglob("*") if path.relative_to(root).parts[0] != "train"]
    assert not [path for path in beside if re.search("train|test|valid|dev", path.relative_to(root).as_posix())]
    assert list(root.glob("train/*/*")) == []
    by_name = {row["utterance"]: row for row in found}
    assert by_name["8k2021ss"]["transcription"] is None
    empty = {"transcription", "age"}
    assert not [key for row in found for key, value in row.items() if value is None and key not in empty]
    assert by_name["8k1021ss"]["transcription"] == ""
    assert "null where nobody has transcribed yet, empty where no word" in (root / "README.txt").read_text("utf-8")
    assert by_name["8k1011ss"]["transcription"].startswith("SHOW ME")  # type: ignore[attr-defined]


def test_rows_that_give_each_column_its_type_come_first() -> None:
    names = ("a", "b", "c", "d")
    rows = [{"name": name, "age": 33 if name == "d" else None, "text": "X" if name == "c" else None} for name in names]
    assert [row["name"] for row in typed_first(rows)] == ["a", "c", "d", "b"]  # type: ignore[arg-type]
    assert typed_first([{"age": None}, {"age": None}]) == [{"age": None}] * 2
    assert typed_first([]) == []


def test_lhotse_manifests_promise_the_samples_that_are_there(corpus: Path, tmp_path: Path) -> None:
    root = pack(corpus, tmp_path / "lhotse", "lhotse")
    recordings = {row["id"]: row for row in rows(root / "recordings.jsonl")}
    for row in recordings.values():
        (source,) = row["sources"]  # type: ignore[misc]
        info = soundfile.info(root / source["source"])  # type: ignore[has-type]
        assert (row["num_samples"], row["sampling_rate"], row["duration"]) == (
            info.frames,
            info.samplerate,
            info.duration,
        )
    for row in rows(root / "supervisions.jsonl"):
        assert row["recording_id"] in recordings
        assert (row["start"], row["duration"]) == (0.0, recordings[row["recording_id"]]["duration"])
        assert str(row["id"]).startswith(str(row["speaker"]))
    texts = {row["id"]: row.get("text") for row in rows(root / "supervisions.jsonl")}
    assert (texts["8k2021ss"], texts["8k1021ss"]) == (None, "")
    assert "empty where no word was spoken, not there where nobody" in (root / "README.txt").read_text("utf-8")


# --- TextGrid -------------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.floats(-5, 50), st.floats(-5, 50)), max_size=12),
    st.floats(0.001, 40),
)
def test_tiers_tile_whatever_the_intervals(pairs: list[tuple[float, float]], duration: float) -> None:
    made = tiled([TextGridInterval(begin, end, "x") for begin, end in pairs], duration)
    assert (made[0].begin, made[-1].end) == (0.0, duration)
    assert all(interval.end - interval.begin > 0.999e-6 for interval in made)
    assert all(one.end == other.begin for one, other in itertools.pairwise(made))


def test_textgrids_are_as_long_as_their_waveforms_and_quote_what_they_must(corpus: Path, tmp_path: Path) -> None:
    root = pack(corpus, tmp_path / "grids", "textgrid")
    for path in root.rglob("*ss.TextGrid"):
        text = path.read_text("utf-8")
        wave = riff.read(path.with_suffix(".wav")).header
        ends = {float(end) for end in re.findall(r"xmax = (\S+)\n(?! +text)", text)}
        assert ends == {wave.sample_count / wave.sample_rate}, "Praat compares them exactly"
        assert text.count('class = "IntervalTier"') == 3
        assert '"pressed"' in text
    timeline = (root / "timeline/8k2001sx.TextGrid").read_text("utf-8")
    assert '"1: show me flights from boston to denver please"' in timeline
    assert '"pause"' in timeline
    assert all(line.count('"') % 2 == 0 for line in timeline.splitlines())


# --- BagIt ----------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(
    importlib.util.find_spec("bagit") is None, reason="bagit, of the development group, is not installed"
)
@pytest.mark.filterwarnings("ignore")
def test_bagit_validates_the_bag_and_finds_a_flipped_bit(corpus: Path, tmp_path: Path) -> None:
    import bagit

    root = pack(corpus, tmp_path / "bag", "bagit")
    bagit.Bag(str(root)).validate()
    victim = next((root / "data").rglob("*ss.wav"))
    data = bytearray(victim.read_bytes())
    data[-1] ^= 1
    victim.write_bytes(bytes(data))
    with pytest.raises(bagit.BagValidationError):
        bagit.Bag(str(root)).validate()


# --- CSV ------------------------------------------------------------------------------------------------------------------


def read(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"), newline="")))


def test_a_row_of_turns_has_the_seconds_at_the_transcription_desk_where_they_were_measured(
    corpus: Path, tmp_path: Path
) -> None:
    shutil.copytree(corpus, tmp_path / "corpus")
    whole = Corpus(corpus).manifest
    files = dict(whole.files)
    for name, seconds in (("8k2/1/8k2011sx", 95.5), ("8k2/2/8k2012sx", 0.0)):
        work = manifest.Provenance("anna", "2026-11-21T09:30:00Z", "ben", "2026-11-21T09:31:00Z", seconds)
        files[f"spon/{name}.sro"] = msgspec.structs.replace(files[f"spon/{name}.sro"], draft=False, work=work)
    data = manifest.render(msgspec.structs.replace(whole, files=files))
    (tmp_path / "corpus/manifest.json").write_bytes(data)
    found = read(pack(tmp_path / "corpus", tmp_path / "csv", "csv") / "turns.csv")
    assert {row["stem"]: row["desk_s"] for row in found if row["desk_s"]} == {"8k2011sx": "95.500000"}
    assert len(found) == 21


def test_a_row_of_turns_has_every_stage_and_they_add_up(corpus: Path, tmp_path: Path) -> None:
    found = read(pack(corpus, tmp_path / "csv", "csv") / "turns.csv")
    assert len(found) == 21
    first = next(row for row in found if row["stem"] == "8k2011sx")
    parts = [float(first[f"{stage}_s"]) for stage in ("transcribe", "formulate", "query", "inspect")]
    assert sum(parts) == pytest.approx(float(first["wizard_s"]), abs=1e-3)
    assert float(first["wizard_s"]) + float(first["display_s"]) == pytest.approx(float(first["reply_s"]), abs=1e-3)
    assert (first["requests"], first["failures"], first["response"], first["decide_s"]) == ("2", "1", "answer", "")
    canned = next(row for row in found if row["stem"] == "8k2021sx")
    assert (canned["canned_message"], canned["scope"], canned["query_s"]) == ("none", "out", "")
    wrong = next(row for row in found if row["stem"] == "8k2031sx")
    assert (wrong["marked_wrong"], wrong["audio_troubles"]) == ("1", "1")
    after = {
        row["stem"]: row["after_error"] for row in found if row["session"] == wrong["session"] and row["after_error"]
    }
    assert (after["8k2041sx"], wrong["after_error"]) == ("wrong answer", "diagnostic")
    filled = next(row for row in found if row["stem"] == "8k2012sx")
    assert (filled["replies"], filled["fillers"], filled["response"]) == ("2", "1", "answer")


def test_a_scenario_that_was_not_solved_is_censored(corpus: Path, tmp_path: Path) -> None:
    found = {
        row["session"] + row["scenario_number"]: row
        for row in read(pack(corpus, tmp_path / "csv", "csv") / "scenarios.csv")
    }
    solved, given_up = found["bbn-20261121-11"], found["bbn-20261121-12"]
    assert (solved["censored"], solved["given"], solved["solution"], solved["correct"]) == ("0", "1", "flight 103", "")
    assert float(solved["paused_s"]) == pytest.approx(30.25)
    assert float(solved["declared_s"]) <= float(solved["time_s"])
    assert (given_up["censored"], given_up["declared_s"], given_up["outcome"], given_up["finished"]) == (
        "1",
        "",
        "given_up",
        "1",
    )
    assert solved["q_satisfaction_pleased"] == given_up["q_satisfaction_pleased"] == "4"


# --- the command ----------------------------------------------------------------------------------------------------------


def test_the_command_takes_a_corpus_and_leaves_nothing_beside(corpus: Path, tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    assert package_command(str(corpus), str(tmp_path / "p"), Package(ExportFormat.STM), out, err) == 0
    assert (out.getvalue(), "20 utterances as stm" in err.getvalue()) == (f"{tmp_path / 'p'}\n", True)
    assert [path.name for path in tmp_path.iterdir()] == ["p"]
    assert package_command(str(corpus), str(tmp_path / "p"), Package(ExportFormat.STM), out, err) == 2
    assert package_command(str(tmp_path), str(tmp_path / "q"), Package(ExportFormat.STM), out, err) == 2
    assert "it has neither study.toml nor manifest.json" in err.getvalue()


def test_packages_refuse_a_corpus_without_a_transcription(tmp_path: Path) -> None:
    script = session_of("bbn", "8k1")
    script.facts = [fact for fact in script.facts if not isinstance(fact.event, e.Transcribed)]
    root = corpus_of(tmp_path / "corpus", script)
    for form in ("kaldi", "manifest", "trn", "stm"):
        with pytest.raises(Refused, match="transcribe the corpus first"):
            write_package(contents_of(Corpus(root)), tmp_path / form, form)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", sorted(WRITABLE))
@pytest.mark.parametrize(
    ("path", "change", "hurt"),
    [
        ("spon/8k1/1/8k1011sx.sro", lambda data: data[:1].swapcase() + data[1:], WRITABLE),
        ("spon/8k1/1/8k1001sx.log", lambda data: data.replace(b"[Pace:] 1", b"[Pace:] 2"), WRITABLE),
        (
            "spon/8k1/1/8k1011ss.wav",
            lambda data: data[:-1] + bytes([data[-1] ^ 1]),
            set(WRITABLE) - SOUNDLESS,
        ),
    ],
    ids=["words", "log", "sound"],
)
def test_a_file_that_was_changed_in_place_gets_into_no_package_under_a_fresh_checksum(
    corpus: Path, tmp_path: Path, form: ExportFormat, path: str, change: Callable[[bytes], bytes], hurt: Collection[str]
) -> None:
    copy = tmp_path / "corpus"
    shutil.copytree(corpus, copy)
    (copy / path).write_bytes(change((copy / path).read_bytes()))
    if form not in hurt:
        pack(copy, tmp_path / "package", form)
        return
    with pytest.raises((FormatFault, Refused), match=r"not the file .*run curtain verify"):
        pack(copy, tmp_path / "package", form)
    assert not (tmp_path / "package").exists()
