"""docs/reference/wire.md is what somebody writes another desk from: it names every message, every field and every limit."""

import re
import typing

import msgspec

from session.commands import SubjectRequest
from session.protocol import messages
from session.protocol.messages import DeskMessage, Hello, HubMessage, decode_desk_message
from session.transport import websocket
from tests import ROOT

PAGE = (ROOT / "docs" / "reference" / "wire.md").read_text(encoding="utf-8")


def rows(heading: str) -> dict[str, set[str]]:
    """Tag and fields of each row of the table under a heading."""
    section = PAGE.split(f"## {heading}")[1].split("\n## ")[0]
    found = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", section, re.M)
    return {tag: set(re.findall(r"`(\w+)`", fields)) for tag, fields in found if tag != "m"}


def tagged(union: object) -> dict[str, set[str]]:
    structs = typing.cast("list[type[msgspec.Struct]]", typing.get_args(union))
    return {str(struct.__struct_config__.tag): set(struct.__struct_fields__) for struct in structs}


def test_every_message_and_every_field_is_described_and_no_other() -> None:
    assert rows("Upwards: from the desk") == tagged(DeskMessage)
    assert rows("Downwards: from the hub") == tagged(HubMessage)


def test_the_limits_are_those_of_the_code() -> None:
    assert f"`protocol` ({messages.PROTOCOL_VERSION})" in PAGE
    assert f"{messages.LARGEST_DESK_FRAME // 1024} KiB" in PAGE
    assert f"{messages.LARGEST_SUBJECT_FRAME // 2**20} MiB for a subject" in PAGE
    assert f"{messages.LARGEST_CONSOLE_FRAME // 2**20} MiB for a console" in PAGE
    assert f"{messages.AUDIO_BYTES_PER_FRAME:,} bytes" in PAGE
    assert f"code {websocket.BROKEN}" in PAGE
    assert f"with {websocket.REJECTED}" in PAGE
    assert (websocket.HUB_PINGS_AFTER_S, websocket.DESK_PINGS_AFTER_S, websocket.PING_WAIT_S) == (1.3, 1, 2)
    assert (websocket.HELLO_WITHIN_S, websocket.COMPARE_EVERY_S) == (10, 4)


def test_the_subjects_requests_are_named() -> None:
    assert all(f"`{get_argument.__name__}`" in PAGE for get_argument in typing.get_args(SubjectRequest))


def test_the_example_is_understood() -> None:
    (hello,) = re.findall(r'^> (\{"m":"hello".*\})$', PAGE, re.M)
    assert isinstance(decode_desk_message(hello), Hello)
    (start,) = re.findall(r'^> (\{"m":"command".*\})$', PAGE, re.M)
    decode_desk_message(start)
