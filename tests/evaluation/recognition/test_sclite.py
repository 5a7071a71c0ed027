"""Beside NIST's sclite: the same letters for every utterance, on hard cases that are kept and on drawn ones."""

import random
import re
from pathlib import Path

import pytest

from evaluation.recognition import Terms, score
from tests.evaluation.recognition.nist_scorer import beside_sctk, edits, sctk, write_trn

TERMS = {
    (): Terms(optional=False),
    ("-D",): Terms(),
    ("-F",): Terms(optional=False, fragments=True),
    ("-D", "-F"): Terms(fragments=True),
    ("-s", "-D"): Terms(case=True),
}


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
                parts.append("{ " + rng.choice([" / ", "/"]).join(branches) + " }")
            else:
                parts.append(f"({rng.choice('abcd')})" if kind < 0.25 else word())
        return " ".join(parts)

    keys = [f"s{number % 7}-{number}" for number in range(count)]
    heard = {key: " ".join(word() for _ in range(rng.randrange(9))) for key in keys}
    return {key: text(0, 7) for key in keys}, heard


@beside_sctk
@pytest.mark.parametrize("flags", TERMS, ids=" ".join)
def test_every_edit_is_sclite_s(flags: tuple[str, ...], tmp_path: Path) -> None:
    for said, heard in (adversarial(), drawn(1992, 300)):
        sides = write_trn(tmp_path / "ref.trn", said), write_trn(tmp_path / "hyp.trn", heard)
        found = edits(*flags, "-r", sides[0], "trn", "-h", sides[1], "trn", "-i", "spu_id")
        expected = ours(said, heard, TERMS[flags])
        assert {key: found.get(key) for key in expected} == expected


@beside_sctk
@pytest.mark.parametrize("rule", ["spu_id", "rm", "swb", "wsj", "sp"])
def test_an_id_names_the_speaker_that_sclite_finds(rule: str, tmp_path: Path) -> None:
    keys = [
        "dab0_3-st0012",
        "ab-cd_ef",
        "cmh_sa01",
        "sw2005-A-0001",
        "a_b-c",
        "AB-C",
        *(["4k1011sx"] if rule in ("wsj", "sp") else []),
    ]
    trn = write_trn(tmp_path / "ref.trn", dict.fromkeys(keys, "a"))
    shown = sctk("sclite", "-i", rule, "-r", trn, "trn", "-h", trn, "trn", "-o", "sgml", "stdout", "-f", "0")
    theirs = [name.strip("()") for name in re.findall(r'<SPEAKER id="([^"]*)"', shown)]
    assert {one.about.speaker for one in score(trn, trn, rule=rule).utterances} == set(theirs)
