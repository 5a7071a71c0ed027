"""The page for transcribers names every key of the desk."""

import re

from annotator.screens.transcription_screen import TranscribingScreen
from annotator.widgets.sheet import Sheet
from desk.keys.key_labels import key_name
from tests import ROOT

PAGE = (ROOT / "docs" / "how-to" / "transcribe.md").read_text("utf-8")


def test_every_key_stands_on_the_page() -> None:
    own = [binding for kind in (TranscribingScreen, Sheet) for binding in kind.BINDINGS]
    named = {key_name(binding.key) for binding in own if binding.priority}  # type: ignore[union-attr]
    listed = set(
        re.findall(r"(?:F\d+|Ctrl\+(?:Home|End)|Alt\+Pg(?:Up|Dn)|(?:Alt|Ctrl)\+\S|PgDn|PgUp)(?=[\s|)·,])", PAGE)
    )
    assert named - listed == set()
    assert {key for key in listed if key.startswith("Alt")} <= named
