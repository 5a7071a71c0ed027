"""Recordings made elsewhere as a corpus: words and samples are those of the source, and nothing is invented around them."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from cli.corpus import import_
from corpus.commands.export import ExportRequest, export_command
from corpus.commands.import_recordings import ImportOptions, import_command
from corpus.commands.report import StatsOptions, stats_command
from corpus.commands.show import show_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.formats import riff, spkrinfo, waveform
from corpus.formats.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.importing.import_formats import ImportFormat
from corpus.verify.verify import VerifyOptions, verify_command
from session.values.clock import ManualClock
from tests.corpus.importing import sources
from tests.corpus.importing.sources import FIRST, MADE, SECOND, samples


def imported(source: Path, target: Path, form: str, **more: Any) -> tuple[int, str]:
    err = io.StringIO()
    options = ImportOptions(str(source), str(target), form, "lab", **more)
    return import_command(options, ManualClock(), io.StringIO(), err), err.getvalue()


def verified(corpus: Path) -> str:
    out = io.StringIO()
    assert verify_command(VerifyOptions(str(corpus)), out, io.StringIO()) == 0
    return out.getvalue()


def test_the_formats_offered_are_those_that_can_be_read() -> None:
    kind = next(option.type for option in import_.params if option.name == "form")
    assert isinstance(kind, click.Choice)
    assert {*kind.choices} == {*ImportFormat} == {*MADE, ImportFormat.MADCOW}


@pytest.mark.parametrize("form", MADE)
def test_words_and_samples_are_those_of_the_source_and_the_corpus_is_in_order(form: str, tmp_path: Path) -> None:
    status, told = imported(MADE[form](tmp_path / "source"), tmp_path / "new", form)
    assert (status, "2 utterances of 2 speakers" in told) == (0, True), told
    assert ": error" not in (found := verified(tmp_path / "new"))
    assert ": warning" not in found
    assert "transcribed by an import from" in found
    corpus = Corpus(tmp_path / "new")
    texts = {path[5:8]: corpus.read(path).decode().strip() for path in corpus.manifest.files if path.endswith(".sro")}
    assert texts == {"001": FIRST, "002": SECOND}
    sounds = [waveform.parse(corpus.read(f"spon/{who}/1/{who}011ss.wav"), "") for who in ("001", "002")]
    assert [bytes(sound.data) for sound in sounds] == [samples("first"), samples("second")]
    names = (tmp_path / "new.names.csv").read_text("utf-8")
    assert "anna" in names
    for path in corpus.manifest.files:
        assert b"anna" not in corpus.read(path)


def test_a_disc_keeps_its_names_and_what_of_it_can_be_read(tmp_path: Path) -> None:
    (made := sources.disc(tmp_path / "source")).joinpath("SPKRINFO.LOG;1").write_bytes(
        spkrinfo.render(SpeakerTable((SpeakerInfo("4a2", "f", 31),)))
    )
    status, told = imported(made, tmp_path / "new", "madcow")
    table = spkrinfo.parse((tmp_path / "new/doc/spkrinfo.log").read_bytes(), "")
    assert [(one.speaker, one.sex, one.age) for one in table.speakers] == [("4a1", "", None), ("4a2", "f", 31)]
    assert (status, "1 × .cat taken as it is" in told, "1 × .ref left out, as it cannot be read" in told) == (
        0,
        True,
        True,
    )
    verified(tmp_path / "new")
    kept = {path for path in Corpus(tmp_path / "new").manifest.files if path.startswith("spon")}
    first = {f"spon/4a1/1/4a1011s{end}" for end in ("s.wav", "x.sro", "x.lsn", "x.cat")}
    second = {f"spon/4a2/3/4a2033s{end}" for end in ("s.wav", "x.sro", "x.lsn")}
    assert kept == {*first, *second, "spon/4a1/1/4a1001sx.log", "spon/4a2/3/4a2003sx.log"}
    held = waveform.parse((tmp_path / "new/spon/4a2/3/4a2033ss.wav").read_bytes(), "")
    assert (bytes(held.data), (tmp_path / "new/spon/4a2/3/4a2033sx.sro").read_text()) == (
        samples("second"),
        f"{SECOND}\n",
    )


def test_what_follows_works_and_claims_nothing_that_nobody_knows(tmp_path: Path) -> None:
    source, new = sources.csv(tmp_path / "source"), tmp_path / "new"
    sources.more_clips(source.parent)
    text = source.read_text("utf-8") + "\nclips/third.wav,ben,leave at 9,,,\nclips/fourth.wav,ben,,,,\n"
    source.write_text(text, "utf-8")
    stated = tmp_path / "study.toml"
    stated.write_text('site = "lab"\n[metadata]\ntitle = "Clips of a lab"\nlicence = "CC0-1.0"\n')
    status, told = imported(source, new, "csv", first_speaker="4a1", metadata=str(stated))
    assert (status, "4 × column 'mood' not taken" in told) == (0, True)
    speakers = spkrinfo.parse((new / "doc/spkrinfo.log").read_bytes(), "")
    assert [(one.speaker, one.sex, one.age) for one in speakers.speakers] == [("4a1", "f", 31), ("4a2", "", None)]
    assert {one.site for one in speakers.speakers} == {"lab"}
    corpus = Corpus(new)
    assert [name.rpartition("-")[2] for name in corpus.sessions] == ["194041", "194076"], (
        "each id has numbers of its own"
    )
    assert [path for path, entry in corpus.manifest.files.items() if entry.draft and path.endswith("sro")] == [
        "spon/4a2/1/4a2021sx.sro"
    ]
    out = io.StringIO()
    assert stats_command(StatsOptions(str(new)), out, io.StringIO()) == 0
    assert "For imported data, only speech, words and people are counted" in out.getvalue()
    assert "Methods checklist" not in out.getvalue()
    assert "broken off" not in out.getvalue()
    out = io.StringIO()
    assert show_command([str(new / "spon/4a1/1/4a1001sx.log")], False, out, io.StringIO()) == 0
    assert out.getvalue().splitlines()[0].endswith(", subject-scenario 1: imported")
    assert "the dialogue around the utterances is unknown" in out.getvalue()
    assert "wizard" not in (new / "README.txt").read_text("utf-8").lower()
    for form, name in (("kaldi", "text"), ("dialogues", "dialogues.jsonl")):
        assert exported(new, tmp_path / form, form) == 0
        assert FIRST.upper() in (tmp_path / form / name).read_text("utf-8")
    assert "Clips of a lab" in (tmp_path / "kaldi/CITATION.cff").read_text("utf-8")
    assert exported(new, tmp_path / "audiofolder", "audiofolder") == 0
    for path in (path for form in ("kaldi", "audiofolder") for path in (tmp_path / form).rglob("*")):
        said = (
            path.read_text("utf-8").lower()
            if path.suffix in (".md", ".txt", ".json", ".jsonld", ".xml", ".cmdi")
            else ""
        )
        claims = ("wizard", "simulated", "deceived:  ", "broken off", "expert-generated", '"collected"')
        assert [claim for claim in claims if claim in said] == [], path
    dialogue = json.loads((tmp_path / "dialogues/dialogues.jsonl").read_text("utf-8").splitlines()[0])
    assert "replies" not in dialogue["turns"][0]
    assert "wizard" not in exported_readme(new, tmp_path / "sphere")


def exported(corpus: Path, target: Path, form: str) -> int:
    return export_command(ExportRequest(str(corpus), str(target), form), io.StringIO(), io.StringIO())


def exported_readme(corpus: Path, target: Path) -> str:
    assert exported(corpus, target, "sphere") == 0
    found = verified(target)
    assert ": error" not in found
    assert "wave." not in found
    files = [path for path in Corpus(target).manifest.files if path.endswith(".wav")]
    assert {(target / path).read_bytes()[:7] for path in files} == {b"NIST_1A"}
    assert exported(target, target.with_name("riff"), "riff") == 0
    assert all((target.with_name("riff") / path).read_bytes() == (corpus / path).read_bytes() for path in files)
    return (target / "README.txt").read_text("utf-8").lower()


def test_who_withdraws_leaves_the_table_of_names_too(tmp_path: Path) -> None:
    new, table = tmp_path / "new", tmp_path / "new.names.csv"
    imported(sources.kaldi(tmp_path / "source"), new, "kaldi")
    err = io.StringIO()
    for plan in (True, False):
        assert "anna" in table.read_text("utf-8")
        asked = WithdrawOptions("001", dry_run=plan)
        assert withdraw_command(str(new), asked, ManualClock(), io.StringIO(), err) == 0, err.getvalue()
    assert "1 row of 001 would go too" in err.getvalue()
    assert f"imported from {tmp_path}/source/segments: anna-1: delete" in err.getvalue()
    left = table.read_text("utf-8")
    assert ("anna" in left, "ben" in left, table.stat().st_mode & 0o77) == (False, True, 0)
    verified(new)


Spoil = Callable[[Path], object]


def _rewritten(name: str, before: str, after: str) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / name
        path.write_text(path.read_text("utf-8").replace(before, after), "utf-8")

    return spoil


def _empty(folder: Path) -> None:
    (folder / "wav/one.wav").write_bytes(riff.render(riff.pcm_file(b"", 16_000)))


def _linked(folder: Path) -> None:
    (folder / "wav/one.wav").rename(folder.parent / "elsewhere.wav")
    (folder / "wav/one.wav").symlink_to(folder.parent / "elsewhere.wav")


@pytest.mark.parametrize(
    ("form", "spoil", "told"),
    [
        ("csv", _rewritten("all.csv", "client_id", "who"), "all.csv:2: no column for the speaker; name one speaker"),
        ("csv", _rewritten("all.csv", "clips/first.wav", "../first.wav"), "all.csv:2: '../first.wav' leads out of"),
        ("csv", _rewritten("all.csv", "clips/first.wav", "clips/third.wav"), "all.csv:2: no file 'clips/third.wav'"),
        ("csv", _rewritten("all.csv", ",ben", ""), "all.csv:3: 5 cells under 6 columns"),
        ("csv", _rewritten("all.csv", "gender", "path"), "all.csv:1: the first line does not name each column once"),
        ("csv", lambda folder: (folder / "all.csv").write_bytes(b"path,\xff\n"), "all.csv:1: "),
        ("kaldi", _rewritten("segments", "3.25", "32.5"), "ben-1: 2 to 32.5 s of one.wav, which is 4 s long"),
        ("kaldi", _rewritten("wav.scp", "cat", "sox"), "wav.scp has a command there: sox wav/one.wav |"),
        ("kaldi", _rewritten("utt2spk", "ben-1", "ben-2"), "ben-1: it is not in utt2spk and wav.scp"),
        ("kaldi", _empty, "anna-1: 0.5 to 1.5 s of one.wav, which is 0 s long"),
        ("kaldi", _linked, "'wav/one.wav' is a link out of"),
        ("kaldi", lambda folder: (folder / "wav/one.wav").write_bytes(b"no sound"), "give a sound that can be read"),
        ("lhotse", _rewritten("supervisions.jsonl", '"first"', '"second"'), "second stands at"),
        ("textgrid", lambda folder: (folder / "one.wav").unlink(), "no sound of the same name"),
        ("textgrid", _rewritten("one.TextGrid", '"anna"', '"words"'), ""),
        ("elan", _rewritten("one.eaf", "ANNOTATION_DOCUMENT", "OTHER"), "'OTHER' is not a document of ELAN"),
        ("bids", lambda folder: (folder / "sub-ben/sub-ben.json").write_text("{"), "sub-ben.json: "),
    ],
)
def test_what_is_wrong_is_named_with_its_place_and_nothing_is_left(
    form: str, spoil: Spoil, told: str, tmp_path: Path
) -> None:
    made = MADE[form](tmp_path / "source")
    spoil(tmp_path / "source")
    status, found = imported(made, tmp_path / "new", form)
    if told:
        assert (status, told in found) == (2, True), found
        assert {path.name for path in tmp_path.iterdir()} <= {"source", "elsewhere.wav"}
    else:
        assert "1 utterance of 1 speaker" in found


LAID_OUT: list[tuple[Callable[[Path], Path], str, tuple[str, ...], list[str], list[str]]] = [
    (
        sources.spoken_in_a_row,
        "csv",
        (),
        [FIRST, "[unintelligible] [laughter] straße"],
        ["1 × speaker: none named", "40 × sessions of a speaker put together", "marks such as <unk>"],
    ),
    (sources.events, "bids", (), [FIRST, SECOND], []),
    (
        sources.aligned,
        "textgrid",
        (),
        ["schöne flüge", SECOND],
        ["1 × words put together", "2 × speaker: named nowhere"],
    ),
    (sources.documented, "elan", ("t?",), [FIRST, SECOND], []),
    (sources.documented, "elan", (), ["a (( zero zero one ))"], ["tier 'tx' passed over", "tier 'notes' taken for a"]),
]


@pytest.mark.parametrize(("make", "form", "tiers", "texts", "told"), LAID_OUT)
def test_layouts_of_other_programs_are_taken_as_they_mean_them(
    make: Callable[[Path], Path], form: str, tiers: tuple[str, ...], texts: list[str], told: list[str], tmp_path: Path
) -> None:
    (tmp_path / "source").mkdir()
    status, found = imported(make(tmp_path / "source"), tmp_path / "new", form, tiers=tiers)
    assert (status, [one for one in told if one not in found]) == (0, []), found
    corpus = Corpus(tmp_path / "new")
    written = [corpus.read(path).decode().strip() for path in sorted(corpus.manifest.files) if path.endswith(".sro")]
    assert list(dict.fromkeys(written))[: len(texts)] == texts
    spoken = [path for path in sorted(corpus.manifest.files) if path.endswith(".wav")]
    held = [bytes(waveform.parse(corpus.read(path), "").data) for path in spoken]
    assert samples("first").startswith(held[0])
    assert len(held) == 41 or held[1] == samples("second")


@pytest.mark.parametrize("form", ["textgrid", "elan"])
def test_what_was_exported_comes_back_under_its_names(form: str, tmp_path: Path) -> None:
    imported(sources.disc(tmp_path / "source"), tmp_path / "new", "madcow")
    assert exported(tmp_path / "new", tmp_path / "package", form) == 0
    status, told = imported(tmp_path / "package", tmp_path / "again", form)
    assert status == 0, told
    before, after = Corpus(tmp_path / "new"), Corpus(tmp_path / "again")
    kept = [path for path in before.manifest.files if path.endswith((".sro", ".lsn", ".wav"))]
    assert [path for path in kept if before.read(path) != after.read(path)] == []


def test_a_tier_that_is_not_there_and_one_of_a_table_are_refused(tmp_path: Path) -> None:
    for form, told in (("textgrid", "no tier of utterances among anna, ben"), ("csv", "csv has no tiers")):
        status, found = imported(MADE[form](tmp_path / form), tmp_path / "new", form, tiers=("cyd",))
        assert (status, told in found) == (2, True), found


def test_a_site_an_id_and_a_place_that_are_none_are_refused(tmp_path: Path) -> None:
    source = sources.kaldi(tmp_path / "source")
    for more, told in (
        ({"first_speaker": "zz"}, "not a speaker's id"),
        ({"sounds": str(tmp_path / "no")}, "does not exist"),
        ({"metadata": str(source / "text")}, "text"),
    ):
        status, found = imported(source, tmp_path / "new", "kaldi", **more)
        assert (status, told in found) == (2, True), found
    moved = tmp_path / "sounds"
    (source / "wav").rename(moved)
    assert imported(source, tmp_path / "new", "kaldi")[0] == 2
    (source / "wav.scp").write_text(f"rec {moved}/one.wav\n")
    assert imported(source, tmp_path / "new", "kaldi", sounds=str(moved))[0] == 0
    assert imported(source, tmp_path / "new", "kaldi", sounds=str(moved))[0] == 2
