"""The pass mark of a study: what a wizard has to reach in a drill to be certified (`[training]` of study.toml)."""

import math
from collections.abc import Mapping

from session.study.settings import Setting

SHARES = ("word_error", "answers", "canned", "scope")
AT_MOST = ("word_error", "reply_s")
"""Measures that are not to exceed their mark; the others are not to fall below it."""


class PassMark(Setting, frozen=True):
    """`turns` are the fewest turns of a drill that counts. `word_error` is the largest share of wrong words in the
    transcriptions; `answers`, `canned` and `scope` are the smallest shares of right ones; `reply_s` is the longest median
    from the end of speaking to the reply; `slips` is how many slips that could break the curtain are borne. Where it is
    `required`, anyone who has not reached the mark holds no session that counts."""

    turns: int = 10
    word_error: float = 0.1
    answers: float = 0.9
    canned: float = 0.9
    scope: float = 0.8
    reply_s: float = 30.0
    slips: int = 0
    required: bool = False

    def __post_init__(self) -> None:
        for name in SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"`{name}` is a share from 0 to 1, not {getattr(self, name):g}")
        if self.turns < 1:
            raise ValueError(f"`turns` is 1 or more, not {self.turns}")
        if not (self.reply_s > 0 and math.isfinite(self.reply_s)):
            raise ValueError(f"`reply_s` is above 0, not {self.reply_s:g}")
        if self.slips < 0:
            raise ValueError(f"`slips` is 0 or more, not {self.slips}")

    def missed(self, turns: int, reached: Mapping[str, float | None], slips: int) -> tuple[str, ...]:
        """Return what a drill of so many turns missed; what it did not try (None) is not compared with it, but for answers.

        >>> PassMark(turns=2).missed(3, {"word_error": 0.25, "answers": 1.0, "reply_s": None}, 0)
        ('word_error 0.25, at most 0.1',)
        >>> PassMark(turns=2).missed(3, {"word_error": 0.0, "answers": None}, 0)
        ('answers: none was judged',)
        """
        found = [f"turns {turns}, at least {self.turns}"] if turns < self.turns else []
        if reached.get("answers") is None:
            found.append("answers: none was judged")
        for name in (*SHARES, "reply_s"):
            value, mark = reached.get(name), getattr(self, name)
            most = name in AT_MOST
            if value is not None and (value > mark if most else value < mark):
                found.append(f"{name} {value:.3g}, at {'most' if most else 'least'} {mark:g}")
        if slips > self.slips:
            found.append(f"slips {slips}, at most {self.slips}")
        return tuple(found)
