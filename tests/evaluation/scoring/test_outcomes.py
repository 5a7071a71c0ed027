"""Scores: the printed vectors, denominators that do not move, intervals, tests, matrices, adjudication, faults."""

import json
import random
import re
from io import StringIO
from pathlib import Path

import pytest

from corpus.formats.cas import parse
from evaluation.comparator.options import Options
from evaluation.scoring.answer_files import PlacedAnswer, ScoredRequest
from evaluation.scoring.outcomes import System, chance, score
from tests.corpus.corpora import corpus_of, session_of
from tests.evaluation.commands import convert, files
from tests.evaluation.commands import score as score_files


def test_chance_is_over_pairs_of_different_requests_each_drawn_as_from_a_list_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("evaluation.scoring.outcomes.CHANCE_PAIRS", 40)
    names = [f"e{number:02d}" for number in range(12)]
    items = [ScoredRequest(name, "", "", "-", "A", parse(f"(({number % 3}))")) for number, name in enumerate(names)]
    system = System(
        "s", "", {name: PlacedAnswer(parse(f"(({number % 4}))"), name) for number, name in enumerate(names)}
    )
    pairs = [(one, two) for one in range(12) for two in range(12) if one != two]
    drawn = random.Random(3).sample(pairs, 40)
    expected = 100 * sum(one % 3 == two % 4 for one, two in drawn) / 40
    err = StringIO()
    monkeypatch.setattr(err, "isatty", lambda: True)
    assert chance(score(items, system, Options(), err), Options(), 3) == expected
    assert re.search(r"requests to s  \[[#-]+\]  1[12]/12", err.getvalue())
    assert 0 < expected < 100


REFERENCES = "u1 ((1) (2))\nu2 (YES OR ((5)))\nu3 5.0\nu4 ()\n"
INDEX = "utterance\tspeaker\tsession\tsite\tclass\n" + "".join(
    f"u{n}\ts{n % 2}\tt{n % 2}\t{site}\t{kind}\n"
    for n, site, kind in [(1, "BBN", "A"), (2, "BBN", "D"), (3, "MIT", "A"), (4, "MIT", "D1"), (5, "MIT", "X")]
)


def test_a_missing_answer_is_no_answer_and_x_is_left_out(tmp_path: Path) -> None:
    good_answers = "u1 ((2 9)\n    (1 8))\nu2 TRUE\nu5 1\n"
    there = files(tmp_path, ref=REFERENCES, index=INDEX, good=good_answers, bad="u1 ((1))\nu4 NO_ANSWER\n")
    systems = [f"good@BBN={there['good']}", f"bad@MIT={there['bad']}"]
    status, out, err = score_files(there["ref"], systems, index=there["index"], as_json=True)
    assert (status, err) == (1, "")
    report = json.loads(out)
    good, bad = report["systems"]
    assert (report["requests"], report["excluded"], report["yes_no"]) == (4, 1, 25.0)
    counts = {line["group"]: [line["right"], line["wrong"], line["none"]] for line in good["classes"]}
    assert counts == {"A": [1, 0, 1], "D": [1, 0, 1], "A+D": [2, 0, 2]}
    assert [line["total"] for line in bad["classes"]] == [2, 2, 4]
    assert bad["classes"][-1]["weighted_error"] == 125.0
    assert [matrix["group"] for matrix in report["matrices"]] == ["A+D", "A", "D"]
    rows = {
        (matrix["group"], row["system"]): [(cell["group"], cell["right_share"]) for cell in row["cells"]]
        for matrix in report["matrices"]
        for row in matrix["rows"]
    }
    assert rows["A+D", "good"] == [("BBN", 100.0), ("MIT", 0.0), ("all", 50.0)]
    assert rows["A", "good"] == [("BBN", 100.0), ("MIT", 0.0), ("all", 50.0)]
    assert rows["D", "all systems"] == [("BBN", 50.0), ("MIT", 0.0), ("all", 25.0)]
    assert [row["home"] for row in report["matrices"][0]["rows"]] == ["BBN", "MIT", ""]
    assert report["rivalries"][0]["only_first"] == 2
    assert report["homes"][0] == {"system": "good", "site": "BBN", "advantage": 100.0 - -50.0}
    assert {row["utterance"]: row["verdict"] for row in bad["outcomes"]} == {
        "u1": "incorrect",
        "u2": "no answer",
        "u3": "no answer",
        "u4": "no answer",
    }
    assert [row["verdict"] for row in good["outcomes"]] == ["correct", "correct", "no answer", "no answer"]
    assert report["signature"].endswith("|w:2|na:count|und:wrong|seed:1992")


def test_an_outlying_site_is_marked(tmp_path: Path) -> None:
    sites = ["ATT", "BBN", "CMU", "MIT", "SRI"]
    names = [(f"u{site}{n}", site) for site in sites for n in range(10)]
    index = "utterance site\n" + "".join(f"{name} {site}\n" for name, site in names)
    right = {name: site != "CMU" and not name.endswith(str(sites.index(site))) for name, site in names}
    answers = "".join(f"{name} {1 if right[name] else 2}\n" for name, _ in names)
    there = files(tmp_path, ref="".join(f"{name} 1\n" for name, _ in names), index=index, one=answers)
    _, out, _ = score_files(there["ref"], [there["one"]], index=there["index"])
    assert "CMU!" in out
    assert "BBN!" not in out


def test_no_interval_degenerates_and_few_speakers_are_warned_of(tmp_path: Path) -> None:
    names = [f"{number:03d}x" for number in range(10)]
    there = files(tmp_path, ref="".join(f"{name} 1\n" for name in names), two="000x 1\n001x 2\n")
    _, out, _ = score_files(there["ref"], [f"all={there['ref']}", there["two"]])
    rows = [line.split()[1:] for line in out.splitlines() if line.startswith("  A+D ")]
    assert rows[0] == [
        "10",
        "10",
        "0",
        "0",
        "0",
        "100.0",
        "-",
        "72.2",
        "to",
        "100.0",
        "0.0",
        "0.0",
        "to",
        "55.5",
        "100.0",
    ]
    assert rows[1][:4] == ["10", "1", "1", "8"]
    assert "speakers resampled: no interval, as all of them fare alike\n" in out
    assert "differ beyond chance from" not in out[: out.index("System two")]
    few = "utterance speaker\n" + "".join(f"{name} s{number % 7}\n" for number, name in enumerate(names))
    index = files(tmp_path, index=few)["index"]
    warning = "; out of 7 speakers it is too narrow to be trusted"
    assert warning in score_files(there["ref"], [there["two"]], index=index)[1]


def test_adjudication_keeps_before_and_after(tmp_path: Path) -> None:
    there = files(tmp_path, first="u1 1\nu2 2\n", final="u1 7\nu2 2\n", one="u1 7\nu2 2\n")
    status, out, _ = score_files(there["final"], [there["one"]], before=there["first"])
    assert status == 0
    assert "before adjudication" in out
    assert "u1: incorrect → correct" in out


def test_adjudication_may_add_requests(tmp_path: Path) -> None:
    there = files(tmp_path, first="u1 1\n", final="u1 1\nu2 2\n", one="u1 1\nu2 2\n")
    status, out, err = score_files(there["final"], [there["one"]], before=there["first"])
    assert (status, err) == (0, "")
    assert "u2: not scored → correct" in out


def test_right_by_luck_shows_on_a_perturbed_database(tmp_path: Path) -> None:
    there = files(tmp_path, ref="u1 ((1))\nu2 ((2))\n", one="u1 ((1))\nu2 ((2))\n")
    variant = tmp_path / "variant"
    variant.mkdir()
    files(variant, references="u1 ((3))\nu2 ((4))\n", one="u1 ((3))\nu2 ((5))\n")
    status, out, _ = score_files(there["ref"], [there["one"]], variants=[str(variant)])
    assert "right by luck (wrong on a perturbed database): u2" in out
    assert status == 0


def test_text_and_page_tell_the_same_tables(tmp_path: Path) -> None:
    there = files(
        tmp_path, ref=REFERENCES, index=INDEX, good="u1 ((1) (2))\nu2 TRUE\n", bad="u1 ((1))\n", first="u1 5\n"
    )
    variant = tmp_path / "variant"
    variant.mkdir()
    files(variant, references="u1 3\nu2 FALSE\nu3 5.0\nu4 ()\n", good="u1 3\nu2 TRUE\n", bad="")
    systems = [f"good@BBN={there['good']}", f"bad@MIT={there['bad']}"]
    before = files(tmp_path, first=REFERENCES.replace("((1) (2))", "((1))"))["first"]
    page = tmp_path / "page.html"
    _, out, err = score_files(
        there["ref"], systems, index=there["index"], before=before, variants=[str(variant)], page=str(page), weight=1.25
    )
    assert err == ""
    html = page.read_text()
    for said in (
        "4 requests scored, 1 of class X left out",
        "25.0 % can be answered by yes or no",
        "at home (BBN)",
        "points of weighted error beyond the others",
        "would pass for another request of the test",
        "speakers resampled: 95 % between",
        "before adjudication",
        "McNemar p",
        "permutation p by session",
        "* own site, ! outlier",
        "all systems",
        "w:1.25",
        "Speed counts for nothing here",
        "no choice of columns gives the tuples of the reference",
    ):
        assert said in out, said
        assert said in html, said
    assert "by luck (wrong on a perturbed database): u2" in out
    assert "Right by luck: u2" in html
    assert "<th scope=row>u1<td class=text>incorrect<td class=text>correct" in html


def test_one_speaker_and_one_system_are_said_to_be_too_few(tmp_path: Path) -> None:
    there = files(tmp_path, ref="u1 1\nu2 1\n", one="u1 1\n", index="utterance site speaker\nu1 BBN s\nu2 MIT s\n")
    _, out, _ = score_files(there["ref"], [f"one@BBN={there['one']}"], index=there["index"])
    assert "no interval out of a single speaker" in out
    assert "one at home (BBN): nothing to compare with" in out


def test_a_corpus_directory_is_scored_with_its_classes(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for stem, kind, ref in [("e0001ssx", "A:", "((1))"), ("e0002ssx", "X: trunc-utt", "")]:
        (folder / f"{stem}.cat").write_text(kind + "\n")
        if ref:
            (folder / f"{stem}.ref").write_text(ref + "\n")
            (folder / f"{stem}.rf2").write_text("((1 2))\n")
    names = sorted(path.stem for path in folder.glob("*.cat"))
    there = files(tmp_path, one=f"{names[0]} ((1 2))\n")
    status, out, err = score_files(str(folder), [there["one"]])
    assert (status, err) == (0, "")
    assert "1 requests scored, 1 of class X left out" in out
    assert "ref:minmax" in out
    (folder / "e0002ssx.ref").write_text("1\n")
    assert "is of class X and has a reference answer" in score_files(str(folder), [there["one"]])[2]


def test_the_page_stands_alone_and_escapes(tmp_path: Path) -> None:
    there = files(tmp_path, ref='u1 (("<b>"))\n', one='u1 (("<i>"))\n')
    page = tmp_path / "scores.html"
    assert score_files(there["ref"], [f"<s>={there['one']}"], page=str(page))[0] == 1
    text = page.read_text()
    assert "<b>" not in text
    assert "<i>" not in text
    assert "&lt;s&gt;" in text
    assert "src=" not in text
    assert "http" not in text
    status, _, err = score_files(there["ref"], [there["one"]], page=str(page))
    assert status == 2
    assert "exists already" in err


def test_a_collected_corpus_brings_its_sites_and_its_shares(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"), session_of("cmu", "9a1"))
    stems = sorted(path for path in corpus.rglob("*.sro"))
    for path in stems:
        path.with_suffix(".ref").write_text("((1))\n")
        path.with_suffix(".cat").write_text("A: wh-question\n")
    answers = tmp_path / "ours.cas"
    answers.write_text("".join(f"{path.stem}  ((1))\n" for path in stems))
    status, out, err = score_files(str(corpus), [f"ours@bbn={answers}"])
    assert status == 0, err
    assert (
        "When they were collected: 0.0 % at the first try (0.0 to 27.8), 60.0 % with the wizard (31.3 to 83.2), of 10 "
        "requests in scope; 2 out of scope, 2 not judged" in out
    )
    assert "bbn" in out
    status, as_json, _ = score_files(str(corpus), [f"ours@bbn={answers}"], as_json=True)
    assert status == 0
    assert json.loads(as_json)["collected"]["unaided"] == 0.0
    next((corpus / "spon").rglob("*.log")).write_text("no log\n")
    status, _, err = score_files(str(corpus), [f"ours={answers}"])
    assert status == 2
    assert ".log:1" in err


def test_results_by_all_that_a_corpus_knows_of_its_requests(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path / "corpus", session_of("bbn", "8k1", "f"), session_of("cmu", "9a1", "m"))
    stems = sorted(path.stem for path in corpus.rglob("*.sro"))
    for path in corpus.rglob("*.sro"):
        path.with_suffix(".ref").write_text("((1))\n")
        tags = "yes/no" if path.stem == stems[0] else "wh-question ungrammatical"
        path.with_suffix(".cat").write_text(f"A: {tags}\n")
    (tmp_path / "ours.cas").write_text("".join(f"{stem}  ((1))\n" for stem in stems[1:]))
    report = json.loads(score_files(str(corpus), [str(tmp_path / "ours.cas")], as_json=True)[1])
    (ours,) = report["systems"]
    found = {one["name"]: {line["group"]: line["total"] for line in one["lines"]} for one in ours["breakdowns"]}
    assert found["tag"] == {"ungrammatical": len(stems) - 1, "wh-question": len(stems) - 1, "yes/no": 1}
    assert found["sex"] == {"f": len(stems) // 2, "m": len(stems) // 2}
    assert sum(found["scenario"].values()) == sum(found["turn"].values()) == len(stems)
    assert 0 < found["turn"]["after a failure"] < len(stems)
    failed = [row["utterance"] for row in ours["outcomes"] if row["after_failure"] == "yes"]
    assert len(failed) == found["turn"]["after a failure"]


def test_an_index_says_what_answer_lists_do_not(tmp_path: Path) -> None:
    index = "utterance scenario sex tags after_failure\nu1 trip f ellipsis,long no\nu2 - m - yes\n"
    there = files(tmp_path, ref="u1 1\nu2 2\n", one="u1 1\nu2 3\n", index=index, odd=index.replace("yes", "maybe"))
    report = json.loads(score_files(there["ref"], [there["one"]], index=there["index"], as_json=True)[1])
    lines = {
        (one["name"], line["group"]): (line["right"], line["total"])
        for one in report["systems"][0]["breakdowns"]
        for line in one["lines"]
        if one["name"] != "speaker"
    }
    assert lines == {
        ("sex", "f"): (1, 1),
        ("sex", "m"): (0, 1),
        ("scenario", "trip"): (1, 1),
        ("tag", "ellipsis"): (1, 1),
        ("tag", "long"): (1, 1),
        ("turn", "after a failure"): (0, 1),
        ("turn", "after an answer"): (1, 1),
    }
    assert (
        "u2: after_failure 'maybe'; it is yes, no or -"
        in score_files(there["ref"], [there["one"]], index=there["odd"])[2]
    )


def test_the_matrix_has_a_row_of_all_systems_and_a_column_of_all_sites(tmp_path: Path) -> None:
    (tmp_path / "refs.cas").write_text("e1 ((1))\ne2 ((2))\ne3 ((3))\n")
    (tmp_path / "one.cas").write_text("e1 ((1))\ne2 ((9))\n")
    (tmp_path / "two.cas").write_text("e1 ((1))\ne2 ((2))\ne3 ((9))\n")
    (tmp_path / "index.tsv").write_text("utterance site\ne1 bbn\ne2 bbn\ne3 cmu\n")
    given = [str(tmp_path / "one.cas"), str(tmp_path / "two.cas")]
    status, out, _ = score_files(str(tmp_path / "refs.cas"), given, index=str(tmp_path / "index.tsv"))
    assert status == 1
    rows = [" ".join(line.split()) for line in out.splitlines()]
    together = "all systems 75.0 (30.1 to 95.4)/25.0/50.0 0.0 (0.0 to 65.8)/50.0/150.0 50.0 (18.8 to 81.2)/33.3/83.3"
    assert together in rows
    assert "two 100.0 (34.2 to 100.0)/0.0/0.0 0.0 (0.0 to 79.3)/100.0/200.0 66.7 (20.8 to 93.9)/33.3/66.7" in rows


def test_maxima_of_a_corpus_can_be_left_out_as_before_1992(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "e0001ssx.ref").write_text("TRUE\n")
    (tmp_path / "corpus" / "e0001ssx.rf2").write_text("TRUE\n")
    one = files(tmp_path, one="e0001ssx ((TRUE FALSE))\n")["one"]
    status, out, _ = score_files(str(tmp_path / "corpus"), [one])
    assert (status, "|ref:minmax|" in out) == (1, True)
    status, out, _ = score_files(str(tmp_path / "corpus"), [one], minimal=True)
    assert (status, "|ref:min|" in out) == (0, True)
    assert score_files(one, [one], minimal=True, maximum=one)[0] == 2


def test_categories_of_1989_are_scored_as_a_and_d_and_told_apart(tmp_path: Path) -> None:
    kinds = ["0", "0", "1", "2", "3", "X"]
    index = "utterance class\n" + "".join(f"u{n} {kind}\n" for n, kind in enumerate(kinds))
    answers = "".join(f"u{n} {n}\n" for n in range(5))
    there = files(tmp_path, ref=answers, one=answers.replace("u4 4", "u4 9"), index=index)
    report = json.loads(score_files(there["ref"], [there["one"]], index=there["index"], as_json=True)[1])
    rows = {line["group"]: (line["right"], line["total"]) for line in report["systems"][0]["classes"]}
    assert rows == {"0": (2, 2), "1": (1, 1), "2": (1, 1), "3": (0, 1), "A": (2, 2), "D": (2, 3), "A+D": (4, 5)}
    assert report["excluded"] == 1
    wrong = files(tmp_path, index="utterance class\nu0 4\n")["index"]
    assert "or a category of 1989: 0, 1, 2, 3 or X" in score_files(there["ref"], [there["one"]], index=wrong)[2]


def test_only_the_second_answer_of_a_triple_is_scored(tmp_path: Path) -> None:
    """The discourse corpus of 1989: Mary Smith's job title, then "What is her salary?"; the first gives context only."""
    index = "utterance class session\nsmith1 X s\nsmith2 1 s\n"
    there = files(tmp_path, ref="smith2 ((52000))\n", one='smith1 "CLERK"\nsmith2 52000\n', index=index)
    status, out, _ = score_files(there["ref"], [there["one"]], index=there["index"])
    assert status == 0
    assert "1 requests scored, 1 of class X left out" in out


def test_a_system_that_asks_back_is_wrong(tmp_path: Path) -> None:
    there = files(tmp_path, ref="u1 ((1) (2))\nu2 TRUE\n", one='u1 "ON WHICH DAY?"\nu2 "WHICH FLIGHT?"\n')
    report = json.loads(score_files(there["ref"], [there["one"]], as_json=True)[1])
    assert [line["wrong"] for line in report["systems"][0]["classes"]] == [2, 2]
    assert any("asks back" in limit for limit in report["limits"])


def test_twenty_lines_make_a_toy_system_scorable(tmp_path: Path) -> None:
    """All that is asked of a participant is a converter (Boisen & Bates 1992, section 2.1)."""
    produced = {"u1": [[2, "AA"], [1, "US"]], "u2": True, "u3": None}
    lines = []
    for name, rows in produced.items():
        if rows is None:
            continue
        (tmp_path / "result.json").write_text(json.dumps(rows))
        status, out, _ = convert(str(tmp_path / "result.json"))
        assert status == 0
        lines.append(f"{name} " + out.replace("\n", "\n  ").rstrip() + "\n")
    there = files(tmp_path, ref="u1 ((1) (2))\nu2 YES\nu3 5\n", toy="".join(lines))
    report = json.loads(score_files(there["ref"], [there["toy"]], as_json=True)[1])
    last = report["systems"][0]["classes"][-1]
    assert (last["right"], last["wrong"], last["none"]) == (2, 0, 1)
