"""Old versions are lifted, newer ones refused by name, and every fact comes back as it went."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from session import events as e
from session.store.event_store import Store
from session.store.upcasting import SESSION, DamagedEvent, Fields, NewerEvent, Versions
from session.values.vocabulary import Outcome
from tests.session.examples import entries, opening
from tests.session.strategies import BY_TYPE, FACTS, facts

NAME = "bbn-20261121-1"


@given(fact=facts())
def test_every_fact_survives_writing_and_reading(fact: e.Fact) -> None:
    kind, version = SESSION.of(fact)
    assert SESSION.decode(kind, version, msgspec.json.encode(fact), "here") == fact


@given(st.data())
def test_every_kind_of_fact_can_be_drawn(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(FACTS))
    assert isinstance(data.draw(BY_TYPE[kind]), kind)


def of_yesterday(fields: Fields) -> Fields:
    """Version 1 of NoteWritten called its text `words`."""
    return {**{key: value for key, value in fields.items() if key != "words"}, "text": fields["words"]}


def of_last_week(fields: Fields) -> Fields:
    """RemarkMade was the name before version 1 of NoteWritten."""
    return {**fields, "type": "NoteWritten"}


TODAY = Versions(
    current={"NoteWritten": 2}, upcasts={("NoteWritten", 1): of_yesterday, ("RemarkMade", 0): of_last_week}
)


def test_an_old_version_is_lifted_on_reading() -> None:
    payload = b'{"type":"NoteWritten","words":"late","take":"T"}'
    assert TODAY.decode("NoteWritten", 1, payload, "here") == e.NoteWritten(text="late", take="T")


def test_a_solved_scenario_of_earlier_stores_is_one_whose_solution_was_declared() -> None:
    payload = b'{"type":"ScenarioEnded","outcome":"solved","reason":""}'
    assert SESSION.decode("ScenarioEnded", 1, payload, "here") == e.ScenarioEnded(outcome=Outcome.DECLARED)
    assert SESSION.of(e.ScenarioEnded(outcome=Outcome.DECLARED)) == ("ScenarioEnded", 2)


def test_a_renamed_type_is_lifted_through_all_its_versions() -> None:
    assert TODAY.decode("RemarkMade", 0, b'{"type":"RemarkMade","words":"late"}', "here") == e.NoteWritten(text="late")


def test_an_unknown_type_is_refused_by_name() -> None:
    with pytest.raises(NewerEvent, match=r"event 7 of s is of type Sneezed, which this release does not know"):
        SESSION.decode("Sneezed", 1, b"{}", "event 7 of s")


def test_a_newer_version_is_refused_by_name() -> None:
    with pytest.raises(NewerEvent, match=r"NoteWritten of version 2, this release knows 1"):
        SESSION.decode("NoteWritten", 2, b"{}", "event 7 of s")


def test_a_payload_that_does_not_keep_its_promise_is_damaged() -> None:
    with pytest.raises(DamagedEvent, match=r"event 7 of s cannot be read as NoteWritten of version 1.*text"):
        SESSION.decode("NoteWritten", 1, b'{"type":"NoteWritten"}', "event 7 of s")


@pytest.mark.parametrize(
    "payload", [b"", b"null", b"\xff", b'{"type":"NoteWritten","text":"\xe3("}', b'{"type":"Else"}']
)
def test_bytes_that_are_no_fact_are_damage_and_no_traceback(payload: bytes) -> None:
    with pytest.raises(DamagedEvent, match="event 7 of s cannot be read"):
        SESSION.decode("NoteWritten", 1, payload, "event 7 of s")


def test_a_store_takes_no_event_of_another_kind_of_store() -> None:
    with pytest.raises(TypeError, match="NoteWritten is not an event of this store"):
        Versions(facts=e.ScenarioFact).of(e.NoteWritten(text="x"))


def test_a_stream_of_a_newer_release_is_neither_read_nor_continued_but_exported_raw(tmp_path: object) -> None:
    url = f"sqlite:///{tmp_path}/x.sqlite"
    newer = Store(url, versions=Versions(current={"NoteWritten": 2}))
    newer.append(NAME, 0, entries(opening(), e.NoteWritten(text="x")))
    older = Store(url)
    with pytest.raises(NewerEvent, match=f"event 2 of {NAME}"):
        older.read(NAME)
    with pytest.raises(NewerEvent, match=f"event 2 of {NAME}"):
        older.append(NAME, 2, entries(e.SessionResumed()))
    assert len(older.raw(NAME)) == 2
    assert older.verify(NAME) == []
    for store in (newer, older):
        store.close()


def test_what_an_older_release_wrote_is_read_lifted_and_its_bytes_stay(tmp_path: object) -> None:
    url = f"sqlite:///{tmp_path}/x.sqlite"
    older = Store(url)
    older.append(NAME, 0, entries(opening(), e.NoteWritten(text="x")))
    before = older.raw(NAME)

    def shout(fields: Fields) -> Fields:
        return {**fields, "text": fields["text"].upper()}

    newer = Store(url, versions=Versions(current={"NoteWritten": 2}, upcasts={("NoteWritten", 1): shout}))
    assert newer.read(NAME)[1].event == e.NoteWritten(text="X")
    newer.append(NAME, 2, entries(e.NoteWritten(text="y")))
    assert [fact.event for fact in newer.read(NAME)[1:]] == [e.NoteWritten(text="X"), e.NoteWritten(text="y")]
    assert newer.raw(NAME)[:2] == before
    for store in (newer, older):
        store.close()
