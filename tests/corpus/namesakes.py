"""Corpora of two sites that gave one id to two people."""

import io
from pathlib import Path

from corpus.commands.export import export_command
from tests.corpus.sessions import Script
from tests.corpus.studies import fill, made_study


def exported(lab: Path, name: str, *scripts: Script) -> Path:
    """A corpus in the one folder of all, out of a study of its own."""
    study = made_study(lab / f"study-{name}")
    for script in scripts:
        fill(study, script)
    (lab / "corpora").mkdir(exist_ok=True)
    target = lab / "corpora" / name
    assert export_command(str(study), str(target), "sphere", False, (), io.StringIO(), io.StringIO()) == 0
    return target
