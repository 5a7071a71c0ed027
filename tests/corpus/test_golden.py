"""Every type of file to the byte: what is written today is what was written, and what was written is read."""

import re
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corpus.formats import cas, cat, com, lexicon, lsn, riff, sphere, spkrinfo, sql, squ, sro, win
from corpus.formats.cas_values import render as render_cas
from corpus.formats.cat import Category, Characteristics
from corpus.formats.com import Comments
from corpus.formats.errors import FormatFault
from corpus.formats.lexicon import CorpusLexicon
from corpus.formats.log import file
from corpus.formats.lsn import Lexical
from corpus.formats.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.formats.sql import Statements
from corpus.formats.squ import AnsweredForm, SessionForms
from corpus.formats.sro import AudibleEvent, Extent, Mark, Sign, Transcription, Word
from corpus.formats.win import Sentences
from corpus.verify.verify import verify
from tests import ROOT

GOLDEN = ROOT / "tests" / "golden" / "corpus"
Case = tuple[Callable[[Any], bytes], Callable[[bytes, str], Any], Any, bytes]

SPOKEN = Transcription(
    (
        AudibleEvent("loud_breath"),
        Word("show"),
        Word("the", deleted=1),
        AudibleEvent("um"),
        Word("i", deleted=2),
        Word("flighs", mispronounced=True),
        AudibleEvent("cough", Extent.ON_PREVIOUS),
        Word("revo", fragment=True, missing="lutionary"),
        Mark(Sign.UNCERTAIN_BEGINS),
        Word("o'clock"),
        Mark(Sign.UNCERTAIN_ENDS),
        AudibleEvent("phone_ring", Extent.BEGINS),
        Word("no:t", stressed=True),
        AudibleEvent("phone_ring", Extent.ENDS),
        AudibleEvent("masked"),
        Mark(Sign.CUT),
    )
)
CASES: dict[str, Case] = {
    "sro": (
        sro.render,
        sro.parse,
        SPOKEN,
        b"[loud_breath] show <the> [um] <<i>> *flighs* [<cough] revo(lutionary)- (( o'clock )) [phone_ring/] !no:t "
        b"[/phone_ring] [masked] ~\n",
    ),
    "lsn": (
        lsn.render,
        lsn.parse,
        Lexical(("SHOW", "THE", "I", "FLIGHS", "REVO-", "O'CLOCK", "NOT")),
        b"SHOW THE I FLIGHS REVO- O'CLOCK NOT\n",
    ),
    "cat": (
        cat.render,
        cat.parse,
        Category(
            "D",
            Characteristics(("testably-ambiguous",)),
            ((1, Characteristics(("yes/no",), ("Q1",))), (2, Characteristics(("wh-question",), ("Q1", "Q3")))),
            ("two readings",),
        ),
        b"D: testably-ambiguous\ninterp#1: yes/no context-dependent:Q1\n"
        b"interp#2: wh-question context-dependent:Q1|Q3\n; two readings\n",
    ),
    "win": (
        win.render,
        win.parse,
        Sentences(("list flights", "is there a flight")),
        b"list flights\nis there a flight\n",
    ),
    "sql": (
        sql.render,
        sql.parse,
        Statements(("SELECT a FROM b WHERE c = 'x  y'", "SELECT 1")),
        b"SELECT a FROM b WHERE c = 'x  y';\nSELECT 1;\n",
    ),
    "sq2": (
        sql.render_blocks,
        sql.parse_blocks,
        Statements(("SELECT a, d FROM b", "SELECT 1")),
        b"SELECT a, d FROM b;\n\nSELECT 1;\n",
    ),
    "com": (
        com.render,
        com.parse,
        Comments(("wizard (utterance 02): \u00e9t\u00e9", "", "subject: fine")),
        b"wizard (utterance 02): \xc3\xa9t\xc3\xa9\n\nsubject: fine\n",
    ),
    "squ": (
        squ.render,
        squ.parse,
        SessionForms((AnsweredForm("belief", (("real", "a machine\nor not"), ("why", ""))),)),
        b"[Questionnaire:] belief\n[Item:] real\n[Answer:] a machine\\nor not\n[Item:] why\n[Answer:]\n",
    ),
    "spkrinfo.log": (
        spkrinfo.render,
        spkrinfo.parse,
        SpeakerTable(
            (
                SpeakerInfo("8k8", "f", 31, "New\tEngland", "advertisement", "certificate", "bbn"),
                SpeakerInfo("8k9", site="sri"),
            )
        ),
        b"speaker\tsex\tage\tdialect\trecruitment\tcompensation\tsite\n"
        b"8k8\tf\t31\tNew\\tEngland\tadvertisement\tcertificate\tbbn\n8k9\t\t\t\t\t\tsri\n",
    ),
    "lexicon.doc": (
        lexicon.render,
        lexicon.parse,
        CorpusLexicon((("boston", 12), ("o'clock", 1))),
        b"boston\t12\no'clock\t1\n",
    ),
    "riff": (
        riff.render,
        riff.parse,
        riff.pcm_file(b"\x01\x00\xff\x7f", 16_000),
        b"RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\x7d\0\0\x02\0\x10\0data\x04\0\0\0\x01\0\xff\x7f",
    ),
}
ANSWERS = {
    "ref": b'((101 1530 "AA")\n (102 0.5 NIL))\n',
    "rf2": b"(TRUE\n OR ((1))\n OR NO_ANSWER)\n",
}


@pytest.mark.parametrize("kind", sorted(CASES))
def test_a_value_has_these_bytes_and_these_bytes_are_this_value(kind: str) -> None:
    render, parse, value, data = CASES[kind]
    assert render(value) == data
    assert parse(data, kind) == value


@pytest.mark.parametrize("kind", sorted(ANSWERS))
def test_an_answer_in_its_canonical_form_comes_back_to_the_byte(kind: str) -> None:
    data = ANSWERS[kind]
    assert render_cas(cas.parse(data.decode(), source=kind)).encode() + b"\n" == data


def test_the_golden_files_come_back_to_the_byte() -> None:
    wave = (GOLDEN / "8k8011ss.wav").read_bytes()
    assert sphere.render(sphere.parse(wave, "8k8011ss.wav")) == wave
    for path in sorted(GOLDEN.glob("*.log")):
        assert file.render(file.parse(path.read_bytes(), path.name)) == path.read_bytes()


@pytest.mark.parametrize("kind", sorted({*CASES} - {"riff"}))
def test_files_that_were_through_another_program_are_read_alike(kind: str) -> None:
    _, parse, value, data = CASES[kind]
    assert parse(data.replace(b"\n", b"\r\n"), kind) == value
    assert parse(b"\xef\xbb\xbf" + data, kind) == value
    assert parse(data.removesuffix(b"\n"), kind) == value


@pytest.mark.parametrize("kind", ["cat", "spkrinfo.log", "lexicon.doc"])
def test_a_number_of_thousands_of_digits_is_refused_like_any_other_fault(kind: str) -> None:
    _, parse, _, data = CASES[kind]
    with pytest.raises(FormatFault):
        parse(re.sub(rb"[0-9]+", b"9" * 5000, data, count=1), kind)


def test_a_corpus_of_before_manifests_were_sealed_still_verifies(tmp_path: Path) -> None:
    with tarfile.open(GOLDEN / "corpus-1.tar.xz") as packed:
        # no filter for all at once: Debian's Python 3.11 is older than it
        for member in packed.getmembers():
            if (data := packed.extractfile(member)) is not None:
                target = tmp_path / member.name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data.read())
    assert b'"seal"' not in (tmp_path / "manifest.json").read_bytes()
    report = verify(tmp_path)
    assert (report.findings, report.utterances) == ((), 7)
