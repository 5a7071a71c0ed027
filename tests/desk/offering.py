"""Words that an editor offers, as few as a test needs."""

from collections.abc import Sequence

from desk.history_completion import Words


def starting_with(*words: str) -> Words:
    """Those of the words that begin as what was typed."""

    def find(prefix: str) -> Sequence[str]:
        return [word for word in words if word.startswith(prefix)]

    return find
