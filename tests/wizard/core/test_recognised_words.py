"""A recogniser's words before the wizard."""

from session import events as e
from session.values.hypotheses import Hypothesis, WordTime
from session.values.vocabulary import Operator, Stage
from tests.wizard.desk import HandPlayed
from wizard.core.recognised_words import line, summary, unsure_places
from wizard.core.turn_tracker import TurnTracker


def words(text: str, *confidences: float) -> Hypothesis:
    pairs = zip(text.split(), confidences, strict=True)
    return Hypothesis(text, 0.5, tuple(WordTime(word, confidence=confidence) for word, confidence in pairs))


def test_unsure_words_are_found_in_the_text_even_when_one_is_a_part_of_another() -> None:
    found = words("there the hero here", 0.9, 0.1, 0.9, 0.2)
    assert [found.text[begin:end] for begin, end in unsure_places(found)] == ["the", "here"]
    assert unsure_places(found)[0] == (6, 9)
    assert line(found) == "there the? hero here? [0.50]"
    assert unsure_places(Hypothesis("a", None, (WordTime("b", confidence=0.0),))) == []
    assert line(Hypothesis("a")) == "a"
    assert summary(()) == ""


def test_words_are_a_draft_only_where_a_person_corrects_and_until_somebody_has_transcribed() -> None:
    desk = HandPlayed()
    desk.begin_turn()
    desk.proposed(Hypothesis("one"), Hypothesis("two"))
    turn = TurnTracker(desk.console)
    assert turn.change().text == "one"
    assert not turn.transcribed
    desk.console.choose(1)
    moved = turn.change()
    assert (moved.text, moved.anew, moved.query) == ("two", True, None)
    desk.transcribed("two")
    assert desk.console.draft is None
    assert turn.change().query == "two"
    desk.spoken("t2")
    desk.console.pick("t2")
    desk.tell(e.StageAssigned(stage=Stage.RECOGNITION, operator=Operator.MACHINE, engine="sphinx"))
    desk.proposed(Hypothesis("three"), take="t2")
    assert desk.console.draft is None
