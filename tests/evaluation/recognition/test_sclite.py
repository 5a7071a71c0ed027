"""Beside NIST's sclite: the same letters for every utterance, on hard cases that are kept and on drawn ones."""

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from evaluation.recognition import Terms, score

sctk = pytest.mark.skipif(shutil.which("sctk") is None, reason="sctk (Debian's package of that name) is not installed")
TERMS = {
    (): Terms(optional=False),
    ("-D",): Terms(),
    ("-F",): Terms(optional=False, fragments=True),
    ("-D", "-F"): Terms(fragments=True),
    ("-s", "-D"): Terms(case=True),
}


def sclite(folder: Path, said: dict[str, str], heard: dict[str, str], *flags: str) -> dict[str, str]:
    """The edits of each utterance by sclite."""
    for name, texts in (("ref", said), ("hyp", heard)):
        (folder / f"{name}.trn").write_text("".join(f"{text} ({key})\n" for key, text in texts.items()))
    sides = ["-r", f"{folder}/ref.trn", "trn", "-h", f"{folder}/hyp.trn", "trn", "-i", "spu_id"]
    done = subprocess.run(
        ["sctk", "sclite", *flags, *sides, "-o", "sgml", "stdout", "-f", "0"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found = re.findall(r'<PATH id="\(([^"]*)\)"[^>]*>\n(.*?)\n?</PATH>', done.stdout)
    return {key: re.sub(r'"[^"]*"|[,:]', "", line) for key, line in found}


def ours(said: dict[str, str], heard: dict[str, str], terms: Terms) -> dict[str, str]:
    return {one.key: one.aligned.edits for one in score(said, heard, terms=terms).utterances}


def adversarial() -> tuple[dict[str, str], dict[str, str]]:
    said, heard = dict[str, str](), dict[str, str]()
    for line in Path(__file__).with_name("adversarial.trn").read_text().splitlines():
        if not line.startswith(";;"):
            text, key = line.rstrip(")").rsplit(" (", 1)
            said[key], heard[key] = (side.strip() for side in text.split("|||"))
    return said, heard


def drawn(seed: int, count: int) -> tuple[dict[str, str], dict[str, str]]:
    rng = random.Random(seed)

    def word() -> str:
        plain = rng.choice(["a", "b", "c", "d", "A", "B"])
        return rng.choice(["ab-", "-ab", "abc", "cab", "a-"]) if rng.random() < 0.1 else plain

    def text(depth: int, longest: int) -> str:
        parts = []
        for _ in range(rng.randrange(depth > 0, longest)):
            kind = rng.random()
            if kind < 0.15 and depth < 2:
                branches = ["@" if rng.random() < 0.2 else text(depth + 1, 4) for _ in range(rng.randrange(2, 4))]
                parts.append("{ " + " / ".join(branches) + " }")
            else:
                parts.append(f"({rng.choice('abcd')})" if kind < 0.25 else word())
        return " ".join(parts)

    keys = [f"s{number % 7}-{number}" for number in range(count)]
    heard = {key: " ".join(word() for _ in range(rng.randrange(9))) for key in keys}
    return {key: text(0, 7) for key in keys}, heard


@sctk
@pytest.mark.parametrize("flags", TERMS, ids=" ".join)
def test_every_edit_is_sclite_s(flags: tuple[str, ...], tmp_path: Path) -> None:
    for said, heard in (adversarial(), drawn(1992, 300)):
        found = sclite(tmp_path, said, heard, *flags)
        expected = ours(said, heard, TERMS[flags])
        assert {key: found.get(key) for key in expected} == expected


STM = """\
f1 A spk1 0.0 2.0 <O> hello there { a / @ } (uh)
f1 A spk1 2.0 3.0 <O> IGNORE_TIME_SEGMENT_IN_SCORING
f1 A spk2 4.0 6.0 <O> good bye
f1 B spk3 0.0 2.0 <O> well
f2 A spk3 0.0 2.0 <O>
f3 A spk3 0.0 2.0 <O> not there
"""
CTM = """\
f1 A 0.1 0.3 hello
f1 A 0.5 0.3 their
f1 A 1.9 0.3 edge
f1 A 2.3 0.3 ignored
f1 A 3.3 0.3 gap
f1 A 4.3 0.3 good 0.9
f1 A 5.3 0.3 bye
f1 A 7.3 0.3 tail
f1 B 0.3 0.3 well
f2 A 0.3 0.3 what
f3 A 0.3 0.3 <ALT_BEGIN>
f3 A 0.3 0.3 nott
f3 A 0.3 0.3 <ALT>
f3 A 0.3 0.3 not
f3 A 0.3 0.3 <ALT_END>
"""


@sctk
def test_words_with_times_fall_into_the_segments_of_sclite(tmp_path: Path) -> None:
    (tmp_path / "ref.stm").write_text(STM)
    (tmp_path / "hyp.ctm").write_text(CTM)
    arguments = [
        "-D",
        "-r",
        f"{tmp_path}/ref.stm",
        "stm",
        "-h",
        f"{tmp_path}/hyp.ctm",
        "ctm",
        "-o",
        "pralign",
        "stdout",
    ]
    said = subprocess.run(["sctk", "sclite", *arguments, "-f", "0"], capture_output=True, text=True).stdout
    counts = re.findall(
        r"id: \((\S+)\)[^S]*Labels[^S]*?Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)", said, re.DOTALL
    )
    assert len(counts) == 5, said
    found = score(tmp_path / "ref.stm", tmp_path / "hyp.ctm").utterances
    assert [(one.key, *(str(one.aligned.edits.count(letter)) for letter in "CSDI")) for one in found] == counts


@sctk
def test_times_align_as_sclite_s_do(tmp_path: Path) -> None:
    said = [(0.0, 0.5, "one"), (0.5, 0.5, "two"), (1.0, 0.5, "three"), (2.0, 0.5, "four")]
    heard = [(0.02, 0.45, "one"), (1.0, 0.5, "two"), (1.6, 0.3, "extra"), (2.0, 0.5, "four")]
    for name, words in (("ref", said), ("hyp", heard)):
        (tmp_path / f"{name}.ctm").write_text(
            "".join(f"f A {begin} {length} {word}\n" for begin, length, word in words)
        )
    sides = ["-T", "-r", f"{tmp_path}/ref.ctm", "ctm", "-h", f"{tmp_path}/hyp.ctm", "ctm"]
    shown = subprocess.run(
        ["sctk", "sclite", *sides, "-o", "sgml", "stdout", "-f", "0"], capture_output=True, text=True
    )
    letters = re.findall(r"(?:^|:)([CSDI]),", shown.stdout, re.MULTILINE)
    (found,) = score(tmp_path / "ref.ctm", tmp_path / "hyp.ctm", times=True).utterances
    assert list(found.aligned.edits) == letters == list("CDSIC")
