"""Parts of a session that have been on this desk's screen: each part is reported once, whichever run of the desk showed it."""

from collections.abc import Iterable, Sequence

from session import events as e
from session.state.fold import Take
from session.values.clock import Stamp
from subject.ports import Seen


class ScreenRecord:
    """Knows transcriptions and replies by name; what another run of the desk showed is told by the facts of the session."""

    def __init__(self) -> None:
        self._names = dict[str, None]()

    def transcription(self, take: Take) -> bool:
        """The newest transcription of a take is on the screen; whether it is there for the first time."""
        return self._once(_name_of(take))

    def next_transcription(self, takes: Sequence[Take]) -> Take | None:
        """The first of `takes` whose newest transcription has not been painted yet, otherwise the one painted last."""
        known = [take for take in takes if take.transcriptions and not take.discarded]
        fresh = (take for take in known if _name_of(take) not in self._names)
        return next(fresh, None) or max(known, key=lambda take: list(self._names).index(_name_of(take)), default=None)

    def replies(self, seen: Sequence[Seen], at: Stamp) -> list[e.Fact]:
        """Return what one painting showed of which replies, as facts: what is new there first."""
        shown = [
            e.ReplyShown(at=at, reply=part.reply, first=part.first, last=part.last)
            for part in seen
            if not part.again and self._once(part.reply)
        ]
        viewed = [
            e.ReplyViewed(at=at, reply=part.reply, first=part.first, last=part.last, reopened=part.reopened)
            for part in seen
            if part.again
        ]
        return [*shown, *viewed]

    def transcription_known(self, take: Take | None) -> None:
        """The hub has that the newest transcription of a take was shown."""
        if take is not None:
            self._names[_name_of(take)] = None

    def reply_known(self, reply: str) -> None:
        """The hub has that a reply was shown."""
        self._names[reply] = None

    def lacks(self, replies: Iterable[str]) -> bool:
        """Return whether one of these is still to be painted."""
        return any(name not in self._names for name in replies)

    def forget(self) -> None:
        """The session is told from its beginning again."""
        self._names.clear()

    def _once(self, name: str) -> bool:
        if name in self._names:
            return False
        self._names[name] = None
        return True


def _name_of(take: Take) -> str:
    return f"{take.take}#{len(take.transcriptions)}"
