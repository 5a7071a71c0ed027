"""The tests, in the folders of what they test; `together/` runs both desks."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""
PEOPLE = ("subject", "wizard", "annotator", "operators")


PACKAGES = (
    "session", "domain", "corpus", "evaluation", "study", "server", "desk", *PEOPLE, "rehearsal", "cli",
    "scenarios", "canned_messages",
)  # fmt: skip
