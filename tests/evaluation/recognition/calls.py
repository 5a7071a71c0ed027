"""`curtain wer` as at a shell, in a folder with a reference and a hypothesis; NIST's scorer beside it."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from evaluation.commands.wer import WerOptions, wer_command

REF = """\
show me { flights / the flights } (uh) from Boston (s1-1)
what is the fare (s1-2)
list airlines do- (s2-1)
"""
HYP = """\
Show me the flights from Austin (s1-1)
what is fare please (s1-2)
list airlines dont (s2-1)
"""


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(**{"ref.trn": REF, "hyp.trn": HYP})
    return tmp_path


def write(**files: str) -> None:
    for name, text in files.items():
        Path(name).write_text(text)


def wer(reference: str = "ref.trn", *hypotheses: str, **options: Any) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    given = WerOptions(reference=reference, hypotheses=hypotheses or ("hyp.trn",), **options)
    return wer_command(given, out, err), out.getvalue(), err.getvalue()
