"""Both shares of 1989 out of the logs of a collected corpus."""

from corpus.log_values import Block, BlockKind, Log, Record
from corpus.timeline import Moment
from evaluation.shares import of_logs


def record(key: str, **attributes: str) -> Record:
    return Record(key, Moment(0), "wizard", True, tuple(attributes.items()))


def utterance(number: int, attempts: list[str], answered: str = "", scope: str = "in") -> Block:
    records = [record("Scope_marked", Scope=scope), *(record("Sentence_sent", Attempt=name) for name in attempts)]
    if answered:
        records.append(record("Answer_returned", Attempt=answered))
    return Block(BlockKind.UTTERANCE, tuple(records), number)


def test_one_hundred_requests_give_the_figures_of_1989() -> None:
    blocks = [utterance(number, ["a"], "a") for number in range(67)]
    blocks += [utterance(67 + number, ["a", "b"], "b") for number in range(27)]
    blocks += [utterance(94 + number, ["a", "b"]) for number in range(6)]
    blocks += [utterance(100 + number, [], scope="out") for number in range(5)]
    found = of_logs([Log((), tuple(blocks))])
    assert found.unaided is not None
    assert found.with_wizard is not None
    assert (f"{found.unaided:.1f}", f"{found.with_wizard:.1f}") == ("67.0", "94.0")
    assert (found.in_scope, found.out_of_scope) == (100, 5)
