"""Beside sclite where words have times: segments against words, and words against words."""

import random
import re
from pathlib import Path

import pytest

from evaluation.recognition import score
from tests.evaluation.recognition.nist_scorer import beside_sctk, edits

WORDS = ("a", "b", "c", "d", "A", "B")
STM = """\
f1 A spk1 0.0 2.0 <O> hello there { a / @ } (uh)
f1 A spk1 2.0 3.0 <O> not this: IGNORE_TIME_SEGMENT_IN_SCORING
f1 A spk2 4.0 6.0 <O> good bye
f1 A spk3 4.2 5.0 <O> me too
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
f3 A * * <ALT_BEGIN>
f3 A 0.3 0.3 nott
f3 A * * <ALT>
f3 A 0.2 0.3 not
f3 A * * <ALT>
f3 A * * <ALT_END>
"""


def drawn_stm(rng: random.Random) -> str:
    """Two files of one or two channels; segments that overlap, are ignored, or say nothing; alternates and labels."""

    def word() -> str:
        kind = rng.random()
        if kind < 0.1:
            return "{ " + " / ".join(rng.choice(["@", "a", "b c"]) for _ in range(2)) + " }"
        return "(a)" if kind < 0.2 else rng.choice(WORDS)

    lines = []
    for place in PLACES:
        begin = 0.0
        for _ in range(4):
            end = begin + rng.randrange(2, 20) / 10
            text = " ".join(word() for _ in range(rng.randrange(6)))
            text = "IGNORE_TIME_SEGMENT_IN_SCORING" if rng.random() < 0.15 else text
            label = rng.choice(["", "<O>", "<O,M>"])
            lines.append(f"{place} {rng.choice(['s1', 's2', 'S3'])} {begin:.2f} {end:.2f} {label} {text}")
            begin = rng.choice([end, end + 0.5, round((begin + end) / 2, 1)])
    return "\n".join(lines) + "\n"


def drawn_ctm(rng: random.Random, count: int = 30) -> str:
    """Words of some channels on a grid of tenths, on which middles and ends of segments meet."""
    lines = []
    for place in PLACES:
        begin = 0.0
        for _ in range(count):
            length = rng.randrange(8) / 10
            line = f"{place} {begin:.2f} {length:.2f} "
            if rng.random() < 0.1:
                marks = [f"{place} * * {mark}" for mark in ("<ALT_BEGIN>", "<ALT>", "<ALT_END>")]
                lines += [marks[0], line + "a", marks[1], line + "b", line + "c", marks[2]]
            else:
                lines.append(line + rng.choice(WORDS) + rng.choice(["", " 0.5"]))
            begin += rng.choice([length, length + 0.1, length / 2, 1.0])
    return "\n".join(lines) + "\n"


PLACES = ("f1 A", "f1 B", "f2 A")


def counts(found: dict[str, str]) -> dict[str, tuple[int, ...]]:
    """Edits but for their order: among alignments of equal weight sclite sorts by time what it aligned by time."""
    return {key: tuple(letters.count(letter) for letter in "CSDI") for key, letters in found.items()}


@beside_sctk
@pytest.mark.parametrize("seed", [None, *range(12)])
def test_words_fall_into_the_segments_of_sclite(seed: int | None, tmp_path: Path) -> None:
    rng = random.Random(seed)
    stm, ctm = tmp_path / "ref.stm", tmp_path / "hyp.ctm"
    stm.write_text(STM if seed is None else drawn_stm(rng))
    ctm.write_text(CTM if seed is None else drawn_ctm(rng))
    found = {one.key: one.aligned.edits for one in score(stm, ctm).utterances}
    assert counts(found) == counts(edits("-D", "-r", stm, "stm", "-h", ctm, "ctm"))


def misheard(ctm: str, rng: random.Random) -> str:
    """The first of all alternates; a tenth of the words lost, some taken for another."""
    words = [line for line in re.sub(r".*<ALT>\n(.*\n)*?.*<ALT_END>\n", "", ctm).splitlines() if "ALT" not in line]
    return "".join(f"{line[:-1] + 'd' if line.endswith('a') else line}\n" for line in words if rng.random() < 0.9)


@beside_sctk
@pytest.mark.parametrize("times", [False, True])
def test_two_files_of_words_align_as_sclite_aligns_them(times: bool, tmp_path: Path) -> None:
    """Channels of thirty words, and of two hundred, which are cut at pauses."""
    ref, hyp = tmp_path / "ref.ctm", tmp_path / "hyp.ctm"
    flags = ("-D", *(["-T"] if times else []))
    for seed, count in ((1, 30), (2, 30), (1, 200), (6, 200)):
        rng = random.Random(seed)
        ref.write_text(drawn_ctm(rng, count))
        hyp.write_text(misheard(ref.read_text(), rng))
        theirs: dict[str, str] = {}
        for key, letters in edits(*flags, "-r", ref, "ctm", "-h", hyp, "ctm").items():
            theirs[key.rpartition("-")[0]] = theirs.get(key.rpartition("-")[0], "") + letters
        found = score(ref, hyp, times=times)
        assert counts({one.key: one.aligned.edits for one in found.utterances}) == counts(theirs)
        assert [row["group"] for row in found.rows("speaker")] == ["f1-a", "f1-b", "f2-a"]
