"""What is at fault in the input of scores is told, all of it, with its place, and nothing is dropped."""

import json
from pathlib import Path

import pytest

from tests.evaluation.commands import files, score


def test_all_faults_of_the_input_are_told_at_once(tmp_path: Path) -> None:
    there = files(
        tmp_path,
        ref="u1 ((1))\nu1 2\nu2 ((1)\n    (A))\n u3\n",
        old=";; rules: 1989\nu1 true\n",
        odd="u9 1\nu1 (1 OR 2)\n",
    )
    status, out, err = score(there["ref"], [there["old"]])
    assert (status, out) == (2, "")
    assert f"{there['ref']}:2: u1 has an answer already, at {there['ref']}:1" in err
    assert f"{there['ref']}:4:6: a string in column 1" in err
    good = files(tmp_path, good="u1 1\n")["good"]
    assert "keep the rules of 1989, the test those of 1992" in score(good, [there["old"]])[2]
    status, _, err = score(good, [there["odd"]])
    assert status == 2
    assert f"{there['odd']}:1: u9 is not an utterance of this test" in err
    assert f"{there['odd']}:2: u1: an answer must not have alternatives" in err
    (tmp_path / "latin.cas").write_bytes(b"u1 Z\xfcrich\n")
    assert "latin.cas:1: byte 0xfc is not UTF-8" in score(good, [str(tmp_path / "latin.cas")])[2]
    assert "no such file" in score(good, [str(tmp_path / "none.cas")])[2].lower()
    assert "two systems named good" in score(good, [good, good])[2]


def test_a_page_that_exists_and_every_kind_of_fault_are_told_before_anything_is_compared(tmp_path: Path) -> None:
    there = files(tmp_path, ref="u1 ((1)\nu2 2\n", odd="u1 (1 OR 2)\nu2 ((2)\nu9 1\n", strange="u2 2\n", page="")
    variant = tmp_path / "variant"
    variant.mkdir()
    files(variant, references="u1 1\n", odd="u8 1\n", strange="")
    systems = [there["odd"], f"other@nowhere={there['strange']}"]
    status, out, err = score(there["ref"], systems, page=there["page"], weight=-1.0, variants=(str(variant),))
    assert (status, out) == (2, "")
    for fault in (
        "weight -1",
        "page.cas exists already",
        "ref.cas:1:8: a closing parenthesis",
        "odd.cas:1: u1: an answer must not have alternatives; this one has 2",
        "odd.cas:2:8: a closing parenthesis",
        "odd.cas:3: u9 is not an utterance of this test",
        "other@nowhere: no request is from nowhere",
        "references.cas: nothing for u2",
        "odd.cas:1: u8 is not an utterance of this test",
        "other.cas: cannot be read",
    ):
        assert fault in err, fault


def test_faults_of_references_and_of_answers_are_told_together(tmp_path: Path) -> None:
    there = files(tmp_path, ref="u1 NO_ANSWER\n", one="u1 ((1)\n", none="")
    status, _, err = score(there["ref"], [there["one"]])
    assert status == 2
    assert f"{there['ref']}:1: u1" in err
    assert f"{there['one']}:2:1: a closing parenthesis was expected" in err
    assert "lines such as `e0001ssx ((1) (2))`" in score(there["none"], [there["one"]])[2]


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), -1.0])
def test_a_weight_is_a_number_from_0_on(tmp_path: Path, weight: float) -> None:
    there = files(tmp_path, ref="u1 1\n", one="u1 1\n")
    status, out, err = score(there["ref"], [there["one"]], weight=weight)
    assert (status, out) == (2, "")
    assert "such as 2 or 1.25" in err


def test_a_huge_number_is_told_with_its_line(tmp_path: Path) -> None:
    there = files(tmp_path, ref="u1 1\n", one="\nu1 " + "9" * 5000 + "\n")
    assert f"{there['one']}:2:4: a number of 5000 characters" in score(there["ref"], [there["one"]])[2]


def test_answers_of_a_perturbed_database_to_no_request_are_a_fault(tmp_path: Path) -> None:
    there = files(tmp_path, ref="u1 1\n", one="u1 1\n")
    variant = tmp_path / "variant"
    variant.mkdir()
    odd = files(variant, references="u1 2\nu8 1\n", one="u1 2\nu9 1\n")
    status, _, err = score(there["ref"], [there["one"]], variants=[str(variant)])
    assert status == 2
    assert f"{odd['references']}:2: u8 is not an utterance of this test" in err
    assert f"{odd['one']}:2: u9 is not an utterance of this test" in err


def test_one_utterance_in_two_places_of_a_corpus_is_a_fault_and_drafts_are_no_references(tmp_path: Path) -> None:
    for place, text in (("spon", "((1))"), ("copy", "((2))"), ("doc/drafts", "((3))")):
        (tmp_path / "corpus" / place).mkdir(parents=True)
        (tmp_path / "corpus" / place / "e0001ssx.ref").write_text(text + "\n")
    one = files(tmp_path, one="e0001ssx 1\n")["one"]
    status, _, err = score(str(tmp_path / "corpus"), [one])
    assert status == 2
    assert err.splitlines() == [
        f"error: {tmp_path}/corpus/spon/e0001ssx.ref: e0001ssx.ref stands at {tmp_path}/corpus/copy/e0001ssx.ref "
        "already; keep one of the two"
    ]
    (tmp_path / "corpus" / "copy" / "e0001ssx.ref").unlink()
    assert score(str(tmp_path / "corpus"), [one])[0] == 0
    (tmp_path / "corpus" / "spon" / "e0001ssx.ref").unlink()
    assert "no reference answer here" in score(str(tmp_path / "corpus"), [one])[2]
    assert "no reference answer here" in score(str(tmp_path), [one])[2]


def test_every_option_of_a_comparison_reaches_the_scores_and_their_signature(tmp_path: Path) -> None:
    there = files(tmp_path, ref="u1 (((1)) OR ((2)))\nu2 53200\n", one="u1 ((1))\nu2 53199\n")
    said = {"alternatives": "all", "integers": "tolerant", "tolerance": "digits:3", "lenient": True, "near": "apart"}
    status, out, _ = score(there["ref"], [there["one"]], as_json=True, **said)
    report = json.loads(out)
    assert (status, [row["verdict"] for row in report["systems"][0]["outcomes"]]) == (1, ["incorrect", "correct"])
    assert report["signature"].startswith(
        "CAS|rules:1992|ref:min|tol:digits:3|int:tolerant|near:apart|or:all|case:lenient|"
    )


def test_no_answer_blocks_a_test(tmp_path: Path) -> None:
    rows = "(" + "".join(f"({n} {n * 7 % 50} 0.{n:02})" for n in range(50)) + ")"
    near = rows.replace("0.49)", "0.490001)")
    there = files(tmp_path, ref=f"u1 {rows}\nu2 2\n", one=f"u1 {near}\nu2 2\n")
    page = tmp_path / "page.html"
    status, out, err = score(there["ref"], [there["one"]], work=1, page=str(page))
    assert (status, err.count("\n"), "u1: looks rounded: " in err) == (1, 1, True)
    cost = "1 undecided within the work limit, counted as wrong; were they right, the weighted error would be 100.0 points lower"
    assert cost in out
    assert cost in page.read_text()
    assert "u1: undecided: undecided within 1 steps; raise the limit with --work" in out
    (report,) = json.loads(score(there["ref"], [there["one"]], work=1, as_json=True)[1])["systems"]
    whole = report["classes"][-1]
    assert (whole["right"], whole["wrong"], whole["none"], whole["undecided"]) == (1, 0, 0, 1)
    assert (whole["weighted_error"], report["undecided_cost"]) == (100.0, 100.0)
    assert score(there["ref"], [there["one"]], work=10_000_000)[0] == 0


def test_a_system_at_home_where_nothing_was_collected_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "refs.cas").write_text("e1 ((1))\n")
    (tmp_path / "ours.cas").write_text("e1 ((1))\n")
    (tmp_path / "index.tsv").write_text("utterance site\ne1 bbn\n")
    given = [f"ours@bnb={tmp_path / 'ours.cas'}"]
    status, _, err = score(str(tmp_path / "refs.cas"), given, index=str(tmp_path / "index.tsv"))
    assert status == 2
    assert "ours@bnb: no request is from bnb; the sites are bbn" in err
    assert "no site is known" in score(str(tmp_path / "refs.cas"), given)[2]


def test_what_is_wrong_with_a_reference_is_told_where_the_reference_stands(tmp_path: Path) -> None:
    there = files(
        tmp_path,
        ref="u1 NO_ANSWER\nu2 (1 OR 2)\nu3 3\nu4 4\n",
        most="u1 1\nu2 1\nu3 3\n",
        index="utterance class\nu4 Z\nu5 A\n",
        one="u1 1\nu2 1\nu3 3\n",
    )
    status, _, err = score(there["ref"], [there["one"]], maximum=there["most"], index=there["index"])
    assert status == 2
    ref, index = there["ref"], there["index"]
    assert err.splitlines() == [
        f"error: {ref}:1: u1: the reference is NO_ANSWER; a request without a reference answer is not scored; "
        "class it X or leave it out",
        f"error: {ref}:2: u2: minimum and maximum have 2 and 1 alternatives; they go in pairs",
        f"error: {index}:2: u4: class 'Z'; it is A, D, D1 or X, or a category of 1989: 0, 1, 2, 3 or X",
        f"error: {index}:3: u5: class A and no reference answer; add it, or class it X",
    ]


def test_alternatives_are_no_reference_of_1989(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "e0001ssx.ref").write_text("(1 OR 2)\n")
    one = files(tmp_path, one="e0001ssx 1\n")["one"]
    status, _, err = score(str(tmp_path / "corpus"), [one], rules="1989")
    assert (status, err.count("e0001ssx.ref:1:")) == (2, 1)


def test_a_maximum_that_no_right_answer_could_meet_is_a_fault(tmp_path: Path) -> None:
    there = files(tmp_path, ref="u1 ((1) (2))\n", most="u1 ((1 3))\n", one="u1 ((1) (2))\n")
    status, out, err = score(there["ref"], [there["one"]], maximum=there["most"])
    assert (status, out) == (2, "")
    assert "error: references: u1: the maximum does not hold its own minimum" in err
