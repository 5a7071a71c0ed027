"""Entries of the console's lists in one line each, with the keys that choose them."""

from session.state.fold import Reply, SessionState, Take
from session.study.screen_words import ConsoleWords
from session.study.settings import Scenario
from session.values.sanitize import inert

_KEYS = "123456789abcdefghijklmnopqrstuvwxyz"


def letter(place: int) -> str:
    """Return the key of the entry at a place, from 0; empty if there is none left."""
    return _KEYS[place] if place < len(_KEYS) else ""


def reply_line(reply: Reply, words: ConsoleWords) -> str:
    """Return a reply's first line, with the number of its further lines."""
    first, *rest = reply.text.split("\n")
    more = f"  {words['console_text.more_lines'].format(count=len(rest))}" if rest else ""
    return f"{inert(first)}{more}"


def take_line(state: SessionState, take: Take, words: ConsoleWords) -> str:
    """Return whether an utterance was answered, and its text."""
    said = take.text or words[f"console_text.{'not_transcribed' if take.complete else 'being_spoken'}"]
    answered = words["console_status.answered" if state.answered(take) else "console_text.waiting"]
    return f"{answered}  {said}"


def scenario_line(scenario: Scenario, done: bool, words: ConsoleWords) -> str:
    """Return a scenario's title with its kind, difficulty and number of queries, ticked if it is done."""
    line = words[f"console_text.{'common_' if scenario.common else ''}scenario_line"].format(
        title=scenario.title,
        kind=words.name(scenario.kind),
        difficulty=scenario.difficulty,
        queries=scenario.expected_queries,
    )
    return f"{'√ ' if done else ''}{line}"
