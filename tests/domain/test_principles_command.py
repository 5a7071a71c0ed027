"""`curtain principles`: the printed document has every principle, with what the program does by it."""

from io import StringIO
from pathlib import Path

import pytest

from domain.commands.principles import principles_command
from domain.principles import load
from tests.domain.english.principle_cases import SCENARIOS, SETS


def printed(folder: Path, name: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    return principles_command(str(folder), name, out, err), out.getvalue(), err.getvalue()


@pytest.mark.parametrize(("domain", "name"), SETS)
def test_every_principle_rule_and_setting_is_printed(domain: str, name: str) -> None:
    status, text, _ = printed(SCENARIOS / domain, name)
    chosen = load(SCENARIOS / domain, name)
    assert status == 0
    assert chosen.digest in text
    assert all(f"## {one.id} {one.title}\n\n{one.text}" in text for one in chosen.principle)
    assert all(f"`{fragment}`" in text for fragments in chosen.rules.values() for fragment in fragments)
    assert text.count("For annotators") == sum(not one.executed for one in chosen.principle)


def test_without_a_name_the_sets_are_listed_and_a_wrong_one_is_told() -> None:
    assert [line.split()[0] for line in printed(SCENARIOS / "air_travel", "")[1].splitlines()] == [
        "papers",
        "references",
    ]
    status, _, output = printed(SCENARIOS / "air_travel", "mine")
    assert (status, "there is papers, references" in output) == (2, True)
