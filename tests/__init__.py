"""The tests, in the folders of what they test; `together/` runs both desks."""

import os
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""


class Thorough:
    """Whether what takes many seconds is tested too, as CI does in its last stage; `when_asked` is told that a test asks."""

    when_asked: Callable[[], object] = staticmethod(lambda: None)

    def __bool__(self) -> bool:
        self.when_asked()
        return os.environ.get("CURTAIN_PROFILES") == "every"


THOROUGH = Thorough()
SECONDS = "takes seconds: CURTAIN_PROFILES=every"
PEOPLE = ("subject", "wizard", "annotator", "operators")


PACKAGES = (
    "session", "domain", "corpus", "evaluation", "study", "server", "desk", *PEOPLE, "rehearsal", "cli",
    "scenarios", "canned_messages",
)  # fmt: skip
