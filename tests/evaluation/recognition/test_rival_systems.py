"""Systems compared: beside sc_stats where that is right, and by hand where it is not."""

import json
import random
import re
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest

from evaluation.recognition import compare_all, score, word_variances
from evaluation.recognition.nist_table import render
from evaluation.recognition.rank_variance import render as render_variance
from evaluation.recognition.rival_systems import NAMES, holm, segments
from tests.evaluation.recognition.calls import room, wer, write
from tests.evaluation.recognition.nist_scorer import beside_sctk, sctk, write_trn

__all__ = ["room"]
CLOSE = 0.025
"""sc_stats reads p off a table of two places, and gives equal differences ranks of their own."""


def systems(seed: int) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Nine speakers, and what three systems heard; every utterance ends in a word that all have right."""
    rng = random.Random(seed)
    keys = [f"s{number % 9}-{number:03d}" for number in range(18)]
    said = {key: [rng.choice("abcdefgh") for _ in range(rng.randrange(5, 19))] for key in sorted(keys)}

    def heard(rate: float) -> dict[str, str]:
        found = {}
        for key, words in said.items():
            kept = [rng.choice("qrst") if rng.random() < rate else word for word in words if rng.random() > rate / 2]
            found[key] = " ".join([*kept, "z"])
        return found

    texts = {key: " ".join([*words, "z"]) for key, words in said.items()}
    return texts, {"A": heard(0.05), "B": heard(0.08), "C": heard(0.3)}


def sc_stats(folder: Path, said: dict[str, str], heard: dict[str, dict[str, str]], *options: str) -> str:
    """What sc_stats prints. What sclite pipes by itself this version cannot read; its SGML it can."""
    ref, sgml = write_trn(folder / "ref.trn", said), ""
    for name, texts in heard.items():
        hyp = write_trn(folder / f"{name}.trn", texts)
        sides = ["-r", ref, "trn", "-h", hyp, "trn", name]
        sgml += sctk("sclite", *sides, "-i", "spu_id", "-o", "sgml", "stdout", "-f", "0")  # type: ignore[arg-type]
    return sctk("sc_stats", "-p", *options, "-n", "-", stdin=sgml, folder=folder)


def probabilities(shown: str, columns: Iterable[str]) -> dict[tuple[str, str, str], float]:
    """The p of each test of each pair in the table that sc_stats prints."""
    found, row = {}, ""
    for line in re.finditer(r"\|\s+(MP|SI|WI|MN)\s+\|\|\s*(\w?)\s*\|(.*)\|\|", shown):
        row = line[2] or row
        for column, cell in zip(columns, line[3].split("|"), strict=True):
            if cell.split():
                found[row, column, line[1]] = float(cell.split()[1].strip("<"))
    return found


@beside_sctk
def test_every_p_is_sc_stats_s(tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        said, heard = systems(seed)
        theirs = probabilities(sc_stats(tmp_path, said, heard, "-t", "std4", "-u"), heard)
        ours = {
            (pair.first, pair.second, test.name): max(test.p, 0.001)
            for pair in compare_all([score(said, texts, name=name) for name, texts in heard.items()], 1)
            for test in pair.tests
            if test.name not in ("PE", "AN")
        }
        assert ours == pytest.approx(theirs, abs=CLOSE)


def winners(matrix: str) -> set[tuple[str, str]]:
    """Who is better than whom in a comparison matrix of sc_stats."""
    found = set()
    for row, line in re.findall(r"^ +\| ([A-C]) +\|(.*)\|$", matrix, re.MULTILINE):
        for column, cell in zip("ABC", line.split("|"), strict=True):
            if cell.strip() and cell.strip() in "ABC":
                found.add((cell.strip(), (row + column).replace(cell.strip(), "")))
    return found


@beside_sctk
def test_the_analysis_of_variance_is_sc_stats_s(tmp_path: Path) -> None:
    """Over speakers sc_stats overlooks ties behind the third; in telling pairs apart it is less strict (t - 1 for t + 1)."""
    for seed in (1, 2, 3):
        said, heard = systems(seed)
        shown = sc_stats(tmp_path, said, heard, "-t", "anovar", "-v")
        theirs = [float(figure) for figure in re.findall(r"(?:adjustment|X2_r) = (\S+)", shown)]
        matrix = shown.partition("All Systems")[2].partition("Friedman")[0]
        found = word_variances([score(said, texts, name=name) for name, texts in heard.items()])
        assert [found[0].adjustment, found[0].statistic] == pytest.approx(theirs[:2], abs=0.001)
        assert found[1].statistic * found[1].adjustment == pytest.approx(theirs[2] * theirs[3], abs=0.01)
        sums = found[0].sums
        assert winners(matrix) == {
            (a, b) for a, b in combinations(sums, 2) if sums[b] - sums[a] >= 2.33 * (9 * 3 * 2 / 6) ** 0.5
        }
        assert {(pair.better, pair.worse) for pair in found[0].pairs} <= winners(matrix)
        assert f"X2_r {theirs[1]:.3f}"[:-1] in "".join(render_variance(found, "words"))


def test_segments_hold_what_was_inserted_behind_the_last_word_of_either_side() -> None:
    assert list(segments("CCSCCCD", "CCCCCCDI")) == [(1, 0), (1, 2)]
    assert list(segments("CC", "CCI")) == [(0, 1)] == [pair[::-1] for pair in segments("CCI", "CC")]
    assert list(segments("SCS", "CCC")) == [(2, 0)]
    assert list(segments("CCCS", "CCC")) == [(1, 0)]
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_the_table_says_who_is_better_and_what_remains_after_so_many_comparisons() -> None:
    said, heard = systems(1)
    found = compare_all([score(said, texts, name=name) for name, texts in heard.items()], 1)
    shown = list(render(found, NAMES, "Between systems"))
    assert any(re.fullmatch(r"  MP     \| A +\| +\| ~ .*\| A +<0\.001 \*\*\* *", line) for line in shown), shown
    assert any(line.startswith("Corrected for 3 comparisons") for line in shown)
    with pytest.raises(ValueError, match="other utterances than A"):
        compare_all([score(said, heard["A"], name="A"), score({"s-1": "a"}, {"s-1": "a"}, name="B")], 1)


def answers(**verdicts: str) -> str:
    """A report of `curtain score --json`: a letter of c(orrect), w(rong), n(one) for each utterance of a system."""
    words = {"c": "correct", "w": "incorrect", "n": "no answer"}
    outcomes = {
        name: [
            {"utterance": f"s{place % 4}-{place}", "verdict": words[letter], "speaker": f"s{place % 4}", "why": ""}
            for place, letter in enumerate(letters)
        ]
        for name, letters in verdicts.items()
    }
    reports = [{"name": name, "outcomes": each} for name, each in outcomes.items()]
    return json.dumps(
        {
            "signature": "CAS|test",
            "weight": 2.0,
            "yes_no": 25.0,
            "limits": ["Speed counts for nothing."],
            "systems": reports,
        }
    )


def test_three_tests_stand_side_by_side_and_tell_what_was_lost_to_recognition(room: Path) -> None:
    said = "".join(f"show flights number {place} (s{place % 4}-{place})\n" for place in range(9))
    write(**{"r.trn": said, "one.trn": said.replace("number 3", "lumber 3 x").replace("show flights number 2", "show")})
    write(**{"two.trn": said.replace("number", "")})
    write(**{"nl.json": answers(one="cccccwcc", two="ccccnwcc"), "sls.json": answers(one="ccwccwnc", two="ccccnwcc")})
    status, shown, err = wer("r.trn", "one=one.trn", "two=two.trn", nl="nl.json", sls="sls.json")
    assert (status, err) == (1, "")
    assert re.search(r"  one +13\.9 +25\.0 +62\.5 +2 +0 +0\.5000\n", shown), shown
    assert "right from the text, not from speech: s2-2, s2-6" in shown
    assert "word error and SLS error: r" in shown
    assert "McNemar (Answer Right or Not)" in shown
    assert "analysis of variance by ranks: answers to speech (SLS)" in shown
    assert "CAS|test" in shown
    assert "one and two do not differ by more than chance in any test of answers to speech." in shown
    assert "NL: 25 % of the requests can be answered by yes or no, and half of those by chance." in shown
    assert shown.count("Speed counts for nothing.") == 1
    data = json.loads(wer("r.trn", "one=one.trn", nl="nl.json", sls="sls.json", as_json=True)[1])
    assert data["spoken_language"]["systems"][0]["lost"] == ["s2-2", "s2-6"]
    write(**{"w.json": answers(one="c").replace('"weight": 2.0', '"weight": 1.0')})
    assert "score both by the same options" in wer("r.trn", "one=one.trn", nl="nl.json", sls="w.json")[2]
    write(**{"cut.json": answers(one="cccccwcc").replace('"speaker": "s', '"speaker": "guess')})
    guessed = json.loads(wer("r.trn", "one=one.trn", nl="cut.json", sls="sls.json", as_json=True)[1])
    assert guessed["spoken_language"]["systems"][0] == data["spoken_language"]["systems"][0]
    write(**{"few.trn": "show (s1-1)\n", "few.json": answers(one="cc").replace("s0-0", "s1-1")})
    assert "no correlation: fewer than three speakers" in wer("few.trn", "one=few.trn", nl="few.json")[1]
    write(**{"bad.json": "{}", "odd.json": answers(one="c").replace("s0-0", "s9-9")})
    assert wer("r.trn", "one=one.trn", nl="bad.json")[2].startswith("error: bad.json: no report of scores")
    assert "s9-9, whose words are not scored" in wer("r.trn", "one=one.trn", nl="odd.json")[2]
