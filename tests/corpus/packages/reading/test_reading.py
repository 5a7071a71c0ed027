"""Packages read back by our own readers: what a format keeps comes back as it was, and a broken one is refused with its place."""

import io
from pathlib import Path

import pytest
import soundfile

from corpus import open_package
from corpus.commands.export import ExportRequest, export_command
from corpus.dataset.reader import Corpus
from corpus.formats import riff
from corpus.formats.errors import FormatFault
from corpus.packages import dialogues, textgrid
from corpus.packages.formats import PACKING, ExportFormat
from corpus.packages.package_writer import contents_of, spoken
from corpus.packages.reading.package_readers import reader_of
from corpus.packages.reading.read_back import ReadUtterance
from corpus.packages.textgrid import TextGridInterval, Tier
from tests import ROOT
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.packages.packed import WRITABLE, pack, say

FIELDS = ("words", "detailed", "seconds", "sound")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One utterance never transcribed, one without a word, one that nobody made out, one of which nobody is sure."""
    script = session_of("bbn", "8k1", "f", 1, 0.1)
    for take, text in (("A2", ""), ("A3", "~~"), ("A4", "show [unintelligible]"), ("B2", "(( to boston )) fli-")):
        say(script, f"8k1{take}", text)
    return corpus_of(tmp_path_factory.mktemp("reading") / "corpus", script)


def held(corpus: Path) -> dict[str, ReadUtterance]:
    contents = contents_of(Corpus(corpus))
    found = list(spoken(contents))
    return {
        one.turn.stem: ReadUtterance(
            one.turn.stem, "8k1", one.turn.known_words, one.turn.sro or None, sound.seconds, sound.data
        )
        for one, sound in zip(found, contents.sounds(one.path for one in found), strict=True)
    }


@pytest.mark.parametrize("form", PACKING)
def test_sound_is_packed_without_loss_where_files_have_names(corpus: Path, tmp_path: Path, form: str) -> None:
    request = ExportRequest(str(corpus), str(tmp_path / form), form, flac=True)
    assert export_command(request, io.StringIO(), io.StringIO()) == 0
    there = held(corpus)
    assert not [*(tmp_path / form).glob("**/*.wav")]
    for one in open_package(tmp_path / form, form):
        packed, plain = one.sound or b"", there[one.stem].sound or b""
        assert packed[:4] == b"fLaC"
        samples, rate = soundfile.read(io.BytesIO(packed), dtype="int16")
        whole = riff.parse(plain, "")
        assert (samples.tobytes(), rate) == (bytes(whole.data), whole.header.sample_rate)


def test_a_format_whose_files_have_no_names_refuses_to_pack(corpus: Path, tmp_path: Path) -> None:
    err = io.StringIO()
    request = ExportRequest(str(corpus), str(tmp_path / "kaldi"), "kaldi", flac=True)
    assert (export_command(request, io.StringIO(), err), "--flac is for formats that name" in err.getvalue()) == (
        2,
        True,
    )


@pytest.mark.parametrize("form", WRITABLE)
def test_what_a_format_keeps_comes_back_as_it_was(corpus: Path, tmp_path: Path, form: str) -> None:
    reader, there = reader_of(ExportFormat(form)), held(corpus)
    found = {one.stem: one for one in reader.read(pack(corpus, tmp_path / form, form))}
    left_out = {*there} - {*found}
    assert len(found) > 2
    if left_out:
        assert "utterances with" in reader.loses or "nothing" not in reader.loses
        assert all(there[stem].words in (None, "") or form == "text2sql" for stem in left_out)
    for stem, one in found.items():
        for field in FIELDS:
            got, was = getattr(one, field), getattr(there[stem], field)
            if field not in reader.keeps:
                assert field != "sound" or got is None
            elif field == "seconds":
                assert got == pytest.approx(was, abs=1.1e-3), stem
            else:
                assert got == was, (stem, field)
        assert one.speaker == "8k1"


def test_the_page_says_of_every_format_what_it_keeps_and_loses() -> None:
    page = (ROOT / "docs/reference/formats/readers.md").read_text("utf-8")
    rows = {line for line in page.splitlines() if line.startswith("| `")}
    for form in ExportFormat:
        reader = reader_of(form)
        kept = ", ".join(field for field in FIELDS if field in reader.keeps)
        assert f"| `{form}` | {kept} | {reader.loses} |" in rows


def test_a_package_is_opened_by_the_name_of_its_format(corpus: Path, tmp_path: Path) -> None:
    root = pack(corpus, tmp_path / "kaldi", "kaldi")
    assert next(open_package(root, "kaldi")).stem == "8k1011sx"
    with pytest.raises(ValueError, match="there is no format mp3; choose kaldi"):
        open_package(root, "mp3")


def test_whole_dialogues_and_grids_come_back(corpus: Path, tmp_path: Path) -> None:
    made = [*dialogues.dialogues(contents_of(Corpus(corpus)))]
    data = (pack(corpus, tmp_path / "dialogues", "dialogues") / "dialogues.jsonl").read_bytes()
    assert dialogues.parse(data, "dialogues.jsonl") == made
    root = pack(corpus, tmp_path / "textgrid", "textgrid")
    for path in root.rglob("*.TextGrid"):
        assert textgrid.render(textgrid.parse(path.read_bytes(), path.name)) == path.read_bytes()
    next(root.glob("*/???/*/*.TextGrid")).write_bytes(b'"ooTextFile" "TextGrid" 0 1 <exists> 0')
    with pytest.raises(FormatFault, match="no tiers words and detailed with intervals"):
        list(open_package(root, "textgrid"))
    short = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n2\n<exists>\n2\n"IntervalTier"\n'
    short += '"w [1]: 3"\n0\n2\n1\n0\n2\n"a ""b"" 7 <exists>\nc"\n"TextTier"\n"p"\n0\n2\n1\n1.5\n"!"\n'
    wanted = (
        Tier("w [1]: 3", (TextGridInterval(0, 2, 'a "b" 7 <exists>\nc'),)),
        Tier("p", (TextGridInterval(1.5, 1.5, "!"),)),
    )
    assert textgrid.parse(short.encode("utf-16"), "x.TextGrid") == wanted


_HEAD = b'"ooTextFile" "TextGrid" 0 1 '


@pytest.mark.parametrize("data", [b"", _HEAD + b"<absent> 0", _HEAD + b'<exists> 1 "Tier"', b"\xff\xff"])
def test_what_is_no_grid_is_refused(data: bytes) -> None:
    with pytest.raises(FormatFault, match="Praat"):
        textgrid.parse(data, "x.TextGrid")


@pytest.mark.parametrize(
    ("form", "file", "data", "told"),
    [
        ("kaldi", "utt2dur", b"8k1011ss x\n", "utt2dur: 8k1"),
        ("kaldi", "text", b"8k1011ss A\n8k1011ss B\n", "text:2: 8k1011ss is there twice"),
        ("lhotse", "recordings.jsonl", b'{"id": 3}\n', "recordings.jsonl:1: "),
        ("lhotse", "supervisions.jsonl", b"", "nothing of 8k1"),
        ("trn", "ref.trn", b"SHOW ME\n", "ref.trn:1: no id"),
        ("csv", "turns.csv", b"a,b\n1,2\n", "turns.csv:2: no column"),
        ("dialogues", "dialogues.jsonl", b"{", "dialogues.jsonl:1: "),
        ("webdataset", "train-000000.tar", b"no tar", "train-000000.tar: "),
        ("shar", "train/cuts.000000.jsonl", b'{"duration": 1, "supervisions": []}', "cuts.000000.jsonl:1: "),
    ],
)  # fmt: skip
def test_a_broken_package_is_refused_with_its_place(
    corpus: Path, tmp_path: Path, form: str, file: str, data: bytes, told: str
) -> None:
    reader, root = reader_of(ExportFormat(form)), pack(corpus, tmp_path / form, form)
    (root / file).write_bytes(data)
    with pytest.raises(FormatFault, match=told):
        list(reader.read(root))
    (root / file).unlink()
    with pytest.raises(FormatFault, match="whole package"):
        list(reader.read(root))
