"""Every key of `domain.toml` stands in the documentation."""

from pathlib import Path

import msgspec
import pytest

from domain.english.model import domain

TEXT = (Path(__file__).parents[3] / "docs" / "reference" / "english.md").read_text()
TABLES = (
    domain.About, domain.Entity, domain.Kind, domain.Attribute, domain.Flag, domain.Superlative, domain.Period, domain.Swap,
    domain.Join, domain.Conventions, domain.ColumnDisplay,
)  # fmt: skip


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.__name__)
def test_every_key_is_described(table: type[msgspec.Struct]) -> None:
    missing = [field.name for field in msgspec.structs.fields(table) if f"`{field.name}`" not in TEXT]
    assert missing == []


def test_every_part_is_described() -> None:
    missing = [field.name for field in msgspec.structs.fields(domain.DomainModel) if f"{field.name}" not in TEXT]
    assert missing == []
