"""The tests, in the folders of what they test; `together/` runs both desks."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""
THOROUGH = os.environ.get("CURTAIN_PROFILES") == "every"
"""Whether what takes many seconds is tested too, as CI does in its last stage."""
SECONDS = "takes seconds: CURTAIN_PROFILES=every"
PEOPLE = ("subject", "wizard", "annotator", "operators")


PACKAGES = (
    "session", "domain", "corpus", "evaluation", "study", "server", "desk", *PEOPLE, "rehearsal", "cli",
    "scenarios", "canned_messages",
)  # fmt: skip
