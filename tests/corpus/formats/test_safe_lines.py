import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.formats.errors import FormatFault
from corpus.formats.keyed_lines import KeyedLine, parse, render_all
from corpus.formats.safe_lines import escaped, lines_of, plain

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_no_text_becomes_more_than_one_line(text: str) -> None:
    safe = escaped(text)
    assert len(safe.splitlines()) <= 1
    safe.encode()


@given(ANY_TEXT)
def test_plain_gives_the_composed_text_back(text: str) -> None:
    once = plain(escaped(text), "x", 1)
    assert plain(escaped(once), "x", 1) == once
    assert escaped(once) == escaped(text)


@given(st.lists(st.tuples(st.sampled_from(["Result", "End_to_end", "Database_version"]), ANY_TEXT)))
def test_entries_come_back_one_a_line_whatever_their_values(pairs: list[tuple[str, str]]) -> None:
    written = render_all(KeyedLine(key, value) for key, value in pairs)
    assert written.count(b"\n") == len(pairs)
    found = parse(written, "x.log")
    assert [(entry.key, escaped(entry.value), entry.line) for entry in found] == [
        (key, escaped(value), number) for number, (key, value) in enumerate(pairs, start=1)
    ]


@pytest.mark.parametrize("escape", [r"\x", r"\u{61}", r"\u{110000}", "\\", r"\u{d}"])
def test_only_the_escapes_that_are_written_are_read(escape: str) -> None:
    with pytest.raises(FormatFault, match="unknown escape"):
        plain(escape, "x", 1)


def test_a_wrong_byte_is_named_with_its_line() -> None:
    with pytest.raises(FormatFault, match=r"x\.sro:2: byte 0xff"):
        lines_of(b"one\n\xff\n", "x.sro")


def test_both_line_ends_are_read_and_form_feeds_are_not_line_ends() -> None:
    assert lines_of("a\r\nb\fc\nd", "x") == ["a", "b\fc", "d"]


def test_a_byte_order_mark_is_no_part_of_a_text_however_often_it_stands_there() -> None:
    assert lines_of("\ufeff\ufeffa\ufeff".encode(), "x") == ["a\ufeff"]


def test_an_entry_without_its_bracket_is_refused_with_its_line() -> None:
    with pytest.raises(FormatFault, match=r"x\.log:3: not an entry"):
        parse("[Speaker:] 8k8\n\nSpeaker: 8k8\n", "x.log")
