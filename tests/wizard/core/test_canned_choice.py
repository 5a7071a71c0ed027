"""CannedChoice a canned message by digit or words, and its blanks."""

from session.study.settings import CannedMessage
from session.values.vocabulary import ResponseClass
from wizard.core.canned_choice import CannedChoice

MESSAGES = (
    CannedMessage(id="none", digit=1, text="No information is available on ___.", reason="no_information",
                  response=ResponseClass.DIAGNOSTIC),
    CannedMessage(id="unable", digit=3, text="The system is unable to answer.", reason="tool_failed",
                  response=ResponseClass.FAILURE),
    CannedMessage(id="wait", text="One moment please.", reason="wait", response=ResponseClass.FILLER),
)  # fmt: skip


def typed(choosing: CannedChoice, text: str) -> CannedChoice:
    for character in text:
        choosing = choosing.typed(character)
    return choosing


def test_a_digit_takes_its_message_and_goes_into_its_blank() -> None:
    choosing = typed(CannedChoice(MESSAGES), "1fares")
    assert choosing.gaps is not None
    assert choosing.gaps.text == "No information is available on fares."
    assert choosing.entered().ready == ("none", ("fares",))


def test_a_message_without_blanks_is_ready_at_once() -> None:
    choosing = CannedChoice(MESSAGES).typed("3")
    assert choosing.gaps is None
    assert choosing.entered().ready == ("unable", ())


def test_an_empty_blank_is_refused_where_it_is() -> None:
    choosing = CannedChoice(MESSAGES).typed("1").typed(" ").entered()
    assert choosing.ready is None
    assert choosing.gaps is not None
    assert "Fill this blank" in choosing.refused
    assert not choosing.typed("x").refused


def test_a_digit_that_no_message_has_is_said_and_changes_nothing() -> None:
    choosing = CannedChoice(MESSAGES).typed("9")
    assert "9" in choosing.refused.format(digit=choosing.digit)
    assert choosing.gaps is None


def test_words_search_text_reason_and_class_whatever_their_case() -> None:
    assert [canned.id for canned in typed(CannedChoice(MESSAGES), "UNABLE").found] == ["unable"]
    assert [canned.id for canned in typed(CannedChoice(MESSAGES), "filler").found] == ["wait"]
    assert [canned.id for canned in typed(CannedChoice(MESSAGES), "tool answer").found] == ["unable"]
    nothing = typed(CannedChoice(MESSAGES), "xyz")
    assert nothing.chosen is None
    assert nothing.entered().ready is None
    assert nothing.entered().refused


def test_a_digit_inside_a_search_is_a_part_of_the_search() -> None:
    assert typed(CannedChoice(MESSAGES), "a3").search == "a3"


def test_back_leaves_blank_then_search_then_the_list() -> None:
    choosing = typed(CannedChoice(MESSAGES), "avail").entered()
    assert choosing.gaps is not None
    listed = choosing.back()
    assert listed is not None
    assert (listed.gaps, listed.search) == (None, "avail")
    bare = listed.back()
    assert bare is not None
    assert bare.search == ""
    assert bare.back() is None


def test_arrows_stay_within_what_was_found() -> None:
    choosing = CannedChoice(MESSAGES).moved(-1)
    assert choosing.at == 0
    assert choosing.moved(1).moved(1).moved(1).chosen == MESSAGES[2]


def test_nothing_to_choose_from_does_no_harm() -> None:
    empty = CannedChoice(())
    assert empty.moved(1).typed("a").erased().entered().ready is None
