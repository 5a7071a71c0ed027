"""The texts that a module's source holds, for tests that no sentence stands outside of the catalogue."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")


class Text(NamedTuple):
    """A text in a module, and its line."""

    line: int
    value: str


def said(tree: ast.Module) -> Iterator[Text]:
    """The texts of a module but for its documentation, its style sheets and what is raised at programmers."""
    passed_over = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for part in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in passed_over:
            yield Text(node.lineno, node.value)
