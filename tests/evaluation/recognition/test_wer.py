"""`curtain wer` to its end: what is printed, written and refused."""

import csv
import gc
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from corpus.formats.errors import FormatFault
from evaluation.recognition import RecogniserResult, score
from evaluation.recognition.transcripts import read
from tests.corpus.corpora import corpus_of, session_of
from tests.evaluation.recognition.calls import HYP, REF, room, wer, write

__all__ = ["room"]


def counts(**options: Any) -> tuple[int, ...]:
    data = json.loads(wer(as_json=True, **options)[1])
    total = data["systems"][0]["total"]
    return tuple(total[name] for name in ("words", "substituted", "deleted", "inserted"))


def test_the_report_has_every_table_and_says_what_was_computed(room: Path) -> None:
    write(**{"about.tsv": "utterance site condition\ns1-1 mit clean\ns1-2 mit noisy\ns2-1 sri noisy\n"})
    status, shown, _ = wer(index="about.tsv", align=True)
    assert status == 1
    assert shown.startswith(
        "WER|cost:4/3/3|case:no|alternates:yes|optional:yes|fragments:no|times:no|missing:error|ids:auto|seed:1992|ref:"
    )
    for words in (
        "  speaker",
        "  site",
        "  condition",
        "boston → austin",
        "REF:  what is THE fare ******",
        "Out of 2 speakers",
    ):
        assert words in shown
    assert wer(seed=7)[1] != wer()[1]
    assert gc.isenabled()
    status, perfect, _ = wer("ref.trn", "one=ref.trn")
    assert status == 0
    assert "one has no word wrong, so resampling shows no spread: with 13 words up to 23.1 % may be" in perfect


def test_terms_and_rules_change_the_counts(room: Path) -> None:
    assert counts() == (14, 2, 1, 1)
    assert counts(case=True) == (14, 3, 1, 1)
    assert counts(literal=True) == (14, 2, 2, 1)
    assert counts(fragments=True) == (14, 1, 1, 1)
    by_speaker = [
        line["group"] for line in json.loads(wer(as_json=True, ids="wsj")[1])["systems"][0]["tables"][0]["lines"]
    ]
    assert by_speaker == ["s1-", "s2-"]
    write(**{"few.trn": HYP.partition("\n")[0] + "\n"})
    assert wer("ref.trn", "few.trn")[2] == (
        "error: few.trn: nothing for s1-2, s2-1; said in ref.trn:2; write its id alone where nothing was heard, or count it as "
        "deleted (`--missing deleted`)\n"
    )
    assert "missing:deleted" in wer("ref.trn", "few.trn", missing="deleted")[1]


def test_csv_and_page_hold_every_utterance(room: Path) -> None:
    rows = list(csv.DictReader(StringIO(wer(as_csv=True)[1])))
    assert [row["edits"] for row in rows] == ["CCCCCCS", "CCDCI", "CCS"]
    assert next(csv.DictReader(StringIO(wer(as_csv=True, by="speaker")[1])))["group"] == "s1"
    write(**{"odd.trn": HYP.replace("Show", "=Show")})
    assert ",'=show me" in wer("ref.trn", "odd.trn", as_csv=True)[1]
    assert wer(page="page.html")[0] == 1
    page = Path("page.html").read_text()
    assert page.count('<div class="u k-any') == 3
    assert '<div class="u k-any k-wrong k-D k-I s-0"><b>s1-2</b>' in page
    assert "body:has(#k-S:checked) .u:not(.k-S)" in page
    assert "exists already" in wer(page="page.html")[2]


def test_when_a_reference_changes_both_scores_and_the_difference_are_there(room: Path) -> None:
    write(**{"old.trn": REF.replace("airlines", "airports").replace("what is the fare (s1-2)\n", "")})
    _, shown, _ = wer(before="old.trn")
    assert "reference before adjudication: old.trn" in shown
    assert "    s1-2: (not there) → what is the fare; errors - → 2" in shown
    assert "    s2-1: list airports do- → list airlines do-; errors 2 → 1" in shown


def test_the_folder_of_a_key_stands_for_its_words(room: Path) -> None:
    for folder, words in (("key", REF.replace("airlines", "airports")), ("adjudicated", REF)):
        Path(folder).mkdir()
        Path(folder, "references.trn").write_text(words)
    shown = wer("adjudicated", before="key")[1]
    assert "reference before adjudication: key/references.trn" in shown
    assert "    s2-1: list airports do- → list airlines do-; errors 2 → 1" in shown


def test_a_segment_that_was_parted_is_all_that_changed(room: Path) -> None:
    write(**{"old.stm": "f A s 0 2 <o> hello world\nf A s 2 4 <o> good bye\n"})
    write(**{"new.stm": "f A s 0 1 <o> hello\nf A s 1 2 <o> word\nf A s 2 4 <o> good bye\n"})
    write(**{"h.ctm": "f A 0.1 0.3 hello\nf A 1.1 0.3 word\nf A 2.5 0.3 good\nf A 3.1 0.3 bye\n"})
    shown = wer("new.stm", "h.ctm", before="old.stm")[1]
    assert (
        "    f a from 0 s: hello world → hello; errors 1 → 0\n    f a from 1 s: (not there) → word; errors - → 0\n\n"
        in shown
    )


def test_microphones_stand_apart_and_the_official_one_is_the_result(room: Path) -> None:
    write(**{"mad.trn": "SHOW FARES (8k1-8k1011sx)\nLIST (8k1-8k1021sx)\n"})
    write(**{"mics.trn": "show fares (8k1011ss)\nlist (8k1021ss)\nshow (8k1011sc)\n"})
    result = score("mad.trn", "mics.trn")
    assert isinstance(result, RecogniserResult)
    assert (result.total.errors, result.total.utterances) == (0, 2)
    assert [(row["group"], row["deleted"]) for row in result.rows("microphone")] == [("c", 1), ("s", 0)]
    assert [row["group"] for row in result.rows("speaker")] == ["8k1"]
    both = {"8k1011ss": "show fares", "8k1011sc": "show fares"}
    result = score(both, both | {"8k1011sc": "show"})
    assert (result.total.errors, result.total.utterances) == (0, 1)
    assert [(row["group"], row["deleted"]) for row in result.rows("microphone")] == [("c", 1), ("s", 0)]
    with pytest.raises(ValueError, match="by utterance, speaker, site"):
        result.rows("planet")
    write(**{"x.ndx": "utterance\tsite\n8k1011sx\tbbn\n", "s.trn": "show fares (8k1011ss)\nlist (8k1021ss)\n"})
    told = wer("s.trn", "s.trn", index="x.ndx")[1]
    assert "  bbn " in told
    assert "for no utterance here" not in told


def test_times_align_two_files_of_words_and_plain_lines_need_no_ids(room: Path) -> None:
    write(**{"r.ctm": "f A 0 1 one\nf A 1 1 two\n", "h.ctm": "f A 0 1 two\nf A 1 1 two\n"})
    assert [score("r.ctm", "h.ctm", times=times).utterances[0].aligned.edits for times in (False, True)] == ["SC", "SC"]
    write(**{"h.ctm": "f A 1 1 one\n"})
    assert [score("r.ctm", "h.ctm", times=times).utterances[0].aligned.edits for times in (False, True)] == ["CD", "DS"]
    assert wer("r.ctm", "h.ctm", times=True)[1].count("times:yes") == 1
    write(**{"r.txt": "one two\nthree\n", "h.txt": "one two\nfour\n"})
    assert score("r.txt", "h.txt").total.substituted == 1


def test_a_line_of_the_index_for_no_utterance_is_told_and_no_p_is_nothing(room: Path) -> None:
    write(**{"i.ndx": "utterance\tsite\ns1-1\tbbn\ns9-9\tcmu\n"})
    assert "1 line of i.ndx for no utterance here: s9-9" in wer(index="i.ndx")[1]
    assert "no such folder" in wer(page="nowhere/page.html")[2]
    spoken = "".join(f"a b c d e (s{n}-1)\n" for n in range(60))
    write(**{"r.trn": spoken, "good.trn": spoken, "bad.trn": spoken.replace("a b", "x y")})
    told = wer("r.trn", "good.trn", "bad.trn")[1]
    assert "good <0.001 ***" in told


@pytest.mark.parametrize(
    ("files", "reference", "hypothesis", "error"),
    [
        ({}, "ref.trn", "gone.trn", "gone.trn: No such file"),
        ({"h.trn": HYP + "more (s9-9)\n"}, "ref.trn", "h.trn", "h.trn:4: s9-9 is not in ref.trn"),
        ({"h.trn": HYP + "again (s1-1)\n"}, "ref.trn", "h.trn", "h.trn:4: s1-1 is there twice"),
        ({"h.trn": HYP + "again (S1-1)\n"}, "ref.trn", "h.trn", "h.trn:1: s1-1 is there twice, but for its case"),
        ({"r.trn": "(s1-1)\n(s1-2)\n(s2-1)\n"}, "r.trn", "hyp.trn", "r.trn: a reference without a word"),
        ({"r.trn": REF.replace("}", "")}, "r.trn", "hyp.trn", "r.trn:1: s1-1: a { that nothing closes"),
        ({"r.trn": REF.replace("{", "")}, "r.trn", "hyp.trn", "r.trn:1: s1-1: a } that closes nothing"),
        ({"r.trn": "{ a / " * 3000 + "b" + " }" * 3000 + " (s-1)\n"}, "r.trn", "r.trn", "r.trn:1: s-1: alternates within"),
        ({}, "ref.trn", "=hyp.trn", "=hyp.trn: a system without a name"),
        ({"r.trn": REF.replace("/ the flights", "/")}, "r.trn", "hyp.trn", "an alternate without a word; write @"),
        ({"r.txt": "a\nb\n", "h.txt": "a\n"}, "r.txt", "h.txt", "h.txt:2: 1 lines against 2"),
        ({"r.stm": "f A s 1 2 a\nf A s 0 3 b\n", "h.ctm": ""}, "r.stm", "h.ctm", "r.stm:2: f A: a segment from 0 s after"),
        ({"r.stm": "f A s 0 2 a\n", "h.ctm": ""}, "r.stm", "h.ctm", "h.ctm: nothing for f a; recognise it, or"),
        ({"r.stm": "f A s 0 2 a\n", "h.ctm": "f A 0 1 <ALT>\n"}, "r.stm", "h.ctm", "h.ctm:1: <ALT> outside of alternates"),
        ({"r.stm": "f A s 0 2 a\n", "h.ctm": "f A 0 1 <ALT_BEGIN>\nf A 0 1 a\n"}, "r.stm", "h.ctm", "h.ctm:1: alternates that"),
        ({"r.stm": "f A s 0 2 a\n", "h.ctm": "g A 0 1 a\n"}, "r.stm", "h.ctm", "h.ctm:1: g A has no segment"),
        ({"r.stm": "f A s 0 2 a\n", "h.ctm": "f A 0 a\n"}, "r.stm", "h.ctm", "h.ctm:1: no word"),
        ({"r.stm": "f A s 0 2 a\n"}, "r.stm", "hyp.trn", "hyp.trn: a trn against an STM"),
        ({"r.doc": "a\n"}, "r.doc", "hyp.trn", "r.doc: a name that ends in .doc"),
    ],
)  # fmt: skip
def test_bad_input_is_one_error_with_its_place(
    room: Path, files: dict[str, str], reference: str, hypothesis: str, error: str
) -> None:
    write(**files)
    status, shown, err = wer(reference, hypothesis)
    assert (status, shown, err.count("\n")) == (2, "", 1)
    assert err.startswith("error: ")
    assert error in err


def test_what_is_no_text_is_told_in_a_notebook_too() -> None:
    with pytest.raises(FormatFault, match="'s': 3; ids and texts are strings"):
        score({"s": 3}, {"s": "three"})  # type: ignore[dict-item]


def test_a_corpus_is_the_reference_once_its_transcriptions_are_checked(tmp_path: Path) -> None:
    root = corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"), session_of("cmu", "9a1", "f"))
    assert wer(str(root))[2].startswith(f"error: {root}: no utterance to score (")
    listed = json.loads((root / "manifest.json").read_text())
    for entry in listed["files"].values():
        entry["draft"] = False
    (root / "manifest.json").write_text(json.dumps(listed))
    said = read(root).texts
    by_crown = {f"{key[:-1]}c": "WRONG" for key in [*said][:2]}
    result = score(root, {f"{key[:3]}-{key[:-1]}x": text for key, text in said.items()} | by_crown)
    assert (result.total.utterances, result.total.words, result.total.errors) == (14, 68, 0)
    assert [(row["group"], row["utterances"]) for row in result.rows("site")] == [("bbn", 7), ("cmu", 7)]
    assert [row["group"] for row in result.rows("condition")] == ["tables"]
    assert [(row["group"], row["word_error"]) for row in result.rows("microphone")] == [("c", 100.0), ("s", 0.0)]
