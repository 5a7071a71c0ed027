"""Earlier turns of a dialogue, with the rows that were shown."""

from domain.english.dialogue.references import EarlierTurn
from domain.english.engine import Engine
from domain.sandbox.sandbox import Sandbox


def turns_of(engine: Engine, sandbox: Sandbox, said: list[str]) -> list[EarlierTurn]:
    """Return the requests with the rows that their likeliest readings bring to the screen."""
    turns: list[EarlierTurn] = []
    for text in said:
        table = sandbox.run(engine.ask(text, turns).readings[0].sql)
        turns.append(EarlierTurn(text, tuple(table.columns), tuple(map(tuple, table.rows))))
    return turns
