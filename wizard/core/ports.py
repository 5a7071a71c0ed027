"""Ports of a console: the way to the hub, and what plays the subject's voice."""

from typing import Protocol

from session import commands as c
from session.protocol.side_messages import SideMessage


class WizardUplink(Protocol):
    """The way to the hub."""

    def give(self, command: c.AnyCommand) -> None: ...

    def ask(self, question: SideMessage) -> None: ...


class VoicePlayer(Protocol):
    """Player of the subject's voice (`wizard.audio.monitor.Monitor`)."""

    def expect(self, take: str, rate: int) -> None: ...

    def frame(self, take: str, letter: str, first: int, pcm: bytes) -> None: ...

    def finish(self, take: str) -> None: ...
