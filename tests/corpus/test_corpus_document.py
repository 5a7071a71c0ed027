"""The pages on corpora and on withdrawal are held to the code: formats, stages, keys and commands."""

import re

import click

from cli import corpus
from corpus.analysis.turns import STAGES
from corpus.dataset.removals import Removal, Removals
from corpus.packages.formats import ExportFormat
from tests import ROOT

TEXT = "".join(
    (ROOT / "docs" / "how-to" / name).read_text("utf-8") for name in ("work-on-a-corpus.md", "let-a-person-withdraw.md")
)
ROWS = {
    tuple(cell.strip() for cell in line.strip("|").split("|")) for line in TEXT.splitlines() if line.startswith("| ")
}


def test_every_format_has_its_line() -> None:
    assert {row[0] for row in ROWS if len(row) == 3} == {"format", "---", *(f"`{form}`" for form in ExportFormat)}


def test_the_stages_are_those_of_the_code() -> None:
    assert {row for row in ROWS if row[0].strip("`") in STAGES} == {
        (f"`{stage}`", meaning) for stage, (_, _, meaning) in STAGES.items()
    }


def test_the_keys_of_the_removal_list_are_all_named() -> None:
    named = set(re.findall(r"`(\w+)`", TEXT))
    assert {*Removals.__struct_fields__, *Removal.__struct_fields__} <= named


def test_every_command_and_option_that_is_shown_exists() -> None:
    for name in ("holdout", "withdraw", "report", "stats"):
        command = getattr(corpus, name)
        assert f"curtain {name}" in TEXT
        known = {option for param in command.params if isinstance(param, click.Option) for option in param.opts}
        for line in re.findall(rf"^    curtain {name} .*$", TEXT, re.MULTILINE):
            assert set(re.findall(r"--[\w-]+", line)) <= known
    assert "--dry-run" in TEXT
