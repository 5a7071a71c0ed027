import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.annotation.draft_transcription import from_quick, quick_words
from corpus.formats import lsn, sro
from corpus.formats.errors import FormatFault
from corpus.formats.sro import EVENTS, AudibleEvent, Extent, Mark, Sign, Transcription, Word

EVERYTHING = (
    b"~ show me <the> <flights> <<i>> <<mean>> the *nontop* revo(lutionary)- fli- [uh] to !not lo:ng d f w . "
    b"[door_slam] cabin [<cough] [beep>] o'clock [phone_ring/] a b [/phone_ring] (( san jose )) [unintelligible] ~\n"
)
TEXTS = st.from_regex(r"[a-zäéß]([a-z':]{0,5}[a-z])?", fullmatch=True)
WORDS = st.builds(
    Word,
    text=TEXTS,
    fragment=st.booleans(),
    missing=st.just(""),
    mispronounced=st.booleans(),
    stressed=st.booleans(),
    deleted=st.integers(0, 2),
) | st.builds(Word, text=TEXTS, fragment=st.just(True), missing=st.from_regex(r"[a-z']{1,5}", fullmatch=True))
ALONE = st.builds(AudibleEvent, name=st.sampled_from(sorted(EVENTS)))
PIECES = st.one_of(
    st.tuples(WORDS),
    st.tuples(ALONE),
    st.just((Mark(Sign.PAUSE),)),
    st.tuples(WORDS, st.just(AudibleEvent("cough", Extent.ON_PREVIOUS))),
    st.tuples(st.just(AudibleEvent("beep", Extent.ON_NEXT)), WORDS),
    st.tuples(st.just(AudibleEvent("tap", Extent.BEGINS)), WORDS, st.just(AudibleEvent("tap", Extent.ENDS))),
    st.tuples(st.just(Mark(Sign.UNCERTAIN_BEGINS)), WORDS, ALONE, st.just(Mark(Sign.UNCERTAIN_ENDS))),
)


@st.composite
def transcriptions(draw: st.DrawFn) -> Transcription:
    pieces = [token for piece in draw(st.lists(PIECES, max_size=8)) for token in piece]
    cut = Mark(Sign.CUT)
    return Transcription((*([cut] * draw(st.integers(0, 1))), *pieces, *([cut] * draw(st.integers(0, 1)))))


@given(transcriptions())
def test_what_is_rendered_is_parsed_back(transcription: Transcription) -> None:
    assert sro.parse(sro.render(transcription), "x.sro") == transcription


@given(transcriptions())
def test_the_lexical_form_is_parsed_back_and_derived_from_itself(transcription: Transcription) -> None:
    lexical = lsn.derive(transcription)
    assert lsn.parse(lsn.render(lexical), "x.lsn") == lexical
    assert lsn.derive(sro.parse(lsn.render(lexical), "x.lsn")) == lexical
    assert all(word == word.upper() for word in lexical.words)


def test_every_mark_is_read_and_written() -> None:
    transcription = sro.parse(EVERYTHING, "x.sro")
    assert sro.render(transcription) == EVERYTHING
    assert transcription.truncated
    assert transcription.uncertain
    assert lsn.render(lsn.derive(transcription)) == (
        b"SHOW ME THE FLIGHTS I MEAN THE NONTOP REVO- FLI- TO NOT LONG D F W CABIN O'CLOCK A B SAN JOSE\n"
    )


def test_capitals_blank_lines_and_the_old_mark_are_read() -> None:
    transcription = sro.parse("\nShow ME\n** flights\n", "x.sro")
    assert sro.render(transcription) == b"show me [unintelligible] flights\n"
    assert [problem.advice for problem in sro.check("Show")] == [True]


@pytest.mark.parametrize(("text", "cut"), [("to boston ~", True), ("~ to boston", False), ("~", True), ("~~", False)])
def test_a_tilde_at_the_end_says_that_the_speech_was_cut(text: str, cut: bool) -> None:
    assert sro.parse(text, "x.sro").truncated is cut


def test_silence_and_noise_have_an_empty_lexical_form() -> None:
    assert lsn.render(lsn.derive(sro.parse("~~", "x.sro"))) == b"\n"
    assert lsn.parse(b"\n", "x.lsn").words == ()


def test_the_id_of_the_scoring_form_is_read_and_held_against_the_name() -> None:
    place = "spon/8k8/1/8k8011sx.lsn"
    for written in ("SHOW ME FLI- (8k8011sx)\n", "SHOW ME FLI- (8K8011SS)"):
        assert lsn.parse(written, place).words == ("SHOW", "ME", "FLI-")
    assert lsn.parse("(8k8011sx)\n", place).words == ()
    with pytest.raises(FormatFault, match=r"8k8011sx\.lsn:1: the words of \(8k8021sx\)"):
        lsn.parse("SHOW ME (8k8021sx)\n", place)
    with pytest.raises(FormatFault, match="is not a SNOR word"):
        lsn.parse("(8k8011sx) SHOW\n", place)


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("flight 732", 8, "digits"),
        ("*flighs", 1, "one star"),
        ("show <me the>", 6, "angle brackets"),
        ("<<i>", 1, "angle brackets"),
        ("[door slam]", 1, "no complete event"),
        ("[doorslam]", 1, "no such event"),
        ("boston~", 1, "within a token"),
        ("to (boston)", 4, "brackets"),
        ("{ a / b }", 1, "alternatives"),
        ("d.f.w. please", 1, "acronym"),
        ("round-trip", 1, "hyphen within"),
        ("boston, please", 1, "punctuation"),
        ("revo(lution)", 1, "brackets"),
        ("one ~ two", 5, "in the middle"),
        ("~~ two", 1, "beside other tokens"),
        ("a (( b", 3, "never closed"),
        ("a )) b", 3, "not opened"),
        ("[tap/] [tap/] a [/tap]", 8, "opened twice"),
        ("[<cough] a", 1, "no word before"),
        ("a [cough>] [uh]", 3, "no word after"),
        ("naïve €", 7, "no mark or word"),
        ("nai\u0308ve €", 8, "no mark or word"),
        pytest.param("a " + "-" * 300_000, 3, "300000 characters without a blank", id="hyphens"),
        pytest.param("a" + "\u0300\u0316" * 300_000, 1, "600001 characters", id="accents"),
    ],
)
def test_each_departure_is_found_at_its_column(line: str, column: int, message: str) -> None:
    problems = sro.check(line)
    assert message in problems[0].message
    assert problems[0].column == column
    assert problems[0].remedy
    with pytest.raises(FormatFault, match=r"x\.sro"):
        sro.parse(line, "x.sro")


def test_tokens_out_of_order_are_refused_at_their_line_and_column() -> None:
    with pytest.raises(FormatFault, match=r"^x\.sro:2: column 3: ~ in the middle"):
        sro.parse("show me\na ~\nflights", "x.sro")


def test_all_departures_of_a_line_are_found_at_once() -> None:
    assert [problem.column for problem in sro.check("Show 1 boston, ~ please")] == [1, 6, 8, 16]


@given(st.text())
def test_the_live_check_agrees_with_the_parser(line: str) -> None:
    one_line = " ".join(line.split())
    wrong = any(not problem.advice for problem in sro.check(one_line))
    try:
        sro.parse(one_line, "x.sro")
    except FormatFault:
        assert wrong
    else:
        assert not wrong


@pytest.mark.parametrize(
    ("typed", "draft"),
    [
        ("Show me flights from Boston to Denver, please.", "show me flights from boston to denver please"),
        ("flight 732", "flight (( seven three two ))"),
        ("What's the cheapest round-trip fare?", "what's the cheapest round trip fare"),
        ("from DFW at 7 a.m.", "from d f w at (( seven )) a m"),
        ("SHOW ME THE FARES", "show me the fares"),
        ("what about ~", "what about ~"),
        ("show <the> [uh] the fares", "show <the> [uh] the fares"),
        ("bed & breakfast", "bed and breakfast"),
        ("the passengers' lounge", "the passengers' lounge"),
        ("it’s fine", "it's fine"),
        ("???", "[unintelligible]"),
        ("", "[unintelligible]"),
        ("line one\nline two", "line one line two"),
    ],
)
def test_a_quick_transcription_becomes_a_draft(typed: str, draft: str) -> None:
    assert sro.render(from_quick(typed)).decode() == draft + "\n"


LETTERS = st.text(st.sampled_from("abdfwIAUSnt   '?!.,;:~7[]<>-é"), max_size=14) | st.from_regex(
    r"[A-Za-z]{1,4}([,;]? [a-zA-Z]{1,4}){0,3}[?.]?", fullmatch=True
)


@given(LETTERS)
def test_what_is_read_at_once_is_what_is_read_token_by_token(text: str) -> None:
    if (found := sro.words_alone(f"{text}\n")) is not None:
        by_tokens = sro.parse(f"{text}\n\n", "x.sro")  # of a blank line nothing comes but this
        assert (found, sro.check(text)) == (by_tokens, [])
        assert sro.render(found).decode() == f"{text}\n"
    if words := quick_words(text):
        assert sro.render(from_quick(text)).decode() == f"{words}\n"


@given(st.text(st.characters(exclude_categories=())))
def test_any_typed_text_becomes_a_legal_draft_and_stays_as_it_is(typed: str) -> None:
    draft = from_quick(typed)
    assert sro.parse(sro.render(draft), "x.sro") == draft
    assert from_quick(sro.render(draft).decode()) == draft


@pytest.mark.parametrize("text", ["show", "SHOW [uh]", "SHOW.", "D.F.W.", "*A*", "7", "~"])
def test_only_words_and_fragments_in_capitals_are_lexical(text: str) -> None:
    with pytest.raises(FormatFault, match=r"x\.lsn:1"):
        lsn.parse(text, "x.lsn")


_PIECES = st.sampled_from(
    [
        "show",
        "it's",
        "fli-",
        "me:",
        "Boston",
        "737",
        "ré",
        "[uh]",
        "<the>",
        "*dallas*",
        "~",
        "~~",
        "((",
        "))",
        "a,",
        "",
        "x" * 201,
    ]
)


@given(st.lists(_PIECES, min_size=1, max_size=6))
def test_a_line_of_words_alone_is_read_as_any_other_line(pieces: list[str]) -> None:
    """A blank before it keeps a line from being taken for the plain one that most are."""
    line = " ".join(pieces)
    found = [(one.column + 1, one.length, one.message, one.advice) for one in sro.check(line)]
    assert [(one.column, one.length, one.message, one.advice) for one in sro.check(f" {line}")] == found
    if all(advice for *_, advice in found):
        assert sro.parse(line, "x.sro") == sro.parse(f" {line}", "x.sro")
