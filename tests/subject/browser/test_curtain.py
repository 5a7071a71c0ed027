"""The curtain at the page: no byte that reaches a browser names what is behind it, and what is hidden changes none of them."""

import asyncio
import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from session import events as e
from session.protocol.messages import AudioChunk, FactMessage, HubMessage, Welcome, encode
from session.study.screen_words import ENGLISH, Words, languages, shipped
from session.study.settings import Profile
from session.values.clock import ManualClock, Stamp
from session.values.vocabulary import Echo, RecordingControl
from session.visibility import for_subject
from subject.browser import page_texts
from subject.browser.gateway import PageConnection
from subject.browser.pages import HEADERS, STATIC
from tests.session.examples import opening
from tests.session.play import to_subject
from tests.session.strategies import envelopes
from tests.subject.browser.page import moment
from tests.subject.browser.traffic import REVEALING

STREAMS = st.lists(envelopes(), max_size=12)
PROFILES = st.sampled_from([Profile(name="test", echo=echo) for echo in Echo])


@pytest.mark.parametrize("name", sorted(path.name for path in STATIC.iterdir()))
def test_no_file_of_the_page_names_what_is_behind_it(name: str) -> None:
    text = (STATIC / name).read_text(encoding="utf-8")
    assert REVEALING.findall(text) == []
    assert REVEALING.findall(name) == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("recording", list(RecordingControl))
def test_who_has_a_finger_is_told_of_no_key_and_no_mouse(recording: RecordingControl, language: str) -> None:
    profile, words = Profile(name="test", recording=recording), Words(language)
    said = page_texts.button_words(words, profile, finger=True)["looks"]
    assert isinstance(said, dict)
    hints = [look["hint"] for look in said.values()] + [
        page_texts.with_instruction(words["talk.unheard"], words, profile, finger=True)
    ]
    assert [
        hint for hint in hints if re.search(r"space|key|mouse|click|tast|maus|klick|barra|rat[oó]n|clic\b", hint, re.I)
    ] == []


@pytest.mark.parametrize("recording", list(RecordingControl))
def test_no_word_of_the_page_names_what_is_behind_it(recording: RecordingControl) -> None:
    words = [
        *shipped("en").values(),
        *(value for name, value in HEADERS),
        str(page_texts.button_words(ENGLISH, Profile(name="test", recording=recording))),
    ]
    assert [word for word in words if REVEALING.search(word)] == []


class Replayed:
    """A hub that tells a page a story and nothing else."""

    place = ""

    def __init__(self, story: list[e.Recorded]) -> None:
        self.story = story

    def carry(self, session: str, outlet: object, leave: object) -> "Replayed":
        self.outlet = outlet
        return self

    async def receive(self, frame: str | bytes) -> None:
        self.outlet(Welcome("bbn-20261121-1", "subject", "hub", len(self.story)))  # type: ignore[operator]
        for fact in self.story:
            self.outlet(FactMessage(fact))  # type: ignore[operator]
            await asyncio.sleep(0)

    def pass_sound(self, frame: bytes) -> None:
        """All is received."""

    async def closed(self, why: str) -> None:
        """Over."""


def wire(stream: list[e.Recorded], profile: Profile) -> list[str]:
    """Every frame that reaches the browser of such a session."""
    frames: list[str] = []

    def down(message: HubMessage | AudioChunk | str) -> None:
        frames.append(message if isinstance(message, str) else str(encode(message)))

    async def told() -> None:
        opened = msgspec.structs.replace(
            opening(), protocol=msgspec.structs.replace(opening().protocol, profile=profile)
        )
        first = e.Recorded("bbn-20261121-1", 1, stream_stamp(), "hub", "", opened)
        story = to_subject([first, *stream], profile)
        connection = PageConnection("s", down, frames.append, Replayed(story).carry, ManualClock("hub"))  # type: ignore[arg-type]
        await connection.receive(
            msgspec.json.encode({"m": "hello", "token": "t", "desk": "d", "at": moment()}).decode()
        )
        for _ in range(3):
            await asyncio.sleep(0)
        await connection.closed("over")

    asyncio.run(told())
    return frames


def stream_stamp() -> Stamp:
    return Stamp("hub", 0, 0)


@given(stream=STREAMS, profile=PROFILES, data=st.data())
@settings(max_examples=40, deadline=None)
def test_hidden_facts_may_come_and_go_and_not_a_byte_of_the_page_changes(
    stream: list[e.Recorded], profile: Profile, data: st.DataObject
) -> None:
    hidden = envelopes().filter(lambda fact: for_subject(fact.event, profile) is None)
    other: list[e.Recorded] = []
    for fact in stream:
        other += data.draw(st.lists(hidden, max_size=2))
        if for_subject(fact.event, profile) is not None or data.draw(st.booleans()):
            other.append(msgspec.structs.replace(fact, seq=len(other) + 1))
    shown = wire(stream, profile)
    assert len(shown) > 1
    assert wire(other, profile) == shown
