from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from subject.capture.talk_hold import Hold


class HoldMachine(RuleBasedStateMachine):
    """The hand and the writer in any order: a take has one end, and none while the button is down."""

    def __init__(self) -> None:
        super().__init__()
        self.hold = Hold()
        self.made = 0
        self.current: str | None = None
        self.down = False

    @rule()
    def press(self) -> None:
        self.made += 1
        take, again, changed = self.hold.press(f"T{self.made}")
        assert again == (self.current is not None)
        assert changed == (not self.down)
        assert take == (self.current or f"T{self.made}")
        self.current, self.down = take, True

    @rule(right=st.booleans())
    def release(self, right: bool) -> None:
        held = self.hold.release(self.current if right and self.current else "another")
        assert held == (right and self.down)
        self.down = self.down and not held

    @precondition(lambda self: self.current is not None)
    @rule()
    def tail_is_over(self) -> None:
        assert self.current is not None
        assert self.hold.end(self.current) == (not self.down)
        if not self.down:
            assert not self.hold.end(self.current)
            self.current = None
        assert self.hold.take == self.current

    @rule()
    def discard(self) -> None:
        assert self.hold.discard(self.current or "another") == (self.current is not None)
        self.current, self.down = None, False


TestHold = HoldMachine.TestCase
