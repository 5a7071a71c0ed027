"""A study without a practice scenario, for plays that begin with a scored one."""

from pathlib import Path

from session.study.create import new
from session.study.folder import Study, load


def unpractised(folder: Path, profile: str = "BBN-89") -> Study:
    """A new study as it ships, but for its practice."""
    made = new(folder, profile=profile)
    (made.folder / "scenarios" / "practice.toml").unlink()
    settings = made.folder / "profiles" / f"{profile}.toml"
    settings.write_text(settings.read_text().replace("practice_criterion = 1\n", ""))
    return load(made.folder)
