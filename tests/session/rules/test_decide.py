"""What follows from each command of a turn, told as sentences, and what is refused with which reason."""

import pytest

from session import commands as c
from session import events as e
from session.rules.blanks import foreign_words
from session.rules.decide import LONGEST_SQL, LONGEST_TEXT, answer_text
from session.study.settings import Profile
from session.values.answers import FailureKind, digest, rows_of
from session.values.vocabulary import Echo, Language, RecordingControl, ResponseClass
from tests.session.play import DOMAIN_WORDS, Play


@pytest.fixture
def play() -> Play:
    """A session in which scenario `hub` is going on."""
    made = Play()
    made.start()
    return made


def types(facts: list[e.Fact]) -> list[str]:
    return [type(fact).__name__ for fact in facts]


# --- a turn ---


def test_a_turn_has_the_order_of_1989(play: Play) -> None:
    play.turn()
    assert play.names[3:] == [
        "TalkPressed",
        "RecordingStarted",
        "TalkReleased",
        "RecordingStopped",
        "UtteranceAccepted",
        "Transcribed",
        "TranscriptionShown",
        "QuerySubmitted",
        "QueryReturned",
        "AnswerSent",
    ]


def test_no_query_before_the_transcription_and_none_before_it_was_shown(play: Play) -> None:
    ask = c.SubmitQuery(id="Q", at=play.now, take="T1", language=Language.SQL, text="SELECT 1")
    play.speak()
    assert "Transcribe the utterance first" in play.refused(ask)
    play.transcribe()
    assert "has not shown the transcription" in play.refused(ask)
    play.show()
    play.do(ask)


def test_a_corrected_transcription_must_be_shown_again_before_the_query(play: Play) -> None:
    play.speak()
    play.transcribe()
    play.show()
    play.transcribe(text="flights to Dallas")
    ask = c.SubmitQuery(id="Q", at=play.now, take="T1", language=Language.SQL, text="SELECT 1")
    assert "has not shown" in play.refused(ask)
    assert play.take().transcriptions == ("flights to Denver", "flights to Dallas")


@pytest.mark.parametrize("echo", [Echo.NEVER, Echo.WITH_ANSWER])
def test_where_the_subject_sees_no_transcription_first_the_query_need_not_wait(echo: Echo) -> None:
    play = Play(Profile(name="test", echo=echo))
    play.start()
    play.speak()
    play.send(play.query())
    assert play.names[-3:] == ["QueryReturned", "UtteranceAccepted", "AnswerSent"]


def test_typed_text_needs_no_transcription() -> None:
    play = Play(Profile(name="test", recording=RecordingControl.TYPED))
    play.start()
    play.report(e.UtteranceTyped(at=play.now, take="T1", text="  list\n flights  "))
    assert play.take().text == "list flights"
    play.send(play.query())
    assert play.take().number == 1


def test_all_rewordings_are_kept_beside_the_original(play: Play) -> None:
    play.speak()
    play.transcribe()
    play.show()
    for text in ("flights to denver", "list all flights into denver"):
        name = play.new_id()
        play.do(c.SubmitQuery(id=name, at=play.now, take="T1", language=Language.ENGLISH, text=text))
        play.hub(e.QueryFailed(attempt=name, kind="not_understood", message="?"))  # type: ignore[arg-type]
    assert [play.state.attempts[name].text for name in play.take().attempts] == [
        "flights to denver",
        "list all flights into denver",
    ]
    assert play.take().transcriptions == ("flights to Denver",)


def test_one_query_at_a_time(play: Play) -> None:
    play.speak()
    play.transcribe()
    play.show()
    running = play.query(table=None)
    again = c.SubmitQuery(id="Q", at=play.now, take="T1", language=Language.SQL, text="SELECT 2")
    assert "A query is running" in play.refused(again)
    assert play.do(c.CancelQuery(id="X", attempt=running)) == []
    play.hub(e.QueryFailed(attempt=running, kind="cancelled", message=""))  # type: ignore[arg-type]
    assert "no longer running" in play.refused(c.CancelQuery(id="Y", attempt=running))
    play.do(again)


def test_the_answer_is_to_the_letter_what_was_previewed(play: Play) -> None:
    attempt = play.hear_and_ask()
    text = answer_text(play.state, attempt)
    (fact,) = play.send(attempt)
    assert isinstance(fact, e.AnswerSent)
    assert (fact.text, fact.take, fact.attempt, fact.database_version) == (text, "T1", attempt, "1")
    assert "101" in fact.text


def test_when_the_subject_s_screen_changed_the_preview_is_looked_at_again(play: Play) -> None:
    table = rows_of([f"column{number}" for number in range(5)], [["a long value"] * 5])
    play.speak()
    play.transcribe()
    play.show()
    attempt = play.query(table=table)
    seen = digest(answer_text(play.state, attempt) or "")
    play.report(e.ScreenSized(at=play.now, columns=40, lines=20))
    assert "screen has changed" in play.refused(c.SendAnswer(id="A", attempt=attempt, sha256=seen))
    play.send(attempt)


@pytest.mark.parametrize("attempt", ["none", "failed", "running"])
def test_without_rows_there_is_nothing_to_send(play: Play, attempt: str) -> None:
    play.hub(e.QuerySubmitted(at=play.now, attempt="failed", take="T1", language=Language.SQL, text="x"))
    play.hub(e.QueryFailed(attempt="failed", kind="syntax", message="x"))  # type: ignore[arg-type]
    play.hub(e.QuerySubmitted(at=play.now, attempt="running", take="T1", language=Language.SQL, text="x"))
    assert "no rows to send" in play.refused(c.SendAnswer(id="A", attempt=attempt, sha256=""))


def test_an_utterance_gets_one_reply_and_another_only_when_that_was_marked_as_wrong(play: Play) -> None:
    play.turn()
    assert "has a reply" in play.refused(play.canned())
    reply = next(iter(play.state.replies))
    play.do(c.MarkReplyWrong(id="W", reply=reply, reason="wrong\nday"))
    assert play.state.replies[reply].wrong == "wrong day"
    play.do(play.canned())
    assert "has a reply" in play.refused(play.canned())


def test_a_filler_is_no_reply(play: Play) -> None:
    play.speak()
    play.do(play.canned("wait"))
    assert play.state.waiting() == [play.take()]
    assert play.take().accepted
    play.transcribe()
    play.show()
    play.send(play.query())
    play.do(play.canned("wait"))
    assert not play.state.waiting()


def test_a_canned_message_carries_reason_class_and_what_filled_its_blank(play: Play) -> None:
    play.speak()
    fact = play.do(play.canned("no-info", "T1", " the\x1b weather "))[-1]
    assert isinstance(fact, e.CannedSent)
    assert (fact.text, fact.message, fact.reason) == (
        "No information is available on the␛ weather.",
        "no-info",
        "no_information",
    )
    assert (fact.response, fact.blanks, fact.take) == (ResponseClass.DIAGNOSTIC, (" the\x1b weather ",), "T1")


@pytest.mark.parametrize(
    ("message", "blanks", "said"),
    [
        ("no-info", (), "has 1 blanks; 0 were filled"),
        ("no-info", ("a", "b"), "has 1 blanks; 2 were filled"),
        ("no-info", (" ",), "a blank is empty"),
        ("no-info", ("x" * 61,), "not free text"),
        ("no-info", ("rain. As a person I can tell",), "not free text"),
        ("no-info", ("a b c d e f g h i",), "not free text"),
        ("no-info", ("rain I am a human being",), "words of the transcription, the task or the domain"),
        ("no-info", ("the walrus",), "words of the transcription, the task or the domain"),
        ("unable", ("x",), "has 0 blanks; 1 were filled"),
        ("none", (), "There is no canned message none"),
    ],
)
def test_a_canned_message_goes_out_only_whole(play: Play, message: str, blanks: tuple[str, ...], said: str) -> None:
    play.speak()
    assert said in play.refused(play.canned(message, "T1", *blanks))


@pytest.mark.parametrize(
    ("blank", "foreign"),
    [
        ("the fare of flights 101 and 2nd", []),  # words of the domain, inflected, numbers, and what joins them
        ("leaving DENVER or Dallas", []),  # the domain's values, and what was transcribed
        ("bank_holidays", ["bank"]),
        ("your hub's arrivals", ["arrivals"]),
        ("love from a person", ["love", "person"]),
    ],
)
def test_a_blank_names_what_the_reply_is_about(play: Play, blank: str, foreign: list[str]) -> None:
    play.speak()
    play.transcribe(text="which flight leaves Dallas on holiday for the hub")
    assert foreign_words(play.state, "T1", blank, DOMAIN_WORDS) == foreign
    assert isinstance(play.ask(play.canned("no-info", "T1", blank)), list) is (foreign == [])


def test_a_blank_takes_values_of_an_answer_and_words_of_the_task(play: Play) -> None:
    play.speak()
    play.transcribe()
    play.show()
    assert "Not among them" not in play.refused(play.canned("no-info", "T1", "Pittsburgh"))
    play.query(table=rows_of(["city_name"], [["PITTSBURGH"]]))
    play.do(play.canned("no-info", "T1", "the city Pittsburgh"))


def test_a_blank_takes_the_question_that_the_front_end_would_ask_and_any_text_where_the_profile_allows_that() -> None:
    question, words = "From which of the two cities do you want to leave on that day?", "rain. " * 20
    for free in (False, True):
        play = Play(Profile(name="test", free_text=free, echo=Echo.NEVER))
        play.start()
        play.speak()
        name = play.query(table=None)
        play.hub(e.QueryFailed(attempt=name, sql="", kind=FailureKind.NOT_UNDERSTOOD, message="?", question=question))
        assert isinstance(play.ask(play.canned("no-info", "T1", words)), list) is free
        play.ask(play.canned("no-info", "T1", question))
        assert play.state.answered(play.take())
    play = Play(Profile(name="test", free_text=True))
    play.start()
    play.speak()
    assert "at most 5000" in play.refused(play.canned("no-info", "T1", "x" * LONGEST_TEXT))


@pytest.mark.parametrize(
    ("written", "free", "goes"),
    [
        (("n", "YES", "flights to denver"), False, True),
        (("please hang up",), False, False),
        (("please hang up",), True, True),
    ],
)
def test_a_statement_says_nothing_of_its_own_where_the_wizard_writes_nothing(
    written: tuple[str, ...], free: bool, goes: bool
) -> None:
    play = Play(Profile(name="test", free_text=free, echo=Echo.NEVER))
    play.start()
    play.speak()
    name = play.query(table=None)
    rows = rows_of(["n"], [[written[-1]]])
    play.hub(e.QueryReturned(attempt=name, sql="S", table=rows, took=1, database_version="1", written=written))
    if goes:
        play.send(name)
        assert play.state.answered(play.take())
        return
    seen = digest(answer_text(play.state, name) or "")
    send = c.SendAnswer(id=play.new_id(), attempt=name, sha256=seen, response=ResponseClass.ANSWER)
    assert "The statement itself adds words" in play.refused(send)
    assert foreign_words(play.state, "T1", "hang", DOMAIN_WORDS) == ["hang"]


def test_without_an_utterance_only_greetings_and_fillers_go_out(play: Play) -> None:
    assert "answers an utterance" in play.refused(play.canned("unable", ""))
    assert types(play.do(play.canned("hello", ""))) == ["CannedSent"]
    assert types(play.do(play.canned("wait", ""))) == ["CannedSent"]


def test_free_text_goes_out_only_where_the_profile_allows_it(play: Play) -> None:
    play.speak()
    command = c.SendText(id="F", take="T1", text=" From which\tcity? ")
    assert "does not allow free text" in play.refused(command)
    free = Play(Profile(name="test", free_text=True))
    free.start()
    free.speak()
    assert "1 to 5000" in free.refused(c.SendText(id="E", take="T1", text=" \n"))
    fact = free.do(command)[-1]
    assert isinstance(fact, e.CannedSent)
    assert (fact.text, fact.response, fact.message) == ("From which city?", ResponseClass.DIRECTIVE, "")


def test_nothing_is_sent_while_the_subject_speaks(play: Play) -> None:
    play.press()
    assert "still speaking" in play.refused(play.canned())
    assert "still speaking" in play.refused(c.Transcribe(id="T", at=play.now, take="T1", text="x"))


def test_nothing_is_done_to_an_utterance_that_does_not_exist(play: Play) -> None:
    assert "no such utterance" in play.refused(play.canned())
    assert "no such utterance" in play.refused(c.Transcribe(id="T", at=play.now, take="T1", text="x"))
    assert "no such utterance" in play.refused(c.MarkScope(id="M", take="T1", scope="in"))  # type: ignore[arg-type]
    assert "no such reply" in play.refused(c.MarkReplyWrong(id="W", reply="R", reason=""))


@pytest.mark.parametrize(
    ("text", "said"),
    [(" \n ", "is empty"), ("\x1b[2J" * 2000, "at most 5000"), ("x" * (LONGEST_TEXT + 1), "at most 5000")],
)
def test_a_transcription_is_one_line_of_bearable_length(play: Play, text: str, said: str) -> None:
    play.speak()
    assert said in play.refused(c.Transcribe(id="T", at=play.now, take="T1", text=text))


@pytest.mark.parametrize(("text", "said"), [("  ", "is empty"), ("x" * (LONGEST_SQL + 1), "at most 20000")])
def test_a_query_has_bearable_length(play: Play, text: str, said: str) -> None:
    play.speak()
    command = c.SubmitQuery(id="Q", at=play.now, take="T1", language=Language.SQL, text=text)
    assert said in play.refused(command)
