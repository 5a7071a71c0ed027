"""The effects of the keys of a study's further domains."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import scenarios
from session.study.folder import Study, load
from tests.effects.next_session import header
from tests.effects.of_study import database, shipped, written
from tests.effects.registry import effect


def _in_a_further_domain(look: Callable[[Study], object], **domain: Any) -> object:
    """What `look` sees of a study in its further domain, of which `study.toml` says this."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "study"
        shutil.copytree(shipped(), folder)
        shutil.copytree(Path(scenarios.__file__).parent / "personnel", folder / "domains" / "personnel")
        with (folder / "study.toml").open("a") as file:
            file.write(f"[domains]\npersonnel = {written(domain)}\n")
        return look(load(folder).in_domain("personnel"))


effect("study.domains.database", "the database that answers there", "", "sqlite:///elsewhere.sqlite")(
    lambda value: _in_a_further_domain(database, database=value)
)
effect("study.domains.today", "`[Today:]` of every log of that domain", "", "1990-01-02")(
    lambda value: _in_a_further_domain(header("Today"), today=value)
)
