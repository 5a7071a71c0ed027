"""Texts to read: what stands out in them, and that every word stays as it was."""

import pytest

from subject.widgets.reading_text import set_off

BOLD = {
    "INFORMATION AND CONSENT": "INFORMATION AND CONSENT",
    "Your rights. You may stop at any moment.": "Your rights.",
    "Airlines: their names and codes.": "Airlines:",
    "What else is said is not kept. Nor are pauses.": "",
    "[NAME AND ADDRESS]": "",
    "Ask anything.": "",
    "at 10.30 you may stop. Or later.": "",
    "[b]Mind[/b] \x1b[31mthis. It is text.": "",
}


@pytest.mark.parametrize("line", BOLD)
def test_headings_and_what_paragraphs_begin_with_stand_out(line: str) -> None:
    shown = set_off(line)
    assert "".join(shown.plain[span.start : span.end] for span in shown.spans) == BOLD[line]


def test_no_word_of_a_text_is_touched() -> None:
    text = "\n\n".join(line for line in BOLD if "\x1b" not in line)
    assert set_off(text).plain == text
