"""Typing by menu: after every word only what leads to a request that can be executed (TI's NLParse, 1989), as completion.

The menu itself is in `domain.english.menu` and needs the domain's database, so the hub is asked
(`session.protocol.side_messages`). Here its offers become the words that Tab puts in place of the one at the cursor.
"""

from collections.abc import Callable

from desk.history_completion import Completion
from session.protocol.side_messages import MenuResponse

After = Callable[[str], MenuResponse | None]
"""From what was typed to what may follow; None when that is not known yet."""


def tail(typed: str, choice: str) -> str:
    """Return what is in place of the last word of `typed` once `choice` was taken.

    >>> tail("flights from san fr", "san francisco")
    'francisco'
    >>> tail("flights ", "from"), tail("flights", "from"), tail("", "how many flights")
    ('from', 'flights from', 'how many flights')
    """
    text = " ".join(typed.lower().split()) + (" " if typed[-1:] == " " else "")
    last = text.rpartition(" ")[2]
    starts = [0, *(at + 1 for at, character in enumerate(text) if character == " ")]
    for at in starts:
        if at < len(text) and choice.startswith(text[at:]):
            return choice[len(text) - at - len(last) :]
    return f"{last} {choice}" if last else choice


class MenuCompletion(Completion):
    """Offers also before a word was begun; `whole` says whether what was typed is a request already, None while unknown."""

    def __init__(self, after: After) -> None:
        super().__init__(lambda prefix: ())
        self._after = after
        self.whole: bool | None = False

    def look(self, before_cursor: str) -> None:
        """Look up what may follow what stands before the cursor."""
        offer = self._after(before_cursor)
        self.whole = offer.whole if offer else None
        self.prefix = before_cursor.rpartition(" ")[2]
        tails = (tail(before_cursor, word) for word in (offer.words if offer else ()))
        self.found = [word for word in dict.fromkeys(tails) if word != self.prefix]
        self.at = -1
