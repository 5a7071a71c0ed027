"""The keystroke-level model prices what a scripted wizard really pressed at the console, and says what an hour comes to."""

import pytest

from benchmarks.hands.wizard_at_work import Deed, HandStep, Work, edit
from benchmarks.keystrokes import KEY, MENTAL, an_hour, measured, operators, report, rewordings, seconds
from desk.editor import Editor
from tests import SECONDS, THOROUGH
from wizard.widgets.query import EnglishEditor

BY = operators(40, along=False)
ASKED = Work(
    "ten chars!",
    "at once",
    [
        HandStep(Deed.THINK, 1, "hears", along=True),
        HandStep(Deed.LETTERS, 10, "ten chars!", along=True),
        HandStep(Deed.KEY, 1, "enter"),
        HandStep(Deed.WAIT, 0.5, "the answer"),
        HandStep(Deed.READ, 4, "four words read here"),
        HandStep(Deed.KEY, 1, "f5"),
    ],
)
AGAIN = Work("ten chars!", "reworded", [*ASKED.steps, *ASKED.steps])


def test_forty_words_a_minute_are_two_hundred_letters() -> None:
    assert BY.letter == pytest.approx(0.3)


def test_a_turn_costs_its_letters_keys_decisions_words_and_the_machine_less_what_was_typed_while_somebody_spoke() -> (
    None
):
    after = MENTAL + 3.0 + KEY + 0.5 + 4 * 0.24 + KEY
    assert seconds(ASKED, BY) == pytest.approx(after)
    spoken = 60 * 2 / 150
    assert seconds(ASKED, operators(40)) == pytest.approx(after - spoken)


def test_a_share_of_rewordings_lies_between_none_and_all_and_the_aim_decides_the_exit_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = [ASKED, AGAIN]
    none, third, whole = (an_hour(done, BY, share) for share in (0.0, 1 / 3, 1.0))
    assert none == pytest.approx(3600 / seconds(ASKED, BY))
    assert whole == pytest.approx(3600 / seconds(AGAIN, BY))
    assert whole < third < none
    assert report(done, BY, 40) == 0
    assert report([ASKED, Work("slow", "reworded", [HandStep(Deed.THINK, 100, "long")])], BY, 40) == 1
    assert "letter 0.30 s (40 words a minute), key 0.28 s, mental 1.35 s" in capsys.readouterr().out


def editor(text: str, selected: tuple[int, int] | None = None) -> Editor:
    made = EnglishEditor(lambda before: "", limit=100)
    made.load(text)
    if selected is not None:
        made.selection = made.selection._replace(start=(0, selected[0]), end=(0, selected[1]))
    return made


@pytest.mark.parametrize(
    ("line", "wanted", "keys", "typed"),
    [
        (editor("flights to the coast"), "flights to boston", ["ctrl+w", "ctrl+w"], "boston"),
        (editor("show planes to boston"), "show flights to boston", [*["ctrl+left"] * 2, "ctrl+w"], "flights "),
        (editor("show planes to boston", (5, 11)), "show flights to boston", [], "flights"),
        (editor("fares and what is it", (18, 20)), "fares", ["backspace", "ctrl+w", "ctrl+w", "ctrl+w"], ""),
        (editor("how now"), "which meals", ["ctrl+l"], "which meals"),
    ],
)
def test_a_line_is_edited_in_place_where_that_is_less_than_typing_it_anew(
    line: Editor, wanted: str, keys: list[str], typed: str
) -> None:
    assert edit(line, wanted) == (keys, typed)


@pytest.mark.skipif(not THOROUGH, reason=SECONDS)
async def test_the_scripted_wizard_answers_at_the_real_console_150_an_hour_with_a_third_reworded() -> None:
    done = await measured(7)
    assert [work.kind for work in done] == [
        "at once", "at once", "reworded", "canned", "reworded", "at once", "reworded",
    ]  # fmt: skip
    assert len(rewordings()) == 5
    keys = {step.what for work in done if work.kind == "at once" for step in work.steps if step.deed is Deed.KEY}
    assert keys == {"enter: shows it, and asks", "right: takes the end of a word", "f5: sends"}, (
        "two keys beside the words"
    )
    ends = [step for work in done for step in work.steps if step.what.startswith("right")]
    letters = sum(step.count for work in done for step in work.steps if step.deed is Deed.LETTERS and step.along)
    assert letters + 3 * len(ends) <= sum(len(work.said) for work in done) - len(ends), "each key saves three letters"
    by = operators(40)
    quiet = [Work(w.said, w.kind, [s for s in w.steps if s.deed is not Deed.WAIT]) for w in done]
    assert an_hour(quiet, by, 1 / 3) >= 150, "the machine's time, which this machine has not measured alone, left out"
