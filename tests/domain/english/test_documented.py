"""Every key of `domain.toml` stands in the documentation."""

from pathlib import Path

import msgspec
import pytest

from domain.english import model

TEXT = (Path(__file__).parents[3] / "docs" / "english.md").read_text()
TABLES = (
    model.About, model.Entity, model.Kind, model.Attribute, model.Flag, model.Superlative, model.Period, model.Swap,
    model.Join, model.Conventions,
)  # fmt: skip


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.__name__)
def test_every_key_is_described(table: type[msgspec.Struct]) -> None:
    missing = [field.name for field in msgspec.structs.fields(table) if f"`{field.name}`" not in TEXT]
    assert missing == []


def test_every_part_is_described() -> None:
    missing = [field.name for field in msgspec.structs.fields(model.DomainModel) if f"{field.name}" not in TEXT]
    assert missing == []
