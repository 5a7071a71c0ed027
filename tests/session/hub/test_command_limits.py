"""Values that no desk would send are refused by their types, wherever they stand in a command; the desk keeps its place."""

from collections.abc import Iterator

import msgspec
import pytest
from msgspec import inspect

from session import commands as c
from session import events as e
from session.protocol.messages import CommandMessage, InvalidCommand, WireError, decode_desk_message, encode
from session.values.clock import Stamp
from session.values.vocabulary import AudioTrouble, Channel, Language, Sealed
from tests.together.pipe import Bench, at, both

NOW = Stamp("desk", 5, 5)


def report(fact: e.Fact) -> c.Report:
    return c.Report(id="r1", event=fact)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("command", "field"),
    [
        (report(e.TalkPressed(at=Stamp("desk", 0, 10**19), take="t")), "wall"),
        (report(e.TalkPressed(at=Stamp("desk", -(2**63), 0), take="t")), "mono"),
        (report(e.TalkPressed(at=Stamp("d" * 81, 0, 0), take="t")), "clock"),
        (report(e.TalkPressed(at=NOW, take="../../etc")), "take"),
        (report(e.ScreenSized(at=NOW, columns=-5, lines=20)), "columns"),
        (report(e.ReplyShown(at=NOW, reply="r", first=0, last=-(2**40))), "last"),
        (report(e.RecordingStopped(at=NOW, take="t", sealed=(Sealed("../x", 1, "0" * 64),))), "letter"),
        (report(e.RecordingStopped(at=NOW, take="t", sealed=(Sealed("s", -5, "0" * 64),))), "samples"),
        (report(e.RecordingStopped(at=NOW, take="t", sealed=(Sealed("s", 5, "not a hash"),))), "sha256"),
        (report(e.RecordingStarted(at=NOW, take="t", channels=(Channel("s", "m", 0),), pre_roll=0)), "rate"),
        (report(e.RecordingStarted(at=NOW, take="t", channels=(), pre_roll=0, uncertainty=-1)), "uncertainty"),
        (report(e.UtteranceTyped(at=NOW, take="t", text="x" * 30_000)), "text"),
        (report(e.QuestionnaireAnswered(at=NOW, form="belief", answers={"a": "x" * 30_000})), "answers"),
    ],
)
async def test_an_impossible_value_is_refused_by_name_and_the_desk_keeps_its_place(
    command: c.Report, field: str
) -> None:
    with pytest.raises(InvalidCommand, match=f"^`{field}`: expected"):
        decode_desk_message(encode(CommandMessage(command)))
    bench = Bench()
    subject, _ = await both(bench)
    await subject.give(command, c.Report(id="r2", event=e.ScreenSized(at=at(), columns=80, lines=24)))
    assert f"That did not work (`{field}`" in str(subject.answers["r1"])
    assert subject.answers["r2"] is None
    assert subject.closed == ""
    await bench.close()


@pytest.mark.parametrize(
    "frame",
    [
        encode(CommandMessage(c.WriteNote(id="../n", text="x"))),
        '{"m":"command","command":{"type":"WriteNote","text":"x"}}',
        '{"m":"command","command":7}',
        '{"m":"nothing"}',
    ],
)
def test_what_names_no_command_is_no_message(frame: str) -> None:
    with pytest.raises(WireError):
        decode_desk_message(frame)


@pytest.mark.parametrize(
    "command",
    [
        report(e.AudioTroubled(at=NOW, take="", trouble=AudioTrouble.GAP)),
        report(e.RecordingStopped(at=NOW, take="01ARZ3", sealed=(Sealed("s", 0, "0" * 64),))),
        c.SubmitQuery(id="q", at=NOW, take="t", language=Language.SQL, text="SELECT 1\n; --"),
        c.StartScenario(id="x", scenario="trip", bindings={"A": "São Paulo"}),
    ],
)
def test_what_is_meant_passes(command: c.AnyCommand) -> None:
    assert decode_desk_message(encode(CommandMessage(command))) == CommandMessage(command)


def unlimited(kind: inspect.Type, place: str, seen: set[type]) -> Iterator[str]:
    """Every text and number in a struct, however deep, that its type does not bound."""
    match kind:
        case inspect.StructType():
            if kind.cls not in seen:
                seen.add(kind.cls)
                for field in kind.fields:
                    yield from unlimited(field.type, f"{kind.cls.__name__}.{field.name}", seen)
        case inspect.UnionType():
            for part in kind.types:
                yield from unlimited(part, place, seen)
        case inspect.DictType():
            yield from unlimited(kind.key_type, place, seen)
            yield from unlimited(kind.value_type, place, seen)
        case inspect.VarTupleType() | inspect.ListType():
            yield from unlimited(kind.item_type, place, seen)
        case inspect.TupleType():
            for part in kind.item_types:
                yield from unlimited(part, place, seen)
        case inspect.IntType():
            yield from [place] if kind.ge is None or kind.le is None else []
        case inspect.StrType():
            yield from [place] if kind.max_length is None and kind.pattern is None else []
        case _:
            return


def test_every_number_and_every_text_of_a_command_has_a_limit_in_its_type() -> None:
    assert [*unlimited(inspect.type_info(c.AnyCommand), "", set())] == []

    class Loose(msgspec.Struct):
        text: str
        numbers: tuple[int, ...]

    assert [*unlimited(inspect.type_info(Loose), "", set())] == ["Loose.text", "Loose.numbers"], "the walk finds them"
