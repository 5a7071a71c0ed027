"""A corpus with the annotations that lie beside its speech, made of one as `curtain answers --out` makes it."""

from collections.abc import Mapping
from functools import partial
from io import StringIO
from pathlib import Path

from corpus.annotation.submitted_answers import annotations
from corpus.commands.derive import DeriveOptions, derive_command


def annotated(root: Path, made: Mapping[str, bytes] = {}) -> Path:
    """The new corpus beside the old one."""
    target, err = root.with_name(f"{root.name}-annotated"), StringIO()
    laid = partial(annotations, made=made)
    assert derive_command(DeriveOptions(str(root), str(target)), StringIO(), err, annotated=laid) == 0, err.getvalue()
    return target
