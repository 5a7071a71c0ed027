"""Names are what MADCOW says, never two alike, and never a way out of a folder."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session.values.names import (
    DIGITS,
    LAST_SCENARIO,
    LAST_UTTERANCE,
    Exhausted,
    SessionName,
    SpeakerBlock,
    StemName,
    base36,
    check_id,
    check_speaker,
    from_base36,
    ulid,
)

SPEAKERS = st.integers(1, 36**3 - 1).map(lambda number: base36(number, 3))
STEMS = st.builds(
    StemName,
    speaker=SPEAKERS,
    scenario=st.integers(1, LAST_SCENARIO),
    utterance=st.integers(0, LAST_UTTERANCE),
    mode=st.sampled_from("srcv"),
    mic=st.sampled_from(DIGITS[10:]),
)


@given(number=st.integers(0, 36**5 - 1))
def test_base_36_is_read_as_it_was_written_and_sorts_alike(number: int) -> None:
    text = base36(number, 5)
    assert (from_base36(text), len(text)) == (number, 5)
    if number:
        assert base36(number - 1, 5) < text


@pytest.mark.parametrize(("number", "width"), [(-1, 2), (1296, 2), (36, 1)])
def test_a_number_that_does_not_fit_is_refused(number: int, width: int) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        base36(number, width)


@pytest.mark.parametrize("text", ["", "A", "1_0", " 1", "é", "-1", "+1", "１"])
def test_what_is_no_base_36_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a base-36 number"):
        from_base36(text)


def test_the_example_of_the_specification() -> None:
    stem = StemName.parse("e000e1ss")
    assert stem == StemName("e00", 1, 14, "s", "s")
    assert (from_base36("zz"), from_base36("z")) == (LAST_UTTERANCE, LAST_SCENARIO)


@given(stem=STEMS)
def test_a_stem_is_read_as_it_was_written(stem: StemName) -> None:
    assert StemName.parse(str(stem)) == stem
    assert len(str(stem)) == 8


@given(one=STEMS, other=STEMS)
def test_no_two_things_share_a_stem(one: StemName, other: StemName) -> None:
    assert (str(one) == str(other)) == (one == other)


@pytest.mark.parametrize(
    "stem", ["", "e000e1s", "E000e1ss", "e000e0ss", "e000e1xs", "e000e1s1", "000011ss", "e000e1ss\n"]
)
def test_what_is_no_stem_is_refused(stem: str) -> None:
    with pytest.raises(ValueError, match=r"XXXUUSMP|speaker's id"):
        StemName.parse(stem)


@given(
    site=st.from_regex("[a-z][a-z0-9]{1,7}", fullmatch=True),
    date=st.dates().map("{:%Y%m%d}".format).filter(lambda text: len(text) == 8),
    number=st.integers(1, 9999),
)
def test_a_session_s_name_is_read_as_it_was_written(site: str, date: str, number: int) -> None:
    name = SessionName(site, date, number)
    assert SessionName.parse(str(name)) == name
    assert check_id(str(name)) == str(name)


@pytest.mark.parametrize(
    "text", ["", "bbn", "bbn-20261121", "bbn-20261121-0", "bbn-20261121-01", "BBN-20261121-1", "b-20261121-1", "bbn-20261121-1/x"]
)  # fmt: skip
def test_what_is_no_session_s_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a session's name"):
        SessionName.parse(text)


@pytest.mark.parametrize("speaker", ["000", "00", "0000", "ABC", "a b", "é00", "001\n"])
def test_what_is_no_speaker_is_refused(speaker: str) -> None:
    with pytest.raises(ValueError, match="not a speaker's id"):
        check_speaker(speaker)


def test_a_block_gives_its_ids_in_order_and_then_the_remedy() -> None:
    block = SpeakerBlock("00y", "011")
    used = set[str]()
    for speaker in ("00y", "00z", "010", "011"):
        assert block.next_after(used) == speaker
        assert speaker in block
        used.add(speaker)
    assert "012" not in block
    with pytest.raises(Exhausted, match="from 00y to 011 are taken; give the site a further block"):
        block.next_after(used)


def test_an_id_that_was_skipped_is_given_before_a_new_one() -> None:
    assert SpeakerBlock("001", "00z").next_after({"001", "003"}) == "002"


def test_no_speaker_is_named_after_a_device() -> None:
    assert SpeakerBlock("com", "cop").next_after({"com"}) == "coo"
    with pytest.raises(Exhausted):
        SpeakerBlock("nul", "nul").next_after(set())


def test_a_block_runs_forward() -> None:
    with pytest.raises(ValueError, match="runs backwards: 002 to 001"):
        SpeakerBlock("002", "001")


@given(early=st.integers(0, 2**47), later=st.integers(1, 2**40), entropy=st.binary(min_size=10, max_size=10))
def test_ulids_sort_by_time(early: int, later: int, entropy: bytes) -> None:
    first, second = ulid(early * 1_000_000, b"\xff" * 10), ulid((early + later) * 1_000_000, entropy)
    assert first < second
    assert len(second) == 26
    assert check_id(second) == second


def test_ulids_are_written_as_their_specification_says() -> None:
    assert ulid(1_469_918_176_385 * 1_000_000, bytes(10)) == "01ARYZ6S410000000000000000"
    assert ulid(0, b"\xff" * 10) == "0000000000ZZZZZZZZZZZZZZZZ"


def test_ulids_differ_at_the_same_moment() -> None:
    assert len({ulid(0) for _ in range(1000)}) == 1000


def test_entropy_is_ten_bytes() -> None:
    with pytest.raises(ValueError, match="10 bytes, not 3"):
        ulid(0, b"abc")


@pytest.mark.parametrize(
    "text", ["", ".", "..", "a/b", "a\\b", "-a", "_a", "a.b", "a b", "a\0", "a\n", "é", "a" * 65, "../x", "C:"]
)
def test_what_could_lead_out_of_a_folder_is_no_identifier(text: str) -> None:
    with pytest.raises(ValueError, match="is not an identifier"):
        check_id(text)


@given(text=st.text())
def test_whatever_passes_is_one_plain_part_of_a_path(text: str) -> None:
    try:
        passed = check_id(text)
    except ValueError:
        return
    assert passed == text
    assert passed.isascii()
    assert not set(passed) & set("./\\: \n\0")
