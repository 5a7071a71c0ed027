"""Inputs from which a session's sound is to come, said before anything is opened."""

from collections.abc import Callable

from session.audio.devices import Microphone

NOT_FOUND_ANEW = (
    ". While another microphone is open the list of devices is not read again: if this one is back and not found within "
    "seconds, close the subject's terminal and start it again"
)


class Input:
    """A microphone that a session uses, and the letters of its channels in their order.

    `opener` makes it when consent has been given; `take_over`, if any, opens what replaces it when it is gone (the default
    device, or the same one when it is back). Both may raise `DeviceError`. `goes_on` says whether a take continues with the
    replacement; otherwise the take ends when the microphone is gone.
    """

    def __init__(
        self,
        opener: Callable[[], Microphone],
        letters: str = "s",
        take_over: Callable[[], Microphone] | None = None,
        goes_on: bool = True,
    ) -> None:
        self.opener, self.letters, self.take_over = opener, letters, take_over
        self.goes_on = goes_on and take_over is not None
