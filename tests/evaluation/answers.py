"""`curtain answers` on a corpus in a folder, beside which lie its database and its domain."""

from io import StringIO
from pathlib import Path
from typing import Any

from evaluation.references.make_references import answers_command


def answers(place: Path, principles: str, **options: Any) -> tuple[int, str, str]:
    """The status, what went to standard output, and what was narrated."""
    (database,) = place.glob("*.sqlite")
    out, err = StringIO(), StringIO()
    status = answers_command(
        str(place / "corpus"),
        database=f"sqlite:///{database}",
        domain=str(place),
        principles=principles,
        out=out,
        err=err,
        **options,
    )
    return status, out.getvalue(), err.getvalue()
