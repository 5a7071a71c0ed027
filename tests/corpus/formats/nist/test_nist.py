"""NIST's references: read by NIST's own scorer, which counts the errors that are there."""

import re
from pathlib import Path

import pytest

from corpus.formats.nist import trn
from tests.corpus.packages.packed import corpus, pack
from tests.evaluation.recognition.nist_scorer import beside_sctk, sctk

__all__ = ["corpus"]


def test_trn_gives_back_every_text(corpus: Path, tmp_path: Path) -> None:
    root = pack(corpus, tmp_path / "trn", "trn")
    found = trn.parse((root / "ref.trn").read_bytes(), "ref.trn")
    assert len(found) == 20
    assert found["8k1-8k1021sx"] == ""
    assert found["9a1-9a1041sx"] == "WHAT ABOUT THE THE CHEAPEST FARE"
    with pytest.raises(ValueError, match="no id"):
        trn.parse(b"WORDS WITHOUT ONE\n", "x.trn")


def sclite(*arguments: str) -> str:
    return sctk("sclite", "-i", "spu_id", *arguments, "-o", "rsum", "stdout")


@beside_sctk
@pytest.mark.parametrize(("form", "hypothesis"), [("trn", "hyp.trn"), ("stm", "hyp.ctm")])
def test_the_command_in_the_readme_prints_the_figures(corpus: Path, tmp_path: Path, form: str, hypothesis: str) -> None:
    root = pack(corpus, tmp_path / form, form)
    told = re.search(r"^    sclite (.*)$", (root / "README.txt").read_text("utf-8"), re.MULTILINE)
    assert told is not None
    ref = (root / f"ref.{form}").read_text("utf-8")
    (root / hypothesis).write_text(ref if form == "trn" else words_with_times(ref), "utf-8")
    shown = sctk("sclite", *told[1].split(), folder=root)
    assert re.search(r"\|\s*Sum/Avg\s*\|\s*\d+\s+\d+\s*\|\s*100\.0", shown), shown


@beside_sctk
def test_sclite_reads_the_trn_and_counts_its_words(corpus: Path, tmp_path: Path) -> None:
    ref = str(pack(corpus, tmp_path / "trn", "trn") / "ref.trn")
    words = sum(len(text.split()) for text in trn.parse(Path(ref).read_bytes(), str(ref)).values())
    said = sclite("-r", ref, "trn", "-h", ref, "trn")
    total = re.search(r"\|\s*Sum\s*\|\s*(\d+)\s+(\d+)\s*\|\s*(\d+)\s+0\s+0\s+0\s+0\s+0\s*\|", said)
    assert total is not None, said
    assert [int(figure) for figure in total.groups()] == [20, words, words]


def words_with_times(stm: str) -> str:
    """The words of an STM as a CTM."""
    lines = []
    for line in stm.splitlines():
        if not line.startswith(";;"):
            name, channel, _, _, end, _, *words = line.split(" ")
            step = float(end) / (len(words) + 1)
            lines += [
                f"{name} {channel} {place * step:.4f} {step / 2:.4f} {word}\n" for place, word in enumerate(words)
            ]
    return "".join(lines)


@beside_sctk
def test_sclite_reads_the_stm_and_reports_by_sex_and_site(corpus: Path, tmp_path: Path) -> None:
    ref = pack(corpus, tmp_path / "stm", "stm") / "ref.stm"
    ctm = tmp_path / "hyp.ctm"
    ctm.write_text(words_with_times(ref.read_text("utf-8")), "utf-8")
    said = sclite("-r", str(ref), "stm", "-h", str(ctm), "ctm")
    total = re.search(r"\|\s*Sum\s*\|\s*(\d+)\s+(\d+)\s*\|\s*(\d+)\s+0\s+0\s+0\s+0\s+0\s*\|", said)
    assert total is not None, said
    assert int(total[2]) == int(total[3]) == len(ctm.read_text().splitlines())


@beside_sctk
def test_sclite_counts_the_errors_of_a_hypothesis_that_are_there(corpus: Path, tmp_path: Path) -> None:
    """Every third utterance lacks its first word, has its last replaced, or one too many at its end."""
    ref = pack(corpus, tmp_path / "trn", "trn") / "ref.trn"
    said, made = trn.parse(ref.read_bytes(), str(ref)), [0, 0, 0]
    lines = []
    for place, (key, text) in enumerate(pair for pair in said.items() if len(pair[1].split()) > 2):
        words = text.split()
        words = (words[1:], [*words[:-1], "NOISE"], [*words, "NOISE"])[place % 3]
        made[place % 3] += 1
        lines.append(f"{' '.join(words)} ({key})\n")
    lines += [f"{text} ({key})\n" for key, text in said.items() if len(text.split()) <= 2]
    (tmp_path / "hyp.trn").write_text("".join(lines), "utf-8")
    deleted, substituted, inserted = made
    output = sclite("-r", str(ref), "trn", "-h", str(tmp_path / "hyp.trn"), "trn")
    total = re.search(r"\|\s*Sum\s*\|\s*(\d+)\s+(\d+)\s*\|\s*\d+\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)", output)
    assert total is not None, output
    words_in_all = sum(len(text.split()) for text in said.values())
    assert [int(figure) for figure in total.groups()] == [20, words_in_all, substituted, deleted, inserted, sum(made)]
