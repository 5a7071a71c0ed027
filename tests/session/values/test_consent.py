"""What a consent allows, and what a rule or a state makes of it."""

import pytest

from session import commands as c
from session import events as e
from session.values.consent import ConsentScope, allowed
from session.values.vocabulary import Language
from tests.session.play import Play

AUDIO_AND_CONTACT = {ConsentScope.RECORD, ConsentScope.PUBLISH_AUDIO, ConsentScope.CONTACT}


@pytest.mark.parametrize(
    ("scopes", "agreed"),
    [
        (None, set(ConsentScope) - {ConsentScope.CONTACT}),
        ({"record": True}, set(ConsentScope) - {ConsentScope.CONTACT}),
        (dict.fromkeys(map(str, ConsentScope), True), set(ConsentScope)),
        (dict.fromkeys(map(str, ConsentScope), False), set()),
        ({"transcribe": False, "publish_text": True, "contact": True}, AUDIO_AND_CONTACT),
        ({"record": False, "publish_audio": True}, {ConsentScope.TRANSCRIBE, ConsentScope.PUBLISH_TEXT}),
    ],
)
def test_what_can_be_passed_on_needs_what_it_is_made_of(
    scopes: dict[str, bool] | None, agreed: set[ConsentScope]
) -> None:
    assert allowed(scopes) == agreed


def test_the_latest_word_counts_and_whoever_wants_erasure_agrees_to_nothing() -> None:
    play = Play()
    assert play.state.allows(ConsentScope.TRANSCRIBE)
    play.report(e.ConsentConfirmed(at=play.now, version="1", sha256="", scopes={"transcribe": False}))
    assert not play.state.allows(ConsentScope.TRANSCRIBE)
    play.report(e.WithdrawalRequested(at=play.now, erase=True))
    assert play.state.erasure_requested
    assert not any(map(play.state.allows, ConsentScope))
    play.hub(e.SpeakerWithdrawn(speaker="001", erased=0))
    assert not play.state.erasure_requested


def test_who_stops_and_lets_her_words_be_kept_asks_for_no_erasure() -> None:
    play = Play()
    play.report(e.WithdrawalRequested(at=play.now, erase=False))
    assert not play.state.erasure_requested
    assert play.state.allows(ConsentScope.PUBLISH_TEXT)


def test_nothing_is_written_down_before_the_query_of_a_person_who_refused_that() -> None:
    play = Play(consent=False)
    play.report(e.ConsentGiven(at=play.now, version="1", sha256="", scopes={"transcribe": False}))
    play.start()
    play.speak()
    play.do(c.SubmitQuery(id="Q", at=play.now, take="T1", language=Language.SQL, text="SELECT 1"))
