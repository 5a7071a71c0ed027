"""The formats of one idea each: remarks, wizard's sentences, questionnaire, speakers, lexicon."""

from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from corpus.formats import com, lexicon, spkrinfo, squ, win
from corpus.formats.errors import FormatFault
from corpus.formats.lexicon import CorpusLexicon
from corpus.formats.safe_lines import escaped, plain
from corpus.formats.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.formats.squ import AnsweredForm, SessionForms
from corpus.formats.sro import parse as parse_sro

COMPOSED = st.text().map(lambda text: plain(escaped(text), "", 0))
SPEAKERS = st.builds(
    SpeakerInfo,
    speaker=st.from_regex(r"[1-9a-z][0-9a-z]{2}", fullmatch=True),
    sex=st.sampled_from(["", "m", "f", "x"]),
    age=st.none() | st.integers(1, 120),
    dialect=COMPOSED,
    recruitment=COMPOSED,
    compensation=COMPOSED,
    site=COMPOSED,
)


@given(st.lists(st.text("ab ;\t", max_size=9).map(str.rstrip), max_size=4))
def test_remarks_come_back(lines: list[str]) -> None:
    while lines and not lines[-1]:
        lines.pop()
    remarks = com.Comments(tuple(lines))
    assert com.parse(com.render(remarks), "x.com") == remarks


@given(st.lists(st.from_regex(r"[^\s]{1,6}( [^\s]{1,6}){0,3}", fullmatch=True), min_size=1, max_size=3))
def test_sentences_come_back(sentences: list[str]) -> None:
    assume(not sentences[0].startswith("\ufeff"))
    value = win.Sentences(tuple(sentences))
    assert win.parse(win.render(value), "x.win") == value


def test_a_file_of_sentences_cannot_begin_with_what_is_no_part_of_it() -> None:
    with pytest.raises(ValueError, match=r"U\+FEFF"):
        win.render(win.Sentences(("\ufefflist flights",)))
    assert win.parse("list flights\n".encode("utf-8-sig"), "x.win").sentences == ("list flights",)


def test_a_mark_that_cannot_be_seen_is_a_blank_wherever_it_stands() -> None:
    assert win.parse("\n\ufefflist\ufeffflights\n", "x.win").sentences == ("list flights",)


def test_a_file_without_a_sentence_is_refused() -> None:
    with pytest.raises(FormatFault, match="no sentence"):
        win.parse("\n", "x.win")


@given(
    st.lists(
        st.builds(AnsweredForm, name=COMPOSED, answers=st.lists(st.tuples(COMPOSED, COMPOSED)).map(tuple)), max_size=3
    )
)
def test_questionnaires_come_back(forms: list[AnsweredForm]) -> None:
    value = SessionForms(tuple(forms))
    assert squ.parse(squ.render(value), "x.squ") == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[Item:] a\n[Answer:] b\n", r"x.squ:1: \[Item:\] here"),
        ("[Questionnaire:] q\n[Answer:] b\n", r"x.squ:2: .*write \[Item:\]"),
        ("[Questionnaire:] q\n[Item:] a\n", "x.squ:2: an item without an answer"),
        ("[Questionnaire:] q\n[Item:] a\n[Questionnaire:] r\n", r"x.squ:3: .*write \[Answer:\]"),
        ("[Form:] q\n", r"\[Form:\] here"),
    ],
)
def test_forms_out_of_order_are_refused(text: str, message: str) -> None:
    with pytest.raises(FormatFault, match=message):
        squ.parse(text, "x.squ")


@given(st.lists(SPEAKERS, max_size=5, unique_by=lambda info: info.speaker))
def test_speaker_tables_come_back_sorted(speakers: list[SpeakerInfo]) -> None:
    table = SpeakerTable(tuple(sorted(speakers, key=lambda info: info.speaker)))
    assert spkrinfo.parse(spkrinfo.render(SpeakerTable(tuple(speakers))), "spkrinfo.log") == table


def test_the_summary_is_that_of_the_1993_paper() -> None:
    speakers = [SpeakerInfo(f"{n:03d}", "m" if n <= 16 else "f") for n in range(1, 38)]
    assert spkrinfo.summary(speakers) == "37; 16M/21F"
    assert spkrinfo.summary([SpeakerInfo("001"), SpeakerInfo("002", "x")]) == "2; 0M/0F/2X"


@pytest.mark.parametrize(
    ("written", "sex"), [("Female", "f"), ("m", "m"), (" M ", "m"), ("woman", "f"), ("divers", "x"), ("", "")]
)
def test_sex_is_read_however_a_study_writes_it(written: str, sex: str) -> None:
    assert spkrinfo.sex_of(written) == sex


HEAD = "speaker\tsex\tage\tdialect\trecruitment\tcompensation\tsite\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "spkrinfo.log:1: the first line"),
        ("speaker sex\n", "spkrinfo.log:1: the first line"),
        (HEAD + "8k8\tf\n", "spkrinfo.log:2: 2 columns"),
        (HEAD + "000\t\t\t\t\t\t\n", "spkrinfo.log:2: '000' is not a speaker"),
        (HEAD + "8k8\tw\t\t\t\t\t\n", "sex 'w'"),
        (HEAD + "8k8\t\told\t\t\t\t\n", "age 'old'"),
        (HEAD + "8k8\t\t\t\t\t\t\n8k8\t\t\t\t\t\t\n", "spkrinfo.log:3: 8k8 after 8k8"),
    ],
)
def test_a_wrong_table_is_refused_at_the_line(text: str, message: str) -> None:
    with pytest.raises(FormatFault, match=message):
        spkrinfo.parse(text, "spkrinfo.log")


def test_fragments_are_no_words_of_the_lexicon() -> None:
    assert list(lexicon.words(parse_sro("the fli- <the> *flighs* lo:ng [uh]", ""))) == ["the", "the", "flighs", "long"]


@given(st.lists(st.dictionaries(st.from_regex("[a-z']{1,5}", fullmatch=True), st.integers(1, 99)), max_size=3))
def test_lexicons_add_and_come_back(dictionaries: list[dict[str, int]]) -> None:
    total: Callable[[CorpusLexicon, CorpusLexicon], CorpusLexicon] = CorpusLexicon.__add__
    sum_ = CorpusLexicon(())
    for words in dictionaries:
        sum_ = total(sum_, CorpusLexicon(tuple(sorted(words.items()))))
    assert lexicon.parse(lexicon.render(sum_), "lexicon.doc") == sum_
    assert sum(count for _, count in sum_.counts) == sum(sum(words.values()) for words in dictionaries)


@pytest.mark.parametrize("text", ["a\n", "a\tb\n", "a\t0\n", "b\t1\na\t1\n", "a\t1\na\t1\n", " a\t1\n", "a b\t1\n"])
def test_a_wrong_lexicon_is_refused(text: str) -> None:
    with pytest.raises(FormatFault, match=r"lexicon\.doc:"):
        lexicon.parse(text, "lexicon.doc")
