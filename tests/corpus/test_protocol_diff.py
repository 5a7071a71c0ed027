import msgspec

from corpus.protocol_diff import NOTHING, differences
from session.study import Operators
from session.vocabulary import Operator
from tests.corpus.sessions import protocol


def test_a_protocol_does_not_differ_from_itself() -> None:
    assert differences(protocol(), protocol()) == ()


def test_every_setting_that_differs_is_named_with_both_values() -> None:
    other = msgspec.structs.replace(
        protocol(operators=Operators(response=Operator.MACHINE), reply_limit_s=90.0), database_version="air-1.1"
    )
    assert [str(difference) for difference in differences(protocol(), other)] == [
        'database_version: "air-1.0" | "air-1.1"',
        'profile.operators.response: "human" | "machine"',
        "profile.reply_limit_s: 60.0 | 90.0",
    ]


def test_what_only_one_has_is_named_too() -> None:
    fewer = msgspec.structs.replace(protocol(), scenarios={}, sha256="d4" * 32)
    found = {each.setting: each for each in differences(protocol(), fewer)}
    assert found["scenarios.hub.title"].second == NOTHING
    assert "sha256" not in found
